# SPDX-License-Identifier: Apache-2.0
"""docs/tables.md is made from schemas/ (`make golden` writes it) and true to it."""

from shared_data import CHECKOUT

from thresher.schemas import TABLES, Table

HEAD = """# Tables

What a run writes, made from the modules in [schemas/](../schemas) by `make golden`. Every table is a folder of zstd-compressed
Parquet files below the output folder. Column numbers are permanent: they are also the Parquet field ids, a column that goes
takes its number with it, and whatever is added later may be null in older files.
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
