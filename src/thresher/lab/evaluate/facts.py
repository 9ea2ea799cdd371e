# SPDX-License-Identifier: Apache-2.0
"""How often a page's title, author, date, site and type are right, wrong, missing or invented, beside other libraries.

Labels are columns of the Parquet files that hold the pages: `title`, `authors` (a list), `date` (ISO 8601); or a file
of its own, as benchmarks/fixtures/facts.tsv is: a line a page, with tabs between the file of the page, its hash, the
annotator, type, title, author (several apart by ";"), date and site, "-" where the page has none.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Final

import pyarrow.parquet as pq

from thresher.lab.evaluate.block_classes import page_id
from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.page_groups import GROUPINGS, summed
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.peers import FACT_READERS, ReadFacts
from thresher.page_types import GROUP_OF_TYPE

if TYPE_CHECKING:
    from thresher.lab.evaluate.intervals import Mean

FIELDS: Final = ("title", "author", "date", "modified", "site", "type", "group")
HEAD: Final = ("pages", *(name for each in FIELDS for name in (each, "not")), "ms")
"""Of a table, behind the system and the group: the share that is right of those that have one, and that is wrong or
invented of all."""

LABELLED: Final = ("type", "title", "author", "date", "site")
"""Facts in the order of a line of labels,"""
NONE: Final = "-"
"""the value of one that the page does not have,"""
UPDATED: Final = "u"
"""and what stands behind a date that is the day of the last change, as the day of publication is not known."""
_ALIKE: Final = 0.8
"""Of the longer of two texts, from which on one that holds the other says the same."""

Facts = Mapping[str, str]
"""Values by the names of FIELDS: "" for a fact that the page does not have; what nobody labelled is not there."""


@dataclass(slots=True)
class Score:
    """Counts over the pages of a set."""

    pages: int = 0
    seconds: float = 0.0
    outcomes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By field: right, wrong, missing, invented, empty (rightly)."""

    def add(self, said: Facts, gold: Facts) -> None:
        """Counts one page."""
        self.pages += 1
        for name, right in gold.items():
            self.outcomes[name][outcome(name, said.get(name, ""), right)] += 1

    def cells(self) -> list[str]:
        """What a line of the table shows; see HEAD."""
        shares = [share for name in FIELDS for share in self.shares(name)]
        return [str(self.pages), *shares, f"{1000 * self.seconds / max(1, self.pages):.2f}"]

    def shares(self, name: str) -> tuple[str, str]:
        """Of a fact: what is right of the pages that have it, and wrong or invented of all; "" where there are none."""
        counts = self.outcomes[name]
        there = counts["right"] + counts["wrong"] + counts["missing"]
        return _share(counts["right"], there), _share(counts["wrong"] + counts["invented"], counts.total())


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else ""


def outcome(name: str, said: str, right: str) -> str:
    """What a value is beside the right one: right, wrong, missing, invented or empty."""
    if not right:
        return "invented" if said else "empty"
    if not said:
        return "missing"
    return "right" if _RIGHT[name](said, right) else "wrong"


def _same_text(said: str, right: str) -> bool:
    """True if the letters and digits are the same, or those of one are most of the other's."""
    short, long = sorted((key(said), key(right)), key=len)
    return short == long or (short in long and len(short) >= _ALIKE * len(long))


def _same_names(said: str, right: str) -> bool:
    """True if the names are the same, or one list has all of the other's."""
    ours, theirs = _names(said), _names(right)
    return bool(ours) and (ours <= theirs or ours >= theirs)


def _same_day(said: str, right: str) -> bool:
    """True if the days are the same as far as the right one is known."""
    return said.startswith(right)


_RIGHT: Final[dict[str, Callable[[str, str], bool]]] = {
    "title": _same_text,
    "author": _same_names,
    "date": _same_day,
    "modified": _same_day,
    "site": _same_text,
    "type": str.__eq__,
    "group": str.__eq__,
}


def key(text: str | None) -> str:
    """Letters and digits in lower case: what titles and names are compared by."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text or "").casefold())


def _names(text: str) -> set[str]:
    """Names, apart by semicolons; some gold has commas between them."""
    return {key(name) for name in re.split("[;,]", text)} - {""}


# --- labels ---


def read_labels(path: Path) -> dict[str, Facts]:
    """The labels of a file of their own, by the hashes of the pages; the last line of a page counts.

    EvaluationError for a line that is not one of labels.
    """
    found: dict[str, Facts] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE), 1):
            if len(row) != 8 or row[3] not in GROUP_OF_TYPE:
                raise EvaluationError(
                    f"{path}, line {number}: expected file, page, annotator, type, title, author, date and site"
                )
            values = ["" if value == NONE else value for value in row[3:]]
            facts = dict(zip(LABELLED, values, strict=True))
            if facts["date"].endswith(UPDATED):
                facts["modified"] = facts.pop("date").removesuffix(UPDATED)
            found[row[1]] = {**facts, "group": GROUP_OF_TYPE[facts["type"]]}
    return found


def _labels_of(row: Mapping[str, Any]) -> Facts:
    """The labels in a page's own columns."""
    facts = {}
    if day := _day(row.get("date")):
        facts["date"] = day
    if row.get("title"):
        facts["title"] = row["title"]
    if row.get("authors") is not None:
        facts["author"] = "; ".join(row["authors"])
    return facts


def _day(text: object) -> str | None:
    try:
        return date.fromisoformat(str(text)[:10]).isoformat()
    except ValueError:
        return None


