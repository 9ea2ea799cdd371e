# SPDX-License-Identifier: Apache-2.0
"""A database of experiments over time: how each algorithm did on each page (Alarte 2023, figure 14.2).

An experiment is one algorithm on one benchmark, which is a labelled page. The experiments of one evaluation form a run.
The file is SQLite and needs only the standard library, so a service can accept experiments without the extra
`evaluate`.

Algorithms outside Thresher send their experiments as JSON: see `import_experiments`.
"""

import json
import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from thresher._version import __version__

SCHEMA_VERSION: Final = 1

MAX_EXPERIMENTS: Final = 100_000
"""Experiments that one import takes."""
MAX_SCORES: Final = 64
"""Scores of one experiment."""
MAX_TEXT: Final = 2000
"""Characters of a name, a page's id, a version or a note."""
MAX_OPTIONS: Final = 20_000
"""Characters of an algorithm's options as JSON."""

_SCORE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_SHARES: Final = ("_f1", "_precision", "_recall")
_MAIN_METRICS: Final = ("word_cjk_f1", "words_f1", "word_f1", "nodes_f1", "f1")

_TABLES: Final = (
    """
    CREATE TABLE IF NOT EXISTS algorithms (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, kind TEXT NOT NULL, options TEXT NOT NULL,
        UNIQUE (name, version, kind, options)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS benchmarks (
        id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, page TEXT NOT NULL, digest TEXT NOT NULL,
        UNIQUE (dataset, page, digest)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS runs (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, time TEXT NOT NULL, origin TEXT NOT NULL,
        version TEXT NOT NULL, options TEXT NOT NULL, note TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS experiments (
        run INTEGER NOT NULL REFERENCES runs, algorithm INTEGER NOT NULL REFERENCES algorithms,
        benchmark INTEGER NOT NULL REFERENCES benchmarks, status TEXT NOT NULL, milliseconds REAL, scores TEXT NOT NULL,
        PRIMARY KEY (run, algorithm, benchmark)
    ) WITHOUT ROWID
    """,
)


class ExperimentError(ValueError):
    """The experiments or their file cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """What ran."""

    name: str
    version: str
    kind: str = "external"
    """`extractor`, `peer` and so on as in thresher.evaluate.systems; `external` if it was imported."""
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One algorithm on one page of a data set."""

    algorithm: Algorithm
    dataset: str
    page: str
    scores: Mapping[str, float]
    status: str = "ok"
    milliseconds: float | None = None
    digest: str = ""
    """A hash of the page and its gold standard. The same page with another hash is another benchmark."""


@dataclass(frozen=True, slots=True)
class Added:
    """The outcome of submitted experiments."""

    run: int
    """Number of the run that they are in."""
    experiments: int
    new: bool
    """False if the same experiments had been sent before; nothing was changed then."""


@dataclass(frozen=True, slots=True)
class Group:
    """An algorithm's experiments of one run on one data set."""

    run: int
    time: str
    origin: str
    thresher: str
    """Version of Thresher that ran it; empty for imports."""
    note: str
    algorithm: str
    version: str
    kind: str
    options: str
    dataset: str
    pages: int
    failures: int
    milliseconds: float | None
    """Mean over the pages that have a time."""
    means: dict[str, float]
    """Mean of every score over the pages that have it."""


@contextmanager
def _open(file: Path, *, create: bool) -> Iterator[sqlite3.Connection]:
    """The open database, created on request and closed at the end. Raises ExperimentError for another kind of file."""
    if not create and not file.is_file():
        raise ExperimentError(f"{file}: there is no such file")
    try:
        with closing(sqlite3.connect(file, timeout=30, isolation_level=None)) as connection:
            if create and _version(connection) == 0:
                connection.execute("BEGIN IMMEDIATE")  # somebody else may be creating it
                if _version(connection) == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchall():
                    for statement in _TABLES:
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                connection.execute("COMMIT")
            if _version(connection) != SCHEMA_VERSION:
                raise ExperimentError(f"{file}: this is no database of experiments, or one of another version")
            yield connection
    except sqlite3.Error as error:
        raise ExperimentError(f"{file}: {error}") from error


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def check_file(file: Path) -> None:
    """Create the database if there is none. Raises ExperimentError if the file cannot be used."""
    with _open(file, create=True) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")


