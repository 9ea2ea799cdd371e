# SPDX-License-Identifier: Apache-2.0
"""Documents passed on: their records are copied as they are, whatever the archive, the workers and the interruptions."""

import gzip
import io
import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import record_forms
from click.testing import CliRunner
from crossing import Bench, Crossing, Killed, Source, dying
from run_rows import rows_of
from small_archive import page, write_responses
from warcio.archiveiterator import ArchiveIterator

from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.errors import ConfigError
from thresher.file_kinds import DOCUMENTS, document_kind
from thresher.reading.index import Index
from thresher.running.outcome import inspect_run
from thresher.running.run import Run
from thresher.running.shards import shard_folder
from thresher.writing.storage import Storage

HTML = record_forms.html_of


def zipped(*names: str, states: str | None = None) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        if states:
            archive.writestr("mimetype", states)
        for name in names:
            archive.writestr(name, "words " * 30)
    return file.getvalue()


OFFICE = ("[Content_Types].xml", "_rels/.rels")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100)
BODIES: dict[str, tuple[bytes, str, str]] = {
    "pdf": (b"\n\n%PDF-1.7\n%\xe2\xe3", "text/html", "/a"),
    "ps": (b"%!PS-Adobe-3.0\n", "", "/a"),
    "rtf": (b"{\\rtf1\\ansi", "application/octet-stream", "/a"),
    "djvu": (b"AT&TFORM\0\0\1\0DJVMDIRM", "", "/a"),
    "docx": (zipped(*OFFICE, "word/document.xml"), "application/zip", "/a"),
    "pptx": (zipped(*OFFICE, "ppt/presentation.xml"), "", "/a"),
    "xlsx": (zipped(*OFFICE, "xl/workbook.xml"), "", "/a"),
    "odt": (zipped("a.xml", states=DOCUMENTS["odt"][0]), "", "/a"),
    "odp": (zipped("a.xml", states=DOCUMENTS["odp"][0]), "", "/a"),
    "ods": (zipped("a.xml", states=DOCUMENTS["ods"][0]), "", "/a"),
    "epub": (zipped("META-INF/container.xml", states=DOCUMENTS["epub"][0]), "application/octet-stream", "/a"),
    "doc": (OLE, "application/msword", "/a"),
    "ppt": (OLE, "application/octet-stream", "/talk.PPT?download=1"),
    "xls": (OLE, "application/vnd.ms-excel", "/a.doc"),
    "feed": (b"<?xml version='1.0'?>\n<!-- news -->\n<rss version='2.0'><channel>", "text/xml", "/a"),
}
NONE: dict[str, tuple[bytes, str, str]] = {
    "error page": (b"<!DOCTYPE html><html><p>Not found", "application/pdf", "/a.pdf"),
    "ZIP of other things": (zipped("readme.txt"), "application/zip", "/a.zip"),
    "ZIP that states another type": (zipped("a", states="application/x-other"), "", "/a.docx"),
    "old Office of no name": (OLE, "application/octet-stream", "/a"),
    "PDF far behind": (b"a" * 1025 + b"%PDF-1.4", "application/pdf", "/a.pdf"),
    "XML of other things": (b"<?xml version='1.0'?><urlset><url/></urlset>", "application/xml", "/sitemap.xml"),
    "nothing": (b"", "application/pdf", "/a.pdf"),
}


@pytest.mark.parametrize(("kind", "case"), BODIES.items())
def test_documents_are_known_by_their_content(kind: str, case: tuple[bytes, str, str]) -> None:
    assert document_kind(*case) == kind
    assert set(BODIES) == set(DOCUMENTS)


@pytest.mark.parametrize("case", NONE.values(), ids=NONE)
def test_what_only_claims_to_be_a_document_is_none(case: tuple[bytes, str, str]) -> None:
    assert document_kind(*case) is None


def html_or_pdf(number: int) -> bytes:
    """Every third page is a PDF, one of them larger than all pages together."""
    if number % 3:
        return HTML(number)
    return b"%PDF-1.4\n" + bytes(range(128)) * (4000 if number == 30 else 9) + b"%d" % number


@pytest.fixture
def _with_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_forms, "html_of", html_or_pdf)


def copies(out: Path) -> list[dict[str, Any]]:
    """The records that were passed on, in order."""
    found = []
    for path in sorted((out / "passed_on").iterdir()):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.raw_stream.read()  # as its digests say
            file.seek(0)
            found += [
                dict(record.rec_headers.headers) | {"block": record.raw_stream.read()}
                for record in ArchiveIterator(file, no_record_parse=True)
                if record.rec_type != "warcinfo"
            ]
    return found


def content(out: Path) -> list[tuple[str, str, bytes]]:
    return sorted((each["WARC-Target-URI"], each["WARC-Date"], each["block"]) for each in copies(out))


def files(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (out / "passed_on").iterdir()}


def expected() -> list[tuple[str, str, bytes]]:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    return sorted(
        (record_forms.url_of(n), f"2026-11-20T00:00:{n % 60:02}Z", head + html_or_pdf(n)) for n in range(0, 60, 3)
    )


