# SPDX-License-Identifier: Apache-2.0
"""The route of a page: trust its text, ask a larger model, or drop it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from thresher.page_types import GROUP_OF_TYPE

if TYPE_CHECKING:
    from thresher.config import Route

TRUST: Final = "trust"
ASK: Final = "ask"
DROP: Final = "drop"
ANSWERED: Final = "answered"
"""The route of a page whose text is an answer (`thresher merge --answers`)."""
ROUTES: Final = (TRUST, ASK, DROP)

_MOST: Final = 1_000_000  # characters of a text that are compared


def route_of(
    route: Route, status: str, text: str | None, confidence: float | None, type_: str | None, agreement: float | None
) -> str:
    """`trust`, `ask` or `drop`, by the thresholds of the configuration.

    A page that failed, has too few words or is of a type in `route.drop_types`, or of a group in
    `route.drop_type_groups`, is dropped. A text without a confidence is asked about.
    """
    if status == "error" or not text or type_ in route.drop_types:
        return DROP
    if route.drop_type_groups and type_ is not None and GROUP_OF_TYPE.get(type_) in route.drop_type_groups:
        return DROP
    if (
        route.min_words
        and sum(1 for _ in zip(_word().finditer(text), range(route.min_words), strict=False)) < route.min_words
    ):
        return DROP
    if confidence is None:
        return ASK
    if confidence < route.drop:
        return DROP
    if agreement is not None and agreement < route.min_agreement:
        return ASK
    return TRUST if confidence >= route.trust else ASK


def agreement_of(text: str | None, others: Sequence[str | None]) -> float | None:
    """The mean word F1 of a text with the texts of further extractors; None where there are none."""
    known = [other for other in others if other is not None]
    if text is None or not known:
        return None
    words = _words(text)
    return sum(_f1(words, _words(other)) for other in known) / len(known)


@cache
def _word() -> re.Pattern[str]:
    """A word; compiled when it is first used, which takes 3 ms."""
    from thresher.page.words import UNSPACED

    return re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")


def _words(text: str) -> Counter[str]:
    return Counter(_word().findall(text[:_MOST]))


def _f1(one: Counter[str], other: Counter[str]) -> float:
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 1.0
