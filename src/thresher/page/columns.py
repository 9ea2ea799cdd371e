# SPDX-License-Identifier: Apache-2.0
"""The source of each column of `pages`.

The tables and the JSON of `thresher text` are both filled from here. pyarrow is not needed: what a column is (its type,
number and description) stands in thresher.schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NamedTuple

from thresher._version import __version__
from thresher.page.result import PageResult


class NotArchived(NamedTuple):
    """Takes the place of the capture for a page that is not from an archive."""

    url: str | None


@dataclass(slots=True)
class PageRow:
    """What a row of `pages` is made of."""

    capture: Any
    """A Capture, or a NotArchived for a page that is not from an archive."""
    result: PageResult
    extractor: str
    """Name of the first extractor."""
    host: str | None = None
    domain: str | None = None
    segment: str | None = None
    """Common Crawl's segment that the archive belongs to."""


Source = str | Callable[[PageRow], Any]
"""The path of an attribute of a PageRow, or a function of one."""


def _microseconds(stage: str) -> Source:
    def read(row: PageRow) -> int | None:
        time = row.result.nanoseconds.get(stage)
        return None if time is None else time // 1000

    return read


def _version(_: PageRow) -> str:
    return __version__


def not_known_yet(_: PageRow) -> None:
    """The source of a column that only the second pass fills."""


PAGES: Final[dict[str, Source]] = {
    "url": "capture.url",
    "url_host_name": "host",
    "url_host_registered_domain": "domain",
    "fetch_time": "capture.fetch_time",
    "fetch_status": "capture.fetch_status",
    "content_digest": "capture.content_digest",
    "content_mime_type": "capture.content_mime_type",
    "content_mime_detected": "capture.content_mime_detected",
    "content_charset": "result.charset",
    "content_languages": "capture.content_languages",
    "content_truncated": "capture.content_truncated",
    "warc_filename": "capture.warc_filename",
    "warc_record_offset": "capture.warc_record_offset",
    "warc_record_length": "capture.warc_record_length",
    "warc_record_number": "capture.warc_record_number",
    "warc_segment": "segment",
    "warc_record_id": "capture.warc_record_id",
    "title": "result.metadata.title",
    "text": "result.text",
    "language": "result.language",
    "language_score": "result.language_score",
    "charset_source": "result.charset_source",
    "n_nodes": "result.n_nodes",
    "n_words": "result.n_words",
    "text_density": "result.text_density",
    "link_density": "result.link_density",
    "template_share": not_known_yet,
    "confidence": "result.confidence",
    "status": "result.status",
    "extractor": "extractor",
    "extractor_version": _version,
    "date": "result.metadata.date",
    "author": "result.metadata.author",
    "description": "result.metadata.description",
    "site_name": "result.metadata.site_name",
    "canonical_url": "result.metadata.canonical_url",
    "language_declared": "result.metadata.language",
    "date_modified": "result.metadata.date_modified",
    "text_source": "result.text_source",
    "type": "result.metadata.type",
    "type_score": "result.metadata.type_score",
    "type_group": "result.metadata.type_group",
    "hidden_share": "result.hidden_share",
    "text_partial": "result.text_partial",
    "html": "result.html",
    "outlinks": "result.outlinks",
    "text_rendered": "result.text_rendered",
    "duplicate_of": not_known_yet,
    "duplicate_reason": not_known_yet,
}
"""The columns that every run writes, times and further texts aside; those of ON_REQUEST only on request."""

ON_REQUEST: Final = frozenset(("html", "outlinks", "text_rendered"))

OF_THE_PAGE: Final = tuple(
    name
    for name, source in PAGES.items()
    if name in {"url", "extractor", "extractor_version"}
    or (isinstance(source, str) and source.startswith("result.") and name not in ON_REQUEST)
)
"""The columns of a page that is not from an archive."""


def stage_times(stages: Iterable[str]) -> dict[str, Source]:
    """Sources of the columns with the microseconds of each stage."""
    return {f"{stage}_us": _microseconds(stage) for stage in stages}


def of_part(part: str, name: str) -> Source:
    """The source of a column that is a field of `rights` or `structured_data`, which only some runs read."""

    def read(row: PageRow) -> Any:  # noqa: ANN401 (a value of any column)
        found = getattr(row.result, part)
        return None if found is None else getattr(found, name)

    return read


def values(source: Source, rows: Sequence[PageRow]) -> list[Any]:
    """The values of a column."""
    return list(map(attrgetter(source) if isinstance(source, str) else source, rows))


def text_column(extractor: str) -> str:
    """Name of the column with the text of an extractor that is not a run's first."""
    if extractor == "density":
        return "text_by_density"  # text_density is a figure of the page
    return f"text_{extractor.replace('-', '_')}"


def further_sources(extractors: Iterable[str]) -> dict[str, Source]:
    """The sources of the text columns of further extractors."""

    def text_of(extractor: str) -> Source:
        return lambda row: row.result.further.get(extractor)

    return {text_column(name): text_of(name) for name in extractors}
