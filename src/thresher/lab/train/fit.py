# SPDX-License-Identifier: Apache-2.0
"""Fits the parts of the model: weights of tokens and terms, first trees, block trees, choice trees. Seeded.

Later parts learn only from predictions of parts that had not seen the page. Features of tokens and terms come from
weights fitted without its site. First scores, and the scores that choices are built from, come from models fitted
without its whole set (for a careful set, without its site). Otherwise later parts would trust earlier ones too much:
second trees fitted on scores of sets that the first trees knew did worse on an unknown set than the first trees alone
(0.881 against 0.887, mean over sets).
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import lightgbm as lgb
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import SGDClassifier

from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.train.cuts import BARE, CUTS, SHORT
from thresher.lab.train.dataset import Example, Floats, Ints
from thresher.lab.train.inserts import INSERTS
from thresher.lab.train.trees import REPEATABLE
from thresher.native.scoring.feature_table import CHOICE_FEATURES, FAR_VALUE, FEATURES

N_TOKENS = 1 << 14
TOKEN_ROWS = [FEATURES.index(name) for name in ("tokens_sum", "tokens_lowest", "tokens_highest")]
TERM_ROWS = [FEATURES.index(name) for name in ("block_terms", "block_terms_mean")]
HEADING_ROWS = [FEATURES.index(name) for name in ("heading_terms", "heading_terms_mean")]
PREVIOUS_HEADING = FEATURES.index("previous_heading")
EXPECTED_ROWS = [CHOICE_FEATURES.index(name) for name in ("choice_f1", "choice_precision", "choice_recall")]
CONFIDENCE_POINTS = 21

SAMPLE = "classes"
"""The set of pages of the web with classes of blocks."""
RELABELLED = "relabelled"
"""Pages of other sets whose blocks have classes. They are learned by these instead of their gold texts."""
MADE = (*CUTS, INSERTS)
"""The sets that are made of labelled pages."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stage:
    """How many trees, and how much each of them counts."""

    trees: int
    rate: float


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides what the model becomes."""

    seed: int = 1
    careful_sets: tuple[str, ...] = ("wcxb", SAMPLE, RELABELLED)
    """The sets with the most careful labels and most types of pages. A model without one knows less of them, so that
    later parts do not learn from what such a model says there.
    """
    type_weights: dict[str, float] = field(default_factory=lambda: {"home": 2.0, "listing": 1.5, "service": 1.5})
    """What pages with classes of blocks weigh by their type, others 1. They are made of teasers, which are furniture on
    the articles that most sets consist of.
    """
    other_weight: float = 0.7
    """What a page of another set weighs. On sets that training did not know 1 is better than .5 (.889 against .887 by
    the first scores), on the main one it costs .002.
    """
    cut_weights: dict[str, float] = field(default_factory=lambda: {BARE: 0.06, SHORT: 0.15, INSERTS: 0.15})
    """What a page weighs that was cut (cuts.py). There are two for each labelled one, and as many pages without main
    text would teach that there is none.
    """
    families: tuple[tuple[str, ...], ...] = (
        ("cleaneval_dev", "cleaneval_final"),
        ("magic_html_article", "magic_html_forum"),
        ("andy", "fundus"),
        ("ota", "shopify", "ssg_pairs", "wp_rest"),
        (SAMPLE, *CUTS, INSERTS),
    )
    """Sets that are of one kind and left out together."""
    blocks_per_page: int = 140
    """Blocks sampled of a page for training, longer ones preferred, so that long pages do not fill the memory."""
    blocks_per_cut: int = 40
    """Blocks sampled of a page that was cut. There are many of these, and they weigh little."""
    furniture_weight: float = 8.0
    honest_weight: float = 12.0
    """What a block that was put into a page (inserts.py) weighs more than others of its words. They are short."""
    word_power: float = 0.7
    """A block weighs (words + 1) ** word_power of its page's weight."""
    token_alpha: float = 3e-5
    token_epochs: int = 6
    first: Stage = Stage(trees=200, rate=0.1)
    """Of the first scores; the second ones see these around each block."""
    second: Stage = Stage(trees=140, rate=0.16)
    choice_trees: int = 140
    choice_rate: float = 0.06
    expected_weight: float = 4.0
    """What the expected F1 of a choice adds to its predicted F1, which alone follows WCXB's pages too far. When each
    model took the best of .5, 1, 2 and 4, models took different ones, and unknown sets lost .001.
    """
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
            **REPEATABLE,
        }
    )

    def page_weight(self, example: Example) -> float:
        """What a page counts in training."""
        if example.dataset in self.cut_weights:
            return self.cut_weights[example.dataset]
        if example.dataset in (SAMPLE, RELABELLED):
            return self.type_weights.get(example.page_type or "", 1.0)
        return 1.0 if example.dataset in self.careful_sets else self.other_weight


