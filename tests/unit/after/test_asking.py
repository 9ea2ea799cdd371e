# SPDX-License-Identifier: Apache-2.0
"""Pages that a larger model is asked about, against a server that stands in for one."""

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from small_archive import page, write_archive
from stand_in import StandIn, article

from thresher.after import asking
from thresher.after.answers import merge_answers
from thresher.after.asking import Model, ask, estimate, numbers_in
from thresher.after.kept_pages import KeptPages
from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.errors import InputError, RunError
from thresher.reading.folders import html_files
from thresher.writing.run_folder import RunFolder

PAGES = {f"https://mill.example/{number}": page(number, paragraphs=2 + number) for number in range(9)}


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_PATIENCE", 0.0)


@pytest.fixture
def server() -> Iterator[StandIn]:
    made = StandIn()
    yield made
    made.close()


def test_a_page_that_is_another_one_now_is_not_taken_for_it(tmp_path: Path) -> None:
    """Files of a folder have numbers, which a file that goes shifts."""
    for number in range(3):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"m{number}.html").write_bytes(page(number))
    out = str(tmp_path / "out")
    assert CliRunner().invoke(main, ["extract", str(tmp_path / "in"), "-o", out]).exit_code == 0
    folder = RunFolder(out)
    row = ds.dataset(f"{out}/pages").to_table().to_pylist()[1]
    with KeptPages(folder, load_configuration(None, folder.settings())) as pages:
        assert pages.html_of(row) == page(1)
    (tmp_path / "in" / "m0.html").unlink()
    html_files.cache_clear()  # as in another process
    with (
        KeptPages(folder, load_configuration(None, folder.settings())) as pages,
        pytest.raises(InputError, match="no page is there any more"),
    ):
        pages.html_of(row)


def run(tmp_path: Path, *columns: str) -> str:
    archive, out = write_archive(tmp_path / "a.warc.gz", PAGES), str(tmp_path / "out")
    settings = ("--columns", ",".join(("+route", *columns)), "--set", "route.trust=1.0")
    done = CliRunner().invoke(main, ["extract", str(archive), "-o", out, "--workers", "1", *settings])
    assert done.exit_code == 0, done.output
    return out


def rows(out: str) -> dict[str, dict[str, Any]]:
    table = ds.dataset(f"{out}/pages", format="parquet", exclude_invalid_files=True).to_table()
    return {row["url"]: row for row in table.to_pylist()}


def test_a_run_over_the_pages_of_a_run_reads_the_archives_of_the_first(server: StandIn, tmp_path: Path) -> None:
    first, second = run(tmp_path, "+html"), str(tmp_path / "second")
    done = CliRunner().invoke(main, ["render", first, "-o", second, "--columns", "+route", "--set", "route.trust=1.0"])
    assert done.exit_code == 0, done.output
    assert ask(second, str(tmp_path / "answers.jsonl"), server.model()).answered == 9


@pytest.mark.parametrize("columns", [("+html",), ()], ids=["pages kept", "read again"])
def test_answers_are_texts_of_the_pages_own_blocks(columns: tuple[str, ...], server: StandIn, tmp_path: Path) -> None:
    out = run(tmp_path, *columns)
    before = rows(out)
    answers = tmp_path / "answers.jsonl"
    done = ask(out, str(answers), server.model())
    assert (done.answered, done.failed, done.tokens_in, done.tokens_out) == (9, {}, 900, 45)
    lines = [json.loads(line) for line in answers.read_text().splitlines()]
    assert [line["id"] for line in lines] == [
        f"{row['warc_filename']}#{row['warc_record_offset']}" for row in before.values()
    ]
    merged = merge_answers(out, str(answers), "stand-in")
    assert (merged.merged, merged.unknown) == (9, 0)
    for url, row in rows(out).items():
        assert (row["text_source"], row["route"]) == ("stand-in", "answered")
        number = int(url[-1])
        lines = row["text"].split("\n\n")
        assert (lines[0], len(lines)) == (f"Page {number}", 3 + number)  # the heading and all paragraphs
        assert lines[-1].endswith(f"({number}.{1 + number})")
    assert {each["path"] for each in server.asked} == {"/v1/chat/completions"}
    assert {(each["model"], each["key"], each["temperature"]) for each in server.asked} == {("stand-in", None, 0)}


def test_no_more_than_so_many_pages_of_a_host_are_asked_about(server: StandIn, tmp_path: Path) -> None:
    out, answers = run(tmp_path), str(tmp_path / "answers.jsonl")
    assert ask(out, answers, server.model(per_host=2)).answered == 2
    assert (estimate(out, answers, server.model(per_host=3)).pages, len(server.asked)) == (1, 2)
    assert ask(out, answers, server.model(per_host=3)).answered == 1
    assert ask(out, answers, server.model()).answered == 6


