# SPDX-License-Identifier: Apache-2.0
"""Time is linear in the page, whatever its structure: no stage grows faster than the page, or costs many times what an
ordinary page does. hostile_structures.py has the pages, page_costs.py measures.
"""

import pytest
from hostile_structures import STRUCTURES, page_of
from page_costs import DEAR, GROWN, Costs, Pages, costs_of

SIZES = (1 << 15, 1 << 18)
ORDINARY = 5e-9


@pytest.fixture(scope="module")
def pages() -> Pages:
    return Pages()


@pytest.mark.parametrize("name", STRUCTURES)
def test_no_stage_is_slow(pages: Pages, name: str) -> None:
    assert costs_of(pages, name, SIZES).faults() == []


@pytest.mark.parametrize("name", STRUCTURES)
def test_a_page_has_its_size(name: str) -> None:
    for size in (SIZES[0], 2 * SIZES[0]):
        assert 0.8 * size < len(page_of(name, size)) < 1.3 * size


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
        n_words = pages.first.n_words // 40
        return sum(one == other for one in range(n_words) for other in range(n_words))

    monkeypatch.setattr(pages.first, "metadata", compare_all)
    (fault,) = costs_of(pages, "many lines", SIZES).faults()
    assert fault.startswith("metadata: ")
