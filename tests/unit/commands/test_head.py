# SPDX-License-Identifier: Apache-2.0
"""`thresher head`, `thresher config` and `thresher demo`: what a run holds and by what settings, at a glance."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from small_archive import write_archives

from thresher.commands.main import main


def thresher(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "archives"
    write_archives(folder, archives=1, pages=8)
    return folder


@pytest.mark.parametrize("to", ["parquet", "jsonl", "dolma", "datatrove", "wet"])
def test_the_first_rows_in_every_format(archives: Path, tmp_path: Path, to: str) -> None:
    out = tmp_path / "out"
    assert thresher("extract", archives, "-o", out, "--to", to, "--workers", 1).exit_code == 0
    whole = thresher("head", out, "-n", 100, "--json")
    rows = [json.loads(line) for line in whole.stdout.splitlines()]
    assert len(rows) == 8
    assert all(row["url"].startswith("http") and row["text"] for row in rows)
    assert thresher("head", out, "-n", 10**20, "--json").stdout == whole.stdout
    first = thresher("head", out, "-n", 2)
    assert first.exit_code == 0
    assert [line for line in first.stdout.splitlines() if line.startswith("http")] == [row["url"] for row in rows[:2]]
    assert " ".join(rows[0]["text"].split())[:40] in " ".join(first.stdout.split())
    chosen = thresher("head", out, "-n", 1, "--columns", "url,language")
    assert chosen.stdout.splitlines()[0] == f"url: {rows[0]['url']}"
    assert chosen.stdout.splitlines()[1].startswith("language: ")


def test_a_text_that_was_not_written_is_not_said_to_be_missing(archives: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert thresher("extract", archives, "-o", out, "--columns", "url,title", "--workers", 1).exit_code == 0
    shown = thresher("head", out, "-n", 1).stdout
    assert "the column text was not written" in shown
    assert "(no text)" not in shown


def test_other_tables_and_mistakes(archives: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert thresher("extract", archives, "-o", out, "--workers", 1).exit_code == 0
    assert "stage: " in thresher("head", out, "--table", "metrics").stdout
    nothing = thresher("head", out, "--table", "dead_letter")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert "holds no rows in dead_letter" in nothing.stderr
    for arguments, message in (
        ((out, "--table", "page"), "there is no such table; one of pages"),
        ((out, "--columns", "txt"), "the rows have no such column; they have url"),
        ((tmp_path / "none",), "is not the output of a run"),
        ((out, "--table", "blocks", "-n", 0), "0 is not in the range"),
    ):
        wrong = thresher("head", *arguments)
        assert wrong.exit_code == 2
        assert message in " ".join(wrong.stderr.split())


def test_a_page_cannot_command_the_terminal(tmp_path: Path) -> None:
    source = tmp_path / "pages.jsonl"
    source.write_text(
        json.dumps({"url": "http://e.org/\x1b]52", "html": "<title>\x1b[2J</title><p>" + "a\x9b2Jb " * 50})
    )
    assert thresher("extract", source, "-o", tmp_path / "out", "--extractor", "all").exit_code == 0
    for arguments in ((), ("--columns", "title,text"), ("--json",)):
        shown = thresher("head", tmp_path / "out", *arguments).stdout
        assert not {"\x1b", "\x9b"} & set(shown)


def test_settings_in_force_and_where_they_come_from(archives: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[extract]\nformat = "markdown"\nlinks = true\n')
    shown = thresher("config", "--conf", file, "--mode", "recall", "--set", "limits.max_nodes=9").stdout
    lines = {line.partition(" ")[0]: line for line in reversed(shown.splitlines())}  # the first of each name
    assert lines["format"].split("# ")[1] == lines["links"].split("# ")[1] == str(file)
    assert lines["mode"].endswith("# command line")
    assert lines["max_nodes"].split() == ["max_nodes", "=", "9", "#", "command", "line"]
    assert lines["max_depth"].endswith("# default")
    settings = tomllib.loads(shown)
    assert settings["extract"]["mode"] == "recall"
    assert sum(map(len, settings.values())) == sum(map(len, tomllib.loads(thresher("config").stdout).values()))

    changed = thresher("config", "--conf", file, "--changed").stdout
    assert tomllib.loads(changed) == {"extract": {"format": "markdown", "links": True}}
    assert thresher("config", "--changed").stdout == ""

    out = tmp_path / "out"
    assert thresher("extract", archives, "-o", out, "--conf", file, "--workers", 1).exit_code == 0
    of_run = thresher("config", out, "--changed").stdout
    again = tmp_path / "again.toml"
    again.write_text(of_run)
    assert tomllib.loads(of_run)["extract"] == {"format": "markdown", "links": True}
    assert "_run.json" in of_run
    assert thresher("extract", archives, "-o", out, "--conf", again).exit_code == 0, "the same run, which is finished"
    both = thresher("config", out, "--mode", "recall")
    assert both.exit_code == 2
    assert "not both" in both.stderr


def test_the_demo_runs_twice(tmp_path: Path) -> None:
    for _ in range(2):
        done = thresher("demo", tmp_path / "demo")
        assert done.exit_code == 0, done.output
        assert "$ thresher extract" in done.stdout
        assert "28 pages" in done.stdout
        assert "How the great wheel came back" in done.stdout
    (tmp_path / "file").write_text("")
    wrong = thresher("demo", tmp_path / "file")
    assert wrong.exit_code == 2
    assert "cannot write" in wrong.stderr
