# SPDX-License-Identifier: Apache-2.0
"""`thresher templates`: what the pages of a host have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from thresher.commands.options import PATH
from thresher.commands.refusals import Refusal, refusals
from thresher.terminal import display_width, for_terminal, one_line, safe_json

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_HOST_WIDTH: Final = 40


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def templates() -> None:
    """What the pages of a host have in common: menus, headers, footers."""


@templates.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=PATH)
@click.option("--url", metavar="URL", help="Show this page, block by block. Default: list all hosts.")
@click.option(
    "--host", metavar="HOST", help="Show where in the pages of this host template text is, and where content is."
)
@click.option(
    "--method",
    type=click.Choice(("temex", "hybex", "conex")),
    default="temex",
    show_default=True,
    help="With --url: mark template (temex, or hybex, which spares what looks like main content) or main content"
    " (conex).",
)
@click.option(
    "--pages",
    type=click.IntRange(2, 1000),
    default=10,
    show_default=True,
    metavar="N",
    help="Number of pages per host to compare with each other.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def nodes(inputs: tuple[str, ...], url: str | None, host: str | None, method: str, pages: int, as_json: bool) -> None:  # noqa: FBT001 (click's flags)
    """Find templates by structure: what pages of a host have at the same place in their trees.

    IN is a WARC or ARC, a folder of them, a glob, a list of paths, or a URL. A sample of N pages per host is compared.
    No pages are fetched.

    \b
    Examples:
      thresher templates nodes site.warc.gz
      thresher templates nodes site.warc.gz --host example.org
      thresher templates nodes site.warc.gz --url https://example.org/about
      thresher templates nodes site.warc.gz --url https://example.org/about --method conex

    \b
    Exit status: 0 done; 2 invalid input or option, or no such page.
    """
    from thresher.templates.nodes import NoSuchPage

    if url is not None and host is not None:
        raise Refusal("choose either --url or --host")
    try:
        with refusals():
            if url is not None:
                _show_page(inputs, url, method, pages, as_json=as_json)
            elif host is not None:
                _show_places(inputs, host.lower(), pages, as_json=as_json)
            else:
                _show_hosts(inputs, pages, as_json=as_json)
    except NoSuchPage as error:
        raise Refusal(str(error)) from error


def _show_hosts(inputs: tuple[str, ...], pages: int, *, as_json: bool) -> None:
    from thresher.templates.nodes import host_structures

    n_hosts = 0
    for found in host_structures(inputs, per_host=pages, watch=_counter()):
        if as_json:
            _print_json(found)
            continue
        if n_hosts == 0:
            click.echo(f"{_host('host')} {'pages':>9} {'compared':>9} {'places':>7} {'template':>9}")
        n_hosts += 1
        numbers = f"{found.pages:9,} {found.sampled:9,} {found.places:7,} {found.template_share:9.0%}"
        click.echo(f"{_host(found.host)} {numbers}")
    if n_hosts == 0 and not as_json:
        click.echo("No host has two different pages, so there is nothing to compare.", err=True)


def _show_places(inputs: tuple[str, ...], host: str, pages: int, *, as_json: bool) -> None:
    from thresher.templates.nodes import host_places

    for place in host_places(inputs, host, per_host=pages, watch=_counter()):
        if as_json:
            _print_json(place)
        else:
            click.echo(f"{place.template_share:5.0%} {place.pages:4,} pages  {one_line(place.path) or '(body)'}")
            click.echo(f"                  {one_line(place.example)}")


def _show_page(inputs: tuple[str, ...], url: str, method: str, pages: int, *, as_json: bool) -> None:
    from thresher.templates.nodes import marked_blocks

    blocks, compared = marked_blocks(inputs, url, method=method, per_host=pages, watch=_counter())
    if not as_json:
        click.echo("Compared with: " + ", ".join(map(one_line, compared)), err=True)
    letter = "M" if method == "conex" else "T"
    for block in blocks:
        if as_json:
            _print_json(block)
        else:
            click.echo(f"{letter if block.marked >= 0.5 else ' '} {for_terminal(block.text)}")


def _print_json(row: DataclassInstance) -> None:
    click.echo(safe_json(asdict(row)))


def _host(name: str) -> str:
    shown = one_line(name, 2 * _HOST_WIDTH)
    return shown + " " * (_HOST_WIDTH - display_width(shown))


def _counter() -> Callable[[int], None]:
    """A function that prints the number of pages read, at most every two seconds."""
    from thresher.running.reporter import every

    is_due = every(2.0)

    def watch(n: int) -> None:
        if is_due():
            click.echo(f"{n:,} pages read", err=True)

    return watch


@templates.command()
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
    Exit status: 0 done; 2 OUT is not the output of a run, or has no templates of HOST.
    """
    from thresher.templates.shown import host_summaries, templates_of

    with refusals():
        if host is None:
            summaries = host_summaries(output)
            if as_json:
                for summary in summaries:
                    _print_json(summary)
                return
            click.echo(f"{_host('host')} {'pages':>9} {'copies':>9} {'texts':>7} {'repeated':>9}")
            for summary in summaries[:top]:
                share = f"{summary.template_share:9.0%}" if summary.template_share is not None else f"{'':>9}"
                click.echo(f"{_host(summary.host)} {summary.pages:9,} {summary.copies:9,} {summary.texts:7,} {share}")
            if len(summaries) > top:
                click.echo(f"({len(summaries) - top:,} others; --top lists more)")
            return
        found = templates_of(output, host.lower())
        if not found:
            raise Refusal(
                f"no templates of {host} in {output}. A host needs two pages with a text in common, in a run with"
                " --templates"
            )
        for row in found if as_json else found[:top]:
            if as_json:
                click.echo(safe_json(row))
            else:
                text = one_line(row["example"] or row["signature"] or "(text not kept)")
                click.echo(f"{row['pages']:6,} of {row['known']:6,} pages  {text}")
        if len(found) > top and not as_json:
            click.echo(f"({len(found) - top:,} others; --top lists more)")


@templates.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=PATH)
@click.option("-o", "--output", required=True, metavar="OUT", help="Output file (JSON Lines); - for standard output.")
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
    from thresher.templates.stream import judge_stream

    watch = _counter()
    with refusals():
        try:
            rows = judge_stream(inputs, name, extractor=extractor)
        except ValueError as error:
            raise Refusal(str(error)) from error
        with click.open_file(output, "w", encoding="utf-8") as file:
            for number, row in enumerate(rows, 1):
                file.write(safe_json(row) + "\n")
                watch(number)
