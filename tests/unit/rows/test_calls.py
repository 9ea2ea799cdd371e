# SPDX-License-Identifier: Apache-2.0
"""A page costs what its bytes cost: few Python functions run for it, and no search for garbage."""

import gc
import sys
from pathlib import Path
from types import CodeType

import pytest
from small_archive import page, write_archive

import thresher

MOST_CALLS = 181  # of Python functions for a page; 95 of them read its three records
PACKAGE = str(Path(thresher.__file__).parent)


def calls(path: Path) -> int:
    """How many Python functions run while an archive is read into rows."""
    counted: dict[CodeType, int] = {}

    def count(frame, event, _argument):
        if event == "call":
            counted[frame.f_code] = counted.get(frame.f_code, 0) + 1

    sys.setprofile(count)
    try:
        batches = thresher.page_batches(path)
        rows = sum(batch.num_rows for batch in batches)
    finally:
        sys.setprofile(None)
    assert rows
    return sum(counted.values())


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    return [
        write_archive(folder / f"{n}.warc.gz", {f"https://h{k}.example/a/{k}.html": page(k) for k in range(n)})
        for n in (40, 140)
    ]


def test_few_python_functions_run_for_a_page(archives):
    small, large = archives
    calls(small)  # what is imported and cached once
    assert (calls(large) - calls(small)) / 100 < MOST_CALLS


def test_a_page_leaves_no_cycles_of_objects(archives):
    list(thresher.page_batches(archives[0]))
    gc.collect()
    gc.disable()
    try:
        list(thresher.page_batches(archives[1]))
        assert gc.collect() < 100  # fewer objects than pages: those of the reading itself
    finally:
        gc.enable()
