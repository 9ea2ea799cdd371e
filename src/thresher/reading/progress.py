# SPDX-License-Identifier: Apache-2.0
"""Where a worker stands, told to whoever watches it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

NO_PAGE: Final = -1  # for Progress.page()


class PageGivenUp(RuntimeError):
    """A page or record that is not tried again, because worker processes died or hung over it."""


class Progress:
    """What reader and worker report while they work on a partition; this base class tells nobody."""

    skipped: Collection[int] = ()  # offsets of records that are not to be read

    def record(self, offset: int) -> None:
        """The record at this offset is about to be read. Raises PageGivenUp for one that must not be read again."""
        if offset in self.skipped:
            raise PageGivenUp("two worker processes died or hung over reading this record")

    def fetch(self) -> None:
        """Bytes of the input are about to be asked for. What happens meanwhile is not the record's fault."""

    def fetched(self) -> None:
        """They are there."""

    def beat(self) -> None:
        """Something was done that is no page and no reading."""

    def page(self, offset: int) -> None:
        """The page at this offset is about to be worked on; with NO_PAGE none is."""

    def passed(self, position: int) -> None:
        """The WARC was read up to `position` without a page to work on."""

    def done(self, position: int) -> None:
        """The page is finished; the WARC was read up to `position`."""
