# SPDX-License-Identifier: Apache-2.0
"""Archives made to cost time or memory: reading them is linear in their bytes, and bounded in memory.

Each is read in a process of its own, whose CPU time is limited. The limits are ten times what reading takes and a fifth
of what it took before it was linear.
"""

import gzip
import io
import json
import os
import resource
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest
from fastwarc.stream_io import ZstdWriter
from small_archive import page

from thresher.reading.captures import WarcReading
from thresher.reading.payload import MAX_CODINGS, PayloadError, decode_body
from thresher.reading.streams import arc_fields

CPU_SECONDS = 200  # after which something hangs; no archive takes two
LIMIT = 16 << 20  # CaptureOptions.max_payload_bytes
PAGE = page(1)

READ = """
import json, resource, sys
from thresher.reading.captures import CaptureOptions, WarcReading
list(WarcReading(sys.argv[2]))  # what importing and the first page take
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
reading = WarcReading(sys.argv[1])
lengths = [len(capture.payload) for capture in reading]
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
letters = [letter.message for letter in reading.dead_letters]
print(json.dumps({"lengths": lengths, "letters": letters, "skipped": dict(reading.skipped), "megabytes": (after - before) >> 10}))
"""


def record(body: bytes, *headers: str, length: int | None = None) -> bytes:
    """A response record, with these HTTP headers and as many bytes stated as are there, or `length`."""
    head = "\r\n".join(("HTTP/1.1 200 OK", "Content-Type: text/html", *headers)).encode() + b"\r\n\r\n"
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
        b"WARC-Target-URI: http://mill.example/\r\nContent-Length: %d\r\n\r\n"
        % (length or len(head) + len(body))
        + head
        + body
        + b"\r\n\r\n"
    )


GOOD = record(PAGE)


def read(path: Path) -> dict:
    """What the archive held, read in a process of its own."""
    small = path.parent / "small.warc"
    small.write_bytes(GOOD)
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path), str(small)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS)),
    )
    assert done.returncode == 0, done.stderr or f"stopped after {CPU_SECONDS} s"
    return json.loads(done.stdout)


def in_gzip(path: Path, *records: bytes) -> Path:
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return path


def test_a_body_of_empty_gzip_members_takes_linear_time(tmp_path: Path) -> None:
    body = gzip.compress(b"") * 200_000 + gzip.compress(PAGE)
    archive = in_gzip(tmp_path / "a.warc.gz", GOOD, record(body, "Content-Encoding: gzip"), GOOD)
    assert archive.stat().st_size < 40_000
    found = read(archive)
    assert found["lengths"] == [len(PAGE)] * 3
    assert found["megabytes"] < 64


def test_a_body_of_tiny_chunks_takes_linear_time_and_little_memory(tmp_path: Path) -> None:
    archive = in_gzip(
        tmp_path / "a.warc.gz", GOOD, record(b"1\r\n<\r\n" * 1_000_000, "Transfer-Encoding: chunked"), GOOD
    )
    found = read(archive)
    assert found["lengths"] == [len(PAGE), 1_000_000, len(PAGE)]
    assert found["megabytes"] < 60  # of 6 MB; a list of the chunks took 230


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_stacked_content_codings_take_little_memory(tmp_path: Path, coding: str) -> None:
    def zstd(data: bytes) -> bytes:
        file = io.BytesIO()
        writer = ZstdWriter(file)
        writer.write(data)
        writer.close()
        return file.getvalue()

    compress = {
        "gzip": lambda data: gzip.compress(data, 1),
        "deflate": lambda data: zlib.compress(data, 1),
        "br": lambda data: brotli.compress(data, quality=1),
        "zstd": zstd,
    }
    body = PAGE + os.urandom(LIMIT // 3)
    for _ in range(MAX_CODINGS):
        body = compress[coding](body)
    codings = ", ".join([coding] * MAX_CODINGS)
    found = read(in_gzip(tmp_path / "a.warc.gz", record(body, f"Content-Encoding: {codings}")))
    assert found["lengths"][0] == len(PAGE) + LIMIT // 3
    assert found["megabytes"] < 160


def test_too_many_codings_are_refused_at_once() -> None:
    with pytest.raises(PayloadError, match="20,000 content codings, more than 8"):
        decode_body(PAGE, "", "br," * 20_000, LIMIT)


def test_a_member_that_breaks_late_leaves_the_members_before_it() -> None:
    whole = b"".join(gzip.compress(b"%d " % number) for number in range(1000))
    broken = whole + gzip.compress(os.urandom(5000))[:-2000] + b"\xff" * 100
    decoded, problem = decode_body(broken, "", "gzip", LIMIT)
    assert decoded.startswith(b"".join(b"%d " % number for number in range(1000)))
    assert problem == "encoding"


@pytest.mark.parametrize("behind", [b"\r\n\r\n" + GOOD, b"", None])
def test_a_record_of_three_gigabytes_is_skipped(tmp_path: Path, behind: bytes | None) -> None:
    """Whole and followed by another, the last of its file, or cut; of line ends, each of which may begin a record."""
    size = 3 << 30
    path = tmp_path / "a.warc"
    head = record(PAGE, length=size).removesuffix(b"\r\n\r\n")
    block_at = len(GOOD) + head.index(b"HTTP/1.1")
    with path.open("wb") as file:
        file.write(GOOD + head + b"\n" * (64 << 20))
        file.truncate(block_at + size)  # zeros that take no room on the disk
        if behind is None:
            file.truncate(block_at + (64 << 20))
        else:
            file.seek(0, os.SEEK_END)
            file.write(behind)
    found = read(path)
    wanted = {None: [len(PAGE)], b"": [len(PAGE), LIMIT]}.get(behind, [len(PAGE), LIMIT, len(PAGE)])
    assert found["lengths"] == wanted
    assert found["megabytes"] < 100


def test_a_file_of_empty_gzip_members_takes_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(b"") * 200_000 + gzip.compress(GOOD))
    assert read(path)["lengths"] == [len(PAGE)]


