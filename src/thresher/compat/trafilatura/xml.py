# SPDX-License-Identifier: Apache-2.0
"""Documents as JSON, CSV, XML and TEI, and text as a tree in the elements that Trafilatura uses."""

from __future__ import annotations

import csv
import json
import logging
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import util
from io import StringIO
from pathlib import Path
from typing import Any, Final
from unicodedata import normalize

from thresher._version import __version__
from thresher.compat.trafilatura._names import LOGGER, names_of
from thresher.compat.trafilatura.settings import Document, Extractor, etree
from thresher.compat.trafilatura.utils import remove_control_characters

__getattr__ = names_of(__name__)

PKG_VERSION: Final = __version__
META_ATTRIBUTES: Final = [
    "sitename", "title", "author", "date", "url", "hostname", "description", "categories", "tags", "license", "id",
    "fingerprint", "language",
]  # fmt: skip
_CSV: Final = ("url", "id", "fingerprint", "hostname", "title", "image", "date")
_HI: Final = {"b": "#b", "strong": "#b", "i": "#i", "em": "#i", "u": "#u", "sub": "#sub", "sup": "#sup"}
_MARKS: Final = {"#b": "**", "#i": "*"}
_SIMPLE: Final = {"p": "p", "blockquote": "quote", "table": "table", "tr": "row", "li": "item", "br": "lb"}
_STRUCK: Final = ("del", "s", "strike")
_BLOCKS: Final = frozenset(("main", "body", "head", "p", "quote", "list", "item", "table", "row", "cell", "ab", "div"))
_HOLD_NO_TEXT: Final = frozenset(("main", "body", "list", "table", "row", "div"))
_TEI_TABLES: Final = {"table": "list", "row": "item", "cell": "item"}
_PARTS: Final = {"list": "item", "table": "row", "row": "cell"}
_TEI_BLOCKS: Final = frozenset(("p", "ab", "list", "quote"))
_VOID: Final = frozenset(("br", "img", "hr"))


# --- from Thresher's HTML ---


