# SPDX-License-Identifier: Apache-2.0
"""Features of what a page declares, of how its blocks begin, and of discussions and comments."""

import array
import html
import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.native.parsing.document import Document
from thresher.native.scoring.feature_table import FEATURES
from thresher.native.scoring.features import Features
from thresher.native.workspace import Workspace


def values_of(page: str) -> dict[str, list[int]]:
    """The features of each block of a page by name."""
    workspace, features = Workspace(Document()), Features()
    workspace.parse(page.encode("utf-8", "replace"))
    workspace.measure(with_concealed=True)
    features.compute(workspace.document, workspace.metrics, workspace.blocks)
    values, n = array.array("h", features.values()), features.n_blocks
    return {name: values[f * n : (f + 1) * n].tolist() for f, name in enumerate(FEATURES)}


def page_with(data: Any, body: str, head: str = "") -> str:
    return f'<head>{head}<script type="application/ld+json">{json.dumps(data)}</script></head><body>{body}'


STEPS = ["Grind the grain between two stones.", "Sift the flour, twice, and keep the bran."]
ROWS = ["declared_article", "declared_recipe", "declared_other", "declared_head"]


def covered(values: dict[str, list[int]]) -> list[list[int]]:
    """The shares of each block, by part."""
    return [list(each) for each in zip(*(values[row] for row in ROWS), strict=True)]


def test_shares_of_blocks_that_the_page_declares() -> None:
    recipe = {
        "@type": "Recipe",
        "name": "Flour of the mill",
        "description": "All that a miller knows about grain, told in two steps for those who have no mill at all.",
        "recipeIngredient": ["2 cups rye", "salt"],
        "recipeInstructions": [{"@type": "HowToStep", "text": step} for step in STEPS],
    }
    body = "<h1>Flour of the mill</h1><ul><li>2 cups rye<li>Salt</ul><ol>" + "".join(f"<li>{s}" for s in STEPS)
    body += "</ol><p>Grind the grain somewhere else.</p><footer>Imprint</footer>"
    values = values_of(page_with(recipe, body, "<title>Flour of the mill | Mills</title>"))
    assert covered(values) == [
        [0, 0, 1000, 1000],
        [0, 1000, 0, 0],
        [0, 1000, 0, 0],
        [0, 1000, 0, 0],
        [0, 1000, 0, 0],
        [0, 500, 0, 0],
        [0, 0, 0, 0],
    ]
    assert values["page_declared_recipe"] == [2 + 1 + 5 + 7] * 7
    assert values["page_declared_article"] == [0] * 7
    assert values["page_is_recipe"] == [1] * 7
    assert values["page_is_article"] == [0] * 7


def test_the_text_of_an_article_is_read_through_escapes_and_markup() -> None:
    text = '<p>The weir\u2019s gate &amp; the wheel<br>turn\nagain.</p> "Good" </p>'
    data = {"@type": "NewsArticle", "articleBody": text}
    values = values_of(page_with(data, "<p>The weir’s gate &amp; the wheel turn again. “Good”<p>Other words"))
    assert covered(values) == [[1000, 0, 0, 0], [0, 0, 0, 0]]
    assert values["page_is_article"] == [1, 1]


def test_words_of_other_scripts_are_declared_too() -> None:
    data = {"@type": "NewsArticle", "articleBody": "水車が再び回る。Νερόμυλος στο ποτάμι"}
    values = values_of(page_with(data, "<p>水車が再び回る。<p>Νερόμυλος στο ποτάμι<p>別の文章である"))
    assert values["declared_article"] == [1000, 1000, 0]


@pytest.mark.parametrize("types", ["DiscussionForumPosting", "QAPage", "FAQPage"])
def test_pages_that_say_they_are_discussions(types: str) -> None:
    assert values_of(page_with({"@type": types}, "<p>a"))["page_is_talk"] == [1]
    assert values_of(page_with({"@type": "Product"}, "<p>a"))["page_is_product"] == [1]
    assert values_of(page_with({"@type": "ItemList"}, "<p>a"))["page_is_list"] == [1]
    assert values_of(page_with({"@type": "Organization"}, "<p>a"))["page_is_talk"] == [0]


def test_nothing_is_left_of_the_page_before() -> None:
    workspace, features = Workspace(Document()), Features()
    rows = []
    article = {"@type": "NewsArticle", "articleBody": "one two three"}
    for page in (page_with(article, "<p>one two three"), "<p>one two three"):
        workspace.parse(page.encode())
        workspace.measure(with_concealed=True)
        features.compute(workspace.document, workspace.metrics, workspace.blocks)
        rows.append(array.array("h", features.values()).tolist()[FEATURES.index("declared_article")])
    assert rows == [1000, 0]


@given(st.text(max_size=300), st.text(max_size=60))
def test_any_data_is_read(text: str, block: str) -> None:
    script = text.replace("<", "")
    found = values_of(f'<script type="application/ld+json">{script}</script><p>{html.escape(block)}')
    assert all(0 <= share <= 1000 for row in ROWS for share in found[row])


