# SPDX-License-Identifier: Apache-2.0
"""Engines execute a run: worker processes and DuckDB on one machine (here), or Spark (thresher.jobs.engine)."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from thresher.errors import RunError, ThresherError, WorkerDied
from thresher.reading.progress import NO_PAGE
from thresher.running.crew import available_cores
from thresher.running.partition_queue import OnSnapshot, PartitionQueue, Snapshot
from thresher.running.supervisor import Spot, Supervisor
from thresher.running.worker_process import Query, Step

if TYPE_CHECKING:
    from thresher.reading.progress import Progress
    from thresher.running.run import Run
    from thresher.writing.staging import StagingFolder

_log = logging.getLogger(__name__)

_MAX_TRIES: Final = 2  # of a step or query


class Engine(Protocol):
    """Executes the run that it was made for. Its processes end with its `with` block."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def extract(self, watch: OnSnapshot) -> None:
        """Extracts the inputs that are left of run.extraction; `watch` receives snapshots of the progress."""

    def each(self, step: Callable[[str, Progress], int], partitions: Sequence[str], watch: OnSnapshot) -> int:
        """The sum of a step's results over all partitions, which are processed in parallel; `watch` receives snapshots
        of the progress.
        """

    def sql(self, query: str, staging: StagingFolder, tables: Iterable[str], output: str, watch: OnSnapshot) -> None:
        """Runs a query over tables in the folder of the first pass.

        Its rows go into the table `output` there, in one folder `partition=N` for each value of that column.
        """


class LocalEngine(AbstractContextManager["LocalEngine"]):
    """Runs worker processes on this machine: run.workers of them, or one per core if that is 0."""

    def __init__(self, run: Run, *, fork: bool = False) -> None:
        """`fork`: this process is the run's own and may be forked."""
        self._run = run
        # Threads of S3 and HDFS clients do not survive a fork.
        fork = fork and run.folder.storage.is_local and not any(each.input.is_remote for each in run.inputs)
        n = run.configuration.run.workers or available_cores()
        self._supervisor = Supervisor(run.configuration, run.extraction.output, n, fork=fork)

    def __exit__(self, *_: object) -> None:
        self._supervisor.close()

    def extract(self, watch: OnSnapshot) -> None:
        """Extracts the inputs that are left of run.extraction; `watch` is called a few times per second."""
        run, extraction = self._run, self._run.extraction
        queue = PartitionQueue(
            extraction.folder,
            run.configuration,
            extraction.pending,
            all_inputs=run.mine,
            resumed=extraction.resumed,
            watch=watch,
            deadline=run.deadline,
        )
        self._supervisor.work(queue)

    def each(self, step: Callable[[str, Progress], int], partitions: Sequence[str], watch: OnSnapshot) -> int:
        """The sum of a step's results over all partitions; `watch` is called a few times per second."""
        return run_steps(self._supervisor, step, partitions, watch)

    def sql(self, query: str, staging: StagingFolder, tables: Iterable[str], output: str, watch: OnSnapshot) -> None:
        """Runs a query in DuckDB, in a worker process, so that the run can report it if DuckDB crashes."""
        folder = staging.storage.path()
        files = {table: [f"{table}/{name}" for name in staging.files(table)] for table in tables}
        self._supervisor.work(_Steps([Query(folder, query, files, output, self._supervisor.n_workers)], watch))


def run_steps(
    supervisor: Supervisor,
    step: Callable[[str, Progress], int],
    partitions: Sequence[str],
    watch: OnSnapshot = lambda _: None,
) -> int:
    """The sum of a step's results over partitions, computed in a supervisor's worker processes."""
    steps = _Steps([Step(partition) for partition in partitions], watch)
    supervisor.work(steps, context=step)
    return sum(steps.answers)


class _Steps:
    """Tasks that must all succeed. A task that fails, or whose worker dies, is retried once."""

    def __init__(self, tasks: Iterable[Step | Query], watch: OnSnapshot = lambda _: None) -> None:
        self.answers: list[int] = []
        self._left = deque(tasks)
        self._n = len(self._left)
        self._watch = watch
        self._tries: Counter[str] = Counter()
        self._deaths: Counter[tuple[str, int]] = Counter()  # by partition and offset of the page

    def next_task(self) -> Step | Query | None:
        return self._left.popleft() if self._left else None

    def finished(self, _task: Step | Query, answer: Any) -> None:  # noqa: ANN401 (the task's own)
        self.answers.append(answer)

    def failed(self, task: Step | Query, error: Exception) -> None:
        """Retries the task, or raises the error."""
        self._tries[task.title] += 1
        if isinstance(error, RunError) or self._tries[task.title] >= _MAX_TRIES:
            if isinstance(error, OSError):
                raise error
            raise error if isinstance(error, ThresherError) else RunError(f"{task.title}: {error}") from error
        if not isinstance(error, WorkerDied):  # of which the supervisor has told
            _log.warning("%s: %s; trying again", task.title, error)
        self._left.appendleft(task)

    def died(self, task: Step | Query, error: WorkerDied, spot: Spot) -> None:
        """Retries the task without a page over which two workers died, or raises the error."""
        if isinstance(task, Query) or spot.offset == NO_PAGE:
            self.failed(task, error)
            return
        self._deaths[task.partition, spot.offset] += 1
        n = self._deaths[task.partition, spot.offset]
        if n > _MAX_TRIES:
            raise error
        self._left.appendleft(replace(task, skip=task.skip | {spot.offset}) if n == _MAX_TRIES else task)

    def look(self, _supervisor: Supervisor) -> None:
        """Reports the share of tasks that are done to the watcher; of a single task nothing is known."""
        self._watch(Snapshot(0, len(self.answers) / self._n if self._n > 1 else None))
