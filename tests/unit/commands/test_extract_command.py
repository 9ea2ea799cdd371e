# SPDX-License-Identifier: Apache-2.0
"""`thresher extract` as it is run: workers, exit statuses, kill -9 and going on, workers that die."""

import errno
import gzip
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
from contextlib import chdir
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from halting import start_and_halt
from local_server import LocalServer
from s3_store import KEYS, s3_client
from small_archive import DATE, page, write_archives, write_responses
from waiting import LIMIT

from thresher import extract, read_captures
from thresher.after.report import rows_digest
from thresher.commands import one_page
from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.running.outcome import inspect_run
from thresher.running.run import EXIT_STOPPED

THRESHER = [sys.executable, "-m", "thresher.commands.main"]
SPLIT = ["--set", "read.split_bytes=9000"]


class Done(NamedTuple):
    """What became of a command."""

    status: int
    stdout: str
    stderr: str


def thresher(*arguments: object, given: str | None = None, cwd: Path | str = ".") -> Done:
    """The command in this process: starting one takes a second."""
    with chdir(cwd):
        done = CliRunner().invoke(main, [*map(str, arguments)], input=given)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def process(*arguments: object) -> Done:
    """The command in a process of its own."""
    command = [*THRESHER, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "archives"
    write_archives(folder, archives=3, pages=40)
    return folder


@pytest.fixture(scope="module")
def undisturbed(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("undisturbed") / "out"
    done = process("extract", archives, "-o", output, "--workers", 1, *SPLIT, "--set", "write.page_timings=false")
    assert done.status == 0, done.stderr
    assert "120 pages of 363 records, 0 errors" in done.stderr
    assert "WARNING" not in done.stderr  # such as a partition that had to be tried again
    return output


def files(output: Path, table: str = "pages") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((output / table).iterdir())}


def urls(output: Path) -> list[str]:
    return sorted(ds.dataset(output / "pages").to_table(columns=["url"])["url"].to_pylist())


@pytest.mark.parametrize("n", [pytest.param(2, marks=pytest.mark.nightly), 3])
def test_same_files_with_any_number_of_workers(archives: Path, undisturbed: Path, tmp_path: Path, n: int) -> None:
    done = process("extract", archives, "-o", tmp_path, "--workers", n, *SPLIT, "--set", "write.page_timings=false")
    assert done.status == 0, done.stderr
    assert files(tmp_path) == files(undisturbed)
    assert len(files(tmp_path)) > 6


def test_into_a_bucket_and_out_of_one(
    archives: Path, undisturbed: Path, s3_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": s3_server}.items():
        monkeypatch.setenv(name, value)
    client = s3_client(s3_server)
    client.create_bucket(Bucket="crawl")
    first = archives / "crawl-0.warc.gz"
    client.put_object(Bucket="crawl", Key=f"warc/{first.name}", Body=first.read_bytes())
    command = ["extract", f"s3://crawl/warc/{first.name}", "-o", "s3://crawl/out", "--workers", 2, *SPLIT]
    done = process(*command, "--set", "write.page_timings=false")
    assert done.status == 0, done.stderr
    assert "40 pages of 121 records, 0 errors" in done.stderr
    written = {
        item["Key"].removeprefix("out/pages/"): client.get_object(Bucket="crawl", Key=item["Key"])["Body"].read()
        for item in client.list_objects_v2(Bucket="crawl", Prefix="out/pages/")["Contents"]
        if item["Key"].endswith(".parquet")
    }
    assert written.keys() == {name for name in files(undisturbed) if name.startswith(("00000-", "schema"))}
    for name, there in written.items():
        columns = ["url", "text", "title", "language", "confidence", "warc_record_offset"]
        here = pq.read_table(undisturbed / "pages" / name, columns=columns, partitioning=None)
        assert pq.read_table(io.BytesIO(there), columns=columns).equals(here)
    again = thresher(*command, "--set", "write.page_timings=false")  # nothing is left to do
    assert (again.status, "including earlier work" in again.stderr) == (0, True)
    refused = thresher(*command[:2], "-o", "s3://crawl/fused", "--templates", "fused")
    assert refused.status == 2
    assert "needs a local output folder" in refused.stderr
    assert "Contents" not in client.list_objects_v2(Bucket="crawl", Prefix="fused")


def test_what_a_run_leaves(undisturbed: Path) -> None:
    assert sorted(path.name for path in undisturbed.iterdir()) == [
        "_inputs.json", "_ledger", "_plan.json", "_run.json", "blocks", "dead_letter", "files", "keys", "metrics",
        "pages", "skipped", "templates",
    ]  # fmt: skip
    run = json.loads((undisturbed / "_run.json").read_text("utf-8"))
    assert run["configuration"]["read"]["split_bytes"] == 9000
    assert run["configuration"]["limits"] == load_configuration().to_dict()["limits"]
    assert {"thresher", "python", "pyarrow", "isal"} <= set(run["versions"])
    assert sorted(path.name for path in (undisturbed / "_ledger").iterdir()) == [f"0000{k}.done.json" for k in range(3)]


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("first file", marks=pytest.mark.nightly),
        "first ledger entry",
        pytest.param("first finished archive", marks=pytest.mark.nightly),
    ],
)
def test_killed_and_started_again(archives: Path, undisturbed: Path, tmp_path: Path, moment: str) -> None:
    pattern = {
        "first file": "_temporary/*-pages.parquet",
        "first ledger entry": "_ledger/0*.json",
        "first finished archive": "_ledger/0*.done.json",
    }[moment]
    command = [*THRESHER, "extract", str(archives), "-o", str(tmp_path / "out"), "--workers", "2", *SPLIT]
    started = start_and_halt(command, pattern, tmp_path, stderr=subprocess.DEVNULL)
    started.kill()
    assert started.wait() == -signal.SIGKILL
    before = set(urls(tmp_path / "out")) if (tmp_path / "out" / "pages" / "schema.parquet").exists() else set()
    assert len(before) < 120
    again = thresher(*command[3:])
    assert again.status == 0, again.stderr
    assert "Resuming" in again.stderr
    assert urls(tmp_path / "out") == urls(undisturbed)
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(undisturbed))
    assert set(files(tmp_path / "out")) == set(files(undisturbed))
    assert inspect_run(str(tmp_path / "out")).unaccounted == 0
    assert not (tmp_path / "out" / "_temporary").exists()
    third = thresher(*command[3:])
    assert (third.status, "0 of 3 inputs left" in third.stderr) == (0, True)


