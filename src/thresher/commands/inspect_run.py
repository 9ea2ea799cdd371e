# SPDX-License-Identifier: Apache-2.0
"""`thresher inspect`: a summary of a run."""

from __future__ import annotations

import shutil
import sys

import click

from thresher.commands.options import PATH, SETTINGS
from thresher.commands.refusals import refusals
from thresher.terminal import safe_json


@click.command(context_settings=SETTINGS)
@click.argument("output", metavar="OUT", type=PATH)
@click.option("--top", default=10, show_default=True, metavar="N", help="Number of languages and hosts to list.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option(
    "--digest",
    is_flag=True,
    help="Print only a digest of the rows without timings; runs with equal rows have equal digests.",
)
def inspect(output: str, top: int, as_json: bool, digest: bool) -> None:  # noqa: FBT001 (click's flags)
    """Summarise a run: pages by status, language and host, time by stage, skipped records, dead letters.

    \b
    Examples:
      thresher inspect out
      thresher inspect out --json | jq .stages.parse.nodes_per_second
      test "$(thresher inspect a --digest)" = "$(thresher inspect b --digest)"
    """
    from thresher.running.report import inspect_run, rows_digest, to_text
    from thresher.writing.run_folder import RunFolder

    with refusals():
        RunFolder(output).read_run()
        if digest:
            click.echo(rows_digest(output))
        elif as_json:
            click.echo(safe_json(inspect_run(output).to_dict(), indent=1))
        else:
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
            click.echo(to_text(inspect_run(output), top=top, width=width))
