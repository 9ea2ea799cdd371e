# SPDX-License-Identifier: Apache-2.0
"""The tolerant measure: scores by hand, pages without main text, summaries, intervals, and the command."""

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from thresher.commands import evaluate as command
from thresher.lab.evaluate.intervals import bootstrap, bootstrap_over_sets
from thresher.lab.evaluate.metrics import METRICS, page_scores, tolerant_score
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import Page, corpus_hash, read_pages
from thresher.lab.evaluate.runner import score_key
from thresher.lab.evaluate.summary import results_table, set_means, summarise
from thresher.lab.evaluate.systems import System
from thresher.lab.evaluate.tolerant import has_classes, tolerant_rows

MAIN = "a b c d e f g h i j"
CAPTION = "photo by ann rose"


def test_the_example_of_the_documentation():
    found = tolerant_score("a b c d e f g h i photo by ann rose home about jobs", MAIN, CAPTION)
    assert found == pytest.approx((9 / 12, 9 / 10, 18 / 22))


@pytest.mark.parametrize(
    ("extracted", "gold", "optional", "expected"),
    [
        (MAIN, MAIN, CAPTION, (1, 1, 1)),
        (f"{MAIN} {CAPTION}", MAIN, CAPTION, (1, 1, 1)),
        # What may be kept is free once: its second copy is not.
        ("a b photo photo", "a b", "photo", (2 / 3, 1, 0.8)),
        # Words that are both: the first copies count for main, the next is free, the third is wrong.
        ("rose", "rose", "rose", (1, 1, 1)),
        ("rose rose", "rose", "rose", (1, 1, 1)),
        ("rose rose rose", "rose", "rose", (1 / 2, 1, 2 / 3)),
        # Only what may be kept: nothing of main.
        (CAPTION, MAIN, CAPTION, (0, 0, 0)),
        ("", MAIN, CAPTION, (0, 0, 0)),
        ("a b", MAIN, "", (1, 2 / 10, 1 / 3)),
        # Chinese by character.
        ("玫瑰花图", "玫瑰花", "图", (1, 1, 1)),
        ("玫瑰广告", "玫瑰花", "图", (2 / 4, 2 / 3, 4 / 7)),
    ],
)
def test_scores_by_hand(extracted, gold, optional, expected):
    assert tolerant_score(extracted, gold, optional) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "expected"), [(0, 1), (30, 1), (31, 0)])
def test_of_a_page_without_main_text_little_may_be_kept(n, expected):
    words = " ".join(f"menu{k}" for k in range(n))
    assert tolerant_score(f"{words} {CAPTION}", "", CAPTION) == (expected,) * 3
    assert tolerant_score(f"{words} {CAPTION} {CAPTION}", "", CAPTION)[0] == (expected if n != 30 else 0)


def test_without_classes_there_is_no_tolerant_score():
    assert math.isnan(page_scores("a", "a")["tolerant_f1"])
    assert page_scores("a b", "a", optional="b")["tolerant_f1"] == 1


def page(n: int, *, site: str, kind: str = "article", gold: str = "a", language: str = "en") -> Page:
    return Page("set", str(n), site, language, kind, b"", b"%d" % n, gold, optional="")


def table_of(pages: list[Page], scores: dict[str, list[float]]) -> pa.Table:
    """The results of systems that have these tolerant F1; their word F1 is what is missing from it to 1."""
    tables = [
        results_table(
            System(name, "peer", "1"),
            [(each, Output("ok", 1.0, "")) for each in pages],
            [dict.fromkeys(METRICS, 1 - value) | {"tolerant_f1": value} for value in values],
        )
        for name, values in scores.items()
    ]
    return pa.concat_tables(tables).unify_dictionaries()


def test_means_and_shares_by_system_and_kind():
    kinds = ["article"] * 20 + ["forum"] * 10 + ["job"] * 3
    pages = [page(n, site=f"s{n // 2}", kind=kind) for n, kind in enumerate(kinds)]
    good = [1.0] * 15 + [0.9] * 5 + [0.89] * 5 + [0.5] * 5 + [0.49] * 3
    table = table_of(pages, {"worse": [0.0] * 33, "good": good})
    assert has_classes(table)
    rows = tolerant_rows(table)
    assert [row.system for row in rows] == ["good", "worse"]
    assert (rows[0].pages, rows[0].sites) == (33, 17)
    assert rows[0].f1.value == pytest.approx((15 + 4.5 + 4.45 + 2.5 + 1.47) / 33)
    assert (rows[0].good.value, rows[0].bad.value) == (20 / 33, 3 / 33)
    assert (rows[1].f1.low, rows[1].f1.high, rows[1].bad.value) == (0, 0, 1)
    assert rows[1].word_f1 == 1
    by_kind = tolerant_rows(table, "page_type")
    # Three pages are too few for a row of their own.
    assert [(row.group, row.system, row.pages) for row in by_kind] == [
        ("article", "good", 20),
        ("article", "worse", 20),
        ("forum", "good", 10),
        ("forum", "worse", 10),
        ("others", "good", 3),
        ("others", "worse", 3),
    ]
    assert by_kind[2].f1.value == pytest.approx(0.695)
    assert [row.group for row in tolerant_rows(table, "language")] == ["en", "en"]


def test_pages_that_have_no_classes_do_not_count():
    pages = [page(0, site="a"), page(1, site="b")]
    table = table_of(pages, {"one": [0.5, math.nan]})
    assert [(row.pages, row.f1.value) for row in tolerant_rows(table)] == [(1, 0.5)]
    assert not has_classes(table_of(pages, {"one": [math.nan] * 2}))
    assert tolerant_rows(table_of(pages, {"one": [math.nan] * 2})) == []


