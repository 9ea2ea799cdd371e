# SPDX-License-Identifier: Apache-2.0
"""What names a page names one, also where a gzip member or a frame holds many records."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from archive_forms import FORMS, PAGES, write_form
from commanding import run
from small_archive import page

import thresher
from thresher.address import Address, page_id_of
from thresher.after.survey import survey_run
from thresher.options import CaptureOptions
from thresher.reading.again import Again
from thresher.reading.captures import WarcReading
from thresher.reading.inputs import Input

WITH_PICTURES = {
    url: html.replace(b"<h1>", b'<h1><img src="/wheel.jpg" alt="A wheel" width=640 height=480>')
    for url, html in PAGES.items()
}


def table(out: Path, name: str = "pages") -> list[dict[str, Any]]:
    return sorted(pq.read_table(out / name).to_pylist(), key=repr)


def extracted(tmp_path: Path, form: str, *options: str) -> Path:
    archive = write_form(tmp_path / "in", form)
    run("extract", archive, "-o", tmp_path / "out", "--workers", "1", "--columns", "+route", *options)
    return tmp_path / "out"


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_changes_one_page(form: str, tmp_path: Path) -> None:
    out = extracted(tmp_path, form, "--set", "route.trust=1")
    before = {row["url"]: row for row in table(out)}
    run("select", out, "-o", tmp_path / "ask.jsonl")
    asked = [json.loads(line) for line in (tmp_path / "ask.jsonl").read_text().splitlines()]
    assert len({each["id"] for each in asked}) == len(asked) == len(PAGES)
    chosen = asked[4]
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": chosen["id"], "text": "Another text."}))
    assert "1 answers" in run("merge", out, "--answers", tmp_path / "answers.jsonl")
    after = {row["url"]: row for row in table(out)}
    assert [url for url, row in after.items() if row != before[url]] == [chosen["url"]]
    assert after[chosen["url"]]["text"] == "Another text."


@pytest.mark.parametrize("form", FORMS)
def test_selected_records_are_the_pages_selected(form: str, tmp_path: Path) -> None:
    out = extracted(tmp_path, form, "--set", "route.trust=1")
    target = tmp_path / "ask.warc.gz"
    if ".arc" in form:
        assert "no WARC record (only those can be copied)" in run("select", out, "--to", "warc", "-o", target, status=2)
        assert not target.exists()
        return
    assert f"{len(PAGES)} pages" in run("select", out, "--to", "warc", "-o", target)
    batches = thresher.page_batches(target)
    found = {row["url"]: row["text"] for batch in batches for row in batch.to_pylist()}
    assert (batches.n_records, batches.n_dead_letters) == (len(PAGES), 0)
    assert found == {row["url"]: row["text"] for row in table(out)}
    run("compact", out)
    assert {row["url"]: row["text"] for row in table(out)} == found
    assert len(table(out)) == len(PAGES)


@pytest.mark.parametrize("form", ["one.warc.gz", "threes.warc.gz", "one.warc.zst", "one.arc.gz"])
def test_ids_name_one_page_in_every_table_and_file(form: str, tmp_path: Path) -> None:
    twice = {"https://mill.example/again": PAGES["https://mill.example/7"]}
    archive = write_form(tmp_path / "in", form, WITH_PICTURES | twice)
    out = tmp_path / "out"
    run("extract", archive, "-o", out, "--workers", "1", "--also", "images", "--blocks", "--templates", "fused")
    pages = {page_id_of(row): row for row in table(out)}
    assert len(pages) == len(PAGES) + 1
    for row in table(out, "images"):
        assert pages[row["sample_id"]]["url"] == row["url"]
    for row in table(out, "blocks"):
        assert pages[page_id_of(row)]["url"] == row["url"]
    survey = survey_run(str(out))
    for row in survey.drawn:
        blocks = survey.blocks[page_id_of(row)]
        assert [each["block_order"] for each in blocks] == list(range(len(blocks)))
    assert len({page_id_of(row) for row in survey.drawn}) == len(survey.drawn)


@pytest.mark.parametrize("form", ["one.warc.gz", "threes.warc.gz", "one.warc.zst", "one.arc.gz"])
def test_a_copy_names_the_page_that_it_copies(form: str, tmp_path: Path) -> None:
    twice = {"https://mill.example/again": PAGES["https://mill.example/7"]}
    archive = write_form(tmp_path / "in", form, PAGES | twice)
    for shape in ("parquet", "dolma", "datatrove"):
        out = tmp_path / shape
        options = ("--output-compression", "none") if shape != "parquet" else ()
        run("extract", archive, "-o", out, "--workers", "1", "--templates", "fused", "--to", shape, *options)
        if shape == "parquet":
            rows = {page_id_of(row): row | {"metadata": row} for row in table(out)}
        else:
            [file] = (out / "pages").glob("0*.jsonl")
            lines = list(map(json.loads, file.read_text().splitlines()))
            rows = {each["id"].rpartition("-")[0]: each for each in lines}
        assert len(rows) == len(PAGES) + 1
        [copy] = [each["metadata"] for each in rows.values() if each["metadata"].get("duplicate_of")]
        assert copy["url"] == "https://mill.example/again"
        assert rows[copy["duplicate_of"]]["metadata"]["url"] == "https://mill.example/7"


def test_datatrove_names_pages_of_an_arc(tmp_path: Path) -> None:
    from thresher.integrations.datatrove import ThresherReader

    write_form(tmp_path / "in", "one.arc.gz")
    documents = list(ThresherReader(str(tmp_path / "in"), glob_pattern="*.arc.gz").run())
    assert len({each.id for each in documents}) == len(documents) == len(PAGES)


@pytest.mark.parametrize("form", FORMS)
def test_one_page_by_its_url(form: str, tmp_path: Path) -> None:
    archive = write_form(tmp_path / "in", form)
    url = "https://mill.example/8"
    assert run("text", archive, "--url", url) == thresher.extract(page(8, paragraphs=2), url=url).text + "\n"
    assert "no page with the URL" in run("text", archive, "--url", "https://mill.example/99", status=2)


@pytest.mark.parametrize("form", ["one.warc.gz", "threes.warc.gz", "one.warc.zst", "threes.arc.gz", "plain.warc"])
def test_pages_that_are_asked_for_one_by_one_cost_one_reading_of_each_member(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Input.of(str(write_form(tmp_path, form)))
    found = [
        (Address(each.warc_record_offset, each.warc_record_number), each.url)
        for each in thresher.read_captures(source.location)
    ]
    readings, real = [], WarcReading.read_file

    def counting(self: WarcReading, *arguments: Any) -> Any:
        readings.append(self.start)
        return real(self, *arguments)

    monkeypatch.setattr(WarcReading, "read_file", counting)
    again = Again(source, CaptureOptions())
    given = [(address, page.url) for each, _ in found for address, page in again.captures([each])]
    assert given == found
    assert readings == sorted({address.offset for address, _ in found})
    # In any other order they are found too, also when other requests come between.
    for each, url in [*reversed(found), *found[::3], found[-1], found[-1]]:
        assert [page.url for _, page in again.captures([each])] == [url]
        assert next(iter(again.at(each.offset)))[0].offset == each.offset
        assert len(list(again.captures([found[0][0], each]))) == len({found[0][0], each})
    again.close()
