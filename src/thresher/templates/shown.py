# SPDX-License-Identifier: Apache-2.0
"""The templates that a run found on its hosts, read back from its tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from thresher.running.outcome import HOST_COLUMNS, HostReport, add_hosts
from thresher.writing.run_folder import RunFolder


@dataclass(frozen=True, slots=True)
class HostSummary:
    host: str
    pages: int
    copies: int
    """Pages that are copies of another."""
    texts: int
    """Texts that several of its pages have."""
    template_share: float | None
    """Mean share of a page's characters that other pages have too; None if no page could be compared."""


def host_summaries(output: str) -> list[HostSummary]:
    """The hosts of a run with templates, those with most pages first. Raises OutputError if the folder holds none."""
    folder = _folder(output)
    hosts: dict[str, HostReport] = {}
    for batch in folder.tables.batches("pages", HOST_COLUMNS):
        add_hosts(hosts, batch)
    texts: Counter[str] = Counter()
    for batch in folder.tables.batches("templates", ["node"]):
        nodes: list[Any] = batch["node"].to_pylist()
        texts.update(nodes)
    return [
        HostSummary(
            name, host.pages, host.copies, texts[name], host.template_share / host.counted if host.counted else None
        )
        for name, host in sorted(hosts.items(), key=lambda pair: (-pair[1].pages, pair[0]))
    ]


def templates_of(output: str, host: str) -> list[dict[str, Any]]:
    """The rows of `templates` for a host, most frequent first. Raises OutputError as host_summaries() does."""
    folder = _folder(output)
    rows: list[dict[str, Any]] = (
        folder.tables.dataset("templates").to_table(filter=pc.field("node") == host).to_pylist()
    )
    return sorted(rows, key=lambda row: (-row["pages"], row["example"] or "", row["fingerprint"] or 0))


def _folder(output: str) -> RunFolder:
    folder = RunFolder(output)
    folder.tables.files("pages")  # are there in Parquet
    folder.require_templates()
    return folder
