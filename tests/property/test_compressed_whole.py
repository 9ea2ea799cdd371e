# SPDX-License-Identifier: Apache-2.0
"""An archive holds the same records however it was compressed: plain, as one gzip member, or in members of any size."""

import gzip
import io
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from costs import assert_linear
from hypothesis import given
from hypothesis import strategies as st
from small_archive import DATE, page, write_archive

from thresher.reading import records, streams
from thresher.reading.captures import WarcReading
from thresher.reading.members import GZIP

PIECES = (1, 2, 3, 5, 64, 997, 4096, 100_000)  # bytes that the reader takes at a time
N_PAGES = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compressed")


@cache
def arc(n: int) -> bytes:
    """An ARC of n pages. The lengths of the URLs differ, so that lines end at every place of a piece."""
    note = b"1 0 Mill\nURL IP-address Archive-date Content-type Archive-length\n"
    out = [b"filedesc://mill.arc 0.0.0.0 20261120000000 text/plain %d\n%s\n" % (len(note), note)]
    for i in range(n):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page(i, paragraphs=1)
        url = b"http://mill.example/%d/" % i + b"a" * (i * 37 % 900)
        out.append(b"%s 192.0.2.1 20261120000000 text/html %d\n%s\n" % (url, len(block), block))
    return b"".join(out)


@cache
def warc(folder: Path, n: int) -> bytes:
    pages = {f"https://mill.example/{i}/{'b' * (i * 17 % 50)}": page(i, paragraphs=1) for i in range(n)}
    return write_archive(folder / "plain.warc", pages, gzip=False).read_bytes()


def members(data: bytes, size: int) -> bytes:
    """The data as gzip members of `size` bytes each, which end anywhere."""
    return b"".join(gzip.compress(data[at : at + size], 1, mtime=0) for at in range(0, len(data), size))


def read(path: Path) -> tuple[Any, ...]:
    """What reading a file gives, its places aside."""
    reading = WarcReading(str(path))
    captures = [(each.url, each.payload, each.fetch_time, each.content_digest) for each in reading]
    return captures, reading.skipped, reading.n_records, [letter.message for letter in reading.dead_letters]


