# SPDX-License-Identifier: Apache-2.0
"""Runs over forms of input whose process is killed: in the end the rows are those of one that was not.

Each process is a fork of this one that works in itself, and kills itself before it changes the run's folder: at moments
spread over a run, and again and again in one that goes on.
"""

import os
import random
import signal
import traceback
from pathlib import Path
from typing import Any, Final

import pytest
from crossing import WHOLE, Bench, Crossing, Source, at_events, facts
from waiting import wait_for

KILLS: Final = 20 if WHOLE else 8
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


def is_killed(bench: Bench, output: Path, source: Source, settings: dict[str, Any], at: int) -> bool:
    """Works on a run in a process of its own that kills itself at its n-th change of the folder; whether it did."""
    pid = os.fork()
    if pid == 0:

        def die(n: int) -> None:
            if n == at:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            with at_events(die):
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


CASES: Final = [(form, workers) for form in SETTINGS for workers in (1, 2)]


@pytest.mark.parametrize(("form", "workers"), CASES if WHOLE else CASES[0:4:3])
def test_a_run_that_is_killed_has_the_rows_of_one_that_is_not(form: str, workers: int, tmp_path: Path) -> None:
    bench, settings = Bench(Crossing(form, "extract", workers), tmp_path), SETTINGS[form]
    source = bench.source()
    changes = []
    with at_events(changes.append):
        whole = facts(bench.extract(tmp_path / "whole", source, **settings))
    n_single = KILLS // 2
    for number in range(n_single):
        output = tmp_path / f"single{number}"
        assert is_killed(bench, output, source, settings, 1 + number * (len(changes) - 1) // (n_single - 1))
        assert not is_killed(bench, output, source, settings, 0)
        assert facts(output) == whole
    chance = random.Random(form)
    n_killed, output = n_single, tmp_path / "again"
    while n_killed < KILLS:
        while n_killed < KILLS and is_killed(bench, output, source, settings, chance.randint(2, len(changes) // 3)):
            n_killed += 1
        assert not is_killed(bench, output, source, settings, 0)
        assert facts(output) == whole
        output = tmp_path / f"again{n_killed}"
