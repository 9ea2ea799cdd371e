# SPDX-License-Identifier: Apache-2.0
"""The TeCo benchmark suite: websites whose key pages are labelled with HTML classes (Alarte 2023, chapter 13).

A benchmark is a folder named after a domain. It holds a key page and pages of the same site that the key page links to,
as saved by wget. Three classes label subtrees of the key page: `TECO_mainContent`, `TECO_notTemplate` and
`TECO_mainMenu`, each optionally with a number at its end. Everything outside `TECO_notTemplate` subtrees is template.

The classes are removed from the source before anything else sees the page. A page whose tree would change without them
cannot be judged, and is reported instead.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import Final, Literal
from urllib.parse import urldefrag

from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.tokens import words_cjk
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace
from thresher.templates.structure import MAX_NODES, order_links, same_host_links

Task = Literal["main content", "template", "menu"]
TASKS: Final[tuple[Task, ...]] = ("main content", "template", "menu")

EVALUATION: Final = frozenset({
    "www.jdi.org.za", "www.premiere-urgence.org", "www.indiangaming.org", "hispalinux.es", "www.gktw.org",
    "www.apnic.net", "www.unicef.org", "www.klimabuendnis.org", "www.isoc-es.org", "biztechmagazine.com",
    "www.eeo.com.cn", "www.wishtv.com", "news.mit.edu", "asia.nikkei.com", "www.rcnky.com", "news.discovery.com",
    "www.kathimerini.gr", "news.un.org", "frances.forosactivos.net", "www.wysiwygwebbuilder.com",
    "www.3dprintforums.com", "www.strangehorizons.com", "communities.apple.com", "www.sloweurope.com",
    "community.ricksteves.com", "hackercombat.com", "www.scbwi.org", "johngardnerathome.info", "www.annmalaspina.com",
    "foodsense.is", "sites.google.com", "whatever.scalzi.com", "www.javiercelaya.es", "diarium.usal.es",
    "www.jameslovelock.org", "www.cipri.info", "naranjascarcaixent.com", "www.technicalbookstoreonline.com",
    "www.floridarealestatecollege.com", "www.basf.com", "www.mcphersonoil.com", "www.thirteenhou.com",
    "www.embalajesterra.com", "www.crypto.ch", "www.shopbookshop.com",
})  # fmt: skip
"""Folders of the 45 benchmarks for evaluation, nine of each category (tables 5.2 and 13.7); the other 105 are for
training.
"""

MAX_PAGE: Final = 10 << 20
"""Bytes of a page; larger files are passed over."""
MAX_SIBLINGS: Final = 300
"""Pages of a site that its key page is compared with at most, those that it links to first."""

_LABEL: Final = re.compile(r"TECO_(mainContent|notTemplate|mainMenu)[-_]?\d*")
_TRACE: Final = b"TECO_"
_CLASS_ATTRIBUTE: Final = re.compile(rb"""(class\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_TOKEN: Final = re.compile(rb"(?<![^\s\"'])TECO_[\w-]*(?![^\s\"'])")
_PAGE_SUFFIXES: Final = frozenset({"", ".asp", ".aspx", ".htm", ".html", ".jsp", ".php", ".shtml", ".xhtml"})
_DOMAIN: Final = re.compile(r"[^\s/.]+(\.[^\s/.]+)+")
_ESCAPED: Final = {"%": "%25", "?": "%3F", "#": "%23", ";": "%3B"}  # what wget escapes in links to its files


@dataclass(frozen=True, slots=True)
class Place:
    id: str
    """The name of its folder, and the path below it if the folder has several key pages."""
    site: Path
    file: Path
    category: str | None
    """The folder between the suite's and the site's, where there is one."""
    subset: str
    """`training` or `evaluation`."""
    pages: tuple[Path, ...] = field(repr=False)
    """All pages of the site."""


@dataclass(frozen=True, slots=True)
class Tree:
    """How a page's nodes count in scores, by node of the tree that Workspace.parse() makes."""

    counted: bytes
    """1 for elements, comments and texts that are not blank, from the body down."""
    ends: list[int]
    parents: list[int]
    words: dict[int, int]
    """Words of each text that the page shows. Chinese and Japanese count by character."""
    texts: dict[int, str]
    """These texts."""
    links: frozenset[int]
    """Hyperlinks."""

    def text_of(self, nodes: Iterable[int]) -> str:
        """The texts among these nodes, one per line."""
        return "\n".join(self.texts[node] for node in sorted(nodes) if node in self.texts)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A key page without its labels, and the labels."""

    place: Place
    url: str
    html: bytes
    """UTF-8, without the labels."""
    tree: Tree
    gold: dict[Task, frozenset[int]]
    """The nodes of each task that the page has labels for. Every labelled page has a template."""

    def siblings(self) -> Iterator[tuple[str, bytes]]:
        """(address, UTF-8) of other pages of the site, at most MAX_SIBLINGS, beginning with those that the key page
        links to.
        """
        files = {_address(self.place.site, file): file for file in self.place.pages if file != self.place.file}
        document = Document(max_nodes=MAX_NODES)
        document.parse(self.html)
        linked = order_links(document, same_host_links(document, self.url), self.url)
        order = dict.fromkeys([*(url for url, _ in map(urldefrag, linked) if url in files), *files])
        for url in islice(order, MAX_SIBLINGS):
            html = read_file(files[url])
            if html is not None and html.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
                yield url, remove_labels(decode_page(html))


class Unusable(ValueError):
    """A key page that cannot be judged; the message tells why."""


def find_key_pages(suite: Path, evaluation: frozenset[str] = EVALUATION) -> list[Place]:
    """The key pages of a suite, by folder: all pages with a TECO_ class. Raises EvaluationError if there is none.

    A folder is a site if it is named after a domain or holds pages itself. Other folders are categories. Of key pages
    with identical bytes in one folder, only the first counts.
    """
    found = []
    for category, site in _sites(suite, None, depth=3):
        pages = tuple(sorted(_pages(site)))
        keys: dict[bytes, Path] = {}
        for file in pages:
            html = read_file(file)
            if html is not None and _TRACE in html:
                keys.setdefault(sha256(html).digest(), file)
        for file in keys.values():
            path = file.relative_to(site).as_posix()
            found.append(
                Place(
                    site.name if len(keys) == 1 else f"{site.name}/{path}",
                    site,
                    file,
                    category,
                    "evaluation" if site.name in evaluation else "training",
                    pages,
                )
            )
    if not found:
        raise EvaluationError(f"no page in {suite} has a class that begins with TECO_; is it the folder of the suite?")
    return found


def _sites(folder: Path, category: str | None, *, depth: int) -> Iterator[tuple[str | None, Path]]:
    for each in sorted(folder.iterdir()):
        if not each.is_dir() or each.is_symlink():
            continue
        is_site = _DOMAIN.fullmatch(each.name) or any(_is_page(file) for file in each.iterdir())
        if is_site or depth == 1:
            yield category, each
        else:
            yield from _sites(each, each.name, depth=depth - 1)


def _is_page(file: Path) -> bool:
    return file.suffix.lower() in _PAGE_SUFFIXES and S_ISREG(file.lstat().st_mode)


def _pages(site: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(site):
        yield from (file for file in (Path(folder, name) for name in names) if _is_page(file))


def read_file(file: Path) -> bytes | None:
    """The bytes of a page; None if there are too many."""
    with file.open("rb") as stream:
        html = stream.read(MAX_PAGE + 1)
    return None if len(html) > MAX_PAGE else html


def _address(site: Path, file: Path) -> str:
    """The address by which links within the site refer to a file: wget rewrote them to its file names."""
    path = PurePosixPath(file.relative_to(site)).as_posix()
    path = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return f"http://{site.name.lower()}/" + "".join(_ESCAPED.get(letter, letter) for letter in path)


def remove_labels(html: bytes) -> bytes:
    """The page without TECO_ classes. An attribute with no other class is removed as well."""

    def without(match: re.Match[bytes]) -> bytes:
        if _TRACE not in match[2]:
            return match[0]
        value = match[2]
        quote = value[:1] if value[:1] in {b'"', b"'"} else b""
        classes = b" ".join(_TOKEN.sub(b"", value.strip(quote) if quote else value).split())
        return match[1] + quote + classes + quote if classes else b""

    return _CLASS_ATTRIBUTE.sub(without, html) if _TRACE in html else html


def read_benchmark(place: Place) -> Benchmark:
    """A key page with its labels removed. Raises Unusable if the page cannot be judged."""
    source = read_file(place.file)
    if source is None:
        raise Unusable(f"more than {MAX_PAGE:,} bytes")
    labelled = decode_page(source)
    html = remove_labels(labelled)
    workspace = Workspace(Document(max_nodes=MAX_NODES))
    workspace.parse(labelled)
    document = workspace.document
    if document.status != "ok":
        raise Unusable(f"the page is over a limit ({document.status})")
    shape = _shape(document)
    labels: dict[str, list[int]] = {}
    unknown = set()
    for node in range(document.n_nodes):
        for name in _classes(document, node):
            if match := _LABEL.fullmatch(name):
                labels.setdefault(match[1], []).append(node)
            elif name.startswith("TECO_"):
                unknown.add(name)
    if unknown:
        raise Unusable(f"unknown labels: {', '.join(sorted(unknown))}")
    if not labels:
        raise Unusable("TECO_ appears on the page, but is no class of an element")
    workspace.parse(html)
    if _shape(document) != shape:
        raise Unusable("the labels cannot be removed without changing the page's tree")
    if any(name.startswith("TECO_") for node in range(document.n_nodes) for name in _classes(document, node)):
        raise Unusable("the labels cannot be removed from the source")
    tree = _tree(workspace)
    subtrees = {
        name: frozenset(n for root in roots for n in range(root, document.end(root)) if tree.counted[n])
        for name, roots in labels.items()
    }
    gold: dict[Task, frozenset[int]] = {
        "template": frozenset(n for n, counts in enumerate(tree.counted) if counts)
        - subtrees.get("notTemplate", frozenset())
    }
    if "mainContent" in subtrees:
        gold["main content"] = subtrees["mainContent"]
    if "mainMenu" in subtrees:
        gold["menu"] = subtrees["mainMenu"]
    return Benchmark(place, _address(place.site, place.file), html, tree, gold)


def _classes(document: Document, node: int) -> list[str]:
    return document.attributes(node).get("class", "").split()


def _shape(document: Document) -> list[tuple[str, int]]:
    """The names of a tree's nodes and where their subtrees end."""
    return [(document.tag(node), document.end(node)) for node in range(document.n_nodes)]


def _tree(workspace: Workspace) -> Tree:
    """How the nodes of the parsed page count in scores."""
    workspace.measure()
    document, metrics = workspace.document, workspace.metrics
    n_nodes = document.n_nodes
    tags = [document.tag(node) for node in range(n_nodes)]
    ends = [document.end(node) for node in range(n_nodes)]
    parents = [document.parent(node) for node in range(n_nodes)]
    body = next((tags.index(name) for name in ("body", "frameset", "html") if name in tags), 0)
    counted, texts, links = bytearray(n_nodes), {}, set()
    for node in range(body, ends[body]):
        if tags[node] == "#text":
            text = document.text(node)
            counted[node] = bool(text.strip())
            if metrics[node]["characters"]:
                texts[node] = text
        else:
            counted[node] = 1
            if tags[node] == "a" and "href" in document.attributes(node):
                links.add(node)
    words = {node: len(words_cjk(text)) for node, text in texts.items()}
    return Tree(bytes(counted), ends, parents, words, texts, frozenset(links))