ARCHIVES: dict[str, Callable[[Path, int], bytes]] = {"WARC": warc, "ARC": lambda _, n: arc(n)}


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("kind", ARCHIVES)
def test_one_member_holds_what_the_plain_file_holds(
    kind: str, piece: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = ARCHIVES[kind](folder, N_PAGES)
    plain, whole = folder / f"{kind}.plain", folder / f"{kind}.gz"
    plain.write_bytes(data)
    whole.write_bytes(gzip.compress(data, mtime=0))
    expected = read(plain)
    assert len(expected[0]) == N_PAGES
    assert expected[3] == []
    monkeypatch.setattr(streams, "PIECE_SIZE", piece)
    assert read(plain) == expected
    assert read(whole) == expected


@pytest.mark.parametrize(
    ("kind", "size"),
    [("ARC", 1), ("ARC", 7), *((kind, size) for kind in ARCHIVES for size in (100, 701, 5000, 65_536))],
)
def test_members_of_any_size_hold_what_the_plain_file_holds(kind: str, size: int, folder: Path) -> None:
    """Members end inside headers, blocks and the blank lines between records."""
    n = 10 if size < 100 else N_PAGES
    data = ARCHIVES[kind](folder, n)
    plain, again = folder / f"{kind}.plain", folder / f"{kind}.gz"
    plain.write_bytes(data)
    again.write_bytes(members(data, size))
    expected = read(plain)
    assert len(expected[0]) == n
    assert read(again) == expected


@given(
    kind=st.sampled_from(sorted(ARCHIVES)),
    n=st.integers(2, 30),
    piece=st.integers(1, 5000),
    level=st.integers(0, 9),
    shift=st.integers(0, 400),
)
def test_pieces_may_end_anywhere(kind: str, n: int, piece: int, level: int, shift: int, folder: Path) -> None:
    url = f"http://mill.example/{'c' * shift}"
    if kind == "ARC":
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>corn"
        one = b"%s 192.0.2.1 20261120000000 text/html %d\n%s\n" % (url.encode(), len(block), block)
    else:
        one = small_record(url)
    path = folder / "any.gz"
    path.write_bytes(gzip.compress(one * n, level, mtime=0))
    before, streams.PIECE_SIZE = streams.PIECE_SIZE, piece
    try:
        captures, skipped, n_records, letters = read(path)
    finally:
        streams.PIECE_SIZE = before
    assert [each[0] for each in captures] == [url] * n
    assert (skipped, n_records, letters) == ({}, n, [])


def small_record(url: str) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>corn"
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: {DATE}\r\nWARC-Target-URI: {url}\r\n"
    return (
        head.encode()
        + b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n" % len(block)
        + block
        + b"\r\n\r\n"
    )


def archives_that_are_whole(data: Path, most: int) -> Iterator[Path]:
    """The real archives of less than `most` bytes that hold no damage: of the others a single member holds less."""
    for path in sorted((data / "warc-real").iterdir()):
        if path.is_file() and path.stat().st_size < most and begins(path.read_bytes()):
            yield path


def begins(raw: bytes) -> bool:
    try:
        start = gzip.GzipFile(fileobj=io.BytesIO(raw)).read() if raw.startswith(GZIP.magic) else raw
    except (OSError, EOFError):
        return False
    return streams.begins_record(start)


def test_real_archives_compressed_again_hold_the_same(data: Path, folder: Path, request: pytest.FixtureRequest) -> None:
    """By night the six that hold more than half of all bytes, too."""
    n = 0
    for path in archives_that_are_whole(data, 1 << (21 if request.config.getoption("--nightly") else 19)):
        raw = path.read_bytes()
        plain = gzip.decompress(raw) if raw.startswith(GZIP.magic) else raw
        (folder / "plain").write_bytes(plain)
        expected = read(folder / "plain")
        if expected[3]:
            continue
        n += 1
        for again in (gzip.compress(plain, mtime=0), members(plain, 50_000), members(plain, 777)):
            (folder / "again.gz").write_bytes(again)
            assert read(folder / "again.gz") == expected, path.name
    assert n > 20


# --- damage within a member ---


def damaged(kind: str, data: bytes, at: int, how: str) -> bytes:
    """The archive with the header of one of its pages broken."""
    start = [found.start() for found in re.finditer(rb"WARC/1" if kind == "WARC" else rb"\nhttp://mill", data)][at]
    end = data.index(b"\n\r\n" if kind == "WARC" else b"\n", start + 1)
    head = data[start:end]
    if how == "header":
        head = b"\nGARBAGE" + b"#" * (len(head) - 8)
    else:
        length = re.search(rb"Content-Length: (\d+)" if kind == "WARC" else rb"text/html (\d+)\Z", head)
        assert length
        wrong = int(length[1]) + (2500 if how == "too large" else -300)
        head = head[: length.start(1)] + b"%d" % wrong + head[length.end(1) :]
    return data[:start] + head + data[end:]


@pytest.mark.parametrize("size", [None, 5000, 65_536])
@pytest.mark.parametrize("how", ["header", "too large", "too small"])
@pytest.mark.parametrize("at", [1, 7, N_PAGES - 2])
@pytest.mark.parametrize("kind", ARCHIVES)
def test_damage_in_a_member_costs_what_it_costs_in_a_plain_file(
    kind: str, at: int, how: str, size: int | None, folder: Path
) -> None:
    data = damaged(kind, ARCHIVES[kind](folder, N_PAGES), at, how)
    plain, whole = folder / f"{kind}.damaged", folder / f"{kind}.damaged.gz"
    plain.write_bytes(data)
    whole.write_bytes(members(data, size or len(data)))
    expected, found = WarcReading(str(plain)), WarcReading(str(whole))
    urls, pages = [each.url for each in expected], list(found)
    assert [page.url for page in pages] == urls
    assert len(urls) >= N_PAGES - 3
    assert 1 <= len(found.dead_letters) <= 2
    assert found.n_records == len(urls) + sum(found.skipped.values()) + len(found.dead_letters)
    for letter in found.dead_letters:
        assert 0 <= letter.offset <= letter.offset + letter.length <= whole.stat().st_size


def test_the_first_record_of_a_member_may_be_damaged(folder: Path) -> None:
    data = warc(folder, N_PAGES).replace(b"WARC/1", b"WORK/1", 1)
    path = folder / "first.gz"
    path.write_bytes(gzip.compress(data, mtime=0))
    reading = WarcReading(str(path))
    assert len(list(reading)) == N_PAGES
    assert [letter.error_class for letter in reading.dead_letters] == ["DamagedFile"]


def test_many_damaged_records_in_a_member_take_linear_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wrong length makes the member be read again, up to a bound: so many times its bytes, or so many bytes."""
    monkeypatch.setattr(records, "MAX_READ_AGAIN", 1 << 14)

    def reading(n: int) -> Callable[[], object]:
        many = re.sub(
            rb"Content-Length: (\d+)(?=\r\n\r\nHTTP)",
            lambda each: b"Content-Length: %d" % (int(each[1]) + 99),
            warc(folder, n),
        )
        path = folder / f"many-{n}.gz"
        path.write_bytes(gzip.compress(many, mtime=0))

        def run() -> None:
            found = WarcReading(str(path))
            n_pages = len(list(found))
            assert n_pages + sum(found.skipped.values()) + len(found.dead_letters) == found.n_records

        return run

    assert_linear(reading, 1600)


@pytest.mark.parametrize("size", range(1, 101, 9))
def test_members_smaller_than_a_header(size: int, folder: Path) -> None:
    data = warc(folder, 3)
    plain, tiny = folder / "small.warc", folder / "tiny.warc.gz"
    plain.write_bytes(data)
    tiny.write_bytes(members(data, size))
    assert read(tiny) == read(plain)
    pages = list(WarcReading(str(tiny)))
    offsets = [page.warc_record_offset for page in pages]
    assert offsets == sorted(offsets)
    assert all(0 < page.warc_record_length <= tiny.stat().st_size - page.warc_record_offset for page in pages)


def test_records_of_one_member_have_places_of_their_own(folder: Path) -> None:
    path = folder / "places.gz"
    path.write_bytes(gzip.compress(warc(folder, N_PAGES), mtime=0))
    pages = list(WarcReading(str(path)))
    assert len({page.place for page in pages}) == N_PAGES
    assert {page.warc_record_offset for page in pages} == {0}
    ordinary = folder / "ordinary.gz"
    write_archive(ordinary, {f"https://mill.example/{i}": page(i) for i in range(5)})
    assert all(each.place == each.warc_record_offset for each in WarcReading(str(ordinary)))
