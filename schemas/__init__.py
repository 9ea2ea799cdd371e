# SPDX-License-Identifier: Apache-2.0
"""The tables that a run writes, one module each. Nothing here knows how they are filled."""

from thresher.schemas import (
    blocks,
    data_tables,
    dead_letter,
    files,
    hosts,
    images,
    keys,
    listings,
    metrics,
    pages,
    posts,
    skipped,
    templates,
)
from thresher.schemas.table import Column, Table

PARTS: dict[str, Table] = {module.TABLE.name: module.TABLE for module in (images, data_tables, listings, posts)}
"""Tables of parts of the main text, which only a run has that asks for them (write.also)."""

ASKED: dict[str, Table] = PARTS | {hosts.TABLE.name: hosts.TABLE}
"""Tables that only a run has that asks for them: PARTS, and `hosts` with read.robots."""

OF_THE_RUN = frozenset((files.TABLE.name, hosts.TABLE.name))
"""Tables that belong to no partition: their one file is written when a run begins."""

TABLES: dict[str, Table] = {
    module.TABLE.name: module.TABLE for module in (pages, metrics, dead_letter, skipped, templates, blocks, keys, files)
} | ASKED

__all__ = ["ASKED", "OF_THE_RUN", "PARTS", "TABLES", "Column", "Table"]