class _Reader(HTMLParser):
    """Builds a tree from the HTML that Thresher writes, which is well nested."""

    def __init__(self, *, formatting: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._element = etree().Element
        self.root = self._element("body")
        self._open: list[tuple[str, Any]] = [("", self.root)]  # name in HTML; element, or None if there is none for it
        self._formatting = formatting
        self._terms: list[int] = []  # of each open list of definitions, how many terms it has

    @property
    def _parent(self) -> Any:
        return next(element for _, element in reversed(self._open) if element is not None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: remove_control_characters(value or "") for name, value in attrs}
        element = self._made(tag, given)
        if element is not None:
            (self._parent if element.tag in _PARTS.values() else self._place).append(element)
        if tag not in _VOID:
            self._open.append((tag, element))

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
            return None if self._inside("code") else make("code")
        if tag in _STRUCK:
            return make("del", {"rend": "overstrike"})
        return make("hi", {"rend": _HI[tag]}) if tag in _HI and self._formatting else None

    def _inside(self, tag: str) -> bool:
        return any(element is not None and element.tag == tag for _, element in self._open)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ul", "ol", "dl") and self._terms:
            self._terms.pop()
        if len(self._open) > 1 and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        parent = self._parent
        if parent.tag in _HOLD_NO_TEXT and not data.strip():
            return
        add_text(self._place, remove_control_characters(data))


def add_text(parent: Any, text: str) -> None:
    """Puts text behind what an element has."""
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def tree_of(html: str, *, formatting: bool) -> Any:
    """The element `body` with what Thresher wrote as HTML."""
    reader = _Reader(formatting=formatting)
    reader.feed(html)
    reader.close()
    for element in reader.root.iter():
        _trim(element)
    return reader.root


def is_block(element: Any, parent: Any) -> bool:
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
        if len(element) and is_block(element[0], element):
            element.text = element.text.rstrip()
    children = list(element)
    for number, child in enumerate(children):
        last = number + 1 == len(children)
        if child.tail and is_block(child, element):
            child.tail = child.tail.lstrip()
        if child.tail and (last or is_block(children[number + 1], element)):
            child.tail = child.tail.rstrip()


# --- as text ---


def _events(root: Any) -> Iterator[tuple[str, Any, Any]]:
    """("start" or "end", element, its parent) of a tree and ("text", text, element), in the order of the document."""
    waiting: list[tuple[Any, Any, Iterator[Any]]] = [(root, None, iter(root))]
    yield "start", root, None
    yield "text", root.text or "", root
    while waiting:
        element, parent, children = waiting[-1]
        child = next(children, None)
        if child is not None:
            yield "start", child, element
            yield "text", child.text or "", child
            waiting.append((child, element, iter(child)))
            continue
        waiting.pop()
        yield "end", element, parent
        if parent is not None:
            yield "text", element.tail or "", parent


class _Lines:
    """Writes a tree as lines of text."""

    def __init__(self, *, formatting: bool) -> None:
        self.lines: list[str] = []
        self._formatting = formatting
        self._line: list[str] = []
        self._marker = ""
        self._lists: list[list[Any]] = []  # [is numbered, number of its last item]
        self._rows: list[tuple[bool, list[str]]] = []  # open rows: whether a cell is a heading, and the cells
        self._cells = 0
        self._code = 0
        self._links: list[int] = []

    def end_line(self) -> None:
        """Begins a line; within a cell, a word."""
        if self._cells:
            self._line.append(" ")
            return
        text = "".join(self._line)
        if text.strip():
            indent = "  " * (len(self._lists) - 1)
            self.lines.append(self._marker + text.strip() if self._marker else text.rstrip())
            self._marker = indent and ""
        self._line = []

    def text(self, text: str) -> None:
        if self._code == 2:
            *whole, rest = text.split("\n")
            for each in whole:
                self._line.append(each)
                self.lines.append("".join(self._line))
                self._line = []
            self._line.append(rest)
        else:
            self._line.append(" ".join(text.split("\n")) if text.strip() else text and " ")

    def start(self, element: Any, parent: Any) -> None:
        tag, rend = element.tag, element.get("rend") or ""
        if tag == "lb" or (parent is not None and is_block(element, parent) and tag not in ("row", "cell")):
            self.end_line()
        if tag == "list":
            self._lists.append([rend == "ol", 0])
        elif tag == "item" and self._lists:
            self._lists[-1][1] += 1
            sign = f"{self._lists[-1][1]}. " if self._lists[-1][0] and self._formatting else "- "
            self._marker = "  " * (len(self._lists) - 1) + sign
        elif tag == "row":
            self.end_line()
            self._rows.append((False, []))
        elif tag == "cell":
            self._cells += 1
            self._line = []
            if element.get("role") == "head" and self._rows:
                self._rows[-1] = (True, self._rows[-1][1])
        elif tag == "graphic":
            self._line.append(f"![{element.get('alt') or ''}]({element.get('src') or ''})")
        elif tag == "ref":
            self._links.append(len(self._line))
        elif tag == "code":
            self._code = 2 if parent is not None and is_block(element, parent) else 1
            if self._formatting:
                self._line.append("`" if self._code == 1 else "```\n")
        elif self._formatting and tag == "head" and rend[:1] == "h":
            self._line.append("#" * int(rend[1:] or 1) + " ")
        elif self._formatting and tag in ("hi", "del"):
            self._line.append("~~" if tag == "del" else _MARKS.get(rend, ""))

    def end(self, element: Any, parent: Any) -> None:
        tag, rend = element.tag, element.get("rend") or ""
        if tag == "list":
            self.end_line()
            self._lists.pop()
        elif tag == "cell":
            self._cells -= 1
            if self._rows:
                self._rows[-1][1].append(" ".join("".join(self._line).split()))
            self._line = []
        elif tag == "row":
            is_head, cells = self._rows.pop()
            self._line = [f"| {' | '.join(cells)} |"]
            self.end_line()
            if is_head:
                self.lines.append("|" + "---|" * len(cells))
        elif tag == "ref" and self._links:
            start = self._links.pop()
            self._line[start:] = [f"[{''.join(self._line[start:]).strip()}]({element.get('target') or ''})"]
        elif tag == "code":
            if self._formatting:
                self._line.append("`" if self._code == 1 else "\n```")
            self._code = 0
        elif self._formatting and tag in ("hi", "del"):
            self._line.append("~~" if tag == "del" else _MARKS.get(rend, ""))
        if parent is not None and is_block(element, parent) and tag not in ("row", "cell"):
            self.end_line()


def xmltotxt(xmloutput: Any, include_formatting: bool) -> str:
    """A tree as text: a line for each block, lists with dashes, tables with bars, links as in Markdown; with
    `include_formatting` headings and emphasis as in Markdown too.
    """
    if xmloutput is None:
        return ""
    writer = _Lines(formatting=include_formatting)
    for kind, value, other in _events(xmloutput):
        if kind == "text":
            writer.text(value)
        elif not isinstance(value.tag, str):  # a comment in a tree of someone else
            continue
        elif kind == "start":
            writer.start(value, other)
        else:
            writer.end(value, other)
    writer.end_line()
    return ("\n\n" if include_formatting else "\n").join(writer.lines)


# --- JSON and CSV ---


def build_json_output(docmeta: Document, with_metadata: bool = True) -> str:
    """A document as JSON, under Trafilatura's keys."""
    text = docmeta.text if docmeta.text is not None else xmltotxt(docmeta.body, include_formatting=False)
    comments = docmeta.comments or ""
    if not with_metadata:
        return json.dumps({"text": text, "comments": comments}, ensure_ascii=False)
    names = ("title", "author", "hostname", "date", "fingerprint", "id", "license")
    found = {name: getattr(docmeta, name) for name in names}
    found |= {"comments": comments, "raw_text": docmeta.raw_text, "text": text, "language": docmeta.language}
    found |= {"image": docmeta.image, "pagetype": docmeta.pagetype, "filedate": docmeta.filedate}
    found |= {"source": docmeta.url, "source-hostname": docmeta.sitename, "excerpt": docmeta.description}
    found |= {"categories": ";".join(docmeta.categories or ()), "tags": ";".join(docmeta.tags or ())}
    return json.dumps(found, ensure_ascii=False)


def xmltocsv(document: Document, include_formatting: bool, *, delim: str = "\t", null: str = "null") -> str:
    """A document as a line of tab-separated values: url, id, fingerprint, hostname, title, image, date, text, comments,
    license, pagetype.
    """
    text = document.text if document.text is not None else xmltotxt(document.body, include_formatting)
    values = [getattr(document, name) for name in _CSV]
    values += [text, document.comments, document.license, document.pagetype]
    line = StringIO()
    csv.writer(line, delimiter=delim).writerow([value or null for value in values])
    return line.getvalue()


# --- XML and TEI ---


def meta_items(docmeta: Document) -> Iterator[tuple[str, str]]:
    """(name, value) of each piece of metadata that there is; lists are joined with semicolons."""
    for name in META_ATTRIBUTES:
        value = getattr(docmeta, name)
        if value:
            yield name, remove_control_characters(value if isinstance(value, str) else ";".join(value))


def add_xml_meta(output: Any, docmeta: Document) -> None:
    """Writes metadata as attributes of an element."""
    for name, value in meta_items(docmeta):
        output.set(name, value)


def _copied(element: Any, tag: str) -> Any:
    """A copy of a tree under another name for its root, which documents call `body`."""
    from copy import deepcopy

    found = deepcopy(element)
    found.tag = tag
    return found


def build_xml_output(docmeta: Document) -> Any:
    """A document as the element `doc`, with its metadata as attributes."""
    output = etree().Element("doc")
    add_xml_meta(output, docmeta)
    output.append(_copied(docmeta.body, "main"))
    output.append(_copied(docmeta.commentsbody, "comments"))
    return output


def build_tei_output(docmeta: Document) -> Any:
    """A document as the element `TEI`."""
    root = etree().Element("TEI", {"xmlns": "http://www.tei-c.org/ns/1.0"})
    write_fullheader(root, docmeta)
    body = _under(_under(root, "text"), "body")
    for content, kind in ((docmeta.body, "entry"), (docmeta.commentsbody, "comments")):
        part = _copied(content, "div")
        part.set("type", kind)
        body.append(_as_tei(part))
    return root


write_teitree = build_tei_output


def _under(parent: Any, tag: str, text: str | None = None, **attributes: str) -> Any:
    """A new element at the end of another."""
    element = etree().SubElement(parent, tag, attributes)
    element.text = remove_control_characters(text) if text else None
    return element


def write_fullheader(teidoc: Any, docmeta: Document) -> Any:
    """Writes the metadata of a document as the header of its TEI."""
    header = _under(teidoc, "teiHeader")
    file = _under(header, "fileDesc")
    publisher = (
        f"{docmeta.sitename} ({docmeta.hostname})"
        if docmeta.sitename and docmeta.hostname
        else docmeta.sitename or docmeta.hostname or "N/A"
    )
    _tei_title(file, docmeta)
    publication = _under(file, "publicationStmt")
    if docmeta.license:
        _under(publication, "publisher", publisher)
        _under(_under(publication, "availability"), "p", docmeta.license)
    else:
        _under(publication, "p")
    notes = _under(file, "notesStmt")
    if docmeta.id:
        _under(notes, "note", docmeta.id, type="id")
    _under(notes, "note", docmeta.fingerprint, type="fingerprint")
    source = _under(file, "sourceDesc")
    short = ", ".join(filter(None, (docmeta.sitename, docmeta.date)))
    _under(source, "bibl", ", ".join(filter(None, (docmeta.title, short))))
    _under(source, "bibl", short, type="sigle")
    full = _under(source, "biblFull")
    _tei_title(full, docmeta)
    publication = _under(full, "publicationStmt")
    _under(publication, "publisher", publisher)
    if docmeta.url:
        _under(publication, "ptr", type="URL", target=remove_control_characters(docmeta.url))
    _under(publication, "date", docmeta.date)
    profile = _under(header, "profileDesc")
    _under(_under(profile, "abstract"), "p", docmeta.description)
    filed = [(kind, values) for kind in ("categories", "tags") if (values := getattr(docmeta, kind))]
    if filed:
        keywords = _under(_under(profile, "textClass"), "keywords")
        for kind, values in filed:
            _under(keywords, "term", ",".join(values), type=kind)
    _under(_under(profile, "creation"), "date", docmeta.filedate, type="download")
    application = _under(_under(_under(header, "encodingDesc"), "appInfo"), "application", version=PKG_VERSION)
    application.set("ident", "Thresher")
    _under(application, "label", "Thresher")
    return header


def _tei_title(parent: Any, docmeta: Document) -> None:
    statement = _under(parent, "titleStmt")
    _under(statement, "title", docmeta.title, type="main")
    if docmeta.author:
        _under(statement, "author", docmeta.author)


def _as_tei(part: Any) -> Any:
    """Changes a tree of text so that it keeps to the customisation of TEI that Trafilatura checks by."""
    for element in list(part.iter()):
        if element.tag in ("list", "table", "row"):
            _drop_empty(element)
    # Blocks of code are known by what is around them, so before that is changed.
    blocks = {child for element in part.iter() for child in element if child.tag == "code" and is_block(child, element)}
    for element in list(part.iter()):
        if element.tag == "head":
            element.tag = "ab"
            element.set("type", "header")
        elif element.tag == "graphic":
            _tei_graphic(element)
        elif element.tag == "code":  # it has no elements for code and tables
            element.tag = "ab" if element in blocks else "hi"
            element.set("type" if element in blocks else "rend", "code")
        elif element.tag in _TEI_TABLES:
            _tei_table(element)
    _wrap(part)
    return part


def _wrap(part: Any) -> None:
    """Puts what may not stand in a division (words, images, emphasis) into paragraphs."""
    pieces: list[Any] = [part.text]
    for child in list(part):
        pieces += [child, child.tail]
        part.remove(child)
        child.tail = None
    part.text = None
    paragraph = None
    for piece in pieces:
        if piece is None or (isinstance(piece, str) and not piece.strip()):
            continue
        if not isinstance(piece, str) and piece.tag in _TEI_BLOCKS:
            paragraph = None
            if len(piece) or piece.tag != "list":
                part.append(piece)
            continue
        if paragraph is None:
            paragraph = _under(part, "p")
        if isinstance(piece, str):
            add_text(paragraph, piece)
        else:
            paragraph.append(piece)


def _tei_table(element: Any) -> None:
    """Tables are lists of rows, and rows lists of cells."""
    name, role = element.tag, element.get("role")
    for attribute in list(element.keys()):
        del element.attrib[attribute]
    element.tag = _TEI_TABLES[name]
    element.set("rend", f"{name}-{role}" if role else name)
    if name == "row":
        cells = list(element)
        within = etree().Element("list", {"rend": "row"})
        for cell in cells:
            element.remove(cell)
            within.append(cell)
        element.text = None
        element.append(within)


def _tei_graphic(element: Any) -> None:
    """An image has its address in `url`, and its description as an element."""
    address, words = element.get("src") or "", element.get("alt")
    for name in list(element.keys()):
        del element.attrib[name]
    element.set("url", address)
    if words:
        _under(element, "desc", words)


def _drop_empty(element: Any) -> None:
    """Takes lists, tables and rows that hold nothing out of an element that may not hold them."""
    for child in list(element):
        if child.tag in ("list", "table", "row") and not len(child):
            element.remove(child)


def control_xml_output(document: Document, options: Extractor) -> str:
    """A document as XML or TEI, by the format of the options. TEI is checked if they ask for it: the log says what is
    wrong.
    """
    tree = build_xml_output(document) if options.format == "xml" else build_tei_output(document)
    if options.format == "xmltei" and options.tei_validation:
        LOGGER.log(logging.DEBUG, "valid TEI: %s (%s)", validate_tei(tree), options.source)
    return normalize("NFC", written(tree))


def written(tree: Any) -> str:
    """A tree as text: elements that hold only elements are indented, those with text stay as they are."""
    _indent(tree)
    return str(etree().tostring(tree, encoding="unicode")).strip()


def _indent(root: Any) -> None:
    waiting = [(root, 0)]
    while waiting:
        element, depth = waiting.pop()
        children = list(element)
        mixed = (element.text or "").strip() or any((child.tail or "").strip() for child in children)
        inline = any(not is_block(child, element) and child.tag in ("hi", "ref", "lb", "del") for child in children)
        if not children or mixed or inline or element.tag == "code":
            continue
        element.text = "\n" + "  " * (depth + 1)
        for child in children:
            child.tail = element.text
            waiting.append((child, depth + 1))
        children[-1].tail = "\n" + "  " * depth


def validate_tei(xmldoc: Any) -> bool:
    """Whether a tree of lxml is valid TEI, by the DTD in the package trafilatura. The log has the first error.

    Raises NotImplementedError where lxml or that package is not installed.
    """
    spec = util.find_spec("trafilatura")
    folder = next(iter(spec.submodule_search_locations or ()), None) if spec else None
    schema = Path(folder or "") / "data" / "tei_corpus.dtd"
    try:
        from lxml import etree as parser
    except ImportError:
        folder = None
    if folder is None or not schema.is_file():
        raise NotImplementedError(
            "TEI is checked by lxml against the DTD in the package trafilatura: pip install trafilatura"
        )
    dtd = parser.DTD(str(schema))
    is_valid = bool(dtd.validate(parser.fromstring(parser.tostring(xmldoc))))
    if not is_valid:
        LOGGER.warning("not valid TEI: %s", dtd.error_log.last_error)
    return is_valid
