# SPDX-License-Identifier: Apache-2.0
"""Pages as Parquet, JSON Lines and WET: the same rows, read back by the tools that read them, also after a kill."""

import csv
import datetime as dt
import gzip
import io
import json
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from fastwarc.warc import ArchiveIterator as FastIterator
from halting import start_and_halt
from small_archive import page as made_up_page
from small_archive import write_archive, write_archives
from warcio.archiveiterator import ArchiveIterator

from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.running.outcome import inspect_run
from thresher.writing.file_format import formats_of
from thresher.writing.jsonl import SHAPES, public_name
from thresher.writing.wet import one_line

SPLIT = ["--set", "read.split_bytes=4000"]
OUTPUTS = {
    "parquet": ["--to", "parquet"],
    "jsonl": ["--to", "jsonl"],
    "jsonl.gz": ["--to", "jsonl", "--output-compression", "gzip"],
    "jsonl plain": ["--to", "jsonl", "--output-compression", "none"],
    "dolma": ["--to", "dolma"],
    "datatrove": ["--to", "datatrove"],
    "csv": ["--to", "csv"],
    "csv plain": ["--to", "csv", "--output-compression", "none"],
    "wet": ["--to", "wet"],
    "wet plain": ["--to", "wet", "--output-compression", "none"],
}


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "archives"
    write_archives(folder, archives=2, pages=20)
    strange = {
        "http://strange.example/\u2028\x85": b"<p>one\xe2\x80\xa8two\xc2\x85three",
        "http://empty.example/": b"<p>",
    }
    write_archive(folder / "strange.warc.gz", strange)
    return folder


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, ["extract", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def rows(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    output = tmp_path_factory.mktemp("rows") / "out"
    run(archives, "-o", output)
    return sorted(ds.dataset(output / "pages").to_table().to_pylist(), key=lambda row: row["url"])


def lines(folder: Path) -> Iterator[dict[str, object]]:
    for path in sorted(folder.iterdir()):
        with pa.input_stream(path, compression={".zst": "zstd", ".gz": "gzip", ".jsonl": None}[path.suffix]) as file:
            text = file.read().decode("utf-8")
        assert text.endswith("\n")
        for line in text.splitlines():
            yield json.loads(line)


def csv_rows(folder: Path) -> Iterator[dict[str, str]]:
    for path in sorted(folder.iterdir()):
        with pa.input_stream(path, compression={".zst": "zstd", ".csv": None}[path.suffix]) as file:
            yield from csv.DictReader(io.StringIO(file.read().decode("utf-8-sig"), newline=""), strict=True)


def records(folder: Path) -> Iterator[tuple[dict[str, str], bytes]]:
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                yield dict(record.rec_headers.headers), record.content_stream().read()


def texts(output: Path, kind: str) -> list[tuple[str, str, str]]:
    """(URL, text, language) of every page."""
    pages = output / "pages"
    if kind == "parquet":
        found = [(r["url"], r["text"], r["language"]) for r in ds.dataset(pages).to_table().to_pylist()]
    elif kind.startswith("jsonl"):
        found = [(r["url"], r["text"], r["language"]) for r in lines(pages)]
    elif kind.startswith("csv"):
        found = [(r["url"], r["text"], r["language"]) for r in csv_rows(pages)]
    elif kind.startswith("wet"):
        found = [
            (headers["WARC-Target-URI"], text.decode(), headers.get("WARC-Identified-Content-Language", "und"))
            for headers, text in records(pages)
            if headers["WARC-Type"] == "conversion"
        ]
    else:
        found = [(r["metadata"]["url"], r["text"], r["metadata"]["language"]) for r in lines(pages)]
    return sorted(found)


@pytest.mark.parametrize("kind", OUTPUTS)
def test_every_output_has_the_same_texts(
    archives: Path, rows: list[dict[str, object]], tmp_path: Path, kind: str
) -> None:
    run(archives, "-o", tmp_path / "out", *OUTPUTS[kind], *SPLIT, "--workers", 2)
    expected = [(one_line(r["url"]) if "wet" in kind else r["url"], r["text"], r["language"]) for r in rows]
    assert texts(tmp_path / "out", kind) == sorted(expected)
    report = inspect_run(str(tmp_path / "out"))
    assert (report.pages, report.unaccounted) == (len(rows), 0)
    result = CliRunner().invoke(main, ["inspect", str(tmp_path / "out")])
    assert (result.exit_code, f"{len(rows)} pages from 3 inputs" in result.output) == (0, True)


def test_csv_opens_in_a_spreadsheet(archives: Path, tmp_path: Path) -> None:
    run(archives, "-o", tmp_path / "out", "--to", "csv", "--columns", "text,url,date")
    for path in (tmp_path / "out" / "pages").iterdir():
        head = path.read_bytes().split(b"\n", 1)[0]
        assert path.suffix == ".csv"
        assert head == b"\xef\xbb\xbftext,url,date"


def test_a_line_has_the_columns_of_a_row(archives: Path, rows: list[dict[str, object]], tmp_path: Path) -> None:
    run(archives, "-o", tmp_path / "out", "--to", "jsonl", "--columns", "url,fetch_time,confidence,date,text,author")
    found = sorted(lines(tmp_path / "out" / "pages"), key=lambda row: row["url"])
    assert [list(row) for row in found] == [["url", "fetch_time", "text", "confidence", "date", "author"]] * len(rows)
    for line, row in zip(found, rows, strict=True):
        assert line["fetch_time"] == row["fetch_time"].isoformat()
        assert line["confidence"] == (None if row["confidence"] is None else round(row["confidence"], 6))


def test_documents_of_dolma_have_its_keys(archives: Path, rows: list[dict[str, object]], tmp_path: Path) -> None:
    run(archives, "-o", tmp_path / "out", "--to", "dolma")
    for document in lines(tmp_path / "out" / "pages"):
        assert list(document) == ["id", "text", "source", "added", "created", "metadata"]
        assert all(isinstance(document[key], str) for key in ("id", "text", "source", "added", "created"))
        assert None not in document["metadata"].values()
    ids = {document["id"].rpartition("-")[0] for document in lines(tmp_path / "out" / "pages")}
    assert ids == {f"{Path(row['warc_filename']).name}#{row['warc_record_offset']}" for row in rows}


def test_a_document_of_dolma_was_created_on_the_day_of_its_page() -> None:
    day, fetched = dt.date(2014, 3, 5), dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
    row = {
        "warc_filename": "a.warc.gz",
        "warc_record_offset": 0,
        "warc_record_number": 0,
        "text": "",
        "fetch_time": fetched,
    }
    for date in (day, None):
        document = SHAPES["dolma"](row | {"date": date})
        assert (document["created"], document["added"]) == (date or fetched, fetched)


@pytest.mark.parametrize("kind", ["dolma", "datatrove"])
def test_documents_of_the_same_pages_are_the_same_wherever_the_archive_lies(tmp_path: Path, kind: str) -> None:
    pages = {f"https://www.site.example/{k}": made_up_page(k) for k in range(3)}
    found = []
    for folder in ("here", "some/where/else"):
        (tmp_path / folder).mkdir(parents=True)
        archive = tmp_path / folder / "a.warc.gz"
        shutil.copy(tmp_path / "here" / "a.warc.gz", archive) if found else write_archive(archive, pages)
        run(archive, "-o", tmp_path / folder / "out", "--to", kind, "--output-compression", "none")
        found.append([file.read_bytes() for file in sorted((tmp_path / folder / "out" / "pages").iterdir())])
    assert found[0] == found[1]
    documents = [json.loads(line) for line in b"".join(found[0]).splitlines()]
    assert len({document["id"] for document in documents}) == 3
    assert str(tmp_path).encode() not in b"".join(found[0])
    assert not [name for name in documents[0]["metadata"] if name.endswith("_us")]


def test_archives_of_one_name_in_two_folders_have_documents_of_their_own(tmp_path: Path) -> None:
    for number, folder in enumerate(("one", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pages.jsonl").write_text(json.dumps({"html": f"<p>Some words of page {number}."}))
    run(tmp_path / "one" / "pages.jsonl", tmp_path / "two" / "pages.jsonl", "-o", tmp_path / "out", "--to", "dolma")
    one, two = [document["id"] for document in lines(tmp_path / "out" / "pages")]
    assert one != two
    assert one.startswith("pages.jsonl#0-")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("/home/me/a.warc.gz", "a.warc.gz"),
        ("file:///home/me/a%20b.warc.gz", "a b.warc.gz"),
        ("/home/me/pages/", "pages"),
        ("/home/me/c.wacz!archive/a.warc.gz", "c.wacz!archive/a.warc.gz"),
        ("crawl-data/CC-MAIN-2026/a.warc.gz", "crawl-data/CC-MAIN-2026/a.warc.gz"),
        ("https://archive.example/x/a.warc.gz", "https://archive.example/x/a.warc.gz"),
        ("s3://bucket/a.warc.gz", "s3://bucket/a.warc.gz"),
    ],
)
def test_public_names_have_no_folder_of_this_machine(name: str, expected: str) -> None:
    assert public_name(name) == expected


def test_wet_is_read_by_fastwarc_and_tells_where_a_text_is_from(
    archives: Path, rows: list[dict[str, object]], tmp_path: Path
) -> None:
    run(archives, "-o", tmp_path / "out", "--to", "wet", "--format", "markdown")
    by_id = {f"<{row['warc_record_id']}>": row for row in rows}
    found = 0
    for path in sorted((tmp_path / "out" / "pages").iterdir()):
        with path.open("rb") as file:
            kinds = [record.headers["WARC-Type"] for record in FastIterator(file)]
        assert kinds == ["warcinfo"] + ["conversion"] * (len(kinds) - 1)
        with gzip.open(path) as file:
            assert file.read(10) == b"WARC/1.0\r\n"
    for headers, _ in records(tmp_path / "out" / "pages"):
        if headers["WARC-Type"] == "conversion":
            row = by_id[headers["WARC-Refers-To"]]
            assert headers["WARC-Date"] == row["fetch_time"].strftime("%Y-%m-%dT%H:%M:%SZ")
            assert headers["Content-Type"] == "text/markdown"
            found += 1
    assert found == len(rows)


def test_files_of_two_runs_are_equal(archives: Path, tmp_path: Path) -> None:
    for name in ("jsonl", "jsonl.gz", "csv", "wet"):
        runs = []
        for number in range(2):
            output = tmp_path / f"{name}-{number}"
            run(archives, "-o", output, *OUTPUTS[name], "--set", "write.page_timings=false")
            runs.append({path.name: path.read_bytes() for path in (output / "pages").iterdir()})
        assert runs[0] == runs[1]


def test_values_in_csv(archives: Path, tmp_path: Path) -> None:
    columns = "+languages,+html"
    run(archives, "-o", tmp_path / "csv", "--to", "csv", "--columns", columns)
    run(archives, "-o", tmp_path / "parquet", "--columns", columns)
    table = ds.dataset(tmp_path / "parquet" / "pages").to_table()
    expected = {row["url"]: row for row in table.to_pylist()}
    found = list(csv_rows(tmp_path / "csv" / "pages"))
    assert len(found) == len(expected)
    for row in found:
        assert list(row) == table.schema.names
        wanted = expected[row["url"]]
        assert row["fetch_time"] == wanted["fetch_time"].isoformat()
        assert row["author"] == (wanted["author"] or "")
        assert row["html"] == wanted["html"]
        assert json.loads(row["languages"] or "{}") == pytest.approx(dict(wanted["languages"] or ()))
        assert not row["confidence"] or abs(float(row["confidence"]) - wanted["confidence"]) < 1e-6


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("parquet", marks=pytest.mark.nightly),
        "jsonl",
        *(pytest.param(each, marks=pytest.mark.nightly) for each in ("csv", "wet")),
    ],
)
def test_killed_and_started_again(archives: Path, rows: list[dict[str, object]], tmp_path: Path, kind: str) -> None:
    arguments = ["extract", str(archives), "-o", str(tmp_path / "out"), "--workers", "1", *OUTPUTS[kind], *SPLIT]
    command = [sys.executable, "-m", "thresher.commands.main", *arguments]
    process = start_and_halt(command, "_ledger/0*.json", tmp_path, stderr=subprocess.DEVNULL)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert "Resuming" in run(*arguments[1:])
    expected = sorted((one_line(r["url"]) if kind == "wet" else r["url"], r["text"], r["language"]) for r in rows)
    assert texts(tmp_path / "out", kind) == expected
    assert inspect_run(str(tmp_path / "out")).unaccounted == 0


