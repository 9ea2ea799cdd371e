# SPDX-License-Identifier: Apache-2.0
"""Pages of a run for a larger model, and its answers back in the rows.

select() writes the pages of some routes, as JSON Lines or as the WARC records that they were read from. merge_answers()
takes JSON Lines of `id` and `text` and replaces the texts of these pages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.config import SECTIONS, Configuration, load_configuration
from thresher.errors import InputError, OutputError
from thresher.options import knobs
from thresher.page.language import identify_language
from thresher.page.result import UNDETERMINED
from thresher.reading.opening import open_input
from thresher.reading.streams import GZIP, WARC, read_at
from thresher.rows.routing import ANSWERED
from thresher.rows.selection import derive_columns
from thresher.schemas.pages import HTML, ROUTE
from thresher.writing.run_folder import RunFolder
from thresher.writing.storage import TEMPORARY

__all__ = ["Answers", "merge_answers", "select"]

_SHOWN: Final = ("url", "title", "language", "type", "confidence", ROUTE, "text", HTML)
_PLACE: Final = ("warc_filename", "warc_record_offset", "warc_record_length")
_MAX_LINE: Final = 64 << 20  # bytes of one answer
_PIECE: Final = 1 << 20  # bytes of a record copied at a time


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
    n, last = 0, None
    sources = _sources(folder) if warc else {}
    for row in _rows(folder, [*_SHOWN, *_PLACE]):
        if row[ROUTE] not in routes:
            continue
        n += 1
        if not warc:
            line = {"id": _place_of(row), **{name: row[name] for name in _SHOWN if name in row}}
            if line["confidence"] is not None:
                line["confidence"] = round(line["confidence"], 6)
            target.write(json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n")
            continue
        place = row["warc_filename"], row["warc_record_offset"]
        if place != last:  # records that share a gzip member are copied with it
            _copy_record(sources.get(row["warc_filename"], row["warc_filename"]), row, target)
        last = place
    return n


def _rows(folder: RunFolder, columns: Collection[str]) -> Iterator[dict[str, Any]]:
    """Columns of `pages`, those that the run has."""
    files = folder.tables.files("pages")
    for name in files:
        names = folder.tables.schema("pages", name).names
        if ROUTE not in names:
            raise InputError(f"{folder.location}: its pages have no column {ROUTE}; extract with --columns +{ROUTE}")
        wanted = [column for column in columns if column in names]
        if missing := {"url", "text", "confidence", *_PLACE}.difference(names):
            raise InputError(f"{folder.location}: its pages have no column {min(missing)}")
        path = folder.storage.path("pages", name)
        with folder.storage.undamaged(f"pages/{name}"), folder.storage.fs.open_input_file(path) as file:
            for batch in pq.ParquetFile(file).iter_batches(256, columns=wanted):
                yield from batch.to_pylist()
    if not files and folder.tables.files("metrics") == []:
        raise InputError(f"{folder.location} holds no pages in Parquet")


def _place_of(row: Mapping[str, Any]) -> str:
    """The id of a page within its run, as in the column duplicate_of. It does not change with the page's text."""
    return f"{row['warc_filename']}#{row['warc_record_offset']}"


def _sources(folder: RunFolder) -> dict[str, str]:
    """The input of each name in the column warc_filename."""
    base = folder.read_run().get("rows", {}).get("input_base_url") or ""
    inputs = folder.inputs()
    return {name.removeprefix(base).lstrip("/") if base and name.startswith(base) else name: name for name in inputs}


def _copy_record(source: str, row: Mapping[str, Any], target: BinaryIO) -> None:
    """Copies the bytes of a record. A gzip member stays one, a record of a plain file becomes one."""
    import gzip

    offset, length = row["warc_record_offset"], row["warc_record_length"]
    file = open_input(source)
    try:
        data = b"" if offset is None or not length else read_at(file, offset, length)
    finally:
        file.close()
    if data.startswith(GZIP):
        target.write(data)
    elif data.startswith(WARC):
        target.write(gzip.compress(data.rstrip(b"\r\n") + b"\r\n\r\n", 6, mtime=0))
    else:
        raise InputError(f"{source}#{offset}: no WARC record in gzip or plain; select JSON Lines (--to jsonl)")


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
        if missing := {"text", *_PLACE[:2]}.difference(schema.names):
            raise InputError(f"{folder.location}: its pages have no column {min(missing)}")
        for batch in parquet.iter_batches(4096, columns=list(_PLACE[:2])):
            found.update(identity for identity in map(_place_of, batch.to_pylist()) if identity in texts)
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
    ids = [_place_of(row) for row in batch.select(list(_PLACE[:2])).to_pylist()]
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
