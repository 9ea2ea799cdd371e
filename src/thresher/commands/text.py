# SPDX-License-Identifier: Apache-2.0
"""`thresher text`: the main text of one page, or of each page of a folder."""

from __future__ import annotations

import json
import os
import sys

import click

from thresher.commands.help import command
from thresher.commands.options import PATH, extraction_options, resolve
from thresher.commands.refusals import Refusal, refusals
from thresher.errors import ExtractorError
from thresher.python_extractors import is_python_extractor
from thresher.terminal import if_terminal


class _Failed(Refusal):
    """An extractor that failed on the page; exit status 3."""

    exit_code = 3


@command()
@click.argument("source", metavar="[FILE|URL|FOLDER]", default="-", type=PATH)
@click.option(
    "--url",
    metavar="URL",
    help="URL of the page, for absolute links and metadata. With an archive or folder: which page to read.",
)
@click.option("--charset", metavar="NAME", help="Encoding from the HTTP header. Default: detect it from the page.")
@click.option("-o", "--output", metavar="OUT", type=PATH, help="With a FOLDER: the folder that the texts go to.")
@click.option("--overwrite", is_flag=True, help="With -o: replace files that are there already.")
@click.option("--json", "as_json", is_flag=True, help="Print the text and all other results as one line of JSON.")
@click.option(
    "--blocks", is_flag=True, help="Write an HTML page that shows which blocks were kept or dropped, and why."
)
@extraction_options
def text(
    source: str,
    url: str | None,
    charset: str | None,
    output: str | None,
    *,
    overwrite: bool,
    as_json: bool,
    blocks: bool,
    **options: object,
) -> None:
    """Print the main text of one page: a FILE, a URL, standard input, or the page with --url in an archive.

    With a FOLDER and -o OUT, write a file for each HTML file below it: FOLDER/a/b.html becomes OUT/a/b.html.txt, or .md
    with --format markdown. Files that are there already stay. The last line accounts for every file. Exit status: 0
    done; 2 invalid input or option, nothing was done; 3 a page failed; 4 ended early, the same command goes on.

    \b
    Examples:
      thresher text page.html
      thresher text https://example.org/ --format markdown --links
      curl -s https://example.org/ | thresher text --json | jq .title
      thresher text --extractor all --charset windows-1251 old.html
      thresher text page.html --extractor my_module:main_text
      thresher text page.html --blocks > blocks.html
      thresher text crawl.warc.gz --url https://example.org/ --blocks > blocks.html
      thresher text saved-pages/ -o texts --format markdown
    """
    from thresher.commands.one_page import read_source, text_of, to_blocks_page
    from thresher.file_kinds import binary_kind
    from thresher.page.extraction import extract as extract_page
    from thresher.page.legacy_encodings import encoding_of

    if as_json and blocks:
        message = "choose either --json or --blocks"
        raise Refusal(message)
    with refusals():
        knobs = resolve(options).extract
    if blocks and is_python_extractor(knobs.extractors[0]):
        raise Refusal(f"--blocks: the Python extractor {knobs.extractors[0]!r} chooses no blocks of a page")
    if charset is not None and encoding_of(charset) is None:
        raise Refusal(f"--charset {charset}: unknown encoding; give a name such as utf-8, windows-1252 or shift_jis")
    if output is not None:
        from thresher.commands.text_files import write_texts  # imports what runs need

        _check_folder(source, url, blocks=blocks)
        if not write_texts(source, output, knobs, charset=charset, as_json=as_json, overwrite=overwrite):
            sys.exit(3)
        return
    if overwrite:
        message = "--overwrite is for -o, which names a folder for the texts"
        raise Refusal(message)
    with refusals():
        page, page_charset, page_url = read_source(source, url)
    try:
        found = extract_page(page, url=url or page_url, charset=charset or page_charset, options=knobs)
    except ExtractorError as error:
        raise _Failed(str(error)) from error
    if found.status == "not_html":
        raise Refusal(f"{source}: this is {binary_kind(page)}, not a web page")
    if blocks:
        shown = to_blocks_page(found)
    elif as_json:
        shown = json.dumps(found.to_dict(), ensure_ascii=False)
    else:
        shown = text_of(found)
    click.echo(if_terminal(shown, json=as_json).encode("utf-8"), nl=not shown.endswith("\n"))
    if found.status != "ok":
        click.echo(f"status: {found.status}", err=True)


def _check_folder(source: str, url: str | None, *, blocks: bool) -> None:
    """Refuses what does not go with -o."""
    if not os.path.isdir(source):
        raise Refusal(f"{source}: not a folder; -o is for the pages of one. For one page: thresher text PAGE > FILE")
    if url is not None or blocks:
        raise Refusal(f"{'--blocks' if blocks else '--url'} is for one page, not for a folder")
