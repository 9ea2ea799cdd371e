# SPDX-License-Identifier: Apache-2.0
"""The matrix: every form of input crossed with everything that is done with one, against the plain file.

A crossing is done in this process, by an engine without processes. With two workers, partitions end in another order
than they begin; killed, the work ends at one of its files, and the same command goes on.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import shutil
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from in_process import InProcess, TwoInProcess
from range_server import RangeServer
from record_forms import FORMS, HOSTS, LABELLED, N_PAGES, damage, url_of, write
from run_rows import rows_of
from s3_store import s3_client, s3_endpoint, s3_environment
from stand_in import StandIn

from thresher.address import Address, page_id
from thresher.after.retrying import Choice, reopen, retries_of
from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.errors import ThresherError
from thresher.integrations.data_source import DataSourceRows
from thresher.options import CaptureOptions
from thresher.page.page_extractor import PageExtractor
from thresher.reading.again import Again
from thresher.reading.index import Index
from thresher.running.archives import archives_of
from thresher.running.engine import Engine
from thresher.running.execute import execute
from thresher.running.outcome import inspect_run
from thresher.running.run import Run, continue_run, start_run
from thresher.running.shards import shard_folder
from thresher.schemas import TABLES
from thresher.serving.sources import list_pages, read_page
from thresher.templates import second_pass
from thresher.writing.lock import FolderLock
from thresher.writing.run_folder import RunFolder
from thresher.writing.storage import Storage

SETTINGS: Final = {"run.max_error_ratio": 1.0, "read.split_bytes": 12_000, "read.url_prefix": "http://"}
ALL_FORMS: Final = (*FORMS, "http", "s3", "index", "stdin")
WHOLE: Final = bool(os.environ.get("CROSSINGS"))
"""Whether the whole product is tested (`make crossings`), and not only a sample."""
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


@contextmanager
def at_events(act: Callable[[int], None]) -> Iterator[None]:
    """Acts whenever a run changes its folder: before a file gets its name, and before a folder or a file is removed.
    It is told how many times that was so.
    """
    n = 0

    def counting(name: str) -> Callable[..., Any]:
        real: Callable[..., Any] = getattr(Storage, name)

        def changed(self: Storage, *names: str) -> Any:
            nonlocal n
            n += 1
            act(n)
            return real(self, *names)

        return changed

    with pytest.MonkeyPatch.context() as patch:
        for name in ("move", "mark", "remove", "delete"):
            patch.setattr(Storage, name, counting(name))
        yield


@contextmanager
def dying(at: int) -> Iterator[None]:
    """The work ends when it changes its folder for the n-th time."""

    def die(n: int) -> None:
        if n == at:
            raise Killed

    locks: list[FolderLock] = []
    take = FolderLock.take

    def remembering(self: FolderLock) -> None:
        locks.append(self)
        take(self)

    with at_events(die), pytest.MonkeyPatch.context() as patch:
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


@dataclass(frozen=True)
class Source:
    """The input of a crossing: what start_run() takes."""

    inputs: tuple[str, ...]
    file: Path
    """The file that holds the pages: what can be damaged."""
    stdin: str | None = None
    index: Index | None = None
    publish: Callable[[], object] = lambda: None
    """Brings the file where it is read, after it changed."""

    @property
    def named(self) -> str:
        """What a command is given that takes names of inputs."""
        return self.inputs[0] if self.index is None else self.index.paths[0]

    def start(self, output: object, settings: Mapping[str, object], **options: Any) -> Run:
        configuration = load_configuration(None, SETTINGS | dict(settings))
        options |= {"stdin": self.stdin, "index": self.index}
        return start_run(self.inputs, str(output), configuration, **options)


BUCKET: Final = "crossings"
_RUNS: Final[dict[tuple[object, ...], tuple[Path, Source]]] = {}
_KEPT: Final = ExitStack()
"""Servers of the inputs of runs that several crossings share: they end with the process."""


@cache
def _shared_folder() -> Path:
    return Path(_KEPT.enter_context(tempfile.TemporaryDirectory(prefix="crossings-")))


@dataclass
class Bench:
    """Does one crossing in a folder of its own."""

    crossing: Crossing
    folder: Path
    closing: ExitStack = field(default_factory=ExitStack)
    engine: Callable[[Run], Engine] | None = None
    """What extracts; by default this process."""
    spark: Callable[[], Any] | None = None
    """A session of Spark, if that reads."""

    def source(self, numbers: Sequence[int] = range(N_PAGES), name: str = "input") -> Source:
        """The form's input."""
        form, folder = self.crossing.form, self.folder / name
        path = write(form if form in FORMS else "gzip-threes", folder, numbers)
        if form == "index":
            whole = self.extract(self.folder / f"{name}-whole", Source((str(path),), path))
            return Source((), path, index=Index((str(whole / "pages"),)))
        if form == "stdin":
            return Source(("-",), path, stdin=str(path))
        if form == "http":
            server = RangeServer(folder)
            self.closing.callback(server.close)
            return Source((f"{server.url}{path.name}",), path)
        if form == "s3":
            client, key = s3_client(s3_endpoint()), f"{uuid.uuid4().hex}/{path.name}"

            def publish() -> None:
                client.create_bucket(Bucket=BUCKET)
                client.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes())

            publish()
            return Source((f"s3://{BUCKET}/{key}",), path, publish=publish)
        listed = folder / "listed"
        return Source((str(path),), next(listed.iterdir()) if listed.exists() else path)

    def extract(self, output: Path, source: Source | None = None, **settings: object) -> Path:
        """A run, done as the crossing says."""
        given = source or self.source()
        changed = {name.replace("__", "."): value for name, value in settings.items()}
        self.work(lambda: given.start(output, changed))
        return output

    def whole(self, output: Path, source: Source, **settings: object) -> Path:
        """A run that is done without disturbance, whatever the crossing says."""
        return Bench(Crossing(self.crossing.form, ""), self.folder).extract(output, source, **settings)

    def shared(self, output: Path, **settings: object) -> tuple[Path, Source]:
        """A copy of a run that is done once for all crossings that need it done in the same way, and its input."""
        crossing = self.crossing
        key = (crossing.form, crossing.workers, crossing.killed, crossing.seed, repr(settings))
        if key not in _RUNS:
            folder = _shared_folder() / f"{len(_RUNS)}"
            bench = Bench(Crossing(crossing.form, "shared", *key[1:4]), folder, _KEPT)
            source = bench.source()
            _RUNS[key] = bench.extract(folder / "out", source, **settings), source
        made, source = _RUNS[key]
        shutil.copytree(made, output)
        return output, source

    def work(self, start: Callable[[], Run]) -> None:
        """Begins a run, or goes on with one, to its end."""
        engine = self.engine or (TwoInProcess if self.crossing.workers == 2 else InProcess)
        if self.crossing.killed:
            at = random.Random(f"{self.crossing}{self.crossing.seed}").randint(1, 16)
            with dying(at), suppress(Killed):
                execute(start(), engine, second_pass=second_pass)
        run = start()
        assert execute(run, engine, second_pass=second_pass) == 0
        run.folder.lock.release()

    def retry(self, output: Path) -> int:
        def start() -> Run:
            run = continue_run(str(output), {})
            plan = retries_of(run, Choice())
            n.append(plan.n)
            return reopen(run, plan.partitions)

        n: list[int] = []
        self.work(start)
        return n[0]

    def answer(self, output: Path, n: int | None) -> list[str]:
        """Merges answers about the first n pages of a run, all by default; their URLs."""
        asked, answers = self.folder / "asked.jsonl", self.folder / "answers.jsonl"
        self.command("select", output, "-o", asked)
        found = sorted(lines(asked), key=lambda each: str(each["url"]))[:n]
        answers.write_text("".join(json.dumps({"id": each["id"], "text": ANSWER}) + "\n" for each in found))
        self.command("merge", output, "--answers", answers, "--source", "large")
        return [each["url"] for each in found]

    def command(self, *arguments: object, given: bytes | None = None) -> str:
        """The output of a command. Raises Refused if it refuses."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("thresher.running.engine.LocalEngine", InProcess)
            done = CliRunner().invoke(main, list(map(str, arguments)), input=given)
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
            kept = {name: row[name] for name in compared(table, tuple(row))}
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
def compared(table: str, names: tuple[str, ...]) -> list[str]:
    """The columns of a table that are the same in all forms."""
    measured = {column.name for column in TABLES[table].columns if column.measured}
    return [name for name in names if not (_OWN.match(name) or name in measured or name.endswith("_us"))]


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


def _extract(*, reads_again: bool = False, **settings: object) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        is_read = bench.crossing.form != "stdin" and (reads_again or WHOLE)
        return facts(bench.extract(bench.folder / "out", **settings), reads_again=is_read)

    return act


def _decide(**settings: object) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        return decided(bench.extract(bench.folder / "out", templates__mode="fused", **_EVERYTHING_KEPT, **settings))

    return act


def _apply(bench: Bench) -> Any:
    source = bench.source()
    learnt = bench.extract(bench.folder / "learnt", source, templates__mode="learn", **_EVERYTHING_KEPT)
    apply: dict[str, Any] = {"templates__mode": "apply", "templates__source": str(learnt), **_EVERYTHING_KEPT}
    out = bench.extract(bench.folder / "out", source, **apply)
    return {f"{name} of {run.name}": rows for run in (learnt, out) for name, rows in decided(run).items()}


_EVERYTHING_KEPT: Final = {"extract__extractors": ["all"]}
"""A first pass that keeps what a host repeats, whatever a model thinks of it: every page is decided again."""


def decided(output: Path) -> dict[str, Any]:
    """facts() of a run whose second pass took from every page what its host repeats, and nothing else."""
    run = facts(output)
    texts = [json.loads(row)["text"] for row in run["pages"]]
    assert not any("Item 3 of this site" in text for text in texts)
    assert all("It is page" in text for text in texts)
    return run


def _append(bench: Bench) -> Any:
    first, second = bench.source(range(30), "first"), bench.source(range(30, N_PAGES), "second")
    out = bench.extract(bench.folder / "out", first)
    if second.index is not None:
        bench.command("extract", "--index", second.named, "--append", "-o", out)
    bench.work(lambda: second.start(out, {}, append=True))
    return facts(out)


def _halves(bench: Bench) -> Source:
    """The form's input in two, for two shards; what cannot be two is in the first of them."""
    if bench.crossing.form in ("index", "stdin"):
        return bench.source()
    first, second = bench.source(range(30), "first"), bench.source(range(30, N_PAGES), "second")
    return Source((*first.inputs, *second.inputs), first.file)


