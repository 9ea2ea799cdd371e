# SPDX-License-Identifier: Apache-2.0
"""What runs on the executors of a cluster, tried without one: paths, and what a failure says."""

from pathlib import Path

import pytest
from small_archive import write_archives

from thresher.commands.spark_job import spark_job
from thresher.config import load_configuration
from thresher.errors import OutputError, RunError
from thresher.running.run import Run, start_run
from thresher.running.tasks import extracting, failure

TRACEBACK = """
[PYTHON_EXCEPTION] An exception was thrown from the Python worker: Traceback (most recent call last):
  File "/env/lib/python3.11/site-packages/thresher/writing/storage.py", line 129, in move
    self.fs.move(source, target)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
KeyError: 'the first of two'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/env/lib/python3.11/site-packages/thresher/running/tasks.py", line 38, in run
    yield pa.RecordBatch.from_pydict({"result": [work(numbers)]})
{raised}
 SQLSTATE: 38000
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:1097)
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    write_archives(tmp_path / "crawl", archives=2, pages=3)
    write_archives(tmp_path / "more", archives=1, pages=3)
    monkeypatch.chdir(tmp_path)
    return start_run(["crawl", f"file://{tmp_path}/more/crawl-0.warc.gz"], "out", load_configuration())


def test_executors_in_other_folders_find_inputs_and_output(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = run.with_absolute_paths()
    assert there.output == str(tmp_path / "out")
    assert [each.source for each in there.pending] == [
        str(tmp_path / "crawl" / "crawl-0.warc.gz"), str(tmp_path / "crawl" / "crawl-1.warc.gz"),
        str(tmp_path / "more" / "crawl-0.warc.gz"),
    ]  # fmt: skip
    assert [each.filename for each in there.inputs] == [each.filename for each in run.inputs]
    (tmp_path / "executor").mkdir()
    monkeypatch.chdir(tmp_path / "executor")
    assert extracting(there, 1, 4)([0, 1]) == 6


def test_an_executor_that_does_not_see_the_output_folder_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out" / "_run.json").rename(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match=f"does not see {tmp_path}/out, the output folder"):
        extracting(run.with_absolute_paths(), 1, 4)([0])
    assert not list((tmp_path / "out" / "dead_letter").glob("0*"))


def test_paths_in_settings_leave_as_absolute_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = {"templates.mode": "fused", "templates.known": ("old", "s3://bucket/older")}
    there = Run(load_configuration(None, settings), "out", (), (), None, resumed=False).with_absolute_paths()
    assert there.configuration.templates.known == (str(tmp_path / "old"), "s3://bucket/older")
    assert there.configuration.templates.source == ""


@pytest.mark.parametrize(
    ("raised", "kind", "message"),
    [
        ("OSError: [Errno 28] No space left on device", RunError, "OSError: [Errno 28] No space left on device"),
        ("thresher.errors.StoreRefused: 403 five times", RunError, "an executor failed: StoreRefused: 403 five times"),
        ("thresher.errors.OutputError: it does not see out", OutputError, "it does not see out"),
    ],
)
def test_a_failure_names_the_reason_of_the_executor(raised: str, kind: type[Exception], message: str) -> None:
    found = failure(RuntimeError(TRACEBACK.replace("{raised}", raised)))
    assert type(found) is kind
    assert str(found).endswith(message)


def test_a_failure_of_spark_itself_is_its_first_line() -> None:
    assert str(failure(RuntimeError("Job 0 was cancelled\n\tat java.base"))) == "Spark: Job 0 was cancelled"
    assert str(failure(RuntimeError())) == "Spark: RuntimeError"


@pytest.mark.parametrize(
    ("arguments", "name", "holds"),
    [
        ([], "extract.py", "def main("),
        (["--properties"], "spark-defaults.conf", "spark.executor.memoryOverhead"),
        (["--settings"], "cluster.toml", "[read]"),
    ],
)
def test_spark_job_prints_paths_of_the_installation(
    arguments: list[str], name: str, holds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spark_job.main(arguments, standalone_mode=False)
    path = Path(capsys.readouterr().out.strip())
    assert path.is_absolute()
    assert path.name == name
    assert holds in path.read_text("utf-8")
