# SPDX-License-Identifier: Apache-2.0
"""Why the learned extractor scored a block as it did.

The effect of a feature is how much the block's score would fall, in logits, if the feature had the value of other
blocks on the page. It is the mean over a few of them, from the lowest score to the highest. A feature that both stages
use is replaced in both, and the second stage gets the first stage's new score. So effects come from the model itself,
and a feature that is constant on the page has none. Two features with the same information share an effect, or hide
each other's. This explains the model one feature at a time, not the page.
"""

from __future__ import annotations

import base64
import json
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from thresher.native.scoring.context import Context
from thresher.native.scoring.feature_table import CONTEXT_FEATURES, DECLARED, FEATURES
from thresher.native.scoring.features import Features
from thresher.native.scoring.model import MODEL_FILE
from thresher.native.scoring.trees import Trees
from thresher.native.workspace import Workspace

NAMES: Final = (*FEATURES, *CONTEXT_FEATURES)
_FIRST_SCORE: Final = NAMES.index("first_score")
_LOGIT: Final = 4096
_ABOUT: Final = {each.name: each for each in DECLARED}
BACKGROUND: Final = 6
"""Other blocks whose values a feature takes."""
DECIDING: Final = 3
"""Features that are named."""


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """The features of a page's blocks, [feature][block], and the scores in 1/4096 of a logit."""

    columns: list[array[int]]
    scores: array[int]
    by_score: list[int]  # the blocks, lowest score first

    def values(self, block: int) -> dict[str, float]:
        """The features of a block by name, in readable units: shares from 0 to 1."""
        found = {}
        for name, column in zip(NAMES, self.columns, strict=True):
            about = _ABOUT.get(name)
            found[name] = column[block] / about.unit.scale if about is not None and about.unit.scale else column[block]
        return found


class Explainer:
    """Explains scores of the package's model. Not for use by two threads at once."""

    def __init__(self) -> None:
        content = json.loads(files("thresher").joinpath(MODEL_FILE).read_text("utf-8"))
        self._weights = base64.b64decode(content["token_weights"])
        self._first = Trees(content["first_trees"], len(FEATURES))
        self._second = Trees(content["block_trees"], len(NAMES))
        trees = [*content["first_trees"], *content["block_trees"]]
        self._used = sorted({split[0] for splits, _ in trees for split in splits} - {_FIRST_SCORE})
        self._features = Features()
        self._context = Context()

    def table(self, workspace: Workspace) -> FeatureTable | None:
        """The features of the page in a workspace that was measured with concealed text; None if it has no blocks."""
        features = self._features
        features.compute(workspace.document, workspace.metrics, workspace.blocks, self._weights)
        n = features.n_blocks
        if n == 0:
            return None
        values = features.values()
        first = self._first.score_bytes(values, n)
        values += self._context.compute(features, [each / _LOGIT for each in array("h", first)])
        width = 2 * n
        columns = [array("h", values[start : start + width]) for start in range(0, len(values), width)]
        second = array("h", self._second.score_bytes(values, n))
        scores = array("h", [(one + other) >> 1 for one, other in zip(array("h", first), second, strict=True)])
        return FeatureTable(columns, scores, sorted(range(n), key=scores.__getitem__))

    def deciding(self, table: FeatureTable, block: int, n: int = DECIDING) -> list[dict[str, Any]]:
        """The `n` features with the largest effects on a block's score, largest first: name, meaning, value, effect."""
        others = _spread(table.by_score, block)
        variants: list[tuple[int, int, int]] = []  # feature, value, number of the other blocks that have it
        for feature in self._used:
            column = table.columns[feature]
            counts = Counter(column[other] for other in others)
            variants += [(feature, value, count) for value, count in counts.items() if value != column[block]]
        if not variants:
            return []
        scores = self._score(table, block, variants)
        effects: Counter[int] = Counter()
        for (feature, _, count), score in zip(variants, scores[:-1], strict=True):
            effects[feature] += count * (scores[-1] - score)
        found = []
        values = table.values(block)
        for feature, effect in sorted(effects.items(), key=lambda item: (-abs(item[1]), item[0]))[:n]:
            if effect:
                name = NAMES[feature]
                found.append(
                    {
                        "feature": name,
                        "meaning": _ABOUT[name].meaning if name in _ABOUT else name.replace("_", " "),
                        "value": round(values[name], 4),
                        "effect": round(effect / len(others) / _LOGIT / 2, 4),
                    }
                )
        return found

    def _score(self, table: FeatureTable, block: int, variants: Sequence[tuple[int, int, int]]) -> list[int]:
        """Twice the score of the block under each variant; the last entry is for the block unchanged."""
        n_rows = len(variants) + 1
        rows: list[array[int]] = [array("h", [column[block]]) * n_rows for column in table.columns]
        for row, (feature, value, _) in enumerate(variants):
            rows[feature][row] = value
        first = self._first.score_bytes(b"".join(row.tobytes() for row in rows[: len(FEATURES)]), n_rows)
        rows[_FIRST_SCORE] = array("h", first)
        second = self._second.score_bytes(b"".join(row.tobytes() for row in rows), n_rows)
        return [one + other for one, other in zip(array("h", first), array("h", second), strict=True)]


def _spread(by_score: list[int], block: int) -> list[int]:
    """A few other blocks, at even steps of score."""
    at = by_score.index(block)
    n = len(by_score) - 1
    steps = range(n) if n <= BACKGROUND else [number * (n - 1) // (BACKGROUND - 1) for number in range(BACKGROUND)]
    return [by_score[step + (step >= at)] for step in steps]


@cache
def explainer() -> Explainer:
    return Explainer()
