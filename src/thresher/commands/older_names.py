# SPDX-License-Identifier: Apache-2.0
"""Options by the names that they had in the version before: they work, with a warning, and go with the next version."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

import click

__all__ = ["in_current_words"]

_FLAGS: Final = {
    "--no-comments": ("--comments", "drop"),
    "--no-tables": ("--tables", "drop"),
    "--html-tables": ("--tables", "html"),
}
"""Flags that are a choice now."""

_BARE: Final = {"--comments": ("auto", "keep", "drop"), "--tables": ("keep", "drop", "html")}
"""Options that were flags, which meant keep, and the choices that they have now."""

_CHOICES: Final = {("--captions", "as-scored"): "extractor", ("--hidden", "as-scored"): "auto"}
_OPTIONS: Final = {"--url": "--url-pattern"}
"""Options with another name, in commands that have the new one and not the old one."""

_SHAPE: Final = "--shape"  # of --to jsonl, which is a choice of --to now


def in_current_words(args: list[str], known: Collection[str]) -> list[str]:
    """Arguments of a command line with the names of this version. `known` are the options that the command has. Says
    on standard error what was renamed.
    """
    if "--" in args:
        end = args.index("--")
        return in_current_words(args[:end], known) + args[end:]
    found: list[str] = []
    shape = ""
    rest = iter(range(len(args)))
    for at in rest:
        flag, equals, value = args[at].partition("=")
        flag = flag.replace("_", "-") if flag.startswith("--") else flag
        following = args[at + 1] if at + 1 < len(args) else ""
        if flag in _FLAGS and not equals and _FLAGS[flag][0] in known:
            found += _said(flag, *_FLAGS[flag])
        elif flag in _BARE and flag in known and not equals and following.lower() not in _BARE[flag]:
            found += _said(flag, flag, "keep") if following.startswith("-") or not following else [flag]
        elif flag in _OPTIONS and flag not in known and _OPTIONS[flag] in known:
            _say(flag, _OPTIONS[flag])
            found.append(f"{_OPTIONS[flag]}{equals}{value}")
        elif flag == _SHAPE and flag not in known and "--to" in known:
            shape = value if equals else following
            _skip(rest, not equals)
        elif (flag, renamed := _plain(value if equals else following)) in _CHOICES and flag in known:
            found += _said(f"{flag} {renamed}", flag, _CHOICES[flag, renamed])
            _skip(rest, not equals)
        else:
            found.append(args[at])
    return _with_shape(found, shape) if shape else found


def _skip(rest: Iterator[int], is_next: bool) -> None:  # noqa: FBT001 (one fact)
    if is_next:
        next(rest, None)


def _plain(value: str) -> str:
    return value.lower().replace("_", "-")


def _with_shape(args: list[str], shape: str) -> list[str]:
    """The arguments with what was --to jsonl --shape as one choice of --to."""
    kept: list[str] = []
    for at, arg in enumerate(args):
        is_value = at > 0 and args[at - 1] == "--to"
        if not (arg in ("--to", "--to=jsonl") or (is_value and arg == "jsonl")) or (
            arg == "--to" and args[at + 1 : at + 2] != ["jsonl"]
        ):
            kept.append(arg)
    return [*kept, *_said(f"--shape {shape}", "--to", "jsonl" if shape == "rows" else shape)]


def _said(old: str, flag: str, choice: str) -> list[str]:
    _say(old, f"{flag} {choice}")
    return [flag, choice]


def _say(old: str, new: str) -> None:
    click.echo(f"{old} is called {new} now; the old name goes with the next version", err=True)