@pytest.mark.parametrize("kind", ["jsonl", "csv", "wet"])
def test_the_second_pass_writes_them_too(archives: Path, tmp_path: Path, kind: str) -> None:
    run(archives, "-o", tmp_path / "p", "--templates", "fused")
    run(archives, "-o", tmp_path / "o", "--templates", "fused", *OUTPUTS[kind])
    expected = [(one_line(url), text, language) for url, text, language in texts(tmp_path / "p", "parquet")]
    found = [(one_line(url), text, language) for url, text, language in texts(tmp_path / "o", kind)]
    assert found == sorted(expected)


def test_no_url_writes_a_header() -> None:
    assert one_line("http://a.example/\r\nWARC-Type: warcinfo\x00") == "http://a.example/%20%20WARC-Type: warcinfo%20"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--to", "jsonl", "--output-compression", "snappy"], "jsonl cannot be compressed with snappy"),
        (["--to", "wet", "--output-compression", "zstd"], "WET is read as gzip"),
        (["--to", "wet", "--columns", "url,text"], "wet needs fetch_time, warc_filename"),
        (["--to", "dolma", "--columns", "text"], "needs url, fetch_time, warc_filename"),
    ],
)
def test_what_does_not_go_together_is_refused(archives: Path, tmp_path: Path, flags: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["extract", str(archives), "-o", str(tmp_path / "out"), *flags])
    assert result.exit_code == 2
    assert message in result.output