ASKED: dict[str, Any] = {"write__pass_on": ["pdf"]}


@pytest.mark.usefixtures("_with_documents")
@pytest.mark.parametrize("form", [*record_forms.ARCHIVES, "wacz", "wacz-deflated", "list", "stdin", "http"])
def test_every_archive_gives_the_same_documents(form: str, tmp_path: Path) -> None:
    bench = Bench(Crossing(form, "passing on"), tmp_path)
    with bench.closing:
        out = bench.extract(tmp_path / "out", **ASKED)
    assert content(out) == expected()
    report = inspect_run(str(out))
    assert (report.unaccounted, report.passed_on, report.skipped["passed_on"], report.pages) == (0, {"pdf": 20}, 20, 40)


@pytest.mark.usefixtures("_with_documents")
def test_a_copy_is_the_record_with_where_it_lies(tmp_path: Path) -> None:
    bench = Bench(Crossing("gzip", "passing on"), tmp_path)
    source = bench.source()
    archive = source.file.read_bytes()
    originals = {record for record in record_forms.warc_records(range(60)) if b"%PDF" in record}
    for path in (bench.extract(tmp_path / "out", source, **ASKED) / "passed_on").iterdir():
        for record in gzip.decompress(path.read_bytes()).split(b"WARC/1.0\r\n")[2:]:
            head, _, block = record.partition(b"\r\n\r\n")
            lines = head.split(b"\r\n")
            added = dict(line.split(b": ") for line in lines[-3:])
            assert b"WARC/1.0\r\n" + b"\r\n".join(lines[:-3]) + b"\r\n\r\n" + block in originals
            first, last = map(int, added[b"WARC-Source-Range"].removeprefix(b"bytes=").split(b"-"))
            assert gzip.decompress(archive[first : last + 1]) in originals
            assert added[b"WARC-Source-URI"].decode() == str(source.file)
            assert added[b"WARC-Identified-Payload-Type"] == b"application/pdf"


@pytest.mark.usefixtures("_with_documents")
def test_a_copy_that_is_passed_on_again_names_the_first_archive(tmp_path: Path) -> None:
    bench = Bench(Crossing("gzip", "passing on"), tmp_path)
    once = bench.extract(tmp_path / "once", **ASKED)
    paths = sorted(map(str, (once / "passed_on").iterdir()))
    twice = bench.extract(tmp_path / "twice", Source(tuple(paths), Path(paths[0])), **ASKED)
    assert copies(twice) == copies(once)


@pytest.mark.usefixtures("_with_documents")
@pytest.mark.parametrize(
    "settings", [{}, {"templates__mode": "fused"}, {"write__to": "csv", "write__compression": "none"}], ids=str
)
def test_workers_and_kills_change_no_byte(settings: dict[str, Any], tmp_path: Path) -> None:
    settings |= ASKED
    source = Bench(Crossing("gzip", ""), tmp_path).source()
    one = files(Bench(Crossing("gzip", ""), tmp_path).extract(tmp_path / "one", source, **settings))
    two = files(Bench(Crossing("gzip", "", workers=2), tmp_path).extract(tmp_path / "two", source, **settings))
    assert one == two
    assert len(one) > 2
    killed, bench = tmp_path / "killed", Bench(Crossing("gzip", ""), tmp_path)
    n_kills = 0
    for at in range(1, 60, 3):  # ever later, in one and the same run
        with dying(at), suppress(Killed):
            bench.extract(killed, source, **settings)
            break
        n_kills += 1
    assert n_kills > 3
    assert files(bench.extract(killed, source, **settings)) == one
    assert inspect_run(str(killed)).passed_on == {"pdf": 20}


@pytest.mark.usefixtures("_with_documents")
def test_the_command_says_how_many_and_inspect_what_is_missing(tmp_path: Path) -> None:
    bench = Bench(Crossing("gzip", "passing on"), tmp_path)
    out = tmp_path / "out"
    source = bench.source()
    arguments = ("extract", source.file, "-o", out, "--workers", 2, "--pass-on", "pdf", "--pass-on", "docx,epub")
    said = CliRunner().invoke(main, list(map(str, arguments))).output
    assert content(out) == expected()
    assert f"20 documents passed on (20 pdf), as WARC records in {out}/passed_on." in said
    assert re.search(r"passed on +number +share\npdf +20", bench.command("inspect", out))
    for path in (out / "passed_on").iterdir():
        path.unlink()
    assert "passed_on/00000-0000 (20 rows)" in bench.command("inspect", out)


@pytest.mark.usefixtures("_with_documents")
def test_records_that_an_index_names_are_passed_on(tmp_path: Path) -> None:
    for form in ("gzip", "gzip-threes"):
        bench = Bench(Crossing(form, "passing on"), tmp_path / form)
        source = bench.source()
        listed = bench.extract(tmp_path / form / "listed", source, write__skipped="list")
        assert {row["reason"] for row in rows_of(listed, "skipped")} == {"not_html", "not_response"}
        index = Index((str(listed / "skipped"),), where="reason = 'not_html'")
        out = bench.extract(tmp_path / form / "out", Source((), source.file, index=index), **ASKED)
        assert content(out) == expected()
        assert inspect_run(str(out)).unaccounted == 0


