# SPDX-License-Identifier: Apache-2.0
"""Commands on the folder of a run that somebody damaged: a message and an exit status, never a traceback or a wait."""

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from small_archive import page, write_archive
from waiting import LIMIT

from thresher.commands.main import main

TEMPLATES = ("--templates", "fused", "--keep-first-pass", "--max-error-ratio", "1")
COMMANDS = {
    "inspect": ("inspect", "{out}"),
    "digest": ("inspect", "{out}", "--digest"),
    "as JSON": ("inspect", "{out}", "--json"),
    "prometheus": ("inspect", "{out}", "--prometheus"),
    "head": ("head", "{out}"),
    "head of metrics": ("head", "{out}", "--table", "metrics"),
    "config": ("config", "{out}"),
    "compact": ("compact", "{out}"),
    "retry": ("retry", "{out}"),
    "merge": ("merge", "{out}"),
    "show": ("templates", "show", "{out}"),
    "extract again": ("extract", "{archive}", "-o", "{out}", "--workers", "1", *TEMPLATES),
    "append": ("extract", "{archive}", "-o", "{out}", "--workers", "1", "--append"),
    "apply": (
        "extract", "{archive}", "-o", "{new}", "--workers", "1", "--max-error-ratio", "1", "--templates", "apply",
        "--templates-from", "{out}",
    ),
}  # fmt: skip
SHAPES = (
    *("[]", "3", "null", "{}", '"x"', '{"inputs": 3}', '{"rows": 3}', '{"partitions": {}}'),
    *('{"configuration": {"a": 3}}', "[" * 100_000),
)


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
FILES = (
    "_run.json",
    "_inputs.json",
    "_ledger/00000.done.json",
    "pages/0*",
    "metrics/0*",
    "dead_letter/0*",
    "templates/*",
)


BROKEN = ("empty", "half", "other bytes")
"""Damages after which no table can be read."""
READS = {
    "inspect": ("pages", "metrics", "dead_letter"),
    "digest": ("pages",),
    "as JSON": ("pages", "metrics", "dead_letter"),
    "prometheus": ("metrics", "dead_letter"),
    "head": ("pages",),
    "head of metrics": ("metrics",),
    "compact": ("pages", "metrics", "dead_letter", "templates"),
    "show": ("pages", "templates"),
    "extract again": ("metrics", "dead_letter"),
    "apply": ("templates",),
}
"""The tables that a command reads."""
FINISHED = ("pages", "metrics", "dead_letter")
"""Tables of which the ledger knows how many rows there are."""
IN_MID_RUN = ("extract again", "apply")
"""Commands that find a broken table while they work: exit status 4, not 2."""
REFUSED = ("append", "merge")
"""Commands that this run, with templates and without shards, refuses anyway."""


def expected(command: str, name: str, damage: str) -> set[int]:
    """The exit statuses that a command may have."""
    table = name.partition("/")[0]
    if command in REFUSED:
        return {2}
    if name == "_run.json" and command in ("retry", "extract again"):
        return {2}
    if name == "_run.json" and command != "apply":
        return {0} if damage in ("{}", '{"inputs": 3}', '{"partitions": {}}') else {2}
    if damage in BROKEN and table in READS.get(command, ()):
        return {4} if command in IN_MID_RUN else {2}
    if command == "extract again" and damage == "missing" and table in FINISHED:
        return {4}
    if command == "retry":  # writes anew what it can
        return {0, 2, 4}
    if command == "compact" or (command == "extract again" and name.endswith(".done.json")):
        return {0, 2}
    return {0}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "mill.warc.gz"
    write_archive(path, {f"https://mill.example/{i}": page(i) for i in range(4)})
    path.write_bytes(path.read_bytes()[:-40])  # a dead letter
    return path


@pytest.fixture(scope="module")
def runs(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    options: dict[str, tuple[str, ...]] = {"parquet": TEMPLATES, "jsonl": ("--to", "jsonl"), "wet": ("--to", "wet")}
    made = {}
    for kind, more in options.items():
        made[kind] = tmp_path_factory.mktemp("runs") / kind
        run("extract", str(archive), "-o", str(made[kind]), "--workers", "1", "--max-error-ratio", "1", *more)
    return made


def run(*arguments: str) -> Result:
    """What a command says. Raises what no command may raise."""
    with at_most(LIMIT):
        done = CliRunner().invoke(main, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Ends the test if its body waits."""

    def late(*_: object) -> None:
        raise TimeoutError("the command waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(int(seconds))
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def damaged() -> Iterator[Any]:
    """Files and damages: of all pairs a sample in which each file and each damage occurs, by night all of them."""
    shapes = {text[:20] for text in SHAPES}  # of JSON, which Parquet has not
    for place, name in enumerate(FILES):
        fitting = [damage for damage in DAMAGES if name.endswith(".json") or damage not in shapes]
        for number, damage in enumerate(fitting):
            night = (number + place) % (4 if len(fitting) > len(shapes) else 3)
            yield pytest.param(name, damage, marks=[pytest.mark.nightly] if night else [])


@pytest.mark.parametrize(("name", "damage"), list(damaged()))
def test_a_damaged_file_costs_a_message(
    name: str, damage: str, runs: dict[str, Path], archive: Path, tmp_path: Path
) -> None:
    for command, words in COMMANDS.items():
        out = tmp_path / command
        shutil.copytree(runs["parquet"], out)
        DAMAGES[damage](next(out.glob(name)))
        done = run(*(word.format(out=out, archive=archive, new=f"{out}-new") for word in words))
        assert done.exit_code in expected(command, name, damage), (command, done.output)
        shutil.rmtree(out)


@pytest.mark.parametrize("name", ["_run.json", "pages/0*", "metrics/0*", "dead_letter/0*"])
def test_an_unreadable_file_costs_a_message(name: str, runs: dict[str, Path]) -> None:
    """Root may read everything, so the commands run as nobody, once their modules are loaded."""
    for command in ("inspect", "digest", "as JSON", "prometheus", "head", "head of metrics", "config", "show"):
        words = [word.format(out=runs["parquet"]) for word in COMMANDS[command]]
        assert run(*words).exit_code == 0
        place = Path(tempfile.mkdtemp(dir="/tmp"))
        try:
            out = place / "out"
            shutil.copytree(runs["parquet"], out)
            for path in [place, out, *out.rglob("*")]:
                path.chmod(0o777 if path.is_dir() else 0o666)
            next(out.glob(name)).chmod(0)
            with as_nobody():
                done = run(*(word.format(out=out) for word in COMMANDS[command]))
            is_read = name == "_run.json" or name.partition("/")[0] in READS.get(command, ())
            assert done.exit_code == (2 if is_read else 0), (command, done.output)
        finally:
            shutil.rmtree(place)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Gives up the rights of root for a while, if this process has them."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.mark.parametrize(("kind", "said"), [("jsonl", "JSON Lines"), ("wet", "WET")])
@pytest.mark.parametrize("command", ["digest", "show"])
def test_rows_that_are_not_parquet_are_named(kind: str, said: str, command: str, runs: dict[str, Path]) -> None:
    done = run(*(word.format(out=runs[kind]) for word in COMMANDS[command]))
    assert done.exit_code == 2
    assert said in done.output


def test_a_strange_file_in_the_ledger_is_passed_over(archive: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    first = run("extract", str(archive), "-o", out, "--workers", "1").exit_code
    (tmp_path / "out" / "_ledger" / "copy of 00000.done.json").write_text("{}")
    assert run("extract", str(archive), "-o", out, "--workers", "1").exit_code == first
