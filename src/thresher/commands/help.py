# SPDX-License-Identifier: Apache-2.0
"""Help in groups: --help shows the options one needs first, each with an example, --help-all every one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar

import click
from click.core import ParameterSource

from thresher.arrow import import_pyarrow

_Function = TypeVar("_Function", bound=Callable[..., Any])

# `_` and `-` are the same in options, so that cc-pyspark's spellings work: --input_base_url, --output_compression.
SETTINGS: Final = {
    "help_option_names": ["-h", "--help"],
    "token_normalize_func": lambda token: token.replace("_", "-"),
    "max_content_width": 110,
}
_EVERYTHING: Final = "thresher.help_all"  # key of a context's meta
GROUPS: Final = (
    "Options",
    "What to read",
    "Which pages to keep",
    "What the text holds",
    "What a host repeats",
    "What is written",
    "How it runs",
    "Settings",
)


class Option(click.Option):
    """An option of a group. If it has an example, it is shown with it by --help, otherwise by --help-all alone."""

    def __init__(self, *args: Any, group: str = "", example: str = "", **attributes: Any) -> None:  # noqa: ANN401 (click's)
        super().__init__(*args, **attributes)
        self.group, self.example = group, example


class Command(click.Command):
    """A command whose help shows its options in groups."""

    def __init__(self, *args: Any, arrow: Literal["", "rows", "compute"] = "", **attributes: Any) -> None:  # noqa: ANN401 (click's)
        """`arrow`: it reads or writes rows, or computes with them too. pyarrow is imported before anything else can."""
        super().__init__(*args, **attributes)
        self._arrow = arrow
        if self._is_grouped:
            self.params.append(_help_all())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuses an empty value, as of a variable that is not set: without a word it would mean no filter, the first
        folder or the like.
        """
        rest = super().parse_args(ctx, args)
        for each in () if ctx.resilient_parsing else self.params:  # a shell asks how to go on
            name = each.name or ""
            value = ctx.params.get(name)
            is_empty = value in (None, "", (), []) or (isinstance(value, tuple) and "" in value)
            if is_empty and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise click.BadParameter("empty; give a value, or leave it out", ctx, each)
        return rest

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 (click's)
        """Runs the command."""
        if self._arrow:
            import_pyarrow(compute=self._arrow == "compute")
        return super().invoke(ctx)

    @property
    def _is_grouped(self) -> bool:
        return any(getattr(parameter, "group", "") for parameter in self.params)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        if not self._is_grouped:
            super().format_options(ctx, formatter)
            return
        everything, left_out = ctx.meta.get(_EVERYTHING, False), 0
        rows: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            group, example = getattr(parameter, "group", ""), getattr(parameter, "example", "")
            if record is None or "--help" in parameter.opts or "--help-all" in parameter.opts:
                continue
            if group and not example and not everything:
                left_out += 1
                continue
            shown = f"{record[1]}  Example: {example}" if example and not everything else record[1]
            rows.setdefault(group or "Options", []).append((record[0], shown))
        for group in sorted(rows, key=GROUPS.index):
            with formatter.section(group):
                formatter.write_dl(rows[group])
        with formatter.section("Help"):
            more = f"Show {left_out} further options too." if left_out else "Show every option."
            formatter.write_dl([("-h, --help", "Show the options one needs first."), ("--help-all", more)])


def command(**attributes: Any) -> Callable[[_Function], Command]:  # noqa: ANN401 (of Command)
    """Makes a function a command of thresher."""
    return click.command(cls=Command, context_settings=SETTINGS, **attributes)


def _help_all() -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 (click's)
        if value and not ctx.resilient_parsing:
            ctx.meta[_EVERYTHING] = True
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()

    return click.Option(
        ["--help-all"], is_flag=True, expose_value=False, is_eager=True, callback=show, help="Show every option."
    )
