# SPDX-License-Identifier: Apache-2.0
"""The tables that a run writes, one module each. Nothing here knows how they are filled."""

from thresher.schemas import (
    blocks,
    data_tables,
    dead_letter,
    files,
    images,
    keys,
    listings,
    metrics,
    pages,
    skipped,
    templates,
)
from thresher.schemas.table import Column, Table

PARTS: dict[str, Table] = {module.TABLE.name: module.TABLE for module in (images, data_tables, listings)}
"""Tables of parts of the main text, which only a run has that asks for them (write.also)."""

TABLES: dict[str, Table] = {
    module.TABLE.name: module.TABLE for module in (pages, metrics, dead_letter, skipped, templates, blocks, keys, files)
} | PARTS

__all__ = ["PARTS", "TABLES", "Column", "Table"]
