# SPDX-License-Identifier: Apache-2.0
"""Figures in README.md and docs/, and their drawing, are those of benchmarks/results: `make golden` writes both."""

import json
import re
import sys
from pathlib import Path

import pytest
from commanding import run
from shared_data import CHECKOUT

from thresher import demo

sys.path.insert(0, str(CHECKOUT / "benchmarks"))
import figures
import pictures


@pytest.mark.parametrize("path", list(figures.pages()), ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_figures_are_those_of_the_results(path, golden):
    golden(path, figures.filled(path.read_text("utf-8")).encode())


@pytest.mark.parametrize("scheme", pictures.COLOURS)
@pytest.mark.parametrize("name", pictures.DRAWINGS)
def test_drawings_are_those_of_the_results(name, scheme, golden):
    golden(pictures.IMAGES / f"{name}-{scheme}.svg", pictures.DRAWINGS[name](pictures.COLOURS[scheme]).encode())


def test_a_run_over_the_demo_says_what_the_pages_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert demo.main(["crawl.warc.gz"]) == 0
    said = run("extract", "crawl.warc.gz", "-o", "out").splitlines()[-1]
    assert re.sub(r"took \S+ s", "took 0.3 s", said) == figures.DEMO_RUN
    shown = json.loads(pictures.PARTS.read_text("utf-8"))
    assert pictures.parts_shown(run, tmp_path) == shown, "the pictures of docs/ show another program: make pictures"


def test_every_figure_is_used():
    quoted = {name for path in figures.pages() for name in figures.FIGURE.findall(path.read_text("utf-8"))}
    assert quoted == set(figures.FIGURES)


def test_every_comment_of_a_figure_has_its_other_half():
    for path in figures.pages():
        text = figures.FIGURE.sub("", path.read_text("utf-8"))
        assert not re.search(r"<!-- =", text), path


def test_a_figure_that_differs_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(figures, "RESULTS", tmp_path)
    figures.rows.cache_clear()
    figures.section.cache_clear()
    table = "# One\n\n| system | F1 (95 %) |\n|---|---|\n| **`a`**, held out | .915 (.9–.93) |\n\n# Two\n\n| a | 5 |\n"
    (tmp_path / "results.md").write_text(table)
    assert figures.cell("results.md", "One", "a", 1) == ".915 (.9–.93)"
    assert figures.number(figures.cell("results.md", "One", "a", 1)) == 0.915
    monkeypatch.setitem(figures.FIGURES, "f1", lambda: figures.number_text(figures.cell("results.md", "One", "a", 1)))
    page = "F1 is <!-- =f1 -->.9\n14<!-- = -->, not .914."
    assert figures.filled(page) == "F1 is <!-- =f1 -->.915<!-- = -->, not .914."
    with pytest.raises(KeyError):
        figures.filled("<!-- =nobody.knows -->1<!-- = -->")
    figures.rows.cache_clear()
    figures.section.cache_clear()
