# SPDX-License-Identifier: Apache-2.0
"""ROUGE-LSum against the rouge-score package on real pages: gold texts against all visible text."""

import hashlib
from itertools import islice
from pathlib import Path

import pytest

from thresher.lab.evaluate import metrics
from thresher.lab.evaluate.pages import list_datasets, read_pages
from thresher.lab.evaluate.tokens import sentences
from thresher.page.page_extractor import PageExtractor

N_PAGES = 200
MAX_CELLS = 1_000_000  # the package fills a table of Python lists: a second for four million cells


class AtSpaces:
    """The tokenizer that the package is given: the tokens are already separated."""

    def tokenize(self, text: str) -> list[str]:
        return text.split(" ")


@pytest.mark.nightly
def test_rouge_lsum_equals_the_rouge_score_package_on_real_pages(data: Path) -> None:
    from rouge_score import rouge_scorer  # imports scipy, which costs every process of a run seconds

    scorer = rouge_scorer.RougeScorer(["rougeLsum"], tokenizer=AtSpaces())
    extractor = PageExtractor("all")

    def texts() -> "list[tuple[str, list[list[str]], list[list[str]]]]":
        pages = [page for file in list_datasets(data / "labelled") for page in read_pages(file, limit=40)]
        pages.sort(key=lambda page: hashlib.sha256(f"{page.dataset}/{page.id}".encode()).digest())
        pairs = ((page.id, sentences(extractor.extract(page.html).decode()), sentences(page.gold)) for page in pages)
        small = (pair for pair in pairs if sum(map(len, pair[1])) * sum(map(len, pair[2])) <= MAX_CELLS)
        return list(islice(small, N_PAGES))

    chosen = texts()
    assert len(chosen) == N_PAGES
    different = []
    for name, extracted, gold in chosen:
        ours = metrics.rouge_lsum_of_sentences(extracted, gold)
        theirs = scorer.score("\n".join(map(" ".join, gold)), "\n".join(map(" ".join, extracted)))["rougeLsum"]
        if any(
            abs(a - b) > 5e-5 for a, b in zip(ours, (theirs.precision, theirs.recall, theirs.fmeasure), strict=True)
        ):
            different.append((name, ours, theirs))
    assert different == []
