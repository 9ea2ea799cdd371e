# SPDX-License-Identifier: Apache-2.0
"""Routes of pages, the pages selected by them, and answers merged into a run."""

import errno
import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from small_archive import GREEK, SENTENCE, page, write_archive

import thresher
from thresher.address import page_id_of
from thresher.commands.main import main
from thresher.config import Route, load_configuration
from thresher.errors import ConfigError
from thresher.rows.routing import agreement_of, route_of
from thresher.running.outcome import inspect_run
from thresher.writing.storage import Storage

PAGES = {
    **{f"https://mill.example/{n}": page(n) for n in range(1, 6)},
    "https://mill.example/short": b"<html><title>Mill</title><body><p>Open on Sundays, closed on Mondays.",
    "https://mill.example/empty": b"<html><body>",
}


def run(*arguments: str):
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 0, done.output
    return done


def extracted(tmp_path: Path, *options: str, compressed: bool = True) -> Path:
    name = "a.warc.gz" if compressed else "a.warc"
    archive = write_archive(tmp_path / name, PAGES, gzip=compressed)
    out = tmp_path / "out"
    run("extract", str(archive), "-o", str(out), "--workers", "1", *options)
    return out


def rows_of(out: Path) -> dict[str, dict]:
    return {row["url"].rsplit("/", 1)[1]: row for row in pq.read_table(out / "pages").to_pylist()}


@pytest.mark.parametrize(
    ("status", "text", "confidence", "type_", "agreement", "expected"),
    [
        ("ok", "word " * 20, 0.95, "article", None, "trust"),
        ("ok", "word " * 20, 0.9, None, 0.6, "trust"),
        ("ok", "word " * 20, 0.95, "article", 0.4, "ask"),
        ("ok", "word " * 20, 0.6, "article", 0.9, "ask"),
        ("ok", "word " * 20, None, "article", None, "ask"),
        ("too_deep", "word " * 20, 0.95, "article", None, "trust"),
        ("ok", "word " * 20, 0.2, "article", None, "drop"),
        ("ok", "word " * 20, 0.95, "listing", None, "drop"),
        ("ok", "word " * 4, 0.95, "article", None, "drop"),
        ("ok", "雨が丘を越えて来る前に", 0.95, "article", None, "trust"),
        ("empty", "", 0.95, "article", None, "drop"),
        ("error", None, None, None, None, "drop"),
        ("ok", "word " * 20, 0.95, "product", None, "drop"),
        ("ok", "word " * 20, 0.95, "reference", None, "drop"),
        ("ok", "word " * 20, 0.95, "home", None, "trust"),
    ],
)
def test_routes(status, text, confidence, type_, agreement, expected):
    route = Route(
        drop=0.3,
        drop_types=("listing",),
        drop_type_groups=("product", "documentation"),
        min_agreement=0.5,
    )
    assert route_of(route, status, text, confidence, type_, agreement) == expected


def test_agreement_is_the_mean_word_f1():
    assert agreement_of("a b c d", ["a b c d", "a b"]) == pytest.approx((1 + 2 / 3) / 2)
    assert agreement_of("", [""]) == 1.0
    assert agreement_of("a", []) is None
    assert agreement_of(None, ["a"]) is None
    assert agreement_of("a", [None]) is None


def test_thresholds_that_contradict_each_other_are_refused():
    with pytest.raises(ConfigError, match=r"route\.drop"):
        load_configuration(None, {"route.drop": 0.95})