WORDS = st.lists(st.sampled_from(["mill", "wheel", "water", "grain", "flour", "stone"]), min_size=2, max_size=12)


@given(WORDS, WORDS)
def test_shares_equal_a_slow_model_of_them(declared: list[str], shown: list[str]) -> None:
    data = {"@type": "Article", "articleBody": " ".join(declared)}
    known = set(pairwise(declared))
    hits = sum(pair in known for pair in pairwise(shown))
    found = values_of(page_with(data, f"<p>{' '.join(shown).upper()}."))
    assert found["declared_article"] == [1000 * hits // (len(shown) - 1)]
    assert found["page_declared_article"] == [len(known)]


ANY_WORDS = st.lists(
    st.sampled_from(["a", "mill", "wheel2", "a" * 16, "a" * 15, "a" * 17, "déjà", "нива"]),
    min_size=2,
    max_size=12,
)


@given(ANY_WORDS, ANY_WORDS, st.sampled_from([" ", ", ", "…", "\u00a0", " — ", "/"]))
def test_words_are_the_same_whatever_stands_behind_them(declared: list[str], shown: list[str], sign: str) -> None:
    known = set(pairwise(declared))
    hits = sum(pair in known for pair in pairwise(shown))
    found = values_of(page_with({"@type": "Article", "articleBody": " ".join(declared)}, f"<p>{sign.join(shown)}"))
    assert found["declared_article"] == [1000 * hits // (len(shown) - 1)]


@given(st.text(st.sampled_from("ab AB 09:.,!é中"), min_size=1, max_size=40))
def test_what_follows_a_text_on_the_page_does_not_count(text: str) -> None:
    page = f"<title>ab A</title><p>x{text}"
    assert values_of(page) == values_of(page + "<!--ABCab 2024 12:30 .,!?-->")


def test_a_page_after_a_huge_one_is_read_as_by_itself() -> None:
    words = " ".join(f"word{i}" for i in range(5000))
    huge = page_with(
        {"@type": "Article", "articleBody": words}, "".join(f"<p class=c{i}>text {i}" for i in range(5000))
    )
    list_of_links = "".join(f"<li class=item{i % 3}><a href=/>link {i % 7}</a>" for i in range(40))
    small = page_with(
        {"@type": "Article", "articleBody": "one two three four"}, f"<p>One two three.<ul>{list_of_links}"
    )
    workspace, features = Workspace(Document()), Features()
    for page in (small, huge, small, "<p>a", huge, small):
        workspace.parse(page.encode())
        workspace.measure(with_concealed=True)
        features.compute(workspace.document, workspace.metrics, workspace.blocks)
        values, n = array.array("h", features.values()), features.n_blocks
        found = {name: values[f * n : (f + 1) * n].tolist() for f, name in enumerate(FEATURES)}
        assert found == values_of(page)


TEXT = st.text(st.sampled_from("ab AB 019:.h,-É я Я 中"), min_size=1, max_size=200)


@given(TEXT)
def test_openings_equal_a_slow_model_of_them(text: str) -> None:
    text = re.sub(" +", " ", "x" + text).strip()
    opening = text[:160]
    found = values_of(f"<p>{text}")
    assert found["block_digits"] == [int(1000 * sum(c.isdigit() for c in opening) / len(opening))]
    assert found["block_capitals"] == [int(1000 * sum(c.isupper() for c in opening) / len(opening))]
    date = re.search(r"(?<!\d)(19|20)\d\d(?!\d)|(?<!\d)\d\d?[:.h]\d\d", opening)
    assert found["block_date"] == [int(date is not None)]


ADDRESS = ["address_depth", "address_words", "address_length", "address_digits"]


def address_of(head: str) -> list[int]:
    """The features of the page's own address."""
    values = values_of(f"<head>{head}</head><p>a")
    return [value for row in ADDRESS for value in values[row]]


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("https://mill.example/", [0, 0, 0, 0]),
        ("https://mill.example", [0, 0, 0, 0]),
        (" HTTP://mill.example:8080?lang=2024#top ", [0, 0, 0, 4]),
        ("//mill.example/news/", [1, 1, 4, 0]),
        ("/news/2024/05/how-the-wheel-turns.html", [4, 4, 19, 4]),
        ("https://mill.example/a/b/c/d/e/f?id=1234567890123", [4, 1, 1, 9]),
        ("https://mill.example/en/index.php", [0, 0, 0, 0]),
        ("https://mill.example/pt-BR/", [0, 0, 0, 0]),
        ("https://mill.example/pt_BRA/", [1, 2, 6, 0]),
        ("https://mill.example/en/no", [1, 1, 2, 0]),
        ("https://mill.example/news/Default.aspx#c", [1, 1, 4, 0]),
        ("https://mill.example/welcome/", [0, 0, 0, 0]),
        ("https://mill.example/.html", [1, 1, 5, 0]),
        ("https://mill.example/v1.20", [1, 2, 5, 2]),
        ("https://mill.example/a%20b%2Bc", [1, 2, 5, 2]),
        ("https://mill.example/%D0%BD%d0%b8%D0%B2%D0%B0", [1, 1, 4, 1]),
        ("https://mill.example/нива-и-水車", [1, 3, 9, 0]),
        ("https://mill.example/100%", [1, 1, 4, 3]),
        ("https://mill.example//a//", [1, 1, 1, 0]),
        (f"https://mill.example/{'word-' * 100}", [1, 9, 99, 0]),
        ("mailto:miller@mill.example", [-1] * 4),
        ("news.html", [-1] * 4),
        ("", [-1] * 4),
    ],
)
def test_the_form_of_the_page_s_own_address(address: str, form: list[int]) -> None:
    assert address_of(f"<link rel=canonical href='{address}'>") == form
    assert address_of(f"<meta property=og:url content='{address}'>") == form


