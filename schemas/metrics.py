# SPDX-License-Identifier: Apache-2.0
"""`metrics`: one row for each partition and stage. A partition is a split of a WARC; sums over its rows are sums over
the run, also where a task was repeated, because the rows of a partition are written once, together with its pages.
"""

import pyarrow as pa

from thresher.schemas.dead_letter import PARTS, TEMPLATES
from thresher.schemas.pages import PAGE_STAGES
from thresher.schemas.table import COUNTS, Column, Table

FILTER = "filter"
MORE_STAGES = {
    PARTS: "reading the rows of further tables, such as blocks and posts",
    FILTER: "columns computed from the text, such as those of quality, and filters that read rows",
    TEMPLATES: "the second pass of a run with templates over the partition",
}
"""Stages that only some runs have, and what they are."""
STAGES = (*PAGE_STAGES, PARTS, FILTER, "write", TEMPLATES)
TOTAL = "total"  # the whole partition: what the stages do not cover (bookkeeping, start-up) is total less their sum

TABLE = Table(
    "metrics",
    "One row for each partition (a split of a WARC) and stage.",
    (
        Column(
            1, "partition", pa.string(), "Name of the partition, as in its files' names.", "00007-0002", nullable=False
        ),
        Column(2, "warc_filename", pa.string(), "The WARC.", "CC-MAIN-00000.warc.gz", nullable=False),
        Column(3, "split_offset", pa.int64(), "Where the partition starts in the WARC, in bytes.", 33554432),
        Column(
            4,
            "stage",
            pa.string(),
            f"One of {', '.join((*STAGES, TOTAL))}. Only some runs have "
            + ", ".join(f"`{stage}` ({what})" for stage, what in MORE_STAGES.items())
            + ".",
            "parse",
            nullable=False,
        ),
        Column(5, "pages", pa.int64(), "Pages that went through the stage.", 2600),
        Column(6, "nodes", pa.int64(), "Nodes of these pages.", 5100000),
        Column(
            7,
            "bytes",
            pa.int64(),
            "Bytes that the stage worked on: for read the WARC's, for decode the payload's, for parse, metrics, "
            "extract and metadata the page's in UTF-8, for render and language the main text's, "
            "for write the rows' in memory (the size of a file depends on the timings in it).",
            218000000,
        ),
        Column(8, "seconds", pa.float64(), "Elapsed time of the stage.", 0.98, measured=True),
        Column(9, "nodes_per_second", pa.float64(), "nodes / seconds.", 5.2e6, measured=True),
        Column(
            10,
            "peak_memory",
            pa.int64(),
            "Largest resident size of the worker so far, in bytes (the row `total` only).",
            180000000,
            measured=True,
        ),
        Column(11, "records", pa.int64(), "WARC records of any type (the row `read` only).", 7801),
        Column(12, "statuses", COUNTS, "Pages by status (the row `total` only).", {"ok": 2590, "empty": 10}),
        Column(13, "skipped", COUNTS, "Records left out, by reason (the row `read` only).", {"status": 12}),
        Column(14, "errors", COUNTS, "Dead letters of the stage, by error class.", {"DamagedFile": 1}),
        Column(15, "cpu_seconds", pa.float64(), "Processor time (the row `total` only).", 2.6, measured=True),
        Column(
            16,
            "requests",
            pa.int64(),
            "Requests to web servers and object stores (the row `read` only; null where the input is local).",
            1280,
            measured=True,
        ),
        Column(
            17,
            "bytes_received",
            pa.int64(),
            "Bytes that these requests brought, with those between the records of an index, which are thrown away.",
            61000000,
            measured=True,
        ),
        Column(
            18,
            "rules",
            COUNTS,
            "Pages that filters left out, by filter and the rule that they break (the row `read` only); null if none.",
            {"quality: gopher_short_doc": 4},
        ),
    ),
)
