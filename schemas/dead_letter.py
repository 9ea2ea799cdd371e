# SPDX-License-Identifier: Apache-2.0
"""`dead_letter`: one row for each record, page or partition that failed, with what is needed to try again."""

import pyarrow as pa

from thresher.schemas.table import Column, Table, record_number

WORKER = "worker"  # stage of the dead letters about processes that died
PARTS = "parts"  # stage of the dead letters about pages whose rows of a further table could not be read
TEMPLATES = "templates"  # stage of the dead letters about pages that the second pass could not read again
PAGE_GIVEN_UP = "PageGivenUp"  # with stage `worker`: the page alone is lost; any other class: the whole partition

STAGES = {
    "read": "the archive or one of its records is damaged, or cannot be opened",
    "index": "an index names a record that its archive does not have there; the archive is fine",
    "record": "the WARC headers of a record lack what a page needs",
    "http": "the HTTP head of a response cannot be read",
    "decode": "transfer coding, content coding or charset of a page",
    "parse": "parsing",
    "metrics": "measuring",
    "extract": "choosing the main text",
    "render": "writing the text",
    "language": "identifying the language; the page has its row all the same",
    "metadata": "reading the metadata",
    PARTS: "reading the rows of further tables, such as blocks and posts; the page has its row all the same",
    TEMPLATES: "deciding a page again with what its host repeats; the page has its row of the first pass all the same",
    WORKER: "the worker process died or was stopped",
}
"""Where something can go wrong, and what that means."""

TABLE = Table(
    "dead_letter",
    "One row for each record, page or split that could not be worked on.",
    (
        Column(1, "warc_filename", pa.string(), "The WARC.", "CC-MAIN-00000.warc.gz", nullable=False),
        Column(2, "warc_record_offset", pa.int64(), "Bytes from the WARC's start.", 123456),
        record_number(8),
        Column(3, "warc_record_length", pa.int64(), "Bytes of the record; null where unknown.", 20480),
        Column(4, "url", pa.string(), "URL, where one was read.", "https://example.org/"),
        Column(
            5,
            "stage",
            pa.string(),
            "Where it happened: " + "; ".join(f"`{stage}`: {what}" for stage, what in STAGES.items()) + ".",
            "read",
            nullable=False,
        ),
        Column(6, "error_class", pa.string(), "Class of the error.", "DamagedFile", nullable=False),
        Column(7, "message", pa.string(), "What was wrong.", "gzip member is cut off"),
    ),
)
