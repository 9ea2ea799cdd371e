# SPDX-License-Identifier: Apache-2.0
"""The metrics of the papers: how close an extracted text is to the gold text of its page.

Every function takes the extracted text first and the gold text second. A score is precision, recall and F1 in [0, 1].
It is 1 if both texts are empty and 0 if only one is. (The rouge-score package returns 0 if both are empty. Evaluation
leaves pages without gold text out, so this makes no difference there.)
"""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from thresher.lab.evaluate.tokens import sentences, tokens, words, words_cjk
from thresher.native.base.sequences import union_lcs_hits

METRICS_VERSION = 3
"""Part of the key of every cached score. Raise it whenever a metric or its tokens change."""


class Score(NamedTuple):
    """Precision, recall and their harmonic mean, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def score(correct: float, retrieved: float, relevant: float) -> Score:
    """The score of `correct` units among `retrieved` extracted and `relevant` gold ones."""
    if not retrieved and not relevant:
        return Score(1.0, 1.0, 1.0)
    if not correct:
        return Score(0.0, 0.0, 0.0)
    precision, recall = correct / retrieved, correct / relevant
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


@lru_cache(maxsize=4)
def _words(text: str) -> tuple[str, ...]:
    """The words of a text, cached because five metrics in a row ask for the same two texts."""
    return tuple(words_cjk(text))


@lru_cache(maxsize=4)
def _distinct_words(text: str) -> frozenset[str]:
    return frozenset(_words(text))


def overlap(extracted: Iterable[str], gold: Iterable[str]) -> Score:
    """The score of two multisets: every unit is correct as often as both have it."""
    found, wanted = Counter(extracted), Counter(gold)
    return score((found & wanted).total(), found.total(), wanted.total())


def word_score(extracted: str, gold: str) -> Score:
    r"""The overlap of the multisets of words `\w+`, case kept (WCXB, Foley 2026)."""
    return overlap(words(extracted), words(gold))


def word_cjk_score(extracted: str, gold: str) -> Score:
    """The overlap of the multisets of words, Chinese and Japanese by character.

    Equals `word_score` for other scripts.
    """
    return overlap(_words(extracted), _words(gold))


MOST_UNWANTED = 30
"""Words that may be kept of a page without main text, apart from those that may be kept of any page."""


def tolerant_score(extracted: str, gold: str, optional: str) -> Score:
    """The score of a text where words of `gold` must be kept, and words of `optional` may be: these cost nothing and
    give nothing (docs/labelling.md).

    A page without gold text scores 1 if at most MOST_UNWANTED other words are kept, and 0 if more are.
    """
    kept, must, may = Counter(_words(extracted)), Counter(_words(gold)), Counter(words_cjk(optional))
    free = ((kept - must) & may).total()
    counted = kept.total() - free
    if not must:
        return Score(*[float(counted <= MOST_UNWANTED)] * 3)
    return score((kept & must).total(), counted, must.total())


def bag_score(extracted: str, gold: str) -> Score:
    """The overlap of the *sets* of alphanumeric words: bag of words (Gupta 2022, equations 4.2 to 4.4)."""
    found, wanted = _distinct_words(extracted), _distinct_words(gold)
    return score(len(found & wanted), len(found), len(wanted))


def ngram_score(extracted: str, gold: str, n: int = 4) -> Score:
    """The overlap of the multisets of n-grams of words (Gupta 2022, chapter 4, n = 4). A shorter text is one n-gram."""
    return overlap(_ngrams(_words(extracted), n), _ngrams(_words(gold), n))


def _ngrams(units: Sequence[str], n: int) -> list[str]:
    # A zero byte is no part of a word, so joined n-grams are as distinct as tuples, and hash faster.
    return ["\0".join(units[i : i + n]) for i in range(max(len(units) - n + 1, min(1, len(units))))]


def lcs_score(extracted: str, gold: str) -> Score:
    """The longest common subsequence (LCS) of white-space tokens, over the tokens of either text; Chinese by character.

    Sun et al. 2011; Alarte 2023 (L4409, which does not state the unit); Sluban and Grčar 2013 (section 5.2, words).
    """
    found, wanted, _ = _numbered(tokens(extracted), tokens(gold))
    return score(LCSseq.similarity(found, wanted), len(found), len(wanted))


def rouge_lsum_score(extracted: str, gold: str) -> Score:
    """ROUGE-LSum: the union LCS of each gold sentence with all extracted sentences, over the tokens of either text.

    Sentences and white-space tokens as in Bevendorff et al. 2023, section 4.3; Chinese by character. Equals `rougeLsum`
    of the rouge-score package over the same sentences and tokens: no token counts more often than either text has it.
    """
    return rouge_lsum_of_sentences(sentences(extracted), sentences(gold))


def rouge_lsum_of_sentences(extracted: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> Score:
    """The ROUGE-LSum score of two texts that are already split into sentences of tokens."""
    found, wanted, vocabulary = _numbered(
        [token for sentence in extracted for token in sentence], [token for sentence in gold for token in sentence]
    )
    hits = union_lcs_hits(array("i", wanted), _ends(gold), array("i", found), _ends(extracted), vocabulary)
    return score(hits, len(found), len(wanted))


def _ends(of: Sequence[Sequence[str]]) -> "array[int]":
    ends = array("i")
    end = 0
    for sentence in of:
        end += len(sentence)
        ends.append(end)
    return ends


def _numbered(first: Sequence[str], second: Sequence[str]) -> tuple[list[int], list[int], int]:
    """Both sequences with distinct units as numbers, and the number of distinct units."""
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(unit, len(numbers)) for unit in first]
    wanted = [numbers.setdefault(unit, len(numbers)) for unit in second]
    return found, wanted, len(numbers)


def snippet_shares(extracted: str, required: Collection[str], forbidden: Collection[str]) -> tuple[float, float]:
    """The shares of required and of forbidden snippets that the text contains (WCXB's `with` and `without`).

    Runs of white space count as one space on both sides. The share of an empty list is NaN.
    """
    text = " ".join(extracted.split())

    def share(snippets: Collection[str]) -> float:
        wanted = [" ".join(snippet.split()) for snippet in snippets]
        return sum(snippet in text for snippet in wanted) / len(wanted) if wanted else float("nan")

    return share(required), share(forbidden)


_SCORES: dict[str, Callable[[str, str], Score]] = {
    "word": word_score,
    "word_cjk": word_cjk_score,
    "rouge_lsum": rouge_lsum_score,
    "lcs": lcs_score,
    "bag": bag_score,
    "4gram": ngram_score,
}
METRICS: tuple[str, ...] = (
    *(f"{name}_{part}" for name in _SCORES for part in Score._fields),
    "with_share",
    "without_share",
    *(f"tolerant_{part}" for part in Score._fields),
)
"""The columns of a page's scores, in order. Small is good for `without_share`."""


def page_scores(
    extracted: str,
    gold: str,
    *,
    required: Collection[str] = (),
    forbidden: Collection[str] = (),
    optional: str | None = None,
) -> dict[str, float]:
    """All metrics of one page, by their names in `METRICS`. The tolerant ones are NaN where `optional` is not known."""
    values: list[float] = []
    for function in _SCORES.values():
        values.extend(function(extracted, gold))
    values += snippet_shares(extracted, required, forbidden)
    values += [math.nan] * 3 if optional is None else tolerant_score(extracted, gold, optional)
    return dict(zip(METRICS, values, strict=True))
