# SPDX-License-Identifier: Apache-2.0
"""The type of a page, and the weights of what speaks for it."""

import base64
import json
import zlib

import numpy as np
import pytest

import thresher
from thresher.lab.train.page_types import LabelledPage, Weights, fit, held_out, predict, report, to_json
from thresher.native.facts.linked_data import TYPE_NAMES
from thresher.native.facts.page_types import NUMBERS, TypeWeights, find_evidence, find_numbers
from thresher.native.parsing.document import Document
from thresher.native.scoring.features import Features
from thresher.native.workspace import Workspace
from thresher.page import page_type
from thresher.page.page_extractor import PageExtractor
from thresher.page.page_type import WEIGHTS, type_weights
from thresher.page_types import GROUP_OF_TYPE, TYPES


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        ('<script type=application/ld+json>{"@type": "NewsArticle", "datePublished": "2014-03-05"}</script>'
         "<meta property=og:type content=article><h1>Wheel</h1>" + "<p>It turned." * 12,
         "https://a.example/2014/03/05/the-wheel-is-back-again", "article"),
        ('<script type=application/ld+json>{"@type": "Product", "name": "Wheel"}</script><h1>Wheel</h1>',
         "https://a.example/product/wheel", "product"),
        ('<script type=application/ld+json>{"@type": "Recipe", "name": "Bread"}</script><h1>Bread</h1>',
         "https://a.example/recipes/bread", "recipe"),
        ("<meta name=generator content='Discourse 3.1'><h1>How?</h1><article><p>I ask.</article><article><p>So.",
         "https://forum.a.example/t/how/12", "forum"),
        ("<meta name=generator content='Docusaurus v3'><h1>Install</h1><p>Run it.",
         "https://docs.a.example/docs/install", "documentation"),
        ("<h1>Shoes</h1>" + "<article><a href=/x>Shoe</a></article>" * 40, "https://a.example/collections/shoes",
         "listing"),
    ],
)  # fmt: skip
def test_types_of_plain_cases(html, url, expected):
    found = thresher.extract(html, url=url)
    assert found.type_group == expected
    assert GROUP_OF_TYPE[found.type] == expected
    assert 0.2 < found.type_score <= 1.0


def test_a_page_that_says_nothing_is_of_no_type_that_has_a_name():
    found = thresher.extract("<p>x")
    assert found.type_group == "other"
    assert found.type_score < 0.9


PROSE = (
    "The little ferry crossed the estuary for sixty years before the bridge was built, and most people in the two"
    " villages learned to swim in her wake. When she was towed away an engineer bought back the wheel and the bell. "
)
GREEK = (
    "Το μικρό πορθμείο πέρασε τον κόλπο για εξήντα χρόνια πριν χτιστεί η γέφυρα και όλοι έμαθαν να κολυμπούν πίσω του. "
)
CHINESE = (
    "小渡船在大桥建成之前六十年间一直往返于河口，两岸村庄的大多数人都在它身后学会了游泳，后来一位工程师买回了舵轮。"
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # an old page of news: no data, no article element, no class that says anything
        (f"<table><tr><td><b>The ferry that came back</b><br>{(PROSE + '<br><br>') * 8}</table>", "article"),
        (f"<h1>Το πορθμείο που γύρισε</h1>{f'<p>{GREEK}</p>' * 9}", "article"),
        (f"<h1>渡船归来</h1>{f'<p>{CHINESE}</p>' * 9}", "article"),
    ],
    ids=["table", "Greek", "Chinese"],
)  # fmt: skip
def test_what_the_text_is_made_of_speaks_for_a_type(html, expected):
    assert thresher.extract(html, url="http://www.mill.example/2001/03/05/4711").type_group == expected


RECIPE = (
    "<h1>Barley bread</h1><p>A plain loaf that keeps for a week.<h2>Ingredients</h2><ul><li>300 g of barley flour<li>200 g"
    " of wheat flour<li>2 spoons of honey<li>1 pinch of salt</ul><h2>Method</h2><ol><li>Mix the flour with the salt and"
    " the honey.<li>Knead it for ten minutes and let it rest.<li>Bake it for forty minutes.</ol>"
)
PRODUCT = (
    "<h1>Brass hand bell</h1><p>48.00 EUR, in stock</p><button>Add to cart</button><p>Cast in sand and polished by hand, with"
    " a handle of oak. It weighs 900 grams and comes in a box with a leather strap.</p><h2>Reviews</h2><p>Loud enough.</p>"
)


