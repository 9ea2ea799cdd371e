# SPDX-License-Identifier: Apache-2.0
"""pyarrow without numpy and pandas, for processes that are Thresher's own: the command line and its workers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

_NOT_NEEDED: Final = frozenset({"numpy", "pandas"})


class _NotThere(MetaPathFinder):
    """An import system in which neither is installed."""

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if fullname in _NOT_NEEDED:
            raise ModuleNotFoundError(name=fullname)
        return None


def import_pyarrow() -> Any:  # noqa: ANN401 (a module)
    """pyarrow, made to believe that neither numpy nor pandas is installed, unless somebody imported it before.

    It takes arrays of both and therefore imports numpy with itself (.1 s of CPU, and OpenBLAS starts a thread a core) and pandas when it is first
    given a list (.25 s and 40 MB). It asks once and remembers the answer; others may import either afterwards.
    """
    finder = _NotThere()
    sys.meta_path.insert(0, finder)
    try:
        import pyarrow as pa

        pa.array([None])
    finally:
        sys.meta_path.remove(finder)
    return pa
