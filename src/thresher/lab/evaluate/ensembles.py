# SPDX-License-Identifier: Apache-2.0
"""Ensembles: votes of several systems on the blocks and tokens of a page.

A page is the list of the texts of its visible blocks, here called leaves. Our own extractors say which leaves they
keep; for other systems the page's tokens are looked up in their text. Votes are counted once per page, and each
ensemble is a rule over the counts. What a rule learns (the best members, their weights, a classifier) it learns on
other sites than those it is applied to.

The ensembles of our own extractors with fixed members are extractors themselves: native/choosing/ensembles.pyx.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.peers import PEERS
from thresher.lab.evaluate.tokens import token_spans
from thresher.lab.evaluate.tokens import tokens as tokenise
from thresher.native.choosing.registry import MEMBERS
from thresher.options import EXTRACTORS

ENSEMBLES_VERSION = 2
"""Part of the cache key of the ensembles' texts. Raise it when a rule or the votes change."""

NGRAM = 5
"""A member votes for a token if a window of so many tokens stands in its text (Bevendorff et al. 2023, section 4.5)."""
MAJORITY = 2 / 3
"""The share of the votes that keeps a token (section 4.5: at least two thirds)."""

# The members of the thesis' threshold ensembles in its order (Gupta 2022, table 5.1: the first 5 and the first 8), with
# cetd in place of Go DOM Distiller, which has no Python package. Systems that are not measured are skipped. Our other
# extractors follow.
MEMBER_ORDER = tuple(
    dict.fromkeys(
        [
            "resiliparse", "bte", "trafilatura", "readability", "cetd", "boilerpy3", "justext", "goose3",
            *MEMBERS, "newspaper4k", "turbohtml",
        ]
    )
)  # fmt: skip
NO_MEMBERS = frozenset(EXTRACTORS) - set(MEMBERS) | {name for name, peer in PEERS.items() if peer.kind == "baseline"}
"""Systems that never vote: those that do not select main content, our ensembles, and the learned extractor.

The learned extractor was trained on the labelled sets, so its votes there would flatter every ensemble.
"""


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes of the members on one page."""

    leaves: tuple[str, ...]  # the texts of the page's leaf blocks
    token_votes: NDArray[np.bool_]  # one row per token of all leaves, one column per member
    leaf_votes: NDArray[np.bool_]  # one row per leaf, one column per member
    leaf_labels: NDArray[np.bool_]  # per leaf: whether the gold text contains it; the labels of the learned ensembles


Kept = NDArray[np.bool_]
"""Which leaves of a page a member keeps."""


def count_votes(leaves: Sequence[str], members: Sequence[str | Kept], gold: str) -> Votes:
    """The votes on the tokens and leaves of a page. Each member is given by its text, or by the leaves that it keeps.

    A member given by leaves votes for these and for their tokens. A member given by a text votes for a token if the
    window of five tokens that ends there, or the one that begins there, stands in the text; page and text are padded
    with four empty tokens at either end (Bevendorff et al. 2023, section 4.5). It votes for a leaf if its text contains
    the leaf's tokens (Gupta 2022, section 5.1).
    """
    leaf_tokens = [tokenise(leaf) for leaf in leaves]
    numbers: dict[str, int] = {"": 0}
    page = [numbers.setdefault(token, len(numbers)) for leaf in leaf_tokens for token in leaf]
    sizes = [len(leaf) for leaf in leaf_tokens]
    windows = _windows(page)
    token_votes = np.zeros((len(page), len(members)), dtype=np.bool_)
    leaf_votes = np.zeros((len(leaves), len(members)), dtype=np.bool_)
    keys = [f" {' '.join(leaf)} " for leaf in leaf_tokens]
    for column, said in enumerate(members):
        if not isinstance(said, str):
            leaf_votes[:, column] = said
            token_votes[:, column] = np.repeat(said, sizes)
            continue
        found = tokenise(said)
        # Tokens that the page lacks share a number that no token of the page has.
        in_text = set(_windows([numbers.get(token, -1) for token in found]))
        # Window w covers the tokens w - 4 to w: it ends at token w and begins at token w - 4.
        hits = np.fromiter((window in in_text for window in windows), dtype=np.bool_, count=len(windows))
        token_votes[:, column] = hits[: len(page)] | hits[NGRAM - 1 : NGRAM - 1 + len(page)]
        joined = f" {' '.join(found)} "
        leaf_votes[:, column] = [key in joined for key in keys]
    joined = f" {' '.join(tokenise(gold))} "
    labels = np.array([key in joined for key in keys], dtype=np.bool_)
    return Votes(tuple(leaves), token_votes, leaf_votes, labels)


def _windows(numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """The windows of five over a padded sequence.

    Window w ends at item w, so there are four more windows than items, or none.
    """
    if not numbers:
        return []
    padded = [0] * (NGRAM - 1) + list(numbers) + [0] * (NGRAM - 1)
    return list(zip(*(padded[i:] for i in range(NGRAM)), strict=False))


def kept_tokens_text(votes: Votes, kept: NDArray[np.bool_]) -> str:
    """The text of the kept tokens: runs of them as on the page, one line per leaf."""
    lines, position = [], 0
    for leaf in votes.leaves:
        spans = token_spans(leaf)
        runs: list[list[int]] = []
        previous = False
        for (start, end), keep in zip(spans, kept[position : position + len(spans)], strict=True):
            if keep and previous:
                runs[-1][1] = end
            elif keep:
                runs.append([start, end])
            previous = bool(keep)
        if runs:
            lines.append(" ".join(leaf[start:end] for start, end in runs))
        position += len(spans)
    return "\n".join(lines)


def kept_leaves_text(votes: Votes, kept: NDArray[np.bool_]) -> str:
    """The text of the kept leaves, one per line."""
    return "\n".join(leaf for leaf, keep in zip(votes.leaves, kept, strict=True) if keep)


def majority_text(votes: Votes, weights: NDArray[np.float64]) -> str:
    """The tokens that a majority keeps. A member of weight 2 counts twice, one of weight 0 not at all."""
    share = votes.token_votes @ weights / weights.sum()
    return kept_tokens_text(votes, share >= MAJORITY - 1e-9)


def threshold_text(votes: Votes, threshold: int, members: Sequence[int]) -> str:
    """The leaves that at least x of the y members keep: em_x_y (Gupta 2022, section 5.1)."""
    return kept_leaves_text(votes, votes.leaf_votes[:, list(members)].sum(axis=1) >= threshold)


def best_members(
    f1: NDArray[np.float64], precision: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The members' weights in majority-best and majority-weighted, from their scores on other sites (pages x members).

    Bevendorff et al. 2023, section 4.5, keep the nine of fourteen members that are best by mean and variance of F1, and
    double the weight of the two most robust and of the one with the highest median precision. Here robustness is the
    mean minus the standard deviation of F1, and 9/14 of the members are kept by it.
    """
    robustness = f1.mean(axis=0) - f1.std(axis=0)
    n_best = max(1, round(len(robustness) * 9 / 14))
    order = np.argsort(-robustness, kind="stable")
    best = np.zeros(len(robustness))
    best[order[:n_best]] = 1.0
    weighted = best.copy()
    weighted[order[: min(2, n_best)]] = 2.0
    medians = np.where(best > 0, np.median(precision, axis=0), -1.0)
    weighted[int(np.argmax(medians))] = 2.0
    return best, weighted


