# SPDX-License-Identifier: Apache-2.0
"""A run from start to exit status on one machine: workers that die, hang or are stopped, in both passes; nothing left
behind.
"""

import functools
import gzip
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import deadly_worker
import pytest
from halting import start_and_halt
from heard import Heard
from in_process import extract_here
from run_rows import rows_of
from small_archive import page, write_archive, write_archives
from waiting import Clock, wait_for

from thresher.after.report import rows_digest
from thresher.config import load_configuration
from thresher.errors import RunError
from thresher.reading.captures import WarcReading
from thresher.reading.progress import Progress
from thresher.running import crew, supervisor
from thresher.running.engine import LocalEngine, run_steps
from thresher.running.execute import execute
from thresher.running.outcome import inspect_run
from thresher.running.pipeline import PartitionMaker
from thresher.running.run import EXIT_INCOMPLETE, EXIT_OK, Run, start_run
from thresher.running.supervisor import Supervisor
from thresher.running.worker_process import N_SLOTS
from thresher.templates import second_pass
from thresher.templates.deciding import SecondPass
from thresher.writing.run_folder import RunFolder


def begin(archive: Path, output: Path, **knobs: object) -> Run:
    settings = {"run.workers": 2, "run.max_error_ratio": 1.0, **{k.replace("__", "."): v for k, v in knobs.items()}}
    return start_run([str(archive)], str(output), load_configuration(None, settings))


def run_to_its_end(archive: Path, output: Path, *, fork: bool = True, **knobs: object) -> tuple[int, list[str]]:
    run, heard = begin(archive, output, **knobs), Heard()
    status = execute(run, partial(LocalEngine, fork=fork), heard, second_pass=second_pass)
    run.folder.close_run()
    return status, heard.said.splitlines()


def archive_of(path: Path, kinds: dict[int, str], n: int = 30) -> tuple[Path, list[str]]:
    """An archive whose page k is called after kinds[k]; its URLs."""
    names = [f"https://site.example/{kinds.get(k, 'page')}/{k}" for k in range(n)]
    return write_archive(path / "a.warc.gz", {url: page(k) for k, url in enumerate(names)}), names


def let_time_pass_for_hanging_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The supervisor's clock moves by a minute at each look, while a process lives that wrote its number into `folder`.

    However slow the machine is, no other process seems to make no progress.
    """
    monkeypatch.setenv("THRESHER_TEST_HANGING", str(folder))

    class MovingClock(Clock):
        def monotonic(self) -> float:
            if any(os.path.exists(f"/proc/{path.name}") for path in folder.glob("[1-9]*")):
                self.now += 60
            return self.now

    monkeypatch.setattr(supervisor, "time", MovingClock())


# --- pages that kill or hang ---


@pytest.mark.parametrize(("fork", "deadly"), [(False, [7]), (True, [7, 22])], ids=["spawned", "forked"])
def test_page_that_kills_workers_is_given_up_and_the_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, fork: bool, deadly: list[int]
) -> None:
    monkeypatch.setattr("thresher.running.worker_process.work", deadly_worker.work)
    archive, names = archive_of(tmp_path, dict.fromkeys(deadly, "deadly"))
    assert run_to_its_end(archive, tmp_path / "out", fork=fork, read__split_bytes=4000)[0] == EXIT_OK
    found = {row["url"]: row for row in rows_of(tmp_path / "out")}
    assert sorted(found) == sorted(names)
    assert {url for url, row in found.items() if row["status"] != "ok"} == {names[k] for k in deadly}
    letters = rows_of(tmp_path / "out", "dead_letter")
    assert sorted((letter["url"], letter["stage"], letter["error_class"]) for letter in letters) == sorted(
        (names[k], "worker", "PageGivenUp") for k in deadly
    )


def test_more_deaths_than_a_partition_has_cost_no_other_page_where_pages_explain_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.running.worker_process.work", deadly_worker.work)
    archive, names = archive_of(tmp_path, dict.fromkeys(range(0, 30, 6), "deadly"))  # all in one partition
    assert run_to_its_end(archive, tmp_path / "out")[0] == EXIT_OK
    found = {row["url"]: row for row in rows_of(tmp_path / "out")}
    assert sorted(found) == sorted(names)
    assert [found[url]["status"] for url in names] == ["error" if "deadly" in url else "ok" for url in names]
    report = inspect_run(str(tmp_path / "out"))
    assert (report.errors, report.lost, report.unaccounted) == ({"worker: PageGivenUp": 5}, 0, 0)


def test_a_page_that_kills_costs_no_other_page_of_its_gzip_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All records of an archive that is one gzip member have the same offset."""
    monkeypatch.setattr("thresher.running.worker_process.work", deadly_worker.work)
    archive, names = archive_of(tmp_path, {7: "deadly"}, n=20)
    path = Path(archive)
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), mtime=0))
    assert run_to_its_end(archive, tmp_path / "out")[0] == EXIT_OK
    found = {row["url"]: row for row in rows_of(tmp_path / "out")}
    assert [url for url, row in found.items() if row["status"] != "ok"] == [names[7]]
    assert sorted(found) == sorted(names)
    assert {row["warc_record_offset"] for row in found.values()} == {0}


