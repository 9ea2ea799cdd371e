# SPDX-License-Identifier: Apache-2.0
"""Pages in the order of the stream, each judged by the URL tree as it stands then."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from thresher.lab.url_tree import UrlTree, heuristic
from thresher.native.templates.evidence import repeated_share
from thresher.native.templates.fingerprints import block_sizes
from thresher.page.charset import decode
from thresher.page.page_extractor import PageExtractor
from thresher.page.url_keys import url_key
from thresher.reading.listing import list_inputs, read_captures


def judge_stream(inputs: Sequence[str], name: str, *, extractor: str = "all") -> Iterator[dict[str, Any]]:
    """A row for each page of the archives, in their order, without the blocks that the tree takes for boilerplate.

    Time is what the archive says of each capture; one that says nothing, or an earlier time than the page before it, is
    as old as that one. Raises ValueError for an unknown heuristic or extractor, InputError for inputs that cannot be
    read.
    """
    tree = UrlTree(heuristic(name))
    workspace = PageExtractor(extractor)
    list_inputs(inputs)  # refuses what cannot be read before the first row is asked for
    return _rows(tree, workspace, inputs)


def _rows(tree: UrlTree, workspace: PageExtractor, inputs: Sequence[str]) -> Iterator[dict[str, Any]]:
    now = 0.0
    for capture in read_captures(inputs):
        now = max(now, capture.fetch_time.timestamp() if capture.fetch_time else now)
        page = decode(
            capture.payload, http_charset=capture.http_charset, max_bytes=workspace.options.limits.max_bytes + 1
        )
        text = workspace.extract(page.utf8)
        key = url_key(capture.url, workspace.workspace.document.title())
        row = {"url": capture.url, "url_key": None, "node": None, "support": 0, "duplicate": False}
        share = None
        if key is not None:
            verdict = tree.judge(key, now, array("q", workspace.fingerprints()))
            workspace.classify(unwanted=bytes(verdict.boilerplate))
            text = workspace.render()
            row |= {"url_key": str(key), "node": verdict.node, "support": verdict.support}
            row["duplicate"] = verdict.duplicate
            if verdict.support > 1:
                others = array("i", [count - 1 for count in verdict.counts]).tobytes()
                share = repeated_share(block_sizes(workspace.workspace.blocks), others)
        yield {**row, "template_share": share, "text": text.decode("utf-8", "replace")}
