# SPDX-License-Identifier: Apache-2.0
"""The metrics of the papers: how near an extracted text comes to the gold text of its page.

Every function takes the extracted text first and the gold text second. A score has precision, recall and F1 in [0, 1]. Where both
sides are empty a score is 1, where only one is empty it is 0 (the rouge-score package gives 0 for both; pages without gold text are
left out of the averages, so that the difference does not show there).
"""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein

from thresher.evaluate.tokens import sentences, tokens, words, words_cjk
from thresher.native.sequences import union_lcs_hits

METRICS_VERSION = 1
"""Part of the key of every cached score; raise it whenever a metric or its tokens change."""


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
    """The words of a text; five metrics in a row ask for those of the same two texts."""
    return tuple(words_cjk(text))


@lru_cache(maxsize=4)
def _distinct_words(text: str) -> frozenset[str]:
    return frozenset(_words(text))


def overlap(extracted: Iterable[str], gold: Iterable[str]) -> Score:
    """The score of two multisets: correct is the sum over all units of the smaller of the two counts."""
    found, wanted = Counter(extracted), Counter(gold)
    return score((found & wanted).total(), found.total(), wanted.total())


def word_score(extracted: str, gold: str) -> Score:
    r"""Word precision, recall and F1: overlap of the multisets of `\w+`, case kept (WCXB, Foley 2026)."""
    return overlap(words(extracted), words(gold))


def word_cjk_score(extracted: str, gold: str) -> Score:
    """As `word_score`, but Chinese and Japanese count by character; for pages of other scripts both are the same."""
    return overlap(_words(extracted), _words(gold))


def bag_score(extracted: str, gold: str) -> Score:
    """Bag of words: overlap of the *sets* of alphanumeric words (Gupta 2022, equations 4.2 to 4.4)."""
    found, wanted = _distinct_words(extracted), _distinct_words(gold)
    return score(len(found & wanted), len(found), len(wanted))


def ngram_score(extracted: str, gold: str, n: int = 4) -> Score:
    """Overlap of the multisets of n consecutive words (Gupta 2022, chapter 4, with n = 4); a shorter text is one n-gram."""
    return overlap(_ngrams(_words(extracted), n), _ngrams(_words(gold), n))


def _ngrams(units: Sequence[str], n: int) -> list[str]:
    # A zero byte cannot be part of a word, so that the joined n-grams are as distinct as tuples would be, and hash faster.
    return ["\0".join(units[i : i + n]) for i in range(max(len(units) - n + 1, min(1, len(units))))]


def jaccard_index(extracted: str, gold: str) -> float:
    """Words in both texts over words in either, as sets, in [0, 1] (Gupta 2022, equation 4.1)."""
    found, wanted = _distinct_words(extracted), _distinct_words(gold)
    return len(found & wanted) / len(found | wanted) if found or wanted else 1.0


def levenshtein_distance(extracted: str, gold: str) -> float:
    """Words to insert, delete or replace, over the words of the longer text: 0 for equal texts, 1 for nothing shared (Gupta 2022, chapter 4)."""
    found, wanted = _numbered(_words(extracted), _words(gold))[:2]
    return float(Levenshtein.normalized_distance(found, wanted))


def lcs_score(extracted: str, gold: str) -> Score:
    """Token LCS: length of the longest common subsequence of white-space tokens, over the tokens of either text.

    Sun et al. 2011 and Alarte 2023 (L4409; unit not stated there), Sluban and Grčar 2013 (section 5.2, words); Chinese by character.
    """
    found, wanted, _ = _numbered(tokens(extracted), tokens(gold))
    return score(LCSseq.similarity(found, wanted), len(found), len(wanted))


def rouge_lsum_score(extracted: str, gold: str) -> Score:
    """ROUGE-LSum: for each gold sentence the union of its LCS with every extracted sentence, summed, over the tokens of either text.

    Bevendorff et al. 2023, section 4.3 (sentences, white-space tokens; Chinese by character). Equal to `rougeLsum` of the rouge-score
    package over the same sentences and tokens: hits are clipped so that no token counts more often than either text has it.
    """
    return rouge_lsum_of_sentences(sentences(extracted), sentences(gold))


def rouge_lsum_of_sentences(extracted: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> Score:
    """As `rouge_lsum_score`, over texts that are already sentences of tokens."""
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
    """Both sequences with every distinct unit as a number, and how many numbers there are."""
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(unit, len(numbers)) for unit in first]
    wanted = [numbers.setdefault(unit, len(numbers)) for unit in second]
    return found, wanted, len(numbers)


def snippet_shares(extracted: str, required: Collection[str], forbidden: Collection[str]) -> tuple[float, float]:
    """The shares of the required snippets and of the forbidden snippets that the text contains (WCXB's `with` and `without`).

    White space is folded to single spaces on both sides before searching. The share of an empty list is NaN: nothing was asked.
    """
    text = " ".join(extracted.split())

    def share(snippets: Collection[str]) -> float:
        wanted = [" ".join(snippet.split()) for snippet in snippets]
        return sum(snippet in text for snippet in wanted) / len(wanted) if wanted else float("nan")

    return share(required), share(forbidden)


def node_score(retrieved: Collection[int], gold: Collection[int]) -> Score:
    """The score of two sets of DOM nodes, given as node numbers: whole subtrees, text nodes included (Alarte 2023, section 4.3, L938-958).

    Nothing correct scores 0/0/0 (L1283). Averages are means of the F1 of each page, not the F1 of the mean precision and recall (L4430).
    """
    found, wanted = set(retrieved), set(gold)
    return score(len(found & wanted), len(found), len(wanted))


def node_word_score(retrieved: Collection[int], gold: Collection[int], words_of: Mapping[int, int]) -> Score:
    """The score in words of two sets of DOM nodes: a word belongs to the text node that carries it (Alarte 2023, L938-958, L3619).

    `words_of` maps each text node to its number of words; nodes that are missing there carry none.
    """
    found, wanted = set(retrieved), set(gold)

    def count(nodes: set[int]) -> int:
        return sum(words_of.get(node, 0) for node in nodes)

    return score(count(found & wanted), count(found), count(wanted))


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
    "jaccard",
    "levenshtein",
    "with_share",
    "without_share",
)
"""The columns of a page's scores, in order. `levenshtein` is a distance and `without_share` counts what should not be there: small is good."""


def page_scores(
    extracted: str, gold: str, *, required: Collection[str] = (), forbidden: Collection[str] = ()
) -> dict[str, float]:
    """Every metric of one page, by the names of `METRICS`."""
    values: list[float] = []
    for function in _SCORES.values():
        values.extend(function(extracted, gold))
    values += [jaccard_index(extracted, gold), levenshtein_distance(extracted, gold)]
    values += snippet_shares(extracted, required, forbidden)
    return dict(zip(METRICS, values, strict=True))
