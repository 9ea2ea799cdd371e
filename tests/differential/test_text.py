# SPDX-License-Identifier: Apache-2.0
"""The text of `all` against lexbor's tree (through resiliparse) on real pages: parser, visibility, blocks and rendering
in one comparison.

The other side is a walk over lexbor's tree that leaves out what metrics.pxd calls hidden, written from that
description. Words are compared as multisets, so that line breaks do not matter. A page may differ in 2 words in 1,000:
an inline element inside a word, beside a block boundary that only one side takes for one (custom elements, buttons).
Pages are read without their style sheets and the classes of text for screen readers, which are compared with Chromium
(benchmarks/shown.py).
"""

import re
from collections import Counter

import pyarrow.parquet as pq
import pytest
from resiliparse.parse.html import HTMLTree, NodeType
from shared_data import files

from thresher.page.charset import decode
from thresher.page.page_extractor import PageExtractor

PAGES_PER_SET = 25
HIDDEN = {
    "head", "title", "script", "style", "template", "iframe", "noembed", "noframes", "object", "audio", "video",
    "canvas", "select", "datalist", "textarea", "rp", "meter", "progress", "svg", "annotation", "annotation-xml",
    "applet", "meta", "link",
}  # fmt: skip
INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "ins", "kbd", "map", "mark", "nobr", "output", "picture", "q", "ruby", "rb", "rt", "rtc", "rbc", "s",
    "samp", "small", "slot", "source", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
    "area", "embed", "input", "param", "spacer", "track", "bgsound", "basefont", "keygen", "image",
}  # fmt: skip
# A footnote, or a formula: what is written there is not what the page's nodes say (native/constructs).
REWRITTEN = re.compile(r"\[\^1\]:|\$[^$\n]*[\\^_{}][^$\n]*\$")
UNCOMPARED = re.compile(
    rb"<style\b.*?</style>|visually-?hidden|sr-only|screen-reader-|tooltip|material-", re.IGNORECASE | re.DOTALL
)
DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*(block|inline)\s*(?:;|$)", re.IGNORECASE)
HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b(?![-\w])", re.IGNORECASE)


def hides_by_attribute(node) -> bool:
    if node.tag == "noscript":
        return True
    if node.tag in {"html", "body", "frameset"}:
        return False
    if node.tag == "dialog" and node.getattr("open") is None:
        return True
    if node.getattr("hidden") is not None and (node.getattr("hidden") or "").lower() != "until-found":
        return True
    return (node.getattr("aria-hidden") or "").lower() == "true" or bool(
        HIDING_STYLE.search(node.getattr("style") or "")
    )


def is_list_of_tabs(node) -> bool:
    return (
        node.getattr("role") == "tablist"
        and node.query_selector("[role=tab]") is not None
        and node.query_selector("[role=tabpanel], h1, h2, h3, h4, h5, h6, p, pre") is None
    )


def boundary_of(node) -> str:
    """What stands between an element and its neighbours: a space if it is shown as a block."""
    shown = DISPLAY.findall(node.getattr("style") or "")
    inline = node.tag in INLINE
    if shown and node.tag in {"div", "section"} | INLINE:
        inline = shown[-1].lower() == "inline"
    return "" if inline else " "


def walk(root, shown: int | None = None, *, everything: bool = False) -> tuple[str, list]:
    """Visible text below a node, a space at the boundaries of everything that is not inline, and what attributes hide
    of it.

    Of the elements that attributes hide, the one with number `shown` is not hidden; `everything`: none is.
    """
    parts: list[str] = []
    hidden: list = []
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
        elif node.type == NodeType.TEXT:
            parts.append(node.text)
        elif node.type == NodeType.DOCUMENT or (node.type == NodeType.ELEMENT and node.tag not in HIDDEN):
            if node.type == NodeType.ELEMENT and not everything and node != root and hides_by_attribute(node):
                hidden.append(node)
                if len(hidden) - 1 != shown:
                    continue
            if node.type == NodeType.ELEMENT and is_list_of_tabs(node):
                continue
            boundary = boundary_of(node) if node.type == NodeType.ELEMENT else " "
            stack.append(boundary)
            children = []
            child = node.first_child
            while child is not None:
                children.append(child)
                child = child.next
            stack.extend(reversed(children))
            stack.append(boundary)
    return "".join(parts), hidden


def characters(text: str) -> int:
    return len(" ".join(text.split()))


def lexbor_text(html: str) -> str:
    """Visible text of the page; what holds more than twice the visible text is shown though an attribute hides it."""
    document = HTMLTree.parse(html).document
    text, hidden = walk(document)
    sizes = [characters(walk(node, everything=True)[0]) for node in hidden]
    if sizes and max(sizes) > 2 * characters(text):
        shown, _ = walk(document, sizes.index(max(sizes)))
        if characters(shown) > 3 * characters(text):
            return shown
    return text


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("path", files("labelled/*.parquet"), ids=lambda path: path.stem)
def test_words_are_lexbors(path, every):
    table = pq.read_table(path, columns=["id", "html"])
    sample = range(0, len(table), max(1, len(table) // PAGES_PER_SET))[::every]
    page_extractor = PageExtractor("all")
    different = {}
    compared = 0
    for row in table.take(list(sample)).to_pylist():
        html = row["html"].encode() if isinstance(row["html"], str) else row["html"]
        utf8 = UNCOMPARED.sub(b"", decode(html).utf8)
        text = page_extractor.extract(utf8).decode()
        ours = Counter(re.findall(r"\w+", text))
        theirs = Counter(re.findall(r"\w+", lexbor_text(utf8.decode())))
        if REWRITTEN.search(text) or b"MathJax" in utf8:
            continue
        compared += 1
        missing, extra = theirs - ours, ours - theirs
        if missing.total() + extra.total() > 0.002 * (ours.total() + theirs.total()):
            different[row["id"]] = (missing.most_common(8), extra.most_common(8))
    assert not different
    assert compared > 15 // every