@dataclass(frozen=True, slots=True)
class Split:
    """Which pages each model is fitted on, and which model has not seen a page's site, which not its set."""

    inside: list[list[int]]
    """The pages of each model: without each fold of sites, without each set (and every site of it), last all."""
    near: list[int]
    """Of each page the model without its fold of sites."""
    far: list[int]
    """Of each page the model without its set; without its fold of sites where there is no other set."""
    learns_near: list[bool]
    """Of each page whether later parts learn from what the near model says of it, else the far one."""

    def learned_from(self, near: Sequence[T], far: Sequence[T]) -> list[T]:
        """Of what is known of each page by its near and by its far model that which later parts learn from."""
        return [a if choose_near else b for a, b, choose_near in zip(near, far, self.learns_near, strict=True)]


def split(examples: Sequence[Example], recipe: Recipe) -> Split:
    """The models to be fitted for the figures, for what later parts learn from, and for the package."""
    near = [site_fold(example.site) for example in examples]
    names = [next((f[0] for f in recipe.families if each.dataset in f), each.dataset) for each in examples]
    inside = [[i for i, fold in enumerate(near) if fold != without] for without in range(FOLDS)]
    model_of: dict[str, int] = {}
    for name in sorted(set(names) - {RELABELLED}):  # its pages are of the other sets
        sites = {example.site for example, own in zip(examples, names, strict=True) if own == name}
        others = [i for i, example in enumerate(examples) if names[i] != name and example.site not in sites]
        if others:
            model_of[name] = len(inside)
            inside.append(others)
    inside.append(list(range(len(examples))))
    far = [model_of.get(name, fold) for name, fold in zip(names, near, strict=True)]
    return Split(inside, near, far, [example.dataset in (*recipe.careful_sets, *MADE) for example in examples])


@dataclass(frozen=True, slots=True)
class Page:
    """An example with the blocks that were sampled for training and their weights."""

    example: Example
    blocks: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


def sample(examples: Sequence[Example], recipe: Recipe) -> list[Page]:
    """The blocks of each page that are trained on, of those whose label is known; a page's sample depends on the seed
    and its id alone.
    """
    pages = []
    for example in examples:
        blocks = np.flatnonzero(example.known)
        most = recipe.blocks_per_cut if example.dataset in MADE else recipe.blocks_per_page
        if len(blocks) > most:
            generator = np.random.default_rng([recipe.seed, zlib.crc32(f"{example.dataset}:{example.id}".encode())])
            chance = np.sqrt(example.words[blocks] + 1.0)
            chosen = generator.choice(blocks, most, replace=False, p=chance / chance.sum())
            blocks = np.union1d(chosen, np.flatnonzero(example.added))
        weights = (example.words[blocks] + 1.0) ** recipe.word_power
        put_in = np.where(example.labels[blocks] > 0, recipe.honest_weight, recipe.furniture_weight)
        weights *= np.where(example.added[blocks], put_in, 1.0)
        pages.append(Page(example, blocks, recipe.page_weight(example) * weights / max(weights.sum(), 1.0)))
    return pages


