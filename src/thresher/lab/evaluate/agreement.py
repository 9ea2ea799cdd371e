# SPDX-License-Identifier: Apache-2.0
"""How far two annotators agree on the classes of blocks."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
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
    blocks = [each for page in pages for each in zip(page.words, page.first, page.second, strict=True)]
    of_class = [
        _agreement(name, sum(name in (*page.first, *page.second) for page in pages), blocks, {name: name}.get)
        for name in CLASSES
    ]
    both = _agreement("all classes", len(pages), blocks, str), _agreement("must, may, not", len(pages), blocks, degree)
    return [*of_class, *both]


def _agreement(
    name: str, n_pages: int, blocks: Sequence[tuple[int, str, str]], label: Callable[[str], str | None]
) -> Agreement:
    """The agreement on what `label` calls the classes of blocks (words, by one annotator, by the other). Blocks that
    both give a class without a label are not among the words of the group.
    """
    of_blocks: Counter[tuple[str | None, str | None]] = Counter()
    of_words = of_blocks.copy()
    for words, one, other in blocks:
        pair = label(one), label(other)
        of_blocks[pair] += 1
        of_words[pair] += words
    total = of_words.total() - of_words[None, None]
    differ = sum(words for (one, other), words in of_words.items() if one != other)
    return Agreement(name, n_pages, total, kappa(of_blocks), kappa(of_words), differ / total if total else 0.0)
