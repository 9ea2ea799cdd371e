# SPDX-License-Identifier: Apache-2.0
"""Folders with files of every kind: each is read as what it is, or left out for a reason that the run states."""

import errno
import gzip
import json
import os
import shutil
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from run_rows import rows_of
from small_archive import page, write_archive

import thresher
from thresher.after.report import rows_digest, to_text
from thresher.commands.main import main
from thresher.errors import InputError
from thresher.reading.kinds import kind_of
from thresher.reading.listing import list_files, list_inputs
from thresher.running.outcome import inspect_run
from thresher.schemas.files import LEFT_OUT

TEXT = "The ferry crosses the sound at noon.\nIn winter it stays in the harbour, and nobody minds."
NOTHING = gzip.compress(b"", mtime=0)
WAT = b'{"Envelope": {"Payload-Metadata": {}}}'


def record(kind: str, block: bytes, type_: str = "text/plain", **headers: str) -> bytes:
    lines = [
        "WARC/1.0", f"WARC-Type: {kind}", "WARC-Date: 2026-11-20T10:00:00Z", f"Content-Type: {type_}",
        "WARC-Target-URI: https://ferry.example/", "WARC-Record-ID: <urn:uuid:1>",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
        f"Content-Length: {len(block)}", "", "",
    ]  # fmt: skip
    return gzip.compress("\r\n".join(lines).encode() + block + b"\r\n\r\n", mtime=0)


WET_BYTES = record("warcinfo", b"software: none\r\n", "application/warc-fields") + record(
    "conversion", TEXT.encode(), WARC_Identified_Content_Language="eng,deu"
)
WAT_BYTES = record("warcinfo", b"software: none\r\n", "application/warc-fields") + record(
    "metadata", WAT, "application/json"
)


