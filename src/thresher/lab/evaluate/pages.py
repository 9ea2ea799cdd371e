# SPDX-License-Identifier: Apache-2.0
"""Labelled pages: Parquet files with HTML and gold text."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from thresher.lab.evaluate.decoding import decode_page
from thresher.page.hosts import host_and_domain

_COLUMNS = ("id", "url", "site", "lang", "page_type", "html", "gold", "with", "without", "optional", "classes")
_SUFFIX = ".parquet"
_LISTS = ("with", "without", "classes")
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


def list_datasets(data: Path, names: Sequence[str] = ()) -> list[Path]:
    """The labelled files in a directory, sorted by name, or the file itself; with names only these sets.

    EvaluationError if there is no file, or none of a given name. A set has the name of its file without the suffix.
    """
    files = [data] if data.is_file() else sorted(data.glob(f"*{_SUFFIX}"))
    if not files or files[0].suffix != _SUFFIX:
        raise EvaluationError(f"{data} is neither a labelled file nor a directory of them (Parquet: *{_SUFFIX})")
    known = [file.stem for file in files]
    if unknown := sorted(set(names).difference(known)):
        raise EvaluationError(f"no such set in {data}: {', '.join(unknown)} (there are {', '.join(known)})")
    return [file for file in files if not names or file.stem in names]


def read_pages(file: Path, *, limit: int | None = None) -> Iterator[Page]:
    """The pages of one set that have a gold text, or are known to have no main text, in the order of the file.

    Required columns are html (text or bytes) and gold (text). Optional ones are id, site, url, lang, page_type, with
    and without (lists of text), optional (text that may be kept as well), and classes (a list of text: the class of
    each block). The default id is the row number; the default site comes from the
    URL; a page with neither is a site of its own. Pages whose gold text is null or blank are left out, because they
    have no precision or recall, unless optional is a text, be it empty: such a page has no main text.

    `limit` samples that many pages by the hash of their id: the same pages in every run, whatever their order in the
    file. EvaluationError if html or gold is missing, a value has the wrong type, or the file is damaged.
    """
    try:
        chosen = None if limit is None else _choose(file, limit)
        for number, row in _rows(file, _COLUMNS, chosen):
            if _is_labelled(row):
                yield _page(file.stem, number, row)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise EvaluationError(f"{file}: {error}") from error


def _is_labelled(row: dict[str, Any]) -> bool:
    return bool((row["gold"] or "").strip()) or row.get("optional") is not None


def _rows(
    file: Path, columns: Sequence[str], chosen: Iterable[int] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a labelled file with their numbers, all or the chosen ones; of each the columns that there are."""
    wanted = None if chosen is None else set(chosen)
    parquet = pq.ParquetFile(file)
    names = parquet.schema_arrow.names
    if missing := sorted({"html", "gold"}.difference(names)):
        raise EvaluationError(
            f"{file} has no column {', '.join(missing)}: not a labelled set (--sets names those that are)"
        )
    first = 0
    for batch in parquet.iter_batches(_BATCH, columns=[name for name in columns if name in names]):
        rows = range(first, first + batch.num_rows)
        first += batch.num_rows
        mask = [wanted is None or row in wanted for row in rows]
        numbers = [row for row, take in zip(rows, mask, strict=True) if take]
        for number, row in zip(numbers, batch.filter(pa.array(mask)).to_pylist(), strict=True):
            _check_types(file, number, row)
            yield number, row


def _check_types(file: Path, number: int, row: dict[str, Any]) -> None:
    """EvaluationError for a value that is no text, or in a list of texts something else."""
    for name, value in row.items():
        texts = value if name in _LISTS and isinstance(value, list) else [value]
        if name not in ("id", "html") and not all(text is None or isinstance(text, str) for text in texts):
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
