# SPDX-License-Identifier: Apache-2.0
"""What the commands of training share: their options, the labelled sets, and word of how far they have come."""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from thresher.lab.evaluate.folds import FOLDS
from thresher.lab.evaluate.pages import EvaluationError, list_datasets

T = TypeVar("T")

_PARTIAL: Final = ("recipes.parquet",)  # the values of gov_snippets are too few and too short to be learned from


def options(module: str, description: str) -> argparse.ArgumentParser:
    """A parser with the options that all of them have."""
    default = os.environ.get("THRESHER_DATA")
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument(
        "--data",
        type=Path,
        default=default,
        required=default is None,
        help="folder of labelled sets, Parquet, or one of them (default: $THRESHER_DATA)",
    )
    parser.add_argument("--out", type=Path, help="model file to write")
    parser.add_argument("--report", type=Path, help="Markdown file for the figures of cross-validation")
    parser.add_argument(
        "--held-out", type=Path, metavar="DIR", help=f"folder for {FOLDS} models, each fitted without a fold of sites"
    )
    parser.add_argument(
        "--jobs", type=int, default=1, help="models that are fitted at a time; the same result (default: %(default)s)"
    )
    return parser


def parse(parser: argparse.ArgumentParser, argv: list[str] | None) -> argparse.Namespace:
    """The arguments; an error where nothing would be written, or the data are no labelled sets."""
    arguments = parser.parse_args(argv)
    try:
        labelled_sets(arguments.data)
    except EvaluationError as error:
        parser.error(f"--data: {error}")
    if not arguments.out and not arguments.held_out and not arguments.report:
        parser.error("nothing to write: give --out FILE, --report FILE or --held-out DIR")
    return arguments


def labelled_sets(data: Path) -> list[Path]:
    """The files of a folder of labelled sets, and those in its folder `partial`. Of a single file: this one, and the
    one of the same name in the folder `partial` beside it. Of a folder that has a folder `labelled`: the sets in it and
    in `labelled_new`, and the partial sets that are trained on.
    """
    if data.is_file():
        beside = data.parent / "partial" / data.name
        return [*list_datasets(data), *([beside] if beside.is_file() else [])]
    if not (data / "labelled").is_dir():
        return [*list_datasets(data), *sorted((data / "partial").glob("*.parquet"))]
    folders = [data / name for name in ("labelled", "labelled_new") if (data / name).is_dir()]
    found = [file for folder in folders for file in list_datasets(folder)]
    return found + [data / "partial" / name for name in _PARTIAL if (data / "partial" / name).is_file()]


def each(jobs: int, count: int, task: Callable[[int], T]) -> list[T]:
    """What a task returns for each number below `count`, so many at a time, each in a process that has what this one
    has.
    """
    if jobs <= 1:
        return [task(number) for number in range(count)]
    _tasks.append(task)
    try:
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            return pool.map(_run, range(count), chunksize=1)
    finally:
        _tasks.pop()


_tasks: list[Callable[[int], Any]] = []  # what the processes of each() inherit, as functions cannot be sent to them


def _run(number: int) -> Any:  # noqa: ANN401 # what the task returns
    return _tasks[-1](number)


def narrator() -> Callable[[str], None]:
    """A function that writes a message with the seconds since now to standard error."""
    started = time.monotonic()

    def say(message: str) -> None:
        sys.stderr.write(f"{time.monotonic() - started:5.0f} s  {message}\n")

    return say


def write(path: Path, text: str, say: Callable[[str], None]) -> None:
    """Writes a file, its folder too where there is none, and says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    say(f"{path} written")
