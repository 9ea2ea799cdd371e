# SPDX-License-Identifier: Apache-2.0
"""`thresher merge`: the shards of a run become one run, or answers of a larger model its texts."""

from __future__ import annotations

import click

from thresher.commands.help import command
from thresher.commands.options import PATH
from thresher.commands.refusals import refusals
from thresher.terminal import number_of


@command(arrow="compute")
@click.argument("output", metavar="OUT")
@click.option(
    "--answers",
    metavar="FILE",
    type=PATH,
    help="JSON Lines with id and text: replace the texts of these pages of the finished run in OUT.",
)
@click.option(
    "--source", default="model", show_default=True, metavar="NAME", help="With --answers: what text_source becomes."
)
def merge(output: str, answers: str | None, source: str) -> None:
    """Join the shards in OUT that `thresher extract --shard i/n -o OUT` wrote, or take answers into its rows.

    Checks first that all shards are there, finished and of one run, and moves nothing otherwise. Afterwards OUT is the
    folder of one run over all inputs. If the command is stopped, give it again.

    With --answers, OUT is a run in Parquet, and FILE has what a larger model said of pages that `thresher select`
    wrote. text_source then names the model, route is answered, and confidence null. The same answers may be merged
    again.

    \b
    Examples:
      thresher merge out
      thresher merge out --answers answers.jsonl --source my-model
    """
    if answers is None:
        from thresher.running.shards import merge as join

        with refusals():
            done = join(output)
        counts = (number_of(done.shards, "shard"), number_of(done.inputs, "input"), number_of(done.pages, "page"))
        click.echo(f"{', '.join(counts)} are in {output}", err=True)
        return
    from thresher.after.answers import merge_answers

    with refusals():
        found = merge_answers(output, answers, source)
    of_others = f"; {found.unknown:,} are about no page of this run" if found.unknown else ""
    click.echo(f"{found.merged:,} answers are in {output}{of_others}", err=True)
