# SPDX-License-Identifier: Apache-2.0
"""What a page says of itself, under Trafilatura's names: Thresher's metadata, and simple elements of the page for what
Thresher has no field for.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from html import unescape
from typing import Any, Final
from warnings import warn

import thresher
from thresher.compat.trafilatura.pages import Document, page_of
from thresher.page.hosts import host_and_domain
from thresher.page.metadata import read_metadata
from thresher.page.rights import read_rights

_TAGS: Final = frozenset(
    ("article:tag", "keywords", "tags", "news_keywords", "parsely-tags", "citation_keywords", "dcterms.subject",
     "shareaholic:keywords")
)  # fmt: skip
_IMAGES: Final = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "image")
_CATEGORIES: Final = frozenset(("article:section", "subject", "dc.subject"))
_DATES: Final = ("original_date", "outputformat", "min_date", "max_date")
_UNUSED_DATES: Final = ("extensive_search", "url", "verbose", "deferred_url_extractor")
_HREF: Final = re.compile(r"/(?P<kind>tags?|categor(?:y|ies))/", re.IGNORECASE)
_CC: Final = re.compile(r"CC-([A-Z]+(?:-[A-Z]+)*)-(\d\.\d)$")
_LONGEST: Final = 10_000  # characters of a piece of metadata


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: dict[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: set[str] | None = None,
) -> Document:
    """The metadata of a page. `extensive` makes no difference: dates are looked for in one way."""
    if not extensive:
        warn("thresher.compat.trafilatura ignores extensive: dates are looked for in one way", stacklevel=2)
    return describe(page_of(filecontent), default_url, checked_dates(date_config, 3), author_blacklist or set())


def checked_dates(dates: dict[str, Any] | None, stacklevel: int) -> dict[str, Any]:
    """Parameters for dates, or the usual ones: the day of publication, none after today. Warns of those that are not
    used. Raises TypeError for those that htmldate has not.
    """
    for name in (dates or {}).keys() - {*_DATES, *_UNUSED_DATES}:
        raise TypeError(f"unexpected parameter {name!r} in date_extraction_params")
    for name in _UNUSED_DATES:
        if (dates or {}).get(name) not in (None, name == "extensive_search") and name != "url":
            warn(f"thresher.compat.trafilatura ignores {name}", stacklevel=stacklevel + 1)
    return dates or {"original_date": True, "max_date": _today()}


def _today() -> str:
    return datetime.now().astimezone().strftime("%Y-%m-%d")


def describe(page: bytes | str, url: str | None, dates: dict[str, Any], author_blacklist: set[str]) -> Document:
    """The metadata of a page, as a document without a text."""
    if not page.strip():
        return Document()
    latest = _day(dates.get("max_date"))
    parsed = thresher.parse(page)
    found = read_metadata(parsed, url, not_after=latest)
    address = found.canonical_url or url
    host, domain = host_and_domain(address) if address else (None, None)
    host = host.removeprefix("www.") if host else None
    unwanted = {name.lower() for name in author_blacklist}
    authors = [name for name in (found.author or "").split("; ") if name.lower() not in unwanted]
    document = Document(
        title=found.title or None,
        author="; ".join(authors) or None,
        url=address,
        hostname=domain or host,
        description=found.description,
        sitename=found.site_name or host,
        date=_written(found.date, found.date_modified, dates),
        license=_licence(read_rights(parsed, url).licence),
        pagetype=found.type if found.type != "other" else None,
        filedate=latest.isoformat() if latest else _today(),
    )
    _add_named(document, parsed)
    for name in ("title", "author", "description", "sitename", "url", "image", "pagetype"):
        value = getattr(document, name)
        if value:
            setattr(document, name, _trimmed(value))
    return document


def _trimmed(value: str) -> str:
    """One line without character references, cut where it is very long."""
    return " ".join(unescape(value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…").split())


def _add_named(document: Document, page: thresher.Document) -> None:
    """What elements of a page name: its image, its kind, and what it is filed under."""
    images: dict[str, str] = {}
    found: dict[str, list[str]] = {"tag": [], "category": []}
    linked: dict[str, list[str]] = {"tag": [], "category": []}
    kind = None
    for node in range(page.n_nodes):
        tag = page.tag(node)
        if tag == "meta":
            given = page.attributes(node)
            value = " ".join((given.get("content") or "").split())
            name = (given.get("property") or given.get("name") or given.get("itemprop") or "").lower()
            if not value:
                continue
            if name in _TAGS:
                found["tag"].append(value)
            elif name in _CATEGORIES:
                found["category"].append(value)
            elif name in _IMAGES:
                images.setdefault(name, value)
            elif name == "og:type":
                kind = kind or value
        elif tag == "a":
            filed = _filed_under(page.attributes(node))
            texts = (page.text(each) for each in range(node + 1, page.end(node)) if page.tag(each) == "#text")
            if filed and (text := " ".join(" ".join(texts).split())):
                linked[filed].append(text)
    document.image = next((images[name] for name in _IMAGES if name in images), None)
    document.pagetype = kind or document.pagetype
    document.tags = list(dict.fromkeys(found["tag"] or linked["tag"]))
    document.categories = list(dict.fromkeys(linked["category"] or found["category"]))


def _filed_under(given: dict[str, str]) -> str | None:
    """Whether a link says what a page is filed under: by its `rel`, which must agree with its address."""
    words = (given.get("rel") or "").lower().split()
    if "tag" not in words and "category" not in words:
        return None
    found = _HREF.search(given.get("href") or "")
    if found:
        return "tag" if found["kind"].lower().startswith("tag") else "category"
    return "tag" if "category" not in words else "category"


def _day(value: Any) -> date | None:
    """A day that was given as a date, a time or a text that begins with one. Raises ValueError for anything else."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date) or value is None:
        return value
    return date.fromisoformat(str(value)[:10])


def _written(published: date | None, changed: date | None, dates: dict[str, Any]) -> str | None:
    """The date that is asked for, as it is to be written: without `original_date` the day of the last change."""
    day = published or changed if dates.get("original_date") else changed or published
    first, last = _day(dates.get("min_date")), _day(dates.get("max_date"))
    if day is None or (first and day < first) or (last and day > last):
        return None
    return day.strftime(dates.get("outputformat") or "%Y-%m-%d")


def _licence(name: str | None) -> str | None:
    """A licence as Trafilatura writes it: CC BY-SA 4.0 for CC-BY-SA-4.0."""
    found = _CC.match(name or "")
    return f"CC {found[1]} {found[2]}" if found else name if name != "other" else None
