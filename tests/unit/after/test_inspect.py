# SPDX-License-Identifier: Apache-2.0
"""What `thresher inspect` says of a run: its hosts, and what is left of it."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from small_archive import page, write_archive, write_archives

from thresher.after.report import _examples, to_text
from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.errors import TransferError
from thresher.running.outcome import Report, _add_metrics, inspect_run
from thresher.running.partition_queue import PartitionQueue
from thresher.running.run import EXIT_STOPPED, start_run
from thresher.running.settlement import write_loss
from thresher.terminal import display_width


@pytest.fixture(scope="module", params=["off", "fused"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The mode of templates, and the output of a run over hosts of six, two and one pages, with one page twice."""
    folder = tmp_path_factory.mktemp("run")
    pages = {
        f"http://{host}.example/{n}": page(n) for host, count in (("a", 5), ("b", 2), ("c", 1)) for n in range(count)
    }
    write_archive(folder / "pages.warc.gz", pages | {"http://a.example/again": page(0)})
    arguments = ["extract", str(folder / "pages.warc.gz"), "-o", str(folder / "out"), "--templates", request.param]
    done = CliRunner().invoke(main, [*arguments, "--workers", "1"])
    assert done.exit_code == 0, done.output
    return request.param, str(folder / "out")


def test_hosts_are_summed_over_their_pages(run: tuple[str, str]) -> None:
    mode, output = run
    rows = ds.dataset(Path(output) / "pages").to_table().to_pylist()
    hosts = inspect_run(output).hosts
    assert {name: host.pages for name, host in hosts.items()} == {"a.example": 6, "b.example": 2, "c.example": 1}
    for name, host in hosts.items():
        own = [row for row in rows if row["url_host_name"] == name]
        shares = [row["template_share"] for row in own if row["template_share"] is not None]
        assert host.words == sum(row["n_words"] for row in own)
        assert (host.judged, host.confidence) == (len(own), pytest.approx(sum(row["confidence"] for row in own)))
        assert (host.counted, host.template_share) == (len(shares), pytest.approx(sum(shares)))
        assert host.copies == sum(row["duplicate_of"] is not None for row in own)
    assert bool(hosts["a.example"].copies) == bool(hosts["a.example"].counted) == (mode == "fused")


def test_hosts_are_shown_with_their_figures(run: tuple[str, str]) -> None:
    mode, output = run
    report = inspect_run(output)
    lines = to_text(report, top=2).splitlines()
    head = next(line for line in lines if line.startswith("host "))
    at = lines.index(head)
    assert ("copies" in head) == ("template share" in head) == (mode == "fused")
    assert lines[at + 1].split()[:2] == ["a.example", "6"]
    assert lines[at + 3].split()[:4] == ["(1", "other)", "1", "11.1%"]
    assert report.to_dict()["hosts"]["b.example"]["pages"] == 2


def two_archives(folder: Path) -> list[str]:
    return [
        str(write_archive(folder / f"{name}.warc.gz", {f"http://{name}.example/{n}": page(n) for n in range(4)}))
        for name in ("first", "second")
    ]


@pytest.mark.parametrize("mode", ["off", "fused"])
def test_an_interrupted_run_is_shown_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    arguments = ["extract", *two_archives(tmp_path), "-o", str(tmp_path / "out"), "--templates", mode, "--workers", "1"]
    started_as = {"off": "/usr/bin/thresher", "fused": "/src/thresher/__main__.py"}[mode]
    monkeypatch.setattr(sys, "argv", [started_as, *arguments])
    finished = PartitionQueue.finished

    def stop_at_the_second(queue: PartitionQueue, task: Any, answer: Any) -> None:
        if task.partition.run_input.number == 1:
            raise KeyboardInterrupt
        finished(queue, task, answer)

    with monkeypatch.context() as patch:
        patch.setattr(PartitionQueue, "finished", stop_at_the_second)
        assert CliRunner().invoke(main, arguments).exit_code == EXIT_STOPPED
    report = inspect_run(str(tmp_path / "out"))
    of_the_first_pass = {"off": None, "fused": 1}[mode]
    assert (report.state, report.inputs, report.read_inputs) == ("interrupted", 2, of_the_first_pass)
    assert report.finished_inputs == (1 if mode == "off" else 0)
    shown = CliRunner().invoke(main, ["inspect", str(tmp_path / "out")]).output
    assert "4 pages from 1 of 2 inputs" in shown or "0 pages from 0 of 2 inputs" in shown
    assert "INTERRUPTED: " in shown
    assert f"thresher extract {tmp_path}/first.warc.gz {tmp_path}/second.warc.gz -o" in shown
    assert CliRunner().invoke(main, arguments).exit_code == 0
    report = inspect_run(str(tmp_path / "out"))
    assert (report.state, report.finished_inputs, report.read_inputs) == ("finished", 2, None)
    shown = CliRunner().invoke(main, ["inspect", str(tmp_path / "out")]).output
    assert "8 pages from 2 inputs" in shown
    assert "INTERRUPTED" not in shown


