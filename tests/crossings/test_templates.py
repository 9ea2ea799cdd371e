# SPDX-License-Identifier: Apache-2.0
"""Forms of input crossed with templates, shards and what is added to a run; see crossing.py."""

from pathlib import Path

import pytest
from crossing import REPEATING, Crossing, check, crossings


@pytest.mark.parametrize("crossing", crossings(REPEATING), ids=str)
def test_it_gives_what_the_plain_file_gives(crossing: Crossing, tmp_path: Path) -> None:
    check(crossing, tmp_path)
