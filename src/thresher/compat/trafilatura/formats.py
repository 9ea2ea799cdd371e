# SPDX-License-Identifier: Apache-2.0
"""Documents as text, JSON, CSV, HTML and XML, and text as a tree in the elements that Trafilatura uses."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from io import StringIO
from typing import Any, Final

from thresher.compat.trafilatura.pages import Document, etree, without_control_characters

FORMATS: Final = ("csv", "json", "html", "markdown", "txt", "xml")
_ATTRIBUTES: Final = (
    "sitename", "title", "author", "date", "url", "hostname", "description", "categories", "tags", "license", "id",
    "fingerprint", "language",
)  # fmt: skip
_HEADER: Final = (
    "title", "author", "url", "hostname", "description", "sitename", "date", "categories", "tags", "fingerprint", "id",
    "license",
)  # fmt: skip
_CSV: Final = (
    "url", "id", "fingerprint", "hostname", "title", "image", "date", "text", "comments", "license", "pagetype",
)  # fmt: skip
# What YAML reads as a text without quotes. Words such as `yes` and `null` are other things.
_PLAIN: Final = re.compile(
    r"(?!(?:true|false|yes|no|on|off|y|n|null)$)[a-z](?:[\w ./,()'-]|:(?=[\w/]))*(?<! )$", re.IGNORECASE
)
_NOT_PRINTABLE: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_EMPHASIS: Final = re.compile(r"</?(?:strong|em|b|i|u|sub|sup)>")


def written(document: Document, form: str, html: str, *, with_metadata: bool) -> str:
    """A document in one of Trafilatura's formats; `html` is its text as HTML."""
    if form == "xml":
        root = etree().Element("doc", dict(_meta_items(document)))
        root.append(body_of(html, "main"))
        etree().SubElement(root, "comments")
        return _serialised(root)
    if form == "html":
        head = [f'    <meta name="{name}" content="{escape(value)}">' for name, value in _meta_items(document)]
        lines = ["  <head>", *head, "  </head>"] if with_metadata else []
        return "\n".join(["<html>", *lines, "  <body>", html, "  </body>", "</html>"])
    if form == "json":
        return json.dumps(_json(document, with_metadata=with_metadata), ensure_ascii=False)
    if form == "csv":
        line = StringIO()
        csv.writer(line, delimiter="\t").writerow([getattr(document, name) or "null" for name in _CSV])
        return line.getvalue()
    return (_front_matter(document) if with_metadata else "") + (document.text or "")


def _json(document: Document, *, with_metadata: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"text": document.text, "comments": document.comments or ""}
    if not with_metadata:
        return found
    for name in ("title", "author", "hostname", "date", "fingerprint", "id", "license", "raw_text", "language", "image",
                 "pagetype", "filedate"):  # fmt: skip
        found[name] = getattr(document, name)
    found |= {"source": document.url, "source-hostname": document.sitename, "excerpt": document.description}
    return found | {name: ";".join(getattr(document, name) or ()) for name in ("categories", "tags")}


def _meta_items(document: Document) -> Iterator[tuple[str, str]]:
    """(name, value) of each piece of metadata that there is; lists are joined with semicolons."""
    for name in _ATTRIBUTES:
        value = getattr(document, name)
        if value:
            yield name, without_control_characters(value if isinstance(value, str) else ";".join(value))


def _front_matter(document: Document) -> str:
    """Metadata as YAML between two lines of dashes."""
    values = ((name, getattr(document, name)) for name in _HEADER)
    lines = [f"{name}: {_yaml(value)}\n" for name, value in values if value]
    return f"---\n{''.join(lines)}---\n"


