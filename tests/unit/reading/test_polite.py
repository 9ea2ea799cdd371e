# SPDX-License-Identifier: Apache-2.0
"""Stores that throttle, refuse or break off: what they are asked, and the same rows all the same."""

import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from itertools import pairwise
from pathlib import Path
from typing import Any

import deadly_worker
import fsspec
import pyarrow.parquet as pq
import pytest
from heard import Heard
from hypothesis import given
from hypothesis import strategies as st
from in_process import extract_here
from range_server import RangeServer
from small_archive import write_archives
from waiting import LIMIT, Clock, wait_for

from thresher.after.report import rows_digest
from thresher.config import load_configuration
from thresher.errors import InputError, StoreRefused, TransferError
from thresher.reading import files, limits, transfers
from thresher.reading.captures import WarcReading
from thresher.reading.fetching import RangeFetcher
from thresher.reading.index import Index
from thresher.reading.limits import Limiter, StoreLimits, limiter_of, share_limits, traffic
from thresher.reading.opening import open_input
from thresher.running.engine import LocalEngine
from thresher.running.execute import execute
from thresher.running.run import EXIT_INCOMPLETE, start_run
from thresher.running.supervisor import Supervisor
from thresher.templates import second_pass

PAGES = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives, and beside them an index of them."""
    base = tmp_path_factory.mktemp("polite")
    write_archives(base / "archives", archives=2, pages=PAGES)
    run = start_run([str(base / "archives")], str(base / "out"), load_configuration(), base_url=str(base / "archives"))
    extract_here(run)
    run.folder.close_run()
    return base


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    share_limits(0, 0, 1)
    yield
    share_limits(0, 0, 1)
    while _SERVERS:
        _SERVERS.pop().close()


_SERVERS: list[RangeServer] = []


def serve(folder: Path, **options: Any) -> RangeServer:
    """A server of the archives, until the test ends."""
    _SERVERS.append(RangeServer(folder / "archives", **options))
    return _SERVERS[-1]


def run_over(folder: Path, base: str, output: Path, where: str = "") -> None:
    """A run over the index, in this process, with the archives at `base`."""
    index = Index((str(folder / "out" / "pages"),), where)
    run = start_run([], str(output), load_configuration(), base_url=base, index=index)
    extract_here(run)
    run.folder.close_run()


# --- what a server is asked ---


def test_ranges_come_over_one_connection_in_few_requests(folder: Path, tmp_path: Path) -> None:
    server = serve(folder)
    run_over(folder, server.url, tmp_path / "out")
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(folder / "out"))
    assert len(server.requests) == 2  # all pages of an archive are neighbours
    assert len(server.connections) == 1
    (row,) = [row for row in pq.read_table(tmp_path / "out" / "metrics").to_pylist() if row["stage"] == "read"]
    assert (row["requests"], row["bytes_received"]) == (2, server.n_bytes)
    assert row["bytes"] < row["bytes_received"]


@pytest.mark.parametrize("busy", [503, 429])
def test_a_server_that_throttles_is_not_asked_while_it_pauses(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: int
) -> None:
    monkeypatch.setattr("thresher.reading.limits.MOST_GAP", -1)  # every record costs a request
    clock = Clock()
    for module in (limits, transfers):
        monkeypatch.setattr(module, "time", clock)
    server = serve(folder, rate=10, busy=busy, clock=clock)
    where = "warc_filename = 'crawl-0.warc.gz'"
    run_over(folder, server.url, tmp_path / "out", where)
    run_over(folder, str(folder / "archives"), tmp_path / "undisturbed", where)
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(tmp_path / "undisturbed"))
    assert server.n_busy > 0
    assert server.impatient == 0
    assert len(server.requests) == PAGES + server.n_busy
    assert server.n_busy <= 6


def test_whole_archives_are_read_from_a_server_that_throttles(folder: Path, tmp_path: Path) -> None:
    server = serve(folder, busy_at={2, 5})
    names = [f"{server.url}crawl-{number}.warc.gz" for number in range(2)]
    run = start_run(names, str(tmp_path / "out"), load_configuration(None, {"run.workers": 1}), base_url=server.url)
    assert execute(run, LocalEngine, second_pass=second_pass) == 0
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(folder / "out"))
    assert server.n_busy == 2
    assert server.impatient == 0


def test_a_run_with_workers_keeps_its_limit(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.running.indexed.LEAST_GROUP_BYTES", 4000)  # work for two
    monkeypatch.setattr("thresher.running.worker_process.work", deadly_worker.work_by_its_own_clock)
    (tmp_path / "requests").mkdir()
    monkeypatch.setenv("THRESHER_TEST_REQUESTS", str(tmp_path / "requests"))
    server = serve(folder)
    index = Index((str(folder / "out" / "pages"),))
    settings = {"run.workers": 2, "run.max_requests_per_second": 8.0}
    run = start_run([], str(tmp_path / "out"), load_configuration(None, settings), base_url=server.url, index=index)
    assert execute(run, LocalEngine, second_pass=second_pass) == 0
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(folder / "out"))
    assert len(server.requests) > 12
    # Each of the two workers has half of the limit. By its own clock, which moves when it sleeps, it keeps to that.
    logs = [[*map(float, path.read_text().split())] for path in (tmp_path / "requests").iterdir()]
    assert len(logs) == 2
    assert sum(map(len, logs)) == len(server.requests)
    for moments in logs:
        assert all(later - earlier == pytest.approx(0.25) for earlier, later in pairwise(moments))


def test_the_next_range_is_fetched_while_the_last_one_is_worked_on(folder: Path, tmp_path: Path) -> None:
    from thresher.options import CaptureOptions
    from thresher.reading.inputs import Input

    server = serve(folder)
    index = Index((str(folder / "out" / "pages"),))
    run = start_run([], str(tmp_path / "out"), load_configuration(), base_url=server.url, index=index)
    reading = iter(Input.of(run.inputs[0].source).read(CaptureOptions()))
    next(reading)
    wait_for(lambda: len(server.requests) == 2)
    assert [path for path, _ in server.requests] == ["/crawl-0.warc.gz", "/crawl-1.warc.gz"]
    reading.close()  # type: ignore[attr-defined]
    run.folder.close_run()


@pytest.mark.parametrize(("connections", "workers", "most"), [(0, 1, 1), (3, 1, 3), (6, 2, 3), (1, 4, 1)])
def test_no_more_ranges_are_fetched_at_a_time_than_connections_are_allowed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, connections: int, workers: int, most: int
) -> None:
    monkeypatch.setattr("thresher.reading.limits.MOST_GAP", -1)
    server = serve(folder)
    at_once = highest = 0
    changed = threading.Condition()

    def linger(_request: BaseHTTPRequestHandler) -> bool:
        """Waits for as many as may come, and then a moment for one too many."""
        nonlocal at_once, highest
        with changed:
            at_once += 1
            highest = max(highest, at_once)
            changed.notify_all()
            assert changed.wait_for(lambda: highest >= most, LIMIT)
            changed.wait_for(lambda: highest > most, 0.02)
            at_once -= 1
        return False

    server.answer = linger
    share_limits(0, 0, workers, connections=connections)
    run_over(folder, server.url, tmp_path / "out")
    assert highest == most
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(folder / "out"))


@pytest.mark.parametrize("kind", ["index", "whole"])
def test_a_server_that_refuses_everything_stops_the_run_with_a_sentence(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("thresher.reading.limits.MOST_GAP", -1)
    server = serve(folder)

    def refuse(request: BaseHTTPRequestHandler) -> bool:
        request.send_response(403)
        request.send_header("Content-Length", "0")
        request.end_headers()
        return True

    server.answer = refuse
    if kind == "index":
        with pytest.raises(StoreRefused, match="refused 5 requests in a row"):
            run_over(folder, server.url, tmp_path / "out")
    else:
        names = [f"{server.url}{number}.warc.gz" for number in range(30)]
        run, heard = start_run(names, str(tmp_path / "out"), load_configuration(None, {"run.workers": 1})), Heard()
        assert execute(run, LocalEngine, heard, second_pass=second_pass) == EXIT_INCOMPLETE
        assert "refused 5 requests in a row (403 Forbidden)" in heard.said
        assert "--max-requests-per-second" in heard.said
    assert len(server.requests) <= 6


# --- a store that fails for a while ---


def refusing(status: int, first: int, last: int, of: str = "") -> Any:
    """Answers the requests from number `first` to `last` with a status, and all of those whose path has `of` in it."""
    n = 0
    lock = threading.Lock()

    def answer(request: BaseHTTPRequestHandler) -> bool:
        nonlocal n
        with lock:
            n += 1
            refuses = of in request.path if of else first <= n <= last
        if refuses:
            request.send_response(status)
            request.send_header("Content-Length", "0")
            request.end_headers()
        return refuses

    return answer


@pytest.mark.parametrize("status", [403, 429, 500, 503])
def test_a_wave_of_refusals_is_waited_out(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr("thresher.reading.limits.MOST_GAP", -1)
    clock = Clock()
    for module in (limits, transfers):
        monkeypatch.setattr(module, "time", clock)
    share_limits(0, 0, 1, patience=1800.0)
    server = serve(folder)
    server.answer = refusing(status, 20, 40)
    where = "warc_filename = 'crawl-0.warc.gz'"
    run_over(folder, server.url, tmp_path / "out", where)
    run_over(folder, str(folder / "archives"), tmp_path / "undisturbed", where)
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(tmp_path / "undisturbed"))
    assert 60 < clock.now - 1000 < 1800


def test_a_file_that_is_refused_alone_is_not_waited_for(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store gives what it gave before: so the file is at fault, however often."""
    monkeypatch.setattr("thresher.reading.limits.MOST_GAP", -1)
    clock = Clock()
    for module in (limits, transfers):
        monkeypatch.setattr(module, "time", clock)
    share_limits(0, 0, 1, patience=1800.0)
    server = serve(folder)
    server.answer = refusing(403, 0, 0, of="crawl-1")
    run_over(folder, server.url, tmp_path / "out")
    letters = pq.read_table(tmp_path / "out" / "dead_letter").to_pylist()
    assert {Path(each["warc_filename"]).name for each in letters} == {"crawl-1.warc.gz"}
    assert len(letters) == PAGES
    assert clock.now == 1000.0