def test_page_that_hangs_is_stopped_and_the_log_says_where_and_after_how_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("thresher.running.worker_process.work", deadly_worker.work)
    let_time_pass_for_hanging_processes(tmp_path, monkeypatch)
    archive, names = archive_of(tmp_path, {4: "hanging"})
    assert run_to_its_end(archive, tmp_path / "out", run__workers=1, run__stall_seconds=100.0)[0] == EXIT_OK
    found = {row["url"]: row for row in rows_of(tmp_path / "out")}
    assert {url for url, row in found.items() if row["status"] != "ok"} == {names[4]}
    offset = found[names[4]]["warc_record_offset"]
    assert (
        f"no progress for 120 s: partition 00000-0000 of {archive}, while extracting the page at offset {offset}"
        in (caplog.text)
    )


def test_record_that_kills_while_it_is_read_is_a_dead_letter_and_the_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, names = archive_of(tmp_path, {9: "deadly"})
    judge = WarcReading._judge

    def kill(self: WarcReading, record: Any) -> Any:
        if "/deadly" in (record.headers.get("warc-target-uri") or "") and record.kind == "response":
            os.kill(os.getpid(), signal.SIGKILL)
        return judge(self, record)

    monkeypatch.setattr(WarcReading, "_judge", kill)
    assert run_to_its_end(archive, tmp_path / "out")[0] == EXIT_OK
    assert sorted(row["url"] for row in rows_of(tmp_path / "out")) == sorted(url for url in names if url != names[9])
    (letter,) = rows_of(tmp_path / "out", "dead_letter")
    assert (letter["url"], letter["stage"], letter["error_class"]) == (names[9], "worker", "PageGivenUp")
    report = inspect_run(str(tmp_path / "out"))
    assert (report.lost, report.unaccounted, report.skipped["not_response"]) == (0, 0, 61)


