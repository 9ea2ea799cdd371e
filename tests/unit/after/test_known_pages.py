# SPDX-License-Identifier: Apache-2.0
"""Copies of pages of earlier runs: `duplicate_of` names them, and nothing else changes."""

import random
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from commanding import run
from small_archive import write_archive

from thresher.after.report import rows_digest
from thresher.running.outcome import inspect_run


def page(number: int) -> bytes:
    """A page with a menu, and a text that has no words in common with others."""
    chance = random.Random(number)
    words = ["".join(chance.choices("abcdefghijklmnop", k=7)) for _ in range(400)]
    text = "".join(f"<p>{' '.join(words[k : k + 40])}." for k in range(0, 400, 40))
    menu = "".join(f"<li><a href=/{k}>Item {k}</a>" for k in range(5))
    return f"<title>Page {number}</title><ul>{menu}</ul><article><h1>{words[0]}</h1>{text}</article>".encode()


def pages(output: Path) -> dict[str, dict[str, Any]]:
    rows = ds.dataset(sorted(output.glob("pages/0*"))).to_table().to_pylist()
    return {row["url"]: row for row in rows}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two crawls of a host: of the second one, pages 3 to 5 are those of the first, 6 has another text at its address,
    7 to 9 are new, and one is a copy within the crawl.
    """
    folder = tmp_path_factory.mktemp("crawls")
    first = {f"http://a.example/{n}": page(n) for n in range(7)}
    second = {f"http://a.example/{n}": page(n) for n in (3, 4, 5, 7, 8, 9)}
    second |= {"http://a.example/6": page(60), "http://a.example/moved": page(2), "http://a.example/twice": page(8)}
    second |= {"http://b.example/1": page(1)}
    write_archive(folder / "monday.warc.gz", first)
    write_archive(folder / "tuesday.warc.gz", second)
    run("extract", folder / "monday.warc.gz", "-o", folder / "monday", "--templates", "fused")
    return folder


def test_copies_of_an_earlier_run_are_named(folder: Path, tmp_path: Path) -> None:
    for split, workers in ((10**6, 1), (1500, 2)):
        out = tmp_path / str(split)
        flags = ["--templates", "fused", "--set", f"read.split_bytes={split}", "--workers", workers]
        run("extract", folder / "tuesday.warc.gz", "-o", out, "--known", folder / "monday", *flags)
        earlier, found = pages(folder / "monday"), pages(out)

        def name(url: str, rows: dict[str, dict[str, Any]]) -> str:
            return f"{rows[url]['warc_filename']}#{rows[url]['warc_record_offset']}"

        expected = {f"http://a.example/{n}": name(f"http://a.example/{n}", earlier) for n in (3, 4, 5, 6)}
        expected |= {
            "http://a.example/moved": name("http://a.example/2", earlier),
            "http://a.example/twice": name("http://a.example/8", found),
        }
        assert {url: row["duplicate_of"] for url, row in found.items() if row["duplicate_of"]} == expected
        reasons = {url: row["duplicate_reason"] for url, row in found.items() if row["duplicate_reason"]}
        assert reasons == {url: "address" if url.endswith("/6") else "text" for url in expected}
        assert inspect_run(str(out)).hosts["a.example"].copies == 5
        assert "5 (56%)" in run("inspect", out)


def test_nothing_else_changes(folder: Path, tmp_path: Path) -> None:
    run("extract", folder / "tuesday.warc.gz", "-o", tmp_path / "alone", "--templates", "fused")
    run(
        "extract",
        folder / "tuesday.warc.gz",
        "-o",
        tmp_path / "known",
        "--templates",
        "fused",
        "--known",
        folder / "monday",
    )
    alone, known = pages(tmp_path / "alone"), pages(tmp_path / "known")
    for row in (*alone.values(), *known.values()):
        for name in [name for name in row if name.endswith("_us") or name in ("duplicate_of", "duplicate_reason")]:
            del row[name]
    assert known == alone
    assert rows_digest(str(tmp_path / "known"), "keys") == rows_digest(str(tmp_path / "alone"), "keys")


def test_several_runs_and_those_that_have_no_keys(folder: Path, tmp_path: Path) -> None:
    run("extract", folder / "tuesday.warc.gz", "-o", tmp_path / "tuesday", "--templates", "learn")
    both = f"{folder / 'monday'},{tmp_path / 'tuesday'}"
    run("extract", folder / "tuesday.warc.gz", "-o", tmp_path / "again", "--templates", "fused", "--known", both)
    assert all(row["duplicate_of"] for row in pages(tmp_path / "again").values())
    run("extract", folder / "monday.warc.gz", "-o", tmp_path / "plain")
    command = ["extract", folder / "monday.warc.gz", "-o", tmp_path / "new", "--templates", "fused", "--known"]
    assert "has no keys" in run(*command, tmp_path / "plain", status=2)
    assert "not the output of a run" in run(*command, tmp_path / "nothing", status=2)
    alone = ["extract", folder / "monday.warc.gz", "-o", tmp_path / "new", "--known", folder / "monday"]
    assert "add --templates fused" in run(*alone, status=2)
    assert "add it to write.columns" in run(*command, folder / "monday", "--columns", "url,text", status=2)
    record = folder / "monday" / "_run.json"
    text = record.read_text()
    record.write_text(text.replace('"version": "', '"version": "9', 1))
    assert "whose keys differ" in run(*command, folder / "monday", status=2)
    record.write_text(text)


def test_keys_outlive_compacting(folder: Path, tmp_path: Path) -> None:
    run("extract", folder / "monday.warc.gz", "-o", tmp_path / "monday", "--templates", "fused")
    run("compact", tmp_path / "monday")
    outputs = []
    for source in (folder / "monday", tmp_path / "monday"):
        outputs.append(tmp_path / f"out{len(outputs)}")
        run("extract", folder / "tuesday.warc.gz", "-o", outputs[-1], "--templates", "fused", "--known", source)
    assert rows_digest(str(outputs[0])) == rows_digest(str(outputs[1]))
