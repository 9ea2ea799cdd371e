# SPDX-License-Identifier: Apache-2.0
"""The table `hosts`: what robots.txt and tdmrep.json said of each host, the same however the run is done."""

import json
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from commanding import run
from run_rows import rows_of
from small_archive import page, write_responses

from thresher import schemas
from thresher.after.report import rows_digest
from thresher.reading.listing import read_robots
from thresher.rows.hosts import host_batches

OLD, NEW = "2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z"
ROBOTS = [
    ("https://mill.example/robots.txt", b"User-agent: GPTBot\nDisallow: /", NEW),
    ("https://mill.example/robots.txt", b"User-agent: *\nDisallow: /", OLD),
    (
        "https://Signals.example:8443/robots.txt",
        (
            b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Signal: /a ai-input=no\n"
            b"Disallow: /private\nUser-agent: CCBot\nUser-agent: ClaudeBot\nDisallow: /\nAllow: /$\n"
        ),
        NEW,
    ),
    ("https://mill.example/.well-known/tdmrep.json", b'[{"location": "/a", "tdm-reservation": 0}]', NEW),
    (
        "https://reserved.example/.well-known/tdmrep.json",
        b'[{"location": "*", "tdm-reservation": 1, "tdm-policy": "https://reserved.example/p"}, 7]',
        NEW,
    ),
    ("https://soft.example/robots.txt", b"<html><body><h1>Not found</h1></body></html>", NEW),
    ("https://soft.example/.well-known/tdmrep.json", b"<html>", NEW),
    ("https://mill.example/about", page(1), NEW),
]


def archive(path: Path, records: list[tuple[str, bytes, str]], status: str = "200 OK") -> Path:
    def header(body: bytes) -> list[tuple[str, str]]:
        return [("Content-Type", "text/html" if body.startswith(b"<") else "text/plain")]

    return write_responses(path, ((url, body, header(body), date) for url, body, date in records), status)


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("robots") / "robots"
    archive(folder / "a.warc.gz", ROBOTS)
    archive(folder / "b.warc.gz", [("https://gone.example/robots.txt", b"User-agent: *\nDisallow: /", NEW)], "404 Gone")
    return folder


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl") / "crawl"
    for a in range(2):
        pages = [(f"https://{host}.example/{a}/{p}", page(a * 9 + p), NEW) for host in ("mill", "b") for p in range(9)]
        archive(folder / f"crawl-{a}.warc.gz", pages)
    return folder


