# SPDX-License-Identifier: Apache-2.0
"""The command line: `thresher extract`, `thresher text`, `thresher inspect`, `thresher evaluate`.

Everything heavy is imported inside the commands, so that `thresher --help` answers at once.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from thresher._version import __version__
from thresher.evaluate.command import evaluate
from thresher.refusals import Refusal, refusals
from thresher.templates.command import templates
from thresher.terminal import if_terminal, make_logs_safe, safe_json

if TYPE_CHECKING:
    from thresher.config import Configuration
    from thresher.run import Run
    from thresher.workers import Snapshot

_QUIET_SECONDS: Final = 10.0  # between two lines of progress where standard error is no terminal

# Options of a run that stand for a knob of the configuration.
_KNOBS: Final = {
    "workers": "run.workers",
    "extractors": "extract.extractors",
    "mode": "extract.mode",
    "output_format": "extract.format",
    "comments": "extract.comments",
    "tables": "extract.tables",
    "links": "extract.links",
    "images": "extract.images",
    "max_error_ratio": "run.max_error_ratio",
    "output_compression": "write.compression",
    "templates": "templates.mode",
    "templates_from": "templates.source",
    "log_level": "run.log_level",
}

# `_` and `-` are the same in options, so that cc-pyspark's spellings work: --input_base_url, --output_compression.
SETTINGS: Final = {
    "help_option_names": ["-h", "--help"],
    "token_normalize_func": lambda token: token.replace("_", "-"),
    "max_content_width": 110,
}


def extraction_options() -> list[Callable[..., Any]]:
    """The options of everything that extracts: which extractors, how, and what the text holds."""
    return [
        click.option("--extractors", "--extractor", "extractors", metavar="NAME,…", help="Which extractor chooses the main text: thresher (default), cetd, all, …; further ones have a text each, from the same parse."),
        click.option("--mode", metavar="MODE", help="precision (rather less text), balanced (default), recall (rather more); of extractors that have it: thresher."),
        click.option("--format", "output_format", metavar="FORMAT", help="What the text is given as: text (default), markdown, html."),
        click.option("--comments/--no-comments", default=None, help="Readers' comments in or out whatever the extractor says; without either it decides."),
        click.option("--tables/--no-tables", default=None, help="Tables of data in (default) or out."),
        click.option("--links", is_flag=True, default=None, help="Keep the addresses of links; with --format markdown or html."),
        click.option("--images", is_flag=True, default=None, help="Keep images; with --format markdown or html."),
    ]  # fmt: skip


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that `thresher extract` and jobs/extract.py share."""
    options = [
        click.option("--input-base-url", metavar="URL", help="What relative paths in a list of paths begin with: s3://commoncrawl/, https://data.commoncrawl.org/, a folder."),
        *extraction_options(),
        click.option("--templates", metavar="MODE", help="What hosts repeat on their pages: off (default) looks at each page by itself; fused counts it and decides with it; learn writes only the table templates; apply decides with that of an earlier crawl."),
        click.option("--templates-from", metavar="OUT", help="With --templates apply: the output folder of the crawl whose templates are applied."),
        click.option("--conf", metavar="FILE", type=click.Path(dir_okay=False), help="TOML file with knobs; see conf/default.toml for all of them."),
        click.option("--set", "settings", metavar="SECTION.KEY=VALUE", multiple=True, help="One knob, as often as needed; goes before --conf."),
        click.option("--max-error-ratio", type=float, metavar="SHARE", help="Exit status 3 where a larger share of pages fails (default 0.05)."),
        click.option("--output-compression", metavar="CODEC", help="Of the Parquet files: zstd (default), gzip, snappy, none."),
        click.option("--log-level", metavar="LEVEL", help="debug, info (default), warning, error."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def split_names(text: str) -> list[str]:
    """The names in a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]


def resolve(options: dict[str, Any]) -> Configuration:
    """The configuration that the options of a run give."""
    from thresher.config import load_configuration, parse_setting

    overrides = dict(parse_setting(setting) for setting in options["settings"])
    for name, key in _KNOBS.items():
        if options.get(name) is not None:
            value = options[name]
            if name in ("log_level", "output_compression", "mode", "output_format"):
                value = value.lower()
            elif name == "extractors":
                value = split_names(value)
            elif name == "comments":
                value = "keep" if value else "drop"
            overrides[key] = value
    return load_configuration(options["conf"], overrides)


def begin(inputs: tuple[str, ...], output: str, options: dict[str, Any], *, one_machine: bool) -> Run:
    """The run that the command line asks for, its output folder made ready; `one_machine` where DuckDB counts, not Spark."""
    from thresher.inputs import scheme_of
    from thresher.run import start_run

    with refusals():
        configuration = resolve(options)
        logging.basicConfig(
            level=configuration.run.log_level.upper(), format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr
        )
        make_logs_safe()
        logging.getLogger("py4j").setLevel(logging.WARNING)  # Spark's bridge tells of each connection
        if one_machine and configuration.templates.mode != "off" and scheme_of(output):
            raise Refusal(
                f"--templates on one machine needs a local folder, not {output}; jobs/extract.py on Spark writes there"
            )
        return start_run(inputs, output, configuration, base_url=options["input_base_url"])


def finish(run: Run, seconds: float) -> int:
    """Say how the run ended; its exit status."""
    from thresher.inspect import inspect_run, number_of
    from thresher.run import EXIT_ERRORS, EXIT_INCOMPLETE, exit_status

    run.folder.close_run()
    report = inspect_run(run.output, contents=False)
    status = exit_status(report, run.configuration)
    click.echo(
        f"{number_of(report.pages, 'page')} of {number_of(report.records, 'record')}, {number_of(report.errors.total(), 'error')}, in {run.output}"
        + (" (finished earlier: part of it)" if run.resumed else "")
        + f"; this took {seconds:,.1f} s. See: thresher inspect {run.output}",
        err=True,
    )
    if status == EXIT_INCOMPLETE:
        click.echo(
            f"Incomplete: {report.lost:,} partitions are missing (see dead_letter/). The same command again tries them once more.",
            err=True,
        )
    elif status == EXIT_ERRORS:
        limit = run.configuration.run.max_error_ratio
        click.echo(
            f"Too many errors: {report.error_ratio:.2%} of pages, more than the {limit:.2%} of --max-error-ratio. Everything is written.",
            err=True,
        )
    return status


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
@click.option(
    "--workers", type=click.IntRange(min=0), metavar="N", help="Worker processes; 0 (default) is one for each core."
)
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
    everything written; 4 some partitions could not be worked on, run it again; 130 stopped by Ctrl-C.
    """
    started = time.monotonic()
    from thresher.arrow import import_pyarrow

    import_pyarrow()
    run = begin(inputs, output, options, one_machine=True)
    if run.resumed:
        click.echo(f"Going on in {output}: {len(run.pending):,} of {len(run.warcs):,} WARCs are left.", err=True)
    from thresher.workers import extract_on_this_machine

    try:
        with _progress() as watch:
            extract_on_this_machine(run.first_pass or run, watch, fork=True)
        if run.first_pass:
            import_pyarrow(compute=True)
            from thresher.templates.passes import ThisMachine, second_pass

            run.first_pass.folder.close_run()
            with ThisMachine(run.configuration.run.workers) as engine:
                second_pass(run, engine, lambda message: click.echo(message, err=True))
    except KeyboardInterrupt:
        click.echo("Stopped. The same command goes on from here.", err=True)
        sys.exit(130)
    except OSError as error:
        message = f"cannot write to {output}: {error}. What is written stays; the same command goes on from here."
        raise Refusal(message) from error
    sys.exit(finish(run, time.monotonic() - started))


def _with_extraction_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(extraction_options()):
        command = option(command)
    return command


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
@_with_extraction_options
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
    from thresher.one_page import extract_one, read_source, to_blocks_page, to_json

    if as_json and blocks:
        message = "--json and --blocks are two kinds of output; choose one"
        raise Refusal(message)
    with refusals():
        knobs = resolve({**options, "settings": (), "conf": None}).extract
        page, page_charset, page_url = read_source(source, url)
        try:
            found = extract_one(page, url=url or page_url, charset=charset or page_charset, knobs=knobs)
        except ValueError as error:
            raise Refusal(str(error)) from error
    if blocks:
        shown = to_blocks_page(found)
    elif as_json:
        shown = to_json(found, url or page_url)
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
    from thresher.sinks import OutputFolder

    with refusals():
        OutputFolder(output).read_run()
        if digest:
            click.echo(rows_digest(output))
        elif as_json:
            click.echo(safe_json(inspect_run(output).to_dict(), indent=1))
        else:
            click.echo(to_text(inspect_run(output), top=top))


@contextmanager
def _progress() -> Iterator[Callable[[Snapshot], None]]:
    """A bar on a terminal; elsewhere a line now and then."""
    if sys.stderr.isatty():
        with _bar() as watch:
            yield watch
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Callable[[Snapshot], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[pages]:,} pages"),
        TextColumn("{task.fields[rate]:,.0f} pages/s"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    meter = _Meter()
    # Drawn anew when there is something new, not by a thread: see `_start` in thresher.workers.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        bar = progress.add_task("", total=1.0, pages=0, rate=0.0, left="")

        def watch(snapshot: Snapshot) -> None:
            rate, left = meter.read(snapshot)
            progress.update(bar, completed=snapshot.fraction, pages=snapshot.pages, rate=rate, left=left, refresh=True)

        yield watch


def _lines() -> Callable[[Snapshot], None]:
    meter = _Meter()
    last = time.monotonic()

    def watch(snapshot: Snapshot) -> None:
        nonlocal last
        rate, left = meter.read(snapshot)
        if time.monotonic() - last >= _QUIET_SECONDS:
            last = time.monotonic()
            click.echo(f"{snapshot.fraction:4.0%}  {snapshot.pages:,} pages  {rate:,.0f} pages/s  {left}", err=True)

    return watch


class _Meter:
    """Pages per second and time left, from what was seen since the start."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._first: float | None = None  # what was finished before this start

    def read(self, snapshot: Snapshot) -> tuple[float, str]:
        elapsed = time.monotonic() - self._started
        if self._first is None:
            self._first = snapshot.fraction
        done = snapshot.fraction - self._first
        left = ""
        if done > 0 and elapsed > 2:
            seconds = round(elapsed * (1 - snapshot.fraction) / done)
            left = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left"
        return snapshot.pages / max(elapsed, 1e-9), left


if __name__ == "__main__":
    main()
