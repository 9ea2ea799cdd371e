# SPDX-License-Identifier: Apache-2.0
"""`thresher templates`: what the pages of a host have in common."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

import click

from thresher.commands.help import Command
from thresher.commands.options import PATH
from thresher.commands.refusals import Refusal, refusals, written
from thresher.terminal import display_width, one_line, safe_json

_HOST_WIDTH: Final = 40


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def templates() -> None:
    """What the pages of a host have in common: menus, headers, footers.

    \b
    Examples:
      thresher extract crawl/ -o out --templates fused
      thresher templates show out
      thresher templates stream crawl.warc.gz -o pages.jsonl
    """


def _host(name: str) -> str:
    shown = one_line(name, 2 * _HOST_WIDTH)
    return shown + " " * (_HOST_WIDTH - display_width(shown))


@templates.command(cls=Command)
@click.argument("output", metavar="OUT", type=PATH)
@click.argument("host", metavar="[HOST]", required=False)
@click.option("--top", default=30, show_default=True, metavar="N", help="Number of texts or hosts to list.")
@click.option("--json", "as_json", is_flag=True, help="Print all of them, one JSON object per line.")
def show(output: str, host: str | None, top: int, as_json: bool) -> None:  # noqa: FBT001 (click's flags)
    """Show the templates that a run found on a HOST: each text's beginning, and how many of the known pages have it.

    OUT is the output folder of a run with --templates fused, learn or apply. Without HOST, list all hosts: how many
    such texts each has, and which share of the characters on its pages they are.

    \b
    Examples:
      thresher templates show out
      thresher templates show out www.example.org

    \b
    Exit status: 0 done; 2 OUT is not the output of a run with templates, or has none of HOST.
    """
    from thresher.templates.shown import host_summaries, templates_of

    with refusals():
        rows = [asdict(each) for each in host_summaries(output)] if host is None else templates_of(output, host.lower())
    if host is not None and not rows:
        raise Refusal(
            f"no templates of {host} in {output}. A host needs two pages with a text in common, in a run with"
            " --templates"
        )
    if as_json:
        for row in rows:
            click.echo(safe_json(row))
        return
    if host is None:
        click.echo(f"{_host('host')} {'pages':>9} {'copies':>9} {'texts':>7} {'repeated':>9}")
    for row in rows[:top]:
        if host is None:
            share = f"{row['template_share']:9.0%}" if row["template_share"] is not None else f"{'':>9}"
            click.echo(f"{_host(row['host'])} {row['pages']:9,} {row['copies']:9,} {row['texts']:7,} {share}")
        else:
            text = one_line(row["example"] or row["signature"] or "(text not kept)")
            click.echo(f"{row['pages']:6,} of {row['known']:6,} pages  {text}")
    if len(rows) > top:
        click.echo(f"({len(rows) - top:,} others; --top lists more)")


@templates.command(cls=Command)
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=PATH)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    type=PATH,
    help="Output file (JSON Lines); - for standard output.",
)
@click.option(
    "--heuristic",
    "name",
    default="strict",
    show_default=True,
    metavar="NAME",
    help="strict, strict-support-N (100), strict-at-domain, relaxed-at-domain-N (500).",
)
@click.option(
    "--extractor", default="all", show_default=True, metavar="NAME", help="Extractor whose blocks are judged."
)
def stream(inputs: tuple[str, ...], output: str, name: str, extractor: str) -> None:
    """Extract pages in stream order, judging each by earlier pages of its domain (URL Tree, Sluban and Grcar 2013).

    IN is a WARC or ARC, a folder of them, a glob, a list of paths, or a URL. Writes one row per page: url, url_key,
    node (the node of the URL tree that judged it), support (pages seen by that node), duplicate (its URL key is in the
    tree already), template_share, text.

    \b
    Examples:
      thresher templates stream crawl.warc.gz -o pages.jsonl
      thresher templates stream feed/ -o - --heuristic relaxed-at-domain-500 | jq -r .text

    \b
    Exit status: 0 done; 2 invalid input or option.
    """
    from thresher.lab.url_stream import judge_stream
    from thresher.running.reporter import every

    is_due = every(2.0)
    with refusals():
        try:
            rows = judge_stream(inputs, name, extractor=extractor)
        except ValueError as error:
            raise Refusal(str(error)) from error
        with written(output) as file:
            for number, row in enumerate(rows, 1):
                file.write(safe_json(row).encode() + b"\n")
                if is_due():
                    click.echo(f"{number:,} pages read", err=True)
