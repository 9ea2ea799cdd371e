# SPDX-License-Identifier: Apache-2.0
"""HTML bytes to main text: thresher and its peers, in one process.

    python benchmarks/extract.py [--pages 400] [--rounds 5]

Each system gets only the bytes of a page and finds the charset itself. Resiliparse uses its detector, meta element
first, as its manual recommends. The options are those of the accuracy comparison (thresher.lab.evaluate.peers): main
content, without alternative texts, bullets, links and comments. Trafilatura is fifty times slower than the others and
gets every tenth page.
"""

import argparse
from collections.abc import Callable

from measure import MODERN, OLDER, Contestant, Work, compare, labelled, report, versions

import thresher


def resiliparse() -> Callable[[bytes], object]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def extract(page: bytes) -> str:
        html = bytes_to_str(page, detect_encoding(page, from_html_meta=True) or "utf-8")
        return extract_plain_text(
            html, main_content=True, alt_texts=False, list_bullets=False, links=False, comments=False
        )

    return extract


def turbohtml() -> Callable[[bytes], object]:
    import turbohtml

    return lambda page: turbohtml.parse(page, positions=False).main_text()


def trafilatura() -> Callable[[bytes], object]:
    import trafilatura

    return lambda page: trafilatura.extract(page, include_comments=False, include_formatting=False)


def contestants(pages: list[bytes]) -> list[Contestant]:
    def over(extract: Callable[[bytes], object], chosen: list[bytes]) -> Callable[[], None]:
        def run() -> None:
            for page in chosen:
                extract(page)

        return run

    def work(chosen: list[bytes]) -> Work:
        nodes = sum(thresher.extract(page).n_nodes for page in chosen)
        return Work(len(chosen), sum(map(len, chosen)) / 1e6, nodes)

    found = [
        Contestant("thresher", over(lambda page: thresher.extract(page).text, pages), work(pages)),
        Contestant(
            "thresher, extractor all",
            over(lambda page: thresher.extract(page, extractor="all").text, pages),
            work(pages),
            "every visible block",
        ),
    ]
    for load, chosen in ((resiliparse, pages), (turbohtml, pages), (trafilatura, pages[::10])):
        try:
            extract = load()
        except ImportError:
            print(f"{load.__name__} is not installed and has no row")
            continue
        note = f"on {len(chosen)} pages" if len(chosen) < len(pages) else ""
        found.append(Contestant(load.__name__, over(extract, chosen), work(chosen), note))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=400, help="of each kind")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    sections = []
    for heading, sets in (("Pages of today (WCXB)", MODERN), ("Older pages (Dragnet, DAnIEL, CleanEval)", OLDER)):
        entrants = contestants(labelled(sets, options.pages))
        compare(entrants, rounds=options.rounds)
        sections.append((f"{heading}: {entrants[0].work.pages} pages, {entrants[0].work.megabytes:.0f} MB", entrants))
    packages = versions("thresher", "resiliparse", "turbohtml", "trafilatura")
    report(
        "extract",
        "HTML bytes in, main text out",
        sections,
        f"CPU time, {options.rounds} rounds, interleaved.",
        packages,
    )


if __name__ == "__main__":
    main()
