# SPDX-License-Identifier: Apache-2.0
"""Threads that share what each should have for itself, and processes that are forked from threads at work: the right
text or a clear error, never a crash, another page's text or a process that waits for ever.
"""

import json
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

from thresher.native.choosing.decoding import Decoder
from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.measuring.blocks import Blocks
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document
from thresher.native.scoring.context import Context
from thresher.native.scoring.features import Features
from thresher.native.templates.fingerprints import block_excerpts, block_fingerprints
from thresher.native.templates.hyperlinks import farthest_first, hyperlinks
from thresher.native.workspace import Workspace
from thresher.native.writing.block_columns import block_columns
from thresher.page.metadata import Metadata, read_metadata
from thresher.page.page_extractor import PageExtractor

N_THREADS = 16
ROUNDS = int(os.environ.get("THRESHER_THREAD_ROUNDS", "4"))  # a thousand before a release
CALLS = 40

Case = tuple[Callable[[], object], Callable[[], object], Callable[[], int]]
"""A call that reads something, a call that replaces it, and what tells that it was replaced."""

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
    parts = shared.workspace.document, shared.workspace.metrics, shared.workspace.blocks
    stages = [
        shared.measure,
        shared.classify,
        shared.render,
        shared.metadata,
        shared.blocks,
        lambda: block_columns(*parts),
        shared.fingerprints,
        lambda: block_excerpts(*parts, 40),
        lambda: shared.confidence,
        shared.workspace.document.dump,
        shared.workspace.document.checksum,
    ]

    def work(number: int) -> None:
        for i, stage in enumerate(stages):
            for call in (lambda i=i: shared.parse(PAGES[(number + i) % len(PAGES)]), stage):
                # Another thread is at work, or replaced the page between two stages.
                with suppress(RuntimeError, IndexError, ValueError):
                    call()

    assert run_threads(work) == []
    assert shared.extract(PAGES[1]) == PageExtractor().extract(PAGES[1])


@pytest.mark.parametrize("read", ["shape", "vocabulary", "too_many_styles", "n_blocks", "scores"])
def test_a_workspace_is_not_read_while_another_thread_is_at_work(read: str) -> None:
    workspace = classified()
    outcomes = {"refused": 0}

    def work(number: int) -> None:
        with refusal_counted(outcomes):
            if number:
                found = getattr(workspace, read)
                found() if callable(found) else found
            else:
                workspace.classify(EXTRACTORS["thresher"])

    assert run_threads(work, lambda: outcomes["refused"] > 0) == []
    assert outcomes["refused"] > 0


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


HUGE = b"<title>Corn</title><ul>" + b"".join(
    b"<li><a href=/%d>corn %d</a><p>The mill at the lower end of the village has turned for years.</p>" % (i, i)
    for i in range(2_000)
)  # fmt: skip


def classified() -> Workspace:
    """A workspace with the huge page."""
    workspace = Workspace(Document())
    workspace.parse(HUGE)
    workspace.measure()
    workspace.classify(EXTRACTORS["thresher"])
    return workspace


class Parts:
    """A page with its metrics, blocks and features."""

    def __init__(self, page: bytes) -> None:
        self.document, self.metrics, self.blocks, self.features = Document(), Metrics(), Blocks(), Features()
        self.document.parse(page)
        self.metrics.measure(self.document)
        self.blocks.find(self.document, self.metrics)
        self.features.compute(*self.first_three())

    def first_three(self) -> tuple[Document, Metrics, Blocks]:
        return self.document, self.metrics, self.blocks


def of_workspace(call: Callable[[Workspace], object]) -> Case:
    """A call of a workspace, and the parse that would replace its page."""
    workspace = classified()
    document = workspace.document
    return lambda: call(workspace), lambda: document.parse(b"<p>x"), lambda: document.serial


def of_parts(call: Callable[[Parts], object], replaced: str) -> Case:
    """A call with parts of a page, and what would replace one of them."""
    page, other = Parts(HUGE), Parts(b"<p>x")
    if replaced == "document":
        return lambda: call(page), lambda: page.document.parse(b"<p>x"), lambda: page.document.serial
    if replaced == "metrics":
        return lambda: call(page), lambda: page.metrics.measure(other.document), lambda: page.metrics.n_nodes
    if replaced == "blocks":
        return (
            lambda: call(page),
            lambda: page.blocks.find(other.document, other.metrics),
            lambda: len(page.blocks),
        )
    return (
        lambda: call(page),
        lambda: page.features.compute(*other.first_three()),
        lambda: page.features.n_blocks,
    )


