# SPDX-License-Identifier: Apache-2.0
"""`thresher merge`: the shards of a run become one run."""

from __future__ import annotations

import click

from thresher.commands.help import command
from thresher.commands.refusals import refusals


@command()
@click.argument("output", metavar="OUT")
def merge(output: str) -> None:
    """Join the shards in OUT that `thresher extract --shard i/n -o OUT` wrote.

    Checks first that all shards are there, finished and of one run, and moves nothing otherwise. Afterwards OUT is the
    folder of one run over all inputs. If the command is stopped, give it again.
    """
    from thresher.after.shards import merge as join

    with refusals():
        done = join(output)
    click.echo(f"{done.shards:,} shards, {done.inputs:,} inputs, {done.pages:,} pages are in {output}", err=True)
