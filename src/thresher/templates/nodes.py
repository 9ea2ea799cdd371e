# SPDX-License-Identifier: Apache-2.0
"""What `thresher templates nodes` shows: the hosts of some archives with what structure says of them, or one page block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from thresher.captures import WarcReading
from thresher.charset import decode
from thresher.inputs import list_inputs
from thresher.native.document import Document
from thresher.native.workspace import Workspace
from thresher.pipeline import host_and_domain
from thresher.templates.samples import Samples
from thresher.templates.structure import CONEX, MAX_NODES, TEMEX, Site, learn_places

METHODS: Final = ("temex", "hybex", "conex")
"""Which nodes are marked: template by TemEx or HybEx, or main content by site-level ConEx."""


class NoSuchPage(ValueError):
    """The page that was asked for is not in the archives, or stands alone there."""


@dataclass(frozen=True, slots=True)
class HostStructure:
    """What structure says of a host."""

    host: str
    pages: int
    """Of the archives."""
    sampled: int
    places: int
    """Places that several sampled pages have text at."""
    template_share: float
    """Share of template in the text of the sampled pages."""


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block of a page."""

    marked: float
    """Share of its characters in marked nodes."""
    text: str


def read_pages(inputs: Sequence[str], watch: Callable[[int], None]) -> Iterator[tuple[str, bytes]]:
    """(address, HTML as UTF-8) of every page in archives; calls `watch` with their number. Raises InputError for inputs that cannot be read."""
    n = 0
    for source in list_inputs(inputs):
        for capture in WarcReading(source):
            n += 1
            watch(n)
            yield capture.url, bytes(decode(capture.payload, http_charset=capture.http_charset).utf8)


def host_structures(inputs: Sequence[str], *, per_host: int, watch: Callable[[int], None]) -> Iterator[HostStructure]:
    """Every host with two pages or more, by name."""
    with Samples(per_host) as samples:
        for url, html in read_pages(inputs, watch):
            samples.offer(url, html)
        for host, pages in samples.hosts():
            sample = samples.pages(host)
            if len(sample) > 1:
                places = learn_places(sample)
                yield HostStructure(host, pages, len(sample), len(places.signatures), places.template_share)


def marked_blocks(
    inputs: Sequence[str], url: str, *, method: str, per_host: int, watch: Callable[[int], None]
) -> tuple[list[MarkedBlock], list[str]]:
    """(blocks of the page at that address, addresses of the pages that it was compared with). Raises NoSuchPage."""
    host = host_and_domain(url)[0]
    if host is None:
        raise NoSuchPage(f"{url}: no address of a page; it begins with http:// or https:// and has a host")
    wanted = None
    with Samples(per_host) as samples:
        for address, html in read_pages(inputs, watch):
            if address == url:
                wanted = wanted or html
            elif host_and_domain(address)[0] == host:
                samples.offer(address, html)
        others = samples.pages(host)
    if wanted is None:
        known = (
            f"there are {len(others):,} other pages of {host}, such as {others[0][0]}"
            if others
            else f"there is none of {host}"
        )
        raise NoSuchPage(f"{url} is not in the archives; {known}")
    site = Site(CONEX if method == "conex" else TEMEX)
    key = site.add(wanted, url)
    for address, html in others:
        site.add(html, address)
    candidates = site.candidates(key)
    if not candidates:
        raise NoSuchPage(
            f"{url} is the only page of {host} in the archives, but for copies: there is nothing to compare it with"
        )
    if method == "hybex":
        marks = site.template_around(key, wanted, candidates)
    else:
        marks = site.main_content(key, candidates) if method == "conex" else site.template(key, candidates)
    workspace = Workspace(Document(max_nodes=MAX_NODES))
    workspace.parse(wanted)
    workspace.measure()
    blocks = [
        MarkedBlock(share, workspace.render_block(number).decode("utf-8", "replace"))
        for number, share in enumerate(workspace.marked_shares(marks))
    ]
    return blocks, [others[number - 1][0] for number in candidates]
