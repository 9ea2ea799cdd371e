# SPDX-License-Identifier: Apache-2.0
"""`thresher head`: the first rows of a run, to be read."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import click

from thresher.commands.help import command
from thresher.commands.options import PATH, split_names
from thresher.commands.refusals import Refusal, refusals
from thresher.terminal import for_terminal, one_line, safe_json

_WIDTH: Final = 100  # columns, where standard output is no terminal
_LINES: Final = 4  # of a text
_SHOWN_FIRST: Final = ("status", "language", "type", "date", "author", "confidence")
_NOT_SHOWN: Final = "html"


@command(arrow="rows")
@click.argument("output", metavar="OUT", type=PATH)
@click.option("-n", "count", default=5, show_default=True, metavar="N", type=click.IntRange(1), help="Number of rows.")
@click.option(
    "--table",
    default="pages",
    show_default=True,
    metavar="NAME",
    help="Table to show: pages, blocks, images, tables, code, posts, hosts, dead_letter, skipped, files, templates or "
    "metrics.",
)
@click.option("--columns", default="", metavar="NAME,…", help="Show these columns alone, in full.")
@click.option("--json", "as_json", is_flag=True, help="Print whole rows, one JSON object per line.")
def head(output: str, count: int, table: str, columns: str, *, as_json: bool) -> None:
    """Show the first rows of the run in OUT, whatever format its pages have.

    For each page it prints the URL, title, a few facts and the beginning of the text. It writes nothing.

    \b
    Examples:
      thresher head out
      thresher head out -n 20 --columns url,title,date
      thresher head out --table dead_letter
      thresher head out -n 1 --json | jq .text
    """
    from thresher.after.first_rows import first_rows
    from thresher.schemas import TABLES

    if table not in TABLES:
        raise Refusal(f"--table {table}: there is no such table; one of {', '.join(TABLES)}")
    chosen = split_names(columns)
    with refusals():
        rows = list(islice(first_rows(output, table), min(count, sys.maxsize)))
    unknown = [name for name in chosen if rows and name not in rows[0]]
    if unknown:
        raise Refusal(f"--columns {unknown[0]}: the rows have no such column; they have {', '.join(rows[0])}")
    if not rows:
        click.echo(f"{output} holds no rows in {table}", err=True)
    width = min(shutil.get_terminal_size().columns, 160) if sys.stdout.isatty() else _WIDTH
    for row in rows:
        if as_json:
            click.echo(safe_json(_chosen(row, chosen)))
        elif chosen or table != "pages":
            click.echo("\n".join(_every(_chosen(row, chosen), width)) + "\n")
        else:
            click.echo("\n".join(_page(row, width)) + "\n")


def _chosen(row: Mapping[str, Any], names: list[str]) -> Mapping[str, Any]:
    return {name: row[name] for name in names} if names else row


def _every(row: Mapping[str, Any], width: int) -> Iterator[str]:
    """A line for each value that is not null."""
    for name, value in row.items():
        if value is not None:
            indent = " " * (len(name) + 2)
            shown = for_terminal(str(value)).splitlines() or [""]
            wrapped = [part for line in shown for part in textwrap.wrap(line, max(20, width - len(indent))) or [""]]
            yield f"{name}: " + f"\n{indent}".join(wrapped)


def _page(row: Mapping[str, Any], width: int) -> Iterator[str]:
    """A page: URL, title, facts, and the beginning of the text."""
    yield one_line(str(row.get("url") or "(no URL)"), width)
    if title := row.get("title"):
        yield f"  {one_line(str(title), width - 2)}"
    facts = [_fact(name, row[name]) for name in _SHOWN_FIRST if row.get(name) is not None]
    if facts:
        yield f"  {one_line(' · '.join(facts), width - 2)}"
    text = row.get("text") or ""
    lines = textwrap.wrap(for_terminal(" ".join(str(text).split())), width - 4, max_lines=_LINES, placeholder=" …")
    yield from (f"    {line}" for line in lines)
    others = [name for name in row if name not in {"url", "title", "text", *_SHOWN_FIRST} and row[name] is not None]
    if not text and _NOT_SHOWN not in others:
        yield "    (no text)" if "text" in row else "    (the column text was not written)"


def _fact(name: str, value: object) -> str:
    return f"{name} {value:.2f}" if isinstance(value, float) else str(value) if name != "author" else f"by {value}"
