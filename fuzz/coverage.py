# SPDX-License-Identifier: Apache-2.0
"""Which lines of the core the fuzzers' inputs reach, by file: `make -C fuzz coverage`.

python coverage.py BUILD TARGET…: runs every input of corpus/TARGET through a core that gcc compiled with --coverage
into BUILD, asks gcov for the lines of each .pyx and .pxd file, and prints a table. Files below 80 % are named again at
the end. Statements that only run when memory is exhausted or a caller makes a mistake count, too.
"""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

ENOUGH: Final = 0.8
BATCH: Final = 500  # inputs for one process
STATEMENT: Final = re.compile(
    r'\s*/\* "thresher/native/([\w/]+\.(?:pyx|pxd))":(\d+)$'
)  # before what Cython makes of it


def run_inputs(build: Path, target: str) -> int:
    """Runs all inputs of a target; how many there are."""
    inputs = sorted(str(path) for path in Path("corpus", target).iterdir())
    paths = [str(build), ".", os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
    for at in range(0, len(inputs), BATCH):
        done = subprocess.run(
            [sys.executable, "targets.py", target, *inputs[at : at + BATCH]], env=environment, check=False
        )
        if done.returncode:
            print(f"{target}: inputs {at} to {at + BATCH} ended with {done.returncode}", file=sys.stderr)
    return len(inputs)


def statements(source: Path) -> dict[int, tuple[str, int]]:
    """(file, line) of the statement of Cython that each line of a generated C file belongs to."""
    found: dict[int, tuple[str, int]] = {}
    current: tuple[str, int] | None = None
    for number, line in enumerate(source.read_text("utf-8").splitlines(), start=1):
        if mark := STATEMENT.match(line):
            current = mark[1], int(mark[2])
        elif current is not None:
            found[number] = current
    return found


def lines_reached(build: Path) -> dict[str, dict[int, int]]:
    """How often each statement ran, by file: as often as the first line of C that it became."""
    found: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for notes in sorted(build.glob("*.gcno")):
        of_line = statements(notes.with_suffix(".c"))
        told = subprocess.run(
            ["gcov", "--json-format", "--stdout", notes.name], capture_output=True, cwd=build, check=True
        )
        counts: dict[int, int] = defaultdict(int)
        for report in map(json.loads, told.stdout.splitlines()):
            for file in report["files"]:
                if file["file"].endswith(notes.with_suffix(".c").name):
                    for line in file["lines"]:
                        counts[line["line_number"]] += line["count"]
        seen = set()
        for number in sorted(counts):
            if number in of_line and of_line[number] not in seen:
                seen.add(of_line[number])
                name, line_number = of_line[number]
                found[name][line_number] = max(found[name].get(line_number, 0), counts[number])
    return found


def main() -> None:
    """Prints the table."""
    build, targets = Path(sys.argv[1]), sys.argv[2:]
    for data in build.glob("*.gcda"):
        data.unlink()
    for target in targets:
        print(f"{target}: {run_inputs(build, target):,} inputs", file=sys.stderr)
    print("| file | lines | reached |\n|---|---|---|")
    few, total, reached = [], 0, 0
    for name, lines in sorted(lines_reached(build).items()):
        ran = sum(count > 0 for count in lines.values())
        total, reached = total + len(lines), reached + ran
        print(f"| {name} | {len(lines):,} | {ran / len(lines):.0%} |")
        if ran < ENOUGH * len(lines):
            missed = [number for number, count in sorted(lines.items()) if not count]
            few.append(
                f"{name} ({ran / len(lines):.0%}): not reached, for example, lines {', '.join(map(str, missed[:12]))}"
            )
    print(f"| all | {total:,} | {reached / total:.0%} |")
    print(f"\nBelow {ENOUGH:.0%}:" if few else f"\nNo file is below {ENOUGH:.0%}.")
    print("\n".join(f"- {line}" for line in few))


if __name__ == "__main__":
    main()
