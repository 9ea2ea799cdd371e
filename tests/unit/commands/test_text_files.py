# SPDX-License-Identifier: Apache-2.0
"""`thresher text FOLDER -o OUT`: a file for each page, and a closing line in which the numbers add up."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from thresher.commands import text_files
from thresher.commands.main import main

PAGE = (
    "<title>Mill</title><h1>The mill</h1><p>Grain and chaff are separated in the mill by the river, as ever ({}).</p>"
)


def text(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["text", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "one.html").write_text(PAGE.format("one"))
    (folder / "one.htm").write_text(PAGE.format("another"))
    (folder / "a" / "b" / "two.html").write_text(PAGE.format("two"))
    (folder / "a" / "empty.html").write_text("<title>x</title>")
    (folder / "a" / "really.html").write_bytes(b"%PDF-1.7 " + b"\0\1\2" * 100)
    (folder / "style.css").write_text("p { color: red }")
    (folder / "crawl.warc.gz").write_bytes(b"WARC/1.0")
    return folder


def files(out: Path) -> set[str]:
    return {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("options", "ending"), [((), "txt"), (("--format", "markdown"), "md"), (("--json",), "json")])
def test_each_page_has_a_file_in_the_same_structure(folder: Path, tmp_path: Path, options, ending: str) -> None:
    out = tmp_path / "out"
    done = text(folder, "-o", out, *options)
    assert files(out) == {f"{name}.{ending}" for name in ("one.html", "one.htm", "a/b/two.html", "a/empty.html")}
    for name, word in (("one.html", "(one)"), ("one.htm", "(another)"), ("a/b/two.html", "(two)")):
        written = (out / f"{name}.{ending}").read_text()
        assert word in (json.loads(written)["text"] if ending == "json" else written)
        alone = text(folder / name, *options).stdout
        if ending == "json":
            assert json.loads(alone)["text"] == json.loads(written)["text"]
        else:
            assert alone == written
    assert done.exit_code == 3
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert f"{folder}/a/empty.html: empty" in lines
    assert f"{folder}/a/really.html: error (this is a PDF document, not a web page)" in lines
    assert lines[-1].startswith("7 files: 4 texts written (1 empty), 1 failed, 2 left out: ")
    assert "1 an image, a PDF, a style sheet" in lines[-1]
    assert "1 an archive or a table of pages, which thresher extract reads" in lines[-1]


def test_what_is_there_stays_unless_it_may_be_replaced(folder: Path, tmp_path: Path) -> None:
    (folder / "a" / "really.html").unlink()
    out = tmp_path / "out"
    assert text(folder, "-o", out).exit_code == 0
    (out / "one.html.txt").write_text("mine")
    (out / "one.htm.txt").unlink()
    again = text(folder, "-o", out)
    assert again.exit_code == 0
    assert (out / "one.html.txt").read_text() == "mine"
    assert "(another)" in (out / "one.htm.txt").read_text()
    assert "6 files: 1 text written, 3 already there (--overwrite replaces them), 2 left out" in again.stderr
    assert "4 texts written" in text(folder, "-o", out, "--overwrite").stderr
    assert "(one)" in (out / "one.html.txt").read_text()


def test_a_page_that_cannot_be_written_costs_itself(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "a").mkdir(parents=True)
    (out / "a" / "b").write_text("a file where a folder should be")
    done = text(folder, "-o", out)
    assert done.exit_code == 3
    assert f"{folder}/a/b/two.html: error (" in done.stderr
    assert "3 texts written (1 empty), 2 failed" in done.stderr
    assert not [name for name in files(out) if name.endswith(".part")]


def test_an_error_of_an_extractor_is_a_status(folder: Path, tmp_path: Path, monkeypatch) -> None:
    real = text_files.extract_page

    def failing(page: bytes, **options: object) -> object:
        if b"(two)" in page:
            raise ZeroDivisionError
        return real(page, **options)

    monkeypatch.setattr(text_files, "extract_page", failing)
    done = text(folder, "-o", tmp_path / "out")
    assert done.exit_code == 3
    assert "two.html: error (ZeroDivisionError)" in done.stderr
    assert not (tmp_path / "out" / "a" / "b" / "two.html.txt").exists()


def test_a_full_disk_ends_the_work(folder: Path, tmp_path: Path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(text_files, "_write", full)
    done = text(folder, "-o", tmp_path / "out")
    assert done.exit_code == 4
    assert "No space left on device; the same command goes on from here" in done.stderr


def test_mistakes_are_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "none").mkdir()
    for arguments, message in (
        ((folder,), "a folder; -o OUT writes a text for each page"),
        ((folder, "-o", tmp_path / "file"), "this is a file"),
        ((folder, "-o", folder / "out"), "lies in the folder that is read"),
        ((folder, "-o", folder), "lies in the folder that is read"),
        ((folder / "one.html", "-o", tmp_path / "out"), "not a folder; -o is for the pages of one"),
        ((folder, "-o", tmp_path / "out", "--url", "https://x.example/"), "--url is for one page"),
        ((folder, "-o", tmp_path / "out", "--blocks"), "--blocks is for one page"),
        ((folder / "one.html", "--overwrite"), "--overwrite is for -o"),
        ((tmp_path / "none", "-o", tmp_path / "out"), "no HTML file in this folder"),
    ):
        wrong = text(*arguments)
        assert (wrong.exit_code, wrong.stdout) == (2, ""), arguments
        assert message in " ".join(wrong.stderr.split())
    assert not (tmp_path / "out").exists()


def test_progress_is_shown_for_long_work_only(folder: Path, tmp_path: Path, monkeypatch) -> None:
    assert "Writing texts" not in text(folder, "-o", tmp_path / "out").stderr
    monkeypatch.setattr(text_files, "_SILENT", -1.0)
    assert "Writing texts" in text(folder, "-o", tmp_path / "again").stderr


def test_many_problems_are_named_in_part(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for n in range(30):
        (folder / f"{n:02}.html").write_text("<title>x</title>")
    lines = text(folder, "-o", tmp_path / "out").stderr.splitlines()
    assert len([line for line in lines if re.search(r"\d\d\.html: empty", line)]) == 20
    assert "… and 10 more files with another status than ok" in lines
    assert lines[-1] == "30 files: 30 texts written (30 empty)"
