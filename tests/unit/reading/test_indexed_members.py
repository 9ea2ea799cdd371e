# SPDX-License-Identifier: Apache-2.0
"""Runs over an index that names records of shared members: each record is found, however the archive is compressed."""

import gzip
import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from in_process import extract_here
from record_forms import ARCHIVES, FORMS, N_PAGES, gz, response, url_of, write
from run_rows import rows_of

from thresher.config import load_configuration
from thresher.reading.captures import WarcReading
from thresher.reading.index import Index
from thresher.reading.wacz import _Compressed
from thresher.running.outcome import inspect_run
from thresher.running.run import start_run

PLACE = ("warc_filename", "warc_record_offset", "warc_record_number", "warc_record_length")


def run_over(output: Path, *inputs: Path, index: Sequence[Path] = (), where: str = "", **knobs: object) -> Path:
    configuration = load_configuration(None, {name.replace("__", "."): value for name, value in knobs.items()})
    asked = Index(tuple(map(str, index)), where) if index else None
    run = start_run(list(map(str, inputs)), str(output), configuration, index=asked)
    extract_here(run)
    run.folder.close_run()
    report = inspect_run(str(output))
    assert report.unaccounted == 0
    return output


def unmeasured_rows(output: Path, table: str = "pages") -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if not name.endswith("_us")} for row in rows_of(output, table)]


def cdxj(path: Path, archive: Path, *, keep: Sequence[int] = range(N_PAGES), time: str = "202611200000{:02}") -> Path:
    """An index of an archive as other tools write one: no numbers."""
    lines = []
    for number, page in enumerate(WarcReading(archive, filename=archive.name)):
        fields = {
            "url": page.url,
            "filename": page.warc_filename,
            "offset": str(page.warc_record_offset),
            "length": str(page.warc_record_length),
        }
        if number in keep:
            lines.append(f"example,site)/ {time.format(number % 60)} {json.dumps(fields)}\n")
    path.write_text("".join(lines))
    return path


def by_day(forms: Iterable[str], daily: Collection[str]) -> list[Any]:
    return [pytest.param(form, marks=[] if form in daily else [pytest.mark.nightly]) for form in forms]


@pytest.mark.parametrize("form", by_day(FORMS, ("gzip-uneven", "zstd-dictionary", "wacz-deflated", "jsonl")))
def test_an_index_over_the_own_pages_gives_the_same_rows(form: str, tmp_path: Path) -> None:
    whole = run_over(tmp_path / "whole", write(form, tmp_path / "archive"))
    assert unmeasured_rows(run_over(tmp_path / "out", index=[whole / "pages"])) == unmeasured_rows(whole)
    assert len(unmeasured_rows(whole)) == N_PAGES
    chosen = run_over(tmp_path / "chosen", index=[whole / "pages"], where="url LIKE '%/fields/3%'")
    assert unmeasured_rows(chosen) == [row for row in unmeasured_rows(whole) if "/fields/3" in row["url"]]


