# SPDX-License-Identifier: Apache-2.0
"""WARC reading under any input: splits equal the whole, damaged files never raise and are accounted for to the last
record.
"""

import gzip
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shared_data import files

from thresher.options import CaptureOptions
from thresher.reading.captures import WarcReading

ANY_STATUS = CaptureOptions(statuses=None)


def record(kind: str, number: int, block: bytes, *, length: int | None = None, newline: str = "\r\n") -> bytes:
    """One WARC record, with any Content-Length."""
    http = ["Content-Type: application/http; msgtype=response"] if block.startswith(b"HTTP/") else []
    lines = [
        "WARC/1.0", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:uuid:{number}>", f"WARC-Target-URI: http://a.example/{number}",
        *http, f"Content-Length: {len(block) if length is None else length}", "", "",
    ]  # fmt: skip
    return newline.join(lines).encode() + block + 2 * newline.encode()


def page(number: int, size: int = 50) -> bytes:
    """A response record with an HTML page of about that size that does not compress well."""
    text = random.Random(number).randbytes(size // 2).hex()
    return record("response", number, f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{number} {text}".encode())


def note(number: int, about: int) -> bytes:
    """A crawler's note on the languages of a page."""
    block = b'languages-cld2: {"languages":[{"code-iso-639-3":"eng"}]}\r\n'
    made = record("metadata", number, block)
    return made.replace(b"WARC-Target-URI", b"WARC-Concurrent-To: <urn:uuid:%d>\r\nWARC-Target-URI" % about, 1)


def outcome(readings: list[WarcReading], captures: list) -> tuple:
    """Everything that must not depend on how a file was cut."""
    letters = [letter for reading in readings for letter in reading.dead_letters]
    skipped = sum((reading.skipped for reading in readings), start=Counter())
    return captures, letters, skipped, sum(reading.n_records for reading in readings)


def read_whole(path: Path) -> tuple:
    reading = WarcReading(path, ANY_STATUS)
    captures = list(reading)
    assert reading.n_records == len(captures) + len(reading.dead_letters) + sum(reading.skipped.values())
    return outcome([reading], captures)


def read_split(path: Path, points: list[int]) -> tuple:
    """The file read in splits, each on its own as if by another worker, then checked for how they join."""
    edges = [0, *sorted(points), path.stat().st_size or 1]  # an empty file is read, too
    readings, captures = [], []
    following: int | None = 0
    for start, end in pairwise(edges):
        if following is None or following >= end:
            continue
        reading = WarcReading(path, ANY_STATUS, start=start, end=end)
        found = list(reading)
        if start and reading.first_offset != following:
            reading = WarcReading(path, ANY_STATUS, start=following, end=end)
            found = list(reading)
        readings.append(reading)
        captures += found
        following = reading.next_offset
    return outcome(readings, captures)


@pytest.mark.parametrize("path", files("warc-real/*"), ids=lambda path: path.name)
def test_splits_of_a_real_file_equal_the_whole(path):
    size, whole = path.stat().st_size, read_whole(path)
    for count in (1, 3, 17):
        points = sorted(random.Random(size * 7 + count).sample(range(1, size), count))
        assert read_split(path, points) == whole


ODD_LENGTH = st.builds(
    lambda number, length: record("response", number, b"HTTP/1.1 200 OK\r\n\r\n<html>x", length=length),
    st.integers(0, 99),
    st.integers(0, 400),
)
PARTS = st.lists(
    st.one_of(
        st.builds(page, st.integers(0, 99), st.sampled_from([0, 10, 300, 70_000])),
        st.builds(page, st.integers(0, 1)),
        st.builds(note, st.integers(0, 99), st.integers(0, 1)),
        st.builds(
            record, st.sampled_from(["request", "warcinfo", "metadata"]), st.integers(0, 99), st.just(b"a block")
        ),
        ODD_LENGTH,
        st.builds(
            lambda number: record("response", number, b"HTTP/1.0 200 OK\n\n<html>lf", newline="\n"), st.integers(0, 99)
        ),
        st.sampled_from(
            [b"", b"\r\n", b"garbage\r\n", b"WARC/1.0\r\n", b"WARC/1.0\r\nContent-Length: x\r\n\r\n", b"x" * 500]
        ),
    ),
    max_size=8,
)
LAYOUTS = st.sampled_from(["plain", "records", "pairs", "one", "chopped"])
CUTS = st.lists(st.floats(0.001, 0.999), max_size=5)


def build(parts: list[bytes], layout: str) -> bytes:
    """A WARC out of parts: plain, a gzip member for each, for every two, for all, or members that end anywhere."""
    if layout == "plain":
        return b"".join(parts)
    if layout == "records":
        return b"".join(map(gzip.compress, parts))
    if layout == "pairs":
        return b"".join(gzip.compress(b"".join(parts[i : i + 2])) for i in range(0, len(parts), 2))
    whole = b"".join(parts)
    if layout == "one":
        return gzip.compress(whole)
    return b"".join(gzip.compress(whole[i : i + 333]) for i in range(0, len(whole), 333))


# A gzip member of nothing but a line end belongs to the record before it, whichever reader finds it.
@example(parts=[page(0), page(0, 0), page(0), b"\r\n", page(0, 0)], layout="records", cuts=[0.25])
@given(parts=PARTS, layout=LAYOUTS, cuts=CUTS)
def test_splits_of_a_built_file_equal_the_whole(tmp_path_factory, parts, layout, cuts):
    path = tmp_path_factory.getbasetemp() / "built.warc"
    data = build(parts, layout)
    path.write_bytes(data)
    assert read_split(path, sorted({int(cut * len(data)) for cut in cuts} - {0})) == read_whole(path)


@given(
    parts=PARTS,
    layout=LAYOUTS,
    changes=st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), max_size=4),
    end=st.floats(0, 1),
    cuts=CUTS,
)
def test_a_damaged_file_never_raises_and_its_splits_equal_the_whole(
    tmp_path_factory, parts, layout, changes, end, cuts
):
    data = bytearray(build(parts, layout))
    for where, byte in changes:
        if data:
            data[int(where * len(data))] = byte
    del data[int(end * len(data)) + 1 :]
    path = tmp_path_factory.getbasetemp() / "damaged.warc"
    path.write_bytes(data)
    assert read_split(path, sorted({int(cut * len(data)) for cut in cuts} - {0})) == read_whole(path)


