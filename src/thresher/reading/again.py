# SPDX-License-Identifier: Apache-2.0
"""Reads records of an input again, by their addresses: for a second decision, for a person, for another tool.

Where an archive can be entered at an address, only what is wanted is read. Where it cannot, because its member there
begins inside a record or its rows are only counted, the input is read from its beginning, and on from there with the
next request: so all requests together read an input once, if they come in order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from thresher.address import Address
from thresher.reading.captures import Capture, Outcome, Reading, WarcReading, WatchedFile
from thresher.reading.kinds import FOLDER, RANGES
from thresher.reading.progress import Progress
from thresher.reading.records import Record, RecordReader

if TYPE_CHECKING:
    from thresher.options import CaptureOptions
    from thresher.reading.files import InputFile
    from thresher.reading.inputs import Input

_NEAR: Final = 3  # records of an input per one that is wanted, up to which reading on costs less than entering at each
_PIECE: Final = 1 << 20  # bytes of a record copied at a time


class Again:
    """One input, of which records are read again. Each process and thread needs its own; close() it."""

    def __init__(
        self, source: Input, options: CaptureOptions, *, filename: str | None = None, progress: Progress | None = None
    ) -> None:
        """`filename` is for warc_filename."""
        self._source, self._options, self._filename = source, options, filename
        self._progress = progress or Progress()
        self.pass_on: tuple[str, ...] = ()  # documents of these kinds are outcomes too
        self._file: InputFile | None = None
        self._enters: bool = source.is_archive or source.kind in (FOLDER, RANGES)
        self._all: Iterator[tuple[Address, Outcome]] | None = None  # reads on, from where the last request ended
        self._last = Address(-1)  # what it gave last
        self._held: tuple[Address, Outcome] | None = None  # the same, if nothing has come after it yet
        self._member: _Member | None = None  # the last that was entered for one offset alone

    @property
    def is_indexed(self) -> bool:
        """Whether it is a file of ranges, in which records have places, and offsets in archives of their own."""
        return self._source.kind == RANGES

    def captures(self, wanted: Collection[Address], *, among: int | None = None) -> Iterator[tuple[Address, Capture]]:
        """The captures at these addresses, in their order; those that are none any more are left out. Of a file of
        ranges the addresses are places.

        `among` is about how many records lie between the first and the last of them, if that is known. Raises
        InputError or TransferError if the input cannot be read.
        """
        left = sorted(set(wanted))
        if self._enters:
            is_dense = self._source.is_remote or (among is not None and among <= _NEAR * len(left))
            for _, near in groupby(left, lambda each: not is_dense and each.offset):
                stretch = list(near)
                if not (yield from self._entered(stretch)):
                    self._enters = False
                    left = [each for each in left if each >= stretch[0]]
                    break
            else:
                return
        if left:
            yield from _among(left, self._read_on(left[0]))

    def at(self, offset: int) -> Iterator[tuple[Address, Outcome]]:
        """What became of each record that begins at an offset, in their order; as far as it is asked for.

        Of a record that no page can be read from, there is nothing if the archive has no member there, or none that
        begins with a record and holds it. Raises as captures() does.
        """
        # A file of unknown size, as one compressed in a WACZ, is read from its beginning for each step back.
        if self._source.is_archive and self._enters and self._opened().size is not None:
            entered = self._archive(offset, offset + 1)
            yield from addressed(entered, entered.read_file(WatchedFile(self._opened(), self._progress)))
            if not entered.begins_inside:
                return
            self._enters = False
        for address, outcome in self._read_on(Address(offset)):
            if address.offset > offset:
                return
            if address.offset == offset:
                yield address, outcome

    def from_address(self, first: Address) -> Iterator[tuple[Address, Capture]]:
        """The captures from an address on. Raises as captures() does."""
        if first != Address(0) and self._source.is_archive:
            reading = self._archive(first.offset, None)
            yield from self._from(first, reading)
            if reading.n_records:
                return
        start = 0 if self._source.is_archive else first.offset
        yield from self._from(first, self._prepared(self._source.read(self._options, start, filename=self._filename)))

    def copy_record(self, address: Address, write: Callable[[bytes], object]) -> bool:
        """Writes the WARC record at this address as it is there, uncompressed; False if there is none."""
        if not self._source.is_archive:
            return False
        self._member = None
        for start in (address.offset, 0):
            reader = RecordReader(self._opened(), start, address.offset + 1, enters=True)
            for event in reader:
                if not isinstance(event, Record) or (event.offset, event.number) != address:
                    continue
                if not event.head.startswith(b"WARC/"):
                    return False  # in ARC
                write(event.head)
                while piece := event.reader.read(_PIECE):
                    write(piece)
                write(b"\r\n\r\n")
                return True
            if reader.first_offset is not None:
                return False
        return False

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    # -----------------------------------------------------------------------------------------------------------------

    def _opened(self) -> InputFile:
        if self._file is None:
            self._progress.fetch()
            self._file = self._source.open()
            self._progress.fetched()
        return self._file

    def _archive(self, start: int, end: int | None) -> WarcReading:
        """A reading of an archive that enters it at `start`. What was open in the file before ends here."""
        self._member = None
        reading = self._source.archive(self._options, start, end, filename=self._filename, enters=True)
        self._prepared(reading)
        return reading

    def _entered(self, wanted: list[Address]) -> Generator[tuple[Address, Capture], None, bool]:
        """The captures of one stretch, read from its first address to its last. Returns False if the archive cannot be
        entered there.
        """
        start, end = wanted[0].offset, wanted[-1].offset + 1
        if not self._source.is_archive:
            among = self._source.read(self._options, start, end, filename=self._filename)
            among.only = frozenset(each.offset for each in wanted)
            yield from _among(wanted, addressed(among, self._prepared(among).outcomes()))
            return True
        member = self._member
        if member is None or end > start + 1 or start != member.last.offset or wanted[0] <= member.last:
            reading = self._archive(start, end)
            found = addressed(reading, reading.read_file(WatchedFile(self._opened(), self._progress)))
            member = self._member = _Member(reading, found, Address(start, -1))
        yield from _among(wanted, member)
        return member.reading.n_records > 0

    def _read_on(self, first: Address) -> Iterator[tuple[Address, Outcome]]:
        """What becomes of the records from where the last request ended, or where that lies behind `first` from the
        beginning. The one at which a request ends comes again with the next.
        """
        if self._all is None or first < self._last or (first == self._last and self._held is None):
            whole = self._prepared(self._source.read(self._options, filename=self._filename))
            self._all, self._held = addressed(whole, whole.outcomes()), None
        while (found := self._held or next(self._all, None)) is not None:
            self._held, self._last = found, found[0]
            yield found
            self._held = None

    def _from(self, first: Address, reading: Reading) -> Iterator[tuple[Address, Capture]]:
        for address, outcome in addressed(reading, reading.outcomes()):
            if address >= first and isinstance(outcome, Capture):
                yield address, outcome

    def _prepared(self, reading: Reading) -> Reading:
        reading.progress, reading.pass_on = self._progress, self.pass_on
        return reading


class _Member:
    """What becomes of the records of a member, in order: it goes on where the last request ended, so that records that
    share a member are read once, however they are asked for.
    """

    def __init__(self, reading: WarcReading, found: Iterator[tuple[Address, Outcome]], last: Address) -> None:
        self.reading, self.last = reading, last
        self._found = found

    def __iter__(self) -> Iterator[tuple[Address, Outcome]]:
        for address, outcome in self._found:
            self.last = address
            yield address, outcome


def addressed(reading: Reading, outcomes: Iterable[Outcome]) -> Iterator[tuple[Address, Outcome]]:
    """Outcomes with the addresses that they have in the input that is read: what is no archive counts its pages."""
    is_archive = isinstance(reading, WarcReading)
    for outcome in outcomes:
        if not isinstance(outcome, Capture):
            yield Address(outcome.offset, outcome.number), outcome
        elif is_archive:
            yield Address(outcome.warc_record_offset, outcome.warc_record_number), outcome
        else:
            yield Address(outcome.place), outcome


def _among(wanted: list[Address], found: Iterable[tuple[Address, Outcome]]) -> Iterator[tuple[Address, Capture]]:
    """The captures at some addresses, which are in order, as are the outcomes."""
    left = set(wanted)
    for address, outcome in found:
        if address in left:
            left.discard(address)
            if isinstance(outcome, Capture):
                yield address, outcome
        if not left or address >= wanted[-1]:
            return
