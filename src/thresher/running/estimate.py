# SPDX-License-Identifier: Apache-2.0
"""What a run would cost, from a sample of its inputs.

Inputs are cut into stretches of a few megabytes. Stretches drawn at random are extracted by worker processes, as in a
run, into a temporary folder, until the time is over. Each quantity is then estimated by its ratio to the bytes read,
the usual estimate for a sample of stretches of unequal length; its interval follows from how much the stretches differ.

An input that cannot be split (JSON Lines, Parquet, a WARC that is not gzip) stands in the sample with its beginning.
"""

from __future__ import annotations

import math
import os
import posixpath
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from thresher.errors import InputError, RunError, WorkerDied
from thresher.reading.files import REMOTE_BLOCK
from thresher.reading.inputs import Input
from thresher.reading.kinds import PARQUET
from thresher.reading.names import WACZ_MEMBER, local_path, path_of, scheme_of
from thresher.rows.tables import peak_memory
from thresher.running.crew import available_cores
from thresher.running.partitions import Partition, RunInput, cut
from thresher.running.supervisor import Spot, Supervisor
from thresher.running.worker_process import Bench, LookAt
from thresher.writing.run_folder import RunFolder
from thresher.writing.tables import SCHEMA_FILE

if TYPE_CHECKING:
    from thresher.config import Configuration

_STRETCHES: Final = 60  # wanted of a small archive
_LEAST, _MOST = 2 << 20, 16 << 20  # bytes of a stretch; rows of a shorter one compress worse than those of a run
_WARM_UP: Final = 1 << 18  # bytes that a worker extracts first, so that loading models does not count
_LOOKED_AT: Final = 32  # remote inputs whose size is asked for
_LOOK_SECONDS: Final = 5.0  # that a server has to say it
_DRAWN: Final = 4096  # stretches, at most
_NEARLY_NONE: Final = 0.001  # share of the bytes: rounding
_Z: Final = 1.959964  # of the 95 % interval