def test_old_metrics_leave_pages_without_main_text_out():
    pages = [page(0, site="a"), page(1, site="b", gold="")]
    table = table_of(pages, {"one": [0.25, 1.0]})
    [row] = summarise(table)
    assert (row.f1.value, row.word.value) == (0.75, 0.75)
    assert set_means(table, "word_f1") == (["set"], {"one": [0.75]})
    assert tolerant_rows(table)[0].f1.value == 0.625
    assert tolerant_rows(table)[0].word_f1 == 0.75


def test_intervals_are_of_sites_not_of_pages():
    values = np.array([[1.0], [0.0]] * 50)
    apart = bootstrap(values, [f"s{n}" for n in range(100)])[0]
    assert apart.value == 0.5
    # A mean of 100 draws of 0 and 1 has a standard deviation of .05.
    assert apart.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.015)
    assert apart.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.015)
    # Two sites with fifty equal pages each: all of one, all of the other, or half and half.
    together = bootstrap(values, ["a", "b"] * 50)[0]
    assert (together.low, together.value, together.high) == (0, 0.5, 1)
    # Sites of equal means leave nothing to chance, whatever their pages.
    equal = bootstrap(values, [f"s{n // 2}" for n in range(100)])[0]
    assert (equal.low, equal.high) == (0.5, 0.5)
    assert bootstrap(values, ["a", "b"] * 50)[0] == together


def test_intervals_of_a_mean_over_sets():
    values = np.array([[1.0], [0.0]] * 50)
    rows = np.arange(100)
    sites = [f"s{n}" for n in range(100)]
    assert bootstrap_over_sets(values, sites, [rows]) == bootstrap(values, sites)
    # Two sets of fifty sites, each of a standard deviation of .5 / 50 ** .5; drawn apart, so their mean has .05 again.
    found = bootstrap_over_sets(values, sites, [rows[:50], rows[50:]])[0]
    assert found.value == 0.5
    assert found.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.015)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.015)
    # Sets count alike: 90 pages of F1 1 and 10 of F1 0. Within each set all sites are alike, so nothing varies.
    sorted_values = np.array([[1.0]] * 90 + [[0.0]] * 10)
    found = bootstrap_over_sets(sorted_values, sites, [rows[:90], rows[90:]])[0]
    assert (found.low, found.value, found.high) == (0.5, 0.5, 0.5)


def test_summaries_have_intervals():
    pages = [page(n, site=f"s{n // 2}") for n in range(40)]
    table = table_of(pages, {"one": [1.0, 1.0, 0.0, 0.0] * 10})
    [row] = summarise(table)
    assert row.f1 == bootstrap(np.array([[0.0], [0.0], [1.0], [1.0]] * 10), [each.site for each in pages])[0]
    assert row.f1 == row.word
    assert 0.2 < row.f1.low < 0.4 < row.f1.value < 0.6 < row.f1.high < 0.8
    assert row.cells()[3] == row.cells()[8] == str(row.f1)


@pytest.fixture
def classed(tmp_path: Path) -> Path:
    """A set with a page that has main text, one that has none, and one that nobody labelled."""
    article = "<nav><a href=/>Home</a></nav><h1>Cake</h1><p>" + "Bake it for an hour, then let it cool. " * 9 + "</p>"
    rows = [
        {"id": "p", "html": article, "gold": "Bake it for an hour, then let it cool. " * 9, "optional": "Cake"},
        {"id": "e", "html": "<h1>404</h1><p>Not found</p>", "gold": "", "optional": ""},
        {"id": "n", "html": "<p>text</p>", "gold": None, "optional": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "classes.parquet")
    return tmp_path


def test_pages_known_to_have_no_main_text_are_read(classed):
    pages = list(read_pages(classed / "classes.parquet"))
    assert [(each.id, each.optional) for each in pages] == [("p", "Cake"), ("e", "")]
    assert [each.id for each in read_pages(classed / "classes.parquet", limit=5)] == ["p", "e"]


def test_scores_and_corpus_depend_on_what_may_be_kept():
    with_caption, without = (Page("s", "1", "a", None, None, b"", b"", "a", optional=each) for each in ("b", ""))
    unknown = Page("s", "1", "a", None, None, b"", b"", "a")
    assert len({score_key(each, "a") for each in (with_caption, without, unknown)}) == 3
    assert len({corpus_hash([each]) for each in (with_caption, without, unknown)}) == 3


def test_the_command_prints_the_tolerant_tables(classed, tmp_path):
    arguments = ["--data", str(classed), "--extractors", "thresher,all", "--jobs", "1", "--markdown"]
    arguments += ["--cache", str(tmp_path / "cache"), "--parquet", str(tmp_path / "scores.parquet")]
    arguments += ["--report", str(tmp_path / "report.html")]
    result = CliRunner().invoke(command.evaluate, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "1 pages with gold text, 1 known to have none" in result.stdout
    assert "tolerant measure, 2 pages of 2 sites" in result.stdout
    assert "tolerant measure by type of page" in result.stdout
    assert "tolerant measure by language" in result.stdout
    rows = pq.read_table(tmp_path / "scores.parquet").to_pylist()
    scores = {(row["system"], row["id"]): row["tolerant_f1"] for row in rows}
    assert scores["thresher", "p"] == scores["all", "e"] == 1
    assert scores["all", "p"] == pytest.approx(2 * 81 / (81 + 82))  # Home is one word too many
    [row, _] = tolerant_rows(pq.read_table(tmp_path / "scores.parquet"))
    assert f"{row.f1}" in result.stdout
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h3>All 2 pages of 2 sites</h3>" in report
    assert f"<td>{row.f1}</td>" in report
    assert "<h3>By language</h3>" in report