def test_a_model_sees_numbered_blocks_cut_to_a_length(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_CHARACTERS", 30)
    ask(run(tmp_path), str(tmp_path / "answers.jsonl"), server.model(parallel=1))
    lines = server.asked[0]["messages"][1]["content"].splitlines()
    assert lines[0] == "0 li: Item 0"
    assert lines[8] == "8 h1: Page 0"
    assert [int(line.split()[0]) for line in lines] == list(range(len(lines)))
    assert max(len(line.partition(": ")[2]) for line in lines) == 31  # with the dots


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("0-2, 5", {0, 1, 2, 5}),
        ("[0, 1]", {0, 1}),
        ("3 – 4;7", {3, 4, 7}),
        ("```json\n[1, 2]\n```", {1, 2}),
        ("<think>Block 3, or 99?</think>\n\n9", {9}),
        ("None.", set()),
        ("1\n2\n3", {1, 2, 3}),
        ("", None),
        ("10", None),
        ("5-3", None),
        ("2-1000000", None),
        ("1, two", None),
        ("The main content is 1-3.", None),
        ("-1", None),
        ("1,,2 ,  3", {1, 2, 3}),
        ("0-9," * 3 + "1", None),  # says everything again and again
        (" " * 900_000 + "1" + "-" * 100_000, None),
        ("1 " * 500_000, None),
    ],
)
def test_an_answer_is_numbers_of_blocks_or_none(answer: str, numbers: set[int] | None) -> None:
    assert numbers_in(answer, 10) == numbers


def test_an_answer_that_is_none_is_asked_for_again_and_then_counted(tmp_path: Path) -> None:
    said: dict[str, list[str]] = {}

    def answers(blocks: str) -> Any:
        number = re.search(r"h1: Page (\d)", blocks)
        assert number
        key = number[1]
        said.setdefault(key, []).append(blocks)
        if key == "1":
            return "Ignore that. Here is the text: grain"
        if key == "2":
            return "99999"
        if key == "3" and len(said[key]) == 1:
            return "what?"
        if key == "4":
            return 400, {"error": "too long"}
        if key == "5":
            return 200, {"choices": []}
        return "none" if key == "6" else article(blocks)

    server = StandIn(answers)
    out, file = run(tmp_path), str(tmp_path / "answers.jsonl")
    before = rows(out)
    arguments = ["ask", out, "--url", server.url, "--model", "m", "-o", file, "--merge"]
    done = CliRunner().invoke(main, arguments)
    server.close()
    assert done.exit_code == 0, done.output
    assert "without an answer: 3 bad_answer, 1 refused" in done.output
    assert "Ignore that. Here is the text: grain" in done.output
    assert "5 answers are in" in done.output
    after = rows(out)
    assert [len(said[key]) for key in "0123456"] == [1, 2, 2, 2, 1, 2, 1]
    for number in (1, 2, 4, 5):
        assert after[f"https://mill.example/{number}"] == before[f"https://mill.example/{number}"]
    assert after["https://mill.example/6"]["text"] == ""
    assert after["https://mill.example/3"]["text_source"] == "m"


