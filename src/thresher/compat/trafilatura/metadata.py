# SPDX-License-Identifier: Apache-2.0
"""What a page says of itself, under Trafilatura's names: Thresher's metadata, and simple elements of the page for what
Thresher has no field for.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final
from warnings import warn

import thresher
from thresher.compat.trafilatura._names import names_of
from thresher.compat.trafilatura.settings import Document, set_date_params
from thresher.compat.trafilatura.utils import page_of
from thresher.page.hosts import host_and_domain
from thresher.page.metadata import read_metadata
from thresher.page.rights import read_rights

__getattr__ = names_of(__name__)

_TAGS: Final = frozenset(
    ("article:tag", "keywords", "tags", "news_keywords", "parsely-tags", "citation_keywords", "dcterms.subject",
     "shareaholic:keywords")
)  # fmt: skip
_IMAGES: Final = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "image")
_CATEGORIES: Final = frozenset(("article:section", "subject", "dc.subject"))
_DATES: Final = frozenset(
    ("original_date", "outputformat", "min_date", "max_date", "extensive_search", "url", "verbose",
     "deferred_url_extractor")
)  # fmt: skip
_UNUSED_DATES: Final = ("extensive_search", "verbose", "deferred_url_extractor")
_HREF: Final = re.compile(r"/(?P<kind>tags?|categor(?:y|ies))/", re.IGNORECASE)
_CC: Final = re.compile(r"CC-([A-Z]+(?:-[A-Z]+)*)-(\d\.\d)$")


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: dict[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: set[str] | None = None,
) -> Document:
    """The metadata of a page. `extensive` makes no difference: dates are looked for in one way."""
    dates = date_config or set_date_params()
    warn_of_dates(dates, stacklevel=3)
    if not extensive:
        warn("thresher.compat.trafilatura ignores extensive: dates are looked for in one way", stacklevel=2)
    return describe(page_of(filecontent), default_url, dates, author_blacklist or set())


def warn_of_dates(dates: dict[str, Any], *, stacklevel: int) -> None:
    """Warns of parameters for dates that are not used. Raises TypeError for those that htmldate has not."""
    for name in dates.keys() - _DATES:
        raise TypeError(f"unexpected parameter {name!r} in date_extraction_params")
    for name in _UNUSED_DATES:
        if dates.get(name) not in (None, name == "extensive_search"):
            warn(f"thresher.compat.trafilatura ignores {name}", stacklevel=stacklevel)


def describe(page: bytes | str, url: str | None, dates: dict[str, Any], author_blacklist: set[str]) -> Document:
    """The metadata of a page, as a document without a text."""
    if not page.strip():
        return Document()
    latest = _day(dates.get("max_date"))
    parsed = thresher.parse(page)
    found = read_metadata(parsed, url, not_after=latest)
    named = _Named(parsed)
    address = found.canonical_url or url
    host = _hostname(address)
    document = Document(
        title=found.title or None,
        author=_allowed(found.author, author_blacklist),
        url=address,
        hostname=host,
        description=found.description,
        sitename=found.site_name or _site_of(address),
        date=_written(found.date, found.date_modified, dates),
        categories=named.categories,
        tags=named.tags,
        license_val=_licence(read_rights(parsed, url).licence),
        image=named.image,
        pagetype=named.kind or (found.type if found.type != "other" else None),
        filedate=latest.isoformat() if latest else set_date_params()["max_date"],
    )
    document.clean_and_trim()
    return document


class _Named:
    """What elements of a page name: its image, its kind, and what it is filed under."""

    def __init__(self, page: thresher.Document) -> None:
        images: dict[str, str] = {}
        self.kind: str | None = None
        tags: list[str] = []
        categories: list[str] = []
        linked: dict[str, list[str]] = {"tag": [], "category": []}
        for node in range(page.n_nodes):
            tag = page.tag(node)
            if tag == "meta":
                given = page.attributes(node)
                value = " ".join((given.get("content") or "").split())
                name = (given.get("property") or given.get("name") or given.get("itemprop") or "").lower()
                if not value:
                    continue
                if name in _TAGS:
                    tags.append(value)
                elif name in _CATEGORIES:
                    categories.append(value)
                elif name in _IMAGES:
                    images.setdefault(name, value)
                elif name == "og:type":
                    self.kind = self.kind or value
            elif tag == "a":
                given = page.attributes(node)
                kind = _kind_of_link(given)
                text = " ".join(" ".join(_texts(page, node)).split()) if kind else ""
                if kind and text:
                    linked[kind].append(text)
        self.image = next((images[name] for name in _IMAGES if name in images), None)
        self.tags = list(dict.fromkeys(tags or linked["tag"]))
        self.categories = list(dict.fromkeys(linked["category"] or categories))


def _kind_of_link(given: dict[str, str]) -> str | None:
    """Whether a link says what a page is filed under: by its `rel`, which must agree with its address."""
    words = (given.get("rel") or "").lower().split()
    if "tag" not in words and "category" not in words:
        return None
    found = _HREF.search(given.get("href") or "")
    if found:
        return "tag" if found["kind"].lower().startswith("tag") else "category"
    return "tag" if "category" not in words else "category"


def _texts(page: thresher.Document, node: int) -> list[str]:
    return [page.text(each) for each in range(node + 1, page.end(node)) if page.tag(each) == "#text"]


@lru_cache(maxsize=1 << 12)
def _hostname(url: str | None) -> str | None:
    """The registered domain of an address; its host where it has none."""
    host, domain = host_and_domain(url) if url else (None, None)
    return domain or (host.removeprefix("www.") if host else None)


def _site_of(url: str | None) -> str | None:
    host = host_and_domain(url)[0] if url else None
    return host.removeprefix("www.") if host else None


def _allowed(authors: str | None, blacklist: set[str]) -> str | None:
    """The authors that are not to be left out."""
    unwanted = {name.lower() for name in blacklist}
    return "; ".join(name for name in (authors or "").split("; ") if name.lower() not in unwanted) or None


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


def extract_title(tree: Any) -> str | None:
    """The title of a page."""
    return extract_metadata(tree).title


def extract_author(tree: Any) -> str | None:
    """The authors of a page."""
    return extract_metadata(tree).author


def extract_url(tree: Any, default_url: str | None = None) -> str | None:
    """The address that a page names as its own."""
    return extract_metadata(tree, default_url).url


def extract_sitename(tree: Any) -> str | None:
    """The name of a page's site."""
    return extract_metadata(tree).sitename


def extract_license(tree: Any) -> str | None:
    """The licence of a page."""
    return extract_metadata(tree).license


def extract_catstags(metatype: str, tree: Any) -> list[str]:
    """What a page is filed under, as `category` or as `tag`."""
    found = extract_metadata(tree)
    return (found.categories if metatype == "category" else found.tags) or []


def check_authors(authors: str, author_blacklist: set[str]) -> str | None:
    """The authors that are not to be left out; None where none is left."""
    return _allowed("; ".join(name.strip() for name in authors.split(";")), author_blacklist)
