# SPDX-License-Identifier: Apache-2.0
"""The type of a page in the core against the oracle in plain Python, on made-up values."""

import json

import kinds_oracle
from hypothesis import given
from hypothesis import strategies as st

from thresher.native.facts.kinds import find_evidence, find_numbers
from thresher.native.facts.linked_data import TYPE_NAMES
from thresher.page.page_type import WEIGHTS, type_of

# What the table of weights knows, and what is nearly it; letters whose lower case is longer, or in ASCII.
WORDS = sorted({
    part
    for name in json.loads(WEIGHTS.read_text("utf-8"))["evidence"]
    for part in name.split(":")[-1].split()
})  # fmt: skip
pieces = st.sampled_from(
    [
        *WORDS,
        "/",
        "//",
        ".",
        "?",
        "#",
        "-",
        ":",
        "http:",
        "HTTPS://",
        "www",
        "2014",
        "/19",
        "/20",
        "1",
        "12/",
        "é",
        "İ",
        "\u212a",
        "中",
        "\udc80",
        "\n",
        "\0",
    ]
)
texts = st.lists(pieces | st.text(max_size=5), max_size=12).map("".join)
long_texts = st.builds(lambda text, times: text * times, texts, st.sampled_from([1, 1, 1, 90, 400]))
addresses = (
    st.none()
    | long_texts
    | st.builds("{}//{}/{}".format, st.sampled_from(["", "http:", "HTTPS:", "a1:"]), texts, long_texts)
)
values = st.dictionaries(
    st.sampled_from([
        "og:type", "generator", "body class", "canonical", "og:url", "og:site_name", "description", "citation_date",
        "article:published_time", "datepublished", "article:modified_time",
        "time published", "time in article", "author", "rel author", "h1", "title",
    ]),
    st.lists(long_texts.map(lambda text: text.encode("utf-8", "ignore").decode() or "x"), min_size=1, max_size=3),
)  # fmt: skip
types = st.lists(st.sampled_from(sorted(TYPE_NAMES))).map(lambda bits: sum(set(bits)))
objects = st.lists(
    st.builds(
        lambda bits, keys: {"@type": bits} | {key: ["x"] for key in keys},
        types, st.sets(st.sampled_from(["datePublished", "headline", "name"])),
    ),
    max_size=3,
)  # fmt: skip
number = st.sampled_from([0, 1, 2, 3, 4, 5, 10, 11, 30, 31, 50, 51, 150, 151, 400, 401, 2**32 - 1]) | st.integers(
    0, 2000
)


shapes = st.none() | st.tuples(*[number] * 24)


def vocabulary_of(bits: set[int]) -> bytes:
    return sum(1 << bit for bit in bits).to_bytes(4096, "little")


vocabularies = st.none() | st.sets(st.integers(0, 2**15 - 1), max_size=40).map(vocabulary_of)


@given(values, st.tuples(number, number, number), objects, addresses, shapes, vocabularies)
def test_kind_and_evidence_are_those_of_the_oracle(said, counts, linked, url, shape, vocabulary):
    evidence = kinds_oracle.find_evidence(said, counts, linked, url, shape)
    assert find_evidence(said, counts, linked, url, shape) == evidence
    numbers = None if shape is None else kinds_oracle.find_numbers(said, counts, url, shape)
    if shape is not None:
        assert find_numbers(said, counts, url, shape) == numbers
    found = type_of(said, counts, linked, url, shape, vocabulary)
    assert found == kinds_oracle.type_of(evidence, vocabulary, numbers)
