# SPDX-License-Identifier: Apache-2.0
"""`code`: the listings of the main text (write.also)."""

import pyarrow as pa

from thresher.schemas.table import Column, Table, page_columns

TABLE = Table(
    "code",
    "One row for each listing (preformatted text) in the main text of a page, where a run asks for it (write.also).",
    (
        Column(1, "number", pa.int32(), "Place of the listing on its page, from 0.", 0, nullable=False),
        Column(2, "heading", pa.string(), "The last heading above it in the main text.", "Code"),
        Column(
            3,
            "language",
            pa.string(),
            "The programming language that the page names for it; null where it names none.",
            "python",
        ),
        Column(4, "text", pa.string(), "Its lines, at most 262,144 characters.", "print(1)"),
        Column(
            5,
            "cut",
            pa.string(),
            "What was cut: text; in the last listing of a page how many listings beyond 1,000 have no row; page where "
            "the main text was read up to a limit. Null where nothing was.",
            "text",
        ),
        *page_columns(20),
    ),
)
