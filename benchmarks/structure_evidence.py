# SPDX-License-Identifier: Apache-2.0
"""What template structure adds to block scores and to repeated text: word F1 by cross-validation over sites.

    python benchmarks/structure_evidence.py [--pages N]

Every labelled page of a site with at least five pages is seen with 2, 4, 9, 24 or all other pages of its site known,
drawn by its id. Three sources of evidence are compared:

- repeated text: how many of the known pages have each block of the page;
- places: what up to ten known pages teach (`templates.structure.learn_places`);
- TemEx: what it marks with three known pages.

Small boosted trees start from the block's own score and learn, on other sites, what to add. The scores come in two
readings: from models that never saw the page's site, and from models that never saw its set.

All pages take about an hour of one core; --pages takes so many of each set.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm as lgb
import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq
from measure import HERE, labelled_file

from thresher.lab.evaluate.pages import Page, read_pages
from thresher.lab.train.__main__ import fit_scores
from thresher.lab.train.dataset import Example, Floats, Reader, fold_of
from thresher.lab.train.fit import Recipe
from thresher.native.parsing.document import Document
from thresher.native.templates.fingerprints import block_fingerprints
from thresher.native.workspace import Workspace
from thresher.templates.structure import SAMPLE_PAGES, TEMEX, UNKNOWN, Site, learn_places

SETS = ("wwwxmu_cn", "daniel", "dragnet", "cleanportaleval")
OTHER_SETS = ("cleaneval_final", "readability")  # the block scores learn from these as well
KNOWN = (2, 4, 9, 24)
LEAST = 5
FOLDS = 4
NEAR = 4  # blocks on either side
TREES = {
    "objective": "cross_entropy", "learning_rate": 0.1, "num_leaves": 8, "min_data_in_leaf": 200, "lambda_l2": 10.0,
    "max_bin": 63, "seed": 1, "deterministic": True, "force_row_wise": True, "num_threads": 1, "verbose": -1,
}  # fmt: skip
Table = npt.NDArray[np.float64]
_WORKSPACE = Workspace(Document())


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page with what it says by itself."""

    page: Page
    example: Example
    fingerprints: list[int]


@dataclass(frozen=True, slots=True)
class Draw:
    """What some other pages of its site say of a page's blocks, [block, feature]."""

    place: int
    site: str
    known: int
    text: Table
    structure: Table
    mapped: Table


def sampled(folder: Path, n_pages: int | None) -> list[Path]:
    """The files of all sets, or files in the folder with so many pages of each."""
    files = [labelled_file(name) for name in (*SETS, *OTHER_SETS)]
    if n_pages is None:
        return files
    for file in files:
        pq.write_table(pq.read_table(file).slice(0, n_pages), folder / file.name)
    return [folder / file.name for file in files]


def read(files: Sequence[Path]) -> list[Labelled]:
    """All pages of these files."""
    reader = Reader()
    found = []
    for file in files:
        for page in read_pages(file):
            example = reader.example(
                page.html, page.gold, dataset=file.stem, page_id=page.id, site=page.site, language=page.language
            )
            workspace = reader.workspace
            prints = block_fingerprints(workspace.document, workspace.metrics, workspace.blocks)
            found.append(Labelled(page, example, np.frombuffer(prints, np.int64).tolist()))
    return found


def around(values: npt.NDArray[Any], weights: npt.NDArray[Any]) -> Table:
    """For each block the mean of the known (not negative) values around it; -1 if none is known."""
    known = (values >= 0) * weights
    window = np.ones(2 * NEAR + 1)
    total = np.convolve(known, window, "full")[NEAR : NEAR + len(values)]
    mean = np.convolve(known * values, window, "full")[NEAR : NEAR + len(values)] / np.maximum(total, 1e-9)
    return np.where(total > 0, mean, -1.0)


def draw(place: int, pages: Sequence[Labelled], others: Sequence[int]) -> Draw:
    """What these other pages say of one page."""
    one = pages[place]
    sizes = one.example.words + 1.0
    counts: Counter[int] = Counter()
    for other in others:
        counts.update(set(pages[other].fingerprints))
    count = np.array([counts[each] if each else -1 for each in one.fingerprints], dtype=np.float64)
    share = np.where(count < 0, -1.0, count / len(others))
    repeated = np.full(len(count), (sizes * (count > 0)).sum() / sizes.sum())
    text = np.stack([share, count, np.full(len(count), len(others)), repeated, around(1.0 * (count > 0), sizes)])
    compared = others[:SAMPLE_PAGES]
    places = learn_places([(pages[other].page.url, pages[other].page.html) for other in compared])
    site = Site()
    number = site.add(one.page.html)
    marks = site.template(number, [site.add(pages[other].page.html) for other in compared[: TEMEX.pages]])
    _WORKSPACE.parse(one.page.html)
    _WORKSPACE.measure(with_concealed=True)
    at = np.array(places.of_blocks(_WORKSPACE), dtype=np.float64)
    mapped = np.array(_WORKSPACE.marked_shares(marks))
    structure = np.stack([at, around(at, sizes), np.r_[UNKNOWN, at[:-1]], np.r_[at[1:], UNKNOWN]])
    return Draw(place, one.page.site, len(others), text.T, structure.T, np.stack([mapped, around(mapped, sizes)]).T)


