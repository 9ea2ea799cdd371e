# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md and docs/ run as they stand, and print what the page shows.

Each page has a folder with the files of the quick start and those that readers bring along. What a page writes with
`thresher extract` into a folder that is there already begins with an empty one, since the commands of a page are often
several ways to do one thing.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from shared_data import CHECKOUT
from small_archive import write_archives
from waiting import LIMIT

pytestmark = pytest.mark.slow

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
GENERATED = ("command-line.md", "configuration.md", "python-api.md", "tables.md")
NOT_HERE = {
    r"^(wget|pip|docker|make|spark-submit|python -m venv|env/bin|PYSPARK_|#SBATCH)|\$\(thresher spark-job": "another program",
    r"https://data\.|s3://|hadoop|JAVA_HOME|thresher merge /shared|--shard \$": "a store, Hadoop or a cluster",
    r"^thresher ask|spread|localhost:8000": "a server with a model; tests/crossings",
    r"^thresher serve|^curl|^(head|echo) .*(token|cake)|jq ": "a service; test_snippets.py and tests/unit/serving",
    r"thresher\.lab\.train|wcxb\.py|--webmainbench|dev\.parquet|--held-out|setup\.py|^\.venv|extension/build": "hours, or data",
    r"--language-model|cld2|openlid|peers|trafilatura:": "packages and models that only some readers have",
    r"warc\.paths|thresher estimate|collection/|saved-pages|-00007|--facts|anna": "an input of the reader's own",
}
"""Commands that cannot run here, and why."""


def guides() -> list[Path]:
    """The pages with commands."""
    paths = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]
    return [path for path in paths if path.name not in GENERATED and list(commands(path.read_text("utf-8")))]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a page with the output that the page shows, "" if none."""
    for language, code in FENCED.findall(text):
        lines = re.sub(r" \\\n\s*", " ", code).splitlines()
        if language == "sh":
            yield from ((line, "") for line in lines if line.strip())
        elif language == "" and code.startswith("$ "):
            begins = [number for number, line in enumerate(lines) if line.startswith("$ ")]
            for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
                yield lines[begin].removeprefix("$ "), "\n".join(lines[begin + 1 : end])


def is_run(command: str) -> bool:
    return not any(re.search(pattern, command) for pattern in NOT_HERE)


def run(command: str, folder: Path) -> str:
    """What the shell prints for a command. Fails if the command does."""
    env = {**os.environ, "PATH": f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=env, text=True, capture_output=True, check=False, timeout=LIMIT
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the quick start, and what readers of other guides have."""
    folder = tmp_path_factory.mktemp("files")
    for command, _ in commands((CHECKOUT / "docs" / "quick-start.md").read_text("utf-8")):
        run(command, folder)
    table = pq.read_table(folder / "pages.parquet")
    (folder / "labelled").mkdir()
    gold = ["For eleven years the wheel lay in the reeds."] * 8
    pq.write_table(pa.table({"html": table["html"][:8], "gold": gold}), folder / "labelled" / "mine.parquet")
    named = pa.table({"address": table["url"], "content": table["html"]})
    pq.write_table(named, folder / "table.parquet")
    with zipfile.ZipFile(folder / "crawl.wacz", "w") as packed:
        packed.write(folder / "crawl.warc.gz", "archive/crawl.warc.gz")
    for name in ("crawl", "later", "robotstxt"):
        (folder / name).mkdir()
        shutil.copy(folder / "crawl.warc.gz", folder / name / f"{name}.warc.gz")
    days = folder / "days"
    for day, path in zip(("monday", "tuesday"), write_archives(days, archives=2, pages=12), strict=True):
        path.rename(folder / f"{day}.warc.gz")
    days.rmdir()
    page = re.search(r'page = b"""(.*?)"""', (CHECKOUT / "README.md").read_text("utf-8"), re.DOTALL)
    assert page
    (folder / "page.html").write_text(page[1].replace("\n... ", "\n"))
    (folder / "my-model").write_text("#!/bin/sh\ncat\n")
    (folder / "my-model").chmod(0o755)
    return folder


@pytest.mark.parametrize("page", guides(), ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_the_commands_of_a_page_run(page: Path, files: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    folder = tmp_path / "folder"
    shutil.copytree(files, folder)
    for language, code in FENCED.findall(text):
        if language == "python" and (named := re.match(r"# (\w+\.py)\n", code)):
            (folder / named[1]).write_text(code, "utf-8")
    for command, shown in commands(text):
        if command.startswith("cat "):
            (folder / shlex.split(command)[1]).write_text(f"{shown}\n", "utf-8")
        if not is_run(command):
            continue
        begun = re.search(r"thresher (?:extract|render) .* -o ([\w-]+)", command)
        if begun and "--append" not in command:
            shutil.rmtree(folder / begun[1], ignore_errors=True)
        printed = run(command, folder)
        own = "labelled/" in command  # whose figures are the reader's own
        for line in () if own else shown.splitlines():
            assert line == "…" or unmeasured(line) in unmeasured(printed), f"{command}\n{line}\n{printed}"


def unmeasured(text: str) -> str:
    """A text without its measured time."""
    return re.sub(r"took \S+ s", "took", text)


def test_most_commands_run_and_no_exception_is_idle() -> None:
    lines = [command for path in guides() for command, _ in commands(path.read_text("utf-8"))]
    assert [each for each in NOT_HERE if not any(re.search(each, line) for line in lines)] == []
    assert sum(map(is_run, lines)) >= 60
