# SPDX-License-Identifier: Apache-2.0
"""Runs whose pages are not in Parquet: what reads the pages of a run back says that it cannot."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from commanding import run
from small_archive import page, write_archive

from thresher.commands.main import main

READERS = {
    "select": ["select", "OUT", "-o", "NEW"],
    "ask": ["ask", "OUT", "--url", "http://127.0.0.1:9/v1", "--model", "m", "-o", "NEW", "--estimate"],
    "merge": ["merge", "OUT", "--answers", "ANSWERS", "--source", "m"],
    "compact": ["compact", "OUT"],
    "render": ["render", "OUT", "-o", "NEW"],
    "templates": ["templates", "show", "OUT"],
    "serve": ["serve", "--run", "OUT"],
}
HOLDS = {"jsonl": "JSON Lines", "dolma": "JSON Lines", "datatrove": "JSON Lines", "csv": "CSV", "wet": "WET"}


@pytest.fixture(scope="module", params=HOLDS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp(request.param)
    write_archive(folder / "in.warc.gz", {"http://a.example/": page(1)})
    (folder / "answers").write_text("")
    columns = ["--columns", "+route,+html"]
    run("extract", folder / "in.warc.gz", "-o", folder / "out", "--to", request.param, *columns, "--workers", 1)
    return folder / "out", HOLDS[request.param]


@pytest.mark.parametrize("command", READERS)
def test_what_reads_pages_says_that_it_cannot(made: tuple[Path, str], command: str, tmp_path: Path) -> None:
    out, form = made
    names = {"OUT": str(out), "NEW": str(tmp_path / "new"), "ANSWERS": str(out.with_name("answers"))}
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    done = CliRunner().invoke(main, [names.get(word, word) for word in READERS[command]])
    assert done.exit_code == 2, done.output
    assert f"holds pages as {form}; only rows in Parquet can be read back" in done.output
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before
    assert not (tmp_path / "new").exists()


def test_the_summary_says_what_is_not_counted(made: tuple[Path, str], tmp_path: Path) -> None:
    out, _ = made
    assert "languages, types and hosts are not counted, as the pages are" in run("inspect", out)
    run("inspect", out, "--html", tmp_path / "report.html")
    shown = (tmp_path / "report.html").read_text()
    assert "what is on them is not counted" in shown
    assert "<dt>hosts</dt>" not in shown


def test_files_that_cannot_be_written_are_named_as_given(tmp_path: Path) -> None:
    write_archive(tmp_path / "in.warc.gz", {"http://a.example/": page(1)})
    run("extract", tmp_path / "in.warc.gz", "-o", tmp_path / "out", "--columns", "+route", "--workers", 1)
    new = tmp_path / "none" / "asked.jsonl"
    said = run("select", tmp_path / "out", "-o", new, status=2)
    assert f"Error: cannot write {new}: No such file or directory" in said
    asked = ["ask", tmp_path / "out", "--url", "http://127.0.0.1:9/v1", "--model", "m", "-o", new]
    assert f"{new} cannot be opened: No such file or directory" in run(*asked, status=2)


def test_shards_and_mistyped_columns_are_named(tmp_path: Path) -> None:
    write_archive(tmp_path / "in.warc.gz", {"http://a.example/": page(1)})
    extract = ["extract", tmp_path / "in.warc.gz", "-o", tmp_path / "out", "--workers", 1]
    assert "no column 'rout'; did you mean 'route'?" in run(*extract, "--columns", "+rout", status=2)
    for value in ("type_group = 'articles'", "type IN ('news', 'articles')", "'articles' <> route"):
        assert "no page has the value 'articles'" in run(*extract, "--where", value, status=2)
    run(*extract, "--where", "type_group <> 'other' OR lower(type) = 'x'", "--shard", "1/2")
    assert f"holds shards; join them first: thresher merge {tmp_path / 'out'}" in run(
        "inspect", tmp_path / "out", status=2
    )