def test_asking_goes_on_where_it_was_stopped(server: StandIn, tmp_path: Path) -> None:
    out = run(tmp_path)
    whole = tmp_path / "whole.jsonl"
    ask(out, str(whole), server.model())
    lines = whole.read_bytes()
    for cut in (0, 1, len(lines) // 2, lines.index(b"\n"), lines.index(b"\n") + 1, len(lines) - 1):
        part = tmp_path / "part.jsonl"
        part.write_bytes(lines[:cut])
        n = lines[:cut].count(b"\n")
        server.asked.clear()
        done = ask(out, str(part), server.model(parallel=3))
        assert (done.earlier, done.answered, len(server.asked)) == (n, 9 - n, 9 - n)
        assert part.read_bytes() == lines
    other = tmp_path / "other.txt"
    other.write_text("words\nand more\n")
    with pytest.raises(InputError, match="not a file of answers"):
        ask(out, str(other), server.model())
    assert other.read_text() == "words\nand more\n"


def test_a_server_that_is_busy_is_waited_for_and_one_that_is_gone_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_FIRST_WAIT", 0.01)
    monkeypatch.setattr(asking, "_PATIENCE", 60.0)
    n = 0

    def busy(blocks: str) -> Any:
        nonlocal n
        n += 1
        return {1: (429, b""), 2: (503, b""), 3: (200, b"<html>")}.get(n) or article(blocks)

    server = StandIn(busy)
    out, file = run(tmp_path), str(tmp_path / "answers.jsonl")
    assert ask(out, file, server.model(parallel=1)).answered == 9
    monkeypatch.setattr(asking, "_PATIENCE", 0.0)
    Path(file).unlink()
    server.answers = lambda blocks: article(blocks) if "Page 0" in blocks else (500, b"")
    with pytest.raises(RunError, match="give the command again to go on"):
        ask(out, file, server.model(parallel=1))
    assert len(Path(file).read_text().splitlines()) == 1
    server.answers = lambda _: (401, b"no key")
    with pytest.raises(InputError, match=r"refuses to be asked: 401 .*no key"):
        ask(out, file, server.model())
    server.close()
    done = CliRunner().invoke(main, ["ask", out, "--url", "file:///etc", "--model", "m", "-o", file])
    assert (done.exit_code, "no address of a server" in done.output) == (2, True)


def test_the_command_says_first_what_it_costs(server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, file = run(tmp_path), str(tmp_path / "answers.jsonl")
    arguments = ["ask", out, "--url", server.url, "--model", "m", "-o", file]
    said = CliRunner().invoke(main, [*arguments, "--estimate", "--price", "1000"]).output
    cost = estimate(out, file, server.model())
    assert (cost.pages, cost.answered, cost.sampled, server.asked) == (9, 0, 9, [])
    assert f"9 pages to ask about, 0 have answers; about {cost.all_tokens:,} tokens" in said
    assert f"{cost.all_tokens / 1000:,.2f} at this price" in said
    for option in ("--price", "--limit-hours"):
        done = CliRunner().invoke(main, [*arguments, "--estimate", option, "nan"])
        assert (done.exit_code, "'nan' is not a finite number" in done.output) == (2, True)
    text = sum(
        len(each["messages"][0]["content"] + each["messages"][1]["content"]) for each in asked(server, out, file)
    )
    assert 0.2 < cost.all_tokens / text < 0.5
    assert estimate(out, file, server.model()).answered == 9
    monkeypatch.setenv("MILL_KEY", "secret")
    Path(file).unlink()
    assert CliRunner().invoke(main, [*arguments, "--key-variable", "MILL_KEY"]).exit_code == 0
    assert server.asked[-1]["key"] == "Bearer secret"
    assert CliRunner().invoke(main, [*arguments, "--key-variable", "NO_KEY"]).exit_code == 2


def asked(server: StandIn, out: str, file: str) -> list[dict[str, Any]]:
    ask(out, file, server.model())
    return list(server.asked)


def test_a_server_that_is_away_is_said_at_once_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_PATIENCE", 600.0)
    out, file = run(tmp_path), str(tmp_path / "answers.jsonl")
    with socket.socket() as taken:  # bound and not listening: refused
        taken.bind(("127.0.0.1", 0))
        model = Model(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", "m")
        said: list[str] = []
        done = ask(out, file, model, deadline=time.time() + 3, warn=said.append)
        assert done.left
        assert not done.answered
        assert "does not answer: " in said[0]
        monkeypatch.setattr(asking, "_FIRST_PATIENCE", 1.0)
        with pytest.raises(RunError, match="did not answer for 1 s"):
            ask(out, file, model)


@pytest.mark.parametrize("status", [200, 500])
def test_a_server_that_drips_is_given_up(status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_SECONDS", 0.1)
    ended = threading.Event()

    def drip() -> Iterator[bytes]:
        while not ended.wait(0.01):
            yield b" "

    server = StandIn(lambda _: (status, drip()))
    try:
        with pytest.raises(RunError, match="no whole answer within 1 seconds"):
            ask(run(tmp_path), str(tmp_path / "answers.jsonl"), server.model(parallel=1))
    finally:
        ended.set()
        server.close()


def test_nothing_is_asked_when_the_time_is_over_nor_about_pages_that_are_too_long(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, file = run(tmp_path), str(tmp_path / "answers.jsonl")
    done = ask(out, file, server.model(), deadline=time.time() - 1)
    assert (done.left, done.answered, server.asked) == (True, 0, [])
    arguments = ["ask", out, "--url", server.url, "--model", "m", "-o", file, "--limit-hours", "1e-12"]
    assert CliRunner().invoke(main, arguments).exit_code == 4
    monkeypatch.setattr(asking, "_MAX_TOKENS", 200)
    done = ask(out, file, server.model())
    assert done.failed["too_long"] + done.answered == 9
    assert done.failed["too_long"] > 0
    plain = str(tmp_path / "plain")
    CliRunner().invoke(main, ["extract", str(tmp_path / "a.warc.gz"), "-o", plain])
    with pytest.raises(InputError, match="no column route"):
        ask(plain, file, server.model())