def fit_weights(pages: Sequence[Page], recipe: Recipe) -> bytes:
    """The weights that the core reads, one signed byte each: of tokens, of terms, of terms of headings.

    Each is a logistic regression of labels: a container's on the tokens of its path, a block's on its terms, and on the
    terms of the last heading.
    """
    return b"".join(_regression(rows(pages), recipe) for rows in (_token_rows, _term_rows, _heading_rows))


Rows = list[tuple[list[int], float, float]]
"""Token numbers, label and weight of each row."""


def _token_rows(pages: Sequence[Page]) -> Rows:
    """A row for each container with a sampled block: the tokens of its path."""
    found: Rows = []
    for page in pages:
        example = page.example
        n_containers = len(example.parents)
        own = example.containers[page.blocks]
        weight = np.bincount(own, page.weights, minlength=n_containers)
        positive = np.bincount(own, page.weights * example.labels[page.blocks], minlength=n_containers)
        for container in np.flatnonzero(weight).tolist():
            path: list[int] = []
            at = container
            while at:
                path.extend(example.tokens[at])
                at = int(example.parents[at])
            found.append((path, positive[container] / weight[container], weight[container]))
    return found


def _term_rows(pages: Sequence[Page]) -> Rows:
    """A row for each sampled block: its terms."""
    return [
        (page.example.terms[b], float(page.example.labels[b]), weight)
        for page in pages
        for b, weight in zip(page.blocks.tolist(), page.weights.tolist(), strict=True)
    ]


def _heading_rows(pages: Sequence[Page]) -> Rows:
    """A row for each sampled block under a heading: the heading's terms."""
    found: Rows = []
    for page in pages:
        headings = heading_of(page.example)
        for b, weight in zip(page.blocks.tolist(), page.weights.tolist(), strict=True):
            if headings[b] >= 0:
                found.append((page.example.terms[headings[b]], float(page.example.labels[b]), weight))
    return found


def heading_of(example: Example) -> list[int]:
    """The last heading before each block, -1 for headings and where there is none."""
    distances = example.values[PREVIOUS_HEADING].tolist()
    return [b - d if 0 < d <= b and d < FAR_VALUE else -1 for b, d in enumerate(distances)]


def _regression(weighed: Rows, recipe: Recipe) -> bytes:
    """The coefficients of a logistic regression, one signed byte each, where a token twice counts twice and more often
    no more.
    """
    rows, labels, weights = zip(*weighed, strict=True) if weighed else ((), (), ())
    if len(set(np.round(labels, 3))) < 2:
        return bytes(N_TOKENS)  # nothing to learn from
    ends = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    indices = np.fromiter((token for row in rows for token in row), dtype=np.int64, count=int(ends[-1]))
    matrix = sp.csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(rows), N_TOKENS))
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


def with_weights(example: Example, weights: bytes) -> Ints:
    """The features of a page with those of tokens and terms as the core computes them (a test holds the two equal)."""
    tokens, terms, headings = np.frombuffer(weights, dtype=np.int8).astype(np.int64).reshape(3, -1)
    path = np.zeros((len(example.parents), 3), dtype=np.int64)
    for container in range(1, len(path)):
        path[container] = path[example.parents[container]]
        own_tokens = example.tokens[container]
        if own_tokens:
            own = int(tokens[own_tokens].sum())
            total, lowest, highest = path[container]
            bounded = min(max(own, -30000), 30000)
            path[container] = min(max(total + own, -30000), 30000), min(lowest, bounded), max(highest, bounded)
    values = example.values.copy()
    if values.shape[1]:
        values[TOKEN_ROWS] = path[example.containers].T.astype(np.int16)
        values[TERM_ROWS] = _sum_and_mean(example.terms, terms)
        heading = heading_of(example)
        values[HEADING_ROWS] = _sum_and_mean([example.terms[h] if h >= 0 else [] for h in heading], headings)
    return values


