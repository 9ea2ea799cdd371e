# SPDX-License-Identifier: Apache-2.0
"""Inputs beside WARCs: WACZ, folders of HTML, JSON Lines, Parquet, standard input, folders and globs on S3."""

import bz2
import gzip
import io
import json
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from costs import assert_linear
from fastwarc.stream_io import ZstdWriter
from s3_store import KEYS, s3_client
from small_archive import page, write_archive, write_archives
from waiting import LIMIT

import thresher
from thresher.after.report import rows_digest
from thresher.commands.main import main
from thresher.errors import InputError
from thresher.options import CaptureOptions
from thresher.reading.buckets import list_bucket
from thresher.reading.inputs import Input
from thresher.reading.kinds import kind_of
from thresher.reading.listing import list_inputs
from thresher.reading.opening import open_input
from thresher.reading.rendered import rendered_texts
from thresher.reading.wacz import wacz_members
from thresher.running.outcome import inspect_run

PAGES = {f"https://site{k % 3}.example/{k}": page(k) for k in range(12)}
TEXTS = {url: thresher.extract(html).text for url, html in PAGES.items()}


def texts(source: object, **options: object) -> dict[str, str]:
    found = thresher.page_batches(source, **options)
    rows = {row["url"]: row["text"] for batch in found for row in batch.to_pylist()}
    assert found.n_records == found.statuses.total() + found.skipped.total() + len(found.dead_letters)
    return rows


