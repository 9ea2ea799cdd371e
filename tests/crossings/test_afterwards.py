# SPDX-License-Identifier: Apache-2.0
"""Forms of input crossed with what is done with a finished run, or with one page; see crossing.py."""

from pathlib import Path

import pytest
from crossing import AFTERWARDS, ALL_FORMS, FORM_NAMES, Crossing, check, crossings, summary

DOCS = Path(__file__).parents[2] / "docs" / "crossings.md"


@pytest.mark.parametrize("crossing", crossings(AFTERWARDS), ids=str)
def test_it_gives_what_the_plain_file_gives(crossing: Crossing, tmp_path: Path) -> None:
    check(crossing, tmp_path)


def test_the_documentation_has_the_matrix() -> None:
    assert sorted(form for kind in FORM_NAMES.values() for form in kind) == sorted(ALL_FORMS)
    assert DOCS.read_text("utf-8").endswith(summary())
