# SPDX-License-Identifier: Apache-2.0
"""Which pages to label next: those where the learned extractor is uncertain and the extractors disagree."""

from __future__ import annotations

import time
from typing import Any, Final

from thresher.options import make_options
from thresher.page.page_extractor import PageExtractor
from thresher.serving.sources import pages_from
from thresher.serving.tasks import to_json

MEMBERS: Final = ("cetd", "bte", "ccb", "wlr", "conex", "density")
"""Extractors whose choices are compared with the learned one's."""
_SECONDS: Final = 5.0
_PAGES: Final = 60


def propose(kind: str, name: str, start: str) -> bytes:
    """Pages of a source from `start` on, the most useful first: `pages`, and `next`, where to go on, or null.

    `uncertainty` is one minus the expected F1. `disagreement` is the mean over the other extractors of one minus the
    Dice coefficient of the words that each and the learned extractor keep. `score` is the mean of the two.
    """
    found: list[dict[str, Any]] = []
    following: str | None = None
    until = time.monotonic() + _SECONDS
    learned = PageExtractor(options=make_options(extractor="thresher"))
    others = [PageExtractor(options=make_options(extractor=member)) for member in MEMBERS]
    for n_seen, (place, url, html) in enumerate(pages_from(kind, name, start)):
        # An answer covers at least one page: finding `start` again can take all the time.
        if len(found) == _PAGES or (n_seen and time.monotonic() > until):
            following = place
            break
        learned.extract(html)
        own = _kept_words(learned)
        if not learned.n_words:
            continue
        uncertainty = 1 - (learned.confidence or 0.0)
        disagreement = sum(1 - _dice(own, _kept(other, html)) for other in others) / len(others)
        found.append(
            {
                "place": place,
                "url": url,
                "uncertainty": round(uncertainty, 4),
                "disagreement": round(disagreement, 4),
                "score": round((uncertainty + disagreement) / 2, 4),
            }
        )
    found.sort(key=lambda page: -page["score"])
    return to_json({"pages": found, "next": following})


def _kept(page_extractor: PageExtractor, html: bytes) -> dict[int, int]:
    page_extractor.extract(html)
    return _kept_words(page_extractor)


def _kept_words(page_extractor: PageExtractor) -> dict[int, int]:
    """First node of each kept block → its words."""
    workspace = page_extractor._workspace  # noqa: SLF001
    blocks = (workspace.blocks[order] for order, kept in enumerate(page_extractor.kept()) if kept)
    return {block["start"]: block["words"] for block in blocks}


def _dice(one: dict[int, int], other: dict[int, int]) -> float:
    both = sum(one[start] for start in one.keys() & other.keys())
    words = sum(one.values()) + sum(other.values())
    return 2 * both / words if words else 1.0
