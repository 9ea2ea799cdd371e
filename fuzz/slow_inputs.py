# SPDX-License-Identifier: Apache-2.0
"""Slow inputs as findings: what takes more CPU time than its bytes allow is kept in findings/TARGET-slow-….

Fuzzing goes on after one: a slow input breaks nothing, and others like it say no more. An input of 20 KB never reaches
the timeout of libFuzzer, however quadratic it is, so the bound is for a byte.

    THRESHER_SLOWDOWN=20 make fuzz …      a build with sanitizers is slower: the Makefile sets this
    python fuzz/targets.py TARGET FILE…      what inputs cost, without a fuzzer
"""

import hashlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

SECONDS: Final = 0.02  # that an input may take whatever its size: extractors are made, several times for some targets
SECONDS_PER_BYTE: Final = 10e-6  # a target runs all stages, some of them several times
EXPANDED: Final = 20_000  # bytes that grammar.py may write from a few instructions
TRIES: Final = 3  # the least time counts: a busy machine adds to each
MOST: Final = 20  # findings of a run
FINDINGS: Final = Path(__file__).with_name("findings")


def bound(data: bytes) -> float:
    """The CPU seconds that an input may take."""
    n_bytes = EXPANDED if data[:1] and data[0] & 1 else len(data)
    return float(os.environ.get("THRESHER_SLOWDOWN", "1")) * (SECONDS + n_bytes * SECONDS_PER_BYTE)


def seconds_of(target: Callable[[bytes], None], data: bytes) -> float:
    """The CPU seconds that a target takes for an input."""
    start = time.thread_time()
    target(data)
    return time.thread_time() - start


def keeping_slow(target: Callable[[bytes], None], name: str, folder: Path = FINDINGS) -> Callable[[bytes], None]:
    """The target, which writes each input above the bound into the folder."""
    kept: set[str] = set()

    def run(data: bytes) -> None:
        allowed = bound(data)
        seconds = seconds_of(target, data)
        for _ in range(TRIES - 1):
            if seconds <= allowed or len(kept) >= MOST:
                return
            seconds = min(seconds, seconds_of(target, data))
        if seconds <= allowed:
            return
        digest = hashlib.sha1(data, usedforsecurity=False).hexdigest()
        if digest not in kept:
            kept.add(digest)
            folder.mkdir(exist_ok=True)
            (folder / f"{name}-slow-{digest}").write_bytes(data)
            print(f"slow: {seconds:.2f} s for {len(data):,} bytes: {name}-slow-{digest}", file=sys.stderr, flush=True)

    return run
