# SPDX-License-Identifier: Apache-2.0
"""Conditions on rows mean what they mean in DuckDB, are checked before any work, and take linear time."""

import datetime as dt
import itertools
from collections.abc import Callable
from functools import cache

import duckdb
import pyarrow as pa
import pytest
from costs import assert_linear
from examples import few
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import ConfigError
from thresher.rows.expressions import DAY, NUMBER, TEXT, TIME, like, parse_condition

KINDS = {"url": TEXT, "language": TEXT, "score": NUMBER, "n_words": NUMBER, "fetch_time": TIME, "date": DAY}
ROWS = [
    dict(zip(KINDS, row, strict=True))
    for row in itertools.product(
        ["https://a.example/news/1?x=%20_y", "http://b.example/tag/O'Hara", "HTTPS://A.EXAMPLE/", None],
        ["ell", "eng", None],
        [0.5, -1.0, None],
        [0, 120, None],
        [dt.datetime(2026, 11, 20, 6, 30, tzinfo=dt.UTC), None],
        [dt.date(2014, 3, 5), dt.date(2026, 11, 20), None],
    )
]
TABLE = pa.Table.from_pylist(
    ROWS,
    pa.schema(
        [
            ("url", pa.string()),
            ("language", pa.string()),
            ("score", pa.float64()),
            ("n_words", pa.int64()),
            ("fetch_time", pa.timestamp("us", tz="UTC")),
            ("date", pa.date32()),
        ]
    ),
).append_column("row", pa.array(range(len(ROWS))))


def chosen(text: str) -> list[int]:
    conditions = parse_condition(text, KINDS)
    return [
        number
        for number, row in enumerate(ROWS)
        if all(each.test([row[name] for name in each.columns]) for each in conditions)
    ]


@cache
def connection() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(config={"threads": 1})
    made.execute("SET TimeZone = 'UTC'")
    made.register("rows", TABLE)
    return made


def chosen_by_duckdb(text: str) -> list[int]:
    return [row for (row,) in connection().execute(f"SELECT row FROM rows WHERE {text} ORDER BY row").fetchall()]


ATOMS = [
    "language = 'ell'", "language <> 'ell'", "'ell' = language", "language IN ('ell', 'fra')",
    "language NOT IN ('ell', 'fra')", "language IS NULL", "language IS NOT NULL", "score >= 0.5", "score < -0.5e0",
    "n_words BETWEEN 1 AND 200", "n_words NOT BETWEEN 1 AND 200", "n_words BETWEEN 0 AND 120",
    "n_words NOT BETWEEN 0 AND 120", "n_words > score", "fetch_time >= '2026-11-20'",
    "fetch_time < '2026-11-20 06:30:00'", "date < '2026-01-01'", "date = '2014-03-05'", "url LIKE '%/news/%'",
    "url LIKE 'https://a.example/____/_%x=%'", "url NOT LIKE '%/tag/%'", "url ILIKE 'https://a.%/'",
    "url LIKE '%O''Hara'", "starts_with(url, 'https://')", "contains(url, '%20_')",
    "regexp_matches(url, '^https?://[ab]\\.')", "lower(url) = 'https://a.example/'", "length(url) > 20", "TRUE",
    "FALSE",
]  # fmt: skip


@pytest.mark.parametrize("text", ATOMS)
def test_a_condition_means_what_it_means_in_duckdb(text: str) -> None:
    assert chosen(text) == chosen_by_duckdb(text)


def combined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.tuples(parts, st.sampled_from(["AND", "or", "And", "OR"]), parts).map(" ".join)
    return st.one_of(joined, parts.map(lambda part: f"NOT {part}"), parts.map(lambda part: f"({part})"))


@few
@given(st.recursive(st.sampled_from(ATOMS), combined, max_leaves=6))
def test_conditions_combine_as_in_duckdb(text: str) -> None:
    assert chosen(text) == chosen_by_duckdb(text)


def test_conditions_joined_by_and_are_told_apart_with_the_columns_that_each_reads() -> None:
    found = parse_condition("url LIKE 'a%' AND (language = 'ell' OR score > 0.5) AND NOT n_words = 3", KINDS)
    assert [each.columns for each in found] == [("url",), ("language", "score"), ("n_words",)]
    assert [each.text for each in found] == ["url LIKE 'a%'", "(language = 'ell' OR score > 0.5)", "NOT n_words = 3"]
    (one,) = parse_condition("url = 'a' AND n_words = 3 OR language = 'ell'", KINDS)
    assert one.columns == ("url", "n_words", "language")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the condition is empty"),
        ("langauge = 'ell'", "there is no column 'langauge'; did you mean 'language'?"),
        ("language = ell", "there is no column 'ell'"),
        ("language = 3", "cannot compare a text with a number"),
        ("score > 'high'", "cannot compare a number with a text"),
        ("score LIKE '%'", "LIKE needs text on its left, not a number"),
        ("date > 'yesterday'", "'yesterday' is no date; write it as '2026-11-20'"),
        ("language", "comparison expected"),
        ("language = ", "the condition ends too early"),
        ("language = 'ell", 'cannot read "\'ell"'),
        ("language = 'ell' language = 'eng'", "AND or OR expected (at \"language = 'eng'\")"),
        ("(language = 'ell'", ") expected (at its end)"),
        ("system('ls')", "there is no function 'system'"),
        ("__import__('os')", "there is no function '__import__'"),
        ("regexp_matches(url, '(')", "regular expression '(': "),
        ("url IN (url)", "a number or 'text' expected"),
        ("NOT " * 100 + "TRUE", "nested more than 50 deep"),
        ("(" * 5000 + "TRUE", "nested more than 50 deep"),
        ("1 > " + "-" * 5000 + "1", "nested more than 50 deep"),
        ("url = 'a' AND " * 6000 + "TRUE", "longer than 65,536 characters"),
        ("url = 'a'; DROP TABLE pages", "cannot read '; DROP TABLE pages'"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_condition(text, KINDS)
    assert str(raised.value).startswith("filter.where: ")
    assert problem in str(raised.value)


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from([*"()=<>,'-", *ATOMS, "AND", "NOT", "IN", "1e", "url"])).map(" ".join)
)
def test_any_text_is_a_condition_or_a_config_error(text: str) -> None:
    try:
        conditions = parse_condition(text, KINDS)
    except ConfigError:
        return
    for each in conditions:
        assert each.test([ROWS[0][name] for name in each.columns]) in (True, False)


def test_patterns_take_linear_time_on_hostile_text() -> None:
    (condition,) = parse_condition("regexp_matches(url, '(a|b|ab)*c$')", KINDS)
    matches = like("%a%b%a%b%a%b%a%b%a%b%c")

    def matching(n: int) -> Callable[[], object]:
        hostile = "ab" * n
        assert not matches(hostile)
        assert not condition.test([hostile])
        return lambda: (matches(hostile), condition.test([hostile]))

    assert_linear(matching, 50_000)