@dataclass(frozen=True, slots=True)
class LearnedQuality:
    """How well a learned ensemble classifies leaves of sites that it has not seen: F1 and area under the curve.

    Source: thesis, table 5.2.
    """

    classifier: str
    f1: float
    auc: float
    n_leaves: int


def _classifier(name: str) -> Any:  # noqa: ANN401 - scikit-learn has no types
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression

    if name == "logistic":
        return LogisticRegression(max_iter=1000)
    return RandomForestClassifier(n_estimators=100, min_samples_leaf=1, random_state=0)


def learned_decisions(
    pages: Sequence[Votes], sites: Sequence[str], name: str
) -> tuple[list[NDArray[np.bool_]], LearnedQuality]:
    """The leaves that a learned ensemble keeps on each page, by classifiers trained on the other folds.

    `name` is logistic or forest. As in Gupta 2022, section 5.2, the features are the members' votes on a leaf, the
    label is whether the gold text contains it, and both classes have the same weight. Votes are binary, so there are
    few distinct rows: they are counted.
    """
    folds = [site_fold(site) for site in sites]
    n_members = pages[0].leaf_votes.shape[1]
    bits = 1 << np.arange(n_members, dtype=np.int64)
    patterns = [votes.leaf_votes @ bits for votes in pages]
    probability: list[NDArray[np.float64]] = [np.zeros(len(pattern)) for pattern in patterns]
    for fold in range(FOLDS):
        training = [i for i, page_fold in enumerate(folds) if page_fold != fold]
        held_out = [i for i, page_fold in enumerate(folds) if page_fold == fold]
        if not held_out:
            continue
        x = np.concatenate([patterns[i] for i in training] or [np.zeros(0, dtype=np.int64)])
        y = np.concatenate([pages[i].leaf_labels for i in training] or [np.zeros(0, dtype=np.bool_)])
        if len(set(y.tolist())) < 2:
            raise EvaluationError("a learned ensemble needs blocks of both classes on at least two sites")
        unique, where = np.unique(x, return_inverse=True)
        positive = np.bincount(where, weights=y, minlength=len(unique))
        negative = np.bincount(where, weights=~y, minlength=len(unique))
        rows = ((unique[:, None] & bits) > 0).astype(np.float64)
        model = _classifier(name)
        model.fit(
            np.concatenate([rows, rows]),
            np.repeat([1, 0], len(rows)),
            sample_weight=np.concatenate([positive / positive.sum(), negative / negative.sum()]) * len(x) / 2,
        )
        new = np.unique(np.concatenate([patterns[i] for i in held_out]))
        predicted = model.predict_proba(((new[:, None] & bits) > 0).astype(np.float64))[:, 1]
        for i in held_out:
            probability[i] = predicted[np.searchsorted(new, patterns[i])]
    decisions = [p >= 0.5 for p in probability]
    return decisions, _quality(name, probability, [votes.leaf_labels for votes in pages])


