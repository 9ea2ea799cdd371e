# SPDX-License-Identifier: Apache-2.0
"""Templates by structure on labelled sites: time per page, word F1, agreement with the slow reference.

    python benchmarks/site_structure.py [--sets wwwxmu_cn,daniel,…] [--least 5] [--compare 5]

TemEx and HybEx mark template; the rest of the visible text counts as main text. Site-level ConEx marks main content.
They are compared with page-level ConEx, CETD and all text on the same pages. Each page is compared with other pages of
its site in the same set. Nothing is trained.

The reference is the plain Python implementation of Alarte's thesis beside the test data (reference/dom_blocks). It gets
the trees of our parser, node by node. A mapping takes it seconds, so it only sees `--compare` sites of each set.
"""

import argparse
import importlib
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import DATA, HERE, labelled_file

from thresher.lab.evaluate.metrics import word_cjk_score
from thresher.lab.evaluate.pages import Page, read_pages
from thresher.native.choosing.registry import EXTRACTORS as TABLE
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace
from thresher.templates.structure import CONEX, TEMEX, VOTES, Method, Site

SETS = "wwwxmu_cn,daniel,dragnet,cleanportaleval"
METHODS = ("temex", "hybex", "conex-site")
EXTRACTORS = ("conex", "cetd", "all")
LARGEST = 6_000  # nodes of a page that the reference gets; larger ones may take it minutes
_WORKSPACE = Workspace(Document())


def text_of(html: bytes, marks: bytes, *, inverted: bool) -> str:
    """The visible text in the marked nodes, or in all others."""
    _WORKSPACE.parse(html)
    _WORKSPACE.measure()
    _WORKSPACE.keep_nodes(bytes(1 - mark for mark in marks) if inverted else marks)
    return _WORKSPACE.render().decode()


def extracted(html: bytes, extractor: str) -> str:
    """The text that one of our extractors takes from a page."""
    _WORKSPACE.parse(html)
    _WORKSPACE.measure()
    _WORKSPACE.classify(TABLE[extractor])
    return _WORKSPACE.render().decode()


class Clock:
    """Sums of CPU seconds by name."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def time(self, name: str, call: Any, *arguments: Any, **options: Any) -> Any:
        started = time.process_time()
        found = call(*arguments, **options)
        self.seconds[name] += time.process_time() - started
        return found


def measure_set(pages: dict[str, list[Page]], clock: Clock) -> tuple[dict[str, list[float]], list[int]]:
    """Word F1 of each page by method, and the size of each page's own n-CS."""
    scores: dict[str, list[float]] = defaultdict(list)
    linked = []
    for of_site in pages.values():
        template, content = Site(TEMEX), Site(CONEX)
        for page in of_site:
            clock.time("take in", template.add, page.html, page.url)
            content.add(page.html, page.url)
        for number, page in enumerate(of_site):
            linked.append(len(template.candidates(number, fill=False)))
            others = clock.time("candidates", template.candidates, number)
            found = {
                "temex": clock.time("temex", template.template, number, others),
                "hybex": clock.time("hybex", template.template_around, number, page.html, others),
                "conex-site": clock.time("conex-site", content.main_content, number, content.candidates(number)),
            }
            for name, marks in found.items():
                text = text_of(page.html, marks, inverted=name != "conex-site")
                scores[name].append(word_cjk_score(text, page.gold).f1)
            for name in EXTRACTORS:
                scores[name].append(word_cjk_score(extracted(page.html, name), page.gold).f1)
    return scores, linked


