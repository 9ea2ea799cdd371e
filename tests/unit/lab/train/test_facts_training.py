# SPDX-License-Identifier: Apache-2.0
"""Rankers of candidates for facts, fitted to labels."""

import json

from thresher.lab.train.facts import Fitted, Page, facts_json, fit_ranker, fit_undated, report
from thresher.page.metadata import WEIGHTS
from thresher.page.page_type import TYPES


def pages(n=120):
    """Pages on which the piece of the title is the site's name, the heading is not, and every third has no author."""
    found = []
    for i in range(n):
        site = [(f"Mill {i}", {"", "s:title end"}), (f"Ferry {i}", {"", "heading"})]
        author = [(f"Ann Lee{i}", {"", "by"})] if i % 3 else [(f"Read more{i}", {"", "small"})]
        gold = {
            "site": f"Mill {i}", "author": f"Ann Lee{i}" if i % 3 else "", "date": "2014-03-05" if i % 3 else "",
            "type": "news" if i % 3 else "home", "group": "article" if i % 3 else "other",
        }  # fmt: skip
        found.append(
            Page(
                f"{i}.example",
                gold,
                {"site": site, "author": author},
                "2014-03-05",
                gold["type"],
                0.1 if i % 3 else 0.9,
            )
        )
    return found


def test_the_right_candidate_is_taken_and_none_where_there_is_none():
    site = fit_ranker(pages(), "site")
    assert site.evidence["s:title end"] > site.evidence["heading"]
    assert site.best(pages()[5].candidates["site"]) == "Mill 5"
    author = fit_ranker(pages(), "author")
    assert author.best(pages()[1].candidates["author"]) == "Ann Lee1"
    assert author.best(pages()[3].candidates["author"]) == ""
    assert author.best([]) == ""
    assert Fitted({"a": 5}, 5).best([("x", {"b"}), ("y", {"a"}), ("z", {"a"})]) == "y"


def test_types_without_a_day():
    assert 0.1 < fit_undated(pages()) <= 0.91


def test_report_is_of_sites_held_out():
    lines = report(pages())
    assert "| site | 120 | 1.000 | 0.000 | 1.000 |" in lines
    assert "| author | 120 | 1.000 | 0.000 | 1.000 |" in lines
    assert "| date | 120 | 1.000 | 0.000 |  |" in lines


def test_the_file_of_weights():
    made, shipped = json.loads(facts_json(pages())), json.loads(WEIGHTS.read_text("utf-8"))
    assert made.keys() == shipped.keys()
    assert set(shipped["undated"]["types"]) <= set(TYPES)
    assert shipped["site"]["evidence"]["k:og:site_name"] > 0 > shipped["site"]["evidence"]["home name"]
