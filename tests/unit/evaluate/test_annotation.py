# SPDX-License-Identifier: Apache-2.0
"""Pages as text for annotators, samples of pages, answers, and the labels as they are stored."""

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.evaluate.agreement import Twice, by_class, by_group, kappa
from thresher.evaluate.annotation import (
    MAX_BYTES,
    MAX_LINES,
    AnswerError,
    parse_answer,
    read_answers,
    shown_blocks,
    spread,
)
from thresher.evaluate.block_classes import CLASSES, block_hashes, concealed_blocks, page_id, read_page_blocks
from thresher.evaluate.class_labels import PageLabels, agreed_classes, parse_line
from thresher.evaluate.pages import EvaluationError, read_pages

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
MENU = "".join(f"<li><a href='/{n}'>Part {n}</a></li>" for n in range(20))
PAGE = f"""<html><head><title>Roses</title></head><body>
<nav><ul id="top-menu">{MENU}</ul></nav>
<main><article class="entry col-md-8"><h1>How to prune roses</h1><div class="byline">By Ann, 3 May</div>
<p>{"Roses want light and air. " * 12}</p><p style="display:none">A hidden hint for gardeners.</p>
<aside class="related"><a href="/x">Another text about tulips and soil</a></aside></article></main>
<footer><p>Imprint</p></footer></body></html>"""


def shown(html: str) -> list[str]:
    document, blocks = read_page_blocks(html.encode())
    return shown_blocks(document, blocks, concealed_blocks(html.encode(), blocks))


def numbers_of(line: str) -> range:
    found = re.match(r"(\d+)(?:-(\d+))? ", line)
    assert found, line
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def test_a_page_is_shown_by_containers_kinds_and_words():
    lines = shown(PAGE)
    assert lines[0] == "[nav>ul#top-menu]"
    assert re.fullmatch(r"0-19 li 20 links, 40w: Part 0 \| Part 1 \| .*Part 19", lines[1])
    assert lines[2:5] == ["[main>article.entry]", "20 h1 4w: How to prune roses", "[main>article.entry>.byline]"]
    assert lines[5] == "21 - 4w: By Ann, 3 May"
    assert lines[6] == "[main>article.entry]"
    assert re.fullmatch(r"22 p 60w: Roses want light.{50,100}…", lines[7])
    assert lines[8] == "23 p 5w hidden: A hidden hint for gardeners."
    assert lines[9:11] == ["[main>article.entry>aside.related]", "24 - 6w link: Another text about tulips and soil"]
    assert lines[11:] == ["[footer]", "25 p 1w: Imprint"]


@pytest.mark.parametrize(
    "body",
    [
        "".join(f"<p>{'words of a paragraph ' * 30}{n}</p>" for n in range(400)),
        "".join(f"<p>text {n}</p><h2>Head {n}</h2><table><tr><td>{'漢字' * 40}</td></tr></table>" for n in range(900)),
        "".join(f"<div id='place{'x' * (n % 20)}'><p>{'long ' * (n % 50)}</p></div>" for n in range(3000)),
    ],
)
def test_a_large_page_fits_and_each_of_its_blocks_is_on_one_line(body):
    _, blocks = read_page_blocks(body.encode())
    lines = shown(body)
    assert len(lines) <= MAX_LINES
    assert sum(len(line.encode()) + 1 for line in lines) <= MAX_BYTES
    named = [number for line in lines if not line.startswith("[") for number in numbers_of(line)]
    assert named == sorted(set(named))
    assert {block.order for block in blocks if block.words} <= set(named)


def items(kinds: dict[str, int]) -> list[tuple[str, str, str, str]]:
    return [
        (f"{kind}{n}", kind, "en" if n % 3 else "fr", f"site{kind}{n // 2}")
        for kind, count in kinds.items()
        for n in range(count)
    ]


def sample(pages, count, seed=1):
    return spread(
        pages,
        count,
        key=lambda page: page[0],
        kind=lambda page: page[1],
        language=lambda page: page[2],
        site=lambda page: page[3],
        seed=seed,
    )


def test_each_beginning_of_a_sample_is_fair():
    pages = items({"article": 600, "forum": 60, "shop": 300})
    found = sample(pages, 360)
    # Of 360 a forum has all its 60, the two others share the rest.
    assert Counter(page[1] for page in found) == {"forum": 60, "article": 150, "shop": 150}
    for count in (36, 120, 240):
        kinds = Counter(page[1] for page in found[:count])
        assert abs(kinds["forum"] - count / 6) <= 1
        assert abs(kinds["article"] - count * 150 / 360) <= 1
        assert abs(sum(page[2] == "fr" for page in found[:count]) - count / 3) <= 4
    assert len({page[3] for page in found if page[1] == "article"}) == 150  # one of each site before a second one
    assert sample(pages[::-1], 360) == found
    assert sample(pages, 360, seed=2) != found
    assert len(sample(pages, 5000)) == len(pages)
    assert sample([], 3) == []


