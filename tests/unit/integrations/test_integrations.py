# SPDX-License-Identifier: Apache-2.0
"""Thresher inside other tools, each test with the real package."""

import inspect
import json
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commanding import run
from other_python import found_with, run_with
from small_archive import page, write_archive

import thresher
from thresher.compat import resiliparse
from thresher.errors import ConfigError
from thresher.integrations.data_source import DataSourceRows
from thresher.integrations.duckdb import register
from thresher.integrations.nemo_curator import ThresherAlgorithm
from thresher.integrations.scrapy import ThresherPipeline

PAGES = {f"https://site{k % 3}.example/{k}": page(k) for k in range(9)}
TEXTS = {url: thresher.extract(html, url=url).text for url, html in PAGES.items()}
HTML = PAGES["https://site1.example/1"].decode()
TEXT = TEXTS["https://site1.example/1"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    return write_archive(tmp_path / "in" / "a.warc.gz", PAGES)


# --- columns ---


def test_a_sequence_becomes_a_list_and_null_stays_null() -> None:
    assert thresher.extract_column([HTML, None, HTML.encode(), 5, b"%PDF-1.4"]) == [TEXT, None, TEXT, None, ""]
    assert thresher.extract_column((html for html in [HTML]), field="title") == ["Page 1"]
    assert thresher.extract_column([HTML], extractor="all", format="markdown") == [
        thresher.extract(HTML, extractor="all", format="markdown").text
    ]


def test_urls_are_used() -> None:
    html = "<a href='/x'>link</a>" * 3 + "<p>words and a <a href='/y'>link</a> among the words of this text."
    (found,) = thresher.extract_column([html], urls=["https://a.example/"], format="markdown", links=True)
    assert "https://a.example/y" in found
    with pytest.raises(ValueError, match="1 pages, but 2 urls"):
        thresher.extract_column([HTML], urls=["a", "b"])


def test_what_is_wrong_is_said_though_the_column_is_empty() -> None:
    with pytest.raises(ValueError, match="unknown field 'txt'"):
        thresher.extract_column([], field="txt")
    dated = '<meta property="article:modified_time" content="2024-03-05">' + HTML
    for field, expected in (("text_source", "dom"), ("date_modified", date(2024, 3, 5)), ("charset", "utf-8")):
        assert thresher.extract_column([dated], field=field) == [expected]
    assert thresher.extract_column(["<p>word"], field="title") == [None]
    assert isinstance(thresher.extract_column([HTML], field="type")[0], str)
    with pytest.raises(ValueError, match="unknown extractor"):
        thresher.extract_column([], extractor="best")


@pytest.mark.parametrize(
    "pages", [HTML, HTML.encode(), bytearray(b"<p>a"), None, 5, {"html": HTML}, pd.DataFrame({"html": [HTML]})]
)
def test_a_single_page_or_a_table_is_no_column(pages: object) -> None:
    with pytest.raises(TypeError, match=f"must be columns or sequences, not {type(pages).__name__}"):
        thresher.extract_column(pages)
    with pytest.raises(TypeError, match="must be columns or sequences, not str"):
        thresher.extract_column([HTML], urls="https://a.example/")


@pytest.mark.parametrize(
    ("field", "type_"),
    [("text", pa.string()), ("confidence", pa.float64()), ("n_words", pa.int64()), ("date", pa.date32())],
)
def test_a_column_without_values_keeps_its_type_and_its_chunks(field: str, type_: pa.DataType) -> None:
    for pages in (pa.array([None, None], pa.binary()), pa.array([], pa.string())):
        found = thresher.extract_column(pages, field=field)
        assert (found.type, found.null_count) == (type_, len(pages))
    chunked = pa.chunked_array([["<p>word"], [], [None, None]], pa.string())
    found = thresher.extract_column(chunked, field=field)
    assert isinstance(found, pa.ChunkedArray)
    assert (found.type, [len(chunk) for chunk in found.chunks]) == (type_, [1, 0, 2])


def test_pandas() -> None:
    frame = pd.DataFrame({"html": [HTML, None]}, index=[7, 9])
    found = thresher.extract_column(frame["html"])
    assert found.to_dict() == {7: TEXT, 9: None}
    assert found.name == "html"
    assert thresher.extract_column(frame["html"], field="language").tolist() == ["eng", None]
    assert thresher.extract_column(pd.Index([HTML])) == [TEXT]


@pytest.mark.parametrize("type_", [pa.string(), pa.binary(), pa.large_binary()])
def test_arrow(type_: pa.DataType) -> None:
    array = pa.array([HTML, None]).cast(type_)
    assert thresher.extract_column(array) == pa.array([TEXT, None])
    assert thresher.extract_column(pa.chunked_array([array, array])).to_pylist() == [TEXT, None] * 2


def test_polars() -> None:
    script = """
import json, polars as pl, thresher
frame = pl.DataFrame({"html": [sys.argv[1], None], "url": ["https://a.example/", None]})
frame = frame.with_columns(thresher.extract_column(frame["html"], urls=frame["url"]).alias("text"))
assert isinstance(frame["text"], pl.Series) and frame["text"].dtype == pl.String
to_text = pl.col("html").map_batches(lambda html: thresher.extract_column(html), return_dtype=pl.String)
nothing = thresher.extract_column(pl.Series("html", [None], pl.Binary), field="confidence")
assert nothing.dtype == pl.Float64
lazy = frame.lazy().with_columns(to_text).collect()
print(json.dumps([frame["text"].to_list(), lazy["html"].to_list()]))
"""
    assert json.loads(run_with(("polars",), script, HTML)) == [[TEXT, None]] * 2


# --- all of them ---


@pytest.mark.parametrize(
    "make",
    [
        ThresherAlgorithm,
        lambda **options: ThresherPipeline("html", "url", {}, options),
        lambda **options: register(duckdb.connect(), **options),
        lambda **options: thresher.page_batches("none.warc.gz", **options),
        thresher.Options,
    ],
    ids=["nemo_curator", "scrapy", "duckdb", "page_batches", "Options"],
)
def test_a_wrong_option_is_an_error_before_the_first_page(make: Callable[..., object]) -> None:
    """Datatrove and others log what a page raises, and go on without it."""
    with pytest.raises(TypeError, match="'fromat'; did you mean 'format'"):
        make(fromat="markdown")


# --- DuckDB ---


def test_functions_of_duckdb_and_archives_as_relations(archive: Path) -> None:
    script = """
import json, duckdb, thresher
connection = duckdb.connect()
connection.execute("SET enable_progress_bar = false")  # which it shows of a slow query
thresher.duckdb.register(connection, format="markdown")
query = "select main_text(b), main_title(b), main_language(b), main_text(null) from (select encode(?) b)"
row = connection.execute(query, [sys.argv[1]]).fetchall()
relation = thresher.duckdb.read_warc(sys.argv[2], connection, where="language = 'ell'", columns=["url", "text"])
rows = connection.sql("select url, text from relation order by url").fetchall()
print(json.dumps([row, rows]))
"""
    (row, rows) = json.loads(run_with(("duckdb",), script, HTML, archive))
    assert row == [[thresher.extract(HTML, format="markdown").text, "Page 1", "eng", None]]
    assert rows == [[url, text] for url, text in sorted(TEXTS.items()) if "συγκομιδή" in text]


def test_an_archive_in_duckdb_has_null_where_pages_have_nothing(tmp_path: Path) -> None:
    script = """
import json, duckdb, thresher
connection = duckdb.connect()
connection.execute("SET enable_progress_bar = false")  # which it shows of a slow query
pages = thresher.duckdb.read_warc(sys.argv[1], connection, columns=["url", "title", "date", "author", "text"])
columns = "url, title, date is null, author is null, coalesce(title, 'none')"
found = connection.sql(f"select {columns} from pages order by url").fetchall()
untitled = thresher.duckdb.read_warc(sys.argv[1], connection, where="title IS NULL", columns=["url"])
print(json.dumps([found, connection.sql("select * from untitled").fetchall()]))
"""
    untitled = "https://site.example/none"
    archive = write_archive(tmp_path / "a.warc.gz", {untitled: b"<p>no title", "https://site.example/one": page(1)})
    found, without = json.loads(run_with(("duckdb",), script, archive))
    assert found == [[untitled, None, True, True, "none"], ["https://site.example/one", "Page 1", True, True, "Page 1"]]
    assert without == [[untitled]]


# --- datatrove ---


def test_the_reader_and_the_extractor_of_datatrove(archive: Path) -> None:
    script = """
import json
from datatrove.data import Document
from thresher.integrations.datatrove import ThresherExtractor, ThresherReader
from datatrove.pipeline.filters import GopherQualityFilter
reader = ThresherReader(sys.argv[2], glob_pattern="*.warc.gz", where="url NOT LIKE '%/8'")
documents = list(reader.run())
extracted = list(ThresherExtractor(timeout=600).run([Document(text=sys.argv[1], id="1")]))
print(json.dumps([[[d.id, d.text, d.metadata] for d in documents], extracted[0].text]))
"""
    documents, text = json.loads(run_with(("datatrove",), script, HTML, archive.parent))
    assert {metadata["url"]: text for _, text, metadata in documents} == {
        url: text for url, text in TEXTS.items() if not url.endswith("/8")
    }
    assert all(identity.startswith("urn:uuid:") for identity, _, _ in documents)
    assert all(metadata["date"] == "2026-11-20T00:00:00+00:00" for _, _, metadata in documents)
    assert {"content_charset", "warc_record_offset", "language", "confidence"} <= set(documents[0][2])
    assert text == TEXT
    assert {metadata["warc_filename"] for _, _, metadata in documents} == {"a.warc.gz"}
    assert not [name for name in documents[0][2] if name.endswith("_us")]


def test_documents_of_datatrove_without_record_ids_are_named_by_their_path_in_the_data_folder(tmp_path: Path) -> None:
    script = """
import json
from thresher.integrations.datatrove import ThresherReader
print(json.dumps([d.id for d in ThresherReader(sys.argv[1], glob_pattern="**/*.jsonl").run()]))
"""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "pages.jsonl").write_text(json.dumps({"html": HTML}))
    assert json.loads(run_with(("datatrove",), script, tmp_path)) == ["sub/pages.jsonl#0"]


