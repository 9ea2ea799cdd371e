# SPDX-License-Identifier: Apache-2.0
from typing import final

from thresher.native.facts.kinds import KindWeights

@final
class Ranker:
    """What each piece of evidence weighs for one fact."""

    def __init__(self, weights: dict[str, int], least: int) -> None: ...

@final
class FactWeights:
    """All that was fitted for the facts of a page."""

    def __init__(
        self,
        kinds: KindWeights,
        site: Ranker,
        author: Ranker,
        names: tuple[tuple[str, str], ...],
        undated: tuple[int, ...],
        most_undated: float,
    ) -> None: ...
