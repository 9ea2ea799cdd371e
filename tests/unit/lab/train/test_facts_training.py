# SPDX-License-Identifier: Apache-2.0
"""Rankers of candidates for facts, fitted to labels."""

import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.lab.evaluate.block_classes import page_id
from thresher.lab.train.facts import Fitted, Page, facts_json, fit_ranker, report, report_beside, say_held_out
from thresher.native.facts.candidates import Ranker
from thresher.page.metadata import TITLE_WEIGHTS, WEIGHTS


def pages(n=120):
    """Pages on which the piece of the title is the site's name, the heading is not, and every third has no author."""
    found = []
    for i in range(n):
        site = [(f"Mill {i}", {"", "s:title end"}), (f"Ferry {i}", {"", "heading"})]
        day = [("2014-03-05", {"", "type:news" if i % 3 else "type:home"})]
        author = [(f"Ann Lee{i}", {"", "by"})] if i % 3 else [(f"Read more{i}", {"", "small"})]
        title = [(f"The wheel {i}", {"", "t: by h1"}), (f"Mill {i}", {"", "t: site"})]
        gold = {
            "title": f"The wheel {i}", "site": f"Mill {i}", "author": f"Ann Lee{i}" if i % 3 else "", "date": "2014-03-05" if i % 3 else "",
            "type": "news" if i % 3 else "home", "group": "article" if i % 3 else "other",
        }  # fmt: skip
        found.append(
            Page(
                f"{i}.example",
                gold,
                {"site": site, "title": title, "author": author, "date": day},
                gold["type"],
            )
        )
    return found


def test_the_right_candidate_is_taken_and_none_where_there_is_none():
    site = fit_ranker(pages(), "site")
    assert site.best(pages()[5].candidates["site"]) == "Mill 5"
    author = fit_ranker(pages(), "author")
    assert author.best(pages()[1].candidates["author"]) == "Ann Lee1"
    assert author.best(pages()[3].candidates["author"]) == ""
    assert author.best([]) == ""
    tree = ([("by", 1, ~1), ("role", ~0, ~2)], [0, 5, 7])
    named = [("x", {"site"}), ("y", {"by"}), ("z", {"by", "role"})]
    assert Fitted([tree], 5).best(named) == "y"
    assert Fitted([tree], 5).best([*named, ("w", {"role"})]) == "w"
    assert Fitted([tree, ([], [-3])], 5).best(named) == ""


@pytest.mark.parametrize(
    "tree", [([("by", 0, ~0)], [1]), ([("by", 2, ~0)], [1]), ([("by", ~1, ~0)], [1]), ([("by", ~0, ~0)], [])]
)
def test_a_tree_leads_to_its_own_nodes_and_leaves(tree):
    with pytest.raises(ValueError, match="leads to"):
        Ranker([tree], 0)


@pytest.mark.parametrize("fact", ["site", "author", "date", "title"])
def test_all_trees_at_once_say_what_walking_each_of_them_says(fact):
    fitted = json.loads(TITLE_WEIGHTS.read_text()) if fact == "title" else json.loads(WEIGHTS.read_text())[fact]
    names = sorted({name for nodes, _ in fitted["trees"] for name, _, _ in nodes})
    chance = random.Random(fact)
    candidates = [set(chance.sample(names, chance.randrange(len(names)))) for _ in range(200)] + [set(), set(names)]

    def walked(evidence):
        total = 0
        for nodes, leaves in fitted["trees"]:
            at = 0 if nodes else ~0
            while at >= 0:
                name, without, holding = nodes[at]
                at = holding if name in evidence else without
            total += leaves[~at]
        return total

    assert Ranker(fitted["trees"], 0).scored(candidates) == [walked(evidence) for evidence in candidates]


