# SPDX-License-Identifier: Apache-2.0
"""What pages, URLs and file names hold never reaches a terminal as a command."""

import json
import logging
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from small_archive import page, write_archive

from thresher.after.report import to_text
from thresher.commands.main import main
from thresher.commands.refusals import Refusal
from thresher.running.outcome import HostReport, Report, StageReport
from thresher.schemas.metrics import TOTAL
from thresher.terminal import display_width, for_terminal, make_logs_safe, one_line, safe_json

OSC_52 = "\x1b]52;c;cm0gLXJmIC8=\x07"
HOSTILE = f"{OSC_52}\x1b[2J\x9b2J\u202egpj.exe\u2066\x7f\r"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@given(st.text())
def test_no_text_holds_a_command(text: str) -> None:
    assert not OBEYED.search(for_terminal(text))
    assert len(one_line(text, 50)) <= 50
    assert not OBEYED.search(one_line(text, 50))
    assert "\n" not in one_line(text, 50)
    shown = safe_json({"text": text})
    assert not OBEYED.search(shown)
    assert json.loads(shown) == {"text": text}


def test_ordinary_text_is_left_as_it_is() -> None:
    text = "Grüße, Ελλάδα, 中文, עברית\tمی\u200cخواهم \U0001f469\u200d\U0001f33e\nnext line"
    assert for_terminal(text) == text
    assert one_line("www.grüße.example") == "www.grüße.example"


def test_commands_become_visible() -> None:
    assert for_terminal("a\x1b[2J\x9b\u202eb\n") == "a\\x1b[2J\\x9b\\u202eb\n"
    assert one_line("a\nb\u200b") == "a\\x0ab\\u200b"
    assert one_line("x" * 70_000, 20) == "x" * 14 + "…" + "x" * 5
    assert [display_width(text) for text in ("abc", "中文", "e\u0301")] == [3, 4, 1]


def test_a_report_holds_no_commands_and_no_endless_names() -> None:
    report = Report(f"out{HOSTILE}", {}, pages=1)
    report.stages = {TOTAL: StageReport()}
    report.hosts = {HOSTILE: HostReport(1), "h" * 70_000: HostReport(1), "中文.example": HostReport(1)}
    report.errors[f"read: {HOSTILE}"] = 1
    report.examples = [
        {"warc_filename": HOSTILE, "warc_record_offset": 1, "url": HOSTILE + "u" * 70_000, "message": HOSTILE * 1000}
    ]
    shown = to_text(report)
    assert not OBEYED.search(shown)
    assert max(map(len, shown.splitlines())) < 1000
    assert "\\x1b]52;c;" in shown
    columns = {display_width(line[: line.index("  1  ")]) for line in shown.splitlines() if "example  " in line}
    assert len(columns) == 1


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of a run over pages that hold commands, in a file whose name does."""
    folder = tmp_path_factory.mktemp("hostile")
    menu = b"<ul><li>Menu %b menu menu menu</ul>" % HOSTILE.encode()
    pages = {f"http://a.example/{n}": page(n).replace(b"<body>", b"<body>" + menu) for n in range(4)}
    archive = write_archive(folder / f"{OSC_52.replace('/', '')}\u202e.warc.gz", pages)
    with archive.open("ab") as file:
        file.write(b"damaged")
    done = CliRunner().invoke(
        main, ["extract", str(archive), "-o", str(folder / "out"), "--workers", "1", "--templates", "fused"]
    )
    assert done.exit_code in (0, 3), done.output
    return str(folder / "out")


def test_commands_show_what_a_run_found_as_text(run: str) -> None:
    shown = []
    for arguments in (
        ["inspect", run],
        ["inspect", run, "--json"],
        ["templates", "show", run],
        ["templates", "show", run, "a.example"],
        ["templates", "show", run, "a.example", "--json"],
    ):
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.output
        assert not OBEYED.search(done.output), arguments
        shown.append(done.output)
    assert "52;c;cm0gLXJmIC8=" in shown[3]  # the text is there


def run_text(source: Path, *, terminal: bool) -> bytes:
    """What `thresher text` writes to a terminal or a pipe."""
    command = [sys.executable, "-m", "thresher.commands.main", "text", "--extractor", "all", str(source)]
    if not terminal:
        return subprocess.run(command, check=True, capture_output=True).stdout
    ours, theirs = pty.openpty()
    subprocess.run(command, check=True, stdout=theirs)
    os.close(theirs)
    out = b""
    try:
        while piece := os.read(ours, 4096):
            out += piece
    except OSError:  # Linux: the other end is closed
        pass
    os.close(ours)
    return out


def test_text_is_raw_in_a_pipe_and_safe_on_a_terminal(tmp_path: Path) -> None:
    source = tmp_path / "page.html"
    source.write_text(f"<meta charset=utf-8><p>Grain {HOSTILE} and chaff", encoding="utf-8")
    assert OSC_52.encode() in run_text(source, terminal=False)
    shown = run_text(source, terminal=True).decode().replace("\r\n", "\n")
    assert not OBEYED.search(shown)
    assert "Grain \\x1b]52;c;" in shown


def test_messages_and_logs_are_safe() -> None:
    assert not OBEYED.search(Refusal(f"cannot read {HOSTILE}").format_message())
    root = logging.getLogger()
    before = root.handlers[:]
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    root.handlers = [handler]
    try:
        make_logs_safe()
        shown = handler.format(logging.LogRecord("x", logging.INFO, "x", 1, "%s", (HOSTILE,), None))
    finally:
        root.handlers = before
    assert shown.startswith("INFO \\x1b]52")
    assert not OBEYED.search(shown)
