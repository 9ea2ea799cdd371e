# SPDX-License-Identifier: Apache-2.0
"""JSON Lines, Parquet, WACZ and indexes made to cost memory, or to lose what lies beside one bad entry."""

import gzip
import json
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from costs import assert_linear
from in_process import extract_here
from run_rows import rows_of
from small_archive import page, write_archive
from waiting import LIMIT

from thresher.config import load_configuration
from thresher.errors import InputError
from thresher.page import hosts
from thresher.reading.captures import CaptureOptions, WarcReading
from thresher.reading.index import MAX_LINE, Index, Wanted, ask_index
from thresher.reading.inputs import Input
from thresher.reading.pages import JsonLinesReading
from thresher.running.run import Run, start_run

HTML = page(1)

MEASURED = """
import json, resource, sys
sys.path[:0] = json.loads(sys.argv[1])
import pyarrow.parquet, thresher.running.pipeline
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{code}
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([found, (after - before) >> 10]))
"""


def measured(code: str, *arguments: object) -> tuple[Any, int]:
    """What some code calls `found`, run in a process of its own, and the megabytes it took."""
    command = [sys.executable, "-c", MEASURED.format(code=code), json.dumps(sys.path), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    found, megabytes = json.loads(done.stdout)
    return found, megabytes


# --- hosts ---


def test_a_host_longer_than_dns_allows_is_no_host_and_not_kept() -> None:
    before = hosts.registered_domain.cache_info().currsize
    for number in range(100):
        assert hosts.host_and_domain(f"http://{'a' * 120_000}{number}.example.com/") == (None, None)
    assert hosts.registered_domain.cache_info().currsize == before
    longest = "a" * 61 + "." + ".".join(["b" * 63] * 2) + "." + "c" * 51 + ".example.com"
    assert len(longest) == hosts.MAX_HOST
    assert hosts.host_and_domain(f"http://{longest}/") == (longest, "example.com")


# --- dead letters ---


LETTERS = """
from in_process import extract_here
from thresher.config import load_configuration
from thresher.running.run import start_run
run = start_run([sys.argv[2]], sys.argv[3], load_configuration(None, {{}}))
extract_here(run)
run.folder.close_run()
found = None
"""


def test_many_dead_letters_of_a_partition_are_written_as_they_come(tmp_path: Path) -> None:
    n = 100_000
    path = tmp_path / "pages.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}\n" * n + json.dumps({"html": HTML.decode()}).encode()))
    assert path.stat().st_size < 10_000
    _, megabytes = measured(LETTERS.replace("{{}}", "{}"), path, tmp_path / "out")
    assert megabytes < 40  # 75 where they were held
    found = rows_of(tmp_path / "out", "dead_letter")
    assert [row["warc_record_offset"] for row in found] == list(range(n))
    assert {row["error_class"] for row in found} == {"MissingHtml"}
    assert len(rows_of(tmp_path / "out")) == 1
    metrics = [row for each in (tmp_path / "out/metrics").glob("0*") for row in pq.read_table(each).to_pylist()]
    read = next(row for row in metrics if row["stage"] == "read")
    assert read["records"] == n + 1
    assert dict(read["errors"]) == {"MissingHtml": n}


def test_page_batches_keep_the_first_dead_letters_and_count_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import thresher

    monkeypatch.setattr("thresher.running.page_batches._MAX_LETTERS", 10)
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"{}\n" * 25)
    found = thresher.page_batches(path)
    assert list(found) == []
    assert (found.n_records, found.n_dead_letters) == (25, 25)
    assert [each.offset for each in found.dead_letters] == list(range(10))


# --- JSON Lines ---


def test_a_line_in_gzip_members_of_one_byte_takes_linear_time(tmp_path: Path) -> None:
    member = gzip.compress(b"x")

    def reading(n: int) -> Callable[[], object]:
        path = tmp_path / f"{n}.jsonl.gz"
        path.write_bytes(gzip.compress(b'{"html": "') + member * n + gzip.compress(b'"}\n'))

        def run() -> None:
            assert [len(capture.payload) for capture in JsonLinesReading(path)] == [n]

        return run

    assert_linear(reading, 400_000)


# --- Parquet ---