@pytest.mark.parametrize(
    ("html", "path", "expected"),
    [
        (
            f"<h1>The ferry returns</h1><p>By Ann Lee</p><p>5 March 2014</p><p>{PROSE}</p><p>{PROSE}</p>",
            "a/1",
            "article",
        ),
        (RECIPE, "recipes/barley-bread", "recipe"),
        (PRODUCT, "product/bell", "product"),
    ],
    ids=["article", "recipe", "product"],
)
def test_short_plain_pages_have_their_type(html, path, expected):
    found = thresher.extract(f"<title>Made up</title>{html}", url=f"https://quay.example/{path}")
    assert found.type_group == expected


@pytest.mark.parametrize("html", ["", " \n", "<html></html>", "\ufeff"])
def test_a_page_without_content_has_no_type(html):
    found = thresher.extract(html, url="https://forum.a.example/t/how/12")
    assert (found.status, found.type, found.type_score, found.type_group) == ("empty", None, None, None)


def test_the_table_of_weights_is_whole():
    weights = json.loads(WEIGHTS.read_text("utf-8"))
    assert weights["types"] == GROUP_OF_TYPE
    assert {len(row) for row in weights["evidence"].values()} == {len(TYPES)}
    assert len(zlib.decompress(base64.b64decode(weights["hashed"]))) == 2 * 2**14 * 24


def test_the_vocabulary_has_each_token_and_each_term_of_a_page():
    html = b"<main class='post-list' id=top><h2>One wheel</h2><p>\xe8\xbd\xae 12 $</p><nav role=menu>One</nav></main>"
    extractor = PageExtractor()
    extractor.parse(html)
    extractor.measure()
    assert extractor.workspace.vocabulary() is None
    extractor.classify()
    bits = np.unpackbits(np.frombuffer(extractor.workspace.vocabulary(), np.uint8), bitorder="little")
    workspace, features = Workspace(Document()), Features()
    workspace.parse(html)
    workspace.measure()
    features.compute(workspace.document, workspace.metrics, workspace.blocks)
    tokens = {token for each in features.tokens(workspace.document) for token in each}
    terms = {
        2**14 + term for e in features.terms(workspace.document, workspace.metrics, workspace.blocks) for term in e
    }
    assert len(terms) > 4
    assert set(np.flatnonzero(bits).tolist()) == tokens | terms


def test_a_hashed_word_speaks_for_a_type():
    hashed = np.zeros((2 * 2**14, 24), np.int8)
    hashed[77, 2] = 120
    weights = TypeWeights([("", [0] * 19)], hashed.tobytes())
    bits = np.zeros(2 * 2**14, np.uint8)
    bits[77] = 1
    vocabulary = np.packbits(bits, bitorder="little").tobytes()
    score = np.exp(0.3) / (18 + np.exp(0.3))
    assert weights.likeliest({}, (0, 0, 0), [], None, None, vocabulary) == (2, pytest.approx(score))
    assert weights.likeliest({}, (0, 0, 0), [], None, None, bytes(4096))[0] == 0
    with pytest.raises(ValueError, match="bytes of tokens and terms"):
        weights.likeliest({}, (0, 0, 0), [], None, None, b"x")
    with pytest.raises(ValueError, match="weights of tokens and terms"):
        TypeWeights([("", [0] * 19)], b"x")


OF_ANY_PAGE = {"bare head", "no h1", "no text chosen"}
"""What is said of a page of which nothing is known."""


