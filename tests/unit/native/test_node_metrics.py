# SPDX-License-Identifier: Apache-2.0
"""Metrics of nodes: against the slow model, and the cases that a model does not decide."""

import math
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_model import Element, composite_text_density, metrics, random_page, to_html

from thresher.native.base.characters import measure
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document


def parsed(html: str) -> tuple[Document, Metrics]:
    document = Document()
    document.parse(html.encode())
    found = Metrics()
    found.measure(document)
    return document, found


def body_metrics(html: str) -> dict[str, int]:
    _, found = parsed(html)
    return found[found.body]


@pytest.mark.parametrize("seed", range(60))
def test_every_node_agrees_with_the_model(seed):
    page = random_page(random.Random(seed), 60)
    document, found = parsed(to_html(page))

    def compare(element: Element, node: int, *, in_link: bool) -> None:
        expected = metrics(element, in_link=in_link)
        actual = found[node]
        assert {name: actual[name] for name in expected} == expected
        children = [n for n in range(node + 1, document.end(node)) if document.parent(n) == node]
        inside = in_link or element.tag in ("a", "button", "select")
        for child, below in zip(element.children, children, strict=True):
            if isinstance(child, Element) and not child.hidden():
                compare(child, below, in_link=inside)

    compare(page, found.body, in_link=False)


def test_densities_are_the_formulas():
    page = Element(
        "body", [Element("div", ["some words here ", Element("a", ["a link"]), " and more"]), Element("p", ["x" * 40])]
    )
    document, found = parsed(to_html(page))
    body, div = metrics(page), metrics(page.elements()[0])
    ratio = body["link_characters"] / body["characters"]
    assert found.link_density(found.body) == pytest.approx(ratio)
    assert found.text_density(found.body) == pytest.approx(body["characters"] / 3)
    assert found.composite_text_density(found.body) == pytest.approx(composite_text_density(body, ratio))
    assert found.composite_text_density(found.body + 1) == pytest.approx(composite_text_density(div, ratio))
    assert found.hyperlink_ratio(found.body) == found.hyperlink_ratio(found.body + 1) == 1.0
    texts = [("some words here", 0), ("and more", 0)]
    link = {"characters": 6, "tags": 0, "link_characters": 6, "link_tags": 0}
    expected = composite_text_density(link, ratio) + sum(
        composite_text_density({"characters": len(t), "tags": 1, "link_characters": n, "link_tags": 1}, ratio)
        for t, n in texts
    )
    assert found.density_sum(document, found.body + 1) == pytest.approx(expected)
    assert found.words_per_leaf(found.body + 1) == pytest.approx(div["words"] / div["leaves"])


def test_composite_density_by_hand():
    """100 characters, 20 of them in one link, and 4 tags: C/T = 25, C/LC * T/LT = 20, base ln(25 + 20 + e)."""
    text = "y" * 80
    html = f"<body><div>{text}<b></b><i></i><u></u><a href=x>{'z' * 20}</a></div></body>"
    _, found = parsed(html)
    expected = 25 * math.log(20) / math.log(math.log(100 / 80 * 20 + 0.2 * 100 + math.e))
    assert found.composite_text_density(found.body + 1) == pytest.approx(expected)


def test_no_text_has_density_zero():
    _, found = parsed("<body><div><p></p></div></body>")
    assert found.composite_text_density(found.body) == 0.0
    assert found.text_density(found.body) == 0.0
    assert found.link_density(found.body) == 0.0


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>var x</script>",
        "<style>p {}</style>",
        "<template><p>t</p></template>",
        "<noscript>switch it on</noscript>",
        "<iframe>old browsers</iframe>",
        "<textarea>draft</textarea>",
        "<select><option>one<option>two</select>",
        "<svg><text>drawn</text></svg>",
        "<p hidden>h</p>",
        '<p hidden="hidden">h</p>',
        '<p style="display:none">h</p>',
        '<p style="color: red; DISPLAY : None !important ">h</p>',
        '<p style="visibility:hidden">h</p>',
        '<p aria-hidden="true">h</p>',
        "<dialog>closed</dialog>",
        "<math><annotation>x^2</annotation></math>",
        "<!-- comment -->",
    ],
)
def test_hidden_text_is_not_counted(hidden):
    found = body_metrics(f"<body><p>one two</p>{hidden}<p>three</p></body>")
    assert (found["characters"], found["words"]) == (12, 3)