def begin(source: Source, folder: str, shard: tuple[int, int]) -> Run:
    return source.start(folder, {"write.pass_on": ["pdf"]}).in_shard(shard)


@pytest.mark.usefixtures("_with_documents")
def test_shards_are_joined_with_their_documents(tmp_path: Path) -> None:
    bench = Bench(Crossing("gzip", "passing on"), tmp_path)
    first, second = bench.source(range(30), "first"), bench.source(range(30, 60), "second")
    both = Source((*first.inputs, *second.inputs), first.file)
    for number in (1, 2):
        folder = shard_folder(str(tmp_path / "out"), (number, 2))
        bench.work(partial(begin, both, folder, (number, 2)))
    bench.command("merge", tmp_path / "out")
    assert content(tmp_path / "out") == expected()
    assert inspect_run(str(tmp_path / "out")).missing == {}


@pytest.mark.usefixtures("_with_documents")
def test_a_partition_that_is_tried_again_has_its_documents_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(Crossing("gzip-threes", "passing on"), tmp_path)
    out = bench.extract(tmp_path / "out", **ASKED)
    before = files(out)
    monkeypatch.setattr("thresher.rows.batches.RowMaker.extract_page", fail(RuntimeError))
    out = bench.extract(tmp_path / "failed", bench.source(name="again"), **ASKED, run__max_error_ratio=1.0)
    monkeypatch.undo()
    monkeypatch.setattr(record_forms, "html_of", html_or_pdf)
    assert bench.retry(out) > 0
    assert files(out).keys() == before.keys()
    assert content(out) == expected()


def fail(error: type[Exception]) -> Callable[..., Any]:
    def failing(*_: object, **__: object) -> None:
        raise error("made up")

    return failing


@pytest.mark.parametrize("cut", [10, 3000])
def test_a_damaged_document_is_a_dead_letter_and_no_copy(cut: int, tmp_path: Path) -> None:
    types = [("Content-Type", "application/pdf")]
    records = [
        (f"http://a.example/{n}", b"%PDF-1.4 " + bytes([n]) * 9000, types, "2026-11-20T00:00:00Z") for n in (1, 2)
    ]
    whole = write_responses(tmp_path / "pages.warc.gz", records).read_bytes()
    plain = tmp_path / "plain.warc"
    plain.write_bytes(gzip.decompress(whole)[:-cut])
    bench = Bench(Crossing("plain", "passing on"), tmp_path)
    out = bench.extract(tmp_path / "out", Source((str(plain),), plain), **ASKED)
    assert [each["WARC-Target-URI"] for each in copies(out)] == ["http://a.example/1"]
    report = inspect_run(str(out))
    assert (report.unaccounted, report.unreadable, report.passed_on) == (0, 1, {"pdf": 1})


def test_filters_on_what_is_known_hold_for_documents_too(tmp_path: Path) -> None:
    types, json = [("Content-Type", "application/pdf")], [("Content-Type", "application/json")]
    records = [
        ("http://a.example/1", b"%PDF-1.4 one", types, "2026-11-20T00:00:00Z"),
        ("http://b.example/2", b"%PDF-1.4 two", types, "2026-11-20T00:00:00Z"),
        ("http://a.example/3", b'{"a": 1}', json, "2026-11-20T00:00:00Z"),
        ("http://a.example/4", gzip.compress(b"%PDF-1.4 four"), [*types, ("Content-Encoding", "gzip")], "2026"),
        ("http://a.example/5", page(1), [("Content-Type", "text/html")], "2026-11-20T00:00:00Z"),
        ("http://a.example/6", page(1), types, "2026-11-20T00:00:00Z"),
    ]
    path = write_responses(tmp_path / "pages.warc.gz", records)
    bench = Bench(Crossing("gzip", "passing on"), tmp_path)
    settings = {"write__pass_on": ["pdf", "application/json"], "filter__hosts": ["a.example"], "filter__min_words": 9}
    out = bench.extract(tmp_path / "out", Source((str(path),), path), **settings)
    assert [each["WARC-Target-URI"][-1] for each in copies(out)] == ["1", "3", "4"]
    report = inspect_run(str(out))
    assert report.passed_on == {"pdf": 2, "application/json": 1}
    assert report.skipped == {"passed_on": 3, "host": 1, "not_html": 1}


def test_nothing_is_passed_on_without_being_asked_for(tmp_path: Path) -> None:
    bench = Bench(Crossing("gzip", "passing on"), tmp_path)
    assert not Storage(str(bench.extract(tmp_path / "out"))).has("passed_on")
    with pytest.raises(ConfigError, match="unknown kind 'pfd'; did you mean 'pdf'"):
        load_configuration(None, {"write.pass_on": ["pfd"]})