def test_a_member_that_a_wacz_compresses_is_inflated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step back in it begins anew: an index over one took time in the square of its records."""
    whole = run_over(tmp_path / "whole", write("wacz-deflated", tmp_path / "archive"))
    begun: list[None] = []
    real = _Compressed._open
    monkeypatch.setattr(_Compressed, "_open", lambda self: begun.append(None) or real(self))
    assert len(unmeasured_rows(run_over(tmp_path / "out", index=[whole / "pages"]))) == N_PAGES
    assert len(begun) < 5


@pytest.mark.parametrize("name", ["a.warc.wet", "a.warc.wet.gz"])
def test_texts_of_a_wet_are_pages_where_an_index_names_them(name: str, tmp_path: Path) -> None:
    pages = [f"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://w.example/{n}\r\n" for n in range(3)]
    text = b"Grain and chaff of the mill.\n" * 9
    records = [f"{head}Content-Type: text/plain\r\nContent-Length: {len(text)}\r\n\r\n".encode() for head in pages]
    made = [head + text + b"\r\n\r\n" for head in records]
    (tmp_path / name).write_bytes(b"".join(map(gzip.compress, made) if name.endswith(".gz") else made))
    whole = run_over(tmp_path / "whole", tmp_path / name)
    found = run_over(tmp_path / "found", index=[whole / "pages"])
    assert len(unmeasured_rows(found)) == 3
    assert unmeasured_rows(found) == unmeasured_rows(whole)


@pytest.mark.parametrize(
    ("form", "time"),
    [
        pytest.param(form, time, marks=[] if (number + night) % 2 else [pytest.mark.nightly])
        for number, form in enumerate(ARCHIVES)
        for night, time in enumerate(("202611200000{:02}", "20200101000000"))
    ],
)
def test_records_without_numbers_are_found_by_their_urls(form: str, time: str, tmp_path: Path) -> None:
    """Whether or not the index has their times."""
    archive = write(form, tmp_path / "archive")
    whole = run_over(tmp_path / "whole", archive)
    found = run_over(tmp_path / "out", index=[cdxj(archive.parent / "all.cdxj", archive, time=time)])

    def named(output: Path) -> list[Any]:
        rows = unmeasured_rows(output)
        return [(row["url"], row["text"], *(row[name] for name in PLACE[1:])) for row in rows]

    assert sorted(named(found)) == sorted(named(whole))
    few = run_over(tmp_path / "few", index=[cdxj(archive.parent / "few.cdxj", archive, keep=[5, 31, 58], time=time)])
    assert sorted(row["url"] for row in unmeasured_rows(few)) == sorted(map(url_of, [5, 31, 58]))


@pytest.mark.parametrize("form", ["gzip-one", "gzip-threes", "gzip-uneven", "zstd-one"])
def test_rows_do_not_depend_on_where_ranges_are_split(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = write(form, tmp_path / "archive")
    whole = run_over(tmp_path / "whole", archive)
    monkeypatch.setattr("thresher.running.indexed.GROUP_RANGES", 7)
    for index in (whole / "pages", cdxj(archive.parent / "all.cdxj", archive)):
        out = run_over(tmp_path / index.name, index=[index], read__split_bytes=700)
        assert sorted(row["url"] for row in unmeasured_rows(out)) == sorted(map(url_of, range(N_PAGES)))
        assert len(list(out.glob("pages/0*.parquet"))) > 5


def test_archives_of_one_name_in_two_folders_are_two(tmp_path: Path) -> None:
    """Even with records at the same offsets."""
    indexes = []
    for folder in "ab":
        (tmp_path / folder).mkdir()
        archive = tmp_path / folder / "crawl.warc"
        archive.write_bytes(b"".join(response(f"http://{folder}.example/{number}", number) for number in range(10)))
        indexes.append(cdxj(tmp_path / folder / "index.cdxj", archive))
    out = run_over(tmp_path / "out", index=indexes)
    rows = unmeasured_rows(out)
    assert sorted(row["url"] for row in rows) == sorted(f"http://{f}.example/{n}" for f in "ab" for n in range(10))
    assert len({tuple(row[name] for name in PLACE[:3]) for row in rows}) == 20
    assert {row["warc_filename"] for row in rows} == {str(tmp_path / folder / "crawl.warc") for folder in "ab"}
    # The same archive by two indexes is one.
    twice = run_over(tmp_path / "twice", index=[indexes[0], indexes[0]])
    assert len(unmeasured_rows(twice)) == 10


def test_what_one_index_has_with_a_number_and_another_without_is_one_record(tmp_path: Path) -> None:
    archive = write("gzip-threes", tmp_path / "archive")
    whole = run_over(tmp_path / "whole", archive)
    out = run_over(tmp_path / "out", index=[whole / "pages", cdxj(archive.parent / "all.cdxj", archive)])
    assert sorted(row["url"] for row in unmeasured_rows(out)) == sorted(map(url_of, range(N_PAGES)))


@pytest.mark.parametrize("third_is", [2, 0], ids=["with times", "without times"])
def test_of_several_records_with_one_url_the_time_tells(third_is: int, tmp_path: Path) -> None:
    """Without times they are taken in order."""
    records = [response("http://mill.example/", number) for number in range(4)]
    archive = tmp_path / "crawl.warc.gz"
    archive.write_bytes(gz(b"".join(records)))
    rows = [
        {
            "url": "http://mill.example/",
            "warc_filename": str(archive),
            "warc_record_offset": 0,
            "warc_record_length": archive.stat().st_size,
            "content_digest": f"digest{number}",
            "fetch_time": page.fetch_time if third_is else None,
        }
        for number, page in enumerate(WarcReading(archive))
    ]
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, tmp_path / "index.parquet")
    pq.write_table(table.slice(2, 1), tmp_path / "third.parquet")
    every = unmeasured_rows(run_over(tmp_path / "every", index=[tmp_path / "index.parquet"]))
    assert [row["title"] for row in every] == [f"Page {number}" for number in range(4)]
    (third,) = unmeasured_rows(run_over(tmp_path / "third", index=[tmp_path / "third.parquet"]))
    assert third["title"] == f"Page {third_is}"


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"warc_record_number": 7}, "NoRecord", "has 3 records, and none of number 7"),
        ({"warc_record_number": None, "url": "http://other.example/"}, "WrongUrl", "not this URL"),
    ],
)
def test_what_a_shared_member_does_not_hold_is_a_dead_letter(
    change: dict[str, Any], error: str, says: str, tmp_path: Path
) -> None:
    archive = write("gzip-threes", tmp_path / "archive")
    rows = unmeasured_rows(run_over(tmp_path / "whole", archive))
    needed = ("url", "warc_filename", "warc_record_offset", "warc_record_length", "warc_record_number")
    index = [{name: row[name] for name in needed} for row in rows]
    index[10] |= change
    pq.write_table(pa.Table.from_pylist(index), tmp_path / "index.parquet")
    out = run_over(tmp_path / "out", index=[tmp_path / "index.parquet"])
    (letter,) = unmeasured_rows(out, "dead_letter")
    assert (letter["stage"], letter["error_class"]) == ("index", error)
    assert says in letter["message"]
    assert [row["url"] for row in unmeasured_rows(out)] == [row["url"] for row in rows if row["url"] != rows[10]["url"]]


def test_a_damaged_shared_member_loses_what_lies_behind_the_damage(tmp_path: Path) -> None:
    archive = write("zstd-one", tmp_path / "archive")
    whole = run_over(tmp_path / "whole", archive)
    data = archive.read_bytes()
    archive.write_bytes(data[: len(data) // 2])
    out = run_over(tmp_path / "out", index=[whole / "pages"])
    n_pages, letters = len(unmeasured_rows(out)), unmeasured_rows(out, "dead_letter")
    assert n_pages + len(letters) == N_PAGES
    assert {(letter["stage"], letter["error_class"]) for letter in letters} == {("read", "DamagedFile")}
