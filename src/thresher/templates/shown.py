# SPDX-License-Identifier: Apache-2.0
"""The templates that a run found on its hosts, read back from its tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from thresher.writing.run_folder import RunFolder


@dataclass(frozen=True, slots=True)
class HostSummary:
    """What a run found on one host."""

    host: str
    pages: int
    copies: int
    """Pages that are copies of another."""
    texts: int
    """Texts that several of its pages have."""
    template_share: float | None
    """Mean share of a page's characters that other pages have too; None if no page could be compared."""


def host_summaries(output: str) -> list[HostSummary]:
    """The hosts of a run, those with the most pages first. Raises OutputError if the folder holds no run."""
    folder = RunFolder(output)
    folder.read_run()
    pages: Counter[str] = Counter()
    copies: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    shares: dict[str, float] = defaultdict(float)
    for batch in folder.tables.batches(
        "pages", ["url_host_name", "duplicate_of", "duplicate_reason", "template_share"]
    ):
        for host, original, reason, share in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            name = host or "(none)"
            pages[name] += 1
            copies[name] += original is not None and reason != "address"
            if share is not None:
                judged[name] += 1
                shares[name] += share
    texts: Counter[str] = Counter()
    for batch in folder.tables.batches("templates", ["node"]):
        nodes: list[Any] = batch["node"].to_pylist()
        texts.update(nodes)
    return [
        HostSummary(host, n, copies[host], texts[host], shares[host] / judged[host] if judged[host] else None)
        for host, n in sorted(pages.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def templates_of(output: str, host: str) -> list[dict[str, Any]]:
    """The rows of `templates` for a host, most frequent first. Raises OutputError if the folder holds no run."""
    folder = RunFolder(output)
    folder.read_run()
    rows: list[dict[str, Any]] = (
        folder.tables.dataset("templates").to_table(filter=pc.field("node") == host).to_pylist()
    )
    return sorted(rows, key=lambda row: (-row["pages"], row["example"] or "", row["fingerprint"] or 0))
