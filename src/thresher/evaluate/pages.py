# SPDX-License-Identifier: Apache-2.0
"""Labelled pages: Parquet files with HTML and gold text."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.evaluate.decoding import decode_page

_COLUMNS = ("id", "url", "site", "lang", "page_type", "html", "gold", "with", "without")
_BATCH = 64  # rows read at a time: about 10 MB of HTML


class EvaluationError(Exception):
    """What the user asked for cannot be evaluated; the message says why."""


@dataclass(frozen=True, slots=True)
class Page:
    """One labelled page. The HTML is decoded once and alike for every system, so that none is measured by its charset detection."""

    dataset: str
    id: str
    site: str  # registered domain: splits are grouped by it
    language: str | None  # ISO 639-1 as labelled, None where unknown
    page_type: str | None
    html: bytes  # valid UTF-8
    key: bytes  # SHA-256 of html: what cached results are found by
    gold: str
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    url: str | None = None


def list_datasets(data: Path, names: Sequence[str] = ()) -> list[Path]:
    """The Parquet files in a directory (or the file itself), sorted, only those named if names are given.

    EvaluationError where there are none, or a name is unknown.
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

    With a limit, that many pages, chosen by the hash of their id: the same ones at every run, whatever the file's order. Pages whose gold is null
    or blank are left out: nothing can be said about precision or recall there. EvaluationError where id, html or gold is missing.
    """
    try:
        parquet = pq.ParquetFile(file)
    except (OSError, pa.ArrowException) as error:
        raise EvaluationError(f"{file}: {error}") from error
    present = [name for name in _COLUMNS if name in parquet.schema_arrow.names]
    missing = {"id", "html", "gold"} - set(present)
    if missing:
        raise EvaluationError(f"{file} has no column {', '.join(sorted(missing))}: not a labelled set")
    chosen = None if limit is None else _choose(parquet, limit)
    for batch in parquet.iter_batches(_BATCH, columns=present):
        for row in batch.to_pylist():
            if not (row["gold"] or "").strip() or (chosen is not None and row["id"] not in chosen):
                continue
            html = decode_page(row["html"])
            yield Page(
                dataset=file.stem,
                id=row["id"],
                site=row.get("site") or row["id"],
                language=row.get("lang"),
                page_type=row.get("page_type"),
                html=html,
                key=hashlib.sha256(html).digest(),
                gold=row["gold"],
                required=tuple(row.get("with") or ()),
                forbidden=tuple(row.get("without") or ()),
                url=row.get("url"),
            )


def _choose(parquet: pq.ParquetFile, limit: int) -> set[str]:
    rows = parquet.read(columns=["id", "gold"]).to_pylist()
    ids = [row["id"] for row in rows if (row["gold"] or "").strip()]
    return set(sorted(ids, key=lambda id_: hashlib.sha256(id_.encode()).digest())[:limit])


def corpus_hash(pages: Iterable[Page]) -> str:
    """The SHA-256 of ids, decoded HTML and gold of the pages, in their order; two runs with the same hash saw the same pages."""
    digest = hashlib.sha256()
    for page in pages:
        for part in (page.dataset.encode(), page.id.encode(), page.key, hashlib.sha256(page.gold.encode()).digest()):
            digest.update(len(part).to_bytes(4, "little") + part)
    return digest.hexdigest()