@pytest.mark.parametrize(
    ("key", "name", "message"),
    [
        ("drop_types", "recipes", "not 'recipes'; did you mean 'recipe'?"),
        ("drop_types", "article,lsting", "not 'lsting'; did you mean 'listing'?"),
        ("drop_type_groups", "artcle", "not 'artcle'; did you mean 'article'?"),
        ("drop_type_groups", "home", "not 'home'"),
    ],
)
def test_unknown_types_are_refused_with_a_suggestion(key, name, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        load_configuration(None, {f"route.{key}": name.split(",")})


@pytest.mark.parametrize(("key", "column"), [("drop_types", "type"), ("drop_type_groups", "type_group")])
def test_pages_of_types_to_drop_are_dropped_and_counted(tmp_path, key, column):
    before = rows_of(extracted(tmp_path, "--columns", "+route"))
    name = before["1"][column]
    (tmp_path / "after").mkdir()
    after = rows_of(extracted(tmp_path / "after", "--columns", "+route", "--set", f'route.{key}=["{name}"]'))
    of_type = {n for n, row in before.items() if row[column] == name}
    assert {n for n, row in after.items() if row["route"] == "drop"} == of_type | {
        n for n, row in before.items() if row["route"] == "drop"
    }
    assert any(before[n]["route"] != "drop" for n in of_type)
    report = inspect_run(str(tmp_path / "after" / "out"))
    assert report.types == Counter(row["type"] or "(none)" for row in before.values())


def test_the_column_follows_the_thresholds(tmp_path):
    archive = write_archive(tmp_path / "a.warc.gz", PAGES)
    names = ["url", "text", "confidence", "+route", "+extractor_agreement"]
    batches = thresher.page_batches(archive, columns=names, extractors=("thresher", "cetd"))
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert {row["route"] for row in rows} >= {"drop"}
    for row in rows:
        words = len(row["text"].split())
        expected = "drop" if words < 10 else "trust" if (row["confidence"] or 0) >= 0.9 else "ask"
        assert row["route"] == expected
        assert 0 <= row["extractor_agreement"] <= 1
    assert "route" not in thresher.page_batches(archive).schema.names


def test_pages_are_selected_answered_and_merged(tmp_path):
    columns = "+route,+languages,+n_text_words,+language_agreement,+extractor_agreement"
    out = extracted(tmp_path, "--columns", columns, "--set", "route.trust=1")
    before = rows_of(out)
    run("select", str(out), "--route", "ask", "-o", str(tmp_path / "ask.jsonl"))
    asked = [json.loads(line) for line in (tmp_path / "ask.jsonl").read_text().splitlines()]
    assert {each["url"].rsplit("/", 1)[1] for each in asked} == {
        n for n, row in before.items() if row["route"] == "ask"
    }
    assert {each["route"] for each in asked} == {"ask"}
    assert len(asked) >= 4
    text = f"{GREEK}\n{GREEK}"
    answers = tmp_path / "answers.jsonl"
    lines = [{"id": asked[0]["id"], "text": text}, {"id": "another.warc#1", "text": "x"}]
    answers.write_text("\n".join(map(json.dumps, lines)))
    done = run("merge", str(out), "--answers", str(answers), "--source", "large")
    assert "1 answers" in done.output
    assert "1 are about no page" in done.output
    after = rows_of(out)
    name = asked[0]["url"].rsplit("/", 1)[1]
    row = after.pop(name)
    assert (row["text"], row["text_source"], row["route"], row["confidence"]) == (text, "large", "answered", None)
    assert (row["language"], row["languages"], row["status"]) == ("ell", [("ell", 1.0)], "ok")
    assert row["n_text_words"] == len(text.split())
    assert row["title"] == before.pop(name)["title"]
    assert after == before
    run("merge", str(out), "--answers", str(answers), "--source", "large")
    assert rows_of(out)[name] == row
    run("inspect", str(out))


@pytest.mark.parametrize("compressed", [True, False])
def test_selected_records_are_an_archive(tmp_path, compressed):
    out = extracted(tmp_path, "--columns", "+route", "--set", "route.trust=1", compressed=compressed)
    chosen = {name: row["text"] for name, row in rows_of(out).items() if row["route"] == "ask"}
    run("select", str(out), "--to", "warc", "-o", str(tmp_path / "ask.warc.gz"))
    batches = thresher.page_batches(tmp_path / "ask.warc.gz")
    assert {r["url"].rsplit("/", 1)[1]: r["text"] for b in batches for r in b.to_pylist()} == chosen
    assert not batches.dead_letters


@pytest.mark.parametrize("line", ["{", "[1]", '{"id": 1, "text": "x"}', '{"id": "x"}', "[" * 100_000, '"x"'])
def test_what_is_no_answer_changes_nothing(tmp_path, line):
    out = extracted(tmp_path)
    before = rows_of(out)
    place = next(iter(before.values()))
    good = json.dumps({"id": f"{place['warc_filename']}#{place['warc_record_offset']}", "text": "new"})
    (tmp_path / "answers.jsonl").write_text(f"{good}\n{line}\n")
    done = CliRunner().invoke(main, ["merge", str(out), "--answers", str(tmp_path / "answers.jsonl")])
    assert done.exit_code == 2, done.output
    assert "line 2" in done.output
    assert rows_of(out) == before


def test_a_run_without_routes_is_refused(tmp_path):
    out = extracted(tmp_path)
    done = CliRunner().invoke(main, ["select", str(out), "-o", str(tmp_path / "ask.jsonl")])
    assert done.exit_code == 2
    assert "+route" in done.output
    assert not list(tmp_path.glob("ask*"))


def test_an_answer_in_gzip_members_is_read_from_its_offset(tmp_path):
    out = extracted(tmp_path, "--columns", "+route", "--set", "route.trust=1")
    run("select", str(out), "--to", "warc", "-o", str(tmp_path / "ask.warc.gz"))
    data = (tmp_path / "ask.warc.gz").read_bytes()
    assert gzip.decompress(data).count(b"WARC-Type: response") == len(
        [row for row in rows_of(out).values() if row["route"] == "ask"]
    )
    assert SENTENCE.encode() in gzip.decompress(data)


@pytest.mark.parametrize("compacted", [False, True])
def test_a_disk_that_is_full_leaves_answers_to_the_same_command(
    compacted: bool,  # noqa: FBT001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, answers = extracted(tmp_path), tmp_path / "answers.jsonl"
    if compacted:
        run("compact", str(out))
    text = "The miller wrote that the corn of this year is better."
    ids = list(map(page_id_of, rows_of(out).values()))
    answers.write_text("".join(json.dumps({"id": each, "text": text}) + "\n" for each in ids))
    merge = ["merge", str(out), "--answers", str(answers), "--source", "large"]

    move = Storage.move

    def moving(self: Storage, source: str, target: str) -> None:
        if "_answers" not in target:
            raise OSError(errno.ENOSPC, "Error writing bytes to file")  # as pyarrow says it
        move(self, source, target)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "move", moving)
        done = CliRunner().invoke(main, merge)
        file = "_compact/plan.json" if compacted else "pages/00000-0000.parquet"
        assert (done.exit_code, done.output) == (
            4,
            f"Error: {out}/{file}: No space left on device; mend that, and the same command goes on\n",
        )
    run(*merge)
    assert {row["text"] for row in rows_of(out).values()} == {text}
