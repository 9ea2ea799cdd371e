# SPDX-License-Identifier: Apache-2.0
"""Kinds of files: what is never a web page is known by its first bytes, and said so."""

import gzip
import io
import random
import subprocess
import sys
import zipfile

import pytest
from click.testing import CliRunner
from small_archive import write_archive

import thresher
from thresher.commands import one_page
from thresher.commands.main import main
from thresher.file_kinds import binary_kind, plain_text_page


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "words " * 100)
    return file.getvalue()


BINARIES = {
    "a PDF document": b"%PDF-1.4\n%\xe2\xe3",
    "a PNG image": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a GIF image": b"GIF89a\1\0\1\0",
    "a JPEG image": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "a WebP image": b"RIFF\x24\0\0\0WEBPVP8 ",
    "an MP4 or HEIF file": b"\0\0\0\x20ftypisom",
    "an audio or video file": b"ID3\4\0\0\0\0\0\0",
    "a ZIP archive": zipped(),
    "a gzip file": gzip.compress(b"words", mtime=0),
    "an old Office document": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "a program": b"MZ\x90\0\3\0\0\0",
    "a font": b"wOF2\0\1\0\0",
    "an SQLite database": b"SQLite format 3\0",
    "binary data": random.Random(1).randbytes(2000).lstrip(b"<"),
}


@pytest.mark.parametrize(("kind", "body"), BINARIES.items())
def test_binary_data_are_known_and_have_no_text(kind: str, body: bytes) -> None:
    assert binary_kind(body) == kind
    found = thresher.extract(body)
    assert (found.status, found.text, found.blocks) == ("not_html", "", [])
    assert (found.to_dict()["status"], found.to_dict()["text"]) == ("not_html", "")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"MZ is short for Mark Zbikowski.",
        b"ID3 tags hold the title of a song. " * 40,
        b"PK is what they call him. " * 40,
        b"BMW builds cars. RIFF is a container.",
        "Straße ".encode("utf-16-le") * 100,
        "<p>Ωραία ".encode("utf-16-be") * 100,
        "文章です".encode("iso-2022-jp") * 100,
        "文章です。".encode("shift_jis") * 100,
        b"<p>" + b"\0\1\2" * 500,
        b"\0" * 20,
    ],
)
def test_text_in_any_encoding_is_not_binary(body: bytes) -> None:
    assert binary_kind(body) is None


@pytest.mark.parametrize(("kind", "body"), [("a ZIP archive", zipped()), ("a PDF document", b"%PDF-1.7 ...")])
def test_a_binary_file_is_refused_with_a_sentence(kind: str, body: bytes, tmp_path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(body)
    for arguments in ([str(path)], [str(path), "--json"], [str(path), "--blocks"]):
        result = CliRunner().invoke(main, ["text", *arguments])
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"this is {kind}, not a web page" in result.stderr


def test_a_gzip_file_is_known_by_its_content_not_by_its_name(tmp_path) -> None:
    page = b"<title>Mill</title><p>Grain and chaff are separated in the mill by the river."
    (tmp_path / "page.gz").write_bytes(gzip.compress(page))
    (tmp_path / "page.html").write_bytes(gzip.compress(page))
    archive = write_archive(tmp_path / "a.warc.gz", {"https://mill.example/": page})
    archive.rename(tmp_path / "archive.gz")
    for name in ("page.gz", "page.html", "archive.gz"):
        result = CliRunner().invoke(main, ["text", str(tmp_path / name)])
        assert "Grain and chaff are separated" in result.stdout, name
        assert result.exit_code == 0


def test_a_broken_gzip_file_is_refused(tmp_path) -> None:
    (tmp_path / "page.gz").write_bytes(b"\x1f\x8b\x08" + b"x" * 100)
    result = CliRunner().invoke(main, ["text", str(tmp_path / "page.gz")])
    assert result.exit_code == 2
    assert "broken gzip body" in result.stderr


def test_an_unknown_charset_is_refused(tmp_path) -> None:
    (tmp_path / "page.html").write_bytes(b"<p>words")
    result = CliRunner().invoke(main, ["text", str(tmp_path / "page.html"), "--charset", "klingon"])
    assert result.exit_code == 2
    assert "--charset klingon: unknown encoding" in result.stderr
    for known in ("UTF8", "latin1", "Shift_JIS"):
        assert CliRunner().invoke(main, ["text", str(tmp_path / "page.html"), "--charset", known]).exit_code == 0


def test_the_first_page_of_an_archive_says_of_how_many(tmp_path, monkeypatch) -> None:
    archive = write_archive(tmp_path / "a.warc.gz", {"https://mill.example/": b"<p>words of the mill"})
    result = CliRunner().invoke(main, ["text", str(archive)])
    assert f"The first and only page of {archive}" in result.stderr
    assert "--url chooses another" in result.stderr
    chosen = CliRunner().invoke(main, ["text", str(archive), "--url", "https://mill.example/"])
    assert (chosen.stdout, chosen.stderr) == (result.stdout, "")
    pages = {f"https://mill.example/{n}": b"<p>words of the mill" for n in range(12)}
    several = CliRunner().invoke(main, ["text", str(write_archive(tmp_path / "b.warc.gz", pages))])
    assert "The first of 12 pages of" in several.stderr
    monkeypatch.setattr(one_page, "_COUNTING", -1.0)
    assert "The first of more than 2 pages of" in CliRunner().invoke(main, ["text", str(tmp_path / "b.warc.gz")]).stderr


def test_plain_text_becomes_a_page_that_keeps_its_lines_and_its_angle_brackets() -> None:
    text = "Of <b>mills</b> &amp; men\n\n  1 < 2\n\tand so on"
    assert thresher.extract(plain_text_page(text.encode())).text == text


def test_random_bytes_on_standard_input_are_refused() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "thresher.commands.main", "text"], input=zipped(), capture_output=True, check=False
    )
    assert run.returncode == 2
    assert b"-: this is a ZIP archive" in run.stderr


def test_a_text_record_of_an_archive_becomes_a_row_with_its_text_as_it_is(tmp_path) -> None:
    text = "Of <b>mills</b> &amp; men\n\n  1 < 2\nΣιτάρι"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=iso-8859-7\r\n\r\n"
    block = head + text.encode("iso-8859-7")
    header = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http\r\n"
    )
    record = f"{header}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"
    (tmp_path / "a.warc").write_bytes(record)
    (batch,) = thresher.page_batches(tmp_path / "a.warc")
    (row,) = batch.to_pylist()
    assert (row["text"], row["status"], row["content_charset"]) == (text, "ok", "iso-8859-7")
