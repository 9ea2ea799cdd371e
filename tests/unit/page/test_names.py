# SPDX-License-Identifier: Apache-2.0
"""How much a text looks like a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.lab.train.names import Texts, fit_names
from thresher.native.facts.names import NameWeights, name_features
from thresher.page.metadata import name_weights

NAMES = ("Ann Lee", "Bob Ray", "Eve Low", "Ann Low", "Bob Lee")
OTHERS = ("Sign up", "Read more", "Log in", "Read all", "Sign in")


def test_what_was_fitted_tells_names_from_others():
    pages = [Texts(f"mill{n}.example", frozenset(NAMES), frozenset(OTHERS)) for n in range(4)]
    weights = NameWeights(fit_names(pages))
    assert fit_names(pages) == fit_names(pages[::-1])
    assert min(map(weights.score_of, NAMES)) > 0 > max(map(weights.score_of, OTHERS))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("John Smith", "Privacy Policy"),
        ("Marie Dupont", "Mentions légales"),
        ("Мария Иванова", "Читать дальше"),
        ("J. K. Miller", "Home Page"),
    ],
)
def test_the_weights_of_the_package(name, other):
    weights = name_weights()
    assert weights.score_of(name) > weights.score_of(other)


@given(st.text(max_size=300))
def test_any_text_has_a_score_that_is_the_sum_of_its_features(text):
    table = bytes(range(256))
    signed = [weight - 256 if weight > 127 else weight for weight in table]
    features = name_features(text)
    assert 1 <= len(features) <= 21
    assert NameWeights(table).score_of(text) == sum(signed[feature & 255] for feature in features)


def test_words_are_the_same_wherever_they_are_hashed():
    assert name_features("ann lee") == name_features("ann\u2003lee")
    assert set(name_features("Ann Lee")) & set(name_features("Lee Ann"))
    assert name_features("a" * 100 + "b") == name_features("a" * 100 + "b")


@pytest.mark.parametrize("table", [b"", b"abc"])
def test_a_table_has_a_power_of_two_of_weights(table):
    with pytest.raises(ValueError, match="no power of two"):
        NameWeights(table)
