# SPDX-License-Identifier: Apache-2.0
"""`--extractor module:function`: a Python function as the extractor of a run."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import thresher
from thresher import python_extractors
from thresher.commands.main import main
from thresher.options import make_options

MODULE = """
import os

def main_text(html, url=None):
    assert isinstance(html, str)
    return f"{url}|{html.count('<p>')}"

def nothing(html):
    return None

def number(html):
    return 3

def fails_sometimes(html):
    if "second" in html:
        raise KeyError("second")
    return "text of a page"

def dies_sometimes(html):
    if "second" in html:
        os._exit(9)
    return "text of a page"

def two(html, more):
    return html

def inside(html, url=None):
    import thresher
    found = thresher.extract(html, url=url, extractor="all", format="markdown")
    assert found.title == "T" and "paragraph" in found.text
    other = thresher.extract("<title>U</title><p>Other words of another page.")
    return f"{found.text} {other.title} {found.language}"

async_value = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module and three pages: the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a module that changes within a second is read again
    (tmp_path / "chosen_texts.py").write_text(MODULE)
    (tmp_path / "broken_module.py").write_text("import no_such_module_at_all")
    (tmp_path / "pages").mkdir()
    for name in ("first", "second", "third"):
        (tmp_path / "pages" / f"{name}.html").write_text(f"<title>T</title><p>The {name} page.<p>One more paragraph.")
    yield tmp_path
    forget()


