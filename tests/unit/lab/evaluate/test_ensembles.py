# SPDX-License-Identifier: Apache-2.0
"""Votes and the rules over them, on pages small enough to count by hand."""

import numpy as np
import pytest

from thresher.lab.evaluate import ensembles
from thresher.lab.evaluate.ensembles import count_votes
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.pages import EvaluationError

LEAVES = [
    "Home About Contact",
    "The quick brown fox jumps over the lazy dog.",
    "It was never seen again.",
    "Share this",
]
STORY = "The quick brown fox jumps over the lazy dog.\nIt was never seen again."


def test_a_token_gets_a_vote_from_the_window_that_ends_or_begins_there() -> None:
    votes = count_votes(["a b c d e f g"], ["x b c d e f y"], "")
    # Only the window b c d e f is in the text: b begins it, f ends it; c, d and e lie inside of it and do neither.
    assert votes.token_votes[:, 0].tolist() == [False, True, False, False, False, True, False]


def test_padding_lets_the_ends_of_a_text_vote() -> None:
    votes = count_votes(["a b c"], ["a b c"], "")
    assert votes.token_votes[:, 0].tolist() == [True, True, True]
    longer = count_votes(["a b c d e f g h"], ["a b c d e f g h"], "")
    assert longer.token_votes.all()


def test_an_empty_text_and_an_empty_page_vote_for_nothing() -> None:
    assert not count_votes(LEAVES, [""], STORY).token_votes.any()
    empty = count_votes([], ["text"], "text")
    assert empty.token_votes.shape == (0, 1)
    assert ensembles.majority_text(empty, np.ones(1)) == ""


def test_leaves_are_compared_by_whole_tokens() -> None:
    votes = count_votes(["art", "an art", "art gallery"], ["an art of party"], "an art")
    assert votes.leaf_votes[:, 0].tolist() == [True, True, False]
    assert votes.leaf_labels.tolist() == [True, True, False]


def test_a_member_whose_leaves_are_known_needs_no_text() -> None:
    votes = count_votes(LEAVES, [np.array([False, True, True, False]), STORY], STORY)
    assert votes.leaf_votes[:, 0].tolist() == votes.leaf_votes[:, 1].tolist() == [False, True, True, False]
    assert (
        votes.token_votes[:, 0].tolist() == votes.token_votes[:, 1].tolist() == [False] * 3 + [True] * 14 + [False] * 2
    )
    # A leaf that stands elsewhere too is kept here and not there, which a text cannot say; and it may be short.
    twice = count_votes(["Share this", "Read on", "Share this"], [np.array([True, False, False])], "")
    assert twice.leaf_votes[:, 0].tolist() == [True, False, False]
    assert twice.token_votes[:, 0].tolist() == [True] * 2 + [False] * 4


def test_majority_needs_two_thirds() -> None:
    votes = count_votes(LEAVES, [STORY, STORY, "Home About Contact\n" + STORY], STORY)
    assert ensembles.majority_text(votes, np.ones(3)) == STORY
    one = count_votes(LEAVES, [STORY, "", ""], STORY)
    assert ensembles.majority_text(one, np.ones(3)) == ""
    assert ensembles.majority_text(one, np.array([4.0, 1.0, 1.0])) == STORY
    assert ensembles.majority_text(one, np.array([1.0, 0.0, 0.0])) == STORY


def test_kept_runs_stand_as_on_the_page() -> None:
    votes = count_votes(["第一句，很好。 two  words", "end"], [""], "")
    kept = np.array([True] * 3 + [False] * 2 + [True] * 2 + [True, True] + [False])
    assert ensembles.kept_tokens_text(votes, kept) == "第一句 好。 two  words"


def test_threshold_counts_the_first_members() -> None:
    votes = count_votes(LEAVES, [STORY, STORY + "\nShare this", "Share this", "Share this"], STORY)
    assert ensembles.threshold_text(votes, 2, range(3)) == STORY + "\nShare this"
    assert ensembles.threshold_text(votes, 2, range(2)) == STORY
    assert ensembles.threshold_text(votes, 3, range(4)) == "Share this"


def test_best_members_are_robust_and_precise() -> None:
    rng = np.random.default_rng(0)
    f1 = np.clip(np.array([0.9, 0.8, 0.85, 0.3, 0.2]) + rng.normal(0, 0.02, (50, 5)), 0, 1)
    precision = np.tile([0.8, 0.99, 0.7, 1.0, 0.1], (50, 1))
    best, weighted = ensembles.best_members(f1, precision)
    assert best.tolist() == [1, 1, 1, 0, 0]
    assert weighted.tolist() == [2, 2, 2, 0, 0]  # 0 and 2 for their F1, 1 for the precision among the best


def test_sites_stay_together() -> None:
    folds = [site_fold(f"site{i}.org") for i in range(200)]
    assert folds == [site_fold(f"site{i}.org") for i in range(200)]
    assert {folds.count(fold) > 20 for fold in range(FOLDS)} == {True}


@pytest.mark.parametrize("name", ["logistic", "forest"])
def test_learned_ensemble_learns_whom_to_trust(name: str) -> None:
    """Member 0 is always right, member 1 always wrong, member 2 a coin: the rule is found from other sites."""
    rng = np.random.default_rng(1)
    pages, sites = [], []
    for i in range(60):
        labels = rng.random(20) < 0.4
        votes = np.stack([labels, ~labels, rng.random(20) < 0.5], axis=1)
        leaves = tuple(f"leaf {j}" for j in range(20))
        pages.append(ensembles.Votes(leaves, np.zeros((40, 3), dtype=np.bool_), votes, labels))
        sites.append(f"site{i}.org")
    decisions, quality = ensembles.learned_decisions(pages, sites, name)
    assert all((kept == page.leaf_labels).all() for kept, page in zip(decisions, pages, strict=True))
    assert quality.f1 == quality.auc == 1.0
    assert quality.n_leaves == 1200


def test_members_in_the_order_of_the_thesis() -> None:
    assert ensembles.choose_members(["all", "cetd", "trafilatura", "new", "bs4", "resiliparse"]) == [
        "resiliparse",
        "trafilatura",
        "cetd",
        "new",
    ]
    assert ensembles.choose_members(["bte", "threshold", "cetd", "thresher", "density", "majority"]) == [
        "density",
        "cetd",
        "bte",
    ]


def test_names() -> None:
    votes = [count_votes(LEAVES, [STORY], STORY)]
    scores = np.ones((1, 1))
    texts, quality = ensembles.ensemble_texts("em_1_1", votes, ["a.org"], scores, scores)
    assert texts == [STORY]
    assert quality is None


def test_ensembles_are_checked_by_name_and_members() -> None:
    for name in (*ensembles.default_ensembles(2), "em_1_2", "em_2_2"):
        ensembles.check_ensemble(name, ["cetd", "bte"])
    for name in ("em_3_2", "em_0_2", "em_1_3", "majority-worst", "learned-tree"):
        with pytest.raises(EvaluationError, match=name):
            ensembles.check_ensemble(name, ["cetd", "bte"])
    with pytest.raises(EvaluationError, match="at least two members"):
        ensembles.check_ensemble("majority", ["cetd"])
