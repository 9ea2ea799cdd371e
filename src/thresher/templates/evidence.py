# SPDX-License-Identifier: Apache-2.0
"""What is decided from what other pages of a host have: the second decision beside a page's own (docs/templates.md,
"Fused").
"""

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

# For extractors that score no block a block is template if so many other pages have it, and this share of the known
# ones.
MIN_OTHERS: Final = 2
MIN_SHARE: Final = 0.03

MIN_MOVED: Final = 0.05
"""Share of the kept characters above which a page is decided again: on dragnet, daniel and wwwxmu_cn a fifth to a
quarter of the pages. With earlier weights (.40, .35 and .13 of the pages) the gain in word F1 was the same as for any
block that moves at all (.74, .67 and .52 of the pages).
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows for one page."""

    template_share: float
    """Share of its characters that other pages have too."""
    evidence: bytes | None = None
    """For each block what to add to its score, signed 16-bit, 1/4096 of a logit, never above 0; None where nothing
    changes, or there are no scores.
    """
    unwanted: bytes | None = None
    """For each block a byte that is not 0 where it is to be dropped; None where nothing changes, or there are scores.
    """

    @property
    def changes(self) -> bool:
        """Whether the page has to be decided again."""
        return self.evidence is not None or self.unwanted is not None


class Model:
    """Boosted trees that turn what is known of a block into a logit to be added to its score.

    Only what speaks against a block is taken: that a block is repeated nowhere says little for it. In cross-validation
    over sites both directions gained .0001 more on the mean of four sets, and a site lost more than .01 by what spoke
    for its blocks (scores of model 2).
    """

    def __init__(self, trees: list[Any]) -> None:
        """From trees as thresher.train exports them."""
        self._trees = Trees(trees, len(EVIDENCE_FEATURES))

    def weigh(self, scores: bytes, sizes: bytes, counts: bytes, known: int) -> bytes:
        """For each block what to add to its score, in 1/4096 of a logit, as signed 16-bit integers, none above 0."""
        features = evidence_features(scores, sizes, counts, known)
        return negative_evidence(self._trees.score_bytes(features, len(scores) // 2))


@lru_cache(maxsize=1)
def default_model() -> Model:
    """The model that the package holds. Raises ValueError where it is of another version of the features."""
    model = json.loads(files("thresher").joinpath(MODEL_FILE).read_text("utf-8"))
    if model["format"] != MODEL_FORMAT or model["features"] != list(EVIDENCE_FEATURES):
        raise ValueError(
            "the model of templates is of another version of the features; thresher.train.templates makes one"
        )
    return Model(model["trees"])


def decide(scores: bytes | None, sizes: bytes, kept: bytes, counts: bytes, known: int, model: Model) -> Decision:
    """What follows for a page of which `known` (at least 1) other pages of its host are known.

    `counts`: for each block how many of these have it, signed 32-bit; -1 where there is nothing to count. A page of
    which hardly any text changes sides (MIN_MOVED) is left as it is.
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
    """Whether a second decision takes the place of the first: where the F1 that is expected of it is not lower. Both
    are as the table `pages` holds them.

    Where what a host repeats is what its pages are about (products in several lists, the menu of a portal), a choice
    without it looks worse, and is. Without this rule two sites of 60 lose .04 and .01 in cross-validation and the mean
    of four sets gains .0029; with it none loses more than .01, and the gain is .0024.
    """
    return before is None or after is None or _as_column(after) >= _as_column(before)


def _as_column(number: float) -> float:
    """A number as a column of 32-bit floats gives it back."""
    return array("f", [number])[0]
