# SPDX-License-Identifier: Apache-2.0
"""`_plan.json`: what a run has to do, how far it is, and who worked on it when; for people and schedulers to read.

It is written when a command begins, at most once a minute while it works, and when it ends. Nothing reads it back but
the list of commands, so a file that is lost or damaged does no harm.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from thresher.writing.layout import PLAN

if TYPE_CHECKING:
    from thresher.running.run import Run

EVERY: Final = 60.0  # seconds between two writes while a run works
_MOST: Final = 1000  # commands that are remembered


class PlanFile:
    """Keeps `_plan.json` of a run up to date while a command works on it."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._begun = time.time()
        self._started = time.monotonic()  # the machine's clock may jump
        self._pending = [run_input.number for run_input in run.pending]
        self._earlier = self._commands()
        self._written = -EVERY

    def update(self, ended: str | None = None) -> None:
        """Writes the file; `ended` says how the command ended. Without it, at most once a minute."""
        now, elapsed = time.time(), time.monotonic() - self._started
        if ended is None and elapsed - self._written < EVERY:
            return
        self._written = elapsed
        run = self._run
        finished = run.folder.ledger.finished()
        left = [number for number in self._pending if number not in finished]
        done = len(self._pending) - len(left)
        hours = elapsed / 3600
        command = {
            "begun": _moment(self._begun),
            "inputs_done": done,
            "ended": ended and {"at": _moment(now), "how": ended},
        }
        plan: dict[str, Any] = {
            "order": "by number: the inputs of _inputs.json, or the groups of records in _index/",
            "inputs": len(run.inputs),
            "shard": run.shard and f"{run.shard[0]}/{run.shard[1]}",
            "inputs_of_shard": len(run.mine),
            "done": len(run.mine) - len(left),
            "left": len(left),
            "next": run.inputs[left[0]].source if left else None,
            "until": _moment(now),
            "limit_hours": run.configuration.run.limit_hours or None,
            "hours_left": round(hours * len(left) / done, 2) if done and left else None,
            "commands": [*self._earlier, command][-_MOST:],
        }
        run.folder.storage.write_json(PLAN, plan)

    def _commands(self) -> list[dict[str, Any]]:
        try:
            found = self._run.folder.storage.read_json(PLAN)["commands"]
        except (OSError, ValueError, KeyError, TypeError):
            return []
        return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
