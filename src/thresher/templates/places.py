# SPDX-License-Identifier: Apache-2.0
"""What is known of some pages of a host says what is main text on its other pages: texts at the same place are alike.

The place of a block is the path of elements down to it, with their classes and ids, in which a run of digits counts as
one. A page whose path differs higher up has the same place by its last four, three or two elements.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Sequence
from typing import Final

from thresher.native.parsing.document import Document
from thresher.native.templates.signatures import signatures_of_nodes
from thresher.page.page_extractor import PageExtractor

Place = tuple[object, ...]
_DEPTHS: Final = (4, 3, 2)  # elements of the shorter places, the most exact first
_MOST_WORDS: Final = 50  # of a block that count, so that one long text does not speak for its place alone
_PRIOR: Final = 1.0  # words of main text, and of other text, that each place is taken to have had before
_LIMIT: Final = 2.5  # logits: what the places of other pages can say at most
_UNITS: Final = 4096  # of a logit make 1, as scores have them
_DIGITS: Final = re.compile(r"\d+")


def places_of(extractor: PageExtractor) -> list[list[Place]]:
    """The places of each block of the page that was extracted, the most exact first."""
    document, blocks = extractor.workspace.document, extractor.workspace.blocks
    signatures = signatures_of_nodes(document)
    steps: dict[int, Place] = {}
    found = []
    for number in range(len(blocks)):
        element = blocks[number]["element"]
        path: list[Place] = []
        node = element
        while node > 0 and len(path) < _DEPTHS[0]:
            if node not in steps:
                steps[node] = _step(document, node)
            path.append(steps[node])
            node = document.parent(node)
        places: list[Place] = [(signatures[element],)]
        places += [(depth, *path[:depth]) for depth in _DEPTHS]
        found.append(places)
    return found


def _step(document: Document, node: int) -> Place:
    """What an element of a path is: its name, and its classes and id without their numbers."""
    attributes = document.attributes(node)
    names = f"{attributes.get('class', '')} #{attributes.get('id', '')}"
    return (document.tag(node), *sorted(set(_DIGITS.sub("0", names).split())))


class MainTextByPlace:
    """How much of the text at each place of a host's pages is main text."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._words: dict[Place, list[float]] = {}
        """By place: words of main text, words."""

    def add(self, places: Sequence[Sequence[Place]], main: Sequence[float], words: Sequence[int]) -> None:
        """Adds a page: the places of its blocks, the share of each that is main text, and its words."""
        for of_block, share, n in zip(places, main, words, strict=True):
            for place in of_block:
                counts = self._words.setdefault(place, [0.0, 0.0])
                counts[0] += share * min(n, _MOST_WORDS)
                counts[1] += min(n, _MOST_WORDS)

    def evidence(self, places: Sequence[Sequence[Place]]) -> bytes | None:
        """What other pages say of each block of a page, for PageExtractor.classify(): log odds as signed 16-bit
        integers. None if no place is known.
        """
        found = array("h", bytes(2 * len(places)))
        for number, of_block in enumerate(places):
            counts = next((self._words[place] for place in of_block if place in self._words), None)
            if counts is not None:
                odds = math.log((counts[0] + _PRIOR) / (counts[1] - counts[0] + _PRIOR))
                found[number] = round(_UNITS * max(-_LIMIT, min(_LIMIT, odds)))
        return found.tobytes() if any(found) else None