def test_an_answer_gives_each_block_a_class():
    assert parse_answer("main:1-2,4; title:0;", 6) == ["title", "main", "main", "other", "main", "other"]
    assert parse_answer("none", 2) == ["other", "other"]
    assert parse_answer("main:0,0-1;other:2", 3) == ["main", "main", "other"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("main:0-6", "no block 6: the last one is 5"),
        ("main:3-1", "runs backwards"),
        ("main:0-3;title:3", "block 3 is both main and title"),
        ("other:1;main:1", "block 1 is both other and main"),
        ("body:1", "no class 'body'"),
        ("main", "not a class, a colon"),
        ("main:", "not a class, a colon"),
        ("main:one", "neither the number"),
        ("main:1,,2", "neither the number"),
        ("", "nothing is labelled"),
        ("none;main:1", "not a class, a colon"),
    ],
)
def test_an_answer_that_cannot_be_right_is_refused(answer, message):
    with pytest.raises(AnswerError, match=message):
        parse_answer(answer, 6)


def test_errors_of_a_file_of_answers_name_their_lines():
    lines = ["# annotator: ann", "", "aa\tmain:0", "bb main:0", "cc\tmain:0", "aa\tnone", "dd\tmain:9"]
    found, wrong = read_answers(lines, {"aa": 1, "bb": 1, "dd": 3})
    assert found == {"aa": ["main"]}
    assert [line[:6] for line in wrong] == ["line 4", "line 5", "line 6", "line 7"]
    assert "no tab" in wrong[0]
    assert "no page cc" in wrong[1]
    assert "answered before" in wrong[2]
    assert "page dd: there is no block 9" in wrong[3]


def labels_of(texts: list[str], classes: list[str], annotator: str = "ann", number: int = 1) -> PageLabels:
    blocks = {each: name for each, name in zip(block_hashes(texts), classes, strict=True) if name != "other"}
    return PageLabels("set.parquet", "ab12", annotator, number, blocks)


TEXTS = ["Menu", "Bread", "Bake it.", "So good!", "Bake it."]


def test_labels_survive_the_file_and_other_blocks_that_change():
    labels = labels_of(TEXTS, ["other", "title", "main", "comment", "optional"])
    assert parse_line(labels.line() + "\n") == labels
    assert "Bread" not in labels.line()
    assert labels.classes(["New", "Bread", "*Bake* it.", "Bake it."]) == ["other", "title", "main", "optional"]
    empty = labels_of(TEXTS, ["other"] * 5)
    assert empty.line().endswith("\tnone")
    assert parse_line(empty.line()) == empty
    with pytest.raises(EvaluationError, match="2 of 4 labelled blocks have changed; label it again"):
        labels.classes(["Menu", "Bread", "So good!"])
    for line in ("a\tb\tc\t1", "a\tb\tc\tone\tmain:1f", "a\tb\tc\t1\tbody:1f"):
        with pytest.raises(EvaluationError, match="cannot be read"):
            parse_line(line)


def test_most_annotators_decide_then_the_third():
    first = labels_of(TEXTS, ["other", "title", "main", "main", "main"])
    second = labels_of(TEXTS, ["main", "title", "main", "comment", "other"], "ben", 2)
    third = labels_of(TEXTS, ["main", "title", "other", "optional", "other"], "cleo", 3)
    assert agreed_classes([first], TEXTS) == ["other", "title", "main", "main", "main"]
    assert agreed_classes([first, second], TEXTS) == ["other", "title", "main", "main", "main"]
    assert agreed_classes([first, second, third], TEXTS) == ["main", "title", "main", "optional", "other"]


def test_kappa_of_several_classes():
    # 7 of 10 agree; by chance .5 * .4 + .3 * .4 + .2 * .2 = .36.
    pairs = Counter({("a", "a"): 4, ("a", "b"): 1, ("b", "b"): 2, ("b", "c"): 1, ("c", "c"): 1, ("c", "b"): 1})
    assert kappa(pairs) == pytest.approx((0.7 + 0.1 - 0.37) / (1 - 0.37), abs=0.3)
    assert kappa(pairs) == round((0.7 - (0.5 * 0.4 + 0.3 * 0.4 + 0.2 * 0.2)) / (1 - 0.36), 4)
    assert kappa(Counter({(None, None): 3})) is None
