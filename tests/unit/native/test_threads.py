# SPDX-License-Identifier: Apache-2.0
"""Threads that share what each should have for itself, and processes that are forked from threads at work: the right
text or a clear error, never a crash, another page's text or a process that waits for ever.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from small_archive import page
from waiting import LIMIT

from thresher.native.parsing.document import Document
from thresher.page.extraction import PageExtractor

N_THREADS = 16
ROUNDS = int(os.environ.get("THRESHER_THREAD_ROUNDS", "4"))  # a thousand before a release

PAGES = [page(number, paragraphs=1 + number * 7 % 60) for number in range(24)]


@contextmanager
def refusal_counted(outcomes: dict[str, int]) -> Iterator[None]:
    """Counts the error that says that another thread is at work."""
    try:
        yield
    except RuntimeError as error:
        if "thread" not in str(error):
            raise
        outcomes["refused"] += 1


def run_threads(work: Callable[[int], object], is_enough: Callable[[], bool] = lambda: True) -> list[Exception]:
    """Calls work(number) in sixteen threads again and again until it is enough; what it raised."""
    failures: list[Exception] = []
    end = time.monotonic() + LIMIT

    def loop(number: int) -> None:
        try:
            for _ in range(ROUNDS):
                work(number)
            while not is_enough() and not failures and time.monotonic() < end:
                work(number)
        except Exception as error:  # noqa: BLE001 (an assertion that failed in a thread)
            failures.append(error)

    threads = [threading.Thread(target=loop, args=(number,)) for number in range(N_THREADS)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    return failures


@pytest.mark.parametrize("format_", ["text", "markdown"])
def test_a_shared_extractor_gives_the_right_text_or_an_error(format_: str) -> None:
    expected = [PageExtractor(format=format_).extract(each) for each in PAGES]
    shared = PageExtractor(format=format_)
    outcomes = {"right": 0, "refused": 0}

    def work(number: int) -> None:
        for i in range(number, number + 8):
            text = None
            with refusal_counted(outcomes):
                text = shared.extract(PAGES[i % len(PAGES)])
            if text is not None:
                assert text == expected[i % len(PAGES)]
                outcomes["right"] += 1

    assert run_threads(work, lambda: min(outcomes.values()) > 0) == []
    assert outcomes["right"] > 0
    assert outcomes["refused"] > 0
    assert shared.extract(PAGES[0]) == expected[0]


def test_single_stages_from_many_threads_do_no_harm() -> None:
    shared = PageExtractor()
    shared.extract(PAGES[0])
    stages = [
        shared.measure,
        shared.classify,
        shared.render,
        shared.metadata,
        shared.blocks,
        shared.block_columns,
        shared.fingerprints,
        lambda: shared.excerpts(40),
        lambda: shared.confidence,
        shared.document.dump,
        shared.document.checksum,
    ]

    def work(number: int) -> None:
        for i, stage in enumerate(stages):
            for call in (lambda i=i: shared.parse(PAGES[(number + i) % len(PAGES)]), stage):
                # Another thread is at work, or replaced the page between two stages.
                with suppress(RuntimeError, IndexError, ValueError):
                    call()

    assert run_threads(work) == []
    assert shared.extract(PAGES[1]) == PageExtractor().extract(PAGES[1])


def test_a_shared_document_is_refused_while_it_parses() -> None:
    document = Document()
    large = b"<p>corn " * 100_000
    outcomes = {"refused": 0}

    def work(_: int) -> None:
        with refusal_counted(outcomes):
            document.parse(large)
            document.tag(1)

    assert run_threads(work, lambda: outcomes["refused"] > 0) == []
    assert outcomes["refused"] > 0
    document.parse(large)
    assert document.verify() == ""


def test_serial_numbers_are_unique() -> None:
    first, second = Document(), Document()
    before = second.serial
    first.parse(b"<p>x")
    assert len({before, first.serial, Document().serial}) == 3


FORK = """
import os, signal, sys, threading, thresher
page = sys.stdin.buffer.read()
stop = False
def read():
    while not stop:
        found = thresher.extract(page)
        found.title, found.language, found.text, found.blocks
threads = [threading.Thread(target=read, daemon=True) for _ in range(4)]
thresher.extract(page).language
sys.setswitchinterval(1e-5)
for thread in threads:
    thread.start()
for _ in range(24):
    child = os.fork()
    if child == 0:
        signal.alarm(600)  # a child that hangs dies of it
        assert thresher.extract(page).title == "Page 1"
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
stop = True
print("done")
"""


def test_a_child_forked_while_threads_read_titles_reads_them_too() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK], input=PAGES[1], capture_output=True, check=False, timeout=LIMIT
    )
    assert done.stdout.strip() == b"done", done.stderr.decode()[-800:]