def add_experiments(
    file: Path,
    experiments: Iterable[Experiment],
    *,
    origin: str = "evaluate",
    options: Mapping[str, Any] | None = None,
    note: str = "",
    time: datetime | None = None,
    key: str | None = None,
) -> Added:
    """Add the experiments of one run, all of them or none.

    `options` are those of the evaluation. If there is already a run with the same `key`, nothing is added. Raises
    ExperimentError if the file cannot be used or the run contains an experiment twice.
    """
    moment = (time or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="microseconds")
    rows = list(experiments)
    with _open(file, create=True) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            added = _insert(connection, rows, moment, origin, _json(options or {}), note, key)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    return added


def _insert(
    connection: sqlite3.Connection,
    rows: list[Experiment],
    moment: str,
    origin: str,
    options: str,
    note: str,
    key: str | None,
) -> Added:
    if key is None:
        key = f"{moment} {origin}"
    known = connection.execute("SELECT id FROM runs WHERE key = ?", (key,)).fetchone()
    if known is not None:
        return Added(known[0], len(rows), new=False)
    version = __version__ if origin == "evaluate" else ""
    cursor = connection.execute(
        "INSERT INTO runs (key, time, origin, version, options, note) VALUES (?, ?, ?, ?, ?, ?)",
        (key, moment, origin, version, options, note),
    )
    run = int(cursor.lastrowid or 0)
    algorithms: dict[tuple[str, ...], int] = {}
    for row in rows:
        algorithm = row.algorithm
        named = (algorithm.name, algorithm.version, algorithm.kind, _json(algorithm.options))
        if named not in algorithms:
            algorithms[named] = _algorithm(connection, named)
        benchmark = _benchmark(connection, _clean(row.dataset), _clean(row.page), row.digest)
        try:
            connection.execute(
                "INSERT INTO experiments VALUES (?, ?, ?, ?, ?, ?)",
                (run, algorithms[named], benchmark, row.status, row.milliseconds, _json(row.scores)),
            )
        except sqlite3.IntegrityError as error:
            raise ExperimentError(
                f"{algorithm.name} {algorithm.version} appears twice on page {row.page} of {row.dataset}"
            ) from error
    return Added(run, len(rows), new=True)


def _algorithm(connection: sqlite3.Connection, named: tuple[str, ...]) -> int:
    """The id of an algorithm, which is added if it is new."""
    connection.execute("INSERT OR IGNORE INTO algorithms (name, version, kind, options) VALUES (?, ?, ?, ?)", named)
    where = "name = ? AND version = ? AND kind = ? AND options = ?"
    return int(connection.execute(f"SELECT id FROM algorithms WHERE {where}", named).fetchone()[0])


def _benchmark(connection: sqlite3.Connection, dataset: str, page: str, digest: str) -> int:
    """The id of a benchmark, which is added if it is new.

    Without a hash, the most recently added version of the page is meant. A page stored without a hash takes the first
    hash given.
    """
    known = connection.execute(
        "SELECT id, digest FROM benchmarks WHERE dataset = ? AND page = ? ORDER BY id DESC", (dataset, page)
    ).fetchall()
    for number, its_digest in known:
        if digest in {"", its_digest}:
            return int(number)
    for number, its_digest in known:
        if not its_digest:
            connection.execute("UPDATE benchmarks SET digest = ? WHERE id = ?", (digest, number))
            return int(number)
    cursor = connection.execute(
        "INSERT INTO benchmarks (dataset, page, digest) VALUES (?, ?, ?)", (dataset, page, digest)
    )
    return int(cursor.lastrowid or 0)


def _json(values: Mapping[str, Any]) -> str:
    return json.dumps(dict(values), sort_keys=True, default=str, allow_nan=False)


