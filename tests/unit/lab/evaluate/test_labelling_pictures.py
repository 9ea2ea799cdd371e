# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/labelling-examples.md: each block has a class, and each page its picture."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from thresher.lab.evaluate.block_classes import CLASSES, MAIN, read_page_blocks

CHECKOUT = Path(__file__).parents[4]
PAGES = CHECKOUT / "benchmarks" / "fixtures" / "labelling"
NAMES = sorted(path.stem for path in PAGES.glob("*.html"))
WITHOUT_MAIN = {"login-wall"}


@pytest.fixture
def pictures(monkeypatch):
    """The module benchmarks/labelling_pictures.py."""
    path = CHECKOUT / "benchmarks" / "labelling_pictures.py"
    spec = importlib.util.spec_from_file_location("labelling_pictures", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "labelling_pictures", module)
    spec.loader.exec_module(module)
    return module


def classes_of(name):
    lines = (PAGES / f"{name}.tsv").read_text("utf-8").splitlines()
    return {int(number): label for number, label in (line.split("\t") for line in lines)}


def test_there_are_ten_pages():
    assert len(NAMES) == 10
    assert {path.stem for path in PAGES.glob("*.tsv")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_block_has_one_known_class(name, pictures):
    lines = (PAGES / f"{name}.tsv").read_text("utf-8").splitlines()
    _, blocks = read_page_blocks((PAGES / f"{name}.html").read_bytes())
    assert [int(line.split("\t")[0]) for line in lines] == [block.order for block in blocks]
    assert set(classes_of(name).values()) <= set(CLASSES)
    assert pictures.read_labels(name) == list(classes_of(name).values())


@pytest.mark.parametrize("name", NAMES)
def test_all_pages_but_the_login_wall_have_main_text(name):
    assert (MAIN in classes_of(name).values()) == (name not in WITHOUT_MAIN)


def test_all_seven_classes_are_shown_each_in_its_colour(pictures):
    assert {label for name in NAMES for label in classes_of(name).values()} == set(CLASSES) == set(pictures.COLOURS)
    assert len(set(pictures.COLOURS.values())) == len(CLASSES)


def test_missing_and_unknown_classes_are_refused(pictures, monkeypatch, tmp_path):
    monkeypatch.setattr(pictures, "PAGES", tmp_path)
    (tmp_path / "page.html").write_text("<h1>Bread</h1><p>Flour and water.</p>")
    (tmp_path / "page.tsv").write_text("0\ttitle\n")
    with pytest.raises(SystemExit, match="page: 2 blocks"):
        pictures.read_labels("page")
    (tmp_path / "page.tsv").write_text("0\ttitle\n1\tmiddle\n")
    with pytest.raises(SystemExit, match="middle"):
        pictures.read_labels("page")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_picture_marks_every_block(name, pictures):
    marked = {int(number) for number in re.findall(r'<x-thresher n="(\d+)"', pictures.picture_page(name))}
    assert marked == set(classes_of(name))


def test_each_picture_is_small_and_shown():
    folder = CHECKOUT / "docs" / "images" / "labelling"
    shown = re.findall(
        r"\(images/labelling/([a-z-]+)\.png\)", (CHECKOUT / "docs/labelling-examples.md").read_text("utf-8")
    )
    assert sorted(shown) == NAMES == sorted(path.stem for path in folder.iterdir())
    assert all(path.stat().st_size < 120_000 for path in folder.iterdir())
