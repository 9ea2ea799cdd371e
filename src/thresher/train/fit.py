# SPDX-License-Identifier: Apache-2.0
"""Fits the three parts of the model: token weights, block trees, choice trees. Everything is the same again with the same seed.

What a later part learns from is always predicted out of fold: token features of a page come from weights that were fitted without
its site, and so do the block scores from which the choices are laid out. Otherwise the later part would trust them too much.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import lightgbm as lgb
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.linear_model import SGDClassifier

from thresher.native.decoding import CHOICE_FEATURES
from thresher.native.features import FEATURES
from thresher.train.dataset import Example, Floats, Ints, fold_of

N_TOKENS = 1 << 14
TOKEN_ROWS = [FEATURES.index(name) for name in ("tokens_sum", "tokens_lowest", "tokens_highest")]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides what the model becomes."""

    seed: int = 1
    folds: int = 4
    """Folds of sites for what is predicted out of fold."""
    token_folds: int = 3
    main_set: str = "wcxb"
    """The set with the most careful labels and the most kinds of pages; a page of another set weighs other_weight."""
    other_weight: float = 0.5
    blocks_per_page: int = 140
    """Blocks sampled of a page for training, longer ones preferred, so that long pages do not fill the memory."""
    word_power: float = 0.7
    """A block weighs (words + 1) ** word_power of its page's weight."""
    token_alpha: float = 3e-5
    token_epochs: int = 6
    block_trees: int = 110
    block_rate: float = 0.12
    choice_trees: int = 100
    choice_rate: float = 0.06
    expected_weight: float = 1.0
    """What the expected F1 of a choice adds to its predicted F1: .005 on WCXB, whose pages the prediction alone follows too far."""
    tree: dict[str, Any] = field(
        default_factory=lambda: {
            "num_leaves": 16,
            "max_bin": 63,
            "lambda_l2": 5.0,
            "feature_fraction": 0.4,
            "min_data_in_leaf": 80,
            "bagging_fraction": 0.8,
            "bagging_freq": 1,
            "use_missing": False,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "verbose": -1,
        }
    )

    def page_weight(self, example: Example) -> float:
        """What a page counts in training."""
        return 1.0 if example.dataset == self.main_set else self.other_weight


@dataclass(frozen=True, slots=True)
class Page:
    """An example with the blocks that were sampled for training and their weights."""

    example: Example
    blocks: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


def sample(examples: Sequence[Example], recipe: Recipe) -> list[Page]:
    """The blocks of each page that are trained on; a page's sample depends on the seed and its id alone."""
    pages = []
    for example in examples:
        n_blocks = len(example.labels)
        blocks = np.arange(n_blocks)
        if n_blocks > recipe.blocks_per_page:
            generator = np.random.default_rng([recipe.seed, fold_of(f"{example.dataset}:{example.id}", 1 << 31)])
            chance = np.sqrt(example.words + 1.0)
            blocks = np.sort(generator.choice(n_blocks, recipe.blocks_per_page, replace=False, p=chance / chance.sum()))
        weights = (example.words[blocks] + 1.0) ** recipe.word_power
        pages.append(Page(example, blocks, recipe.page_weight(example) * weights / max(weights.sum(), 1.0)))
    return pages


def fit_tokens(pages: Sequence[Page], recipe: Recipe) -> bytes:
    """Weights of the tokens, one signed byte each: a logistic regression of a container's labels on the tokens of its path."""
    indices: list[int] = []
    ends = [0]
    labels: list[float] = []
    weights: list[float] = []
    for page in pages:
        example = page.example
        n_containers = len(example.parents)
        own = example.containers[page.blocks]
        weight = np.bincount(own, page.weights, minlength=n_containers)
        positive = np.bincount(own, page.weights * example.labels[page.blocks], minlength=n_containers)
        for container in np.flatnonzero(weight).tolist():
            at = container
            while at:
                indices.extend(example.tokens[at])
                at = int(example.parents[at])
            ends.append(len(indices))
            labels.append(positive[container] / weight[container])
            weights.append(weight[container])
    matrix = sp.csr_matrix(
        (np.ones(len(indices), dtype=np.float64), np.array(indices, dtype=np.int64), np.array(ends, dtype=np.int64)),
        shape=(len(labels), N_TOKENS),
    )
    matrix.sum_duplicates()
    matrix.data = np.minimum(matrix.data, 2.0)
    y, w = np.array(labels), np.array(weights) / np.mean(weights)
    # A share of positives is two rows, one of each class.
    both = sp.vstack([matrix, matrix]).tocsr()
    target = np.concatenate([np.ones(len(y)), np.zeros(len(y))])
    row_weights = np.concatenate([w * y, w * (1 - y)])
    used = row_weights > 1e-4
    model = SGDClassifier(
        loss="log_loss",
        alpha=recipe.token_alpha,
        max_iter=recipe.token_epochs,
        tol=None,
        random_state=recipe.seed,
        average=True,
    )
    model.fit(both[used], target[used], sample_weight=row_weights[used])
    coefficients = model.coef_[0]
    scale = np.quantile(np.abs(coefficients[coefficients != 0]), 0.999)
    return bytes(np.clip(np.round(coefficients / scale * 127), -127, 127).astype(np.int8).tobytes())