@dataclass(frozen=True, slots=True)
class Measured:
    n_bytes: int  # of the input
    pages: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    written: int = 0  # bytes of rows; what each file has whatever its rows is not counted
    metrics: int = 0  # bytes of the file of metrics, which each partition has
    peak_memory: int = 0


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of an input to be measured: a task of a worker."""

    partition: Partition
    n_bytes: int  # of the input that the partition covers
    head: int | None = None  # of an input that is not split: read only so many bytes from its beginning
    empty_file: int = 0  # bytes of a file of pages without rows
    warm_up: bool = False

    @property
    def title(self) -> str:
        return f"measuring {self.partition.run_input.source}"

    def run(self, bench: Bench) -> Measured:
        """Extracts the stretch and returns what that cost; what was written is removed."""
        if self.head is None:
            return self._measure(bench, self.partition, self.n_bytes)
        source = self.partition.run_input.source
        if self.partition.run_input.input.kind == PARQUET:
            return self._rows_of_parquet(bench, self.head)
        with tempfile.TemporaryDirectory(prefix="thresher-estimate-") as folder:
            name = WACZ_MEMBER.sub(r"\2", source)
            copy = os.path.join(folder, posixpath.basename(path_of(name)))
            run_input = self.partition.run_input
            n = _copy_beginning(run_input.input, copy, self.head)
            copied = replace(run_input, input=replace(run_input.input, location=copy))
            return self._measure(bench, Partition(copied, 0, 0, None), n)

    def _rows_of_parquet(self, bench: Bench, head: int) -> Measured:
        import pyarrow.parquet as pq

        source = self.partition.run_input.source
        rows = pq.ParquetFile(local_path(source)).metadata.num_rows if not scheme_of(source) else 0
        taken = max(1, rows * head // max(self.n_bytes, 1))
        if taken >= rows:  # as where the number of rows of a remote file is not known
            return self._measure(bench, self.partition, self.n_bytes)
        return self._measure(bench, replace(self.partition, end=taken), self.n_bytes * taken // rows)

    def _measure(self, bench: Bench, partition: Partition, n_bytes: int) -> Measured:
        bench.progress.begin(partition.start, frozenset())
        started, cpu_started = time.perf_counter(), time.process_time()
        maker = bench.maker
        result = maker.extract_partition(partition, progress=bench.progress)
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu_started
        sizes = {table: maker.folder.storage.fs.get_file_info(path).size for table, path in result.files.items()}
        maker.folder.discard(result.files)
        return Measured(
            n_bytes,
            result.rows.get("pages", 0),
            seconds,
            cpu,
            sum(max(0, size - self.empty_file) for table, size in sizes.items() if table != "metrics"),
            sizes.get("metrics", 0),
            peak_memory(),
        )


def _copy_beginning(source: Input, path: str, n: int) -> int:
    copied = 0
    with closing(source.open()) as file, open(path, "wb") as out:
        while copied < n and (piece := file.read(min(1 << 20, n - copied))):
            copied += out.write(piece)
    return copied


@dataclass(frozen=True, slots=True)
class Quantity:
    """An estimate, with the bounds of its 95 % interval; they are None where too little was measured to tell."""

    value: float
    low: float | None
    high: float | None

    def times(self, factor: float, plus: float = 0.0) -> Quantity:
        return Quantity(
            self.value * factor + plus,
            None if self.low is None else self.low * factor + plus,
            None if self.high is None else self.high * factor + plus,
        )


@dataclass(slots=True)
class Estimate:
    inputs: int
    workers: int
    stretches: int  # measured
    sampled_bytes: int
    sample_seconds: float  # that the estimate took
    bytes_in: Quantity
    pages: Quantity
    worker_seconds: Quantity  # of all workers together
    cpu_seconds: Quantity
    bytes_out: Quantity
    partitions: int
    requests: int  # for reading remote inputs
    peak_memory: int  # bytes, of the largest worker in the sample
    failures: list[str] = field(default_factory=list)  # what could not be measured, and why

    @property
    def seconds(self) -> Quantity:
        """Elapsed time, with the work spread evenly over the workers; a partition is the work of one."""
        return self.worker_seconds.times(1 / max(1, min(self.workers, self.partitions)))

    def money(self, *, per_hour: float = 0.0, per_request: float = 0.0, per_gb: float = 0.0) -> Quantity:
        """The price, with prices for an hour of one worker, a request, and a gigabyte (10⁹ bytes) read."""
        fixed = self.requests * per_request + self.bytes_in.value / 1e9 * per_gb
        return self.worker_seconds.times(per_hour / 3600, fixed)


def estimate(
    sources: Sequence[Input],
    configuration: Configuration,
    *,
    seconds: float = 30.0,
    watch: Callable[[float], None] = lambda _: None,
    fork: bool = False,
) -> Estimate:
    """What a run over these inputs would cost, measured in about so many seconds.

    At most half as long again, and five seconds, are waited for stretches that were begun in time. `watch` is told the
    share of the time that has passed. Raises InputError if no input can be read, RunError if nothing was measured.
    """
    workers = configuration.run.workers or available_cores()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="thresher-estimate-") as folder:
        output = RunFolder(folder, configuration)
        output.open_run({"rows": {}}, [each.location for each in sources])
        sample = _Sample(sources, configuration, seconds, watch)
        if configuration.write.to == "parquet":
            sample.empty_file = os.path.getsize(os.path.join(folder, "pages", SCHEMA_FILE))
        # Threads of S3 and HDFS clients do not survive a fork.
        fork = fork and not any(each.is_remote for each in sources)
        with Supervisor(configuration, folder, min(workers, available_cores()), fork=fork) as supervisor:
            try:
                supervisor.work(sample)
            except _TimeIsUpError:
                pass
            finally:
                output.lock.release()
    return sample.estimate(workers, time.monotonic() - started)


class _TimeIsUpError(Exception):
    """Ends a sample whose last stretches take too long."""


class _Sample:
    """The tasks of an estimate: a supervisor's queue."""

    def __init__(
        self, sources: Sequence[Input], configuration: Configuration, seconds: float, watch: Callable[[float], None]
    ) -> None:
        self.measured: list[Measured] = []
        self.failures: list[str] = []
        self.empty_file = 0
        self._sources = sources
        self._configuration = configuration
        self._watch = watch
        self._started = time.monotonic()
        self._seconds = seconds
        self._random = random.Random(0)
        self._sizes: dict[int, int] = {}  # bytes by the number of an input, of those that are known
        local = [number for number, source in enumerate(sources) if not source.is_remote]
        for number in local:
            if size := sources[number].local_bytes():
                self._sizes[number] = size
            elif size is None:
                self.failures.append(f"{sources[number].location}: it cannot be opened, and is in no figure")
        remote = [number for number, source in enumerate(sources) if source.is_remote]
        chosen = self._random.sample(remote, min(_LOOKED_AT, len(remote)))
        self._remote = len(remote)
        self._looks = deque(LookAt(number, sources[number], _LOOK_SECONDS) for number in chosen)
        self._looking = 0
        self._drawn: deque[Stretch] | None = None
        self._splits = True  # whether every part of every input can be measured

    # --- what a supervisor asks ---

    def next_task(self) -> LookAt | Stretch | None:
        """Inputs whose size is not known; then for each worker a short warm-up; then stretches."""
        passed = time.monotonic() - self._started
        if self._looks and not (passed > self._seconds / 3 and self._sizes):
            self._looking += 1
            return self._looks.popleft()
        if self._looking:
            return None
        if self._drawn is None:
            self._drawn = deque(self._draw())
        if passed > self._seconds or not self._drawn:
            return None
        return self._drawn.popleft()

    def finished(self, task: LookAt | Stretch, answer: Any) -> None:  # noqa: ANN401 (the task's own)
        if isinstance(task, LookAt):
            self._looking -= 1
            if answer:
                self._sizes[task.number] = answer
        elif not task.warm_up:
            self.measured.append(answer)

    def failed(self, task: LookAt | Stretch, error: Exception) -> None:
        self._looking -= isinstance(task, LookAt)
        self.failures.append(str(error))

    def died(self, task: LookAt | Stretch, error: WorkerDied, _spot: Spot) -> None:
        self.failed(task, error)

    def look(self, _supervisor: Supervisor) -> None:
        """Reports progress; raises _TimeIsUpError if what was begun in time takes too long."""
        passed = time.monotonic() - self._started
        self._watch(min(1.0, passed / self._seconds))
        if passed > 1.5 * self._seconds + 5:
            raise _TimeIsUpError

    # --- the sample ---

    def _draw(self) -> list[Stretch]:
        """Stretches at random, each as likely as the bytes that it covers."""
        total = sum(self._sizes.values())
        step = min(max(total // _STRETCHES, _LEAST), _MOST)
        configuration = replace(self._configuration, read=replace(self._configuration.read, split_bytes=step))
        inputs = [
            (number, self._n_stretches(number, size, step, configuration)) for number, size in self._sizes.items()
        ]
        n_all = sum(n for _, n in inputs)
        places = sorted(self._random.sample(range(n_all), min(n_all, _DRAWN)))
        drawn: dict[tuple[int, int], Stretch] = {}
        first, each = 0, iter(inputs)
        number, n = next(each, (0, 0))
        for place in places:
            while place >= first + n:
                first += n
                number, n = next(each)
            stretch = self._stretch(number, place - first, step, configuration)
            drawn.setdefault((number, stretch.partition.number), stretch)
        stretches = list(drawn.values())
        self._random.shuffle(stretches)
        return [*self._warming(stretches), *stretches]

    def _n_stretches(self, number: int, size: int, step: int, configuration: Configuration) -> int:
        run_input = self._warc(number)
        if run_input.input.step(step)[0] is None:
            self._splits = self._splits and size <= step
            return -(-size // step)
        return len(cut(run_input, _units(run_input.input, size), configuration))

    def _stretch(self, number: int, place: int, step: int, configuration: Configuration) -> Stretch:
        """The stretch at this place of an input; of one that is not split always its beginning."""
        run_input, size = self._warc(number), self._sizes[number]
        if run_input.input.step(step)[0] is None:
            head = step if size > step else None
            return Stretch(Partition(run_input, 0, 0, None), size, head, self.empty_file)
        units = _units(run_input.input, size) or 1
        partition = cut(run_input, units, configuration)[place]
        end = partition.end if partition.end is not None else units
        return Stretch(partition, size * (end - partition.start) // units, None, self.empty_file)

    def _warming(self, stretches: Sequence[Stretch]) -> list[Stretch]:
        """For each worker the beginning of a stretch, whose cost does not count. Only of stretches that can be cut."""
        workers = min(self._configuration.run.workers or available_cores(), available_cores())
        found = []
        for stretch in stretches[: workers * (len(stretches) > workers)]:
            partition = stretch.partition
            if stretch.head is None and partition.run_input.input.step(_WARM_UP) == (_WARM_UP, True):
                end = min(partition.start + _WARM_UP, partition.end or partition.start + _WARM_UP)
                found.append(replace(stretch, partition=replace(partition, end=end), warm_up=True))
        return found

    def _warc(self, number: int) -> RunInput:
        source = self._sources[number]
        return RunInput(number, source, source.location)

    # --- the estimate ---

    def estimate(self, workers: int, took: float) -> Estimate:
        """What was measured, for all inputs."""
        if not self._sizes:
            raise InputError("; ".join(self.failures[:3]) or "no input has a size that is known")
        sample = [each for each in self.measured if each.n_bytes]
        if not sample:
            why = "; ".join(self.failures[:3]) or "no stretch was finished in this time; give more with --seconds"
            raise RunError(f"nothing was measured: {why}")
        n_inputs = len(self._sources) if self._remote else len(self._sizes)
        total = _total_of(list(self._sizes.values()), n_inputs)
        x = [float(each.n_bytes) for each in sample]
        share = sum(x) / sum(self._sizes.values())
        # Counts of what was measured are certain; times and sizes of files would differ the next time.
        rest = max(0.0, 1.0 - share) if self._splits and len(self._sizes) == n_inputs else 1.0

        def of_all(values: Sequence[float], *, rest: float = 1.0) -> Quantity:
            return _scaled(values, x, total, rest if rest > _NEARLY_NONE else 0.0)

        configuration = self._configuration
        partitions = sum(
            len(cut(self._warc(number), _units(self._sources[number], size), configuration))
            for number, size in self._sizes.items()
        )
        partitions = math.ceil(partitions * n_inputs / len(self._sizes))
        metrics = max(each.metrics for each in sample)
        return Estimate(
            inputs=len(self._sources),
            workers=workers,
            stretches=len(sample),
            sampled_bytes=round(sum(x)),
            sample_seconds=took,
            bytes_in=total,
            pages=of_all([each.pages for each in sample], rest=rest),
            worker_seconds=of_all([each.seconds for each in sample]),
            cpu_seconds=of_all([each.cpu_seconds for each in sample]),
            bytes_out=of_all([each.written for each in sample]).times(1.0, partitions * (metrics + self.empty_file)),
            partitions=partitions,
            requests=self._requests(partitions),
            peak_memory=max(each.peak_memory for each in sample),
            failures=self.failures,
        )

    def _requests(self, partitions: int) -> int:
        """Requests for reading remote inputs: one for the size and one per partition over HTTP, else one per block."""
        if not self._remote:
            return 0
        known = [self._sizes[number] for number in self._sizes if self._sources[number].is_remote]
        blocks = sum(-(-size // REMOTE_BLOCK) for size in known) * self._remote // max(len(known), 1)
        over_http = all(scheme_of(source.location) in ("", "http", "https") for source in self._sources)
        return self._remote + (partitions if over_http else blocks)


def _units(source: Input, size: int) -> int | None:
    """The size of an input by which a run splits it."""
    return size if source.step(1)[1] else source.known_size()


def _total_of(sizes: Sequence[int], n_inputs: int) -> Quantity:
    """The bytes of all inputs, from the sizes of some."""
    n, mean = len(sizes), sum(sizes) / len(sizes)
    if n >= n_inputs:
        return Quantity(sum(sizes), sum(sizes), sum(sizes))
    if n < 2:
        return Quantity(mean * n_inputs, None, None)
    variance = sum((size - mean) ** 2 for size in sizes) / (n - 1) / n * (1 - n / n_inputs)
    return _within(mean * n_inputs, math.sqrt(variance) * n_inputs, n - 1)


def _scaled(y: Sequence[float], x: Sequence[float], total: Quantity, rest: float) -> Quantity:
    """The sum of y over everything, by the ratio of y to x in the sample; `rest` is the share that is not sampled.

    Cochran, Sampling Techniques, 3rd edition, section 6.4.
    """
    n, ratio = len(x), sum(y) / sum(x)
    value = ratio * total.value
    if rest <= 0:
        return Quantity(sum(y), sum(y), sum(y))
    if n < 3 or total.low is None:
        return Quantity(value, None, None)
    mean = sum(x) / n
    residual = sum((b - ratio * a) ** 2 for a, b in zip(x, y, strict=True))
    error = math.sqrt(rest * residual / (n * (n - 1))) / mean * total.value
    of_total = (total.value - total.low) / _t(n - 1) * ratio  # as a standard error, roughly
    return _within(value, math.hypot(error, of_total), n - 1)


def _within(value: float, error: float, freedom: int) -> Quantity:
    margin = _t(freedom) * error
    return Quantity(value, max(0.0, value - margin), value + margin)


def _t(freedom: int) -> float:
    """The 97.5 % quantile of Student's t; for 1 and 2 degrees of freedom a little less (Abramowitz, Stegun 26.7.5)."""
    z, v = _Z, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )
