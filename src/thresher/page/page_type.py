# SPDX-License-Identifier: Apache-2.0
"""The type of a page: article, product, recipe, forum, listing, documentation or other.

What speaks for a type are the types of the page's JSON-LD, og:type, the generator, classes of its body, words of its
address, whether it is dated and signed, and what its main text is made of: how much, in how long blocks, with how many
links, headings and items. Each piece of evidence has a weight for each type (page_types.tsv, fitted
by `python -m thresher.lab.train.page_types`), as in a logistic regression; the score is a probability.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from thresher.native.facts.kinds import KindWeights

TYPES: Final = ("article", "product", "recipe", "forum", "listing", "documentation", "other")
WEIGHTS: Final = Path(__file__).with_name("page_types.tsv")


@cache
def type_weights() -> KindWeights:
    """The weights in hundredths. Whole numbers, because their sum does not depend on the order of the evidence."""
    rows = (line.split("\t") for line in WEIGHTS.read_text("utf-8").splitlines() if line[:1] != "#")
    return KindWeights([(name, [round(100 * float(weight)) for weight in weights]) for name, *weights in rows])


def type_of(
    values: dict[str, list[str]],
    counts: tuple[int, int, int],
    linked: list[dict[str, Any]],
    url: str | None,
    shape: tuple[int, ...] | None = None,
) -> tuple[str, float]:
    """The likeliest type of a page, and its probability, from what find_metadata() of native.facts.metadata
    found, and the shape of its main text (Workspace.shape()). Of types that are as likely, the first in TYPES.
    """
    number, score = type_weights().likeliest(values, counts, linked, url, shape)
    return TYPES[number], score
