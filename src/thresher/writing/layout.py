# SPDX-License-Identifier: Apache-2.0
"""What the folder of a run holds, by name.

OUT/pages/00007-0002.parquet    rows of partition 2 of the eighth WARC; metrics/ and dead_letter/ use the same names
OUT/pages/00007-0002.jsonl.zst  the same as JSON Lines, or as CSV; WET is 00007-0002.warc.wet.gz
OUT/pages/schema.parquet        no rows: makes the table readable even if it has no pages
OUT/passed_on/00007-0002.warc.gz  records of documents, as they are in the archives (warc_file.py)
OUT/_run.json                   resolved configuration, inputs and versions: everything that rows depend on
OUT/_inputs.json                all inputs, in order
OUT/_index/                     of a run over an index: the records that it names, as files of ranges
OUT/_plan.json                  what is left to do, for people (thresher.running.plan)
OUT/_shards/                    the shards of a run that are not merged yet, each a run folder
OUT/_ledger/                    which partitions are finished (ledger.py)
OUT/_staging/                   the folder of the first pass, while a run with templates lasts (staging.py)
OUT/_answers/                   answers that were merged into the rows (thresher.rows.answers)
OUT/_compact/                   files of a finished run being rewritten (thresher.after.compacting)
OUT/_temporary/                 files being written (storage.py); readers ignore them
"""

from __future__ import annotations

import re
from typing import Final

from thresher.reading import names
from thresher.schemas import TABLES
from thresher.schemas.skipped import PASSED_ON
from thresher.writing.ledger import LEDGER
from thresher.writing.storage import TEMPORARY

RUN_FILE: Final = names.RUN_FILE
INPUTS: Final = "_inputs.json"
INDEX: Final = "_index"
LOCK: Final = "_lock"
COMPACTING: Final = "_compact"
ANSWERS: Final = "_answers"
NEW_ANSWERS: Final = ".new.parquet"
"""What the name of a file of answers ends with that are not in all rows yet."""
PLAN: Final = "_plan.json"
SHARDS: Final = "_shards"
STAGING: Final = "_staging"
_PART: Final = re.compile(r"(\d{5,})-\d{4,}\.(parquet|arrow|(?:jsonl|csv|warc(?:\.wet)?)(?:\.zst|\.gz)?)")
RUN_NAMES: Final = frozenset(
    {RUN_FILE, INPUTS, INDEX, LEDGER, TEMPORARY, LOCK, PLAN, SHARDS, STAGING, COMPACTING, ANSWERS, PASSED_ON, *TABLES}
)
"""The names that may be in the folder of a run."""


def input_of(file: str) -> int | None:
    """The number of the input that a file of a table belongs to; None for a file that no run writes."""
    part = _PART.fullmatch(file)
    return int(part[1]) if part else None
