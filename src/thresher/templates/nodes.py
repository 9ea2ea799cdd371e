# SPDX-License-Identifier: Apache-2.0
"""What `thresher templates nodes` shows: the hosts, the places of one host, or the blocks of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from thresher.native.parsing.document import Document
from thresher.native.templates.signatures import signatures_of_nodes
from thresher.native.workspace import Workspace
from thresher.page.charset import decode
from thresher.page.hosts import host_and_domain
from thresher.reading.listing import read_captures
from thresher.templates.samples import Samples
from thresher.templates.structure import CONEX, MAX_NODES, TEMEX, Site, count_places

_EXAMPLE: Final = 80  # characters


class NoSuchPage(ValueError):
    """The page that was asked for is not in the archives, or stands alone there."""


@dataclass(frozen=True, slots=True)
class HostStructure:
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
    marked: float
    """Share of its characters in marked nodes."""
    text: str


@dataclass(frozen=True, slots=True)
class HostPlace:
    path: str
    """Elements from below the body down, as in one of the pages: name#id.class."""
    signature: str
    """The place as 16 hexadecimal digits, which are the same on other pages of the host."""
    pages: int
    """Sampled pages with text there."""
    template_share: float
    """Share of template in it."""
    characters: int
    example: str
    """A text that stands there."""


def read_pages(inputs: Sequence[str], watch: Callable[[int], None]) -> Iterator[tuple[str, bytes]]:
    """(address, HTML as UTF-8) of every page in archives; calls `watch` with their number. Raises InputError for inputs
    that cannot be read.
    """
    for n, capture in enumerate(read_captures(inputs), 1):
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
                counts = count_places(sample)
                yield HostStructure(host, pages, len(sample), len(counts.signatures()), counts.template_share)


def host_places(inputs: Sequence[str], host: str, *, per_host: int, watch: Callable[[int], None]) -> list[HostPlace]:
    """The places that two or more of a host's sampled pages have text at, most template first. Raises NoSuchPage."""
    with Samples(per_host) as samples:
        n_pages = 0
        for url, html in read_pages(inputs, watch):
            if host_and_domain(url)[0] == host:
                n_pages += 1
                samples.offer(url, html)
        sample = samples.pages(host)
    if len(sample) < 2:
        raise NoSuchPage(
            f"{host} has {n_pages:,} pages in the archives, {len(sample)} of them different: it takes two to compare"
        )
    counted = {each[0]: each[1:] for each in count_places(sample).places() if each[1] > 1}
    seen: dict[int, tuple[str, str]] = {}
    document = Document(max_nodes=MAX_NODES)
    for _, html in sample:
        document.parse(html)
        for node, signature in enumerate(signatures_of_nodes(document)):
            if signature in counted and signature not in seen and document.tag(node) == "#text":
                text = " ".join(document.text(node).split())
                if text:
                    seen[signature] = (path_of(document, node), text[:_EXAMPLE])
    found = []
    for signature, (pages, template, other) in counted.items():
        path, example = seen.get(signature, ("", ""))
        found.append(
            HostPlace(path, f"{signature:016x}", pages, template / max(template + other, 1), template + other, example)
        )
    return sorted(found, key=lambda place: (-place.template_share, -place.characters, place.signature))


def path_of(document: Document, node: int) -> str:
    """The elements around a text from below the body down: name#id.class, with / between them."""
    steps: list[str] = []
    at = document.parent(node)
    while at and document.tag(at) not in {"body", "html", "frameset"}:
        attributes = document.attributes(at)
        name = document.tag(at) + "".join(f"#{each}" for each in attributes.get("id", "").split())
        steps.append(name + "".join(f".{each}" for each in attributes.get("class", "").split()))
        at = document.parent(at)
    return "/".join(reversed(steps))


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
