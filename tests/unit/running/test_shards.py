# SPDX-License-Identifier: Apache-2.0
"""A run in shards and in waves: joined, it is the run that one command makes."""

import itertools
import json
import shutil
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from heard import Heard
from in_process import extract_here
from small_archive import write_archives

from thresher.address import Address
from thresher.after.report import rows_digest
from thresher.commands.extract import extract
from thresher.commands.main import main
from thresher.commands.merge import merge as command
from thresher.config import load_configuration
from thresher.errors import OutputError
from thresher.reading.index import Index
from thresher.rows.answers import Answer, all_are_merged, keep_answers
from thresher.running import plan as planning
from thresher.running.engine import LocalEngine
from thresher.running.execute import execute
from thresher.running.outcome import inspect_run
from thresher.running.run import EXIT_INCOMPLETE, Run, start_run
from thresher.running.shards import merge, parse_shard, shard_folder
from thresher.schemas import ASKED, TABLES
from thresher.templates import second_pass
from thresher.writing.storage import Storage

N = 3


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards") / "archives"
    write_archives(folder, archives=5, pages=8)
    whole = (folder / "crawl-4.warc.gz").read_bytes()
    (folder / "crawl-4.warc.gz").write_bytes(whole[:-500])  # a dead letter
    return folder


