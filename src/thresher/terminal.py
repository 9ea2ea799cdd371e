# SPDX-License-Identifier: Apache-2.0
"""Text made safe for a terminal: whatever a page, a URL or a file name holds, it can only be read, not obeyed.

Pages and archives come from strangers. Printed as it is, their text can clear the screen, set the clipboard (OSC 52) or
show one host name as another (bidirectional overrides, characters without width). Here such characters become visible
escapes: "\\x1b", "\\u202e".
"""

from __future__ import annotations

import logging
import re
import sys
import unicodedata
from json import dumps
from typing import Final

# Control characters but for line end and tab, DEL, C1; line and paragraph separators; bidirectional embeddings,
# overrides and isolates; interlinear annotations; halves of surrogate pairs, which no terminal can be sent; tag
# characters.
COMMANDS: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
)
# What makes two names look alike or turns the order of what follows: marks of direction, and characters without width.
# Text needs them (Persian, Thai, emoji), names do not.
DISGUISES: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
)

IN_TEXT: Final = re.compile(f"[{COMMANDS}]")
IN_NAMES: Final = re.compile(f"[\t\n{COMMANDS}{DISGUISES}]")
MOST: Final = 200  # characters of a name


def number_of(n: int, noun: str) -> str:
    """A number with its noun: "1 page", "2,000 pages"."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def escaped(found: re.Match[str]) -> str:
    """A character as Python would write it: \\x1b, \\u202e, \\U000e0041."""
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def one_line(name: str, most: int = MOST) -> str:
    """A name, URL or message in one line of at most `most` characters; a longer one keeps its beginning and its end."""
    if len(name) > 2 * most:
        name = f"{name[:most]}…{name[-most:]}"  # the rest is cut anyway, and may be large
    name = IN_NAMES.sub(escaped, name)
    if len(name) <= most:
        return name
    end = most // 4
    return f"{name[: most - end - 1]}…{name[len(name) - end :]}"


def display_width(text: str) -> int:
    """Columns of a terminal that a line takes: two for each character of Chinese, none for combining marks."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def fitting(text: str, width: int) -> str:
    """A line cut to so many columns of a terminal, with "…" where something is missing."""
    if display_width(text) <= width:
        return text
    end = len(text)
    while end and display_width(text[:end]) >= width:
        end -= 1
    return text[:end] + "…"


def for_terminal(text: str) -> str:
    """Text of several lines with nothing in it that a terminal would obey."""
    return IN_TEXT.sub(escaped, text)


def if_terminal(text: str, *, json: bool = False) -> str:
    """Text or JSON for standard output: safe where that is a terminal, unchanged where it is a file or a pipe."""
    if not sys.stdout.isatty():
        return text
    return IN_TEXT.sub(json_escaped, text) if json else for_terminal(text)


def safe_json(value: object, *, indent: int | None = None) -> str:
    """A value as JSON, with escapes of JSON for what a terminal would obey, so that the JSON holds the same value.

    Line ends between values stay. Those within strings are escapes already.
    """
    return IN_TEXT.sub(json_escaped, dumps(value, indent=indent, ensure_ascii=False, default=str))


def json_escaped(found: re.Match[str]) -> str:
    """A character as JSON escapes it, in two halves where it lies beyond U+FFFF."""
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2))


class SafeFormatter(logging.Formatter):
    """Formats log records for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text that can only be read."""
        return for_terminal(super().format(record))


def make_logs_safe() -> None:
    """Makes the handlers of the root logger write only what can be read, in the format that they have."""
    for handler in logging.getLogger().handlers:
        old = handler.formatter
        handler.setFormatter(SafeFormatter(old._fmt if old else None, old.datefmt if old else None))  # noqa: SLF001
