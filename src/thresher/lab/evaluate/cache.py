# SPDX-License-Identifier: Apache-2.0
"""The cache of texts and scores: nothing runs twice unless the page, the system or a metric has changed."""

import json
import os
import zlib
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from thresher.lab.evaluate.metrics import METRICS
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.systems import System


class Cache:
    """Outputs and scores, each a compressed JSON list in a file that is named by a hash; several runs can share them.

    The hash of an output is that of its system, the system's version and the page; that of scores is given.
    EvaluationError if the directory cannot be used.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory / "evaluation"
        try:
            for first in range(256):
                (self._directory / f"{first:02x}").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EvaluationError(
                f"cannot keep results in {self._directory}: {error} (--cache names another directory)"
            ) from error

    def _file(self, key: bytes) -> Path:
        name = key.hex()
        return self._directory / name[:2] / name[2:]

    def _values(self, keys: Collection[bytes]) -> Iterator[tuple[bytes, list[Any]]]:
        """Those that there are; one that is damaged is as good as none."""
        for key in keys:
            try:
                values = json.loads(zlib.decompress(self._file(key).read_bytes()))
            except (OSError, ValueError, zlib.error):
                continue
            yield key, values

    def _store(self, key: bytes, values: Sequence[Any]) -> None:
        file = self._file(key)
        new = file.with_suffix(f".{os.getpid()}")
        new.write_bytes(zlib.compress(json.dumps(values).encode(), 1))
        new.replace(file)

    def outputs(self, system: System, keys: Collection[bytes]) -> dict[bytes, Output]:
        pages = {_key(system, page): page for page in keys}
        return {pages[key]: Output(*values) for key, values in self._values(pages)}

    def store_output(self, system: System, key: bytes, output: Output) -> None:
        self._store(_key(system, key), output)

    def forget(self, system: System, keys: Collection[bytes]) -> None:
        for page in keys:
            self._file(_key(system, page)).unlink(missing_ok=True)

    def scores(self, keys: Collection[bytes]) -> dict[bytes, dict[str, float]]:
        return {key: dict(zip(METRICS, values, strict=True)) for key, values in self._values(keys)}

    def store_scores(self, key: bytes, scores: dict[str, float]) -> None:
        self._store(key, [scores[name] for name in METRICS])


def _key(system: System, page: bytes) -> bytes:
    return sha256(f"{system.name}\0{system.version}\0".encode() + page).digest()


def default_cache_directory() -> Path:
    """Where results are kept by default: $XDG_CACHE_HOME/thresher or ~/.cache/thresher."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "thresher"