def extract(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["extract", *map(str, arguments)])


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Three files with pages in archives and lists, three of HTML, and one for each reason to leave a file out."""
    folder = tmp_path / "mixed"
    (folder / "sub" / "deep").mkdir(parents=True)
    write_archive(folder / "sub" / "a.warc.gz", {f"https://a.example/{k}": page(k) for k in range(3)})
    (folder / "b.jsonl").write_text(json.dumps({"html": page(4).decode(), "url": "https://b.example/"}) + "\n")
    (folder / "c.warc.wet.gz").write_bytes(WET_BYTES)
    (folder / "d.html").write_bytes(page(5))
    (folder / "sub" / "deep" / "about").write_bytes(page(6))  # as wget leaves a page without a suffix
    (folder / "sub" / "e.php").write_bytes(page(7))
    (folder / "f.pdf").write_bytes(b"%PDF-1.4")
    (folder / "logo").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (folder / "style.css").write_text("p { color: red }")
    (folder / "g.warc.wat.gz").write_bytes(WAT_BYTES)
    (folder / "h.jsonl").write_text('{"format": "json-pages-1.0"}\n{"url": "https://h.example/"}\n')
    pq.write_table(pa.table({"embedding": [1.0]}), folder / "i.parquet")
    (folder / "warc.paths").write_text("sub/a.warc.gz\n")
    (folder / "old").mkdir()
    (folder / "old" / "_run.json").write_text("{}")
    (folder / "old" / "page.html").write_bytes(page(8))
    (folder / "link").symlink_to(folder / "sub")
    (folder / "data.bin").write_bytes(b"\0\1\2" * 50)
    (folder / "nothing").write_bytes(b"")
    (folder / "gone").symlink_to("nowhere")
    return folder


LEFT = {
    "f.pdf": "no_pages", "logo": "no_pages", "style.css": "no_pages", "g.warc.wat.gz": "wat", "h.jsonl": "no_html",
    "i.parquet": "no_html", "warc.paths": "list", "old": "run", "link": "folder", "data.bin": "unknown",
    "nothing": "empty", "gone": "unreadable",
}  # fmt: skip
READ = {
    "b.jsonl": "jsonl", "c.warc.wet.gz": "wet", "sub/a.warc.gz": "warc", "d.html": "html", "sub/deep/about": "html",
    "sub/e.php": "html",
}  # fmt: skip


def test_a_mixed_folder_is_read_in_one_run_and_every_file_has_its_row(mixed: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    done = extract(mixed, "-o", output)
    assert done.exit_code == 0, done.output
    assert "8 pages of " in done.output
    said = "12 of 18 files were left out: 3 no_pages, 2 no_html, 1 empty, 1 folder, 1 list, 1 run, 1 unknown, "
    assert said + "1 unreadable, 1 wat. The table files has each; --strict refuses them." in done.output
    pages = rows_of(output, "pages")
    assert {row["url"] for row in pages} == {
        *(f"https://a.example/{k}" for k in range(3)), "https://b.example/", "https://ferry.example/",
        "file:d.html", "file:sub/deep/about", "file:sub/e.php",
    }  # fmt: skip
    found = {Path(row.pop("file")).relative_to(mixed).as_posix(): row for row in rows_of(output, "files")}
    assert {name: row["reason"] for name, row in found.items() if row["reason"]} == LEFT
    assert {name: row["kind"] for name, row in found.items() if not row["reason"]} == READ
    inputs = {name: row["input"] for name, row in found.items()}
    assert [inputs[name] for name in READ] == [0, 1, 2, 3, 3, 3]
    assert {inputs[name] for name in LEFT} == {None}
    assert found["f.pdf"]["kind"] == "application/pdf"
    assert found["logo"]["kind"] == "a PNG image"
    assert set(LEFT.values()) | {"remote", "special", "again"} == set(LEFT_OUT)
    report = inspect_run(str(output))
    assert (report.files, report.left_out.total(), report.unaccounted) == (18, 12, 0)
    assert "18 files = 6 read + 12 left out" in to_text(report)
    assert "files left out because of" in to_text(report)
    for option in ("--json", "--prometheus"):
        assert "no_html" in CliRunner().invoke(main, ["inspect", str(output), option]).output
    # Given again, it finds nothing to do, and the same files.
    assert extract(mixed, "-o", output).exit_code == 0
    assert len(rows_of(output, "files")) == 18


def test_an_output_folder_within_its_input_does_not_become_one(mixed: Path) -> None:
    for _ in range(2):
        done = extract(mixed, "-o", mixed / "out")
        assert done.exit_code == 0, done.output
    assert [row["reason"] for row in rows_of(mixed / "out", "files") if row["file"].endswith("/out")] == ["run"]


def test_strict_refuses_what_would_be_left_out(mixed: Path, tmp_path: Path) -> None:
    done = extract(mixed, "-o", tmp_path / "out", "--strict")
    assert done.exit_code == 2
    assert "--strict: 12 files would be left out, such as " in done.output
    assert not (tmp_path / "out").exists()
    done = extract(mixed / "sub", "-o", tmp_path / "out", "--strict")
    assert done.exit_code == 0, done.output
    assert "left out" not in done.output
    assert [row["kind"] for row in rows_of(tmp_path / "out", "files")] == ["warc", "html", "html"]


def test_batches_without_files_tell_what_was_left_out(mixed: Path) -> None:
    batches = thresher.page_batches(mixed)
    assert sum(batch.num_rows for batch in batches) == 8
    assert {Path(path).relative_to(mixed).as_posix(): reason for path, reason in batches.left_out.items()} == LEFT


def test_a_pattern_reads_what_it_can_and_says_what_it_leaves_out(mixed: Path) -> None:
    (mixed / "warc.paths").unlink()
    listing = list_files(str(mixed / "*"))
    assert [Path(each.location).name for each in listing.inputs] == ["b.jsonl", "c.warc.wet.gz", "d.html"]
    found = {Path(each.path).name: each.reason for each in listing.left_out}
    assert found == {name: reason for name, reason in LEFT.items() if name not in ("old", "warc.paths")} | {
        "old": "folder", "sub": "folder",
    }  # fmt: skip
    with pytest.raises(InputError, match=r"no file with pages matches this pattern \(left out: 1 no_pages\)"):
        list_inputs(str(mixed / "*.pdf"))


def test_a_folder_without_pages_is_refused_with_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "b.jsonl").write_text('{"text": "no page"}\n')
    with pytest.raises(InputError, match=r"no WARC in this folder .* \(left out: 1 no_html, 1 no_pages\)"):
        list_inputs(tmp_path)


def test_files_of_further_inputs_are_added_to_the_rows(mixed: Path, tmp_path: Path) -> None:
    first, second, output = mixed / "sub" / "a.warc.gz", mixed / "sub", tmp_path / "out"
    assert extract(first, "-o", output).exit_code == 0
    done = extract(second, "-o", output, "--append")
    assert done.exit_code == 0, done.output
    found = {Path(row["file"]).name: row["input"] for row in rows_of(output, "files")}
    assert found == {"a.warc.gz": 0, "about": 1, "e.php": 1}
    assert len(rows_of(output, "files")) == 3


def test_the_output_of_a_run_as_input_is_refused_with_a_hint_at_render(tmp_path: Path) -> None:
    write_archive(tmp_path / "a.warc.gz", {f"https://a.example/{k}": page(k) for k in range(4)})
    assert extract(tmp_path / "a.warc.gz", "-o", tmp_path / "old").exit_code == 0
    for name in ("old", "old/pages"):
        done = extract(tmp_path / name, "-o", tmp_path / "new")
        assert done.exit_code == 2
        assert f"thresher render {tmp_path / 'old'} -o OUT extracts its pages again" in done.output


def test_a_wrong_prefix_of_an_index_says_at_the_end_what_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_archive(tmp_path / "a.warc.gz", {f"https://a.example/{k}": page(k) for k in range(4)})
    assert extract("a.warc.gz", "-o", "old").exit_code == 0
    index = ("--index", "old/pages", "--warc-prefix", "wrong")
    done = extract(*index, "-o", "new")
    assert done.exit_code == 3
    print(done.output)
    said = done.output.strip().splitlines()[-1]
    assert "a.warc.gz" in said
    assert "No such file" in said or "no such file" in said


# --- WET and WAT ---


def test_a_wet_is_read_as_its_texts(tmp_path: Path) -> None:
    for name in ("a.warc.wet.gz", "unnamed"):
        path = tmp_path / name
        path.write_bytes(WET_BYTES)
        assert kind_of(str(path))[0] == "wet"
        done = extract(path, "-o", tmp_path / f"out-{name}")
        assert done.exit_code == 0, done.output
        (row,) = rows_of(tmp_path / f"out-{name}", "pages")
        assert row["text"].split() == TEXT.split()
        assert (row["url"], row["language"], row["content_languages"]) == ("https://ferry.example/", "eng", "eng,deu")
        assert row["fetch_time"].isoformat() == "2026-11-20T10:00:00+00:00"


def test_what_thresher_writes_as_wet_it_reads_back(tmp_path: Path) -> None:
    write_archive(tmp_path / "a.warc.gz", {f"https://a.example/{k}": page(k) for k in range(4)})
    assert extract(tmp_path / "a.warc.gz", "-o", tmp_path / "wet", "--to", "wet").exit_code == 0
    assert extract(tmp_path / "a.warc.gz", "-o", tmp_path / "out").exit_code == 0
    assert extract(tmp_path / "wet" / "pages", "-o", tmp_path / "back").exit_code == 0

    def words(output: Path) -> dict[str, list[str]]:
        return {row["url"]: row["text"].split() for row in rows_of(output, "pages")}

    assert words(tmp_path / "back") == words(tmp_path / "out")


def test_a_wat_is_refused_as_what_it_is(tmp_path: Path) -> None:
    for name in ("a.warc.wat.gz", "unnamed"):
        (tmp_path / name).write_bytes(WAT_BYTES)
        done = extract(tmp_path / name, "-o", tmp_path / "out")
        assert done.exit_code == 2
        assert "this is a WAT, metadata about the pages of a WARC, with no pages in it" in done.output
    (tmp_path / "wat.paths").write_text("a.warc.wat.gz\n")
    with pytest.raises(InputError, match="this is a WAT"):
        list_inputs(tmp_path / "wat.paths")
    with pytest.raises(InputError, match="this is a WAT"):
        list_inputs("https://data.example/a.warc.wat.gz")


def test_an_archive_of_texts_under_another_name_says_why_it_has_no_pages(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(WET_BYTES)
    done = extract(tmp_path / "a.warc.gz", "-o", tmp_path / "out")
    assert "No page was found; records were skipped because of 1 conversion, 1 not_response." in done.output


# --- files that are gone ---


@pytest.mark.parametrize("options", [(), ("--templates", "fused")])
def test_a_run_with_a_missing_file_is_damaged(tmp_path: Path, options: tuple[str, ...]) -> None:
    output = tmp_path / "out"
    for name in "ab":
        urls = {f"https://{name}.example/{k}": page(k) for k in range(4)}
        (tmp_path / "crawl").mkdir(exist_ok=True)
        write_archive(tmp_path / "crawl" / f"{name}.warc.gz", urls)
    assert extract(tmp_path / "crawl", "-o", output, *options).exit_code == 0
    assert inspect_run(str(output)).state == "finished"
    digest = rows_digest(str(output))
    for table, n in (("metrics", None), ("pages", 4)):
        (file,) = (output / table).glob("00001-0000.*")
        shutil.move(file, tmp_path / "away")
        report = inspect_run(str(output))
        assert report.state == "damaged"
        assert f"{table}/00001-0000" in report.missing
        if n:
            assert report.missing == {"pages/00001-0000": n}
            said = "DAMAGED: 1 file of the run is missing or cannot be read: pages/00001-0000 (4 rows)"
            assert said in to_text(report)
        assert json.loads(CliRunner().invoke(main, ["inspect", str(output), "--json"]).output)["state"] == "damaged"
        shutil.move(tmp_path / "away", file)
    assert inspect_run(str(output)).state == "finished"
    assert rows_digest(str(output)) == digest
    assert CliRunner().invoke(main, ["compact", str(output)]).exit_code == 0
    assert inspect_run(str(output)).state == "finished"


def test_a_run_whose_pages_are_all_left_out_misses_nothing(tmp_path: Path) -> None:
    write_archive(tmp_path / "a.warc.gz", {f"https://a.example/{k}": page(k) for k in range(4)})
    for number, options in enumerate(((), ("--templates", "fused"))):
        output = tmp_path / f"out{number}"
        done = extract(tmp_path / "a.warc.gz", "-o", output, "--min-words", "100000", *options)
        assert done.exit_code == 0, done.output
        assert inspect_run(str(output)).state == "finished"


def test_damaged_and_empty_files_of_a_folder_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_archive(folder.parent / "a.warc.gz", {"https://a.example/": page(1)})
    folder.mkdir()
    shutil.move(tmp_path / "a.warc.gz", folder / "a.warc.gz")
    (folder / "cut.wacz").write_bytes(b"PK\3\4 cut")
    (folder / "gone.warc.gz").symlink_to("nowhere.warc.gz")
    for name in ("e.warc.gz", "e.jsonl", "e.parquet", "e.wacz"):
        (folder / name).write_bytes(b"")
    (folder / "none.warc.gz").write_bytes(NOTHING * 3)
    for number, given in enumerate((folder, f"{folder}/*")):
        output = tmp_path / f"out{number}"
        done = extract(given, "-o", output)
        assert done.exit_code == 0, done.output
        reasons = {Path(row["file"]).name: row["reason"] for row in rows_of(output, "files")}
        assert reasons.pop("a.warc.gz") is None
        assert reasons.pop("cut.wacz") == reasons.pop("gone.warc.gz") == "unreadable"
        assert set(reasons.values()) == {"empty"}
        assert len(reasons) == 5
        assert "7 of 8 files were left out: 5 empty, 2 unreadable" in done.output
    assert extract(folder / "cut.wacz", "-o", tmp_path / "named").exit_code == 2


def test_a_folder_that_cannot_be_looked_into_is_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("open", "closed"):
        (tmp_path / "in" / name).mkdir(parents=True)
        write_archive(tmp_path / "in" / name / "a.warc.gz", {f"https://{name}.example/": page(0)})
    scan = os.scandir

    def denied(path: str) -> object:
        if os.fspath(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", denied)  # root may look into every folder
    listing = list_files(str(tmp_path / "in"))
    assert [each.location for each in listing.inputs] == [str(tmp_path / "in" / "open" / "a.warc.gz")]
    assert [(each.path, each.reason) for each in listing.left_out] == [(str(tmp_path / "in" / "closed"), "unreadable")]
    with pytest.raises(InputError, match=r"no WARC in this folder.*1 unreadable"):
        list_files(str(tmp_path / "in" / "closed"))


def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.html").write_bytes(page(1))
    pipes = [folder / name for name in ("a.warc.gz", "b.html", "sub/c.jsonl", "d")]
    for pipe in pipes:
        os.mkfifo(pipe)
    for number, given in enumerate((folder, f"{folder}/**")):
        output = tmp_path / f"out{number}"
        done = extract(given, "-o", output)
        assert done.exit_code == 0, done.output
        assert "1 page of" in done.output
        assert "4 of 5 files were left out: 4 special" in done.output
    (tmp_path / "list.paths").write_text("".join(f"{name}\n" for name in (pipes[0], folder / "a.html")))
    done = extract(tmp_path / "list.paths", "-o", tmp_path / "listed")
    assert done.exit_code == 2
    assert f"{pipes[0]}: no regular file" in "".join(done.output.splitlines())


def test_a_file_named_twice_is_read_once_and_the_second_name_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_archive(tmp_path / "a.warc.gz", {f"https://a.example/{k}": page(k) for k in range(4)})
    with zipfile.ZipFile("b.wacz", "w") as wacz:
        wacz.write("a.warc.gz", "archive/b.warc.gz")
    (tmp_path / "none.warc.gz").touch()
    names = ["a.warc.gz", "./a.warc.gz", tmp_path / "a.warc.gz", "b.wacz", "../" + tmp_path.name + "/b.wacz"]
    done = extract(*names, "none.warc.gz", "-o", "out")
    assert done.exit_code == 0, done.output
    assert "8 pages of" in done.output
    assert "4 of 6 files were left out: 3 again, 1 empty" in done.output
    found = [(row["input"], row["reason"]) for row in rows_of(Path("out"), "files")]
    assert found == [(0, None), (1, None), (None, "empty"), *[(None, "again")] * 3]
    # A further run's names are those of the first.
    done = extract(*reversed(names), "-o", "out", "--append")
    assert "0 of 2 inputs left" in done.output
    assert len(rows_of(Path("out"), "files")) == 3


def test_a_link_to_a_file_that_is_read_is_not_read_too(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write_archive(folder / "a.warc.gz", {f"https://a.example/{k}": page(k) for k in range(4)})
    (folder / "newest.warc.gz").symlink_to("a.warc.gz")
    (tmp_path / "other.warc.gz").symlink_to(folder / "newest.warc.gz")
    done = extract(folder, tmp_path / "other.warc.gz", "-o", tmp_path / "out")
    assert "4 pages of" in done.output
    assert "2 of 3 files were left out: 2 again" in done.output
    assert "0 of 1 input left" in extract(folder, tmp_path / "other.warc.gz", "-o", tmp_path / "out").output


def test_files_whose_names_are_no_utf8_keep_names_apart(tmp_path: Path) -> None:
    names = (b"in/caf\xe8", b"in/caf\xe9")
    for number, name in enumerate(names):
        folder = os.path.join(os.fsencode(tmp_path), name)
        os.makedirs(folder)
        write_archive(Path(os.fsdecode(folder)) / "a.warc.gz", {f"https://a.example/{number}": page(number)})
        (Path(os.fsdecode(folder)) / "a.html").write_bytes(page(2 + number))
    for flags in ((), ("--templates", "fused", "--format", "markdown")):
        output = tmp_path / f"out{len(flags)}"
        done = extract(tmp_path / "in", "-o", output, *flags)
        assert done.exit_code == 0, done.output
        assert sorted((row["url"], row["warc_filename"]) for row in rows_of(output, "pages")) == [
            ("file:caf%E8/a.html", f"{tmp_path}/in"),
            ("file:caf%E9/a.html", f"{tmp_path}/in"),
            ("https://a.example/0", f"{tmp_path}/in/caf\\xe8/a.warc.gz"),
            ("https://a.example/1", f"{tmp_path}/in/caf\\xe9/a.warc.gz"),
        ]
        assert len({row["file"] for row in rows_of(output, "files")}) == 4


def test_html_files_and_folders_within_a_folder_are_read_once(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    for name in ("a.html", "b", "sub/c.html"):
        (site / name).write_bytes(page(1))
    (tmp_path / "other.html").write_bytes(page(2))
    given = (site / "sub" / "c.html", site, f"{site}/sub/../a.html", site / "b", site / "sub", tmp_path / "other.html")
    for names in (given, given[::-1]):
        output = tmp_path / f"out {names[0].name}"
        assert extract(*names, "-o", output).exit_code == 0
        assert sorted(row["url"] for row in rows_of(output, "pages")) == [
            "file:a.html", "file:b", "file:other.html", "file:sub/c.html",
        ]  # fmt: skip
        listed = rows_of(output, "files")
        assert [row["reason"] for row in listed if row["input"] is None] == ["again"] * 2
        assert len(listed) == 6
    # A folder alone, or what only begins with its name, is as before.
    (tmp_path / "site2").mkdir()
    (tmp_path / "site2" / "a.html").write_bytes(page(3))
    assert len(list_inputs([site / "sub", tmp_path / "site2", tmp_path / "site2" / ".." / "other.html"])) == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(("a.warc.gz", b""), ("a.jsonl", b""), ("a.parquet", b""), ("a.arc", b"")),
        *(("a.warc.gz", NOTHING), ("a.jsonl.gz", NOTHING * 2), ("a.bin", NOTHING)),
    ],
)
def test_a_file_of_no_bytes_alone_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    done = extract(tmp_path / name, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "nothing to read (left out: 1 empty)" in " ".join(done.output.split())
    assert not (tmp_path / "out").exists()
