# SPDX-License-Identifier: Apache-2.0
"""What a page says of itself in data: JSON-LD, Open Graph, Twitter cards, microdata, RDFa, and links to other versions.

Values are as found, as JSON text. This module is imported where a run asks for its columns only.

- JSON-LD in script elements (JSON-LD 1.1, section 7), not expanded
- Open Graph (ogp.me) and Twitter cards, of meta elements
- microdata (HTML Standard, chapter 5)
- RDFa 1.1 Lite (W3C), with @about and @rel of RDFa 1.1 Core, for typed items; prefixes also as xmlns: of RDFa 1.0
- link elements with rel=alternate hreflang, prev, next and amphtml
- the page's main picture and its tags, from the first of these places that names one

No page makes anything here raise, and each value is bounded: what exceeds a bound is cut, and `structure_status` says
so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document

__all__ = ["COLUMNS", "StructuredData", "base_of", "json_ld", "listed", "read_structured_data"]

MAX_TEXT: Final = 1 << 16  # characters of JSON of one column
MAX_SCRIPT: Final = 1 << 20  # characters of JSON-LD that are parsed
MAX_LOOKED: Final = 100_000  # nodes beyond those of the page that texts and itemref make it look at
MAX_SCRIPTS: Final = 50  # of JSON-LD
MAX_VALUE: Final = 5000  # characters of a property
MAX_KEY: Final = 200  # characters of the name of a meta element
MAX_PREFIXES: Final = 100  # of RDFa
MAX_ITEMS: Final = 500  # of microdata, and of RDFa
MAX_PROPERTIES: Final = 5000  # of all items
MAX_DEPTH: Final = 32  # of items in items
MAX_REFERENCES: Final = 50  # of itemref
MAX_OBJECTS: Final = 20_000  # of JSON that are looked through for a type
MAX_NAMES: Final = 20  # names in one attribute
MAX_TAGS: Final = 100  # of a page
MAX_TAG: Final = 200  # characters; a longer one is a sentence or a list without commas

_OPEN_GRAPH: Final = (
    "og:", "article:", "book:", "profile:", "music:", "video:", "product:", "fb:", "place:", "business:",
)  # fmt: skip
_IMAGES: Final = (
    *("og:image:secure_url", "og:image:url", "og:image", "jsonld"),
    *("twitter:image", "twitter:image:src", "image_src"),
)
"""Where the main picture is looked for, in this order."""
_TAGS: Final = ("article:tag", "jsonld", "news_keywords", "keywords")
"""Where tags are looked for: the first that has any."""
_NOT_THE_PAGE: Final = frozenset(
    ("organization", "newsmediaorganization", "website", "person", "breadcrumblist", "localbusiness",
     "sitenavigationelement")
)  # fmt: skip
"""Types of JSON-LD whose picture is a logo or a portrait."""
SKIPPED: Final = frozenset(("script", "style", "template", "noscript"))
_TOKENS: Final = re.compile(r'("(?:\\.|[^"\\])*"?)|/\*.*?(?:\*/|\Z)|//[^\n]*', re.DOTALL)
_COMMAS: Final = re.compile(r'("(?:\\.|[^"\\])*"?)|,(?=\s*[}\]])', re.DOTALL)
_OPENING: Final = ("<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "\ufeff")
_CLOSING: Final = ("-->", "//]]>", "// ]]>", "/*]]>*/", "]]>", ";")
_SOURCES: Final = dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src") | dict.fromkeys(
    ("a", "area", "link"), "href"
)
_PREFIX: Final = re.compile(r"(\S{0,50}):\s+(\S{1,500})")
_PREFIXES: Final = {
    "schema": "http://schema.org/",
    "og": "http://ogp.me/ns#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
    "cc": "http://creativecommons.org/ns#",
    "ctag": "http://commontag.org/ns#",
    "gr": "http://purl.org/goodrelations/v1#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "rev": "http://purl.org/stuff/rev#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "v": "http://rdf.data-vocabulary.org/#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""Prefixes of the initial context of RDFa 1.1 that pages use."""