def with_tokens(example: Example, token_weights: bytes) -> Ints:
    """The features of a page with its token features as the core computes them (a test holds the two equal)."""
    weights = np.frombuffer(token_weights, dtype=np.int8).astype(np.int64)
    path = np.zeros((len(example.parents), 3), dtype=np.int64)
    for container in range(1, len(path)):
        path[container] = path[example.parents[container]]
        tokens = example.tokens[container]
        if tokens:
            own = int(weights[tokens].sum())
            total, lowest, highest = path[container]
            bounded = min(max(own, -30000), 30000)
            path[container] = min(max(total + own, -30000), 30000), min(lowest, bounded), max(highest, bounded)
    values = example.values.copy()
    if values.shape[1]:
        values[TOKEN_ROWS] = path[example.containers].T.astype(np.int16)
    return values


def fit_blocks(pages: Sequence[Page], values: Sequence[Ints], recipe: Recipe) -> lgb.Booster:
    """Trees that give the logit of a block's label."""
    x = np.concatenate([page_values[:, page.blocks].T for page, page_values in zip(pages, values, strict=True)])
    y = np.concatenate([page.example.labels[page.blocks] for page in pages])
    w = np.concatenate([page.weights for page in pages])
    parameters = {**recipe.tree, "objective": "cross_entropy", "learning_rate": recipe.block_rate, "seed": recipe.seed}
    return lgb.train(parameters, lgb.Dataset(x, y, weight=w / w.mean()), recipe.block_trees)


def predict_blocks(model: lgb.Booster, values: Ints) -> Floats:
    """The logit of each block."""
    if not values.shape[1]:
        return np.zeros(0, dtype=np.float32)
    return np.asarray(model.predict(values.T, raw_score=True), dtype=np.float32)


def token_values(pages: Sequence[Page], recipe: Recipe) -> tuple[bytes, list[Ints]]:
    """Token weights from all pages, and the features of each page with weights fitted without its fold of sites."""
    folds = np.array([fold_of(page.example.site, recipe.token_folds, "tokens") for page in pages])
    values: list[Ints | None] = [None] * len(pages)
    for fold in range(recipe.token_folds):
        weights = fit_tokens([page for page, f in zip(pages, folds, strict=True) if f != fold], recipe)
        for i in np.flatnonzero(folds == fold).tolist():
            values[i] = with_tokens(pages[i].example, weights)
    return fit_tokens(pages, recipe), [v for v in values if v is not None]


def out_of_fold(pages: Sequence[Page], groups: Sequence[str], recipe: Recipe, values: Sequence[Ints]) -> list[Floats]:
    """The logits of each page's blocks by trees that saw no page of its group's fold.

    `groups`: what must not be split, one string per page, as a rule its site. `values`: features with token features out of fold.
    """
    folds = np.array([fold_of(group, recipe.folds, "blocks") for group in groups])
    scores: list[Floats] = [np.zeros(0, dtype=np.float32)] * len(pages)
    for fold in np.unique(folds):
        inside = np.flatnonzero(folds != fold).tolist()
        model = fit_blocks([pages[i] for i in inside], [values[i] for i in inside], recipe)
        for i in np.flatnonzero(folds == fold).tolist():
            scores[i] = predict_blocks(model, values[i])
    return scores


@dataclass(frozen=True, slots=True)
class Layout:
    """The sixteen choices of a page with the F1 of each."""

    values: Ints
    """[feature, choice]"""
    f1: Floats
    """[choice]"""


def choose(layout: Layout, predicted: npt.NDArray[np.float64], recipe: Recipe) -> int:
    """The number of the choice that is taken, given the predicted F1 of each."""
    expected = layout.values[CHOICE_FEATURES.index("choice_f1")] / 1000.0
    return int((predicted + recipe.expected_weight * expected).argmax())


def fit_choices(layouts: Sequence[Layout], weights: Iterable[float], recipe: Recipe) -> lgb.Booster:
    """Trees that predict the F1 of a choice."""
    x = np.concatenate([layout.values.T for layout in layouts])
    y = np.concatenate([layout.f1 for layout in layouts])
    w = np.repeat(np.fromiter(weights, dtype=np.float64), layouts[0].values.shape[1])
    parameters = {
        **recipe.tree,
        "objective": "l2",
        "learning_rate": recipe.choice_rate,
        "lambda_l2": 10.0,
        "seed": recipe.seed,
    }
    return lgb.train(parameters, lgb.Dataset(x, y, weight=w / w.mean()), recipe.choice_trees)
