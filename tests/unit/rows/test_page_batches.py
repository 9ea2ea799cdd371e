# SPDX-License-Identifier: Apache-2.0
"""thresher.page_batches: the rows of a run without its files, and nothing lost silently."""

import io
import os
import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from in_process import extract_here
from shared_data import CHECKOUT
from small_archive import page, write_archive, write_archives

import thresher
from thresher.config import load_configuration
from thresher.rows import batches
from thresher.running.run import start_run
from thresher.schemas import TABLES
from thresher.schemas.dead_letter import STAGES
from thresher.schemas.pages import STATUSES

MEASURED = [column.name for column in TABLES["pages"].columns if column.measured]


def rows_of_a_run(sources: list[Path], output: Path, **knobs: object) -> pa.Table:
    run = start_run([str(source) for source in sources], str(output), load_configuration(None, knobs))
    extract_here(run)
    run.folder.close_run()
    files = sorted(str(file) for file in (output / "pages").glob("0*.parquet"))
    return ds.dataset(files).to_table().drop_columns(MEASURED)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_archives(tmp_path_factory.mktemp("archives"), archives=2, pages=12)


def table_of(found: thresher.PageBatches) -> pa.Table:
    return pa.Table.from_batches(list(found), found.schema).drop_columns(MEASURED)


def test_rows_are_those_of_a_run(archives: list[Path], tmp_path: Path) -> None:
    found = thresher.page_batches([str(archive) for archive in archives])
    assert table_of(found).equals(rows_of_a_run(archives, tmp_path / "out"))
    assert found.statuses == {"ok": 24}
    assert found.skipped == {"not_response": 2 * (1 + 2 * 12)}
    assert found.n_records == found.statuses.total() + found.skipped.total()
    assert found.dead_letters == []
    assert "24 pages" in repr(found)


def test_options_say_how(archives: list[Path], tmp_path: Path) -> None:
    knobs = {"extract.extractors": ["thresher", "all"], "extract.format": "markdown", "extract.links": True}
    options = thresher.Options(extractors=("thresher", "all"), format="markdown", links=True)
    found = table_of(thresher.page_batches(archives[0], options))
    assert found.equals(rows_of_a_run(archives[:1], tmp_path / "out", **knobs))
    assert "[Item 1](" in found["text_all"][1].as_py()


def test_batches_are_bounded(archives: list[Path]) -> None:
    assert [batch.num_rows for batch in thresher.page_batches(archives[0], batch_rows=5)] == [5, 5, 2]
    assert max(batch.num_rows for batch in thresher.page_batches(archives[0], batch_bytes=5000)) < 6
    with pytest.raises(ValueError, match="batch_rows must be at least 1, not 0"):
        thresher.page_batches(archives[0], batch_rows=0)


def test_an_empty_archive_has_a_schema_and_no_rows(tmp_path: Path) -> None:
    found = thresher.page_batches(write_archive(tmp_path / "none.warc.gz", {}))
    assert table_of(found).num_rows == 0


def test_what_became_no_row_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = write_archive(tmp_path / "a.warc.gz", {f"https://e.org/{k}": page(k) for k in range(9)})
    (tmp_path / "a.warc.gz").write_bytes(archive.read_bytes()[:-300])
    whole, calls = batches.decode, iter(range(1000))

    def fails_at_the_third(payload: bytes, **options: object) -> object:
        if next(calls) == 2:
            message = "made up"
            raise ZeroDivisionError(message)
        return whole(payload, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(batches, "decode", fails_at_the_third)
    found = thresher.page_batches(archive)
    rows = [row for batch in found for row in batch.to_pylist()]
    assert found.statuses == {"ok": len(rows) - 1, "error": 1}
    damage, page_error = sorted(found.dead_letters, key=lambda letter: letter.stage, reverse=True)
    assert (damage.stage, damage.error_class) == ("read", "DamagedFile")
    assert (page_error.stage, page_error.error_class, page_error.url) == ("decode", "ZeroDivisionError", rows[2]["url"])
    unreadable = len(found.dead_letters) - 1
    assert found.n_records == len(rows) + found.skipped.total() + unreadable


def test_an_archive_that_cannot_be_opened_costs_no_other(archives: list[Path], tmp_path: Path) -> None:
    gone = write_archive(tmp_path / "gone.warc.gz", {})
    found = thresher.page_batches([str(gone), str(archives[0])])
    gone.unlink()
    assert sum(batch.num_rows for batch in found) == 12
    (letter,) = found.dead_letters
    assert (letter.warc_filename, letter.stage, letter.error_class) == (str(gone), "read", "InputError")
    with pytest.raises(thresher.InputError):
        thresher.page_batches(str(tmp_path / "nothing"))


def test_pickled_before_it_begins_and_refused_afterwards(archives: list[Path]) -> None:
    found = thresher.page_batches(archives[0])
    copy = pickle.loads(pickle.dumps(found))
    assert table_of(copy).equals(table_of(found))
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(found)


def test_a_forked_child_has_the_same_rows(archives: list[Path]) -> None:
    here = table_of(thresher.page_batches(archives[0]))
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if table_of(thresher.page_batches(archives[0])).equals(here) else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_closed_it_has_no_more_batches(archives: list[Path]) -> None:
    with thresher.page_batches(archives, batch_rows=2) as found:
        next(found)
    assert list(found) == []


def test_stages_of_dead_letters_are_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every stage that can be written, by making something go wrong there."""
    archive = write_archive(tmp_path / "a.warc.gz", {f"https://e.org/{k}": page(k) for k in range(2)})
    data = archive.read_bytes()
    plain = write_archive(tmp_path / "a.warc", {"https://e.org/": page(1)}, gzip=False).read_bytes()
    broken = {
        "read": data[:-40],
        "record": plain.replace(b"WARC-Target-URI: https://e.org/", b"WARC-Nothing-URI: https://e.org/"),
        "http": plain.replace(b"HTTP/1.1 200 OK", b"HTTQ/1.1 200 OK"),
    }
    seen = set()
    for name, content in broken.items():
        file = tmp_path / f"{name}.warc{'.gz' if content[:2] == data[:2] else ''}"
        file.write_bytes(content)
        found = thresher.page_batches(file)
        assert list(found) or found.dead_letters
        assert name in {letter.stage for letter in found.dead_letters}
        seen |= {letter.stage for letter in found.dead_letters}

    def fails(*_: object, **__: object) -> None:
        message = "made up"
        raise ZeroDivisionError(message)

    extractor = "thresher.rows.batches.PageExtractor"
    stages = {
        "decode": "thresher.rows.batches.decode",
        "parse": f"{extractor}.parse",
        "metrics": f"{extractor}.measure",
        "extract": f"{extractor}.classify",
        "render": f"{extractor}.render",
        "language": "thresher.rows.batches.first_letters",
        "metadata": f"{extractor}.metadata",
    }
    for stage, target in stages.items():
        with monkeypatch.context() as patch:
            patch.setattr(target, fails)
            found = thresher.page_batches(archive)
            list(found)
            assert {letter.stage for letter in found.dead_letters} == {stage}
            assert found.statuses == {"error": 2}
            seen.add(stage)
    # test_index makes something go wrong in an index, test_parts_tables in further tables, test_crossings a record
    # vanish between two passes
    assert seen | {"worker", "index", "parts", "templates"} == set(STAGES)


def test_every_documented_status_can_be_produced_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = write_archive(
        tmp_path / "a.warc.gz",
        {
            "https://e.org/1": page(1),
            "https://e.org/2": b"<p>",
            "https://e.org/3": b"<div>" * 600,
            "https://e.org/4": b"<style>" + b" " * (1 << 20) + b"p{}</style><p>" + b"The mill stands still. " * 20,
        },
    )
    found = set()
    for limits in ({}, {"max_bytes": 10}, {"max_nodes": 10}, {"max_attributes": 1}):
        batches_of = thresher.page_batches(archive, thresher.Options(limits=thresher.Limits(**limits)))
        list(batches_of)
        found |= set(batches_of.statuses)
    monkeypatch.setattr("thresher.rows.batches.decode", None)
    failed = thresher.page_batches(archive)
    list(failed)
    assert found | set(failed.statuses) == set(STATUSES)


def test_examples_of_errors_are_errors_that_exist() -> None:
    example = next(column.example for column in TABLES["dead_letter"].columns if column.name == "error_class")
    sources = [path.read_text("utf-8") for path in (CHECKOUT / "src" / "thresher").rglob("*.py")]
    assert any(f'"{example}"' in source or f"class {example}(" in source for source in sources)
    metrics = next(column.example for column in TABLES["metrics"].columns if column.name == "errors")
    assert set(metrics) == {example}


def test_keywords_of_extract_are_taken(tmp_path: Path) -> None:
    source = tmp_path / "pages.jsonl"
    source.write_text('{"url": "http://e.org/", "html": "<h1>Wind</h1><p>The <b>miller</b> waits."}\n')
    with_options = thresher.page_batches(source, thresher.Options(extractors=("all",), format="markdown"))
    with_keywords = thresher.page_batches(source, extractor="all", format="markdown", columns=["text"])
    (batch,) = with_keywords
    assert batch["text"].to_pylist() == ["# Wind\n\nThe **miller** waits."]
    assert next(with_options)["text"].to_pylist() == batch["text"].to_pylist()
    over = thresher.page_batches(source, thresher.Options(format="html"), format="text", extractor="all")
    assert next(over)["text"].to_pylist() == ["Wind\n\nThe miller waits."]
    with pytest.raises(ValueError, match="format must be one of"):
        thresher.page_batches(source, format="pdf")
    with pytest.raises(TypeError, match="there is no option 'formt'; did you mean 'format'"):
        thresher.page_batches(source, formt="html")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"filters": {"min_words": 3}}, "filters must be Filters, not dict"),
        ({"capture_options": thresher.Options()}, "capture_options must be CaptureOptions, not Options"),
        ({"options": thresher.Filters()}, "options must be Options, not Filters"),
        ({"where": "url = 'a'", "filters": thresher.Filters(where="url = 'b'")}, "not both"),
        ({"source": b"a.warc.gz"}, "an input must be str or PathLike, not bytes"),
        ({"source": 3}, "an input must be str or PathLike, not int"),
        ({"source": ["a.warc.gz", None]}, "an input must be str or PathLike, not NoneType"),
        ({"source": io.BytesIO(b"WARC/1.0")}, "an input must be str or PathLike, not BytesIO"),
    ],
)
def test_arguments_of_another_type_are_named(tmp_path: Path, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        thresher.page_batches(**{"source": write_archive(tmp_path / "a.warc.gz", {})} | arguments)


def test_captures_are_not_read_with_options_of_another_type(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="capture_options must be CaptureOptions, not Options"):
        next(thresher.read_captures(tmp_path, capture_options=thresher.Options()))  # type: ignore[arg-type]