def _quality(
    name: str, probability: Sequence[NDArray[np.float64]], labels: Sequence[NDArray[np.bool_]]
) -> LearnedQuality:
    from sklearn.metrics import f1_score, roc_auc_score

    p, y = np.concatenate(probability), np.concatenate(labels)
    return LearnedQuality(name, float(f1_score(y, p >= 0.5)), float(roc_auc_score(y, p)), len(y))


def threshold_name(name: str) -> tuple[int, int] | None:
    """(x, y) for an ensemble called em_x_y, None for any other name."""
    match = re.fullmatch(r"em_(\d+)_(\d+)", name)
    return (int(match[1]), int(match[2])) if match else None


def choose_members(names: Sequence[str]) -> list[str]:
    """Those of the systems that may vote, in the order of `MEMBER_ORDER`, then the others.

    If all are ours, in the core's order.
    """
    candidates = [name for name in names if name not in NO_MEMBERS]
    order = MEMBERS if all(name in MEMBERS for name in candidates) else MEMBER_ORDER
    rank: Mapping[str, int] = {name: i for i, name in enumerate(order)}
    return sorted(candidates, key=lambda name: rank.get(name, len(rank)))


DEFAULT_ENSEMBLES = (
    "majority",
    "majority-best",
    "majority-weighted",
    "em_2_5",
    "em_3_5",
    "em_4_8",
    "learned-logistic",
    "learned-forest",
)


def default_ensembles(n_members: int) -> list[str]:
    """The ensembles that `all` stands for with so many members: em_x_y needs y of them."""
    return [name for name in DEFAULT_ENSEMBLES if (threshold_name(name) or (0, 0))[1] <= n_members]


def check_ensemble(name: str, members: Sequence[str]) -> None:
    """EvaluationError if there is no ensemble of this name, or if it needs more members than these."""
    if len(members) < 2:
        raise EvaluationError(
            "an ensemble needs at least two members that tell main content from the rest; there are:"
            f" {', '.join(members) or 'none'}"
        )
    threshold = threshold_name(name)
    if threshold is None and name not in DEFAULT_ENSEMBLES:
        raise EvaluationError(
            f"no ensemble is called {name!r} (there are {', '.join(DEFAULT_ENSEMBLES)} and em_x_y for any x and y)"
        )
    if threshold is not None and not 1 <= threshold[0] <= threshold[1] <= len(members):
        y = threshold[1]
        raise EvaluationError(
            f"{name} needs {y} members and a threshold between 1 and {y}; there are {len(members)} members"
        )


def ensemble_texts(
    name: str, votes: Sequence[Votes], sites: Sequence[str], f1: NDArray[np.float64], precision: NDArray[np.float64]
) -> tuple[list[str], LearnedQuality | None]:
    """The text of an ensemble (one that `check_ensemble` lets pass) for every page.

    `f1` and `precision` are the members' scores, pages x members. For each fold of sites only the scores on the other
    folds count.
    """
    n_members = f1.shape[1]
    if name.startswith("learned-"):
        decisions, quality = learned_decisions(votes, sites, name.removeprefix("learned-"))
        return [kept_leaves_text(page, kept) for page, kept in zip(votes, decisions, strict=True)], quality
    threshold = threshold_name(name)
    if threshold is not None:
        x, y = threshold
        return [threshold_text(page, x, range(y)) for page in votes], None
    weights = {fold: np.ones(n_members) for fold in range(FOLDS)}
    folds = np.array([site_fold(site) for site in sites])
    if name != "majority":
        for fold in range(FOLDS):
            others = folds != fold
            if others.any():
                weights[fold] = best_members(f1[others], precision[others])[name == "majority-weighted"]
    return [majority_text(page, weights[fold]) for page, fold in zip(votes, folds.tolist(), strict=True)], None
