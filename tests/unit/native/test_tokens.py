# SPDX-License-Identifier: Apache-2.0
"""Tokens, terms and declared words, against slow models of them."""

import array
import html
import re
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from thresher.native.parsing.document import Document
from thresher.native.scoring.feature_table import FEATURES
from thresher.native.scoring.features import Features
from thresher.native.scoring.texts import use_vectors
from thresher.native.workspace import Workspace

START, STEP, BITS = 2166136261, 16777619, 14
HASHED = 24  # letters
MOST_TERMS = 12


def fold(value: int) -> int:
    return (value ^ value >> BITS) & (1 << BITS) - 1


def fnv(letters: str, start: int = START) -> int:
    for letter in letters[:HASHED].lower():
        start = (start ^ ord(letter)) * STEP & 0xFFFFFFFF
    return start


def tokens_of(value: str) -> list[int]:
    """Runs of two letters or more, cut where a small letter meets a capital."""
    runs = re.findall(r"[A-Za-z]+", value)
    parts = [part for run in runs for part in re.split(r"(?<=[a-z])(?=[A-Z])", run)]
    return [fold(fnv(part)) for part in parts if len(part) >= 2]


def terms_of(text: str) -> list[int]:
    """The terms of a text without ideographs: words of two letters or more, numbers by their length, and signs."""
    found = []
    for term in re.findall(r"[A-Za-zéÀà]+|[0-9]+|[$:>|]", text):
        if term[0].isdigit():
            found.append(fold((START ^ ord("0") + min(len(term), 5)) * STEP & 0xFFFFFFFF))
        elif term in "$:>|":
            found.append(fold((START ^ ord(term)) * STEP & 0xFFFFFFFF))
        elif len(term.encode()) >= 2:
            value, length = START, 0
            for letter in term.lower():
                if length < HASHED:
                    value = (value ^ ord(letter)) * STEP & 0xFFFFFFFF
                length += len(letter.encode())
            found.append(fold(value))
    return found[:MOST_TERMS]


def features_of(page: bytes) -> tuple[Features, Workspace]:
    workspace, features = Workspace(Document()), Features()
    workspace.parse(page)
    workspace.measure(with_concealed=True)
    features.compute(workspace.document, workspace.metrics, workspace.blocks)
    return features, workspace


# Runs of every length around the 8, 24 and 64 bytes that are read at once, with what stands between runs.
RUNS = st.one_of(
    st.builds(lambda letter, n: letter * n, st.sampled_from("aZq"), st.sampled_from([1, 2, 7, 8, 9, 15, 16, 17, 24])),
    st.builds(lambda letter, n: letter * n, st.sampled_from("bY7"), st.integers(20, 140)),
    st.text("abcXYZ", min_size=1, max_size=12),
    st.sampled_from(["1", "2026", "123456", "-", "_", "$", ":", ">", "|", " ", ", ", "  ", "é", "À", "caféX"]),
)
BEHIND = st.sampled_from(["", "x" * 40, " y" * 60])  # the page may end less than 64 bytes behind the text


@given(st.lists(RUNS, max_size=14), BEHIND)
def test_tokens_equal_a_slow_model_of_them(runs: list[str], behind: str) -> None:
    value = "".join(runs)
    features, workspace = features_of(f'<body><div class="{html.escape(value)}"><p>a</p>{behind}'.encode())
    ours = features.tokens(workspace.document)
    assert tokens_of(value) in ours


@given(st.lists(RUNS, max_size=14), BEHIND)
def test_terms_equal_a_slow_model_of_them(runs: list[str], behind: str) -> None:
    text = "".join(runs)
    assume(text.count("$") < 2)  # no formula
    features, workspace = features_of(f"<body><p>k {html.escape(text, quote=False)}</p><i title='{behind}'>".encode())
    ours = features.terms(workspace.document, workspace.metrics, workspace.blocks)
    assert ours == [terms_of(text)]


def words_of(text: str) -> list[str]:
    """Words as they are compared: only ASCII is in lower case."""
    words = re.findall(r"[A-Za-z0-9éÀ]+", text)
    return [re.sub("[A-Z]+", lambda capitals: capitals[0].lower(), word) for word in words]


@given(st.lists(RUNS, min_size=1, max_size=40), st.integers(2, 60), BEHIND)
def test_shares_of_declared_words_equal_a_slow_model_of_them(runs: list[str], declared: int, behind: str) -> None:
    text = "k l " + "".join(runs)
    assume(text.count("$") < 2)
    words = words_of(text)
    known = set(pairwise(words[:declared]))
    pairs = list(pairwise(words))[:64]
    title = " ".join(words[:declared])
    features, _ = features_of(f"<title>{title}</title><body><p>{html.escape(text)}</p><i title='{behind}'>".encode())
    share = array.array("h", features.values())[FEATURES.index("declared_head") * features.n_blocks]
    assert share == 1000 * sum(pair in known for pair in pairs) // len(pairs)


TEXTS = st.lists(
    st.lists(st.one_of(RUNS, st.sampled_from([*".!?;h", "\x0b", "中文，", "Я по", "9:30", "2019"])), max_size=14)
)


@given(TEXTS, BEHIND)
def test_texts_are_the_same_with_and_without_vectors(texts: list[list[str]], behind: str) -> None:
    blocks = [html.escape("".join(runs)).replace("|", "<b>b</b>") for runs in texts]
    page = f"<title>{' '.join(blocks[:2])}</title><body><p>{'<p>'.join(blocks)}</p><i title='{behind}'>".encode()
    found = []
    try:
        for wanted in (False, True):
            use_vectors(wanted)
            features, workspace = features_of(page)
            found.append((features.values(), features.terms(workspace.document, workspace.metrics, workspace.blocks)))
    finally:
        use_vectors(True)
    assert found[0] == found[1]
