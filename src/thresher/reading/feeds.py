# SPDX-License-Identifier: Apache-2.0
"""A feed (RSS, Atom) as a page: its title, then each entry with title, author, date and content, in their order.

A feed is one page, as it is one record: each row has the address of a record, and leads back to it. An entry's content
is markup that the feed quotes. It is written as it stands, without scripts, styles, frames and comments, which are not
seen; elements that it leaves open are closed behind it, so that it cannot swallow the next entry.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from thresher.file_kinds import is_feed

_ENTRIES: Final = ("item", "entry")
_WRITERS: Final = ("author", "creator")
_DATES: Final = ("published", "pubDate", "issued", "date", "updated", "modified")  # the best one first
_CONTENTS: Final = ("encoded", "content", "description", "summary")
_READ: Final = frozenset(("title", "subtitle", "link", "language", "name", *_WRITERS, *_DATES, *_CONTENTS))
# An end tag of the entry is text in these, or does not reach beyond them.
_CLOSED: Final = ("table", "template", "select", "svg", "math", "object", "button", "marquee")
_UNSEEN: Final = ("script", "style", "iframe", "noembed", "noframes")
_RAW: Final = ("textarea", "title", "xmp", "plaintext", *_UNSEEN)
_GONE: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|<[!?][^>]*(?:>|\Z)|<({'|'.join(_UNSEEN)})(?![a-z0-9])[^>]*>.*?(?:</\1(?![a-z0-9])[^>]*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_UNSAFE: Final = re.compile(rf"<(?=/?(?:{'|'.join(_RAW)})(?![a-z0-9])|[!?])", re.IGNORECASE)
_OPENED: Final = re.compile(rf"<(/?)({'|'.join(_CLOSED)})(?![a-z0-9])", re.IGNORECASE)


@dataclass(slots=True)
class _Entry:
    """The feed itself, or one of its entries: what each element of it holds, the first of a name."""

    texts: dict[str, str] = field(default_factory=dict)
    link: str = ""


@dataclass(slots=True)
class _Reader:
    """Gathers the texts of a feed while it is parsed."""

    feed: _Entry = field(default_factory=_Entry)
    entries: list[_Entry] = field(default_factory=list)
    language: str = ""
    now: _Entry | None = None  # the entry at hand
    path: list[str] = field(default_factory=list)
    depth: int = 0  # of the element whose content is gathered; 0: none is
    is_markup: bool = False  # whether its elements are its content
    pieces: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        self.path.append(name)
        if self.depth:
            if self.is_markup:
                given = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
                self.pieces.append(f"<{name}{given}>")
            return
        self.language = self.language or attributes.get("xml:lang", "")
        of = self.now or self.feed
        if name in _ENTRIES:
            self.now = _Entry()
            self.entries.append(self.now)
        elif name == "link" and attributes.get("rel", "alternate") == "alternate" and attributes.get("href"):
            of.link = of.link or attributes["href"]
        elif name in _READ and name not in of.texts and not (name == "author" and "feed" in self.path):
            # A writer of Atom has elements of its own, of which the name counts.
            self.depth, self.is_markup = len(self.path), attributes.get("type") == "xhtml"

    def end(self, name: str) -> None:
        name = name.rpartition(":")[2]
        if self.depth == len(self.path):
            text = "".join(self.pieces).strip()
            self.pieces, self.depth = [], 0
            of = self.now or self.feed
            if name == "link":
                of.link = of.link or text
            elif name == "language":
                self.language = self.language or text
            elif text:
                of.texts.setdefault("author" if name in (*_WRITERS, "name") else name, text)
        elif self.depth and self.is_markup:
            self.pieces.append(f"</{name}>")
        self.path.pop()
        if name in _ENTRIES and not self.depth:
            self.now = None

    def text(self, data: str) -> None:
        if self.depth:
            self.pieces.append(html.escape(data) if self.is_markup else data)


def feed_page(body: bytes) -> tuple[bytes, str] | None:
    """A feed as a page in UTF-8, and what is wrong with the feed: "" or "markup", where it is kept up to the damage.

    None if the body is no feed, or has no entry that can be read.
    """
    if not is_feed(body):
        return None
    reader, parser = _Reader(), expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = _refuse  # entities of entities grow without bound
    problem = ""
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, ValueError, LookupError):  # an unknown encoding is a LookupError
        problem = "markup"
    if not any(each.texts for each in reader.entries):
        return None
    return "".join(_pieces(reader)).encode("utf-8", "replace"), problem


def _refuse(*_: object) -> None:
    raise ValueError("a feed declares no entities")


def _pieces(reader: _Reader) -> Iterator[str]:
    title = html.escape(_plain(reader.feed.texts.get("title", "")))
    language = html.escape(reader.language)
    yield f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head>'
    yield f"<body><main><h1>{title}</h1>"
    if about := reader.feed.texts.get("subtitle") or reader.feed.texts.get("description"):
        yield f"<p>{html.escape(_plain(about))}</p>"
    for entry in reader.entries:
        texts = entry.texts
        yield "<article>"
        if headline := html.escape(_plain(texts.get("title", ""))):
            yield (
                f'<h2><a href="{html.escape(entry.link)}">{headline}</a></h2>' if entry.link else f"<h2>{headline}</h2>"
            )
        date = next((texts[name] for name in _DATES if name in texts), "")
        if writer := _plain(texts.get("author", "")):
            yield f'<p class="author">{html.escape(writer)}</p>'
        if date:
            yield f"<p><time>{html.escape(date)}</time></p>"
        yield f"<div>{_closed(next((texts[name] for name in _CONTENTS if name in texts), ''))}</div></article>"
    yield "</main></body></html>"


def _plain(text: str) -> str:
    """A title, which may hold markup, as text."""
    return html.unescape(re.sub(r"<[^<>]*>", "", text)).strip()


def _closed(content: str) -> str:
    """Markup with all elements closed that would hold what follows it."""
    content = _UNSAFE.sub("&lt;", _GONE.sub("", content)) if "<" in content else html.escape(content)
    left: list[str] = []
    for slash, name in _OPENED.findall(content):
        if not slash:
            left.append(name.lower())
        elif left and left[-1] == name.lower():
            left.pop()
    return content + "".join(f"</{name}>" for name in reversed(left))
