# SPDX-License-Identifier: Apache-2.0
"""The table `blocks`, pages that a run keeps, and their rendering: equal to a run over the archives."""

import itertools
import json
import math
import zipfile
from array import array
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from commanding import run
from hypothesis import given
from small_archive import SENTENCE, page, write_archive, write_archives
from tag_soup import tag_soup

import thresher
from thresher.after.report import rows_digest
from thresher.commands.main import main
from thresher.native.writing.block_columns import KINDS, block_columns
from thresher.page.page_extractor import PageExtractor

SPLIT = ["--set", "read.split_bytes=25000", "--workers", "2"]
STRANGE = {
    "http://latin.example/": f"<p>{'Größe und Maß der Wälder. ' * 20}</p>".encode("latin-1"),
    "http://data.example/": b'<p>x</p><script type="application/ld+json">{"@type": "NewsArticle", "articleBody": "'
    + SENTENCE.encode() * 9
    + b'"}</script>',
    "http://empty.example/": b"<p>",
    "http://repeated.example/\xc3\xa9": "<p>Ελληνικά</p>".encode() * 30,
}
SOUP = tag_soup(["x-é"], [" id='a b'", " class='é/b'", " class=' '", " id"], ["$x^2$", "word", " "], size=40)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "archives"
    write_archives(folder, archives=2, pages=20)
    write_archive(folder / "strange.warc.gz", STRANGE)
    return folder


@pytest.fixture(scope="module")
def kept(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("kept") / "out"
    run("extract", archives, "-o", output, "--blocks", *SPLIT)
    return output


def rows(output: Path, table: str) -> list[dict[str, Any]]:
    found = ds.dataset(sorted(output.glob(f"{table}/0*.parquet"))).to_table().to_pylist()
    return sorted(found, key=lambda row: (row["url"], row["warc_filename"], row["warc_record_offset"]))


def test_blocks_are_those_of_the_page(kept: Path) -> None:
    pages, blocks = rows(kept, "pages"), rows(kept, "blocks")
    assert blocks
    expected = []
    for each in pages:
        expected += [
            (each["url"], each["warc_record_offset"], block) for block in thresher.extract(each["html"]).blocks
        ]
    assert len(blocks) == len(expected)
    for row, (url, offset, block) in zip(blocks, expected, strict=True):
        assert (row["url"], row["warc_record_offset"], row["block_order"]) == (url, offset, block.order)
        assert (row["kind"], row["text"], row["kept"], row["words"]) == (
            block.kind,
            block.text,
            block.kept,
            block.words,
        )
        assert row["link_density"] == pytest.approx(block.link_density)
        assert row["probability"] == pytest.approx(block.score)
        assert row["score"] == pytest.approx(math.log(block.score / (1 - block.score)), abs=1e-3)
        assert row["template_frequency"] is None
    assert {"ul/li", "div/h1", "div/p"} <= {row["path"] for row in blocks}


def test_a_run_without_has_neither_rows_nor_pages(archives: Path, tmp_path: Path) -> None:
    run("extract", archives, "-o", tmp_path / "out", *SPLIT)
    assert "html" not in pq.read_schema(tmp_path / "out/pages/schema.parquet").names
    assert not list(tmp_path.glob("out/blocks/0*"))


def test_a_partition_that_was_lost_and_added_inputs_give_the_same_rows(
    archives: Path, kept: Path, tmp_path: Path
) -> None:
    first, *others = sorted(archives.iterdir())
    out = tmp_path / "out"
    run("extract", first, "-o", out, "--blocks", *SPLIT)
    lost = max(out.glob("blocks/0*"))
    for path in out.glob(f"*/{lost.name}"):
        path.unlink()
    ledger = next(out.glob("_ledger/*.done.json"))
    ledger.rename(out / "_ledger/00000.json")
    (out / "_ledger/00000.json").write_text('{"source": "", "partitions": []}')
    run("extract", first, "-o", out, "--blocks", *SPLIT)
    run("extract", *others, "-o", out, "--blocks", "--append", *SPLIT)
    for table in ("pages", "blocks"):
        assert rows_digest(str(out), table) == rows_digest(str(kept), table)


def test_pages_that_a_filter_leaves_out_have_no_blocks(archives: Path, tmp_path: Path) -> None:
    for mode in ("off", "fused"):
        out = tmp_path / mode
        run("extract", archives, "-o", out, "--blocks", "--language", "ell", "--templates", mode, *SPLIT)
        pages = {row["url"] for row in rows(out, "pages")}
        assert pages
        assert pages == {row["url"] for row in rows(out, "blocks")}
        assert len(pages) < 44


def test_the_second_pass_says_how_often_a_host_repeats_a_block(archives: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    # An extractor that keeps all blocks: what the second pass takes away is seen.
    run("extract", archives, "-o", out, "--blocks", "--templates", "fused", "--extractors", "all", *SPLIT)
    pages = {row["url"]: row for row in rows(out, "pages")}
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(out, "blocks"):
        found.setdefault(row["url"], []).append(row)
    compared = 0
    for url, blocks in found.items():
        frequency = {row["text"]: row["template_frequency"] for row in blocks}
        if "Imprint" not in frequency:
            continue
        assert frequency["Item 3"] == frequency["Imprint"] == 1.0
        paragraphs = [row for row in blocks if row["kind"] == "paragraph"]
        assert all(row["template_frequency"] == 0.0 for row in paragraphs)
        text = pages[url]["text"]
        for row in blocks:
            assert row["kept"] == (row["text"] in text), row
            compared += 1
    assert compared > 500


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--mode", "precision"], marks=pytest.mark.nightly),
        pytest.param(["--format", "markdown", "--links"], marks=pytest.mark.nightly),
        ["--extractors", "cetd,all,bte", "--format", "html"],
        ["--hidden", "drop", "--to", "jsonl"],
    ],
    ids=" ".join,
)
def test_rendered_pages_are_those_of_a_run_over_the_archives(
    archives: Path, kept: Path, tmp_path: Path, options: list[str]
) -> None:
    output = run("render", kept, "-o", tmp_path / "rendered", *options)
    assert "44 pages" in output
    run("extract", archives, "-o", tmp_path / "expected", *options)
    if "jsonl" in options:
        timings = [name for name in duckdb_columns(tmp_path / "expected") if name.endswith("_us")]
        found, expected = (
            duckdb.sql(
                f"SELECT * EXCLUDE ({', '.join(timings)}) FROM read_json('{tmp_path}/{each}/pages/0*') ORDER BY url"
            ).fetchall()
            for each in ("rendered", "expected")
        )
        assert found == expected
    else:
        assert rows_digest(str(tmp_path / "rendered")) == rows_digest(str(tmp_path / "expected"))


