# SPDX-License-Identifier: Apache-2.0
"""Feeds among the pages of an archive, in every form of archive: the same rows, addresses that lead back, records that
add up.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import record_forms
from crossing import FAMILIES
from in_process import extract_here

from thresher.config import load_configuration
from thresher.running.outcome import inspect_run
from thresher.running.run import start_run
from thresher.serving import sources

HTML_OF = record_forms.html_of
FEEDS = 3, 17, 59


def page_or_feed(number: int) -> bytes:
    if number not in FEEDS:
        return HTML_OF(number)
    items = "".join(
        f"<item><title>Entry {k} of {number}</title><description>{record_forms.SENTENCE * 2}</description></item>"
        for k in range(3)
    )
    return f"<?xml version='1.0'?><rss><channel><title>Feed {number}</title>{items}</channel></rss>".encode()


def rows_of(folder: Path, form: str, workers: int, out: str, *, feeds: bool = True) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    path = folder / form
    source = record_forms.write(form, path) if not path.exists() else next(path.iterdir())
    settings = {"read.feeds": feeds, "run.workers": workers, "read.split_bytes": 9000, "write.page_timings": False}
    run = start_run([str(source)], str(folder / out), load_configuration(None, settings))
    extract_here(run)
    run.folder.close_run()
    report = inspect_run(str(folder / out))
    assert (report.unaccounted, report.errors) == (0, {})
    return pq.read_table(folder / out / "pages").sort_by("url").to_pylist()


FORMS = [*record_forms.ARCHIVES, "wacz", "wacz-deflated", "wacz-one"]
BY_DAY = [[form for form in family if form in FORMS][-1] for family in FAMILIES if not set(FORMS).isdisjoint(family)]


@pytest.mark.parametrize(
    "form", [form if form in BY_DAY else pytest.param(form, marks=pytest.mark.nightly) for form in FORMS]
)
def test_feeds_are_the_same_rows_in_every_form(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_forms, "html_of", page_or_feed)
    plain = rows_of(tmp_path, "plain", 1, "plain-out")
    found = rows_of(tmp_path, form, 2, "out")
    same = ("url", "title", "text", "language", "status", "content_mime_type", "charset_source", "confidence")
    assert [{name: row[name] for name in same} for row in found] == [
        {name: row[name] for name in same} for row in plain
    ]
    texts = {row["url"]: row["text"] for row in found}
    for number in FEEDS:
        text = texts[record_forms.url_of(number)]
        assert all(f"Entry {k} of {number}" in text for k in range(3))
    assert len({(row["warc_filename"], row["warc_record_offset"], row["warc_record_number"]) for row in found}) == 60
    listed = json.loads(sources.list_pages("run", str(tmp_path / "out"), "0", ""))["pages"]
    for each in listed:
        page = json.loads(sources.read_page("run", str(tmp_path / "out"), each["place"]))
        if each["url"] in map(record_forms.url_of, FEEDS):
            assert page["url"] == each["url"]
            assert page["html"].startswith("<!DOCTYPE html><html")
            assert "<h1>Feed " in page["html"]
