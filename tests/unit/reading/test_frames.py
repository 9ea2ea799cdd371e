# SPDX-License-Identifier: Apache-2.0
"""Archives in Zstandard and LZ4: dictionaries, frames of several records, damage, and files made to cost much."""

import io
import resource
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from costs import assert_linear
from fastwarc.stream_io import Lz4Writer, ZstdReader, ZstdWriter

from thresher.reading.captures import WarcReading
from thresher.reading.payload import decode_body

ARCHIVES = Path(__file__).with_name("zstd")
MAGIC = b"\x28\xb5\x2f\xfd"


def skippable(content: bytes, number: int = 13, size: int | None = None) -> bytes:
    return struct.pack("<II", 0x184D2A50 + number, len(content) if size is None else size) + content


def made_with_a_dictionary() -> tuple[bytes, list[bytes]]:
    """The compressed dictionary and the frames of dictionary.warc.zst."""
    data = (ARCHIVES / "dictionary.warc.zst").read_bytes()
    end = 8 + struct.unpack("<I", data[4:8])[0]
    places = []
    at = data.find(MAGIC, end)
    while at >= 0:
        places.append(at)
        at = data.find(MAGIC, at + 1)
    return data[8:end], [data[a:b] for a, b in zip(places, [*places[1:], len(data)], strict=True)]


def pages(tmp_path, data: bytes, name: str = "a.warc.zst"):
    path = tmp_path / name
    path.write_bytes(data)
    reading = WarcReading(path)
    found = [(c.url[-1], c.warc_record_offset, c.warc_record_length) for c in reading]
    assert reading.n_records == len(found) + len(reading.dead_letters)
    return found, [(letter.offset, letter.length, letter.message) for letter in reading.dead_letters]


@pytest.mark.parametrize("compressed", [True, False])
def test_the_dictionary_in_the_first_frame_is_used(tmp_path, compressed):
    dictionary, frames = made_with_a_dictionary()
    if not compressed:
        dictionary = ZstdReader(io.BytesIO(dictionary)).read(-1)
    begin = 8 + len(dictionary)
    found, letters = pages(tmp_path, skippable(dictionary) + b"".join(frames))
    assert not letters
    places = [begin + sum(map(len, frames[:n])) for n in range(4)]
    assert found == [(str(n), places[n], len(frames[n])) for n in range(4)]
    assert pages(tmp_path, skippable(b"of another kind", 0) + skippable(dictionary) + b"".join(frames))[0]


def test_a_damaged_frame_costs_its_record_only(tmp_path):
    dictionary, frames = made_with_a_dictionary()
    front = skippable(dictionary)
    whole, _ = pages(tmp_path, front + b"".join(frames))
    for broken in range(4):
        changed = list(frames)
        changed[broken] = frames[broken][:60] + b"\xff" * 40 + frames[broken][100:]
        found, letters = pages(tmp_path, front + b"".join(changed))
        assert found == whole[:broken] + whole[broken + 1 :]
        assert [letter[:2] for letter in letters] == [whole[broken][1:]]
    found, letters = pages(tmp_path, (front + b"".join(frames))[:-20])
    assert found == whole[:3]
    assert letters == [(whole[3][1], whole[3][2] - 20, letters[0][2])]


def test_records_that_share_a_frame_have_places_of_their_own(tmp_path):
    """A page that ends its worker is known by its place; the others of its frame must not be given up with it."""
    path = tmp_path / "a.warc.zst"
    path.write_bytes((ARCHIVES / "one-frame.warc.zst").read_bytes() * 2)
    found = list(WarcReading(path))
    assert [capture.url[-1] for capture in found] == ["0", "1", "2"] * 2
    assert len({capture.place for capture in found}) == 6


def test_a_dictionary_that_is_missing_or_of_other_bytes_is_one_dead_letter(tmp_path):
    dictionary, frames = made_with_a_dictionary()
    damaged = bytearray(ZstdReader(io.BytesIO(dictionary)).read(-1))
    damaged[20] ^= 0x55  # in its tables
    for front in (b"", *map(skippable, (dictionary[:-30], bytes(damaged), b"\x37\xa4\x30\xec" + bytes(50)))):
        found, letters = pages(tmp_path, front + b"".join(frames))
        assert not found
        assert len(letters) == 1


@cache
def zeros() -> bytes:
    out = io.BytesIO()
    writer = ZstdWriter(out)
    for _ in range(200):
        writer.write(bytes(10 << 20))
    writer.close()
    return out.getvalue()


@pytest.mark.parametrize("size", [None, 0xFFFFFFFF])
def test_a_dictionary_takes_little_memory(tmp_path, size):
    """2 GB of zeros in 62 KB took 3.8 GB; the frame may also claim to have 4 GB."""
    bomb = zeros()
    _, frames = made_with_a_dictionary()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found, letters = pages(tmp_path, skippable(bomb, size=size) + b"".join(frames))
    assert not found
    assert letters[0][0] == 0
    assert "more than 16,777,216" in letters[0][2]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


@pytest.mark.parametrize("unit", [MAGIC, MAGIC + b"\x20\x00\x01\x00\x00", skippable(b"", 0), b"\x04\x22\x4d\x18"])
@pytest.mark.parametrize("end", [b"", b"garbage"])
def test_a_file_of_nothing_but_frames_is_given_up(tmp_path, unit, end):
    def reading(size: int) -> Callable[[], object]:
        def run() -> None:
            found, letters = pages(tmp_path, unit * (size // len(unit)) + end)
            assert not found
            assert len(letters) == 1

        return run

    assert_linear(reading, 1 << 18)


def test_damage_in_lz4_costs_its_record_only(tmp_path):
    frames = []
    for record in range(4):
        body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Grain and chaff %d." % record
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://mill.example/{record}\r\n"
        out = io.BytesIO()
        writer = Lz4Writer(out)
        writer.write(f"{head}Content-Type: application/http\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        writer.write(b"\r\n\r\n")
        writer.close()
        frames.append(out.getvalue())
    whole, letters = pages(tmp_path, b"".join(frames), "a.warc.lz4")
    assert len(whole) == 4
    assert not letters
    frames[1] = frames[1][:20] + b"\xff" * 20 + frames[1][40:]
    found, letters = pages(tmp_path, b"".join(frames), "a.warc.lz4")
    assert found == [whole[0], *whole[2:]]
    assert len(letters) == 1


def test_a_body_may_begin_with_a_skippable_frame():
    """As pzstd writes it."""
    out = io.BytesIO()
    writer = ZstdWriter(out)
    writer.write(b"<p>Grain and chaff." * 50)
    writer.close()
    body = skippable(b"\x01\x02\x03\x04", 0) + out.getvalue()
    assert decode_body(body * 2, "", "zstd", 1 << 20) == (b"<p>Grain and chaff." * 100, "")