MAGIC = st.sampled_from([b"", b"WARC/1.0\r\n", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"http://a "])


@given(magic=MAGIC, data=st.binary(max_size=2000))
def test_any_bytes_are_read_without_an_exception_and_accounted_for(tmp_path_factory, magic, data):
    path = tmp_path_factory.getbasetemp() / "any.warc"
    path.write_bytes(magic + data)
    captures, letters, skipped, _ = read_whole(path)
    if (magic + data).strip(b"\0 \t\r\n\x0b\x0c"):
        assert captures or letters or skipped


def test_a_file_cut_at_any_byte_keeps_the_whole_records_before_the_cut(tmp_path):
    path = tmp_path / "cut.warc.gz"
    members = [gzip.compress(page(number)) for number in range(3)]
    data = b"".join(members)
    ends = [sum(map(len, members[: i + 1])) for i in range(3)]
    for end in (*range(1, len(data), 5), *ends, *(edge - 1 for edge in ends), *(edge + 1 for edge in ends[:-1])):
        path.write_bytes(data[:end])
        reading = WarcReading(path)
        n_whole = sum(edge <= end for edge in ends)
        assert len(list(reading)) == n_whole, end
        assert len(reading.dead_letters) == (end not in ends), end
        for letter in reading.dead_letters:
            assert (letter.offset, letter.offset + letter.length) == ([0, *ends][n_whole], end)


def test_one_wrong_bit_costs_at_most_the_record_it_is_in(tmp_path):
    path = tmp_path / "flipped.warc.gz"
    members = [gzip.compress(page(number, 2000)) for number in range(5)]
    start = len(members[0]) + len(members[1])
    for at in range(0, len(members[2]), 7):
        data = bytearray(b"".join(members))
        data[start + at] ^= 0x10
        path.write_bytes(data)
        reading = WarcReading(path)
        kept = [capture.url[-1] for capture in reading]
        lost = [(letter.offset, letter.length) for letter in reading.dead_letters]
        assert (kept, lost) in (
            (["0", "1", "3", "4"], [(start, len(members[2]))]),
            (["0", "1", "2", "3", "4"], []),  # fields of gzip's header that nothing depends on
        ), at
