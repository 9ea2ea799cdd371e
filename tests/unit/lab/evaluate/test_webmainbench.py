# SPDX-License-Identifier: Apache-2.0
"""The rules of WebMainBench, on made-up rows in its format, with figures computed by hand."""

import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from thresher.commands.evaluate import evaluate
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.peers import html_to_markdown
from thresher.lab.evaluate.webmainbench import (
    mean_rouge,
    read_rows,
    rouge_n,
    score_output,
    without_marks,
)

PAGE = '<html><body><div class="menu"><a href=/>Home</a></div><div><p class="lead">{}</p></div></body></html>'


def row(id_: str, text: str, gold: str, level: str, **others: object) -> dict[str, object]:
    marked = PAGE.format(text).replace("<p ", '<p cc-select="true" ')
    meta = {"language": "en", "style": "Article", "level": level, "table": [], "code": [], "equation": []}
    return {
        "track_id": id_,
        "url": f"https://{id_}.example/page",
        "html": marked,
        "main_html": f"<p>{gold}</p>",
        "convert_main_content": f"{gold}\n",
        "meta": meta,
        **others,
    }


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    rows = [
        row("one", "a b c d e f", "a b c d e", "simple"),
        row("two", "a b c d e", "a b c d e", "hard"),
        row("three", "g h i j k", "g h i j k", "hard", main_html="<p>g h</p>"),
    ]
    rows[1]["meta"] = rows[1]["meta"] | {"language": "zh", "style": "Other"}  # type: ignore[operator]
    file = tmp_path / "bench.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return file


def run(*arguments: object) -> Result:
    return CliRunner().invoke(evaluate, [*map(str, arguments), "--markdown", "--jobs", "1"], catch_exceptions=False)


def cells(output: str, begin: str, number: int = 0) -> list[str]:
    """The cells of the line of a table that begins so."""
    lines = [line for line in output.splitlines() if line.startswith(f"| {begin} ")]
    return [cell.strip() for cell in lines[number].split("|")[1:-1]]


# --- WebMainBench ---


@pytest.mark.parametrize(
    ("extracted", "gold", "expected"),
    [
        # 11 tokens are 7 5-grams, white space counts; of 9 tokens all 5 are among them
        ("a b c d e", "a b c d e f", (1.0, 5 / 7, 5 / 6)),
        ("a b c d e f", "a b c d e", (5 / 7, 1.0, 5 / 6)),
        # of three equal 5-grams, one counts, because the gold has one; and there is another
        ("aa,,,,,,,", "aa,,,,,", (2 / 4, 1.0, 2 / 3)),
        # 5 words of Chinese are one 5-gram
        ("我们今天学习中文分词", "我们今天学习中文分词", (1.0, 1.0, 1.0)),
        ("a b", "a b", (0.0, 0.0, 0.0)),  # three tokens have no 5-gram
        (" \n", "", (1.0, 1.0, 1.0)),
        ("", "a b c d e", (0.0, 0.0, 0.0)),
    ],
)
def test_rouge_is_over_5_grams_of_all_tokens(extracted: str, gold: str, expected: tuple[float, ...]) -> None:
    assert rouge_n(extracted, gold) == pytest.approx(expected)


def test_html_is_converted_with_the_settings_of_the_benchmark() -> None:
    long = "word " * 40 + "end"
    html = f"<h1>Title</h1><p>One <a href=/x>two</a> three<img src=y alt=z></p><p>{long}</p>"
    assert html_to_markdown(html, "https://a.example/") == f"# Title\n\nOne two three\n\n{long}\n"


@pytest.mark.parametrize(
    "marked",
    [
        '<body><p class="x" cc-select="true">A</p><br/></body>',
        "<body><p cc-select='true' class=\"x\">A</p><br/></body>",
        '<body><p class="x" cc-select=true>A</p><br/></body>',
        '<body><p class="x"cc-select="true">A</p><br/></body>',
        '<body><p class="x" CC-Select>A</p><br/></body>',
        '<body><p class="x mark-selected" cc-select="true">A</p><br/></body>',
        '<body class="mark-selected"><p class="x">A</p><br/></body>',
        '<body data-anno-uid="anno-uid-1"><p class="x" data-anno-uid=2>A</p><br/></body>',
        '<body><p class="x"><marked-text data-anno-uid="3" cc-select="true">A</marked-text></p><br/></body>',
        '<body><p class="x">A<marked-tail cc-select="true"></marked-tail></p><br cc-select="true"/></body>',
    ],
)
def test_marks_of_annotators_are_removed(marked: str) -> None:
    assert without_marks(marked) == '<body><p class="x">A</p><br/></body>'