def test_a_run_at_work_is_shown_as_running(tmp_path: Path) -> None:
    run = start_run(two_archives(tmp_path), str(tmp_path / "out"), load_configuration())
    assert inspect_run(str(tmp_path / "out")).state == "running"
    assert "RUNNING: 2 inputs left." in to_text(inspect_run(str(tmp_path / "out")))
    run.folder.close_run()
    assert inspect_run(str(tmp_path / "out")).state == "interrupted"


def test_a_run_that_lost_a_partition_is_incomplete(tmp_path: Path) -> None:
    run = start_run(two_archives(tmp_path), str(tmp_path / "out"), load_configuration())
    write_loss(run.folder, run.inputs[0], 0, TransferError("the server does not answer"))
    run.folder.close_run()
    report = inspect_run(str(tmp_path / "out"))
    assert (report.state, report.lost) == ("incomplete", 1)
    assert "INCOMPLETE: 1 partition of 2 inputs missing" in to_text(report)


@pytest.mark.parametrize("width", [20, 48, 200])
def test_tables_fit_narrow_terminals(run: tuple[str, str], width: int) -> None:
    report = inspect_run(run[1])
    report.hosts["中文" * 20 + ".example"] = report.hosts["a.example"]
    wide = to_text(report).split("\n\n")
    narrow = to_text(report, width=width).split("\n\n")
    assert len(wide) == len(narrow)
    for before, after in zip(wide[1:], narrow[1:], strict=True):
        lines = after.splitlines()
        if not before.startswith("no dead"):
            assert max(map(display_width, lines)) <= max(width, 28)
        assert len(lines) == len(before.splitlines())
        assert ("…" in lines[0]) == (lines[0].split() != before.splitlines()[0].split())
    assert (narrow == wide) == (width == 200)


def test_dead_letters_that_are_not_listed_are_counted() -> None:
    letter = {"warc_filename": "a.warc", "warc_record_offset": 7, "url": None, "message": "cut short"}
    letter |= {"warc_record_number": 0, "warc_record_length": 5}
    report = Report("out", {}, errors=Counter({"read: E": 20}), examples=[letter] * 20)
    assert _examples(report, 3).count("cut short") == 3
    assert _examples(report, 3).endswith("and 17 more, in the table dead_letter")
    assert "more" not in _examples(report, 20)
    for offset, number, length, shown in (
        (0, 3, 900, "a.warc.gz at 0, record 3 there: "),
        (0, 0, 900, "a.warc.gz at 0: "),
        (0, 0, None, "a.warc.gz: "),  # a partition
        (1200, 0, None, "a.warc.gz at 1,200: "),
    ):
        place = {"warc_record_offset": offset, "warc_record_number": number, "warc_record_length": length}
        report.examples = [letter | place | {"warc_filename": "a.warc.gz"}]
        assert f"  {shown}cut short" in _examples(report, 3)


def test_stages_and_what_is_in_none_of_them_are_the_whole(run: tuple[str, str]) -> None:
    lines = to_text(inspect_run(run[1])).splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("stage "))
    rows = [line.split() for line in lines[at + 1 : lines.index("", at)]]
    *stages, total = [float(next(cell for cell in row[1:] if cell[:1].isdigit())) for row in rows]
    assert rows[-2][:3] == ["(in", "no", "stage)"]
    assert sum(stages) == pytest.approx(total, abs=0.01 * len(rows))


def test_memory_is_that_of_the_largest_worker() -> None:
    report = Report("out", {})
    total = {"stage": "total", "pages": 1, "nodes": 2, "bytes": 3, "seconds": 0.5, "statuses": (), "cpu_seconds": 0.5}
    for memory in (2, 7, None, 3):
        _add_metrics(report, total | {"peak_memory": memory})
    assert (report.partitions, report.pages, report.peak_memory) == (4, 4, 7)


def test_a_run_with_a_missing_file_does_not_pass_for_whole(tmp_path: Path) -> None:
    archives = write_archives(tmp_path, archives=2, pages=4)
    out = tmp_path / "out"
    command = ["extract", *map(str, archives), "-o", str(out), "--columns", "+html,+route"]
    assert CliRunner().invoke(main, command).exit_code == 0
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "a.warc.gz:0", "text": "An answer."}\n')
    after = (
        ["compact", str(out)],
        ["render", str(out), "-o", str(tmp_path / "rendered")],
        ["select", str(out), "--route", "ask", "-o", str(tmp_path / "selected")],
        ["spread", str(out), "--answers", str(answers), "-o", str(tmp_path / "spread")],
        ["ask", str(out), "--url", "http://127.0.0.1:9/v1", "--model", "m", "-o", str(answers), "--estimate"],
    )
    file = out / "pages" / "00001-0000.parquet"
    file.rename(tmp_path / "kept")
    again = CliRunner().invoke(main, command)
    assert (again.exit_code, "such as pages/00001-0000. Restore" in again.output) == (4, True)
    for each in after:
        found = CliRunner().invoke(main, each)
        assert (found.exit_code, "is damaged" in found.output) == (2, True), found.output
    (tmp_path / "kept").rename(file)
    assert [CliRunner().invoke(main, each).exit_code for each in (command, after[0])] == [0, 0]
