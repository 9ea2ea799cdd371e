# SPDX-License-Identifier: Apache-2.0
"""HTML bytes to a tree: thresher and its peers, in one process.

    python benchmarks/parse.py [--pages 400] [--rounds 7]

All get the same bytes, valid UTF-8, and know the charset. thresher's time includes sealing the tree and one pass that
reads every text node and looks up six attributes of every element (Document.checksum). The peers only parse, because
reading their trees would measure Python objects. Compare them with the row "parse only".
"""

import argparse
from collections.abc import Callable, Sequence

from measure import MODERN, OLDER, Contestant, Work, compare, labelled, report, versions

from thresher.native.parsing.document import Document


def thresher() -> Callable[[bytes], object]:
    document = Document()

    def parse(page: bytes) -> None:
        document.parse(page)
        document.checksum()

    return parse


def thresher_parse_only() -> Callable[[bytes], object]:
    return Document().parse


def resiliparse() -> Callable[[bytes], object]:
    from resiliparse.parse.html import HTMLTree

    return lambda page: HTMLTree.parse_from_bytes(page, "utf-8")


def selectolax() -> Callable[[bytes], object]:
    from selectolax.lexbor import LexborHTMLParser

    return lambda page: LexborHTMLParser(page)  # noqa: PLW0108 - its type is unknown where it is not installed


def turbohtml() -> Callable[[bytes], object]:
    import turbohtml

    return lambda page: turbohtml.parse(page, encoding="utf-8", positions=False)


PEERS = (resiliparse, selectolax, turbohtml)
NOTES = {"resiliparse": "lexbor", "selectolax": "lexbor", "thresher": "and every text and six attributes read"}


def contestants(pages: Sequence[bytes]) -> list[Contestant]:
    def over(parse: Callable[[bytes], object]) -> Callable[[], None]:
        def run() -> None:
            for page in pages:
                parse(page)

        return run

    document = Document()
    nodes = 0
    for page in pages:
        document.parse(page)
        nodes += document.n_nodes
    work = Work(len(pages), sum(map(len, pages)) / 1e6, nodes)
    found = []
    for load in (thresher, thresher_parse_only, *PEERS):
        try:
            parse = load()
            parse(pages[0])
        except ImportError:
            print(f"{load.__name__} is not installed and has no row")
            continue
        name = load.__name__.replace("_", ", ", 1).replace("_", " ")
        found.append(Contestant(name, over(parse), work, NOTES.get(name, "")))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=400, help="of each kind")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    sections = []
    for heading, sets in (("Pages of today (WCXB)", MODERN), ("Older pages (Dragnet, DAnIEL, CleanEval)", OLDER)):
        pages = [page.decode("utf-8", "replace").encode() for page in labelled(sets, options.pages)]
        entrants = contestants(pages)
        compare(entrants, rounds=options.rounds)
        sections.append((f"{heading}: {entrants[0].work.pages} pages, {entrants[0].work.megabytes:.0f} MB", entrants))
    report(
        "parse",
        "HTML bytes to a tree",
        sections,
        f"CPU time, {options.rounds} rounds, interleaved.",
        versions("thresher", "resiliparse", "selectolax", "turbohtml"),
    )


if __name__ == "__main__":
    main()
