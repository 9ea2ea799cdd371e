# SPDX-License-Identifier: Apache-2.0
"""The demo archive: always the same, and read as it was written."""

import io
import tomllib

import pytest

from thresher import demo
from thresher.page.charset import decode
from thresher.page.language import identify_language
from thresher.page.page_extractor import PageExtractor
from thresher.reading.captures import WarcReading

# WHATWG names of the charsets that demo.toml gives by Python's.
CHARSETS = {"cp1252": "windows-1252", "shift_jis": "shift_jis", "gb18030": "gbk"}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("demo") / "demo.warc.gz"
    assert demo.main([str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def reading(archive):
    reading = WarcReading(str(archive))
    return reading, {capture.url: capture for capture in reading}


SITE_PAGES = [page for page in demo.pages() if page.language]


def test_the_archive_is_the_same_each_time(archive):
    again = io.BytesIO()
    demo.write(again)
    assert again.getvalue() == archive.read_bytes()
    assert len(again.getvalue()) < 100_000


def test_sites_differ_in_language_charset_and_template():
    sites = tomllib.loads((demo.files("thresher") / "demo.toml").read_text("utf-8"))["site"]
    assert len({site["host"] for site in sites}) == len(sites) >= 10
    assert len({site["language"] for site in sites}) >= 8
    assert len({site["charset"] for site in sites}) >= 8
    assert {site["layout"] for site in sites} == set(demo.LAYOUTS)
    assert all(site["host"].endswith(".example") for site in sites)


def test_no_record_is_lost(reading):
    reading, captures = reading
    assert reading.n_records == len(captures) + len(reading.dead_letters) + sum(reading.skipped.values())
    assert {page.url for page in SITE_PAGES} <= set(captures)
    for reason in ("status", "revisit", "not_html", "empty"):
        assert reading.skipped[reason], reason


@pytest.mark.parametrize("page", SITE_PAGES, ids=lambda page: page.url.removeprefix("https://"))
def test_a_page_of_a_site_is_decoded_identified_and_extracted(page, reading):
    capture = reading[1][page.url]
    assert capture.payload == page.body
    decoded = decode(capture.payload, http_charset=capture.http_charset)
    assert decoded.utf8.decode() == page.body.decode(page.charset)
    assert decoded.n_replaced == 0
    text = PageExtractor("all").extract(decoded.utf8).decode()
    assert [line for line in (*page.text, *page.boilerplate) if line not in text] == []
    assert "not text" not in text
    assert identify_language("\n".join(page.text))[0] == page.language


def test_the_main_text_is_told_from_the_template():
    """Of all lines that the sites' pages were written for nearly all are kept; of what their templates repeat, hardly
    any.
    """
    kept = thrown = lines = repeated = 0
    for page in SITE_PAGES:
        text = PageExtractor().extract(decode(page.body, http_charset=page.charset).utf8).decode()
        kept += sum(line in text for line in page.text)
        thrown += sum(line not in text for line in page.boilerplate)
        lines += len(page.text)
        repeated += len(page.boilerplate)
    assert kept / lines > 0.8
    assert thrown / repeated > 0.8


def test_a_sentence_comes_out_of_every_page_broken_on_purpose(reading):
    """All but three: one has no text, one is cut off, and what noframes holds is raw text to the standard."""
    extractor = PageExtractor("all")
    found = {
        url: demo.SENTENCE.strip()
        in extractor.extract(decode(capture.payload, http_charset=capture.http_charset).utf8).decode()
        for url, capture in reading[1].items()
        if url.startswith(demo.ODD_HOST) and not url.endswith(("/no-text", "/cut-off", "/frames"))
    }
    assert len(found) >= 7
    assert all(found.values()), found


def test_the_record_that_was_cut_off_does_not_pass_for_whole(reading):
    reading, captures = reading
    cut_off = captures.get(f"{demo.ODD_HOST}/cut-off")
    assert reading.dead_letters if cut_off is None else cut_off.content_truncated
