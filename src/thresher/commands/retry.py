# SPDX-License-Identifier: Apache-2.0
"""`thresher retry`: what failed in a run is tried again."""

from __future__ import annotations

import click

from thresher.commands.help import command
from thresher.commands.options import carry_out, knob_option, names_option, overrides_of
from thresher.commands.refusals import refusals
from thresher.terminal import number_of


@command(arrow="compute")
@click.argument("output", metavar="OUT")
@names_option("--class", "classes", help="Only dead letters of these error classes, such as TransferError.")
@names_option("--stage", "stages", help="Only dead letters of these stages, such as read or worker.")
@names_option("--file", "files", help="Only dead letters of these archives; * stands for any text.")
@click.option(
    "--extractor",
    metavar="MODULE:FUNCTION",
    help="The Python extractor of the run, if it has one. It must be named again: a folder alone imports no code.",
)
@knob_option("run.workers")
@knob_option("run.max_requests_per_second")
@knob_option("run.max_connections")
@knob_option("run.max_error_ratio")
def retry(
    output: str,
    classes: tuple[str, ...],
    stages: tuple[str, ...],
    files: tuple[str, ...],
    extractor: str | None,
    **options: object,
) -> None:
    """Try again what failed in the run in OUT.

    Each partition (a part of an archive, see read.split_bytes) that has a dead letter is worked on again as a whole,
    and what comes of it replaces its rows: afterwards the tables are those of an undisturbed run. What fails again
    keeps its dead letter and its reason. Partitions that are missing are worked on as by the same `thresher extract`.

    \b
    Examples:
      thresher retry out
      thresher retry out --class TransferError,InputError
      thresher retry out --stage worker --workers 1
      thresher retry out --file 'crawl-data/*/warc/*-00007.warc.gz'

    Exit status as for thresher extract.
    """
    from thresher.after.retrying import Choice, reopen, retries_of
    from thresher.python_extractors import use_python_extractor
    from thresher.running.reporter import TerminalReporter
    from thresher.running.run import continue_run

    with refusals():
        if extractor is not None:
            use_python_extractor(extractor)
        run = continue_run(output, overrides_of(options))
        retries = retries_of(run, Choice(classes, stages, files))
        run = reopen(run, retries.partitions)
    reporter = TerminalReporter()
    reporter.say(
        f"Trying {number_of(retries.n, 'dead letter')} again, in {number_of(retries.n_partitions, 'partition')}."
    )
    if retries.classes and not retries.n:
        shown = ", ".join(f"{name} ({n:,})" for name, n in retries.classes.most_common())
        reporter.say(f"None of the run's dead letters is chosen. Their classes: {shown}.")
    carry_out(run, reporter)
