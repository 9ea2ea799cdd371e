# SPDX-License-Identifier: Apache-2.0
"""Archives that go on in another compression: two that were put together, or one whose first bytes are damaged."""

import gzip
import random
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from record_forms import ARCHIVES, url_of

from thresher.address import Address
from thresher.options import CaptureOptions
from thresher.reading.again import Again
from thresher.reading.captures import WarcReading
from thresher.reading.inputs import Input

FORMS: Final = ("plain", "gzip", "gzip-threes", "gzip-one", "zstd", "lz4-one")


@pytest.mark.parametrize("first", FORMS)
@pytest.mark.parametrize("second", FORMS)
def test_all_records_are_read_and_found_again(first: str, second: str, tmp_path: Path) -> None:
    halves = [ARCHIVES[form][1](numbers) for form, numbers in ((first, range(6)), (second, range(6, 12)))]
    for between, letters in ((b"", 0), (b"no record\n", 1)):
        path = tmp_path / f"{letters}.warc"
        path.write_bytes(between.join(halves))
        reading = WarcReading(path)
        urls = {Address(page.warc_record_offset, page.warc_record_number): page.url for page in reading}
        assert list(urls.values()) == [url_of(number) for number in range(12)]
        assert len(reading.dead_letters) == letters
        with closing(Again(Input.named(str(path)), CaptureOptions())) as again:
            for address, url in urls.items():
                assert [page.url for _, page in again.captures([address])] == [url]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("front", [b"\0" * 600, b"HTTP/1.1 200 OK\r\nServer: mill\r\n\r\n"])
def test_damage_at_the_front_costs_no_record_behind_it(form: str, front: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(front + ARCHIVES[form][1](range(8)))
    reading = WarcReading(path)
    assert [page.url for page in reading] == [url_of(number) for number in range(8)]
    assert len(reading.dead_letters) == 1


def test_an_archive_that_a_page_offers_is_not_read_where_its_record_is_cut(tmp_path: Path) -> None:
    offered = ARCHIVES["gzip"][1](range(3, 9))
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://mill.example/crawl.warc.gz\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(offered) + 999}\r\n\r\n"
        "HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\n\r\n"
    )
    path = tmp_path / "a.warc"
    path.write_bytes(ARCHIVES["plain"][1](range(3)) + head.encode() + offered)
    assert [page.url for page in WarcReading(path)] == [url_of(number) for number in range(3)]


def test_looking_for_another_compression_leaves_the_stream_where_it_was(tmp_path: Path) -> None:
    """Of records that share a long member, a damaged one costs no other."""
    path = tmp_path / "a.warc.gz"
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + random.Random(1).randbytes(300_000)
    records = [
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url_of(number)}\r\nContent-Type: application/http\r\n"
        f"Content-Length: {'' if number == 2 else len(block)}\r\n\r\n".encode()
        + block
        + b"\r\n\r\n"
        for number in range(6)
    ]
    path.write_bytes(gzip.compress(b"".join(records), mtime=0))
    reading = WarcReading(path)
    assert [page.url for page in reading] == [url_of(number) for number in (0, 1, 3, 4, 5)]
    assert len(reading.dead_letters) == 1