def test_the_reader_of_datatrove_counts_what_could_not_be_read(archive: Path, tmp_path: Path) -> None:
    script = """
import json
from thresher.integrations.datatrove import ThresherReader
reader = ThresherReader(sys.argv[1])
documents = list(reader.run())
print(json.dumps([len(documents), reader.stats.stats["dead_letters"].total]))
"""
    folder = tmp_path / "damaged"
    folder.mkdir()
    (folder / "a.warc.gz").write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])  # cut off
    n_documents, n_dead_letters = json.loads(run_with(("datatrove",), script, folder))
    assert 0 < n_documents < len(TEXTS)
    assert n_dead_letters == 1


def test_datatrove_reads_what_extract_writes_for_it(archive: Path, tmp_path: Path) -> None:
    script = """
import json, subprocess
from datatrove.pipeline.readers import JsonlReader
found = [[d.id, d.text, d.metadata["url"]] for d in JsonlReader(sys.argv[1]).run()]
print(json.dumps(found))
"""
    from click.testing import CliRunner

    from thresher.commands.main import main

    command = ["extract", str(archive), "-o", str(tmp_path / "out"), "--to", "datatrove"]
    assert CliRunner().invoke(main, [*command, "--output-compression", "gzip"]).exit_code == 0
    found = json.loads(run_with(("datatrove",), script, tmp_path / "out" / "pages"))
    assert {url: text for _, text, url in found} == TEXTS


