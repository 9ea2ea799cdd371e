# SPDX-License-Identifier: Apache-2.0
"""The ledger: which partitions are finished, in one small JSON file per WARC that was begun.

OUT/_ledger/00007.json lists the finished partitions of the eighth WARC; it is named 00007.done.json when there are no
others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final

from thresher.writing.storage import Storage

LEDGER: Final = "_ledger"


@dataclass(frozen=True, slots=True)
class PartitionEntry:
    """A finished partition in the ledger."""

    partition: str
    next_offset: int | None  # of the first record after it; None if the WARC ended or broke off
    rows: dict[str, int]  # per table


class Ledger:
    """The ledger of one run folder."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def finished(self) -> set[int]:
        """The numbers of the WARCs that are finished."""
        return {int(name.split(".")[0]) for name in self._storage.names(LEDGER) if name.endswith(".done.json")}

    def read(self, run_input: int) -> list[PartitionEntry]:
        """The finished partitions of a WARC, in order, without a gap."""
        for name in (f"{run_input:05d}.done.json", f"{run_input:05d}.json"):
            try:
                record = self._storage.read_json(f"{LEDGER}/{name}")
            except FileNotFoundError:
                continue
            with self._storage.undamaged(f"{LEDGER}/{name}"):
                return [PartitionEntry(**entry) for entry in record["partitions"]]
        return []

    def write(self, run_input: int, source: str, entries: Iterable[PartitionEntry], *, done: bool) -> None:
        """Record the finished partitions of a WARC; `done` when there are no others."""
        record = {"warc": source, "partitions": [asdict(entry) for entry in entries]}
        self._storage.write_json(f"{LEDGER}/{run_input:05d}{'.done' if done else ''}.json", record)
        if done:
            self._storage.delete(self._storage.path(LEDGER, f"{run_input:05d}.json"))

    def reopen(self, run_input: int, source: str, entries: Iterable[PartitionEntry]) -> None:
        """Forgets all partitions of a WARC but these, its first ones, so that the others are worked on again."""
        self.write(run_input, source, entries, done=False)
        self._storage.delete(self._storage.path(LEDGER, f"{run_input:05d}.done.json"))
