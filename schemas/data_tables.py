# SPDX-License-Identifier: Apache-2.0
"""`tables`: the data tables of the main text (write.also)."""

import pyarrow as pa

from thresher.schemas.table import CELLS, Column, Table, page_columns

TABLE = Table(
    "tables",
    "One row for each data table in the main text of a page, where a run asks for it (write.also).",
    (
        Column(1, "number", pa.int32(), "Place of the table on its page, from 0.", 0, nullable=False),
        Column(2, "heading", pa.string(), "The last heading above it in the main text.", "Figures"),
        Column(3, "caption", pa.string(), "Its caption, at most 2,000 characters.", "Wheels by year"),
        Column(
            4,
            "header",
            CELLS,
            "Its first rows as long as all their text is in header cells, mostly one. Empty where it has none.",
            [["Year", "Wheels"]],
        ),
        Column(
            5,
            "cells",
            CELLS,
            "All other rows. Rows are equally long: a cell over several columns or rows has its text in the first of "
            "them, and the others are empty. Blocks and line breaks in a cell are lines.",
            [["1990", "12"], ["1991", "13"]],
        ),
        Column(6, "n_columns", pa.int32(), "Its columns.", 2),
        Column(
            7,
            "cut",
            pa.string(),
            "What was cut: caption, cells (beyond 8,000 characters), columns (beyond 256), rows (beyond 5,000, or "
            "200,000 cells a page); in the last table of a page how many tables beyond 500 have no row; page where "
            "the main text was read up to a limit. Null where nothing was.",
            "cells",
        ),
        *page_columns(20),
    ),
)
