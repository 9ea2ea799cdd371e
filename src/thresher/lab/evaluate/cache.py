# SPDX-License-Identifier: Apache-2.0
"""The cache of texts and scores: nothing runs twice unless the page, the system or a metric has changed."""

import json
import os
import sqlite3
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from thresher.lab.evaluate.metrics import METRICS
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.systems import System


class Cache:
    """Outputs and scores in one SQLite file.

    An output is found by its system, the system's version and the SHA-256 of the page; scores are found by a hash of
    output, gold text and version of the metrics. EvaluationError if the directory or the file cannot be used.
    """

    def __init__(self, directory: Path) -> None:
        self._new_outputs: list[tuple[str, str, bytes, str, float, bytes]] = []
        self._new_scores: list[tuple[bytes, str]] = []
        file = directory / "evaluation.sqlite"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(file, timeout=60)
            self._create_tables()
        except (OSError, sqlite3.Error) as error:
            raise EvaluationError(
                f"cannot keep results in {file}: {error} (--cache names another directory)"
            ) from error

    def _create_tables(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        with self._connection:
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS outputs (system TEXT, version TEXT, page BLOB, status TEXT,"
                " milliseconds REAL, text BLOB, PRIMARY KEY (system, version, page)) WITHOUT ROWID"
            )
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, metrics TEXT) WITHOUT ROWID"
            )

    def outputs(self, system: System, keys: Sequence[bytes]) -> dict[bytes, Output]:
        """The cached outputs of a system for these pages."""
        found = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            rows = self._connection.execute(
                "SELECT page, status, milliseconds, text FROM outputs WHERE system = ? AND version = ? AND page IN"
                f" ({','.join('?' * len(part))})",
                (system.name, system.version, *part),
            )
            for page, status, milliseconds, text in rows:
                kept = zlib.decompress(text).decode("utf-8", "surrogatepass")
                ok = status == "ok"
                found[page] = Output(status, milliseconds, kept if ok else "", "" if ok else kept)
        return found

    def store_output(self, system: System, key: bytes, output: Output) -> None:
        """Adds one output; `commit` writes it. A failure has no text: the reason is in its place."""
        text = zlib.compress((output.text or output.reason).encode("utf-8", "surrogatepass"), 1)
        self._new_outputs.append((system.name, system.version, key, output.status, output.milliseconds, text))

    def forget(self, system: System, keys: Sequence[bytes]) -> None:
        """Removes the outputs of a system for these pages."""
        self.commit()
        with self._connection:
            self._connection.executemany(
                "DELETE FROM outputs WHERE system = ? AND version = ? AND page = ?",
                [(system.name, system.version, key) for key in keys],
            )

    def scores(self, keys: Sequence[bytes]) -> dict[bytes, dict[str, float]]:
        """The cached scores under these keys."""
        found: dict[bytes, dict[str, float]] = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            rows = self._connection.execute(
                f"SELECT key, metrics FROM scores WHERE key IN ({','.join('?' * len(part))})",
                tuple(part),
            )
            found.update((key, dict(zip(METRICS, json.loads(values), strict=True))) for key, values in rows)
        return found

    def store_scores(self, key: bytes, scores: dict[str, float]) -> None:
        """Adds the scores of one text; `commit` writes them."""
        self._new_scores.append((key, json.dumps([scores[name] for name in METRICS])))

    def commit(self) -> None:
        """Writes what was added since the last commit, in one short transaction: several runs can share the file."""
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?, ?)", self._new_outputs)
            self._connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", self._new_scores)
        self._new_outputs.clear()
        self._new_scores.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.commit()
        self._connection.close()


def default_cache_directory() -> Path:
    """Where results are kept by default: $XDG_CACHE_HOME/thresher or ~/.cache/thresher."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "thresher"
