# SPDX-License-Identifier: Apache-2.0
"""The type of a page: one of those in thresher.page_types.

What speaks for a type are the types of the page's JSON-LD, og:type, the generator, classes of its body, words of its
title, its headings and its address, whether it is dated and signed, what its main text is made of (how much, in how
long blocks, with how many links, headings and items), and, where the learned extractor has read them, the words of its
classes and the first words of its blocks. Each has a weight for each type (models/page-types-1.json, fitted by
`python -m thresher.lab.train.facts`), as in a logistic regression. Where the learned extractor has chosen the main
text, small trees that ask for sizes and shares, and for these sums, add to them. The type is the likeliest one of the
likeliest group; its score is a probability.
"""

from __future__ import annotations

import base64
import json
import zlib
from functools import cache
from pathlib import Path
from typing import Final

from thresher.native.facts.page_types import TypeWeights
from thresher.page_types import GROUP_OF_TYPE

WEIGHTS: Final = Path(__file__).parents[1] / "models" / "page-types-1.json"


@cache
def type_weights() -> TypeWeights:
    """Weights: those of evidence in hundredths, those of tokens and terms and the leaves of trees in four-hundredths.
    Whole numbers, because their sum does not depend on the order of the evidence.
    """
    weights = json.loads(WEIGHTS.read_text("utf-8"))
    return TypeWeights(
        list(weights["evidence"].items()),
        zlib.decompress(base64.b64decode(weights["hashed"])),
        groups=tuple(GROUP_OF_TYPE.values()),
        trees=weights["trees"],
        scale=weights["scale"],
    )
