# SPDX-License-Identifier: Apache-2.0
"""Templates: what the pages of a host have in common, and what that means for a page's main text.

`counting` and `deciding` are the second of two passes over an archive. The first extracts pages and takes notes on them
(thresher.rows.notes), with the fingerprints of their blocks. Then the fingerprints are counted over all pages of a
host, and each page is decided with what is known from the others. docs/templates.md tells the whole story. `structure`
compares the trees of a few pages, for the service and for evaluation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.running.engine import Engine
    from thresher.running.reporter import Reporter
    from thresher.running.run import Run

__all__ = ["second_pass"]


def second_pass(run: Run, engine: Engine, reporter: Reporter) -> int:
    """Counts over all pages that the first pass noted, decides each page, and writes the tables. Returns the number of
    pages whose decision changed.
    """
    from thresher.templates import passes  # here, because a run without templates does not need what this imports

    return passes.second_pass(run, engine, reporter)
