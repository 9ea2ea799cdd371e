# SPDX-License-Identifier: Apache-2.0
"""Templates by structure: what of a page's tree other pages of its site have at the same place (Alarte 2023, chapters 7
to 11).

Three ways from a page and some others of its site: TemEx (what is mapped on most of them is template), HybEx (the same
after page-level ConEx took the main content out) and site-level ConEx (what is mapped on none is main content). Which
others: those that link to each other and to which the page links (hyperlink analysis), among the pages that are there;
nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.parsing.document import Document
from thresher.native.templates.hyperlinks import base_href, farthest_first, hyperlinks
from thresher.native.templates.mapping import Mapping
from thresher.native.templates.outline import Outline
from thresher.native.templates.profiles import Profiles
from thresher.native.templates.site import Occurrences
from thresher.native.workspace import Workspace

MAX_NODES: Final = 200_000
"""Of a page that is mapped; what lies beyond is not looked at. Mapping two such pages takes seconds where they were
made for it.
"""

MAX_LINKS: Final = 512
"""Links of a page that are followed: their order takes time that grows with the square of their number."""

MAX_STEPS: Final = 100_000
"""Of one search for pages that link to each other; then the largest set found so far is taken."""

COPY: Final = 1
"""A page with at most so many texts that another one has not is a copy of it, with another date perhaps; that one says
nothing about it.
"""


@dataclass(frozen=True, slots=True)
class Method:
    """A set of rules of the thesis: how alike two nodes must be, and how many pages are compared."""

    class_weight: float
    position_weight: float
    attribute_weight: float
    children_weight: float
    threshold: float
    option: int
    pages: int
    """n of the n-CS: how many pages a page is mapped to."""
    childnodes: int
    """From how many children on they are mapped in groups (section 9.3.1)."""
    group: int = 100

    def mapping(self) -> Mapping:
        return Mapping(
            class_weight=self.class_weight,
            position_weight=self.position_weight,
            attribute_weight=self.attribute_weight,
            children_weight=self.children_weight,
            threshold=self.threshold,
            option=self.option,
        )


TEMEX: Final = Method(0.1, 0.1, 0.5, 0.3, 0.7, option=2, pages=3, childnodes=200)
"""Table 8.5, first row; section 9.3.1. HybEx has the same."""

CONEX: Final = Method(0.1, 0.0, 0.2, 0.7, 0.9, option=4, pages=4, childnodes=300)
"""Table 10.2, first row; table 10.8."""

VOTES: Final = 2
"""On how many of the pages a node must be mapped to be template (table 8.4)."""


def hyperlink_distance(origin: str, target: str) -> int:
    """How many directories lie between two addresses: 0 for the same one, n for n levels below, -n for n levels to
    climb first (definition 4.2.1).
    """
    one, other = _directories(origin), _directories(target)
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return len(other) - common if common == len(one) else common - len(one)


def _nearness(url: str, other: str | None) -> tuple[int, int]:
    """What addresses are put in order by: the same directory first, then below it, then above, then none."""
    if other is None:
        return (2, 0)
    distance = hyperlink_distance(url, other)
    return (0, distance) if distance >= 0 else (1, -distance)


def _directories(url: str) -> list[str]:
    """The host and the directories of an address; what comes after the last slash is no directory."""
    address = url.split("://", 1)[-1].split("?", 1)[0].split("#", 1)[0]
    if "/" not in address:
        return [address]
    return [word for word in address.rsplit("/", 1)[0].split("/") if word]


def same_host_links(document: Document, url: str) -> dict[str, int]:
    """Address → node of the first link to it, in document order: other pages of the same host, fragments cut off, at
    most MAX_LINKS.

    Relative addresses are resolved against the base element where there is one, else against `url`. What is no address
    is left out.
    """
    host, own = _host(url), urldefrag(url)[0]
    base = url
    declared = base_href(document)
    found: dict[str, int] = {}
    try:
        if declared is not None:
            base = urljoin(url, declared.strip())
    except ValueError:
        pass
    for node, href in hyperlinks(document):
        try:
            target = urldefrag(urljoin(base, href.strip()))[0]
        except ValueError:
            continue
        if target != own and target not in found and _host(target) == host:
            found[target] = node
            if len(found) == MAX_LINKS:
                break
    return found


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).netloc.lower() or None
    except ValueError:
        return None


def order_links(document: Document, links: dict[str, int], url: str) -> list[str]:
    """The links in the order in which they are tried (algorithm 8): same directory first, then below it, then above; of
    these each time the one that stands farthest from all tried before.
    """
    groups: dict[tuple[int, int], list[str]] = {}
    for target in links:
        groups.setdefault(_nearness(url, target), []).append(target)
    order: list[str] = []
    for _, targets in sorted(groups.items()):
        order += [targets[place] for place in farthest_first(document, [links[target] for target in targets])]
    return order


def complete_subdigraph(
    order: Sequence[str], n: int, links_of: Callable[[str], AbstractSet[str] | None]
) -> tuple[list[str], int]:
    """(pages, how many were looked at): n pages that all link to each other, or the largest such set there is
    (algorithm 9).

    `order`: the links of the key page, best first. `links_of` gives the links of a page, None if the page is not
    there. The pages are in the order in which they were found; the search ends after MAX_STEPS pairs were compared.
    """
    reach = set(order)
    edges: dict[str, AbstractSet[str]] = {}
    best: list[str] = []
    looked_at = 0
    left = MAX_STEPS
    for page in order:
        linked = links_of(page)
        looked_at += linked is not None
        if linked is None:
            continue
        mates = [mate for mate in edges if page in edges[mate] and mate in linked]
        edges[page] = linked & reach
        found, left = _largest_clique(mates, edges, n - 1, left)
        if len(found) + 1 > len(best):
            best = [*found, page]
        if len(best) >= n or left <= 0:
            break
    return best, looked_at


def _largest_clique(
    mates: Sequence[str], edges: dict[str, AbstractSet[str]], size: int, steps: int
) -> tuple[list[str], int]:
    """(pages, steps left): the largest set of at most `size` pages that link to each other, the first one in the order
    of `mates`.
    """
    best: list[str] = []
    # Of each level the place in its candidates, the candidates; the set is what the levels above chose.
    levels: list[tuple[int, list[str]]] = [(0, list(mates))]
    chosen: list[str] = []
    while levels and len(best) < size and steps > 0:
        place, candidates = levels.pop()
        if len(chosen) > len(levels):
            chosen.pop()
        if place == len(candidates) or len(chosen) + len(candidates) - place <= len(best):
            continue
        page = candidates[place]
        levels.append((place + 1, candidates))
        chosen.append(page)
        steps -= len(candidates) - place
        if len(chosen) > len(best):
            best = list(chosen)
        levels.append(
            (0, [other for other in candidates[place + 1 :] if other in edges[page] and page in edges[other]])
        )
    return best, steps


@dataclass(slots=True)
class _Page:
    url: str | None
    outline: Outline
    links: list[str] = field(default_factory=list)  # in the order of algorithm 8


class Site:
    """Pages of one site, to be compared with each other. Nothing that is in a page makes it raise."""

    def __init__(self, method: Method = TEMEX) -> None:
        """An empty site whose pages are compared as `method` says."""
        self.method = method
        self._mapping = method.mapping()
        self._profiles = Profiles()
        self._workspace = Workspace(Document(max_nodes=MAX_NODES))
        self._pages: list[_Page] = []
        self._numbers: dict[str, int] = {}
        self._edges: dict[int, frozenset[str]] = {}

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, html: bytes, url: str | None = None) -> int:
        """Takes in a page of UTF-8; its number. Of two pages with the same address the first is the one that links lead
        to.
        """
        document = self._workspace.document
        self._workspace.parse(html)
        page = _Page(url, self._outline(None))
        if url is not None:
            page.links = order_links(document, same_host_links(document, url), url)
            self._numbers.setdefault(urldefrag(url)[0], len(self._pages))
        self._pages.append(page)
        return len(self._pages) - 1

    def _outline(self, without: bytes | None) -> Outline:
        outline = Outline(self._profiles)
        outline.read(
            self._workspace.document, without=without, childnodes=self.method.childnodes, group=self.method.group
        )
        return outline

    def candidates(self, number: int, *, fill: bool = True) -> list[int]:
        """The pages that page `number` is best compared with, as many as the method says or fewer.

        First the pages of its n-CS among those that are there. To `fill` these up, further ones that it links to, in
        their order; then those whose address is nearest; without addresses, those that came next. Copies of the page
        are left out.
        """
        n = self.method.pages
        found, _ = complete_subdigraph(self._pages[number].links, n, self._links_of)
        chosen = [other for url in found if not self._is_copy(number, other := self._numbers[url])]
        for other in self._further(number) if fill else ():
            if len(chosen) >= n:
                break
            if other not in chosen and not any(self._is_copy(each, other) for each in (number, *chosen)):
                chosen.append(other)
        return chosen

    def _links_of(self, url: str) -> AbstractSet[str] | None:
        number = self._numbers.get(url)
        if number is None:
            return None
        if number not in self._edges:
            self._edges[number] = frozenset(self._pages[number].links)
        return self._edges[number]

    def _further(self, number: int) -> Iterable[int]:
        """The other pages, likely ones first."""
        page = self._pages[number]
        for url in page.links:
            if url in self._numbers:
                yield self._numbers[url]
        others = [(number + step) % len(self._pages) for step in range(1, len(self._pages))]
        if page.url is not None:
            others.sort(key=lambda other: _nearness(page.url or "", self._pages[other].url))
        yield from others

    def _is_copy(self, one: int, other: int) -> bool:
        return one == other or self._pages[one].outline.leaves_not_in(self._pages[other].outline) <= COPY

    def occurrences(
        self, number: int, candidates: Sequence[int] | None = None, key: Outline | None = None
    ) -> Occurrences:
        """How often each node of page `number`, or of what `key` left of it, is mapped on the candidates (by default:
        `candidates(number)`).
        """
        if candidates is None:
            candidates = self.candidates(number)
        outlines = [self._pages[other].outline for other in candidates]
        return Occurrences(key or self._pages[number].outline, outlines, self._mapping)

    def template(self, number: int, candidates: Sequence[int] | None = None, *, votes: int = VOTES) -> bytes:
        """TemEx: one byte per node of the page's tree, 1 for template. Without candidates nothing is."""
        return self.occurrences(number, candidates).template(votes)

    def template_around(self, number: int, html: bytes, candidates: Sequence[int] | None = None) -> bytes:
        """HybEx: template() after removing the main content that page-level ConEx finds. `html` is the same page."""
        workspace = self._workspace
        workspace.parse(html)
        workspace.measure()
        workspace.classify(EXTRACTORS["conex"])
        key = self._outline(workspace.node_marks())
        return self.occurrences(number, candidates, key).template(VOTES)

    def main_content(self, number: int, candidates: Sequence[int] | None = None) -> bytes:
        """Site-level ConEx: one byte per node, 1 for main content; a Site of the method CONEX is meant for it."""
        return self.occurrences(number, candidates).main_content()
