# SPDX-License-Identifier: Apache-2.0
"""What is counted over all pages, as SQL that DuckDB and Spark both run. Every row that goes in is one partition's sum
for its key.

So a key that every page of a huge host has is as many rows as there are partitions, and no step holds a host, or is
longer for a large one. What comes out goes back to the partitions that asked, and only keys that more than one page has
do.
"""

from __future__ import annotations

from typing import Final

ORIGINALS: Final = """
SELECT partition, mark, first AS page FROM (
    SELECT partition, mark, page, min(page) OVER (PARTITION BY mark) AS first FROM {marks}
) AS firsts WHERE first < page
"""
"""For each partition and mark: the first page of the archive that has the mark, if it is in another partition."""

EARLIER: Final = """
SELECT marks.partition, marks.mark, min(earlier.page) AS page
FROM {marks} AS marks JOIN {earlier} AS earlier ON marks.mark = earlier.mark
GROUP BY marks.partition, marks.mark
"""
"""For each partition and mark: the page of an earlier run that has the mark, if there is one."""

LARGE_HOSTS: Final = """
SELECT 0 AS partition, host, CAST(sum(pages) AS BIGINT) AS pages
FROM {host_pages} GROUP BY host HAVING sum(pages) > {known_pages}
"""
"""Hosts with more pages than are counted, and their number of pages."""

EVIDENCE: Final = """
SELECT partition, key, CAST(total AS BIGINT) AS pages, coalesce(partition = first, false) AS is_first FROM (
    SELECT partition, key, sum(pages) OVER (PARTITION BY key) AS total,
        min(CASE WHEN pages > 0 THEN partition END) OVER (PARTITION BY key) AS first
    FROM {counts}
) AS totals WHERE total >= 2
"""
"""For each partition and key: how many pages have the key, and whether this is the first partition that has it."""

APPLIED: Final = """
SELECT counts.partition, counts.key, known.pages, false AS is_first
FROM {counts} AS counts
JOIN (SELECT key, max(pages) AS pages FROM {known} GROUP BY key) AS known ON counts.key = known.key
"""
"""EVIDENCE for an earlier run's templates: for each partition and key, the pages of that run that had the key."""
