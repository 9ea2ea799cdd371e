# SPDX-License-Identifier: Apache-2.0
"""The kind of a page: article, product, recipe, forum, listing, documentation or other.

What speaks for a kind are the types of the page's JSON-LD, og:type, the generator, classes of its body, words of its
address, and whether it is dated and signed. Each piece of evidence has a weight for each kind (kinds.tsv, fitted by
`python -m thresher.lab.train.kinds`), as in a logistic regression; the score is a probability.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from thresher.native.facts.kinds import KindWeights

KINDS: Final = ("article", "product", "recipe", "forum", "listing", "documentation", "other")
WEIGHTS: Final = Path(__file__).with_name("kinds.tsv")


@cache
def kind_weights() -> KindWeights:
    """The weights in hundredths. Whole numbers, because their sum does not depend on the order of the evidence."""
    rows = (line.split("\t") for line in WEIGHTS.read_text("utf-8").splitlines() if line[:1] != "#")
    return KindWeights([(name, [round(100 * float(weight)) for weight in weights]) for name, *weights in rows])


def kind_of(
    values: dict[str, list[str]], counts: tuple[int, int, int], linked: list[dict[str, Any]], url: str | None
) -> tuple[str, float]:
    """The likeliest kind of a page, and its probability, from what find_metadata() of native.facts.metadata
    found. Of kinds that are as likely, the first in KINDS.
    """
    kind, score = kind_weights().likeliest(values, counts, linked, url)
    return KINDS[kind], score
