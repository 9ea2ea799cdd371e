# SPDX-License-Identifier: Apache-2.0
"""The Python of docs/ runs as it stands: each snippet as a file, in a folder with the files of the quick start, with an
installed wheel and with no more packages than the page says to install.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from shared_data import CHECKOUT
from wheels import build_wheel, run

pytestmark = pytest.mark.slow

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def python_of(text: str) -> list[str]:
    """The Python of a page."""
    return [code for language, code in FENCED.findall(text) if language == "python"]


# python-api.md is made of docstrings; README.md is a doctest of test_readme.py. Daft wants an older pyarrow than the
# other packages; test_integrations.py runs what daft.md shows.
PAGES = [
    path
    for path in sorted((CHECKOUT / "docs").rglob("*.md"))
    if python_of(path.read_text("utf-8")) and path.name not in ("python-api.md", "daft.md")
]
# Each start of Ray or Spark costs half a minute or more: by day test_integrations.py and test_spark.py do what these show,
# in one start for all of it.
BY_NIGHT = ("ray.md", "spark.md")
SOURCES = [path for room in ("src/thresher", "jobs") for path in (CHECKOUT / room).rglob("*.py")]
SETUP = "## Files for the other guides"


def said_to_install(text: str) -> list[Requirement]:
    """The packages that a page tells to install with pip, those of the repository and of wheels aside."""
    found = []
    for line in re.findall(r"pip install ((?:'[^']*'|[\w.\[\],<>=-]+|[ ])+)", text.replace("\n", " ")):
        for word in shlex.split(line):
            if re.match(r"[A-Za-z][\w-]*(\[|[<>=]|$)", word):
                found.append(Requirement(word))
            elif word != "." and not word.startswith(("-", "dist/")):
                break
    return found


def needed(wanted: list[Requirement], own: Distribution) -> dict[str, Distribution]:
    """The installed distributions that packages need, with all that these need. What is not installed is left out."""
    found: dict[str, Distribution] = {}
    waiting = [(each.name, frozenset(each.extras)) for each in wanted]
    seen = set()
    while waiting:
        name, extras = waiting.pop()
        name = canonicalize_name(name)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            there = own if name == "thresher" else distribution(name)
        except PackageNotFoundError:
            continue
        if name != "thresher":
            found[name] = there
        for line in there.requires or ():
            each = Requirement(line)
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                waiting.append((each.name, frozenset(each.extras)))
    return found


def lend(distributions_: dict[str, Distribution], folder: Path) -> None:
    """Links to the files of distributions in a folder, as if they were installed there."""
    folder.mkdir()
    for each in distributions_.values():
        for top in {file.parts[0] for file in each.files or () if file.parts[0] not in ("..", "__pycache__")}:
            source = Path(str(each.locate_file(top)))
            if source.is_dir() and (folder / top).is_dir():  # a namespace that several share
                for part in source.iterdir():
                    if not (folder / top / part.name).exists():
                        (folder / top / part.name).symlink_to(part)
            elif source.is_dir():
                (folder / top).mkdir()
                for part in source.iterdir():
                    (folder / top / part.name).symlink_to(part)
            elif source.exists():
                (folder / top).symlink_to(source)


class Reader:
    """An environment with the wheel, as a reader has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        wheel = build_wheel(folder / "built")
        run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
        self.python = folder / "venv" / "bin" / "python"
        install = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
        run(sys.executable, "-m", "pip", "--python", self.python, *install, wheel, cwd=folder)
        (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
        (self.own,) = (each for each in distributions(path=[str(site)]) if each.name == "thresher")

    def environment(self, name: str, wanted: list[Requirement]) -> dict[str, str]:
        """The environment variables with which only these packages are there, and what Thresher itself needs."""
        lent = self.folder / f"lent-{name}-{len(list(self.folder.iterdir()))}"
        lend(needed([Requirement("thresher"), *wanted], self.own), lent)
        kept = {key: os.environ[key] for key in ("JAVA_HOME", "LANG") if key in os.environ}
        path = f"{self.python.parent}:{os.environ['PATH']}"
        # Java that lives for seconds spends most of them on compiling what it will not run again.
        kept["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        return {**kept, "PATH": path, "PYTHONPATH": str(lent), "HOME": str(self.folder), "MPLBACKEND": "agg"}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="module")
def files(reader: Reader, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the quick start makes, by its own commands, and labelled pages, which a reader brings along."""
    folder = tmp_path_factory.mktemp("files")
    env = reader.environment("quick-start", [])
    text = (CHECKOUT / "docs" / "quick-start.md").read_text("utf-8")
    commands = "".join(code for language, code in FENCED.findall(text) if language in ("", "sh"))
    for line in commands.splitlines():
        if line.startswith(("thresher", "$ thresher", "cp ")):
            run("sh", "-c", line.removeprefix("$ "), cwd=folder, env=env)
    assert SETUP in text
    assert (folder / "pages.parquet").exists()
    rows = pq.read_table(folder / "pages.parquet").slice(0, 8)
    table = pa.table({"html": rows["html"], "gold": ["For eleven years the wheel lay in the reeds."] * len(rows)})
    (folder / "labelled").mkdir()
    pq.write_table(table, folder / "labelled" / "mine.parquet")
    return folder


@pytest.fixture
def service(request: pytest.FixtureRequest, reader: Reader, tmp_path: Path) -> Iterator[None]:
    """`thresher serve`, for pages whose snippets ask it."""
    if "http://127.0.0.1:8737" not in "".join(python_of(request.getfixturevalue("page").read_text("utf-8"))):
        yield
        return
    env = reader.environment("service", [Requirement("thresher[serve]")])
    with subprocess.Popen([reader.python.parent / "thresher", "serve"], cwd=tmp_path, env=env) as process:
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until and not answers("http://127.0.0.1:8737/health"):
                time.sleep(0.1)
            yield
        finally:
            process.terminate()


def answers(url: str) -> bool:
    """Whether a server answers."""
    try:
        urllib.request.urlopen(url).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.nightly) if page.name in BY_NIGHT else page for page in PAGES],
    ids=lambda page: page.relative_to(CHECKOUT / "docs").as_posix(),
)
@pytest.mark.usefixtures("service")
def test_the_python_of_a_page_runs(page: Path, reader: Reader, files: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    folder = tmp_path / "folder"
    shutil.copytree(files, folder)
    env = reader.environment(page.stem, said_to_install(text))
    for number, code in enumerate(python_of(text), 1):
        named = re.match(r"# (\w+\.py)\b", code)
        file = folder / (named[1] if named else f"snippet_{number}.py")
        file.write_text(code, "utf-8")
        run(reader.python, file.name, cwd=folder, env=env)


def test_a_package_that_no_page_names_is_not_there(reader: Reader, tmp_path: Path) -> None:
    """Guards the test itself: pytest is installed here, and a page that used it without a word would pass."""
    env = reader.environment("nothing", [])
    run(reader.python, "-c", "import thresher, pyarrow", cwd=tmp_path, env=env)
    for name in ("pytest", "duckdb", "matplotlib", "pandas"):
        done = subprocess.run([reader.python, "-c", f"import {name}"], env=env, capture_output=True, check=False)
        assert b"ModuleNotFoundError" in done.stderr, name


def test_what_a_page_says_to_install_is_found() -> None:
    text = "`pip install duckdb` and\n```sh\npip install 'thresher[index]'    # DuckDB\npip install .\n```\n"
    assert [str(each) for each in said_to_install(text)] == ["duckdb", "thresher[index]"]
    assert [str(each) for each in said_to_install("(`pip install deltalake 'pyiceberg[a,b]'`)")] == [
        "deltalake",
        "pyiceberg[a,b]",
    ]


def test_the_commands_that_messages_name_work(reader: Reader, tmp_path: Path) -> None:
    """pip takes the Thresher that is installed: no index is asked, and none has it."""
    named = set(re.findall(r"install_command\(.(\w+).\)", "".join(path.read_text("utf-8") for path in SOURCES)))
    assert {"index", "languages", "peers", "serve", "templates"} <= named
    assert named <= set(reader.own.metadata.get_all("Provides-Extra"))
    env = reader.environment("extras", [Requirement("thresher[index]"), Requirement("pip")])
    script = "from thresher.errors import install_command; print(install_command('index'))"
    command = run(reader.python, "-c", script, cwd=tmp_path, env=env).strip()
    assert command.endswith("pip install 'thresher[index]'")
    said = run("sh", "-c", f"{command} --no-index", cwd=tmp_path, env=env)
    assert "Requirement already satisfied: thresher[index]" in said
    assert "does not provide" not in said
