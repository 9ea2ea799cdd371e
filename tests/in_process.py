# SPDX-License-Identifier: Apache-2.0
"""Works through the tasks of a run in the test's own process, one after the other: a test can replace parts of it."""

from thresher.running.partition_queue import PartitionQueue
from thresher.running.pipeline import PartitionMaker
from thresher.running.run import Run
from thresher.running.worker_process import N_SLOTS, Bench, Extract, SharedProgress, Slots


def extract_here(run: Run, *, at_most: int | None = None, slots: Slots | None = None, retry: bool = False) -> list[str]:
    """Extract the pending WARCs of a run, or so many of their partitions; the names of the partitions worked on.

    `slots` are what a worker process would tell its parent. What a task raises is raised here, unless `retry`: then
    the queue decides, as in a run.
    """
    bench = Bench(run.configuration, run.output, SharedProgress([0] * N_SLOTS if slots is None else slots, 0))
    bench._maker = PartitionMaker(run.configuration, run.output)  # a worker process would tune its collector, too
    queue = PartitionQueue(run.folder, run.configuration, run.pending)
    names: list[str] = []
    while (at_most is None or len(names) < at_most) and (task := queue.next_task()) is not None:
        try:
            answer = task.run(bench)
        except Exception as error:
            if not retry:
                raise
            bench.recover()
            queue.failed(task, error)
            continue
        queue.finished(task, answer)
        if isinstance(task, Extract):
            names.append(task.partition.name)
    return names
