# SPDX-License-Identifier: Apache-2.0
"""What Trafilatura's functions take for a page, and what they give back."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, fields
from typing import Any, Final

from thresher.page.charset import decode

_GZIP: Final = b"\x1f\x8b\x08"
_MAX_BYTES: Final = 20_000_000
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Document:
    """A page's text and metadata, under Trafilatura's names."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    body: Any = None
    """The text as a tree in Trafilatura's XML: of lxml where that is installed, else of the standard library."""
    comments: str | None = None
    commentsbody: Any = None
    """Empty: Thresher's comments stand in the text."""
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The document as a dict."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def page_of(value: Any) -> bytes | str:
    """A page as thresher.extract() takes it, from bytes (gzip too), str, a response or a tree. TypeError for others."""
    if _is_tree(value):
        return _markup_of(value)
    if not isinstance(value, bytes | str) and hasattr(value, "data"):
        value = value.data
    if isinstance(value, bytearray | memoryview):
        value = bytes(value)
    if not isinstance(value, bytes | str):
        raise TypeError(f"a page is bytes, str, a response or a tree of lxml, not {type(value).__name__}")
    return _unzipped(value) if isinstance(value, bytes) and value.startswith(_GZIP) else value


def _unzipped(content: bytes) -> bytes:
    """What gzip compressed; what is no gzip, or would be more than 20 MB, stays as it is."""
    try:
        found = zlib.decompressobj(31).decompress(content, _MAX_BYTES + 1)
    except zlib.error:
        return content
    return found if len(found) <= _MAX_BYTES else content


def _is_tree(value: object) -> bool:
    """Whether this is an element or a tree of lxml or of the standard library."""
    return hasattr(value, "iter") and (hasattr(value, "tag") or hasattr(value, "getroot"))


def _markup_of(tree: Any) -> str:
    """A tree as a page. The tree stays as it is."""
    root = tree.getroot() if hasattr(tree, "getroot") else tree
    if type(root).__module__.startswith("lxml"):
        from lxml.html import tostring

        return str(tostring(root, encoding="unicode", with_tail=False))
    from xml.etree.ElementTree import tostring as write

    return str(write(root, encoding="unicode", method="html"))


def pruned(page: bytes | str, expressions: str | list[str]) -> str:
    """A page without the elements that XPath expressions name. Needs lxml."""
    try:
        from lxml.html import HTMLParser, document_fromstring
    except ImportError:
        raise NotImplementedError("prune_xpath needs lxml: pip install lxml") from None
    text = decode(page).utf8.decode("utf-8", "replace")
    if not text.strip():
        return ""
    # Bytes, and their encoding given to the parser: lxml refuses text that has an XML declaration.
    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        tree = document_fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser=parser)
    except SyntaxError:  # lxml's errors of parsing
        return ""
    for expression in [expressions] if isinstance(expressions, str) else expressions:
        for element in tree.xpath(expression):
            if _is_tree(element) and element.getparent() is not None:
                element.drop_tree()
    return _markup_of(tree)


def without_control_characters(text: str) -> str:
    """A text without characters that XML cannot hold."""
    return _NO_XML.sub("", text)


def etree() -> Any:
    """The module lxml.etree, or the standard library's: this package uses what both have."""
    try:
        from lxml import etree as found
    except ImportError:
        from xml.etree import ElementTree as found  # noqa: N813 (a module)
    return found