@pytest.mark.parametrize(
    ("values", "evidence"),
    [
        ({"og:type": ["Video.Movie of a very long kind"]}, "og:video.movie of a ver"),
        ({"generator": ["WordPress 6.1"]}, "gen:wordpress"),
        ({"body class": ["home Single-post single2"]}, "class:home|class:single|class:post"),
        ({"datepublished": ["x"], "time": ["x"], "citation_date": ["x"]}, "dated"),
        ({"article:published_time": ["x"]}, "dated"),
        ({"article:modified_time": ["x"]}, "dated"),
        ({"time published": ["x"]}, "time"),
        ({"time in article": ["x"]}, "time"),
        ({"time published elsewhere": ["x"]}, "time"),
        ({"time in article elsewhere": ["x"]}, "time"),
        ({"author": ["x"]}, "author"),
        ({"og:site_name": ["The Old Mill"]}, "site:the|site:old|site:mill"),
    ],
)
def test_evidence_of_values(values, evidence):
    assert find_evidence(values, (0, 0, 0), [], None) - OF_ANY_PAGE == set(evidence.split("|"))


@pytest.mark.parametrize("name", ["description", "og:description", "og:type", "og:url", "og:site_name", "canonical"])
def test_a_head_that_says_something_is_not_bare(name):
    assert "bare head" in find_evidence({"title": ["x"], "generator": ["x"]}, (0, 0, 0), [], None)
    assert "bare head" not in find_evidence({"title": ["x"], name: ["x"]}, (0, 0, 0), [], None)
    assert "bare head" not in find_evidence({"title": ["x"]}, (0, 0, 0), [{"@type": 1}], None)


def test_evidence_of_authors_and_headings():
    rel = {"rel author"}
    for name in ("rel author", "rel author elsewhere"):
        assert find_evidence({name: ["x"]}, (0, 0, 0), [], None) == OF_ANY_PAGE | rel
    one = find_evidence({"h1": ["Mill"]}, (0, 0, 0), [], None)
    assert one == {"h1:mill", "h1 first:mill", "only:mill", "no text chosen", "bare head"}
    three = find_evidence({"h1": ["A Mill", "The mill", "no more"]}, (0, 0, 0), [], None)
    assert three == {"h1:a", "h1:mill", "h1:the", "h1 first:a", "h1 first:the", "h1s", "no text chosen", "bare head"}


@pytest.mark.parametrize(
    "name", ["description", "og:description", "og:type", "og:url", "og:site_name", "canonical", "title"]
)
def test_a_head_that_says_nothing_but_a_title_is_evidence(name):
    assert ("bare head" in find_evidence({name: ["x"]}, (0, 0, 0), [], None)) == (name == "title")


def test_evidence_of_linked_data():
    bits = {name: bit for bit, name in TYPE_NAMES.items()}
    linked = [
        {"@type": bits["article"] + bits["product"], "datePublished": ["x"]},
        {"@type": bits["forum"], "headline": ["x"]},
    ]
    found = find_evidence({}, (0, 0, 0), linked, None)
    assert found == OF_ANY_PAGE - {"bare head"} | {"ld:article", "ld:product", "ld:forum", "ld dated", "ld headline"}


@pytest.mark.parametrize(
    ("counts", "evidence"),
    [
        ((1, 3, 4), {}),
        ((2, 4, 10), {"articles": "1", "paragraphs": "3", "links": "1"}),
        ((5, 2, 10), {"articles": "1 4", "links": "1 3"}),
        ((1, 10, 50), {"links": "1 3", "paragraphs": "3"}),
        ((11, 31, 401), {"articles": "1 4 10", "paragraphs": "3 10 30", "links": "1 3 10", "all links": "50 150 400"}),
        ((0, 0, 2**32 - 1), {"links": "1 3 10 30", "all links": "50 150 400"}),
    ],
)
def test_evidence_of_counts(counts, evidence):
    """Of articles, paragraphs and links; and of the links for each paragraph and one more."""
    said = {f"{name}:{limit}" for name, limits in evidence.items() for limit in limits.split()}
    assert find_evidence({}, counts, [], None) - OF_ANY_PAGE == said


