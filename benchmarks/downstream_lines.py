# SPDX-License-Identifier: Apache-2.0
"""What downstream.py says of lines: which a classifier takes for main text, and which a host repeats."""

import random
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from downstream_report import Table

from thresher.lab.evaluate.metrics import word_cjk_score
from thresher.lab.evaluate.pages import Page
from thresher.lab.evaluate.tokens import words_cjk
from thresher.lab.train.labels import block_labels, block_tokens
from thresher.page.hosts import host_and_domain

HOST_PAGES: Final = 5  # at least, where repetition within a host is counted
GOLD_SHARE, DROPPED_SHARE = 0.8, 0.2  # of a block's words in the gold text, for the classifier's two classes

Texts = dict[str, list[str]]
"""The texts of each system, in the order of the pages."""


def n_words(texts: Iterable[str]) -> int:
    """Words between blanks."""
    return sum(len(text.split()) for text in texts)


def gold_words(texts: Sequence[str], golds: Sequence[str]) -> tuple[float, int]:
    """How many words of the texts are in the gold texts of their pages, and how many words there are."""
    found = [
        (word_cjk_score(text, gold).precision, len(words_cjk(text)))
        for text, gold in zip(texts, golds, strict=True)
        if text
    ]
    return sum(share * size for share, size in found), sum(size for _, size in found)


def order_of(*parts: object) -> bytes:
    """What a sample is sorted by: the same in every run."""
    return sha256(" ".join(map(str, parts)).encode()).digest()


def host_of(page: Page) -> tuple[str, str]:
    """Site and host of a page; the site again where the address is unknown."""
    return page.site, (host_and_domain(page.url)[0] if page.url else None) or page.site


def lines_of(text: str) -> list[str]:
    """The lines of a text, white space squeezed, without blank ones."""
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


def for_classifier(line: str) -> str:
    """A line as fastText gets it: lower-cased, words and punctuation apart."""
    return " ".join(re.findall(r"\w+|[^\w\s]", line.lower()))


def labelled_blocks(everything: str, page: Page) -> list[tuple[str, bool]]:
    """The blocks of a page, lines of all its text, that are clearly in its gold text, or clearly not."""
    texts = lines_of(everything)
    shares = block_labels(block_tokens(texts), words_cjk(page.gold.lower()))
    found = zip(texts, shares.tolist(), strict=True)
    return [(text, share >= GOLD_SHARE) for text, share in found if share >= GOLD_SHARE or share <= DROPPED_SHARE]


def train_classifier(blocks: Iterable[tuple[str, bool]], stem: Path) -> Any:
    """A fastText classifier of gold against dropped blocks. One thread and no chance: the same model each time."""
    import fasttext

    lines = [f"__label__{'gold' if gold else 'dropped'} {for_classifier(text)}\n" for text, gold in blocks]
    random.Random(0).shuffle(lines)
    stem.with_suffix(".txt").write_text("".join(lines), "utf-8")
    command = ["fasttext", "supervised", "-input", f"{stem}.txt", "-output", str(stem), "-thread", "1", "-verbose", "0"]
    subprocess.run(
        [*command, "-wordNgrams", "2", "-dim", "32", "-bucket", "200000", "-lr", "0.5", "-epoch", "10"], check=True
    )
    return fasttext.load_model(f"{stem}.bin")


def clean_table(pages: Sequence[Page], texts: Texts, everything: Sequence[str], folder: Path) -> Table:
    """The share of clean lines by classifiers that have not seen a page's site, beside what the gold texts say.

    They learn the lines of `everything`, all text of the pages. Their files are written to `folder`.
    """
    half = [order_of("half", page.site)[0] % 2 for page in pages]
    blocks = [labelled_blocks(text, page) for text, page in zip(everything, pages, strict=True)]
    verdict: list[dict[str, bool]] = [{}, {}]  # of each half's lines, by the classifier of the other half
    found: Counter[tuple[bool, bool]] = Counter()  # (gold, taken for gold)
    for side in (0, 1):
        learned = [block for place, each in enumerate(blocks) if half[place] != side for block in each]
        model = train_classifier(learned, folder / f"blocks-{side}")
        own = [block for place, each in enumerate(blocks) if half[place] == side for block in each]
        lines = {
            line
            for each in texts.values()
            for place, text in enumerate(each)
            if half[place] == side
            for line in lines_of(text)
        }
        for line in sorted(lines | {text for text, _ in own}):
            labels, _ = model.predict(for_classifier(line))
            verdict[side][line] = bool(labels) and labels[0] == "__label__gold"
        found.update((gold, verdict[side][text]) for text, gold in own)
    rows = []
    for name, each in texts.items():
        counts = Counter[str]()
        true, n_tokens = gold_words(each, [page.gold for page in pages])
        for place, text in enumerate(each):
            for line in lines_of(text):
                words = len(line.split())
                clean = verdict[half[place]][line]
                counts.update(lines=1, words=words, clean_lines=clean, clean_words=words * clean)
        by_lines = 100 * counts["clean_lines"] / max(counts["lines"], 1)
        by_words = 100 * counts["clean_words"] / max(counts["words"], 1)
        rows.append(
            (name, f"{counts['lines']:,}", f"{by_lines:.1f}", f"{by_words:.1f}", f"{100 * true / max(n_tokens, 1):.1f}")
        )
    rows.sort(key=lambda row: -float(row[3]))
    of_gold = found[True, True] + found[True, False]
    return Table(
        "Clean lines",
        "Share of lines, and of words in lines, that a fastText classifier takes for main text; beside it the share of"
        " words that are in the gold text of their page. The classifier learned blocks of half of the sites and judges"
        f" the other half, then the other way round. Of {found.total():,} blocks it is right for"
        f" {100 * (found[True, True] + found[False, False]) / found.total():.1f} %: it finds"
        f" {100 * found[True, True] / of_gold:.1f} % of the gold ones, which are {100 * of_gold / found.total():.1f} %,"
        f" and {100 * found[False, False] / (found.total() - of_gold):.1f} % of the dropped ones.",
        ("texts", "lines", "clean lines, %", "words in clean lines, %", "words that are gold, %"),
        rows,
    )


def repeated_table(pages: Sequence[Page], texts: Texts) -> Table:
    """The share of lines that another page of the same host has, too."""
    hosts: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, page in enumerate(pages):
        hosts[host_of(page)].append(place)
    hosts = {host: places for host, places in hosts.items() if len(places) >= HOST_PAGES}
    rows = []
    for name, each in texts.items():
        lines = again = words = words_again = 0
        for places in hosts.values():
            on = Counter(line for place in places for line in set(lines_of(each[place])))
            for place in places:
                for line in lines_of(each[place]):
                    size = len(line.split())
                    lines, words = lines + 1, words + size
                    again, words_again = again + (on[line] > 1), words_again + size * (on[line] > 1)
        rows.append(
            (name, f"{lines:,}", f"{100 * again / max(lines, 1):.1f}", f"{100 * words_again / max(words, 1):.1f}")
        )
    rows.sort(key=lambda row: float(row[3]))
    return Table(
        "Lines repeated within a host",
        "Share of lines that stand on another page of the same host, too, and of words in such lines."
        f" {len(hosts)} hosts with {HOST_PAGES} pages or more, {sum(map(len, hosts.values()))} pages.",
        ("texts", "lines", "repeated lines, %", "words in them, %"),
        rows,
    )