@pytest.fixture(scope="module")
def undisturbed(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("undisturbed") / "out"
    finish(begin(archives, output))
    return output


def begin(archives: Path, output: Path, *, index: Index | None = None) -> Run:
    sources = [] if index else [str(archives)]
    return start_run(sources, str(output), load_configuration(None, {"run.max_error_ratio": 1.0}), index=index)


def finish(run: Run) -> list[str]:
    names = extract_here(run)
    run.folder.close_run()
    return names


def work_on(archives: Path, output: Path, number: int, **options: Any) -> list[str]:
    shard = number, N
    return finish(begin(archives, Path(shard_folder(str(output), shard)), **options).in_shard(shard))


def tables(output: Path) -> dict[str, str]:
    return {table: rows_digest(str(output), table) for table in TABLES if table not in {"templates", *ASKED}}


def test_shards_join_to_the_run_of_one_command(archives: Path, undisturbed: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    names = [work_on(archives, output, number) for number in range(1, N + 1)]
    assert names == [["00000-0000", "00003-0000"], ["00001-0000", "00004-0000"], ["00002-0000"]]
    done = merge(str(output))
    assert (done.shards, done.inputs, done.pages) == (N, 5, inspect_run(str(undisturbed)).pages)
    assert tables(output) == tables(undisturbed)
    assert sorted(path.relative_to(output) for path in output.rglob("*")) == sorted(
        path.relative_to(undisturbed) for path in undisturbed.rglob("*")
    )
    again = begin(archives, output)  # the merged folder is a run that is finished
    assert again.resumed
    assert not again.pending
    again.folder.close_run()


def test_shards_of_an_index(archives: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.running.indexed.LEAST_GROUP_BYTES", 4000)
    index = Index((str(undisturbed / "pages"),))
    for number in range(1, N + 1):
        assert work_on(archives, tmp_path / "out", number, index=index)
    merge(str(tmp_path / "out"))
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(undisturbed))
    again = begin(archives, tmp_path / "out", index=index)
    assert not again.pending
    again.folder.close_run()


def test_what_is_missing_unfinished_or_damaged_is_not_joined(archives: Path, undisturbed: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    with pytest.raises(OutputError, match="holds no shards"):
        merge(str(output))
    for number in (1, 3):
        work_on(archives, output, number)
    with pytest.raises(OutputError, match="1 of 3 shards are missing, such as 2/3"):
        merge(str(output))
    run = begin(archives, Path(shard_folder(str(output), (2, N)))).in_shard((2, N))
    extract_here(run, at_most=1)
    run.folder.close_run()
    with pytest.raises(OutputError, match="1 of 2 inputs are not finished; give the command of this shard again"):
        merge(str(output))
    work_on(archives, output, 2)
    pages = output / "_shards" / "00002-of-00003" / "pages" / "00001-0000.parquet"
    whole = pages.read_bytes()
    pq.write_table(pq.read_table(pages, partitioning=None).slice(1), pages)
    with pytest.raises(OutputError, match="has 7 rows, and the ledger says 8"):
        merge(str(output))
    pages.unlink()
    with pytest.raises(OutputError, match="the pages of partition 00001-0000 are missing"):
        merge(str(output))
    pages.write_bytes(whole)
    assert not (output / "pages").exists()  # nothing was moved
    merge(str(output))
    assert tables(output) == tables(undisturbed)


def test_a_merge_that_is_killed_can_be_given_again(
    archives: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thresher.writing.storage import Storage

    first = tmp_path / "first"
    for number in range(1, N + 1):
        work_on(archives, first, number)
    real = Storage.move
    for at in range(0, 24, 3):
        output = tmp_path / f"out{at}"
        shutil.copytree(first, output)
        left = [at]

        def move(self: Storage, source: str, target: str, left: list[int] = left) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            real(self, source, target)

        with monkeypatch.context() as patch:
            patch.setattr(Storage, "move", move)
            with pytest.raises(KeyboardInterrupt):
                merge(str(output))
        merge(str(output))
        assert tables(output) == tables(undisturbed), at
    remove = Storage.remove

    def begin_to_remove(self: Storage, name: str) -> None:
        if name == "_shards":
            remove(self, "_shards/00001-of-00003")
            raise KeyboardInterrupt
        remove(self, name)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "remove", begin_to_remove)
        with pytest.raises(KeyboardInterrupt):
            merge(str(first))
    assert (merge(str(first)).shards, (first / "_shards").exists()) == (N, False)
    assert tables(first) == tables(undisturbed)


def test_a_folder_with_shards_takes_no_other_run(archives: Path, tmp_path: Path) -> None:
    work_on(archives, tmp_path / "out", 1)
    with pytest.raises(OutputError, match="join them first"):
        begin(archives, tmp_path / "out")


@pytest.mark.parametrize("after", [[], ["compact"]], ids=["merged", "compacted"])
def test_a_run_takes_no_shards(archives: Path, tmp_path: Path, after: list[str]) -> None:
    """A job that is started again after `merge` and `compact` would bring its pages twice."""
    output = str(tmp_path / "out")
    shards = [["extract", str(archives), "-o", output, "--shard", f"{number}/2"] for number in (1, 2)]
    for arguments in (*shards, ["merge", output], *([name, output] for name in after)):
        assert CliRunner().invoke(main, arguments).exit_code == 0
    before = rows_digest(output)
    done = CliRunner().invoke(main, shards[0])
    assert (done.exit_code, "holds a run already, and takes no shards" in done.output) == (2, True)
    assert rows_digest(output) == before


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/3/5", "1/999999"])
def test_shards_that_cannot_be(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match="is no shard"):
        parse_shard(text)
    done = CliRunner().invoke(extract, [str(tmp_path), "-o", str(tmp_path / "out"), "--shard", text])
    assert done.exit_code == 2
    assert "is no shard" in done.output


def test_a_shard_whose_answers_are_not_in_all_rows_is_not_joined(archives: Path, tmp_path: Path) -> None:
    output = str(tmp_path / "out")
    for number in (1, 2):
        configuration = load_configuration(None, {"run.max_error_ratio": 1.0})
        finish(start_run([str(archives)], shard_folder(output, (number, 2)), configuration).in_shard((number, 2)))
    second = Storage(shard_folder(output, (2, 2)))
    keep_answers(second, {"crawl-1.warc.gz": {Address(0): Answer("an answer", "model")}})
    with pytest.raises(OutputError, match="merged answers are not in all of its rows; give thresher merge"):
        merge(output)
    all_are_merged(second)
    merge(output)
    assert Storage(output).names("_answers") == {"00000.parquet"}


def test_the_commands(archives: Path, undisturbed: Path, tmp_path: Path) -> None:
    output = str(tmp_path / "out")
    for number in range(1, N + 1):
        arguments = [str(archives), "-o", output, "--shard", f"{number}/{N}", "--workers", "1"]
        done = CliRunner().invoke(extract, [*arguments, "--max-error-ratio", "1"])
        assert done.exit_code == 0, done.output
    plan = json.loads((tmp_path / "out" / "_shards" / "00002-of-00003" / "_plan.json").read_text())
    assert (plan["shard"], plan["inputs"], plan["inputs_of_shard"], plan["done"], plan["left"]) == ("2/3", 5, 2, 2, 0)
    assert [each["ended"]["how"] for each in plan["commands"]] == ["done"]
    for _ in range(2):  # killed at its very end, it would be given again
        done = CliRunner().invoke(command, [output])
        assert done.exit_code == 0, done.output
        assert "3 shards, 5 inputs, 40 pages" in done.output
        assert rows_digest(output) == rows_digest(str(undisturbed))


def test_a_run_with_limited_hours_ends_and_goes_on(
    archives: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock of the queue moves half an hour with each look at it."""
    from thresher.running import execute as executing
    from thresher.running import partition_queue

    ends = []
    for _ in range(9):
        settings = {"run.limit_hours": 1.0, "run.workers": 1, "run.max_error_ratio": 1.0}
        run, heard = start_run([str(archives)], str(tmp_path / "out"), load_configuration(None, settings)), Heard()
        moments = iter(range(10_000))

        class Clock:
            @staticmethod
            def time(begun: float = run.begun, moments: Any = moments) -> float:
                return begun + 1000 * next(moments)

            @staticmethod
            def monotonic() -> float:
                return 0.0

        monkeypatch.setattr(partition_queue, "time", Clock)
        monkeypatch.setattr(executing, "time", Clock)
        ends.append(execute(run, LocalEngine, heard, second_pass=second_pass))
        if ends[-1] == 0:
            break
        assert "The time of --limit-hours is over" in heard.said
    assert len(ends) > 1
    assert set(ends[:-1]) == {EXIT_INCOMPLETE}
    assert ends[-1] == 0
    assert tables(tmp_path / "out") == tables(undisturbed)
    plan = json.loads((tmp_path / "out" / "_plan.json").read_text())
    assert [each["ended"]["how"] for each in plan["commands"]] == ["incomplete"] * (len(ends) - 1) + ["done"]
    assert sum(each["inputs_done"] for each in plan["commands"]) == plan["inputs"] == 5


def test_a_clock_that_jumps_costs_nothing(
    archives: Path, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at the machine's clock finds it days earlier or later than the last."""
    now, days, left = time.time, itertools.cycle((0, 9, -9, 3)), []
    monkeypatch.setattr(time, "time", lambda: now() + 86_400 * next(days))
    monkeypatch.setattr(planning, "EVERY", 0.0)
    update = planning.PlanFile.update

    def update_and_look(plan: planning.PlanFile, ended: str | None = None) -> None:
        update(plan, ended)
        left.append(json.loads((tmp_path / "out" / "_plan.json").read_text())["hours_left"])

    monkeypatch.setattr(planning.PlanFile, "update", update_and_look)
    settings = {"run.workers": 2, "run.max_error_ratio": 1.0}
    run = start_run([str(archives)], str(tmp_path / "out"), load_configuration(None, settings))
    assert execute(run, LocalEngine, Heard(), second_pass=second_pass) == 0
    assert tables(tmp_path / "out") == tables(undisturbed)
    assert all(0 <= hours < 1 for hours in left if hours is not None)
    assert inspect_run(str(tmp_path / "out")).state == "finished"
