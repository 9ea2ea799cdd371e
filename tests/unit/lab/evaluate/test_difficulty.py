# SPDX-License-Identifier: Apache-2.0
"""Complexity, its estimate, groups, choice and audit, on pages whose answers are known."""

import numpy as np
import pytest

from thresher.lab.evaluate import difficulty, shapes
from thresher.lab.evaluate.shapes import Shape


def test_shape_of_a_page() -> None:
    no_text = "<script>no()</script><style>no{}</style><noscript>no</noscript><template>no</template>"
    html = f"<p>One <b>two</b>{no_text}<p>第三".encode()
    shape = shapes.read(shapes.load()(html, None))
    assert shape.text.split() == ["One", "two", "第三"]
    assert {tag: shape.tags[tag] for tag in ("p", "b", "script", "body")} == {"p": 2, "b": 1, "script": 1, "body": 1}
    assert shapes.read("") == Shape({}, "")


def test_complexity_counts_words_as_often_as_the_gold_has_them() -> None:
    shape = Shape({"p": 1}, "a a a b c d")
    assert difficulty.complexity(shape, "a a b") == pytest.approx(0.5)
    assert difficulty.complexity(shape, "a a a b c d") == 0.0
    assert difficulty.complexity(shape, "z") == 1.0
    assert difficulty.complexity(shape, "a a a b c d e f g h") == 0.0  # a faulty gold does not make it negative
    assert difficulty.complexity(Shape({}, ""), "a") == 0.0


def test_gold_error_counts_words_that_the_page_does_not_have_so_often() -> None:
    shape = Shape({"p": 1}, "a a b c d")
    assert difficulty.gold_error(shape, "a a b") == 0.0
    assert difficulty.gold_error(shape, "a a a b") == pytest.approx(1 / 4)
    assert difficulty.gold_error(shape, "e e b") == pytest.approx(1 / 5)
    assert difficulty.gold_error(Shape({}, ""), "x y") == 1.0
    assert difficulty.gold_error(Shape({}, ""), "") == 0.0


def test_features_of_any_page() -> None:
    x = difficulty.features([Shape({}, ""), Shape({"p": 3, "a": 1}, "word " * 30 + "\nshort, too.")])
    assert x.shape[0] == 2
    assert np.isfinite(x).all()
    assert x[1, difficulty.FEATURE_TAGS.index("p")] == 0.75


def made_up(n: int, rng: np.random.Generator) -> tuple[list[Shape], np.ndarray, list[str]]:
    """Pages whose complexity shows in their share of links, twelve to a site."""
    link_share = rng.random(n)
    pages = [Shape({"a": int(100 * share), "p": 100 - int(100 * share)}, "word " * 50) for share in link_share]
    return pages, np.clip(link_share + rng.normal(0, 0.05, n), 0, 1), [f"site{i // 12}.org" for i in range(n)]


def test_complexity_is_learned_from_other_sites() -> None:
    rng = np.random.default_rng(0)
    pages, complexities, sites = made_up(600, rng)
    estimate = difficulty.estimate_complexity(difficulty.features(pages), complexities, sites)
    assert estimate.accuracy > 0.9
    assert estimate.paper_accuracy > 0.9
    assert estimate.quarter_accuracy > 0.85
    assert estimate.n_sites == 50
    noise = difficulty.estimate_complexity(difficulty.features(pages), rng.random(600), sites)
    assert abs(noise.accuracy - 0.5) < 0.1


def test_one_site_alone_cannot_be_estimated() -> None:
    pages, complexities, _ = made_up(20, np.random.default_rng(0))
    estimate = difficulty.estimate_complexity(difficulty.features(pages), complexities, ["one.org"] * 20)
    assert estimate.probability.tolist() == [0.5] * 20


def test_groups_are_numbered_by_size() -> None:
    pages = (
        [Shape({"p": 9, "a": 1}, "x")] * 5
        + [Shape({"a": 9, "p": 1}, "x")] * 3
        + [Shape({"table": 9, "br": 3}, "x")] * 2
    )
    assert difficulty.page_groups(difficulty.features(pages)).tolist() == [0] * 5 + [1] * 3 + [2] * 2
    assert difficulty.page_groups(difficulty.features(pages[:5])).tolist() == [0] * 5


def test_choice_by_complexity_gains_where_systems_differ() -> None:
    rng = np.random.default_rng(0)
    pages, complexities, sites = made_up(600, rng)
    estimate = difficulty.estimate_complexity(difficulty.features(pages), complexities, sites)
    easy = complexities < 0.5
    f1 = np.stack([np.where(easy, 0.9, 0.2), np.where(easy, 0.4, 0.8), np.full(600, 0.1)], axis=1)
    choice = difficulty.choose_by_complexity(["simple", "careful", "bad"], f1, estimate, sites)
    assert choice.single == pytest.approx(0.6, abs=0.03)
    assert choice.by_complexity > choice.single + 0.15
    assert choice.oracle == pytest.approx(0.85, abs=0.01)
    assert choice.chosen[0] == "simple"
    assert choice.chosen[3] == "careful"