Item = dict[str, Any]


@dataclass(slots=True)
class StructuredData:
    """What was found; None for what was not."""

    jsonld: str | None = None
    opengraph: str | None = None
    twitter: str | None = None
    microdata: str | None = None
    rdfa: str | None = None
    hreflang: str | None = None
    link_prev: str | None = None
    link_next: str | None = None
    link_amphtml: str | None = None
    structure_status: str | None = None
    image: str | None = None
    tags: str | None = None

    @property
    def n_bytes(self) -> int:
        """About the bytes of all values."""
        return sum(len(value) for name in COLUMNS if (value := getattr(self, name)))


COLUMNS: Final = tuple(StructuredData.__dataclass_fields__)
_OF_HEAD: Final = frozenset(COLUMNS) - {"microdata", "rdfa", "structure_status"}


class _Reader:
    """Reads one page."""

    def __init__(self, document: Document, url: str | None, types: Collection[str]) -> None:
        self.document = document
        self.base = base_of(document, url)
        self.types = frozenset(_last_name(each) for each in types)
        self.notes: dict[str, None] = {}  # what was wrong, each once
        self.properties = MAX_PROPERTIES
        self.script = MAX_SCRIPT
        self.column = ""  # that is being read
        self.orphans: list[Item] = []  # properties of no item around them
        self.nodes: list[tuple[Item, int]] = []  # each item of microdata with its node
        self.looks = 2 * document.n_nodes + MAX_LOOKED  # nodes that may be looked at once more

    def address(self, value: str | None) -> str:
        """An address, absolute where that is possible."""
        return _joined(self.base, (value or "").strip()[:MAX_VALUE])

    def to_json(self, name: str, items: Sequence[Item]) -> str | None:
        """Items as a JSON list, as many as there is room for; None for none."""
        if self.types:
            items = list(_of_types(items, self.types))
        pieces: list[str] = []
        left = MAX_TEXT
        for item in items:
            try:
                text = json.dumps(item, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            except (ValueError, RecursionError):
                self.notes[f"{name} broken"] = None
                continue
            left -= len(text) + 1
            if left < 0:
                self.notes[f"{name} cut"] = None
                break
            pieces.append(text)
        return _clean(f"[{','.join(pieces)}]") if pieces else None

    def text(self, node: int) -> str:
        """The text of an element, white space collapsed."""
        document = self.document
        pieces: list[str] = []
        length = 0
        start = n = node + 1
        end = min(document.end(node), start + max(self.looks, 0))
        while n < end and length <= MAX_VALUE:
            name = document.tag(n)
            if name == "#text":
                pieces.append(document.text(n)[: MAX_VALUE + 1])
                length += len(pieces[-1])
            elif name in SKIPPED:
                n = document.end(n)
                continue
            elif name in ("br", "p", "div", "li", "td", "tr"):
                pieces.append(" ")
            n += 1
        self.looks -= n - start
        text = " ".join("".join(pieces).split())
        if len(text) > MAX_VALUE:
            self.notes[f"{self.column} cut"] = None
        return text[:MAX_VALUE]

    # --- elements of the head: JSON-LD, meta and link ---

    def read_head(self, wanted: Collection[str], found: StructuredData) -> None:
        """Reads script, meta and link elements, wherever on the page they are."""
        document = self.document
        metas: dict[str, dict[str, Any]] = {"opengraph": {}, "twitter": {}, "hreflang": {}}
        counts = dict.fromkeys(metas, 0)  # characters
        items: list[Item] = []
        said: dict[str, list[str]] = {}  # of pictures and tags, by where they stand
        pages_own = not {"image", "tags"}.isdisjoint(wanted)
        scripts = 0
        for n, name in seen_nodes(document):
            if name == "meta":
                attributes = document.attributes(n)
                key = (attributes.get("property") or attributes.get("name") or "").strip()
                low = key.lower()[:MAX_VALUE]
                if pages_own and (low in _IMAGES or low in _TAGS):
                    said.setdefault(low, []).append((attributes.get("content") or "").strip()[:MAX_VALUE])
                column = "twitter" if low.startswith("twitter:") else "opengraph" if low.startswith(_OPEN_GRAPH) else ""
                if column in wanted and "content" in attributes:
                    self._add(metas[column], counts, column, low, attributes["content"].strip())
            elif name == "link":
                if pages_own and "image_src" in (document.attributes(n).get("rel") or "").lower().split():
                    said.setdefault("image_src", []).append(document.attributes(n).get("href") or "")
                self._read_link(document.attributes(n), wanted, found, metas["hreflang"], counts)
            elif (
                name == "script"
                and ("jsonld" in wanted or pages_own)
                and "ld+json" in (document.attributes(n).get("type") or "").lower()
            ):
                scripts += 1
                if scripts <= MAX_SCRIPTS:
                    items += self._parse(document.text(n))
                else:
                    self.notes["jsonld cut"] = None
        if "jsonld" in wanted:
            found.jsonld = self.to_json("jsonld", items)
        if "image" in wanted:
            said["jsonld"] = list(_of_items(items, ("image", "thumbnailUrl")))
            addresses = (self.address(value) for where in _IMAGES for value in said.get(where, ()) if value.strip())
            found.image = next((_clean(each) for each in addresses if each.startswith(("https://", "http://"))), None)
        if "tags" in wanted:
            said["jsonld"] = list(_of_items(items, ("keywords",)))
            tags = next(filter(None, (_tags(said.get(where, ())) for where in _TAGS)), None)
            found.tags = _clean(json.dumps(tags, ensure_ascii=False, separators=(",", ":"))) if tags else None
        for column, values in metas.items():
            if values and column in wanted:
                setattr(found, column, _clean(json.dumps(values, ensure_ascii=False, separators=(",", ":"))))

    def _add(self, values: dict[str, Any], counts: dict[str, int], column: str, key: str, value: str) -> None:
        """Adds a value under a name, if there is room."""
        if len(value) > MAX_VALUE or counts[column] + len(key) + len(value) > MAX_TEXT:
            self.notes[f"{column} cut"] = None
            if counts[column] + len(key) + MAX_VALUE > MAX_TEXT:
                return
        key, value = key[:MAX_KEY], value[:MAX_VALUE]
        counts[column] += len(key) + len(value) + 6
        _append(values, key, value)

    def _read_link(
        self,
        attributes: dict[str, str],
        wanted: Collection[str],
        found: StructuredData,
        languages: dict[str, Any],
        counts: dict[str, int],
    ) -> None:
        href = attributes.get("href")
        names = (attributes.get("rel") or "")[:MAX_VALUE].lower().split()
        if not href or not names:
            return
        language = (attributes.get("hreflang") or "").strip().lower()
        if "hreflang" in wanted and language and "alternate" in names:
            self._add(languages, counts, "hreflang", language, self.address(href))
        for name, column in (("prev", "link_prev"), ("previous", "link_prev"), ("next", "link_next"),
                             ("amphtml", "link_amphtml")):  # fmt: skip
            if name in names and column in wanted and getattr(found, column) is None:
                setattr(found, column, self.address(href))

    def _parse(self, text: str) -> list[Item]:
        """The objects of a script with JSON-LD."""
        self.script -= len(text)
        if self.script < 0:
            self.notes["jsonld cut"] = None
            return []
        try:
            found = json_ld(text)
        except (ValueError, RecursionError):
            self.notes["jsonld broken"] = None
            return []
        return [item for item in listed(found) if isinstance(item, dict)]

    # --- microdata ---

    def read_microdata(self) -> str | None:
        """The top-level items."""
        self.column = "microdata"
        top: list[Item] = []
        references: list[tuple[Item, str, int]] = []
        self._read_items(1, self.document.n_nodes, None, 0, top, references)
        if references:
            places = self._places({name for _, each, _ in references for name in each.split()[:MAX_NAMES]})
            done = 0
            seen: set[tuple[int, int]] = set()
            while references and done < MAX_REFERENCES:
                item, names, depth = references.pop(0)
                for name in names.split()[:MAX_NAMES]:
                    node = places.get(name)
                    if node is None or (id(item), node) in seen or depth >= MAX_DEPTH or self.looks <= 0:
                        continue
                    seen.add((id(item), node))
                    done += 1
                    self.looks -= self.document.end(node) - node
                    self._read_items(node, self.document.end(node), item, depth, [], references)
            if references:
                self.notes["microdata cut"] = None
            # What an item refers to is its property, wherever it stands.
            top = [item for item in top if not any(item is each for each in self.orphans)]
        for item, node in self.nodes:
            if not item["properties"]:  # all that is said of it is its text
                del item["properties"]
                item["value"] = self.text(node)
        return self.to_json("microdata", top)

    def _places(self, names: Collection[str]) -> dict[str, int]:
        document = self.document
        found: dict[str, int] = {}
        for n in range(1, document.n_nodes):
            if document.tag(n)[:1] != "#" and (name := document.attributes(n).get("id", "")) in names:
                found.setdefault(name, n)
        return found

    def _read_items(
        self,
        start: int,
        end: int,
        item: Item | None,
        depth: int,
        top: list[Item],
        references: list[tuple[Item, str, int]],
    ) -> None:
        """Reads the items and properties among nodes start to end; `item` is the one around them."""
        document = self.document
        open_items: list[tuple[int, Item]] = [(end, item)] if item is not None else []
        found = passed_over = 0
        for n, name in seen_nodes(document, start, end):
            while open_items and open_items[-1][0] <= n:
                open_items.pop()
            if name[:1] == "#" or n < passed_over:
                continue
            attributes = document.attributes(n)
            names = attributes.get("itemprop")
            new: Item | None = None
            if "itemscope" in attributes:
                found += 1
                if found > MAX_ITEMS or depth + len(open_items) > MAX_DEPTH:
                    self.notes["microdata cut"] = None
                    passed_over = document.end(n)
                    continue
                new = {}
                types = (attributes.get("itemtype") or "").split()[:MAX_NAMES]
                if types:
                    new["type"] = types[0] if len(types) == 1 else types
                if attributes.get("itemid"):
                    new["id"] = self.address(attributes["itemid"])
                new["properties"] = {}
                self.nodes.append((new, n))
                if "itemref" in attributes:
                    references.append((new, attributes["itemref"][:MAX_VALUE], depth + len(open_items)))
            if names and open_items and self.properties > 0:
                value = new if new is not None else self._value(n, name, attributes)
                for each in names.split()[:MAX_NAMES]:
                    self._put(open_items[-1][1]["properties"], each, value, "microdata")
            elif new is not None and (not names or not open_items):
                top.append(new)
                if names:
                    self.orphans.append(new)
            if new is not None:
                open_items.append((document.end(n), new))

    def _put(self, properties: dict[str, Any], name: str, value: Any, column: str) -> None:  # noqa: ANN401 (text or item)
        self.properties -= 1
        if self.properties < 0:
            self.notes[f"{column} cut"] = None
            return
        _append(properties, name[:MAX_VALUE], value)

    def _value(self, n: int, name: str, attributes: dict[str, str]) -> str:
        """The value of a property of microdata."""
        if name == "meta" or attributes.get("content"):
            return (attributes.get("content") or "").strip()[:MAX_VALUE]
        if name in _SOURCES:
            source = attributes.get(_SOURCES[name])
            return self.address(source) if source is not None else ""
        if name == "object":
            return self.address(attributes.get("data"))
        if name in ("data", "meter"):
            return (attributes.get("value") or "")[:MAX_VALUE]
        if name == "time" and attributes.get("datetime"):
            return attributes["datetime"].strip()[:MAX_VALUE]
        return self.text(n)

    # --- RDFa ---

    def read_rdfa(self) -> str | None:
        """The typed items that are no property of another one."""
        self.column = "rdfa"
        document = self.document
        top: list[Item] = []
        frames: list[_Frame] = [_Frame(document.n_nodes, None, "", {}, ())]
        found = passed_over = 0
        for n, name in seen_nodes(document):
            while frames[-1].end <= n and len(frames) > 1:
                frames.pop()
            if name[:1] == "#" or n < passed_over:
                continue
            attributes = document.attributes(n)
            frame = _context(frames[-1], attributes, document.end(n))
            names = self._names(attributes.get("property"), frame)
            relations = self._names(attributes.get("rel"), frame, terms=False)
            item: Item | None = None
            if "typeof" in attributes:
                found += 1
                if found > MAX_ITEMS or len(frames) > 4 * MAX_DEPTH:
                    self.notes["rdfa cut"] = None
                    passed_over = document.end(n)
                    continue
                item = self._typed_item(attributes, frame)
            around = frames[-1].item
            if names or relations or (item is not None and frames[-1].relations):
                self._relate(n, attributes, frames[-1], item, names, relations)
            if item is not None and not item.pop("_inside", False):
                top.append(item)
            about = attributes.get("about")
            if item is None and about is not None:
                around = None  # of something without a type
            pending: Sequence[str] = (
                relations if relations and not (attributes.get("href") or attributes.get("resource")) else ()
            )
            if item is None and frames[-1].relations and not pending and around is not None and not about:
                pending = frames[-1].relations
            frame.item, frame.relations = (item, ()) if item is not None else (around, pending)
            if document.end(n) > n + 1:
                frames.append(frame)
        return self.to_json("rdfa", top)

    def _typed_item(self, attributes: dict[str, str], frame: _Frame) -> Item:
        """The item of an element with typeof."""
        item: Item = {}
        types = self._names(attributes["typeof"], frame)
        if types:
            item["type"] = types[0] if len(types) == 1 else list(types)
        named = (attributes.get(name) for name in ("about", "resource", "href", "src"))
        target = next(filter(None, named), "")
        if target and not target.startswith("["):
            item["id"] = self.address(target)
        item["properties"] = {}
        return item

    def _relate(
        self,
        n: int,
        attributes: dict[str, str],
        above: _Frame,
        item: Item | None,
        names: Sequence[str],
        relations: Sequence[str],
    ) -> None:
        """Adds what an element says of the item around it, or of itself."""
        subject = above.item
        if attributes.get("about") and item is None:
            return
        if item is not None:
            inside = [*(names if not relations else ()), *above.relations]
            if relations and not names:
                inside += relations
            if subject is not None and inside and not attributes.get("about"):
                item["_inside"] = True
                for each in inside:
                    self._put(subject["properties"], each, item, "rdfa")
            if not relations:
                return
        subject = item if item is not None and names and relations else subject
        if subject is None:
            return
        target = attributes.get("resource") or attributes.get("href") or attributes.get("src")
        if item is None and target is not None:
            for each in relations:
                self._put(subject["properties"], each, self.address(target), "rdfa")
        for each in names:
            if "content" in attributes:
                value = attributes["content"].strip()[:MAX_VALUE]
            elif attributes.get("datetime"):
                value = attributes["datetime"].strip()[:MAX_VALUE]
            elif target is not None and "rel" not in attributes and "datatype" not in attributes:
                value = self.address(target)
            else:
                value = self.text(n)
            self._put(subject["properties"], each, value, "rdfa")

    def _names(self, value: str | None, frame: _Frame, *, terms: bool = True) -> tuple[str, ...]:
        """Names of RDFa in full; those of no vocabulary are left out."""
        if not value:
            return ()
        found = []
        for each in value[:MAX_VALUE].split()[:MAX_NAMES]:
            prefix, colon, rest = each.partition(":")
            if not colon:
                if terms and frame.vocabulary:
                    found.append(frame.vocabulary + each)
            elif rest.startswith("//"):
                found.append(each)
            else:
                start = frame.prefixes.get(prefix.lower()) or _PREFIXES.get(prefix.lower())
                found.append(each if start is None else start + rest)  # of an unknown prefix, an address as it is
        return tuple(found)


@dataclass(slots=True)
class _Frame:
    """What holds inside an element, for RDFa."""

    end: int
    item: Item | None
    vocabulary: str
    prefixes: dict[str, str]
    relations: Sequence[str]
    """Names of properties whose values are the next items inside."""


def _context(above: _Frame, attributes: dict[str, str], end: int) -> _Frame:
    """The vocabulary and the prefixes inside an element."""
    vocabulary = attributes.get("vocab")
    prefixes = above.prefixes
    stated = {prefix.lower(): iri for prefix, iri in _PREFIX.findall((attributes.get("prefix") or "")[:MAX_VALUE])}
    stated |= {
        name[6:].lower(): value[:MAX_VALUE] for name, value in attributes.items() if name.lower().startswith("xmlns:")
    }
    if stated and len(prefixes) < MAX_PREFIXES:
        prefixes = prefixes | stated
    return _Frame(end, None, above.vocabulary if vocabulary is None else vocabulary.strip()[:500], prefixes, ())


def read_structured_data(
    document: Document,
    url: str | None = None,
    *,
    wanted: Collection[str] = COLUMNS,
    types: Collection[str] = (),
    page: bytes | None = None,
) -> StructuredData:
    """What a parsed page says of itself in data; only the columns `wanted`.

    `types` are names of types, such as Recipe or https://schema.org/Recipe: only items of these are kept, wherever in
    the data they are. `page` are the bytes that were parsed: without certain words in them, there is no microdata and
    no RDFa.
    """
    reader, found = _Reader(document, url, types), StructuredData()
    if not _OF_HEAD.isdisjoint(wanted):
        reader.read_head(wanted, found)
    low = page.lower() if page is not None and not {"microdata", "rdfa"}.isdisjoint(wanted) else None
    if "microdata" in wanted and (low is None or b"itemscope" in low):
        found.microdata = reader.read_microdata()
    if "rdfa" in wanted and (low is None or _has_attribute(low, b"typeof")):
        reader.properties = MAX_PROPERTIES
        found.rdfa = reader.read_rdfa()
    if "structure_status" in wanted and reader.notes:
        notes = sorted(note for note in reader.notes if "jsonld" in wanted or not note.startswith("jsonld"))
        found.structure_status = ", ".join(notes) or None
    return found


def seen_nodes(document: Document, start: int = 1, end: int | None = None) -> Iterator[tuple[int, str]]:
    """The nodes of a page from `start` to `end` with their names, but for what is inside of SKIPPED elements."""
    tag, n, last = document.tag, start, document.n_nodes if end is None else end
    while n < last:
        name = tag(n)
        yield n, name
        n = max(document.end(n), n + 1) if name in SKIPPED else n + 1


def base_of(document: Document, url: str | None) -> str:
    """What addresses on a page are relative to: its first base element with an address, else the page's own; "" where
    neither is known.
    """
    for n in range(1, document.n_nodes):
        name = document.tag(n)
        if name == "base" and (href := document.attributes(n).get("href")):
            return _joined(url or "", href.strip()[:MAX_VALUE])
        if name == "body":
            break
    return url or ""


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)[:MAX_VALUE]
    except ValueError:
        return address


