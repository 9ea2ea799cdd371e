# SPDX-License-Identifier: Apache-2.0
"""Templates by structure: the worked examples that need no reference, hostile pages and their bounds."""

from collections.abc import Callable

import pytest
from costs import assert_linear

from thresher.native.parsing.document import Document
from thresher.native.templates.mapping import Mapping
from thresher.native.templates.outline import Outline
from thresher.native.templates.profiles import Profiles
from thresher.native.templates.site import Occurrences
from thresher.native.workspace import Workspace
from thresher.templates import structure

ARTICLES = [
    "<h1>Planting</h1><p>The orchard was planted by two sisters who wanted to grow old apple kinds.</p>",
    "<h1>Harvest</h1><p>Each autumn more than two hundred visitors come to pick fruit and to drink cider.</p><p>Some stay.</p>",
    "<h1>Grafting</h1><p>All trees carry a small label with the name of the kind and the year of planting.</p>",
    "<h1>Winter</h1><p>Nothing grows, and there is time to mend ladders, sharpen saws and read.</p>",
]


def page(body: str, number: int = 0) -> bytes:
    return f"""<!doctype html><html><head><title>t</title></head><body class="page-{number}">
    <div id="top" class="head"><a href="/">Example Orchard</a><ul class="menu"><li><a href="/a">About us</a><li><a href="/v">Visit</a></ul></div>
    <div id="post-{number}" class="post"><div class="text">{body}</div></div>
    <div id="foot"><p>Copyright Example Orchard, all rights reserved</p></div></body></html>""".encode()


def pairs(one: bytes, other: bytes, **rules) -> tuple[list[tuple[int, int]], Mapping]:
    profiles, document = Profiles(), Document()
    outlines = []
    for html in (one, other):
        document.parse(html)
        outlines.append(Outline(profiles))
        outlines[-1].read(document)
    mapping = Mapping(**rules)
    return mapping.pairs(*outlines), mapping


def text_of(html: bytes, marks: bytes) -> str:
    workspace = Workspace(Document())
    workspace.parse(html)
    workspace.measure()
    workspace.keep_nodes(marks)
    return workspace.render().decode()


