# SPDX-License-Identifier: Apache-2.0
"""What lies beyond a limit is not lost silently: native/README.md, Limits."""

import json
from datetime import date

import pytest

import thresher
from thresher.native.facts.linked_data import linked_strings, prose_of
from thresher.page.metadata import read_metadata
from thresher.page.page_extractor import PageExtractor

SENTENCE = "The mill stands at the lower end of the village, and its wheel has turned for three hundred years. "


def linked(value: object) -> str:
    """A script of JSON-LD."""
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


ARTICLE = {
    "@type": "NewsArticle",
    "headline": "The wheel turns again",
    "datePublished": "2014-03-05",
    "author": {"@type": "Person", "name": "Ann Miller"},
}


@pytest.mark.parametrize(
    "before",
    [
        '<b itemprop=keywords><meta itemprop=author content="Ann Miller"></b>' * 300,
        "<meta name=author content=Editor>" * 300,
        "<time>1 May 2013</time>" * 50,
        "<h1>Wheels</h1>" * 50,
        "<a rel=author href=/a>Ann Miller</a>" * 50,
        linked([{"@type": "Product", "name": f"Wheel {number}"} for number in range(3_000)]),
        linked({"@type": "Thing", "keywords": [f"{SENTENCE}{number}" for number in range(5_000)]}),
        linked({"@type": "Thing", "name": "x"}) * 40,
        linked({"@type": "Thing", "text": SENTENCE * 12_000}),
        '<script type="application/ld+json">' + '{"a":[' * 200 + "]}" * 200 + "</script>",
    ],
    ids=[
        "values of itemprop", "values of meta", "times", "headings", "authors", "objects", "strings", "scripts",
        "a long script", "a deep script",
    ],
)  # fmt: skip
def test_json_ld_behind_much_else_is_read(before: str) -> None:
    found = read_metadata(thresher.parse(f"<title>Wheels</title>{before}{linked(ARTICLE)}<p>{SENTENCE}"))
    assert found.date == date(2014, 3, 5)
    assert found.author == "Ann Miller"


def test_a_name_of_the_head_behind_many_values_of_another_is_read() -> None:
    many = "".join(f"<meta name=citation_author content='Ann Miller {number}'>" for number in range(400))
    last = "<meta name=description content='All of it.'><link rel=canonical href=https://e.org/a>"
    found = read_metadata(thresher.parse(f"<title>Wheels</title>{many}{last}"))
    assert found.description == "All of it."
    assert found.canonical_url == "https://e.org/a"


def test_the_marked_time_behind_those_of_a_list_is_read() -> None:
    times = "".join(f"<time datetime=2013-05-{1 + number % 28:02}>x</time>" for number in range(60))
    found = read_metadata(
        thresher.parse(f"{times}<article><time class=published datetime=2014-03-05>y</time></article>")
    )
    assert found.date == date(2014, 3, 5)


def test_a_name_that_is_too_long_is_none_and_what_follows_is_read() -> None:
    author = [{"@type": "Person", "name": "x" * 5_000}, {"@type": "Person", "name": "Ann Miller"}]
    found = read_metadata(thresher.parse(linked({**ARTICLE, "author": author})))
    assert found.author == "Ann Miller"


@pytest.mark.parametrize("names", [22, 98, 99, 200])
def test_of_a_long_list_of_authors_no_name_is_cut(names: int) -> None:
    text = "Ann Lee, " * names + "Robert Johnson"
    for page in (linked({**ARTICLE, "author": text}), f"<meta name=author content='{text}'>"):
        found = read_metadata(thresher.parse(page)).author
        assert found == ("Ann Lee; Robert Johnson" if names < 99 else "Ann Lee")


def test_a_long_text_with_more_than_names_names_nobody() -> None:
    names = [f"Robert Maximilian Miller{chr(97 + number)}" for number in range(14)]
    listed = f"<meta name=author content='{', '.join(names)}'>"
    assert read_metadata(thresher.parse(listed)).author == "; ".join(names)
    for rest in (SENTENCE, "the mill"):
        assert read_metadata(thresher.parse(listed.replace("'>", f", {rest}'>"))).author is None


def test_authors_beyond_the_twentieth_are_left_out() -> None:
    page = "".join(f"<meta name=citation_author content='Ann Miller{chr(97 + number)}'>" for number in range(26))
    found = read_metadata(thresher.parse(page)).author
    assert found == "; ".join(f"Ann Miller{chr(97 + number)}" for number in range(20))


def test_only_a_block_is_too_long_for_a_title() -> None:
    title = "The wheel turns again " * 20
    for page in (f"<title>{title}</title>", f"<h1>{title}</h1>", f"<h2>{title}</h2><title>Wheels</title>"):
        extractor = PageExtractor()
        extractor.extract(f"{page}<p>{SENTENCE * 3}</p>".encode(), None)
        assert extractor.metadata(None).title == ("Wheels" if "<h2>" in page else title.strip())


def test_strings_of_objects_that_are_not_told_apart_are_still_strings() -> None:
    page = thresher.parse(linked([{"@type": "Comment", "text": "x"}] * 65_540))
    assert len(linked_strings(page)["strings"]) == 65_540


