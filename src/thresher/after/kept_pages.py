# SPDX-License-Identifier: Apache-2.0
"""The pages of a run themselves: those that it kept (the column html), others read again from their archives."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from thresher.address import address_of
from thresher.config import Configuration
from thresher.errors import InputError
from thresher.reading.again import Again
from thresher.rows.batches import decode_capture
from thresher.running.archives import Archives, archives_of
from thresher.schemas.pages import HTML
from thresher.writing.run_folder import RunFolder


class KeptPages(AbstractContextManager["KeptPages"]):
    """Gives the page of a row in UTF-8. One archive is open at a time, so rows come in the order of the run."""

    def __init__(self, folder: RunFolder, configuration: Configuration) -> None:
        """`configuration` is that of the run."""
        self._folder, self._configuration = folder, configuration
        self._archives: Archives | None = None
        self._name = ""
        self._again: Again | None = None

    def __exit__(self, *_: object) -> None:
        if self._again is not None:
            self._again.close()

    def html_of(self, row: Mapping[str, Any]) -> bytes:
        """The page of a row, which has the columns url and PAGE_KEY, and html if the run has it. Raises InputError if
        it is not where the row says, or another page is.
        """
        kept = row.get(HTML)
        if kept is not None:
            return kept if isinstance(kept, bytes) else str(kept).encode()
        name, address = row["warc_filename"], address_of(row)
        if self._again is None or name != self._name:
            if self._again is not None:
                self._again.close()
            self._archives = self._archives or archives_of(self._folder)
            self._again = Again(self._archives[name], self._configuration.read, filename=name)
            self._name = name
        found = next((capture for _, capture in self._again.captures([address])), None)
        if found is None or found.url.encode("utf-8", "replace") != row["url"].encode():
            raise InputError(f"{name}#{address}: no page is there any more; extract with --columns +html")
        return decode_capture(found, self._configuration.extract.limits.max_bytes).utf8
