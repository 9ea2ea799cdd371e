# SPDX-License-Identifier: Apache-2.0
"""Commands on the folder of a run that somebody damaged: a message and an exit status, never a traceback or a wait."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from small_archive import page, write_archive

from thresher.commands.main import main

COMMANDS = {
    "inspect": ("inspect", "{out}"),
    "digest": ("inspect", "{out}", "--digest"),
    "as JSON": ("inspect", "{out}", "--json"),
    "prometheus": ("inspect", "{out}", "--prometheus"),
    "compact": ("compact", "{out}"),
    "retry": ("retry", "{out}"),
    "merge": ("merge", "{out}"),
    "show": ("templates", "show", "{out}"),
    "extract again": ("extract", "{archive}", "-o", "{out}", "--workers", "1"),
    "append": ("extract", "{archive}", "-o", "{out}", "--workers", "1", "--append"),
    "apply": (
        "extract",
        "{archive}",
        "-o",
        "{new}",
        "--workers",
        "1",
        "--templates",
        "apply",
        "--templates-from",
        "{out}",
    ),
}
SHAPES = ("[]", "3", "null", "{}", '"x"', '{"inputs": 3}', '{"rows": 3}', '{"partitions": {}}', "[" * 100_000)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def shape(text: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(text) and None


DAMAGES: dict[str, Callable[[Path], None]] = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b"") and None,
    "half": half,
    "other bytes": lambda path: path.write_bytes(bytes(range(256)) * 4) and None,
    "a folder": folder,
    "a pipe": pipe,
    **{f"{text[:20]}": shape(text) for text in SHAPES},
}
FILES = ("_run.json", "_inputs.json", "_ledger/00000.done.json", "metrics/*.parquet", "dead_letter/*", "templates/*")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "mill.warc.gz"
    write_archive(path, {f"https://mill.example/{i}": page(i) for i in range(4)})
    path.write_bytes(path.read_bytes()[:-40])  # a dead letter
    return path


@pytest.fixture(scope="module")
def runs(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    options = {"parquet": ("--templates", "fused"), "jsonl": ("--to", "jsonl"), "wet": ("--to", "wet")}
    made = {}
    for kind, more in options.items():
        made[kind] = tmp_path_factory.mktemp("runs") / kind
        run("extract", str(archive), "-o", str(made[kind]), "--workers", "1", "--max-error-ratio", "1", *more)
    return made


def run(*arguments: str) -> Result:
    """What a command says. Raises what no command may raise."""
    with at_most(30):
        done = CliRunner().invoke(main, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Ends the test if its body waits."""

    def late(*_: object) -> None:
        raise TimeoutError("the command waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_costs_a_message(
    name: str, damage: str, runs: dict[str, Path], archive: Path, tmp_path: Path
) -> None:
    if not name.endswith(".json") and damage in {text[:20] for text in SHAPES}:
        return  # Parquet has no shapes of JSON
    for command, words in COMMANDS.items():
        out = tmp_path / command
        shutil.copytree(runs["parquet"], out)
        DAMAGES[damage](next(out.glob(name)))
        done = run(*(word.format(out=out, archive=archive, new=f"{out}-new") for word in words))
        assert done.exit_code in {0, 2, 3, 4}, (command, done.output)
        shutil.rmtree(out)


@pytest.mark.parametrize(("kind", "said"), [("jsonl", "JSON Lines"), ("wet", "WET")])
@pytest.mark.parametrize("command", ["digest", "show"])
def test_rows_that_are_not_parquet_are_named(kind: str, said: str, command: str, runs: dict[str, Path]) -> None:
    done = run(*(word.format(out=runs[kind]) for word in COMMANDS[command]))
    assert done.exit_code == 2
    assert said in done.output
