# SPDX-License-Identifier: Apache-2.0
"""What failed in a run is tried again: afterwards every table is that of a run in which nothing failed."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from in_process import InProcess
from run_rows import rows_of
from small_archive import page, write_archive, write_archives

from thresher.after.report import rows_digest
from thresher.after.retrying import Choice, reopen, retries_of
from thresher.commands.extract import extract
from thresher.commands.main import main
from thresher.commands.retry import retry as command
from thresher.config import load_configuration
from thresher.errors import ConfigError
from thresher.native.scoring.model import MODEL_FILE
from thresher.page.page_extractor import PageExtractor
from thresher.reading.captures import WarcReading
from thresher.reading.index import Index
from thresher.running import run
from thresher.running.execute import execute
from thresher.running.outcome import inspect_run
from thresher.running.partition_queue import PartitionQueue
from thresher.running.pipeline import PartitionMaker
from thresher.running.run import EXIT_STOPPED, Run, continue_run, start_run
from thresher.schemas import ASKED, TABLES
from thresher.templates import second_pass
from thresher.writing.storage import Storage

SETTINGS = {"run.max_error_ratio": 1.0, "read.split_bytes": 20_000, "write.blocks": True}


def started(source: Path, output: Path, **settings: object) -> Run:
    """A run whose rows name archives by their place in `source`, so that they are those of any copy of it."""
    changed = {name.replace("__", "."): value for name, value in settings.items()}
    configuration = load_configuration(None, SETTINGS | changed)
    return start_run([str(source)], str(output), configuration, base_url=str(source))


def run_over(source: Path, output: Path, **settings: object) -> None:
    execute(started(source, output, **settings), InProcess, second_pass=second_pass)


def retry(output: Path, choice: Choice | None = None) -> tuple[int, int]:
    """Tries again; how many dead letters were chosen, and the exit status."""
    run = continue_run(str(output), {})
    plan = retries_of(run, choice or Choice())
    status = execute(reopen(run, plan.partitions), InProcess, second_pass=second_pass)
    run.folder.lock.release()  # as when this process ends
    return plan.n, status


def tables(output: Path) -> dict[str, Any]:
    """All rows of all tables without what was measured, and the order of the pages."""
    order = [
        url
        for path in sorted(output.glob("pages/0*.parquet"))
        for url in pq.read_table(path, columns=["url"])["url"].to_pylist()
    ]
    tables = [table for table in TABLES if table not in {"templates", *ASKED}]
    found: dict[str, Any] = {table: rows_digest(str(output), table) for table in tables}
    return found | {"order": order, "metrics": metrics(output)}


def metrics(output: Path) -> list[dict[str, Any]]:
    """The rows of `metrics` without what was measured."""
    measured = {column.name for column in TABLES["metrics"].columns if column.measured}
    return [{name: value for name, value in row.items() if name not in measured} for row in rows_of(output, "metrics")]


def letters(output: Path) -> list[tuple[str, str]]:
    return [(row["stage"], row["error_class"]) for row in rows_of(output, "dead_letter")]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("retry") / "archives"
    write_archives(folder, archives=2, pages=30)
    return folder


@pytest.fixture(scope="module")
def undisturbed(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    output = tmp_path_factory.mktemp("undisturbed") / "out"
    run_over(archives, output)
    assert len(list(output.glob("pages/0*"))) > 2
    return tables(output)


@contextmanager
def failing(stage: str, numbers: set[int]) -> Iterator[None]:
    """Extraction fails at a stage on the pages with these numbers."""
    methods = {"parse": "parse", "metrics": "measure", "extract": "classify", "render": "render"}
    calls = 0
    with pytest.MonkeyPatch.context() as patch:
        if stage == "language":
            real: Any = PartitionMaker.identify

            def identify(self: PartitionMaker, text: str) -> Any:
                nonlocal calls
                calls += 1
                if calls in numbers:
                    raise RuntimeError("made up")
                return real(self, text)

            patch.setattr(PartitionMaker, "identify", identify)
            yield
            return

        class Failing(PageExtractor):
            """Fails now and then."""

        def attempt(self: Any, *arguments: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls in numbers:
                raise RuntimeError("made up")
            return getattr(PageExtractor, methods[stage])(self, *arguments, **options)

        setattr(Failing, methods[stage], attempt)
        patch.setattr("thresher.rows.batches.PageExtractor", Failing)
        yield


@pytest.mark.parametrize(
    "stage",
    [
        "parse",
        "language",
        *(pytest.param(each, marks=pytest.mark.nightly) for each in ("metrics", "extract", "render")),
    ],
)
def test_pages_that_failed_once_are_settled(
    archives: Path, undisturbed: dict[str, Any], tmp_path: Path, stage: str
) -> None:
    with failing(stage, {1, 7, 8, 40}):
        run_over(archives, tmp_path / "out")
    assert letters(tmp_path / "out") == [(stage, "RuntimeError")] * 4
    assert tables(tmp_path / "out") != undisturbed
    assert retry(tmp_path / "out") == (4, 0)
    assert tables(tmp_path / "out") == undisturbed


def test_with_further_extractors_pages_are_settled_too(archives: Path, tmp_path: Path) -> None:
    further = {"extract__extractors": ["cetd", "all"]}
    with failing("extract", {1, 7}):
        run_over(archives, tmp_path / "out", **further)
    assert retry(tmp_path / "out") == (2, 0)
    run_over(archives, tmp_path / "anew", **further)
    assert tables(tmp_path / "out") == tables(tmp_path / "anew")


def test_pages_that_were_given_up_are_settled(archives: Path, undisturbed: dict[str, Any], tmp_path: Path) -> None:
    run = started(archives, tmp_path / "out")
    worker = PartitionMaker(run.configuration, run.output)
    offsets = [each.warc_record_offset for each in WarcReading(min(archives.iterdir()))]
    queue = PartitionQueue(run.folder, run.configuration, run.pending)
    while (task := queue.next_task()) is not None:
        given_up = frozenset(offsets[3:5]) if task.partition.run_input.number == 0 else frozenset()  # type: ignore[union-attr]
        queue.finished(task, worker.extract_partition(task.partition, give_up=given_up))  # type: ignore[union-attr]
    run.folder.close_run()
    assert letters(tmp_path / "out") == [("worker", "PageGivenUp")] * 2
    assert retry(tmp_path / "out") == (2, 0)
    assert tables(tmp_path / "out") == undisturbed


def damaged(archives: Path, folder: Path, change: Callable[[bytes], bytes]) -> Path:
    """The archives, the first of them changed."""
    shutil.copytree(archives, folder)
    first = folder / "crawl-0.warc.gz"
    first.write_bytes(change(first.read_bytes()))
    return first


def test_an_archive_that_is_whole_again_is_read_where_it_was_damaged(
    archives: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "archives"
    damaged(archives, folder, lambda data: data[:9000] + bytes(900) + data[9900:])
    run_over(folder, tmp_path / "out")
    assert letters(tmp_path / "out") == [("read", "DamagedFile")]
    assert retry(tmp_path / "out") == (1, 0)  # still damaged
    assert letters(tmp_path / "out") == [("read", "DamagedFile")]
    shutil.copy(archives / "crawl-0.warc.gz", folder)
    assert retry(tmp_path / "out") == (1, 0)
    assert tables(tmp_path / "out") == undisturbed
    assert letters(tmp_path / "out") == []


def test_an_archive_that_was_cut_off_is_read_on_from_there(
    archives: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "archives"
    damaged(archives, folder, lambda data: data[: len(data) // 3])
    run_over(folder, tmp_path / "out")
    assert letters(tmp_path / "out") == [("read", "DamagedFile")]
    shutil.copy(archives / "crawl-0.warc.gz", folder)
    assert retry(tmp_path / "out") == (1, 0)
    assert tables(tmp_path / "out") == undisturbed


def test_an_archive_that_is_shorter_now_costs_no_row(archives: Path, tmp_path: Path) -> None:
    """A retry would replace what was read by the rows of what is left of the archive."""
    folder = tmp_path / "archives"
    first = damaged(archives, folder, lambda data: data[:9000] + bytes(900) + data[9900:])
    run_over(folder, tmp_path / "out")
    before = tables(tmp_path / "out")
    first.write_bytes(first.read_bytes()[:5000])
    assert retry(tmp_path / "out") == (1, 0)
    assert tables(tmp_path / "out") == before


def test_an_archive_that_was_missing_is_read_now(archives: Path, undisturbed: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    first = damaged(archives, folder, lambda data: data)
    run = started(folder, tmp_path / "out")
    first.unlink()
    assert execute(run, InProcess, second_pass=second_pass) == 4
    shutil.copy(archives / "crawl-0.warc.gz", folder)
    assert retry(tmp_path / "out") == (1, 0)
    assert tables(tmp_path / "out") == undisturbed


def test_records_of_an_index_whose_archive_was_missing(archives: Path, tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    shutil.copytree(archives, folder)
    run_over(folder, tmp_path / "index")
    index = Index((str(tmp_path / "index" / "pages"),))
    configuration = load_configuration(None, SETTINGS)
    base = str(folder)
    anew = start_run([], str(tmp_path / "anew"), configuration, base_url=base, index=index)
    execute(anew, InProcess, second_pass=second_pass)
    run = start_run([], str(tmp_path / "out"), configuration, base_url=base, index=index)
    (folder / "crawl-0.warc.gz").unlink()
    execute(run, InProcess, second_pass=second_pass)
    assert letters(tmp_path / "out") == [("read", "InputError")] * 30
    shutil.copy(archives / "crawl-0.warc.gz", folder)
    assert retry(tmp_path / "out") == (30, 0)
    assert tables(tmp_path / "out") == tables(tmp_path / "anew")


def test_a_retry_that_is_killed_while_it_settles_can_be_given_again(
    archives: Path, undisturbed: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with failing("extract", {4}):
        run_over(archives, tmp_path / "out")
    for table in ("metrics", "dead_letter"):
        with monkeypatch.context() as patch:
            from thresher.writing.storage import Storage

            real = Storage.move

            def move(self: Storage, source: str, target: str, *, table: str = table, real: Any = real) -> None:
                if f"/{table}/" in target:
                    raise KeyboardInterrupt
                real(self, source, target)

            def delete(self: Storage, path: str, *, table: str = table, real: Any = Storage.delete) -> None:
                if f"/{table}/" in path:
                    raise KeyboardInterrupt
                real(self, path)

            patch.setattr(Storage, "move", move)
            patch.setattr(Storage, "delete", delete)
            assert retry(tmp_path / "out")[1] == 130
    assert letters(tmp_path / "out") == [("extract", "RuntimeError")]
    assert retry(tmp_path / "out") == (1, 0)
    assert tables(tmp_path / "out") == undisturbed


def test_a_retry_that_fails_as_a_whole_leaves_everything_as_it_was(
    archives: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "archives"
    shutil.copytree(archives, folder)
    with failing("extract", {4, 11}):
        run_over(folder, tmp_path / "out")
    before = tables(tmp_path / "out")
    shutil.move(folder / "crawl-0.warc.gz", tmp_path)
    assert retry(tmp_path / "out") == (2, 0)
    assert tables(tmp_path / "out") == before
    shutil.move(tmp_path / "crawl-0.warc.gz", folder)
    assert retry(tmp_path / "out") == (2, 0)
    assert tables(tmp_path / "out") == undisturbed


def test_what_fails_for_good_keeps_its_reason_and_other_letters_are_left_alone(archives: Path, tmp_path: Path) -> None:
    with failing("extract", {2, 3}), failing("language", {9}):
        run_over(archives, tmp_path / "out")
        before = tables(tmp_path / "out")
        assert retry(tmp_path / "out", Choice(classes=("PayloadError",))) == (0, 0)
        assert retry(tmp_path / "out", Choice(files=("*/crawl-1.warc.gz",))) == (0, 0)
    with failing("extract", {2, 3}), failing("language", {9}):
        assert retry(tmp_path / "out", Choice(stages=("extract",))) == (2, 0)
    assert tables(tmp_path / "out") == before
    assert sorted(letters(tmp_path / "out")) == [("extract", "RuntimeError")] * 2 + [("language", "RuntimeError")]


def test_pages_that_filters_judge_and_json_lines_are_tried_again_by_partition(archives: Path, tmp_path: Path) -> None:
    for number, settings in enumerate(({"filter__languages": ["eng"]}, {"write__to": "jsonl"})):
        output = tmp_path / f"out{number}"
        with failing("extract", {5}):
            run_over(archives, output, **settings)
        assert retry(output) == (1, 0)
        run_over(archives, tmp_path / f"anew{number}", **settings)
        assert metrics(output) == metrics(tmp_path / f"anew{number}")
        assert inspect_run(str(output)).errors.total() == 0
        for path in (tmp_path / f"anew{number}" / "pages").iterdir():
            assert (output / "pages" / path.name).exists()


def test_the_command(archives: Path, undisturbed: dict[str, Any], tmp_path: Path) -> None:
    with failing("extract", {2}):
        run_over(archives, tmp_path / "out")
    assert letters(tmp_path / "out")
    done = CliRunner().invoke(command, [str(tmp_path / "out"), "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert "Trying 1 dead letter again, in 1 partition." in done.output
    assert tables(tmp_path / "out") == undisturbed
    assert CliRunner().invoke(command, [str(tmp_path)]).exit_code == 2


# --- with templates ---


FUSED = ["--templates", "fused", "--workers", "2", "--set", "read.split_bytes=9000", "--max-error-ratio", "1"]


def fused(source: Path, output: Path, *options: str) -> Result:
    return CliRunner().invoke(
        extract, [str(source), "--input-base-url", str(source), "-o", str(output), *FUSED, *options]
    )


@pytest.fixture(scope="module")
def undisturbed_fused(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    output = tmp_path_factory.mktemp("fused") / "out"
    copies = output.parent / "archives"
    shutil.copytree(archives, copies)
    assert fused(copies, output).exit_code == 0
    return with_templates(output)


def with_templates(output: Path) -> dict[str, Any]:
    """All rows of all tables without what was measured."""
    return tables(output) | {"templates": rows_digest(str(output), "templates")}


def damaged_run(archives: Path, tmp_path: Path, *options: str) -> Path:
    """A run with templates over archives of which one is damaged, which is mended afterwards."""
    folder = tmp_path / "archives"
    damaged(archives, folder, lambda data: data[:9000] + bytes(2000) + data[11000:])
    done = fused(folder, tmp_path / "out", *options)
    assert done.exit_code == 0, done.output
    assert letters(tmp_path / "out") == [("read", "DamagedFile")]
    shutil.copy(archives / "crawl-0.warc.gz", folder)
    return tmp_path / "out"


def test_with_templates_everything_is_decided_again(
    archives: Path, undisturbed_fused: dict[str, Any], tmp_path: Path
) -> None:
    output = damaged_run(archives, tmp_path, "--keep-first-pass")
    before = with_templates(output)
    assert before != undisturbed_fused
    nothing = CliRunner().invoke(command, [str(output), "--class", "PayloadError"])
    assert nothing.exit_code == 0
    assert "Their classes: DamagedFile (1)." in nothing.output
    assert with_templates(output) == before
    done = CliRunner().invoke(command, [str(output), "--workers", "2"])
    assert done.exit_code == 0, done.output
    assert letters(output) == []
    assert with_templates(output) == undisturbed_fused


@pytest.mark.parametrize("after", [2, *(pytest.param(each, marks=pytest.mark.nightly) for each in (1, 3, 4))])
def test_with_templates_a_retry_that_is_killed_can_be_given_again(
    archives: Path, undisturbed_fused: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """It is killed after each of the steps by which it opens the run again; then either command goes on."""
    output = damaged_run(archives, tmp_path, "--keep-first-pass")
    real, steps = Storage.delete, 0

    def delete(self: Storage, path: str) -> None:
        nonlocal steps
        steps += "_ledger" in path
        if steps >= after:
            raise KeyboardInterrupt
        real(self, path)

    run = continue_run(str(output), {})
    plan = retries_of(run, Choice())
    assert plan.partitions
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "delete", delete)
        with suppress(KeyboardInterrupt):
            reopen(run, plan.partitions)
    for each in (run, run.first_pass):
        assert each
        each.folder.lock.release()  # as when the process ends
    if after % 2:
        done = CliRunner().invoke(command, [str(output)])
    else:
        done = fused(tmp_path / "archives", output, "--keep-first-pass")
        assert done.exit_code == 0, done.output
        done = CliRunner().invoke(command, [str(output)])
    assert done.exit_code == 0, done.output
    assert with_templates(output) == undisturbed_fused


def test_with_templates_a_run_whose_first_pass_is_gone_is_refused(archives: Path, tmp_path: Path) -> None:
    output = damaged_run(archives, tmp_path)
    done = CliRunner().invoke(command, [str(output)])
    assert done.exit_code == 2
    assert "--keep-first-pass" in done.output


def test_with_templates_no_retry_works_with_a_part_of_the_notes(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, output = Storage.remove, tmp_path / "out"

    def begin_to_remove(self: Storage, name: str) -> None:
        if name == "_staging":
            real(self, "_staging/notes")
            raise KeyboardInterrupt
        real(self, name)

    damaged(archives, tmp_path / "archives", lambda data: data[:9000] + bytes(2000) + data[11000:])
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "remove", begin_to_remove)
        assert fused(tmp_path / "archives", output).exit_code == EXIT_STOPPED
    done = CliRunner().invoke(command, [str(output)])
    assert (done.exit_code, "notes of its first pass are gone" in done.output) == (2, True)
    assert fused(tmp_path / "archives", output).exit_code == 0
    assert not (output / "_staging").exists()


def test_a_run_with_another_model_is_neither_resumed_nor_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_archive(tmp_path / "a.warc.gz", {"https://a.example/": page(1)})

    def thresher(*arguments: object) -> Result:
        return CliRunner().invoke(main, [*map(str, arguments)])

    out = tmp_path / "out"
    assert thresher("extract", tmp_path / "a.warc.gz", "-o", out, "--workers", 1).exit_code == 0
    assert json.loads((out / "_run.json").read_text())["rows"]["model"] == Path(MODEL_FILE).stem
    monkeypatch.setattr(run, "model_name", lambda: "thresher-other")
    resumed = thresher("extract", tmp_path / "a.warc.gz", "-o", out, "--workers", 1)
    assert (resumed.exit_code, "this run has 'thresher-other'" in resumed.output) == (2, True)
    retried = thresher("retry", out)
    assert (retried.exit_code, "this is thresher-other" in retried.output) == (2, True)
    rules = ("extract", tmp_path / "a.warc.gz", "-o", tmp_path / "rules", "--workers", 1, "--extractor", "cetd")
    assert thresher(*rules).exit_code == 0
    monkeypatch.setattr(run, "model_name", lambda: "thresher-another")
    assert thresher(*rules).exit_code == 0, "no model chose its blocks"
    monkeypatch.setattr(run, "facts_digest", lambda: "other")
    resumed = thresher(*rules)
    assert (resumed.exit_code, "facts sha256" in resumed.output) == (2, True)
    retried = thresher("retry", tmp_path / "rules")
    assert (retried.exit_code, "other weights of titles, authors" in retried.output) == (2, True)


def test_a_record_of_a_run_without_its_configuration_is_refused(tmp_path: Path) -> None:
    write_archive(tmp_path / "a.warc.gz", {"https://a.example/": page(1)})
    out = str(tmp_path / "out")
    assert CliRunner().invoke(main, ["extract", str(tmp_path / "a.warc.gz"), "-o", out]).exit_code == 0
    record = tmp_path / "out" / "_run.json"
    record.write_text(json.dumps({k: v for k, v in json.loads(record.read_text()).items() if k != "configuration"}))
    done = CliRunner().invoke(main, ["retry", out])
    assert (done.exit_code, "_run.json has no configuration to go on with" in done.output) == (2, True)


def test_a_stage_that_does_not_exist_is_refused():
    with pytest.raises(ConfigError, match="'nope' is no stage; one of read, "):
        Choice(stages=("nope",))
