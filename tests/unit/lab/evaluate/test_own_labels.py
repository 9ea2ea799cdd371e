# SPDX-License-Identifier: Apache-2.0
"""The project's own labels: the file, and that the test data still has the pages and blocks that were labelled."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from thresher.lab.evaluate.pages import read_pages

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"
TEXTS = ["Bread", "Flour, water and salt.", "Bake it.", "Comments", "I loved it!"]


@pytest.fixture
def own_labels(monkeypatch):
    """The module benchmarks/own_labels.py."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    spec = importlib.util.spec_from_file_location("own_labels", BENCHMARKS / "own_labels.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "own_labels", module)
    spec.loader.exec_module(module)
    return module


def labels_of(own_labels, *blocks):
    hashes = own_labels.block_hashes(TEXTS)
    return own_labels.OwnLabels("recipes.parquet", "7", frozenset(hashes[block] for block in blocks))


def test_gold_is_the_text_of_the_labelled_blocks(own_labels):
    assert labels_of(own_labels, 0, 1, 2).gold(TEXTS) == "Bread\nFlour, water and salt.\nBake it."


def test_labels_hold_while_other_blocks_and_marks_change(own_labels):
    changed = ["Menu", "Bread", "*Flour*, water and salt.", "Bake it.", "So good"]
    assert labels_of(own_labels, 0, 1, 2).gold(changed) == "Bread\n*Flour*, water and salt.\nBake it."


def test_of_blocks_with_the_same_text_the_labelled_one_is_gold(own_labels):
    texts = ["Bake it.", "Bread", "Bake it."]
    hashes = own_labels.block_hashes(texts)
    assert own_labels.OwnLabels("recipes.parquet", "7", frozenset(hashes[1:])).gold(texts) == "Bread\nBake it."


def test_labels_of_other_blocks_are_refused(own_labels):
    with pytest.raises(SystemExit, match=r"recipes\.parquet, 7: 2 of 3 labelled blocks have changed"):
        labels_of(own_labels, 0, 1, 2).gold(["Bread", "Flour", "Bake"])


def test_the_file_holds_each_page_once_and_no_text(own_labels):
    lines = own_labels.LABELS.read_text("utf-8").splitlines()
    assert len({(each.file, each.page) for each in own_labels.read_labels()}) == len(lines) == 150
    for line in lines:
        assert re.fullmatch(r"[\w.~-]+\t[\w./-]+\t[0-9a-f]{8}( [0-9a-f]{8})*", line), line


@pytest.mark.usefixtures("data")
def test_the_test_data_has_the_pages_and_blocks_that_were_labelled(own_labels, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["own_labels.py", str(tmp_path)])
    own_labels.main()
    found = {file.stem: list(read_pages(file)) for file in tmp_path.glob("*.parquet")}
    assert {name: len(pages) for name, pages in found.items()} == {"recipes100": 100, "archives50": 50}
    assert len({page.site for page in found["recipes100"]}) == 100
