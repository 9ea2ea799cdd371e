# SPDX-License-Identifier: Apache-2.0
"""Labelled pages: Parquet, JSON Lines or CSV files with HTML and gold text."""

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.lab.evaluate.decoding import decode_page
from thresher.page.hosts import host_and_domain

_COLUMNS = ("id", "url", "site", "lang", "page_type", "html", "gold", "with", "without", "optional", "classes")
_PARQUET, _CSV = (".parquet",), (".csv", ".csv.gz", ".csv.zst")
SUFFIXES = (*_PARQUET, ".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", *_CSV)
"""Suffixes of labelled files."""
_LISTS = ("with", "without", "classes")
_MAX_FIELD = 1 << 28  # bytes of a value in CSV
_BATCH = 64  # rows read at a time: about 10 MB of HTML


class EvaluationError(Exception):
    """The evaluation cannot do what was asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Page:
    """One labelled page. Every system gets the same decoded HTML, so charset detection does not count."""

    dataset: str
    id: str
    site: str  # registered domain; folds keep sites together
    language: str | None  # ISO 639-1 as labelled, None if unknown
    page_type: str | None
    html: bytes  # valid UTF-8
    key: bytes  # SHA-256 of html; cached results are found by it
    gold: str
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    url: str | None = None
    optional: str | None = None  # text that may be kept besides gold; None where that is not known
    classes: tuple[str, ...] | None = None  # of each block, concealed ones too; None where they are not known


def dataset_name(file: Path) -> str:
    """The name of a set: that of its file without the suffix."""
    suffix = max((suffix for suffix in SUFFIXES if file.name.lower().endswith(suffix)), key=len, default="")
    return file.name[: len(file.name) - len(suffix)]


def list_datasets(data: Path, names: Sequence[str] = ()) -> list[Path]:
    """The labelled files in a directory, sorted by name, or the file itself; with names only these sets.

    EvaluationError if there is no file, none of a given name, or two of one name.
    """
    files = [data] if data.is_file() else sorted(each for each in data.glob("*") if each.name.endswith(SUFFIXES))
    if not files or not files[0].name.lower().endswith(SUFFIXES):
        raise EvaluationError(
            f"{data} is neither a labelled file nor a directory of them (Parquet, JSON Lines or CSV: "
            f"{', '.join(SUFFIXES)})"
        )
    known = Counter(map(dataset_name, files))
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise EvaluationError(f"no such set in {data}: {', '.join(unknown)} (there are {', '.join(known)})")
    files = [file for file in files if not names or dataset_name(file) in names]
    for file in files:
        if known[dataset_name(file)] > 1:
            raise EvaluationError(f"{data} holds two sets called {dataset_name(file)}; rename one, or name one file")
    return files


def read_pages(file: Path, *, limit: int | None = None) -> Iterator[Page]:
    """The pages of one set that have a gold text, or are known to have no main text, in the order of the file.

    Required columns are html (text, in Parquet also bytes) and gold (text). Optional ones are id, site, url, lang,
    page_type, with and without (lists of text, in CSV one per line), optional (text that may be kept as well), and
    classes (a list of text: the class of each block). The default id is the row number; the default site comes from the
    URL; a page with neither is a site of its own. Pages whose gold text is null or blank are left out, because they
    have no precision or recall, unless optional is a text, be it empty: such a page has no main text.

    `limit` samples that many pages by the hash of their id: the same pages in every run, whatever their order in the
    file. EvaluationError if html or gold is missing, a value has the wrong type, or the file is damaged.
    """
    try:
        chosen = None if limit is None else _choose(file, limit)
        for number, row in _rows(file, _COLUMNS, chosen):
            if _is_labelled(row):
                yield _page(dataset_name(file), number, row)
    except (OSError, ValueError, csv.Error, pa.ArrowException) as error:
        raise EvaluationError(f"{file}: {error}") from error


def _is_labelled(row: dict[str, Any]) -> bool:
    return bool((row["gold"] or "").strip()) or row.get("optional") is not None


def _rows(
    file: Path, columns: Sequence[str], chosen: Iterable[int] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a labelled file with their numbers, all or the chosen ones; of each the columns that there are."""
    wanted = None if chosen is None else set(chosen)
    name = file.name.lower()
    if name.endswith(_PARQUET):
        yield from _rows_of_parquet(file, columns, wanted)
        return
    read = _rows_of_csv if name.endswith(_CSV) else _rows_of_json
    for number, row in enumerate(read(file)):
        if wanted is None or number in wanted:
            values = {column: row[column] for column in columns if column in row}
            _check_types(file, number, values)
            yield number, values


