# SPDX-License-Identifier: Apache-2.0
"""A page as the workbench shows it: its tree written as harmless HTML, with each block's text marked.

The HTML is written from the tree that was extracted, so each mark is exactly a block. Only listed elements and
attributes are copied. Scripts, frames, forms, addresses and event handlers are not on the list. The frame that shows
the page also forbids scripts and requests, as a second line of defence.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from thresher.native.parsing.document import Document

MARK: Final = "x-thresher"
"""The element around the text of a block; its attribute `n` is the block's number."""
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Content-Security-Policy of a shown page."""
MAX_NODES: Final = 200_000
"""Of a page that is shown; the rest is left out."""
_MAX_IMAGE: Final = 200_000  # characters of a data: address
_MAX_ATTRIBUTE: Final = 10_000


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LEFT_OUT: Final = _names(
    "script iframe object embed applet frame link meta base template noembed noframes param source track audio video "
    "canvas input select datalist textarea title portal fencedframe basefont bgsound dialog"
)  # removed with all content
_UNWRAPPED: Final = _names("html head body frameset form button fieldset option marquee x-thresher")
_RENAMED: Final = {"xmp": "pre", "plaintext": "pre", "listing": "pre", "noscript": "x-noscript", "image": "img"}
_VOID: Final = _names("area br col hr img wbr")
_ATTRIBUTES: Final = _names(
    "class id style dir lang title alt align valign width height colspan rowspan border cellpadding cellspacing "
    "bgcolor color face size start value reversed type hidden open role aria-hidden aria-label"
)
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_IMAGE: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*")
# Our marks must override the page's style sheet; the workbench sets their appearance through attributes.
_STYLE: Final = """
:root { color-scheme: light; background: #fff; color: #000; }
body { overflow-wrap: anywhere; }
a { color: #0645ad; text-decoration: underline; }
x-thresher { display: inline !important; cursor: pointer !important; border-radius: 2px; }
x-thresher[k=kept] { background-color: #2e9d4440 !important; box-shadow: 0 2px 0 #1b7a30 !important; }
x-thresher[k=main] { background-color: #2e9d4455 !important; box-shadow: 0 2px 0 #1b7a30 !important; }
x-thresher[k=dropped] { background-color: #c0392b1f !important; box-shadow: 0 1px 0 #c0392b66 !important; }
x-thresher[k=title] { background-color: #145a2440 !important; box-shadow: 0 2px 0 #145a24 !important; }
x-thresher[k=dateline] { background-color: #17a2a240 !important; box-shadow: 0 2px 0 #0e7575 !important; }
x-thresher[k=caption] { background-color: #8a6d1d40 !important; box-shadow: 0 2px 0 #8a6d1d !important; }
x-thresher[k=comment] { background-color: #c2479b40 !important; box-shadow: 0 2px 0 #9b2f79 !important; }
x-thresher[k=optional] { background-color: #7f8c8d40 !important; box-shadow: 0 2px 0 #566061 !important; }
x-thresher[k=other], x-thresher[k=not-main] {
  background-color: #c0392b30 !important; box-shadow: 0 2px 0 #c0392b !important;
}
x-thresher[k=unsure] { background-color: #8e44ad40 !important; box-shadow: 0 2px 0 #8e44ad !important; }
x-thresher[k=menu] { background-color: #0072b240 !important; box-shadow: 0 2px 0 #0072b2 !important; }
x-thresher[k=template] { background-color: #e69f0060 !important; box-shadow: 0 2px 0 #b37400 !important; }
x-thresher[t] { background-image: repeating-linear-gradient(45deg, #e69f0088 0 4px, transparent 4px 9px) !important; }
x-thresher[now], x-thresher:focus, x-thresher:hover { outline: 2px solid #1a56db !important; outline-offset: 1px; }
:root[only] x-thresher[gone] { display: none !important; }
:root[only] img, :root[only] hr { display: none !important; }
"""


def shown_page(document: Document, ranges: Sequence[tuple[int, int]]) -> str:
    """The page as HTML. `ranges` has the first node of each block and one past its last, in document order."""
    return "".join(_pieces(document, ranges))


def _pieces(document: Document, ranges: Sequence[tuple[int, int]]) -> Iterator[str]:
    root = next((n for n in range(min(document.n_nodes, 64)) if document.tag(n) == "html"), None)
    language = _attributes(document, root, _names("lang dir")) if root is not None else ""
    yield "" if document.quirks else "<!doctype html>"
    yield f'<html{language}><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield f"<style>{_STYLE}</style>"
    yield "</head>"
    has_body = False
    open_elements: list[tuple[int, str]] = []  # one past the last node, and the end tag
    block, n, last = 0, 0, min(document.n_nodes, MAX_NODES)
    while n < last:
        while open_elements and open_elements[-1][0] <= n:
            yield open_elements.pop()[1]
        tag, node, n = document.tag(n), n, n + 1
        if tag == "#text":
            while block < len(ranges) and ranges[block][1] <= node:
                block += 1
            yield _text(document.text(node), block if block < len(ranges) and ranges[block][0] <= node else None)
        elif tag == "body" and not has_body:
            has_body = True
            yield f"<body{_attributes(document, node, _ATTRIBUTES)}>"
        elif tag.startswith("#") or tag in _UNWRAPPED or " " in tag:  # only the text of svg and math
            continue
        elif tag == "style" or tag in _LEFT_OUT:
            n = document.end(node)
            content = document.text(node) if tag == "style" else ""
            if content and "</style" not in content.lower():
                yield f"<style>{content}</style>"
        else:
            name = _RENAMED.get(tag, tag)
            name = name if _NAME.fullmatch(name) else "span"
            yield f"<{name}{_attributes(document, node, _ATTRIBUTES)}>"
            if name not in _VOID:
                open_elements.append((document.end(node), f"</{name}>"))
    while open_elements:
        yield open_elements.pop()[1]


def _text(text: str, block: int | None) -> str:
    text = html.escape(text, quote=False)
    return f'<{MARK} n="{block}">{text}</{MARK}>' if block is not None and text.strip() else text


def _attributes(document: Document, n: int, names: frozenset[str]) -> str:
    found = []
    for name, value in document.attributes(n).items():
        if name in names and len(value) <= _MAX_ATTRIBUTE:
            found.append(f' {name}="{html.escape(value)}"')
        elif name == "src" and len(value) <= _MAX_IMAGE and _IMAGE.fullmatch(value):
            found.append(f' src="{html.escape(value)}"')
    return "".join(found)
