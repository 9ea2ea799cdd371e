# SPDX-License-Identifier: Apache-2.0
"""Spark: jobs/extract.py under spark-submit, in separate processes, with the rows of the command line, stopped and
continued; and what needs no cluster of its own, in one session.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
import pytest
from archive_forms import write_form
from click.testing import CliRunner
from crossing import ALL_FORMS, SPARK, WHOLE, Crossing, check
from py4j.protocol import Py4JNetworkError
from pyspark.cloudpickle import register_pickle_by_value
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from s3_store import s3_environment
from small_archive import page, write_archive, write_archives
from waiting import LIMIT

import thresher
from thresher.after.report import rows_digest
from thresher.errors import RunError
from thresher.jobs.data_source import register
from thresher.jobs.engine import SparkEngine
from thresher.jobs.extract import main
from thresher.running.outcome import inspect_run
from thresher.schemas import TABLES, Table

ROOT = Path(__file__).parents[2]
SPLIT = ["--set", "read.split_bytes=4000"]
# Two extractors, so that an optional column goes the same way as all others.
OPTIONS = [*SPLIT, "--extractors", "cetd,all", "--blocks", "--also", "images,tables,code,posts"]
OPTIONS += ["--columns", "+outlinks"]
WRITTEN = {name: table.written(["html", "outlinks", "text_all"]) for name, table in TABLES.items()}
USUAL = [table for table in TABLES if table != "hosts"]  # which needs --robots
SPARK_HOME = Path(pyspark.__file__).parent
# Java that lives for seconds spends most of them on compiling what it will not run again, and on threads of its collector.
JAVA = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}


def spark_submit(
    master: str, *arguments: object, executors: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the job; `executors` is what its executors have in their environment."""
    command = [SPARK_HOME / "bin" / "spark-submit", "--master", master]
    for name, value in (executors or {}).items():
        command += ["--conf", f"spark.executorEnv.{name}={value}"]
    command += ["--properties-file", ROOT / "conf" / "spark-defaults.conf"]
    command += ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.host=127.0.0.1"]
    command += [ROOT / "jobs" / "extract.py", *arguments]
    environment = {
        **os.environ,
        **JAVA,
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }
    return subprocess.run(
        [*map(str, command)], capture_output=True, text=True, timeout=LIMIT, check=False, env=environment, cwd=cwd
    )


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "archives"
    write_archives(folder, archives=4, pages=30)
    parts = b"<h2>Parts</h2><img src=w.jpg><table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table><pre>x = 1</pre>"
    pages = {k: page(400 + k).replace(b"</h1>", b"</h1>" + parts, 1) for k in range(10)}
    write_archive(folder / "parts.warc.gz", {f"https://www.site{k % 5}.co.uk/p/{k}": pages[k] for k in pages})
    # One archive that lost its end: its dead letter has to be the same too.
    whole = (folder / "crawl-3.warc.gz").read_bytes()
    (folder / "crawl-3.warc.gz").write_bytes(whole[:-3000])
    return folder


def command_line(
    *arguments: object, cwd: Path | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    command = [sys.executable, "-m", "thresher.commands.main", *map(str, arguments)]
    environment = {**os.environ, **(environment or {})}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=environment)


