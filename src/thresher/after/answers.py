# SPDX-License-Identifier: Apache-2.0
"""Pages of a run for a larger model, and its answers back in the rows.

select() writes the pages of some routes, as JSON Lines or as the WARC records that they were read from. merge_answers()
takes JSON Lines of `id` and `text` and replaces the texts of these pages.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from thresher.address import PAGE_KEY, Address, address_of, page_id_of
from thresher.after.compacting import rewrite_pages
from thresher.config import Configuration, load_configuration
from thresher.errors import InputError
from thresher.options import CaptureOptions
from thresher.reading.again import Again
from thresher.reading.inputs import Input
from thresher.reading.text_files import lines_of
from thresher.rows.answers import Answer, KeptAnswers, OfArchive, all_are_merged, keep_answers, new_answers
from thresher.running.archives import archives_of
from thresher.running.outcome import whole_run
from thresher.schemas import PARTS
from thresher.schemas.pages import HTML, ROUTE
from thresher.writing.file_format import formats_of
from thresher.writing.layout import ANSWERS
from thresher.writing.run_folder import RunFolder
from thresher.writing.tables import COMPACTED, ParquetFile

_SHOWN: Final = ("url", "title", "language", "type", "confidence", ROUTE, "text", HTML)
_MAX_LINE: Final = 64 << 20  # bytes of one answer


@dataclass(frozen=True, slots=True)
class Answers:
    """What merge_answers() did."""

    merged: int
    unknown: int
    """Answers about pages that the run does not have."""


def select(output: str, routes: Collection[str], target: BinaryIO, *, warc: bool) -> int:
    """Writes the pages of these routes to `target`; returns how many. Raises InputError where the run has no routes, or
    a record cannot be copied, OutputError where files of the run are missing.
    """
    folder = whole_run(output)
    n = 0
    records: dict[str, list[Address]] = defaultdict(list)
    for identity, row in pages_of(folder, routes, _SHOWN):
        n += 1
        if not warc:
            line = {"id": identity, **{name: row[name] for name in _SHOWN if name in row}}
            if line["confidence"] is not None:
                line["confidence"] = round(line["confidence"], 6)
            target.write(json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n")
        else:
            records[row["warc_filename"]].append(address_of(row))
    if records:
        archives = archives_of(folder)
        for name in sorted(records):
            _copy_records(archives[name], sorted(records[name]), target)
    return n


def pages_of(
    folder: RunFolder, routes: Collection[str] | None, columns: Collection[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The pages of these routes, of any with None: id, and those of the columns, PAGE_KEY and `route` that the run has.
    Raises InputError where the run has no routes, or an id names several pages.
    """
    seen: set[str] = set()  # where nothing but an offset names a page
    needed = {"url", "text", "confidence", *PAGE_KEY[:2]} | ({ROUTE} if routes is not None else set())
    for row in _rows(folder, {*columns, *PAGE_KEY, ROUTE}, needed):
        if routes is not None and row[ROUTE] not in routes:
            continue
        identity = page_id_of(row)
        if PAGE_KEY[2] not in row:
            if identity in seen:
                raise _ambiguous(folder, identity)
            seen.add(identity)
        yield identity, row


def _rows(folder: RunFolder, columns: Collection[str], needed: set[str]) -> Iterator[dict[str, Any]]:
    """Columns of `pages`, those that the run has. Raises InputError where it lacks one that is needed."""
    files = folder.tables.files("pages")
    for name in files:
        with folder.tables.open("pages", name) as file:
            names = file.schema_arrow.names
            for missing in sorted(needed.difference(names)):
                raise InputError(
                    f"{folder.location}: its pages have no column {missing}; extract with --columns +{missing}"
                )
            for batch in file.iter_batches(256, columns=[name for name in names if name in columns]):
                yield from batch.to_pylist()
    if not files and folder.tables.files("metrics") == []:
        raise InputError(f"{folder.location} holds no pages in Parquet")