def run(*arguments: object, stdin: bytes | None = None) -> str:
    """What `thresher extract` says on standard error; a process of its own where it reads standard input."""
    if stdin is None:
        done_here = CliRunner().invoke(main, ["extract", *map(str, arguments)])
        assert done_here.exit_code == 0, (done_here.output, done_here.exception)
        return done_here.stderr
    command = [sys.executable, "-m", "thresher.commands.main", "extract", *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode()


def rows(output: Path) -> dict[str, str]:
    table = ds.dataset(output / "pages", format="parquet").to_table(columns=["url", "text"])
    return {row["url"]: row["text"] for row in table.to_pylist()}


# --- WACZ ---


def write_wacz(path: Path, members: dict[str, bytes], *, compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("datapackage.json", "{}")
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr("pages/pages.jsonl", '{"url": "https://other.example/"}\n')
    return path


def test_what_a_browser_showed_is_a_column_of_its_own(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    warc = write_archive(tmp_path / "a.warc.gz", PAGES).read_bytes()
    first, second, third, *others = PAGES
    shown = [
        {"format": "json-pages-1.0", "id": "pages"},
        {"url": first, "text": "Menu\nfirst"},
        {"url": first, "text": "later"},
        {"url": second, "title": "no text"},
        [second, "no object"],
        {"url": 7, "text": "no address"},
    ]
    lines = "".join(f"{json.dumps(line)}\n" for line in shown) + "no json\n"
    more = json.dumps({"url": second, "text": "Menu second"})
    path = tmp_path / "crawl.wacz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/a.warc.gz", warc)
        archive.writestr("pages/pages.jsonl", lines)
        archive.writestr("pages/extraPages.jsonl", more, zipfile.ZIP_DEFLATED)
    for flags in ([], ["--templates", "fused"], ["--set", "read.split_bytes=3000"]):
        out = tmp_path / f"out{len(flags)}{flags[-1:]}"
        arguments = ["extract", str(path), "-o", str(out), "--workers", "1", "--columns", "+text_rendered", *flags]
        assert CliRunner().invoke(main, arguments).exit_code == 0
        table = ds.dataset(out / "pages", format="parquet").to_table(columns=["url", "text_rendered"])
        found = {row["url"]: row["text_rendered"] for row in table.to_pylist()}
        assert found == {first: "Menu\nfirst", second: "Menu second"} | dict.fromkeys((third, *others))
    assert rendered_texts(str(tmp_path / "a.warc.gz")) == {}
    assert not caplog.text
    numbers = random.Random(1)
    with zipfile.ZipFile(tmp_path / "other.wacz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/a.warc.gz", warc)
        rows = ({"url": f"http://a.example/{n}", "text": numbers.randbytes(60).hex()} for n in range(2000))
        archive.writestr("pages/pages.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    whole = (tmp_path / "other.wacz").read_bytes()
    assert len(rendered_texts(f"{tmp_path}/other.wacz!archive/a.warc.gz")) == 2000
    at = len(whole) - 60_000
    (tmp_path / "damaged.wacz").write_bytes(whole[:at] + bytes(40) + whole[at + 40 :])
    assert 0 < len(rendered_texts(f"{tmp_path}/damaged.wacz!archive/a.warc.gz")) < 2000
    assert "no more rendered texts" in caplog.text


@pytest.fixture
def wacz_of(tmp_path: Path) -> Callable[..., Path]:
    def write(compression: int = zipfile.ZIP_STORED) -> Path:
        halves = [dict(list(PAGES.items())[:6]), dict(list(PAGES.items())[6:])]
        members = {}
        for number, half in enumerate(halves):
            members[f"archive/{number}.warc.gz"] = write_archive(tmp_path / f"{number}.warc.gz", half).read_bytes()
            (tmp_path / f"{number}.warc.gz").unlink()
        return write_wacz(tmp_path / "crawl.wacz", members, compression=compression)

    return write


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_the_warcs_of_a_wacz_are_read_where_they_lie(wacz_of, tmp_path: Path, compression: int) -> None:
    path = wacz_of(compression)
    assert list_inputs(path) == [f"{path}!archive/{number}.warc.gz" for number in range(2)]
    assert texts(path) == TEXTS
    run(path, "-o", tmp_path / "out", "--set", "read.split_bytes=3000", "--workers", 2)
    assert rows(tmp_path / "out") == TEXTS
    partitions = {name.name for name in (tmp_path / "out" / "metrics").iterdir()} - {"schema.parquet"}
    assert (len(partitions) > 2) == (compression == zipfile.ZIP_STORED)
    names = {row["warc_filename"] for row in ds.dataset(tmp_path / "out" / "pages").to_table().to_pylist()}
    assert names == {f"{path}!archive/{number}.warc.gz" for number in range(2)}


def test_one_page_of_a_wacz(wacz_of) -> None:
    path, url = wacz_of(), list(PAGES)[7]
    first = CliRunner().invoke(main, ["text", str(path)])
    assert (first.exit_code, first.stdout.strip()) == (0, TEXTS[next(iter(PAGES))])
    assert f"The first of 12 pages of {path}" in first.stderr
    chosen = CliRunner().invoke(main, ["text", str(path), "--url", url])
    assert (chosen.exit_code, chosen.stdout.strip()) == (0, TEXTS[url])


def test_a_folder_with_a_wacz(wacz_of, tmp_path: Path) -> None:
    wacz_of()
    assert texts(tmp_path) == TEXTS


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("archive/../../../etc/passwd.warc.gz", "lies outside the archive"),
        ("/etc/passwd.warc.gz", "lies outside the archive"),
        ("archive/c:x.warc.gz", "lies outside the archive"),
        ("archive\\x.warc.gz", "lies outside the archive"),
        ("elsewhere/x.warc.gz", "no WARC in its folder archive/"),
    ],
)
def test_tricks_with_paths_are_refused(tmp_path: Path, name: str, problem: str) -> None:
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("x")
        info.filename = name
        archive.writestr(info, b"WARC/1.0\r\n")
    with pytest.raises(InputError, match=problem):
        wacz_members(str(path), open_input(str(path)))


def test_a_zip_bomb_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    path = write_wacz(tmp_path / "a.wacz", {"archive/x.warc": bytes(100 << 20)}, compression=zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 200_000
    with pytest.raises(InputError, match="not to be trusted"):
        list_inputs(path)


def test_a_member_that_understates_its_size_ends_there(tmp_path: Path) -> None:
    data = gzip.compress(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n") + bytes(50 << 20)
    path = write_wacz(tmp_path / "a.wacz", {"archive/x.warc.gz": data}, compression=zipfile.ZIP_DEFLATED)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(len(data).to_bytes(4, "little"), (500).to_bytes(4, "little")))
    reading = Input.of(f"{path}!archive/x.warc.gz").read(CaptureOptions())
    assert list(reading) == []
    assert reading.n_records <= 2


def test_files_that_overlap_are_refused(tmp_path: Path) -> None:
    path = write_wacz(tmp_path / "a.wacz", {f"archive/{k}.warc": b"x" * 10_000 for k in range(5)})
    raw = bytearray(path.read_bytes())
    directory = int.from_bytes(raw[-6:-2], "little")
    position, first = directory, None
    while raw[position : position + 4] == b"PK\1\2":
        if b"archive/" in raw[position + 46 : position + 70]:
            first = first if first is not None else raw[position + 42 : position + 46]
            raw[position + 20 : position + 28] = (60_000).to_bytes(4, "little") * 2
        sizes = [int.from_bytes(raw[position + at : position + at + 2], "little") for at in (28, 30, 32)]
        position += 46 + sum(sizes)
    path.write_bytes(raw)
    with pytest.raises(InputError, match="overlap"):
        list_inputs(path)


@pytest.mark.parametrize("damage", [b"", b"PK\3\4", b"hello" * 100, b"PK\5\6" + b"\xff" * 18])
def test_what_is_no_zip_is_refused(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "a.wacz").write_bytes(damage)
    with pytest.raises(InputError):
        list_inputs(tmp_path / "a.wacz")


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_any_byte_of_a_wacz_may_be_wrong(wacz_of, compression: int) -> None:
    path = wacz_of(compression)
    raw = path.read_bytes()
    for position in range(0, len(raw), max(1, len(raw) // 60)):
        path.write_bytes(raw[:position] + bytes([raw[position] ^ 0x55]) + raw[position + 1 :])
        try:
            found = thresher.page_batches(path)
        except InputError:
            continue
        for _ in found:
            pass
    for length in range(0, len(raw), max(1, len(raw) // 20)):
        path.write_bytes(raw[:length])
        with pytest.raises(InputError):
            list_inputs(path)


@pytest.mark.parametrize("at", [0.3, 0.9])
def test_a_compressed_member_that_is_damaged_loses_nothing_without_a_word(wacz_of, at: float) -> None:
    path = wacz_of(zipfile.ZIP_DEFLATED)
    whole = [row["url"] for batch in thresher.page_batches(path) for row in batch.to_pylist()]
    raw = path.read_bytes()
    cut = int(len(raw) * at)
    path.write_bytes(raw[:cut] + bytes(99) + raw[cut + 99 :])
    batches = thresher.page_batches(path)
    found = [row["url"] for batch in batches for row in batch.to_pylist()]
    assert set(found) < set(whole)
    assert any("damaged ZIP file" in each.message for each in batches.dead_letters)


# --- folders of HTML ---


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    for url, html in PAGES.items():
        path = tmp_path / "mirror" / f"{url.removeprefix('https://')}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(html)
    (tmp_path / "mirror" / "notes.txt").write_text("no page")
    (tmp_path / "mirror" / "site0.example" / "image.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "mirror" / "site0.example" / "empty.htm").write_bytes(b" ")
    (tmp_path / "mirror" / "site0.example" / "zipped.html.gz").write_bytes(gzip.compress(page(99)))
    return tmp_path / "mirror"


def test_a_folder_of_html_files(mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {f"{url}.html": text for url, text in TEXTS.items()}
    expected["https://site0.example/zipped.html.gz"] = thresher.extract(page(99)).text
    options = CaptureOptions(url_prefix="https://")
    assert texts(mirror, capture_options=options) == expected
    assert set(texts(mirror)) == {url.replace("https://", "file:") for url in expected}
    run(mirror, "-o", tmp_path / "one", "--set", "read.url_prefix=https://", "--skipped", "list")
    assert rows(tmp_path / "one") == expected
    report = inspect_run(str(tmp_path / "one"))
    assert (report.skipped, report.unaccounted) == ({"not_html": 1, "empty": 1}, 0)
    monkeypatch.setattr("thresher.reading.inputs._FILES", 4)
    command = ["extract", str(mirror), "-o", str(tmp_path / "many"), "--set", "read.url_prefix=https://"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "many" / "metrics").iterdir())) == 5
    assert rows_digest(str(tmp_path / "many")) == rows_digest(str(tmp_path / "one"))


def test_an_html_file_by_itself_and_by_its_content(mirror: Path, tmp_path: Path) -> None:
    file = mirror / "site0.example" / "0.html"
    assert list(texts(file).values()) == [TEXTS["https://site0.example/0"]]
    file.rename(tmp_path / "page")
    assert list(texts(tmp_path / "page").values()) == [TEXTS["https://site0.example/0"]]


def test_an_unreadable_file_is_a_dead_letter(mirror: Path) -> None:
    (mirror / "gone.html").symlink_to("nowhere")
    found = thresher.page_batches(mirror)
    assert sum(batch.num_rows for batch in found) == 13
    assert [letter.error_class for letter in found.dead_letters] == ["FileNotFoundError"]


def test_a_run_with_templates_over_html_files(mirror: Path, tmp_path: Path) -> None:
    run(mirror, "-o", tmp_path / "out", "--templates", "fused", "--format", "markdown")
    assert len(rows(tmp_path / "out")) == 13


# --- JSON Lines and Parquet ---


def json_lines(**columns: str) -> bytes:
    names = {"html": "html", "url": "url", **columns}
    return b"".join(
        json.dumps({names["url"]: url, names["html"]: html.decode(), "other": [1]}).encode() + b"\n"
        for url, html in PAGES.items()
    )


def write_pages(folder: Path, kind: str) -> Path:
    """PAGES as a file or folder of a kind."""
    if kind == "folder":
        (folder / "in").mkdir()
        write_archive(folder / "in" / "some.warc.gz", PAGES)
        return folder / "in"
    if kind == "parquet":
        pq.write_table(pa.table({"url": list(PAGES), "html": list(PAGES.values())}), folder / "a.parquet")
        return folder / "a.parquet"
    path = folder / {"jsonl": "a.jsonl", "jsonl.gz": "a.jsonl.gz"}.get(kind, "unnamed")
    path.write_bytes(gzip.compress(json_lines()) if kind == "jsonl.gz" else json_lines())
    return path


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "unnamed", "parquet", "folder"])
def test_one_page_of_a_file_or_folder_by_its_url(tmp_path: Path, kind: str) -> None:
    path, url = write_pages(tmp_path, kind), list(PAGES)[7]
    chosen = CliRunner().invoke(main, ["text", str(path), "--url", url])
    assert (chosen.exit_code, chosen.stdout.strip()) == (0, TEXTS[url])
    other = CliRunner().invoke(main, ["text", str(path), "--url", "https://mill.example/none"])
    assert (other.exit_code, other.stdout) == (2, "")
    assert "it holds no page with the URL https://mill.example/none\n" in other.stderr
    for near in (url.replace("https", "http"), url.replace("//", "//www."), f"{url}/", url.upper(), url[8:]):
        missed = CliRunner().invoke(main, ["text", str(path), "--url", near])
        assert missed.exit_code == 2
        assert f"with the URL {near}; did you mean {url}?" in missed.stderr


def test_many_pages_on_standard_input_are_not_one() -> None:
    for content in (json_lines(), gzip.compress(json_lines())):
        found = CliRunner().invoke(main, ["text", "--url", next(iter(PAGES))], input=content)
        assert (found.exit_code, found.stdout) == (2, "")
        assert "holds many pages, not one" in found.stderr


def zstd(data: bytes) -> bytes:
    out = io.BytesIO()
    with ZstdWriter(out) as writer:
        writer.write(data)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "compress"),
    [
        ("a.jsonl", bytes),
        ("a.jsonl.gz", gzip.compress),
        ("a.ndjson.zst", zstd),
        (
            "b.jsonl.zst",
            lambda data: bytes.fromhex("502a4d18 04000000 00000000") + zstd(data),
        ),  # a skippable frame first
        ("data-in-zstd", lambda data: bytes.fromhex("502a4d18 04000000 00000000") + zstd(data)),
        ("a.jsonl.bz2", bz2.compress),
        ("data", bytes),
    ],
)
def test_json_lines(tmp_path: Path, name: str, compress: Callable[[bytes], bytes]) -> None:
    (tmp_path / name).write_bytes(compress(json_lines()))
    assert texts(tmp_path / name) == TEXTS


def test_columns_are_named_and_the_command_line_reads_them(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(json_lines(html="content", url="address"))
    flags = ["--html-column", "content", "--url-column", "address"]
    run(tmp_path / "a.jsonl", "-o", tmp_path / "out", *flags)
    assert rows(tmp_path / "out") == TEXTS


def test_bad_lines_are_dead_letters_and_the_others_are_kept(tmp_path: Path) -> None:
    lines = [
        b'\xef\xbb\xbf{"html": "<p>first page of all"}',
        b"",
        b"{not json}",
        b"[" * 100_000,
        b'{"text": "<p>no html"}',
        b'{"html": 5}',
        b'{"html": null}',
        b'{"html": "%PDF-1.4"}',
        b'{"html": "' + b"x" * 4_000_000 + b'"}',
        b'{"html": "<p>last page", "url": 7}',
    ]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    options = CaptureOptions(max_payload_bytes=1 << 20)
    found = thresher.page_batches(tmp_path / "a.jsonl", capture_options=options)
    kept = [row for batch in found for row in batch.to_pylist()]
    assert [(row["text"], row["url"]) for row in kept] == [
        ("first page of all", "file:a.jsonl#0"),
        ("last page", "file:a.jsonl#9"),
    ]
    assert [letter.error_class for letter in found.dead_letters] == [
        "BadJson", "BadJson", "MissingHtml", "MissingHtml", "LineTooLong",
    ]  # fmt: skip
    assert found.skipped == {"empty": 1, "not_html": 1}


def test_a_million_gzip_members_take_linear_time(tmp_path: Path) -> None:
    def reading(n: int) -> Callable[[], object]:
        data = gzip.compress(b"") * n + gzip.compress(b'{"html": "<p>last"}\n') + bytes(100)
        path = tmp_path / f"{n}.jsonl.gz"
        path.write_bytes(data)

        def run() -> None:
            assert list(texts(path).values()) == ["last"]

        return run

    assert_linear(reading, 200_000)


def test_a_damaged_file_keeps_what_came_before(tmp_path: Path) -> None:
    whole = gzip.compress(json_lines())
    (tmp_path / "a.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    found = thresher.page_batches(tmp_path / "a.jsonl.gz")
    n = sum(batch.num_rows for batch in found)
    assert 0 < n < 12
    assert len(found.dead_letters) >= 1


@pytest.mark.parametrize("type_", [pa.string(), pa.binary(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_parquet(tmp_path: Path, type_: pa.DataType) -> None:
    html = pa.array([value.decode() for value in PAGES.values()])
    html = html.dictionary_encode() if pa.types.is_dictionary(type_) else html.cast(type_)
    table = pa.table({"url": list(PAGES), "html": html, "other": range(12)})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=5)
    assert texts(tmp_path / "a.parquet") == TEXTS


def test_parquet_without_the_column_says_which_there_are(tmp_path: Path) -> None:
    pq.write_table(pa.table({"url": ["a"], "content": ["<p>b"]}), tmp_path / "a.parquet")
    found = thresher.page_batches(tmp_path / "a.parquet")
    assert list(found) == []
    (letter,) = found.dead_letters
    assert "no column 'html'; name one with --html-column: 'url', 'content'" in letter.message


def test_a_number_under_the_key_that_is_named_for_urls_is_no_url(tmp_path: Path) -> None:
    lines = [{"html": "<p>word", "place": "https://a.example/"}, {"html": "<p>word", "place": 7}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = thresher.page_batches(tmp_path / "a.jsonl", capture_options=CaptureOptions(url_column="place"))
    assert [row["url"] for batch in found for row in batch.to_pylist()] == ["https://a.example/"]
    assert [(each.error_class, each.message) for each in found.dead_letters] == [("MissingUrl", "'place' is no text")]


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_a_misspelt_column_of_urls_is_refused_with_those_that_there_are(tmp_path: Path, name: str) -> None:
    if name == "a.jsonl":
        (tmp_path / name).write_bytes(b'{"content": "<p>b"}\n' + json_lines())
    else:
        pq.write_table(pa.table({"content": ["<p>b"], "html": ["<p>b"]}), tmp_path / name)
    message = f"{tmp_path / name}: no (key|column) 'adress'.* name one with --url-column: 'content'"
    for source in (name, "*"):
        done = CliRunner().invoke(
            main, ["extract", str(tmp_path / source), "-o", str(tmp_path / "out"), "--url-column", "adress"]
        )
        assert done.exit_code == 2
        assert re.search(message, done.output.replace("\n", " "))
    found = thresher.page_batches(tmp_path / name, capture_options=CaptureOptions(url_column="adress"))
    assert list(found) == []
    assert re.search(message, found.dead_letters[0].message)


def test_a_damaged_parquet_file_is_a_dead_letter(tmp_path: Path) -> None:
    pq.write_table(pa.table({"html": ["<p>b"] * 100}), tmp_path / "a.parquet")
    raw = (tmp_path / "a.parquet").read_bytes()
    for damaged in (raw[:-20], b"PAR1" + raw[60:], b""):
        (tmp_path / "a.parquet").write_bytes(damaged)
        found = thresher.page_batches(tmp_path / "a.parquet")
        assert list(found) == []
        assert len(found.dead_letters) == 1


def test_pages_without_a_url_have_the_name_of_the_file_and_a_number(tmp_path: Path) -> None:
    pq.write_table(pa.table({"html": [html.decode() for html in PAGES.values()]}), tmp_path / "a.parquet")
    assert list(texts(tmp_path / "a.parquet")) == [f"file:a.parquet#{k}" for k in range(12)]


# --- standard input ---


@pytest.mark.parametrize(
    "kind", ["warc.gz", *(pytest.param(each, marks=pytest.mark.nightly) for each in ("warc", "jsonl", "html"))]
)
def test_standard_input(tmp_path: Path, kind: str) -> None:
    archive = write_archive(tmp_path / "a.warc.gz", PAGES)
    plain = write_archive(tmp_path / "b.warc", PAGES, gzip=False)
    data = {"warc.gz": archive.read_bytes(), "warc": plain.read_bytes(), "jsonl": json_lines(), "html": page(0)}[kind]
    run("-", "-o", tmp_path / "out", "--set", "read.split_bytes=3000", stdin=data)
    found = rows(tmp_path / "out")
    assert found == TEXTS or list(found.values()) == [thresher.extract(page(0)).text]
    names = set(ds.dataset(tmp_path / "out" / "pages").to_table()["warc_filename"].to_pylist())
    assert names == {"-"}
    again = run("-", "-o", tmp_path / "out", "--set", "read.split_bytes=3000", stdin=data)
    assert "0 of 1 input left" in again


def test_nothing_on_standard_input_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "thresher.commands.main", "extract", "-", "-o", str(tmp_path / "out")]
    done = subprocess.run(command, input=b"", capture_output=True, check=False)
    assert (done.returncode, b"nothing on standard input" in done.stderr) == (2, True)
    for data, says in ((gzip.compress(b""), b"nothing to read"), (b"%PDF-1.4", b"this is a PDF document")):
        done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=LIMIT)
        assert done.returncode == 2
        assert done.stderr.startswith(b"Error: standard input: " + says)


# --- what a file is ---


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("x.gz", gzip.compress(b"WARC/1.0\r\n", mtime=0), "warc"),
        ("x.gz", gzip.compress(b'{"html": ""}\n', mtime=0), "jsonl"),
        ("x.gz", gzip.compress(b"<!DOCTYPE html>", mtime=0), "html"),
        ("x.gz", gzip.compress(b"# mine\nhttps://a.example/x.warc.gz\n", mtime=0), "list"),
        ("x.gz", b"\x1f\x8b\x08broken", "warc"),
        ("x", b"PAR1....", "parquet"),
        ("x", b"filedesc://a.arc 0.0.0.0 20080430204825 text/plain 3\n", "warc"),
        ("x", b"crawl/a.warc.gz\n", "list"),
        ("x", b"", "warc"),
        ("x", b"\0\1\2" * 50, "warc"),
        ("crawl.WARC.GZ", b"anything", "warc"),
    ],
)
def test_the_content_tells_what_a_file_is_where_its_name_does_not(
    tmp_path: Path, name: str, content: bytes, kind: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert kind_of(str(tmp_path / name))[0] == kind


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"%PDF-1.4", "this is a PDF document, not an archive of pages"), (b"PK\3\4", "name a WACZ \\*.wacz")],
)
def test_a_file_that_holds_no_pages_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError, match=message):
        list_inputs(tmp_path / "file")


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no WARC in this folder .* no .wacz, .jsonl, .parquet or .html file"):
        list_inputs(tmp_path)


