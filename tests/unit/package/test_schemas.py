# SPDX-License-Identifier: Apache-2.0
"""Tables stay readable: ids and names are for ever, and what comes later may be missing."""

import datetime as dt

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.options import EXTRACTORS
from thresher.page.columns import text_column
from thresher.page.language_models import NAMES
from thresher.page.quality import QUALITY
from thresher.schemas import TABLES, Column, Table
from thresher.schemas.freeze import merge, read_frozen, to_json
from thresher.schemas.pages import (
    DERIVED,
    HTML,
    OUTLINKS,
    PAGE_STAGES,
    RIGHTS,
    STRUCTURE,
    language_column,
    quality_column,
)
from thresher.schemas.table import ADDRESSES, CELLS, COUNTS, SHARES, TIMESTAMP

FIRST_VERSION = "0.1.0"


def broken_rules(frozen: list[dict[str, object]], columns: list[dict[str, object]]) -> list[str]:
    """What is wrong with `columns` after `frozen`; empty where every old file stays readable."""
    by_id = {column["id"]: column for column in frozen}
    by_name = {column["name"]: column for column in frozen}
    found = []
    for column in columns:
        before = by_id.get(column["id"])
        if before is not None and before != column:
            found.append(f"id {column['id']} was {before}, is {column}")
        if before is None and column["name"] in by_name:
            found.append(f"name {column['name']} had id {by_name[column['name']]['id']}")
        if before is None and column["since"] != FIRST_VERSION and not column["nullable"]:
            found.append(f"new column {column['name']} is not nullable")
    return found


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_table_keeps_to_its_record(table: Table) -> None:
    record = read_frozen(table)
    assert broken_rules(record["columns"], table.frozen()["columns"]) == []
    assert merge(table) == record, "a column is new: run `python -m thresher.schemas.freeze` and review the diff"


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_columns_are_described(table: Table) -> None:
    for column in table.columns:
        assert column.doc.endswith("."), column.name
        assert column.example is not None, column.name


def test_rules_find_a_reused_id_a_reused_name_and_a_new_column_that_must_be_there() -> None:
    old = {"id": 1, "name": "a", "type": "string", "nullable": True, "since": "0.1.0"}
    assert broken_rules([old], [old]) == []
    assert broken_rules([old], []) == []
    assert len(broken_rules([old], [{**old, "name": "b"}])) == 1
    assert len(broken_rules([old], [{**old, "id": 2}])) == 1
    assert len(broken_rules([old], [old, {**old, "id": 2, "name": "b", "since": "0.2.0", "nullable": False}])) == 1


def test_record_keeps_a_column_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = {"id": 1, "name": "gone", "type": "string", "nullable": True, "since": "0.1.0"}
    monkeypatch.setattr("thresher.schemas.freeze.read_frozen", lambda table: {"table": table.name, "columns": [gone]})
    table = Table("t", "T.", (Column(2, "here", pa.string(), "Here.", "x"),))
    assert [column["name"] for column in merge(table)["columns"]] == ["gone", "here"]
    assert to_json(merge(table)).count("\n") == 7


def test_two_columns_cannot_share_an_id() -> None:
    column = Column(1, "a", pa.string(), "A.", "x")
    with pytest.raises(ValueError, match="share an id"):
        Table("t", "T.", (column, Column(1, "b", pa.string(), "B.", "x")))


def test_common_crawl_names_come_first() -> None:
    assert TABLES["pages"].names()[:15] == [
        "url", "url_host_name", "url_host_registered_domain", "fetch_time", "fetch_status", "content_digest",
        "content_mime_type", "content_mime_detected", "content_charset", "content_languages", "content_truncated",
        "warc_filename", "warc_record_offset", "warc_record_length", "warc_segment",
    ]  # fmt: skip


def test_every_page_stage_has_its_microseconds() -> None:
    assert [name for name in TABLES["pages"].names() if name.endswith("_us")] == [f"{s}_us" for s in PAGE_STAGES]


def test_every_extractor_has_a_column_and_a_run_writes_those_it_asks_for() -> None:
    pages = TABLES["pages"]
    texts = [text_column(name) for name in EXTRACTORS]
    assert {column.name for column in pages.columns if column.optional} == {
        "text_rendered",
        *DERIVED,
        *RIGHTS,
        *STRUCTURE,
        HTML,
        OUTLINKS,
        *texts,
    }
    assert [name for name in DERIVED if name.startswith("quality")] == [quality_column(name) for name in QUALITY]
    assert [name for name in DERIVED if name in map(language_column, NAMES)] == [
        language_column(name) for name in NAMES
    ]
    assert "text_cetd_s" in pages.names()
    written = pages.written(["text_conex", "text_all"])
    assert written.names() == [*pages.written().names(), "text_conex", "text_all"]
    assert set(texts).isdisjoint(pages.written().names())


def sample(table: Table) -> pa.Table:
    """One row of made-up values and one row of nulls where a column may be null."""
    values = {
        pa.string(): "x",
        pa.bool_(): True,
        pa.int16(): 200,
        pa.int32(): 1 << 30,
        pa.int64(): 1 << 40,
        pa.float32(): 0.5,
        pa.float64(): 0.1,
        pa.date32(): dt.date(2014, 3, 5),
        TIMESTAMP: dt.datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=dt.UTC),
    }
    maps = {COUNTS: [("ok", 3)], SHARES: [("ell", 0.5)], CELLS: [["a", None], []], ADDRESSES: ["a"]}
    rows = [
        {c.name: maps[c.type] if c.type in maps else values[c.type] for c in table.columns},
        {c.name: None if c.nullable else values[c.type] for c in table.columns},
    ]
    return pa.Table.from_pylist(rows, schema=table.to_arrow())


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_parquet_gives_back_rows_and_field_ids(table: Table, tmp_path) -> None:
    written = sample(table)
    pq.write_table(written, tmp_path / "t.parquet", compression="zstd")
    read = pq.read_table(tmp_path / "t.parquet")
    assert read.schema.equals(table.to_arrow(), check_metadata=False)
    assert read.equals(written)
    for column in table.columns:
        assert read.schema.field(column.name).metadata[b"PARQUET:field_id"] == str(column.id).encode()