def json_ld(text: str) -> Any:  # noqa: ANN401 (whatever JSON is)
    """The value of a script with JSON-LD, None for an empty one: marks of CDATA and of comments around it, comments and
    superfluous commas in it are left out. ValueError or RecursionError if it is no JSON even so.
    """
    text = text.strip()
    for mark in _OPENING:
        text = text.removeprefix(mark).lstrip()
    for mark in _CLOSING:
        text = text.removesuffix(mark).rstrip()
    if not text:
        return None
    try:
        return json.loads(text, strict=False, parse_constant=_nothing)
    except (ValueError, RecursionError):
        return json.loads(_without_comments(text), strict=False, parse_constant=_nothing)


def _has_attribute(page: bytes, name: bytes) -> bool:
    """Whether a page, in lower case, may have an attribute of that name. Scripts have typeof without an equals sign."""
    place = page.find(name)
    while place >= 0:
        end = place + len(name)
        if page[end : end + 20].lstrip()[:1] == b"=" and page[end : end + 20].lstrip()[1:2] != b"=":
            return True
        place = page.find(name, end)
    return False


def _of_types(items: Sequence[Any], types: Collection[str]) -> Iterator[Item]:
    """The items of these types, wherever they are, in order; nothing inside one that is found is looked for."""
    waiting: list[Any] = list(reversed(items))
    looked = 0
    while waiting and looked < MAX_OBJECTS:
        looked += 1
        value = waiting.pop()
        if isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, dict):
            if _is_of(value.get("@type", value.get("type")), types):
                yield value
            else:
                waiting += reversed([each for each in value.values() if isinstance(each, (dict, list))])


