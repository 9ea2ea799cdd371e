# SPDX-License-Identifier: Apache-2.0
"""Answers of a larger model about pages of a run: kept in OUT/_answers/, and put into finished rows.

`thresher merge --answers` keeps them there before it changes a row. Whoever writes rows of that run again, such as
`thresher retry`, puts them in again. A file whose name ends in .new.parquet was not put into all rows yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.address import PAGE_KEY, Address, address_of
from thresher.page.language import identify_language
from thresher.page.result import UNDETERMINED
from thresher.rows.routing import ANSWERED
from thresher.rows.selection import derive_columns
from thresher.schemas import PARTS
from thresher.schemas.pages import ROUTE
from thresher.writing.layout import ANSWERS, NEW_ANSWERS
from thresher.writing.tables import TableReader

if TYPE_CHECKING:
    from collections.abc import Callable

    from thresher.config import Configuration
    from thresher.writing.storage import Storage

_FIELDS: Final[list[pa.Field[Any]]] = [
    pa.field(PAGE_KEY[0], pa.string()),
    pa.field(PAGE_KEY[1], pa.int64()),
    pa.field(PAGE_KEY[2], pa.int64()),
    pa.field("text", pa.large_string()),
    pa.field("source", pa.string()),
]
_SCHEMA: Final = pa.schema(_FIELDS)
_GROUP: Final = 1000  # answers of a row group


class Answer(NamedTuple):
    """What was said of a page."""

    text: str
    source: str
    """For text_source."""


OfArchive = dict[Address, Answer]


def keep_answers(storage: Storage, answers: Mapping[str, OfArchive]) -> None:
    """Keeps answers, by archive, as new ones."""
    rows = [
        (archive, *address, *answer)
        for archive, found in sorted(answers.items())
        for address, answer in sorted(found.items())
    ]
    columns = dict(zip(_SCHEMA.names, map(list, zip(*rows, strict=True)), strict=True))
    name = f"{len(storage.names(ANSWERS)):05d}{NEW_ANSWERS}"
    storage.make(ANSWERS)
    with storage.writing(f"{ANSWERS}/{name}") as stream:
        pq.write_table(pa.table(columns, _SCHEMA), stream, compression="zstd", row_group_size=_GROUP)


def new_answers(storage: Storage) -> dict[str, OfArchive]:
    """The answers by archive that are not in all rows yet; none if there are no such answers."""
    name = _new(storage)
    return {} if name is None else _read(storage, [name])


def all_are_merged(storage: Storage) -> None:
    """Notes that new answers are in all rows."""
    if name := _new(storage):
        storage.move(storage.path(ANSWERS, name), storage.path(ANSWERS, name.removesuffix(NEW_ANSWERS) + ".parquet"))


def move_answers(source: Storage, target: Storage) -> None:
    """Moves the answers in a folder to those in another one of the same file system."""
    for name in sorted(source.names(ANSWERS)):
        target.make(ANSWERS)
        target.move(source.path(ANSWERS, name), target.path(ANSWERS, f"{len(target.names(ANSWERS)):05d}.parquet"))


def _new(storage: Storage) -> str | None:
    return next((name for name in storage.names(ANSWERS) if name.endswith(NEW_ANSWERS)), None)


def _read(storage: Storage, names: Iterable[str], archive: str | None = None) -> dict[str, OfArchive]:
    """The answers in files of the folder of answers, by archive; those about one archive, if one is named."""
    answers: dict[str, OfArchive] = {}
    for name in names:
        with TableReader(storage).open(ANSWERS, name) as file:
            for group in range(file.num_row_groups):
                among: Any = file.metadata.row_group(group).column(0).statistics
                if archive is not None and among.has_min_max and not among.min <= archive <= among.max:
                    continue
                for row in file.read_row_group(group).to_pylist():
                    if archive in (None, row["warc_filename"]):
                        found = answers.setdefault(row["warc_filename"], {})
                        found[address_of(row)] = Answer(row["text"], row["source"])
    return answers


class KeptAnswers:
    """Puts the answers about pages of a run into finished rows."""

    def __init__(
        self, configuration: Configuration, storage: Storage, known: Mapping[str, OfArchive] | None = None
    ) -> None:
        """`known` are the answers by archive; by default those in the folder, read when an archive has rows."""
        self._configuration, self._storage = configuration, storage
        self._names = [] if known is not None else sorted(storage.names(ANSWERS))
        self._is_empty = not (known or self._names)
        self._of: Callable[[str], OfArchive] = lru_cache(maxsize=4)(self._read)  # rows of an archive come together
        if known is not None:
            self._of = lambda archive: known.get(archive, {})

    def _read(self, archive: str) -> OfArchive:
        return _read(self._storage, self._names, archive).get(archive, {})

    def put_in(self, table: str, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Rows of `pages` with the answers about them, and rows of a table of parts without those of such pages, whose
        text they are not of. Rows of other tables as they are.
        """
        if self._is_empty or not (table == "pages" or table in PARTS):
            return batch
        found = self.about(batch)
        if not found:
            return batch
        if table == "pages":
            return _answered(batch, found, self._configuration)
        return batch.take(pa.array([row for row in range(batch.num_rows) if row not in found], pa.int32()))

    def about(self, batch: pa.RecordBatch) -> dict[int, Answer]:
        """The answers about the pages of a batch, by row."""
        names = [name for name in PAGE_KEY if name in batch.schema.names]
        found = {}
        if names[:2] == [*PAGE_KEY[:2]]:
            for number, row in enumerate(batch.select(names).to_pylist()):
                answer = self._of(row["warc_filename"]).get(address_of(row))
                if answer is not None:
                    found[number] = answer
        return found


def _answered(batch: pa.RecordBatch, answers: Mapping[int, Answer], configuration: Configuration) -> pa.RecordBatch:
    """A batch of `pages` with answers about its rows."""
    changed: dict[str, list[Any]] = {}

    def change(name: str, values: list[Any]) -> None:
        if name in batch.schema.names:
            column = changed.setdefault(name, batch[name].to_pylist())
            for row, value in zip(answers, values, strict=True):
                column[row] = value

    texts = [answer.text for answer in answers.values()]
    languages = [identify_language(text, options=configuration.extract.language_options) for text in texts]
    change("text", [*texts])
    change("status", ["ok" if text else "empty" for text in texts])
    change("language", [language for language, _ in languages])
    change("language_score", [None if language == UNDETERMINED else score for language, score in languages])
    for name in ("confidence", "hidden_share", "text_partial", "outlinks"):
        change(name, [None] * len(texts))
    change("text_source", [answer.source for answer in answers.values()])
    new = _with(batch, changed)
    for name, values in derive_columns(configuration, new, list(answers)).items():
        change(name, values)
    change(ROUTE, [ANSWERED] * len(texts))
    return _with(new, changed)


def _with(batch: pa.RecordBatch, columns: Mapping[str, list[Any]]) -> pa.RecordBatch:
    arrays = [pa.array(columns[f.name], f.type) if f.name in columns else batch[f.name] for f in batch.schema]
    return pa.RecordBatch.from_arrays(arrays, schema=batch.schema)