@pytest.mark.parametrize(("option", "expected"), [(1, {(0, 1), (2, 2)}), (2, {(0, 1), (1, 0), (2, 2)}), (3, {(0, 1), (1, 0), (2, 2)}), (4, {(0, 1), (1, 0), (2, 2)})])  # fmt: skip
def test_the_position_options_differ_in_pairs_that_cross(option, expected):
    found, _ = pairs(
        b'<body><p>a</p><div class="x">b</div><p>c</p>', b'<body><div class="x">b</div><p>a</p><p>c</p>', option=option
    )
    # nodes: document, html, head, body, then an element and its text three times
    assert {((a - 4) // 2, (b - 4) // 2) for a, b in found if a >= 4 and a % 2 == 0} == expected


def test_a_page_is_mapped_to_itself_whole():
    html = page(ARTICLES[0])
    found, _ = pairs(html, html)
    assert found
    assert all(a == b for a, b in found)


def test_template_of_one_page():
    pages = [page(body, number) for number, body in enumerate(ARTICLES)]
    site = structure.Site()
    first, *others = map(site.add, pages)
    marks = site.template(first, others)
    assert [line for line in text_of(pages[0], marks).split("\n") if line] == [
        "Example Orchard", "About us", "Visit", "Copyright Example Orchard, all rights reserved"
    ]  # fmt: skip


def test_without_other_pages_nothing_is_template():
    site = structure.Site()
    assert not any(site.template(site.add(page(ARTICLES[0]))))


def test_a_copy_of_the_page_does_not_make_its_content_template():
    site = structure.Site()
    numbers = [site.add(page(body, n)) for n, body in enumerate([ARTICLES[0]] * 4 + ARTICLES[1:3])]
    assert site.candidates(numbers[0]) == [4, 5]
    assert "sisters" not in text_of(page(ARTICLES[0], 0), site.template(numbers[0]))


def test_main_content_of_a_site():
    site = structure.Site(structure.CONEX)
    pages = [page(body, number) for number, body in enumerate(ARTICLES)]
    for html in pages:
        site.add(html)
    # one text and one paragraph are mapped on none of the others: the rest is not
    assert "Harvest" in text_of(pages[1], site.main_content(1))
    assert "Copyright" not in text_of(pages[1], site.main_content(1))


def test_what_belongs_to_another_page_is_refused():
    document, other = Document(), Document()
    document.parse(page(ARTICLES[0]))
    other.parse(b"<p>x")
    workspace = Workspace(other)
    workspace.parse(b"<p>x")
    workspace.measure()
    with pytest.raises(ValueError, match="nodes"):
        Outline(Profiles()).read(document, without=b"x")
    with pytest.raises(ValueError, match="nodes"):
        workspace.keep_nodes(b"")
    one, two = Outline(Profiles()), Outline(Profiles())
    with pytest.raises(ValueError, match="different sites"):
        Occurrences(one, [two], Mapping())


@pytest.mark.parametrize("rules", [{"option": 5}, {"threshold": -1}, {"class_weight": 2}, {"effort": -1}])
def test_rules_that_cannot_be(rules):
    with pytest.raises(ValueError, match="must be from"):
        Mapping(**rules)


@pytest.mark.parametrize(
    "html", [b"", b"<frameset><frame>", b"<!-- -->", b"<template><p>x</template>", b"<svg><p>x", b"\x00\xff<"]
)
def test_odd_pages(html):
    site = structure.Site()
    for _ in range(3):
        site.add(html, "http://h/")
        site.add(page(ARTICLES[0]), "http://[/")
    for number in range(len(site)):
        site.template(number)
        site.main_content(number)
        site.template_around(number, html if number % 2 == 0 else page(ARTICLES[0]))


WIDE = {
    "equal": lambda n, _: b"<body>" + b"<p>x</p>" * n,
    "shifted": lambda n, k: b"<body>" + b"".join(b"<p id=%d>x</p>" % (i + k) for i in range(n)),
    "all different": lambda n, k: b"<body>" + b"".join(b'<p class="a b%d" id=%d>' % (i, i + k * n) for i in range(n)),
    "few kinds": lambda n, k: b"<body>" + b"".join(b"<p class=c%d>x</p>" % (i * i * (k + 1) % 7) for i in range(n)),
}


@pytest.mark.parametrize("childnodes", [0, 200])
@pytest.mark.parametrize("kind", WIDE)
def test_very_many_children(kind, childnodes):
    """Pair by pair, mapping these would take half an hour."""

    def mapping(n: int) -> Callable[[], object]:
        profiles, document = Profiles(), Document()
        outlines = []
        for k in (0, 3):
            document.parse(WIDE[kind](n, k))
            outlines.append(Outline(profiles))
            outlines[-1].read(document, childnodes=childnodes, group=100)
        options = [Mapping(option=option, threshold=0.5) for option in (2, 4)]
        for each in options if n < 30_000 else ():
            found = each.pairs(*outlines)
            assert len({b for _, b in found}) == len(found)
            if kind == "equal":
                assert len(found) >= 2 * n
        return lambda: [each.pairs(*outlines) for each in options]

    assert_linear(mapping, 30_000)


def test_steps_are_bounded():
    """Lists in which everyone could be mapped to everyone, each with another value."""

    def html(seed: int) -> bytes:
        items = b"".join(
            b'<b title=x id="%d" lang="%d">%s</b>' % (i * seed % 199, i * seed % 31, b"<i></i>" * (i * seed % 41))
            for i in range(199)
        )
        return b"<body>" + b"<div>%s</div>" % items * 20

    found, mapping = pairs(html(3), html(5), threshold=0.3, effort=10)
    assert mapping.exhausted
    assert mapping.steps < 3 * 10 * 2 * 100_000
    assert found


def test_a_list_that_is_too_long_leaves_the_others_their_steps():
    def html(seed: int) -> bytes:
        wide = b"".join(b"<b id=%d></b>" % (i + seed) for i in range(20_000))
        few = b"<i>x</i><u>y</u>" if seed else b"<u>y</u><i>x</i>"
        return b"<body><div>%s</div><p>%s</p>" % (wide, few)

    found, mapping = pairs(html(0), html(7))
    assert mapping.exhausted
    assert len(found) == 1 + 1 + 1 + 4  # body, div, and p with what is in it, in another order
