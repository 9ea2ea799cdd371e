# SPDX-License-Identifier: Apache-2.0
"""Forms of input crossed with what is done with a finished run, or with one page; see crossing.py."""

from pathlib import Path

import pytest
from crossing import AFTERWARDS, Crossing, check, crossings, table

DOCS = Path(__file__).parents[2] / "docs" / "crossings.md"


@pytest.mark.parametrize("crossing", crossings(AFTERWARDS), ids=str)
def test_it_gives_what_the_plain_file_gives(crossing: Crossing, tmp_path: Path) -> None:
    check(crossing, tmp_path)


def test_the_table_in_the_documentation_is_the_matrix() -> None:
    assert table() in DOCS.read_text()
