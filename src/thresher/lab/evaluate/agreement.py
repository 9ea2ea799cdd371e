# SPDX-License-Identifier: Apache-2.0
"""How far two annotators agree on the classes of blocks."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from thresher.lab.evaluate.block_classes import CLASSES, MAIN, OPTIONAL

Label = TypeVar("Label", bound=Hashable)


def kappa(pairs: Counter[tuple[Label, Label]]) -> float | None:
    """Cohen's kappa of two annotators, by how often, or with what weight, each pair of labels was given.

    None if chance alone would agree on all of them.
    """
    n = pairs.total()
    if not n:
        return None
    first: Counter[Label] = Counter()
    second: Counter[Label] = Counter()
    for (a, b), weight in pairs.items():
        first[a] += weight
        second[b] += weight
    observed = sum(weight for (a, b), weight in pairs.items() if a == b) / n
    expected = sum(first[label] * second[label] for label in first) / n**2
    return None if expected == 1 else round((observed - expected) / (1 - expected), 4)


@dataclass(frozen=True, slots=True)
class Twice:
    kind: str
    language: str
    words: Sequence[int]
    """Words of each block."""
    first: Sequence[str]
    """The class of each block by one annotator."""
    second: Sequence[str]

    def pairs(self, *, by_words: bool) -> Counter[tuple[Hashable, Hashable]]:
        """How many blocks, or words, have which two classes."""
        found: Counter[tuple[Hashable, Hashable]] = Counter()
        for words, a, b in zip(self.words, self.first, self.second, strict=True):
            found[a, b] += words if by_words else 1
        return found


def degree(name: str) -> str:
    """What the tolerant measure makes of a class: `must`, `may` or `not` be kept."""
    return "must" if name == MAIN else "may" if name in OPTIONAL else "not"


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two annotators agree on a group of pages."""

    name: str
    pages: int
    words: int
    """Words that either calls by the class; of a group of pages all words."""
    blocks_kappa: float | None
    words_kappa: float | None
    differ: float
    """The share of `words` on which they differ."""


def by_class(pages: Iterable[Twice]) -> list[Agreement]:
    """The agreement on each class against all others, then on all classes and on must, may and not."""
    pages = list(pages)
    pairs = {by_words: _sum(pages, by_words=by_words) for by_words in (False, True)}
    found = []
    for name in CLASSES:
        binary = {key: _map(value, {name: name}) for key, value in pairs.items()}
        found.append(_agreement(name, sum(name in (*page.first, *page.second) for page in pages), binary, either=name))
    found.append(_agreement("all classes", len(pages), pairs))
    degrees = {key: _map(value, {each: degree(each) for each in CLASSES}) for key, value in pairs.items()}
    return [*found, _agreement("must, may, not", len(pages), degrees)]


Pairs = Counter[tuple[Hashable, Hashable]]


def _sum(pages: Iterable[Twice], *, by_words: bool) -> Pairs:
    total: Pairs = Counter()
    for page in pages:
        total.update(page.pairs(by_words=by_words))
    return total


def _map(pairs: Pairs, names: dict[str, str]) -> Pairs:
    """The pairs under other names; what has none is None."""
    found: Pairs = Counter()
    for (a, b), weight in pairs.items():
        found[names.get(str(a)), names.get(str(b))] += weight
    return found


def _agreement(name: str, n_pages: int, pairs: dict[bool, Pairs], either: str | None = None) -> Agreement:
    words = pairs[True]
    counted = {pair: weight for pair, weight in words.items() if either is None or either in pair}
    differ = sum(weight for (a, b), weight in counted.items() if a != b)
    total = sum(counted.values())
    return Agreement(
        name=name,
        pages=n_pages,
        words=total,
        blocks_kappa=kappa(pairs[False]),
        words_kappa=kappa(words),
        differ=differ / total if total else 0.0,
    )
