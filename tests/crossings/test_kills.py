# SPDX-License-Identifier: Apache-2.0
"""Runs over forms of input whose process is killed again and again: in the end the rows are those of one that was not.

Each process is a fork of this one that works in itself, and kills itself where one of its files gets its name.
"""

import os
import random
import signal
import traceback
from pathlib import Path
from typing import Any, Final

import pytest
from crossing import WHOLE, Bench, Crossing, facts
from waiting import wait_for

from thresher.writing.storage import Storage

KILLS: Final = 20
MOST_FILES: Final = 12  # that a process names before it is killed
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "gzip-threes": {"write__blocks": True},
    "gzip-uneven": {"templates__mode": "fused", "extract__format": "html"},
    "gzip-one": {},
    "arc-one": {"templates__mode": "fused", "write__columns": ["+outlinks"]},
    "zstd-dictionary": {"write__also": ["images"]},
    "zstd-one": {"templates__mode": "learn"},
    "lz4-one": {"templates__mode": "fused", "extract__format": "markdown"},
    "folder": {"extract__format": "markdown"},
    "wacz-deflated": {"templates__mode": "fused"},
    "index": {"write__also": ["tables"]},
}
"""What is killed: a form of input, and with what it is extracted."""


def is_killed(bench: Bench, output: Path, source: dict[str, Any], settings: dict[str, Any], at: int) -> bool:
    """Works on a run in a process of its own that kills itself at its n-th file; whether it did."""
    pid = os.fork()
    if pid == 0:
        n, real = 0, Storage.move

        def move(self: Storage, old: str, new: str) -> None:
            nonlocal n
            n += 1
            if n == at:
                os.kill(os.getpid(), signal.SIGKILL)
            real(self, old, new)

        Storage.move = move  # type: ignore[method-assign]
        try:
            bench.extract(output, source, **settings)
        except BaseException:  # noqa: BLE001 (whatever it is, the parent must not run on here)
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    ended: list[int] = []

    def has_ended() -> bool:
        found, status = os.waitpid(pid, os.WNOHANG)
        ended.extend([status] if found else [])
        return bool(found)

    wait_for(has_ended)
    if os.WIFSIGNALED(ended[0]):
        assert os.WTERMSIG(ended[0]) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(ended[0]) == 0
    return False


@pytest.mark.parametrize("form", list(SETTINGS) if WHOLE else list(SETTINGS)[:2])
def test_a_run_that_is_killed_again_and_again_has_the_rows_of_one_that_is_not(form: str, tmp_path: Path) -> None:
    bench, settings = Bench(Crossing(form, "extract"), tmp_path), SETTINGS[form]
    source = bench.source()
    whole = facts(bench.extract(tmp_path / "whole", source, **settings))
    chance = random.Random(form)
    n_killed = n_runs = 0
    while n_killed < KILLS:
        output = tmp_path / f"out{n_runs}"
        n_runs += 1
        while n_killed < KILLS and is_killed(bench, output, source, settings, chance.randint(1, MOST_FILES)):
            n_killed += 1
        assert not is_killed(bench, output, source, settings, 0)
        assert facts(output) == whole