@pytest.fixture(scope="module")
def by_command_line(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("cli") / "out"
    command_line("extract", archives, "-o", output, "--workers", "1", *OPTIONS).check_returncode()
    return output


def rows(output: Path, table: str) -> pa.Table:
    """The rows of a table without what is measured, in a fixed order."""
    names = [column.name for column in WRITTEN[table].columns if not column.measured]
    read = pq.read_table(output / table, columns=names)
    page = ["warc_filename", "warc_record_offset"]
    orders = {
        "metrics": ["partition", "stage"],
        "templates": ["node", "fingerprint"],
        "blocks": [*page, "block_order"],
        "images": [*page, "position"],
        "tables": [*page, "number"],
        "code": [*page, "number"],
        "posts": [*page, "number"],
        "keys": ["key", *page],
        "files": ["file"],
    }
    order = orders.get(table, page)
    return read.sort_by([(name, "ascending") for name in order])


def test_rows_of_the_command_line_and_going_on_by_warc(archives: Path, by_command_line: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    # A run that was stopped after the first archive and in the middle of the second: a part of what the command line
    # left.
    for name in ("pages", "metrics", "blocks", "dead_letter", "_ledger"):
        (output / name).mkdir(parents=True)
    for name in ("_run.json", "_ledger/00000.done.json"):
        (output / name).write_bytes((by_command_line / name).read_bytes())
    second = json.loads((by_command_line / "_ledger" / "00001.done.json").read_text())
    second["partitions"] = second["partitions"][:2]
    (output / "_ledger" / "00001.json").write_text(json.dumps(second))
    for table in ("pages", "metrics", "blocks"):
        folder = by_command_line / table
        for path in [*folder.glob("00000-*"), *folder.glob("00001-000[01].*")]:
            (output / table / path.name).write_bytes(path.read_bytes())
    kept = {path: path.stat().st_mtime_ns for path in (output / "pages").iterdir()}
    assert kept

    done = spark_submit("local-cluster[1,2,1024]", archives, output, *OPTIONS)
    assert done.returncode == 0, done.stderr[-3000:]
    said = done.stdout + done.stderr
    assert said.count(" INFO ") < 20, "what matters is not buried"
    assert f"See: thresher inspect {output}" in said

    for table in USUAL:
        assert rows(output, table).equals(rows(by_command_line, table)), table
    assert rows(output, "dead_letter").num_rows == 1
    assert rows_digest(str(output)) == rows_digest(str(by_command_line))
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "finished partitions are not worked on again"
    assert inspect_run(str(output)).unaccounted == 0
    assert sorted(path.name for path in (output / "_ledger").iterdir()) == [f"0000{k}.done.json" for k in range(5)]


@pytest.mark.nightly
def test_relative_names_mean_the_folder_of_the_driver(archives: Path, tmp_path: Path) -> None:
    """Each executor works in a folder of its own."""
    shutil.copytree(archives, tmp_path / "crawl")
    shutil.copy(archives / "crawl-0.warc.gz", tmp_path / "more.warc.gz")
    rules = b"User-agent: GPTBot\nDisallow: /"
    write_archive(tmp_path / "robots.warc.gz", {f"https://www.site{k}.co.uk/robots.txt": rules for k in range(3)})
    options = [*SPLIT, "--robots", "robots.warc.gz", "--columns", "+rights"]
    done = spark_submit("local-cluster[2,1,1024]", "crawl", "more.warc.gz", "out", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    command = ["extract", "crawl", "more.warc.gz", "-o", "cli", *options]
    command_line(*command, cwd=tmp_path).check_returncode()
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(tmp_path / "cli"))
    hosts = [pq.read_table(tmp_path / output / "hosts") for output in ("out", "cli")]
    assert hosts[0].equals(hosts[1])
    assert hosts[0].num_rows == 3
    assert "no" in pq.read_table(tmp_path / "out" / "pages")["use_ai_train"].to_pylist()
    assert set(pq.read_table(tmp_path / "out" / "pages")["warc_filename"].to_pylist()) == {
        "more.warc.gz", "crawl/parts.warc.gz", *(f"crawl/crawl-{k}.warc.gz" for k in range(4)),
    }  # fmt: skip


def misbehaving(**variables: str) -> dict[str, str]:
    """The environment of Python processes that tests/deadly_site makes misbehave."""
    folders = [ROOT / "tests" / "deadly_site", ROOT / "tests", *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return {"PYTHONPATH": os.pathsep.join(map(str, folders)), **variables}


@pytest.mark.nightly
def test_output_that_cannot_be_written_is_exit_status_4_and_the_same_command_goes_on(
    archives: Path, tmp_path: Path
) -> None:
    arguments = [archives / "crawl-0.warc.gz", tmp_path / "out", *OPTIONS]
    full = spark_submit("local-cluster[1,1,1024]", *arguments, executors=misbehaving(THRESHER_TEST_FULL_DISK="1"))
    assert full.returncode == 4, full.stderr[-3000:]
    (said,) = [line for line in (full.stdout + full.stderr).splitlines() if "an executor failed" in line]
    assert "Error: an executor failed: OSError: [Errno 28] No space left on device" in said
    assert said.endswith("run the same command again to resume.")
    assert spark_submit("local[1]", *arguments).returncode == 0
    assert rows(tmp_path / "out", "pages").num_rows == 30


@pytest.mark.nightly
def test_pages_that_kill_or_hang_are_dead_letters_as_on_one_machine(tmp_path: Path) -> None:
    kinds = {4: "deadly", 11: "hanging", 23: "deadly"}
    names = [f"https://site.example/{kinds.get(k, 'page')}/{k}" for k in range(30)]
    archive = write_archive(tmp_path / "a.warc.gz", {url: page(k) for k, url in enumerate(names)})
    options = [*OPTIONS, "--set", "run.stall_seconds=8"]
    there = spark_submit("local-cluster[2,1,1024]", archive, tmp_path / "spark", *options, executors=misbehaving())
    command = ["extract", archive, "-o", tmp_path / "cli", "--workers", "1", *options]
    here = command_line(*command, environment=misbehaving())
    for done, output in ((here, tmp_path / "cli"), (there, tmp_path / "spark")):
        assert done.returncode == 3, done.stderr[-3000:]  # three errors of thirty pages are more than a twentieth
        assert "Too many errors: 10.00%" in done.stdout + done.stderr  # spark-submit makes one of the two
        found = rows(output, "pages").to_pylist()
        assert sorted(row["url"] for row in found) == sorted(names)
        assert {row["url"] for row in found if row["status"] != "ok"} == {names[k] for k in kinds}
        letters = rows(output, "dead_letter").to_pylist()
        assert [(each["url"], each["stage"], each["error_class"]) for each in letters] == [
            (names[k], "worker", "PageGivenUp") for k in kinds
        ]
    for table in USUAL:
        assert rows(tmp_path / "spark", table).equals(rows(tmp_path / "cli", table)), table


@pytest.mark.nightly
def test_an_archive_that_kills_executors_is_given_up_and_costs_nothing_else(tmp_path: Path) -> None:
    """Like a page for which a container has too little memory: the cluster ends the executor, not the worker."""
    names = [f"https://site.example/page/{k}" for k in range(20)]
    for name, urls in (("a", names), ("b", [*names[:10], "https://site.example/executor", *names[10:]]), ("c", names)):
        (tmp_path / "archives").mkdir(exist_ok=True)
        write_archive(tmp_path / "archives" / f"{name}.warc.gz", {url: page(k) for k, url in enumerate(urls)})
    output = tmp_path / "out"
    arguments = [tmp_path / "archives", output, "--extractors", "cetd,all", "--blocks", "--columns", "+outlinks"]
    killed = spark_submit("local-cluster[2,1,1024]", *arguments, executors=misbehaving())
    said = killed.stdout + killed.stderr
    assert killed.returncode == 4, said[-3000:]
    assert "Incomplete: 1 partition is missing" in said
    (letter,) = rows(output, "dead_letter").to_pylist()
    assert (letter["stage"], letter["error_class"]) == ("worker", "WorkerDied")
    assert letter["message"].startswith("3 attempts ended without a word over ")
    found = rows(output, "pages")["warc_filename"].to_pylist()
    assert [sum(name.endswith(f"/{each}.warc.gz") for name in found) for each in "abc"] == [20, 0, 20]
    # On machines with more memory the same command has it all.
    done = spark_submit("local-cluster[1,1,1024]", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert rows(output, "pages").num_rows == 61
    assert rows(output, "dead_letter").num_rows == 0


@pytest.mark.nightly
def test_what_failed_on_spark_is_tried_again_on_one_machine(archives: Path, tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    shutil.copytree(archives, folder)
    whole = (folder / "crawl-1.warc.gz").read_bytes()
    (folder / "crawl-1.warc.gz").write_bytes(whole[:9000] + bytes(2000) + whole[11000:])
    templates = ["--templates", "fused", "--keep-first-pass"]
    for number, options in enumerate((OPTIONS, [*OPTIONS, *templates])):
        output = tmp_path / f"out{number}"
        done = spark_submit("local-cluster[2,1,1024]", folder, output, *options)
        assert done.returncode == 0, done.stderr[-3000:]
        assert rows(output, "dead_letter").num_rows == 2  # one archive is cut off, and stays so
    (folder / "crawl-1.warc.gz").write_bytes(whole)
    for number, options in enumerate((OPTIONS, [*OPTIONS, *templates])):
        output, anew = tmp_path / f"out{number}", tmp_path / f"anew{number}"
        command_line("retry", output, "--workers", "1").check_returncode()
        command_line("extract", folder, "-o", anew, *options).check_returncode()
        for table in USUAL:
            assert rows(output, table).equals(rows(anew, table)), table


@pytest.mark.nightly
def test_an_index_gives_the_rows_of_whole_archives(by_command_line: Path, tmp_path: Path) -> None:
    """The driver asks the index; the executors read the ranges that it left in the output folder."""
    output = tmp_path / "out"
    index = ["--index", by_command_line / "pages", "--max-requests-per-second", "50"]
    done = spark_submit("local-cluster[2,1,1024]", *index, output, *OPTIONS)
    assert done.returncode == 0, done.stderr
    assert rows_digest(str(output)) == rows_digest(str(by_command_line))
    assert inspect_run(str(output)).unaccounted == 0


def test_wrong_option_and_foreign_output_are_refused_before_spark_starts(archives: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("mine")
    for arguments, message in (
        ([archives, tmp_path], "thesis.docx"),
        ([archives, tmp_path / "new", "--wrong"], "--wrong"),
    ):
        command = [sys.executable, str(ROOT / "jobs" / "extract.py"), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2, done.stderr
        assert message in done.stderr


def test_an_error_of_spark_is_told_though_java_is_gone() -> None:
    """Of a driver whose Java process was killed, Python lives on for a moment, and cannot stop the session."""

    class Gone:
        def stop(self) -> None:
            raise ConnectionRefusedError(111, "Connection refused")

    engine = SparkEngine(SimpleNamespace(inputs=()))  # type: ignore[arg-type]
    engine._spark = Gone()
    with pytest.raises(RunError, match=r"Spark: Answer from Java side is empty"):
        engine.__exit__(None, Py4JNetworkError("Answer from Java side is empty"), None)


# -- in one session ---------------------------------------------------------------------------------------------------


class KeptEngine(SparkEngine):
    """Leaves the session open for the next test."""

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def executors_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("session") / "log"


@pytest.fixture(scope="module")
def session(executors_log: Path) -> Iterator[SparkSession]:
    with pytest.MonkeyPatch.context() as patch:
        environment = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", **JAVA, **s3_environment()}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # what executors import
        for name, value in environment.items():
            patch.setenv(name, value)
        kept = os.dup(2)
        with executors_log.open(
            "w"
        ) as log:  # Java and the executors' Python write where this process does when they start
            os.dup2(log.fileno(), 2)
            try:
                session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
            finally:
                os.dup2(kept, 2)
                os.close(kept)
        session.sparkContext.setLogLevel("ERROR")
        session.conf.set("spark.sql.session.timeZone", "UTC")
        session.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        register(session)
        yield session
        session.stop()


@pytest.mark.usefixtures("session")
def test_templates_have_the_rows_of_the_command_line(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--extractors", "cetd,all", "--templates", "fused", "--blocks", "--also", "images,tables,code,posts"]
    options += ["--columns", "+outlinks"]
    command_line("extract", archives, "-o", tmp_path / "cli", "--workers", "1", *options).check_returncode()
    # A name that is a pattern for Spark, and a neighbour that it matches.
    output = tmp_path / "spark[1]"
    for table in ("marks", "host_pages", "counts"):
        neighbour = tmp_path / "spark1" / "_staging" / table
        neighbour.mkdir(parents=True)
        (neighbour / "0.parquet").write_bytes(b"not ours")
    monkeypatch.setattr("thresher.jobs.engine.SparkEngine", KeptEngine)
    done = CliRunner().invoke(main, [*map(str, (archives, output)), *options])
    assert done.exit_code == 0, done.output
    for table in USUAL:
        assert rows(output, table).equals(rows(tmp_path / "cli", table)), table
    found = rows(output, "pages")
    assert rows(output, "templates").num_rows
    assert min(share for share in found["template_share"].to_pylist()) > 0
    assert not any("Imprint" in text for text in found["text"].to_pylist())
    assert not (output / "_staging").exists()


@pytest.fixture(scope="module")
def with_hosts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that writes the table hosts."""
    folder = tmp_path_factory.mktemp("hosts")
    rules = {f"https://www.site{k}.co.uk/robots.txt": b"User-agent: GPTBot\nDisallow: /" for k in range(3)}
    write_archive(folder / "robots.warc.gz", rules)
    write_archive(folder / "pages.warc.gz", {"https://www.site1.co.uk/": page(1)})
    command = ["extract", "pages.warc.gz", "-o", "out", "--robots", "robots.warc.gz", "--columns", "+rights"]
    command_line(*command, cwd=folder).check_returncode()
    return folder / "out"


DAILY = ("pages", "hosts", "dead_letter")


@pytest.mark.parametrize(
    "table",
    [pytest.param(each, marks=() if each.name in DAILY else pytest.mark.nightly) for each in WRITTEN.values()],
    ids=lambda table: table.name,
)
def test_spark_reads_what_is_written_and_gives_it_back(
    session: SparkSession, table: Table, by_command_line: Path, with_hosts: Path, tmp_path: Path
) -> None:
    output = by_command_line if table.name in USUAL else with_hosts
    frame = session.read.parquet(str(output / table.name))
    expected = table.to_spark()
    assert ("text_all" in frame.columns) == (table.name == "pages")
    assert [(field.name, field.dataType) for field in frame.schema] == [(f.name, f.dataType) for f in expected]
    # Through Arrow and Spark's own writer with the table's Spark schema: types and values survive.
    register_pickle_by_value(sys.modules[__name__])  # the Python worker cannot import a test
    frame.coalesce(1).mapInArrow(lambda batches: batches, expected).write.parquet(str(tmp_path / "copy"))
    copy, written = pq.read_table(tmp_path / "copy"), pq.read_table(output / table.name)
    assert copy.schema.names == table.names()
    key = table.names()
    assert sorted(map(repr, copy.select(key).to_pylist())) == sorted(map(repr, written.select(key).to_pylist()))


SAMPLE = {
    "Spark data source": ("gzip-uneven", "wacz-deflated", "s3"),
    "Spark job": ("zstd-dictionary", "index", "stdin"),
    "Spark job fused": ("lz4-one",),
}
CROSSINGS = [Crossing(form, action) for action in SPARK for form in (ALL_FORMS if WHOLE else SAMPLE[action])]


@pytest.mark.parametrize("crossing", CROSSINGS, ids=str)
def test_crossings_give_what_the_plain_file_gives(crossing: Crossing, session: SparkSession, tmp_path: Path) -> None:
    """Forms of input crossed with what Spark does with them; see crossing.py."""
    if (crossing.form, crossing.action in SPARK[1:]) == ("stdin", True):
        refused = CliRunner().invoke(main, ["-", str(tmp_path / "out")])
        assert refused.exit_code == 2
        assert "standard input (-) cannot be read on a cluster" in refused.output
        return
    check(crossing, tmp_path, engine=KeptEngine, spark=lambda: session)


# -- archives as a data source ----------------------------------------------------------------------------------------

HTML = "<p>The wheel turned again on the last Sunday of October, after eleven years in the reeds.</p>"


def frame(session: SparkSession, path: Path, **options: str) -> DataFrame:
    return session.read.format("thresher").options(**options).load(str(path))


def test_every_input_is_a_partition_and_nothing_is_lost_without_a_word(
    session: SparkSession, executors_log: Path, tmp_path: Path
) -> None:
    forms = tmp_path / "forms"
    write_form(forms, "one.warc.zst")
    cut = write_form(forms, "threes.warc.gz")
    cut.write_bytes(cut.read_bytes()[:-900])
    with zipfile.ZipFile(forms / "a.wacz", "w") as file:
        for form in ("plain.warc", "one.arc.gz"):
            file.write(write_form(tmp_path / "members", form), f"archive/{form}")
    (forms / "page.html").write_text(HTML * 3)
    pages = frame(session, forms, columns="+rights,+n_text_words")
    assert {"licence", "n_text_words"} <= set(pages.columns)
    assert pages.rdd.getNumPartitions() == 5
    batches = thresher.page_batches(forms, columns=["url", "n_text_words"])
    expected = sorted([row["url"], row["n_text_words"]] for batch in batches for row in batch.to_pylist())
    assert sorted([row.url, row.n_text_words] for row in pages.select("url", "n_text_words").collect()) == expected
    named = ("warc_filename", "warc_record_offset", "error_class")
    letters = sorted(list(row) for row in frame(session, forms, table="dead_letter").select(*named).collect())
    assert letters == sorted([each.warc_filename, each.offset, each.error_class] for each in batches.dead_letters)
    assert letters
    assert f"{forms / 'threes.warc.gz'}: {len(letters)} dead letters beside" in executors_log.read_text()


def test_rows_are_those_of_page_batches(session: SparkSession, tmp_path: Path) -> None:
    write_archives(tmp_path / "archives", archives=2, pages=9)

    def texts(found: DataFrame) -> dict[str, str]:
        return {row.url: row.text for row in found.select("url", "text").collect()}

    def expected(**options: object) -> dict[str, str]:
        batches = thresher.page_batches(tmp_path / "archives", **options)
        return {row["url"]: row["text"] for batch in batches for row in batch.to_pylist()}

    greek = frame(session, tmp_path / "archives", where="language = 'ell'")
    assert greek.rdd.getNumPartitions() == 2
    assert texts(greek) == expected(where="language = 'ell'")
    assert 0 < len(texts(greek)) < 18
    markdown = frame(session, tmp_path / "archives", columns="url,text,n_text_words", format="markdown")
    assert markdown.columns == ["url", "text", "n_text_words"]
    assert texts(markdown) == expected(options=thresher.Options(format="markdown"))
    with pytest.raises(PySparkException, match="unknown option 'fromat'; did you mean 'format'\\?"):
        frame(session, tmp_path / "archives", fromat="markdown")


def test_main_text_is_a_function_of_sql(session: SparkSession) -> None:
    rows = session.createDataFrame([(HTML,), (None,)], "html string").selectExpr("main_text(html) as text").collect()
    assert [row.text for row in rows] == [thresher.extract(HTML).text, None]