@pytest.mark.parametrize(
    ("shape", "evidence"),
    [
        ((0, 0, 0, 0, 0, 0, 0, 0), {}),
        ((50, 5, 0, 5, 0, 0, 0, 0), {}),
        ((51, 51, 0, 1, 0, 0, 0, 0),
         {"text": "50", "kept": ".1 .3 .5 .7 .9", "block words": "5 10 15 25 40"}),
        ((51, 10, 1, 6, 1, 1, 1, 1),
         {"kept": ".1", "linked": ".05", "blocks": "5", "long": ".05 .1", "short": ".1",
          "headings": ".05 .1", "items": ".1"}),
        ((1000, 400, 40, 20, 5, 8, 2, 6),
         {"text": "50 100 200", "kept": ".1 .3", "linked": ".05", "blocks": "5 10", "block words": "5 10 15",
          "long": ".05 .1 .2", "short": ".1 .2", "headings": ".05", "items": ".1"}),
        ((1700, 1699, 1100, 2, 2, 2, 2, 2),
         {"text": "50 100 200 400 800 1600", "kept": ".1 .3 .5 .7 .9", "linked": ".05 .1 .2 .4 .6",
          "block words": "5 10 15 25 40 60", "long": ".05 .1 .2 .4 .6", "short": ".1 .2 .4 .6 .8",
          "headings": ".05 .1 .2", "items": ".1 .3 .5 .8"}),
    ],
)  # fmt: skip
def test_evidence_of_the_kept_text(shape, evidence):
    """Of the page's words, those of the kept text and the linked of them, and of its blocks: all, long and short ones,
    headings, items. The text is its words, and a share is more than its limit.
    """
    said = {f"{name}:{limit}" for name, limits in evidence.items() for limit in limits.split()}
    assert find_evidence({}, (0, 0, 0), [], None, (*shape, *[0] * 16)) - OF_ANY_PAGE == said


@pytest.mark.parametrize(
    ("url", "evidence"),
    [
        ("HTTP://Docs.Mill.example:80/a/b?P=2#x",
         "host:docs|host word:docs|host word:mill|in host:docs|in host:mill|tld:example|path:a|name:b|last:b|query:p"),
        ("//h/one-two-three", "host:h|tld:h|name:one|name:two|name:three|last:one|last:two|last:three"),
        ("//h/one-two-three-four", "host:h|tld:h|name:one|name:two|name:three|name:four"),
        ("//h/a-b-c-d-e", "host:h|tld:h|name:a|name:b|name:c|name:d|name:e|long name"),
        ("//h/2014/3/", "host:h|tld:h|date in path"),
        ("//h/2114/3/1", "host:h|tld:h"),
        ("//h/", "host:h|tld:h|front page"),
    ],
)  # fmt: skip
def test_all_evidence_of_an_address(url, evidence):
    assert find_evidence({}, (0, 0, 0), [], url) - OF_ANY_PAGE == set(evidence.split("|"))


def test_evidence_of_addresses():
    evidence = find_evidence(
        {}, (0, 0, 0), [], "https://docs.a.example/2014/05/guide-books/a-very-long-name-of-something?x=y"
    )
    assert {"host:docs", "date in path", "path:guide", "path:books", "long name"} <= evidence
    assert "front page" in find_evidence({}, (0, 0, 0), [], "https://a.example/")
    assert find_evidence({}, (0, 0, 0), [], "not an address")
    assert find_evidence({}, (0, 0, 0), [], None) == find_evidence({}, (0, 0, 0), [], "//") - {"host:", "front page"}


N_NUMBERS = len(NUMBERS) - len(TYPES)


def _page(i, types, n):
    return LabelledPage(
        "wcxb", f"{i}.example", TYPES[types[0]], types, len(types) == 1, f"{i}",
        *[frozenset({f"og:{TYPES[i % n]}", "time"})] * 2, np.array([i % n, n + i]), (i % n,) * N_NUMBERS,
    )  # fmt: skip


def test_weights_are_fitted_and_judged_on_other_sites():
    n = len(TYPES)
    pages = [_page(i, (i % n,), n) for i in range(20 * n)]
    weights = fit(pages)
    assert set(weights.evidence) >= {"", "og:article", "og:product"}
    assert all(weights.hashed[k].argmax() == k for k in range(n))
    assert not weights.hashed[n:].any(), "they occur on one site each"
    alone = Weights({"": np.zeros(n)}, weights.hashed)
    assert predict(alone, pages).argmax(axis=1).tolist() == [page.types[0] for page in pages]
    assert len(weights.trees) == 20 * n
    read = json.loads(to_json(weights))
    judge = TypeWeights(list(read["evidence"].items()), zlib.decompress(base64.b64decode(read["hashed"])))
    bits = np.zeros(2 * 2**14, np.uint8)
    bits[pages[3].hashed] = 1
    number, score = judge.likeliest(
        {"og:type": [TYPES[3]]}, (0, 0, 0), [], None, None, np.packbits(bits, bitorder="little").tobytes()
    )
    without_trees = predict(Weights(weights.evidence, weights.hashed), pages[3:4])[0]
    assert (number, score) == (3, pytest.approx(without_trees[3], abs=0.2))
    found = held_out(pages)
    assert len(found) == 20 * n
    assert all(shares.argmax() == page.types[0] for page, shares in found)
    assert "| wcxb | 380 | 1.000 | 1.000 |" in report(found)


