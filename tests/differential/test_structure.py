# SPDX-License-Identifier: Apache-2.0
"""Mapping, TemEx, site-level ConEx and HybEx against the slow reference implementation of Alarte's thesis beside the
test data.

Trees are random and written out so that an HTML parser builds the same tree again. Where the core decides otherwise on
purpose is written in native/templates/README.md; none of that occurs in these trees, or is
switched to what the reference does.
"""

import importlib
import random
import sys
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.native.parsing.document import Document
from thresher.native.templates.mapping import Mapping
from thresher.native.templates.outline import Outline
from thresher.native.templates.profiles import Profiles
from thresher.native.templates.site import Occurrences
from thresher.templates import structure

TAGS = ("div", "section", "article", "span", "ul", "nav")
MODULES = ("dom", "etdm", "temex", "links", "conex_page", "metrics")


@pytest.fixture(scope="module")
def reference(data):
    folder = data.parent / "reference" / "dom_blocks"
    assert folder.is_dir(), f"the data is there, the reference implementation beside it is not: {folder}"
    sys.path.insert(0, str(folder))
    try:
        yield {name: importlib.import_module(name) for name in MODULES}
    finally:
        sys.path.remove(str(folder))
        for name in MODULES:
            sys.modules.pop(name, None)


def random_tree(rng: random.Random, make, width: int, depth: int = 0):
    node = make("element", "BODY" if depth == 0 else rng.choice(TAGS).upper())
    if rng.random() < 0.5:
        node.attrs["class"] = " ".join(rng.choices("abc", k=rng.randint(1, 3)))
    for name in rng.sample(("id", "data-k", "title"), rng.choice((0, 0, 1, 2))):
        node.attrs[name] = rng.choice("xy")
    text_before = False
    for _ in range(rng.randint(0, width)):
        if not text_before and (depth > 3 or rng.random() < 0.3):
            node.add(make("text", "#TEXT", text=" ".join(rng.choices("wvu", k=rng.randint(1, 3)))))
            text_before = True
        elif rng.random() < 0.05:
            node.add(make("comment", "#COMMENT", text=rng.choice(("one", "two"))))
            text_before = False
        elif depth <= 4:
            node.add(random_tree(rng, make, width, depth + 1))
            text_before = False
    return node


def changed(rng: random.Random, make, node, rate: float):
    """A copy with some nodes left out, put in twice, put elsewhere or with other attributes."""
    copy = make(node.kind, node.tag, dict(node.attrs), node.text)
    if node.kind == "element" and rng.random() < rate:
        copy.attrs["class"] = rng.choice("abc")
    children = [c for c in node.children if rng.random() >= rate]
    if rng.random() < rate:
        rng.shuffle(children)
    for child in children:
        for _ in range(1 + (rng.random() < rate)):
            if child.kind == "text" and copy.children and copy.children[-1].kind == "text":
                continue  # a parser would join them
            copy.add(changed(rng, make, child, rate))
    return copy


def to_html(node) -> str:
    if node.kind == "text":
        return escape(node.text)
    if node.kind == "comment":
        return f"<!--{node.text}-->"
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attrs.items())
    tag = node.tag.lower()
    return f"<{tag}{attributes}>{''.join(map(to_html, node.children))}</{tag}>"


class Site:
    """Pages of one site in the core and in the reference's form."""

    def __init__(self, trees, *, childnodes: int = 0, group: int = 100):
        self.trees = trees
        self.profiles = Profiles()
        self.outlines = []
        self.nodes = []  # per page: the reference's node of each of the core's
        document = Document()
        for tree in trees:
            document.parse(("<!doctype html><html><head></head>" + to_html(tree) + "</html>").encode())
            outline = Outline(self.profiles)
            outline.read(document, childnodes=childnodes, group=group)
            self.outlines.append(outline)
            body = next(n for n in range(document.n_nodes) if document.tag(n) == "body")
            numbered = dict(enumerate(tree.subtree(), body))
            assert len(numbered) == document.n_nodes - body
            self.nodes.append(numbered)

    def marked(self, marks: bytes) -> set:
        return {self.nodes[0][n] for n, mark in enumerate(marks) if mark}


def rules(p) -> Mapping:
    return Mapping(
        class_weight=p["cls"],
        position_weight=p["pos"],
        attribute_weight=p["att"],
        children_weight=p["chi"],
        threshold=p["t"],
        option=p["option"],
        effort=1e9,
    )


@st.composite
def parameters(draw):
    """Weights in tenths that sum to one, as the thesis trains them."""
    left, weights = 10, []
    for _ in range(3):
        weights.append(draw(st.integers(0, left)))
        left -= weights[-1]
    weights.append(left)
    order = draw(st.permutations(weights))
    return {
        **dict(zip(("cls", "pos", "att", "chi"), (w / 10 for w in order), strict=True)),
        "t": draw(st.integers(1, 10)) / 10,
        "option": draw(st.integers(1, 4)),
    }


@given(st.data())
def test_mapping(reference, data):
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    make = reference["dom"].Node
    p = data.draw(st.one_of(parameters(), st.sampled_from([reference["etdm"].TEMEX, reference["etdm"].CONEX])))
    key = random_tree(rng, make, data.draw(st.sampled_from((3, 5, 9))))
    other = (
        changed(rng, make, key, data.draw(st.sampled_from((0.02, 0.1, 0.3))))
        if data.draw(st.booleans())
        else random_tree(rng, make, 6)
    )
    site = Site([key, other])
    expected = reference["etdm"].etdm(key, other, p)
    mapping = rules(p)
    actual = {site.nodes[0][a]: site.nodes[1][b] for a, b in mapping.pairs(*site.outlines)}
    assert not mapping.exhausted
    assert actual == expected