def _copy_records(source: Input, addresses: Sequence[Address], target: BinaryIO) -> None:
    """Copies records of an archive, each as a gzip member. Raises InputError for one that is not there."""
    with closing(Again(source, CaptureOptions(feeds=True))) as again:
        for address in addresses:
            with gzip.GzipFile(fileobj=target, mode="wb", compresslevel=6, mtime=0) as member:
                if not again.copy_record(address, member.write):
                    raise InputError(
                        f"{source}#{address}: no WARC record (only those can be copied); select JSON Lines (--to jsonl)"
                    )


def merge_answers(output: str, answers: str, source: str) -> Answers:
    """Replaces the texts of pages by the answers about them, JSON Lines of `id` and `text`.

    `text_source` becomes `source`, `route` becomes `answered`, `confidence` null; language and derived columns are
    those of the new text, and parts of the old one go. The answers are kept in the folder first, so that a command that
    was killed can be given again, and a retry puts them in again. Raises InputError for a line that is no answer,
    before anything is changed.
    """
    folder = RunFolder(output)
    folder.tables.files("pages")  # are there in Parquet
    texts = read_answers(answers)
    configuration = load_configuration(None, folder.settings())
    folder.lock.take()
    try:
        _put_in(folder, configuration)  # what a command left that was killed
        found = _known_pages(folder, texts, source)
        if found:
            keep_answers(folder.storage, found)
            _put_in(folder, configuration)
        folder.close_run()
    finally:
        folder.lock.release()
    n = sum(map(len, found.values()))
    return Answers(n, len(texts) - n)


def _known_pages(folder: RunFolder, texts: Mapping[str, str], source: str) -> dict[str, OfArchive]:
    """The answers about pages that the run has, by archive. Raises InputError where an id names several pages."""
    found: dict[str, OfArchive] = {}
    for row in _rows(folder, {*PAGE_KEY}, {"text", *PAGE_KEY[:2]}):
        identity = page_id_of(row)
        if identity in texts:
            answers, address = found.setdefault(row["warc_filename"], {}), address_of(row)
            if address in answers and PAGE_KEY[2] not in row:
                raise _ambiguous(folder, identity)
            answers[address] = Answer(texts[identity], source)
    return found


def _ambiguous(folder: RunFolder, identity: str) -> InputError:
    return InputError(
        f"{folder.location}: {identity} names several pages, as the run has no column {PAGE_KEY[2]}; extract with it"
    )


def _put_in(folder: RunFolder, configuration: Configuration) -> None:
    """Puts the answers that are not in all rows yet into them."""
    storage = folder.storage
    known = new_answers(storage)
    if not known:
        return
    answers = KeptAnswers(configuration, storage, known)
    if storage.has(f"pages/{COMPACTED}"):
        rewrite_pages(folder, answers.put_in, len(storage.names(ANSWERS)))
    else:
        for table in (*PARTS, "pages"):
            for name in folder.tables.files(table):
                _rewrite_file(folder, table, name, answers, configuration)
    all_are_merged(storage)


def _rewrite_file(folder: RunFolder, table: str, name: str, answers: KeptAnswers, configuration: Configuration) -> None:
    """Rewrites a file of a table if there are answers about its pages."""
    with folder.tables.open(table, name) as parquet:
        key = [each for each in PAGE_KEY if each in parquet.schema_arrow.names]
        if not any(answers.about(batch) for batch in parquet.iter_batches(4096, columns=key)):
            return
        with folder.storage.writing(f"{table}/{name}") as stream:
            writer = ParquetFile(stream, parquet.schema_arrow, formats_of(configuration)[table])
            for group in range(parquet.num_row_groups):
                for batch in parquet.read_row_group(group).combine_chunks().to_batches():
                    changed = answers.put_in(table, batch)
                    if changed.num_rows:
                        writer.write(changed)
            writer.close()


def read_answers(path: str) -> dict[str, str]:
    """The texts in a file of answers, by the ids of pages; the last one of several. Raises InputError for a line that
    is no answer.
    """
    texts: dict[str, str] = {}
    for number, line in enumerate(lines_of(path, _MAX_LINE), 1):
        _read_answer(line, f"{path}, line {number:,}", texts)
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
    texts[name] = text.encode("utf-8", "replace").decode()
