# SPDX-License-Identifier: Apache-2.0
"""What the tables of parts of pages have in common: rows of `blocks`, and of those that write.also names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from thresher.address import PAGE_KEY

if TYPE_CHECKING:
    from thresher.page.columns import PageRow

KEY: Final = ("url", "url_host_name", *PAGE_KEY)
"""The columns that name the page of a row."""


def key_of(row: PageRow) -> tuple[Any, ...]:
    """The values of KEY for a page."""
    return (row.capture.url, row.host, *(getattr(row.capture, name) for name in PAGE_KEY))


class _Sized(Protocol):
    @property
    def n_bytes(self) -> int: ...


_OfPage = TypeVar("_OfPage", bound=_Sized)


class RowsBeside(Generic[_OfPage]):
    """Collects what pages have in tables beside `pages`, in order."""

    def __init__(self) -> None:
        self._pages: list[_OfPage | None] = []
        self.n_bytes = 0
        """About the bytes of the rows since the last batch."""

    def add(self, page: _OfPage | None) -> None:
        """Add what the next page has; None if it failed."""
        self._pages.append(page)
        self.n_bytes += page.n_bytes if page else 0

    def _take(self, left_out: Sequence[object | None]) -> dict[int, _OfPage]:
        """What the pages since the last batch have, by their places. A page with a reason to be excluded has none."""
        pages, self._pages, self.n_bytes = self._pages, [], 0
        return {
            place: page
            for place, (page, reason) in enumerate(zip(pages, left_out, strict=True))
            if page is not None and reason is None
        }
