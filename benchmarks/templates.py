# SPDX-License-Identifier: Apache-2.0
"""What templates add to a page's text, by the number of known pages of its host; and the URL tree's heuristics.

    python benchmarks/templates.py --weights DIR [--scorers DIR | --scorer SET=FILE ...] [--extractor NAME ...] [--lcs]
    [SET ...] python benchmarks/templates.py --stream [SET ...]

--weights is a directory of template weights that have not seen a fold of sites (python -m thresher.lab.train.templates
--held-out DIR), --scorers one of models of the learned extractor that have not (python -m thresher.lab.train --held-out
DIR). --scorer names one model for a whole set, one that never saw it. Without either the shipped model is measured,
which has seen the pages. F1 is by words, with --lcs by longest common subsequence as in the paper. Only sites with at
least ten pages count. Prints Markdown.
"""

import argparse
import json
from array import array
from collections import defaultdict
from pathlib import Path

import numpy as np
from measure import labelled_file

from thresher.lab.evaluate.folds import site_fold
from thresher.lab.evaluate.metrics import lcs_score, word_cjk_score
from thresher.lab.evaluate.pages import Page, read_pages
from thresher.lab.evaluate.systems import held_out_file
from thresher.lab.train.templates import weights_file
from thresher.lab.url_tree import HEURISTICS, UrlTree, heuristic
from thresher.native.scoring.model import Model as Scorer
from thresher.native.templates.fingerprints import block_sizes
from thresher.page.page_extractor import PageExtractor
from thresher.page.url_keys import UrlKey
from thresher.templates.evidence import Model, decide, is_taken

SETS = ("wwwxmu_cn", "daniel", "dragnet", "cleanportaleval")
EXTRACTORS = ("thresher", "cetd", "all")
KNOWN = (2, 5, 10, 50, 100)
MIN_PAGES = 10


def sites_of(pages: list[Page]) -> dict[str, list[Page]]:
    """The sites with at least ten pages."""
    found = defaultdict(list)
    for page in pages:
        found[page.site].append(page)
    return {site: of for site, of in found.items() if len(of) >= MIN_PAGES}


def prints_of(extractor: PageExtractor) -> list[int]:
    return array("q", extractor.fingerprints()).tolist()


def fused(extractor: PageExtractor, prints: list[int], others: list[frozenset[int]], model: Model) -> str:
    """The text of the page just extracted, chosen again with these other pages known."""
    counts = array("i", [sum(each in other for other in others) if each else -1 for each in prints]).tobytes()
    extractor.classify()
    page = extractor.workspace
    decision = decide(page.scores(), block_sizes(page.blocks), page.kept_bytes(), counts, len(others), model)
    if decision.changes:
        before = extractor.confidence
        extractor.classify(evidence=decision.evidence, unwanted=decision.unwanted)
        if not is_taken(before, extractor.confidence):
            extractor.classify()
    return extractor.render().decode("utf-8", "replace")


def by_pages_known(name: str, sites: dict[str, list[Page]], arguments: argparse.Namespace) -> None:
    """Prints F1 for each extractor: without templates, then by the number of known pages, this page included."""
    print(
        f"\n### {name}: {len(sites)} sites, {sum(map(len, sites.values()))} pages,"
        f" {'LCS' if arguments.lcs else 'word'} F1\n"
    )
    print(
        "| extractor | off | "
        + " | ".join(f"{known} pages" for known in KNOWN)
        + " | all | sites more than .01 worse |\n"
        + "|---" * (len(KNOWN) + 4)
        + "|"
    )
    scorers = dict(each.split("=", 1) for each in arguments.scorer)
    score = lcs_score if arguments.lcs else word_cjk_score
    for each in arguments.extractor or EXTRACTORS:
        extractor = PageExtractor(each)
        rows: list[list[float]] = []
        worse = []
        loaded = None
        for site, pages in sorted(sites.items(), key=lambda pair: site_fold(pair[0])):
            fold = site_fold(site)
            model = Model(json.loads(weights_file(arguments.weights, fold).read_text("utf-8"))["trees"])
            file = scorers.get(name) or (str(held_out_file(arguments.scorers, fold)) if arguments.scorers else None)
            if each == "thresher" and file != loaded:
                extractor = PageExtractor(each, model=Scorer.read(file) if file else None)
                loaded = file
            sets = []
            for page in pages:
                extractor.extract(page.html)
                sets.append(frozenset(prints_of(extractor)))
            site_rows = []
            for place, page in enumerate(pages):
                order = (
                    np.random.default_rng([1, place]).permutation([k for k in range(len(pages)) if k != place]).tolist()
                )
                texts = [extractor.extract(page.html).decode("utf-8", "replace")]
                prints = prints_of(extractor)
                known = [[sets[k] for k in order[: n - 1]] for n in (*KNOWN, len(pages))]
                texts += [fused(extractor, prints, others, model) for others in known]
                scores = {text: score(text, page.gold).f1 for text in set(texts)}
                site_rows.append([scores[text] for text in texts])
            means = np.mean(site_rows, axis=0)
            if means[-1] < means[0] - 0.01:
                worse.append(f"{site} {means[-1] - means[0]:+.3f}")
            rows += site_rows
        print(
            f"| {each} | "
            + " | ".join(f"{mean:.4f}" for mean in np.mean(rows, axis=0))
            + f" | {', '.join(worse) or 'none'} |",
            flush=True,
        )


def in_stream_order(name: str, sites: dict[str, list[Page]]) -> list[float]:
    """For each heuristic the mean LCS F1 over all pages; each page is judged by those before it in the set."""
    extractor = PageExtractor("all")
    means = []
    everything: dict[str, str] = {}
    for rule in (None, *HEURISTICS):
        scores = []
        for site, pages in sites.items():
            tree = UrlTree(heuristic(rule)) if rule else None
            for number, page in enumerate(pages):
                text = everything.get(page.id)
                if tree is not None:
                    extractor.extract(page.html)
                    # Where the pages' own URLs are unknown all that is known of them is their site.
                    verdict = tree.judge(UrlKey(site, site, f"/{number}", ""), float(number), prints_of(extractor))
                    extractor.workspace.drop(bytes(verdict.boilerplate))
                    text = extractor.render().decode("utf-8", "replace")
                elif text is None:
                    text = extractor.extract(page.html).decode("utf-8", "replace")
                scores.append(lcs_score(text, page.gold).f1)
        means.append(float(np.mean(scores)))
    print(f"| {name} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |", flush=True)
    return means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--scorers", type=Path)
    parser.add_argument("--scorer", action="append", default=[], metavar="SET=FILE")
    parser.add_argument("--extractor", action="append", choices=EXTRACTORS)
    parser.add_argument("--lcs", action="store_true")
    parser.add_argument("--stream", action="store_true", help="only the heuristics in stream order")
    arguments = parser.parse_args()
    if not arguments.stream and not arguments.weights:
        parser.error("--weights DIR, or --stream")
    sets = {name: sites_of(list(read_pages(labelled_file(name)))) for name in arguments.sets}
    if arguments.stream:
        print("| set | all blocks | " + " | ".join(HEURISTICS) + " |\n" + "|---" * (len(HEURISTICS) + 2) + "|")
        means = [in_stream_order(name, sites) for name, sites in sets.items()]
        print("| mean | " + " | ".join(f"{mean:.3f}" for mean in np.mean(means, axis=0)) + " |")
        return
    for name, sites in sets.items():
        by_pages_known(name, sites, arguments)


if __name__ == "__main__":
    main()
