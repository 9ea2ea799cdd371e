# SPDX-License-Identifier: Apache-2.0
"""The text of a page whose elements hold none: that of its JSON-LD."""

import json
import re

import pytest
from costs import assert_cheap, ordinary_page
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.native.unseen.script_strings import letters_and_code

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


def test_a_head_inside_a_string_is_no_text():
    head = f'<title>A clip</title><script type="application/ld+json">{json.dumps({"description": BODY})}</script>'
    data = json.dumps({"props": {"head": head}}).replace("</", "<\\/")
    shell = f'<script id="__NEXT_DATA__" type="application/json">{data}</script>{SHELL}'
    found = thresher.extract(shell)
    assert found.text_source == "dom"
    assert "committee" not in found.text
    body = json.dumps({"body": f"<p>{BODY}</p><script>widget()</script>"}).replace("</", "<\\/")
    found = thresher.extract(f'<script id="__NEXT_DATA__" type="application/json">{body}</script>{SHELL}')
    assert found.text_source == "script"
    assert "widget" not in found.text


def test_the_next_page_has_its_own_text():
    assert thresher.extract(page(articleBody=BODY)).text_source == "json_ld"
    found = thresher.extract("<p>A short page.")
    assert (found.text_source, found.text) == ("dom", "A short page.")


PROSE = "The committee met in the school kitchen, and the wheel was made anew. " * 3
PARAGRAPHS = [f"{n}. {PROSE}" for n in range(6)]
NEXT = {"props": {"page": {"slug": "wheel", "content": [{"type": "p", "text": text} for text in PARAGRAPHS]}}}
MARKUP = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
TEASERS = [{"title": "Other", "body": f"<p>{PROSE}</p><p>And more of it.</p>"} for _ in range(3)]


ESCAPED = json.dumps(MARKUP).replace("</", "<\\/")
STATE = json.dumps({"Post:1": {"html": MARKUP}, "Posts": TEASERS})
PUSHED = json.dumps({"children": PARAGRAPHS})
PIECES = (json.dumps(PUSHED[:600]), json.dumps(PUSHED[600:]))
SCRIPTS = {
    "next": f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(NEXT)}</script>',
    "nuxt": f"<script>window.__NUXT__=(function(a){{return {{data:[{{body:{ESCAPED}}}]}}}}(1))</script>",
    "apollo": f"<script>window.__APOLLO_STATE__ = {STATE};</script>",
    "pushed": "".join(f"<script>self.__next_f.push([1,{piece}])</script>" for piece in PIECES),
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_text_among_the_strings_of_scripts(script, format):  # noqa: A002
    found = thresher.extract(SHELL + script, format=format)
    assert found.text_source == "script"
    assert found.text.count("the wheel was made anew") == 18
    assert "slug" not in found.text
    assert "<p>" not in found.text.replace("\\n", "") or format == "html"


def test_text_in_templates():
    template = f"<template><article><h1>Wheel</h1>{MARKUP}<script>a.b</script></article></template>"
    found = thresher.extract(SHELL + template, format="markdown")
    assert found.text_source == "template"
    assert found.text.count("the wheel was made anew") == 18
    assert "a.b" not in found.text
    # A shadow root is shown, and noscript is an element as any other.
    found = thresher.extract(f"{SHELL}<div>{template.replace('<template', '<template shadowrootmode=open')}</div>")
    assert (found.text_source, found.text.count("the wheel was made anew")) == ("dom", 18)
    found = thresher.extract(f"{SHELL}<noscript>{MARKUP}</noscript>")
    assert (found.text_source, found.text.count("the wheel was made anew")) == ("dom", 18)


@pytest.mark.parametrize("n", range(25, 70))  # over the lengths of plain text and markup at which a text is taken
def test_the_source_does_not_depend_on_the_format(n):
    paragraphs = "<p>The wheel turned.</p>" * n
    pages = [
        SHELL + f"<template><article>{paragraphs}</article></template>",
        page(articleBody=BODY * 2).replace(SHELL, f"<article><h1>Wheel</h1>{paragraphs}</article>"),
    ]
    for html in pages:
        sources = {thresher.extract(html, format=each).text_source for each in ("text", "markdown", "html")}
        assert len(sources) == 1


