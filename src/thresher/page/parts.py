# SPDX-License-Identifier: Apache-2.0
"""Pictures, data tables, listings and posts of a page's main text. Imported only where a run asks for them
(write.also).

Pictures and posts are found in the page's own tree, among the kept blocks. Tables and listings are read from the main
text as HTML, so that each of their words is a word of the main text. Every page gives an answer: what exceeds a bound
is cut, and the row says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from thresher.native.parsing.document import Document

if TYPE_CHECKING:
    from thresher.options import Limits
    from thresher.page.page_extractor import PageExtractor
    from thresher.page.posts import Post

__all__ = ["CODE", "IMAGES", "POSTS", "TABLES", "PageParts", "PartsReader"]

IMAGES, TABLES, CODE, POSTS = "images", "tables", "code", "posts"

MAX_PICTURES: Final = 500  # of a page
MAX_TABLES: Final = 500  # of a page
MAX_ROWS: Final = 5000  # of a table
MAX_COLUMNS: Final = 256  # of a table
MAX_CELLS: Final = 200_000  # of all tables of a page, empty ones included
MAX_CELL: Final = 8000  # characters of a cell
MAX_LISTINGS: Final = 1000  # of a page
MAX_CODE: Final = 1 << 18  # characters of a listing
MAX_POSTS: Final = 1000  # of a page
MAX_POST: Final = 1 << 18  # characters of a post
MAX_NOTE: Final = 2000  # characters of a heading, a caption, a credit or an alternative text

_CLIMB: Final = 6  # elements around a picture that may hold its caption
_NEAR: Final = 200  # nodes of an element around a picture; a larger one is about more than the picture
_SKIP: Final = frozenset(("script", "style", "template", "noscript", "iframe", "svg", "select", "button"))
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BLOCKS: Final = frozenset(
    ("p", "div", "li", "ul", "ol", "dl", "dt", "dd", "pre", "blockquote", "table", "caption", "tr", "hr", "figure",
     "figcaption", *_HEADINGS)
)  # fmt: skip
_NO_TABLE: Final = frozenset(("p", "dt", "caption"))  # elements of minimal HTML that hold no table and no listing
_HOLDER: Final = re.compile(
    r"(?:^|[\s_-])(?:caption|wp-caption|figure|fig|image|img|photo|picture|media|thumb|illustration|bild|foto)",
    re.IGNORECASE,
)
_CAPTION: Final = re.compile(
    r"caption|bildunterschrift|legende|(?:^|[\s_-])(?:image|photo|img)[_-]?(?:text|desc)", re.IGNORECASE
)
_CREDIT: Final = re.compile(r"credit|copyright|photographer|attribution|bildquelle|fotograf", re.IGNORECASE)
_CREDITED: Final = re.compile(
    r"(?:^|[.!?)\]|–—-]\s*|\s\(|\s\[)"
    r"((?:(?:photo(?:graph)?|image|picture|foto|bild|illustration|imagen|crédito|crédit)s?"
    r"(?:\s?(?:credit|courtesy|copyright|quelle|source|by|von|de|par|:|©|/)\s?:?\s?)|credits?\s?:\s?|©\s?"
    r"|courtesy of\s|source\s?:\s?|quelle\s?:\s?)\S.{1,120})$",
    re.IGNORECASE,
)
_SIZE: Final = re.compile(r"\s*\+?(\d{1,5})(?:\.\d*)?\s*(?:px)?\s*", re.IGNORECASE)
_SPACER: Final = re.compile(
    rb"(?:[/_.-]|[/_.-][ir]_?)(?:i?spacer|blank|dot|pixel|transparent|clear|empty|1x1|placeholder|divider)"
    rb"[_.-]?\d{0,4}\.(?:gif|png|svg|webp)(?:[?#]|$)",
    re.IGNORECASE,
)
"""Addresses of pictures that show nothing and keep others in their places."""
_LANGUAGE: Final = "language-"
_NOTHING: Final = ("", "")

Row = dict[str, Any]


@dataclass(slots=True)
class PageParts:
    """Rows of the tables beside `pages` for one page, without what names the page."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    n_bytes: int = 0
    """About how many bytes the rows take."""