def test_a_label_that_stands_for_several_types_counts_for_the_likely_one():
    news, article = TYPES.index("news"), TYPES.index("article")
    n = len(TYPES)
    pages = [_page(i, (news, article) if i % n in (news, article) and i % 2 else (i % n,), n) for i in range(20 * n)]
    weights = fit(pages)
    assert predict(weights, pages).argmax(axis=1).tolist() == [i % n for i in range(len(pages))]


@pytest.mark.parametrize("swapped", [False, True])
def test_a_tie_does_not_depend_on_the_order_of_a_set(monkeypatch, tmp_path, swapped):
    """As floating-point numbers, .1 + .2 + .3 is more than .3 + .2 + .1. A set has another order in each process."""
    low = (-9.0,) * (len(TYPES) - 2)
    weights = {"": (0.0, 0.0, *low), "dated": (0.1, 0.3, *low), "time": (0.2, 0.2, *low), "h1s": (0.3, 0.1, *low)}
    rows = {name: (row[1], row[0], *low) if swapped else row for name, row in weights.items()}
    units = np.zeros((2 * 2**14, len(TYPES)), np.int8)
    table = tmp_path / "page-types.json"
    table.write_text(to_json(Weights({name: np.array(row) for name, row in rows.items()}, units)), "utf-8")
    monkeypatch.setattr(page_type, "WEIGHTS", table)
    page_type.type_weights.cache_clear()
    try:
        values = {"datepublished": ["x"], "time published": ["x"], "h1": ["x", "y"]}
        assert type_weights().likeliest(values, (0, 0, 0), [], None) == (0, pytest.approx(0.5))
    finally:
        page_type.type_weights.cache_clear()


def test_probability_of_no_evidence():
    number, score = type_weights().likeliest({}, (0, 0, 0), [], None)
    assert number in range(len(TYPES))
    assert 0 < score < 1


@pytest.mark.parametrize(
    ("folders", "words"),
    [
        ("guide-books/2014/a", {"path:guide", "path:books", "path:a"}),
        ("", set()),
        ("éa\udc80b", {"path:a", "path:b"}),
        ("\u212ab", {"path:kb"}),  # the Kelvin sign is a k in lower case
        ("é" * 998 + "ab", {"path:a"}),  # 1,000 characters are read, with the slash in front
        ("/".join("abcdefghij" * 7), {f"path:{letter}" for letter in "abcdefghij"}),
    ],
)
def test_words_of_folders(folders, words):
    found = find_evidence({}, (0, 0, 0), [], f"https://a.example/{folders}/x")
    assert {name for name in found if name.startswith("path:")} == words


def test_each_piece_of_evidence_counts_once():
    weights = TypeWeights([("", [0] * 19), ("path:a", [100] + [0] * 18)])
    once = weights.likeliest({}, (0, 0, 0), [], "//h/a/x")
    assert weights.likeliest({}, (0, 0, 0), [], "//h/a/a/a/x") == once
    assert once[0] == 0
    assert weights.likeliest({}, (0, 0, 0), [], "//h/b/x") == (0, pytest.approx(1 / 19))


SHAPE = (1000, 400, 40, 20, 5, 8, 2, 6, 80, 10, 40, 90, 300, 20, 250, 30, 20, 9, 33, 4000, 7, 1, 90, 50)


