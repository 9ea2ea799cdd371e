# SPDX-License-Identifier: Apache-2.0
"""One page on the command line: reading it, and showing its blocks as HTML."""

from __future__ import annotations

import html
import sys
import time
import urllib.error
from collections.abc import Iterator
from importlib.resources import files
from string import Template
from typing import Final

from thresher._version import __version__
from thresher.errors import InputError, TransferError
from thresher.page.extraction import Block, Extraction
from thresher.reading.http_input import USER_AGENT, open_url
from thresher.reading.kinds import JSON_LINES, LIST, PARQUET, WACZ, WARC, WET, kind_by_name, look_at
from thresher.reading.names import scheme_of
from thresher.reading.payload import PayloadError, gunzip
from thresher.reading.transfers import FAILURES, within
from thresher.terminal import one_line

_MAX_BYTES: Final = 64 << 20  # of a page; Limits.max_bytes says how much of it is parsed
_FETCHING: Final = 120.0  # seconds for fetching a page, in total
_COUNTING: Final = 0.5  # seconds for counting the pages of an archive
_OF_PAGES: Final = frozenset((WARC, WACZ, WET, LIST, JSON_LINES, PARQUET))


def read_source(source: str, url: str | None = None) -> tuple[bytes, str | None, str | None]:
    """(bytes, charset from HTTP, URL) of a page: a file, an http(s) URL, standard input (`-`), or `url` in an archive,
    another file of pages or a folder.

    Raises InputError if the page cannot be read, TransferError if the server does not answer.
    """
    if kind_by_name(source) in _OF_PAGES:
        return _find_in_archive(source, url)
    if source == "-":
        if sys.stdin.isatty():
            print("Reading HTML from the terminal. Press Ctrl-D to end.", file=sys.stderr)
        page = _unzipped(sys.stdin.buffer.read(_MAX_BYTES), "standard input")
        if _holds_pages(page):
            raise InputError("standard input holds many pages, not one; save it as a file, and name that")
        return page, None, None
    if scheme_of(source) in ("http", "https"):
        return _fetch(source)
    try:
        page = read_file(source)
    except IsADirectoryError as error:
        if url is not None:
            return _find_in_archive(source, url)
        raise InputError(
            f"{source}: a folder; -o OUT writes a text for each page below it into the folder OUT, --url chooses one"
        ) from error
    except OSError as error:
        raise InputError(f"{source}: {error.strerror or error}") from error
    return _find_in_archive(source, url) if _holds_pages(page) else (page, None, None)


def read_file(path: str) -> bytes:
    """The content of a local file, decompressed if it is gzip. Raises OSError, or InputError for damaged gzip."""
    with open(path, "rb") as file:
        return _unzipped(file.read(_MAX_BYTES), path)


def _unzipped(data: bytes, source: str) -> bytes:
    """The content of a gzip file, whatever its name; other data unchanged."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gunzip(data, _MAX_BYTES)[0]
    except PayloadError as error:
        raise InputError(f"{source}: {error}") from error


def _holds_pages(content: bytes) -> bool:
    """Whether a file holds pages, as an archive or JSON Lines do, and is not a page itself."""
    if content[:64].lstrip().startswith(b"<"):
        return False  # a page, as most; what reads archives takes some milliseconds to import
    return look_at(content)[0] in _OF_PAGES


def _find_in_archive(source: str, url: str | None) -> tuple[bytes, str | None, str | None]:
    """The first page of an archive, a file of pages or a folder, or the first with that URL."""
    from thresher.reading.listing import read_captures

    captures = read_captures(source)
    wanted, near = _bare(url or ""), None
    for capture in captures:
        if url is None:
            pages = " page" if scheme_of(source) else _count(captures)
            print(f"The first{pages} of {one_line(source)}; --url chooses another.", file=sys.stderr)
        elif capture.url != url:
            near = near or (capture.url if _bare(capture.url) == wanted else None)
            continue
        return capture.payload, capture.http_charset, capture.url
    hint = f"; did you mean {one_line(near)}?" if near else ""
    raise InputError(f"{source}: it holds no page" + (f" with the URL {url}{hint}" if url else ""))


def _bare(url: str) -> str:
    """A URL without what people leave out or add: its scheme, "www.", the slash at its end, case."""
    return url.lower().rpartition("://")[2].removeprefix("www.").rstrip("/")


def _count(others: Iterator[object]) -> str:
    """How many pages there are beside the first, in words; counting ends after a moment."""
    n, until = 1, time.monotonic() + _COUNTING
    for _ in others:
        n += 1
        if time.monotonic() > until:
            return f" of more than {n:,} pages"
    return f" of {n:,} pages" if n > 1 else " and only page"


def _fetch(url: str) -> tuple[bytes, str | None, str | None]:
    """A page from a web server."""

    def fetch() -> tuple[bytes, str | None, str | None]:
        with open_url(url, {"User-Agent": USER_AGENT, "Accept": "text/html, */*;q=.5"}) as response:
            body = response.read(_MAX_BYTES)
            if response.length and len(body) < _MAX_BYTES:
                raise OSError("the connection was cut")
            if (response.headers.get("Content-Encoding") or "").strip().lower() in ("gzip", "x-gzip"):
                body = gunzip(body, _MAX_BYTES)[0]
            return body, response.headers.get_content_charset(), response.geturl()

    try:
        return within(_FETCHING, fetch)
    except InputError:
        raise
    except urllib.error.HTTPError as error:
        raise InputError(f"{url}: the server answered {error.code} {error.reason}") from error
    except FAILURES as error:
        raise TransferError(f"{url}: {getattr(error, 'reason', error)}") from error


def text_of(found: Extraction) -> str:
    """The text of a page; with several extractors each text under a line with the extractor's name."""
    names = list(found.texts)
    return found.text if len(names) == 1 else "\n\n".join(f"=== {name}\n\n{found.texts[name]}" for name in names)


def to_blocks_page(found: Extraction) -> str:
    """An HTML page that shows each block of a page, whether it was kept, and its measures."""
    kept = sum(block.words for block in found.blocks if block.kept)
    words = sum(block.words for block in found.blocks)
    facts = [
        ("extractor", found.options.extractors[0]),
        ("status", found.status),
        ("confidence", f"{found.confidence:.2f}" if found.confidence is not None else "not estimated"),
        ("words kept", f"{kept:,} of {words:,}"),
        ("blocks kept", f"{sum(block.kept for block in found.blocks):,} of {len(found.blocks):,}"),
        ("date", str(found.date) if found.date else "none found"),
        ("author", found.author or "none found"),
        ("charset", found.charset),
    ]
    page = Template(files("thresher.commands").joinpath("blocks_page.html").read_text("utf-8"))
    return page.substitute(
        title=html.escape(found.title or "A page without a title"),
        facts="\n".join(f"<dt>{html.escape(name)}<dd>{html.escape(value)}" for name, value in facts),
        blocks="\n".join(map(_block_row, found.blocks)),
        version=__version__,
    )


def _block_row(block: Block) -> str:
    score = f"{block.score:.2f}" if block.score is not None else ""
    return (
        f'<div class="{"kept" if block.kept else "dropped"}">'
        f'<span title="kind of block">{html.escape(block.kind)}</span>'
        f'<span title="words">{block.words}</span><span title="link density">{block.link_density:.0%}</span>'
        f'<span title="score: probability of being main text">{score}</span>'
        f'<p dir="auto">{html.escape(block.text)}</p></div>'
    )