def duckdb_columns(output: Path) -> list[str]:
    return duckdb.sql(f"SELECT * FROM read_json('{output}/pages/0*')").columns


def test_rendering_takes_over_options_and_keeps_blocks_on_request(archives: Path, tmp_path: Path) -> None:
    run("extract", archives, "-o", tmp_path / "out", "--columns", "+html", "--format", "markdown", "--mode", "recall")
    run("render", tmp_path / "out", "-o", tmp_path / "again", "--blocks")
    run("extract", archives, "-o", tmp_path / "direct", "--blocks", "--format", "markdown", "--mode", "recall")
    for table in ("pages", "blocks"):
        assert rows_digest(str(tmp_path / "again"), table) == rows_digest(str(tmp_path / "direct"), table)


def test_rendering_keeps_routes_and_what_the_page_alone_does_not_tell(tmp_path: Path) -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: noai\r\n\r\n<p>" + SENTENCE.encode() * 3
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://mill.example/\r\n"
        "Content-Type: application/http\r\nContent-Length: %d\r\n\r\n"
    )
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as packed:
        packed.writestr("archive/a.warc", (head % len(block)).encode() + block + b"\r\n\r\n")
        packed.writestr("datapackage.json", "{}")
        packed.writestr("pages/pages.jsonl", json.dumps({"url": "https://mill.example/", "text": "As it was shown"}))
    columns = ("--columns", "+html,+route,+rights,+text_rendered")
    routed = ("--set", "route.trust=0.999", "--where", "route = 'ask' AND use_ai_train = 'no'")
    run("extract", tmp_path / "a.wacz", "-o", tmp_path / "out", *columns, *routed)
    run("render", tmp_path / "out", "-o", tmp_path / "again", *columns)
    [found], [expected] = rows(tmp_path / "again", "pages"), rows(tmp_path / "out", "pages")
    assert (expected["x_robots_tag"], expected["text_rendered"]) == ("noai", "As it was shown")
    assert rows_digest(str(tmp_path / "again")) == rows_digest(str(tmp_path / "out")), (found, expected)


