# SPDX-License-Identifier: Apache-2.0
"""The tables that a run writes, one module each. Nothing here knows how they are filled."""

from thresher.schemas import blocks, dead_letter, files, keys, metrics, pages, skipped, templates
from thresher.schemas.table import Column, Table

TABLES: dict[str, Table] = {
    module.TABLE.name: module.TABLE for module in (pages, metrics, dead_letter, skipped, templates, blocks, keys, files)
}

__all__ = ["TABLES", "Column", "Table"]
