# SPDX-License-Identifier: Apache-2.0
"""Small promises about the files themselves."""

import re
import subprocess
from pathlib import Path

from shared_data import CHECKOUT

FOLDERS = ("benchmarks", "conf", "fuzz", "jobs", "native", "schemas", "src", "tests", ".ci")
CODE = {".py", ".pyi", ".pyx", ".pxd", ".h", ".c", ".sh", ".toml"}


def source_files() -> list[Path]:
    """Every file of code and configuration that git tracks, or all files if the checkout is not in git."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        paths = [CHECKOUT / name for name in listing.stdout.decode().split("\0") if name]
    else:
        paths = [path for folder in FOLDERS for path in (CHECKOUT / folder).rglob("*")] + [CHECKOUT / "setup.py"]
    return sorted(path for path in paths if path.is_file() and (path.suffix in CODE or path.parent.name == ".ci"))


def test_every_source_file_says_its_licence_on_top():
    paths = [path for path in source_files() if path.name != "pyproject.toml"]
    assert len(paths) > 10
    without = [
        str(path.relative_to(CHECKOUT))
        for path in paths
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in path.read_text("utf-8").split("\n", 2)[:2])
    ]
    assert not without


def test_the_version_is_written_once():
    written = re.search(r'__version__ = "([^"]+)"', (CHECKOUT / "src/thresher/_version.py").read_text())
    assert written
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+|rc\d+)?", written[1])
    pattern = re.compile(rf'^\s*_*version_*\s*[=:]\s*["\']{re.escape(written[1])}', re.MULTILINE | re.IGNORECASE)
    holders = [
        path.name for path in [*source_files(), CHECKOUT / "pyproject.toml"] if pattern.search(path.read_text("utf-8"))
    ]
    assert holders == ["_version.py"]


def test_the_installed_version_is_that_one():
    from importlib.metadata import version

    import thresher

    assert thresher.__version__ == version("thresher")


def test_the_changelog_knows_the_version():
    import thresher

    assert f"## {thresher.__version__}" in (CHECKOUT / "CHANGELOG.md").read_text()


def core_files() -> list[Path]:
    return [path for path in source_files() if (CHECKOUT / "native") in path.parents and path.suffix in CODE]


# What reads only its arguments, which nobody else holds.
OF_BYTES = {
    "base/characters",
    "base/check",
    "base/sequences",
    "parsing/utf8",
    "templates/evidence",
    "templates/fingerprints",
}
# What reserves the document before it gives the GIL away; main_text and packed are called by the workspace, which has
# done so.
GUARDED = {
    "facts/shown_lines",
    "main_text",
    "parsing/document",
    "templates/hyperlinks",
    "templates/packed",
    "workspace",
}


def test_the_gil_is_given_away_only_where_the_page_is_reserved():
    """native/README.md, Threads: all else keeps it, so no other thread can change what it reads."""
    giving = {
        str(path.relative_to(CHECKOUT / "native").with_suffix(""))
        for path in core_files()
        if "with nogil" in path.read_text("utf-8")
    }
    assert giving == OF_BYTES | GUARDED


def test_the_core_calls_no_function_that_depends_on_the_locale():
    """The process may have set one: strtod() would read 1.5 as 1 where numbers have a comma."""
    names = r"\b(strto(?:d|f|ld|l|ul)|ato[fil]|isalpha|isspace|isdigit|tolower|toupper|strcoll)\("
    found = [
        f"{path.relative_to(CHECKOUT)}: {match[1]}"
        for path in core_files()
        for match in re.finditer(rf"(?<!\.){names}", path.read_text("utf-8"))
    ]
    assert not found


def test_the_core_reads_and_writes_numbers_without_the_locale():
    """strtod() and its like obey LC_NUMERIC: with a German one, "0.5" is 0."""
    files = [path for path in (CHECKOUT / "native").rglob("*") if path.suffix in {".pyx", ".pxd", ".h"}]
    assert len(files) > 100
    pattern = re.compile(
        r'\b(?:(?:strto[df]|strtold|atof|s?scanf|localeconv)\s*\(|[sf]n?printf\(.*"[^"]*%[\d.]*l?[aefg])'
    )
    assert [(path.name, call[0]) for path in files for call in pattern.finditer(path.read_text("utf-8"))] == []
    assert all(pattern.search(call) for call in ("strtod(", "atof (", "sscanf(", 'snprintf(mark, 8, b"[%.3f]", x)'))
