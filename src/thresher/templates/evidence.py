# SPDX-License-Identifier: Apache-2.0
"""The second decision on a page, from what other pages of its host have (docs/templates.md)."""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from thresher.native.scoring.trees import Trees
from thresher.native.templates.evidence import (
    EVIDENCE_FEATURES,
    evidence_features,
    moved_share,
    negative_evidence,
    repeated_share,
    template_blocks,
)

MODEL_FILE: Final = "models/templates-1.json"
MODEL_FORMAT: Final = 1

# For extractors without scores, a block is template if at least this many other pages have it, and this share of all
# known ones.
MIN_OTHERS: Final = 2
MIN_SHARE: Final = 0.03

MIN_MOVED: Final = 0.05
"""Share of the kept characters above which a page is decided again: on dragnet, daniel and wwwxmu_cn a fifth to a
quarter of the pages. With earlier weights (.40, .35 and .13 of the pages) the gain in word F1 was the same as for any
block that moves at all (.74, .67 and .52 of the pages).
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """The second decision on a page."""

    template_share: float
    """Share of its characters that other pages have too."""
    evidence: bytes | None = None
    """What to add to each block's score: signed 16-bit, 1/4096 of a logit, never above 0. None if nothing changes, or
    if there are no scores.
    """
    unwanted: bytes | None = None
    """A byte per block, not 0 if the block is to be dropped. None if nothing changes, or if there are scores."""

    @property
    def changes(self) -> bool:
        """Whether the page must be decided again."""
        return self.evidence is not None or self.unwanted is not None


class Model:
    """Boosted trees that turn evidence about a block into a logit to add to its score.

    Only evidence against a block is used: a block that is repeated nowhere is not more likely to be main text. In
    cross-validation over sites, using both directions gained 0.0001 on the mean of four sets, and one site lost more
    than 0.01 from evidence for its blocks (scores of model 2). Blocks without letters, which cannot be compared, get
    none: with it, seven pages of 2,135 lose a price of their gold text, without it five, and F1 is the same (model 7).
    """

    def __init__(self, trees: list[Any]) -> None:
        """From trees as thresher.lab.train exports them."""
        self._trees = Trees(trees, len(EVIDENCE_FEATURES))

    def weigh(self, scores: bytes, sizes: bytes, counts: bytes, known: int) -> bytes:
        """For each block what to add to its score, in 1/4096 of a logit, as signed 16-bit integers, none above 0."""
        features = evidence_features(scores, sizes, counts, known)
        return negative_evidence(self._trees.score_bytes(features, len(scores) // 2), counts)


@lru_cache(maxsize=1)
def default_model() -> Model:
    """The model in the package. Raises ValueError if it was made for other features."""
    model = json.loads(files("thresher").joinpath(MODEL_FILE).read_text("utf-8"))
    if model["format"] != MODEL_FORMAT or model["features"] != list(EVIDENCE_FEATURES):
        raise ValueError(
            "the template model was made for other features; rebuild it with python -m thresher.lab.train.templates"
        )
    return Model(model["trees"])


def decide(scores: bytes | None, sizes: bytes, kept: bytes, counts: bytes, known: int, model: Model) -> Decision:
    """The decision for a page, given how many of `known` (at least 1) other pages of its host have each block.

    `counts` holds a signed 32-bit number per block: how many of these pages have it, or -1 if there is nothing to
    count. A page keeps its first decision if hardly any text changes sides (MIN_MOVED).
    """
    share = repeated_share(sizes, counts)
    if share == 0.0:
        return Decision(0.0)
    if scores is None:
        # A page of nothing but repeated text is left as it is: a copy that was not recognised, or an index.
        return Decision(
            share, unwanted=template_blocks(kept, sizes, counts, max(min(MIN_OTHERS, known), MIN_SHARE * known))
        )
    evidence = model.weigh(scores, sizes, counts, known)
    return Decision(share, evidence=evidence if moved_share(scores, sizes, kept, evidence) > MIN_MOVED else None)


def is_taken(before: float | None, after: float | None) -> bool:
    """Whether a second decision replaces the first: its expected F1 must not be lower. Both are as in the table
    `pages`.

    On some hosts, repeated text is what the pages are about (products in several lists, the menu of a portal). A choice
    without it looks worse, and is. Without this rule, two of 60 sites lose 0.04 and 0.01 in cross-validation, and the
    mean of four sets gains 0.0029. With it, none loses more than 0.01, and the gain is 0.0024.
    """
    return before is None or after is None or _as_column(after) >= _as_column(before)


def _as_column(number: float) -> float:
    """A number as a column of 32-bit floats gives it back."""
    return array("f", [number])[0]
