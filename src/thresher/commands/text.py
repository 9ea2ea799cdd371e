# SPDX-License-Identifier: Apache-2.0
"""`thresher text`: the main text of one page."""

from __future__ import annotations

import json

import click

from thresher.commands.help import command
from thresher.commands.options import PATH, extraction_options, resolve
from thresher.commands.refusals import Refusal, refusals
from thresher.terminal import if_terminal


@command()
@click.argument("source", metavar="[FILE|URL]", default="-", type=PATH)
@click.option(
    "--url",
    metavar="URL",
    help="URL of the page, for absolute links and metadata. With an archive: which page to read.",
)
@click.option("--charset", metavar="NAME", help="Encoding from the HTTP header. Default: detect it from the page.")
@click.option("--json", "as_json", is_flag=True, help="Print the text and all other results as one line of JSON.")
@click.option(
    "--blocks", is_flag=True, help="Write an HTML page that shows which blocks were kept or dropped, and why."
)
@extraction_options
def text(source: str, url: str | None, charset: str | None, *, as_json: bool, blocks: bool, **options: object) -> None:
    """Print the main text of one page: a FILE, a URL, standard input, or the page with --url in an archive.

    \b
    Examples:
      thresher text page.html
      thresher text https://example.org/ --format markdown --links
      curl -s https://example.org/ | thresher text --json | jq .title
      thresher text --extractor all --charset windows-1251 old.html
      thresher text page.html --blocks > blocks.html
      thresher text crawl.warc.gz --url https://example.org/ --blocks > blocks.html
    """
    from thresher.commands.one_page import read_source, to_blocks_page
    from thresher.file_kinds import binary_kind
    from thresher.page.extraction import extract as extract_page
    from thresher.page.legacy_encodings import encoding_of

    if as_json and blocks:
        message = "choose either --json or --blocks"
        raise Refusal(message)
    with refusals():
        knobs = resolve(options).extract
        page, page_charset, page_url = read_source(source, url)
    if charset is not None and encoding_of(charset) is None:
        raise Refusal(f"--charset {charset}: unknown encoding; give a name such as utf-8, windows-1252 or shift_jis")
    found = extract_page(page, url=url or page_url, charset=charset or page_charset, options=knobs)
    if found.status == "not_html":
        raise Refusal(f"{source}: this is {binary_kind(page)}, not a web page")
    if blocks:
        shown = to_blocks_page(found)
    elif as_json:
        shown = json.dumps(found.to_dict(), ensure_ascii=False)
    else:
        names = list(found.texts)
        shown = found.text if len(names) == 1 else "\n\n".join(f"=== {name}\n\n{found.texts[name]}" for name in names)
    click.echo(if_terminal(shown, json=as_json).encode("utf-8"), nl=not shown.endswith("\n"))
    if found.status != "ok":
        click.echo(f"status: {found.status}", err=True)
