# SPDX-License-Identifier: Apache-2.0
"""The ledger: which partitions are finished, in one small JSON file per input that was begun.

OUT/_ledger/00007.json lists the finished partitions of the eighth input; it is named 00007.done.json when there are no
others. A partition that is to be tried again keeps its entry, marked so, and its rows until others replace them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from thresher.writing.storage import Storage

LEDGER: Final = "_ledger"
_DONE: Final = ".done.json"


@dataclass(frozen=True, slots=True)
class PartitionEntry:
    """A finished partition in the ledger."""

    partition: str
    next_offset: int | None  # of the first record after it; None if the input ended or broke off
    rows: dict[str, int]  # per table
    start: int | None = None  # where it began; None if the input had ended before it
    again: bool = False  # to be tried again

    @property
    def number(self) -> int:
        return int(self.partition.rpartition("-")[2])


class Ledger:
    def __init__(self, storage: Storage, below: str = "") -> None:
        """`below` names a run folder inside that of the storage."""
        self._storage = storage
        self._folder = f"{below}/{LEDGER}" if below else LEDGER

    def finished(self) -> set[int]:
        """The numbers of the inputs that are finished."""
        numbers = {name.removesuffix(_DONE) for name in self._storage.names(self._folder) if name.endswith(_DONE)}
        return {int(number) for number in numbers if number.isdecimal()}

    def read(self, run_input: int) -> list[PartitionEntry]:
        """The finished partitions of an input, in order."""
        with self._storage.undamaged(f"{self._folder}/{run_input:05d}"):
            return [PartitionEntry(**entry) for entry in self._record(run_input).get("partitions", ())]

    def _record(self, run_input: int) -> dict[str, Any]:
        for name in (f"{run_input:05d}{_DONE}", f"{run_input:05d}.json"):
            try:
                found: dict[str, Any] = self._storage.read_json(f"{self._folder}/{name}")
            except FileNotFoundError:
                continue
            return found
        return {}

    def write(
        self,
        run_input: int,
        source: str,
        entries: Iterable[PartitionEntry],
        *,
        done: bool,
        size: int | None = None,
        names: str | None = None,
    ) -> None:
        """Record the finished partitions of an input of `size` bytes; `done` when there are no others. `names` are
        the digest of the files of a folder.
        """
        record = {"warc": source, "size": size, "names": names, "partitions": [asdict(entry) for entry in entries]}
        self._storage.write_json(f"{self._folder}/{run_input:05d}{_DONE if done else '.json'}", record)
        if done:
            self._storage.delete(self._storage.path(self._folder, f"{run_input:05d}.json"))

    def size(self, run_input: int) -> int | None:
        """The bytes that an input had when its partitions were made; None if that is not known."""
        found = self._record(run_input).get("size")
        return found if isinstance(found, int) else None

    def state(self, run_input: int) -> dict[str, Any]:
        """What an input was when its partitions were made, as write() takes it: `size` and `names`."""
        record = self._record(run_input)
        return {key: record.get(key) for key in ("size", "names")}

    def reopen(self, partitions: Mapping[int, Iterable[int]]) -> None:
        """Marks partitions, by number of their input, to be tried again."""
        for run_input, numbers in partitions.items():
            wanted, record = set(numbers), self._record(run_input)
            entries = [replace(entry, again=entry.again or entry.number in wanted) for entry in self.read(run_input)]
            self.write(run_input, record.get("warc", ""), entries, done=False, **self.state(run_input))
            self._storage.delete(self._storage.path(self._folder, f"{run_input:05d}.done.json"))

    def forget(self) -> None:
        """Forgets all partitions of all inputs: everything is decided again."""
        for name in self._storage.names(self._folder):
            self._storage.delete(self._storage.path(self._folder, name))