def as_text(values: list[bytes]) -> pa.Array:
    """A column of text whose bytes nobody has looked at."""
    return pa.Array.from_buffers(pa.string(), len(values), pa.array(values, pa.binary()).buffers())


# HTML given as bytes may be in any charset, so no bytes of it are bad.
@pytest.mark.parametrize(("kind", "bad"), [(pa.string(), "html"), (pa.string(), "url"), (pa.binary(), "url")])
def test_a_cell_that_is_no_utf8_costs_its_row(tmp_path: Path, kind: pa.DataType, bad: str) -> None:
    columns = {"html": [HTML, HTML, HTML], "url": [b"http://a.example/", b"http://b.example/", b"http://c.example/"]}
    columns[bad][1] = b"\xff\xfe<p>"
    table = pa.table({name: as_text(values) if kind == pa.string() else values for name, values in columns.items()})
    pq.write_table(table, tmp_path / "pages.parquet")
    reading = Input.of(str(tmp_path / "pages.parquet")).read(CaptureOptions())
    assert [each.url for each in reading] == ["http://a.example/", "http://c.example/"]
    assert [(each.offset, each.stage, each.error_class) for each in reading.dead_letters] == [(1, "record", "BadCell")]
    assert reading.n_records == 3


SCHEMAS = {
    "a date": ({"html": [HTML], "url": pa.array([1], pa.date32())}, "'url' is no text but date32"),
    "a duration": ({"html": [HTML], "url": pa.array([1], pa.duration("ns"))}, "'url' is no text but duration"),
    "a zone": ({"html": [HTML], "url": pa.array([1], pa.timestamp("us", "Mars/Olympus"))}, "'url' is no text"),
    "a map": ({"html": pa.array([[("a", "b")]], pa.map_(pa.string(), pa.string()))}, "'html' is no text but map"),
    "a list": ({"html": [["<p>"]]}, "'html' is no text but list"),
    "a struct": ({"html": [{"a": "<p>"}]}, "'html' is no text but struct"),
    "a number": ({"html": [1]}, "'html' is no text but int64"),
}  # fmt: skip


@pytest.mark.parametrize("name", SCHEMAS)
def test_columns_that_hold_no_pages_are_an_error_before_the_run(tmp_path: Path, name: str) -> None:
    columns, message = SCHEMAS[name]
    pq.write_table(pa.table(columns), tmp_path / "pages.parquet")
    with pytest.raises(InputError, match=message):
        begin(tmp_path / "pages.parquet", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_column_that_is_there_twice_is_an_error_before_the_run(tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array([HTML]), pa.array([HTML])], names=["html", "html"])
    pq.write_table(table, tmp_path / "pages.parquet")
    with pytest.raises(InputError, match="several columns 'html'"):
        begin(tmp_path / "pages.parquet", tmp_path / "out")


def begin(source: Path, output: Path, **settings: object) -> Run:
    return start_run([str(source)], str(output), load_configuration(None, settings))


HUGE = """
from thresher.reading.captures import CaptureOptions
from thresher.reading.inputs import Input
reading = Input.of(sys.argv[2]).read(CaptureOptions())
urls = [each.url for each in reading]
found = [urls, [[each.offset, each.error_class] for each in reading.dead_letters], reading.n_records]
"""


@pytest.mark.nightly
@pytest.mark.parametrize("dictionary", [True, False])
def test_a_value_of_half_a_gigabyte_is_not_read(tmp_path: Path, dictionary: bool) -> None:  # noqa: FBT001
    path = tmp_path / "pages.parquet"
    with pq.ParquetWriter(
        path,
        pa.schema({"html": pa.binary(), "url": pa.string()}),
        compression="zstd",
        use_dictionary=dictionary,
        write_statistics=False,
    ) as writer:
        for number, html in enumerate((HTML, b"<p>" + b"corn " * (100 << 20), HTML)):
            writer.write_table(pa.table({"html": [html], "url": [f"http://mill.example/{number}"]}))
    assert path.stat().st_size < 1 << 20
    (urls, dead, n), megabytes = measured(HUGE, path)
    assert urls == ["http://mill.example/0", "http://mill.example/2"]
    assert dead == [[1, "ValueTooLarge"]]
    assert n == 3
    assert megabytes < 100  # 1,500 where it was read


