# SPDX-License-Identifier: Apache-2.0
"""`thresher spread`: answers for a few pages of each host decide its other pages."""

from __future__ import annotations

import os

import click

from thresher.commands.help import command
from thresher.commands.options import PATH
from thresher.commands.refusals import Refusal, refusals, written


@command(arrow="compute")
@click.argument("output", metavar="OUT")
@click.option(
    "--answers", required=True, metavar="FILE", type=PATH, help="Answers as thresher merge takes them: id and text."
)
@click.option(
    "-o",
    "--output",
    "target",
    required=True,
    metavar="FILE",
    type=PATH,
    help="File to write: the answers for the other pages (JSON Lines); - is standard output.",
)
def spread(output: str, answers: str, target: str) -> None:
    """Decide the other pages of a host by answers for a few of them.

    Pages of a host are made from the same templates, so what an answer keeps at a place of one page is kept at that
    place of the others, too. For every page of the run in OUT whose host has an answer, and that has none itself, FILE
    gets an answer, which thresher merge takes. OUT must be in Parquet, with texts of the default extractor. Pages come
    from the column html, if the run has it, or are read from the archives again.

    \b
    Examples:
      thresher ask out --url http://localhost:8000/v1 --model qwen3-8b --per-host 3 -o answers.jsonl --merge
      thresher spread out --answers answers.jsonl -o spread.jsonl
      thresher merge out --answers spread.jsonl --source spread
    """
    from thresher.after.spreading import Spread
    from thresher.after.spreading import spread as spread_answers
    from thresher.running.reporter import every

    if os.path.realpath(target) == os.path.realpath(answers):
        raise Refusal(f"-o {target}: this is the file of --answers, which would be lost")
    is_due = every(5.0)

    def tell(done: Spread) -> None:
        if is_due():
            click.echo(f"{done.pages:,} pages", err=True)

    with refusals(), written(target) as file:
        done = spread_answers(output, answers, file, tell)
    lines = [f"{done.pages:,} pages of {len(done.hosts):,} hosts in {target}, by {done.answers:,} answers"]
    if done.unlike:
        lines.append(f"{done.unlike:,} pages of these hosts have no place in common with the answered ones")
    if done.unknown:
        lines.append(f"{done.unknown:,} answers are about no page of this run")
    if done.inputs_left:
        lines.append(f"{done.inputs_left:,} inputs of the run are not finished, and their pages have no answers yet")
    click.echo("; ".join(lines), err=True)
