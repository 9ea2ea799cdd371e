# SPDX-License-Identifier: Apache-2.0
"""Dates, names and addresses: whatever a text holds, nothing is raised, and what is found stands in the text.

The type of a page: whatever its values hold, it has one.
"""

from hypothesis import example, given
from hypothesis import strategies as st

import thresher
from thresher.native.facts.authors import read_names
from thresher.native.facts.dates import find_dates, parse_date
from thresher.native.facts.metadata import find_metadata
from thresher.native.facts.shown_dates import order_of
from thresher.native.parsing.document import Document
from thresher.page.metadata import read_metadata
from thresher.page.page_type import type_weights
from thresher.page_types import TYPES

# What the rules look for, and what stands between.
PARTS = st.sampled_from(
    ["5", "14", "2014", "03", "20140305", "1392", "2557", "-", "/", ". ", " ", ":", ", ", " | ", "–", "年", "月", "日",
     "년 ", "平成26年", "民國103年", "۱۳۹۲", "اسفند", "March", "März", "5th", "tháng", "T10:00", "10:11:12 CET ",
     "Wed ", "by ", "Updated: ", "von ", "Ann Lee", "王璐", "and", ";", "(AP)", "example1", "www.a.example",
     "a@b.example", "{", "©", "until ", "\n", "\u3000", "１２", "²"]
)  # fmt: skip
TEXTS = st.lists(PARTS, max_size=12).map("".join) | st.text(max_size=60)


@given(TEXTS, st.sampled_from(["", "de", "fa", "ja", "hr", "th"]), st.sampled_from([None, True, False]))
@example("1.1.14 " * 20, "", True)
def test_dates_stand_in_the_text_one_after_the_other(text, language, day_first):
    found = find_dates(text, language=language, day_first=day_first)
    ends = [0]
    for day, start, end in found:
        assert ends[-1] <= start < end <= len(text)
        assert 1990 <= day.year <= 2100
        ends.append(end)
    parse_date(text)
    read_metadata(thresher.parse("<h1>The wheel"), f"https://a.example/{text}")


@given(st.lists(TEXTS, max_size=4), st.sampled_from([None, "", "en-US", "de", "ES-us"]))
@example([":\n年"], None)
def test_names_and_orders_of_any_texts(texts, language):
    assert all(name.strip() == name != "" for name in read_names(texts))
    for host in ("a.example", "a.gov", "a.de", "a.us", ""):
        order_of(texts, language, host)


@given(
    st.text(
        st.sampled_from(
            "a é日\t\n\x0b\x1c\x1f\x7f \x85\xa0\xa1\u1680\u1681\u180e\u2000\u200a\u200b\u2028\u2029\u202f\u205f\u3000\u3001"
        ),
        max_size=30,
    )
)
def test_white_space_of_a_value_is_collapsed_as_python_does(text):
    document = Document()
    document.parse(f'<meta name=description content="{text}">'.encode())
    values, _ = find_metadata(document, {b"description": "description"})
    assert values.get("description", [""]) == [" ".join(text.split())]


VALUES = st.dictionaries(
    st.sampled_from(
        ["og:type", "generator", "body class", "canonical", "og:site_name", "datepublished", "h1", "title"]
    ),
    st.lists(st.builds(lambda text, times: text * times, TEXTS, st.sampled_from([1, 1, 400])), min_size=1, max_size=3),
)
NUMBERS = st.integers(0, 2000) | st.just(2**32 - 1)
SHAPES = st.none() | st.tuples(*[NUMBERS] * 24)
VOCABULARIES = st.none() | st.binary(min_size=4096, max_size=4096)


@given(VALUES, st.tuples(*[NUMBERS] * 3), st.none() | st.text(max_size=60), SHAPES, VOCABULARIES)
@example({}, (0, 0, 0), "//\udc80/" + "é\0İ" * 600 + "?\u212a", None, None)
def test_every_page_has_a_type(said, counts, url, shape, vocabulary):
    found, score = type_weights().likeliest(said, counts, [], url, shape, vocabulary)
    assert found in range(len(TYPES))
    assert 0 < score <= 1
