# SPDX-License-Identifier: Apache-2.0
from typing import final

from thresher.native.facts.names import NameWeights
from thresher.native.facts.page_types import TypeWeights

@final
class Ranker:
    """How much the evidence of a candidate for one fact speaks for it."""

    def __init__(self, trees: list[tuple[list[tuple[str, int, int]], list[int]]], least: int) -> None: ...
    def scored(self, candidates: list[set[str]]) -> list[int]: ...

@final
class FactWeights:
    """All that was fitted for the facts of a page."""

    def __init__(
        self,
        type_weights: TypeWeights,
        site: Ranker,
        author: Ranker,
        date: Ranker,
        title: Ranker,
        names: NameWeights,
        likely: float,
    ) -> None: ...
