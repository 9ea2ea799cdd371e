# SPDX-License-Identifier: Apache-2.0
"""The command line: `thresher extract`, `thresher text`, `thresher inspect`, `thresher evaluate`.

Everything heavy is imported inside the commands, so that `thresher --help` answers at once.
"""

from __future__ import annotations

import json
import sys

import click

from thresher._version import __version__
from thresher.command_options import SETTINGS, begin, extraction_options, knob_option, resolve, run_options
from thresher.evaluate.command import evaluate
from thresher.refusals import Refusal, refusals
from thresher.templates.command import templates
from thresher.terminal import if_terminal, safe_json


@click.group(context_settings=SETTINGS)
@click.version_option(__version__, "-V", "--version", message="thresher %(version)s")
def main() -> None:
    """Main text out of web archives: WARC in, Parquet out.

    \b
      thresher extract crawl.warc.gz -o out      all pages of an archive into out/pages/*.parquet
      thresher inspect out                       what came of it
      thresher text page.html                    the main text of one page (or URL, or standard input)
      thresher templates nodes crawl.warc.gz     what the pages of each host have in common

    On a Spark cluster: spark-submit jobs/extract.py IN OUT, with the same options and the same rows.
    """


main.add_command(evaluate)
main.add_command(templates)


@main.command(context_settings=SETTINGS)
@click.argument("inputs", metavar="IN...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="Folder or URL (s3://, hdfs://) for the tables; made where it does not exist.",
)
@knob_option("run.workers")
@run_options
def extract(inputs: tuple[str, ...], output: str, **options: object) -> None:
    """Extract the main text of every page in web archives.

    IN is a WARC or ARC (gzip, zstd, lz4, plain), a folder of them, a glob, a list of paths (warc.paths, warc.paths.gz), or the
    URL of one: https://, s3://, hdfs://.

    \b
    Examples:
      thresher extract crawl.warc.gz -o out
      thresher extract 'archives/*.warc.gz' extra/ -o out --workers 4
      thresher extract warc.paths.gz --input-base-url https://data.commoncrawl.org/ -o out
      thresher extract crawl.warc.gz -o out --extractor all --set limits.max_nodes=200000

    \b
    OUT holds pages/, metrics/ and dead_letter/ (Parquet) and _run.json (configuration and versions). The rows are the
    same for any number of workers. Stopped or killed, the same command goes on where it was.

    \b
    Exit status: 0 done; 2 wrong input, output or option, nothing done; 3 more errors than --max-error-ratio,
    everything written; 4 something is missing, run it again; 130 stopped by Ctrl-C.
    """
    from thresher.arrow import import_pyarrow

    import_pyarrow()
    run = begin(inputs, output, options, one_machine=True)
    if run.first_pass:
        import_pyarrow(compute=True)  # before any worker is forked
    from thresher.engine import LocalEngine
    from thresher.execute import execute
    from thresher.reporter import TerminalReporter

    sys.exit(execute(run, LocalEngine(run, fork=True), TerminalReporter()))


@main.command(context_settings=SETTINGS)
@click.argument("source", metavar="[FILE|URL]", default="-")
@click.option(
    "--url",
    metavar="URL",
    help="Where the page came from: links are relative to it, and metadata is read with it. Of an archive: which page.",
)
@click.option("--charset", metavar="NAME", help="What the server said of the encoding; without it the page is asked.")
@click.option(
    "--json", "as_json", is_flag=True, help="Text and everything else that is known of the page, as one line of JSON."
)
@click.option(
    "--blocks", is_flag=True, help="A page of HTML that shows which blocks were kept and which thrown away, and why."
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
    from thresher.extraction import extract as extract_page
    from thresher.one_page import read_source, to_blocks_page

    if as_json and blocks:
        message = "--json and --blocks are two kinds of output; choose one"
        raise Refusal(message)
    with refusals():
        knobs = resolve(options).extract
        page, page_charset, page_url = read_source(source, url)
    found = extract_page(page, url=url or page_url, charset=charset or page_charset, options=knobs)
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


@main.command(context_settings=SETTINGS)
@click.argument("output", metavar="OUT")
@click.option("--top", default=10, show_default=True, metavar="N", help="How many languages and hosts to list.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, everything.")
@click.option(
    "--digest", is_flag=True, help="Only a digest of the rows, timings left out: equal for runs with equal rows."
)
def inspect(output: str, top: int, as_json: bool, digest: bool) -> None:  # noqa: FBT001 (click's flags)
    """Show what a run produced: counts by status, language and host, time by stage, what was skipped, dead letters.

    \b
    Examples:
      thresher inspect out
      thresher inspect out --json | jq .stages.parse.nodes_per_second
      test "$(thresher inspect a --digest)" = "$(thresher inspect b --digest)"
    """
    from thresher.inspect import inspect_run, rows_digest, to_text
    from thresher.run_folder import RunFolder

    with refusals():
        RunFolder(output).read_run()
        if digest:
            click.echo(rows_digest(output))
        elif as_json:
            click.echo(safe_json(inspect_run(output).to_dict(), indent=1))
        else:
            click.echo(to_text(inspect_run(output), top=top))


if __name__ == "__main__":
    main()
