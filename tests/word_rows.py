# SPDX-License-Identifier: Apache-2.0
"""Words that match a row of a table of words (native/base/word_table.pxd), and words that do not."""

from collections.abc import Iterable


def rows_of(table: str | Iterable[str]) -> list[str]:
    return table.split() if isinstance(table, str) else list(table)


def of(row: str) -> str:
    """A word that matches a row."""
    return row.replace("*", "zz")


def beside(row: str) -> str:
    """A word that does not."""
    if row.startswith("*") and row.endswith("*"):
        return row[1:-2] + "zz"
    return f"zz{row[:-1]}" if row.endswith("*") else f"{row.lstrip('*')}zz"