def _in_shards(bench: Bench, source: Source, out: Path, settings: Mapping[str, object]) -> list[Path]:
    """The folders of two shards."""
    folders = [shard_folder(str(out), (number, 2)) for number in (1, 2)]
    for number, folder in enumerate(folders, 1):
        bench.work(lambda number=number, folder=folder: source.start(folder, settings).in_shard((number, 2)))  # type: ignore[misc]
    return list(map(Path, folders))


def _shards(bench: Bench) -> Any:
    out = bench.folder / "out"
    _in_shards(bench, _halves(bench), out, {})
    bench.command("merge", out)
    return facts(out)


def _shards_with_answers(bench: Bench) -> Any:
    """One page of the first shard fails, others have answers; the joined run is tried again, and what some of its pages
    say decides the others.
    """
    out = bench.folder / "out"
    undisturbed, source = Bench(Crossing(bench.crossing.form, ""), bench.folder), _halves(bench)
    with failing([3]):
        first, _ = _in_shards(undisturbed, source, out, ROUTED)
    answered = bench.answer(first, 5)
    bench.command("merge", out)
    assert len(answered) == 5
    assert bench.retry(out) == 1
    assert answered == sorted(row["url"] for row in rows_of(out, "pages") if row["text"] == ANSWER)
    told, others = bench.folder / "told.jsonl", bench.folder / "spread.jsonl"
    rows = {row["url"]: row for row in rows_of(out, "pages") if row["text"] != ANSWER}
    chosen = {urlsplit(url).hostname: {"id": page_id(*place_of(row)), "text": row["text"]} for url, row in rows.items()}
    told.write_text("".join(json.dumps(each) + "\n" for each in chosen.values()))
    bench.command("spread", out, "--answers", told, "-o", others)
    bench.command("merge", out, "--answers", others, "--source", "layout")
    pages = rows_of(out, "pages")
    assert sum(row["text_source"] == "layout" for row in pages) == len(pages) - len(chosen)
    return sorted((row["url"], row["text"]) for row in pages)