def test_another_format_is_another_run(archives: Path, tmp_path: Path) -> None:
    run(archives, "-o", tmp_path / "out")
    result = CliRunner().invoke(main, ["extract", str(archives), "-o", str(tmp_path / "out"), "--to", "wet"])
    assert result.exit_code == 2
    assert "holds a run with write.to = 'parquet', but this run has 'wet'" in result.output


@pytest.mark.parametrize(
    ("settings", "suffixes"),
    [
        ({}, {"parquet"}),
        ({"write.to": "jsonl"}, {"jsonl.zst", "parquet"}),
        ({"write.to": "jsonl", "write.compression": "none"}, {"jsonl", "parquet"}),
        ({"write.to": "csv"}, {"csv", "parquet"}),
        ({"write.to": "csv", "write.compression": "zstd"}, {"csv.zst", "parquet"}),
        ({"write.to": "wet"}, {"warc.wet.gz", "parquet"}),
    ],
)
def test_names_of_files(settings: dict[str, str], suffixes: set[str]) -> None:
    assert {form.suffix for form in formats_of(load_configuration(None, settings)).values()} == suffixes


# --- a run that grows ---


def test_inputs_are_added_to_a_finished_run(tmp_path: Path) -> None:
    first, second, third = write_archives(tmp_path / "in", archives=3, pages=10)
    run(first, third, "-o", tmp_path / "grown")
    before = {path.name: path.read_bytes() for path in (tmp_path / "grown" / "pages").iterdir()}
    output = run(second, "-o", tmp_path / "grown", "--append")
    assert "30 pages" in output
    assert before.items() <= {path.name: path.read_bytes() for path in (tmp_path / "grown" / "pages").iterdir()}.items()
    run(first, third, second, "-o", tmp_path / "at once")
    assert texts(tmp_path / "grown", "parquet") == texts(tmp_path / "at once", "parquet")
    # The same again adds nothing, with or without the flag for all of them.
    assert "0 of 3 inputs left" in run(second, "-o", tmp_path / "grown", "--append")
    assert "0 of 3 inputs left" in run(first, third, second, "-o", tmp_path / "grown")
    report = inspect_run(str(tmp_path / "grown"))
    assert (report.pages, report.unaccounted) == (30, 0)