def _sum_and_mean(rows: Sequence[Sequence[int]], weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Sum, and sixteen times the mean rounded towards 0, of the weights of each row, 0 for an empty one."""
    lengths = np.array([len(row) for row in rows])
    flat = weights[np.fromiter((token for row in rows for token in row), dtype=np.int64, count=int(lengths.sum()))]
    before = np.concatenate([[0], np.cumsum(flat)])
    ends = np.cumsum(lengths)
    sums = before[ends] - before[ends - lengths]
    return np.stack([sums, np.sign(sums) * (16 * np.abs(sums) // np.maximum(lengths, 1))])


def fit_blocks(pages: Sequence[Page], values: Sequence[Ints], stage: Stage, recipe: Recipe) -> lgb.Booster:
    """Trees that give the logit of a block's label."""
    x = np.concatenate([page_values[:, page.blocks].T for page, page_values in zip(pages, values, strict=True)])
    y = np.concatenate([page.example.labels[page.blocks] for page in pages])
    w = np.concatenate([page.weights for page in pages])
    parameters = {**recipe.tree, "objective": "cross_entropy", "learning_rate": stage.rate, "seed": recipe.seed}
    return lgb.train(parameters, lgb.Dataset(x, y, weight=w / w.mean()), stage.trees)


def predict_blocks(model: lgb.Booster, values: Ints) -> Floats:
    """The logit of each block."""
    if not values.shape[1]:
        return np.zeros(0, dtype=np.float32)
    return np.asarray(model.predict(values.T, raw_score=True), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class PageChoices:
    """The sixteen choices of a page with the F1 of each."""

    values: Ints
    """[feature, choice]"""
    f1: Floats
    """[choice]"""
    precision: Floats
    recall: Floats


def fit_choices(layouts: Sequence[PageChoices], weights: Sequence[float], recipe: Recipe) -> lgb.Booster:
    """Trees that predict the F1 of a choice."""
    x = np.concatenate([layout.values.T for layout in layouts])
    y = np.concatenate([layout.f1 for layout in layouts])
    w = np.repeat(weights, layouts[0].values.shape[1])
    parameters = {
        **recipe.tree,
        "objective": "l2",
        "learning_rate": recipe.choice_rate,
        "lambda_l2": 10.0,
        "seed": recipe.seed,
    }
    return lgb.train(parameters, lgb.Dataset(x, y, weight=w / w.mean()), recipe.choice_trees)


def choose(layout: PageChoices, predicted: npt.NDArray[np.float64], expected_weight: float, lean: float = 0.0) -> int:
    """The number of the choice that is taken, given the predicted F1 of each; as choose_blocks() in
    native/choosing/decoding.pyx does it.
    """
    expected, precision, recall = layout.values[EXPECTED_ROWS] / 1000.0
    return int((predicted + expected_weight * expected + 0.5 * lean * (recall - precision)).argmax())


def fit_confidence(
    predicted: Sequence[npt.NDArray[np.float64]], layouts: Sequence[PageChoices], recipe: Recipe
) -> list[float]:
    """The F1 to be expected where 0, .05, …, 1 is predicted for the choice that is taken: isotonic regression of what
    was reached on pages that the trees have not seen.
    """
    taken = [choose(layout, p, recipe.expected_weight) for layout, p in zip(layouts, predicted, strict=True)]
    said = np.array([p[t] for p, t in zip(predicted, taken, strict=True)])
    reached = np.array([layout.f1[t] for layout, t in zip(layouts, taken, strict=True)])
    model = IsotonicRegression(y_min=0.0, y_max=1.0, increasing=True, out_of_bounds="clip")
    # Bins of a hundred pages, so that no step rests on a few.
    bins = np.array_split(np.argsort(said, kind="stable"), max(1, len(said) // 100))
    model.fit([said[chosen].mean() for chosen in bins], [reached[chosen].mean() for chosen in bins])
    return [round(float(point), 4) for point in model.predict(np.linspace(0.0, 1.0, CONFIDENCE_POINTS))]