def _retry_passing(bench: Bench) -> Any:
    source = bench.source()
    with failing([3, 4, 11, 30, 58]):
        out = bench.whole(bench.folder / "out", source)
    assert len(rows_of(out, "dead_letter")) == 5
    assert bench.retry(out) == 5
    return facts(out)


def _retry_mended(bench: Bench) -> Any:
    source = bench.source()
    mend = damage(source.file)
    source.publish()
    out = bench.whole(bench.folder / "out", source)
    assert rows_of(out, "dead_letter")
    mend()
    source.publish()
    bench.retry(out)
    return facts(out)


def _compact(*options: str) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        out, _ = bench.shared(bench.folder / "out", write__also=["images", "tables"], write__blocks=True)
        bench.command("compact", out, *options)
        return facts(out)

    return act


def _render(bench: Bench) -> Any:
    out, _ = bench.shared(bench.folder / "out", write__also=["images", "tables"], write__blocks=True)
    bench.command("render", out, "-o", bench.folder / "again", "--format", "markdown", "--workers", "1")
    return facts(bench.folder / "again")


ROUTED: Final = {"write.columns": ["+route"], "route.trust": 1.0}
"""A run with routes, in which every page is asked about."""
_ROUTED: Final = {name.replace(".", "__"): value for name, value in ROUTED.items()}


