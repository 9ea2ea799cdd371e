# SPDX-License-Identifier: Apache-2.0
"""No change may push an extractor below its floors on a sample of the labelled pages.

After an improvement: `python tests/floors.py --data ../shared/data/labelled --floors
tests/gate/floors.json --update`.
"""

from dataclasses import replace
from pathlib import Path

import floors as gate
import pytest

from thresher.lab.evaluate.pages import corpus_hash
from thresher.lab.evaluate.systems import our_extractors

FLOORS = Path(__file__).with_name("floors.json")


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [("thresher", "cetd", "majority"), pytest.param(tuple(our_extractors()), marks=pytest.mark.nightly)],
    ids=["some", "all"],
)
def test_no_extractor_is_below_its_floors(data: Path, names: tuple[str, ...]) -> None:
    floors = gate.read_floors(FLOORS)
    pages = gate.sample(data / "labelled", floors.pages_per_set)
    judged = replace(floors, f1={name: floors.f1[name] for name in floors.f1 if name in names})
    assert gate.shortfalls(judged, corpus_hash(pages), gate.measure(pages, names)) == []


def test_every_extractor_has_floors() -> None:
    assert set(gate.read_floors(FLOORS).f1) == set(our_extractors())
