# SPDX-License-Identifier: Apache-2.0
"""`thresher select`: the pages of a run that a larger model is to be asked about."""

from __future__ import annotations

import click

from thresher.commands.help import command
from thresher.commands.options import PATH
from thresher.commands.refusals import refusals, written

ROUTES = ("trust", "ask", "drop", "answered")


@command(arrow="rows")
@click.argument("source", metavar="OUT", type=PATH)
@click.option(
    "--route",
    "routes",
    multiple=True,
    type=click.Choice(ROUTES),
    default=("ask",),
    show_default=True,
    help="Route of the pages to write; repeatable.",
)
@click.option(
    "--to",
    "shape",
    type=click.Choice(("jsonl", "warc")),
    default="jsonl",
    show_default=True,
    help="JSON Lines, or the WARC records that the pages were read from, each a gzip member.",
)
@click.option("-o", "--output", default="-", metavar="FILE", type=PATH, help="File to write; - is standard output.")
def select(source: str, routes: tuple[str, ...], shape: str, output: str) -> None:
    """Write the pages of some routes of the run in OUT, for a larger model.

    OUT must be in Parquet, with the column route (--columns +route). A line of JSON has `id`, url, title, language,
    type, confidence, route and text, and the page itself where the run kept it (--columns +html). thresher merge
    --answers takes lines with `id` and `text` back.

    \b
    Examples:
      thresher select out --route ask -o ask.jsonl
      thresher select out --route ask --to warc -o ask.warc.gz
    """
    from thresher.after.answers import select as write_selected

    with refusals(), written(output) as file:
        n = write_selected(source, routes, file, warc=shape == "warc")
    click.echo(f"{n:,} pages", err=True)
