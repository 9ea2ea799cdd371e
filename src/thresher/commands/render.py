# SPDX-License-Identifier: Apache-2.0
"""`thresher render`: extract the pages that a run kept again, with other options."""

from __future__ import annotations

import click

from thresher.commands.help import command
from thresher.commands.options import (
    PATH,
    begin_logs,
    carry_out,
    knob_option,
    output_option,
    overrides_of,
    rendering_options,
)
from thresher.commands.refusals import refusals


@command(arrow="compute")
@click.argument("source", metavar="OUT", type=PATH)
@output_option("Output folder or URL of the new run.")
@knob_option("run.workers")
@rendering_options
def render(source: str, output: str, **options: object) -> None:
    """Extract the pages of the run in OUT again, without their archives.

    OUT must have been written with --blocks or with --columns +html, so that its pages hold the parsed HTML. Extraction
    options that are not given default to those of OUT. The rows are those that thresher extract would write for the
    archives with the same options.

    \b
    Examples:
      thresher render out -o markdown --format markdown --links
      thresher render out -o precise --mode precision
      thresher render out -o others --extractors thresher,cetd,bte
      thresher render out -o dolma --to dolma

    If the command is stopped or killed, run it again to resume. Exit status as for thresher extract.
    """
    from thresher.after.rendering import start_rendering

    with refusals():
        run = start_rendering(source, output, overrides_of(options))
        begin_logs(run.configuration)
    carry_out(run)
