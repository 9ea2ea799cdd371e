# SPDX-License-Identifier: Apache-2.0
"""The tables `images`, `tables`, `code` and `posts`: the same rows whatever the workers, the format and the way of
the run.
"""

import gzip
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from commanding import run
from in_process import extract_here
from small_archive import SENTENCE, page, write_archive

from thresher import config, schemas
from thresher.after.report import rows_digest
from thresher.commands.main import main
from thresher.page.page_extractor import PageExtractor
from thresher.page.parts import PartsReader
from thresher.running.outcome import inspect_run
from thresher.running.run import start_run

SPLIT = ["--set", "read.split_bytes=25000", "--workers", "2"]
ALSO = ["--also", "images,tables", "--also", "code,posts"]
KEY = ("warc_filename", "warc_record_offset")
ORDER = {"images": "position", "tables": "number", "code": "number", "posts": "number"}


def thread(number: int) -> bytes:
    """A page with three posts of two members."""
    posts = "".join(
        f"<div class=post id=p{number}{k}><p><a class=username href=/member/{k % 2}>member {k % 2}</a> wrote on "
        f"<time datetime=2014-03-0{k + 1}>{k + 1} March</time></p><p>{SENTENCE * 3} ({number}.{k})</p></div>"
        for k in range(3)
    )
    return f"<!DOCTYPE html><title>Thread {number}</title><h1>Thread {number}</h1>{posts}".encode()


def rich(number: int) -> bytes:
    """A page with pictures, tables and listings, and with text that its host repeats."""
    html = page(number).decode()
    if number % 4 == 3:
        return html.encode()
    table = "<table><tr><th>Year<th>Wheels" + "".join(f"<tr><td>{k}<td>{number}" for k in range(4)) + "</table>"
    own = (
        f"<figure><img src='/{number}.jpg' width=9><figcaption>Wheel {number}</figcaption></figure><h2>N {number}</h2>"
    )
    own += f"{table}<p>{SENTENCE}</p><pre><code class=language-c>int n = {number};</code></pre>" * 2
    repeated = f"<p>Subscribe to the letter of the village and read what the others say. {SENTENCE}</p>" * 2
    repeated += "<p><img src='/all.jpg'></p>"
    return html.replace("</h1>", f"</h1>{own}", 1).replace("</div><div><a", f"{repeated}</div><div><a", 1).encode()


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "archives"
    folder.mkdir()
    for a in range(2):
        pages = {f"https://www.site{(a + p) % 3}.co.uk/{a}/{p}": rich(a * 20 + p) for p in range(20)}
        write_archive(folder / f"crawl-{a}.warc.gz", pages)
    write_archive(folder / "threads.warc.gz", {f"https://talk.example/t/{p}": thread(p) for p in range(10)})
    write_archive(
        folder / "strange.warc.gz", {"http://a.example/": b"<p>", "http://b.example/": b"\xff\xfe\x00<table><img src=x"}
    )
    return folder


