# SPDX-License-Identifier: Apache-2.0
"""Forms of input crossed with ways to extract them; see crossing.py."""

import itertools
from operator import attrgetter
from pathlib import Path

import pytest
from crossing import ACTIONS, ALL_FORMS, COVERED, EXTRACTING, FAMILIES, Crossing, check, crossings, sample


@pytest.mark.parametrize("crossing", crossings(EXTRACTING), ids=str)
def test_it_gives_what_the_plain_file_gives(crossing: Crossing, tmp_path: Path) -> None:
    check(crossing, tmp_path)


def test_any_two_meet_in_the_sample() -> None:
    """But of form and action: there every family of forms and every action."""
    whole = [each for each in crossings(list(ACTIONS), whole=True) if each.action not in COVERED]
    assert sorted(form for family in FAMILIES for form in family) == sorted(ALL_FORMS)
    assert set(COVERED.values()) <= {each.action for each in sample()}
    family_of = {form: family for family in FAMILIES for form in family}
    form, action, family = attrgetter("form"), attrgetter("action"), lambda each: family_of[each.form]
    workers, killed = attrgetter("workers"), attrgetter("killed")
    pairs = itertools.combinations((form, family, action, workers, killed), 2)
    for first, second in pairs:
        if (first, second) != (form, action):
            assert {(first(each), second(each)) for each in sample()} == {(first(each), second(each)) for each in whole}