# --- S3 ---


@pytest.fixture
def bucket(s3_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": s3_server}.items():
        monkeypatch.setenv(name, value)
    client = s3_client(s3_server)
    name = f"b{abs(hash(tmp_path)) % 10**9}"
    client.create_bucket(Bucket=name)
    for number, path in enumerate(write_archives(tmp_path / "in", archives=3, pages=4)):
        client.put_object(Bucket=name, Key=f"2026-{number:02d}/warc/a b+{number}.warc.gz", Body=path.read_bytes())
        client.put_object(Bucket=name, Key=f"2026-{number:02d}/notes.txt", Body=b"no page")
    return name


def test_folders_and_globs_on_s3(bucket: str) -> None:
    every = [f"s3://{bucket}/2026-{number:02d}/warc/a%20b%2B{number}.warc.gz" for number in range(3)]
    assert list_inputs(f"s3://{bucket}/") == every
    assert list_inputs(f"s3://{bucket}/2026-01/") == every[1:2]
    assert list_inputs(f"s3://{bucket}/2026-*/warc/*.warc.gz") == every
    assert list_inputs(f"s3://{bucket}/**.warc.gz") == every
    for pattern in ("[12]", "[1-9]", "[!0]", "[12^!]"):
        assert list_inputs(f"s3://{bucket}/2026-0{pattern}/**/*.gz") == every[1:]
    assert list_inputs(f"s3://{bucket}/?region=us-east-1") == [f"{url}?region=us-east-1" for url in every]
    assert len(texts(f"s3://{bucket}/")) == 12


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("none/", "cannot list this folder|no WARC"),
        ("2026-*/x*", "no file matches"),
        ("2026-00/*.warc.gz", "no file matches"),
        ("2026-[9-0]/*.warc.gz", "no pattern: bad character range 9-0"),
    ],
)
def test_nothing_found_on_s3_is_said(bucket: str, path: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list_bucket(f"s3://{bucket}/{path}")


def test_a_bucket_that_does_not_exist_is_refused_without_a_traceback(bucket: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["extract", f"s3://{bucket}-none/prefix/", "-o", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "cannot list this folder" in result.output


@pytest.mark.parametrize("kind", ["folder", "jsonl", "parquet"])
def test_how_much_of_an_input_was_read_is_known_at_every_page(tmp_path: Path, kind: str) -> None:
    large = "<p>" + "words " * 400_000
    source = tmp_path / f"pages.{kind}"
    if kind == "folder":
        source.mkdir()
        for number in range(4):
            (source / f"{number}.html").write_text(large)
    elif kind == "jsonl":
        source.write_text(
            "".join(json.dumps({"url": f"https://a.example/{k}", "html": large}) + "\n" for k in range(4))
        )
    else:
        pq.write_table(pa.table({"url": [f"https://a.example/{k}" for k in range(4)], "html": [large] * 4}), source)
    reading = Input.of(str(source)).read(CaptureOptions())
    shares = []
    for capture in reading:
        assert reading.size
        shares.append(reading.behind(capture) / reading.size)
    assert shares[-1] == 1
    assert all(abs(share - (k + 1) / 4) < 0.15 for k, share in enumerate(shares)), shares
