# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself; native.facts.describe decides it."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from thresher.native.facts.candidates import FactWeights, Ranker
from thresher.native.facts.describe import describe
from thresher.native.facts.names import NameWeights
from thresher.native.workspace import Workspace
from thresher.page.page_type import type_weights
from thresher.page_types import GROUP_OF_TYPE, TYPES

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document

WEIGHTS: Final = Path(__file__).parents[1] / "models" / "facts-1.json"
TITLE_WEIGHTS: Final = Path(__file__).parents[1] / "models" / "titles-1.json"
_ONE_DAY: Final = timedelta(days=1)
_Day = date  # the class below has a field of that name


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself; None if it does not say it."""

    title: str | None = None
    """The headline, without the name of the site where something on the page shows which part that is."""
    date: date | None = None
    """The day of publication, where the page was written."""
    date_modified: _Day | None = None
    """The day of the last change, as written (no time zone is applied)."""
    author: str | None = None
    """Names of authors, joined by "; "."""
    description: str | None = None
    site_name: str | None = None
    canonical_url: str | None = None
    """The address that the page names as its own, absolute where the page's is known."""
    language: str | None = None
    """Language tag (BCP 47) that the page declares, as in "en" or "pt-BR"; often a default that nobody changed."""
    type: str | None = None
    """The type of the page, one of nineteen (thresher.page_types.TYPES)."""
    type_score: float | None = None
    """The probability, 0 to 1, that it is of this type."""
    type_group: str | None = None
    """The group of the type: article, product, recipe, forum, listing, documentation or other."""


@cache
def _fitted() -> dict[str, Any]:
    return {**json.loads(WEIGHTS.read_text("utf-8")), "title": json.loads(TITLE_WEIGHTS.read_text("utf-8"))}


@cache
def name_weights() -> NameWeights:
    """How much a text looks like a name of people (models/facts-1.json)."""
    return NameWeights(zlib.decompress(base64.b64decode(_fitted()["names"])))


@cache
def fact_rankers() -> dict[str, tuple[Ranker, int]]:
    """What weighs the candidates for site, author, date and title, each with the least sum that is taken
    (models/facts-1.json, titles-1.json).
    """
    rows = {fact: _fitted()[fact] for fact in ("site", "author", "date", "title")}
    return {fact: (Ranker(row["trees"], row["least"]), row["least"]) for fact, row in rows.items()}


def least_likely() -> float:
    """The probability of a type from which on it says whether a page has a day or an author."""
    return float(_fitted()["likely"])


@cache
def fact_weights() -> FactWeights:
    """What was fitted for the facts of a page (models/facts-1.json, titles-1.json, page-types-1.json)."""
    site, author, day, title = (ranker for ranker, _ in fact_rankers().values())
    return FactWeights(type_weights(), site, author, day, title, name_weights(), least_likely())


def read_metadata(
    page: Document | Workspace | None, url: str | None = None, *, not_after: date | None = None
) -> Metadata:
    """The metadata of a parsed page that came from `url`; without a page, what the address says.

    Of a workspace whose main text was chosen, the type is known better. A date after `not_after` (the day after the
    capture, say; otherwise tomorrow) is taken for a mistake. Nothing in a page raises.
    """
    latest = not_after or datetime.now(UTC).date() + _ONE_DAY
    title, day, modified, author, description, site, canonical, language, number, score = (
        page.describe(url, latest, fact_weights())
        if isinstance(page, Workspace)
        else describe(page, url, latest, fact_weights())
    )
    if number < 0:
        return Metadata(title, day, modified, author, description, site, canonical, language)
    name = TYPES[number]
    return Metadata(
        title, day, modified, author, description, site, canonical, language, name, score, GROUP_OF_TYPE[name]
    )


def read_candidates(
    page: Workspace,
    url: str | None = None,
    site: Ranker | None = None,
    names: NameWeights | None = None,
    title: Ranker | None = None,
) -> dict[str, Any]:
    """What may be facts of a page whose main text was chosen: for `site`, `title` and `author` each value with the
    names of its evidence, the type of the page left out; for `date` the one day that was found; for `type` the
    probabilities of all types. What may be the title and the author depends on the site's name, which `site` chooses;
    without it there is none. The author and the date depend on the title, which `title` chooses; without it there is
    none. `names` says how much a text looks like a name; without it all do alike.
    """
    found: dict[str, Any] = {}
    nothing = Ranker([], 1)
    weights = FactWeights(
        type_weights(), site or nothing, nothing, nothing, title or nothing, names or NameWeights(b"\0"), 1.0
    )
    page.describe(url, datetime.now(UTC).date() + _ONE_DAY, weights, found)
    return found
