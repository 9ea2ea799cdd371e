# SPDX-License-Identifier: Apache-2.0
"""Answers stay in a run whatever is done with it afterwards, and whenever a command is killed."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from archive_forms import PAGES, write_form
from click.testing import CliRunner
from commanding import run
from small_archive import GREEK

from thresher.address import page_id_of
from thresher.after import answers as merging
from thresher.commands.main import main
from thresher.writing.storage import Storage

TEXT = f"{GREEK}\n{GREEK}"
PICTURE = b'<h1><img src="/wheel.jpg" alt="A wheel" width=640 height=480>'
WITH_PICTURES = {url: html.replace(b"<h1>", PICTURE) for url, html in PAGES.items()}


def rows(out: Path, table: str = "pages") -> dict[str, dict[str, Any]]:
    found = [
        row for file in sorted((out / table).rglob("*.parquet")) for row in pq.ParquetFile(file).read().to_pylist()
    ]
    assert table != "pages" or len({row["url"] for row in found}) == len(found)
    measured = re.compile(r"_us$")
    return {
        f"{page_id_of(row)} {row.get('position')}": {k: v for k, v in row.items() if not measured.search(k)}
        for row in found
    }


def ask(out: Path, target: Path, n: int = 3) -> Path:
    """Answers about pages of a run: every third, n of them."""
    ids = sorted(page_id_of(row) for row in rows(out).values())[::3][:n]
    target.write_text("".join(json.dumps({"id": each, "text": f"{TEXT} {each}"}) + "\n" for each in ids))
    return target


def answered(out: Path) -> list[str]:
    return sorted(name for name, row in rows(out).items() if row["text_source"] == "large")


def with_one_bad_line(folder: Path) -> Path:
    lines = [json.dumps({"url": url, "html": html.decode()}) for url, html in PAGES.items()]
    path = folder / "pages.jsonl"
    path.write_text("\n".join([*lines[:4], '{"html": ', *lines[4:]]))
    return path


def with_damage(folder: Path) -> Path:
    """Gzip members of three records, one of them damaged."""
    path = write_form(folder / "in", "threes.warc.gz")
    data = bytearray(path.read_bytes())
    at = data.index(b"\x1f\x8b\x08", len(data) // 2)
    data[at + 60 : at + 80] = b"\xff" * 20
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("options", [(), ("--templates", "fused", "--keep-first-pass")], ids=["one pass", "templates"])
@pytest.mark.parametrize("source", [with_one_bad_line, with_damage], ids=["lines", "archive"])
def test_a_retry_keeps_answers(source: Callable[[Path], Path], options: tuple[str, ...], tmp_path: Path) -> None:
    path, out = source(tmp_path), tmp_path / "out"
    run(
        *("extract", path, "-o", out, "--workers", "1", "--columns", "+n_text_words,+route", "--also", "code"),
        *("--max-error-ratio", "1", *options),
    )
    run("merge", out, "--answers", ask(out, tmp_path / "answers.jsonl"), "--source", "large")
    before = rows(out)
    assert len(answered(out)) == 3
    assert "in 1 partition" in run("retry", out, "--max-error-ratio", "1", "--workers", "1")
    assert rows(out) == before
    later = tmp_path / "later.jsonl"
    later.write_text(json.dumps({"id": answered(out)[0].split(" ")[0], "text": "Said anew."}))
    run("merge", out, "--answers", later, "--source", "larger")
    before = rows(out)
    run("retry", out, "--max-error-ratio", "1", "--workers", "1")
    assert rows(out) == before
    assert [row["text"] for row in before.values() if row["text_source"] == "larger"] == ["Said anew."]


def fresh(tmp_path: Path) -> Path:
    archives = [write_form(tmp_path / "in", name, WITH_PICTURES) for name in ("threes.warc.gz",)]
    out = tmp_path / "out"
    run("extract", *archives, "-o", out, "--workers", "1", "--columns", "+route", "--also", "images")
    return out


def test_parts_of_the_old_text_go(tmp_path: Path) -> None:
    out = fresh(tmp_path)
    pictures = {row["url"] for row in rows(out, "images").values()}
    run("merge", out, "--answers", ask(out, tmp_path / "answers.jsonl"), "--source", "large")
    gone = {row["url"] for row in rows(out).values() if row["text_source"] == "large"}
    assert len(gone) == 3
    assert {row["url"] for row in rows(out, "images").values()} == pictures - gone
    assert "damaged" not in run("inspect", out)
    assert not (out / "_temporary").exists()


@pytest.mark.parametrize("options", [(), ("--partition-by", "language"), ("--no-sort",)])
def test_a_compacted_run_is_as_if_compacted_after_the_merge(options: tuple[str, ...], tmp_path: Path) -> None:
    out = fresh(tmp_path)
    answers = ask(out, tmp_path / "answers.jsonl")
    other = shutil.copytree(out, tmp_path / "other")
    run("merge", other, "--answers", answers, "--source", "large")
    for each in (out, other):
        run("compact", each, *options)
    run("merge", out, "--answers", answers, "--source", "large")
    files = {file.relative_to(out): file for file in out.rglob("*.parquet") if file.parts[-2] != "_answers"}
    assert files.keys() == {each.relative_to(other) for each in other.rglob("*.parquet")} - {
        Path("_answers/00000.parquet")
    }
    for name, file in files.items():
        one, expected = pq.ParquetFile(file), pq.ParquetFile(other / name)
        assert one.schema_arrow == expected.schema_arrow
        if one.metadata.num_row_groups:
            column = one.metadata.row_group(0).column(0)
            assert column.has_offset_index
            assert one.metadata.row_group(0).sorting_columns == expected.metadata.row_group(0).sorting_columns
        measured = [each for each in one.schema_arrow.names if each.endswith(("_us", "seconds", "memory"))]
        assert one.read().drop_columns(measured).equals(expected.read().drop_columns(measured)), name
    if options[:1] == ("--partition-by",):
        for name, file in files.items():
            if name.parts[0] == "pages":
                assert set(pq.ParquetFile(file).read()["language"].to_pylist()) == {name.parts[1].partition("=")[2]}
    run("merge", out, "--answers", answers, "--source", "largest")
    assert len([row for row in rows(out).values() if row["text_source"] == "largest"]) == 3


class KilledError(BaseException):
    pass


@pytest.mark.slow
@pytest.mark.parametrize("arrangement", [None, (), ("--partition-by", "language")])
def test_a_command_that_was_killed_is_given_again(
    arrangement: tuple[str, ...] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """It ends at a change of the file system: at every fifth, by night at each."""
    apart = 1 if arrangement is None or request.config.getoption("--nightly") else 5
    first = fresh(tmp_path)
    answers = ask(first, tmp_path / "answers.jsonl")
    if arrangement is not None:
        run("compact", first, *arrangement)
    whole = shutil.copytree(first, tmp_path / "whole")
    run("merge", whole, "--answers", answers, "--source", "large")
    calls = 0
    stop = 1 - apart
    for name in ("move", "delete", "write_json", "remove"):
        real = getattr(Storage, name)

        def step(self: Storage, *arguments: Any, real: Any = real) -> Any:
            nonlocal calls
            calls += 1
            if calls == stop:
                raise KilledError
            return real(self, *arguments)

        monkeypatch.setattr(Storage, name, step)
    n_refused = 0
    while True:
        stop, calls = stop + apart, 0
        out = shutil.copytree(first, tmp_path / f"out-{stop}")
        try:
            merging.merge_answers(str(out), str(answers), "large")
        except KilledError:
            stop_here, stop = stop, 0
            refused = CliRunner().invoke(main, ["compact", str(out)])
            n_refused += "are not in all of its rows" in refused.output
            run("merge", out, "--answers", answers, "--source", "large")
            assert rows(out) == rows(whole)
            assert rows(out, "images") == rows(whole, "images")
            stop = stop_here
        else:
            break
    assert stop > 4
    assert n_refused


def test_ids_that_name_several_pages_are_refused(tmp_path: Path) -> None:
    archive, out = write_form(tmp_path / "in", "one.warc.gz"), tmp_path / "out"
    columns = "url,text,language,confidence,warc_filename,warc_record_offset,+route"
    run(
        "extract", archive, "-o", out, "--workers", "1", "--columns", columns.replace("+", ""), "--set", "route.trust=1"
    )
    assert "names several pages" in run("select", out, "-o", tmp_path / "ask.jsonl", status=2)
    before = pq.read_table(out / "pages")
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": f"{before['warc_filename'][0]}#0", "text": "x"}))
    assert "names several pages" in run("merge", out, "--answers", tmp_path / "answers.jsonl", status=2)
    assert pq.read_table(out / "pages") == before
