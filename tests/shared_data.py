# SPDX-License-Identifier: Apache-2.0
"""Where the real pages and archives are that tests read: labelled/*.parquet, warc-real/*, html5lib-tests/.

They are too large, and licensed too variously, to be part of the repository. THRESHER_DATA names the folder; without it
shared/data beside the checkout is taken. Tests ask for the fixture `data`, which skips them where the folder is
missing; tests that are parametrised over its files call `files` when they are collected. Either way conftest.py counts
them. A file that is missing from a folder that is there is an error, not a skip.
"""

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent

_folder = Path(os.environ.get("THRESHER_DATA") or CHECKOUT.parent / "shared" / "data")
DATA = _folder if _folder.is_dir() else None
MISSING = f"no test data: {_folder} is not a directory; set THRESHER_DATA"


def files(pattern: str) -> list[Path]:
    """Files below the data folder that match a glob pattern, sorted; [] without data. Raises if there is data but no
    match.
    """
    if DATA is None:
        return []
    found = sorted(DATA.glob(pattern))
    if not found:
        msg = f"{DATA} holds no {pattern}"
        raise FileNotFoundError(msg)
    return found
