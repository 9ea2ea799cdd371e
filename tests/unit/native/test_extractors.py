# SPDX-License-Identifier: Apache-2.0
"""Extractors on pages small enough to work out by hand, and cetd and bte against slow models of their papers."""

import random

import pytest
from page_model import Element, batched, bte, ccb, cetd, random_page, to_html

from thresher.native.choosing.registry import EXTRACTORS, MEMBERS, NAMES
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace

ARTICLE = "Boards of plain oak were laid across the barn floor, and on them the sheaves were beaten until the grain fell out. "
PAGE = f"""<!doctype html><html><head><title>Threshing</title></head><body><div id="page">
<div id="top"><ul class="menu"><li><a href="/">Home</a></li><li><a href="/farm">Farm</a></li><li><a href="/barn">Barn</a></li></ul></div>
<div id="main"><h1>The threshing floor</h1><p>{ARTICLE * 3}</p><p>{ARTICLE * 2}<a href="/oak">oak</a></p><p>{ARTICLE * 2}</p></div>
<div id="foot"><a href="/about">About us</a> <a href="/terms">Terms</a> <a href="/privacy">Privacy</a></div>
</div></body></html>"""


def run(name: str, html: str, **options: float) -> Workspace:
    workspace = Workspace(Document())
    workspace.parse(html.encode())
    workspace.measure()
    workspace.classify(EXTRACTORS[name].with_options(**options))
    return workspace


def text(name: str, html: str, **options: float) -> str:
    return run(name, html, **options).render().decode()


def marked_nodes(workspace: Workspace) -> list[int]:
    return [number for number, mark in enumerate(workspace.node_marks() or b"") if mark]


def chosen_texts(workspace: Workspace, page: Element) -> set[int]:
    """The indices of the page's visible texts that stand in marked nodes."""
    marked = set(marked_nodes(workspace))
    node = workspace.metrics.body
    found: set[int] = set()
    position = 0

    def visit(element: Element, *, hidden: bool) -> None:
        nonlocal node, position
        for child in element.children:
            node += 1
            if isinstance(child, Element):
                visit(child, hidden=hidden or child.hidden())
            elif child.strip() and not hidden:
                if node in marked:
                    found.add(position)
                position += 1

    visit(page, hidden=False)
    return found


@pytest.mark.parametrize(
    "name", ["cetd", "cetd-ds", "cetd-dsum", "cetd-s", "bte", "ccb", "conex", "density", "majority", "threshold"]
)
def test_the_article_is_found(name):
    found = text(name, PAGE, **({"range": 8.0} if name == "ccb" else {}))
    assert found.count("Boards of plain oak") == 7
    assert "Privacy" not in found
    assert "Farm" not in found


def test_all_keeps_every_block():
    found = text("all", PAGE)
    assert all(word in found for word in ("Home", "Barn", "threshing", "Boards", "oak", "Privacy"))
    assert "Threshing" not in found


def test_linkratio_drops_divs_of_links():
    found = text("linkratio", PAGE)
    assert "Boards" in found
    assert "threshing floor" in found
    assert "Home" not in found
    assert "Terms" not in found
    assert "Terms" in text("linkratio", PAGE, links=4)
    assert "Boards" not in text("linkratio", PAGE, ratio=1e9)


def test_menex_finds_the_menu():
    assert text("menex", PAGE) == "Home\nFarm\nBarn"


def test_wlr_is_the_best_subtree():
    """By the plain ratio one paragraph, by size as well all of them."""
    assert text("wlr", PAGE, size=0).count("Boards") == 3
    found = text("wlr", PAGE)
    assert found.count("Boards") == 7
    assert "Home" not in found


@pytest.mark.parametrize("seeds", batched(range(80)), ids=str)
@pytest.mark.parametrize("composite", [1.0, 0.0])
def test_cetd_agrees_with_the_model(seeds, composite):
    for seed in seeds:
        page = random_page(random.Random(seed), 50)
        workspace = run("cetd", to_html(page), composite=composite)
        assert chosen_texts(workspace, page) == cetd(page, composite=bool(composite))


@pytest.mark.parametrize("seeds", batched(range(80)), ids=str)
def test_bte_agrees_with_the_model(seeds):
    for seed in seeds:
        page = random_page(random.Random(seed), 30)
        assert chosen_texts(run("bte", to_html(page)), page) == bte(page)


