# SPDX-License-Identifier: Apache-2.0
"""The matrix: every form of input crossed with everything that is done with one, against the plain file.

A crossing is done in this process, by an engine without processes. With two workers, partitions end in another order
than they begin; killed, the work ends at one of its files, and the same command goes on.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from range_server import RangeServer
from record_forms import ARCHIVES, FORMS, N_PAGES, url_of, write

from thresher.address import Address, page_id
from thresher.after.retrying import Choice, plan_of, reopen
from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.errors import ThresherError
from thresher.options import CaptureOptions
from thresher.page.extraction import PageExtractor
from thresher.reading.again import Again
from thresher.reading.index import Index
from thresher.reading.progress import Progress
from thresher.running.archives import archives_of
from thresher.running.execute import execute
from thresher.running.outcome import inspect_run
from thresher.running.partition_queue import PartitionQueue
from thresher.running.pipeline import PartitionMaker
from thresher.running.run import Run, continue_run, start_run
from thresher.running.shards import shard_folder
from thresher.running.worker_process import N_SLOTS, Query, SharedProgress
from thresher.running.worker_process import Bench as WorkerBench
from thresher.schemas import TABLES
from thresher.serving.sources import list_pages, read_page
from thresher.templates import second_pass
from thresher.writing.lock import FolderLock
from thresher.writing.run_folder import RunFolder
from thresher.writing.storage import Storage

SETTINGS: Final = {"run.max_error_ratio": 1.0, "read.split_bytes": 12_000, "read.url_prefix": "http://"}
ALL_FORMS: Final = (*FORMS, "http", "index", "stdin")
WHOLE: Final = bool(os.environ.get("CROSSINGS"))
"""Whether the whole product is tested (`make crossings`), and not only pairs."""
ANSWER: Final = "The miller wrote to us that the corn of this year is better than that of any other year before."


class Refused(Exception):
    """A command says that something cannot be done, and why."""


class Killed(BaseException):
    """The work ends here, as if the process were killed."""


@dataclass(frozen=True)
class Crossing:
    """One cell of the matrix."""

    form: str
    action: str
    workers: int = 1
    killed: bool = False
    seed: int = 0  # chooses where it is killed

    def __str__(self) -> str:
        return f"{self.form}-{self.action}-{self.workers}{'-killed' if self.killed else ''}".replace(" ", "_")


class InProcess:
    """An engine without processes."""

    workers = 1

    def __init__(self, run: Run) -> None:
        self._run = run

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def extract(self, _watch: object) -> None:
        run, extraction = self._run, self._run.extraction
        bench = WorkerBench(run.configuration, extraction.output, SharedProgress([0] * N_SLOTS, 0))
        bench._maker = PartitionMaker(run.configuration, extraction.output)
        queue = PartitionQueue(extraction.folder, run.configuration, extraction.pending, all_inputs=run.mine)
        while task := queue.next_task():
            tasks: list[Any] = [task]
            while len(tasks) < self.workers and (further := queue.next_task()):
                tasks.append(further)
            for each in reversed(tasks):
                try:
                    answer = each.run(bench)
                except Exception as error:  # noqa: BLE001 (as a worker process answers)
                    queue.failed(each, error)
                else:
                    queue.finished(each, answer)

    def each(self, step: Callable[[str, Progress], int], partitions: Sequence[str], _watch: object) -> int:
        return sum(step(name, Progress()) for name in partitions)

    def sql(self, query: str, staging: Any, tables: Sequence[str], output: str, _watch: object) -> None:
        files = {table: [f"{table}/{name}" for name in staging.files(table)] for table in tables}
        bench = WorkerBench(self._run.configuration, self._run.output, SharedProgress([0] * N_SLOTS, 0))
        Query(staging.storage.path(), query, files, output, 1).run(bench)


class TwoInProcess(InProcess):
    """Two partitions at a time; the second ends first."""

    workers = 2


@contextmanager
def dying(at: int) -> Iterator[None]:
    """The work ends when its n-th file gets its name."""
    n = 0
    real = Storage.move

    def move(self: Storage, source: str, target: str) -> None:
        nonlocal n
        n += 1
        if n == at:
            raise Killed
        real(self, source, target)

    locks: list[FolderLock] = []
    take = FolderLock.take

    def remembering(self: FolderLock) -> None:
        locks.append(self)
        take(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Storage, "move", move)
        patch.setattr(FolderLock, "take", remembering)
        try:
            yield
        finally:
            for lock in locks:  # as when a process ends
                lock.release()


@contextmanager
def failing(numbers: Sequence[int]) -> Iterator[None]:
    """Extraction fails on the pages whose turns these are."""
    calls = 0

    class Failing(PageExtractor):
        def classify(self, *arguments: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls in numbers:
                raise RuntimeError("made up")
            return super().classify(*arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thresher.rows.batches.PageExtractor", Failing)
        yield


@dataclass
class Bench:
    """Does one crossing in a folder of its own."""

    crossing: Crossing
    folder: Path
    closing: list[Callable[[], None]] = field(default_factory=list)

    def source(self, numbers: Sequence[int] = range(N_PAGES), name: str = "input") -> dict[str, Any]:
        """What start_run() takes for the form's input."""
        form, folder = self.crossing.form, self.folder / name
        if form == "index":
            whole = self.extract(self.folder / f"{name}-whole", source=self.plain("gzip-threes", numbers, name))
            return {"inputs": [], "index": Index((str(whole / "pages"),))}
        if form == "stdin":
            return {"inputs": ["-"], "stdin": str(write("gzip-threes", folder, numbers))}
        if form == "http":
            path = write("gzip-threes", folder, numbers)
            server = RangeServer(folder)
            self.closing.append(server.close)
            return {"inputs": [f"{server.url}{path.name}"]}
        return self.plain(form, numbers, name)

    def plain(self, form: str, numbers: Sequence[int], name: str) -> dict[str, Any]:
        return {"inputs": [str(write(form, self.folder / name, numbers))]}

    def extract(self, output: Path, source: dict[str, Any] | None = None, **settings: object) -> Path:
        """A run, done as the crossing says."""
        source = source or self.source()
        changed = {name.replace("__", "."): value for name, value in settings.items()}
        configuration = load_configuration(None, SETTINGS | changed)

        def start() -> Run:
            return start_run(
                source["inputs"], str(output), configuration, **{k: v for k, v in source.items() if k != "inputs"}
            )

        self.work(start)
        return output

    def work(self, start: Callable[[], Run]) -> None:
        """Begins a run, or goes on with one, to its end."""
        engine = TwoInProcess if self.crossing.workers == 2 else InProcess
        if self.crossing.killed:
            at = random.Random(f"{self.crossing}{self.crossing.seed}").randint(1, 12)
            with dying(at), suppress(Killed):
                execute(start(), engine, second_pass=second_pass)
        run = start()
        assert execute(run, engine, second_pass=second_pass) == 0
        run.folder.lock.release()

    def retry(self, output: Path) -> int:
        def start() -> Run:
            run = continue_run(str(output), {})
            plan = plan_of(run, Choice())
            n.append(plan.n)
            return reopen(run, plan.partitions)

        n: list[int] = []
        self.work(start)
        return n[0]

    def command(self, *arguments: object) -> str:
        """The output of a command. Raises Refused if it refuses."""
        done = CliRunner().invoke(main, list(map(str, arguments)))
        if done.exit_code == 2:
            raise Refused(done.output)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.output


# -- what is compared -------------------------------------------------------------------------------------------------

_OWN: Final = re.compile(r"warc_|content_|fetch_|charset|url_|record_type|mime|host|domain|shard")
_NAMED: Final = ("duplicate_of", "sample_id")


def facts(output: Path, *, reads_again: bool = False) -> dict[str, Any]:
    """All rows of a run, but for what differs between forms: pages are named by their URLs."""
    found: dict[str, Any] = {}
    pages = rows_of(output, "pages")
    names = {place_of(row): row["url"] for row in pages}
    assert len(names) == len(pages), "two pages have one address"
    ids = {page_id(*place): url for place, url in names.items()}
    for table in ("pages", "blocks", "images", "tables", "code", "posts", "templates", "dead_letter"):
        rows = []
        for row in rows_of(output, table) if table != "pages" else pages:
            kept = {name: value for name, value in row.items() if not _OWN.match(name) and not is_measured(table, name)}
            if table not in ("templates", "dead_letter", "pages"):
                kept["page"] = names[place_of(row)]
            for name in _NAMED:
                if kept.get(name) is not None:
                    kept[name] = ids.get(kept[name], kept[name])
            rows.append(json.dumps(kept, sort_keys=True, default=repr))
        found[table] = sorted(rows)
    assert inspect_run(str(output)).unaccounted == 0, "records do not add up"
    if reads_again:
        check_addresses(output, pages)
    return found