def import_experiments(file: Path, document: object) -> Added:
    """Adds experiments of an algorithm outside Thresher; `document` is parsed JSON, or its text.

    ```json
    {"algorithm": {"name": "mine", "version": "1.2", "options": {"depth": 3}},
     "dataset": "wcxb",
     "time": "2026-11-22T10:00:00Z",
     "note": "first try",
     "experiments": [
       {"page": "p17", "scores": {"word_f1": 0.91}, "milliseconds": 3.2, "status": "ok", "digest": "…"}]}
    ```

    `time`, `note` and `options` may be missing, of an experiment everything but `page` and `scores`. Scores whose names
    end in _f1, _precision or _recall lie between 0 and 1. Sending the same document again changes nothing. Raises
    ExperimentError, which says where the document is wrong; nothing is added then.
    """
    if isinstance(document, str | bytes | bytearray):
        try:
            document = json.loads(document)
        except (ValueError, RecursionError) as error:
            raise ExperimentError(f"this is no JSON: {error}") from error
    top = _object(document, "document", {"algorithm", "dataset", "experiments"}, {"time", "note"})
    said = _object(top["algorithm"], "algorithm", {"name", "version"}, {"options"})
    options = said.get("options", {})
    if not isinstance(options, dict):
        raise ExperimentError("algorithm.options: this must be an object")
    try:
        if len(_json(options)) > MAX_OPTIONS:
            raise ExperimentError(f"algorithm.options: more than {MAX_OPTIONS:,} characters")
        canonical = json.dumps(top, sort_keys=True, allow_nan=False).encode()
    except RecursionError as error:
        raise ExperimentError("the document is nested too deeply") from error
    except ValueError as error:
        if isinstance(error, ExperimentError):
            raise
        raise ExperimentError(f"the document has a number that is not finite: {error}") from error
    algorithm = Algorithm(
        _text(said["name"], "algorithm.name"), _text(said["version"], "algorithm.version"), "external", options
    )
    dataset = _text(top["dataset"], "dataset")
    entries = top["experiments"]
    if not isinstance(entries, list) or not 1 <= len(entries) <= MAX_EXPERIMENTS:
        raise ExperimentError(f"experiments: this must be a list of 1 to {MAX_EXPERIMENTS:,} experiments")
    experiments = [
        _experiment(entry, f"experiments[{number}]", algorithm, dataset) for number, entry in enumerate(entries)
    ]
    return add_experiments(
        file,
        experiments,
        origin="import",
        note=_text(top.get("note", ""), "note", empty=True),
        time=_time(top["time"]) if "time" in top else None,
        key="import " + sha256(canonical).hexdigest(),
    )


def _experiment(entry: object, where: str, algorithm: Algorithm, dataset: str) -> Experiment:
    values = _object(entry, where, {"page", "scores"}, {"status", "milliseconds", "digest"})
    scores = values["scores"]
    if not isinstance(scores, dict) or not 1 <= len(scores) <= MAX_SCORES:
        raise ExperimentError(f"{where}.scores: this must be an object of 1 to {MAX_SCORES} scores")
    found = {}
    for name, value in scores.items():
        if not _SCORE_NAME.fullmatch(name):
            raise ExperimentError(f"{where}.scores: {name[:80]!r} is no name of letters, digits, dots and dashes")
        number = _finite(value, f"{where}.scores.{name}")
        if name.endswith(_SHARES) and not 0 <= number <= 1:
            raise ExperimentError(f"{where}.scores.{name}: {number} is not between 0 and 1")
        found[name] = number
    milliseconds = values.get("milliseconds")
    if milliseconds is not None:
        milliseconds = _finite(milliseconds, f"{where}.milliseconds")
        if milliseconds < 0:
            raise ExperimentError(f"{where}.milliseconds: {milliseconds} is less than 0")
    return Experiment(
        algorithm,
        dataset,
        _text(values["page"], f"{where}.page"),
        found,
        _text(values.get("status", "ok"), f"{where}.status"),
        milliseconds,
        _text(values.get("digest", ""), f"{where}.digest", empty=True),
    )


