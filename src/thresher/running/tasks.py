# SPDX-License-Identifier: Apache-2.0
"""The body of the Spark tasks that thresher.jobs.engine starts: numbers in, a number out.

A task supervises one worker process. A page that kills that process does not end Spark's Python worker, and one that
hangs is stopped. The process stays for later tasks in the same Python worker, and ends with it: starting one takes .3 s
of CPU, deciding a partition about one second.
"""

from __future__ import annotations

import atexit
import re
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from thresher.errors import OutputError, RunError
from thresher.running.engine import run_steps
from thresher.running.partition_queue import Attempts, PartitionQueue
from thresher.running.supervisor import Supervisor
from thresher.writing.layout import RUN_FILE

if TYPE_CHECKING:
    from thresher.config import Configuration
    from thresher.reading.progress import Progress
    from thresher.running.run import Run

Work = Callable[[list[int]], int]

_RAISED: Final = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*(\S[^\n]*)")

_kept: list[tuple[object, Supervisor]] = []  # at most one


def over_batches(work: Work) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Work in the form that `mapInArrow` takes: a column of numbers in, a row with the result out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        numbers: list[Any] = [number for batch in batches for number in batch.column(0).to_pylist()]
        if numbers:
            yield pa.RecordBatch.from_pydict({"result": [work(numbers)]})

    return run


def failure(error: Exception) -> OutputError | RunError:
    """What ended a job, from the error that the driver sees: the last exception of the executor's traceback in it, or
    its first line. It is an OutputError if the same command cannot succeed.
    """
    message = str(error).strip() or type(error).__name__
    raised = _RAISED.findall(message)
    if not raised:
        return RunError(f"Spark: {message.splitlines()[0]}")
    name, _, reason = raised[-1].partition(": ")
    if name == f"{OutputError.__module__}.{OutputError.__name__}":
        return OutputError(reason)
    return RunError(f"an executor failed: {name.removeprefix(f'{OutputError.__module__}.')}: {reason}")


def extracting(run: Run, processes: int, failures: int) -> Work:
    """Extract the inputs at these places of `run.extraction.pending` and return the number of pages.

    At most `processes` tasks run at once and share the run's limits on requests. The engine gives up a task that failed
    `failures` times, and the job with it. If all other attempts at a WARC ended without an answer, as when executors
    die, the last one records the WARC as a dead letter and continues.
    """
    attempts = max(failures - 1, 1)
    extraction, configuration, deadline = run.extraction, run.configuration, run.deadline
    output, run_inputs, folder = extraction.output, extraction.pending, type(extraction.folder)
    processes = max(1, min(processes, len(run_inputs)))

    def work(places: list[int]) -> int:
        target = folder(output, configuration)
        if not target.storage.has(RUN_FILE):
            raise OutputError(
                f"the executor on {socket.gethostname()} does not see {output}, the output folder, which has to be one "
                "that all machines reach: a shared disk or a URL"
            )
        with _supervisor(configuration, output, processes) as supervisor:
            before = supervisor.pages
            mine = [run_inputs[place] for place in places]
            supervisor.work(
                PartitionQueue(target, configuration, mine, deadline=deadline, attempts=Attempts(target, attempts))
            )
            return supervisor.pages - before

    return work


def stepping(run: Run, step: Callable[[str, Progress], int], partitions: Sequence[str]) -> Work:
    """Run a step of the second pass over the partitions at these places and return the sum of its results."""
    configuration, output = run.configuration, run.extraction.output

    def work(places: list[int]) -> int:
        with _supervisor(configuration, output) as supervisor:
            return run_steps(supervisor, step, [partitions[place] for place in places])

    return work


@contextmanager
def _supervisor(configuration: Configuration, output: str, processes: int = 1) -> Iterator[Supervisor]:
    """The supervisor of this Python worker, with one process."""
    key = configuration, output, processes
    if _kept and _kept[0][0] != key:
        _end()
    if not _kept:
        _kept.append((key, Supervisor(configuration, output, 1, processes=processes)))
    try:
        yield _kept[0][1]
    except BaseException:
        _end()
        raise


@atexit.register
def _end() -> None:
    while _kept:
        _kept.pop()[1].close()
