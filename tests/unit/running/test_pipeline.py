# SPDX-License-Identifier: Apache-2.0
"""One partition at a time, in this process: rows, counts, and pages that fail."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from commanding import run
from in_process import extract_here
from small_archive import page, write_archive

from thresher.after.report import rows_digest
from thresher.config import ConfigError, Configuration, load_configuration
from thresher.options import LanguageOptions
from thresher.page.charset import Decoded
from thresher.reading.inputs import Input
from thresher.rows import batches
from thresher.rows import tables as rows
from thresher.rows.tables import peak_memory
from thresher.running import partitions
from thresher.running.outcome import inspect_run
from thresher.running.partitions import cut
from thresher.running.pipeline import PartitionMaker
from thresher.running.run import Run, start_run
from thresher.schemas.metrics import MORE_STAGES, STAGES

PAGES = {f"https://www.site{k % 3}.co.uk/{k}": page(k) for k in range(30)}


def begin(source: Path, output: Path, **knobs: object) -> Run:
    overrides = {name.replace("__", "."): value for name, value in knobs.items()}
    return start_run([str(source)], str(output), load_configuration(None, overrides))


def work(run: Run) -> dict[str, list[dict[str, object]]]:
    extract_here(run)
    run.folder.close_run()
    return {
        name: ds.dataset(Path(run.output) / name).to_table().to_pylist() for name in ("pages", "metrics", "dead_letter")
    }


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_archive(tmp_path_factory.mktemp("archive") / "a.warc.gz", PAGES)


def test_rows_of_an_archive(archive: Path, tmp_path: Path) -> None:
    tables = work(begin(archive, tmp_path / "out"))
    rows = tables["pages"]
    assert [row["url"] for row in rows] == list(PAGES)
    assert tables["dead_letter"] == []
    assert {row["status"] for row in rows} == {"ok"}
    first, second = rows[:2]
    assert (first["language"], second["language"]) == ("ell", "eng")
    assert (first["url_host_name"], first["url_host_registered_domain"]) == ("www.site0.co.uk", "site0.co.uk")
    assert second["title"] == "Page 1"
    assert "The harvest of the northern fields" in second["text"]
    assert "Item 3" not in second["text"]
    assert (second["content_charset"], second["fetch_status"]) == ("utf-8", 200)
    assert second["fetch_time"].isoformat() == "2026-11-20T00:00:00+00:00"
    assert second["extractor"] == "thresher"
    assert second["warc_filename"] == str(archive)
    assert second["n_nodes"] > 40
    assert second["content_digest"]
    for row in rows:
        data = archive.read_bytes()[row["warc_record_offset"] :][: row["warc_record_length"]]
        assert data[:2] == b"\x1f\x8b"
        assert row["parse_us"] is not None


def test_filters_and_the_second_pass_are_stages(archive: Path, tmp_path: Path) -> None:
    for mode in ("off", "fused"):
        out = tmp_path / mode
        run("extract", archive, "-o", out, "--workers", 1, "--templates", mode, "--columns", "+quality_gopher")
        stages = inspect_run(str(out)).stages
        assert stages["filter"].seconds > 0
        assert stages["filter"].pages == len(PAGES)
        assert (stages["templates"].seconds > 0) == (mode == "fused")
        assert stages["total"].seconds > sum(each.seconds for name, each in stages.items() if name != "total")


def test_metrics_of_a_partition(archive: Path, tmp_path: Path) -> None:
    tables = work(begin(archive, tmp_path / "out"))
    rows = {row["stage"]: row for row in tables["metrics"]}
    usual = [stage for stage in STAGES if stage not in MORE_STAGES]
    assert list(rows) == [*usual, "total"]
    assert {row["pages"] for row in rows.values()} == {len(PAGES)}
    assert {row["nodes"] for row in rows.values()} == {sum(row["n_nodes"] for row in tables["pages"])}
    assert all(row["seconds"] > 0 for row in rows.values())
    assert rows["decode"]["bytes"] == rows["parse"]["bytes"] == sum(map(len, PAGES.values()))
    assert rows["render"]["bytes"] == sum(len(row["text"].encode()) for row in tables["pages"])
    assert rows["read"]["bytes"] == archive.stat().st_size
    assert rows["write"]["bytes"] > 1000
    assert rows["total"]["seconds"] > sum(rows[stage]["seconds"] for stage in usual)
    assert rows["total"]["statuses"] == [("ok", len(PAGES))]
    assert rows["total"]["peak_memory"] > 10_000_000
    assert rows["read"]["records"] == 1 + 3 * len(PAGES)
    assert rows["read"]["skipped"] == [("not_response", 1 + 2 * len(PAGES))]
    assert inspect_run(str(tmp_path / "out")).unaccounted == 0


def test_further_extractors_have_a_column_each(archive: Path, tmp_path: Path) -> None:
    run = begin(archive, tmp_path / "out", extract__extractors=["cetd", "thresher", "all", "cetd-s"])
    rows = work(run)["pages"]
    alone = {
        name: [row["text"] for row in work(begin(archive, tmp_path / name, extract__extractors=[name]))["pages"]]
        for name in ("cetd", "thresher", "all", "cetd-s")
    }
    columns = {"cetd": "text", "thresher": "text_thresher", "all": "text_all", "cetd-s": "text_cetd_s"}
    for name, column in columns.items():
        assert [row[column] for row in rows] == alone[name]
    assert rows[0].keys() - {"text", "text_density"} >= {"text_thresher", "text_all", "text_cetd_s"}
    assert {name for name in rows[0] if name.startswith("text_")} - {"text_density", "text_partial", "text_source"} == {
        *columns.values()
    } - {"text"}
    assert {row["extractor"] for row in rows} == {"cetd"}
    # What is said of the whole page is what the first extractor saw.
    alone_rows = ds.dataset(tmp_path / "cetd" / "pages").to_table().to_pylist()
    for column in ("n_words", "text_density", "link_density", "confidence"):
        assert [row[column] for row in rows] == [row[column] for row in alone_rows]
    for file in (tmp_path / "out" / "pages").iterdir():
        assert pa.parquet.read_schema(file).names == list(rows[0])
    assert inspect_run(str(tmp_path / "out")).pages == 30
    assert rows_digest(str(tmp_path / "out")) != rows_digest(str(tmp_path / "cetd"))


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"extract__extractors": ["cetd", "cetd"]}, "named twice"),
        ({"extract__extractors": []}, "no extractor given"),
        ({"extract__extractors": ["cetd"], "extract__mode": "recall"}, "no mode 'recall'"),
        ({"extract__mode": "best"}, "extract.mode must be one of precision, balanced, recall, not 'best'"),
    ],
)
def test_extractors_that_make_no_sense_are_refused(
    archive: Path, tmp_path: Path, knobs: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        begin(archive, tmp_path / "out", **knobs)
    assert not (tmp_path / "out").exists()


def test_row_groups_are_bounded_by_rows_and_by_bytes(archive: Path, tmp_path: Path) -> None:
    def groups(name: str, **knobs: object) -> list[int]:
        work(begin(archive, tmp_path / name, **knobs))
        (part,) = (tmp_path / name / "pages").glob("0*.parquet")
        metadata = pa.parquet.ParquetFile(part).metadata
        return [metadata.row_group(k).num_rows for k in range(metadata.num_row_groups)]

    assert groups("rows", write__batch_rows=12) == [12, 12, 6]
    by_bytes = groups("bytes", write__batch_bytes=10_000)
    assert sum(by_bytes) == 30
    assert max(by_bytes) <= 6
    assert rows_digest(str(tmp_path / "rows")) == rows_digest(str(tmp_path / "bytes"))


def test_without_timings_the_file_is_the_same_byte_for_byte(archive: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        work(begin(archive, tmp_path / name, write__page_timings=False))
    one, two = (next((tmp_path / name / "pages").glob("0*.parquet")).read_bytes() for name in ("one", "two"))
    assert one == two


def test_page_that_raises_is_a_row_and_a_dead_letter(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = batches.decode
    calls = iter(range(1000))

    def fails_at_the_fifth(payload: bytes, **options: Any) -> Decoded:
        if next(calls) == 4:
            message = "made up"
            raise ZeroDivisionError(message)
        return whole(payload, **options)

    monkeypatch.setattr(batches, "decode", fails_at_the_fifth)
    tables = work(begin(archive, tmp_path / "out"))
    assert Counter(row["status"] for row in tables["pages"]) == {"ok": 29, "error": 1}
    failed = tables["pages"][4]
    assert (failed["url"], failed["text"], failed["language"]) == (list(PAGES)[4], None, "und")
    (letter,) = tables["dead_letter"]
    assert (letter["stage"], letter["error_class"], letter["message"]) == ("decode", "ZeroDivisionError", "made up")
    assert letter["warc_record_offset"] == failed["warc_record_offset"]
    report = inspect_run(str(tmp_path / "out"))
    assert (report.unaccounted, report.errors) == (0, {"decode: ZeroDivisionError": 1})


def test_page_whose_language_cannot_be_asked_for_keeps_its_text(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = batches.language_of
    calls = iter(range(1000))

    def fails_at_the_fifth(letters: str, options: LanguageOptions) -> tuple[str, float]:
        if next(calls) == 4:
            message = "made up"
            raise ZeroDivisionError(message)
        return whole(letters, options)

    before = work(begin(archive, tmp_path / "before"))["pages"]
    monkeypatch.setattr(batches, "language_of", fails_at_the_fifth)
    tables = work(begin(archive, tmp_path / "out"))
    row = tables["pages"][4]
    assert (row["text"], row["status"], row["language"], row["language_score"]) == (
        before[4]["text"],
        "ok",
        "und",
        None,
    )
    assert [row["language"] for row in tables["pages"][5:]] == [row["language"] for row in before[5:]]
    (letter,) = tables["dead_letter"]
    assert (letter["stage"], letter["error_class"], letter["url"]) == ("language", "ZeroDivisionError", row["url"])
    assert letter["warc_record_offset"] == row["warc_record_offset"]


def test_page_over_a_limit_has_its_status(archive: Path, tmp_path: Path) -> None:
    tables = work(begin(archive, tmp_path / "out", limits__max_nodes=20))
    assert {row["status"] for row in tables["pages"]} == {"too_many_nodes"}
    assert tables["dead_letter"] == []


def test_partitions_do_not_change_rows(archive: Path, tmp_path: Path) -> None:
    work(begin(archive, tmp_path / "whole"))
    work(begin(archive, tmp_path / "cut", read__split_bytes=2000))
    assert len(list((tmp_path / "cut" / "metrics").glob("0*.parquet"))) > 3
    assert rows_digest(str(tmp_path / "whole")) == rows_digest(str(tmp_path / "cut"))


def test_a_size_that_no_archive_has_is_not_believed_and_stretches_are_counted_not_listed() -> None:
    configuration = load_configuration()
    run_input = partitions.RunInput(0, Input.named("https://example.org/a.warc.gz"), "a")
    assert [partition.end for partition in cut(run_input, 999_999_999_999_999_999_999, configuration)] == [None]
    largest = cut(run_input, 1 << 40, configuration)
    assert (len(largest), largest[0].end, largest[len(largest) - 1].end) == (32774, 32 << 20, None)
    finest = cut(run_input, 1 << 40, load_configuration(None, {"read.split_bytes": 1}))
    assert 1 << 18 < len(finest) < 1 << 20


def test_another_file_of_the_same_size_in_its_place_is_a_loss_and_not_the_end(archive: Path, tmp_path: Path) -> None:
    """Its size says nothing, and what is no gzip has no records for a later partition."""
    source = tmp_path / "a.warc.gz"
    source.write_bytes(archive.read_bytes())
    run = begin(source, tmp_path / "out", read__split_bytes=2000)
    extract_here(run, at_most=2)
    run.folder.close_run()
    source.write_bytes(b"<html>" + bytes(archive.stat().st_size - 6))
    run = begin(source, tmp_path / "out", read__split_bytes=2000)
    extract_here(run)
    run.folder.close_run()
    (letter,) = ds.dataset(tmp_path / "out" / "dead_letter").to_table().to_pylist()
    assert (letter["stage"], letter["error_class"]) == ("worker", "InputError")
    assert "no record begins at byte" in letter["message"]
    source.write_bytes(archive.read_bytes())
    work(begin(source, tmp_path / "out", read__split_bytes=2000))
    work(begin(archive, tmp_path / "whole"))
    pages = [ds.dataset(tmp_path / name / "pages").to_table(columns=["url", "text"]) for name in ("out", "whole")]
    assert pages[0].equals(pages[1])


@pytest.mark.parametrize("becomes", ["shorter", "another"])
def test_a_file_that_changes_while_it_is_read_is_a_loss_and_not_the_end(
    becomes: str, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut where a record ends, and replaced by a larger archive: nothing in the file itself is damaged."""
    pages = work(begin(archive, tmp_path / "whole"))["pages"]
    source = tmp_path / "a.warc.gz"
    source.write_bytes(archive.read_bytes())
    if becomes == "shorter":
        new = archive.read_bytes()[: pages[8]["warc_record_offset"]]
    else:
        others = {f"https://another.example/{k}": page(k) for k in range(100, 150)}
        new = write_archive(tmp_path / "b.warc.gz", others).read_bytes()
    run = begin(source, tmp_path / "out", read__split_bytes=2000)
    extract = PartitionMaker.extract_partition

    def changing(self: PartitionMaker, partition: Any, **options: Any) -> Any:
        if partition.number == 2:
            source.write_bytes(new)
        return extract(self, partition, **options)

    monkeypatch.setattr(PartitionMaker, "extract_partition", changing)
    letters = work(run)["dead_letter"]
    assert {letter["error_class"] for letter in letters} == {"InputError"}
    assert {"shorter": "bytes, and had", "another": "no record begins at byte"}[becomes] in str(letters[0]["message"])


