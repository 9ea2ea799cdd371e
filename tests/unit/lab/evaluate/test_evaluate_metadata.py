# SPDX-License-Identifier: Apache-2.0
"""Titles, authors and dates against labels."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from thresher.commands.evaluate import evaluate
from thresher.lab.evaluate.folds import site_fold
from thresher.lab.evaluate.metadata import Said, Score, key, labelled_files, measure
from thresher.lab.evaluate.pages import EvaluationError

PAGE = (
    "<title>The wheel is back - Lower Mill</title><meta name=author content='Ann Lee'>"
    "<meta property=article:published_time content=2014-03-05><h1>The wheel is back</h1><p>It turned."
)


@pytest.fixture
def data(tmp_path):
    rows = [
        {"html": PAGE.encode(), "url": None, "site": "a.example", "date": "2014-03-05", "title": "The wheel is back",
         "authors": ["Ann Lee", "Bo Chan"]},
        {"html": b"<p>x", "url": None, "site": "b.example", "date": "2014-03-05", "title": "Wheel", "authors": []},
    ]  # fmt: skip
    (tmp_path / "below").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "below" / "mills.parquet")
    pq.write_table(pa.table({"html": [b"x"]}), tmp_path / "unlabelled.parquet")
    return tmp_path


def test_scores_of_a_set(data):
    files = labelled_files(data)
    assert [path.stem for path in files] == ["mills"]
    (_, name, score), (_, total, _) = measure(files, ["thresher"])
    assert (name, total, score.pages) == ("mills", "all", 2)
    assert dict(score.dates) == {"right": 1, "none": 1}
    assert (score.titles["exact"], score.titles["found"], score.titles["gold"]) == (1, 1, 2)
    assert (score.authors["right"], score.authors["found"], score.authors["gold"], score.authors["same"]) == (
        1,
        1,
        2,
        0,
    )


def test_the_halves_of_the_sites_make_the_whole(data):
    files = labelled_files(data)
    halves = [next(measure(files, ["thresher"], half=half))[2].pages for half in (0, 1)]
    assert halves == [sum(site_fold(site, 2) == half for site in ("a.example", "b.example")) for half in (0, 1)]


def test_what_counts_as_right():
    score = Score()
    score.add(Said("THE WHEEL, is back!", ("Lee",), "2014-03-06"), {"title": "The wheel is back", "date": "2014-03-05"})
    score.add(Said("The wheel is back again", (), None), {"title": "The wheel is back", "date": "nan"})
    score.add(Said("Something else", (), None), {"title": "The wheel is back", "date": None})
    assert (score.titles["exact"], score.titles["alike"]) == (1, 2)
    assert dict(score.dates) == {"wrong": 1}
    assert key("Ａ－b c") == "abc"


def test_no_labels(data):
    with pytest.raises(EvaluationError, match="date, title or authors"):
        labelled_files(data / "unlabelled.parquet")


def test_command(data):
    result = CliRunner().invoke(evaluate, ["--data", str(data), "--metadata", "--markdown"])
    assert result.exit_code == 0
    assert "| thresher | mills |     2 |      0.500 |" in result.output
    result = CliRunner().invoke(evaluate, ["--data", str(data), "--metadata", "--peers", "readability"])
    assert result.exit_code == 2
    assert "none of thresher, trafilatura, htmldate" in result.output