def test_a_run_ends_after_its_patience_and_goes_on_later(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.running.worker_process.work", deadly_worker.work_by_its_own_clock)
    (tmp_path / "requests").mkdir()
    monkeypatch.setenv("THRESHER_TEST_REQUESTS", str(tmp_path / "requests"))
    server, heard = serve(folder), Heard()
    names = [f"{server.url}crawl-{number}.warc.gz" for number in range(2)]
    configuration = load_configuration(None, {"run.workers": 1, "run.patience_minutes": 5.0})

    def start() -> Any:
        return start_run(names, str(tmp_path / "out"), configuration, base_url=server.url)

    server.answer = refusing(403, 4, 100_000)
    assert execute(start(), LocalEngine, heard, second_pass=second_pass) == EXIT_INCOMPLETE
    assert "has not answered for 5 minutes (HTTP status 403 Forbidden)" in heard.said
    server.answer = lambda _request: False
    assert execute(start(), LocalEngine, heard, second_pass=second_pass) == 0
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(folder / "out"))


def test_a_run_says_for_which_store_it_waits(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    supervisor = Supervisor(load_configuration(), str(tmp_path), 1)
    store = Limiter("https://example.org", StoreLimits(), supervisor._pause)
    for why, said in (
        (
            b"https://example.org does not answer any more: HTTP status 403",
            "All workers wait for it, for 30 minutes at most",
        ),
        (b"https://example.org does not answer any more: HTTP status 403", ""),
        (b"", "https://example.org answers again, after 0 s"),
        (b"", ""),
    ):
        if why:
            supervisor._pause.why = why
        else:
            store.answered(None)
        caplog.clear()
        supervisor._tell_waits()
        assert said in caplog.text
        assert bool(said) == bool(caplog.text)


@pytest.fixture
def limiter(monkeypatch: pytest.MonkeyPatch) -> tuple[Limiter, Clock]:
    """The limiter of a store that answered once, in a run with ten minutes' patience."""
    clock = standing_clock(monkeypatch)
    found = Limiter("https://example.org", StoreLimits(requests=1e9, patience=600.0), limits.Pause())
    return found, clock


FORBIDDEN = transfers.Fault("HTTP status 403 Forbidden", refused=True)


def failing(times: int) -> Any:
    """Fails so many times."""
    left = [times]

    def look() -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise OSError("AWS Error ACCESS_DENIED during HeadObject operation")

    return look


def test_a_store_that_never_answered_is_not_waited_for(limiter: tuple[Limiter, Clock]) -> None:
    store, clock = limiter
    assert not store.outlasts(FORBIDDEN, clock.now)
    for _ in range(4):
        store.failed(FORBIDDEN, 1.0)
    with pytest.raises(StoreRefused, match="refused 5 requests in a row"):
        store.failed(FORBIDDEN, 1.0)


def test_pauses_grow_to_a_minute_and_end_with_an_answer(limiter: tuple[Limiter, Clock]) -> None:
    store, clock = limiter
    store.answered(failing(11))
    began, said = clock.now, []
    pause = store._pause
    real = store.wait

    def wait() -> None:
        said.append(pause.why.decode())
        real()

    store.wait = wait  # type: ignore[method-assign]
    assert store.outlasts(FORBIDDEN, began)
    assert 100 < clock.now - began < 600
    assert "https://example.org does not answer any more: HTTP status 403 Forbidden" in said
    assert pause.why == b""
    assert not store.outlasts(FORBIDDEN, clock.now)  # what was last had is there


def test_patience_ends(limiter: tuple[Limiter, Clock]) -> None:
    store, clock = limiter
    store.answered(failing(10_000))
    began = clock.now
    with pytest.raises(StoreRefused, match=r"has not answered for 10 minutes \(HTTP status 403 Forbidden\)"):
        store.outlasts(FORBIDDEN, began)
    assert 599 < clock.now - began < 601
    store.answered(None)
    assert not store.outlasts(FORBIDDEN, clock.now - 601)  # what fails so long in itself is the file


@pytest.mark.parametrize(
    ("store", "settings", "gap"),
    [
        ("https://example.org", {}, 1 << 20),  # ten requests a second
        ("https://example.org", {"requests": 100.0}, 256 << 10),
        ("https://example.org", {"bytes": 1e6}, 100_000),
        ("s3://bucket", {}, 256 << 10),
        ("s3://bucket", {"requests": 20.0}, 512 << 10),
    ],
)
def test_as_much_is_read_through_as_comes_in_the_time_of_a_request(
    store: str, settings: dict[str, float], gap: int
) -> None:
    assert Limiter(store, StoreLimits(**settings), limits.Pause()).gap == pytest.approx(gap, rel=0.03)


def test_a_split_of_an_archive_costs_few_requests(folder: Path) -> None:
    """It looks at the beginning of the archive, goes to its split, and reads the last records twice."""
    server = serve(folder)
    path = folder / "archives" / "crawl-0.warc.gz"
    starts = [len(path.read_bytes()) * k // 4 for k in range(4)]
    ends: list[int | None] = [*starts[1:], None]
    found: list[str] = []
    for start, end in zip(starts, ends, strict=True):
        before = len(server.requests)
        found += [each.url for each in WarcReading(f"{server.url}{path.name}", start=start, end=end)]
        assert len(server.requests) - before <= 2
    assert found == [each.url for each in WarcReading(path)]


@given(seeks=st.lists(st.tuples(st.integers(0, 3000), st.integers(-1, 900)), max_size=30))
def test_what_is_remembered_is_what_the_file_holds(seeks: list[tuple[int, int]]) -> None:
    data = bytes(k * k % 251 for k in range(2500))

    class File:
        """Gives at most 300 bytes at a time."""

        size: int | None = len(data)
        position = 0

        def read(self, n: int = -1, /) -> bytes:
            piece = data[self.position : self.position + (min(n, 300) if n >= 0 else 300)]
            self.position += len(piece)
            return piece

        def seek(self, position: int, /) -> int:
            self.position = position
            return position

        def tell(self) -> int:
            return self.position

        def close(self) -> None:
            pass

    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("KEPT_HEAD", 500), ("KEPT_LAST", 700), ("READ_OVER", 400)):
            patch.setattr(files, name, value)
        file = files.CachingFile(File())
        for position, n in seeks:
            file.seek(position)
            piece = file.read(n)
            assert piece == data[position : position + len(piece)]
            assert bool(piece) == (position < len(data) and n != 0)
            assert file.tell() == position + len(piece)


# --- servers that break their promises ---


def reply(status: int, headers: dict[str, str], body: bytes = b"") -> Any:
    """An answer that is given once."""
    left = [True]

    def answer(request: BaseHTTPRequestHandler) -> bool:
        if not left:
            return False
        left.clear()
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)
        request.close_connection = True
        return True

    return answer


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (206, {"Content-Range": "bytes 100-199/99999", "Content-Length": "100"}, b"x" * 40),  # cut
        (206, {"Content-Range": "bytes 0-99/99999", "Content-Length": "100"}, b"x" * 100),  # another range
        (206, {"Content-Range": "bytes 100-149/99999", "Content-Length": "50"}, b"x" * 50),  # shorter
        (206, {"Content-Length": "100"}, b"x" * 100),
        (500, {"Content-Length": "0"}, b""),
        (416, {"Content-Range": "bytes */99999", "Content-Length": "0"}, b""),
    ],
)
def test_a_range_that_comes_wrong_is_asked_for_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, status: int, headers: dict[str, str], body: bytes
) -> None:
    monkeypatch.setattr(transfers, "FIRST_WAIT", 0.001)
    server, fetcher = serve(folder), RangeFetcher()
    server.answer = reply(status, headers, body)
    whole = (folder / "archives" / "crawl-0.warc.gz").read_bytes()
    assert fetcher.fetch(f"{server.url}crawl-0.warc.gz", 100, 100) == whole[100:200]
    assert len(server.requests) == 2
    assert fetcher.fetch(f"{server.url}crawl-0.warc.gz", len(whole) - 5, 100) == whole[-5:]
    assert fetcher.fetch(f"{server.url}crawl-0.warc.gz", len(whole), 100) == b""
    fetcher.close()


