# SPDX-License-Identifier: Apache-2.0
"""A bounded sample of the pages of every host in some archives: one pass, the pages on disk, and chosen by their
addresses alone.
"""

from __future__ import annotations

import heapq
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from types import TracebackType
from typing import IO, Final, Self

from thresher.page.hosts import host_and_domain
from thresher.templates.structure import SAMPLE_PAGES, sample_rank

_FAST: Final = 1  # zlib level: HTML shrinks to a fifth at the speed of a disk


@dataclass(frozen=True, slots=True, order=True)
class _Kept:
    """A page of a host; ordered so that the root of a heap is the one to go first."""

    rank: int  # negative: heapq has the smallest on top
    url: str = field(compare=False)
    digest: bytes = field(compare=False)
    start: int = field(compare=False)
    length: int = field(compare=False)


class Samples:
    """The pages of each host that have the smallest ranks (sample_rank), at most `per_host`; use it in a with
    statement.

    Memory grows with hosts (some 2 KB each), not with pages; their HTML lies compressed in a temporary file. Of pages
    with the same address or the same bytes the first one counts.
    """

    def __init__(self, per_host: int = SAMPLE_PAGES) -> None:
        """An empty sample. Raises ValueError for less than one page a host."""
        if per_host < 1:
            raise ValueError(f"a sample has at least one page a host, not {per_host}")
        self.per_host = per_host
        self.n_pages = 0
        """Pages that were offered."""
        self._hosts: dict[str, list[_Kept]] = {}
        self._seen: dict[str, int] = {}
        self._file: IO[bytes] = tempfile.TemporaryFile(prefix="thresher-")  # noqa: SIM115 (closed by __exit__)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def offer(self, url: str, html: bytes) -> None:
        """Takes in a page, or passes it over. Pages whose address has no host are passed over."""
        host = host_and_domain(url)[0]
        if host is None:
            return
        self.n_pages += 1
        self._seen[host] = self._seen.get(host, 0) + 1
        kept = self._hosts.setdefault(host, [])
        rank = -int.from_bytes(sample_rank(url))
        if len(kept) == self.per_host and rank < kept[0].rank:
            return
        digest = blake2b(html, digest_size=16).digest()
        if any(each.url == url or each.digest == digest for each in kept):
            return
        packed = zlib.compress(html, _FAST)
        page = _Kept(rank, url, digest, self._file.seek(0, 2), len(packed))
        self._file.write(packed)
        if len(kept) < self.per_host:
            heapq.heappush(kept, page)
        else:
            heapq.heappushpop(kept, page)

    def hosts(self) -> Iterator[tuple[str, int]]:
        """(host, pages offered) of each host, by name."""
        yield from sorted(self._seen.items())

    def pages(self, host: str) -> list[tuple[str, bytes]]:
        found = []
        for page in sorted(self._hosts.get(host, ()), key=lambda each: each.url):
            self._file.seek(page.start)
            found.append((page.url, zlib.decompress(self._file.read(page.length))))
        return found
