# SPDX-License-Identifier: Apache-2.0
"""The URL tree in stream order: each page is judged by the pages that came before it, and itself (Sluban and Grčar
2013, section 4).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from thresher.errors import nearest
from thresher.page.url_keys import UrlKey

DAY: Final = 86400.0


@dataclass(frozen=True, slots=True)
class Heuristic:
    """How a node of the branch is chosen, and from what count on a block is boilerplate there."""

    name: str
    n_min: int = 5
    """Pages that a node must have seen; the deepest node that has is chosen, the domain where none has."""
    c_max: int = 1
    """Pages of the chosen node that may have a block without its being boilerplate."""
    at_domain: bool = False
    """Whether the domain is chosen always."""
    relaxed_above: int | None = None
    """Pages of the domain above which one page more may have the block; None: never."""

    def choose(self, supports: Sequence[int]) -> tuple[int, int]:
        """(place in the branch, c_max there) for a branch whose nodes, from the domain to the leaf, have seen so many
        pages.
        """
        place = 0
        if not self.at_domain:
            place = next((k for k in range(len(supports) - 1, 0, -1) if supports[k] >= self.n_min), 0)
        relaxed = self.relaxed_above is not None and supports[0] > self.relaxed_above
        return place, self.c_max + relaxed


_PARAMETRISED: Final = re.compile(r"(strict-support|relaxed-at-domain)-(\d{1,9})")
HEURISTICS: Final = ("strict", "strict-support-100", "strict-at-domain", "relaxed-at-domain-500")


def heuristic(name: str) -> Heuristic:
    """The heuristic of that name (section 5.4): strict, strict-support-N, strict-at-domain, relaxed-at-domain-N.

    Raises ValueError for another name.
    """
    if name == "strict":
        return Heuristic(name)
    if name == "strict-at-domain":
        return Heuristic(name, at_domain=True)
    found = _PARAMETRISED.fullmatch(name)
    if found and found[1] == "strict-support":
        return Heuristic(name, n_min=int(found[2]) + 1)  # "support greater than N"
    if found:
        return Heuristic(name, at_domain=True, relaxed_above=int(found[2]))
    known = f"Known: {', '.join(HEURISTICS)}, with any number at the end"
    raise ValueError(f"unknown heuristic {name!r}{nearest(name, HEURISTICS)} {known}")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the tree holds of one domain (section 6)."""

    max_pages: int = 10_000
    max_age: float = 14 * DAY
    """Seconds; older pages are dropped."""
    min_pages: int = 100
    """The last so many pages stay, however old."""


@dataclass(slots=True)
class _Node:
    pages: int = 0
    counts: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Page:
    time: float
    key: str
    nodes: tuple[str, ...]
    fingerprints: tuple[int, ...]


@dataclass(slots=True)
class _Domain:
    nodes: dict[str, _Node] = field(default_factory=dict)
    pages: deque[_Page] = field(default_factory=deque)
    keys: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Verdict:
    duplicate: bool
    """Whether a page with the same URL key is in the tree; the page was not added then."""
    node: str
    """The node that was asked."""
    support: int
    """Pages it has seen, this one included."""
    counts: list[int]
    """For each block the pages of the node that have it, this one included."""
    boilerplate: list[bool]
    """For each block whether it is boilerplate."""


class UrlTree:
    """A forest of URL trees, one for each registered domain, that is fed pages in the order of the stream.

    Bounded: by `Bounds` for each domain, and by `max_domains` domains, of which the one that was fed least recently is
    dropped.
    """

    def __init__(self, rule: Heuristic, bounds: Bounds | None = None, *, max_domains: int = 100_000) -> None:
        self._rule = rule
        self._bounds = bounds or Bounds()
        self._max_domains = max_domains
        self._domains: dict[str, _Domain] = {}

    def judge(self, key: UrlKey, time: float, fingerprints: Iterable[int]) -> Verdict:
        """Add a page, unless its URL key is there, and say which of its blocks are boilerplate.

        `time` is in seconds and rises along the stream; `fingerprints` are those of the page's blocks. In the paper a
        page is in the tree when it is judged; so it is here, and a count of 1 is the page's own.
        """
        prints = list(fingerprints)
        domain = self._domains.pop(key.domain, None) or _Domain()
        self._domains[key.domain] = domain  # now the last in the dictionary's order
        if len(self._domains) > self._max_domains:
            del self._domains[next(iter(self._domains))]
        nodes = tuple(key.nodes())
        name = str(key)
        duplicate = name in domain.keys
        if not duplicate:
            self._add(domain, _Page(time, name, nodes, tuple(set(prints))))
        branch = [domain.nodes.get(node) or _Node() for node in nodes]
        place, c_max = self._rule.choose([node.pages for node in branch])
        counts = [branch[place].counts[each] for each in prints]
        return Verdict(duplicate, nodes[place], branch[place].pages, counts, [count > c_max for count in counts])

    def pages(self, domain: str) -> int:
        """How many pages of a registered domain are in the tree."""
        return len(self._domains[domain].pages) if domain in self._domains else 0

    def _add(self, domain: _Domain, page: _Page) -> None:
        for name in page.nodes:
            node = domain.nodes.setdefault(name, _Node())
            node.pages += 1
            node.counts.update(page.fingerprints)
        domain.pages.append(page)
        domain.keys.add(page.key)
        bounds = self._bounds
        while len(domain.pages) > bounds.max_pages or (
            len(domain.pages) > bounds.min_pages and domain.pages[0].time < page.time - bounds.max_age
        ):
            self._drop(domain)

    @staticmethod
    def _drop(domain: _Domain) -> None:
        """Take the oldest page out, and every count and node that falls to nothing."""
        page = domain.pages.popleft()
        domain.keys.discard(page.key)
        for name in page.nodes:
            node = domain.nodes[name]
            node.pages -= 1
            if not node.pages:
                del domain.nodes[name]
                continue
            for each in page.fingerprints:
                if node.counts[each] == 1:
                    del node.counts[each]
                else:
                    node.counts[each] -= 1
