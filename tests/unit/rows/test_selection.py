# SPDX-License-Identifier: Apache-2.0
"""Filters and columns: the same rows by API and command line, in one pass and two; every record accounted for."""

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from small_archive import write_archive, write_archives

import thresher
from thresher.after.report import to_text
from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.errors import ConfigError
from thresher.native.base.characters import measure
from thresher.page.language import known_languages, language_names
from thresher.page.language_models import BIBLIOGRAPHIC, BUILT_IN
from thresher.page.quality import QUALITY, Checked
from thresher.reading.captures import Rejection
from thresher.rows.selection import Selection, _at_least, _check_hosts, _language, _language_codes, derive_columns
from thresher.running.outcome import inspect_run
from thresher.schemas import TABLES
from thresher.schemas.pages import DERIVED, quality_column
from thresher.schemas.skipped import REASONS

SPLIT = ["--set", "read.split_bytes=15000"]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "archives"
    write_archives(folder, archives=2, pages=24)
    return folder


@pytest.fixture(scope="module")
def everything(archives: Path) -> pa.Table:
    found = thresher.page_batches(archives, columns=["+" + name for name in DERIVED])
    return pa.Table.from_batches(found, found.schema)


def rows(output: Path, table: str = "pages") -> list[dict[str, object]]:
    return sorted(ds.dataset(output / table, format="parquet").to_table().to_pylist(), key=lambda row: row["url"] or "")


def run(*arguments: object) -> None:
    result = CliRunner().invoke(main, ["extract", *map(str, arguments)])
    assert result.exit_code == 0, result.output


FILTERS = {
    "host": (["--host", "www.Site1.co.uk"], {"hosts": ("www.Site1.co.uk",)}),
    "domain": (["--domain", "site1.co.uk,site2.co.uk"], {"domains": ("site1.co.uk", "site2.co.uk")}),
    "url": (["--url-pattern", "*/1/*,https://www.site2.*"], {"urls": ("*/1/*", "https://www.site2.*")}),
    "mime": (["--mime", "application/xhtml+xml"], {"mime_types": ("application/xhtml+xml",)}),
    "time": (["--since", "2026-11-21"], {"since": "2026-11-21"}),
    "language": (["--language", "el"], {"languages": ("ell",)}),
    "confidence": (["--min-confidence", "0.99"], {"min_confidence": 0.99}),
    "words": (["--min-words", "410"], {"min_words": 410}),
    "quality": (["--quality", "gopher,repetition"], {"quality": ("gopher", "repetition")}),
    "where": (["--where", "url LIKE '%7' OR language = 'ell'"], {"where": "url LIKE '%7' OR language = 'ell'"}),
}
KEPT = {
    "host": lambda row: row["url_host_name"] == "www.site1.co.uk",
    "domain": lambda row: row["url_host_registered_domain"] in ("site1.co.uk", "site2.co.uk"),
    "url": lambda row: "/1/" in row["url"] or row["url"].startswith("https://www.site2."),
    "mime": lambda _: False,
    "time": lambda _: False,
    "language": lambda row: row["language"] == "ell",
    "confidence": lambda row: row["confidence"] >= 0.99,
    "words": lambda row: row["n_text_words"] >= 410,
    "quality": lambda row: row["quality_gopher"] == row["quality_repetition"] == "ok",
    "where": lambda row: row["url"].endswith("7") or row["language"] == "ell",
}


@pytest.mark.parametrize("reason", FILTERS)
def test_a_filter_leaves_the_rows_that_it_names_and_counts_the_others(
    archives: Path, everything: pa.Table, tmp_path: Path, reason: str
) -> None:
    flags, values = FILTERS[reason]
    expected = [row["url"] for row in everything.to_pylist() if KEPT[reason](row)]
    assert len(expected) < everything.num_rows
    found = thresher.page_batches(archives, filters=thresher.Filters(**values), batch_rows=7)
    assert [url for batch in found for url in batch["url"].to_pylist()] == expected
    assert found.skipped[reason] == everything.num_rows - len(expected)
    assert found.n_records == found.statuses.total() + found.skipped.total()
    output = tmp_path / "out"
    run(archives, "-o", output, *flags, *SPLIT, "--skipped", "list", "--workers", 1)
    assert [row["url"] for row in rows(output)] == sorted(expected)
    report = inspect_run(str(output))
    assert report.skipped == found.skipped
    assert (report.pages, report.statuses, report.unaccounted) == (len(expected), found.statuses, 0)
    listed = rows(output, "skipped")
    assert Counter(row["reason"] for row in listed) == report.skipped
    left_out = {row["url"] for row in listed if row["reason"] == reason}
    assert left_out == {row["url"] for row in everything.to_pylist()} - set(expected)
    assert set(report.skipped) <= set(REASONS)