READ = """
import thresher
found = sum(len(each.payload) for each in thresher.read_captures(sys.argv[2]))
"""


def test_a_large_value_that_is_repeated_is_in_memory_once(tmp_path: Path) -> None:
    page, n = b"<p>" + b"corn " * (3 << 20), 24
    pages = pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), pa.array([page]))
    table = pa.table({"html": pages, "url": [f"http://mill.example/{number}" for number in range(n)]})
    path = tmp_path / "pages.parquet"
    pq.write_table(table, path, compression="zstd", store_schema=False, write_statistics=False)
    assert path.stat().st_size < 100_000
    n_bytes, megabytes = measured(READ, path)
    assert n_bytes == n * len(page)
    assert megabytes < 150  # the page, and its copies on the way


# --- WACZ ---


def wacz(path: Path, *names: str) -> tuple[Path, list[zipfile.ZipInfo]]:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for number, name in enumerate(names):
            pages = {f"http://mill.example/{number}": HTML}
            archive.writestr(name, write_archive(path.parent / "one.warc.gz", pages).read_bytes())
        return path, archive.infolist()


DIRECTORY = """
from thresher.errors import InputError
from thresher.reading.wacz import wacz_members
from thresher.reading.opening import open_input
try:
    found = wacz_members(sys.argv[2], open_input(sys.argv[2]))
except InputError as error:
    found = str(error)
"""


@pytest.mark.parametrize("stated", [5 << 30, 5 << 20])
def test_a_zip64_record_that_lies_about_the_list_of_files_takes_no_memory(tmp_path: Path, stated: int) -> None:
    """The usual record says little, so that only the other one states the size."""
    path, _ = wacz(tmp_path / "a.wacz", "archive/a.warc.gz")
    data = path.read_bytes()
    at = data.rindex(b"PK\5\6")
    n_bytes, begin_at = struct.unpack("<II", data[at + 12 : at + 20])
    large = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, stated, begin_at)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, at, 1)
    end = bytearray(data[at:])
    end[12:16] = struct.pack("<I", n_bytes)
    with path.open("wb") as file:
        file.write(data[:at])
        file.truncate(6 << 30)  # zeros that take no room on the disk
        file.seek(0, os.SEEK_END)
        file.write(large + locator + bytes(end))
    found, megabytes = measured(DIRECTORY, path)
    assert str(path) in str(found)
    assert megabytes < 100  # 10,000 where as much was allocated as the record states


@pytest.mark.parametrize("cut", [1, 21, 22, 60])
def test_a_wacz_that_is_cut_off_is_said_to_be(tmp_path: Path, cut: int) -> None:
    path, _ = wacz(tmp_path / "a.wacz", "archive/a.warc.gz")
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(InputError, match="may be cut off"):
        begin(path, tmp_path / "out")


@pytest.mark.parametrize("what", ["offset", "name", "far"])
def test_a_member_that_lies_elsewhere_is_a_dead_letter(tmp_path: Path, what: str) -> None:
    path, infos = wacz(tmp_path / "a.wacz", "archive/a.warc.gz", "archive/b.warc.gz")
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\1\2")  # of the first file
    if what == "name":
        data[infos[0].header_offset + 30 : infos[0].header_offset + 31] = b"x"
    else:
        data[entry + 42 : entry + 46] = struct.pack("<I", 7 if what == "offset" else 0xFFFFFFF0)
    path.write_bytes(data)
    run = begin(path, tmp_path / "out")
    extract_here(run)
    run.folder.close_run()
    assert [row["url"] for row in rows_of(tmp_path / "out")] == ["http://mill.example/1"]
    found = rows_of(tmp_path / "out", "dead_letter")
    assert [(row["stage"], row["error_class"]) for row in found] == [("read", "DamagedFile")]
    assert "damaged ZIP file" in found[0]["message"]


# --- indexes ---


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / "in").mkdir()
    os.mkfifo(folder / "pipe")
    return write_archive(folder / "a.warc.gz", {f"http://mill.example/{number}": HTML for number in range(3)})


def index_rows(archive: Path) -> list[dict[str, Any]]:
    return [
        {
            "url": each.url,
            "warc_filename": archive.name,
            "warc_record_offset": each.warc_record_offset,
            "warc_record_length": each.warc_record_length,
        }
        for each in WarcReading(archive)
    ]


@pytest.mark.parametrize("name", ["", ".", "in", "../crawl", "a\0b.warc.gz", "none.warc.gz", "pipe", "http://[x/a.gz"])
def test_a_bad_row_of_an_index_costs_itself(archive: Path, tmp_path: Path, name: str) -> None:
    good = index_rows(archive)
    bad = good[0] | {"warc_filename": name, "url": "http://mill.example/bad"}
    pq.write_table(pa.Table.from_pylist([bad, *good]), tmp_path / "index.parquet")
    index = Index((str(tmp_path / "index.parquet"),), "", Wanted())
    run = start_run([], str(tmp_path / "out"), load_configuration(None, {}), base_url=str(archive.parent), index=index)
    extract_here(run)
    run.folder.close_run()
    assert {row["url"] for row in rows_of(tmp_path / "out")} == {row["url"] for row in good}
    assert [row["url"] for row in rows_of(tmp_path / "out", "dead_letter")] == ["http://mill.example/bad"]


LINE = b'com,example)/ 20200101000000 {"url":"http://example.com/","filename":"a.warc.gz","offset":"1","length":"5"}\n'
BLOCK = gzip.compress(LINE)


def rows_in(path: Path) -> list[tuple[str, str | None]]:
    """(archive, URL) of the rows of an index."""
    with ask_index(Index((str(path),), "", Wanted()), base_url=None) as answer:
        rows = [row for batch in answer.batches for row in batch.to_pylist()]
    return [(row["warc_filename"], row["url"]) for row in rows]


GOOD = ("a.warc.gz", "http://example.com/")


@pytest.mark.parametrize(
    "bad",
    [
        b"x" * (MAX_LINE + 1) + b"\n",
        b'com,example)/ 2020 {"url":"http://e/\\ud800","filename":"b.warc.gz","offset":"1","length":"5"}\n',
        b'com,example)/ 2020 {"url":"http://e/","filename":"\\ud800","offset":"1","length":"5"}\n',
    ],
    ids=["too long", "half a pair", "half a pair in a name"],
)
@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_bad_line_of_cdxj_costs_itself(tmp_path: Path, bad: bytes, compress: Any) -> None:
    path = tmp_path / ("index.cdxj.gz" if compress is gzip.compress else "index.cdxj")
    path.write_bytes(compress(bad + LINE))
    found = rows_in(path)
    assert len(found) == 2
    assert found.count(GOOD) == 1
    assert [name for name, _ in found if name != GOOD[0]] == ["?"]


def test_what_ends_an_index_is_said_without_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "index.cdxj.gz"
    path.write_bytes(gzip.compress(os.urandom(5000).hex().encode())[:-20])
    with pytest.raises(InputError) as caught:
        rows_in(path)
    assert str(caught.value) == f"{path}: the file ends inside a gzip member"


@pytest.mark.parametrize(
    "lie",
    [
        b"s.gz\t%d\t%d" % (10**30, len(BLOCK)),
        b"s.gz\t" + b"1" * 5000 + b"\t5",
        b"s.gz\t%d\t%d" % (1 << 62, len(BLOCK)),
        b"s.gz\t0\t-5",
        b"s.gz\t0\t10",
        b"s.gz\t5\t%d" % len(BLOCK),
        b"\t0\t50",
        b".\t0\t50",
        b"a\0b\t0\t50",
        b"none.gz\t0\t50",
        b"s.gz",
    ],
)
def test_a_lie_in_a_cluster_costs_the_block(tmp_path: Path, lie: bytes) -> None:
    (tmp_path / "s.gz").write_bytes(BLOCK)
    path = tmp_path / "cluster.idx"
    key = b"com,example)/ 20200101000000\t"
    path.write_bytes(key + b"s.gz\t0\t%d\n" % len(BLOCK) + key + lie + b"\n")
    found = rows_in(path)
    assert len(found) == 2
    assert found.count(GOOD) == 1
