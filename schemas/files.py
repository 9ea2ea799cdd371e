# SPDX-License-Identifier: Apache-2.0
"""`files`: one row for each file that the inputs of a run name, read or left out."""

import pyarrow as pa

from thresher.schemas.table import Column, Table

LEFT_OUT = {
    "no_pages": "an image, a PDF, a style sheet or another kind of file without pages",
    "wat": "a WAT, metadata about the pages of a WARC",
    "no_html": "JSON Lines or Parquet without the column of HTML (read.html_column)",
    "list": "a list of paths; name it as an input itself",
    "run": "a folder with the output of a run",
    "folder": "a link to a folder, or a folder that a pattern matches; name it as an input itself",
    "remote": "an HTML file in a store; a folder of HTML files has to be a local one",
    "unknown": "neither its name nor its content says what it is",
    "empty": "no bytes, compressed or not",
    "again": "it is read already, under another spelling of its path, by a link, or as part of a folder",
    "unreadable": "it cannot be opened, or is no WACZ although its name says so",
    "special": "a pipe, a socket or a device",
}
"""Why a file is not read."""

TABLE = Table(
    "files",
    "One row for each file that the inputs name: those of folders, patterns and lists one by one.",
    (
        Column(1, "file", pa.string(), "Path or URL.", "crawl/a.warc.gz", nullable=False),
        Column(
            2,
            "kind",
            pa.string(),
            "What it is: `warc`, `wacz`, `wet`, `jsonl`, `parquet`, `html`, a media type, or a description; null if "
            "that is not known.",
            "warc",
        ),
        Column(
            3,
            "input",
            pa.int64(),
            "The number of the input that reads it, as in the names of partitions, from 0; null if none does. The HTML "
            "files of a folder are one input.",
            0,
        ),
        Column(
            4,
            "reason",
            pa.string(),
            "Why it is left out; null if it is read. "
            + "; ".join(f"`{reason}`: {what}" for reason, what in LEFT_OUT.items())
            + ".",
            "no_pages",
        ),
    ),
)
