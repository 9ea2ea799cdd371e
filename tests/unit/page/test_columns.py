# SPDX-License-Identifier: Apache-2.0
"""Rows are filled by name: every column has its source, and the JSON of one page says what the table says."""

from pathlib import Path

import pytest
from small_archive import page, write_archive

import thresher
from thresher.config import load_configuration
from thresher.options import EXTRACTORS, Options
from thresher.page.columns import OF_THE_PAGE, PAGES, PageRow, of_part, stage_times, values
from thresher.page.result import Clock, PageResult
from thresher.reading.listing import read_captures
from thresher.rows import tables as rows
from thresher.rows.tables import batch_of, further_extractors, further_sources, page_sources
from thresher.schemas import TABLES
from thresher.schemas.pages import DERIVED, PAGE_STAGES, RIGHTS, STRUCTURE

PAGE = b"""<html lang=en><title>The wheel | Mill</title><meta property=og:site_name content=Mill>
<meta name=author content='A. Miller'><meta name=date content=2014-03-05><meta name=description content='How it came back.'>
<ul class=menu><li><a href=/>Home</a></ul><article><h1>The wheel</h1><p>For eleven years the wheel lay in the <b>reeds</b>
behind the barn, and most of the village had forgotten <a href=what>what</a> it once drove &amp; why.</p></article>"""


def test_every_column_of_pages_has_a_source_and_every_source_a_column() -> None:
    sources = PAGES | stage_times(PAGE_STAGES) | further_sources(EXTRACTORS)
    sources |= {name: of_part("rights", name) for name in RIGHTS} | {
        name: of_part("structured_data", name) for name in STRUCTURE
    }
    assert {*sources, *DERIVED} == set(TABLES["pages"].names())
    every = tuple(name for name in TABLES["pages"].names() if name not in DERIVED)
    assert tuple(page_sources(every)) == every
    assert list(page_sources()) == TABLES["pages"].written().names()


def test_a_column_without_a_source_is_an_error_and_so_is_a_source_without_a_column() -> None:
    columns = {name: [None] for name in TABLES["templates"].written().names()}
    assert batch_of("templates", columns).num_rows == 1
    with pytest.raises(KeyError, match="pages"):
        batch_of("templates", {name: column for name, column in columns.items() if name != "pages"})
    with pytest.raises(KeyError, match="no column other"):
        batch_of("templates", columns | {"other": [1]})


def test_two_columns_of_one_type_cannot_be_taken_for_each_other(tmp_path: Path) -> None:
    """Each column against where its value comes from: what a swap of two strings would break."""
    archive = write_archive(tmp_path / "a.warc.gz", {"https://www.mill.example.co.uk/a": PAGE})
    (capture,) = read_captures(archive)
    extracted = thresher.extract(PAGE, url=capture.url)
    batches = thresher.page_batches(archive)
    (row,) = [row for batch in batches for row in batch.to_pylist()]
    expected = {
        "url": "https://www.mill.example.co.uk/a",
        "url_host_name": "www.mill.example.co.uk",
        "url_host_registered_domain": "example.co.uk",
        "content_mime_type": "text/html",
        "warc_filename": str(archive),
        "warc_record_id": capture.warc_record_id,
        "content_digest": capture.content_digest,
        "title": "The wheel",
        "author": "A. Miller",
        "description": "How it came back.",
        "site_name": "Mill",
        "language": "eng",
        "language_declared": "en",
        "status": "ok",
        "extractor": "thresher",
        "extractor_version": thresher.__version__,
        "content_charset": "utf-8",
        "text": extracted.text,
        "n_nodes": extracted.n_nodes,
        "n_words": extracted.n_words,
    }
    assert {name: row[name] for name in expected} == expected


@pytest.mark.parametrize("markup", ["text", "markdown", "html"])
def test_json_of_a_page_says_what_its_row_says(tmp_path: Path, markup: str) -> None:
    url = "https://www.mill.example/a"
    options = Options(extractors=("thresher", "density", "cetd-s"), format=markup)
    archive = write_archive(tmp_path / "a.warc.gz", {url: PAGE})
    (row,) = [row for batch in thresher.page_batches(archive, options) for row in batch.to_pylist()]
    found = thresher.extract(PAGE, url=url, charset="utf-8", options=options).to_dict()
    assert set(found) == {*OF_THE_PAGE, "text_by_density", "text_cetd_s"}
    assert found.keys() <= row.keys()
    for name, value in found.items():
        if isinstance(value, float):
            assert value == pytest.approx(row[name], rel=1e-5), name
        else:
            assert value == (row[name].isoformat() if name == "date" else row[name]), name
    assert found["date"] == "2014-03-05"
    assert found["text_density"] > 0
    assert found["text_by_density"]


def test_a_failed_page_has_its_row_by_the_same_names() -> None:
    clock = Clock("read")
    clock.stage("decode")
    clock.stage("parse")
    (capture,) = [thresher.page.columns.NotArchived("https://e.org/")]
    row = PageRow(capture, PageResult.failed(clock), "cetd")
    named = {
        name: values(source, [row])[0]
        for name, source in (page_sources(("text_all",))).items()
        if not (isinstance(source, str) and source.startswith("capture."))
    }
    assert (named["status"], named["language"], named["text"], named["text_all"]) == ("error", "und", None, None)
    assert named["read_us"] is not None
    assert named["decode_us"] is not None
    assert named["parse_us"] is None  # it did not finish
    assert clock.running == "parse"


def test_further_texts_stand_in_the_order_of_their_columns() -> None:
    configuration = load_configuration(None, {"extract.extractors": ["thresher", "all", "cetd", "conex"]})
    assert further_extractors(configuration) == ("cetd", "conex", "all")


def test_text_of_a_row_may_be_bytes(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.warc.gz", {f"https://e.org/{k}": page(k) for k in range(3)})
    (batch,) = thresher.page_batches(archive)
    assert batch.schema.equals(rows.arrow_schema("pages"), check_metadata=True)
    assert "συγκομιδή" in batch["text"][0].as_py()
