# SPDX-License-Identifier: Apache-2.0
"""Works through the tasks of a run in the test's own process, one after the other: a test can replace parts of it."""

from collections.abc import Callable, Sequence
from typing import Any, Self

from thresher.reading.progress import Progress
from thresher.running.partition_queue import PartitionQueue
from thresher.running.pipeline import PartitionMaker
from thresher.running.run import Run
from thresher.running.worker_process import N_SLOTS, Bench, Extract, Query, SharedProgress, Slots


def extract_here(run: Run, *, at_most: int | None = None, slots: Slots | None = None, retry: bool = False) -> list[str]:
    """Extract the pending WARCs of a run, or so many of their partitions; the names of the partitions worked on.

    `slots` are what a worker process would tell its parent. What a task raises is raised here, unless `retry`: then
    the queue decides, as in a run.
    """
    bench = bench_of(run, run.output, slots)
    queue = PartitionQueue(run.folder, run.configuration, run.pending)
    names: list[str] = []
    while (at_most is None or len(names) < at_most) and (task := queue.next_task()) is not None:
        if work(queue, task, bench, retry=retry) and isinstance(task, Extract):
            names.append(task.partition.name)
    return names


def bench_of(run: Run, output: str, slots: Slots | None = None) -> Bench:
    """What a worker process has."""
    bench = Bench(run.configuration, output, SharedProgress([0] * N_SLOTS if slots is None else slots, 0))
    bench._maker = PartitionMaker(run.configuration, output)  # a worker process would tune its collector, too
    return bench


def work(queue: PartitionQueue, task: Any, bench: Bench, *, retry: bool = True) -> bool:
    """Does a task, and tells the queue how it ended; whether it succeeded."""
    try:
        answer = task.run(bench)
    except Exception as error:
        if not retry:
            raise
        bench.recover()
        queue.failed(task, error)
        return False
    queue.finished(task, answer)
    return True


class InProcess:
    """An engine without processes."""

    at_once = 1
    """Partitions that are begun before the first of them ends; the last one ends first."""

    def __init__(self, run: Run, **_: object) -> None:
        """Takes the options of LocalEngine, too."""
        self._run = run

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def extract(self, _watch: object) -> None:
        run, extraction = self._run, self._run.extraction
        bench = bench_of(run, extraction.output)
        queue = PartitionQueue(extraction.folder, run.configuration, extraction.pending, all_inputs=run.mine)
        while task := queue.next_task():
            tasks: list[Any] = [task]
            while len(tasks) < self.at_once and (further := queue.next_task()):
                tasks.append(further)
            for each in reversed(tasks):
                work(queue, each, bench)

    def each(self, step: Callable[[str, Progress], int], partitions: Sequence[str], _watch: object) -> int:
        return sum(step(name, Progress()) for name in partitions)

    def sql(self, query: str, staging: Any, tables: Sequence[str], output: str, _watch: object) -> None:
        files = {table: [f"{table}/{name}" for name in staging.files(table)] for table in tables}
        bench = Bench(self._run.configuration, self._run.output, SharedProgress([0] * N_SLOTS, 0))
        Query(staging.storage.path(), query, files, output, 1).run(bench)


class TwoInProcess(InProcess):
    """Two partitions at a time; the second ends first."""

    at_once = 2


def engine_here(run: Run, **_: object) -> InProcess:
    """The engine for a run with one worker or with several, in place of LocalEngine."""
    return InProcess(run) if run.configuration.run.workers == 1 else TwoInProcess(run)
