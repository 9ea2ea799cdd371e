# SPDX-License-Identifier: Apache-2.0
"""Runs that meet faults: whether the rows are those of an undisturbed run, nothing twice and nothing lost.

    python benchmarks/faults.py [--only store,bucket,run,manifest,spark] [--moments 20] [--seed 1]
                               [--archives 24] [--pages 12] [--kinds plain,templates]
                               [--spark driver,executor,python,speculation,allocation]

Made-up archives are read from a web server on loopback that misbehaves, or from disk by a run that is killed or meets a
full disk. Each fault prints one line of a Markdown table: how often it struck, the exit statuses of the commands until
one says that it is done (the same command is given again), and how many rows are missing, twice or different. "none"
in the last column means equal digests of all rows. The process ends with status 1 if any fault has cost a row.
"""

import argparse
import http.server
import json
import os
import random
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from range_server import RangeServer
from s3_store import KEYS, s3_client
from small_archive import page, write_archive

from thresher.after.report import rows_digest
from thresher.running.outcome import inspect_run

MOST_COMMANDS = 12  # until a run is done
TEMPLATES = ["--templates", "fused", "--set", "read.split_bytes=4000"]
Request = http.server.BaseHTTPRequestHandler


@dataclass(slots=True)
class Load:
    """Archives, an index of them, and what an undisturbed run makes of them."""

    archives: Path
    index: Path
    rows: int
    digests: dict[str, str] = field(default_factory=dict)  # by kind of run


@dataclass(slots=True)
class Outcome:
    """What became of a run."""

    struck: int  # how often the fault occurred
    statuses: list[int]
    missing: int
    twice: int
    equal: bool

    def line(self, name: str) -> str:
        """A line of the table."""
        cost = "none" if self.equal and not self.missing and not self.twice else (
            f"{self.missing} missing, {self.twice} twice" if self.missing or self.twice else "rows differ"
        )  # fmt: skip
        statuses = ", ".join(f"{n}× {status}" for status, n in Counter(self.statuses).items())
        return f"| {name} | {self.struck:,} | {statuses} | {cost} |"


