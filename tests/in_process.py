# SPDX-License-Identifier: Apache-2.0
"""Works through the partitions of a run in the test's own process, one after the other, where a test replaces parts of
it.
"""

from thresher.running.partition_queue import PartitionQueue
from thresher.running.pipeline import Worker
from thresher.running.run import Run
from thresher.running.worker_process import Extract


def extract_here(run: Run, *, at_most: int | None = None) -> list[str]:
    """Extract the pending WARCs of a run, or so many of their partitions; the names of the partitions worked on."""
    worker = Worker(run.configuration, run.output)
    queue = PartitionQueue(run.folder, run.configuration, run.pending)
    names: list[str] = []
    while (at_most is None or len(names) < at_most) and (task := queue.next_task()) is not None:
        assert isinstance(task, Extract)
        queue.finished(task, worker.extract_partition(task.partition, give_up=task.give_up))
        names.append(task.partition.name)
    return names