def place_of(row: dict[str, Any]) -> tuple[str, int, int]:
    return row["warc_filename"], row["warc_record_offset"] or 0, row.get("warc_record_number") or 0


@cache
def measured(table: str) -> frozenset[str]:
    return frozenset(column.name for column in TABLES[table].columns if column.measured)


def is_measured(table: str, name: str) -> bool:
    return name in measured(table) or name.endswith("_us")


def rows_of(output: Path, table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for path in sorted((output / table).rglob("*.parquet")):
        if path.name == "schema.parquet":
            continue
        folders = dict(part.split("=") for part in path.relative_to(output / table).parts[:-1])
        rows += [folders | row for row in pq.read_table(path, partitioning=None).to_pylist()]
    return rows


def check_addresses(output: Path, pages: list[dict[str, Any]]) -> None:
    """Each page is found at its address, by itself and with all others."""
    archives = archives_of(RunFolder(str(output)))
    by_file: dict[str, dict[Address, str]] = {}
    for row in pages:
        filename, *address = place_of(row)
        by_file.setdefault(filename, {})[Address(*address)] = row["url"]
    for filename, wanted in by_file.items():
        again = Again(archives[filename], CaptureOptions(url_prefix="http://"), filename=filename)
        try:
            assert {address: page.url for address, page in again.captures(wanted)} == wanted
            for address in list(wanted)[:: max(len(wanted) // 3, 1)]:
                assert [page.url for _, page in again.captures([address])] == [wanted[address]]
        finally:
            again.close()


# -- what is done -----------------------------------------------------------------------------------------------------


def _extract(**settings: object) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        is_read = bench.crossing.form != "stdin"
        return facts(bench.extract(bench.folder / "out", **settings), reads_again=is_read)

    return act


def _apply(bench: Bench) -> Any:
    source = bench.source()
    learnt = bench.extract(bench.folder / "learnt", source, templates__mode="learn")
    return facts(bench.extract(bench.folder / "out", source, templates__mode="apply", templates__source=str(learnt)))


def _append(bench: Bench) -> Any:
    first, second = bench.source(range(30), "first"), bench.source(range(30, N_PAGES), "second")
    out = bench.extract(bench.folder / "out", first)
    return facts(bench.extract(out, second | {"append": True}))


def _shards(bench: Bench) -> Any:
    parts = [bench.source(range(30), "first"), bench.source(range(30, N_PAGES), "second")]
    inputs = [name for part in parts for name in part["inputs"]]
    out = bench.folder / "out"
    for number in (1, 2):
        shard = number, 2
        bench.work(
            lambda shard=shard: start_run(  # type: ignore[misc]
                inputs, shard_folder(str(out), shard), load_configuration(None, SETTINGS)
            ).in_shard(shard)
        )
    bench.command("merge", out)
    return facts(out)


def _retry_passing(bench: Bench) -> Any:
    source = bench.source()
    with failing([3, 4, 11, 30, 58]):
        out = Bench(Crossing(bench.crossing.form, ""), bench.folder).extract(bench.folder / "out", source)
    assert len(rows_of(out, "dead_letter")) == 5
    assert bench.retry(out) == 5
    return facts(out)


def _retry_mended(bench: Bench) -> Any:
    source = bench.source()
    path = Path(source["inputs"][0])
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    out = Bench(Crossing(bench.crossing.form, ""), bench.folder).extract(bench.folder / "out", source)
    path.write_bytes(data)
    bench.retry(out)
    return facts(out)


def _compact(*options: str) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        out = bench.extract(bench.folder / "out", write__also=["images", "tables"], write__blocks=True)
        bench.command("compact", out, *options)
        return facts(out)

    return act


def _render(bench: Bench) -> Any:
    out = bench.extract(bench.folder / "out", write__columns=["+html"])
    bench.command("render", out, "-o", bench.folder / "again", "--format", "markdown", "--workers", "1")
    return facts(bench.folder / "again")


def _asked(bench: Bench, **settings: object) -> Path:
    """A run with routes, in which every page is asked about."""
    return bench.extract(bench.folder / "out", write__columns=["+route"], route__trust=1.0, **settings)


def _select(bench: Bench) -> Any:
    bench.command("select", _asked(bench), "-o", bench.folder / "asked.jsonl")
    return sorted((each["url"], each["text"]) for each in lines(bench.folder / "asked.jsonl"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _select_warc(bench: Bench) -> Any:
    bench.command("select", _asked(bench), "--to", "warc", "-o", bench.folder / "asked.warc.gz")
    out = Bench(Crossing("gzip", ""), bench.folder).extract(
        bench.folder / "again", {"inputs": [str(bench.folder / "asked.warc.gz")]}
    )
    return sorted((row["url"], row["text"]) for row in rows_of(out, "pages"))


def _merge(n: int | None, *, retried: bool = False) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        if retried:
            source = bench.source()
            with failing([30]):
                out = Bench(Crossing(bench.crossing.form, ""), bench.folder).extract(
                    bench.folder / "out", source, write__columns=["+route"], route__trust=1.0
                )
        else:
            out = _asked(bench)
        bench.command("select", out, "-o", bench.folder / "asked.jsonl")
        asked = sorted(lines(bench.folder / "asked.jsonl"), key=lambda each: each["url"])[:n]
        answers = bench.folder / "answers.jsonl"
        answers.write_text("".join(json.dumps({"id": each["id"], "text": ANSWER}) + "\n" for each in asked))
        bench.command("merge", out, "--answers", answers, "--source", "large")
        if retried:
            bench.retry(out)
        assert sum(row["text"] == ANSWER for row in rows_of(out, "pages")) == len(asked)
        if not retried:
            return facts(out)
        return sorted(row["url"] for row in rows_of(out, "pages"))

    return act


def _index(bench: Bench) -> Any:
    whole = bench.extract(bench.folder / "whole")
    found = bench.extract(bench.folder / "out", {"inputs": [], "index": Index((str(whole / "pages"),))})
    return facts(found, reads_again=True)


def _workbench(kind: str) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        source = bench.source()
        name = source["inputs"][0] if kind == "archive" else str(bench.extract(bench.folder / "out", source))
        found = []
        start: str | None = "0"
        while start is not None:
            answer = json.loads(list_pages(kind, name, start, ""))
            found += answer["pages"]
            start = answer["next"]
        titles = []
        for each in found:
            page = json.loads(read_page(kind, name, each["place"]))
            titles.append((each["url"].replace("file:", "http://"), re.findall("<title>(.*?)</title>", page["html"])))
        return sorted(titles)

    return act


def _text(bench: Bench) -> Any:
    source = bench.source()
    name = source["inputs"][0]
    urls = [url_of(number) for number in (0, 31, 59)]
    if bench.crossing.form == "folder":  # `thresher text` has no --url-prefix
        urls = [url.replace("http://", "file:") for url in urls]
    return [bench.command("text", name, "--url", url) for url in urls]


ACTIONS: Final[dict[str, Callable[[Bench], Any]]] = {
    "extract": _extract(),
    "extract markdown": _extract(extract__format="markdown", extract__links=True, extract__images=True),
    "extract html": _extract(extract__format="html"),
    "extract source": _extract(extract__format="source"),
    **{f"also {name}": _extract(write__also=[name]) for name in ("images", "tables", "code", "posts")},
    "columns rights": _extract(write__columns=["+rights"]),
    "columns structure": _extract(write__columns=["+structure"]),
    "columns html": _extract(write__columns=["+html"]),
    "columns outlinks": _extract(write__columns=["+outlinks"]),
    "blocks": _extract(write__blocks=True),
    "templates learn": _extract(templates__mode="learn"),
    "templates apply": _apply,
    "templates fused": _extract(templates__mode="fused"),
    "templates fused markdown": _extract(templates__mode="fused", extract__format="markdown"),
    "templates fused html": _extract(templates__mode="fused", extract__format="html"),
    "templates fused outlinks": _extract(templates__mode="fused", write__columns=["+outlinks"]),
    "append": _append,
    "shards": _shards,
    "retry passing": _retry_passing,
    "retry mended": _retry_mended,
    "compact": _compact(),
    "compact partitioned": _compact("--partition-by", "language"),
    "render": _render,
    "select": _select,
    "select warc": _select_warc,
    "merge one": _merge(1),
    "merge all": _merge(None),
    "merge and retry": _merge(5, retried=True),
    "index over pages": _index,
    "workbench archive": _workbench("archive"),
    "workbench run": _workbench("run"),
    "text --url": _text,
}
"""What is done, and gives what is compared."""
REPEATING: Final = tuple(each for each in ACTIONS if each.startswith(("templates", "append", "shards", "retry")))
EXTRACTING: Final = tuple(list(ACTIONS)[: list(ACTIONS).index(REPEATING[0])])
AFTERWARDS: Final = tuple(each for each in ACTIONS if each not in (*EXTRACTING, *REPEATING))


def do(crossing: Crossing, folder: Path) -> Any:
    """What a crossing gives. Raises Refused if it cannot be."""
    bench = Bench(crossing, folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return ACTIONS[crossing.action](bench)
    except ThresherError as error:
        raise Refused(str(error)) from error
    finally:
        for close in bench.closing:
            close()
        shutil.rmtree(folder, ignore_errors=True)


def differences(expected: Any, found: Any) -> str:
    """What a crossing gives that the plain file does not, shortly; "" where they are the same."""
    if expected == found:
        return ""
    if isinstance(expected, dict):
        tables = [table for table in expected if expected[table] != found[table]]
        return "; ".join(
            f"{table}: {len(set(expected[table]) - set(found[table]))} of {len(expected[table])} rows missing, "
            f"{len(set(found[table]) - set(expected[table]))} others, {len(found[table])} in all"
            for table in tables
        )
    return f"{sum(each not in found for each in expected)} of {len(expected)} differ, {len(found)} in all"


# -- the matrix -------------------------------------------------------------------------------------------------------

NO_FILE: Final = "there is no file to be named"
NOT_THERE: Final[dict[str, dict[str, str]]] = {
    "append": dict.fromkeys(("index", "stdin"), "--append takes names of inputs"),
    "shards": dict.fromkeys(("index", "stdin"), "one input is in one shard"),
    "retry mended": dict.fromkeys((form for form in ALL_FORMS if form not in ARCHIVES), "other forms are not cut here"),
    "workbench archive": dict.fromkeys(("index", "stdin"), NO_FILE),
    "text --url": dict.fromkeys(("index", "stdin"), NO_FILE),
    "index over pages": {"stdin": "the test keeps no file"},
}
"""Crossings that mean nothing, and why: they are not in the matrix."""
REFUSALS: Final[dict[str, dict[str, str]]] = {
    "retry passing": {"stdin": "has read standard input, which is not there any more"},
    "merge and retry": {"stdin": "has read standard input, which is not there any more"},
    "select warc": {
        **dict.fromkeys(
            ("arc", "arc-one", "arc-gzip", "jsonl", "jsonl-gzip", "parquet", "folder"),
            "no WARC record (only those can be copied); select JSON Lines (--to jsonl)",
        ),
        "stdin": "standard input, which is not there any more",
    },
    "workbench run": {"stdin": "standard input, which is not there any more"},
}
"""What is refused, with a piece of the message."""


def crossings(actions: Sequence[str], *, whole: bool = WHOLE) -> list[Crossing]:
    """The crossings of some actions: all, or so many that every two of form, action, workers and killed meet."""
    ways = [(workers, killed) for workers in (1, 2) for killed in (False, True)]
    found = []
    for number, action in enumerate(ACTIONS):
        for place, form in enumerate(ALL_FORMS):
            if action in actions and form not in NOT_THERE.get(action, {}):
                chosen = ways if whole else [ways[(number + place) % len(ways)]]
                found += [Crossing(form, action, *way) for way in chosen]
    return found


def check(crossing: Crossing, folder: Path) -> None:
    """Asserts that a crossing gives what the plain file gives, or is refused as it is known to be."""
    refusal = REFUSALS.get(crossing.action, {}).get(crossing.form)
    if refusal is not None:
        with pytest.raises(Refused, match=re.escape(refusal)):
            do(crossing, folder / "crossing")
        return
    found = do(crossing, folder / "crossing")
    assert differences(expected(crossing.action, folder / "plain"), found) == ""


_EXPECTED: Final[dict[str, Any]] = {}


def expected(action: str, folder: Path) -> Any:
    """What an action gives of the plain file, on one worker."""
    if action not in _EXPECTED:
        _EXPECTED[action] = do(Crossing("plain", action), folder)
    return _EXPECTED[action]


def table() -> str:
    """The matrix as the documentation has it."""
    heads = [f"`{form}`" for form in ALL_FORMS]
    out = [f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    for action in ACTIONS:
        cells = []
        for form in ALL_FORMS:
            refused, absent = form in REFUSALS.get(action, {}), form in NOT_THERE.get(action, {})
            cells.append("refused" if refused else "–" if absent else "✓")
        out.append(f"| {action} | {' | '.join(cells)} |")
    for action, forms in REFUSALS.items():
        out += ["", *(f"- {action} of {form}: {reason}" for form, reason in forms.items())]
    return "\n".join(out) + "\n"
