# SPDX-License-Identifier: Apache-2.0
"""`templates`: what a host repeats. One row for the text of each block that several pages of a host have.

Written by runs with --templates learn, apply or fused; read by `thresher templates show` and by --templates apply on a
later crawl.
"""

import pyarrow as pa

from thresher.schemas.table import Column, Table

TABLE = Table(
    "templates",
    "One row for the text of each block that several pages of a host have in common.",
    (
        Column(1, "node", pa.string(), "Node of the URL tree: a host.", "www.example.org", nullable=False),
        Column(2, "level", pa.string(), "Reserved: no run writes it.", "text", optional=True),
        Column(
            3,
            "fingerprint",
            pa.int64(),
            "Fingerprint of the block's text: its letters in lower case, hashed.",
            -1183748519983447,
        ),
        Column(4, "signature", pa.string(), "Reserved: no run writes it.", "body/div.nav/ul", optional=True),
        Column(5, "pages", pa.int64(), "Pages of the node that have it, without copies.", 93, nullable=False),
        Column(6, "known", pa.int64(), "Pages of the node that were looked at.", 100, nullable=False),
        Column(7, "example", pa.string(), "How the text begins on one of the pages.", "About us | Imprint"),
    ),
)  # fmt: skip
