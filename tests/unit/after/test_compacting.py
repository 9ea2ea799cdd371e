# SPDX-License-Identifier: Apache-2.0
"""The files of a run rewritten: the same rows, sorted, near a size, also after a kill at any step."""

import itertools
import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow.parquet as pq
import pytest
from commanding import run
from s3_store import KEYS, s3_client
from small_archive import page, write_archive, write_archives

from thresher.after import compacting
from thresher.after.compacting import Arrangement, compact
from thresher.after.report import rows_digest
from thresher.errors import OutputError
from thresher.running.outcome import inspect_run
from thresher.schemas import ASKED, TABLES
from thresher.writing.lock import FolderLock
from thresher.writing.storage import Storage


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    write_archives(folder / "in", archives=3, pages=20)
    split = ["--set", "read.split_bytes=6000", "--workers", 1]
    run("extract", folder / "in", "-o", folder / "out", "--skipped", "list", "--blocks", *split)
    return folder / "out"


@pytest.fixture
def output(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "out"))


def digests(output: Path) -> dict[str, str]:
    return {table: rows_digest(str(output), table) for table in TABLES if table not in ASKED}


def rows(output: Path, table: str = "pages") -> list[Path]:
    return sorted(path for path in output.glob(f"{table}/**/*.parquet") if path.name != "schema.parquet")


def test_few_sorted_files_with_the_same_rows(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compacting, "_GROUP_BYTES", 1 << 14)  # several groups of rows a file
    before, files, size = digests(output), rows(output), sum(path.stat().st_size for path in rows(output))
    assert len(files) > 5
    target = size // 3
    run("compact", output, "--target", target / 1e6)
    assert digests(output) == before
    assert 2 <= len(rows(output)) <= 4
    for table, columns in {
        "pages": ["url_host_name", "url"],
        "blocks": ["url_host_name", "url", "block_order"],
    }.items():
        last: list[Any] = [""]
        for path in rows(output, table):
            for row in pq.read_table(path, columns=columns).to_pylist():
                key = list(row.values())
                assert key >= last, path
                last = key
    part = pq.ParquetFile(rows(output)[0])
    assert part.num_row_groups > 1
    field = part.schema_arrow.field("url")
    assert field.metadata[b"PARQUET:field_id"] == b"1"
    assert part.metadata.row_group(0).column(0).has_offset_index
    assert part.metadata.row_group(0).sorting_columns[0].column_index == part.schema_arrow.get_field_index(
        "url_host_name"
    )
    assert not (output / "_compact").exists()
    assert not (output / "_lock").exists()
    assert inspect_run(str(output)).unaccounted == 0


def test_without_sorting_rows_keep_their_order(output: Path) -> None:
    before = [url for path in rows(output) for url in pq.read_table(path)["url"].to_pylist()]
    compact(str(output), Arrangement(1 << 30, sort=False))
    (path,) = rows(output)
    assert pq.read_table(path)["url"].to_pylist() == before