def test_pages_of_low_confidence_are_left_out(tmp_path: Path) -> None:
    menu = "".join(f"<li><a href=/{k}>Mills of the valley {k}</a>" for k in range(9))
    little = f"<title>Log in</title><nav><ul>{menu}</ul></nav><form><p>Log in.</p></form><footer>(c) Mills</footer>"
    article = "<title>Mills</title><article>" + "<p>The wheel turns day and night, and the grain comes by boat.</p>" * 9
    write_archive(tmp_path / "a.warc.gz", {"https://e.org/l": little.encode(), "https://e.org/a": article.encode()})
    first, second = (row for batch in thresher.page_batches(tmp_path / "a.warc.gz") for row in batch.to_pylist())
    assert first["confidence"] < second["confidence"], "one filter separates them"
    limit = (first["confidence"] + second["confidence"]) / 2
    run(tmp_path / "a.warc.gz", "-o", tmp_path / "out", "--min-confidence", limit)
    assert [row["url"] for row in rows(tmp_path / "out")] == ["https://e.org/a"]


def test_a_skipped_record_is_listed_with_its_place(archives: Path, everything: pa.Table, tmp_path: Path) -> None:
    run(archives, "-o", tmp_path / "out", "--language", "ell", "--skipped", "list", "--set", "write.batch_rows=5")
    places = {
        (row["warc_filename"], row["warc_record_offset"], row["warc_record_length"]) for row in rows(tmp_path / "out")
    }
    listed = rows(tmp_path / "out", "skipped")
    places |= {
        (row["warc_filename"], row["warc_record_offset"], row["warc_record_length"])
        for row in listed
        if row["reason"] == "language"
    }
    assert places == {
        (row["warc_filename"], row["warc_record_offset"], row["warc_record_length"]) for row in everything.to_pylist()
    }
    assert len(listed) + len(rows(tmp_path / "out")) == inspect_run(str(tmp_path / "out")).records


@pytest.mark.parametrize("templates", [(), ("--templates", "fused")])
def test_what_was_left_out_says_by_which_rule_and_value(
    archives: Path, everything: pa.Table, tmp_path: Path, templates: tuple[str, ...]
) -> None:
    output = tmp_path / "out"
    where = "url LIKE '%/1/%' AND (confidence >= 0.9 OR language = 'ell')"
    options = (
        "--where",
        where,
        "--quality",
        "gopher,repetition",
        "--min-words",
        "300",
        "--skipped",
        "list",
        *templates,
    )
    run(archives, "-o", output, *options)
    by_url = {row["url"]: row for row in everything.to_pylist()}
    if templates:
        by_url = {url: row | {"confidence": None} for url, row in by_url.items()}  # decided again
    listed = [row for row in rows(output, "skipped") if row["reason"] in ("where", "quality", "words")]
    assert {row["reason"] for row in listed} >= {"where", "quality"}
    for row in listed:
        page = by_url[row["url"]]
        if row["reason"] == "words":
            assert (row["rule"], row["value"]) == (None, str(page["n_text_words"]))
        elif row["reason"] == "quality":
            assert row["rule"] in (page["quality_gopher"], page["quality_repetition"])
            assert row["value"] is None
        elif row["rule"] == "url LIKE '%/1/%'":
            assert row["value"] == f"url = {row['url']}"
        else:
            assert row["rule"] == "(confidence >= 0.9 OR language = 'ell')"
            assert row["value"].endswith(f", language = {page['language']}")
    rules = Counter(f"{row['reason']}: {row['rule']}" for row in listed if row["rule"])
    report = inspect_run(str(output))
    assert report.rules == rules
    assert "left out by the rule" in to_text(report)
    if not templates:
        found = thresher.page_batches(
            archives, where=where, filters=thresher.Filters(quality=("gopher", "repetition"), min_words=300)
        )
        list(found)
        assert found.rules == rules


