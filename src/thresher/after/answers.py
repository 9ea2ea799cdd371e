# SPDX-License-Identifier: Apache-2.0
"""Pages of a run for a larger model, and its answers back in the rows.

select() writes the pages of some routes, as JSON Lines or as the WARC records that they were read from. merge_answers()
takes JSON Lines of `id` and `text` and replaces the texts of these pages.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.address import PAGE_KEY, Address, address_of, page_id_of
from thresher.config import SECTIONS, Configuration, load_configuration
from thresher.errors import InputError, OutputError
from thresher.options import CaptureOptions, knobs
from thresher.page.language import identify_language
from thresher.page.result import UNDETERMINED
from thresher.reading.again import Again
from thresher.reading.inputs import Input
from thresher.reading.opening import open_input
from thresher.rows.routing import ANSWERED
from thresher.rows.selection import derive_columns
from thresher.running.archives import archives_of
from thresher.schemas.pages import HTML, ROUTE
from thresher.writing.run_folder import RunFolder
from thresher.writing.storage import TEMPORARY

__all__ = ["Answers", "merge_answers", "select"]

_SHOWN: Final = ("url", "title", "language", "type", "confidence", ROUTE, "text", HTML)
_MAX_LINE: Final = 64 << 20  # bytes of one answer
_PIECE: Final = 1 << 20  # bytes of a file of answers read at a time


@dataclass(frozen=True, slots=True)
class Answers:
    """What merge_answers() did."""

    merged: int
    unknown: int
    """Answers about pages that the run does not have."""


def select(output: str, routes: Collection[str], target: BinaryIO, *, warc: bool) -> int:
    """Writes the pages of these routes to `target`; returns how many. Raises InputError where the run has no routes, or
    a record cannot be copied.
    """
    folder = RunFolder(output)
    n = 0
    records: dict[str, list[Address]] = defaultdict(list)
    for row in _rows(folder, [*_SHOWN, *PAGE_KEY]):
        if row[ROUTE] not in routes:
            continue
        n += 1
        if not warc:
            line = {"id": page_id_of(row), **{name: row[name] for name in _SHOWN if name in row}}
            if line["confidence"] is not None:
                line["confidence"] = round(line["confidence"], 6)
            target.write(json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n")
        else:
            records[row["warc_filename"]].append(address_of(row))
    if records:
        archives = archives_of(folder)
        for name in sorted(records):
            _copy_records(archives.get(name) or Input.named(name), sorted(records[name]), target)
    return n


def _rows(folder: RunFolder, columns: Collection[str]) -> Iterator[dict[str, Any]]:
    """Columns of `pages`, those that the run has."""
    files = folder.tables.files("pages")
    for name in files:
        names = folder.tables.schema("pages", name).names
        if ROUTE not in names:
            raise InputError(f"{folder.location}: its pages have no column {ROUTE}; extract with --columns +{ROUTE}")
        wanted = [column for column in columns if column in names]
        if missing := {"url", "text", "confidence", *PAGE_KEY[:2]}.difference(names):
            raise InputError(f"{folder.location}: its pages have no column {min(missing)}")
        path = folder.storage.path("pages", name)
        with folder.storage.undamaged(f"pages/{name}"), folder.storage.fs.open_input_file(path) as file:
            for batch in pq.ParquetFile(file).iter_batches(256, columns=wanted):
                yield from batch.to_pylist()
    if not files and folder.tables.files("metrics") == []:
        raise InputError(f"{folder.location} holds no pages in Parquet")


def _key_in(schema: pa.Schema) -> list[str]:
    """The columns of a file of pages that name a page."""
    return [name for name in PAGE_KEY if name in schema.names]


def _copy_records(source: Input, addresses: Sequence[Address], target: BinaryIO) -> None:
    """Copies records of an archive, each as a gzip member. Raises InputError for one that is not there."""
    with closing(Again(source, CaptureOptions())) as again:
        for address in addresses:
            with gzip.GzipFile(fileobj=target, mode="wb", compresslevel=6, mtime=0) as member:
                if not again.copy_record(address, member.write):
                    raise InputError(
                        f"{source}#{address}: no WARC record (only those can be copied); select JSON Lines (--to jsonl)"
                    )


def merge_answers(output: str, answers: str, source: str) -> Answers:
    """Replaces the texts of pages by the answers about them, JSON Lines of `id` and `text`.

    `text_source` becomes `source`, `route` becomes `answered`, `confidence` null; language and derived columns are
    those of the new text. Files without an answer stay as they are, others are replaced whole. Raises InputError for a
    line that is no answer, before anything is changed.
    """
    folder = RunFolder(output)
    if folder.read_run().get("rows", {}).get("write.to", "parquet") != "parquet":
        raise InputError(f"{output}: its pages are not Parquet")
    texts = _read_answers(answers)
    rows = folder.read_run().get("rows", {})
    known = {f"{name}.{key}" for name, cls in SECTIONS.items() for key in knobs(cls)}
    configuration = load_configuration(None, {key: value for key, value in rows.items() if key in known})
    found: Counter[str] = Counter()
    folder.lock.take()
    try:
        for name in folder.tables.files("pages"):
            found += _merge_file(folder, name, texts, source, configuration)
    finally:
        folder.lock.release()
    return Answers(len(found), len(texts) - len(found))


def _read_answers(path: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    file = open_input(path)
    try:
        pending, number = b"", 0
        while piece := file.read(_PIECE):
            *lines, pending = (pending + piece).split(b"\n")
            for line in lines:
                number += 1
                _read_answer(line, f"{path}, line {number:,}", texts)
            if len(pending) > _MAX_LINE:
                raise InputError(f"{path}, line {number + 1:,}: more than {_MAX_LINE:,} bytes")
        _read_answer(pending, f"{path}, line {number + 1:,}", texts)
    finally:
        file.close()
    return texts


def _read_answer(line: bytes, where: str, texts: dict[str, str]) -> None:
    if not line.strip():
        return
    try:
        answer = json.loads(line)
        name, text = answer["id"], answer["text"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError(f"{where}: an answer is an object with id and text") from None
    if not isinstance(name, str) or not isinstance(text, str):
        raise InputError(f"{where}: id and text of an answer are strings")
    texts[name] = text


def _merge_file(
    folder: RunFolder, name: str, texts: Mapping[str, str], source: str, configuration: Configuration
) -> Counter[str]:
    """Rewrites a file of `pages` if there are answers about its pages; the ids of these."""
    found: Counter[str] = Counter()
    storage = folder.storage
    path = storage.path("pages", name)
    with storage.undamaged(f"pages/{name}"), storage.fs.open_input_file(path) as file:
        parquet = pq.ParquetFile(file)
        schema = parquet.schema_arrow
        if missing := {"text", *PAGE_KEY[:2]}.difference(schema.names):
            raise InputError(f"{folder.location}: its pages have no column {min(missing)}")
        for batch in parquet.iter_batches(4096, columns=_key_in(schema)):
            found.update(identity for identity in map(page_id_of, batch.to_pylist()) if identity in texts)
        if not found:
            return found
        temporary = storage.temporary(name.replace("/", "-"))
        storage.make(TEMPORARY)
        try:
            with (
                storage.fs.open_output_stream(temporary) as stream,
                pq.ParquetWriter(stream, schema, compression="zstd") as writer,
            ):
                for group in range(parquet.num_row_groups):
                    for batch in parquet.read_row_group(group).to_batches():
                        writer.write_batch(_answered(batch, texts, source, configuration))
        except (OSError, pa.ArrowException) as error:
            storage.delete(temporary)
            raise OutputError(f"{folder.location}/pages/{name} cannot be rewritten: {error}") from error
    storage.move(temporary, path)
    return found


def _answered(
    batch: pa.RecordBatch, texts: Mapping[str, str], source: str, configuration: Configuration
) -> pa.RecordBatch:
    """A batch with the answers about its pages."""
    ids = [page_id_of(row) for row in batch.select(_key_in(batch.schema)).to_pylist()]
    places = [place for place, identity in enumerate(ids) if identity in texts]
    if not places:
        return batch
    changed: dict[str, list[Any]] = {}

    def change(name: str, values: list[Any]) -> None:
        if name in batch.schema.names:
            column = changed.setdefault(name, batch[name].to_pylist())
            for place, value in zip(places, values, strict=True):
                column[place] = value

    new = [texts[ids[place]].encode("utf-8", "replace").decode() for place in places]
    options = configuration.extract.language_options
    languages = [identify_language(text, options=options) for text in new]
    change("text", list(new))
    change("status", ["ok" if text else "empty" for text in new])
    change("language", [language for language, _ in languages])
    change("language_score", [None if language == UNDETERMINED else score for language, score in languages])
    change("confidence", [None] * len(new))
    change("hidden_share", [None] * len(new))
    change("outlinks", [None] * len(new))
    change("text_source", [source] * len(new))
    arrays = [pa.array(changed[f.name], f.type) if f.name in changed else batch[f.name] for f in batch.schema]
    batch = pa.RecordBatch.from_arrays(arrays, schema=batch.schema)
    for name, values in derive_columns(configuration, batch, places).items():
        change(name, values)
    change(ROUTE, [ANSWERED] * len(new))
    arrays = [pa.array(changed[f.name], f.type) if f.name in changed else batch[f.name] for f in batch.schema]
    return pa.RecordBatch.from_arrays(arrays, schema=batch.schema)