@pytest.mark.parametrize("seeds", batched(range(80)), ids=str)
@pytest.mark.parametrize("anchors", [0.0, 1.0])
def test_ccb_agrees_with_the_model(seeds, anchors):
    for seed in seeds:
        page = random_page(random.Random(seed), 40)
        # a threshold that no mean of a few ones and zeros hits exactly
        options = {"range": 3.0 + seed % 20, "threshold": 0.4237 + 0.005 * (seed % 50)}
        actual = chosen_texts(run("ccb", to_html(page), anchors=anchors, **options), page)
        assert actual == ccb(page, span=options["range"], threshold=options["threshold"], anchors=bool(anchors))


def test_bte_counts_a_character_of_chinese_as_a_word():
    assert text("bte", f"<body><a>x</a><br><a>y</a><p>{'中文' * 10}</p><a>z</a></body>") == "中文" * 10


def test_cetr_holds_one_cluster_at_the_origin():
    """Three short blocks, a long text, three short blocks: only what is far from no text at all is kept."""
    short = "".join(f"<div><span><a href=x>{w}</a></span></div>" for w in ("one", "two", "three"))
    html = f"<body>{short * 3}<p>{ARTICLE * 4}</p><p>{ARTICLE * 4}</p><p>{ARTICLE * 4}</p>{short * 3}</body>"
    found = text("cetr", html)
    assert found.count("Boards") == 12


def test_ccb_threshold_and_range():
    html = f"<body>{'<b>a</b> ' * 40}<p>{'word ' * 60}</p>{'<b>a</b> ' * 40}</body>"
    assert text("ccb", html, range=12) == ("word " * 60).strip()
    assert text("ccb", html, range=12, threshold=1) == ""
    assert text("ccb", html, threshold=0).count("a") >= 80


def test_ccb_without_anchors_keeps_text_full_of_links():
    html = f"<body>{'<i>x</i><b></b><b></b>' * 30}<p>{'word <a href=x>link</a> ' * 60}</p></body>"
    assert "word link" in text("ccb", html, anchors=0, range=12)
    assert "word link" not in text("ccb", html, anchors=1, range=12)


def test_cetd_dsum_is_the_element_of_the_largest_density_sum_alone():
    """Two articles: the density sum of either is larger than that of what holds both, and cetd goes on to the other
    one.
    """
    html = (
        "<body>" + "".join(f"<div><p>{ARTICLE * n}</p><p>{ARTICLE * n}</p></div>" for n in (3, 2)) + "<a>x</a></body>"
    )
    workspace = run("cetd-dsum", html)
    first = node(workspace, "div")
    assert marked_nodes(workspace) == list(range(first, workspace.document.end(first)))
    assert text("cetd", html).count("Boards") == 10


def density_kept(*blocks: tuple[int, bool]) -> list[bool]:
    """What `density` keeps of paragraphs of so many words, inside a link or not."""
    paragraphs = (
        f"<p>{'<a href=x>' if linked else ''}{'word ' * n}{'</a>' if linked else ''}</p>" for n, linked in blocks
    )
    return run("density", "".join(paragraphs)).kept()


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([(17, False)], [True]),
        ([(16, False)], [False]),
        ([(16, False), (16, False)], [True, True]),  # the words after the first, the words before the second
        ([(16, False), (15, False)], [False, True]),
        ([(4, False), (10, False)], [False, False]),
        ([(5, False), (10, False)], [False, True]),
        ([(50, True)], [False]),
        ([(3, True), (40, False)], [False, False]),  # after links more words are needed
        ([(3, True), (41, False)], [False, True]),
        ([(3, True), (5, False), (18, False)], [False, True, True]),
        ([(3, True), (5, False), (17, False)], [False, False, True]),
    ],
)
def test_density_follows_its_tree(blocks, expected):
    assert density_kept(*blocks) == expected


