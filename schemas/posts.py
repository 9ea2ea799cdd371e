# SPDX-License-Identifier: Apache-2.0
"""`posts`: the posts of threads (write.also)."""

import pyarrow as pa

from thresher.schemas.table import Column, Table, page_columns

TABLE = Table(
    "posts",
    "One row for each post of a thread, a topic of a forum or a question with its answers, where a run asks for it "
    "(write.also). Other pages have none, whatever their readers comment.",
    (
        Column(1, "number", pa.int32(), "Place of the post on its page, from 1.", 1, nullable=False),
        Column(
            2,
            "author",
            pa.string(),
            "The name of its author as the page shows it, at most 100 characters; null where none was found.",
            "ann_lee",
        ),
        Column(
            3,
            "date",
            pa.date32(),
            "The day on which it was written; null where the page shows none, or only how long ago it was.",
            "2014-03-05",
        ),
        Column(
            4,
            "text",
            pa.string(),
            "What of the main text stands in it, in the run's format and without images, at most 262,144 characters. "
            "Lines with author or date are left out.",
            "The wheel came back in spring.",
        ),
        Column(
            5,
            "cut",
            pa.string(),
            "What was cut: text; in the last post of a page how many posts beyond 1,000 have no row. Null where "
            "nothing was.",
            "text",
        ),
        *page_columns(20),
    ),
)