@given(st.data())
def test_siblings_of_few_kinds(reference, data):
    """Long lists of few kinds are where the options differ most."""
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    make = reference["dom"].Node
    p = data.draw(parameters())

    def listing(n: int):
        body = make("element", "BODY")
        for _ in range(n):
            item = body.add(make("element", rng.choice(("DIV", "SPAN")), {"class": rng.choice(("a", "a b"))}))
            if rng.random() < 0.3:
                item.add(make("text", "#TEXT", text="w"))
        return body

    key, other = (listing(data.draw(st.integers(0, 14))) for _ in range(2))
    site = Site([key, other])
    actual = {site.nodes[0][a]: site.nodes[1][b] for a, b in rules(p).pairs(*site.outlines)}
    assert actual == reference["etdm"].etdm(key, other, p)


@given(st.data())
def test_template_and_main_content_of_a_site(reference, data):
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    make, etdm, temex = reference["dom"].Node, reference["etdm"], reference["temex"]
    grouped = data.draw(st.booleans())
    limits = {"childnodes": 6, "group": 4} if grouped else {}
    key = random_tree(rng, make, data.draw(st.sampled_from((4, 9))))
    trees = [key] + [changed(rng, make, key, 0.2) for _ in range(data.draw(st.integers(0, 4)))]
    site = Site(trees, **limits)
    if grouped:
        for tree in trees:
            etdm.group_children(tree, 6, 4)
    votes = data.draw(st.integers(1, 4))
    occurrences = Occurrences(site.outlines[0], site.outlines[1:], rules(etdm.TEMEX))
    assert site.marked(occurrences.template(votes)) == temex.temex(key, trees[1:], votes)
    found = Occurrences(site.outlines[0], site.outlines[1:], rules(etdm.CONEX))
    expected = {n for n in temex.conex_site(key, trees[1:]) if not n.temp}
    assert site.marked(found.main_content()) == expected


@given(st.data())
def test_hybex_maps_what_page_level_conex_leaves(reference, data):
    """Page-level ConEx itself is compared in test_dom_blocks.py; here its result goes into both."""
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    make = reference["dom"].Node
    key = random_tree(rng, make, 5)
    trees = [key] + [changed(rng, make, key, 0.2) for _ in range(3)]
    site = Site(trees)
    main = reference["conex_page"].conex_page(key)
    document = Document()
    document.parse(("<!doctype html><html><head></head>" + to_html(key) + "</html>").encode())
    outline = Outline(site.profiles)
    outline.read(document, without=bytes(site.nodes[0].get(n) in main for n in range(document.n_nodes)))
    occurrences = Occurrences(outline, site.outlines[1:], rules(reference["etdm"].TEMEX))
    assert site.marked(occurrences.template(2)) == reference["temex"].hybex(key, trees[1:], 2)


ADDRESSES = [f"http://h/{path}" for path in ("", "a", "b/", "b/c", "b/c/d", "e/f", "e/g", "i/")]


@given(st.data())
def test_links_and_pages_that_link_to_each_other(reference, data):
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    make, links = reference["dom"].Node, reference["links"]
    pages = {}
    for url in ADDRESSES:
        body = random_tree(rng, make, 4)
        for parent in [n for n in body.subtree() if n.kind == "element"]:
            for target in rng.sample([*ADDRESSES, "http://other/", "x#y"], rng.choice((0, 0, 1, 2))):
                parent.add(make("element", "A", {"href": target}))
        pages[url] = body
    held = {url for url in ADDRESSES if rng.random() < 0.8}
    document = Document()
    found: dict[str, list[str]] = {}
    for url, body in pages.items():
        document.parse(("<!doctype html><html><head></head>" + to_html(body) + "</html>").encode())
        linked = structure.same_host_links(document, url)
        expected = links.page_links(body, url)
        assert list(linked) == list(expected)
        found[url] = structure.order_links(document, linked, url)
        names = {node: target for target, node in expected.items()}
        assert found[url] == [names[n] for n in links.sort_links(list(names), names.get, url)]
    key = rng.choice(ADDRESSES)
    n = data.draw(st.integers(1, 5))
    expected, loads = links.extract_cs(key, n, lambda url: pages.get(url) if url in held or url == key else None)
    actual, looked_at = structure.complete_subdigraph(
        found[key], n, lambda url: set(found[url]) if url in held and url in found else None
    )
    assert actual == expected
    assert looked_at <= loads - 1  # the reference counts the key page, and what is not there


def test_the_made_up_site(data):
    """The numbers of the specification's own example, a page of 63 nodes."""
    namespace: dict[str, object] = {}
    exec((data.parent / "reference" / "dom_blocks" / "site.py").read_text(), namespace)
    pages, key = namespace["PAGES"], namespace["KEY"]
    document = Document()
    for method, count in ((structure.TEMEX, 48), (structure.CONEX, None)):
        site = structure.Site(method)
        numbers = {url: site.add(html.encode(), url) for url, html in pages.items()}
        candidates = site.candidates(numbers[key])
        assert sorted(candidates) == sorted(set(numbers.values()) - {numbers[key]})
        if count is not None:
            assert sum(site.template(numbers[key], candidates)) == count
            continue
        document.parse(pages[key].encode())
        marks = site.main_content(numbers[key], candidates)
        first = marks.index(1)
        assert document.attributes(first) == {"id": "content"}
        assert sum(marks) == document.end(first) - first
