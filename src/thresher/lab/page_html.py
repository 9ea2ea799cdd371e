# SPDX-License-Identifier: Apache-2.0
"""A page as HTML, written from its tree."""

from collections.abc import Collection, Mapping
from html import escape
from typing import Final

from thresher.native.parsing.document import Document

_RAW: Final = frozenset(("iframe", "noembed", "noframes", "plaintext", "script", "style", "xmp"))
_VOID: Final = frozenset(
    (
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input"),
        *("keygen", "link", "meta", "param", "source", "track", "wbr"),
    )
)


def html_of(
    document: Document,
    *,
    of: int = 0,
    without: Collection[int] = (),
    before: Mapping[int, str] | None = None,
) -> bytes:
    """The page, or one element of it, in UTF-8: without some nodes and what is below them, with HTML before some
    nodes.

    A listing that was rewritten has the elements that it was made of below its text and as comments; they are not
    written again.
    """
    parts: list[str] = []
    open_elements: list[tuple[int, str]] = []  # one past the last node, and the end tag
    n = of or 1
    end = document.end(of)
    while n < end:
        while open_elements and open_elements[-1][0] <= n:
            parts.append(open_elements.pop()[1])
        if before and n in before:
            parts.append(before[n])
        tag, node, n = document.tag(n), n, n + 1
        if node in without:
            n = document.end(node)
        elif tag == "#text":
            raw = document.tag(document.parent(node)) in _RAW
            parts.append(document.text(node) if raw else escape(document.text(node), quote=False))
            n = document.end(node)
        elif tag == "#doctype":
            parts.append("<!DOCTYPE html>")
        elif tag == "#comment":
            n = document.end(node)
            if n == node + 1:
                parts.append(f"<!--{document.text(node).replace('--', '- -')}-->")
        elif not tag.startswith("#"):
            name = tag.rpartition(" ")[2]
            shown = "".join(f' {key}="{escape(value)}"' for key, value in document.attributes(node).items())
            parts.append(f"<{name}{shown}>")
            if name not in _VOID:
                open_elements.append((document.end(node), f"</{name}>"))
    parts.extend(end_tag for _, end_tag in reversed(open_elements))
    return "".join(parts).encode("utf-8", "replace")
