# SPDX-License-Identifier: Apache-2.0
"""docs/tables.md is generated from schemas/ by `make golden` and agrees with it."""

from collections.abc import Iterable

from shared_data import CHECKOUT

from thresher.schemas import TABLES, Column, Table

HEAD = """# Tables

The tables that a run writes. Each is a folder of zstd-compressed Parquet files in the output folder. Column numbers are
permanent and are also the Parquet field ids. The number of a removed column is never used again. Columns added later
are null in older files. `make golden` generates this page from the modules in [schemas/](../schemas).
"""


ON_REQUEST = " Only where a run asks for it (write.columns)."
REQUESTED = "\nThese columns are written only if `--columns` asks for them, as in `--columns +route`:\n"


def rows(columns: Iterable[Column]) -> list[str]:
    """Columns as a table."""
    lines = ["", "| no. | column | type | null | what it is | example | since |", "|---|---|---|---|---|---|---|"]
    for column in columns:
        doc = column.doc.removesuffix(ON_REQUEST).replace("|", "\\|").replace("\n", " ")
        example = str(column.example).replace("|", "\\|").replace("\n", "⏎")
        null = "yes" if column.nullable else "no"
        lines.append(
            f"| {column.id} | `{column.name}` | {column.type} | {null} | {doc} | `{example}` | {column.since} |"
        )
    return lines


def section(table: Table) -> str:
    requested = [column for column in table.columns if column.doc.endswith(ON_REQUEST)]
    lines = [f"\n## {table.name}\n\n{table.doc}", *rows(each for each in table.columns if each not in requested)]
    if requested:
        lines += [REQUESTED.rstrip(), *rows(requested)]
    return "\n".join(lines) + "\n"


def test_the_page_of_tables_is_true(golden):
    golden(CHECKOUT / "docs" / "tables.md", (HEAD + "".join(map(section, TABLES.values()))).encode())