def test_no_list_without_being_asked(archives: Path, tmp_path: Path) -> None:
    run(archives, "-o", tmp_path / "out", "--language", "ell")
    assert rows(tmp_path / "out", "skipped") == []
    assert inspect_run(str(tmp_path / "out")).skipped["language"] == 32


@pytest.mark.parametrize("flags", [["--language", "ell"], ["--domain", "site1.co.uk", "--min-words", "10"]])
def test_filters_of_a_run_with_templates_apply_to_the_finished_rows(
    archives: Path, tmp_path: Path, flags: list[str]
) -> None:
    run(archives, "-o", tmp_path / "all", "--templates", "fused", *SPLIT)
    output = tmp_path / "some"
    columns = "url,text,language,confidence,n_text_words,duplicate_of"
    run(archives, "-o", output, "--templates", "fused", *flags, "--skipped", "list", "--columns", columns, *SPLIT)
    found = rows(output)
    wanted = {"ell"} if "ell" in flags else {"ell", "eng"}
    if "ell" in flags:  # what filters leave out before parsing is no evidence of templates
        whole = {row["url"]: row for row in rows(tmp_path / "all") if row["language"] == "ell"}
        assert [row["url"] for row in found] == sorted(whole)
        assert all(row["text"] == whole[row["url"]]["text"] for row in found)
    assert {row["language"] for row in found} == wanted
    assert list(found[0]) == [name for name in TABLES["pages"].names() if name in columns.split(",")]
    report = inspect_run(str(output))
    assert (report.pages, report.unaccounted, report.statuses) == (len(found), 0, {"ok": len(found)})
    assert Counter(row["reason"] for row in rows(output, "skipped")) == report.skipped


def test_columns_are_written_in_the_order_of_the_table_and_no_others(archives: Path, tmp_path: Path) -> None:
    run(archives, "-o", tmp_path / "out", "--columns", "text,url,quality_c4")
    for path in (tmp_path / "out" / "pages").iterdir():
        assert ds.dataset(path).schema.names == ["url", "text", "quality_c4"]
    found = thresher.page_batches(archives, columns=["text", "url", "quality_c4"])
    assert found.schema.names == ["url", "text", "quality_c4"]
    assert pa.Table.from_batches(found, found.schema).sort_by("url").to_pylist() == rows(tmp_path / "out")
    result = CliRunner().invoke(main, ["inspect", str(tmp_path / "out")])
    assert result.exit_code == 0
    assert "48 pages" in result.stdout


def test_derived_columns_are_those_of_the_text(everything: pa.Table) -> None:
    for row in everything.to_pylist():
        assert row["n_text_words"] == measure(row["text"].encode())[1]
        for name, check in QUALITY.items():
            assert row[quality_column(name)] == check(Checked(row["text"], row["language"]))
    usual = Selection(load_configuration()).schema
    assert [name for name in everything.schema.names if name not in DERIVED] == usual.names


