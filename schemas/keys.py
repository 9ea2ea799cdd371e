# SPDX-License-Identifier: Apache-2.0
"""`keys`: by what later runs recognise the pages of this one (--known).

Written by runs with --templates. Two pages that share a key are copies of each other: they have the same payload, the
same address, or nearly the same text on a host.
"""

import pyarrow as pa

from thresher.schemas.table import Column, Table, record_number

TABLE = Table(
    "keys",
    "One row for each key of a page that no earlier page of the partition has.",
    (
        Column(
            1,
            "key",
            pa.int64(),
            "Hash of the host with the payload's digest or with a MinHash band of the text, or of the domain with the "
            "address. Only runs of one version agree in it.",
            -1183748519983447,
            nullable=False,
        ),
        Column(2, "warc_filename", pa.string(), "The page's WARC.", "crawl-00000.warc.gz", nullable=False),
        Column(3, "warc_record_offset", pa.int64(), "Bytes from the WARC's start to the page.", 81234),
        record_number(4),
    ),
)
