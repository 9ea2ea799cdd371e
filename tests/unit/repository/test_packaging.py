# SPDX-License-Identifier: Apache-2.0
"""What a user gets: the sdist builds, the wheel built from it is whole and works in an environment of its own."""

import json
import os
import re
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from setuptools import find_packages
from shared_data import CHECKOUT
from wheels import SUFFIX, WITHOUT_CORE, lend_core, run

pytestmark = pytest.mark.slow

CYTHON = sorted(path.relative_to(CHECKOUT) for path in (CHECKOUT / "native").rglob("*.pyx"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", folder, cwd=CHECKOUT, env=WITHOUT_CORE)
    return next(folder.glob("*.tar.gz"))


@pytest.fixture(scope="module", params=["lent core", pytest.param("compiled", marks=pytest.mark.nightly)])
def wheel_and_log(request, sdist, tmp_path_factory):
    """The wheel, and what was said while it was built from the sdist alone. Compiling the core takes minutes: by day it
    is this checkout's.
    """
    folder = tmp_path_factory.mktemp("wheel")
    is_lent = request.param == "lent core"
    environment = WITHOUT_CORE if is_lent else None
    pip = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--verbose", "--no-deps",
        "--no-cache-dir",
    ]  # fmt: skip
    log = run(*pip, "--no-build-isolation", "--wheel-dir", folder, sdist, cwd=folder, env=environment)
    wheel = next(folder.glob("*.whl"))
    return (lend_core(wheel) if is_lent else wheel), log


def test_every_package_is_found():
    """setuptools finds packages by their __init__.py. A folder of modules without one would be missing from wheels."""
    source = CHECKOUT / "src" / "thresher"
    patterns = ("*.py", "*/*.py", "*/*/*.py", "native/*/*.pyx")
    folders = {path.parent for pattern in patterns for path in source.glob(pattern)}
    there = {".".join(("thresher", *each.relative_to(source).parts)) for each in folders if each.name != "__pycache__"}
    assert set(find_packages(str(CHECKOUT / "src"))) == there


def test_the_sdist_holds_sources_and_no_products(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    sources = [
        path.relative_to(CHECKOUT) for name in ("pyx", "pxd", "h") for path in (CHECKOUT / "native").rglob(f"*.{name}")
    ]
    for path in sources:
        assert f"src/thresher/{path}" in names
    assert {"setup.py", "pyproject.toml", "LICENSE", "README.md"} <= names
    assert not [name for name in names if name.endswith((".so", ".c", ".pyc")) or ".venv" in name]


@pytest.mark.nightly
@pytest.mark.parametrize("wheel_and_log", ["compiled"], indirect=True)
def test_the_build_log_is_silent(wheel_and_log):
    """Cython tells of calls that take the GIL or check for exceptions without need as hints; they are errors here."""
    _, log = wheel_and_log
    assert "Cythonizing" in log or "cythoniz" in log.lower()
    assert "performance hint" not in log
    assert re.findall(r"^.*warning: .*\.p(?:yx|xd):.*$", log, re.MULTILINE) == []
    assert re.findall(r"^.*native/\S+: warning: .*$", log, re.MULTILINE) == []


def test_the_wheel_is_whole(wheel_and_log):
    wheel, _ = wheel_and_log
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for path in CYTHON:
        assert f"thresher/{path.with_suffix('')}{SUFFIX}" in names
    for folder, patterns in {
        "native": ("native/**/*.pyi", "native/**/*.pxd"),
        "conf": ("conf/*.toml", "conf/*.conf", "conf/*.properties", "conf/rules/*.toml"),
        "schemas": ("schemas/*.py", "schemas/frozen/*.json"),
        "jobs": ("jobs/*.py",),
        ".": ("src/thresher/py.typed", "src/thresher/*.py", "src/thresher/*.toml", "src/thresher/*/*.py"),
        "data": ("src/thresher/*/*.html", "src/thresher/*/*.tsv", "src/thresher/models/*.json"),
    }.items():
        for pattern in patterns:
            for path in CHECKOUT.glob(pattern):
                in_source = folder in {".", "data"}
                inside = path.relative_to(CHECKOUT / "src" if in_source else CHECKOUT)
                assert (f"{inside}" if in_source else f"thresher/{inside}") in names, path
    assert not [name for name in names if name.endswith((".c", ".pyx"))]
    assert {name.partition("/")[0] for name in names if "dist-info" not in name} == {"thresher"}


def test_the_base_install_is_light():
    """DuckDB, 68 MB, serves templates on one machine alone; whoever needs it is told."""
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    base = {re.match(r"[a-z0-9-]+", each)[0] for each in settings["dependencies"]}
    assert base.isdisjoint({"duckdb", "numpy", "pandas", "pyspark", "matplotlib", "scikit-learn"})
    assert (
        settings["optional-dependencies"]["templates"] == settings["optional-dependencies"]["index"] == ["duckdb>=1.1"]
    )


PROBE = """
import importlib, json, pkgutil, sys
import thresher
left_out = ("thresher.jobs.", "thresher.integrations.", "thresher.__main__")  # need packages that one may not have
found = [module.name for module in pkgutil.walk_packages(thresher.__path__, "thresher.")
         if not module.name.startswith(left_out)]
for name in found:
    importlib.import_module(name)
page = "<nav><a href=/>menu</a></nav><p>" + "The wheel turned again on the last Sunday of October. " * 5
print(json.dumps({"file": thresher.__file__, "modules": found, "text": thresher.extract(page).text,
                  "spark": "pyspark" in sys.modules}))
"""


@dataclass
class Installed:
    """The wheel in an environment of its own, whose PATH holds nothing but itself: no compiler.

    Dependencies are lent by this environment through a path entry, so that nothing is downloaded; the package is not.
    """

    python: Path
    site: Path
    install: list[str | Path]
    environment: dict[str, str]


@pytest.fixture(scope="module")
def installed(wheel_and_log, tmp_path_factory):
    wheel, _ = wheel_and_log
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    environment = {"PATH": str(python.parent), "HOME": str(folder)}
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(run(python, "-c", where, cwd=folder, env=environment).strip())
    install = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--no-deps"]
    install += ["--no-index", "--find-links", wheel.parent]
    run(*install, "thresher", cwd=folder)
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Installed(python, site, install, environment)


def test_the_wheel_works_in_an_environment_of_its_own(installed, tmp_path):
    answer = json.loads(run(installed.python, "-c", PROBE, cwd=tmp_path, env=installed.environment).splitlines()[-1])
    assert Path(answer["file"]).is_relative_to(installed.site)
    assert {"thresher.native.parsing.document", "thresher.schemas", "thresher.demo"} <= set(answer["modules"])
    assert "last Sunday of October" in answer["text"]
    assert not answer["spark"]
    command = installed.python.with_name("thresher")
    assert "extract" in run(command, "--help", cwd=tmp_path, env=installed.environment)
    demo = [installed.python, "-m", "thresher.demo", tmp_path / "demo.warc.gz"]
    assert "records" in run(*demo, cwd=tmp_path, env=installed.environment)


def test_a_user_without_a_compiler_extracts_an_archive(installed, tmp_path):
    """The script that every wheel is tried with."""
    said = run(installed.python, CHECKOUT / ".ci" / "try_wheel.py", cwd=tmp_path, env=installed.environment)
    assert said == "the wheel works\n"
    # Whatever the documentation tells to install has that name and those extras.
    pages = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]
    pages += sorted((CHECKOUT / "src" / "thresher").glob("*/*.py"))
    found = {name for page in pages for name in re.findall(r"thresher\[[a-z,]+\]", page.read_text("utf-8"))}
    assert {"thresher[spark]", "thresher[templates]"} <= found
    said = run(*installed.install, "--dry-run", "--force-reinstall", *sorted(found), cwd=tmp_path)
    assert "does not provide" not in said, said


def test_stubs_tell_the_truth(tmp_path):
    """Each public module of the core has a .pyi beside it, and stubtest finds it true to what was compiled."""
    pytest.importorskip("mypy")
    stubs = sorted((CHECKOUT / "native").rglob("*.pyi"))
    assert stubs
    modules = [".".join(("thresher", *path.relative_to(CHECKOUT).with_suffix("").parts)) for path in stubs]
    allowlist = CHECKOUT / "tests" / "unit" / "stubtest_allowlist.txt"
    # `make lint` checks the package itself, which is most of what the stubs' own package would have mypy read.
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\nfollow_imports = skip\n")
    command = [sys.executable, "-m", "mypy.stubtest", *modules, "--mypy-config-file", tmp_path / "mypy.ini"]
    run(*command, "--ignore-missing-stub", "--allowlist", allowlist, cwd=CHECKOUT, env=dict(os.environ))