def test_reading_what_is_no_page_is_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At each record the numbers in shared memory differ from those at the record before."""
    images = {f"https://site.example/{k}.jpg": b"\xff\xd8\xff" + os.urandom(30_000) for k in range(30)}
    run = begin(write_archive(tmp_path / "a.warc.gz", images), tmp_path / "out")
    slots = [0] * N_SLOTS
    seen: list[tuple[int, ...]] = []
    judge = WarcReading._judge

    def look(self: WarcReading, record: Any) -> Any:
        seen.append(tuple(slots))
        return judge(self, record)

    monkeypatch.setattr(WarcReading, "_judge", look)
    assert extract_here(run, slots=slots) == ["00000-0000"]
    assert len(seen) == 91  # with the one that says who wrote the archive
    assert all(before != after for before, after in pairwise(seen))
    assert inspect_run(str(tmp_path / "out")).skipped == {"not_response": 61, "not_html": 30}
    run.folder.close_run()


def test_partition_that_ends_every_worker_is_lost_and_tried_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, _ = archive_of(tmp_path, {})
    extract = PartitionMaker.extract_partition

    def kill(self: PartitionMaker, partition: Any, **options: Any) -> Any:
        if partition.number == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return extract(self, partition, **options)

    monkeypatch.setattr(PartitionMaker, "extract_partition", kill)
    status, said = run_to_its_end(archive, tmp_path / "out", read__split_bytes=4000)
    assert status == EXIT_INCOMPLETE
    assert "1 partition is missing" in said[-1]
    report = inspect_run(str(tmp_path / "out"))
    assert report.errors == {"worker: WorkerDied": 1}
    assert "killed by SIGKILL" in report.examples[0]["message"]
    assert 0 < report.pages < 30
    monkeypatch.setattr(PartitionMaker, "extract_partition", extract)
    assert run_to_its_end(archive, tmp_path / "out", read__split_bytes=4000)[0] == EXIT_OK
    report = inspect_run(str(tmp_path / "out"))
    assert (report.pages, report.errors, report.unaccounted) == (30, {}, 0)


def test_the_reason_named_is_that_of_what_is_missing(tmp_path: Path) -> None:
    archive, _ = archive_of(tmp_path, {})
    archive.write_bytes(archive.read_bytes() + b"damaged " * 4)
    (tmp_path / "paths.txt").write_text(f"{archive.name}\nnone.warc.gz\n")
    status, said = run_to_its_end(tmp_path / "paths.txt", tmp_path / "out")
    assert inspect_run(str(tmp_path / "out")).errors == {"read: DamagedFile": 1, "worker: InputError": 1}
    assert (status, "; the first: " in said[-1]) == (EXIT_INCOMPLETE, True)
    assert "none.warc.gz: No such file or directory. Run the same command again" in said[-1]
    assert said[-1].count("none.warc.gz") == 1


@pytest.mark.parametrize(
    ("error", "verb"),
    [
        (OSError(28, "No space left on device"), "write to"),
        (OSError(24, "Too many open files"), "continue"),
        (FileNotFoundError(2, "No such file or directory"), "continue"),
    ],
)
def test_failure_to_write_in_mid_run_is_exit_status_4_and_the_same_command_goes_on(
    error: OSError, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, _ = archive_of(tmp_path, {})
    commit = RunFolder.commit

    def full(self: RunFolder, partition: str, files: Any) -> None:
        if partition == "00000-0001":
            raise error
        commit(self, partition, files)

    monkeypatch.setattr(RunFolder, "commit", full)
    status, said = run_to_its_end(archive, tmp_path / "out", read__split_bytes=4000)
    assert status == EXIT_INCOMPLETE
    assert said[-1].startswith(f"Error: cannot {verb} {tmp_path / 'out'}: {error}")
    monkeypatch.setattr(RunFolder, "commit", commit)
    status, said = run_to_its_end(archive, tmp_path / "out", read__split_bytes=4000)
    assert (status, said[0]) == (EXIT_OK, f"Resuming {tmp_path / 'out'}: 1 of 1 input left.")
    assert inspect_run(str(tmp_path / "out")).pages == 30


# --- the second pass ---

SPLIT = ["--set", "read.split_bytes=4000"]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "archives"
    write_archives(folder, archives=2, pages=20)
    return folder


@pytest.fixture(scope="module")
def fused(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the rows of an undisturbed run with templates."""
    output = tmp_path_factory.mktemp("fused") / "out"
    assert run_to_its_end(archives, output, templates__mode="fused", read__split_bytes=4000)[0] == EXIT_OK
    return rows_digest(str(output))


def once(tmp_path: Path, method: Callable[..., Any], act: Callable[[], object]) -> Callable[..., Any]:
    """A method that acts before its first call, in whichever process that is, and then does what it did."""

    @functools.wraps(method)
    def acting(self: SecondPass, name: str, progress: Progress) -> Any:
        with suppress(FileExistsError):
            (tmp_path / f"acted-{method.__name__}").touch(exist_ok=False)
            (tmp_path / str(os.getpid())).touch()
            act()
        return method(self, name, progress)

    return acting


@pytest.mark.parametrize(
    ("step", "how"),
    [
        ("count", "killed"),
        ("decide", "stopped"),
        pytest.param("count", "stopped", marks=pytest.mark.nightly),
        pytest.param("decide", "killed", marks=pytest.mark.nightly),
    ],
)
def test_worker_of_the_second_pass_that_is_killed_or_stopped_is_replaced(
    archives: Path,
    fused: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    step: str,
    how: str,
) -> None:
    number = signal.SIGKILL if how == "killed" else signal.SIGSTOP
    method = once(tmp_path, getattr(SecondPass, step), lambda: os.kill(os.getpid(), number))
    monkeypatch.setattr(SecondPass, step, method)
    let_time_pass_for_hanging_processes(tmp_path, monkeypatch)
    knobs = {"templates__mode": "fused", "read__split_bytes": 4000, "run__stall_seconds": 100.0, "run__workers": 1}
    assert run_to_its_end(archives, tmp_path / "out", **knobs)[0] == EXIT_OK
    assert ("made no progress for 120 s" if how == "stopped" else "killed by SIGKILL") in caplog.text
    assert rows_digest(str(tmp_path / "out")) == fused


def test_step_that_ends_every_worker_is_exit_status_4_and_the_same_command_goes_on(
    archives: Path, fused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @functools.wraps(SecondPass.decide)
    def kill(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    decide = SecondPass.decide
    monkeypatch.setattr(SecondPass, "decide", kill)
    knobs = {"templates__mode": "fused", "read__split_bytes": 4000}
    status, said = run_to_its_end(archives, tmp_path / "out", **knobs)
    assert (status, "killed by SIGKILL" in said[-1], "to resume" in said[-1]) == (EXIT_INCOMPLETE, True, True)
    monkeypatch.setattr(SecondPass, "decide", decide)
    assert run_to_its_end(archives, tmp_path / "out", **knobs)[0] == EXIT_OK
    assert rows_digest(str(tmp_path / "out")) == fused


def test_page_that_kills_when_it_is_decided_again_keeps_its_first_choice(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # Pages in Markdown are read once more to be decided again.
    knobs = {"templates__mode": "fused", "extract__format": "markdown", "extract__extractors": ["all"]}
    assert run_to_its_end(archives, tmp_path / "whole", **knobs)[0] == EXIT_OK
    deadly = "https://www.site3.co.uk/0/8"
    extract_page = PartitionMaker.extract_page

    def kill(self: PartitionMaker, capture: Any, **options: Any) -> Any:
        if capture.url == deadly and options.get("unwanted") is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return extract_page(self, capture, **options)

    monkeypatch.setattr(PartitionMaker, "extract_page", kill)
    assert run_to_its_end(archives, tmp_path / "out", **knobs)[0] == EXIT_OK
    assert "killed by SIGKILL" in caplog.text
    whole, found = ({row["url"]: row["text"] for row in rows_of(tmp_path / name)} for name in ("whole", "out"))
    assert {url for url in whole if whole[url] != found[url]} == {deadly}
    assert "Imprint" in found[deadly]
    assert "Imprint" not in whole[deadly]
    report = inspect_run(str(tmp_path / "out"))
    assert report.errors == {"templates: NotDecidedAgain": 1}
    assert report.examples[0]["url"] == deadly
    assert "two worker processes died or hung over this page" in report.examples[0]["message"]


def fused_command(archives: Path, output: Path) -> list[str]:
    command = [
        sys.executable, "-m", "thresher.commands.main", "extract", archives, "-o", output, "--templates", "fused",
    ]  # fmt: skip
    return [*map(str, command), "--workers", "2", *SPLIT]


@pytest.mark.parametrize(
    "moment", ["_staging/counts/0*", pytest.param("_staging/_decided/0*", marks=pytest.mark.nightly)]
)
def test_killed_in_the_second_pass_it_leaves_no_process_behind_and_goes_on(
    archives: Path, fused: str, tmp_path: Path, moment: str
) -> None:
    command = fused_command(archives, tmp_path / "out")
    process = start_and_halt(
        command, moment, tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    wait_for(
        lambda: process.stdout.read() == b"", "for the end of standard output, which ends when the last process does"
    )
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert rows_digest(str(tmp_path / "out")) == fused


def test_what_duckdb_says_is_a_message_and_exit_status_4(
    archives: Path, fused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("thresher.templates.passes.EVIDENCE", "SELECT nobody AS partition FROM {counts}")
        status, said = run_to_its_end(archives, tmp_path / "out", templates__mode="fused", read__split_bytes=4000)
    assert status == EXIT_INCOMPLETE
    assert "DuckDB could not count: " in said[-1]
    assert "nobody" in said[-1]
    assert run_to_its_end(archives, tmp_path / "out", templates__mode="fused", read__split_bytes=4000)[0] == EXIT_OK
    assert rows_digest(str(tmp_path / "out")) == fused


@pytest.mark.nightly
def test_too_few_handles_for_counting_is_a_message_and_exit_status_4(
    archives: Path, fused: str, tmp_path: Path
) -> None:
    command = fused_command(archives, tmp_path / "out")
    # How many handles counting takes depends on DuckDB: 1.x fails with 40, 2.0 needs 17.
    for limit in (40, 16, 12):
        few = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (limit, limit)),
        )
        if few.returncode != 0:
            break
        assert rows_digest(str(tmp_path / "out")) == fused
        shutil.rmtree(tmp_path / "out")
    assert few.returncode == 4, few.stderr
    assert "Traceback" not in few.stderr
    assert "Too many open files" in few.stderr
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert rows_digest(str(tmp_path / "out")) == fused


def test_staging_left_by_a_run_that_was_killed_while_removing_it_is_removed(archives: Path, tmp_path: Path) -> None:
    knobs = {"templates__mode": "fused"}
    assert run_to_its_end(archives, tmp_path / "out", **knobs)[0] == EXIT_OK
    (tmp_path / "out" / "_staging" / "notes").mkdir(parents=True)
    (tmp_path / "out" / "_staging" / "notes" / "00000-0000.arrow").write_bytes(b"")
    assert run_to_its_end(archives, tmp_path / "out", **knobs)[0] == EXIT_OK
    assert not (tmp_path / "out" / "_staging").exists()


def test_partition_lost_in_the_first_pass_is_counted_with_the_others_when_it_comes(
    archives: Path, fused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extract = PartitionMaker.extract_partition

    def fail(self: PartitionMaker, partition: Any, **options: Any) -> Any:
        if partition.name == "00001-0001":
            raise MemoryError
        return extract(self, partition, **options)

    monkeypatch.setattr(PartitionMaker, "extract_partition", fail)
    knobs = {"templates__mode": "fused", "read__split_bytes": 4000}
    assert run_to_its_end(archives, tmp_path / "out", **knobs)[0] == EXIT_INCOMPLETE
    monkeypatch.setattr(PartitionMaker, "extract_partition", extract)
    assert run_to_its_end(archives, tmp_path / "out", **knobs)[0] == EXIT_OK
    assert rows_digest(str(tmp_path / "out")) == fused


def test_nothing_is_left_of_partitions_that_were_decided_and_are_not_there_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive that has grown, and is cut into fewer partitions."""
    archive, _ = archive_of(tmp_path, {})
    whole = archive.read_bytes()
    knobs = {"templates__mode": "fused", "read__split_bytes": len(whole) * 10 // 46}
    assert run_to_its_end(archive, tmp_path / "whole", **knobs)[0] == EXIT_OK
    extract = PartitionMaker.extract_partition

    def fail(self: PartitionMaker, partition: Any, **options: Any) -> Any:
        if partition.number == 1:
            raise MemoryError
        return extract(self, partition, **options)

    monkeypatch.setattr(PartitionMaker, "extract_partition", fail)
    archive.write_bytes(whole[: len(whole) * 44 // 46])
    assert run_to_its_end(archive, tmp_path / "out", **knobs)[0] == EXIT_INCOMPLETE
    monkeypatch.setattr(PartitionMaker, "extract_partition", extract)
    archive.write_bytes(whole)
    assert run_to_its_end(archive, tmp_path / "out", **knobs)[0] == EXIT_OK
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(tmp_path / "whole"))


@pytest.mark.parametrize(
    ("name", "neighbour"),
    [
        ("out[1] it's {so}", "out1 it's so"),
        pytest.param("q?", "qx", marks=pytest.mark.nightly),
        pytest.param("a*", "ab", marks=pytest.mark.nightly),
        pytest.param('quo"te', "quote", marks=pytest.mark.nightly),
    ],
)
def test_names_that_look_like_patterns(archives: Path, fused: str, tmp_path: Path, name: str, neighbour: str) -> None:
    # A folder that the pattern matches, with the staged notes of other pages in it.
    run = begin(archives, tmp_path / neighbour, templates__mode="fused")
    assert run.first_pass is not None
    with LocalEngine(run) as engine:
        engine.extract(lambda _: None)
    run.first_pass.folder.close_run()
    run.folder.close_run()
    assert run_to_its_end(archives, tmp_path / name, templates__mode="fused", read__split_bytes=4000)[0] == EXIT_OK
    assert rows_digest(str(tmp_path / name)) == fused


def test_idle_worker_that_was_stopped_does_not_keep_its_supervisor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "_LEAVE", 0.1)
    with Supervisor(load_configuration(), "unused", 1) as workers:
        with pytest.raises(RunError, match="made up"):
            run_steps(workers, failing_step, ["a"])
        (child,) = multiprocessing.active_children()
        os.kill(child.pid, signal.SIGSTOP)
    assert not multiprocessing.active_children()


def failing_step(partition: str, progress: Progress) -> int:
    message = f"made up of {partition} and {type(progress).__name__}"
    raise ValueError(message)