def test_an_input_under_another_spelling_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = write_archives(tmp_path / "in", archives=2, pages=10)
    with zipfile.ZipFile(tmp_path / "in" / "c.wacz", "w") as wacz:
        wacz.write(second, "archive/c.warc.gz")
    (tmp_path / "link").symlink_to("in")
    name = f"in/{first.name}"
    run(name, "in/c.wacz", "-o", "out")
    for other in (first, f"./{name}", f"in/../{name}", f"link/{first.name}", first.as_uri(), "./in/c.wacz"):
        assert "0 of 2 inputs left" in run(other, "-o", "out", "--append")
    rows = pq.read_table("out/pages").to_pylist()
    assert len(rows) == 20
    assert {row["warc_filename"] for row in rows} == {name, "in/c.wacz!archive/c.warc.gz"}
    files = pq.read_table("out/files").to_pylist()
    assert sorted((row["file"], row["input"]) for row in files) == [("in/c.wacz", 1), (name, 0)]
    # A file of that name in another folder is another one.
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / first.name).write_bytes(first.read_bytes())
    assert "1 of 3 inputs left" in run(f"new/{first.name}", "-o", "out", "--append")


def test_inputs_that_rows_would_call_by_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = write_archives(tmp_path / "in", archives=2, pages=3)
    monkeypatch.chdir(tmp_path)
    Path(first.name).write_bytes(Path("in/crawl-1.warc.gz").read_bytes())
    command = ["extract", first.name, f"in/{first.name}", "--input-base-url", "in", "-o", "out"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2
    assert f"{first.name} and in/{first.name}: rows would call both {first.name}" in " ".join(done.output.split())
    assert not Path("out").exists()
    assert "6 pages" in run(Path(first.name).absolute(), *command[2:])


@pytest.mark.parametrize("flags", [[], ["--templates", "fused"], ["--append"]], ids=["", "templates", "append"])
def test_a_finished_input_that_grew_is_refused(tmp_path: Path, flags: list[str]) -> None:
    (whole,) = write_archives(tmp_path / "in", archives=1, pages=10)
    output, grown = tmp_path / "out", tmp_path / "a.warc.gz"
    grown.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    command = ["extract", str(grown), "-o", str(output), "--max-error-ratio", "1", *flags]
    run(*command[1:])
    n_pages = pq.read_table(output / "pages").num_rows
    assert "0 of 1 input left" in run(*command[1:])
    before = grown.stat().st_size
    grown.write_bytes(whole.read_bytes())
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2, result.output
    assert f"which had {before:,} bytes then and has {whole.stat().st_size:,} now" in " ".join(result.output.split())
    assert pq.read_table(output / "pages").num_rows == n_pages
    grown.write_bytes(whole.read_bytes()[: before // 2])
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2
    assert "or bring back what it was" in " ".join(result.output.split())
    grown.write_bytes(whole.read_bytes())
    if "--templates" not in flags:  # which has no notes any more
        assert CliRunner().invoke(main, ["retry", str(output)]).exit_code == 0
        assert pq.read_table(output / "pages").num_rows == 10
        assert "0 of 1 input left" in run(*command[1:])


def test_a_folder_that_grew_is_refused_and_a_file_that_is_gone_is_not_missed(tmp_path: Path) -> None:
    first, second = write_archives(tmp_path / "in", archives=2, pages=10)
    folder, output = tmp_path / "html", tmp_path / "out"
    folder.mkdir()
    (folder / "a.html").write_text("<p>Some text.")
    run(folder, first, "-o", output)
    first.unlink()
    assert "1 of 3 inputs left" in run(folder, second, "-o", output, "--append")
    (folder / "b.html").write_text("<p>Some other text.")
    result = CliRunner().invoke(main, ["extract", str(folder), "-o", str(output), "--append"])
    assert result.exit_code == 2
    assert "which had 1 file then and has 2 now" in " ".join(result.output.split())
    # What earlier versions wrote has no sizes.
    for path in (output / "_ledger").iterdir():
        path.write_text(json.dumps(json.loads(path.read_text()) | {"size": None}))
    assert "0 of 3 inputs left" in run(folder, "-o", output, "--append")


def test_append_begins_a_run_where_there_is_none(tmp_path: Path) -> None:
    (first,) = write_archives(tmp_path / "in", archives=1, pages=5)
    assert "5 pages" in run(first, "-o", tmp_path / "out", "--append")


def test_append_after_a_kill_goes_on(tmp_path: Path) -> None:
    first, second = write_archives(tmp_path / "in", archives=2, pages=10)
    run(first, "-o", tmp_path / "out")
    # Killed after the list of inputs was written, before the run that names them.
    listed = tmp_path / "out" / "_inputs.json"
    listed.write_text(json.dumps({"inputs": [str(first), str(second)]}))
    assert "0 of 1 input left" in run(first, "-o", tmp_path / "out")
    assert "20 pages" in run(second, "-o", tmp_path / "out", "--append")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0, 1, 2], "holds a run over 2 inputs, and this command names 1 more, such as"),
        ([0], "holds a run over 2 inputs, and this command does not name 1 of them, such as"),
        ([1, 0], "in another order"),
    ],
)
def test_other_inputs_are_refused_in_words(tmp_path: Path, given: list[int], message: str) -> None:
    archives = write_archives(tmp_path / "in", archives=3, pages=3)
    run(*archives[:2], "-o", tmp_path / "out")
    names = [str(archives[number]) for number in given]
    result = CliRunner().invoke(main, ["extract", *names, "-o", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert message in result.output
    assert "sha256" not in result.output
    assert ("--append" in result.output) == (given != [1, 0])


def test_append_is_refused_with_templates_and_with_other_settings(tmp_path: Path) -> None:
    first, second = write_archives(tmp_path / "in", archives=2, pages=3)
    run(first, "-o", tmp_path / "out")
    for flags, message in (
        (["--templates", "fused"], "--append cannot be used with --templates fused"),
        (["--format", "markdown"], "extract.format = 'text', but this run has 'markdown'"),
    ):
        command = ["extract", str(second), "-o", str(tmp_path / "out"), "--append", *flags]
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 2
        assert message in result.output


def test_a_run_with_settings_that_are_gone_is_read_and_not_gone_on_with(archives: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(archives, "-o", out, "--to", "dolma")
    kept = json.loads((out / "_run.json").read_text())
    kept["rows"] |= {"write.to": "jsonl", "write.shape": "dolma"}
    kept["configuration"]["write"] |= {"to": "jsonl", "shape": "dolma"}
    (out / "_run.json").write_text(json.dumps(kept))
    for command, message in (
        (["extract", str(archives), "-o", str(out), "--to", "jsonl"], "a run with write.shape = 'dolma', but this run"),
        (["retry", str(out)], "was written with the setting write.shape, which this version does not have"),
    ):
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 2, done.output
        assert message in done.output
    assert CliRunner().invoke(main, ["inspect", str(out)]).exit_code == 0
    assert 'shape = "dolma"' in CliRunner().invoke(main, ["config", str(out)]).output
