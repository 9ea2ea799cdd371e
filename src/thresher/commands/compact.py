# SPDX-License-Identifier: Apache-2.0
"""`thresher compact`: rewrite the files of a finished run for look-ups."""

from __future__ import annotations

import click

from thresher.commands.help import command
from thresher.commands.options import PATH, Number, names_option
from thresher.commands.refusals import refusals


@command(arrow="compute")
@click.argument("output", metavar="OUT", type=PATH)
@click.option(
    "--target",
    default=128.0,
    show_default=True,
    metavar="MB",
    type=Number(min=0, min_open=True),
    help="Size of a file. Memory is about ten times that.",
)
@click.option(
    "--sort/--no-sort", default=True, help="Sort pages and blocks by host and URL (default), or only join files."
)
@names_option("--partition-by", "partition_by", help="Put pages into Hive-style folders by language, crawl or both.")
def compact(output: str, target: float, sort: bool, partition_by: tuple[str, ...]) -> None:  # noqa: FBT001 (click's)
    """Rewrite the tables of the finished run in OUT as a few files near a target size.

    Pages and blocks are sorted by host and URL. Files have a page index, and bloom filters of hosts, URLs and digests,
    so that a look-up reads little. If the command is stopped or killed, run it again; the old files stay until it is
    done. Afterwards nothing can be added to the run, and its dead letters cannot be retried.

    \b
    Examples:
      thresher compact out
      thresher compact out --target 512 --partition-by language,crawl
    """
    from thresher.after.compacting import Arrangement
    from thresher.after.compacting import compact as rewrite

    with refusals():
        done = rewrite(
            output, Arrangement(max(1, int(target * 1e6)), sort, partition_by), lambda text: click.echo(text, err=True)
        )
    before, after = done.bytes_before / 1e6, done.bytes / 1e6
    click.echo(f"{done.files_before:,} files of {before:,.1f} MB became {done.files:,} of {after:,.1f} MB", err=True)
