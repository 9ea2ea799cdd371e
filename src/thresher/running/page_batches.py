# SPDX-License-Identifier: Apache-2.0
"""thresher.page_batches(): the pages of archives as record batches, in this process and without an output folder."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final, Self

import pyarrow as pa

from thresher.config import Configuration, load_configuration
from thresher.errors import InputError, TransferError
from thresher.options import CaptureOptions, Filters, Options, make_options
from thresher.reading.captures import DeadLetter
from thresher.reading.inputs import Input
from thresher.reading.listing import Listing, list_files, read_robots
from thresher.rows.batches import ReadingBatches, RowMaker
from thresher.rows.selection import Selection

_MAX_LETTERS: Final = 100_000  # dead letters that PageBatches holds, some 100 MB; further ones are counted


def page_batches(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    options: Options | None = None,
    *,
    capture_options: CaptureOptions | None = None,
    filters: Filters | None = None,
    where: str | None = None,
    columns: Sequence[str] | None = None,
    batch_rows: int | None = None,
    batch_bytes: int | None = None,
    **keywords: Any,  # noqa: ANN401 (those of extract)
) -> PageBatches:
    """The pages of one or more archives as record batches of the table `pages`; nothing is written to disk.

    `source` is what thresher.read_captures() takes: a path, folder, glob, list of paths or URL, or several of them.
    `options` say how pages are extracted, and so do all other keywords that thresher.extract() takes: `format`, `mode`,
    `comments` and the rest. `capture_options` say which records are pages. `filters` say which pages become rows, and
    `where` is a condition on the columns of a row, as in SQL. Records that are left out are counted in `skipped`.
    `columns` names the columns, by default all; "+name" adds one to these. A batch has at most `batch_rows` rows, and
    is ended by the page with which its text reaches `batch_bytes`. The rows are those of `thresher extract` over the
    same source. For example:

        batches = thresher.page_batches("crawl.warc.gz", format="markdown")
        table = pyarrow.Table.from_batches(batches, batches.schema)
        print(batches.statuses, batches.skipped, batches.dead_letters)

    Raises InputError for a source that does not exist, TypeError or ValueError for options that do not fit.
    """
    if keywords:
        options = make_options(options, **keywords)
    if isinstance(columns, str):
        raise TypeError("columns must be a sequence of str, not str")
    for name, value, type_ in (
        ("options", options, Options),
        ("capture_options", capture_options, CaptureOptions),
        ("filters", filters, Filters),
    ):
        if value is not None and not isinstance(value, type_):
            raise TypeError(f"{name} must be {type_.__name__}, not {type(value).__name__}")
    wanted = {"batch_rows": batch_rows, "batch_bytes": batch_bytes, "columns": columns}
    configuration = load_configuration(
        None, {f"write.{name}": value for name, value in wanted.items() if value is not None}
    )
    if options is not None:
        configuration = replace(configuration, extract=options)
    if capture_options is not None:
        shared = {each.name: getattr(capture_options, each.name) for each in fields(CaptureOptions)}
        configuration = replace(configuration, read=replace(configuration.read, **shared))
    chosen = filters if filters is not None else configuration.filter
    if where is not None:
        if not where.strip():
            raise ValueError("where is empty; leave it out to keep all pages")
        if chosen.where:
            raise TypeError("give where or the where of filters, not both")
        chosen = replace(chosen, where=where)
    return PageBatches(source, replace(configuration, filter=chosen))


class PageBatches(Iterator[pa.RecordBatch]):
    """An iterator over record batches of `pages`, made by page_batches(). It accounts for every record.

    The counts are complete for every archive that was read to its end. For each: n_records = pages (the sum of
    `statuses`) + records skipped (the sum of `skipped`) + unreadable records. It can be pickled before its first batch.
    Each process and thread needs its own.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Input | Iterable[str | os.PathLike[str]],
        configuration: Configuration,
        *,
        first: int = 0,
    ) -> None:
        """`source` is that of page_batches(), or an input that was listed before; `first` is its number in names of
        partitions.
        """
        listing = Listing([source]) if isinstance(source, Input) else list_files(source, options=configuration.read)
        self.inputs: tuple[Input, ...] = tuple(listing.inputs)
        """What is read."""
        self.left_out: dict[str, str] = {each.path: each.reason for each in listing.left_out if each.reason}
        """Files of folders and patterns that are not read, each with the reason (see the table `files`)."""
        self._configuration, self._first_number = configuration, first
        self._batches: Iterator[pa.RecordBatch] | None = None
        self.schema: pa.Schema = Selection(configuration).schema
        """The schema of every batch."""
        self.statuses: Counter[str] = Counter()
        """Pages by status."""
        self.skipped: Counter[str] = Counter()
        """Skipped records, by reason."""
        self.rules: Counter[str] = Counter()
        """Pages that filters left out, by filter and broken rule: "quality: gopher_short_doc"."""
        self.dead_letters: list[DeadLetter] = []
        """Records that could not be read, pages that failed, archives that could not be opened, each with the reason:
        the first 100,000.
        """
        self.n_dead_letters: int = 0
        """All dead letters."""
        self.n_records: int = 0
        """Records and unreadable stretches met."""
        self.metrics: list[pa.RecordBatch] = []
        """The rows of the table `metrics`, a batch for each input that was read."""

    def __next__(self) -> pa.RecordBatch:
        if self._batches is None:
            self._batches = self._run()
        return next(self._batches)

    def close(self) -> None:
        """Closes the open archive and ends the iteration."""
        if isinstance(self._batches, Generator):
            self._batches.close()
        self._batches = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> Iterator[pa.RecordBatch]:
        maker = RowMaker(self._configuration, read_robots(self._configuration.read.robots))
        for number, each in enumerate(self.inputs, self._first_number):
            source = each.location
            reading = each.read(maker.capture_options)
            batches = ReadingBatches(maker, reading, self._keep)
            try:
                for table, batch in batches:
                    if table == "pages":
                        yield batch
            except (InputError, TransferError) as error:
                # One server that does not answer must not cost the other archives.
                batches.post_record(DeadLetter(source, 0, 0, None, "read", type(error).__name__, str(error)))
            finally:
                self.statuses += batches.statuses
                self.skipped += reading.skipped
                self.rules += reading.rules
                self.n_records += reading.n_records
            self.metrics.append(batches.metrics(f"{number:05d}-0000"))

    def _keep(self, letter: DeadLetter) -> None:
        self.n_dead_letters += 1
        if len(self.dead_letters) < _MAX_LETTERS:
            self.dead_letters.append(letter)

    def __getstate__(self) -> dict[str, Any]:
        if self._batches is not None:
            message = "batches that were begun cannot be pickled"
            raise TypeError(message)
        return self.__dict__

    def __repr__(self) -> str:
        """The sources and how far it is."""
        n_others = len(self.inputs) - 1
        first = self.inputs[0].location + (f" and {n_others:,} more" if n_others else "")
        return f"<PageBatches of {first}: {self.statuses.total():,} pages, {self.n_dead_letters:,} dead letters>"
