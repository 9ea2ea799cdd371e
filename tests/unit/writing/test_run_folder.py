# SPDX-License-Identifier: Apache-2.0
"""Files appear whole or not at all; a folder that is not ours is left alone."""

import fcntl
import json
import multiprocessing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.config import load_configuration
from thresher.errors import OutputError
from thresher.schemas import ASKED, TABLES
from thresher.writing.ledger import PartitionEntry
from thresher.writing.run_folder import RunFolder

RUN = {"rows": {"version": "1", "limits.max_nodes": 5}, "configuration": {}}
INPUTS = [f"{number}.warc.gz" for number in range(10)]
LETTER = {"warc_filename": "a.warc.gz", "stage": "read", "error_class": "E", "message": "wrong"}


def letters(n: int) -> pa.RecordBatch:
    rows = [{**LETTER, "warc_record_offset": k} for k in range(n)]
    return pa.RecordBatch.from_pylist(rows, schema=TABLES["dead_letter"].to_arrow())


@pytest.fixture
def folder(tmp_path: Path):
    folder = RunFolder(str(tmp_path / "out"))
    folder.open_run(RUN, INPUTS)
    yield folder
    folder.close_run()


def files(folder: RunFolder, name: str) -> list[str]:
    return sorted(path.name for path in (Path(folder.location) / name).iterdir())


def test_new_folder_has_readable_empty_tables(folder: RunFolder) -> None:
    for name, table in TABLES.items():
        read = pq.read_table(Path(folder.location) / name)
        assert read.num_rows == 0
        assert read.schema.equals(table.written().to_arrow())


def test_partition_is_invisible_until_committed(folder: RunFolder) -> None:
    with folder.start_partition("00001-0000") as writer:
        writer.write("dead_letter", letters(3))
        writer.write("dead_letter", letters(2))
        written = writer.close()
    assert files(folder, "dead_letter") == ["schema.parquet"]
    folder.commit("00001-0000", written)
    assert files(folder, "dead_letter") == ["00001-0000.parquet", "schema.parquet"]
    part = pq.ParquetFile(Path(folder.location) / "dead_letter" / "00001-0000.parquet")
    assert (part.metadata.num_rows, part.metadata.num_row_groups) == (5, 2)
    assert part.metadata.row_group(0).column(0).compression == "ZSTD"
    assert writer.rows == {
        **dict.fromkeys(ASKED, 0),
        "pages": 0,
        "metrics": 0,
        "dead_letter": 5,
        "skipped": 0,
        "templates": 0,
        "blocks": 0,
        "keys": 0,
        "files": 0,
    }


def test_second_attempt_takes_the_place_of_the_first(folder: RunFolder) -> None:
    for n in (3, 4):
        with folder.start_partition("00001-0000") as writer:
            writer.write("dead_letter", letters(n))
            folder.commit("00001-0000", writer.close())
    assert pq.read_table(Path(folder.location) / "dead_letter").num_rows == 4
    folder.commit("00001-0000", {})
    assert files(folder, "dead_letter") == ["schema.parquet"]


def write_and_fail(folder: RunFolder) -> None:
    with folder.start_partition("00001-0000") as writer:
        writer.write("dead_letter", letters(3))
        raise RuntimeError


def test_failure_leaves_nothing_behind(folder: RunFolder) -> None:
    with pytest.raises(RuntimeError):
        write_and_fail(folder)
    assert files(folder, "_temporary") == []


@pytest.mark.parametrize("compression", ["zstd", "gzip", "snappy", "none"])
def test_compressions(folder: RunFolder, compression: str) -> None:
    folder = RunFolder(folder.location, load_configuration(None, {"write.compression": compression}))
    with folder.start_partition("00001-0000") as writer:
        writer.write("dead_letter", letters(1))
        folder.commit("00001-0000", writer.close())
    part = pq.ParquetFile(Path(folder.location) / "dead_letter" / "00001-0000.parquet")
    expected = {"none": "UNCOMPRESSED"}.get(compression, compression.upper())
    assert part.metadata.row_group(0).column(0).compression == expected


def test_ledger_of_a_warc(folder: RunFolder) -> None:
    first = PartitionEntry("00001-0000", 500, {"pages": 3})
    last = PartitionEntry("00001-0001", None, {"pages": 1})
    assert folder.ledger.read(1) == []
    folder.ledger.write(1, "a.warc.gz", [first], done=False)
    assert folder.ledger.read(1) == [first]
    assert folder.ledger.finished() == set()
    folder.ledger.write(1, "a.warc.gz", [first, last], done=True)
    assert folder.ledger.read(1) == [first, last]
    assert folder.ledger.finished() == {1}
    assert files(folder, "_ledger") == ["00001.done.json"]


def test_same_run_goes_on(folder: RunFolder) -> None:
    folder.close_run()
    again = RunFolder(folder.location)
    assert again.open_run({**RUN, "configuration": {"run": "differs"}}, INPUTS) is True
    assert again.read_run()["configuration"] == {}, "what the run began with stays"
    again.close_run()


def test_leftovers_of_a_killed_run_are_removed(folder: RunFolder) -> None:
    folder.close_run()
    (Path(folder.location) / "_temporary").mkdir()
    (Path(folder.location) / "_temporary" / "abc-00001-0000-pages.parquet").write_bytes(b"half")
    again = RunFolder(folder.location)
    again.open_run(RUN, INPUTS)
    assert files(again, "_temporary") == []
    again.close_run()
    assert sorted(p.name for p in Path(again.location).iterdir()) == [
        "_inputs.json", "_ledger", "_run.json", "blocks", "code", "dead_letter", "files", "hosts", "images", "keys",
        "metrics", "pages", "posts", "skipped", "tables", "templates",
    ]  # fmt: skip