def test_a_page_that_failed_is_rendered_too(archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        render_page = PageExtractor.render

        def fail(self: PageExtractor) -> bytes:
            if b"Page 7" in (text := render_page(self)):
                raise ValueError("made up")
            return text

        patch.setattr(PageExtractor, "render", fail)
        patch.setattr("thresher.running.supervisor.threading.active_count", lambda: 1)
        run("extract", archives, "-o", tmp_path / "out", "--blocks")
    failed = [row for row in rows(tmp_path / "out", "pages") if row["status"] == "error"]
    assert failed
    assert all("Page 7" in row["html"] for row in failed)
    assert not {row["url"] for row in failed} & {row["url"] for row in rows(tmp_path / "out", "blocks")}
    run("render", tmp_path / "out", "-o", tmp_path / "again")
    run("extract", archives, "-o", tmp_path / "direct")
    assert rows_digest(str(tmp_path / "again")) == rows_digest(str(tmp_path / "direct"))


def test_what_cannot_be_rendered_is_refused(archives: Path, kept: Path, tmp_path: Path) -> None:
    def refused(source: Path, *arguments: object) -> str:
        command = ["render", str(source), "-o", str(tmp_path / "new"), *map(str, arguments)]
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 2, result.output
        assert not (tmp_path / "new").exists()
        return result.output

    run("extract", archives, "-o", tmp_path / "plain")
    run("extract", archives, "-o", tmp_path / "lines", "--blocks", "--to", "jsonl")
    assert "no column html; run thresher extract with --blocks" in refused(tmp_path / "plain")
    assert "holds pages as JSON Lines" in refused(tmp_path / "lines")
    assert "not the output of a run" in refused(archives)
    assert "templates cannot be counted" in refused(kept, "--set", "templates.mode=fused")
    assert "read.statuses is about archives" in refused(kept, "--set", "read.statuses=[404]")
    assert "write.pass_on is about archives" in refused(kept, "--set", 'write.pass_on=["pdf"]')
    assert "no column licence, and the page alone does not tell it" in refused(kept, "--columns", "+licence")
    assert "no column text_rendered" in refused(kept, "--columns", "+text_rendered")
    done = next(kept.glob("_ledger/*.done.json"))
    hidden = done.rename(done.with_name("hidden"))
    assert "is not finished" in refused(kept)
    hidden.rename(done)


def test_hostile_names_do_not_make_paths_long() -> None:
    long = "é" * 5000
    html = f"<div id='{long}'>" + f"<x{'y' * 3000} class='  {long} b'>" * 400 + "<p class='a/b' id=''>one<p id=' '>two"
    extractor = PageExtractor()
    extractor.extract(html.encode())
    workspace = extractor.workspace
    ends, paths = block_columns(workspace.document, workspace.metrics, workspace.blocks)[4:6]
    first, second = (paths[a:b].decode() for a, b in zip(array("i", ends), array("i", ends)[1:], strict=False))
    assert first.split("/")[-1] == "p.a"
    assert second.split("/")[-1] == "p"
    assert len(first.split("/")) == 16
    assert first.split("/")[0] == "x" + "y" * 23 + "." + "é" * 12


@given(SOUP)
def test_columns_of_any_page(html: str) -> None:
    extractor = PageExtractor()
    extractor.extract(html.encode("utf-8", "replace"))
    workspace = extractor.workspace
    columns = block_columns(workspace.document, workspace.metrics, workspace.blocks)
    n = workspace.n_blocks
    kinds, words, text_density, link_density, path_ends, paths, text_ends, texts = columns
    assert len(kinds) == n
    assert all(kind < len(KINDS) for kind in kinds)
    assert len(words) == len(text_density) == len(link_density) == 4 * n
    for ends, values in ((array("i", path_ends), paths), (array("i", text_ends), texts)):
        assert len(ends) == n + 1
        assert ends[0] == 0
        assert ends[-1] == len(values)
        for start, end in itertools.pairwise(ends):
            assert start <= end
            values[start:end].decode()
    bounds = array("i", text_ends)
    assert [texts[bounds[b] : bounds[b + 1]] for b in range(n)] == [workspace.render_block(b) for b in range(n)]


def test_one_page_is_read_as_html_though_its_columns_resemble_ours(tmp_path: Path) -> None:
    """A stranger's table with our names and other types is a table with HTML like any other."""
    import pyarrow as pa

    columns: dict[str, Any] = {"html": [page(1).decode()], "url": ["http://a.example/"], "warc_record_offset": ["x"]}
    pq.write_table(pa.table(columns), tmp_path / "pages.parquet")
    (captured,) = thresher.read_captures(str(tmp_path / "pages.parquet"))
    assert captured.url == "http://a.example/"
    assert captured.decoded_from is None