@pytest.mark.parametrize(
    "shown",
    [
        '<p hidden="until-found">h</p>',
        '<p style="display:none;display:block">h</p>',
        '<p style="display:nonesuch">h</p>',
        '<p style="content:none">h</p>',
        '<p style="display">h</p>',
        "<dialog open>h</dialog>",
        "<details><summary>h</summary></details>",
        "<math><mi>h</mi></math>",
        '<p aria-hidden="false">h</p>',
    ],
)
def test_shown_text_is_counted(shown):
    assert body_metrics(f"<body><p>one two</p>{shown}</body>")["words"] == 3


@pytest.mark.parametrize(
    "wrapper",
    [
        "<div hidden>{}</div>",
        '<div style="display:none"><div>{}</div></div>',
        '<div aria-hidden="true">{}</div>',
        "<noscript>{}</noscript>",
        "<section style='visibility: hidden'>{}</section>",
    ],
)
def test_what_holds_the_pages_text_is_shown(wrapper):
    long, short = "<p>one two three</p>" * 10, "<p>menu</p>"
    assert body_metrics(f"<body>{short}{wrapper.format(long)}{short}</body>")["words"] == 32
    assert body_metrics(f"<body>{long}{wrapper.format(long)}</body>")["words"] == 30
    # script is never text, however much of it there is
    assert body_metrics(f"<body>{short}{wrapper.format('<script>' + 'x ' * 500 + '</script>')}</body>")["words"] == 1


def test_only_the_largest_hidden_part_is_shown():
    html = f"<body><p>menu</p><div hidden>{'<p>a b c</p>' * 20}</div><div hidden>{'<p>d e</p>' * 10}</div></body>"
    assert body_metrics(html)["words"] == 61
    assert body_metrics(f"<body><p>menu</p><div hidden><p hidden>{'a b c ' * 20}</p></div></body>")["words"] == 1


@pytest.mark.parametrize("attribute", ["hidden", 'style="display:none"', 'style="visibility: hidden"'])
def test_a_hidden_body_is_shown_by_its_scripts(attribute):
    assert body_metrics(f"<html {attribute}><body {attribute}><p>one two</p></body></html>")["words"] == 2


@pytest.mark.parametrize(
    ("text", "characters", "words"),
    [
        ("", 0, 0),
        (" \n\t", 0, 0),
        ("  two   words \n", 9, 2),
        ("don't x_1", 9, 3),
        ("中文字符 abc", 8, 5),
        ("ひらがなカタカナ", 8, 8),
        ("한국어 텍스트", 7, 2),
        ("हिन्दी भाषा", 11, 2),
        ("cafe\u0301s no\u00adbreak", 15, 2),
        ("a\u00a0b", 3, 2),
        ("😀 smile 👍🏽", 10, 1),
        ("𠀀𠀁", 2, 2),
        ("—", 1, 0),
        ("ไทย", 3, 3),
    ],
)
def test_characters_and_words(text, characters, words):
    assert measure(text.encode()) == (characters, words)


def measured_by_the_book(text: str) -> tuple[int, int]:
    """Characters and words of text whose letters are those of English, Greek and Chinese."""
    text = re.sub("[\t\n\f\r ]+", " ", text).strip(" ")
    return len(text), len(re.findall("[A-Za-z0-9_α-ω]+|[一-龥]", text))


@given(st.text(st.sampled_from("abzAZ09_ \t\n\v\f\r\x00\x08\x0e\x7f@[`{/:.,-λω中"), max_size=200))
def test_any_characters_and_words(text: str) -> None:
    assert measure(text.encode()) == measured_by_the_book(text)


@pytest.mark.parametrize(
    "text",
    [b"\xff", b"a\xe4", b"\xe4\xb8", b"\xf0\x9f\x98", b"\xc3", b"\x80\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"],
)
def test_malformed_bytes_never_read_past_the_end(text):
    characters, _ = measure(text)
    assert 1 <= characters <= len(text)


def test_metrics_are_reused_from_page_to_page():
    document, found = Document(), Metrics()
    for html, words in [(b"<p>a b c" * 500, 1500), (b"<p>x", 1), (b"", 0), (b"<p>a b" * 2000, 4000)]:
        document.parse(html)
        found.measure(document)
        assert found[found.body]["words"] == words


def test_an_index_beyond_the_page_is_an_error():
    _, found = parsed("<p>x")
    with pytest.raises(IndexError):
        found[found.n_nodes]
    with pytest.raises(IndexError):
        found.text_density(-1)
