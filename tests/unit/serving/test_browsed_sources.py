# SPDX-License-Identifier: Apache-2.0
"""The workbench lists and opens every page of an archive and of a run, however these are kept."""

import json
import zipfile
from pathlib import Path

import pytest
from archive_forms import FORMS, PAGES, write_form
from commanding import run
from in_process import extract_here
from s3_store import s3_client, s3_endpoint, s3_environment

from thresher.config import load_configuration
from thresher.errors import Refused
from thresher.running.run import start_run
from thresher.serving import sources

OTHERS = {f"https://other.example/{n}": html for n, html in enumerate(PAGES.values())}
FEW = ("threes.warc.gz", "one.warc.zst", "one.arc.gz")


def check(kind: str, name: Path | str, expected: dict[str, bytes]) -> None:
    """The pages of a source, listed from each of its places on and opened at each, are the expected ones."""
    found = json.loads(sources.list_pages(kind, str(name), "0", ""))
    assert found["next"] is None
    listed = [each["url"] for each in found["pages"]]
    assert sorted(listed) == sorted(expected)
    for number, each in enumerate(found["pages"]):
        opened = json.loads(sources.read_page(kind, str(name), each["place"]))
        assert (opened["url"], opened["html"].encode()) == (each["url"], expected[each["url"]])
        if number in (1, 7):
            rest = json.loads(sources.list_pages(kind, str(name), each["place"], ""))["pages"]
            assert [each["url"] for each in rest] == listed[number:]


def several(folder: Path, form: str, kind: str) -> Path:
    """Two archives of a form as a folder, a pattern, a list of paths, or in a WACZ."""
    first, other = write_form(folder / "in" / "a", form), write_form(folder / "in" / "b", form, OTHERS)
    if kind == "folder":
        return folder / "in"
    if kind == "glob":
        return folder / "in" / "*" / first.name
    if kind == "list":
        (folder / "some.paths").write_text(f"{first}\n{other}\n")
        return folder / "some.paths"
    with zipfile.ZipFile(folder / "a.wacz", "w") as file:
        for number, path in enumerate((first, other)):
            file.write(path, f"archive/{number}-{form}")
    return folder / "a.wacz"


@pytest.mark.parametrize("form", FORMS)
def test_an_archive(form: str, tmp_path: Path) -> None:
    check("archive", write_form(tmp_path, form), PAGES)


@pytest.mark.parametrize("kind", ["folder", "glob", "list", "wacz"])
@pytest.mark.parametrize("form", FEW)
def test_several_archives(form: str, kind: str, tmp_path: Path) -> None:
    check("archive", several(tmp_path, form, kind), PAGES | OTHERS)


@pytest.mark.parametrize("kind", ["folder", "list", "wacz"])
@pytest.mark.parametrize("form", FEW)
def test_a_run(form: str, kind: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("extract", several(tmp_path, form, kind), "-o", out, "--workers", "1")
    check("run", out, PAGES | OTHERS)
    run("compact", out, "--partition-by", "language")
    check("run", out, PAGES | OTHERS)


def test_a_run_over_ranges_of_archives(tmp_path: Path) -> None:
    write_form(tmp_path / "in", "threes.warc.gz")
    run("extract", tmp_path / "in", "-o", tmp_path / "first", "--workers", "1")
    index, base = tmp_path / "first" / "pages", str(tmp_path / "in")
    run("extract", "--index", index, "--input-base-url", base, "-o", tmp_path / "out", "--workers", "1")
    check("run", tmp_path / "out", PAGES)


def test_a_run_in_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in s3_environment().items():
        monkeypatch.setenv(name, value)
    s3_client(s3_endpoint()).create_bucket(Bucket="browsed")
    source = write_form(tmp_path, "threes.warc.gz")
    extract_here(start_run([str(source)], "s3://browsed/out", load_configuration(None, {})))
    check("run", "s3://browsed/out", PAGES)
    for folder, reason in (("s3://browsed/none", "holds no pages"), ("s3://nowhere/out", "nowhere")):
        with pytest.raises(Refused, match=reason):
            sources.list_pages("run", folder, "0", "")


@pytest.mark.parametrize("kind", ["jsonl", "html"])
def test_what_is_no_archive(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    if kind == "jsonl":
        lines = [json.dumps({"url": url, "html": html.decode()}) for url, html in PAGES.items()]
        (folder / "pages.jsonl").write_text("\n".join(lines))
        check("archive", folder / "pages.jsonl", PAGES)
    else:
        for number, html in enumerate(PAGES.values()):
            (folder / f"{number:02d}.html").write_bytes(html)
        expected = {f"file:{number:02d}.html": html for number, html in enumerate(PAGES.values())}
        check("archive", folder, expected)
