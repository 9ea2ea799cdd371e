# SPDX-License-Identifier: Apache-2.0
"""`images`: text and pictures of a page in reading order (write.also)."""

import pyarrow as pa

from thresher.schemas.table import Column, Table, page_columns

TABLE = Table(
    "images",
    "Text and pictures of the main text in reading order, for pages with a picture, where a run asks for it "
    "(write.also). The first columns are those of NeMo Curator's interleaved rows.",
    (
        Column(
            1,
            "sample_id",
            pa.string(),
            "The page's id, as in duplicate_of.",
            "CC-MAIN-00000.warc.gz#123456",
            nullable=False,
        ),
        Column(2, "position", pa.int32(), "Place of the row on its page, from 0.", 1, nullable=False),
        Column(3, "modality", pa.string(), "`text` or `image`.", "image", nullable=False),
        Column(4, "content_type", pa.string(), "text/plain; null for a picture.", "text/plain"),
        Column(
            5,
            "text_content",
            pa.string(),
            "The plain text up to the next picture, whatever the run's format; null for a picture.",
            "The wheel came back in spring.",
        ),
        Column(
            6,
            "image_url",
            pa.string(),
            "Address of the picture, absolute; null for text. That which a script loads where src holds a placeholder.",
            "https://example.org/wheel.jpg",
        ),
        Column(7, "alt", pa.string(), "Its alternative text, at most 2,000 characters.", "A wheel"),
        Column(
            8,
            "caption",
            pa.string(),
            "Text of the figcaption or the element with a class such as caption around it, at most 2,000 characters. "
            "It may be in the text too.",
            "The wheel in May",
        ),
        Column(
            9,
            "credit",
            pa.string(),
            "Whose picture it is: an element with a class such as credit beside or inside the caption, or the end of "
            "the caption behind words such as Photo:.",
            "Photo: Ann Lee",
        ),
        Column(10, "width", pa.int32(), "Width that the page declares, in pixels.", 640),
        Column(11, "height", pa.int32(), "Height that the page declares, in pixels.", 480),
        Column(
            12,
            "cut",
            pa.string(),
            "What was cut of this row (alt, caption, credit), or in the last row of a page how many pictures beyond "
            "500 have no row; null where nothing was.",
            "caption",
        ),
        *page_columns(20),
    ),
)