def test_a_folder_of_other_files_is_not_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files have numbers: one that is added before them would shift all others."""
    monkeypatch.setattr("thresher.reading.inputs._FILES", 10)
    (tmp_path / "in").mkdir()
    for number in range(30):
        (tmp_path / "in" / f"m{number:02}.html").write_bytes(page(number))
    extract_here(run := begin(tmp_path / "in", tmp_path / "out"), at_most=2)
    run.folder.close_run()
    (tmp_path / "in" / "m00.html").rename(tmp_path / "in" / "z.html")
    extract_here(run := begin(tmp_path / "in", tmp_path / "out"))
    run.folder.close_run()
    (letter,) = ds.dataset(tmp_path / "out" / "dead_letter").to_table().to_pylist()
    assert (letter["error_class"], "it has other files" in letter["message"]) == ("InputError", True)
    (tmp_path / "in" / "z.html").rename(tmp_path / "in" / "m00.html")
    tables = work(begin(tmp_path / "in", tmp_path / "out"))
    assert [row["url"][-8:] for row in tables["pages"]] == [f"m{number:02}.html" for number in range(30)]
    assert tables["dead_letter"] == []


def test_a_folder_of_other_files_is_not_tried_again_without_a_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "m.html").write_bytes(page(0))
    (tmp_path / "in" / "n.html").write_bytes(page(1))
    run = begin(tmp_path / "in", tmp_path / "out")
    before = work(run)
    run.folder.ledger.reopen({0: [0]})
    (tmp_path / "in" / "m.html").rename(tmp_path / "in" / "o.html")
    assert work(begin(tmp_path / "in", tmp_path / "out")) == before
    assert f"what was read of an input stays as it was: {tmp_path / 'in'}: it has other files" in caplog.text


def test_warc_goes_on_from_its_ledger(archive: Path, tmp_path: Path) -> None:
    knobs = {"read__split_bytes": 2000}
    work(begin(archive, tmp_path / "whole", **knobs))
    run = begin(archive, tmp_path / "out", **knobs)
    done = extract_here(run, at_most=2)
    run.folder.close_run()
    run = begin(archive, tmp_path / "out", **knobs)
    assert (run.resumed, len(run.pending)) == (True, 1)
    names = extract_here(run)
    assert done == ["00000-0000", "00000-0001"]
    assert names[0] == "00000-0002"
    run.folder.close_run()
    assert rows_digest(run.output) == rows_digest(str(tmp_path / "whole"))
    assert begin(archive, tmp_path / "out", **knobs).pending == ()


def lose(run: Run, number: int) -> None:
    """Makes a finished run one that has lost a partition."""
    ledger, source = run.folder.ledger, run.inputs[0].source
    kept, size = [entry for entry in ledger.read(0) if entry.number != number], ledger.size(0)
    ledger.write(0, source, kept, done=False, size=size)
    (Path(run.output) / "_ledger" / "00000.done.json").unlink()
    run.folder.commit(f"00000-{number:04d}", {})


@pytest.mark.parametrize("in_fewer", [False, True], ids=["in as many partitions", "in fewer partitions"])
def test_a_partition_that_was_lost_before_the_archive_grew_costs_nothing(
    archive: Path, tmp_path: Path, *, in_fewer: bool
) -> None:
    grown, whole = tmp_path / "grown.warc.gz", archive.read_bytes()
    knobs = {"read__split_bytes": len(whole) * 10 // 46 if in_fewer else 2000}
    grown.write_bytes(whole[: len(whole) * 44 // 46 if in_fewer else -4000])
    run = begin(grown, tmp_path / "out", **knobs)
    work(run)
    n_before = len(run.folder.ledger.read(0))
    lose(run, 1)
    grown.write_bytes(whole)
    run = begin(grown, tmp_path / "out", **knobs)
    assert [row["url"] for row in work(run)["pages"]] == list(PAGES)
    assert (len(run.folder.ledger.read(0)) < n_before) == in_fewer


def test_a_partition_that_was_lost_comes_back_where_no_size_is_told_any_more(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(archive, tmp_path / "out", read__split_bytes=2000)
    work(run)
    lose(run, 1)
    monkeypatch.setattr(Input, "size", lambda _: None)
    tables = work(begin(archive, tmp_path / "out", read__split_bytes=2000))
    assert [row["url"] for row in tables["pages"]] == list(PAGES)


def test_what_follows_a_lost_partition_is_read_by_itself(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pages_of(output: str) -> dict[str, list[str]]:
        files = sorted(Path(output, "pages").glob("0*.parquet"))
        return {path.stem: pq.read_table(path)["url"].to_pylist() for path in files}

    run = begin(archive, tmp_path / "out", read__split_bytes=2000)
    work(run)
    expected = pages_of(run.output)
    assert expected.pop("00000-0003")
    extract = PartitionMaker.extract_partition

    def fail(self: PartitionMaker, partition: partitions.Partition, **options: Any) -> Any:
        if partition.number == 3:
            raise MemoryError
        return extract(self, partition, **options)

    monkeypatch.setattr(PartitionMaker, "extract_partition", fail)
    lose(run, 3)
    run = begin(archive, tmp_path / "out", read__split_bytes=2000)
    extract_here(run, retry=True)
    run.folder.close_run()
    assert pages_of(run.output) == expected


def test_cut_off_archive_costs_its_tail(archive: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.warc.gz"
    short.write_bytes(archive.read_bytes()[:-4000])
    tables = work(begin(short, tmp_path / "out"))
    n = len(tables["pages"])
    assert 5 < n < 30
    assert [row["url"] for row in tables["pages"]] == list(PAGES)[:n]
    assert len(tables["dead_letter"]) == 1
    assert inspect_run(str(tmp_path / "out")).unaccounted == 0


def test_only_gzip_is_cut_and_its_end_finer_and_no_stretch_is_short() -> None:
    def ends(name: str, size: int) -> list[int | None]:
        return [partition.end for partition in cut(partitions.RunInput(0, Input.named(name), name), size, cutting)]

    cutting: Configuration = load_configuration(None, {"read.split_bytes": 100})
    assert ends("a.warc.gz", 37) == [None]
    assert ends("b.warc.gz", 38) == [25, None]
    assert ends("c.warc.gz", 160) == [25, 50, 75, 100, 125, None]
    assert ends("d.warc.gz", 549) == [100, 200, 300, 325, 350, 375, 400, 425, 450, 475, 500, 525, None]
    assert ends("e.warc", 1000) == [None]
    assert ends("f.warc.gz", 0) == [None]


@pytest.mark.parametrize(
    ("values", "type_", "expected"),
    [
        (["a", "\ud800b", None], pa.string(), ["a", "?b", None]),
        ([b"a", b"\xffb"], pa.string(), ["a", "\ufffdb"]),
        ([1, 1 << 40, None], pa.int32(), [1, None, None]),
        ([200, "x"], pa.int16(), [200, None]),
    ],
)
def test_values_that_arrow_cannot_take_do_not_stop_a_batch(
    values: list[object], type_: pa.DataType, expected: list[object]
) -> None:
    assert rows._array(values, type_).to_pylist() == expected


def test_peak_memory_is_that_of_this_process() -> None:
    before = peak_memory()
    block = b"x" * (before + (64 << 20))
    assert peak_memory() >= before + (64 << 20)
    del block
