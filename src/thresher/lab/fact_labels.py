# SPDX-License-Identifier: Apache-2.0
"""Labels that people gave to the facts of pages: type, title, author, date and site.

The folder of labels has one Parquet file for each annotator in `facts/`, with the pages, as that of labels of blocks
has (labelling.py). Beside it stands the same without the pages, a line each, as `--labels` of evaluation and training
reads it (thresher.lab.evaluate.facts.read_labels).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from thresher.errors import Refused
from thresher.lab.evaluate.facts import LABELLED, NONE, UPDATED
from thresher.lab.labelling import (
    KEYS_OF_PAGE,
    check_annotator,
    locked,
    page_columns,
    read_table,
    replace_row,
    without_surrogates,
)
from thresher.lab.labelling import SCHEMA as PAGE_SCHEMA
from thresher.page_types import TYPES
from thresher.serving.asking import check_keys, read_object
from thresher.serving.tasks import to_json

FOLDER: Final = "facts"
MAX_VALUE: Final = 1000
"""Characters of a value."""
_DATE: Final = re.compile(rf"\d{{4}}(-\d\d(-\d\d)?)?{UPDATED}?")
_COLUMN_OF: Final = {"type": "page_type", "title": "title", "author": "author", "date": "date", "site": "site_name"}
"""Columns of the Parquet file; `site` is the registered domain there, as in every labelled set."""
SCHEMA: Final = pa.schema([
    *(PAGE_SCHEMA.field(name) for name in ("id", "dataset", "url", "host", "site", "lang", "html")),
    *(pa.field(name, pa.string()) for name in _COLUMN_OF.values()),  # null where the page has none
    *(PAGE_SCHEMA.field(name) for name in ("annotator", "seconds", "labelled_at", "thresher_version")),
])  # fmt: skip


def save(folder: str, body: bytes) -> bytes:
    """Store the labels in a JSON body: `annotator`, `html`, `url`, `seconds`, and `facts` with `type`, `title`,
    `author`, `date` and `site`, null where the page has none. They replace earlier labels of the same annotator for the
    same page.

    Raises Refused for an invalid body.
    """
    asked = read_object(body)
    check_keys(asked, (*KEYS_OF_PAGE, "facts"))
    row = {**page_columns(asked), **_facts_of(asked.get("facts"))}
    file = _file(folder, row["annotator"])
    with locked(Path(folder)):
        replace_row(file, row["id"], row, SCHEMA)
        _export(file, row["annotator"])
    return to_json({"id": row["id"], "set": f"{FOLDER}/{row['annotator']}"})


def labels_of(folder: str, annotator: str, page: str) -> bytes:
    """The labels that an annotator gave to the facts of the page of this name, as `facts`; null if there are none."""
    check_annotator(annotator)
    table = read_table(_file(folder, annotator), ["id", *_COLUMN_OF.values()])
    rows = [] if table is None else [row for row in table.to_pylist() if row["id"] == page]
    return to_json({"facts": {fact: rows[0][name] for fact, name in _COLUMN_OF.items()} if rows else None})


def _file(folder: str, annotator: str) -> Path:
    return Path(folder, FOLDER, f"{annotator}.parquet")


def _facts_of(facts: object) -> dict[str, str | None]:
    """The columns of labels. Raises Refused where one is missing or cannot be."""
    if not isinstance(facts, dict):
        raise Refused("`facts` must be an object")
    check_keys(facts, LABELLED)
    found: dict[str, str | None] = {}
    for fact in LABELLED:
        if fact not in facts or not isinstance(facts[fact], str | None):
            raise Refused(f"`facts` needs `{fact}`, a string, or null if the page has none")
        text = " ".join((without_surrogates(facts[fact]) or "").split())
        if len(text) > MAX_VALUE:
            raise Refused(f"`{fact}` has more than {MAX_VALUE:,} characters")
        found[_COLUMN_OF[fact]] = text if text not in ("", NONE) else None
    if found["page_type"] not in TYPES:
        raise Refused(f"`type` must be one of {', '.join(TYPES)}")
    if found["date"] is not None and not _DATE.fullmatch(found["date"]):
        raise Refused(
            f"`date` must be YYYY-MM-DD, YYYY-MM or YYYY, with {UPDATED} behind it if only a change is known to be then"
        )
    return found


def _export(file: Path, annotator: str) -> None:
    """Write the labels of a file as lines, beside it."""
    table: Any = read_table(file, ["id", *_COLUMN_OF.values()])
    temporary = file.with_name(f".{file.stem}.tsv.new")
    with temporary.open("w", encoding="utf-8", newline="") as stream:
        for row in table.to_pylist():
            values = (row[_COLUMN_OF[fact]] or NONE for fact in LABELLED)
            stream.write("\t".join((file.name, row["id"], annotator, *values)) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(file.with_suffix(".tsv"))
