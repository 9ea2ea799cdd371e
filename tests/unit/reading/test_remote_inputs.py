# SPDX-License-Identifier: Apache-2.0
"""Servers that lack an input, are busy, stay silent or lie do not keep other inputs from being extracted."""

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import groupby
from pathlib import Path
from threading import Event, Thread

import pyarrow.parquet as pq
import pytest
from in_process import extract_here
from shared_data import CHECKOUT
from small_archive import write_archives
from waiting import LIMIT, Clock, wait_for

from thresher.config import load_configuration
from thresher.reading import limits, transfers
from thresher.running import partition_queue
from thresher.running.outcome import inspect_run
from thresher.running.run import start_run

PAGES = 20


class Server(ThreadingHTTPServer):
    """Serves the archives of a folder; what it does beside is in the path."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.asked: list[tuple[str, str]] = []  # what it does, and the name, of each request
        self.ended = Event()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        how, _, name = self.path.strip("/").partition("/")
        self.server.asked.append((how, name))
        if how == "silent":
            self.server.ended.wait()
            return
        path = self.server.folder / name
        if how == "busy" or not path.exists():
            self.send_response(503 if how == "busy" else 404)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        data = path.read_bytes()
        start = int(re.match(r"bytes=(\d+)-", self.headers.get("Range", "bytes=0-"))[1])  # type: ignore[index]
        if start >= len(data):
            self.send_error(416)
            return
        total = "999999999999999999999" if how == "lying" else str(len(data))
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{total}")
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        self.wfile.write(data[start:])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    write_archives(tmp_path / "archives", archives=2, pages=PAGES)
    with Server(tmp_path / "archives") as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.ended.set()
        running.shutdown()


def command(inputs: list[str], output: Path) -> list[str]:
    start = [sys.executable, "-m", "thresher.commands.main", "extract", *inputs, "-o", str(output), "--workers", "2"]
    return [*start, "--set", "read.split_bytes=4000"]


def pages(output: Path) -> dict[str, int]:
    """The number of pages of each input."""
    names = pq.read_table(output / "pages", columns=["warc_filename"])["warc_filename"].to_pylist()
    return {name: names.count(name) for name in sorted(set(names))}


def test_missing_input_is_a_dead_letter_and_the_others_are_extracted(server: Server, tmp_path: Path) -> None:
    good = [server.url("good/crawl-0.warc.gz"), str(tmp_path / "archives" / "crawl-1.warc.gz")]
    missing = [server.url("good/none.warc"), server.url("good/none.warc.gz")]
    done = subprocess.run(
        command([*missing, *good], tmp_path / "out"), capture_output=True, text=True, check=False, timeout=LIMIT
    )
    assert done.returncode == 4, done.stderr
    assert "Traceback" not in done.stderr
    assert pages(tmp_path / "out") == dict.fromkeys(sorted(good), PAGES)
    letters = pq.read_table(tmp_path / "out" / "dead_letter").to_pylist()
    assert sorted(letter["warc_filename"] for letter in letters) == sorted(missing)
    assert {(letter["stage"], letter["error_class"]) for letter in letters} == {("worker", "InputError")}
    assert inspect_run(str(tmp_path / "out")).unaccounted == 0


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst", "a.arc", "a.jsonl", "a.parquet"])
def test_an_empty_file_on_a_server_is_damage(name: str, server: Server, tmp_path: Path) -> None:
    """Of a local one the table of files says that it was left out; what a server has is seen when it is read."""
    (server.folder / name).touch()
    run = start_run([server.url(f"good/{name}")], str(tmp_path / "out"), load_configuration())
    extract_here(run)
    run.folder.close_run()
    (letter,) = pq.read_table(tmp_path / "out" / "dead_letter").to_pylist()
    assert (letter["stage"], letter["error_class"]) == ("read", "DamagedFile")
    assert "empty" in letter["message"] or "0 bytes" in letter["message"]


def test_busy_servers_are_asked_again_after_everything_else(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tasks of one worker, by clocks that stand still: the log of requests is the order of events."""
    monkeypatch.setattr(transfers, "FIRST_WAIT", 0.0)
    for module in (partition_queue, limits):
        monkeypatch.setattr(module, "time", Clock())
    busy = [server.url(f"busy/{k}.warc{suffix}") for k, suffix in enumerate(("", ".gz"))]
    good = [server.url(f"good/crawl-{k}.warc.gz").replace("127.0.0.1", "localhost") for k in range(2)]
    settings = {"run.workers": 1, "read.split_bytes": 4000}
    run = start_run([*busy, *good], str(tmp_path / "out"), load_configuration(None, settings))
    extract_here(run, retry=True)
    run.folder.close_run()
    assert [how for how, _ in groupby(how for how, _ in server.asked)] == ["busy", "good", "busy"]
    assert [name for name, _ in groupby(name for how, name in server.asked if how == "busy")] == [
        "0.warc",
        "1.warc.gz",
    ] * 2
    assert pages(tmp_path / "out") == dict.fromkeys(good, PAGES)
    letters = sorted((tmp_path / "out" / "dead_letter").glob("0*"))
    assert [path.name for path in letters] == [f"0000{k}-0000.parquet" for k in range(2)]


def test_silent_servers_do_not_hold_up_the_others(server: Server, tmp_path: Path) -> None:
    silent = [server.url(f"silent/{k}.warc.gz") for k in range(3)]
    good = [server.url(f"good/crawl-{k}.warc.gz") for k in range(2)]
    process = subprocess.Popen(command([*silent, *good], tmp_path / "out"), stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: len(list(tmp_path.glob("out/_ledger/*.done.json"))) == 2)
        assert pages(tmp_path / "out") == dict.fromkeys(good, PAGES)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=LIMIT) == 130
    finally:
        process.kill()
        process.wait()


def test_size_that_no_archive_has_costs_neither_memory_nor_the_others(server: Server, tmp_path: Path) -> None:
    lying, good = server.url("lying/crawl-0.warc.gz"), server.url("good/crawl-1.warc.gz")
    hasty = [str(CHECKOUT / "tests" / "hasty_site"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    done = subprocess.run(
        command([lying, good], tmp_path / "out"),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(hasty)},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30)),
    )
    assert done.returncode in (0, 4), done.stderr
    assert "Traceback" not in done.stderr
    assert "(2 attempts)" in done.stderr
    assert pages(tmp_path / "out")[good] == PAGES
