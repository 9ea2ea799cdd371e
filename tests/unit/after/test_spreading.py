# SPDX-License-Identifier: Apache-2.0
"""Answers for a few pages of a host, and its other pages."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from commanding import run
from small_archive import write_archive

from thresher.after.spreading import spread
from thresher.commands.main import main
from thresher.errors import InputError
from thresher.page.page_extractor import PageExtractor
from thresher.templates.places import MainTextByPlace, places_of

WORDS = "The council said on Tuesday that repairs to the bridge would take until the spring, and that buses would run."


def article(n: int, *, kind: str = "story") -> str:
    """A page whose second half is something that the site does not want, though it looks like text."""
    return (
        f"<title>Bridge {n}</title><body><div class='{kind} s-{n}'><h1>Bridge {n}</h1><p>{n} {WORDS}</p><p>{WORDS} {n}</p></div>"
        f"<div class='{kind}-archive a-{n}'><p>{n} people were on the bridge that day.</p><p>They say {n} it was cold.</p></div>"
    )


PAGES = {f"https://mill.example/{n}": article(n) for n in range(6)} | {
    f"https://ferry.example/{n}": article(n) for n in range(2)
}


def made(tmp_path: Path, *options: str) -> tuple[Path, dict[str, dict[str, Any]]]:
    out = tmp_path / "out"
    run(
        "extract",
        write_archive(tmp_path / "a.warc.gz", {url: html.encode() for url, html in PAGES.items()}),
        "-o",
        out,
        *options,
    )
    rows = ds.dataset(out / "pages", format="parquet").to_table().to_pylist()
    return out, {row["url"]: row for row in rows}


def answer_file(tmp_path: Path, rows: dict[str, dict[str, Any]], *numbers: int) -> Path:
    """Answers that leave the second half of these pages of mill.example out."""
    lines = []
    for n in numbers:
        row = rows[f"https://mill.example/{n}"]
        text = f"# Bridge {n}\n\n{n} {WORDS}\n\n{WORDS} {n}"
        lines.append(json.dumps({"id": f"{row['warc_filename']}#{row['warc_record_offset']}", "text": text}))
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join([*lines, json.dumps({"id": "gone#1", "text": ""})]))
    return file


@pytest.mark.parametrize("columns", [(), ("--columns", "+html")], ids=["read again", "pages kept"])
def test_other_pages_of_the_host_are_decided_as_the_answered_one(columns: tuple[str, ...], tmp_path: Path) -> None:
    out, rows = made(tmp_path, *columns)
    assert all("people were" in row["text"] for row in rows.values())
    answers, spread_file = answer_file(tmp_path, rows, 0), tmp_path / "spread.jsonl"
    said = run("spread", out, "--answers", answers, "-o", spread_file)
    assert "5 pages of 1 hosts" in said
    assert "1 answers are about no page of this run" in said
    run("merge", out, "--answers", spread_file, "--source", "layout")
    merged = {row["url"]: row for row in ds.dataset(out / "pages", format="parquet").to_table().to_pylist()}
    for n in range(1, 6):
        row = merged[f"https://mill.example/{n}"]
        assert row["text"] == f"Bridge {n}\n\n{n} {WORDS}\n\n{WORDS} {n}"
        assert row["text_source"] == "layout"
    for url in ("https://mill.example/0", "https://ferry.example/0", "https://ferry.example/1"):
        assert merged[url] == rows[url]  # the answer itself is merged by its own file


def test_the_texts_have_the_format_of_the_run(tmp_path: Path) -> None:
    out, rows = made(tmp_path, "--format", "markdown")
    target = BytesIO()
    done = spread(str(out), str(answer_file(tmp_path, rows, 0, 1)), target)
    assert (done.answers, done.pages, done.unlike, done.hosts) == (2, 4, 0, {"mill.example"})
    assert done.inputs_left == 0
    next(out.glob("_ledger/*.done.json")).rename(out / "_ledger" / "00000.json")
    said = run("spread", out, "--answers", answer_file(tmp_path, rows, 0), "-o", tmp_path / "spread.jsonl")
    assert "1 inputs of the run are not finished, and their pages have no answers yet" in said
    first = json.loads(target.getvalue().splitlines()[0])
    assert first["text"].startswith("# Bridge 2\n\n2 The council")


def test_standard_output_is_no_file_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, rows = made(tmp_path)
    answers = answer_file(tmp_path, rows, 0)
    monkeypatch.chdir(tmp_path)
    run("spread", out, "--answers", answers, "-o", "file.jsonl")
    done = CliRunner().invoke(main, ["spread", str(out), "--answers", str(answers), "-o", "-"])
    assert done.stdout == Path("file.jsonl").read_text() != ""
    assert not Path("-").exists()


def test_the_answers_are_not_written_over(tmp_path: Path) -> None:
    out, rows = made(tmp_path)
    answers = answer_file(tmp_path, rows, 0)
    before = answers.read_bytes()
    said = run("spread", out, "--answers", answers, "-o", tmp_path / "in" / ".." / answers.name, status=2)
    assert "this is the file of --answers" in said
    assert answers.read_bytes() == before


def test_an_extractor_without_scores_is_refused(tmp_path: Path) -> None:
    out, rows = made(tmp_path, "--extractor", "cetd")
    with pytest.raises(InputError, match="its extractor is cetd; only thresher"):
        spread(str(out), str(answer_file(tmp_path, rows, 0)), BytesIO())


def extracted(html: str) -> PageExtractor:
    extractor = PageExtractor()
    extractor.extract(html.encode())
    return extractor


def test_places_are_alike_without_numbers_and_below_another_frame() -> None:
    one, other = extracted(article(1)), extracted("<main><section>" + article(27))
    assert len(places_of(one)) == 5
    for of_one, of_other in zip(places_of(one)[1:], places_of(other)[1:], strict=True):
        assert of_one[0] != of_other[0]  # another path from the body down
        assert of_one[-1] == of_other[-1]
    layout = MainTextByPlace()
    layout.add(places_of(one), [1, 1, 1, 0, 0], [10] * 5)
    evidence = memoryview(layout.evidence(places_of(other)) or b"").cast("h")
    assert [each > 0 for each in evidence] == [True, True, True, False, False]
    assert min(evidence) < 0
    assert layout.evidence(places_of(extracted("<table><tr><td>Something else altogether</table>"))) is None