def farthest(page: Parts) -> list[int]:
    return farthest_first(page.document, [node for node, _ in hyperlinks(page.document)])


def lay_out(of: Context | Decoder, page: Parts) -> object:
    scores = [0.0] * page.features.n_blocks
    return of.compute(page.features, scores) if isinstance(of, Context) else of.lay_out(page.features, scores)


CASES: dict[str, Callable[[], Case]] = {
    "pack": lambda: of_workspace(lambda workspace: workspace.pack(-32768)),
    "render_runs": lambda: of_workspace(lambda workspace: workspace.render_runs([10, 1000])),
    "farthest_first": lambda: of_parts(farthest, "document"),
    "metrics": lambda: of_parts(lambda page: Metrics().measure(page.document), "document"),
    "features": lambda: of_parts(lambda page: page.features.compute(*page.first_three()), "document"),
    "features, other metrics": lambda: of_parts(lambda page: page.features.compute(*page.first_three()), "metrics"),
    "context": lambda: of_parts(lambda page: lay_out(Context(), page), "features"),
    "decoder": lambda: of_parts(lambda page: lay_out(Decoder(), page), "features"),
    "fingerprints": lambda: of_parts(lambda page: block_fingerprints(*page.first_three()), "blocks"),
    "columns": lambda: of_parts(lambda page: block_columns(*page.first_three()), "blocks"),
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_replaced_while_a_call_reads_it(case: str) -> None:
    """The other thread gets the GIL only where the call gives it away; what it replaced then, the call would read after
    it was freed.
    """
    call, change, state = CASES[case]()
    going, done = threading.Event(), threading.Event()

    def disturb() -> None:
        while not done.is_set():
            if going.is_set():
                with suppress(RuntimeError):
                    change()
            time.sleep(0)

    thread = threading.Thread(target=disturb)
    before = sys.getswitchinterval()
    sys.setswitchinterval(100.0)  # no thread loses the GIL that does not give it away
    try:
        thread.start()
        going.set()
        at_first = state()
        for _ in range(CALLS):  # the other thread is not always awake in time
            call()
            assert state() == at_first
    finally:
        done.set()
        sys.setswitchinterval(before)
        thread.join()


CORN = b"<title>Corn</title>"
AUTHORS = [{"@type": "Person", "name": f"Ann Miller {number} é"} for number in range(20)]
ARTICLE = {"@type": "NewsArticle", "headline": 'Wheel " é', "datePublished": "2014-03-05", "author": AUTHORS}
SAYS_MUCH = HUGE + b"<script type=application/ld+json>" + json.dumps([ARTICLE] * 50).encode() + b"</script>"


@pytest.mark.parametrize("door", ["extractor", "document"])
def test_facts_are_of_one_page(door: str) -> None:
    """They are made of Python objects, so that the other thread may have its turn at any of them."""
    extractor = PageExtractor()
    document = extractor.workspace.document

    def parsed(page: bytes) -> Metadata | None:
        with suppress(RuntimeError):
            if door == "extractor":
                extractor.extract(page)
                change.set()
                return extractor.metadata()
            document.parse(page)
            change.set()
            return read_metadata(document)
        return None

    change, done = threading.Event(), threading.Event()
    right = [parsed(CORN), parsed(SAYS_MUCH)]
    if door == "extractor":  # the other thread's page, of which no text was chosen
        document.parse(CORN)
        right.append(extractor.metadata())

    def disturb() -> None:
        while not done.is_set():
            if not change.wait(0.01):
                continue
            time.sleep(0.001)
            with suppress(RuntimeError):
                document.parse(CORN)
            change.clear()

    thread = threading.Thread(target=disturb)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        thread.start()
        for _ in range(CALLS):
            assert parsed(SAYS_MUCH) in (*right, None)
    finally:
        sys.setswitchinterval(before)
        done.set()
        thread.join()
    assert parsed(SAYS_MUCH) == right[1]


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
