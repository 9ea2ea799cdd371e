# SPDX-License-Identifier: Apache-2.0
"""`thresher estimate`: what a run would cost, from a sample of its inputs."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

import click

from thresher.commands.help import command
from thresher.commands.options import PATH, Number, begin_logs, knob_option, measured_options, resolve
from thresher.commands.refusals import Refusal, refusals
from thresher.terminal import one_line, safe_json

if TYPE_CHECKING:
    from thresher.running.estimate import Estimate, Quantity

_MAX_FAILURES: Final = 5  # shown
_GB: Final = 1e9


@command(arrow="compute")
@click.argument("inputs", metavar="IN...", nargs=-1, required=True, type=PATH)
@click.option(
    "--seconds", type=Number(min=1), default=30.0, show_default=True, metavar="N", help="How long to measure."
)
@click.option("--price-per-hour", type=Number(min=0), metavar="X", help="Price of one worker for an hour.")
@click.option("--price-per-request", type=Number(min=0), metavar="X", help="Price of a request for remote inputs.")
@click.option("--price-per-gb", type=Number(min=0), metavar="X", help="Price of a gigabyte read.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@knob_option("run.workers")
@measured_options
def estimate(
    inputs: tuple[str, ...],
    seconds: float,
    price_per_hour: float | None,
    price_per_request: float | None,
    price_per_gb: float | None,
    *,
    as_json: bool,
    **options: Any,  # noqa: ANN401 (those of the configuration)
) -> None:
    """Estimate what `thresher extract` with these inputs and options would cost.

    Extracts parts of the inputs, drawn at random, and throws the rows away. Prints pages, hours, bytes and memory for
    all inputs, each with its 95 % interval, and the money at prices given. The hours are those of workers as fast as
    this machine.

    \b
    Examples:
      thresher estimate crawl.warc.gz
      thresher estimate warc.paths.gz --input-base-url s3://commoncrawl/ --workers 400 --price-per-hour 0.04
      thresher estimate crawl/ --format markdown --seconds 120 --json
    """
    from thresher.config import load_configuration
    from thresher.errors import RunError
    from thresher.reading.listing import list_files
    from thresher.reading.names import STDIN
    from thresher.rows.selection import Selection
    from thresher.running.estimate import estimate as measure
    from thresher.running.partition_queue import Snapshot
    from thresher.running.reporter import TerminalReporter

    with refusals():
        configuration = resolve(options)
        begin_logs(configuration)
        Selection(configuration)
        mode = configuration.templates.mode
        configuration = replace(configuration, templates=load_configuration(None).templates)
        if STDIN in inputs:
            raise Refusal("standard input (-) cannot be sampled; name a file")
        sources = list_files(inputs, base_url=options["input_base_url"], options=configuration.read).inputs
        with TerminalReporter().watching("measuring") as watch:
            try:
                found = measure(
                    sources, configuration, seconds=seconds, watch=lambda share: watch(Snapshot(0, share)), fork=True
                )
            except RunError as error:
                raise Refusal(str(error)) from error
    prices = {"per_hour": price_per_hour or 0.0, "per_request": price_per_request or 0.0, "per_gb": price_per_gb or 0.0}
    money = found.money(**prices) if any(prices.values()) else None
    if as_json:
        shown = {"seconds": asdict(found.seconds), "money": asdict(money) if money else None, "prices": prices}
        click.echo(safe_json(asdict(found) | shown, indent=1))
    else:
        click.echo(to_text(found, money))
    if mode != "off":
        click.echo(f"The second pass of templates.mode = {mode} is not in these figures.", err=True)
    for failure in found.failures[:_MAX_FAILURES]:
        click.echo(f"Not measured: {one_line(failure)}", err=True)
    if len(found.failures) > _MAX_FAILURES:
        click.echo(f"Not measured: {len(found.failures) - _MAX_FAILURES:,} more", err=True)


def to_text(found: Estimate, money: Quantity | None) -> str:
    share = found.sampled_bytes / max(found.bytes_in.value, 1)
    workers = f"{found.workers:,} worker{'s' * (found.workers != 1)}"
    rows = [
        ("", "estimate", "95 % interval"),
        ("bytes read", *_interval(found.bytes_in, _bytes)),
        ("pages", *_interval(found.pages, lambda n: f"{n:,.0f}")),
        (f"elapsed time, {workers}", *_interval(found.seconds, _duration)),
        ("worker time", *_interval(found.worker_seconds, _duration)),
        ("CPU time", *_interval(found.cpu_seconds, _duration)),
        ("bytes written", *_interval(found.bytes_out, _bytes)),
        ("memory of a worker", _bytes(found.peak_memory), "at least"),
        (f"memory of {workers}", _bytes(found.peak_memory * found.workers), "at least"),
    ]
    if found.requests:
        rows.append(("requests", f"{found.requests:,}", ""))
    if money:
        rows.append(("money", *_interval(money, lambda x: f"{x:,.2f}")))
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}".rstrip() for row in rows]
    head = (
        f"{found.inputs:,} input{'s' * (found.inputs != 1)}. Measured: {found.stretches:,} "
        f"stretch{'es' * (found.stretches != 1)} of {_bytes(found.sampled_bytes)} in all ({share:.1%} of the bytes), "
        f"in {found.sample_seconds:.0f} s."
    )
    return "\n".join([head, "", *lines])


def _interval(quantity: Quantity, shown: Any) -> tuple[str, str]:  # noqa: ANN401 (a function of a number)
    if quantity.low is None or quantity.high is None:
        return shown(quantity.value), "not known"
    exact = quantity.low == quantity.high
    return shown(quantity.value), "exact" if exact else f"{shown(quantity.low)} to {shown(quantity.high)}"


def _bytes(n: float) -> str:
    for size, name in ((1e12, "TB"), (_GB, "GB"), (1e6, "MB"), (1e3, "kB")):
        if n >= size:
            return f"{n / size:,.3g} {name}" if n < 1000 * size else f"{n / size:,.0f} {name}"
    return f"{n:,.0f} bytes"


def _duration(seconds: float) -> str:
    for size, name in ((3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.3g} {name}" if seconds < 1000 * size else f"{seconds / size:,.0f} {name}"
    return f"{seconds:.3g} s"
