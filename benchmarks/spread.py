# SPDX-License-Identifier: Apache-2.0
"""What answers for a few pages of a host are worth on its other pages (thresher spread): gold texts are the answers.

    python benchmarks/spread.py --held-out DIR [--noise SHARE] [SET.parquet …]

Hosts with at least eight labelled pages of a set; the first pages of each are answered, and its pages from the sixth on
are measured, by models that have not seen the host (`python -m thresher.lab.train --held-out DIR`). With --noise that
share of the blocks of an answer is wrong, at random. The result is in results/spread.md.
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path
from statistics import mean

from measure import DATA

from thresher.after.spreading import learn
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.metrics import word_cjk_score
from thresher.lab.evaluate.pages import read_pages
from thresher.lab.evaluate.systems import held_out_file
from thresher.native.scoring.model import Model
from thresher.page.page_extractor import PageExtractor
from thresher.templates.places import MainTextByPlace, places_of

ANSWERED = (0, 1, 2, 3, 5)
LEAST_PAGES = 8
SETS = ("cleanportaleval", "daniel", "dragnet", "wwwxmu_cn")

Page = tuple[bytes, str]
"""HTML and its gold text."""


def hosts_of(file: Path) -> dict[str, list[Page]]:
    """The pages of each host that has enough of them."""
    hosts = defaultdict(list)
    for page in read_pages(file):
        hosts[page.site].append((page.html, page.gold))
    return {host: pages for host, pages in hosts.items() if len(pages) >= LEAST_PAGES}


def answer_of(gold: str, noise: float, chance: random.Random) -> str:
    """The gold text, with this share of its lines missing."""
    return "\n".join(line for line in gold.splitlines() if chance.random() >= noise)


def scores_of(extractor: PageExtractor, pages: list[Page], answered: int, noise: float) -> list[float]:
    """The word F1 of the pages behind those that may be answered, when so many are."""
    of_host, chance = MainTextByPlace(), random.Random(1)
    for html, gold in pages[:answered]:
        extractor.extract(html)
        learn(of_host, extractor, answer_of(gold, noise, chance))
    found = []
    for html, gold in pages[max(ANSWERED) :]:
        extractor.parse(html)
        extractor.measure()
        extractor.classify(evidence=of_host.evidence(places_of(extractor)))
        found.append(word_cjk_score(extractor.render().decode("utf-8", "replace"), gold).f1)
    return found


def main() -> None:
    """Prints a line for each set: word F1 by how many pages of each host are answered."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sets", nargs="*", type=Path, default=[DATA / "labelled" / f"{name}.parquet" for name in SETS])
    parser.add_argument("--held-out", type=Path, required=True)
    parser.add_argument("--noise", type=float, default=0.0)
    arguments = parser.parse_args()
    extractors = [PageExtractor(model=Model.read(held_out_file(arguments.held_out, fold))) for fold in range(FOLDS)]
    print("| set | hosts | pages | " + " | ".join(f"{n} answered" for n in ANSWERED) + " |")
    print("|---" * (3 + len(ANSWERED)) + "|")
    rows = []
    for file in arguments.sets:
        for host, pages in hosts_of(file).items():
            extractor = extractors[site_fold(host)]
            rows.append((file.stem, [scores_of(extractor, pages, n, arguments.noise) for n in ANSWERED]))
    for name in [*dict.fromkeys(name for name, _ in rows), "all"]:
        of_set = [scores for each, scores in rows if name in (each, "all")]
        n_pages = sum(len(scores[0]) for scores in of_set)
        by_page = [mean(score for scores in of_set for score in scores[k]) for k in range(len(ANSWERED))]
        by_host = [mean(mean(scores[k]) for scores in of_set) for k in range(len(ANSWERED))]
        cells = " | ".join(f"{page:.3f} ({host:.3f})" for page, host in zip(by_page, by_host, strict=True))
        print(f"| {name} | {len(of_set)} | {n_pages} | {cells} |")


if __name__ == "__main__":
    main()