def test_which_address_is_the_page_s_own() -> None:
    canonical, other = "<link rel='Canonical ' href=/a/b>", "<link rel=canonical href=/c/d/e>"
    named = "<meta name=og:url content=https://mill.example/x-y-z>"
    assert address_of("<link rel=alternate href=/a/b><link href=/a><meta name=url content=/a/b>") == [-1] * 4
    assert address_of(named + canonical + other) == [2, 1, 1, 0]
    assert address_of(named + "<link rel=canonical><link rel=canonical href=a.html>") == [1, 3, 5, 0]
    assert address_of("<link rel=canonical href=a.html>" + canonical) == [2, 1, 1, 0]
    assert address_of(f"<template>{named}{canonical}</template>") == [-1] * 4
    workspace, features = Workspace(Document()), Features()
    for page, depth in ((canonical + "<p>a", 2), ("<p>a", -1)):
        workspace.parse(page.encode())
        workspace.measure(with_concealed=True)
        features.compute(workspace.document, workspace.metrics, workspace.blocks)
        assert array.array("h", features.values())[FEATURES.index("address_depth")] == depth


@pytest.mark.parametrize(
    ("said", "kind"),
    [("article", 1), ("Article:news", 1), (" website", 2), ("websites", 3), ("video.other", 3), ("", 0)],
)
def test_what_the_page_says_that_it_is(said: str, kind: int) -> None:
    assert values_of(f"<meta property='og:type' content='{said}'><p>a")["page_kind"] == [kind]


@given(st.text(st.sampled_from("/?#.-_%20aä水:Ee9&"), max_size=40))
def test_any_address_is_read(path: str) -> None:
    depth, words, length, digits = address_of(f'<link rel=canonical href="https://mill.example/{path}">')
    parts = [part for part in re.split("[?#]", path)[0].split("/") if part]
    assert len(parts) - 2 <= depth <= len(parts) or depth == 4
    assert 0 <= words <= min(9, max(map(len, parts), default=0))
    assert 0 <= length <= max(map(len, parts), default=0)
    assert digits == min(9, max(map(len, re.findall("[0-9]+", path.split("#", maxsplit=1)[0])), default=0))


SENTENCES = "The wheel turns day and night, and the grain comes by the river. " * 4


@pytest.mark.parametrize("word", ["comments", "COMMENT-list", "disqus_thread", "livefyre"])
def test_comments_are_found_wherever_their_word_stands_in_a_class(word: str) -> None:
    """The core looks at sixteen bytes at a time; two letters that are in all such words may stand on their border."""
    names = [f"{'x' * before} {word} {'y' * after}" for before in range(40) for after in range(0, 40, 3)]
    others = [name.replace(word, "com-mits") for name in names]
    page = "".join(f'<div class="{name}"><p>{SENTENCES}</p></div>' for name in (*names, *others))
    assert [value > 0 for value in values_of(page)["in_comments"]] == [True] * len(names) + [False] * len(others)


def test_discussions_and_articles_with_comments() -> None:
    article = f"<article>{f'<p>{SENTENCES}</p>' * 2}</article>"
    comments = "<section class='comments-area'>" + f"<div class=entry>{SENTENCES}</div>" * 2 + "</section>"
    found = values_of(article + comments)
    assert found["in_comments"] == [0, 0, 1, 1]
    assert found["page_comments"] == [500] * 4
    assert found["page_comment_blocks"] == [500] * 4
    assert found["page_before_comments"] == [500] * 4
    assert found["page_repeated_good"] == [0] * 4
    thread = f"<div class=post>{SENTENCES}</div>" * 9
    found = values_of(thread)
    assert found["in_comments"] == [0] * 9
    assert found["page_before_comments"] == found["page_repeated"] == found["page_repeated_often"] == [1000] * 9
    assert found["page_before_repeated"] == [0] * 9
    # The class of the body tells of the page, and so does that of an article.
    for markup in (f"<body class=comments-open><p>{SENTENCES}", f"<article class=comments><p>{SENTENCES}"):
        assert values_of(markup)["in_comments"] == [0]
