# SPDX-License-Identifier: Apache-2.0
"""The fuzz targets, over a few inputs and without a fuzzer: they still fit the code, and they do find what is wrong."""

import importlib
import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from shared_data import CHECKOUT

FUZZ = CHECKOUT / "fuzz"
NAMES = (
    "parse", "extract", "markup", "markdown", "blocks", "templates", "packed", "metadata", "charset", "payload",
    "records",
)  # fmt: skip
PAGE = (
    b"<!doctype html><meta charset=utf-8><title>A page | e</title><article class=post><h1>A page</h1><p>Some text, "
    b"<a href=/x>a link</a>, <b>and</b> more.<table><tr><td>1<td>2</table></article><nav class=c0><a href=/y>y</a></nav>"
)
ARCHIVE = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.org/\r\nContent-Type: application/http\r\n"
    b"Content-Length: %d\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%s\r\n\r\n"
) % (len(PAGE) + 44, PAGE)


@pytest.fixture(scope="module")
def targets() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FUZZ))
    try:
        yield importlib.import_module("targets")
    finally:
        sys.path.remove(str(FUZZ))


def inputs(name: str) -> Iterator[bytes]:
    rng = random.Random(name)
    for number in range(40):
        options = bytes((rng.randrange(0, 256, 2),)) + rng.randbytes(7)
        data = ARCHIVE * 2 if name == "records" else PAGE
        if number % 3 == 1:  # a page of the grammar
            options = bytes((options[0] | 1,)) + options[1:]
            data = rng.randbytes(rng.choice((5, 50, 150)))
        elif number % 3 == 2:
            at = rng.randrange(len(data))
            data = data[:at] + rng.randbytes(3) + data[at + rng.randrange(9) :]
        yield options + data


@pytest.mark.parametrize("name", NAMES)
def test_a_target_takes_any_input(targets: ModuleType, name: str) -> None:
    run = targets.target(name)
    for data in inputs(name):
        run(data)


@pytest.mark.usefixtures("targets")
def test_the_grammar_writes_references_and_links_to_notes() -> None:
    grammar = sys.modules["grammar"]
    rng = random.Random(1)
    written = [grammar.Writer(rng.randbytes(60)).construct() for _ in range(3000)]
    numbered = [piece for piece in written if re.search("fn(?:ref)?[0-3]", piece)]
    assert sum("&#32;" in piece for piece in numbered) > 5
    assert sum("href='#fn1" in piece for piece in written) > 5
    assert sum("href='#fnref1" in piece for piece in written) > 5


def test_every_target_is_here_and_in_the_makefile(targets: ModuleType) -> None:
    assert tuple(targets.TARGETS) == NAMES
    makefile = (FUZZ / "Makefile").read_text()
    listed = re.findall(r"^(?:CORE|PYTHON)_TARGETS := (.*)$", makefile, re.MULTILINE)
    assert " ".join(listed).split() == list(NAMES)


@pytest.mark.parametrize(
    ("name", "broken", "value"),
    [
        ("parse", "_checked", None),
        ("markup", "_letters", None),
        ("payload", "decode_body", lambda *_: (bytes(1 << 21), "")),
        ("charset", "utf8_state", lambda _: 3),
    ],
)
def test_a_fault_is_a_finding(targets: ModuleType, monkeypatch: pytest.MonkeyPatch, name, broken, value) -> None:
    calls = iter(range(1 << 20))

    def different(*_: object) -> object:
        if name == "parse":
            raise targets.Finding("verify")
        return next(calls)

    monkeypatch.setattr(targets, broken, value or different)
    with pytest.raises(targets.Finding):
        targets.TARGETS[name](bytes(8) + PAGE)


@pytest.mark.usefixtures("targets")
def test_instructions_give_a_page_of_bounded_size() -> None:
    grammar = sys.modules["grammar"]
    rng = random.Random(1)
    pages = [grammar.written_page(rng.randbytes(500)) for _ in range(20)]
    assert all(0 < len(page) <= 4 * grammar.LARGEST for page in pages)
    assert any(b"<table" in page for page in pages)
    assert grammar.written_page(b"") == b""


@pytest.mark.usefixtures("targets")
def test_a_slow_input_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow_inputs = sys.modules["slow_inputs"]
    monkeypatch.setenv("THRESHER_SLOWDOWN", "1")

    def quadratic(data: bytes) -> None:
        end = time.thread_time() + (len(data) / 100) ** 2 * 1e-5
        while time.thread_time() < end:
            pass

    run = slow_inputs.keeping_slow(quadratic, "some", tmp_path)
    short, long = b"\0" * 500, b"\0" * 20_000
    run(short)
    assert not list(tmp_path.iterdir())
    run(long)
    run(long)
    (kept,) = tmp_path.iterdir()
    assert kept.name.startswith("some-slow-")
    assert kept.read_bytes() == long
