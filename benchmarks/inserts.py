# SPDX-License-Identifier: Apache-2.0
"""Furniture between paragraphs: how much of it is kept, and how many of the honest short blocks beside it.

    python benchmarks/inserts.py [--held-out DIR | --model FILE]

The pages are those of the labelled sample with something put between their paragraphs, as the model learns from them
(src/thresher/lab/train/inserts.py). With --held-out, as `python -m thresher.lab.train --held-out DIR` writes it, each
page is read with a model that has seen neither its site nor what was put into it.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from class_labels import LABELS, labelled_set, read_labels

from thresher.lab.evaluate.block_classes import MAIN
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.systems import held_out_file
from thresher.lab.train.inserts import HONEST, write_inserts
from thresher.native.scoring.model import Model
from thresher.page.extraction import PageExtractor

WORDS = (300, 1000)  # of main text: short, middling and long pages


def read(file: Path, models: list[Model | None]) -> Iterator[tuple[dict[str, Any], list[bool]]]:
    """Each row, and which of its blocks are kept."""
    extractors = [PageExtractor(model=model) for model in models]
    for batch in pq.ParquetFile(file).iter_batches(64):
        for row in batch.to_pylist():
            extractor = extractors[site_fold(row["site"]) % len(extractors)]
            extractor.extract(row["html"])
            yield row, [block.kept for block in extractor.blocks()]


def main() -> None:
    """Prints a table by kind, with and without a class that tells, by language, and by length of the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", type=Path, metavar="DIR", help="models that have not seen a page's site")
    parser.add_argument("--model", type=Path, metavar="FILE", help="a model file (default: the one that ships)")
    arguments = parser.parse_args()
    models = [Model.read(arguments.model) if arguments.model else None]
    if arguments.held_out:
        models = [Model.read(held_out_file(arguments.held_out, fold)) for fold in range(FOLDS)]
    pieces: dict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        classes = Path(folder, "classes.parquet")
        pq.write_table(labelled_set(read_labels(LABELS)), classes)
        for row, kept in read(write_inserts(classes, Path(folder)), models):
            blocks = list(zip(row["classes"], row["kinds"], kept, strict=True))
            words = len(row["gold"].split())
            long = ["up to 300 words", "300 to 1,000", "longer"][sum(words > most for most in WORDS)]
            language = row["lang"] if row["lang"] in ("en", "fr", "es", "ja", "ru", "zh") else "others"
            for kind, group in groupby(blocks, key=lambda block: block[1]):
                if not kind:
                    continue
                share = [is_kept for _, _, is_kept in group]
                name, _, told = kind.partition(" ")
                what = "honest" if name == HONEST else "furniture"
                for key in (name, f"{name}, named" if int(told) else "", long, language, "all"):
                    if key:
                        pieces[what, key].append(sum(share) / len(share))
            main = [is_kept for name, kind, is_kept in blocks if name == MAIN and not kind]
            pieces["main", "all"].append(sum(main) / max(len(main), 1))
    lines = ["| what | of it | pieces | share of blocks kept |", "|---|---|---|---|"]
    for (what, key), shares in sorted(pieces.items()):
        lines.append(f"| {what} | {key} | {len(shares):,} | {sum(shares) / len(shares):.3f} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
