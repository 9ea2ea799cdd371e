# SPDX-License-Identifier: Apache-2.0
"""How often titles, authors, dates and the kind of a page are right, beside other libraries.

The labels are columns of Parquet files: `date` (ISO 8601), `title`, `authors` (a list), `page_type`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any, Final

import pyarrow.parquet as pq
from rapidfuzz.fuzz import ratio

from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.folds import site_fold
from thresher.lab.evaluate.pages import EvaluationError

ALIKE: Final = 80.0
"""Titles are alike from this similarity on: rapidfuzz's ratio of their letters and digits, 0 to 100."""

_LABELS: Final = ("date", "title", "authors")


@dataclass(frozen=True, slots=True)
class Said:
    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None  # ISO 8601


@dataclass(slots=True)
class Score:
    pages: int = 0
    seconds: float = 0.0
    dates: Counter[str] = field(default_factory=Counter)
    """right, wrong, none; and any."""
    titles: Counter[str] = field(default_factory=Counter)
    """exact (the same letters and digits), alike, found, gold."""
    authors: Counter[str] = field(default_factory=Counter)
    """right, found, gold (names); same, pages (pages with a name in the gold)."""

    def add(self, said: Said, row: dict[str, Any]) -> None:
        self.pages += 1
        if day := _day(row.get("date")):
            self.dates["right" if said.date == day else "wrong" if said.date else "none"] += 1
        if gold := key(row.get("title")):
            title = key(said.title)
            self.titles["gold"] += 1
            self.titles["found"] += bool(title)
            self.titles["exact"] += title == gold
            self.titles["alike"] += ratio(title, gold) >= ALIKE
        if (labelled := row.get("authors")) is not None:
            names, found = _names(labelled), _names(said.authors)
            self.authors["right"] += len(names & found)
            self.authors["found"] += len(found)
            self.authors["gold"] += len(names)
            self.authors["pages"] += bool(names)
            self.authors["same"] += bool(names) and names == found

    def cells(self) -> list[str]:
        """What a line of the table shows; see HEAD."""
        dates, titles, authors = self.dates, self.titles, self.authors
        days = dates.total()
        return [
            str(self.pages),
            *(_share(dates[name], days) for name in ("right", "wrong", "none")),
            *(_share(titles["alike"], titles[of]) for of in ("found", "gold")),
            _share(titles["exact"], titles["gold"]),
            *(_share(authors["right"], authors[of]) for of in ("found", "gold")),
            _share(authors["same"], authors["pages"]),
            f"{1000 * self.seconds / max(1, self.pages):.2f}",
        ]


HEAD: Final = (
    "system", "set", "pages", "date right", "wrong", "none", "title P", "title R", "exact", "author P", "author R",
    "all authors", "ms",
)  # fmt: skip


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else ""


def key(text: str | None) -> str:
    """Letters and digits in lower case: what titles and names are compared by."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text or "").casefold())


def _names(texts: Sequence[str]) -> set[str]:
    """Names in a list; some gold has several names in one entry, apart by commas."""
    return {key(name) for text in texts for name in text.split(",")} - {""}


def _day(text: object) -> str | None:
    try:
        return date.fromisoformat(str(text)[:10]).isoformat()
    except ValueError:
        return None


Reader = Callable[[bytes, str | None], Said]


def _thresher() -> Reader:
    from thresher.page.extraction import PageExtractor

    extractor = PageExtractor()

    def read(page: bytes, url: str | None) -> Said:
        extractor.parse(page)
        said = extractor.metadata(url)
        names = tuple(said.author.split("; ")) if said.author else ()
        return Said(said.title, names, said.date.isoformat() if said.date else None)

    return read


def _trafilatura() -> Reader:
    from trafilatura.metadata import extract_metadata

    def read(page: bytes, url: str | None) -> Said:
        said = extract_metadata(page.decode(), default_url=url)
        names = tuple(said.author.split("; ")) if said.author else ()
        return Said(said.title, names, said.date)

    return read


def _htmldate() -> Reader:
    from htmldate import find_date

    def read(page: bytes, url: str | None) -> Said:
        return Said(date=find_date(page.decode(), url=url))

    return read


READERS: Final[dict[str, Callable[[], Reader]]] = {
    "thresher": _thresher,
    "trafilatura": _trafilatura,
    "htmldate": _htmldate,
}


def labelled_files(data: Path, names: Sequence[str] = ()) -> list[Path]:
    """The Parquet files with labels of metadata in a folder and its folders, or the file itself; with names only these
    sets. EvaluationError if there is none.
    """
    paths = [data] if data.is_file() else sorted(data.rglob("*.parquet"))
    found = [
        path
        for path in paths
        if (not names or path.stem in names) and not set(_LABELS).isdisjoint(pq.read_schema(path).names)
    ]
    if not found:
        raise EvaluationError(f"no Parquet file in {data} has a column date, title or authors")
    return found


def measure(
    files: Sequence[Path], systems: Sequence[str], *, limit: int | None = None, half: int | None = None
) -> Iterator[tuple[str, str, Score]]:
    """The score of each system on each set, and over all sets under the name "all".

    `half` takes the sites of one half alone, 0 or 1, so that rules chosen on one can be judged on the other. A page on
    which a library raises counts as one on which it finds nothing.
    """
    readers = {name: READERS[name]() for name in systems}
    totals = {name: Score() for name in systems}
    for path in files:
        columns = [name for name in pq.read_schema(path).names if name in {"html", "url", "site", *_LABELS}]
        scores = {name: Score() for name in systems}
        for row in pq.read_table(path, columns=columns).slice(0, limit).to_pylist():
            if half is not None and site_fold(row.get("site") or "", 2) != half:
                continue
            page = decode_page(row["html"])
            for name, read in readers.items():
                before = process_time()
                try:
                    said = read(page, row.get("url"))
                except Exception:
                    if name == "thresher":
                        raise
                    said = Said()
                seconds = process_time() - before
                for score in (scores[name], totals[name]):
                    score.seconds += seconds
                    score.add(said, row)
        for name in systems:
            yield name, path.stem, scores[name]
    for name in systems:
        yield name, "all", totals[name]
