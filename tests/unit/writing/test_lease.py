# SPDX-License-Identifier: Apache-2.0
"""A folder in a store has one owner at a time."""

import datetime as dt
import json
import os
import socket
import subprocess
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from s3_store import KEYS, s3_client
from small_archive import page, write_archive
from waiting import wait_for

from thresher.commands.main import main
from thresher.errors import OutputError
from thresher.running.outcome import inspect_run
from thresher.writing import lock
from thresher.writing.lock import FolderLock
from thresher.writing.storage import Storage


@pytest.fixture
def store(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Any]:
    """The URL of a folder in a bucket of its own, and a client."""
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    client, bucket = s3_client(s3_server), f"lease-{uuid.uuid4().hex}"
    client.create_bucket(Bucket=bucket)
    host = s3_server.removeprefix("http://")
    return f"s3://{bucket}/out?endpoint_override={host}&scheme=http&region=us-east-1", client


def bucket_of(url: str) -> str:
    return url.split("/")[2]


def locks(url: str, client: Any) -> list[str]:
    found = client.list_objects_v2(Bucket=bucket_of(url), Prefix="out/_lock/").get("Contents", [])
    return [each["Key"] for each in found if each["Key"].endswith(".json")]


def put(url: str, client: Any, **owner: object) -> None:
    body = json.dumps(owner).encode()
    client.put_object(Bucket=bucket_of(url), Key="out/_lock/other.json", Body=body)


def test_the_second_command_is_refused(store: tuple[str, Any], tmp_path: Path) -> None:
    url, client = store
    archive = write_archive(tmp_path / "a.warc.gz", {"https://mill.example/": page(1)})
    command = ["extract", str(archive), "-o", url, "--workers", "1"]
    first = FolderLock(Storage(url))
    first.take()
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2, done.output
    assert f"is in use by another run (process {os.getpid()} on " in done.output
    assert len(locks(url, client)) == 1, "the lock of the first is left alone"
    first.release()
    assert CliRunner().invoke(main, command).exit_code == 0
    assert locks(url, client) == []
    assert inspect_run(url).pages == 1
    first.take()
    for again in (["retry", url], ["compact", url]):
        done = CliRunner().invoke(main, again)
        assert (done.exit_code, "in use by another run" in done.output) == (2, True), done.output
    first.remove()


def test_a_process_that_was_killed_has_no_lock(store: tuple[str, Any]) -> None:
    url, client = store
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    put(url, client, host=socket.gethostname(), process=dead.pid)
    assert not FolderLock(Storage(url)).is_taken()
    mine = FolderLock(Storage(url))
    mine.take()
    assert len(locks(url, client)) == 1
    assert FolderLock(Storage(url)).is_taken()
    mine.release()


def test_another_machine_that_is_silent_has_no_lock(store: tuple[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    url, client = store
    put(url, client, host="elsewhere", process=1)
    with pytest.raises(OutputError, match="process 1 on elsewhere"):
        FolderLock(Storage(url)).take()
    monkeypatch.setattr(lock, "_LEASE", dt.timedelta(0))
    mine = FolderLock(Storage(url))
    mine.take()
    assert len(locks(url, client)) == 1
    mine.release()


def test_of_many_that_ask_at_once_one_at_most_gets_it(tmp_path: Path) -> None:
    """A folder stands for the store: it lists what was written before, and answers at once, so that many meet."""
    winners = 0
    for _ in range(40):
        barrier = threading.Barrier(4)

        def ask(_: int, barrier: threading.Barrier = barrier) -> FolderLock | None:
            storage = Storage(str(tmp_path))
            storage.is_local = False
            asking = FolderLock(storage)
            barrier.wait()
            try:
                asking.take()
            except OutputError:
                return None
            return asking

        with ThreadPoolExecutor(4) as pool:
            got = [each for each in pool.map(ask, range(4)) if each is not None]
        assert len(got) <= 1
        winners += len(got)
        for each in got:
            each.release()
        assert list(tmp_path.glob("_lock/*.json")) == []
    assert winners, "whoever is the last to ask finds it free, now and then"


@pytest.mark.parametrize("how", ["gone", "another is renewed"])
def test_the_owner_shows_signs_of_life_and_stops_when_it_was_taken_for_dead(
    how: str, store: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, client = store
    stopped = threading.Event()
    monkeypatch.setattr(lock, "_RENEWED", 0.01)
    monkeypatch.setattr(lock._thread, "interrupt_main", stopped.set)
    mine = FolderLock(Storage(url))
    mine.take()
    [key] = locks(url, client)
    client.put_object(Bucket=bucket_of(url), Key=key, Body=b"old")
    wait_for(lambda: client.get_object(Bucket=bucket_of(url), Key=key)["Body"].read() != b"old")
    assert not stopped.is_set()
    if how == "gone":
        wait_for(lambda: client.delete_object(Bucket=bucket_of(url), Key=key) and stopped.is_set())
    else:
        wait_for(lambda: put(url, client, host="elsewhere", process=1) or stopped.is_set())
    mine.release()
