# SPDX-License-Identifier: Apache-2.0
"""Imports pyarrow without numpy, pandas, dateutil and cloudpickle, in Thresher's own processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

_NOT_NEEDED: Final = frozenset({"numpy", "pandas", "dateutil", "cloudpickle"})


class _NotThere:
    """An import system in which none of them is installed."""

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if fullname in _NOT_NEEDED:
            raise ModuleNotFoundError(name=fullname)
        return None


def import_pyarrow(*, compute: bool = False) -> Any:  # noqa: ANN401 (a module)
    """pyarrow, and `pyarrow.compute` with it, made to believe that none of the four is installed, unless somebody
    imported it before.

    It takes values of their types and therefore imports numpy with itself (.1 s of CPU, and OpenBLAS starts a thread a
    core), pandas (.25 s and 40 MB) and dateutil (8 ms) when it is first given a list, and cloudpickle (10 ms) at once.
    It asks once and remembers the answer; others may import them afterwards.

    Its memory comes from malloc, unless ARROW_DEFAULT_MEMORY_POOL says otherwise: its own allocator has the kernel
    clear new pages for each group of rows. 6,017 labelled pages with templates take 6.2 s of CPU and 280 MB at the peak
    with that, 6.0 s and 186 MB with malloc.
    """
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # read once, when the library is loaded
    finder = _NotThere()
    sys.meta_path.insert(0, finder)
    try:
        import pyarrow as pa

        pa.array([None])
        if compute:
            import pyarrow.compute
    finally:
        sys.meta_path.remove(finder)
    return pa