class Reference:
    """The slow implementation, on trees of our parser."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        self.dom, self.etdm, self.temex = (importlib.import_module(name) for name in ("dom", "etdm", "temex"))
        self._document = Document()

    def tree(self, html: bytes) -> tuple[Any, dict[Any, int]]:
        """The reference's tree of a page's body, and the number of each node."""
        document = self._document
        document.parse(html)
        numbers: dict[Any, int] = {}
        made: dict[int, Any] = {}
        body = None
        for n in range(1, document.n_nodes):
            tag = document.tag(n)
            parent = made.get(document.parent(n))
            if body is None and tag == "body":
                node = body = self.dom.Node("element", "BODY", document.attributes(n))
            elif parent is None or tag == "#doctype":
                continue
            elif tag == "#text":
                if not document.text(n).strip():
                    continue
                node = parent.add(self.dom.Node("text", "#TEXT", text=document.text(n)))
            elif tag == "#comment":
                node = parent.add(self.dom.Node("comment", "#COMMENT", text=document.text(n)))
            else:
                node = parent.add(self.dom.Node("element", tag.upper(), document.attributes(n)))
            made[n] = node
            numbers[node] = n
        return body, numbers

    def run(self, method: Method, htmls: Sequence[bytes], clock: Clock) -> set[int]:
        """The numbers of the nodes of the first page that TemEx or site-level ConEx marks."""
        trees = [self.tree(html) for html in htmls]
        for body, _ in trees:
            self.etdm.group_children(body, method.childnodes, method.group)
        key, numbers = trees[0]
        others = [body for body, _ in trees[1:]]
        if method is TEMEX:
            found = clock.time("temex", self.temex.temex, key, others, VOTES)
        else:
            found = clock.time("conex-site", self.temex.conex_site, key, others)
        return {numbers[node] for node in found if not node.temp}


def compare(
    pages: dict[str, list[Page]], limit: int, reference: Reference, clock: Clock
) -> dict[str, tuple[int, int, int]]:
    """(pages, pages with the same nodes, nodes that differ) by method, for the first page of so many sites."""
    found = dict.fromkeys(("temex", "conex-site"), (0, 0, 0))
    for of_site in list(pages.values())[:limit]:
        for name, method in (("temex", TEMEX), ("conex-site", CONEX)):
            site = Site(method)
            for page in of_site:
                site.add(page.html, page.url)
            others = site.candidates(0)
            htmls = [of_site[number].html for number in (0, *others)]
            if max(extent(html) for html in htmls) > LARGEST:
                continue
            expected = reference.run(method, htmls, clock)
            marks = site.template(0, others) if method is TEMEX else site.main_content(0, others)
            # Blank texts below main content are marked as well, but the reference has no nodes for them.
            _, numbers = reference.tree(htmls[0])
            actual = {n for n, mark in enumerate(marks) if mark} & set(numbers.values())
            n, same, differ = found[name]
            found[name] = (n + 1, same + (actual == expected), differ + len(actual ^ expected))
    return found


def extent(html: bytes) -> int:
    """The number of nodes of a page."""
    _WORKSPACE.parse(html)
    return _WORKSPACE.document.n_nodes


def main() -> None:
    """Measures, prints the tables and writes them to results/."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--least", type=int, default=5, help="pages that a site must have (default: %(default)s)")
    parser.add_argument("--compare", type=int, default=5, help="sites of each set to run the reference on")
    arguments = parser.parse_args()
    folder = DATA.parent / "reference" / "dom_blocks"
    reference = Reference(folder) if arguments.compare and folder.is_dir() else None
    quality = ["| set | sites | pages | pages of the n-CS | " + " | ".join((*METHODS, *EXTRACTORS)) + " |"]
    of_reference = "reference: temex | conex-site | same nodes: temex | conex-site"
    speed = [f"| set | take in | candidates | {' | '.join(METHODS)} | {of_reference} |"]
    for table in (quality, speed):
        table.append("|---" * (table[0].count("|") - 1) + "|")
    for name in arguments.sets.split(","):
        sites: dict[str, list[Page]] = defaultdict(list)
        for page in read_pages(labelled_file(name)):
            sites[page.site].append(page)
        sites = {site: pages for site, pages in sites.items() if len(pages) >= arguments.least}
        clock, slow = Clock(), Clock()
        scores, linked = measure_set(sites, clock)
        n = len(linked)
        means = " | ".join(f"{statistics.fmean(scores[way]):.3f}" for way in (*METHODS, *EXTRACTORS))
        quality.append(f"| {name} | {len(sites)} | {n} | {statistics.fmean(linked):.2f} | {means} |")
        times = [f"{clock.seconds[stage] / n * 1000:.2f} ms" for stage in ("take in", "candidates", *METHODS)]
        if reference is not None:
            found = compare(sites, arguments.compare, reference, slow)
            times += [f"{slow.seconds[way] / max(found[way][0], 1):.2f} s" for way in found]
            times += [
                f"{same} of {asked}" + (f", {differ} nodes" if differ else "") for asked, same, differ in found.values()
            ]
        speed.append(f"| {name} | " + " | ".join(times) + " |")
        sys.stderr.write(f"{quality[-1]}\n{speed[-1]}\n")
    text = "\n".join(["Word F1", "", *quality, "", "CPU time of a page, and agreement", "", *speed, ""])
    print(text)
    (HERE / "results" / "site_structure.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
