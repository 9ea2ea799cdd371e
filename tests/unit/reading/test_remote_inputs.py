# SPDX-License-Identifier: Apache-2.0
"""Servers that lack an input, are busy, stay silent or lie do not keep other inputs from being extracted."""

import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from small_archive import write_archives

from thresher.commands.main import main
from thresher.running import partition_queue
from thresher.running.outcome import inspect_run

PAGES = 20


class Server(ThreadingHTTPServer):
    """Serves the archives of a folder; what it does beside is in the path."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.ended = Event()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        how, _, name = self.path.strip("/").partition("/")
        if how == "silent":
            self.server.ended.wait(120)
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
        command([*missing, *good], tmp_path / "out"), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 4, done.stderr
    assert "Traceback" not in done.stderr
    assert pages(tmp_path / "out") == dict.fromkeys(sorted(good), PAGES)
    letters = pq.read_table(tmp_path / "out" / "dead_letter").to_pylist()
    assert sorted(letter["warc_filename"] for letter in letters) == sorted(missing)
    assert {(letter["stage"], letter["error_class"]) for letter in letters} == {("worker", "InputError")}
    assert inspect_run(str(tmp_path / "out")).unaccounted == 0


@pytest.mark.slow
def test_busy_servers_are_asked_again_after_everything_else(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine "everything else" may take more than 30 seconds. The good inputs are on another host: the pauses
    # that the busy one asks for hold for a host, and could keep its good inputs from being opened at the first try.
    # Workers that start on a busy machine may need more than 5 seconds for a good input's first answer, too.
    monkeypatch.setattr(partition_queue, "_LATER", 600.0)
    monkeypatch.setattr(partition_queue, "_QUICK_LOOK", 20.0)
    busy = [server.url(f"busy/{k}.warc{suffix}") for k, suffix in enumerate(("", ".gz"))]
    good = [server.url(f"good/crawl-{k}.warc.gz").replace("127.0.0.1", "localhost") for k in range(2)]
    done = CliRunner().invoke(main, command([*busy, *good], tmp_path / "out")[3:])
    assert done.exit_code == 4, done.output
    assert pages(tmp_path / "out") == dict.fromkeys(good, PAGES)
    letters = sorted((tmp_path / "out" / "dead_letter").glob("0*"))
    assert [path.name for path in letters] == [f"0000{k}-0000.parquet" for k in range(2)]
    finished = [(tmp_path / "out" / "_ledger" / f"0000{k}.done.json").stat().st_mtime_ns for k in (2, 3)]
    assert max(finished) < min(path.stat().st_mtime_ns for path in letters)


def test_silent_servers_do_not_hold_up_the_others(server: Server, tmp_path: Path) -> None:
    silent = [server.url(f"silent/{k}.warc.gz") for k in range(3)]
    good = [server.url(f"good/crawl-{k}.warc.gz") for k in range(2)]
    process = subprocess.Popen(command([*silent, *good], tmp_path / "out"), stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 50  # a server has 60 s to send a byte, several times
        while len(list(tmp_path.glob("out/_ledger/*.done.json"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert pages(tmp_path / "out") == dict.fromkeys(good, PAGES)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_size_that_no_archive_has_costs_neither_memory_nor_the_others(server: Server, tmp_path: Path) -> None:
    lying, good = server.url("lying/crawl-0.warc.gz"), server.url("good/crawl-1.warc.gz")
    done = subprocess.run(
        command([lying, good], tmp_path / "out"),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30)),
    )
    assert done.returncode in (0, 4), done.stderr
    assert "Traceback" not in done.stderr
    assert pages(tmp_path / "out")[good] == PAGES