@pytest.fixture(scope="module")
def done(crawl: Path, robots: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("done") / "out"
    run("extract", crawl, "-o", output, "--robots", robots, "--columns", "+rights", "--workers", "1")
    return output


def test_rows_say_what_each_file_says(done: Path) -> None:
    said = {(row["origin"], row["kind"], row["fetch_time"].year): row for row in rows_of(done, "hosts")}
    assert list(said) == [
        ("https://mill.example", "robots.txt", 2020),
        ("https://mill.example", "robots.txt", 2026),
        ("https://mill.example", "tdmrep.json", 2026),
        ("https://reserved.example", "tdmrep.json", 2026),
        ("https://signals.example:8443", "robots.txt", 2026),
        ("https://soft.example", "robots.txt", 2026),
        ("https://soft.example", "tdmrep.json", 2026),
    ], "by origin, kind and time; a page and a missing robots.txt have no row"
    old, mill, tdm, reserved, signals, *soft = said.values()
    assert (old["used"], old["refused"], old["use_search"], old["use_ai_train"]) == (False, "*", "no", "no")
    assert (mill["used"], mill["refused"], mill["use_search"], mill["use_ai_train"]) == (True, "gptbot", None, "no")
    assert (mill["n_rules"], mill["restricted"], mill["content_signal"], mill["tdm_rules"]) == (1, None, None, None)
    assert (tdm["used"], tdm["n_rules"], tdm["use_ai_train"]) == (True, 1, None), "it says nothing of the home page"
    assert json.loads(tdm["tdm_rules"]) == [{"location": "/a", "tdm-reservation": "0", "tdm-policy": None}]
    assert (reserved["use_ai_train"], reserved["url_host_name"]) == ("no", "reserved.example")
    assert json.loads(reserved["tdm_rules"])[0]["tdm-policy"] == "https://reserved.example/p"
    assert signals["content_signal"] == "search=yes, ai-train=no\n/a ai-input=no"
    assert (signals["use_search"], signals["use_ai_input"], signals["use_ai_train"]) == ("yes", None, "no")
    assert (signals["refused"], signals["restricted"]) == (None, "*\nccbot\nclaudebot")
    assert (signals["url"], signals["n_rules"]) == ("https://Signals.example:8443/robots.txt", 5)
    assert [row["n_rules"] for row in soft] == [0, 0]
    assert {row["use_ai_train"] for row in soft} == {None}
    assert all(row["warc_filename"].endswith("a.warc.gz") for row in said.values())


def test_pages_go_by_the_files_that_are_used(done: Path) -> None:
    found = duckdb.sql(
        f"select distinct p.use_ai_train, h.use_ai_train, h.fetch_time = p.robots_txt_time "
        f"from '{done}/pages/0*.parquet' p join '{done}/hosts/0*.parquet' h "
        "on h.used and h.kind = 'robots.txt' and p.url_host_name = h.url_host_name"
    ).fetchall()
    assert found == [("no", "no", True)]


def test_the_schema_is_that_of_the_file_and_a_run_without_has_no_table(done: Path, crawl: Path, tmp_path: Path) -> None:
    for path in sorted((done / "hosts").iterdir()):
        assert pq.read_schema(path).equals(schemas.TABLES["hosts"].to_arrow()), path
    run("extract", crawl, "-o", tmp_path / "out", "--columns", "+rights", "--workers", "1")
    assert not (tmp_path / "out" / "hosts").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--workers", "3", "--set", "read.split_bytes=3000"),
        ("--templates", "fused", "--workers", "2"),
        ("--to", "csv", "--workers", "1"),
    ],
    ids=["workers", "templates", "csv"],
)
def test_rows_are_the_same_however_a_run_is_done(
    crawl: Path, robots: Path, done: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    out = tmp_path / "out"
    run("extract", crawl, "-o", out, "--robots", robots, *options)
    assert rows_of(out, "hosts") == rows_of(done, "hosts")
    before = (out / "hosts" / "00000-0000.parquet").stat().st_mtime_ns
    run("extract", crawl, "-o", out, "--robots", robots, *options)
    assert (out / "hosts" / "00000-0000.parquet").stat().st_mtime_ns == before, "a resumed run reads them no more"


def test_json_lines_hold_the_same_rows(crawl: Path, robots: Path, done: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("extract", crawl, "-o", out, "--robots", robots, "--to", "jsonl", "--output-compression", "none")
    found = [json.loads(line) for line in (out / "hosts" / "00000-0000.jsonl").read_text("utf-8").splitlines()]
    for row, wanted in zip(found, rows_of(done, "hosts"), strict=True):
        assert row == wanted | {"fetch_time": wanted["fetch_time"].isoformat()}
    assert "signals.example" in run("head", out, "--table", "hosts", "-n", 5, "--json")


def test_a_compacted_run_keeps_it(crawl: Path, robots: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("extract", crawl, "-o", out, "--robots", robots)
    assert "7 rows of hosts" in run("inspect", out)
    before = rows_digest(str(out), "hosts")
    run("compact", out)
    assert rows_digest(str(out), "hosts") == before
    assert "7 rows of hosts" in run("inspect", out)


def test_shards_that_are_merged_have_it_once(crawl: Path, robots: Path, done: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for shard in ("1/2", "2/2"):
        run("extract", crawl, "-o", out, "--robots", robots, "--columns", "+rights", "--shard", shard)
    run("merge", out)
    assert rows_digest(str(out), "hosts") == rows_digest(str(done), "hosts")
    assert len(rows_of(out, "hosts")) == 7


def test_an_archive_that_is_not_there_is_told_before_anything_is_written(crawl: Path, tmp_path: Path) -> None:
    said = run("extract", crawl, "-o", tmp_path / "out", "--robots", tmp_path / "none.warc.gz", status=2)
    assert "none.warc.gz" in said
    assert not (tmp_path / "out").exists()


def test_archives_without_such_files_give_an_empty_table(crawl: Path, tmp_path: Path) -> None:
    run("extract", crawl, "-o", tmp_path / "out", "--robots", crawl)
    assert rows_of(tmp_path / "out", "hosts") == []
    assert "0 rows of hosts" in run("inspect", tmp_path / "out")


def test_values_of_hostile_files_are_bounded(tmp_path: Path) -> None:
    rules = [{"location": f"/{k}" + "é" * 900, "tdm-reservation": 1} for k in range(40)]
    records = [
        ("https://h.example/.well-known/tdmrep.json", json.dumps(rules).encode(), NEW),
        ("https://h.example/robots.txt", b"User-agent: *\n" + b"Content-Signal: \xff" + b"x" * 5000 + b"\n", NEW),
        ("https://" + "h" * 400 + "/robots.txt", b"User-agent: *\nDisallow: /", NEW),
    ]
    (batch,) = host_batches(read_robots([str(archive(tmp_path / "h.warc.gz", records))]))
    robots, tdm = batch.to_pylist()
    assert (tdm["n_rules"], len(tdm["tdm_rules"]) <= 5000) == (40, True)
    assert len(json.loads(tdm["tdm_rules"])) == 5
    assert len(robots["content_signal"]) <= 1000