def _of_items(items: Sequence[Any], names: Collection[str]) -> Iterator[str]:
    """The texts and addresses of these properties, of what JSON-LD says of the page itself, in order."""
    for item in items:
        graph = item.get("@graph")
        for each in (item, *(graph if isinstance(graph, list) else ())):
            if not isinstance(each, dict) or _is_of(each.get("@type"), _NOT_THE_PAGE):
                continue
            for name in names:
                for value in listed(each.get(name)):
                    text = value
                    if isinstance(value, dict):
                        text = value.get("url") or value.get("contentUrl") or value.get("name")
                    if isinstance(text, str):
                        yield text[:MAX_VALUE]


def _tags(values: Collection[str]) -> list[str]:
    """The tags in comma-separated lists, each once, whatever its case."""
    found: dict[str, str] = {}
    for value in values:
        for piece in re.split("[,;\uff0c\u3001\u060c]", value):
            tag = " ".join(piece.split())
            if tag and len(tag) <= MAX_TAG and len(found) < MAX_TAGS:
                found.setdefault(tag.casefold(), tag)
    return list(found.values())


def listed(value: Any) -> list[Any]:  # noqa: ANN401 (JSON)
    """The values of a property of JSON-LD: a list, or the only one."""
    return value if isinstance(value, list) else [value]


def _append(values: dict[str, Any], name: str, value: Any) -> None:  # noqa: ANN401 (text or item)
    """Adds a value under a name; several values of a name are a list."""
    if name not in values:
        values[name] = value
    elif isinstance(values[name], list):
        values[name].append(value)
    else:
        values[name] = [values[name], value]


def _is_of(types: Any, wanted: Collection[str]) -> bool:  # noqa: ANN401 (JSON)
    """Whether one of the types of an item is wanted."""
    return any(isinstance(name, str) and _last_name(name) in wanted for name in listed(types))


def _last_name(name: str) -> str:
    """A type's name without its vocabulary, in lower case."""
    return re.split(r"[/#:]", name.strip().rstrip("/"))[-1].lower()


def _clean(text: str) -> str:
    """Text that UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode()


def _without_comments(text: str) -> str:
    """JSON without comments, and without commas before a closing bracket."""
    return _COMMAS.sub(_string, _TOKENS.sub(_string, text))


def _string(found: re.Match[str]) -> str:
    return found[1] or ""


def _nothing(_: str) -> None:
    """What NaN and Infinity become, which JSON does not have."""