def test_no_system_sees_anything_of_the_gold(benchmark: Path) -> None:
    rows = read_rows(benchmark)
    assert rows[0].page.html.decode() == PAGE.format("a b c d e f")
    # wherever a mark stands, nothing of it is left
    for page in ("cc-select", "<p>cc-select=1</p>", "<!--mark-selected-->", "<p/cc-select/>", "<p 'cc-select'=x>"):
        assert b"select" not in without_marks(page).encode()


def test_an_unmarked_page_stays_as_it_is() -> None:
    page = '<p class="selected" data-select=1>cc select</p>'
    assert without_marks(page) is page


def test_the_whole_command(benchmark: Path, tmp_path: Path) -> None:
    scores = tmp_path / "scores.parquet"
    result = run("--webmainbench", benchmark, "--extractors", "all", "--peers", "fullpage", "--parquet", scores)
    assert result.exit_code == 0, result.output
    assert "3 pages of bench.jsonl (SHA-256 " in result.output
    assert "core " in result.output
    assert "differs from convert_main_content on 1 pages" in result.output
    # The page begins with "Home\n\n". With it, "a b c d e f\n" is 15 tokens, 11 5-grams; the gold is 10 tokens, 6
    # 5-grams, 5 of them common: 2 * 5 / (11 + 6). The others are 13 tokens, 9 5-grams, all 6 common: 2 * 6 / (9 + 6).
    one, others = 10 / 17, 12 / 15
    expected = [f"{value:.4f}" for value in ((one + 2 * others) / 3, one, others)]
    assert cells(result.output, "Extractor") == ["Extractor", "Mode", "All", "Simple", "Hard"]
    assert cells(result.output, "fullpage") == ["fullpage", "Html+MD", *expected]
    assert cells(result.output, "thresher")[1] == "Html+MD"
    assert cells(result.output, "Extractor", 1)[3:] == ["En", "Zh"]
    assert cells(result.output, "fullpage", 1)[3:] == [f"{(one + others) / 2:.4f}", f"{others:.4f}"]
    assert cells(result.output, "Extractor", 2)[3:] == ["Article", "Other"]
    table = pq.read_table(scores)
    assert table.num_rows == 9
    assert set(table["mode"].to_pylist()) == {"Html+MD", "MD"}


def test_a_failure_is_an_empty_text(benchmark: Path) -> None:
    rows = read_rows(benchmark)
    judged = [score_output(each, Output("timeout", 1.0, "")) for each in rows[:2]]
    assert mean_rouge(judged) == 0.0
    assert mean_rouge([]) is None


def test_a_sample_is_the_same_in_any_order(benchmark: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(reversed(benchmark.read_text("utf-8").splitlines())), encoding="utf-8")
    assert {each.page.id for each in read_rows(benchmark, limit=2)} == {
        each.page.id for each in read_rows(other, limit=2)
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", "line 1: this is no JSON object"),
        ("{", "line 1: this is no JSON"),
        ("", "has no rows"),
        ('{"html": "<p>x"}', "row 1: a row needs html, and convert_main_content or main_html"),
        ('{"html": 3, "main_html": "<p>x"}', "row 1: html must be text, not int"),
    ],
)
def test_a_file_of_something_else_is_refused(line: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(EvaluationError, match=message):
        read_rows(file)
    result = run("--webmainbench", file)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_gold_may_be_html_alone(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl.gz"
    file.write_bytes(gzip.compress(b'{"html": "<p>x", "main_html": "<h2>x</h2>", "meta": null}'))
    assert read_rows(file)[0].page.gold == "## x\n"


def test_options_that_mean_nothing_are_refused(benchmark: Path) -> None:
    result = run("--webmainbench", benchmark, "--metric", "word")
    assert result.exit_code == 2
    assert "--metric does not go with --webmainbench" in result.output
    assert "no peer is called 'nobody'" in run("--webmainbench", benchmark, "--peers", "nobody").output