def word_f1(example: Example, logits: Floats) -> float:
    """Word F1 of the page if blocks are kept above the threshold (.25 to .6) that promises the largest F1."""
    p = 1 / (1 + np.exp(-logits.astype(np.float64)))
    bins = (p * 64).astype(int)
    kept = np.bincount(bins, example.words, 65)[::-1].cumsum()[::-1]
    expected = np.bincount(bins, example.words * p, 65)[::-1].cumsum()[::-1]
    f1 = 2 * expected / np.maximum(kept + expected[0], 1e-9)
    best = len(f1) - 1 - int(np.argmax(f1[::-1]))
    return example.word_f1(p >= min(max(best, 16), 38) / 64)


VARIANTS: dict[str, Callable[[Draw], Sequence[Table]]] = {
    "repeated text": lambda d: (d.text,),
    "places": lambda d: (d.structure,),
    "TemEx": lambda d: (d.mapped,),
    "text and places": lambda d: (d.text, d.structure),
    "text and TemEx": lambda d: (d.text, d.mapped),
}


def cross_validate(
    pages: Sequence[Labelled], draws: Sequence[Draw], logits: Sequence[Floats]
) -> dict[str, list[float]]:
    """Word F1 of each draw for each variant, from trees that never saw its site."""
    n_pages = Counter(each.site for each in draws)
    found = {"off": [word_f1(pages[each.place].example, logits[each.place]) for each in draws]}

    def own(each: Draw) -> Table:
        score = np.clip(logits[each.place], -8, 8)
        return np.stack([score, np.r_[-9.0, score[:-1]], np.r_[score[1:], -9.0], pages[each.place].example.words]).T

    for name, features in VARIANTS.items():
        tables = [np.concatenate([own(each), *features(each)], axis=1) for each in draws]
        f1 = [0.0] * len(draws)
        for fold in range(FOLDS):
            train = [n for n, each in enumerate(draws) if fold_of(each.site, FOLDS, "evidence") != fold]
            weights = []
            for n in train:
                words = (pages[draws[n].place].example.words + 1.0) ** 0.7
                weights.append(words / words.sum() / n_pages[draws[n].site] ** 0.5)
            data = lgb.Dataset(
                np.concatenate([tables[n] for n in train]),
                np.concatenate([pages[draws[n].place].example.labels for n in train]),
                weight=np.concatenate(weights) * len(weights),
                init_score=np.concatenate([np.clip(logits[draws[n].place], -8, 8) for n in train]),
            )
            model = lgb.train(TREES, data, 60)
            for n in set(range(len(draws))) - set(train):
                score = np.clip(logits[draws[n].place], -8, 8) + model.predict(tables[n], raw_score=True)
                f1[n] = word_f1(pages[draws[n].place].example, score)
        found[name] = f1
    return found


def difference(draws: Sequence[Draw], one: Sequence[float], other: Sequence[float]) -> str:
    """By how much `other` is better: the mean over sites, with a 95 % interval from resampling sites."""
    by_site: dict[str, list[float]] = defaultdict(list)
    for each, a, b in zip(draws, one, other, strict=True):
        by_site[each.site].append(b - a)
    means = [statistics.fmean(values) for values in by_site.values()]
    generator = np.random.default_rng(0)
    resampled = [generator.choice(means, len(means)).mean() for _ in range(2000)]
    low, high = np.quantile(resampled, [0.025, 0.975])
    return f"{statistics.fmean(means):+.4f} [{low:+.4f}, {high:+.4f}]"


def main() -> None:
    """Measures, prints the tables and writes them to results/."""
    started = time.monotonic()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, help="of each set, for a quick look; no results are written")
    arguments = parser.parse_args()

    def say(message: str) -> None:
        sys.stderr.write(f"{time.monotonic() - started:5.0f} s  {message}\n")

    with tempfile.TemporaryDirectory() as folder:
        files = sampled(Path(folder), arguments.pages)
        pages = read(files)
        say(f"{len(pages)} pages")
        fitted = fit_scores(files, [each.example for each in pages], Recipe(), 1, say)
    readings = {"site held out": fitted.scores, "set held out": fitted.far_scores}
    sites: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, each in enumerate(pages):
        if each.example.dataset in SETS and each.fingerprints:
            sites[each.example.dataset, each.page.site].append(place)
    draws = []
    for places in sites.values():
        if len(places) < LEAST:
            continue
        for place in places:
            generator = np.random.default_rng([1, fold_of(pages[place].page.id, 1 << 31)])
            others = [other for other in places if other != place]
            known = int(generator.choice([*(k for k in KNOWN if k < len(others)), len(others)]))
            draws.append(draw(place, pages, generator.choice(others, known, replace=False).tolist()))
    say(f"{len(draws)} pages of {sum(len(places) >= LEAST for places in sites.values())} sites")
    lines = []
    for reading, logits in readings.items():
        found = cross_validate(pages, draws, logits)
        lines += [
            f"Word F1, {reading}",
            "",
            "| | " + " | ".join(SETS) + " | over off, mean of sites | over repeated text |",
            "|---" * (len(SETS) + 3) + "|",
        ]
        for name, f1 in found.items():
            by_set: dict[str, list[float]] = {name: [] for name in SETS}
            for drawn, value in zip(draws, f1, strict=True):
                by_set[pages[drawn.place].example.dataset].append(value)
            means = [statistics.fmean(values) if values else float("nan") for values in by_set.values()]
            over = [
                "" if name in {"off", base} else difference(draws, found[base], f1) for base in ("off", "repeated text")
            ]
            lines.append(f"| {name} | " + " | ".join(f"{mean:.4f}" for mean in means) + f" | {over[0]} | {over[1]} |")
        lines.append("")
        say(reading)
    text = "\n".join(lines)
    print(text)
    if arguments.pages is None:
        (HERE / "results" / "structure_evidence.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
