# SPDX-License-Identifier: Apache-2.0
"""Output to a store that fails now and then: operations are tried again, and what still fails is a clear OSError."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from flaky_store import FlakyStore
from in_process import extract_here
from pyarrow import fs
from s3_store import KEYS, s3_client
from small_archive import write_archives

from thresher.after.report import rows_digest
from thresher.commands.main import main
from thresher.reading import opening, transfers
from thresher.writing.storage import Storage
from thresher.writing.stores import SPOOLED, patient


class Flaky:
    """A file system whose operations fail some times before they work, or after they did."""

    def __init__(self, root: Path, *, before: int = 0, after: int = 0) -> None:
        self.inner = fs.SubTreeFileSystem(str(root), fs.LocalFileSystem())
        self.type_name = "flaky"
        self.before, self.after = before, after
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> object:
        def call(*args: object, **options: object) -> object:
            self.calls[name] += 1
            if self.before > 0:
                self.before -= 1
                raise OSError("AWS Error SLOW_DOWN (HTTP status 503)")
            found = getattr(self.inner, name)(*args, **options)
            if self.after > 0:
                self.after -= 1
                raise OSError("AWS Error NETWORK_CONNECTION: the answer was lost")
            return found

        return call


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "FIRST_WAIT", 0.001)


def written(root: Path, name: str) -> bytes:
    return (root / name).read_bytes()


def test_a_folder_may_be_a_file_url(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "c").touch()
    for scheme in ("file", "FILE"):
        assert Storage(f"{scheme}://{tmp_path}/a%20b").names() == {"c"}


@pytest.mark.parametrize("failures", [{"before": 4}, {"after": 1}])
def test_operations_are_tried_again(tmp_path: Path, failures: dict[str, int]) -> None:
    def store() -> fs.PyFileSystem:
        return patient(Flaky(tmp_path, **failures), "s3://out")

    store().create_dir("folder", recursive=True)
    for content in (b"", b"short", b"long" * SPOOLED):
        with store().open_output_stream("folder/a") as stream:
            stream.write(content)
        assert written(tmp_path, "folder/a") == content
    with store().open_input_file("folder/a") as file:
        assert file.read(4) == b"long"
        assert file.size() == 4 * SPOOLED
    assert store().get_file_info("folder/a").size == 4 * SPOOLED
    assert [info.base_name for info in store().get_file_info(fs.FileSelector("folder"))] == ["a"]
    store().move("folder/a", "folder/b")
    store().delete_file("folder/b")
    store().delete_dir("folder")
    assert not list(tmp_path.iterdir())


def test_a_read_that_fails_goes_on_where_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(range(256)))
    file = patient(fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), "s3://out").open_input_file("a")
    assert file.read(100) + file.read() == bytes(range(256))
    assert file.read_at(10, 250) == bytes(range(250, 256))


def test_what_stays_broken_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    flaky = Flaky(tmp_path, before=100)
    with pytest.raises(OSError, match=r"s3://out: cannot move a to b: AWS Error SLOW_DOWN .* \(7 attempts\)"):
        patient(flaky, "s3://out").move("a", "b")
    assert flaky.calls["move"] == transfers.ATTEMPTS == 7


def test_what_no_attempt_mends_is_tried_once(tmp_path: Path) -> None:
    flaky = Flaky(tmp_path)
    with pytest.raises(FileNotFoundError):
        patient(flaky, "s3://out").move("none", "b")
    assert flaky.calls == {"move": 1}
    for said in ("AWS Error ACCESS_DENIED during HeadBucket operation", "AWS Error UNKNOWN (HTTP status 400)"):
        assert not transfers.fault_of(OSError(said)).passes
    for said in ("AWS Error UNKNOWN (HTTP status 503)", "AWS Error UNKNOWN (HTTP status 429)", "timed out"):
        assert transfers.fault_of(OSError(said)).passes


def test_hdfs_is_not_asked_again_to_rename_onto_a_file_that_is_there(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"x")
    flaky = Flaky(tmp_path, before=1)
    flaky.type_name = "hdfs"
    flaky.move = lambda *_: flaky.__getattr__("copy_file")("a", "a")  # fails as a rename does
    with pytest.raises(FileExistsError, match="s3://out: b is there already"):
        patient(flaky, "s3://out").move("a", "b")
    assert flaky.calls["copy_file"] == 1


# --- a whole run on S3 ---


@pytest.fixture
def flaky_s3(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlakyStore]:
    """An S3 that answers 15 % of the requests with 503, and a client that does not try again by itself.

    The AWS client does, on a budget for the process; here it is spent.
    """
    s3_client(s3_server).create_bucket(Bucket="flaky")
    store = FlakyStore(s3_server)
    monkeypatch.setattr(opening, "S3_ATTEMPTS", 1)
    monkeypatch.setenv("AWS_ENDPOINT_URL", store.url)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    yield store
    store.close()


def test_a_run_on_a_busy_store_has_the_rows_of_any_other(flaky_s3: FlakyStore, tmp_path: Path) -> None:
    from thresher.config import load_configuration
    from thresher.running.run import start_run

    archives = [str(path) for path in write_archives(tmp_path / "in", archives=1, pages=20)]
    configuration = load_configuration(None, {})
    run = start_run(archives, "s3://flaky/out", configuration, base_url=None)
    # In this process: worker processes would have the client's own attempts again.
    extract_here(run)
    run.folder.close_run()
    done = CliRunner().invoke(main, ["extract", *archives, "-o", str(tmp_path / "out"), "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert rows_digest("s3://flaky/out") == rows_digest(str(tmp_path / "out"))
    assert ds.dataset(tmp_path / "out/pages").count_rows() == 20
    assert flaky_s3.refused.total() > 5
