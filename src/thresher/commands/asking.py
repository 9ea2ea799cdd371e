# SPDX-License-Identifier: Apache-2.0
"""`thresher ask`: a larger model is asked which blocks of some pages are their main text."""

from __future__ import annotations

import os
import time
from functools import partial

import click

from thresher.commands.help import command
from thresher.commands.options import PATH, Number
from thresher.commands.refusals import Refusal, refusals


@command(arrow="compute")
@click.argument("output", metavar="OUT")
@click.option("--url", required=True, metavar="URL", help="Address of a server with OpenAI's interface, up to /v1.")
@click.option("--model", required=True, metavar="NAME", help="The model's name; text_source of the merged rows.")
@click.option(
    "-o",
    "--answers",
    required=True,
    metavar="FILE",
    type=PATH,
    help="File that answers are added to (JSON Lines). Pages that have one there are not asked about again.",
)
@click.option(
    "--estimate", "only_estimate", is_flag=True, help="Print how many pages and tokens there are, and ask nothing."
)
@click.option(
    "--price",
    default=0.0,
    metavar="N",
    type=Number(min=0),
    help="Price of a million tokens of questions, for the estimate.",
)
@click.option("--merge", "merges", is_flag=True, help="Merge the answers into OUT in the end, as thresher merge does.")
@click.option("--key-variable", metavar="NAME", help="The environment variable that holds the key for the server.")
@click.option(
    "--per-host",
    default=0,
    metavar="N",
    type=click.IntRange(min=0),
    help="Ask about at most N pages of a host; thresher spread decides its others by them. 0: about all.",
)
@click.option(
    "--parallel",
    default=4,
    show_default=True,
    metavar="N",
    type=click.IntRange(1, 256),
    help="Requests at the same time.",
)
@click.option(
    "--limit-hours",
    default=0.0,
    metavar="H",
    type=Number(min=0),
    help="Ask nothing more after H hours; the same command resumes.",
)
def ask(
    output: str,
    url: str,
    model: str,
    answers: str,
    *,
    only_estimate: bool,
    price: float,
    merges: bool,
    key_variable: str | None,
    per_host: int,
    parallel: int,
    limit_hours: float,
) -> None:
    """Ask a larger model about the pages of the run in OUT whose route is `ask`.

    The model sees the blocks of a page with their numbers and answers with numbers alone, so the text is always the
    page's own. OUT must be in Parquet, with the column route (--columns +route). Pages come from the column html, if
    the run has it, or are read from the archives again.

    The command says first what it will cost. It can be stopped and given again. An answer that names anything but
    blocks of the page is counted and the page keeps its text.

    \b
    Examples:
      thresher ask out --url http://localhost:8000/v1 --model qwen3-8b -o answers.jsonl --estimate
      thresher ask out --url http://localhost:8000/v1 --model qwen3-8b -o answers.jsonl --merge
    """
    from thresher.after.answers import merge_answers
    from thresher.after.asking import Asked, Model, estimate
    from thresher.after.asking import ask as ask_all
    from thresher.errors import RunError
    from thresher.running.reporter import every
    from thresher.running.run import EXIT_INCOMPLETE

    if key_variable is not None and key_variable not in os.environ:
        raise Refusal(f"--key-variable: there is no environment variable {key_variable}")
    key = os.environ[key_variable] if key_variable else ""
    asked_of = Model(url, model, key, per_host=per_host, parallel=parallel)
    with refusals():
        cost = estimate(output, answers, asked_of)
    money = f", {cost.all_tokens * price / 1e6:,.2f} at this price" if price else ""
    click.echo(
        f"{cost.pages:,} pages to ask about, {cost.answered:,} have answers; about {cost.all_tokens:,} tokens of "
        f"questions{money} (from {cost.sampled:,} pages)",
        err=True,
    )
    if only_estimate:
        return
    begun, is_due = time.time(), every(10.0)

    def tell(done: Asked) -> None:
        if is_due():
            rate = done.answered / max(time.time() - begun, 1)
            click.echo(f"{done.answered:,} answers, {rate:,.1f} a second, {done.failed.total():,} without", err=True)

    try:
        with refusals():
            deadline = begun + 3600 * limit_hours if limit_hours else None
            warn = partial(click.echo, err=True)
            done = ask_all(output, answers, asked_of, deadline=deadline, tell=tell, warn=warn)
    except RunError as error:
        click.echo(str(error), err=True)
        raise click.exceptions.Exit(EXIT_INCOMPLETE) from error
    without = ", ".join(f"{n:,} {reason}" for reason, n in sorted(done.failed.items()))
    click.echo(
        f"{done.answered:,} answers in {answers}, {done.earlier:,} earlier ones; {done.tokens_in:,} tokens of "
        f"questions and {done.tokens_out:,} of answers" + (f"; without an answer: {without}" if without else ""),
        err=True,
    )
    for example in done.examples:
        click.echo(f"  {example}", err=True)
    if done.left:
        click.echo("The time of --limit-hours is over. Give the same command again to go on.", err=True)
        raise click.exceptions.Exit(EXIT_INCOMPLETE)
    if merges and done.answered + done.earlier:
        with refusals():
            merged = merge_answers(output, answers, model)
        click.echo(f"{merged.merged:,} answers are in {output}", err=True)
