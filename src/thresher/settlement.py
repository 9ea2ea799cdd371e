# SPDX-License-Identifier: Apache-2.0
"""A WARC worked on from start to end, each partition committed to the output folder and entered in its ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from thresher.captures import DeadLetter
from thresher.config import Write
from thresher.inputs import InputError, TransferError
from thresher.partitions import Partition, PartitionResult, Warc, empty_result, partitions_of
from thresher.pipeline import Worker
from thresher.rows import dead_letter_batch
from thresher.schemas.dead_letter import WORKER
from thresher.sinks import OutputFolder

_PLAIN: Final = Write(compression="zstd", compression_level=3, batch_rows=1, batch_bytes=1, page_timings=False)


def extract_warc(worker: Worker, warc: Warc) -> Iterator[PartitionResult]:
    """Work on a WARC from where its ledger ends to its end, each partition committed before it is yielded.

    Partitions follow one another, so that each begins exactly where the one before it ended. Used by tasks of Spark; the
    command line works on the partitions of a WARC at the same time (thresher.workers) with the same rows. A WARC that cannot
    be read, tried twice, leaves a dead letter and no entry in the ledger. Raises OSError where the output cannot be written.
    """
    folder = worker.folder
    entries = folder.read_ledger(warc.number)
    try:
        partitions = partitions_of(warc, worker.configuration)
    except (InputError, TransferError) as error:
        yield lost_partition(folder, warc, len(entries), error)
        return
    start = entries[-1].next_offset if entries else 0
    for partition in partitions[len(entries) :]:
        result = empty_result(partition, start)
        if start is not None and (partition.end is None or start < partition.end):
            exact = Partition(warc, partition.number, start, partition.end)
            try:
                result = _try_twice(worker, exact)
            except (InputError, TransferError, MemoryError) as error:
                yield lost_partition(folder, warc, partition.number, error)
                return
        folder.commit(partition.name, result.files)
        entries.append(result.entry())
        folder.write_ledger(warc.number, warc.source, entries, done=partition is partitions[-1])
        start = result.next_offset
        yield result


def _try_twice(worker: Worker, partition: Partition) -> PartitionResult:
    try:
        return worker.extract_partition(partition)
    except (TransferError, MemoryError):
        worker.recover()
        return worker.extract_partition(partition)


def lost_partition(folder: OutputFolder, warc: Warc, number: int, error: Exception) -> PartitionResult:
    """Write the dead letter of a partition that could not be worked on, under the partition's name.

    It is not entered in the ledger: the same run started again tries the partition once more, and replaces this.
    """
    partition = Partition(warc, number, 0, None)
    letter = DeadLetter(warc.filename, 0, 0, None, WORKER, type(error).__name__, str(error))
    with folder.start_partition(partition.name, _PLAIN) as writer:
        writer.write("dead_letter", dead_letter_batch([letter]))
        files = writer.close()
    folder.commit(partition.name, files)
    return PartitionResult(partition, None, None, files, writer.rows, 1)
