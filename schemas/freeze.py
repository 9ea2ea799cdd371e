# SPDX-License-Identifier: Apache-2.0
"""Rewrites frozen/*.json, the record of every column that was ever written: `python -m thresher.schemas.freeze`.

A column that is no longer in a table stays in its record, so that its id and name are never given to another.
"""

import json
from pathlib import Path
from typing import Any

from thresher.schemas import TABLES, Table

FOLDER = Path(__file__).parent / "frozen"


def read_frozen(table: Table) -> dict[str, Any]:
    """The record of a table as it stands on disk; no columns where there is none yet."""
    path = FOLDER / f"{table.name}.json"
    if not path.exists():
        return {"table": table.name, "columns": []}
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record


def merge(table: Table) -> dict[str, Any]:
    """The record with the table's present columns in it and those that it no longer has kept."""
    columns = {column["id"]: column for column in read_frozen(table)["columns"]}
    columns.update({column["id"]: column for column in table.frozen()["columns"]})
    return {"table": table.name, "columns": [columns[id_] for id_ in sorted(columns)]}


def to_json(record: dict[str, Any]) -> str:
    """The record as text, one line for each column, so that a diff shows what changed."""
    lines = ",\n  ".join(json.dumps(column) for column in record["columns"])
    return f'{{\n "table": {json.dumps(record["table"])},\n "columns": [\n  {lines}\n ]\n}}\n'


def main() -> None:
    """Write the record of every table."""
    FOLDER.mkdir(exist_ok=True)
    for table in TABLES.values():
        (FOLDER / f"{table.name}.json").write_text(to_json(merge(table)), "utf-8")


if __name__ == "__main__":
    main()