@pytest.mark.parametrize(
    "html",
    [
        # the page's elements hold the text, or enough of it
        f'<article><h1>W</h1>{MARKUP}</article><script type="application/json">{json.dumps(NEXT)}</script>',
        f'<p>{PROSE}<script type="application/json">{json.dumps({"body": PROSE * 9})}</script>',
        f"<p>{PROSE}<template>{MARKUP}</template>",
        # a text that is short, or code, or names, or addresses, or to be filled in
        f'<script type="application/json">{json.dumps({"body": PROSE[:200]})}</script>',
        f"<script>var __x = {json.dumps('if (a == b) { return c(d); } ' * 40)};</script>",
        f'<script type="application/json">{json.dumps(["Alabama Alaska Arizona"] * 40)}</script>',
        f'<script type="application/json">{json.dumps({"a": "see https://example.org/abc for it. " * 40})}</script>',
        f'<script type="text/template">{MARKUP}</script>',
        f"<script>console.log({json.dumps(PROSE * 4)})</script>",
        f"<template>{MARKUP.replace('wheel', '{{name}}')}</template>",
        "<noscript>You need to enable JavaScript to run this app.</noscript>",
    ],
)
def test_scripts_that_are_not_taken(html):
    assert thresher.extract(SHELL + html).text_source == "dom"


# --- pages that show the beginning of a text ---

STORY = [
    "The old mill had stood at the ford since the great flood, and its wheel turned until the war.",
    "Then a storm broke three of its paddles, and the miller let it rest in the mud behind the barn.",
    "His daughter sold the stones to a baker from the coast, who wanted them for his garden path.",
    "For forty years nobody asked about the rest. Children climbed on the axle and called it a ship.",
    "A teacher drew it with her class in 1958. Those drawings are the only plan that there is today.",
    "When the road was widened, workers dug up two iron rings and took them to the town hall cellar.",
    "It was a retired joiner who counted the spokes at last. He found nineteen, and one was missing.",
    "The parish paid for the oak. A sawmill in the next valley cut it, and charged half of the price.",
    "Every Saturday six people met in the fire station to plane, to glue, and to argue about angles.",
    "One of them kept a diary. It says that the first rim broke on a Tuesday, and nobody laughed.",
    "The second rim held. They soaked it in the duck pond all summer, as the drawings seemed to say.",
    "In October a crane came from the quarry. Half of the village stood on the bridge and watched it.",
    "The axle slid into its bearings at noon. The priest rang the bell without being asked to do so.",
    "Since then it turns on Sundays between Easter and the first frost, and grinds rye for visitors.",
]
TITLE = "How the wheel came back to the village"
TEASER = f"<article><h1>{TITLE}</h1><p>{STORY[0]}</p><p>{STORY[1]}</p></article>"


def script(**data: object) -> str:
    written = json.dumps(data).replace("</", "<\\/")
    return f'<script id="__NEXT_DATA__" type="application/json">{written}</script>'


