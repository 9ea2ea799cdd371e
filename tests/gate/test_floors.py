# SPDX-License-Identifier: Apache-2.0
"""No change may push an extractor below its floors on a sample of the labelled pages.

After an improvement: `python -m thresher.lab.evaluate.gate --data ../shared/data/labelled --floors
tests/gate/floors.json --update`.
"""

from pathlib import Path

import pytest

from thresher.lab.evaluate import gate
from thresher.lab.evaluate.pages import corpus_hash
from thresher.lab.evaluate.systems import our_extractors

FLOORS = Path(__file__).with_name("floors.json")


@pytest.mark.slow
def test_no_extractor_is_below_its_floors(data: Path) -> None:
    floors = gate.read_floors(FLOORS)
    pages = gate.sample(data / "labelled", floors.pages_per_set)
    assert gate.shortfalls(floors, corpus_hash(pages), gate.measure(pages, our_extractors())) == []