ARC = b"filedesc://x 0.0.0.0 20200101000000 text/plain 10\n1 0 A\nURL \n\n"


@pytest.mark.parametrize(
    "line",
    [
        b"http://x/ 1.1.1.1 20200101000000 " + b"1" * 60_000 + b"x",
        b"http://x/ 1.1.1.1 20200101000000 text/html " + b"1" * 5000,  # int() refuses it
        b"http://x/" + b" x 12345678" * 6000 + b" y",
        b"http://x/" + b" 12345678 1" * 700 + b" y",
    ],
)
def test_no_arc_header_takes_more_than_linear_time(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "a.arc"
    path.write_bytes(ARC + line + b"\n" + b"<p>x" * 100 + b"\n" + line + b"\n")
    assert read(path)["skipped"] == {"not_response": 1}


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (b"http://x/ 1.1.1.1 20200101000000 text/html 12\n", (b"http://x/", b"20200101000000", b"text/html", 12)),
        (b"HTTP://x/a b 1.1.1.1 20200101 text/html 12 \t\r\n", (b"HTTP://x/a b", b"20200101", b"text/html", 12)),
        (b"http://x/ 1.1.1.1 20200101000000 text/html 200 - - 5 a.arc.gz 12", (b"http://x/", b"20200101000000", b"text/html 200 - - 5 a.arc.gz", 12)),
        (b"http://x/ 1.1.1.1 20200101000000 12", (b"http://x/", b"20200101000000", b"", 12)),
        (b"http://x/ 1.1.1.1 20200101000000 text/html -1", (b"http://x/", b"20200101000000", b"text/html", -1)),
        (b"http://x/ 1.1.1.1 20200101000000 text/html", None),
        (b"http://x/ 20200101000000 12", None),
        (b"x/ 1.1.1.1 20200101000000 text/html 12", None),
    ],
)  # fmt: skip
def test_arc_header_lines(line: bytes, fields: tuple[bytes, bytes, bytes, int] | None) -> None:
    assert arc_fields(line) == fields


def secrets() -> Iterator[bytes]:
    """Files that are no archives, and that nobody should read in a table."""
    secret = b"root:x:0:0:secret:/root:/bin/bash\n"
    yield secret * 100
    yield gzip.compress(secret)
    yield GOOD + secret
    yield gzip.compress(GOOD) + secret
    yield GOOD.replace(b"HTTP/1.1 200 OK", secret[:15])


@pytest.mark.parametrize("content", list(secrets()))
def test_a_dead_letter_quotes_no_content_of_a_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "passwd"
    path.write_bytes(content)
    reading = WarcReading(path)
    list(reading)
    assert reading.dead_letters
    for letter in reading.dead_letters:
        assert "root:" not in letter.message
        assert len(letter.message) < 200