@pytest.mark.parametrize("change", [{"version": "2"}, {"limits.max_nodes": 6}, {"new": 1}])
def test_another_run_is_refused_by_what_differs(folder: RunFolder, change: dict[str, object]) -> None:
    folder.close_run()
    (key,) = change
    with pytest.raises(OutputError, match=key):
        RunFolder(folder.location).open_run({"rows": {**RUN["rows"], **change}}, INPUTS)


@pytest.mark.parametrize(
    "name", ["thesis.docx", "pages/notes.txt", "pages/00010-0000.parquet", "metrics/part-0.parquet"]
)
def test_foreign_file_is_refused_by_name(folder: RunFolder, name: str) -> None:
    folder.close_run()
    (Path(folder.location) / name).write_text("mine")
    with pytest.raises(OutputError, match=Path(name).name):
        RunFolder(folder.location).open_run(RUN, INPUTS)
    assert (Path(folder.location) / name).read_text() == "mine"


def test_tables_without_a_run_file_are_refused(folder: RunFolder) -> None:
    folder.close_run()
    (Path(folder.location) / "_run.json").unlink()
    with pytest.raises(OutputError, match=r"no _run\.json"):
        RunFolder(folder.location).open_run(RUN, INPUTS)


def test_damaged_run_file_is_refused(folder: RunFolder) -> None:
    folder.close_run()
    (Path(folder.location) / "_run.json").write_text('{"rows": ')
    with pytest.raises(OutputError, match="no readable"):
        RunFolder(folder.location).open_run(RUN, INPUTS)


def test_two_runs_cannot_write_to_one_folder(folder: RunFolder) -> None:
    with pytest.raises(OutputError, match="another run"):
        RunFolder(folder.location).open_run(RUN, INPUTS)
    folder.close_run()
    again = RunFolder(folder.location)
    again.open_run(RUN, INPUTS)
    again.close_run()


def test_forked_process_does_not_keep_the_lock(folder: RunFolder) -> None:
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=lambda: theirs.send(None) or theirs.recv())
    child.start()
    ours.recv()  # it lives
    try:
        folder.lock.release()  # as where this process is killed and the child lives on
        again = RunFolder(folder.location)
        again.open_run(RUN, INPUTS)
        again.close_run()
    finally:
        ours.send(None)
        child.join()


def test_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(OutputError):
        RunFolder(str(tmp_path / "out")).open_run(RUN, INPUTS)


def test_web_server_cannot_be_written_to() -> None:
    with pytest.raises(OutputError, match="web server"):
        RunFolder("https://example.org/out")


def test_folder_of_any_store_that_fsspec_knows() -> None:
    folder = RunFolder("memory://bucket/out")
    assert folder.open_run(RUN, INPUTS) is False
    with folder.start_partition("00001-0000") as writer:
        writer.write("dead_letter", letters(3))
        folder.commit("00001-0000", writer.close())
    folder.ledger.write(1, "a", [PartitionEntry("00001-0000", None, writer.rows)], done=True)
    folder.lock.release()  # as when the process ends
    again = RunFolder("memory://bucket/out")
    assert again.open_run(RUN, INPUTS) is True
    assert again.ledger.finished() == {1}
    assert again.tables.dataset("dead_letter").count_rows() == 3
    assert json.dumps(again.read_run()["rows"]) == json.dumps(RUN["rows"])


def test_only_a_refusal_reads_the_list_of_inputs(folder: RunFolder) -> None:
    """Which may be damaged: the same inputs resume the run, and others than its own cannot be added."""
    folder.lock.release()
    (Path(folder.location) / "_inputs.json").write_text("{")
    again = RunFolder(folder.location)
    assert again.open_run(RUN, INPUTS) is True
    again.lock.release()
    other = {**RUN, "rows": {**RUN["rows"], "inputs": len(INPUTS) + 1}}
    with pytest.raises(OutputError, match=r"no readable _inputs\.json"):
        RunFolder(folder.location).open_run(other, [*INPUTS, "another"])


def test_another_run_is_named_before_its_files(folder: RunFolder) -> None:
    """A folder of a run over more inputs holds another run, not files that nobody wrote."""
    folder.lock.release()
    (Path(folder.location) / "pages" / "00099-0000.parquet").write_bytes(b"")
    rows = {**RUN["rows"], "write.to": "wet"}
    with pytest.raises(OutputError, match=r"holds a run with write\.to"):
        RunFolder(folder.location).open_run({**RUN, "rows": rows}, INPUTS)


def test_a_lock_is_told_from_outside(folder: RunFolder) -> None:
    other = RunFolder(folder.location)
    assert other.lock.is_taken()
    with pytest.raises(OutputError, match="in use by another run"):
        other.lock.take()
    folder.lock.release()
    assert not other.lock.is_taken()
    folder.lock.take()  # which whoever asked does not hold
    folder.lock.release()


def test_a_lock_that_its_owner_removed_is_no_lock(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two steps of a process that asks for it: what it locked then, nobody else would see."""
    late, third = RunFolder(folder.location), RunFolder(folder.location)
    flock = fcntl.flock

    def locking(file: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        folder.lock.remove()
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", locking)
    late.lock.take()
    with pytest.raises(OutputError, match="in use by another run"):
        third.lock.take()
    late.lock.release()