def thresher(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """A command that was started."""
    command = [sys.executable, "-m", "thresher.commands.main", *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True, **options
    )


def until_done(start: Callable[[], subprocess.Popen[str]], *, most: int = MOST_COMMANDS) -> list[int]:
    """The exit statuses of a command that is given until it is done."""
    statuses: list[int] = []
    while len(statuses) < most and (not statuses or statuses[-1] not in (0, 3)):
        process = start()
        said = process.communicate(timeout=900)[1]
        statuses.append(process.returncode)
        if process.returncode not in (0, 3, 4, 130) and process.returncode >= 0:
            print(said[-2000:], file=sys.stderr)
    return statuses


def outcome(output: Path, load: Load, kind: str, struck: int, statuses: list[int], expected: int = 0) -> Outcome:
    """The rows of a run beside those of the undisturbed one."""
    names = ["warc_filename", "warc_record_offset"]
    found = Counter(zip(*(pq.read_table(output / "pages", columns=names)[name].to_pylist() for name in names),
                        strict=True))  # fmt: skip
    equal = rows_digest(str(output)) == load.digests[kind] and not inspect_run(str(output)).unaccounted
    return Outcome(struck, statuses, (expected or load.rows) - len(found), sum(found.values()) - len(found), equal)


def make(folder: Path, archives: int, pages: int) -> Load:
    """The load, with the digests of undisturbed runs of each kind."""
    source = folder / "archives"
    source.mkdir(parents=True)
    for number in range(archives):
        urls = {
            f"https://www.site{(number + k) % 7}.example/{number}/{k}": page(number * pages + k) for k in range(pages)
        }
        write_archive(source / f"crawl-{number:03d}.warc.gz", urls)
    load = Load(source, folder / "plain" / "pages", archives * pages)
    for kind, options in (("plain", []), ("templates", TEMPLATES)):
        output = folder / kind
        command = ["extract", source, "--input-base-url", source, "-o", output, *options]
        assert until_done(partial(thresher, *command)) == [0]
        load.digests[kind] = rows_digest(str(output))
    return load


# ---------------------------------------------------------------------------------------------------------------------
# Stores
# ---------------------------------------------------------------------------------------------------------------------


class Fault:
    """Answers some requests wrongly; called under a lock."""

    def __init__(self, share: float, act: Callable[[Request, bytes, int, int], bool], seed: int) -> None:
        """`act` gets the request, the file's content and the range asked for."""
        self.struck = 0
        self._share, self._act, self._chance = share, act, random.Random(seed)
        self._lock = threading.Lock()
        self.folder = Path()

    def __call__(self, request: Request) -> bool:
        with self._lock:
            strikes = self._chance.random() < self._share
        path = self.folder / request.path.lstrip("/")
        if not strikes or not path.is_file():
            return False
        data = path.read_bytes()
        begin, _, end = (
            (request.headers.get("Range") or f"bytes=0-{len(data) - 1}").removeprefix("bytes=").partition("-")
        )
        start, stop = int(begin), min(int(end or len(data) - 1) + 1, len(data))
        if start >= stop:
            return False
        with self._lock:
            self.struck += 1
        return self._act(request, data, start, stop)


def head(request: Request, status: int, start: int, stop: int, size: int, length: int, tag: str = '"1"') -> None:
    """Sends the head of an answer."""
    request.send_response(status)
    if status == 206:
        request.send_header("Content-Range", f"bytes {start}-{stop - 1}/{size}")
        request.send_header("ETag", tag)
    request.send_header("Content-Length", str(length))
    request.end_headers()


def busy(request: Request, _data: bytes, _start: int, _stop: int) -> bool:
    head(request, 503, 0, 0, 0, 0)
    return True


def reset(request: Request, data: bytes, start: int, stop: int) -> bool:
    head(request, 206, start, stop, len(data), stop - start)
    request.wfile.write(data[start : start + (stop - start) // 2])
    request.wfile.flush()
    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.close_connection = True
    return True


def too_short(request: Request, data: bytes, start: int, stop: int) -> bool:
    head(request, 206, start, stop, len(data), (stop - start) // 2)
    request.wfile.write(data[start : start + (stop - start) // 2])
    return True


def too_long(request: Request, data: bytes, start: int, stop: int) -> bool:
    head(request, 206, start, stop, len(data), stop - start + 1000)
    request.wfile.write(data[start:stop] + bytes(1000))
    return True


def slow(request: Request, data: bytes, start: int, stop: int) -> bool:
    head(request, 206, start, stop, len(data), stop - start)
    for place in range(start, stop, 2000):
        request.wfile.write(data[place : min(place + 2000, stop)])
        request.wfile.flush()
        time.sleep(0.05)
    return True


def other_tag(request: Request, data: bytes, start: int, stop: int) -> bool:
    """Another version of the file, cut off: as if it were being replaced."""
    head(request, 206, start, stop, len(data), stop - start, tag='"2"')
    request.wfile.write(bytes(stop - start))
    return True


STORES: list[tuple[str, float, Callable[[Request, bytes, int, int], bool]]] = [
    ("503 on 5 % of requests", 0.05, busy),
    ("503 on 20 % of requests", 0.2, busy),
    ("503 on 50 % of requests", 0.5, busy),
    ("connection reset in mid body, 20 %", 0.2, reset),
    ("body shorter than stated range, 20 %", 0.2, too_short),
    ("body longer than range, 20 %", 0.2, too_long),
    ("slow bodies, all", 1.0, slow),
]


def stores(load: Load, folder: Path, seed: int) -> list[tuple[str, Outcome]]:
    """Each fault of a store, met while whole archives and while ranges are read."""
    found = []
    listed = folder / "list.paths"
    listed.write_text("".join(f"{path.name}\n" for path in sorted(load.archives.iterdir())))
    ways: dict[str, Callable[[str], list[Any]]] = {
        "whole": lambda url: [listed, "--input-base-url", url],
        "index": lambda url: ["--index", load.index, "--warc-prefix", url],
    }
    for name, share, act in STORES:
        for way, inputs in ways.items():
            fault = Fault(share, act, seed)
            server = RangeServer(load.archives)
            fault.folder = load.archives
            server.answer = fault
            output = folder / f"{act.__name__}-{share}-{way}"
            command = ["extract", *inputs(server.url), "-o", output, "--workers", "2", "--max-connections", "6"]
            statuses = until_done(partial(thresher, *command))
            found.append((f"{name}; {way}", outcome(output, load, "plain", fault.struck, statuses)))
            print(found[-1][1].line(found[-1][0]), flush=True)
            server.close()
    for way, inputs in ways.items():
        found.append(
            (
                f"wrong bytes under another ETag, 10 %, then `thresher retry`; {way}",
                wrong_tag(load, folder, inputs, way, seed),
            )
        )
        print(found[-1][1].line(found[-1][0]), flush=True)
        found.append((f"credentials expire halfway (403), renewed after; {way}", expired(load, folder, inputs, way)))
        print(found[-1][1].line(found[-1][0]), flush=True)
    return found


def wrong_tag(load: Load, folder: Path, inputs: Callable[[str], list[Any]], way: str, seed: int) -> Outcome:
    """A store that serves another version of a file now and then; afterwards `thresher retry`."""
    fault = Fault(0.1, other_tag, seed)
    server = RangeServer(load.archives)
    fault.folder = load.archives
    server.answer = fault
    output = folder / f"tag-{way}"
    statuses = until_done(
        lambda: thresher("extract", *inputs(server.url), "-o", output, "--workers", "2", "--max-error-ratio", "1")
    )
    struck = fault.struck
    server.answer = lambda _: False
    statuses += until_done(lambda: thresher("retry", output))
    server.close()
    return outcome(output, load, "plain", struck, statuses)


def expired(load: Load, folder: Path, inputs: Callable[[str], list[Any]], way: str) -> Outcome:
    """A store that answers 403 from the middle of the first command on."""
    server = RangeServer(load.archives)
    refused = 0

    def answer(request: Request) -> bool:
        nonlocal refused
        if len(server.requests) < 10 or renewed:
            return False
        refused += 1
        head(request, 403, 0, 0, 0, 0)
        return True

    renewed = False
    server.answer = answer
    output = folder / f"expired-{way}"
    command = ["extract", *inputs(server.url), "-o", output, "--workers", "2", "--set", "run.max_error_ratio=1"]
    command += ["--set", "run.patience_minutes=0.05"]
    process = thresher(*command)
    process.communicate()
    renewed = True
    statuses = [process.returncode, *until_done(lambda: thresher(*command))]
    if inspect_run(str(output)).errors:
        statuses += until_done(lambda: thresher("retry", output))
    server.close()
    return outcome(output, load, "plain", refused, statuses)


def unwritable(load: Load) -> list[tuple[str, Outcome]]:
    """A bucket that refuses writes halfway, until its owner mends it."""
    from flaky_store import FlakyStore
    from moto.server import ThreadedMotoServer

    store = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    store.start()
    url = "http://{}:{}".format(*store.get_host_and_port())
    s3_client(url).create_bucket(Bucket="out")
    n = 0

    def fails(method: str, _path: str) -> bool:
        nonlocal n
        n += method in ("PUT", "POST")
        return method in ("PUT", "POST") and n > 140 and not mended

    mended = False
    proxy = FlakyStore(url, fails)
    environment = {**os.environ, **KEYS, "AWS_ENDPOINT_URL": proxy.url, "AWS_REGION": "us-east-1"}
    command = ["extract", load.archives, "--input-base-url", load.archives, "-o", "s3://out/run", "--workers", "2"]
    process = thresher(*command, env=environment)
    process.communicate()
    struck, mended = proxy.refused.total(), True
    statuses = [process.returncode, *until_done(lambda: thresher(*command, env=environment))]
    os.environ.update({**KEYS, "AWS_ENDPOINT_URL": url, "AWS_REGION": "us-east-1"})
    report = inspect_run("s3://out/run")
    equal = rows_digest("s3://out/run") == load.digests["plain"] and not report.unaccounted
    found = Outcome(struck, statuses, load.rows - report.pages, 0, equal)
    print(found.line("bucket that refuses writes halfway"), flush=True)
    for name in [*KEYS, "AWS_ENDPOINT_URL"]:
        os.environ.pop(name, None)
    proxy.close()
    store.stop()
    return [("bucket that refuses writes halfway", found)]


# ---------------------------------------------------------------------------------------------------------------------
# Runs
# ---------------------------------------------------------------------------------------------------------------------


def command_over(load: Load, output: Path, kind: str, *options: object) -> list[object]:
    """`thresher extract` over the load."""
    source = [load.archives, "--input-base-url", load.archives]
    return ["extract", *source, "-o", output, "--workers", "2", *options_of(kind), *options]


def options_of(kind: str) -> list[str]:
    """The options of a kind of run."""
    return TEMPLATES if kind == "templates" else ["--set", "read.split_bytes=4000"]


def killed(load: Load, folder: Path, kind: str, moments: int, seed: int, *, worker: bool) -> Outcome:
    """The run, or one of its workers, is killed at random moments, and the command is given again."""
    chance = random.Random(seed)
    output = folder / f"killed-{kind}-{worker}"
    command = command_over(load, output, kind)
    started = time.monotonic()
    probe = folder / f"probe-{kind}-{worker}"
    assert until_done(lambda: thresher(*command_over(load, probe, kind))) == [0]
    seconds = time.monotonic() - started
    struck, statuses = 0, []
    while struck < moments:
        process = thresher(*command)
        # A run that was killed goes on, so its end comes nearer: a new one begins when one is done.
        time.sleep(chance.uniform(0.3, 0.9) * seconds)
        victims = children_of(process.pid) if worker else [process.pid]
        if process.poll() is None and victims:
            os.kill(chance.choice(victims), signal.SIGKILL)
            struck += 1
        process.communicate()
        statuses.append(process.returncode)
        if statuses[-1] == 0 and struck < moments:
            found = outcome(output, load, kind, struck, statuses)
            if not found.equal:
                return found
            shutil.rmtree(output)
    statuses += until_done(lambda: thresher(*command))
    return outcome(output, load, kind, struck, statuses)


def children_of(process: int) -> list[int]:
    """The processes that a process started."""
    try:
        return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def full_disk(load: Load, folder: Path, kind: str) -> Outcome | None:
    """The output folder is on a disk that is full halfway, and then is made larger; None without the right to mount."""
    disk = folder / f"disk-{kind}"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "none", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        return None
    try:
        command = command_over(load, disk / "out", kind)
        process = thresher(*command)
        said = process.communicate()[1]
        statuses = [process.returncode]
        struck = "No space left" in said
        subprocess.run(["mount", "-o", "remount,size=200m", str(disk)], check=True)
        statuses += until_done(lambda: thresher(*command))
        return outcome(disk / "out", load, kind, int(struck), statuses)
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def few_handles(load: Load, folder: Path, kind: str) -> Outcome:
    """The run may open few files; the next command as many as usual."""
    output = folder / f"handles-{kind}"
    command = command_over(load, output, kind)
    statuses = []
    for most in (12, 16, 24):
        process = thresher(
            *command, preexec_fn=lambda most=most: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        )
        process.communicate()
        statuses.append(process.returncode)
    struck = sum(status != 0 for status in statuses)
    return outcome(output, load, kind, struck, [*statuses, *until_done(lambda: thresher(*command))])


def two_runs(load: Load, folder: Path, kind: str) -> Outcome:
    """Two commands for one folder at once: one is refused."""
    output = folder / f"two-{kind}"
    both = [thresher(*command_over(load, output, kind)) for _ in range(2)]
    for process in both:
        process.communicate()
    statuses = [process.returncode for process in both]
    return outcome(output, load, kind, statuses.count(2), statuses)


def folder_removed(load: Load, folder: Path, kind: str) -> Outcome:
    """The output folder is removed while the run is at work; the same command begins anew."""
    output = folder / f"removed-{kind}"
    process = thresher(*command_over(load, output, kind))
    while process.poll() is None and not list(output.glob("**/0*-0*.parquet")):
        time.sleep(0.05)
    for _ in range(100):
        shutil.rmtree(output, ignore_errors=True)
        if not output.exists():
            break
    process.communicate()
    first = process.returncode
    statuses = [first, *until_done(lambda: thresher(*command_over(load, output, kind)))]
    return outcome(output, load, kind, 1, statuses)


def runs(load: Load, folder: Path, moments: int, seed: int, kinds: list[str]) -> list[tuple[str, Outcome]]:
    """Each fault of a run, with and without templates."""
    found: list[tuple[str, Outcome]] = []

    def add(name: str, result: Outcome | None) -> None:
        if result is None:
            print(f"| {name} | not tried: no right to mount | | |", flush=True)
            return
        found.append((name, result))
        print(result.line(name), flush=True)

    for kind in kinds:
        what = "with templates" if kind == "templates" else "without templates"
        add(f"run killed (kill -9) at random moments, {what}", killed(load, folder, kind, moments, seed, worker=False))
        add(
            f"worker killed (kill -9) at random moments, {what}", killed(load, folder, kind, moments, seed, worker=True)
        )
        add(f"disk full, {what}", full_disk(load, folder, kind))
        add(f"12, 16 and 24 file handles, {what}", few_handles(load, folder, kind))
        add(f"two runs into one folder, {what}", two_runs(load, folder, kind))
        add(f"output folder removed, {what}", folder_removed(load, folder, kind))
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Manifests
# ---------------------------------------------------------------------------------------------------------------------


def manifest(load: Load, folder: Path, seed: int) -> list[tuple[str, Outcome]]:
    """A list of paths of which some do not exist yet: each is a dead letter, and is read when it is there."""
    chance = random.Random(seed)
    names = sorted(path.name for path in load.archives.iterdir())
    missing = set(chance.sample(names, max(len(names) // 100, 1)))
    source = folder / "some"
    source.mkdir()
    for name in set(names) - missing:
        os.link(load.archives / name, source / name)
    listed = folder / "some.paths"
    listed.write_text("".join(f"{name}\n" for name in names))
    server = RangeServer(source)
    output = folder / "listed"
    command = ["extract", listed, "--input-base-url", server.url, "-o", output, "--workers", "2"]
    process = thresher(*command, "--max-error-ratio", "1")
    process.communicate()
    lost = inspect_run(str(output)).lost
    assert lost == len(missing), lost
    for name in missing:
        os.link(load.archives / name, source / name)
    statuses = [process.returncode, *until_done(lambda: thresher("retry", output))]
    server.close()
    found = (
        f"list of {len(names)} paths of which 1 % are missing, then `thresher retry`",
        outcome(output, load, "plain", lost, statuses),
    )
    print(found[1].line(found[0]), flush=True)
    return [found]


# ---------------------------------------------------------------------------------------------------------------------
# Spark
# ---------------------------------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[1]
SPARK_LOAD = 6, 40  # archives, pages of each
SPARK_SPLIT = 16_000  # bytes; every partition is two tasks of the second pass
PER_RUN = 3  # processes that are killed in one run: Spark gives a task four attempts
# Starting Java costs more than the work here; this, and no generated code, makes it cheaper.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


class Cluster:
    """A standalone cluster: a master, and a worker with one core on each of two addresses of loopback.

    Speculation begins no copy of a task on the host where it runs, so there must be two.
    """

    def __init__(self, folder: Path) -> None:
        import pyspark

        self.home = Path(pyspark.__file__).parent
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"spark://127.0.0.1:{port}"
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_JAVA_OPTS": QUICK,
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
        }
        deploy = "org.apache.spark.deploy"
        self._daemons = [self._start(f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", port)]
        for number in (1, 2):
            place = ["--host", f"127.0.0.{number}", "--cores", 1, "--memory", "1200m", "--work-dir", folder / "work"]
            self._daemons.append(self._start(f"{deploy}.worker.Worker", *place, "--webui-port", 0, self.url))

    def _start(self, name: str, *arguments: object) -> subprocess.Popen[bytes]:
        command = [str(self.home / "bin" / "spark-class"), name, *map(str, arguments)]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True, env=self.environment)

    def submit(self, output: Path, inputs: list[Any], kind: str, *settings: str) -> subprocess.Popen[str]:
        """The job, started."""
        if any(daemon.poll() is not None for daemon in self._daemons):
            raise SystemExit("the cluster does not run")
        command = [self.home / "bin" / "spark-submit", "--master", self.url]
        command += ["--properties-file", ROOT / "conf" / "spark-defaults.conf"]
        java = [f"spark.{each}.extraJavaOptions={QUICK}" for each in ("driver", "executor")]
        for setting in (
            "spark.driver.host=127.0.0.1",
            "spark.ui.enabled=false",
            "spark.executor.memory=600m",
            "spark.sql.codegen.wholeStage=false",
            "spark.sql.codegen.factoryMode=NO_CODEGEN",
            *java,
            *settings,
        ):
            command += ["--conf", setting]
        templates = ["--templates", "fused"] if kind == "templates" else []
        command += [
            ROOT / "jobs" / "extract.py",
            *inputs,
            output,
            "--set",
            f"read.split_bytes={SPARK_SPLIT}",
            *templates,
        ]
        return subprocess.Popen(
            [*map(str, command)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=self.environment,
        )

    def processes(self, job: int, what: str) -> list[int]:
        """The processes of a job that are its driver (Java and Python), an executor, or Python of an executor."""
        leaders = {job, *(daemon.pid for daemon in self._daemons)}
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                fields = (path / "stat").read_text().rpartition(")")[2].split()
                command = (path / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if fields[0] == "Z" or int(fields[3]) not in leaders:
                continue
            if int(fields[3]) == job:
                kind = "driver"
            elif "CoarseGrainedExecutorBackend" in command:
                kind = "executor"
            else:
                kind = "python" if "python" in command.partition("\0")[0] else "daemon"
            if kind == what:
                found.append(int(path.name))
        return found

    def close(self) -> None:
        """Ends all processes."""
        for daemon in self._daemons:
            daemon.kill()
        for process in [*self.processes(0, "executor"), *self.processes(0, "python")]:
            os.kill(process, signal.SIGKILL)


class ProgressOf:
    """How far a job has come: the files that were seen in its folder so far, beside those that it writes in all."""

    def __init__(self, output: Path, load: Load, kind: str) -> None:
        partitions = sum(-(-path.stat().st_size // SPARK_SPLIT) for path in load.archives.iterdir())
        # Of a partition: pages, metrics; with templates also what is staged: those two, notes, marks, hosts, counts,
        # evidence and a mark; and keys.
        self.total = partitions * (11 if kind == "templates" else 2)
        self._output, self._seen = output, set[str]()

    def now(self) -> int:
        """The number of files that were seen; one that is written again counts once."""
        for folder, names, files in os.walk(self._output):
            names[:] = [name for name in names if name not in ("_temporary", "_ledger")]
            self._seen.update(f"{folder}/{name}" for name in files if name.startswith("0"))
            if "=" in folder:  # of Spark's own, whose files have another name each time
                self._seen.add(folder)
        return len(self._seen)


def spark_killed(cluster: Cluster, load: Load, folder: Path, kind: str, moments: int, seed: int, what: str) -> Outcome:
    """Processes of a job are killed at random moments of its progress; where that ends the job, the command is given
    again.
    """
    chance = random.Random(seed)
    output = folder / f"spark-{what}-{kind}"
    start = partial(cluster.submit, output, [load.archives, "--input-base-url", load.archives], kind)
    struck, statuses, found = 0, [], None
    progress = ProgressOf(output, load, kind)
    while struck < moments:
        process = start()
        begun, left = time.monotonic(), 1 if what == "driver" else PER_RUN
        reader = Drain(process)
        while process.poll() is None and left and struck < moments:
            so_far = progress.now()
            # The work that is left is cut into as many parts as processes will be killed.
            until = so_far + chance.uniform(0, max(progress.total - so_far, 1)) / left
            while process.poll() is None and progress.now() < until:
                time.sleep(0.1)
            victims = cluster.processes(process.pid, what)
            if process.poll() is None and victims:
                # A machine that disappears takes Java and Python with it; one of them may also die alone.
                for victim in victims if what == "driver" and chance.random() < 0.5 else [chance.choice(victims)]:
                    os.kill(victim, signal.SIGKILL)
                struck, left = struck + 1, left - 1
                print(
                    f"  {kind} {what}: {struck} killed at {progress.now()} of {progress.total} files, "
                    f"{time.monotonic() - begun:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
            else:
                time.sleep(0.1)
        process.wait(timeout=1200)
        statuses.append(process.returncode)
        if process.returncode == 0:
            found = outcome(output, load, kind, struck, statuses)
            if not found.equal or found.missing or found.twice:
                return found
            shutil.rmtree(output)
            progress = ProgressOf(output, load, kind)
        elif process.returncode > 0 or what != "driver":
            print(reader.said[-3000:], file=sys.stderr, flush=True)
            if sum(status > 0 for status in statuses) > MOST_COMMANDS:
                raise SystemExit(f"the job fails by itself: {Counter(statuses)}")
    if found is None or output.exists():
        statuses += until_done(start)
        found = outcome(output, load, kind, struck, statuses)
    return found


class Drain:
    """Reads what a process says, so that it never waits."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.said = ""
        threading.Thread(target=self._read, args=(process.stderr,), daemon=True).start()

    def _read(self, pipe: Any) -> None:
        for line in pipe:
            self.said = (self.said + line)[-20_000:]


def events_of(folder: Path) -> list[dict[str, Any]]:
    """The events of Spark's event log."""
    lines = [line for path in folder.rglob("*") if path.is_file() for line in path.read_text().splitlines()]
    return [json.loads(line) for line in lines if line.startswith("{")]


def logged(folder: Path) -> list[str]:
    """Settings for an event log."""
    folder.mkdir()
    return [
        "spark.eventLog.enabled=true",
        "spark.eventLog.compress=false",
        f"spark.eventLog.dir=file://{folder}",
        "spark.eventLog.rolling.enabled=false",
    ]


SLOW_REQUESTS = 12


def hesitate(left: Counter[str], request: Request) -> bool:
    """Waits before it answers requests for some of the archives, so many times for each."""
    name = request.path.lstrip("/")
    if left[name] > 0:
        left[name] -= 1
        time.sleep(4)
    return False


def speculation(cluster: Cluster, load: Load, folder: Path, kind: str, moments: int, seed: int) -> Outcome:
    """The store is slow with some of the archives, so that another executor begins them as well.

    The fault has struck where two tasks worked on one archive.
    """
    chance = random.Random(seed)
    struck, statuses, found = 0, [], None
    listed = folder / f"speculation-{kind}.paths"
    names = sorted(path.name for path in load.archives.iterdir())
    listed.write_text("".join(f"{name}\n" for name in names))
    settings = [
        "spark.speculation=true",
        "spark.speculation.interval=100ms",
        "spark.speculation.quantile=0.5",
        "spark.speculation.multiplier=1.1",
        "spark.speculation.minTaskRuntime=500ms",
    ]
    n = 0
    while struck < moments and n < moments:
        server = RangeServer(load.archives)
        server.answer = partial(hesitate, Counter(dict.fromkeys(chance.sample(names, 2), SLOW_REQUESTS)))
        output, log = folder / f"speculation-{kind}", folder / f"log-{kind}-{n}"
        shutil.rmtree(output, ignore_errors=True)
        inputs = [listed, "--input-base-url", server.url]
        statuses += until_done(partial(cluster.submit, output, inputs, kind, *settings, *logged(log)))
        server.close()
        struck += sum(
            event["Event"] == "SparkListenerTaskStart" and event["Task Info"]["Speculative"] for event in events_of(log)
        )
        n += 1
        found = outcome(output, load, kind, struck, statuses)
        print(f"  {kind} speculation: {struck} tasks ran twice after {n} jobs", file=sys.stderr, flush=True)
        if not found.equal or found.missing or found.twice:
            break
    assert found
    return found


def allocation(cluster: Cluster, load: Load, folder: Path, kind: str) -> Outcome:
    """Executors come when there is work and go when there is none; the fault has struck where one came or went."""
    output, log = folder / f"allocation-{kind}", folder / f"allocation-log-{kind}"
    settings = [
        "spark.dynamicAllocation.enabled=true",
        "spark.dynamicAllocation.shuffleTracking.enabled=true",
        "spark.dynamicAllocation.shuffleTracking.timeout=2s",
        "spark.dynamicAllocation.minExecutors=0",
        "spark.dynamicAllocation.initialExecutors=0",
        "spark.dynamicAllocation.maxExecutors=2",
        "spark.dynamicAllocation.executorIdleTimeout=1s",
        "spark.dynamicAllocation.schedulerBacklogTimeout=1s",
    ]
    inputs = [load.archives, "--input-base-url", load.archives]
    statuses = until_done(partial(cluster.submit, output, inputs, kind, *settings, *logged(log)), most=1)
    names = ("SparkListenerExecutorAdded", "SparkListenerExecutorRemoved")
    struck = sum(event["Event"] in names for event in events_of(log))
    return outcome(output, load, kind, struck, statuses)


def sparks(folder: Path, moments: int, seed: int, kinds: list[str], which: list[str]) -> list[tuple[str, Outcome]]:
    """Each fault of a job on Spark, with and without templates."""
    load = make(folder / "spark", *SPARK_LOAD)
    cluster = Cluster(folder)
    found: list[tuple[str, Outcome]] = []

    def add(name: str, kind: str, result: Outcome) -> None:
        found.append((f"{name}, {'with' if kind == 'templates' else 'without'} templates", result))
        print(result.line(found[-1][0]), flush=True)

    try:
        for kind in kinds:
            if "allocation" in which:
                add("dynamic allocation, executors come and go", kind, allocation(cluster, load, folder, kind))
            killed_parts = {"driver": "driver", "executor": "executor", "python": "Python process of an executor"}
            for what in [each for each in killed_parts if each in which]:
                add(
                    f"{killed_parts[what]} killed (kill -9) at random moments",
                    kind,
                    spark_killed(cluster, load, folder, kind, moments, seed, what),
                )
            if "speculation" in which:
                add(
                    "slow store: tasks that speculation ran twice",
                    kind,
                    speculation(cluster, load, folder, kind, moments, seed),
                )
    finally:
        cluster.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="store,bucket,run,manifest,spark")
    parser.add_argument("--kinds", default="plain,templates", help="of the runs that meet faults of runs")
    parser.add_argument("--moments", type=int, default=20)
    parser.add_argument("--spark", default="driver,executor,python,speculation,allocation")
    parser.add_argument("--archives", type=int, default=24)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.environ["no_proxy"] = "127.0.0.1,localhost"
    with tempfile.TemporaryDirectory(prefix="thresher-faults-") as name:
        folder = Path(name)
        load = make(folder / "load", arguments.archives, arguments.pages)
        print("| fault | struck | exit statuses until done | cost |\n|---|---|---|---|", flush=True)
        parts: dict[str, Callable[[], list[tuple[str, Outcome]]]] = {
            "store": lambda: stores(load, folder, arguments.seed),
            "bucket": lambda: unwritable(load),
            "run": lambda: runs(load, folder, arguments.moments, arguments.seed, arguments.kinds.split(",")),
            "spark": lambda: sparks(
                folder, arguments.moments, arguments.seed, arguments.kinds.split(","), arguments.spark.split(",")
            ),
            "manifest": lambda: manifest(make(folder / "listing", 200, 2), folder, arguments.seed),
        }
        found = [each for part in arguments.only.split(",") for each in parts[part]()]
    sys.exit(int(any(not each.equal or each.missing or each.twice for _, each in found)))


if __name__ == "__main__":
    main()
