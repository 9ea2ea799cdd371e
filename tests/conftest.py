# SPDX-License-Identifier: Apache-2.0
"""What all tests share: markers by folder, the data that lies outside the repository, golden files, Hypothesis
profiles.
"""

import os
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from s3_store import s3_endpoint
from shared_data import DATA, MISSING

TESTS = Path(__file__).parent

# The folder below tests/ that a test lies in is its marker; `slow` alone is written by hand.
MARKERS = {
    "unit": "one module at a time; the default",
    "golden": "input files beside the output that is expected of them, byte for byte",
    "property": "Hypothesis: what holds for any input",
    "differential": "against independent implementations",
    "crossings": "every form of input crossed with everything that is done with one",
    "spark": "needs Java; on a local cluster of separate processes",
    "gate": "quality floors over the labelled pages",
}

# ci: always the same examples, and more of them; dev: new ones each time, few enough to wait for; long: new ones for an
# hour, before a release. None measures time: a shared machine would make it a coin toss.
hypothesis.settings.register_profile("dev", max_examples=50, deadline=None)
hypothesis.settings.register_profile("ci", max_examples=300, deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("long", max_examples=20_000, deadline=None, print_blob=True)
hypothesis.settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI", "").lower() in {"1", "true", "yes"} else "dev")
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="also what only the night has time for (make nightly)")
    parser.addoption(
        "--rewrite-golden", action="store_true", help="write golden files instead of comparing (make golden)"
    )


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are processors: tests wait for servers, browsers and Java a fifth of their time."""
    return (os.cpu_count() or 1) + 1


# What the folders of all tests hold at a time is below 2 GB.
MEMORY, ROOM = "/dev/shm", 8 << 30


def use_memory() -> None:
    """Temporary files are kept in memory where that has room and may hold programs: tests make and remove some hundred
    thousand small files, and a disk takes a fifth of their time.
    """
    try:
        found = os.statvfs(MEMORY)
    except OSError:
        return
    if "TMPDIR" not in os.environ and found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = MEMORY
        tempfile.tempdir = None


def pytest_configure(config: pytest.Config) -> None:
    use_memory()
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    config.addinivalue_line("markers", "browser: needs Chromium or Firefox, which `make test` sees to")
    if not hasattr(config, "workerinput"):  # one of the processes of a run over several
        config.pluginmanager.register(FirstFailure(config))
    config.addinivalue_line("markers", "slow: more than about five seconds; left out with -m 'not slow'")
    config.addinivalue_line("markers", "nightly: a product of which a sample is run every time; needs --nightly")


class FirstFailure:
    """Shows the first failure when it happens: all tests take many minutes, and pytest tells of failures at the end."""

    def __init__(self, config: pytest.Config) -> None:
        self._config, self._told = config, False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._told or not report.failed:
            return
        self._told = True
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        terminal.ensure_newline()
        terminal.section("the first failure; the tests go on")
        terminal.line(f"{report.nodeid} ({report.when})")
        terminal.line(report.longreprtext)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Long bytes are named by their argument: gzip writes the time into them, and all processes of a run must give a
    test the same name.
    """
    return argname if isinstance(val, bytes) and len(val) > 20 else None


# The longest first, so that no process is left alone with one of them at the end. A file is run by one process.
LONGEST = (
    "test_spark.py", "test_snippets.py", "test_packaging.py", "test_execute.py", "test_templates.py",
    "test_afterwards.py", "test_retry.py", "test_damaged_runs.py", "test_integrations.py", "test_evaluate.py",
    "test_serve.py", "test_page_costs.py", "test_parts_tables.py", "test_extract_command.py", "test_compacting.py",
    "test_hostile_archives.py", "test_indexed_members.py", "test_index.py", "test_text.py", "test_extension.py",
)  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        item.add_marker(folder if folder in MARKERS else "unit")
    if not config.getoption("--nightly"):
        left = [item for item in items if item.get_closest_marker("nightly")]
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=left)
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


@pytest.fixture(scope="session", autouse=True)
def interrupts() -> None:
    """Tests send SIGINT, which a shell lets processes in the background ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real pages and archives (THRESHER_DATA); skips the test where there is none."""
    if DATA is None:
        pytest.skip(MISSING)
    return DATA


@pytest.fixture(scope="session")
def s3_server() -> str:
    """The URL of a store that speaks S3, on loopback."""
    return s3_endpoint()


@pytest.fixture(scope="module", autouse=True)
def _runs_here(request: pytest.FixtureRequest) -> Iterator[None]:
    """Commands that a test calls in this process do their runs in it, too. In `running`, where worker processes are
    tested, these are forked, as in a command: one that is spawned imports everything anew.
    """
    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name == "running":
            patch.setattr("thresher.running.supervisor.threading.active_count", lambda: 1)
        else:
            from in_process import engine_here

            patch.setattr("thresher.running.engine.LocalEngine", engine_here)
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, bytes], None]:
    """A function (path, actual) that compares with the golden file, or writes it under --rewrite-golden."""

    def compare(path: Path, actual: bytes) -> None:
        if request.config.getoption("--rewrite-golden"):
            path.write_bytes(actual)
        assert path.exists(), f"{path} is missing: `make golden` writes it"
        assert actual.decode("utf-8", "replace") == path.read_bytes().decode("utf-8", "replace")

    return compare


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how many tests did not run, and why: a suite must not look green where it was never asked."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        # longrepr is (file, line, "Skipped: reason") for skips and a string for expected failures.
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    missing = sum(n for reason, n in reasons.items() if MISSING in reason or "empty parameter set" in reason)
    terminalreporter.section("skipped tests")
    terminalreporter.line(f"{missing} skipped for missing data" + (f" ({MISSING})" if missing else f" (data: {DATA})"))
    for reason, n in reasons.most_common():
        if MISSING not in reason:
            terminalreporter.line(f"{n} skipped: {reason}")
