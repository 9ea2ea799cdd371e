# SPDX-License-Identifier: Apache-2.0
"""The text of a page whose elements hold none: that of its JSON-LD."""

import json

import pytest

import thresher

BODY = "For eleven years the wheel lay in the reeds behind the barn.\nThe committee met in the school kitchen. " * 8
SHELL = "<body><nav><a href=/>Home</a> <a href=/a>About</a></nav><div id=root></div>"


def page(**data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", **data})}</script>{SHELL}'


@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_a_page_without_text_has_that_of_its_data(format):  # noqa: A002 (the option's name)
    found = thresher.extract(page(articleBody=BODY), format=format)
    assert found.text_source == "json_ld"
    assert found.text.count("The committee met in the school kitchen.") == 8
    assert found.language == "eng"
    assert "Home" not in found.text


def test_markup_in_the_data_is_read_as_markup():
    body = "<p>One &lt;b&gt; " + "word " * 100 + "</p><script>alert(1)</script><p>Two</p>"
    found = thresher.extract(page(articleBody=body).replace("</script><p>", "<\\/script><p>"), format="html")
    assert found.text_source == "json_ld"
    assert "One &lt;b&gt; word" in found.text
    assert "<p>Two</p>" in found.text
    assert "alert" not in found.text


def test_what_is_not_taken():
    paragraphs = "".join(f"<p>{line}</p>" for line in BODY.splitlines())
    whole = page(articleBody=BODY + " And more.").replace(SHELL, f"<article><h1>Wheel</h1>{paragraphs}</article>")
    assert thresher.extract(whole).text_source == "dom"
    assert thresher.extract(page(articleBody="Too short to be taken.")).text_source == "dom"
    neighbours = {"@type": "ItemList", "itemListElement": [{"@type": "Article", "articleBody": BODY}]}
    assert thresher.extract(page(**neighbours)).text_source == "dom"
    assert thresher.extract(page(articleBody=BODY), extractor="cetd").text_source == "dom"
    assert thresher.extract("").text_source == "dom"


def test_recipes_and_answers():
    recipe = page(**{"@type": "Recipe", "recipeIngredient": [f"{n} spoons of flour" for n in range(40)]})
    assert "7 spoons of flour" in thresher.extract(recipe).text
    questions = [{"@type": "Question", "name": f"Why {n}?", "acceptedAnswer": {"text": BODY[:80]}} for n in range(9)]
    assert "Why 3?" in thresher.extract(page(**{"@type": "FAQPage", "mainEntity": questions})).text


def test_the_next_page_has_its_own_text():
    assert thresher.extract(page(articleBody=BODY)).text_source == "json_ld"
    found = thresher.extract("<p>A short page.")
    assert (found.text_source, found.text) == ("dom", "A short page.")