def _object(value: object, where: str, required: set[str], optional: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ExperimentError(f"{where}: this must be an object")
    missing, unknown = required - value.keys(), value.keys() - required - optional
    if missing:
        raise ExperimentError(f"{where}: {', '.join(sorted(missing))} is missing")
    if unknown:
        names = ", ".join(repr(name[:80]) for name in sorted(unknown)[:5])
        raise ExperimentError(f"{where}: unknown {names} (known: {', '.join(sorted(required | optional))})")
    return value


def _text(value: object, where: str, *, empty: bool = False) -> str:
    if not isinstance(value, str) or not (empty or value.strip()) or len(value) > MAX_TEXT:
        raise ExperimentError(f"{where}: this must be a text of at most {MAX_TEXT} characters")
    return _clean(value)


def _clean(text: str) -> str:
    """The text without unpaired surrogates, which JSON escapes and file names can contain."""
    return text.encode("utf-8", "replace").decode()


def _finite(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExperimentError(f"{where}: this must be a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ExperimentError(f"{where}: this must be a finite number")
    return number


def _time(value: object) -> datetime:
    try:
        moment = datetime.fromisoformat(_text(value, "time"))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ExperimentError("time: this must be a time such as 2026-11-22T10:00:00Z") from error


_ROWS: Final = """
SELECT run, algorithm, dataset, page, digest, status, milliseconds, scores
FROM experiments JOIN benchmarks ON benchmarks.id = benchmark
ORDER BY run, algorithm, dataset, page, digest
"""


def groups(file: Path) -> list[Group]:
    """All experiments, summarised by run, algorithm and data set; oldest first. Raises ExperimentError for another kind
    of file.
    """
    with _open(file, create=False) as connection:
        return sorted((group for group, _ in _grouped(connection)), key=_by_time)


def _by_time(group: Group) -> tuple[str, int, str, str]:
    return group.time, group.run, group.dataset, group.algorithm


def _grouped(connection: sqlite3.Connection) -> Iterator[tuple[Group, list[tuple[Any, ...]]]]:
    """Each group with its rows: page, digest, status, milliseconds, scores. Holds one group in memory at a time."""
    runs = {
        row[0]: row[1:] for row in connection.execute("SELECT id, time, origin, version, note FROM runs").fetchall()
    }
    algorithms = {
        row[0]: row[1:]
        for row in connection.execute("SELECT id, name, version, kind, options FROM algorithms").fetchall()
    }
    for (run, algorithm, dataset), found in groupby(connection.execute(_ROWS), key=lambda row: row[:3]):
        rows = [(*row[3:7], json.loads(row[7])) for row in found]
        yield _group(run, runs[run], algorithms[algorithm], dataset, rows), rows


def _group(
    run: int, of_run: tuple[Any, ...], algorithm: tuple[Any, ...], dataset: str, rows: list[tuple[Any, ...]]
) -> Group:
    times = [row[3] for row in rows if row[3] is not None]
    values: dict[str, list[float]] = {}
    for row in rows:
        for score, value in row[4].items():
            values.setdefault(score, []).append(value)
    time, origin, thresher, note = of_run
    name, version, kind, options = algorithm
    return Group(
        run=run,
        time=time,
        origin=origin,
        thresher=thresher,
        note=note,
        algorithm=name,
        version=version,
        kind=kind,
        options=options,
        dataset=dataset,
        pages=len(rows),
        failures=sum(row[2] != "ok" for row in rows),
        milliseconds=sum(times) / len(times) if times else None,
        means={score: sum(each) / len(each) for score, each in sorted(values.items())},
    )


def main_metric(means: Mapping[str, float], wanted: str | None = None) -> str | None:
    """The score to show: the requested one, otherwise the first of the main ones; None if there is none."""
    if wanted is not None:
        return wanted if wanted in means else None
    by_rank = [name for name in _MAIN_METRICS if name in means]
    return next(iter([*by_rank, *(name for name in means if name.endswith("_f1")), *means]), None)


def write_page(file: Path, metric: str | None = None) -> str:
    """A self-contained page of HTML: experiments over time, and any two of them page by page.

    It has one score per page: `metric`, or the main one of each data set.
    """
    pages: dict[tuple[str, str, str], int] = {}
    found = []
    with _open(file, create=False) as connection:
        for group, rows in _grouped(connection):
            name = main_metric(group.means, metric)
            if name is not None:
                found.append((_by_time(group), _entry(group, name, rows, pages)))
    entries = [entry for _, entry in sorted(found, key=lambda each: each[0])]
    data = json.dumps({"groups": entries, "pages": [page for _, page, _ in pages]}, separators=(",", ":"))
    # So that no name can close the script element or begin a comment in it.
    for letter in "<>&\u2028\u2029":
        data = data.replace(letter, f"\\u{ord(letter):04x}")
    page = (files("thresher.evaluate") / "experiments.html").read_text(encoding="utf-8")
    return page.replace("/*DATA*/null", data, 1)


def _entry(
    group: Group, metric: str, rows: list[tuple[Any, ...]], pages: dict[tuple[str, str, str], int]
) -> dict[str, Any]:
    """A group in the form that the page of HTML needs. `pages` numbers all pages; those of the group are added."""
    return {
        "run": group.run,
        "time": group.time[:19].replace("T", " "),
        "origin": group.origin,
        "thresher": group.thresher,
        "note": group.note,
        "algorithm": group.algorithm,
        "version": group.version,
        "options": "" if group.options == "{}" else group.options,
        "dataset": group.dataset,
        "n": group.pages,
        "failures": group.failures,
        "ms": _rounded(group.milliseconds, 3),
        "metric": metric,
        "means": {key: _rounded(value, 4) for key, value in group.means.items()},
        "pages": [pages.setdefault((group.dataset, row[0], row[1]), len(pages)) for row in rows],
        "values": [_rounded(row[4].get(metric), 3) for row in rows],
        "times": [_rounded(row[3], 2) for row in rows],
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