# --- Ray and Daft ---

# One start of Ray, which costs half a minute, for both of its uses.
RAY = f"""
import json, pyarrow as pa, ray
from thresher.integrations.ray import read_archives

def add_text(batch):
    import thresher
    return batch.append_column("text", thresher.extract_column(batch["html"]))

if __name__ == "__main__":
    environment = {{"env_vars": {{"PYTHONPATH": ":".join(sys.path)}}}}
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    pages = ray.data.from_arrow(pa.table({{"html": [{HTML!r}] * 3}}))
    rows = pages.map_batches(add_text, batch_format="pyarrow").take_all()
    assert [row["text"] for row in rows] == [{TEXT!r}] * 3, rows
    read = lambda *paths, **options: read_archives(paths, **options).take_all()
"""
DAFT = """
import json
from thresher.integrations.daft import read_archives
if __name__ == "__main__":
    read = lambda *paths, **options: read_archives(paths, **options).to_pylist()
"""
READS = """
    good, bad, accounts = sys.argv[1:]
    pages = read(good, bad, columns=["url", "title", "text", "status"], accounts=accounts)
    some = read(good, where="url LIKE '%1.example%'", columns="url", format="markdown")
    tables = [read(good, bad, table=table) for table in ("dead_letter", "metrics")]
    try:
        read(good, colums="url")
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    print("\\n" + json.dumps([pages, some, *tables, wrong], default=str))
"""


