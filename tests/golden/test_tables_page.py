# SPDX-License-Identifier: Apache-2.0
"""docs/tables.md is generated from schemas/ by `make golden` and agrees with it."""

from shared_data import CHECKOUT

from thresher.schemas import TABLES, Table

HEAD = """# Tables

The tables that a run writes. Each is a folder of zstd-compressed Parquet files in the output folder. Column numbers are
permanent and are also the Parquet field ids. The number of a removed column is never used again. Columns added later
are null in older files. `make golden` generates this page from the modules in [schemas/](../schemas).
"""


def section(table: Table) -> str:
    lines = [f"\n## {table.name}\n\n{table.doc}\n", "| no. | column | type | null | what it is | example | since |"]
    lines.append("|---|---|---|---|---|---|---|")
    for column in table.columns:
        doc = column.doc.replace("|", "\\|").replace("\n", " ")
        example = str(column.example).replace("|", "\\|").replace("\n", "⏎")
        null = "yes" if column.nullable else "no"
        lines.append(
            f"| {column.id} | `{column.name}` | {column.type} | {null} | {doc} | `{example}` | {column.since} |"
        )
    return "\n".join(lines) + "\n"


def test_the_page_of_tables_is_true(golden):
    golden(CHECKOUT / "docs" / "tables.md", (HEAD + "".join(map(section, TABLES.values()))).encode())