# --- systems ---


def _thresher() -> ReadFacts:
    from thresher.page.page_extractor import PageExtractor

    extractor = PageExtractor()

    def read(page: bytes, url: str | None) -> Facts:
        extractor.extract(page, url)
        said = extractor.metadata(url)
        found = {
            "title": said.title, "author": said.author, "date": said.date and said.date.isoformat(),
            "modified": said.date_modified and said.date_modified.isoformat(), "site": said.site_name,
            "type": said.type, "group": said.type and GROUP_OF_TYPE[said.type],
        }  # fmt: skip
        return {name: value for name, value in found.items() if value}

    return read


READERS: Final[dict[str, Callable[[], ReadFacts]]] = {"thresher": _thresher, **FACT_READERS}


# --- measuring ---


def labelled_files(data: Path, names: Sequence[str] = (), labels: object = None) -> list[Path]:
    """The Parquet files with pages that have labels in a folder and its folders, or the file itself; with names only
    these sets. With `labels` of a file of their own, all files with pages. EvaluationError if there is none.
    """
    paths = [data] if data.is_file() else sorted(data.rglob("*.parquet"))
    wanted = {"html"} if labels else {"date", "title", "authors"}
    found = [
        path
        for path in paths
        if (not names or path.stem in names) and not wanted.isdisjoint(pq.read_schema(path).names)
    ]
    if not found:
        raise EvaluationError(
            f"no Parquet file in {data} has a column {'html' if labels else 'date, title or authors'}"
        )
    return found


def labelled_pages(
    path: Path, labels: Mapping[str, Facts] | None = None
) -> Iterator[tuple[bytes, dict[str, Any], Facts]]:
    """The pages of a file that have labels: HTML in UTF-8, the other columns, and what is right."""
    names = {"html", "url", "site", "lang", "year"} | ({"date", "title", "authors"} if labels is None else set())
    file = pq.ParquetFile(path)
    for batch in file.iter_batches(64, columns=[name for name in file.schema_arrow.names if name in names]):
        for row in batch.to_pylist():
            html = row.pop("html") or b""
            page = decode_page(html.encode() if isinstance(html, str) else html)
            gold = _labels_of(row) if labels is None else labels.get(page_id(page))
            if gold is not None:
                yield page, row, gold


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled page, and what systems say of it."""

    site: str
    groups: Mapping[str, str]
    """By `set` and the names of GROUPINGS."""
    gold: Facts
    said: Mapping[str, Facts]
    """By the systems' names."""
    seconds: Mapping[str, float]


def judge(
    files: Sequence[Path],
    readers: Mapping[str, ReadFacts],
    *,
    labels: Mapping[str, Facts] | None = None,
    limit: int | None = None,
) -> Iterator[Judged]:
    """What each system says of the labelled pages of files, at most `limit` of each.

    A page on which a library raises counts as one on which it finds nothing.
    """
    for path in files:
        for number, (page, row, gold) in enumerate(labelled_pages(path, labels)):
            if number == limit:
                break
            said: dict[str, Facts] = {}
            seconds = {}
            for name, read in readers.items():
                before = process_time()
                try:
                    said[name] = read(page, row.get("url"))
                except Exception:
                    if name == "thresher":
                        raise
                    said[name] = {}
                seconds[name] = process_time() - before
            groups = {name: group_of(row, gold, page) for name, group_of in GROUPINGS.items()}
            site = row.get("site") or f"{path.stem}/{number}"
            yield Judged(site, {"set": path.stem, **groups}, gold, said, seconds)


def measure(pages: Sequence[Judged], by: str = "set") -> Iterator[tuple[str, str, Score]]:
    """The score of each system on the pages of each group of a kind (`set` or one of GROUPINGS, where small groups are
    one), and over all pages under the name "all".
    """
    found = [page.groups[by] for page in pages]
    names = {name: name for name in found} if by == "set" else summed(found)
    order = dict.fromkeys((*names.values(), "all"))
    scores: dict[str, dict[str, Score]] = defaultdict(lambda: {name: Score() for name in order})
    for page, group in zip(pages, found, strict=True):
        for system, said in page.said.items():
            for score in (scores[system][names[group]], scores[system]["all"]):
                score.seconds += page.seconds[system]
                score.add(said, page.gold)
    for group in order:
        for system in scores:
            yield system, group, scores[system][group]


def estimates(pages: Sequence[Judged]) -> Iterator[tuple[str, str, int, Mean, Mean]]:
    """For each fact and system that says it of a page: the pages that are labelled, the share that is right of those
    that have the fact, and that is wrong or invented of all; with intervals of a bootstrap over sites.
    """
    for fact in FIELDS:
        labelled = [page for page in pages if fact in page.gold]
        having = [page for page in labelled if page.gold[fact]]
        for system in dict.fromkeys(name for page in labelled for name in page.said) if having else ():
            if any(fact in page.said[system] for page in labelled):
                right = _share_of(having, fact, system, ("right",))
                yield fact, system, len(labelled), right, _share_of(labelled, fact, system, ("wrong", "invented"))


def _share_of(pages: Sequence[Judged], fact: str, system: str, wanted: Collection[str]) -> Mean:
    import numpy as np

    from thresher.lab.evaluate.intervals import bootstrap  # the service imports this module, and needs no numpy

    found = [outcome(fact, page.said[system].get(fact, ""), page.gold[fact]) in wanted for page in pages]
    return bootstrap(np.array(found, float)[:, None], [page.site for page in pages])[0]