class PartsReader:
    """Reads parts of pages. Its tree is reused: each worker needs its own reader."""

    def __init__(self, wanted: Sequence[str], limits: Limits) -> None:
        """`wanted` names the tables: images, tables, code, posts."""
        self._wanted = frozenset(wanted)
        self._find_posts: Callable[[PageExtractor], list[Post]] | None = None
        if POSTS in self._wanted:
            from thresher.page.posts import find_posts

            self._find_posts = find_posts
        # Main text as HTML has more bytes than the page where characters are escaped.
        most = 1 << 27
        self._document = Document(
            max_bytes=min(8 * limits.max_bytes, most),
            max_nodes=min(4 * limits.max_nodes, most),
            max_depth=limits.max_depth,
            max_attributes=limits.max_attributes,
        )

    def __call__(self, page_extractor: PageExtractor) -> PageParts:
        """The parts of the page that was rendered last."""
        rows: dict[str, list[Row]] = {name: [] for name in (IMAGES, TABLES, CODE, POSTS) if name in self._wanted}
        if IMAGES in rows:
            rows[IMAGES] = _interleaved(page_extractor)
        if TABLES in rows or CODE in rows:
            markup = page_extractor.render_html()
            if (TABLES in rows and b"<table>" in markup) or (CODE in rows and b"<pre>" in markup):
                self._document.parse(markup)
                _read_markup(self._document, rows.get(TABLES), rows.get(CODE))
        if self._find_posts is not None:
            rows[POSTS] = _post_rows(page_extractor, self._find_posts(page_extractor))
        return PageParts(rows, sum(_size(row) for each in rows.values() for row in each))


def _size(row: Row) -> int:
    """About how many bytes a row takes."""
    found = 64
    for value in row.values():
        if isinstance(value, str):
            found += len(value)
        elif isinstance(value, list):
            found += sum(8 + sum(8 + len(cell) for cell in each) for each in value)
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Pictures and text
# ---------------------------------------------------------------------------------------------------------------------


def _interleaved(page_extractor: PageExtractor) -> list[Row]:
    """Text and pictures of a page in reading order; nothing where it has no picture."""
    listed, found = page_extractor.pictures(MAX_PICTURES)
    pictures = [each for each in listed if not _SPACER.search(each[2][-200:])]
    if not pictures:
        return []
    texts = page_extractor.main.render_runs([block for _, block, _ in pictures])
    document = page_extractor.main.document
    rows: list[Row] = []
    captions: dict[int, tuple[str, str]] = {}
    for (node, _, address), text in zip(pictures, texts, strict=False):
        _add_text(rows, text)
        rows.append(_picture(document, node, address, captions))
    _add_text(rows, texts[-1])
    for position, row in enumerate(rows):
        row["position"] = position
    if found > len(listed):
        rows[-1]["cut"] = f"{found - len(listed)} pictures"
    return rows


def _add_text(rows: list[Row], text: bytes) -> None:
    shown = text.decode("utf-8", "replace").strip("\n")
    if shown.strip():
        rows.append({"modality": "text", "content_type": "text/plain", "text_content": shown})


def _picture(document: Document, node: int, address: bytes, captions: dict[int, tuple[str, str]]) -> Row:
    attributes = document.attributes(node)
    caption, credit = _caption_of(document, node, captions)
    alt = " ".join((attributes.get("alt") or "").split())
    cut = [name for name, value in (("alt", alt), ("caption", caption), ("credit", credit)) if len(value) > MAX_NOTE]
    return {
        "modality": "image",
        "image_url": address.decode("utf-8", "replace"),
        "alt": alt[:MAX_NOTE] or None,
        "caption": caption[:MAX_NOTE] or None,
        "credit": credit[:MAX_NOTE] or None,
        "width": _pixels(attributes.get("width")),
        "height": _pixels(attributes.get("height")),
        "cut": ", ".join(cut) or None,
    }


def _pixels(value: str | None) -> int | None:
    """A declared size; None for a percentage or anything else."""
    found = _SIZE.fullmatch(value) if value and len(value) < 20 else None
    return int(found[1]) if found else None


def _caption_of(document: Document, node: int, known: dict[int, tuple[str, str]]) -> tuple[str, str]:
    """Caption and credit of a picture, from the figure around it or from an element whose class says so."""
    above = document.parent(node)
    for _ in range(_CLIMB):
        if above <= 0 or document.tag(above) in ("body", "article", "main", "section", "td", "html"):
            break
        is_figure = document.tag(above) == "figure"
        if above not in known and (
            is_figure or (document.end(above) - above <= _NEAR and _HOLDER.search(_names(document, above)))
        ):
            known[above] = _read_caption(document, above, is_figure=is_figure)
        found = known.get(above, _NOTHING)
        if any(found) or is_figure:
            return found
        above = document.parent(above)
    return _NOTHING


def _names(document: Document, node: int) -> str:
    attributes = document.attributes(node)
    return " ".join((attributes.get("class") or "", attributes.get("itemprop") or ""))[:MAX_NOTE]


