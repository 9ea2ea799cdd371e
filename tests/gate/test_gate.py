# SPDX-License-Identifier: Apache-2.0
"""Floors go up by themselves and down only when told to."""

import json
from pathlib import Path

import floors as gate
import pytest
from click.testing import CliRunner
from floors import Floors

from thresher.lab.evaluate.pages import EvaluationError, Page


def figures(value: float, name: str = "cetd") -> gate.Figures:
    return {name: {"news": {"word_cjk": value, "lcs": 0.5}}}


def test_a_value_below_its_floor_shuts_the_gate() -> None:
    floors = Floors("c", 50, figures(0.8))
    assert gate.shortfalls(floors, "c", figures(0.8)) == []
    assert gate.shortfalls(floors, "c", figures(0.9)) == []
    assert gate.shortfalls(floors, "c", figures(0.7999)) == [
        "cetd on news: word_cjk F1 0.7999 is below its floor 0.8000"
    ]


def test_other_pages_missing_sets_and_new_extractors_shut_the_gate() -> None:
    floors = Floors("c", 50, figures(0.8))
    assert "other pages" in gate.shortfalls(floors, "d", figures(0.9))[0]
    assert len(gate.shortfalls(floors, "c", {"cetd": {}})) == 2
    assert gate.shortfalls(floors, "c", figures(0.8) | figures(0.9, "bte")) == [
        "bte has no floors yet: run with --update"
    ]


def test_an_update_raises_and_never_lowers() -> None:
    floors = Floors("c", 50, figures(0.8))
    assert gate.updated(floors, "c", figures(0.7), lower=False).f1 == figures(0.8)
    assert gate.updated(floors, "c", figures(0.9), lower=False).f1 == figures(0.9)
    assert gate.updated(floors, "c", figures(0.7) | figures(0.1, "bte"), lower=False).f1 == figures(0.8) | figures(
        0.1, "bte"
    )
    assert gate.updated(floors, "c", figures(0.7), lower=True).f1 == figures(0.7)
    assert gate.updated(None, "c", figures(0.7), lower=False).f1 == figures(0.7)


def test_what_takes_floors_away_needs_the_flag() -> None:
    floors = Floors("c", 50, figures(0.8))
    with pytest.raises(EvaluationError, match="other pages"):
        gate.updated(floors, "d", figures(0.9), lower=False)
    with pytest.raises(EvaluationError, match="cetd"):
        gate.updated(floors, "c", figures(0.9, "bte"), lower=False)
    assert gate.updated(floors, "d", figures(0.1, "bte"), lower=True) == Floors(
        "d", gate.PAGES_PER_SET, figures(0.1, "bte")
    )


def test_floors_survive_the_file(tmp_path: Path) -> None:
    floors = Floors("c", 50, figures(0.8))
    gate.write_floors(tmp_path / "floors.json", floors)
    assert gate.read_floors(tmp_path / "floors.json") == floors
    assert json.loads((tmp_path / "floors.json").read_text())["pages_per_set"] == 50


def test_measures_each_extractor_on_each_set() -> None:
    html = b"<p>The story that this page was written for, in one long paragraph of text.</p>"
    gold = "The story that this page was written for, in one long paragraph of text."
    pages = [
        Page("good", "1", "a.org", None, None, html, b"1", gold),
        Page("bad", "2", "a.org", None, None, html, b"1", "No!"),
    ]
    assert gate.measure(pages, ["all"]) == {
        "all": {"good": {"word_cjk": 1.0, "lcs": 1.0}, "bad": {"word_cjk": 0.0, "lcs": 0.0}}
    }


def test_a_directory_without_sets_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(gate.main, ["--data", str(tmp_path), "--floors", str(tmp_path / "floors.json")])
    assert result.exit_code == 1
    assert f"Error: {tmp_path} is neither a labelled file nor a directory" in " ".join(result.output.split())
