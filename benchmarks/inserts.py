# SPDX-License-Identifier: Apache-2.0
"""Furniture between paragraphs: how much of it is kept, and how many of the honest short blocks beside it.

    python benchmarks/inserts.py [--held-out DIR | --model FILE] [--made-up]

The pages are those of the labelled sample with something put between their paragraphs, as the model learns from them
(src/thresher/lab/train/inserts.py). With --held-out, as `python -m thresher.lab.train --held-out DIR` writes it, each
page is read with a model that has seen neither its site nor what was put into it. With --made-up they are 120 made-up
articles, whose furniture has other words than those that the model learns.
"""

import argparse
import random
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
from thresher.page.page_extractor import PageExtractor

STORY = (
    "The ferry that links the two halves of the town left its berth at six for the first time since the storm.",
    "Its captain said that the river had risen so far in January that the landing stage floated off its chains.",
    "Repairs took eleven weeks. The council paid for new piles, and a shipyard downstream lent a crane for nothing.",
    "For the people on the eastern bank the wait was long. A bus replaced the boat, and the last one left at seven.",
    "“I missed every choir practice since Christmas,” said a baker whose shop stands above the slip.",
    "The engineers had assumed that the water would never rise above four metres. It rose to five on three nights.",
    "A report by the harbour office recommends that the stage be raised by eighty centimetres before next winter.",
    "Whether there is money for that is another question. The county has cut its budget for harbours twice.",
    "On the western bank the owner of the chandlery has put a jar on the counter, and says that it holds four hundred.",
    "Children from the primary school painted the new rails blue and white, the colours of the first ferry of 1911.",
    "The fare stays as it was: two pounds for adults, one for children, nothing for dogs.",
    "In the evening a brass band played on the upper deck while the boat went back and forth until dark.",
    "The captain says he will retire when the stage has been raised, and not a day before it.",
    "The next crossing of note is on Saturday, when the rowing club will race the ferry from bank to bank.",
)
MADE_UP = {
    "ad": ("<div{}>Advertisement</div>", "<p{}>Advertisement</p>", "<div{}><span>ADVERTISEMENT</span></div>"),
    "letter": (
        "<div{}><h3>Sign up to our newsletter</h3><p>Our best stories, every Friday.</p><button>Sign up</button></div>",
        "<aside{}><p>Enjoying this? Subscribe to The Morning Brief.</p><a href=/subscribe>Subscribe</a></aside>",
    ),
    "related": (
        "<div{}><h4>You may like</h4><ul><li><a href=/a>Ten harbours</a><li><a href=/b>The bridge</a></ul></div>",
        "<p{}><strong>SEE ALSO:</strong> <a href=/c>Storm damage closes coastal path</a></p>",
        "<p{}>Read: <a href=/c>How to plan a trip to the coast</a></p>",
    ),
    "notice": (
        "<div{}><p>Recommended editorial content</p><p>I agree that external content is shown to me.</p></div>",
    ),
    HONEST: (
        *("<p>Yes.</p>", "<p><b>A jar on the counter</b></p>", "<h3>What comes next</h3>", "<p>Nobody was hurt.</p>"),
        "<ul><li>two pounds for adults<li>one for children</ul>",
    ),
}
CLASSES = (
    "",
    " class=row",
    " class=css-1ab",
    " class=widget",
    " class=ad",
    " class=newsletter",
    " class=related-posts",
)
WORDS = (300, 1000)  # of main text: short, middling and long pages


def read(file: Path, models: list[Model | None]) -> Iterator[tuple[dict[str, Any], list[bool]]]:
    """Each row, and which of its blocks are kept."""
    extractors = [PageExtractor(model=model) for model in models]
    for batch in pq.ParquetFile(file).iter_batches(64):
        for row in batch.to_pylist():
            extractor = extractors[site_fold(row["site"]) % len(extractors)]
            extractor.extract(row["html"])
            yield row, [block.kept for block in extractor.blocks()]


def made_up(model: Model | None) -> Iterator[tuple[str, float]]:
    """The kind of each thing put into made-up articles, and the share of its blocks that is kept."""
    chance, extractor = random.Random(5), PageExtractor(model=model)
    shells = ("<article>{}</article>", "<div class=post-content>{}</div>", "<main><div>{}</div></main>")
    for _ in range(120):
        story = STORY[: chance.choice((6, 9, 14))]
        put = {}
        for place in chance.sample(range(1, len(story)), 4):
            kind = chance.choice(tuple(MADE_UP))
            put[place] = kind, chance.choice(MADE_UP[kind]).format(chance.choice(CLASSES))
        body = "".join((put[i][1] if i in put else "") + f"<p>{text}</p>" for i, text in enumerate(story))
        page = "<title>The ferry sails again - Courier</title><nav><a href=/n>News</a> <a href=/s>Sport</a></nav>"
        page += f"<h1>The ferry sails again</h1>{chance.choice(shells).format(body)}<footer>© 2024 Courier</footer>"
        extractor.extract(page.encode())
        blocks = extractor.blocks()
        starts: dict[str, int] = {}
        for block in blocks:
            starts.setdefault(block.text, block.order)
        for place, (kind, _) in put.items():
            found = blocks[starts[story[place - 1]] + 1 : starts[story[place]]]
            yield kind, sum(block.kept for block in found) / max(1, len(found))


def main() -> None:
    """Prints a table by kind, with and without a class that tells, by language, and by length of the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", type=Path, metavar="DIR", help="models that have not seen a page's site")
    parser.add_argument("--model", type=Path, metavar="FILE", help="a model file (default: the one that ships)")
    parser.add_argument("--made-up", action="store_true", help="made-up articles instead")
    arguments = parser.parse_args()
    models = [Model.read(arguments.model) if arguments.model else None]
    if arguments.held_out:
        models = [Model.read(held_out_file(arguments.held_out, fold)) for fold in range(FOLDS)]
    pieces: dict[tuple[str, str], list[float]] = defaultdict(list)
    if arguments.made_up:
        for kind, of_it in made_up(models[0]):
            pieces["made up", kind].append(of_it)
        show(pieces)
        return
    with tempfile.TemporaryDirectory() as folder:
        classes = Path(folder, "classes.parquet")
        pq.write_table(labelled_set(read_labels(LABELS)), classes)
        for row, kept in read(write_inserts(classes, Path(folder)), models):
            blocks = list(zip(row["classes"], row["kinds"], kept, strict=True))
            n_words = len(row["gold"].split())
            long = ["up to 300 words", "300 to 1,000", "longer"][sum(n_words > most for most in WORDS)]
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
    show(pieces)


def show(pieces: dict[tuple[str, str], list[float]]) -> None:
    """Prints the table."""
    lines = ["| what | of it | pieces | share of blocks kept |", "|---|---|---|---|"]
    for (what, key), shares in sorted(pieces.items()):
        lines.append(f"| {what} | {key} | {len(shares):,} | {sum(shares) / len(shares):.3f} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