def _read_caption(document: Document, holder: int, *, is_figure: bool) -> tuple[str, str]:
    """Caption and credit inside an element that holds a picture."""
    caption = credit = ""
    n, end = holder + 1, min(document.end(holder), holder + 1 + 4 * _NEAR)
    while n < end:
        name = document.tag(n)
        if name in _SKIP:
            n = document.end(n)
            continue
        if name not in ("#text", "#comment", "img", "a"):
            names = _names(document, n)
            if not credit and _CREDIT.search(names):
                credit = _line(document, n)
                n = document.end(n)
                continue
            if not caption and ((is_figure and name == "figcaption") or _CAPTION.search(names)):
                inner = [] if credit else _credits_in(document, n)
                caption = _line(document, n, without=inner)
                credit = credit or " ".join(_line(document, each) for each in inner)
                n = document.end(n)
                continue
        n += 1
    if caption and not credit and (found := _CREDITED.search(caption)):
        credit = found[1].rstrip(" )]")
    return caption, credit


def _credits_in(document: Document, caption: int) -> list[int]:
    """The elements of a caption that hold its credit."""
    found = []
    n, end = caption + 1, min(document.end(caption), caption + 1 + _NEAR)
    while n < end:
        if document.tag(n) not in ("#text", "#comment") and _CREDIT.search(_names(document, n)):
            found.append(n)
            n = document.end(n)
        else:
            n += 1
    return found


def _line(document: Document, node: int, without: Sequence[int] = ()) -> str:
    """The text of an element on one line."""
    return " ".join("".join(_pieces(document, node, without)).split())


def _pieces(document: Document, node: int, without: Sequence[int] = ()) -> Iterator[str]:
    """The text of an element in pieces; blocks and line breaks end lines."""
    ends: list[int] = []
    n, end = node + 1, document.end(node)
    while n < end:
        while ends and ends[-1] <= n:
            ends.pop()
            yield "\n"
        name = document.tag(n)
        if name == "#text":
            yield document.text(n)
        elif name in _SKIP or n in without:
            n = document.end(n)
            continue
        elif name == "br":
            yield "\n"
        elif name in ("td", "th"):
            yield "\t"
        elif name in _BLOCKS:
            yield "\n"
            ends.append(document.end(n))
        n += 1


# ---------------------------------------------------------------------------------------------------------------------
# Tables and listings
# ---------------------------------------------------------------------------------------------------------------------


def _read_markup(document: Document, tables: list[Row] | None, listings: list[Row] | None) -> None:
    """Reads tables and listings from main text as HTML."""
    heading: str | None = None
    budget = MAX_CELLS
    n, n_nodes, table_end = 1, document.n_nodes, 0
    more = {TABLES: 0, CODE: 0}
    while n < n_nodes:
        name = document.tag(n)
        if name in _HEADINGS and n >= table_end:
            heading = _line(document, n)[:MAX_NOTE] or None
            n = document.end(n)
        elif name == "table" and n >= table_end:
            table_end = document.end(n)
            if tables is not None and len(tables) < MAX_TABLES:
                row, taken = _read_table(document, n, budget)
                # One row or one column is a box, whatever its elements.
                if row["n_columns"] > 1 and len(row["header"]) + len(row["cells"]) > 1:
                    budget -= taken
                    tables.append({"number": len(tables), "heading": heading} | row)
            else:
                more[TABLES] += 1
            n += 1
        elif name == "pre":
            if listings is not None and len(listings) < MAX_LISTINGS:
                listings.append({"number": len(listings), "heading": heading} | _read_listing(document, n))
            else:
                more[CODE] += 1
            n = document.end(n)
        else:
            n = document.end(n) if name in _NO_TABLE else n + 1
    for name, rows in ((TABLES, tables), (CODE, listings)):
        if rows and (more[name] or document.status != "ok"):
            what = f"{more[name]} {'tables' if name == TABLES else 'listings'}" if more[name] else "page"
            rows[-1]["cut"] = ", ".join(filter(None, (rows[-1]["cut"], what)))


def _read_table(document: Document, table: int, budget: int) -> tuple[Row, int]:
    """A data table, and how many cells it takes of the page's budget."""
    cut: dict[str, None] = {}  # what was cut, each once
    caption: str | None = None
    lines: list[list[str]] = []
    heads: list[int] = []  # header cells of each row without other text
    hanging: dict[int, int] = {}  # column → rows below that a cell of an earlier row covers
    taken = n_rows = 0
    n, end = table + 1, document.end(table)
    while n < end:
        name = document.tag(n)
        if name == "caption":
            text = _line(document, n)
            if len(text) > MAX_NOTE:
                cut["caption"] = None
            caption = text[:MAX_NOTE] or None
            n = document.end(n)
        elif name == "tr":
            n_rows += 1
            if n_rows > MAX_ROWS or taken >= budget:
                cut["rows"] = None
                break
            line, n_heads = _read_row(document, n, hanging, min(MAX_COLUMNS, budget - taken), cut)
            lines.append(line)
            heads.append(n_heads)
            taken += len(line)
            n = document.end(n)
        else:
            n += 1
    width = max(map(len, lines), default=0)
    # The core writes no empty cells behind the last one with text: a lone name may be that of its row.
    is_header = [n > 1 or (n == 1 and len(line) == width) for n, line in zip(heads, lines, strict=True)]
    n_header = next((k for k, header in enumerate(is_header) if not header), len(lines))
    if n_header == len(lines):  # a table of header cells alone has rows all the same
        n_header = min(n_header, 1) if len(lines) > 1 else 0
    while lines and taken + sum(width - len(line) for line in lines) > budget:
        lines.pop()
        cut["rows"] = None
    for line in lines:
        taken += width - len(line)
        line.extend([""] * (width - len(line)))
    row = {
        "caption": caption,
        "header": lines[:n_header],
        "cells": lines[n_header:],
        "n_columns": width,
        "cut": ", ".join(cut) or None,
    }
    return row, taken


