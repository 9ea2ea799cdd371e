# SPDX-License-Identifier: Apache-2.0
"""One page on the command line: where it is read from, and the forms in which it is shown."""

from __future__ import annotations

import html
import json
import sys
import urllib.error
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Final

from thresher._version import __version__
from thresher.config import COMMENTS
from thresher.extraction import Block, Extraction, extract
from thresher.http_input import open_url
from thresher.inputs import is_warc_name, scheme_of
from thresher.language import UNDETERMINED, identify_language
from thresher.transfers import InputError, TransferError

if TYPE_CHECKING:
    from thresher.config import Extract

_MAX_BYTES: Final = 64 << 20  # of a page; Limits.max_bytes says how much of it is parsed
_USER_AGENT: Final = f"thresher/{__version__}"


def read_source(source: str, url: str | None = None) -> tuple[bytes, str | None, str | None]:
    """(bytes, charset of the transport, URL) of a file, http(s) URL or standard input (`-`), or of the page with that `url` in an archive.

    Raises InputError for what cannot be read, TransferError where a server does not answer.
    """
    if is_warc_name(source):
        return _find_in_archive(source, url)
    if source == "-":
        if sys.stdin.isatty():
            print("Reading HTML from the terminal; end with Ctrl-D.", file=sys.stderr)
        return sys.stdin.buffer.read(_MAX_BYTES), None, None
    if scheme_of(source) in ("http", "https"):
        return _fetch(source)
    try:
        with open(source, "rb") as file:
            return file.read(_MAX_BYTES), None, None
    except OSError as error:
        raise InputError(f"{source}: {error.strerror or error}") from error


def _find_in_archive(source: str, url: str | None) -> tuple[bytes, str | None, str | None]:
    """The first page of an archive, or the first with that URL."""
    from thresher.captures import captures

    for capture in captures(source):
        if url is None or capture.url == url:
            return capture.payload, capture.http_charset, capture.url
    raise InputError(f"{source} holds no page" + (f" with the URL {url}" if url else ""))


def _fetch(url: str) -> tuple[bytes, str | None, str | None]:
    try:
        with open_url(url, {"User-Agent": _USER_AGENT, "Accept": "text/html, */*;q=.5"}) as response:
            return response.read(_MAX_BYTES), response.headers.get_content_charset(), response.geturl()
    except InputError:
        raise
    except urllib.error.HTTPError as error:
        raise InputError(f"{url}: the server answers {error.code} {error.reason}") from error
    except (OSError, ValueError) as error:
        raise TransferError(f"{url}: {getattr(error, 'reason', error)}") from error


def extract_one(page: bytes, *, url: str | None, charset: str | None, knobs: Extract) -> Extraction:
    """The page, extracted as the knobs say. Raises ValueError for extractors and modes that do not exist."""
    return extract(
        page,
        url=url,
        charset=charset,
        extractors=knobs.extractors,
        mode=knobs.mode,
        format=knobs.format,
        comments=COMMENTS[knobs.comments],
        tables=knobs.tables,
        links=knobs.links,
        images=knobs.images,
    )


def to_json(found: Extraction, url: str | None) -> str:
    """Everything that is known of a page, as one line of JSON with the names of the table `pages`."""
    # The blocks' own text: names of elements are no language.
    language, score = identify_language("\n".join(block.text for block in found.blocks if block.kept))
    first, *further = found.texts
    record = {
        "url": url,
        "title": found.title or None,
        "date": found.date.isoformat() if found.date else None,
        "author": found.author,
        "description": found.description,
        "site_name": found.site_name,
        "canonical_url": found.canonical_url,
        "language_declared": found.language_declared,
        "language": language,
        "language_score": round(score, 4) if language != UNDETERMINED else None,
        "status": found.status,
        "content_charset": found.charset,
        "confidence": round(found.confidence, 4) if found.confidence is not None else None,
        "n_nodes": found.n_nodes,
        "n_words": found.n_words,
        "extractor": first,
        "text": found.text,
        **{f"text_{name.replace('-', '_')}": found.texts[name] for name in further},
    }
    return json.dumps(record, ensure_ascii=False)


def to_blocks_page(found: Extraction) -> str:
    """A page of HTML that shows which blocks of a page were kept and which were thrown away, with what was measured of each."""
    kept = sum(block.words for block in found.blocks if block.kept)
    words = sum(block.words for block in found.blocks)
    facts = [
        ("extractor", next(iter(found.texts))),
        ("status", found.status),
        ("confidence", f"{found.confidence:.2f}" if found.confidence is not None else "not estimated"),
        ("words kept", f"{kept:,} of {words:,}"),
        ("blocks kept", f"{sum(block.kept for block in found.blocks):,} of {len(found.blocks):,}"),
        ("date", str(found.date) if found.date else "none found"),
        ("author", found.author or "none found"),
        ("charset", found.charset),
    ]
    page = Template(files("thresher").joinpath("blocks_page.html").read_text("utf-8"))
    return page.substitute(
        title=html.escape(found.title or "A page without a title"),
        facts="\n".join(f"<dt>{html.escape(name)}<dd>{html.escape(value)}" for name, value in facts),
        blocks="\n".join(map(_block_row, found.blocks)),
        version=__version__,
    )


def _block_row(block: Block) -> str:
    score = f"{block.score:.2f}" if block.score is not None else ""
    return (
        f'<div class="{"kept" if block.kept else "dropped"}"><span title="kind of block">{html.escape(block.kind)}</span>'
        f'<span title="words">{block.words}</span><span title="link density">{block.link_density:.0%}</span>'
        f'<span title="score: how probably it is main text">{score}</span><p>{html.escape(block.text)}</p></div>'
    )
