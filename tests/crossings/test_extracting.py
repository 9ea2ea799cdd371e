# SPDX-License-Identifier: Apache-2.0
"""Forms of input crossed with ways to extract them; see crossing.py."""

from pathlib import Path

import pytest
from crossing import ACTIONS, COVERED, EXTRACTING, Crossing, check, crossings


@pytest.mark.parametrize("crossing", crossings(EXTRACTING), ids=str)
def test_it_gives_what_the_plain_file_gives(crossing: Crossing, tmp_path: Path) -> None:
    check(crossing, tmp_path)


def test_any_two_of_form_action_workers_and_killed_meet() -> None:
    chosen = crossings(list(ACTIONS), whole=False)
    whole = [each for each in crossings(list(ACTIONS), whole=True) if each.action not in COVERED]
    assert set(COVERED.values()) <= {each.action for each in chosen}
    parts = [lambda each: each.form, lambda each: each.action, lambda each: each.workers, lambda each: each.killed]
    for first in parts:
        for second in parts:
            assert {(first(each), second(each)) for each in chosen} == {(first(each), second(each)) for each in whole}