def test_ctrl_c_stops_and_the_same_command_goes_on(archives: Path, undisturbed: Path, tmp_path: Path) -> None:
    command = [*THRESHER, "extract", str(archives), "-o", str(tmp_path / "out"), "--workers", "2", *SPLIT]
    started = start_and_halt(
        command, "_ledger/0*.json", tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    os.killpg(started.pid, signal.SIGINT)
    os.killpg(started.pid, signal.SIGCONT)
    _, message = started.communicate(timeout=LIMIT)
    assert (started.returncode, "Run the same command again to resume" in message) == (130, True), message
    assert thresher(*command[3:]).status == 0
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(undisturbed))


@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        ("click.Command.make_context", []),
        ("thresher.running.run.list_files", ["extract", "in.warc", "-o", "out"]),
        ("thresher.after.compacting.compact", ["compact", "out"]),
        ("thresher.running.shards.merge", ["merge", "out"]),
    ],
)
def test_ctrl_c_ends_every_command_with_the_same_status(
    place: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also before a run begins, and where there is none."""

    def stop(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(place, stop)
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.output) == (EXIT_STOPPED, "Stopped. Run the same command again.\n")


@pytest.mark.parametrize("command", ["config", "inspect OUT", "head OUT --json"])
def test_a_full_disk_ends_a_command_with_a_message(command: str, undisturbed: Path) -> None:
    arguments = [str(undisturbed) if word == "OUT" else word for word in command.split()]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*THRESHER, *arguments], check=False, stdout=full, stderr=subprocess.PIPE, text=True, env=buffered
        )
    message = "Error: No space left on device; mend that, and the same command goes on\n"
    assert (done.returncode, done.stderr) == (4, message)


@pytest.mark.parametrize("command", ["--help", "config", "inspect OUT", "head OUT", "extract --help-all"])
def test_a_reader_that_has_had_enough_ends_a_command_without_a_word(command: str, undisturbed: Path) -> None:
    """As SIGPIPE ends other tools."""
    reads, writes = os.pipe()
    os.close(reads)
    arguments = [str(undisturbed) if word == "OUT" else word for word in command.split()]
    done = subprocess.run([*THRESHER, *arguments], check=False, stdout=writes, stderr=subprocess.PIPE)
    os.close(writes)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_a_disk_that_is_full_midway_leaves_no_file_and_no_traceback(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert CliRunner().invoke(main, ["extract", str(archives), "-o", str(tmp_path / "out")]).exit_code == 0

    def write(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "Error writing bytes to file")  # as pyarrow says it

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_table", write)
    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_batch", write)
    done = CliRunner().invoke(main, ["compact", str(tmp_path / "out")])
    assert done.exit_code == 4
    assert re.fullmatch(
        f"Error: {tmp_path}/out/_compact[a-z0-9/.]*: No space left on device; mend that, and the same command goes on",
        done.output.splitlines()[-1],
    )
    monkeypatch.undo()
    assert CliRunner().invoke(main, ["compact", str(tmp_path / "out")]).exit_code == 0


@pytest.mark.parametrize(
    ("command", "file"),
    [
        (["extract", "ARCHIVES", "-o", "OUT"], "OUT"),
        (["extract", "ARCHIVES", "-o", "OUT", "--templates", "fused"], "OUT"),
        (["extract", "--index", "RUN/pages", "-o", "OUT"], "OUT"),
        (["inspect", "RUN", "--html", "OUT.html"], "OUT.html"),
        (["select", "RUN", "--route", "trust", "--route", "ask", "-o", "OUT.jsonl"], "OUT.jsonl"),
        (["templates", "stream", "ARCHIVES", "-o", "OUT.jsonl"], "OUT.jsonl"),
        (["demo", "OUT"], "OUT"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_disk_that_fills_is_named_and_the_same_command_goes_on(
    command: list[str], file: str, archives: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    assert CliRunner().invoke(main, ["extract", str(archives), "-o", str(run), "--columns", "+route"]).exit_code == 0
    names = {"ARCHIVES": str(archives), "RUN/pages": str(run / "pages"), "RUN": str(run)}
    words = [names.get(word, word.replace("OUT", str(tmp_path / "OUT"))) for word in command]
    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
    # A module that is compiled on a full disk is kept in part (CPython 3.11), and nobody can import it from then on.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*THRESHER, *words], check=False, capture_output=True, text=True, preexec_fn=full, env=environment
    )
    assert done.returncode == 4, done.stderr
    assert re.fullmatch(
        f"Error: {tmp_path}/{file}[a-z0-9_/.]*: File too large; mend that, and the same command goes on",
        done.stderr.splitlines()[-1],
    )
    done = subprocess.run([*THRESHER, *words], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_pipe_is_written_to_and_a_link_stays_one(undisturbed: Path, tmp_path: Path) -> None:
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file.html"
    os.mkfifo(pipe)
    link.symlink_to(file)
    read: list[str] = []
    reader = Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    for target in (pipe, link):
        assert CliRunner().invoke(main, ["inspect", str(undisturbed), "--html", str(target)]).exit_code == 0
    reader.join(LIMIT)
    assert read == [file.read_text()]
    assert (pipe.is_fifo(), link.is_symlink()) == (True, True)


# --- exit statuses and messages ---


def test_errors_above_the_ratio(archives: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.warc.gz"
    short.write_bytes((archives / "crawl-0.warc.gz").read_bytes()[:-3000])
    tolerant = thresher("extract", short, "-o", tmp_path / "a", "--max-error-ratio", 0.5)
    assert tolerant.status == 0
    strict = thresher("extract", short, "-o", tmp_path / "b", "--max_error_ratio", 0)
    assert strict.status == 3
    assert "Too many errors" in strict.stderr
    assert rows_digest(str(tmp_path / "a")) == rows_digest(str(tmp_path / "b")), "everything is written all the same"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.warc.gz", "-o", "out"], "none.warc.gz"),
        (["*.nothing", "-o", "out"], "nothing"),
        (["{archives}"], "-o"),
        (["{archives}", "-o", "out", "--wokers", "2"], "--workers"),
        (["{archives}", "-o", "out", "--extractor", "ctd"], "cetd"),
        (["{archives}", "-o", "out", "--extractors", "cetd,all,cetd"], "named twice"),
        (["{archives}", "-o", "out", "--extractor", "cetd", "--mode", "recall"], "these do: thresher"),
        (["{archives}", "-o", "out", "--format", "pdf"], "'text', 'markdown', 'html'"),
        (["{archives}", "-o", "out", "--images"], "plain text cannot hold images"),
        (["{archives}", "-o", "out", "--set", "limit.max_nodes=1"], "limits.max_nodes"),
        (["{archives}", "-o", "out", "--conf", "none.toml"], "none.toml"),
        (["{archives}", "-o", "out", "--output_compression", "rar"], "'auto', 'zstd', 'gzip', 'snappy', 'none'"),
        (["{archives}", "-o", "https://example.org/out"], "web server"),
        (["{archives}", "-o", "{undisturbed}", *SPLIT], "write.page_timings"),
        (["{archives}/crawl-0.warc.gz", "-o", "{undisturbed}", *SPLIT], "inputs"),
        (["{archives}", "-o", "{archives}"], "crawl-0.warc.gz"),
    ],
)
def test_what_the_user_has_to_mend(
    archives: Path, undisturbed: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    before = files(undisturbed)
    filled = [argument.format(archives=archives, undisturbed=undisturbed) for argument in arguments]
    done = thresher("extract", *filled, cwd=tmp_path)
    assert done.status == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
    assert files(undisturbed) == before


@pytest.mark.parametrize("number", ["nan", "inf"])
@pytest.mark.parametrize(
    "options", ["estimate IN --seconds", "estimate IN --price-per-gb", "compact IN --target", "evaluate --time-limit"]
)
def test_a_number_is_finite(options: str, number: str, tmp_path: Path) -> None:
    arguments = options.replace("IN", str(tmp_path)).split()
    done = CliRunner().invoke(main, [*arguments, number])
    assert done.exit_code == 2
    assert f"'{number}' is not a finite number" in done.output


def test_list_of_paths_with_a_base_url_in_cc_pyspark_spelling(
    archives: Path, undisturbed: Path, tmp_path: Path
) -> None:
    (tmp_path / "warc.paths").write_text("".join(f"archives/crawl-{k}.warc.gz\n" for k in range(3)))
    options = ["--input_base_url", f"{archives.parent}/", "--output_compression", "gzip", "--log_level", "WARNING"]
    done = thresher("extract", tmp_path / "warc.paths", "-o", tmp_path / "out", *options)
    assert done.status == 0, done.stderr
    assert urls(tmp_path / "out") == urls(undisturbed)
    names = ds.dataset(tmp_path / "out" / "pages").to_table(columns=["warc_filename"])["warc_filename"]
    assert set(names.to_pylist()) == {f"archives/crawl-{k}.warc.gz" for k in range(3)}


def test_markdown_in_the_table(archives: Path, tmp_path: Path) -> None:
    options = ["--format", "markdown", "--links", "--tables", "drop", "--comments", "drop"]
    done = thresher("extract", archives / "crawl-0.warc.gz", "-o", tmp_path / "out", *options)
    assert done.status == 0, done.stderr
    plain = thresher("extract", archives / "crawl-0.warc.gz", "-o", tmp_path / "plain")
    assert plain.status == 0
    rows, plain_rows = (ds.dataset(tmp_path / name / "pages").to_table().to_pylist() for name in ("out", "plain"))
    assert [row["language"] for row in rows] == [row["language"] for row in plain_rows]
    assert any("# Page " in row["text"] for row in rows)
    knobs = json.loads((tmp_path / "out" / "_run.json").read_text())["configuration"]["extract"]
    assert (knobs["format"], knobs["links"], knobs["tables"], knobs["comments"]) == ("markdown", True, "drop", "drop")


def test_several_extractors_and_a_mode(archives: Path, tmp_path: Path) -> None:
    options = ["--extractors", "thresher, all", "--mode", "Recall"]
    done = thresher("extract", archives / "crawl-0.warc.gz", "-o", tmp_path / "out", *options)
    assert done.status == 0, done.stderr
    rows = ds.dataset(tmp_path / "out" / "pages").to_table().to_pylist()
    assert all(len(row["text"]) < len(row["text_all"]) and row["extractor"] == "thresher" for row in rows)
    assert json.loads((tmp_path / "out" / "_run.json").read_text())["configuration"]["extract"]["mode"] == "recall"
    assert "extractors thresher, all," in thresher("inspect", tmp_path / "out").stdout


def test_datelines_are_dropped_on_request(tmp_path: Path) -> None:
    story = "<p>The story of the wheel and of the people who brought it back, told by those who were there.</p>" * 5
    page = tmp_path / "page.html"
    page.write_text(f"<title>The wheel</title><h1>The wheel</h1><p class=byline>Ann Miller</p>{story}")
    texts = {}
    for choice in ("keep", "drop"):
        out = tmp_path / choice
        done = thresher("extract", page, "-o", out, "--datelines", choice)
        assert done.status == 0, done.stderr
        texts[choice] = ds.dataset(out / "pages").to_table()["text"][0].as_py()
        assert json.loads((out / "_run.json").read_text())["configuration"]["extract"]["datelines"] == choice
        assert thresher("text", page, "--datelines", choice).stdout.strip() == texts[choice].strip()
    assert ("Ann Miller" in texts["keep"], "Ann Miller" in texts["drop"]) == (True, False)
    assert "--datelines" in thresher("text", page, "--datelines", "no").stderr


# --- the other commands ---


def test_inspect(undisturbed: Path) -> None:
    shown = thresher("inspect", undisturbed).stdout
    for part in (
        "120 pages from 3 inputs",
        "363 records = 120 pages + 243 skipped + 0 unreadable",
        "eng",
        "www.site1.co.uk",
        "parse",
        "no dead letters",
    ):
        assert part in shown
    assert "UNACCOUNTED" not in shown
    report = json.loads(thresher("inspect", undisturbed, "--json").stdout)
    assert report["statuses"] == {"ok": 120}
    assert report["stages"]["parse"]["nodes_per_second"] > 0
    assert thresher("inspect", undisturbed, "--digest").stdout.strip() == rows_digest(str(undisturbed))


def test_inspect_of_what_is_no_output(tmp_path: Path) -> None:
    for arguments in ([tmp_path], [tmp_path / "none"], [tmp_path, "--digest"]):
        done = thresher("inspect", *arguments)
        assert (done.status, "not the output of a run" in done.stderr) == (2, True), done.stderr


def test_text_of_a_file_and_of_standard_input(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(page(1))
    from_file = thresher("text", tmp_path / "page.html")
    assert "The harvest of the northern fields" in from_file.stdout
    assert "Item 3" not in from_file.stdout
    assert thresher("text", "-", given=page(1).decode()).stdout == from_file.stdout
    assert "Item 3" in thresher("text", "--extractor", "all", tmp_path / "page.html").stdout
    (tmp_path / "old.html").write_bytes("<p>Урожай на северных полях убрали</p>".encode("windows-1251"))
    assert "Урожай" in thresher("text", "--extractor", "all", "--charset", "windows-1251", tmp_path / "old.html").stdout
    assert thresher("text", tmp_path / "none.html").status == 2
    assert thresher("text", "--extractor", "ctd", tmp_path / "page.html").status == 2


PAGE = b"""<title>The wheel | Mill</title><meta property=og:site_name content=Mill><meta name=author content='A. Miller'>
<ul class=menu><li><a href=/>Home</a></ul><article><h1>The wheel</h1><p>For eleven years the wheel lay in the <b>reeds</b> behind the barn, and most of
the village had forgotten <a href=what>what</a> it once drove &amp; why.</p><ul><li>twelve paddles, sawn from a single oak<li>one shaft</ul></article>"""


def test_one_page_in_every_form(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    markdown = thresher(
        "text", "page.html", "--format", "markdown", "--links", "--url", "https://e.org/a/", cwd=tmp_path
    )
    assert "# The wheel\n\nFor eleven years the wheel lay in the **reeds**" in markdown.stdout
    assert "[what](https://e.org/a/what)" in markdown.stdout
    assert "- one shaft\n" in markdown.stdout
    html = thresher("text", "page.html", "--format", "html", cwd=tmp_path).stdout
    assert "<h1>The wheel</h1>" in html
    assert "drove &amp; why" in html
    record = json.loads(thresher("text", "page.html", "--json", "--extractors", "thresher,all", cwd=tmp_path).stdout)
    assert (record["title"], record["author"], record["language"]) == ("The wheel", "A. Miller", "eng")
    assert record["text"] in record["text_all"]
    assert 0 < record["confidence"] <= 1
    several = thresher("text", "--extractors", "thresher,all", given=PAGE.decode()).stdout
    assert several.index("=== thresher") < several.index("=== all") < several.index("Home")
    blocks = thresher("text", "page.html", "--blocks", cwd=tmp_path).stdout
    assert blocks.count('<div class="kept">') == 4
    assert blocks.count('<div class="dropped">') == 1
    assert "drove &amp; why" in blocks
    assert blocks.count('<p dir="auto">') == 5  # a right-to-left text reads as one
    assert "http" not in blocks.replace("http-equiv", "")  # nothing is fetched


def test_one_page_of_an_archive(archives: Path) -> None:
    archive = archives / "crawl-0.warc.gz"
    rows = [(capture.url, capture.payload) for capture in read_captures(archive)]
    url, payload = rows[7]
    record = json.loads(thresher("text", archive, "--url", url, "--json").stdout)
    assert record["url"] == url
    assert record["text"] == extract(payload, url=url).text
    assert json.loads(thresher("text", archive, "--json").stdout)["url"] == rows[0][0]
    done = thresher("text", archive, "--url", "https://nowhere.example/")
    assert (done.status, "no page with the URL https://nowhere.example/" in done.stderr) == (2, True)


def test_one_page_of_an_archive_has_the_charset_of_its_header(tmp_path: Path) -> None:
    url, text = "https://mill.example/", "Урожай".encode("koi8-r")
    headers = [("Content-Type", "text/html; charset=koi8-r")]
    archive = write_responses(tmp_path / "a.warc.gz", [(url, b"<p>" + text, headers, DATE)])
    assert one_page.read_source(str(archive), url) == (b"<p>" + text, "koi8-r", url)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--links"], "plain text cannot hold links; use the format markdown, html or source"),
        (["--format", "pdf"], "'text', 'markdown', 'html'"),
        (["--mode", "x"], "'precision', 'balanced', 'recall'"),
        (["--json", "--blocks"], "choose either --json or --blocks"),
        (["none.html"], "none.html: No such file"),
        (["."], ".: a folder; -o OUT writes a text for each page below it"),
        (["http://127.0.0.1:9/x"], "http://127.0.0.1:9/x: "),
    ],
)
def test_one_page_that_cannot_be_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = thresher("text", *arguments, given="<p>x")
    assert (done.status, done.stdout) == (2, "")
    assert message in done.stderr


def test_one_page_from_a_web_server(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "page.html").write_bytes(PAGE)
    (tmp_path / "a" / "coded.html").write_bytes(gzip.compress(PAGE))

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            if self.path.endswith("coded.html"):
                self.send_header("Content-Encoding", "gzip")
            super().end_headers()

    with LocalServer(partial(Handler, directory=str(tmp_path))) as server:
        url = f"{server.root}/a/page.html"
        shown = thresher("text", url, "--format", "markdown", "--links").stdout
        assert f"[what]({url.removesuffix('page.html')}what)" in shown
        assert thresher("text", url.replace("page", "coded")).stdout == thresher("text", url).stdout
        assert "404" in thresher("text", url + "x").stderr


def test_a_web_server_that_drips_or_breaks_off_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_page, "_FETCHING", 0.2)
    sent = {
        "head": b"HTTP/1.1 200 OK\r\nX-Slow: ",
        "body": b"HTTP/1.1 200 OK\r\n\r\n",
        "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<p>Half",
        "chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n99\r\n<p>Half",
        "noise": b"Nothing of the kind\r\n\r\n",
    }
    said = {
        "head": "no whole answer within 0.2 s",
        "body": "no whole answer within 0.2 s",
        "cut": "the connection was cut",
    }
    ended = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.wfile.write(sent[self.path[1:]])
            while self.path in ("/head", "/body") and not ended.wait(0.01):
                self.wfile.write(b"a")

    with LocalServer(Handler) as server:
        for part in sent:
            url = f"{server.root}/{part}"
            done = thresher("text", url)
            assert (done.status, done.stdout) == (2, "")
            assert f"{url}: {said.get(part, '')}" in done.stderr
        ended.set()


def test_help_names_the_commands_and_loads_nothing_heavy() -> None:
    assert {"extract", "text", "inspect"} <= set(thresher("--help").stdout.split())
    assert "warc.paths.gz --input-base-url" in thresher("extract", "--help").stdout
    code = (
        "import sys; from thresher.commands.main import main; main(['extract', '--help'], standalone_mode=False);"
        "heavy = {'pyarrow', 'rich', 'publicsuffixlist', 'fasttext', 'pyspark', 'numpy'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_a_run_is_not_written_to_standard_output(tmp_path):
    with chdir(tmp_path):
        done = CliRunner().invoke(main, ["extract", "none.warc.gz", "-o", "-"])
    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "a run is a folder" in done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["extract", "a.html", "-o", ""],
        ["inspect", ""],
        ["text", ""],
        ["templates", "stream", "a.html", "-o", ""],
        ["evaluate", "--sets", ""],
        *(["extract", "a.html", "-o", "out", option, ""] for option in ("--where", "--language", "--also", "--shard")),
        ["extract", "a.html", "-o", "out", "--host", ","],
        ["extract", "a.html", "-o", "out", "--index", ""],
    ],
)
def test_an_empty_value_is_refused_and_means_nothing(arguments, tmp_path):
    """It is a variable that is not set: no folder where the command is given, and no filter that keeps every page."""
    with chdir(tmp_path):
        done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "empty; give a value, or leave it out" in done.output


@pytest.mark.parametrize("command", ["extract a.html -o OUT", "inspect OUT", "head OUT", "compact OUT", "select OUT"])
def test_a_folder_whose_name_is_no_utf_8_is_refused(command, tmp_path):
    (tmp_path / "a.html").write_bytes(page(0))
    with chdir(tmp_path):
        done = CliRunner().invoke(main, [word.replace("OUT", "o\udcff") for word in command.split()])
    assert (done.exit_code, os.listdir(tmp_path)) == (2, ["a.html"])
    assert "the name of this folder is no UTF-8" in done.output


@pytest.mark.parametrize(("command", "status"), [("extract - -o out", 2), ("text", 0)])
def test_a_closed_input_is_empty(command, status, tmp_path):
    command = f"exec {' '.join(THRESHER)} {command} <&-"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=LIMIT, check=False, capture_output=True)
    assert (done.returncode, b"Traceback" in done.stderr) == (status, False)


def test_closed_outputs_lose_what_is_said_and_nothing_else(tmp_path):
    (tmp_path / "a.html").write_bytes(page(0))
    command = f"exec {' '.join(THRESHER)} extract a.html -o out >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=LIMIT, check=False).returncode == 0
    command = f"exec {' '.join(THRESHER)} head out >&-"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=LIMIT, check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