def in_one(texts: list[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


@pytest.mark.parametrize(
    "state",
    [
        script(post={"title": TITLE, "body": [{"type": "p", "text": text} for text in STORY]}),
        script(post={"title": TITLE, "content": in_one(STORY)}),
        script(post={"slug": "wheel", "content": in_one(STORY)}),
        script(post={"title": TITLE, "content": in_one(STORY[2:])}),  # the elements have the rest
        script(post=in_one([TITLE, *STORY[2:]])),
        script(
            other={"content": in_one(["A dog ran over the field. It was cold. It ran on."] * 20)}, post={"b": STORY}
        ),
        f"<script>window.__NUXT__=(function(a){{return {{data:[{{body:{json.dumps(in_one(STORY))}}}]}}}}(1))</script>",
    ],
)
@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_a_text_that_goes_on_in_the_state(state, format):  # noqa: A002
    found = thresher.extract(f"<title>{TITLE}</title>{SHELL}{TEASER}{state}", format=format)
    assert found.text_source == "script"
    assert all(text in found.text for text in STORY[2:])
    assert "<p>" not in found.text or format == "html"
    assert thresher.extract(f"{SHELL}{TEASER}{state}", hidden="drop").text_source == "dom"


ABOUT = "A village turned its old wheel again, seventy years after the last miller had left it in the mud."


@pytest.mark.parametrize(
    "state",
    [
        script(post={"summary": ABOUT, "parts": [{"text": text} for text in STORY[2:]]}),  # near the description
        script(post={"parts": [{"text": text} for text in [*STORY[2:6], ABOUT, *STORY[6:]]]}),  # with it
    ],
)
def test_a_text_of_which_the_page_has_the_description(state):
    teaser = f"<p>{'Read more about mills, fords and floods in our issue of this summer. ' * 4}</p>"
    described = f'<title>Mills</title><meta name="description" content="{ABOUT}">'
    found = thresher.extract(f"{described}{SHELL}{teaser}{state}")
    assert found.text_source == "script"
    assert all(text in found.text for text in STORY[2:])
    for other in ("", '<meta name="description" content="Mills and more.">'):
        assert thresher.extract(f"<title>Mills</title>{other}{SHELL}{teaser}{state}").text_source == "dom"


DUTCH = [
    "De molen stond stil. De boer liep naar huis. Niemand wist waar het rad gebleven was, en het regende al dagen.",
    "Pas in de herfst kwam de smid terug. Hij had het rad gezien. Het lag in het riet achter de schuur van zijn oom.",
] * 8


@pytest.mark.parametrize(
    "state",
    [
        # other texts: of other pages, in another language, or no prose
        script(posts=[{"title": f"Another story of the {n}th", "teaser": text} for n, text in enumerate(STORY[2:])]),
        script(messages={str(n): text for n, text in enumerate(STORY[2:])}),
        script(post={"title": TITLE, "content": in_one(DUTCH)}),
        script(post={"title": TITLE, "content": " ".join(f"<p>if (a{n} == b) {{ return c; }}</p>" for n in range(99))}),
        script(post={"title": TITLE, "content": json.dumps([{"p": text} for text in STORY])}),
        script(post={"title": TITLE, "names": ["Alabama Alaska Arizona Arkansas"] * 40}),
        # what the elements have, or hardly more
        script(post={"title": TITLE, "content": in_one(STORY[:2])}),
        script(post={"title": TITLE, "content": in_one(STORY[:3])}),
    ],
)
def test_other_state_is_not_taken(state):
    assert thresher.extract(f"<title>{TITLE}</title>{SHELL}{TEASER}{state}").text_source == "dom"


def test_a_whole_text_stays():
    state = script(post={"title": TITLE, "content": in_one(STORY)})
    whole = f"<article><h1>{TITLE}</h1>{in_one(STORY)}</article>"
    assert thresher.extract(f"<title>{TITLE}</title>{SHELL}{whole}{state}").text_source == "dom"


@pytest.mark.parametrize(
    "script",
    [
        '{"a": "' + "b c d " * 300_000,
        '"' * 1_000_000,
        '"\\\\' * 500_000,
        '"a b c d e f g h. " ' * 100_000,
        '{"a":' * 100_000 + '"a b c d e f g h. "',
        '"\\ud800 a b c d e. "' * 50_000,
        'self.__next_f.push([1,"' * 10_000,
    ],
)
def test_hostile_scripts_cost_little(script):
    for page in (
        f'{SHELL}<script type="application/json">{script}</script>',
        f"{SHELL}<script>__x={script}</script>" + f"<script>self.__next_f.push([1,{script}</script>" * 3,
        f'<title>{TITLE}</title>{SHELL}{TEASER}<script type="application/json">{script}</script>',
    ):
        other = ordinary_page(len(page))
        assert_cheap(lambda page=page: thresher.extract(page), lambda other=other: thresher.extract(other), 200)


WIDE = r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
CODE = r"[{}=;|\\<>]|\bfunction\b|\breturn\b|https?:"


@given(st.lists(st.sampled_from([*"hfr {}=;|\\<>_é中각ไ𝔸1", "function", "return", "http", "https", ":"])).map("".join))
def test_letters_and_code_are_those_of_regular_expressions(text):
    letters = sum(map(str.isalpha, text))
    assert letters_and_code(text) == (letters, len(re.findall(WIDE, text)), len(re.findall(CODE, text)))
