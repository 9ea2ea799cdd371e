# SPDX-License-Identifier: Apache-2.0
"""The scan of JSON-LD in the core."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.native.facts.linked_data import linked_strings
from thresher.page.metadata import read_metadata


def read(*scripts: str):
    html = "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)
    return linked_strings(thresher.parse(html))


def strings(*scripts: str):
    return read(*scripts)["strings"]


def test_strings_by_group():
    article = {
        "@type": "NewsArticle", "headline": "Wheel", "articleBody": 'It turned.\n"Well" \u00fc \u2603',
        "comment": [{"@type": "Comment", "text": "Indeed", "author": {"name": "Ann"}}],
    }  # fmt: skip
    recipe = {
        "@type": "Recipe", "recipeIngredient": ["1 egg", "2 eggs"],
        "recipeInstructions": [{"@type": "HowToStep", "name": "Step", "text": "Beat them."}],
    }  # fmt: skip
    faq = {"@type": "FAQPage", "mainEntity": [{"@type": "Question", "name": "Why?", "acceptedAnswer": {"text": "So."}}]}
    shop = {"description": "A wheel.", "@type": "Product", "name": "Wheel", "review": {"reviewBody": "Fine."}}
    other = {
        "@type": "Thing",
        "x": "A long text of an unknown property, which might be prose for all one knows.",
        "y": "z",
    }
    assert strings(*map(json.dumps, (article, recipe, faq, shop, other))) == [
        ("fact", "headline", "Wheel"),
        ("article", "articleBody", 'It turned.\n"Well" ü ☃'),
        ("talk", "text", "Indeed"),
        ("fact", "name", "Ann"),
        ("recipe", "recipeIngredient", "1 egg"),
        ("recipe", "recipeIngredient", "2 eggs"),
        ("recipe", "name", "Step"),
        ("recipe", "text", "Beat them."),
        ("talk", "name", "Why?"),
        ("talk", "text", "So."),
        ("product", "description", "A wheel."),
        ("fact", "name", "Wheel"),
        ("talk", "reviewBody", "Fine."),
        ("other", "", "A long text of an unknown property, which might be prose for all one knows."),
    ]


@pytest.mark.parametrize(
    ("script", "types"),
    [
        ('{"@type": "https://schema.org/BlogPosting"}', ["article"]),
        ('{"@graph": [{"@type": ["WebPage", "FAQPage"]}, {"@type": "BreadcrumbList"}]}', ["faq", "page"]),
        ('{"@type": "WebPage", "mainEntity": {"@type": "Product"}}', ["product", "page"]),
        ('{"@type": "ItemList", "itemListElement": [{"@type": "Product"}]}', ["list"]),
        ('{"@type": "Article", "author": {"@type": "Organization"}}', ["article"]),
        ('[{"@type": "TechArticle"}, {"@type": "DiscussionForumPosting"}]', ["article", "forum", "documentation"]),
        ("{}", []),
    ],
)
def test_types_of_the_page(script, types):
    assert read(script)["types"] == types


@pytest.mark.parametrize(
    "script",
    [
        '{"headline": "A "good" wheel", "x": 1}',
        '/* <![CDATA[ */ {"headline": "A \\"good\\" wheel"}; /* ]]> */',
        '{"x": 1 "headline": "A \\"good\\" wheel",,}',
        '{"x": "1" "headline": "A \\"good\\" wheel"',
        '{"x": [1, {"y": 2}, "headline": "A \\"good\\" wheel"}',
        '}]{"x": ,"headline": "A \\"good\\" wheel", "y": "cut',
    ],
)
def test_broken_json_is_read(script):
    assert ("fact", "headline", 'A "good" wheel') in strings(script)


def test_line_breaks_in_strings_are_kept():
    assert strings('{"articleBody": "one\ntwo"}') == [("article", "articleBody", "one\ntwo")]


def test_lone_surrogates_become_question_marks():
    assert strings('{"articleBody": "a \\ud800 b"}') == [("article", "articleBody", "a ? b")]
    page = thresher.parse('<script type="application/ld+json">{"author": "Ann \\ud800 Lee"}</script>')
    assert read_metadata(page).author.encode() == b"Ann ? Lee"


def test_other_scripts_and_what_is_inside_a_template_are_not_read():
    html = '<script type="{}">{{"headline": "x"}}</script>'
    for kind, n in (("application/ld+json", 1), (" Application/LD+JSON; charset=utf-8", 1), ("application/json", 0)):
        assert len(linked_strings(thresher.parse(html.format(kind)))["strings"]) == n
    page = thresher.parse(f"<template>{html.format('application/ld+json')}</template>")
    assert linked_strings(page)["strings"] == []


values = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["text", "articleBody", "name", "@type", "@graph", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


def bodies(value):
    """The strings of articleBody in order, as json has them."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key == "articleBody":
                yield from (one for one in (each if isinstance(each, list) else [each]) if isinstance(one, str) and one)
            yield from bodies(each)
    elif isinstance(value, list):
        for each in value:
            yield from bodies(each)


@given(values)
def test_valid_json_is_read_as_json_reads_it(value):
    script = json.dumps(value).replace("</", "<\\/").replace("<!", "\\u003c!").replace("<", "\\u003c")
    found = [text for _, key, text in strings(script) if key == "articleBody"]
    assert set(bodies(value)) <= set(found)


@given(st.text(alphabet='{}[]":,\\ \nabtext@', max_size=80))
def test_any_script_is_survived(script):
    for _, _, text in strings(script):
        text.encode()