def test_values_of_a_property_beyond_the_twentieth_are_no_facts() -> None:
    author = [{"@type": "Person", "name": f"Ann Miller{chr(97 + number)}"} for number in range(26)]
    found = read_metadata(thresher.parse(linked({**ARTICLE, "author": author}))).author
    assert found is not None
    assert found.count(";") == 19


def test_the_longest_text_is_read_whole() -> None:
    body = SENTENCE * 12_000
    assert prose_of(thresher.parse(linked({**ARTICLE, "articleBody": body}))) == body


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (f"<math><mi>x</mi><mtext>{'word ' * 80}finis</mtext></math>", "finis"),
        (f"<math>{'<mn>123456789</mn><mo>+</mo>' * 4_000}<mi>finis</mi></math>", "finis"),
        (f"<math>{'<mrow>' * 200}<mi>finis</mi>{'</mrow>' * 200}</math>", "finis"),
        (f"$x + {'y ' * 600}finis$", "finis"),
    ],
    ids=["token", "formula", "depth", "dollars"],
)
def test_no_character_of_a_formula_is_lost(formula: str, text: str) -> None:
    assert text in thresher.extract(f"<script src=mathjax.js></script><p>{SENTENCE}{formula}</p>", extractor="all").text


def spans(*names: str, inside: str) -> str:
    """Nested spans of these classes."""
    return "".join(f"<span class={name}>" for name in names) + inside + "</span>" * len(names)


def test_a_table_of_katex_with_more_rows_than_are_converted_keeps_all() -> None:
    def column(rows: int) -> str:
        cells = "".join(f"<span style=top:{row}em><span class=mord>{row}</span></span>" for row in range(rows))
        return spans("col-align-c", "vlist-t", "vlist-r", "vlist", inside=cells)

    for rows in (3, 80):
        table = spans("katex", "katex-html", "base", "mtable", inside=column(rows))
        text = thresher.extract(f"<p>{SENTENCE}{table}", extractor="all").text
        assert ("matrix" in text) == (rows == 3)
        assert str(rows - 1) in text


def test_numbers_without_a_note_within_the_limits_stay() -> None:
    page = f"<p>{'word<sup>1</sup> ' * 2_100}last<sup>2</sup><p><sup>1</sup>One.<p><sup>2</sup>Two."
    text = thresher.extract(page, extractor="all", format="markdown").text
    assert "last" in text
    assert "One." in text
    assert text.rstrip().endswith("Two.")


def test_a_style_with_deep_brackets_says_nothing_from_there_on() -> None:
    for depth, hidden in ((8, True), (40, False)):
        style = f"color:red;x:{'(' * depth}{')' * depth};display:none"
        assert ("Seen" not in thresher.extract(f"<p>{SENTENCE}<p style='{style}'>Seen", extractor="all").text) == hidden


def test_an_address_that_is_too_long_leaves_its_text() -> None:
    page = f"<p>{SENTENCE}<a href='https://e.org/{'x' * 3_000}'>the mill</a> <img alt='A wheel' src='/{'y' * 3_000}'>"
    text = thresher.extract(page, extractor="all", format="markdown", links=True, images=True).text
    assert "the mill" in text
    assert "xxx" not in text
    assert "yyy" not in text


def test_listings_keep_the_text_of_elements_that_are_too_deep_for_lines() -> None:
    page = f"<pre class=highlight>{'<div class=line>x' * 80}</pre>"
    assert thresher.extract(page, extractor="all").text.count("x") == 80


@pytest.mark.parametrize("blanks", [4_000, 5_000])
def test_a_label_behind_too_much_white_space_stays(blanks: int) -> None:
    page = f"<p>{SENTENCE}</p><div><button>Copy</button>{' ' * blanks}<pre>a wheel</pre></div>"
    text = thresher.extract(page, extractor="all").text
    assert "a wheel" in text
    assert ("Copy" in text) == (blanks > 4_096)


@pytest.mark.parametrize("cells", [10, 200])
def test_a_cell_that_spans_too_many_columns_is_there(cells: int) -> None:
    page = f"<table><tr><td colspan={cells}>wide<tr>{'<td>x' * cells}</table>"
    text = thresher.extract(page, extractor="all", format="markdown").text
    assert "wide" in text
    assert text.count("x") == cells


def test_the_first_attributes_of_a_tag_count_and_its_text_is_read() -> None:
    junk = " ".join(f"a{number}=1" for number in range(5_000))
    for attributes, n in ((f"id=mill {junk} title=wheel", 1_024), (f"{junk} id=mill a0=2 a6000=1 a6000=1", 1_024)):
        document = thresher.parse(f"<p {attributes}>{SENTENCE}</p><p>{SENTENCE}")
        assert document.status == "ok"
        assert document.n_attributes == n
        found = thresher.extract(f"<h1>Wheels</h1><p {attributes}>{SENTENCE}</p><p>{SENTENCE}")
        assert found.text.count(SENTENCE.strip()) == 2
