# SPDX-License-Identifier: Apache-2.0
"""The queries that count what a host repeats, on a handful of rows."""

import duckdb

from thresher.templates.counting import EVIDENCE, LARGE_HOSTS


def rows(query: str, table: str, names: str, values: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """What a query finds in a table of these rows, in order."""
    found = f"(SELECT * FROM (VALUES {', '.join(map(repr, values))}) AS given ({names}))"
    return sorted(duckdb.sql(query.replace(f"{{{table}}}", found)).fetchall())


def test_what_two_pages_share_is_evidence_and_what_one_page_has_is_none() -> None:
    counts = [(0, 11, 1), (2, 11, 1), (1, 22, 2), (3, 22, 0), (0, 33, 1), (4, 44, 0), (5, 44, 3)]
    assert rows(EVIDENCE, "counts", "partition, key, pages", counts) == [
        (0, 11, 2, True),
        (1, 22, 2, True),
        (2, 11, 2, False),
        (3, 22, 2, False),
        (4, 44, 3, False),  # no page of its own: not the first that has it
        (5, 44, 3, True),
    ]


def test_hosts_with_more_pages_than_are_counted_are_large() -> None:
    query = LARGE_HOSTS.replace("{known_pages}", "3")
    found = rows(query, "host_pages", "host, pages", [("a", 2), ("a", 2), ("b", 3), ("c", 1)])
    assert [row[1:] for row in found] == [("a", 4)]
