# SPDX-License-Identifier: Apache-2.0
"""The metrics against the papers' worked examples, plain definitions and the rouge-score package."""

import math
import random
from array import array
from collections import Counter

import pytest

from thresher.lab.evaluate import metrics
from thresher.lab.evaluate.tokens import MAX_SENTENCE, sentences, tokens, words, words_cjk
from thresher.native.base.sequences import union_lcs_hits


def random_text(random_: random.Random, n: int, vocabulary: str = "abcdefgh") -> str:
    return " ".join(random_.choice(vocabulary) + random_.choice(["", "", "", ".", "\n"]) for _ in range(n))


def plain_lcs(a: list[str], b: list[str]) -> list[list[int]]:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    return table


def plain_union_hits(gold: list[list[str]], extracted: list[list[str]]) -> int:
    """The table of every pair of sentences, read back from its end, as the rouge-score package does."""
    left_gold = Counter(token for sentence in gold for token in sentence)
    left_extracted = Counter(token for sentence in extracted for token in sentence)
    hits = 0
    for sentence in gold:
        union = set()
        for candidate in extracted:
            table = plain_lcs(sentence, candidate)
            i, j = len(sentence), len(candidate)
            while i and j:
                if sentence[i - 1] == candidate[j - 1]:
                    i, j = i - 1, j - 1
                    union.add(i)
                elif table[i][j - 1] > table[i - 1][j]:
                    j -= 1
                else:
                    i -= 1
        for i in sorted(union):
            if left_gold[sentence[i]] > 0 and left_extracted[sentence[i]] > 0:
                left_gold[sentence[i]] -= 1
                left_extracted[sentence[i]] -= 1
                hits += 1
    return hits


@pytest.mark.parametrize("seed", range(60))
def test_rouge_lsum_equals_the_plain_definition(seed: int) -> None:
    random_ = random.Random(seed)
    gold = sentences(random_text(random_, random_.randrange(1, 150), "abcdefgh"[: random_.randrange(1, 9)]))
    extracted = sentences(random_text(random_, random_.randrange(1, 150)))
    n_gold, n_extracted = sum(map(len, gold)), sum(map(len, extracted))
    hits = plain_union_hits(gold, extracted)
    assert metrics.rouge_lsum_of_sentences(extracted, gold) == metrics.score(hits, n_extracted, n_gold)


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 200])
def test_rouge_lsum_over_sentences_longer_than_a_machine_word(length: int) -> None:
    random_ = random.Random(length)
    gold = [[random_.choice("abcde") for _ in range(length)], ["f"] * length]
    extracted = [[random_.choice("abcdefgx") for _ in range(length + 10)] for _ in range(3)]
    hits = plain_union_hits(gold, extracted)
    assert hits > 0
    assert metrics.rouge_lsum_of_sentences(extracted, gold) == metrics.score(hits, 3 * length + 30, 2 * length)


@pytest.mark.parametrize("seed", range(20))
def test_rouge_lsum_equals_the_rouge_score_package(seed: int) -> None:
    from rouge_score import rouge_scorer  # imports all of nltk

    class Split:
        def tokenize(self, text: str) -> list[str]:
            return text.split(" ")

    random_ = random.Random(1000 + seed)
    extracted, gold = (sentences(random_text(random_, 300, "abcdefghijklmnop")) for _ in range(2))
    expected = rouge_scorer.RougeScorer(["rougeLsum"], tokenizer=Split()).score(
        "\n".join(map(" ".join, gold)), "\n".join(map(" ".join, extracted))
    )["rougeLsum"]
    assert metrics.rouge_lsum_of_sentences(extracted, gold) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_lcs_equals_the_plain_definition(seed: int) -> None:
    random_ = random.Random(seed)
    a, b = random_text(random_, random_.randrange(1, 90)), random_text(random_, random_.randrange(1, 90))
    length = plain_lcs(tokens(a), tokens(b))[-1][-1]
    assert metrics.lcs_score(a, b) == metrics.score(length, len(tokens(a)), len(tokens(b)))


