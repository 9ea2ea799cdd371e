# SPDX-License-Identifier: Apache-2.0
"""Labelled pages: Parquet files with HTML and gold text."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.evaluate.decoding import decode_page
from thresher.page.hosts import host_and_domain

_COLUMNS = ("id", "url", "site", "lang", "page_type", "html", "gold", "with", "without")
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


def list_datasets(data: Path, names: Sequence[str] = ()) -> list[Path]:
    """The Parquet files in a directory, sorted, or the file itself; with names only these sets.

    EvaluationError if there is no file, or none of a given name.
    """
    files = [data] if data.is_file() else sorted(data.glob("*.parquet"))
    if not files:
        raise EvaluationError(f"{data} is neither a Parquet file nor a directory with Parquet files")
    unknown = sorted(set(names) - {file.stem for file in files})
    if unknown:
        raise EvaluationError(
            f"no such set in {data}: {', '.join(unknown)} (there are {', '.join(f.stem for f in files)})"
        )
    return [file for file in files if not names or file.stem in names]


def read_pages(file: Path, *, limit: int | None = None) -> Iterator[Page]:
    """The pages of one set that have a gold text, in the order of the file.

    Required columns are html (bytes or text) and gold (text). Optional ones are id, site, url, lang, page_type, with
    and without. The default id is the row number; the default site comes from the URL; a page with neither is a site of
    its own. Pages whose gold text is null or blank are left out, because they have no precision or recall.

    `limit` samples that many pages by the hash of their id: the same pages in every run, whatever their order in the
    file. EvaluationError if html or gold is missing or the file is damaged.
    """
    try:
        parquet = pq.ParquetFile(file)
        names = parquet.schema_arrow.names
        missing = {"html", "gold"} - set(names)
        if missing:
            raise EvaluationError(
                f"{file} has no column {', '.join(sorted(missing))}: not a labelled set (--sets names those that are)"
            )
        chosen = None if limit is None else _choose(parquet, limit)
        first = 0
        for batch in parquet.iter_batches(_BATCH, columns=[name for name in _COLUMNS if name in names]):
            rows = range(first, first + batch.num_rows)
            first += batch.num_rows
            wanted = pa.array([chosen is None or row in chosen for row in rows])
            numbers = [row for row, take in zip(rows, wanted.to_pylist(), strict=True) if take]
            for number, values in zip(numbers, batch.filter(wanted).to_pylist(), strict=True):
                if (values["gold"] or "").strip():
                    yield _page(file.stem, number, values)
    except (OSError, pa.ArrowException) as error:
        raise EvaluationError(f"{file}: {error}") from error


def _page(dataset: str, number: int, row: dict[str, Any]) -> Page:
    """The page in a row of a labelled set."""
    id_ = _id_of(row.get("id"), number)
    html = row["html"] or b""
    html = decode_page(html.encode("utf-8", "replace") if isinstance(html, str) else html)
    return Page(
        dataset=dataset,
        id=id_,
        site=row.get("site") or _site_of(row.get("url")) or id_,
        language=row.get("lang"),
        page_type=row.get("page_type"),
        html=html,
        key=hashlib.sha256(html).digest(),
        gold=row["gold"],
        required=tuple(row.get("with") or ()),
        forbidden=tuple(row.get("without") or ()),
        url=row.get("url"),
    )


def _id_of(value: object, number: int) -> str:
    return str(number) if value is None else str(value)


def _site_of(url: str | None) -> str | None:
    """The registered domain of a URL, or its host where it has none."""
    host, domain = host_and_domain(url) if url else (None, None)
    return domain or host


def _choose(parquet: pq.ParquetFile, limit: int) -> set[int]:
    """The row numbers of a sample."""
    columns = [name for name in ("id", "gold") if name in parquet.schema_arrow.names]
    rows = parquet.read(columns=columns).to_pylist()
    ids = [(_id_of(row.get("id"), number), number) for number, row in enumerate(rows) if (row["gold"] or "").strip()]
    return {number for _, number in sorted(ids, key=lambda id_: hashlib.sha256(id_[0].encode()).digest())[:limit]}


def corpus_hash(pages: Iterable[Page]) -> str:
    """The SHA-256 of the pages' ids, decoded HTML and gold texts, in order.

    Runs with the same hash saw the same pages.
    """
    digest = hashlib.sha256()
    for page in pages:
        for part in (page.dataset.encode(), page.id.encode(), page.key, hashlib.sha256(page.gold.encode()).digest()):
            digest.update(len(part).to_bytes(4, "little") + part)
    return digest.hexdigest()