def test_trees_that_are_no_trees_are_refused():
    shared = ([("by", 1, 1), ("role", ~0, ~1)], [0, 5, 7])
    with pytest.raises(ValueError, match="two nodes of tree 0 lead to the same place"):
        Ranker([shared], 0)
    chain = [("by", i + 1, ~i) for i in range(31)] + [("by", ~31, ~32)]
    with pytest.raises(ValueError, match="33 leaves; 32 are the most"):
        Ranker([(chain, list(range(33)))], 0)
    with pytest.raises(ValueError, match="129 trees; 128 are the most"):
        Ranker([([], [1])] * 129, 0)


def test_evidence_with_a_name_that_no_module_gives_is_refused():
    with pytest.raises(ValueError, match="no evidence is called 's:titel end'"):
        Ranker([([("s:titel end", ~0, ~1)], [0, 1])], 0)


def test_a_day_is_left_out_where_its_evidence_speaks_against_it():
    date = fit_ranker(pages(), "date")
    assert date.best(pages()[1].candidates["date"]) == "2014-03-05"
    assert date.best(pages()[3].candidates["date"]) == ""


def test_the_best_title_is_taken_however_small_its_sum():
    title = fit_ranker(pages(), "title")
    assert title.best(pages()[5].candidates["title"]) == "The wheel 5"
    assert title.best([("Mill", {"", "t: site"})]) == "Mill"
    assert title.best([]) == ""


def test_report_is_of_sites_held_out():
    lines = report(pages(), say_held_out(pages()))
    assert "| title | 120 | 1.000 | 0.000 | 1.000 |" in lines
    assert "| site | 120 | 1.000 | 0.000 | 1.000 |" in lines
    assert "| author | 120 | 1.000 | 0.000 | 1.000 |" in lines
    assert "| date | 120 | 1.000 | 0.000 | 1.000 |" in lines


def test_what_is_said_is_shown_beside_libraries_and_by_kinds_of_pages(tmp_path):
    pages = [f"<!doctype html><meta property=og:title content='The wheel {n}'><p>{n}".encode() for n in range(30)]
    rows = [
        {"html": page, "site": f"{n}.example", "lang": "en" if n < 25 else "de", "year": 2000 + n}
        for n, page in enumerate(pages)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "mills.parquet")
    labels = {
        page_id(page): {"title": f"The wheel {n}", "type": "news", "group": "article"} for n, page in enumerate(pages)
    }
    said = {
        page_id(page): {"title": f"The wheel {n}" if n else "Home", "type": "news", "group": "article"}
        for n, page in enumerate(pages)
    }
    lines = report_beside(tmp_path, labels, said, ["trafilatura"])
    assert any(line.startswith("| title | thresher | 30 | 0.967 (0.9") for line in lines)
    assert any(line.startswith("| title | trafilatura | 30 | 1.000 (1.000-1.000) | 0.000") for line in lines)
    assert not any(line.startswith("| type | trafilatura") for line in lines)
    [english] = [line for line in lines if line.startswith("| en | thresher | 25 |")]
    assert english.startswith("| en | thresher | 25 | 0.960 | 0.040 |")
    [few] = [line for line in lines if line.startswith("| other | thresher | 5 |")]
    assert few.startswith("| other | thresher | 5 | 1.000 |")
    assert sum(line.startswith("| all | thresher | 30 |") for line in lines) == 3
    [theirs] = [line for line in lines if line.startswith("| none named, HTML 5 | trafilatura | 30 |")]
    assert theirs.endswith("|  |  |  |  |"), "of what a library never says there is no figure"


def test_the_file_of_weights():
    made, shipped = json.loads(facts_json(pages(), b"\0")), json.loads(WEIGHTS.read_text("utf-8"))
    assert made.keys() == shipped.keys()
    assert made["likely"] == shipped["likely"]
    asked = {
        fact: {name for nodes, _ in shipped[fact]["trees"] for name, _, _ in nodes}
        for fact in ("site", "author", "date")
    }
    assert {"k:og:site_name", "host"} <= asked["site"]
    assert {"type:product", "day by line", "day: labelled"} <= asked["date"]
    assert {"m:author", "ld article", "edge"} & asked["author"]
