# SPDX-License-Identifier: Apache-2.0
"""`blocks`: how each block of a page was judged (write.blocks).

With it, thresholds can be changed and choices be studied without reading a page again. `warc_filename`,
`warc_record_offset` and `warc_record_number` name the page.
"""

import pyarrow as pa

from thresher.schemas.table import Column, Table, record_number

TABLE = Table(
    "blocks",
    "One row for each block of a page, in the order of the page, where a run asks for it.",
    (
        Column(1, "url", pa.string(), "URL of the page.", "https://example.org/a?b=1"),
        Column(2, "url_host_name", pa.string(), "Host name of the page.", "www.example.org"),
        Column(3, "warc_filename", pa.string(), "The WARC.", "CC-MAIN-00000.warc.gz", nullable=False),
        Column(4, "warc_record_offset", pa.int64(), "Bytes from the WARC's start to the page.", 123456),
        record_number(17),
        Column(5, "block_order", pa.int32(), "The block's place on the page, from 0.", 17, nullable=False),
        Column(
            6,
            "kind",
            pa.string(),
            "What it is: paragraph, heading-1 to heading-6, list-item, term, description, table-cell, caption, "
            "preformatted, quote, address, button, label, or else text.",
            "paragraph",
            nullable=False,
        ),
        Column(
            7,
            "path",
            pa.string(),
            "The element that holds it and those around it up to the body, 16 at most; each with its id, or without "
            "one its first class. Names are cut at 24 bytes.",
            "div#main/article/p.lead",
        ),
        Column(8, "text", pa.string(), "Its text.", "The wheel came back in spring."),
        Column(9, "text_density", pa.float32(), "Its characters for each element inside it.", 84.5),
        Column(10, "link_density", pa.float32(), "Share, 0 to 1, of its characters inside links.", 0.0),
        Column(11, "words", pa.int32(), "Its words; a CJK character counts as one.", 17),
        Column(
            12,
            "score",
            pa.float32(),
            "Log odds that it is main text, judged by itself; null where the extractor scores no blocks.",
            2.31,
        ),
        Column(13, "probability", pa.float32(), "The same as a probability, 0 to 1.", 0.91),
        Column(
            14,
            "template_frequency",
            pa.float32(),
            "Share, 0 to 1, of the other pages of its host that have the same text; null where templates were not "
            "counted, or where no other page is known.",
            0.93,
        ),
        Column(15, "kept", pa.bool_(), "Whether it is in the main text of the page.", True, nullable=False),
        Column(
            16,
            "language",
            pa.string(),
            "Language of `text`: ISO 639-3, `und` where undetermined. Only where a run asks for it (language.blocks).",
            "ell",
            optional=True,
        ),
    ),
)