# Daft wants an older pyarrow than the other packages, so it has an environment of its own (THRESHER_PYTHONS). Without one
# this does in its place what Daft does with a source.
DAFT_STAND_IN = """
import asyncio, types

class Batch:
    from_arrow_record_batches = staticmethod(lambda batches, schema: batches)

class Schema:
    from_pyarrow_schema = staticmethod(lambda schema: schema)

class Task:
    pass

class Source:
    def read(self):
        async def rows():
            tasks = [task async for task in self.get_tasks(None)]
            assert all(task.schema == self.schema for task in tasks)
            return [row for task in tasks async for piece in task.read() for batch in piece for row in batch.to_pylist()]
        return types.SimpleNamespace(to_pylist=lambda: asyncio.run(rows()))

for name, content in {
    "daft": {"Schema": Schema, "DataFrame": object}, "daft.io": {},
    "daft.io.source": {"DataSource": Source, "DataSourceTask": Task}, "daft.recordbatch": {"RecordBatch": Batch},
}.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)
"""


def test_the_paths_of_a_source_are_said_once() -> None:
    with pytest.raises(ConfigError, match="unknown option 'path'"):
        DataSourceRows.of("a.warc.gz", {"path": "b.warc.gz"})


def test_a_source_extracts_with_the_mode_and_the_format_that_it_was_given() -> None:
    options = DataSourceRows({"path": "a.warc.gz", "mode": "recall", "format": "markdown"})._configuration.extract
    assert (options.mode, options.format) == ("recall", "markdown")


def test_a_source_says_which_files_it_does_not_read(archive: Path, caplog: pytest.LogCaptureFixture) -> None:
    (archive.parent / "b.warc.gz").touch()
    (archive.parent / "warc.paths").write_text("a.warc.gz\n")
    ((_, read),) = DataSourceRows.of(str(archive.parent), {}).inputs()
    assert str(read) == str(archive)
    assert "2 files are not read: 1 empty, 1 list" in caplog.text