def test_numbers_of_a_page():
    values = {"title": ["The mill"], "h1": ["Mill", "x"]}
    url = "https://a.example/2014/the-old-mill.html/?page=2#top"
    found = dict(zip(NUMBERS, find_numbers(values, (1, 2, 3), url, SHAPE), strict=False))
    assert found == {
        "kept headings": 100, "blocks": 80, "first kept": 125, "last kept": 500, "span": 1500, "largest": 90,
        "words of paragraphs": 750, "words of headings": 50, "links": 250, "items": 375, "plain": 250, "headings": 112,
        "unsure": 33, "highest": 4000, "sentences": 350, "dates": 50, "digits": 4500, "capitals": 2500, "all links": 3,
        "title": 8, "heading": 4, "description": -1, "path": 23, "last": 17, "digits in path": 4,
    }  # fmt: skip
    none = find_numbers({}, (0, 0, 0), None, (100, *[0] * 23))
    assert dict(zip(NUMBERS, none, strict=False)) == dict.fromkeys(found, 0) | {
        "title": -1, "heading": -1, "description": -1
    }  # fmt: skip
    with pytest.raises(ValueError, match="8 numbers of a shape"):
        find_numbers({}, (0, 0, 0), None, (0,) * 8)


def test_trees_speak_for_a_type_where_the_main_text_was_chosen():
    stump = ([("largest", 89, ~0, ~1)], [-400, 800])
    nothing = ([], [0])
    trees = [nothing, nothing, stump, *[nothing] * 16]
    weights = TypeWeights([("", [0] * 19)], bytes(2 * 2**14 * 24), trees=trees, scale=50)
    number, score = weights.likeliest({}, (0, 0, 0), [], None, SHAPE, bytes(4096))
    assert (number, score) == (2, pytest.approx(np.exp(2) / (18 + np.exp(2))))
    lower = (*SHAPE[:11], 89, *SHAPE[12:])
    assert weights.likeliest({}, (0, 0, 0), [], None, lower, bytes(4096)) == (0, pytest.approx(1 / (18 + np.exp(-1))))
    alike = (0, pytest.approx(1 / 19))
    assert weights.likeliest({}, (0, 0, 0), [], None, SHAPE) == alike, "no vocabulary"
    few = (99, *SHAPE[1:])
    assert weights.likeliest({}, (0, 0, 0), [], None, few, bytes(4096)) == alike, "too few words"
    assert find_numbers({}, (0, 0, 0), None, few) == []
    with pytest.raises(ValueError, match="node 0 of tree 0 leads to 0"):
        TypeWeights([("", [0] * 19)], trees=[([("largest", 1, 0, ~0)], [1])])


def test_a_type_is_of_the_likeliest_group():
    weights = TypeWeights([("", [100, 50, 50, *[-500] * 16])], groups=("a", "b", "b", *"cdefghijklmnopqr"))
    assert weights.likeliest({}, (0, 0, 0), [], None)[0] == 1
    alone = TypeWeights([("", [100, 50, 50, *[-500] * 16])])
    assert alone.likeliest({}, (0, 0, 0), [], None)[0] == 0


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Über uns | Café 24", {"title:über", "title:uns", "title:café", "first:über", "end:café"}),
        ("手机評論", {"title:手机", "title:机評", "title:評論", "first:手机", "end:評論"}),
        ("「新」 iPhone手", {"title:新", "title:iphone", "title:手", "first:新", "end:手"}),
        ("Новости — дня…", {"title:новости", "title:дня", "first:новости", "end:дня"}),
        ("24 / 7", set()),
    ],
)
def test_words_of_titles(title, words):
    found = find_evidence({"title": [title]}, (0, 0, 0), [], None)
    assert {name for name in found if name.startswith(("title:", "first:", "end:"))} == words


def test_the_page_names_its_address_where_none_is_given():
    said = find_evidence({"canonical": ["https://shop.example.co.uk/Boots?size=4"]}, (0, 0, 0), [], None)
    assert said | {"bare head"} == find_evidence({}, (0, 0, 0), [], "https://shop.example.co.uk/boots?size=4")
    assert {"tld:uk", "host word:shop", "in host:exam", "in host:ample", "name:boots", "query:size"} <= said


@pytest.mark.parametrize("row", [("time", [1] * 18), ("", [1] * 20)])
def test_a_row_has_a_weight_for_each_type(row):
    with pytest.raises(ValueError, match="instead of 19"):
        TypeWeights([row])