def _select(bench: Bench) -> Any:
    out, _ = bench.shared(bench.folder / "out", **_ROUTED)
    bench.command("select", out, "-o", bench.folder / "asked.jsonl")
    return sorted((each["url"], each["text"]) for each in lines(bench.folder / "asked.jsonl"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _select_warc(bench: Bench) -> Any:
    out, _ = bench.shared(bench.folder / "out", **_ROUTED)
    bench.command("select", out, "--to", "warc", "-o", bench.folder / "asked.warc.gz")
    asked = bench.folder / "asked.warc.gz"
    again = bench.whole(bench.folder / "again", Source((str(asked),), asked))
    return sorted((row["url"], row["text"]) for row in rows_of(again, "pages"))


def _merge(n: int | None) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        out, _ = bench.shared(bench.folder / "out", **_ROUTED)
        answered = bench.answer(out, n)
        assert answered == sorted(row["url"] for row in rows_of(out, "pages") if row["text"] == ANSWER)
        return facts(out)

    return act


def _spread(*compact: str) -> Callable[[Bench], Any]:
    """A model is asked about a page of each host, and its answers decide the others."""

    def act(bench: Bench) -> Any:
        out, _ = bench.shared(bench.folder / "out", **_ROUTED)
        if compact:
            bench.command("compact", out, *compact)
        ids = {page_id(*place_of(row)): row["url"] for row in rows_of(out, "pages")}
        answers, others = bench.folder / "answers.jsonl", bench.folder / "spread.jsonl"
        server = StandIn(lambda blocks: ",".join(re.findall(r"(?m)^(\d+) (?:li:|.*It is page)", blocks)))
        bench.closing.callback(server.close)
        bench.command("ask", out, "--url", server.url, "--model", "m", "--per-host", 1, "-o", answers, "--merge")
        bench.command("spread", out, "--answers", answers, "-o", others)
        told, found = ([ids[each["id"]] for each in lines(path)] for path in (answers, others))
        assert sorted(told) == [url_of(number) for number in range(HOSTS)]
        assert sorted(told + found) == sorted(ids.values())
        n_with_menus = sum("Item 3 of this site" in each["text"] for each in lines(others))
        assert n_with_menus > N_PAGES // 2, "the answers, which keep menus, decide nothing"
        bench.command("merge", out, "--answers", others, "--source", "layout")
        return facts(out)

    return act


def _merge_and_retry(bench: Bench) -> Any:
    source = bench.source()
    with failing([30]):
        out = bench.whole(bench.folder / "out", source, **_ROUTED)
    answered = bench.answer(out, 5)
    assert bench.retry(out) == 1
    assert answered == sorted(row["url"] for row in rows_of(out, "pages") if row["text"] == ANSWER)
    return sorted(row["url"] for row in rows_of(out, "pages"))


def _index(bench: Bench) -> Any:
    pages, _ = bench.shared(bench.folder / "whole")
    found = bench.extract(bench.folder / "out", Source((), pages, index=Index((str(pages / "pages"),))))
    return facts(found, reads_again=True)


def _workbench(kind: str) -> Callable[[Bench], Any]:
    def act(bench: Bench) -> Any:
        if kind == "run":
            name = str(bench.shared(bench.folder / "out")[0])
        else:
            name = bench.source().named
            if name == "-":
                bench.command("serve", "--archive", name)
        found = []
        start: str | None = "0"
        while start is not None:
            answer = json.loads(list_pages(kind, name, start, ""))
            found += answer["pages"]
            start = answer["next"]
        titles = [(as_listed(each["url"]), None) for each in found]
        found.sort(key=lambda each: str(each["url"]))
        for each in found if WHOLE else found[::7]:
            page = json.loads(read_page(kind, name, each["place"]))
            titles.append((as_listed(page["url"]), re.findall("<title>(.*?)</title>", page["html"])[0]))
        return sorted(titles, key=str)

    return act


def as_listed(url: str) -> str:
    """The URL of a page, also where a folder has it and nobody says what its URLs begin with."""
    return url.replace("file:", "http://")


def _text(bench: Bench) -> Any:
    source = bench.source()
    urls = [url_of(number) for number in (0, 31, 59)]
    if bench.crossing.form == "folder":
        urls = [url.replace("http://", "file:") for url in urls]
    given = Path(source.stdin).read_bytes() if source.stdin else None
    return [bench.command("text", source.named, "--url", url, given=given) for url in urls]


def _data_source(bench: Bench) -> Any:
    """What Spark asks of the data source, its partitions sent through pickle; or Spark itself."""
    options = {"path": bench.source().named, "columns": "url,title,text"}
    if bench.spark is not None:
        from pyspark.errors import PySparkException

        try:
            read = bench.spark().read.format("thresher").options(**options).load()
            rows = [row.asDict() for row in read.collect()]
        except PySparkException as error:  # which holds what the data source said
            raise Refused(str(error)) from error
    else:
        source = pickle.loads(pickle.dumps(DataSourceRows(options)))
        inputs = pickle.loads(pickle.dumps(source.inputs()))
        rows = [row for each in inputs for batch in source.batches(each) for row in batch.to_pylist()]
    return sorted((as_listed(row["url"]), row["title"], row["text"]) for row in rows)


def _evaluate(bench: Bench) -> Any:
    """The scores of an extractor over pages with gold texts; plain files have none, and are refused."""
    form, folder = bench.crossing.form, bench.folder
    path = write(form, folder / "input", range(12), gold=True) if form in LABELLED else None
    name = str(path) if path else bench.source().named
    scores = folder / "scores.parquet"
    bench.command(
        "evaluate", "--data", name, "--extractors", "all", "--jobs", 1, "--cache", folder / "cache", "--parquet", scores
    )
    measured = ("milliseconds", "dataset", "id")
    rows = [{k: v for k, v in row.items() if k not in measured} for row in pq.read_table(scores).to_pylist()]
    return sorted(json.dumps(row, sort_keys=True, default=repr) for row in rows)


_PARTS: Final = ["images", "tables", "code", "posts"]
_COLUMNS: Final = ["rights", "structure", "html", "outlinks"]
_ALL: Final = {"write__also": _PARTS, "write__columns": [f"+{name}" for name in _COLUMNS], "write__blocks": True}
ACTIONS: Final[dict[str, Callable[[Bench], Any]]] = {
    "extract": _extract(reads_again=True),
    "extract markdown": _extract(extract__format="markdown", extract__links=True, extract__images=True),
    "extract html": _extract(extract__format="html"),
    "extract source": _extract(extract__format="source"),
    **{f"also {name}": _extract(write__also=[name]) for name in _PARTS},
    **{f"columns {name}": _extract(write__columns=[f"+{name}"]) for name in _COLUMNS},
    "blocks": _extract(write__blocks=True),
    "everything": _extract(**_ALL),
    "templates learn": _extract(templates__mode="learn"),
    "templates apply": _apply,
    "templates fused": _decide(),
    "templates fused markdown": _decide(extract__format="markdown"),
    "templates fused html": _decide(extract__format="html"),
    "templates fused outlinks": _decide(write__columns=["+outlinks"]),
    "templates fused everything": _decide(extract__format="html", **_ALL),
    "append": _append,
    "shards": _shards,
    "shards with answers": _shards_with_answers,
    "retry passing": _retry_passing,
    "retry mended": _retry_mended,
    "compact": _compact(),
    "compact partitioned": _compact("--partition-by", "language"),
    "render": _render,
    "select": _select,
    "select warc": _select_warc,
    "merge one": _merge(1),
    "merge all": _merge(None),
    "merge and retry": _merge_and_retry,
    "ask and spread": _spread(),
    "compact and spread": _spread("--partition-by", "language"),
    "index over pages": _index,
    "workbench run": _workbench("run"),
    "workbench archive": _workbench("archive"),
    "text --url": _text,
    "Spark data source": _data_source,
    "evaluate": _evaluate,
    "Spark job": _extract(**_ALL),
    "Spark job fused": _decide(extract__format="markdown"),
}
"""What is done, and gives what is compared."""
ONCE: Final = tuple(ACTIONS)[tuple(ACTIONS).index("workbench archive") :]
"""What reads its input by itself: neither workers nor kills change it."""
SPARK: Final = ("Spark data source", "Spark job", "Spark job fused")
COVERED: Final = {
    **{f"also {name}": "everything" for name in _PARTS},
    **{f"columns {name}": "everything" for name in _COLUMNS},
    "blocks": "everything",
    "extract markdown": "render",
    "extract html": "templates fused everything",
    "templates learn": "templates apply",
    "templates fused": "templates apply",
    "templates fused markdown": "templates fused everything",  # markup too is written of pages that are read again
    "templates fused html": "templates fused everything",
    "templates fused outlinks": "templates fused everything",
    "compact": "compact partitioned",
    "merge all": "merge one",
    "ask and spread": "compact and spread",
}
"""What another action does too, and compares: it is in the whole product only."""
SHARING: Final = (
    ("compact", "compact partitioned", "render"),
    ("select", "select warc", "merge one", "merge all", "ask and spread", "compact and spread"),
    ("index over pages", "workbench run"),
)
"""Actions that begin with the same run."""
REPEATING: Final = tuple(each for each in ACTIONS if each.startswith(("templates", "append", "shards", "retry")))
EXTRACTING: Final = tuple(list(ACTIONS)[: list(ACTIONS).index(REPEATING[0])])
AFTERWARDS: Final = tuple(each for each in ACTIONS if each not in (*EXTRACTING, *REPEATING, *SPARK[1:]))


def do(crossing: Crossing, folder: Path, **how: Any) -> Any:
    """What a crossing gives. Raises Refused if it cannot be. `how` are fields of Bench."""
    bench = Bench(crossing, folder, **how)
    folder.mkdir(parents=True, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch, bench.closing:
        if crossing.form == "s3":
            for name, value in s3_environment().items():
                patch.setenv(name, value)
        try:
            return ACTIONS[crossing.action](bench)
        except ThresherError as error:
            raise Refused(str(error)) from error
        finally:
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

NO_LABELS: Final = "is neither a labelled file nor a directory of them"
STDIN_GONE: Final = "has read standard input, which is not there any more"
NO_INPUT: Final = "no WARC in this folder"
REFUSALS: Final[dict[str, dict[str, str]]] = {
    "append": {
        "index": "--append cannot be used with --index",
        "stdin": "has read standard input before; save this input as a file and append that",
    },
    "shards with answers": {"stdin": STDIN_GONE},
    "retry passing": {"stdin": STDIN_GONE},
    "retry mended": {"stdin": STDIN_GONE},
    "merge and retry": {"stdin": STDIN_GONE},
    "ask and spread": {"stdin": "standard input, which is not there any more"},
    "compact and spread": {"stdin": "standard input, which is not there any more"},
    "select warc": {
        **dict.fromkeys(
            ("arc", "arc-one", "arc-gzip", "jsonl", "jsonl-gzip", "parquet", "folder"),
            "no WARC record (only those can be copied); select JSON Lines (--to jsonl)",
        ),
        "stdin": "standard input, which is not there any more",
    },
    "index over pages": {"stdin": "the index names records of standard input, which is not there any more"},
    "workbench run": {"stdin": "standard input, which is not there any more"},
    "workbench archive": {
        "index": NO_INPUT,
        "stdin": "standard input cannot be browsed; save it as a file, and name that",
    },
    "text --url": {"index": NO_INPUT, "stdin": "standard input holds many pages, not one"},
    "Spark data source": {"index": NO_INPUT, "stdin": "standard input is read by thresher extract alone"},
    "evaluate": {
        **dict.fromkeys((form for form in ALL_FORMS if form not in LABELLED), NO_LABELS),
        **dict.fromkeys(("http", "s3", "stdin"), "does not exist"),
        "index": "has no column gold, html: not a labelled set",
    },
    **{action: {"stdin": "standard input (-) cannot be read on a cluster"} for action in SPARK[1:]},
}
"""What is refused, with a piece of the message."""


FAMILIES: Final = (
    ("plain", "arc", "list"),
    ("gzip", "arc-gzip", "zstd", "lz4"),
    ("gzip-one", "arc-one"),
    ("gzip-two", "gzip-threes", "gzip-uneven"),
    ("zstd-one", "zstd-threes", "lz4-one"),
    ("zstd-dictionary",),
    ("jsonl", "jsonl-gzip", "parquet"),
    ("folder",),
    ("wacz", "wacz-one", "wacz-deflated"),
    ("http", "s3"),
    ("index",),
    ("stdin",),
)
"""Forms whose records are read, and found again, in the same way."""
WAYS: Final = tuple((workers, killed) for workers in (1, 2) for killed in (False, True))


def crossings(actions: Sequence[str], *, whole: bool = WHOLE) -> list[Crossing]:
    """The crossings of some actions: all, or those of the sample."""
    if whole:
        ways = {action: WAYS[:1] if action in ONCE else WAYS for action in actions}
        return [Crossing(form, action, *way) for action in actions for form in ALL_FORMS for way in ways[action]]
    return [each for each in sample() if each.action in actions]


@cache
def sample() -> tuple[Crossing, ...]:
    """So many crossings that each action meets each family of forms, in one form after the other, and that every two
    meet of form, workers and killed, and of action, workers and killed; without the actions that another one covers.
    """
    groups = {action: group[0] for group in SHARING for action in group}
    chosen: dict[str, list[tuple[str, int, bool]]] = {}  # what the actions that share a run meet
    times: Counter[str] = Counter()
    found = []
    for action in ACTIONS:
        if action in COVERED:
            continue
        group = groups.get(action, action)
        if group not in chosen:
            forms = [family[len(chosen) % len(family)] for family in FAMILIES]
            ways = [WAYS[0 if action in ONCE else (times[form] + n) % len(WAYS)] for n, form in enumerate(forms)]
            chosen[group] = [(form, *way) for form, way in zip(forms, ways, strict=True)]
            times.update(forms if action not in ONCE else ())
        found += [Crossing(form, action, *way) for form, *way in chosen[group]]
    return tuple(found)


def check(crossing: Crossing, folder: Path, **how: Any) -> None:
    """Asserts that a crossing gives what the plain file gives, or is refused as it is known to be."""
    refusal = REFUSALS.get(crossing.action, {}).get(crossing.form)
    if refusal is not None:
        with pytest.raises(Refused, match=re.escape(refusal)):
            do(crossing, folder / "crossing", **how)
        return
    found = do(crossing, folder / "crossing", **how)
    assert differences(expected(crossing.action, folder / "plain"), found) == ""


_EXPECTED: Final[dict[str, Any]] = {}


def expected(action: str, folder: Path) -> Any:
    """What an action gives of the plain file, on one worker; where that is refused, of Parquet."""
    if action not in _EXPECTED:
        form = "parquet" if "plain" in REFUSALS.get(action, {}) else "plain"
        _EXPECTED[action] = do(Crossing(form, action), folder)
    return _EXPECTED[action]


FORM_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "WARC": tuple(form for form in ALL_FORMS if re.match("plain|gzip|zstd|lz4", form)),
    "ARC": tuple(form for form in ALL_FORMS if form.startswith("arc")),
    "WACZ": tuple(form for form in ALL_FORMS if form.startswith("wacz")),
    "JSON Lines": ("jsonl", "jsonl-gzip"),
    "Parquet": ("parquet",),
    "a folder of HTML files": ("folder",),
    "a list of paths": ("list",),
    "a URL": ("http", "s3"),
    "records of an index": ("index",),
    "standard input": ("stdin",),
}
"""What the documentation calls the forms."""
COMMANDS: Final = {
    "append": "`extract --append`",
    "shards with answers": "`retry` of joined shards",
    "retry passing": "`retry`",
    "retry mended": "`retry`",
    "merge and retry": "`retry` after `merge --answers`",
    "ask and spread": "`spread`",
    "compact and spread": "`spread` after `compact`",
    "select warc": "`select --to warc`",
    "index over pages": "`extract --index` over the pages of a run",
    "workbench run": "`serve --run`",
    "workbench archive": "`serve --archive`",
    "text --url": "`text --url`",
    "Spark data source": "Spark's data source",
    "evaluate": "`evaluate --data`",
    "Spark job": "the Spark job",
    "Spark job fused": "the Spark job",
}
"""What the documentation calls the actions that are refused somewhere."""


def named(forms: Sequence[str]) -> str:
    """Forms as the documentation calls them; those of a kind that is not there as a whole, by themselves."""
    names: list[str] = []
    for name, kind in FORM_NAMES.items():
        found = [form for form in kind if form in forms]
        names += [name] if len(found) == len(kind) else [f"`{form}`" for form in found]
    return ", ".join(names)


def summary() -> str:
    """The matrix as the documentation has it: its size, and each refusal."""
    refused: dict[tuple[str, str], list[str]] = {}  # by reason and forms, the commands
    for action, forms in REFUSALS.items():
        for reason in dict.fromkeys(forms.values()):
            key = reason, named([form for form in ALL_FORMS if forms.get(form) == reason])
            refused.setdefault(key, []).append(COMMANDS[action])
    n, n_refused = len(ACTIONS) * len(ALL_FORMS), sum(map(len, REFUSALS.values()))
    size = f"{len(ALL_FORMS)} forms and {len(ACTIONS)} actions make {n:,} crossings"
    lines = [
        f"{size}. {n - n_refused:,} of them give the same rows, and {n_refused} are refused:",
        "",
        "| command | refuses | and says |",
        "|---|---|---|",
        *(f"| {', '.join(dict.fromkeys(who))} | {forms} | {reason} |" for (reason, forms), who in refused.items()),
    ]
    return "\n".join(lines) + "\n"