def forget() -> None:
    """What a process has loaded is gone with it."""
    python_extractors._known.clear()
    for name in ("chosen_texts", "broken_module"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in this process, which knows no function yet."""
    forget()
    assert Path.cwd() == folder
    done = CliRunner().invoke(main, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def run_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "thresher", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def rows(out: Path, table: str = "pages") -> list[dict]:
    return sorted(pq.read_table(out / table).to_pylist(), key=lambda row: str(row.get("url")))


def test_a_function_gives_the_text_of_one_page(folder: Path) -> None:
    done = run(
        folder, "text", "pages/first.html", "--extractor", "chosen_texts:main_text", "--url", "http://a.example/"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "http://a.example/|2\n", "")
    found = json.loads(
        run(folder, "text", "pages/first.html", "--extractor", "chosen_texts:main_text", "--json").stdout
    )
    assert found["text"] == "None|2"
    assert (found["extractor"], found["text_source"], found["title"]) == ("chosen_texts:main_text", "python", "T")
    assert found["confidence"] is None
    assert found["hidden_share"] is None
    empty = run(folder, "text", "pages/first.html", "--extractor", "chosen_texts:nothing")
    assert (empty.returncode, empty.stdout.strip(), empty.stderr) == (0, "", "status: empty\n")


def test_it_may_extract_pages_itself(folder: Path) -> None:
    done = run(folder, "text", "pages/first.html", "--extractor", "chosen_texts:inside", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["text"].startswith("The first page.\n\nOne more paragraph. U ")
    assert found["title"] == "T"
    assert run(folder, "extract", "pages", "-o", "out", "--extractor", "chosen_texts:inside").returncode == 0
    assert rows(folder / "out")[0]["text"] == found["text"]


def test_workers_run_it_and_further_extractors_have_columns_of_their_own(folder: Path) -> None:
    names = "chosen_texts:main_text,all"
    done = run_process(folder, "extract", "pages", "-o", "out", "--extractors", names, "--workers", "2")
    assert done.returncode == 0, done.stderr
    found = rows(folder / "out")
    assert [row["text"] for row in found] == [f"file:{name}.html|2" for name in ("first", "second", "third")]
    assert "The first page." in found[0]["text_all"]
    assert {row["extractor"] for row in found} == {"chosen_texts:main_text"}


def test_a_settings_file_may_name_it(folder: Path) -> None:
    (folder / "mine.toml").write_text('[extract]\nextractors = ["chosen_texts:main_text"]\n')
    assert run(folder, "extract", "pages", "-o", "out", "--conf", "mine.toml").returncode == 0
    assert rows(folder / "out")[0]["text"] == "file:first.html|2"


@pytest.mark.parametrize(
    ("name", "reason"), [("fails", "KeyError: 'second'"), ("dies", "two worker processes died or hung over this page")]
)
def test_a_page_on_which_it_fails_or_dies_is_a_dead_letter(folder: Path, name: str, reason: str) -> None:
    function = f"chosen_texts:{name}_sometimes"
    arguments = ("--extractor", function, "--workers", "1", "--max-error-ratio", "1")
    done = run_process(folder, "extract", "pages", "-o", "out", *arguments)
    assert done.returncode == 0, done.stderr
    found = rows(folder / "out")
    assert [row["text"] for row in found] == ["text of a page", None, "text of a page"]
    assert found[1]["status"] == "error"
    [letter] = rows(folder / "out", "dead_letter")
    assert reason in letter["message"]
    # The folder of a run is no reason to import what it names.
    again = run_process(folder, "retry", "out")
    assert again.returncode == 2
    assert f"--extractor {function}" in again.stderr
    if name == "fails":
        (folder / "chosen_texts.py").write_text(MODULE.replace("raise KeyError", "str"))
        assert run_process(folder, "retry", "out", "--extractor", function).returncode == 0
        assert [row["text"] for row in rows(folder / "out")] == ["text of a page"] * 3


def test_text_over_a_folder_names_the_page_that_failed(folder: Path) -> None:
    done = run(folder, "text", "pages", "-o", "texts", "--extractor", "chosen_texts:fails_sometimes")
    assert done.returncode == 3
    assert "pages/second.html: error (chosen_texts:fails_sometimes raised KeyError: 'second')" in done.stderr
    assert sorted(path.name for path in (folder / "texts").iterdir()) == ["first.html.txt", "third.html.txt"]
    one = run(folder, "text", "pages/second.html", "--extractor", "chosen_texts:fails_sometimes")
    assert (one.returncode, one.stderr) == (3, "Error: chosen_texts:fails_sometimes raised KeyError: 'second'\n")
    wrong = run(folder, "text", "pages/second.html", "--extractor", "chosen_texts:number")
    assert (wrong.returncode, "returned int; it must return str or None" in wrong.stderr) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--extractor", "chosen_texts:none_such"), "has no function 'none_such'; it has dies_sometimes, "),
        (("--extractor", "no_module_here:main_text"), "there is no module 'no_module_here'"),
        (("--extractor", "broken_module:main_text"), "importing broken_module failed with ModuleNotFoundError"),
        (("--extractor", "chosen_texts:"), "is named module:function"),
        (("--extractor", "chosen texts:main_text"), "is named module:function"),
        (("--extractor", "chosen_texts:async_value"), "of type int"),
        (("--extractor", "chosen_texts:two"), "missing a required argument: 'more'"),
        (("--extractors", "thresher,chosen_texts:main_text"), "must be the first"),
        (("--extractor", "chosen_texts:main_text", "--format", "markdown"), "use the format text"),
        (("--extractor", "chosen_texts:main_text", "--comments", "drop"), "decides this itself"),
        (("--extractor", "chosen_texts:main_text", "--mode", "recall"), "has no mode 'recall'"),
    ],
)
def test_what_cannot_be_is_an_error_before_any_work(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run(folder, "extract", "pages", "-o", "out", *arguments)
    assert (done.returncode, message in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr
    assert not (folder / "out").exists()


@pytest.mark.parametrize("option", [("--templates", "fused"), ("--blocks",), ("--also", "tables")])
def test_what_needs_blocks_is_refused(folder: Path, option: tuple[str, ...]) -> None:
    done = run(folder, "extract", "pages", "-o", "out", "--extractor", "chosen_texts:main_text", *option)
    assert (done.returncode, "chooses no blocks of a page" in done.stderr) == (2, True)
    assert not (folder / "out").exists()


def test_evaluate_measures_it(folder: Path) -> None:
    pq.write_table(pa.table({"html": ["<p>a b c"], "gold": ["text of a page"]}), folder / "labelled.parquet")
    arguments = ("--data", "labelled.parquet", "--cache", "cache", "--markdown", "--extractors")
    done = run(folder, "evaluate", *arguments, "chosen_texts:fails_sometimes")
    assert done.returncode == 0, done.stderr
    assert "| chosen_texts:fails_sometimes | 1.000 | 1.000 | 1.000 (1.000-1.000) |" in done.stdout
    missing = run(folder, "evaluate", *arguments, "chosen_texts:none")
    assert (missing.returncode, "has no function 'none'" in missing.stderr) == (2, True)


def test_a_name_that_nobody_loaded_is_never_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request to the service and the settings of somebody's run come to make_options() like this."""
    monkeypatch.setattr(python_extractors, "load_python_extractor", lambda name: pytest.fail(f"{name} was imported"))
    with pytest.raises(ValueError, match="'os:system' is not loaded"):
        make_options(extractor="os:system")
    with pytest.raises(ValueError, match="'os:system' is not loaded"):
        thresher.extract(b"<p>x", extractor="os:system")


def test_files_of_the_working_directory_take_no_modules_place(folder: Path) -> None:
    (folder / "colorsys.py").write_text("raise SystemExit('imported')")
    done = run_process(folder, "text", "pages/first.html", "--extractor", "colorsys:rgb_to_hsv")
    assert (done.returncode, "missing a required argument" in done.stderr) == (2, True)