def test_a_host_larger_than_a_file_is_cut(tmp_path: Path) -> None:
    write_archive(tmp_path / "in.warc.gz", {f"http://one.example/{n:03d}": page(n) for n in range(60)})
    run("extract", tmp_path / "in.warc.gz", "-o", tmp_path / "out", "--workers", 1)
    before = rows_digest(str(tmp_path / "out"))
    compact(str(tmp_path / "out"), Arrangement(sum(path.stat().st_size for path in rows(tmp_path / "out")) // 4))
    sizes = [pq.read_metadata(path).num_rows for path in rows(tmp_path / "out")]
    assert len(sizes) >= 4
    assert max(sizes) <= 2 * min(sizes)
    assert rows_digest(str(tmp_path / "out")) == before


def test_folders_as_hive_names_them(tmp_path: Path) -> None:
    folder = tmp_path / "in" / "crawl-data" / "CC-MAIN-2026-47"
    folder.mkdir(parents=True)
    write_archive(folder / "CC-MAIN-1.warc.gz", {f"http://a.example/{n}": page(n) for n in range(9)})
    write_archive(tmp_path / "in" / "other.warc.gz", {f"http://b.example/{n}": page(n) for n in range(9)})
    out = tmp_path / "out"
    run("extract", tmp_path / "in", "-o", out, "--workers", 1)
    before = rows_digest(str(out))
    run("compact", out, "--partition-by", "language,crawl")
    names = {str(path.parent.relative_to(out / "pages")) for path in rows(out)}
    crawls = ("CC-MAIN-2026-47", "__HIVE_DEFAULT_PARTITION__")
    assert names == {f"language={language}/crawl={crawl}" for language in ("ell", "eng") for crawl in crawls}
    assert rows_digest(str(out)) == before
    pattern = f"{out}/pages/**/*.parquet"
    question = (
        f"SELECT count(*) FROM read_parquet('{pattern}', hive_partitioning = true) WHERE crawl = 'CC-MAIN-2026-47'"
    )
    assert duckdb.sql(question).fetchall() == [(9,)]
    assert (
        polars.scan_parquet(pattern, hive_partitioning=True).filter(polars.col("language") == "ell").collect().height
        == 6
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    write_archive(folder / "in.warc.gz", {f"http://{n}.example/": page(n) for n in range(6)})
    split = ["--set", "read.split_bytes=1500", "--workers", 1]
    run("extract", folder / "in.warc.gz", "-o", folder / "out", "--blocks", *split)
    assert len(rows(folder / "out")) > 1
    return folder / "out"


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("swap", ["at once", "file by file"])
def test_stopped_at_any_step_and_given_again(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, swap: str
) -> None:
    """A change of the file system fails, as if the process were killed there; first this one, then a later one, by
    night every seventh.
    """
    apart = 7 if request.config.getoption("--nightly") else 29

    def some(output: Path) -> list[str]:
        return [rows_digest(str(output), table) for table in ("pages", "blocks", "metrics")]

    if swap == "file by file":
        monkeypatch.setattr(compacting, "_exchange", lambda *_: False)
    expected, layout = some(small), Arrangement(8_000)
    failed: set[str] = set()
    steps = 0

    def counted(name: str, real: Any, fatal: int) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps == fatal:
                failed.add(name)
                raise Killed
            return real(*arguments, **options)

        return call

    for fatal in itertools.count(1, apart):
        out = tmp_path / str(fatal)
        shutil.copytree(small, out)
        steps = 0
        with monkeypatch.context() as patch, suppress(Killed):
            for name in ("mark", "move", "delete", "remove", "write_json", "make"):
                patch.setattr(Storage, name, counted(name, getattr(Storage, name), fatal))
            patch.setattr(compacting, "_exchange", counted("exchange", compacting._exchange, fatal))
            compact(str(out), layout)
        if swap == "at once":
            assert some(out) == expected, f"step {fatal}: the old rows or the new ones"
            assert len({"-" in path.name for path in rows(out)}) == 1, f"step {fatal}: never both"
        compact(str(out), layout)
        assert some(out) == expected, f"step {fatal}"
        assert not any("-" in path.name for path in rows(out))
        assert not (out / "_compact").exists()
        shutil.rmtree(out)
        if steps < fatal:
            break
    assert len(failed) > 1


def test_killed_while_it_removes_what_it_worked_with(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, out, layout = Storage.remove, tmp_path / "out", Arrangement(8_000)
    shutil.copytree(small, out)

    def remove(self: Storage, name: str) -> None:
        if name == "_compact":
            (out / "_compact" / "plan.json").unlink()  # a folder goes file by file, in any order
            raise Killed
        real(self, name)

    with monkeypatch.context() as patch, suppress(Killed):
        patch.setattr(Storage, "remove", remove)
        compact(str(out), layout)
    assert (out / "_compact").exists()
    assert "is being compacted" in run("retry", out, status=2)
    with pytest.raises(OutputError, match="was compacted already, with other options"):
        compact(str(out), Arrangement(9_000))
    compact(str(out), layout)
    assert rows_digest(str(out)) == rows_digest(str(small))
    assert not (out / "_compact").exists()


@pytest.mark.nightly
def test_in_a_bucket_stopped_and_given_again(small: Path, s3_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket has no folders that can change places: the files are replaced one by one."""
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": s3_server, "AWS_REGION": "us-east-1"}.items():
        monkeypatch.setenv(name, value)
    client = s3_client(s3_server)
    client.create_bucket(Bucket="compact")
    out = "s3://compact/out"
    for path in small.rglob("*"):
        if path.is_file():
            client.put_object(Bucket="compact", Key=f"out/{path.relative_to(small)}", Body=path.read_bytes())
    expected = [rows_digest(str(small), table) for table in ("pages", "blocks", "metrics")]

    stopped = []
    for name, fatal in (("mark", 2), ("write_json", 4), ("delete", 1), ("move", 9)):
        calls = itertools.count(1)
        real = getattr(Storage, name)

        def call(*arguments: Any, fatal: int = fatal, calls: Any = calls, real: Any = real, **options: Any) -> Any:
            if next(calls) == fatal:
                raise Killed
            return real(*arguments, **options)

        with monkeypatch.context() as patch:
            patch.setattr(Storage, name, call)
            try:
                compact(out, Arrangement(8_000, partition_by=("language",)))
            except Killed:
                stopped.append(name)
    assert stopped == ["mark", "write_json", "delete", "move"]
    run("compact", out, "--target", 0.008, "--partition-by", "language")
    assert [rows_digest(out, table) for table in ("pages", "blocks", "metrics")] == expected
    keys = [found["Key"] for found in client.list_objects_v2(Bucket="compact")["Contents"]]
    pages = [key for key in keys if key.startswith("out/pages/") and key.endswith(".parquet")]
    assert pages
    assert all(key.startswith("out/pages/language=") for key in pages), "no old file is left"
    assert not any("/_compact/" in key or "/_temporary/" in key for key in keys)
    assert "is compacted so already" in run("compact", out, "--target", 0.008, "--partition-by", "language")
    assert "was compacted already, with other options" in run("compact", out, status=2)


def test_what_cannot_be_compacted_and_what_no_longer_can_be_done(small: Path, tmp_path: Path) -> None:
    output = Path(shutil.copytree(small, tmp_path / "out"))
    assert "not the output of a run" in run("compact", small.parent, status=2)
    assert "cannot partition by host" in run("compact", output, "--partition-by", "host", status=2)
    bare = tmp_path / "bare"
    run("extract", small.parent / "in.warc.gz", "-o", bare, "--columns", "url,text", "--workers", 1)
    assert "no column language" in run("compact", bare, "--partition-by", "language", status=2)
    done = next(output.glob("_ledger/*.done.json"))
    hidden = done.rename(done.with_name("hidden"))
    assert "is interrupted" in run("compact", output, status=2)
    hidden.rename(done)
    told = run("compact", output)
    again = run("compact", output)
    assert "is compacted so already" in again
    assert again.splitlines()[-1] == told.splitlines()[-1]
    assert "was compacted already, with other options" in run("compact", output, "--no-sort", status=2)
    for command in (["extract", small.parent / "in.warc.gz", "-o", output, "--append"], ["retry", output]):
        assert run(*command, status=2)
    record = json.loads((output / "pages" / "_compacted.json").read_text())
    assert record["files"] == ["00000.parquet"]


def test_pages_of_a_compacted_run_are_rendered(small: Path, tmp_path: Path) -> None:
    output = shutil.copytree(small, tmp_path / "out")
    run("compact", output, "--partition-by", "language")
    for source, target in ((small, "one"), (output, "two")):
        run("render", source, "-o", tmp_path / target, "--format", "markdown", "--workers", 1)
    assert rows_digest(str(tmp_path / "one")) == rows_digest(str(tmp_path / "two"))


def test_two_that_compact_at_once_agree_or_one_is_refused(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another command compacts the run between this one's look at it and its lock."""
    output = str(shutil.copytree(small, tmp_path / "out"))
    take = FolderLock.take

    def late(self: FolderLock) -> None:
        monkeypatch.setattr(FolderLock, "take", take)
        compact(output, Arrangement(8_000))
        take(self)

    monkeypatch.setattr(FolderLock, "take", late)
    with pytest.raises(OutputError, match="was compacted already, with other options"):
        compact(output, Arrangement(8_000, sort=False))