LISTS = b"<html><body><h1>Tools</h1><ul>%b</ul></body></html>" % b"".join(
    b"<li><b>Rake</b> <code>%b</code> is the one that we have for the garden" % (bytes([97 + k % 26]) * (3 + k // 26))
    for k in range(40)
)


@pytest.mark.parametrize("templates", [(), ("--templates", "fused")])
def test_rules_for_quality_judge_the_plain_text_whatever_is_written(tmp_path: Path, templates: tuple[str, ...]) -> None:
    pages = {f"https://tools.example/{k}": LISTS.replace(b"garden", b"garden" + b"s" * k) for k in range(6)}
    archive = write_archive(tmp_path / "a.warc.gz", pages)
    columns = ("--columns", ",".join("+" + quality_column(name) for name in QUALITY))
    options = ("--mode", "recall", *columns, *templates)
    verdicts = {}
    for format_ in ("text", "markdown", "html"):
        output = tmp_path / format_
        run(archive, "-o", output, "--format", format_, *options)
        verdicts[format_] = [{name: row[quality_column(name)] for name in QUALITY} for row in rows(output)]
        assert "plain_text" not in rows(output)[0]
    markup = [row["text"] for row in rows(tmp_path / "markdown")]
    judged = [{name: check(Checked(text, "eng")) for name, check in QUALITY.items()} for text in markup]
    assert judged != verdicts["text"], "the markup of these pages breaks other rules than their words"
    assert verdicts["markdown"] == verdicts["html"] == verdicts["text"]
    found = thresher.page_batches(archive, format="markdown", mode="recall", filters=thresher.Filters(quality=("c4",)))
    expected = sum(each["c4"] == "ok" for each in verdicts["text"])
    if not templates:
        assert sum(batch.num_rows for batch in found) == expected


@pytest.mark.parametrize("templates", [(), ("--templates", "fused")])
def test_columns_of_a_text_are_the_same_whatever_is_written(tmp_path: Path, templates: tuple[str, ...]) -> None:
    text = "".join(f"<p><a href='/articles/of/the/news/{n}'>北方</a>的田野在雨来之前收获了庄稼" for n in range(8))
    page_ = f"<h1>题目</h1><div class='main story'>{text}</div>".encode()
    pages = {f"https://fields.example/{n}": page_ for n in range(3)}
    archive = write_archive(tmp_path / "a.warc.gz", pages)
    names = ("languages", "language_cld2", "language_agreement", "n_text_words", "route")
    found = []
    for format_ in ("text", "markdown", "html", "source"):
        options = ("--format", format_, *(() if format_ == "text" else ("--links",)), *templates)
        run(archive, "-o", tmp_path / format_, "--columns", ",".join(f"+{name}" for name in names), *options)
        found.append([[row[name] for name in names] for row in rows(tmp_path / format_)])
    assert found[1:] == found[:1] * 3
    n = found[0][0][names.index("n_text_words")]
    for least, kept in ((n, 3), (n + 1, 0)):
        batches = thresher.page_batches(archive, format="html", filters=thresher.Filters(min_words=least))
        assert sum(batch.num_rows for batch in batches) == kept


def test_a_condition_is_tested_before_parsing_where_it_can_be(archives: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def extract_page(self, capture, **_):
        parsed.append(capture.url)
        return original(self, capture, **_)

    original = thresher.rows.batches.RowMaker.extract_page
    monkeypatch.setattr("thresher.rows.batches.RowMaker.extract_page", extract_page)
    with pytest.raises(ValueError, match="where is empty"):
        thresher.page_batches(archives, where="")
    found = thresher.page_batches(archives, where="language = 'ell' AND url LIKE '%/1/%'")
    urls = [url for batch in found for url in batch["url"].to_pylist()]
    assert len(parsed) == 24
    assert all("/1/" in url for url in parsed)
    assert len(urls) == 8
    assert found.skipped["where"] == 40


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--where", "lang = 'ell'"], "--where: there is no column 'lang'; did you mean"),
        (["--where", "language = 'el'"], "no page has the value 'el'; did you mean 'ell'?"),
        (["--where", "url LIKE '%a%' AND language IN ('ell', 'greek')"], "value 'greek'; did you mean 'ell'?"),
        (["--where", "'ger' <> language"], "no page has the value 'ger'; did you mean 'deu'?"),
        (["--where", "status = 'okay'"], "no page has the value 'okay'; did you mean 'ok'? Known: ok, empty,"),
        (["--where", "parse_us > 10"], "there is no column 'parse_us'"),
        (["--where", "licence = 'CC0-1.0'"], "the run has no column 'licence'; add --columns +licence"),
        (["--columns", "url,txt"], "--columns: there is no column 'txt'; did you mean 'text'?"),
        (["--set", 'write.columns=["txt"]'], "write.columns: there is no column 'txt'; did you mean 'text'?"),
        (["--hidden", "all"], "'all' is not one of 'auto', 'keep', 'drop'"),
        (["--columns", "url,text_cetd"], "text_cetd is only in a run with that further extractor"),
        (["--language", "greek"], "--language: no text is identified as 'greek'; did you mean"),
        (["--since", "yesterday"], "--since: 'yesterday' is no time"),
        (["--since", "2026-11-20T02:00+02:00", "--before", "2026-11-20"], "--since: no time is at 2026-11-20T02:00"),
        (["--quality", "best"], "--quality must be one of gopher, repetition, c4, fineweb, not 'best'"),
        (["--min-confidence", "0.5", "--extractor", "cetd"], "the extractor 'cetd' estimates no confidence"),
        (["--min-confidence", "2"], "--min-confidence must be at most 1"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(
    archives: Path, tmp_path: Path, flags: list[str], message: str
) -> None:
    result = CliRunner().invoke(main, ["extract", str(archives), "-o", str(tmp_path / "out"), *flags])
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert not (tmp_path / "out").exists()


def test_pages_that_filters_leave_out_count_for_the_error_ratio(tmp_path: Path) -> None:
    (folder,) = {path.parent for path in write_archives(tmp_path / "in", archives=1, pages=30)}
    path = next(folder.iterdir())
    path.write_bytes(path.read_bytes()[:-500])
    run(folder, "-o", tmp_path / "out", "--url-pattern", "*/0/1")
    report = inspect_run(str(tmp_path / "out"))
    assert report.pages == 1
    assert 0 < report.error_ratio < 0.05


def test_a_page_that_failed_is_filtered_like_any_other() -> None:
    found = Selection(load_configuration(None, {"filter.languages": ["ell"]}))
    schema = TABLES["pages"].written().to_arrow()
    row = {"url": "http://a.example/", "warc_filename": "a", "status": "error", "extractor": "thresher"}
    batch = pa.RecordBatch.from_pylist([{**dict.fromkeys(schema.names), **row, "extractor_version": "0"}], schema)
    kept, reasons = found.finish(batch)
    assert (kept.num_rows, reasons) == (0, [Rejection("language", value="null")])


def test_languages_are_known_by_their_names_too():
    """Each language that can be identified has a name; the hint for a name is its code."""
    names = language_names()
    assert set(names.values()) == known_languages() - {"und"}
    with pytest.raises(ConfigError, match=r"'greek'; did you mean ell \(Greek\)\?"):
        _language_codes(["greek"], BUILT_IN)
    with pytest.raises(ConfigError, match=r"'zzz'\. Give a code"):
        _language_codes(["zzz"], BUILT_IN)


def test_the_codes_of_libraries_are_taken() -> None:
    assert _language_codes(["ger", "FRE", "gre", "fra", "el"], BUILT_IN) == {"deu", "fra", "ell"}
    assert BIBLIOGRAPHIC.keys().isdisjoint(known_languages())
    assert set(BIBLIOGRAPHIC.values()) - known_languages() <= {"mri"}


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"hosts": ("http://data.gov.uk/",)}, "is a URL and no host; give data.gov.uk"),
        ({"hosts": ("*.gov.uk",)}, "is a pattern and no host; give it to --url-pattern"),
        ({"domains": ("site1.co.uk/x",)}, "is a URL and no host; give site1.co.uk"),
        ({"domains": ("WWW.site1.co.uk",)}, "'WWW.site1.co.uk' is no registered domain; give site1.co.uk, or the host"),
        ({"domains": ("co.uk",)}, "'co.uk' is no registered domain$"),
    ],
)
def test_hosts_that_no_page_can_have_are_refused(filters: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        _check_hosts(thresher.Filters(**filters))
    _check_hosts(thresher.Filters(hosts=("Data.gov.uk",), domains=("Site1.co.uk", "e.org")))


def test_a_bound_that_is_reached_is_enough() -> None:
    assert [_at_least(410)([n]) for n in (409, 410, None)] == [False, True, False]
    condition = _language(thresher.Filters(languages=("ell",), min_language_share=0.5), BUILT_IN).condition
    assert condition.test([[("ell", 0.5), ("eng", 0.5)]])
    assert not condition.test([[("ell", 0.25), ("eng", 0.75)]])
    assert not condition.test([None])


def test_extractors_agree_on_no_text_from_elsewhere() -> None:
    rows = {"text": ["a b"], "text_cetd": ["a"], "language": ["eng"], "n_text_words": [9], "extractor_agreement": [0.5]}
    configuration = load_configuration(None, {"extract.extractors": ["thresher", "cetd"]})
    found = derive_columns(configuration, pa.RecordBatch.from_pydict(rows), [0])
    assert found == {"n_text_words": [2], "extractor_agreement": [None]}


@pytest.mark.parametrize("form", ["html", "source"])
def test_names_of_elements_are_no_words_of_a_text(form: str) -> None:
    text = "<p class='die-Antwort-auf-alle-Fragen-ist-nicht-hier'>One two.</p>" * 20
    rows = {"text": [text], "language": ["eng"], "n_text_words": [0], "languages": [None]}
    found = derive_columns(load_configuration(None, {"extract.format": form}), pa.RecordBatch.from_pydict(rows), [0])
    assert found["n_text_words"] == [40]
    assert [language for language, _ in found["languages"][0]] == ["eng"]
