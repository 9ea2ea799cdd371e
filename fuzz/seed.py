# SPDX-License-Identifier: Apache-2.0
"""Writes the corpus that a target begins with: eight bytes of options and a page, archive or body each.

python fuzz/seed.py TARGET CORPUS_FOLDER

Pages come from the html5lib suites, the labelled pages and the hostile ones below THRESHER_DATA, and from the grammar;
archives from those of other projects.
"""

import gzip
import hashlib
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(CHECKOUT / "tests"), str(CHECKOUT / "fuzz")]

from hostile_structures import STRUCTURES, page_of  # noqa: E402
from html5lib_suites import tokenizer_cases, tree_cases  # noqa: E402
from shared_data import DATA, files  # noqa: E402

N_OPTIONS: Final = 8  # bytes
LARGEST: Final = 20_000  # bytes; a large page slows every mutation of it
LARGE: Final = 5000  # bytes of a page for targets that do more with it than parse it
MOST_LABELLED: Final = 1500  # pages of each collection are enough to begin with
N_WRITTEN: Final = 400  # pages of the grammar
PART: Final = 4000  # bytes of a part of a real page
MOST_PARTS: Final = 5  # of each collection that have a construct
CONSTRUCTS: Final = (
    b'class="katex', b"mjx-", b"MathJax", b"<math", b"math/tex", b"mwe-math", b'role="tab', b"footnote", b"noteref",
    b"linenos", b"CodeMirror", b"prettyprint", b"language-", b"checkbox", b"display:none", b"display: none", b"<q>",
    b"<ruby", b"<dl", b"rowspan", b"admonition", b"callout", b"application/ld+json", b"articleBody", b"itemprop=",
    b"datePublished", b"<time", b"byline", b"__NEXT_DATA__", b"<template", b"jp-Input", b"editsection",
    b"headerlink", b"<details", b"<abbr", b'dir="rtl"', b"<kbd",
)  # fmt: skip
# Mutation does not find its way to hundreds of formatting elements: begin there.
FORMATTING: Final = b"<p><nobr>" + b"".join(b"<b %d>" % i for i in range(511)) + b"</p>"
AT_THE_BOUNDS: Final = (
    FORMATTING + b"<nobr>x",
    FORMATTING + b"<table><tr><td><p><a>x</p></td>y<a>",
    b"<b>" * 520 + b"<div>" * 520 + b"</b>",
    b"text<p>x</p>text" * 300,
    b"".join(b"<div class=c%d>text<p>x</p>text</div>" % i for i in range(300)),
    b"<table>" + b"<tr><td rowspan=9>x<td colspan=9>y" * 200,
)
HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"


def html5lib_pages() -> Iterator[bytes]:
    """The pages of the html5lib suites."""
    for path in files("html5lib-tests/tree-construction/**/*.dat"):
        yield from (case.page for case in tree_cases(path))
    for path in files("html5lib-tests/tokenizer/*.test"):
        yield from (case.page.encode("utf-8", "replace") for case in tokenizer_cases(path))


def labelled_pages() -> Iterator[bytes]:
    """Small real pages, and the beginnings of some that are large."""
    import pyarrow.parquet as pq

    for path in (*files("labelled/*.parquet"), *files("structure/*.parquet")):
        table = pq.ParquetFile(path)
        column = next((name for name in ("html", "page", "source") if name in table.schema_arrow.names), None)
        if column is None:
            continue
        taken = 0
        for batch in table.iter_batches(200, columns=[column]):
            for value in batch[column].to_pylist():
                page = value.encode() if isinstance(value, str) else value or b""
                if len(page) <= LARGEST or taken < 10:
                    yield page[:LARGEST]
                    taken += 1
            if taken >= MOST_LABELLED:
                break


def parts() -> Iterator[bytes]:
    """Of real pages what stands around constructs: formulas, listings, notes, tabs, dates."""
    import pyarrow.parquet as pq

    for path in (*files("structure/*.parquet"), *files("labelled*/*.parquet")):
        table = pq.ParquetFile(path)
        column = next((name for name in ("html", "page", "source") if name in table.schema_arrow.names), None)
        found = Counter[bytes]()
        for batch in table.iter_batches(200, columns=[column]) if column else ():
            for value in batch[column].to_pylist():
                page = value.encode() if isinstance(value, str) else value or b""
                for word in CONSTRUCTS:
                    at = page.find(word) if found[word] < MOST_PARTS else -1
                    if at >= 0:
                        found[word] += 1
                        start = page.rfind(b"<", max(0, at - PART // 4), at)
                        yield page[max(0, start) :][:PART]


def hostile_pages() -> Iterator[bytes]:
    """Pages that broke something once, as far as they are small, and pages at the bounds."""
    yield from AT_THE_BOUNDS
    yield from (page_of(name, LARGE) for name in STRUCTURES)
    for path in files("hostile*/*"):
        page = path.read_bytes()
        yield page[:LARGEST]
        yield page[:3000]


def pages() -> list[bytes]:
    """All pages there are."""
    found = list(hostile_pages())
    if DATA is not None:
        found += html5lib_pages()
        found += parts()
        found += labelled_pages()
    return found


def archives() -> Iterator[bytes]:
    """Small archives, and the beginnings of large ones; compressed ones also without compression."""
    for path in files("warc-real/*"):
        data = path.read_bytes()
        yield data[:LARGEST]
        if path.suffix == ".gz":
            with suppress(OSError, EOFError):
                yield gzip.decompress(data)[:LARGEST]


def bodies() -> Iterator[bytes]:
    """HTTP messages and bodies."""
    yield from (HEAD + page for page in AT_THE_BOUNDS)
    for archive in archives():
        yield from (part.partition(b"\r\n\r\n")[2][:5000] for part in archive.split(b"WARC/1.")[1:5])


def seeds(target: str) -> Iterator[bytes]:
    """The inputs that a target begins with."""
    rng = random.Random(target)  # the same corpus each time

    def with_options(data: bytes, *, instructions: bool = False) -> bytes:
        options = rng.randbytes(N_OPTIONS)
        return bytes((options[0] & 0xFE | instructions,)) + options[1:] + data

    if target in ("payload", "records"):
        yield from map(with_options, archives() if target == "records" else bodies())
        return
    found = pages()
    if target == "templates":
        yield from (
            with_options(b"<!--split-->".join(page[: LARGE // 3] for page in found[at : at + 3]))
            for at in range(0, len(found), 9)
        )
    if target != "parse":  # the other targets do much more with each page
        found = found[: len(AT_THE_BOUNDS)] + [page[:LARGE] for page in rng.sample(found, min(len(found), 2500))]
    yield from map(with_options, found)
    for _ in range(N_WRITTEN):
        yield with_options(rng.randbytes(rng.choice((20, 60, 200, 600))), instructions=True)


def main() -> None:
    """Writes the corpus."""
    target, corpus = sys.argv[1], Path(sys.argv[2])
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in seeds(target):
        (corpus / hashlib.sha1(seed, usedforsecurity=False).hexdigest()).write_bytes(seed)
    print(f"{len(list(corpus.iterdir())):,} inputs in {corpus}")


if __name__ == "__main__":
    main()