def _rows_of_parquet(
    file: Path, columns: Sequence[str], wanted: set[int] | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    parquet = pq.ParquetFile(file)
    names = parquet.schema_arrow.names
    _check_names(file, names)
    first = 0
    for batch in parquet.iter_batches(_BATCH, columns=[name for name in columns if name in names]):
        rows = range(first, first + batch.num_rows)
        first += batch.num_rows
        mask = [wanted is None or row in wanted for row in rows]
        numbers = [row for row, take in zip(rows, mask, strict=True) if take]
        yield from zip(numbers, batch.filter(pa.array(mask)).to_pylist(), strict=True)


def _rows_of_json(file: Path) -> Iterator[dict[str, Any]]:
    for number, row in read_json_rows(file):
        _check_names(file, row, f", line {number},")
        yield row


def read_json_rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON Lines, plain or compressed, with the numbers of their lines. EvaluationError for a
    line that holds something else.
    """
    with _lines(file) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                # Halves of surrogate pairs, which JSON can escape, are no text.
                row = json.loads(line, object_hook=_without_surrogates) if "\\u" in line else json.loads(line)
            except ValueError as error:
                raise EvaluationError(f"{file}, line {number}: this is no JSON: {error}") from error
            if not isinstance(row, dict):
                raise EvaluationError(f"{file}, line {number}: this is no JSON object")
            yield number, row


def _without_surrogates(values: dict[str, Any]) -> dict[str, Any]:
    def clean(value: Any) -> Any:  # noqa: ANN401 (any JSON)
        if isinstance(value, list):
            return list(map(clean, value))
        return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value

    return {name: clean(value) for name, value in values.items()}


def _rows_of_csv(file: Path) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(_MAX_FIELD)
    with _lines(file) as lines:
        reader = csv.DictReader(lines)
        _check_names(file, reader.fieldnames or ())
        for row in reader:
            # What is empty is missing, as in most tables that people export.
            values: dict[str, Any] = {name: value or None for name, value in row.items()}
            for name in _LISTS:
                if values.get(name):
                    values[name] = [line for line in values[name].splitlines() if line.strip()]
            yield values


@contextmanager
def _lines(file: Path) -> Iterator[io.TextIOWrapper]:
    stream: Any
    with pa.input_stream(str(file), compression="detect") as stream:
        yield io.TextIOWrapper(stream, encoding="utf-8-sig", newline="\n")


def _check_names(file: Path, names: Iterable[str], where: str = "") -> None:
    missing = {"html", "gold"} - set(names)
    if missing:
        raise EvaluationError(
            f"{file}{where} has no column {', '.join(sorted(missing))}: not a labelled set (--sets names those that "
            "are)"
        )


def _check_types(file: Path, number: int, row: dict[str, Any]) -> None:
    """EvaluationError for a value that is no text, or in a list of texts something else."""
    for name, value in row.items():
        texts = value if name in _LISTS and isinstance(value, list) else [value]
        if name != "id" and not all(text is None or isinstance(text, str) for text in texts):
            raise EvaluationError(f"{file}, row {number}: {name} must be text, not {type(value).__name__}")


def _page(dataset: str, number: int, row: dict[str, Any]) -> Page:
    id_ = _id_of(row.get("id"), number)
    html = row["html"] or b""
    html = decode_page(html.encode("utf-8", "replace") if isinstance(html, str) else html)
    return Page(
        dataset=dataset,
        id=id_,
        site=row.get("site") or site_of(row.get("url")) or id_,
        language=row.get("lang"),
        page_type=row.get("page_type"),
        html=html,
        key=hashlib.sha256(html).digest(),
        gold=(row["gold"] or "").strip() and row["gold"],
        required=tuple(row.get("with") or ()),
        forbidden=tuple(row.get("without") or ()),
        url=row.get("url"),
        optional=row.get("optional"),
        classes=None if row.get("classes") is None else tuple(row["classes"]),
    )


def _id_of(value: object, number: int) -> str:
    return str(number) if value is None else str(value)


def site_of(url: str | None) -> str | None:
    """The registered domain of a URL, or its host where it has none."""
    host, domain = host_and_domain(url) if url else (None, None)
    return domain or host


def _choose(file: Path, limit: int) -> set[int]:
    rows = _rows(file, ("id", "gold", "optional"))
    ids = [(_id_of(row.get("id"), number), number) for number, row in rows if _is_labelled(row)]
    return {number for _, number in sorted(ids, key=lambda id_: hashlib.sha256(id_[0].encode()).digest())[:limit]}


def corpus_hash(pages: Iterable[Page]) -> str:
    """The SHA-256 of the pages' ids, decoded HTML, gold texts and optional texts, in order.

    Runs with the same hash saw the same pages.
    """
    digest = hashlib.sha256()
    for page in pages:
        parts = [page.dataset.encode(), page.id.encode(), page.key, hashlib.sha256(page.gold.encode()).digest()]
        if page.optional is not None:
            parts.append(hashlib.sha256(page.optional.encode()).digest())
        for part in parts:
            digest.update(len(part).to_bytes(4, "little") + part)
    return digest.hexdigest()