@pytest.fixture(scope="module")
def done(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("done") / "out"
    run("extract", archives, "-o", output, "--blocks", *ALSO, *SPLIT)
    return output


def rows(output: Path, table: str) -> list[dict[str, Any]]:
    found = ds.dataset(sorted(output.glob(f"{table}/0*.parquet"))).to_table().to_pylist()
    return sorted(found, key=lambda row: (*(row[name] for name in KEY), row[ORDER[table]] if table in ORDER else 0))


def digests(output: Path) -> dict[str, str]:
    return {table: rows_digest(str(output), table) for table in ORDER}


@pytest.fixture(scope="module")
def digests_done(done: Path) -> dict[str, str]:
    return digests(done)


def test_names_are_the_same_everywhere() -> None:
    assert tuple(schemas.PARTS) == config.PARTS
    assert not set(schemas.PARTS) - set(schemas.TABLES)


def test_rows_are_those_of_each_page_in_the_order_of_the_archive(done: Path) -> None:
    for table, order in ORDER.items():
        expected = []
        for each in rows(done, "pages"):
            extractor = PageExtractor()
            extractor.extract(each["html"].encode(), each["url"])
            key = {"url": each["url"], "warc_record_offset": each["warc_record_offset"]}
            expected += [key | row for row in PartsReader((table,), extractor.options.limits)(extractor).rows[table]]
        found = rows(done, table)
        assert len(found) == len(expected) > 20
        for row, wanted in zip(found, expected, strict=True):
            assert {name: row[name] for name in wanted} == wanted
        for path in done.glob(f"{table}/0*.parquet"):
            read = ds.dataset(path).to_table().to_pylist()
            assert read == sorted(read, key=lambda row: (row["warc_record_offset"], row[order]))
    first = rows(done, "images")[0]
    assert first["sample_id"] == f"{first['warc_filename']}#{first['warc_record_offset']}"


def test_the_time_of_further_tables_is_a_stage(done: Path) -> None:
    stages = inspect_run(str(done)).stages
    assert stages["parts"].pages == stages["total"].pages
    assert stages["parts"].seconds > 0
    assert stages["total"].seconds > sum(each.seconds for name, each in stages.items() if name != "total")


def test_a_run_without_has_no_tables_and_imports_nothing(archives: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from thresher.commands.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "assert not {'thresher.page.parts', 'thresher.rows.part_rows'} & set(sys.modules)"
    )
    command = [sys.executable, "-c", code, "extract", archives, "-o", tmp_path / "out", "--workers", "1"]
    subprocess.run([*map(str, command)], check=True, capture_output=True)
    assert not {path.name for path in (tmp_path / "out").iterdir()} & set(ORDER)


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.nightly), 3])
def test_rows_depend_on_no_number_of_workers(
    archives: Path, digests_done: dict[str, str], tmp_path: Path, workers: int
) -> None:
    out = tmp_path / "out"
    run("extract", archives, "-o", out, *ALSO, "--workers", workers, "--set", "read.split_bytes=9000")
    assert digests(out) == digests_done


def test_one_table_alone_is_the_same(archives: Path, digests_done: dict[str, str], tmp_path: Path) -> None:
    for table in ORDER:
        out = tmp_path / table
        run("extract", archives, "-o", out, "--also", table, *SPLIT)
        assert rows_digest(str(out), table) == digests_done[table]
        assert {path.name for path in out.iterdir()} & set(ORDER) == {table}