@pytest.mark.parametrize(("package", "script"), [("ray", RAY), ("daft", DAFT)])
def test_archives_are_a_source_with_the_rows_and_accounts_of_a_run(
    package: str, script: str, archive: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "b,d.warc.gz"
    bad.write_bytes(archive.read_bytes()[:-700])
    packages = (package,) if package == "ray" or found_with(package) else ()
    script = script if packages else DAFT_STAND_IN + script
    found = run_with(packages, script + READS, archive, bad, tmp_path / "accounts").splitlines()[-1]
    pages, some, letters, metrics, wrong = json.loads(found)
    output = tmp_path / "out"
    run("extract", archive, bad, "-o", output, "--max-error-ratio", 1)
    for name, rows in (("pages", pages), ("dead_letter", letters), ("metrics", metrics)):
        expected = pq.read_table(output / name).to_pylist()
        chosen = set(rows[0]) - {"seconds", "nodes_per_second", "peak_memory", "cpu_seconds", "bytes"}
        key = lambda row: json.dumps({name: row[name] for name in sorted(chosen)}, default=str, sort_keys=True)  # noqa: E731, B023
        assert sorted(map(key, rows)) == sorted(map(key, expected))
        if name != "pages":
            kept = pq.read_table(tmp_path / "accounts" / name).to_pylist()
            assert sorted(map(key, kept)) == sorted(map(key, expected))
    assert len(letters) == 1
    assert {row["url"] for row in some} == {url for url in PAGES if "1.example" in url}
    assert wrong.startswith("ConfigError: unknown option 'colums'; did you mean 'columns'?")


# --- those who come from another extractor ---


def test_resiliparse_is_called_the_same_way() -> None:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert resiliparse.extract_plain_text(HTML, main_content=True) == TEXT
        assert resiliparse.extract_plain_text(HTMLTree.parse(HTML), main_content=True) == TEXT
        whole = resiliparse.extract_plain_text(HTML)
        assert resiliparse.extract_plain_text(HTML, False) == " ".join(whole.split())
    assert "Imprint" in whole
    assert set(whole.split()) == {word for word in extract_plain_text(HTML).split() if word != "•"}
    with pytest.warns(UserWarning, match="ignores links"):
        resiliparse.extract_plain_text(HTML, links=True)
    ours = inspect.signature(resiliparse.extract_plain_text).parameters
    assert list(ours) == list(inspect.signature(extract_plain_text).parameters)


def test_minimal_html_of_resiliparse_is_html() -> None:
    html = "<h1>Title</h1><p>words and <a href='https://a.example/'>a link</a></p><ul><li>item</li></ul>"
    expected = "<h1>Title</h1>\n<p>words and a link</p>\n<ul>\n<li>item</li></ul>"
    assert resiliparse.extract_plain_text(html, preserve_formatting="minimal_html") == expected
    linked = resiliparse.extract_plain_text(html, "minimal_html", links=True)
    assert '<a href="https://a.example/">a link</a>' in linked
    with pytest.raises(ValueError, match="'minimal_html', not 'html'"):
        resiliparse.extract_plain_text(html, preserve_formatting="html")


# --- Dolma and NeMo Curator ---


def test_the_algorithm_for_nemo_curator_keeps_to_its_interface() -> None:
    from thresher.integrations.nemo_curator import ThresherAlgorithm

    algorithm = ThresherAlgorithm(extractor="all")
    assert list(inspect.signature(algorithm.extract_text).parameters) == ["html", "stop_words", "language"]
    assert "Imprint" in algorithm.extract_text(HTML, frozenset(), "ENGLISH")
    assert ThresherAlgorithm().extract_text(HTML, frozenset(), "ENGLISH") == TEXT.split("\n\n")
    assert ThresherAlgorithm().extract_text("", frozenset(), "ENGLISH") is None


# --- Scrapy and crawl4ai ---


def test_items_of_scrapy_get_text_and_facts() -> None:
    from thresher.integrations.scrapy import ThresherPipeline

    def pipeline(**settings: object) -> ThresherPipeline:
        return ThresherPipeline.from_crawler(
            SimpleNamespace(settings={f"THRESHER_{k}": v for k, v in settings.items()})
        )

    item = {"html": HTML, "url": "https://example.org/"}
    assert pipeline().process_item(item, None) is item
    found = thresher.extract(HTML)
    assert item == {"html": HTML, "url": "https://example.org/", "text": TEXT, "title": found.title}
    fields, options = {"text": "body", "language": "tongue"}, {"extractor": "all"}
    other = pipeline(HTML="page", FIELDS=fields, OPTIONS=options).process_item({"page": HTML.encode()})
    assert (other["tongue"], "Imprint" in other["body"]) == (found.language, True)
    assert pipeline().process_item({"name": "no page"}) == {"name": "no page"}


def test_the_filter_for_crawl4ai_gives_the_pages_own_elements() -> None:
    from thresher.integrations.crawl4ai import ThresherFilter

    (content,) = ThresherFilter().filter_content(HTML)
    assert content == thresher.extract(HTML, format="source", links=True, images=True).text
    assert "Imprint" not in content
    assert "Imprint" in ThresherFilter(extractor="all").filter_content(HTML)[0]
    assert ThresherFilter(format="text").filter_content(HTML) == [content]
    assert ThresherFilter().filter_content("") == []


@pytest.mark.parametrize("function", ["main_text", "main_title", "main_language"])
def test_nulls_go_into_the_functions_of_duckdb_and_come_out(function):
    connection = duckdb.connect()
    thresher.duckdb.register(connection)
    pages = "(1, NULL::BLOB), (2, encode('<p>no title')), (3, encode('')), (4, encode('<title>T</title>x'))"
    query = f"select {function}(x) from (values {pages}) v(n, x) order by n"
    rows = [value for (value,) in connection.execute(query).fetchall()]
    expected = {
        "main_text": [None, "no title", "", "x"],
        "main_title": [None, None, None, "T"],
        "main_language": [None, "und", "und", "und"],
    }
    assert rows == expected[function]


def test_marks_of_texts_in_duckdb():
    connection = duckdb.connect()
    thresher.duckdb.register(connection)
    text = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200))
    rows = [(1, None), (2, "short"), (3, text), (4, text.upper()), (5, f"{text} end"), (6, text[::-1]), (7, None)]
    connection.execute("create table texts (n integer, text varchar)")
    connection.executemany("insert into texts values (?, ?)", rows)
    found = connection.execute("select near_text_marks(text) from texts order by n").fetchall()
    null, short, one, upper, longer, other, last = (marks for (marks,) in found)
    assert (null, short, last) == (None, [], None)
    assert len(set(one)) == 5
    assert one == upper
    assert set(one) & set(longer)
    assert not set(one) & set(other)
    assert connection.execute("select near_text_marks(null)").fetchall() == [(None,)]
    assert connection.execute("select near_text_marks(text) from texts where n > 9").fetchall() == []