def test_a_server_without_ranges_and_one_that_never_answers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "FIRST_WAIT", 0.001)
    server, fetcher = serve(folder), RangeFetcher()
    server.answer = reply(200, {"Content-Length": "4"}, b"WARC")
    with pytest.raises(InputError, match="cannot serve parts of a file"):
        fetcher.fetch(f"{server.url}crawl-0.warc.gz", 100, 100)
    server.close()
    with pytest.raises(TransferError, match=r"at byte 100 \(7 attempts\)"):
        fetcher.fetch(f"{server.url}crawl-0.warc.gz", 100, 100)
    fetcher.close()


# --- the limiter ---


def standing_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock


def moments(limiter: Limiter, clock: Clock, n: int) -> list[float]:
    """When the next n requests are made."""
    found = []
    for _ in range(n):
        limiter.wait()
        found.append(round(clock.now - 1000.0, 3))
    return found


def test_requests_are_spaced_out(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = standing_clock(monkeypatch)
    assert moments(Limiter("s3://b", StoreLimits(requests=4), limits.Pause()), clock, 4) == [0, 0.25, 0.5, 0.75]


def test_a_complaint_stops_all_and_halves_the_rate_which_recovers(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, pause = standing_clock(monkeypatch), limits.Pause()
    limiter = Limiter("https://example.org", StoreLimits(requests=4), pause)
    limiter.wait()
    limiter.complained(10.0)
    limiter.complained(2.0)  # of a request that was under way: no second halving
    other = Limiter("https://example.org", StoreLimits(requests=4), pause)  # another process's
    assert moments(other, clock, 1) == [10.0]
    first, second, third, fourth = moments(limiter, clock, 4)
    assert (first, second, third) == (10.0, 10.5, 11.0)  # 2 a second
    assert 0.4 < fourth - third < 0.5  # and a little more with time
    clock.now += 60
    late = moments(limiter, clock, 3)
    assert late[2] - late[1] == pytest.approx(0.25)


def test_bytes_are_spaced_out(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = standing_clock(monkeypatch)
    limiter = Limiter("s3://b", StoreLimits(bytes=1000), limits.Pause())
    for _ in range(10):
        limiter.wait()
        limiter.received(500)
    limiter.wait()
    assert clock.now - 1000.0 == pytest.approx(5.0)


@pytest.mark.parametrize(
    ("url", "workers", "rate"),
    [
        ("https://data.example.org/a", 1, 10.0),
        ("https://data.example.org/a", 4, 2.5),
        ("s3://bucket/a", 4, 0.0),
        ("http://127.0.0.1:99/a", 4, 0.0),
    ],
)
def test_limits_where_none_is_set(monkeypatch: pytest.MonkeyPatch, url: str, workers: int, rate: float) -> None:
    share_limits(0, 0, workers)
    clock = standing_clock(monkeypatch)
    first, second = moments(limiter_of(url), clock, 2)
    assert second - first == pytest.approx(1 / rate if rate else 0.0)
    assert traffic() == (2, 0)


def test_refusals_in_between_do_not_stop_a_run() -> None:
    limiter = Limiter("s3://b", StoreLimits(), limits.Pause())
    for _ in range(20):
        limiter.refused()
        limiter.received(1)
    for _ in range(4):
        limiter.refused()
    with pytest.raises(StoreRefused, match="s3://b refused 5 requests"):
        limiter.refused()


def test_no_more_of_an_object_than_its_range_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    store = fsspec.filesystem("memory")
    store.pipe("/ranges/a.warc", bytes(range(250)) * 100)
    asked: list[tuple[int, int]] = []
    real = type(store).cat_file

    def cat_file(self: Any, path: str, start: int, end: int) -> Any:
        asked.append((start, end))
        return real(self, path, start=start, end=end)

    monkeypatch.setattr(type(store), "cat_file", cat_file)
    fetcher = RangeFetcher()
    assert fetcher.fetch("memory://ranges/a.warc", 250, 4) == bytes(range(4))
    assert fetcher.fetch("memory://ranges/a.warc", 24_999, 4) == b"\xf9"
    assert fetcher.fetch("memory://ranges/a.warc", 30_000, 4) == b""
    assert asked == [(250, 254), (24_999, 25_000)]
    assert traffic() == (3, 5)  # the first was for its size
    fetcher.close()


def test_an_object_store_that_is_busy_is_asked_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "FIRST_WAIT", 0.01)
    store = fsspec.filesystem("memory")
    store.pipe("/busy/a.warc", b"WARC" * 100)
    calls: list[str] = []
    real = type(store).cat_file

    def cat_file(self: Any, path: str, **options: Any) -> Any:
        calls.append(path)
        if len(calls) < 3:
            raise OSError("AWS Error SLOW_DOWN during GetObject operation")
        return real(self, path, **options)

    monkeypatch.setattr(type(store), "cat_file", cat_file)
    complaints: list[float] = []
    monkeypatch.setattr(Limiter, "complained", lambda _self, seconds=0.0: complaints.append(seconds))
    assert open_input("memory://busy/a.warc").read(4) == b"WARC"
    first, second = complaints  # pauses that grow
    assert 0.005 <= first <= 0.01 <= second <= 0.02
    shutil.rmtree(tmp_path)