@pytest.mark.parametrize("seed", range(60))
def test_ensembles_count_what_their_members_keep(seed):
    html = to_html(random_page(random.Random(seed), 60))
    kept = {name: run(name, html).kept() for name in MEMBERS}
    n_blocks = len(run("all", html).kept())

    def vote(weights: dict[str, int], needed: float) -> list[bool]:
        return [
            sum(weight * kept[name][b] for name, weight in weights.items()) >= needed - 1e-6 for b in range(n_blocks)
        ]

    alike = dict.fromkeys(MEMBERS, 1)
    best = {name: votes for name, (votes, _) in MEMBERS.items()}
    weighted = {name: votes for name, (_, votes) in MEMBERS.items()}
    assert run("majority", html).kept() == vote(alike, 2 / 3 * len(MEMBERS))
    assert run("majority", html, share=1).kept() == vote(alike, len(MEMBERS))
    assert run("majority", html, share=0).kept() == vote(alike, 1)
    assert run("majority-best", html).kept() == vote(best, 2 / 3 * sum(best.values()))
    assert run("majority-weighted", html, share=0.4).kept() == vote(weighted, 0.4 * sum(weighted.values()))
    for x, y in ((3, 5), (1, 1), (2, 3), (11, 11)):
        assert run("threshold", html, x=x, y=y).kept() == vote(dict.fromkeys(list(MEMBERS)[:y], 1), x)
    assert run("threshold", html, x=9, y=4).kept() == run("threshold", html, x=4, y=4).kept()
    assert run("threshold", html, x=2, y=99).kept() == vote(alike, 2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "html",
    [
        "",
        " ",
        "<p>",
        "<!-- x -->",
        "<frameset><frame></frameset>",
        "<body hidden>x",
        "<p>x",
        "<title>t</title>",
        "<a>" * 600 + "x",
        "\0" * 50,
    ],
)
def test_odd_pages(name, html):
    assert isinstance(text(name, html), str)


@pytest.mark.parametrize("name", NAMES)
def test_many_alike_siblings_take_linear_time(name):
    """100,000 items that all could be the menu, the content or the longest path: seconds if anything were quadratic,
    minutes in truth.
    """
    items = "".join(f"<li><a href=x>item {i} of many</a></li>" for i in range(50_000))
    deep = "".join(f"<x-{i}><p>some text here</p>" for i in range(400))
    html = f"<body><ul>{items}</ul>{deep}<div>{'<p>a paragraph of text</p>' * 20_000}</div></body>"
    assert len(run(name, html).kept()) > 50_000


@pytest.mark.parametrize("name", NAMES)
def test_options_beyond_reason(name):
    for value in (0.0, -1.0, 1e300, float("inf"), float("nan")):
        assert isinstance(text(name, PAGE, **dict.fromkeys(EXTRACTORS[name].options, value)), str)


def node(workspace: Workspace, tag: str, number: int = 0) -> int:
    """The number of the page's first (second, …) element of that name."""
    return [n for n in range(workspace.document.n_nodes) if workspace.document.tag(n) == tag][number]


def test_worked_example_of_menex():
    """A list of three links over a paragraph: the list weighs .847619, the most, and is the menu."""
    workspace = run(
        "menex",
        "<body><ul><li><a>x</a></li><li><a>y</a></li><li><a>z</a></li></ul><div><p>aaaa bbbb cccc d</p></div></body>",
    )
    ul = node(workspace, "ul")
    assert marked_nodes(workspace) == list(range(ul, workspace.document.end(ul)))


def test_worked_example_of_conex_selection():
    """The most words per tag among three candidates, and its sibling."""
    html = (
        "<body><div id=w><div id=page><ul><li><a>one</a></li><li><a>two</a></li><li><a>three</a></li></ul>"
        f"<div id=text><p>{ARTICLE}</p><p>{ARTICLE}</p><p>{ARTICLE}</p></div></div></div></body>"
    )
    assert text("conex", html).count("Boards") == 3
    assert "one" not in text("conex", html)


def test_worked_example_of_conex_short_links():
    """Alike siblings with one link each go, the long one too, when one of them is short; a link that stands alone
    stays.
    """
    html = (
        "<body><div><div><div><section>"
        f"<p>{ARTICLE * 3}</p><p>{ARTICLE * 3}</p>"
        "<div><span><a>Home</a></span><span><a>Visit us</a></span><span><a>A very long link text</a></span></div>"
        "<p><a>Alone</a></p></section></div></div></div></body>"
    )
    found = text("conex", html)
    assert found.count("Boards") == 6
    assert "Home" not in found
    assert "very long" not in found
    assert "Alone" in found