def test_json_lines_hold_the_same_rows(
    archives: Path, done: Path, digests_done: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run("extract", archives, "-o", out, *ALSO, "--to", "jsonl", "--output-compression", "gzip", *SPLIT)
    for table in ORDER:
        found = [
            json.loads(line)
            for path in sorted(out.glob(f"{table}/0*.jsonl.gz"))
            for line in gzip.decompress(path.read_bytes()).splitlines()
        ]
        written = json.loads(json.dumps(rows(done, table), default=str))  # days are strings
        assert sorted(found, key=lambda row: (*(row[name] for name in KEY), row[ORDER[table]])) == written
    assert "int n = 0;" in run("head", out, "--table", "code", "-n", 1, "--json")
    documents = tmp_path / "dolma"
    run("extract", archives, "-o", documents, *ALSO, "--to", "dolma", *SPLIT)
    assert rows_digest(str(documents), "tables") == digests_done["tables"]


def test_what_was_lost_is_done_again_and_inputs_are_added(
    archives: Path, digests_done: dict[str, str], tmp_path: Path
) -> None:
    first, *others = sorted(archives.iterdir())
    out = tmp_path / "out"
    run("extract", first, "-o", out, *ALSO, *SPLIT)
    lost = max(out.glob("code/0*"))
    lost.unlink()
    assert inspect_run(str(out)).missing
    for path in out.glob(f"*/{lost.name}"):
        path.unlink()
    next(out.glob("_ledger/*.done.json")).unlink()
    run("extract", first, "-o", out, *ALSO, *SPLIT)
    run("extract", *others, "-o", out, *ALSO, "--append", *SPLIT)
    assert digests(out) == digests_done
    refused = CliRunner().invoke(main, ["extract", str(archives), "-o", str(out), "--also", "code", *SPLIT])
    assert refused.exit_code == 2
    assert "write.also" in refused.output


def test_a_run_is_inspected_compacted_rendered_and_joined_from_shards(
    archives: Path, done: Path, digests_done: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for shard in ("1/2", "2/2"):
        run("extract", archives, "-o", out, *ALSO, "--shard", shard, *SPLIT)
    run("merge", out)
    pages = rows_digest(str(out))
    assert digests(out) == digests_done
    counts = {table: len(rows(out, table)) for table in ORDER}
    assert inspect_run(str(out)).parts == counts
    assert f"{counts['images']:,} rows of images" in run("inspect", out)
    run("compact", out)
    assert (rows_digest(str(out)), digests(out)) == (pages, digests_done)
    compacted = ds.dataset(sorted(out.glob("images/*.parquet"))).to_table().to_pylist()
    assert compacted == sorted(compacted, key=lambda row: (row["url_host_name"], row["url"]))
    assert all(b["position"] in (0, a["position"] + 1) for a, b in itertools.pairwise(compacted))
    again = tmp_path / "again"
    run("render", done, "-o", again, *ALSO)
    assert digests(again) == digests_done


def test_pages_that_a_filter_leaves_out_have_none(archives: Path, tmp_path: Path) -> None:
    for mode in ("off", "fused"):
        out = tmp_path / mode
        run("extract", archives, "-o", out, *ALSO, "--where", "url LIKE '%/1/%'", "--templates", mode, *SPLIT)
        run("extract", archives, "-o", tmp_path / f"{mode}2", *ALSO, "--language", "eng", "--templates", mode, *SPLIT)
        for folder in (out, tmp_path / f"{mode}2"):
            pages = {(row["url"], row["warc_record_offset"]) for row in rows(folder, "pages")}
            found = {(row["url"], row["warc_record_offset"]) for row in rows(folder, "tables")}
            assert found
            assert found < pages


def test_a_second_pass_decides_parts_with_the_text(archives: Path, tmp_path: Path) -> None:
    options = [*SPLIT, "--extractors", "all"]  # which keeps what its host repeats
    off, fused = tmp_path / "off", tmp_path / "fused"
    run("extract", archives, "-o", off, "--templates", "fused", *options)
    run("extract", archives, "-o", fused, "--templates", "fused", *ALSO, *options)
    assert rows_digest(str(off)) == rows_digest(str(fused))
    once = tmp_path / "once"
    run("extract", archives, "-o", once, *ALSO, *options)
    assert rows_digest(str(once), "images") != rows_digest(str(fused), "images")
    shown: dict[tuple[Any, ...], list[str]] = {}
    for row in rows(fused, "images"):
        if row["modality"] == "text":
            shown.setdefault(tuple(row[name] for name in KEY), []).append(row["text_content"])
    compared = 0
    for row in rows(fused, "pages"):
        texts = shown.get(tuple(row[name] for name in KEY))
        if texts:
            assert " ".join(" ".join(texts).split()) == " ".join(row["text"].split())
            compared += 1
    assert compared >= 20
    again = tmp_path / "again"
    other = ["--workers", 1, "--set", "read.split_bytes=9000"]
    run("extract", archives, "-o", again, "--templates", "fused", *ALSO, *options, *other)
    assert digests(again) == digests(fused)


def test_a_retry_puts_the_parts_of_a_page_in_their_place(
    archives: Path, done: Path, digests_done: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = PartsReader.__call__

    def fails(self: PartsReader, extractor: PageExtractor) -> Any:
        if b"N 5" in (extractor.render_text()):
            raise ValueError("a fault")
        return read(self, extractor)

    out = tmp_path / "out"
    settings = {"read.split_bytes": 25_000, "write.blocks": True, "write.also": config.PARTS}
    begun = start_run([str(archives)], str(out), config.load_configuration(None, settings))
    with monkeypatch.context() as context:
        context.setattr(PartsReader, "__call__", fails)
        extract_here(begun)
    begun.folder.close_run()
    pages = rows_digest(str(done))
    assert rows_digest(str(out)) == pages, "a page keeps its row"
    assert digests(out) != digests_done
    letters = ds.dataset(sorted(str(path) for path in out.glob("dead_letter/*.parquet"))).to_table().to_pylist()
    assert {(each["stage"], each["message"]) for each in letters} == {("parts", "a fault")}
    run("retry", out, "--workers", 1)
    assert (rows_digest(str(out)), digests(out)) == (pages, digests_done)
    for table in ORDER:
        for path in out.glob(f"{table}/0*.parquet"):
            read_rows = ds.dataset(path).to_table().to_pylist()
            assert read_rows == sorted(read_rows, key=lambda row: (row["warc_record_offset"], row[ORDER[table]]))


def test_schemas_are_those_of_the_files(done: Path) -> None:
    for table, declared in schemas.PARTS.items():
        for path in done.glob(f"{table}/*.parquet"):
            assert pa.parquet.read_schema(path).equals(declared.to_arrow())
