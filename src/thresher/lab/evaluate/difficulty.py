# SPDX-License-Identifier: Apache-2.0
"""The difficulty of pages: complexity, its estimate without gold text, groups, choice of an extractor, gold audit."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.shapes import Shape
from thresher.lab.evaluate.tokens import words_cjk

FEATURE_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "a", "br", "strong", "em", "div", "p", "ul", "table")
"""The tags whose shares describe a page (Gupta 2022, table 3.5; Bevendorff et al. 2023, section 3.3)."""
N_PAPER_FEATURES = len(FEATURE_TAGS) + 1
# Features beyond the paper's, which improve the estimate: the shares of the other tags that most pages or most layouts
# use …
MORE_TAGS = (
    "html", "head", "body", "title", "img", "meta", "link", "span", "li", "script", "input", "form", "style",
    "noscript", "label", "iframe", "tbody", "tr", "td", "b", "button", "i", "footer", "nav", "header", "section", "hr",
    "ol", "select", "article", "option", "textarea", "main", "font", "svg", "path", "aside", "center", "time", "small",
    "figure", "blockquote", "dl", "dd", "fieldset",
)  # fmt: skip
# … and the share of text in runs (text nodes) of at least so many characters.
RUN_LENGTHS = (20, 40, 80, 160, 320)
AUDIT_LIMIT = 0.02
"""Pages with a larger gold error are listed in the report. Gupta 2022, section 3.4, leaves them out."""


def complexity(shape: Shape, gold: str) -> float:
    """The share of a page's words that are not main content, in [0, 1] (Bevendorff et al. 2023, section 3.3).

    Words are alphanumeric, Chinese by character. They count as a multiset: a word of the page is main content as often
    as the gold text has it. Gold words that the page lacks do not count, so the value is never negative. If the page
    has all gold words, Gupta's ratio (2022, equation 3.3) is 100 (1 - complexity). A page without text has complexity
    0.
    """
    page, wanted = Counter(words_cjk(shape.text)), Counter(words_cjk(gold))
    return 1 - (page & wanted).total() / page.total() if page else 0.0


def gold_error(shape: Shape, gold: str) -> float:
    """The share of distinct words that occur more often in the gold text than on the page.

    Source: Gupta 2022, equations 3.1 and 3.2.

    The thesis divides the number of such words by the page's "total alphanumeric tokens". Here that means distinct
    words, like in the numerator, so a page that has nothing to do with its gold text comes to 1.
    """
    page, wanted = Counter(words_cjk(shape.text)), Counter(words_cjk(gold))
    distinct = len(page | wanted)
    return sum(count > page[word] for word, count in wanted.items()) / distinct if distinct else 0.0


def features(shapes: Sequence[Shape]) -> NDArray[np.float64]:
    """One row of features per page.

    The first `N_PAPER_FEATURES` columns are the paper's (section 3.3): shares of tags, and tags per tag or word. Then
    come the shares of `MORE_TAGS`, the shares of text in runs of `RUN_LENGTHS`, and sizes: logarithms of characters,
    runs, tags, characters per link and characters per tag, the share of the longest run, commas and full stops per
    character.
    """
    return np.array([_features(shape) for shape in shapes], dtype=np.float64).reshape(len(shapes), -1)


def _features(shape: Shape) -> list[float]:
    n_tags = sum(shape.tags.values())
    n_words = len(words_cjk(shape.text))

    def shares(tags: Sequence[str]) -> list[float]:
        return [shape.tags.get(tag, 0) / max(n_tags, 1) for tag in tags]

    runs = np.array([len(run) for run in shape.text.split("\n")], dtype=np.float64)
    n_characters = max(float(runs.sum()), 1.0)
    return [
        *shares(FEATURE_TAGS),
        n_tags / max(n_tags + n_words, 1),
        *shares(MORE_TAGS),
        *(float(runs[runs >= length].sum()) / n_characters for length in RUN_LENGTHS),
        math.log(n_characters),
        math.log(len(runs)),
        math.log1p(n_tags),
        math.log(n_characters / max(shape.tags.get("a", 0), 1)),
        math.log(n_characters / max(n_tags, 1)),
        float(runs.max()) / n_characters,
        sum(map(shape.text.count, ",，、")) / n_characters,
        sum(map(shape.text.count, ".。")) / n_characters,
    ]


def quartiles(complexities: NDArray[np.float64]) -> tuple[float, float, float]:
    """The 25th, 50th and 75th percentile.

    Pages up to the first are easy, pages from the last are complex (equation 3.4).
    """
    return tuple(float(value) for value in np.quantile(complexities, (0.25, 0.5, 0.75)))  # type: ignore[return-value]


def _classifier(n_pages: int) -> Any:  # noqa: ANN401 - scikit-learn has no types
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import QuantileTransformer

    # Shares are skewed (most pages have no h5 at all), so that their ranks are better behaved than their values.
    ranks = QuantileTransformer(n_quantiles=min(100, n_pages), output_distribution="uniform", random_state=0)
    return make_pipeline(ranks, LogisticRegression(max_iter=2000, C=10.0))


@dataclass(frozen=True, slots=True)
class ComplexityEstimate:
    """Which pages are complex, estimated for each page without its site and its gold text."""

    probability: NDArray[np.float64]  # per page: that its complexity lies above the median
    accuracy: float  # share of pages on the right side, over held-out sites
    paper_accuracy: float  # the same with the paper's features alone
    quarter_accuracy: float  # the same with all features, but taught on a quarter of the sites only, as in the paper
    n_sites: int


def estimate_complexity(
    x: NDArray[np.float64], complexities: NDArray[np.float64], sites: Sequence[str]
) -> ComplexityEstimate:
    """Logistic regression for the split at the median complexity, five folds grouped by site.

    Source: Bevendorff et al. 2023, section 3.3.

    `x` holds the pages' `features`. The paper trains on a quarter of its pages and reaches 80 % on the rest, without
    keeping sites apart.
    """
    y = complexities > np.median(complexities)
    folds = np.array([site_fold(site) for site in sites])
    quarters = np.array([site_fold(site, 4) for site in sites])
    probability = _held_out_probability(x, y, folds)
    paper = _held_out_probability(x[:, :N_PAPER_FEATURES], y, folds)
    quarter = [_accuracy_elsewhere(x, y, quarters == fold) for fold in range(4)]
    return ComplexityEstimate(
        probability,
        float(((probability > 0.5) == y).mean()),
        float(((paper > 0.5) == y).mean()),
        float(np.nanmean(quarter)) if not np.isnan(quarter).all() else float("nan"),
        len(set(sites)),
    )


def _held_out_probability(
    x: NDArray[np.float64], y: NDArray[np.bool_], folds: NDArray[np.int64]
) -> NDArray[np.float64]:
    probability = np.full(len(y), 0.5)
    for fold in range(FOLDS):
        training, held_out = folds != fold, folds == fold
        if held_out.any() and len(set(y[training].tolist())) == 2:
            probability[held_out] = (
                _classifier(int(training.sum())).fit(x[training], y[training]).predict_proba(x[held_out])[:, 1]
            )
    return probability


def _accuracy_elsewhere(x: NDArray[np.float64], y: NDArray[np.bool_], training: NDArray[np.bool_]) -> float:
    if training.all() or len(set(y[training].tolist())) < 2:
        return float("nan")
    return float(
        (_classifier(int(training.sum())).fit(x[training], y[training]).predict(x[~training]) == y[~training]).mean()
    )


def page_groups(x: NDArray[np.float64], k: int = 3) -> NDArray[np.int64]:
    """The group of each page, 0 to k - 1 by size, by k-means on standardised tag shares (Gupta 2022, section 3.6).

    k-means gets the shares themselves (the thesis' figure 3.8 b). The thesis reduces them to eight dimensions by t-SNE
    first, which cannot place a new page.
    """
    from sklearn.cluster import KMeans
    from sklearn.preprocessing import StandardScaler

    shares = x[:, : len(FEATURE_TAGS)]
    k = min(k, len(np.unique(shares, axis=0)))
    labels = KMeans(k, n_init=10, random_state=0).fit_predict(StandardScaler().fit_transform(shares))
    order = np.argsort(-np.bincount(labels, minlength=k), kind="stable")
    return np.asarray(np.argsort(order)[labels], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a choice of system for each page gains over one system for all.

    Choices are made and judged on different sites.
    """

    single: float  # mean F1 of the system that is best on the other sites
    by_complexity: float  # mean F1 when the best system is chosen for each quarter of the estimated complexity
    oracle: float  # mean F1 if the best system were known for each page
    chosen: tuple[str, ...]  # the systems chosen for the four quarters, simplest first, on all sites


def choose_by_complexity(
    names: Sequence[str], f1: NDArray[np.float64], estimate: ComplexityEstimate, sites: Sequence[str]
) -> Choice:
    """The gain of choosing a system by the estimated complexity. `f1` is pages x systems."""
    folds = np.array([site_fold(site) for site in sites])
    quarter = np.searchsorted(np.quantile(estimate.probability, (0.25, 0.5, 0.75)), estimate.probability, side="right")
    single, by_complexity = np.zeros(len(f1)), np.zeros(len(f1))
    for fold in range(FOLDS):
        training, held_out = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if not len(training):
            training = held_out
        overall = int(f1[training].mean(axis=0).argmax())
        single[held_out] = f1[held_out, overall]
        for level in range(4):
            known = training[quarter[training] == level]
            best = int(f1[known].mean(axis=0).argmax()) if len(known) else overall
            judged = held_out[quarter[held_out] == level]
            by_complexity[judged] = f1[judged, best]
    chosen = tuple(
        names[int(f1[quarter == level].mean(axis=0).argmax())] if (quarter == level).any() else "" for level in range(4)
    )
    return Choice(float(single.mean()), float(by_complexity.mean()), float(f1.max(axis=1).mean()), chosen)
