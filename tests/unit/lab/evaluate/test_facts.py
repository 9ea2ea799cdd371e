# SPDX-License-Identifier: Apache-2.0
"""Titles, authors, dates, sites and types against labels."""

import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from thresher.commands.evaluate import evaluate
from thresher.lab.evaluate.block_classes import page_id
from thresher.lab.evaluate.facts import (
    READERS,
    Score,
    estimates,
    judge,
    key,
    labelled_files,
    measure,
    outcome,
    read_labels,
)
from thresher.lab.evaluate.page_groups import generator_of, summed
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


def judged(files, labels=None):
    return list(judge(files, {"thresher": READERS["thresher"]()}, labels=labels))


def test_scores_of_a_set(data):
    files = labelled_files(data)
    assert [path.stem for path in files] == ["mills"]
    (_, name, score), (_, total, _) = measure(judged(files))
    assert (name, total, score.pages) == ("mills", "all", 2)
    assert score.outcomes["title"] == {"right": 1, "missing": 1}
    assert score.outcomes["date"] == {"right": 1, "missing": 1}
    assert sum(score.outcomes["author"].values()) == 2
    assert score.outcomes["author"]["empty"] == 1


@pytest.mark.parametrize(
    ("fact", "said", "right", "expected"),
    [
        ("title", "THE WHEEL, is back!", "The wheel is back", "right"),
        ("title", "The wheel is back on", "The wheel is back", "right"),
        ("title", "The wheel is back - Lower Mill", "The wheel is back", "wrong"),
        ("title", "", "The wheel is back", "missing"),
        ("title", "The wheel", "", "invented"),
        ("author", "Ann Lee; Bo Chan", "ann lee", "right"),
        ("author", "Ann Lee", "Bo Chan; Ann Lee", "right"),
        ("author", "Ann Lee", "Bo Chan", "wrong"),
        ("author", "", "", "empty"),
        ("date", "2014-03-05", "2014-03", "right"),
        ("date", "2014-03-05", "2014-03-06", "wrong"),
        ("site", "Lower Mill", "LOWER MILL!", "right"),
        ("type", "news", "article", "wrong"),
    ],
)
def test_what_counts_as_right(fact, said, right, expected):
    assert outcome(fact, said, right) == expected


def test_letters_and_digits_are_compared():
    assert key("Ａ－b c") == "abc"


def test_labels_in_a_file_of_their_own(data, tmp_path):
    lines = [
        f"below/mills.parquet\t{page_id(PAGE.encode())}\tann\tnews\tThe wheel is back\tAnn Lee\t2014-03-05\tLower Mill",
        f"below/mills.parquet\t{page_id(b'<p>x')}\tann\thome\t-\t-\t2015-01-02u\t-",
    ]
    (tmp_path / "facts.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    labels = read_labels(tmp_path / "facts.tsv")
    assert labels[page_id(b"<p>x")] == {
        "type": "home", "group": "other", "title": "", "author": "", "modified": "2015-01-02", "site": "",
    }  # fmt: skip
    *_, (_, _, score) = measure(judged(labelled_files(data, labels=tmp_path / "facts.tsv"), labels))
    assert score.outcomes["title"] == {"right": 1, "empty": 1}
    assert score.outcomes["date"] == {"right": 1}
    assert score.outcomes["modified"] == {"missing": 1}
    (tmp_path / "facts.tsv").write_text("a\tb\n", "utf-8")
    with pytest.raises(EvaluationError, match="line 1: expected file, page"):
        read_labels(tmp_path / "facts.tsv")


def test_a_page_counts_once_in_a_field_that_is_labelled():
    score = Score()
    score.add({"title": "A", "date": "2014-03-05"}, {"title": "A"})
    assert score.outcomes == {"title": {"right": 1}}
    assert score.cells()[:3] == ["1", "1.000", "0.000"]


def test_shares_have_intervals_over_sites(data):
    found = {fact: (n, right, wrong) for fact, _, n, right, wrong in estimates(judged(labelled_files(data)))}
    assert set(found) == {"title", "author", "date"}
    n, right, wrong = found["title"]
    assert (n, right.value, right.low, right.high) == (2, 0.5, 0.0, 1.0)
    assert wrong.value == 0


def test_data_and_opengraph_as_extruct_reads_them():
    linked = {
        "@graph": [{"@type": "NewsArticle", "headline": "The wheel is back", "datePublished": "2014-03-05T10:00:00Z",
                    "author": [{"name": "Ann Lee"}, {"name": "Bo Chan"}], "publisher": {"name": "Mill Press"}}]
    }  # fmt: skip
    page = f"<meta property=og:site_name content='Lower Mill'><script type=application/ld+json>{json.dumps(linked)}</script>"
    read = READERS["extruct"]()
    assert read(f"<html><head>{page}".encode(), None) == {
        "title": "The wheel is back", "author": "Ann Lee; Bo Chan", "date": "2014-03-05", "site": "Lower Mill",
    }  # fmt: skip
    assert read(b"<html><head><script type=application/ld+json>{broken</script><p>x", None) == {}


@pytest.mark.parametrize(
    ("page", "name"),
    [
        (b"<meta name=generator content='WordPress 6.1'>", "WordPress"),
        (b"<link href=/wp-content/themes/x.css>", "WordPress"),
        (b"<p>Why we left wordpress for drupal", "none named, no doctype"),
        (b"<META content='vBulletin 3.8' NAME=GENERATOR><img src=/wp-content/a.png>", "vBulletin"),
        (b"<!DOCTYPE html><p>x", "none named, HTML 5"),
        (b'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', "none named, XHTML"),
        (b'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', "none named, HTML 4 or older"),
    ],
)
def test_what_wrote_a_page(page, name):
    assert generator_of(page) == name


def test_small_groups_are_one():
    assert summed(["en"] * 20 + ["de"] * 19 + ["fr"] * 21) == {"fr": "fr", "en": "en", "de": "other"}


def test_no_labels(data):
    with pytest.raises(EvaluationError, match="date, title or authors"):
        labelled_files(data / "unlabelled.parquet")


def test_command(data):
    result = CliRunner().invoke(evaluate, ["--data", str(data), "--facts", "--markdown"])
    assert result.exit_code == 0, result.output
    assert "| thresher | mills |     2 | 0.500 |" in result.output
    assert re.search(r"\| title +\| thresher \| +2 \| +0\.500 \(0\.000-1\.000\)", result.output)
    result = CliRunner().invoke(evaluate, ["--data", str(data), "--facts", "--markdown", "--by", "decade"])
    assert "| thresher | other  |     2 | 0.500 |" in result.output  # of the labels' date; groups this small are one
    result = CliRunner().invoke(evaluate, ["--data", str(data), "--by", "decade"])
    assert "--by goes with --facts" in result.output
    result = CliRunner().invoke(evaluate, ["--data", str(data), "--facts", "--peers", "readability"])
    assert result.exit_code == 2
    assert "none of thresher, trafilatura, htmldate" in result.output
    result = CliRunner().invoke(evaluate, ["--data", str(data), "--labels", str(data / "unlabelled.parquet")])
    assert result.exit_code == 2
    assert "--labels goes with --facts" in result.output
