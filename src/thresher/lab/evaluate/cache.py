# SPDX-License-Identifier: Apache-2.0
"""The cache of texts and scores: nothing runs twice unless the page, the system or a metric has changed."""

import json
import os
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from thresher.lab.evaluate.metrics import METRICS
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.systems import System


class Cache:
    """Outputs and scores in one SQLite file, each a JSON list under a hash.

    The hash of an output is that of its system, the system's version and the page; that of scores is given.
    EvaluationError if the directory or the file cannot be used.
    """

    def __init__(self, directory: Path) -> None:
        self._new: dict[bytes, bytes] = {}
        file = directory / "evaluation.sqlite"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(file, timeout=60)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            with self._connection:
                self._connection.execute(
                    "CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
                )
        except (OSError, sqlite3.Error) as error:
            raise EvaluationError(
                f"cannot keep results in {file}: {error} (--cache names another directory)"
            ) from error

    def _values(self, keys: Collection[bytes]) -> Iterator[tuple[bytes, list[Any]]]:
        for key in keys:
            for (value,) in self._connection.execute("SELECT value FROM entries WHERE key = ?", (key,)):
                yield key, json.loads(zlib.decompress(value))

    def _store(self, key: bytes, values: Sequence[Any]) -> None:
        self._new[key] = zlib.compress(json.dumps(values).encode(), 1)

    def outputs(self, system: System, keys: Collection[bytes]) -> dict[bytes, Output]:
        pages = {_key(system, page): page for page in keys}
        return {pages[key]: Output(*values) for key, values in self._values(pages)}

    def store_output(self, system: System, key: bytes, output: Output) -> None:
        self._store(_key(system, key), output)

    def forget(self, system: System, keys: Collection[bytes]) -> None:
        self.commit()
        with self._connection:
            self._connection.executemany("DELETE FROM entries WHERE key = ?", [(_key(system, page),) for page in keys])

    def scores(self, keys: Collection[bytes]) -> dict[bytes, dict[str, float]]:
        return {key: dict(zip(METRICS, values, strict=True)) for key, values in self._values(keys)}

    def store_scores(self, key: bytes, scores: dict[str, float]) -> None:
        self._store(key, [scores[name] for name in METRICS])

    def commit(self) -> None:
        """Writes what was added since the last commit, in one short transaction: several runs can share the file."""
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?)", self._new.items())
        self._new.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.commit()
        self._connection.close()


def _key(system: System, page: bytes) -> bytes:
    return sha256(f"{system.name}\0{system.version}\0".encode() + page).digest()


def default_cache_directory() -> Path:
    """Where results are kept by default: $XDG_CACHE_HOME/thresher or ~/.cache/thresher."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "thresher"