def test_examples_of_gupta() -> None:
    """Chapter 4: two sentences about dogs and lions, and one pair for the longest common subsequence."""
    first, second = "A black dog chases a cat", "A lion chases a zebra"
    assert metrics.bag_score(second, first)[:2] == (3 / 5, 3 / 6)
    score = metrics.rouge_lsum_score("A Red bus is on the road", "The bus is on the highway")
    assert score[:2] == (4 / 7, 4 / 6)
    assert metrics.ngram_score("A dog chases a cat for fun", "A dog chases a cat") == metrics.score(2, 4, 2)


def test_example_of_alarte_for_the_longest_common_subsequence() -> None:
    score = metrics.lcs_score("the cat sat", "the big cat sat down")
    assert (score.recall, score.precision, score.f1) == (3 / 5, 1.0, pytest.approx(0.75))


def test_words_count_as_often_as_they_stand() -> None:
    assert metrics.word_score("a a a b", "a b b c") == metrics.score(2, 4, 4)
    assert metrics.bag_score("a a a b", "a b b c") == metrics.score(2, 2, 3)


def test_chinese_by_character_and_in_runs() -> None:
    assert words("主要内容 of 2023") == ["主要内容", "of", "2023"]
    assert words_cjk("主要内容。 of 2023") == ["主", "要", "内", "容", "of", "2023"]
    assert tokens("主要，内容。 of 한국어 (2023)") == ["主", "要", "，", "内", "容", "。", "of", "한국어", "(2023)"]
    assert metrics.word_score("主要内容", "主要内").f1 == 0.0
    assert metrics.word_cjk_score("主要内容", "主要内") == metrics.score(3, 4, 3)


def test_sentences() -> None:
    text = 'One sentence, with 3.5 in it. "Another?" Yes! e.g. this\nnext line 第一句。第二句！end'
    assert [" ".join(sentence) for sentence in sentences(text)] == [
        "One sentence, with 3.5 in it.",
        '"Another?"',
        "Yes! e.g. this",
        "next line 第 一 句 。",
        "第 二 句 ！",
        "end",
    ]
    assert [len(s) for s in sentences("x " * (2 * MAX_SENTENCE + 1))] == [MAX_SENTENCE, MAX_SENTENCE, 1]
    assert sentences(" \n\n ") == []


def test_empty_texts() -> None:
    both, one = metrics.page_scores("", ""), metrics.page_scores("", "gold text")
    other = metrics.page_scores("text", "")
    for name in [name for name in metrics.METRICS if not name.startswith(("with", "tolerant"))]:
        assert (both[name], one[name], other[name]) == (1.0, 0.0, 0.0)
    assert math.isnan(both["with_share"])


def test_equal_texts_score_one() -> None:
    values = metrics.page_scores(
        "Some text. 中文。\nMore",
        "Some text. 中文。\nMore",
        required=["text. 中文。 More"],
        forbidden=["no"],
        optional="",
    )
    assert values.pop("without_share") == 0.0
    assert set(values.values()) == {1.0}


def test_snippets_ignore_white_space() -> None:
    assert metrics.snippet_shares("one\n two three", ["one two", "two  three", "four"], ["five"]) == (2 / 3, 0.0)


def test_union_lcs_hits_rejects_what_is_not_sentences() -> None:
    def ints(*values: int) -> "array[int]":
        return array("i", values)

    good = (ints(0, 1), ints(1, 2))
    assert union_lcs_hits(*good, *good, 2) == 2
    assert union_lcs_hits(ints(), ints(), *good, 2) == 0
    for tokens_, ends in [
        (ints(0, 2), ints(2)),
        (ints(-1), ints(1)),
        (ints(0), ints(2)),
        (ints(0, 1), ints(2, 1, 2)),
        (ints(0), ints()),
    ]:
        with pytest.raises(ValueError):
            union_lcs_hits(tokens_, ends, *good, 2)
        with pytest.raises(ValueError):
            union_lcs_hits(*good, tokens_, ends, 2)
