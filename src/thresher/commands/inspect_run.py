# SPDX-License-Identifier: Apache-2.0
"""`thresher inspect`: a summary of a run."""

from __future__ import annotations

import shutil
import sys

import click

from thresher.commands.help import command
from thresher.commands.options import PATH
from thresher.commands.refusals import refusals, written
from thresher.terminal import safe_json


@command()
@click.argument("output", metavar="OUT", type=PATH)
@click.option(
    "--top",
    default=10,
    show_default=True,
    metavar="N",
    help="Number of languages, types, hosts and dead letters to list.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=PATH,
    help="Write the report to FILE as one page of HTML, which loads nothing else.",
)
@click.option("--prometheus", is_flag=True, help="Print counts and times in Prometheus' text format.")
@click.option(
    "--digest",
    is_flag=True,
    help="Print only a digest of the rows without timings; runs with equal rows have equal digests.",
)
def inspect(
    output: str,
    top: int,
    page: str | None,
    as_json: bool,  # noqa: FBT001 (click's flags)
    prometheus: bool,  # noqa: FBT001
    digest: bool,  # noqa: FBT001
) -> None:
    """Summarise a run: pages by status, language, type and host, time by stage, skipped records, dead letters.

    \b
    Examples:
      thresher inspect out
      thresher inspect out --html report.html
      thresher inspect out --json | jq .stages.parse.nodes_per_second
      test "$(thresher inspect a --digest)" = "$(thresher inspect b --digest)"
    """
    from thresher.after.report import rows_digest, to_text
    from thresher.running.outcome import inspect_run
    from thresher.writing.run_folder import RunFolder

    with refusals():
        RunFolder(output).read_run()
        if digest:
            click.echo(rows_digest(output))
        elif page is not None:
            _write_page(output, page)
        elif prometheus:
            from thresher.after.prometheus import to_prometheus

            click.echo(to_prometheus(inspect_run(output, contents=False)), nl=False)
        elif as_json:
            from thresher.after.survey import survey_run

            found = inspect_run(output).to_dict() | {"survey": survey_run(output).to_dict()}
            click.echo(safe_json(found, indent=1))
        else:
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
            click.echo(to_text(inspect_run(output), top=top, width=width))


def _write_page(output: str, page: str) -> None:
    from thresher.after.survey import survey_run
    from thresher.commands.report_page import to_page
    from thresher.running.outcome import inspect_run

    text = to_page(inspect_run(output), survey_run(output))
    with written(page) as file:
        file.write(text.encode("utf-8", "replace"))