def _read_row(
    document: Document, row: int, hanging: dict[int, int], most: int, cut: dict[str, None]
) -> tuple[list[str], int]:
    """The cells of a row, and how many header cells it has if no other cell has text. A cell over several columns or
    rows has its text in the first of them; the others are empty.
    """
    line: list[str] = []
    covered = {column for column, left in hanging.items() if left > 0}
    for column in list(hanging):
        hanging[column] -= 1
        if hanging[column] <= 0:
            del hanging[column]
    heads = plain = 0  # header cells with text, and other cells with text
    only_heads = True
    n, end = row + 1, document.end(row)
    while n < end:
        name = document.tag(n)
        if name not in ("td", "th"):
            n += 1
            continue
        while len(line) in covered:
            line.append("")
        if len(line) >= most:
            cut["columns"] = None
            break
        attributes = document.attributes(n)
        columns, rows = _span(attributes.get("colspan")), _span(attributes.get("rowspan"))
        text = _cell(document, n)
        heads += bool(text) and name == "th"
        plain += bool(text) and name == "td"
        only_heads = only_heads and name == "th"
        if len(text) > MAX_CELL:
            text, cut["cells"] = text[:MAX_CELL], None
        start = len(line)
        line.append(text)
        line += [""] * (min(columns, most - start) - 1)
        if rows > 1:
            for column in range(start, len(line)):
                hanging[column] = max(hanging.get(column, 0), rows - 1)
        n = document.end(n)
    while len(line) in covered and len(line) < most:
        line.append("")
    return line, heads if not plain and (heads > 1 or only_heads) else 0


def _span(value: str | None) -> int:
    return min(max(int(value), 1), MAX_ROWS) if value and len(value) < 6 and value.isascii() and value.isdigit() else 1


def _cell(document: Document, node: int) -> str:
    """The text of a cell, its blocks and line breaks on lines of their own."""
    if document.end(node) == node + 1:
        return ""
    if document.end(node) == node + 2:
        return " ".join(document.text(node).split())
    lines = (" ".join(line.split()) for line in "".join(_pieces(document, node)).split("\n"))
    return "\n".join(filter(None, lines))


def _read_listing(document: Document, pre: int) -> Row:
    """A listing with its language."""
    language: str | None = None
    if pre + 1 < document.end(pre) and document.tag(pre + 1) == "code":
        name = document.attributes(pre + 1).get("class") or ""
        language = name.removeprefix(_LANGUAGE) if name.startswith(_LANGUAGE) else None
    text = document.text(pre)
    return {"language": language or None, "text": text[:MAX_CODE], "cut": "text" if len(text) > MAX_CODE else None}


# ---------------------------------------------------------------------------------------------------------------------
# Posts
# ---------------------------------------------------------------------------------------------------------------------


def _post_rows(page_extractor: PageExtractor, posts: list[Post]) -> list[Row]:
    """The posts of a thread with their texts, in the format of the run."""
    shown = posts[:MAX_POSTS]
    rows: list[Row] = []
    for post, text in zip(
        shown, page_extractor.render_passages([(each.node, each.blocks) for each in shown]), strict=True
    ):
        written = text.decode("utf-8", "replace").strip("\n")
        if written.strip():
            rows.append(
                {
                    "number": len(rows) + 1,
                    "author": post.author,
                    "date": post.day,
                    "text": written[:MAX_POST],
                    "cut": "text" if len(written) > MAX_POST else None,
                }
            )
    if len(rows) > 1 and rows[0]["text"] == rows[1]["text"]:  # the first post, shown above the thread too
        del rows[0]
        for row in rows:
            row["number"] -= 1
    if rows and len(posts) > len(shown):
        rows[-1]["cut"] = ", ".join(filter(None, (rows[-1]["cut"], f"{len(posts) - len(shown)} posts")))
    return rows
