# SPDX-License-Identifier: Apache-2.0
"""Time is linear in the page, whatever its structure: no stage grows faster than the page, or costs many times what an
ordinary page does. hostile_structures.py has the pages, page_costs.py measures.
"""

import math
import time

import pytest
from hostile_structures import STRUCTURES, P, page_of
from page_costs import DEAR, GROWN, TRIES, Costs, Pages, costs_of

from thresher.page.page_extractor import PageExtractor

SIZES = (1 << 15, 1 << 18)
ORDINARY = 5e-9


@pytest.fixture(scope="module")
def pages() -> Pages:
    return Pages()


@pytest.mark.parametrize("name", STRUCTURES)
def test_no_stage_is_slow(pages: Pages, name: str) -> None:
    assert costs_of(pages, name, SIZES).faults() == []


def test_a_page_has_its_size() -> None:
    for name in STRUCTURES:
        for size in (SIZES[0], 2 * SIZES[0]):
            assert 0.8 * size < len(page_of(name, size)) < 1.3 * size, name


def test_what_is_a_fault() -> None:
    linear = [size * ORDINARY for size in SIZES]
    assert Costs(SIZES, {"parse": linear, "text": [0.0] * 2}, ORDINARY).faults() == []
    dear = [1.1 * DEAR * each for each in linear]
    assert len(Costs(SIZES, {"parse": dear, "text": linear}, ORDINARY).faults()) == 1
    # Quadratic: 2.2 ms for 256 KiB are 9 s for 16 MiB.
    quadratic = [0.0022 * (size / SIZES[-1]) ** 2 for size in SIZES]
    (fault,) = Costs(SIZES, {"parse": linear, "metadata": quadratic}, ORDINARY).faults()
    assert fault.startswith("metadata: grows with the power 2.0")
    # What caches cost: twice as much for a byte of a page eight times as large.
    assert Costs(SIZES, {"parse": [10 * linear[0], 20 * linear[1]]}, ORDINARY).faults() == []
    assert GROWN < DEAR


def test_a_quadratic_stage_is_found(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    def compare_all(*_: object, **__: object) -> int:
        n_words = pages.first.workspace.n_words // 40
        return sum(one == other for one in range(n_words) for other in range(n_words))

    monkeypatch.setattr(pages.first, "metadata", compare_all)
    (fault,) = costs_of(pages, "many lines", SIZES).faults()
    assert fault.startswith("metadata: ")


def deep(tag: str, inside: str) -> bytes:
    """Nested elements again and again."""
    return P.encode() + f"{f'<{tag}>' * 480}{inside}{f'</{tag}>' * 480}".encode() * 20


# What costs too much, something like it that does not, the stage, and how many times as much it may cost.
PAIRS = {
    "nested code": (deep("code", "word"), deep("span", "word"), "parse", 3),
    "texts below nested elements": (
        deep("div", "<i>x</i>" * 500),
        P.encode() + f"<div>{'<i>x</i>' * 500}</div>".encode() * 20,
        "conex",
        8,
    ),
    "lists of notes that no number refers to": (
        f"{P}{'word<sup>7</sup> ' * 2048}{'<aside><ol start=8><li>x</ol></aside>' * 3000}".encode(),
        f"{P}{'word<sup>7</sup> ' * 2048}{'<aside><ul start=8><li>x</ul></aside>' * 3000}".encode(),
        "parse",
        3,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_searched_costs_little_more_than_what_is_not(name: str) -> None:
    """The depth of a page and the limits of a search bound these, far above what a page of such a size should cost."""
    costly, plain, stage, times = PAIRS[name]
    extractor = PageExtractor("conex")
    for _ in range(TRIES):
        seconds = []
        for page in (costly, plain):
            best = math.inf
            for _ in range(5):
                start = time.thread_time()
                extractor.parse(page)
                if stage == "conex":
                    extractor.measure()
                    start = time.thread_time()
                    extractor.classify()
                best = min(best, time.thread_time() - start)
            seconds.append(best)
        if seconds[0] <= times * seconds[1]:
            return
    assert seconds[0] <= times * seconds[1]