def _yaml(value: str | list[str]) -> str:
    """A text or a list of texts in YAML, which reads a string of JSON as that string."""
    if isinstance(value, str) and _PLAIN.match(value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _NOT_PRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def without_emphasis(html: str) -> str:
    """Thresher's HTML without bold text and the like."""
    return _EMPHASIS.sub("", html)


# --- text as a tree ---

_HI: Final = {"b": "#b", "strong": "#b", "i": "#i", "em": "#i", "u": "#u", "sub": "#sub", "sup": "#sup"}
_SIMPLE: Final = {"p": "p", "blockquote": "quote", "table": "table", "tr": "row", "li": "item", "br": "lb"}
_BLOCKS: Final = frozenset(("main", "body", "head", "p", "quote", "list", "item", "table", "row", "cell"))
_HOLD_NO_TEXT: Final = frozenset(("main", "body", "list", "table", "row"))
_PARTS: Final = {"list": "item", "table": "row", "row": "cell"}
_VOID: Final = frozenset(("br", "img", "hr"))


class _Reader(HTMLParser):
    """Builds a tree from the HTML that Thresher writes, which is well nested."""

    def __init__(self, root: str) -> None:
        super().__init__(convert_charrefs=True)
        self._element = etree().Element
        self.root = self._element(root)
        self._open: list[tuple[str, Any]] = [("", self.root)]  # name in HTML; element, or None if there is none for it
        self._terms: list[int] = []  # of each open list of definitions, how many terms it has

    @property
    def _parent(self) -> Any:
        return next(element for _, element in reversed(self._open) if element is not None)

    @property
    def _place(self) -> Any:
        """Where text and what is no part of a list or table goes: in a list into the item before, in a table into the
        cell before.
        """
        place = self._parent
        while place.tag in _PARTS:
            if not len(place):
                place.append(self._element(_PARTS[place.tag]))
            place = place[-1]
        return place

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: without_control_characters(value or "") for name, value in attrs}
        element = self._made(tag, given)
        if element is not None:
            (self._parent if element.tag in _PARTS.values() else self._place).append(element)
        if tag not in _VOID:
            self._open.append((tag, element))

    def _made(self, tag: str, given: dict[str, str]) -> Any:
        """The element for an element of HTML; None where it is only its content."""
        make = self._element
        if tag in _SIMPLE:
            return make(_SIMPLE[tag])
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            return make("head", {"rend": tag})
        if tag in ("ul", "ol", "dl"):
            self._terms.append(0)
            return make("list", {"rend": tag})
        if tag in ("dt", "dd"):
            if tag == "dt" and self._terms:
                self._terms[-1] += 1
            return make("item", {"rend": f"{tag}-{self._terms[-1] if self._terms else 1}"})
        if tag in ("td", "th"):
            return make("cell", {"role": "head"} if tag == "th" else {})
        if tag == "img":
            return make("graphic", {"src": given.get("src", ""), "alt": given.get("alt", "")})
        if tag == "a":
            return make("ref", {"target": given.get("href", "")})
        if tag in ("pre", "code"):
            inside = any(element is not None and element.tag == "code" for _, element in self._open)
            return None if inside else make("code")
        if tag in ("del", "s", "strike"):
            return make("del", {"rend": "overstrike"})
        return make("hi", {"rend": _HI[tag]}) if tag in _HI else None

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ul", "ol", "dl") and self._terms:
            self._terms.pop()
        if len(self._open) > 1 and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._parent.tag not in _HOLD_NO_TEXT or data.strip():
            _add_text(self._place, without_control_characters(data))


def _add_text(parent: Any, text: str) -> None:
    """Puts text behind what an element has."""
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def body_of(html: str, root: str = "body") -> Any:
    """What Thresher wrote as HTML as a tree in Trafilatura's XML, below an element of this name."""
    reader = _Reader(root)
    reader.feed(html)
    reader.close()
    for element in reader.root.iter():
        _trim(element)
    return reader.root


def _is_block(element: Any, parent: Any) -> bool:
    """Whether an element stands on lines of its own."""
    if element.tag in ("code", "graphic"):
        return parent.tag in _HOLD_NO_TEXT or (element.tag == "code" and "\n" in "".join(element.itertext()))
    return element.tag in _BLOCKS


def _trim(element: Any) -> None:
    """Takes away white space beside blocks, which HTML does not show."""
    if element.tag == "code" or element.tag not in _BLOCKS:
        return
    if element.text:
        element.text = element.text.lstrip() if len(element) else element.text.strip()
        if len(element) and _is_block(element[0], element):
            element.text = element.text.rstrip()
    children = list(element)
    for number, child in enumerate(children):
        last = number + 1 == len(children)
        if child.tail and _is_block(child, element):
            child.tail = child.tail.lstrip()
        if child.tail and (last or _is_block(children[number + 1], element)):
            child.tail = child.tail.rstrip()


def _serialised(root: Any) -> str:
    """A tree as text, a line for each part of the document and each block of its text."""
    for element in (root, root[0]):
        element.text = element.text or "\n"
        for child in element:
            child.tail = child.tail or "\n"
    return str(etree().tostring(root, encoding="unicode"))
