# SPDX-License-Identifier: Apache-2.0
"""conex, menex, wlr and the metrics of DOM nodes against the slow reference implementation of Alarte's thesis that lies
beside the test data.

The pages are random, without what the core leaves out on purpose (comments, hidden elements, blank texts are removed
from the reference's tree; buttons, whose text the core counts as link text, do not occur).
"""

import importlib.util
import itertools
import random
import sys

import pytest
from page_model import Element, batched, random_page, to_html

from thresher.lab.evaluate import metrics
from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace

PAGES = range(300)


@pytest.fixture(scope="module")
def reference(data):
    folder = data.parent / "reference" / "dom_blocks"
    assert folder.is_dir(), f"the data is there, the reference implementation beside it is not: {folder}"
    names = ("dom", "conex_page", "menex", "baselines", "metrics")
    # its made-up site; by path, as `site` is a module of Python's
    spec = importlib.util.spec_from_file_location("reference_site", folder / "site.py")
    site = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(site)
    sys.path.insert(0, str(folder))
    try:
        yield {"site": site} | {name: importlib.import_module(name) for name in names}
    finally:
        sys.path.remove(str(folder))
        for name in names:
            sys.modules.pop(name, None)


def both(reference, rng: random.Random):
    """A random page in the core and in the reference's form, and the core's number of each of the reference's nodes."""
    page = random_page(rng, rng.choice((10, 30, 80)), buttons=False)
    workspace = Workspace(Document())
    workspace.parse(to_html(page).encode())
    workspace.measure()
    numbers = {}
    node = workspace.metrics.body
    make = reference["dom"].Node

    def convert(element: Element):
        nonlocal node
        made = make("element", element.tag.upper(), dict(element.attributes))
        numbers[made] = node
        for child in element.children:
            node += 1
            if isinstance(child, Element):
                below = convert(child)
                if not child.hidden():
                    made.add(below)
            elif child.strip():
                below = made.add(make("text", "#TEXT", text=" ".join(child.split())))
                numbers[below] = node
        return made

    return workspace, convert(page), numbers


def marked(workspace: Workspace, name: str, numbers, **options: float) -> set[int]:
    workspace.classify(EXTRACTORS[name].with_options(**options))
    marks = workspace.node_marks()
    return {number for number in numbers.values() if marks and marks[number]}


def visible(body) -> set:
    return set(body.subtree())


@pytest.mark.parametrize("seeds", batched(PAGES), ids=str)
def test_conex(reference, seeds):
    for seed in seeds:
        workspace, body, numbers = both(reference, random.Random(seed))
        keep, info = reference["conex_page"].conex_page(body, trace=True)
        expected = {numbers[n] for n in keep}
        actual = marked(workspace, "conex", {n: numbers[n] for n in visible(body)})
        if actual != expected:
            # Distances that are equal but for rounding may be ordered otherwise; anything else is a difference.
            z = info["z"]
            distances = sorted((reference["conex_page"].dist(v, info["cent"]) for v in z), reverse=True)
            ties = [a for a, b in itertools.pairwise(distances) if abs(a - b) < 1e-9]
            assert ties, (seed, actual ^ expected, distances[:5])


@pytest.mark.parametrize("seeds", batched(PAGES), ids=str)
def test_menex(reference, seeds):
    for seed in seeds:
        workspace, body, numbers = both(reference, random.Random(seed))
        if not any(n.children for n in body.subtree()):
            continue
        weights = reference["menex"].weights(body)
        menu = reference["menex"].menex(body) if max(weights.values()) > 0 else None
        expected = {numbers[n] for n in menu.subtree()} if menu is not None else set()
        assert marked(workspace, "menex", {n: numbers[n] for n in visible(body)}) == expected, seed


@pytest.mark.parametrize("seeds", batched(PAGES), ids=str)
def test_wlr_by_the_plain_ratio(reference, seeds):
    for seed in seeds:
        workspace, body, numbers = both(reference, random.Random(seed))
        best, ratio = reference["baselines"].wlr(body)
        expected = {numbers[n] for n in best.subtree()} if best is not None and ratio > 0 else set()
        assert marked(workspace, "wlr", {n: numbers[n] for n in visible(body)}, size=0.0) == expected, seed


@pytest.mark.parametrize("name", ["index.html", "about.html", "apples.html", "visit.html"])
def test_the_made_up_site(reference, name):
    """Its pages as HTML: the reference reads them by lxml, the core by its own parser."""
    # lxml adds no tbody to a table, an HTML5 parser does
    html = reference["site"].PAGES[reference["site"].BASE + name].replace("<table>", "<table><tbody>")
    body = reference["dom"].parse(html)
    workspace = Workspace(Document())
    workspace.parse(html.encode())
    workspace.measure()
    document, first = workspace.document, workspace.metrics.body
    inside = range(first, document.end(first))
    nodes = [n for n in inside if document.tag(n) != "#text" or document.text(n).strip()]
    numbers = dict(zip(body.subtree(), nodes, strict=True))
    assert marked(workspace, "conex", numbers) == {numbers[n] for n in reference["conex_page"].conex_page(body)}
    menu = reference["menex"].menex(body)
    assert menu.attrs.get("id") == "mainnav"
    assert marked(workspace, "menex", numbers) == {numbers[n] for n in menu.subtree()}
    assert marked(workspace, "wlr", numbers, size=0.0) == {
        numbers[n] for n in reference["baselines"].wlr(body)[0].subtree()
    }


def test_longest_common_subsequences(reference):
    rng = random.Random(1)
    for _ in range(50):
        extracted, wanted = ([rng.choice("abcdef") for _ in range(rng.randrange(1, 40))] for _ in range(2))
        recall, precision, f1 = reference["metrics"].lcs_prf(extracted, wanted)
        assert metrics.lcs_score(" ".join(extracted), " ".join(wanted)) == pytest.approx((precision, recall, f1))
