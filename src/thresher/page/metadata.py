# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself: title without the site's name, date, author, description, site, canonical URL,
language.

The core hands over the few values that could matter (thresher.native.metadata); what is decided here costs tens of
microseconds a page. Every value is the page's own claim, cleaned and checked for its form, not for its truth.

Own code, because the libraries cost more than everything else that is done for a page: over 200 pages of WCXB htmldate
1.11 takes 22 ms a page for the date alone, Trafilatura's metadata 32 ms, extruct 0.18 2.5 ms for JSON-LD and OpenGraph.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from thresher.native.metadata import find_metadata

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document

# Names of meta elements (name, property, itemprop or http-equiv, lower case) by what they say, the best first:
# OpenGraph, Dublin Core, Highwire (citation_), parse.ly, Sailthru and what large publishers use.
_DATES: Final = (
    "article:published_time", "datepublished", "article:published", "og:article:published_time", "og:published_time",
    "citation_publication_date", "citation_online_date", "citation_date", "dc.date.issued",
    "dcterms.issued", "dcterms.created",
    "dc.date.created", "dc.date", "dcterms.date", "parsely-pub-date", "sailthru.date", "cxenseparse:recs:publishtime",
    "bt:pubdate",
    "pubdate", "publishdate", "publish_date", "publish-date", "published_date", "publication_date",
    "publicationdate", "date_published",
    "originalpublicationdate", "article.published", "article_date_original", "article.created", "datecreated",
    "weibo:article:create_at", "date",
)  # fmt: skip
_AUTHORS: Final = (
    "author", "article:author", "article:author_name", "dc.creator", "dcterms.creator",
    "citation_author", "citation_authors",
    "parsely-author", "sailthru.author", "byl", "creator", "authors", "og:author",
)  # fmt: skip
_DESCRIPTIONS: Final = ("description", "og:description", "twitter:description", "dc.description", "dcterms.description")
_SITES: Final = (
    "og:site_name",
    "application-name",
    "apple-mobile-web-app-title",
    "dc.publisher",
    "dcterms.publisher",
    "publisher",
)
_TITLES: Final = (
    "og:title",
    "twitter:title",
    "headline",
    "dc.title",
    "dcterms.title",
    "citation_title",
    "parsely-title",
)
_LANGUAGES: Final = ("content-language", "og:locale", "dc.language", "dcterms.language", "language")
_NAMES: Final = {
    name.encode(): name for name in (*_DATES, *_AUTHORS, *_DESCRIPTIONS, *_SITES, *_TITLES, *_LANGUAGES, "og:url")
}

_EARLIEST: Final = (
    1990  # the first page of the web; what is older is a default such as 1970-01-01, or the date of something else
)
_LATEST: Final = 2100
_MAX_NAME: Final = 200  # characters of an author or site name; what is longer is none
_MAX_AUTHORS: Final = 20
_MAX_URL: Final = 2048
_MAX_OBJECTS: Final = 300  # JSON-LD objects that are looked at


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself; None if it does not say it."""

    title: str | None = None
    """The title, without the name of the site where something on the page shows which part that is."""
    date: date | None = None
    """The day of publication, as written (no time zone is applied)."""
    author: str | None = None
    """Names of authors, joined by "; "."""
    description: str | None = None
    site_name: str | None = None
    canonical_url: str | None = None
    """The address that the page names as its own, absolute where the page's is known."""
    language: str | None = None
    """Language tag (BCP 47) that the page declares, as in "en" or "pt-BR"; often a default that nobody changed."""


def read_metadata(document: Document, url: str | None = None, *, not_after: date | None = None) -> Metadata:
    """The metadata of a parsed page that came from `url`.

    A date of publication after `not_after` (the day after the capture, say) is taken for a mistake. Nothing in a page
    raises.
    """
    return decide(find_values(document), url, not_after=not_after)


def find_values(document: Document) -> list[tuple[str, str]]:
    """What decide() needs of a parsed page; the page itself may go."""
    return find_metadata(document, _NAMES)


def decide(found: Iterable[tuple[str, str]], url: str | None = None, *, not_after: date | None = None) -> Metadata:
    """The metadata of a page with these values; for the rest see read_metadata()."""
    values: dict[str, list[str]] = {}
    for key, value in found:
        values.setdefault(key, []).append(value)
    linked = _LinkedData(values.get("ld+json", ()))
    site_name = _site_name(values, linked)
    return Metadata(
        title=_title(values, site_name, url),
        date=_date(values, linked, url, not_after),
        author=_author(values, linked),
        description=_first(values, _DESCRIPTIONS),
        site_name=site_name,
        canonical_url=_canonical(values, url),
        language=_language(values),
    )


def _first(values: dict[str, list[str]], names: tuple[str, ...]) -> str | None:
    for name in names:
        if name in values:
            return values[name][0]
    return None


# --- title ---

# Where a title may be cut: a dash, bar, dot or arrow between spaces, a bar or underscore anywhere (Chinese sites), a
# colon before a space, a hyphen between two characters that are not ASCII.
_SEPARATOR: Final = re.compile(
    r"(?<=\s)[-–—―|·•‧:~/»«›‹→>]+(?=\s)|[|｜_¦]+|:(?=\s)|(?<=[^\x00-\x7f])[-–—]+(?=[^\x00-\x7f])"
)
_NO_LETTER: Final = re.compile(r"[\W_]+")


def _title(values: dict[str, list[str]], site_name: str | None, url: str | None) -> str | None:
    if "title" not in values:
        return _first(values, (*_TITLES[:2], "h1"))
    title = values["title"][0]
    cuts = [match.span() for match in _SEPARATOR.finditer(title, 1, 1000)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(title)]
    if not cuts:
        return title
    if site_name and len(cuts) == 1 and title[ends[0] :].lstrip(" |-–—·") == site_name and title[: ends[0]].strip():
        return title[: ends[0]].strip()  # what a third of all titles are
    letters = [_letters(title[start:end]) for start, end in zip(starts, ends, strict=True)]
    names = {name for key in _SITES for name in values.get(key, ())} | {site_name or "", ""}
    sites = {_key(name) for name in names} | (_host_names(url) or _host_names(_canonical(values, None)))
    # OpenGraph and the like often repeat the whole title, which tells nothing.
    texts = {text for key in (*_TITLES, "h1") for text in values.get(key, ())} - {title}
    named = {_key(text) for text in texts} - sites - {"", _without_the("".join(letters))}
    colon = [title[end : end + 1] == ":" and not title[end - 1].isspace() for end in ends]
    first, last = _part_by_name(letters, colon, named, sites)
    # What a site's front page is called is the site's name and what it says of itself.
    if (first, last) != (0, len(letters)) or not _FRONT_PAGE.fullmatch(url or ""):
        first, last = _part_without_site(letters, first, last, sites)
    return title[starts[first] : ends[last - 1]].strip() or title


_FRONT_PAGE: Final = re.compile(r"https?://[^/?#]+/?", re.IGNORECASE)


def _part_by_name(letters: list[str], colon: list[bool], named: set[str], sites: set[str]) -> tuple[int, int]:
    """The longest part of a title that the page names elsewhere, as places of its pieces; all of it where it names
    none.

    Nothing in the rest may be longer, and it must not follow a colon, unless it is the site's name: a heading that is
    shorter than what stands beside it, or is followed by a colon, may itself be the site's name.
    """
    n = len(letters)
    for first, last in (*((0, last) for last in range(n - 1, 0, -1)), *((first, n) for first in range(1, n))):
        part = _without_the("".join(letters[first:last]))
        if part in named:
            rest = letters[:first] + letters[last:]
            if _without_the("".join(rest)) in sites or (
                len(part) >= max(map(len, rest)) and not (first == 0 and colon[last - 1])
            ):
                return first, last
    return 0, n


def _part_without_site(letters: list[str], first: int, last: int, sites: set[str]) -> tuple[int, int]:
    """A part of a title without the site's name at its end, or else at its beginning; all of it where nothing would be
    left.
    """
    right = last
    while right > first and _without_the(letters[right - 1]) in sites:
        right -= 1
    left = first
    while right == last and left < right and _without_the(letters[left]) in sites:
        left += 1
    return (left, right) if left < right else (first, last)


def _key(text: str) -> str:
    """Letters and digits of a text in lower case, without "the" in front: what two spellings of a name share."""
    return _without_the(_letters(text))


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text.casefold())


def _without_the(letters: str) -> str:
    return letters.removeprefix("the")


_HOST: Final = re.compile(r"https?://(?:[^/?#@]*@)?([^/?#:@\[\]]{1,255})", re.IGNORECASE)


def _host_names(url: str | None) -> frozenset[str]:
    """How a site may be called after its host: news.bbc.co.uk → bbc, bbcnews, bbccouk, …"""
    match = _HOST.match(url or "")
    return _names_of_host(match[1].lower()) if match else frozenset()


@lru_cache(maxsize=1 << 12)
def _names_of_host(host: str) -> frozenset[str]:
    labels = [_key(label) for label in host.removeprefix("www.").split(".")]
    if len(labels) < 2:
        return frozenset()
    names = {"".join(labels[start:]) for start in range(len(labels))} | {"www" + "".join(labels)}
    names |= set(labels[:-1]) | {b + a for a, b in pairwise(labels[:-1])}
    return frozenset(name for name in names if len(name) > 2)


# --- date ---

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_YEAR_FIRST: Final = re.compile(r"\s*(\d{4})([-/.年]?)\s?(\d{1,2})(?:\2|月)\s?(\d{1,2})(?!\d)")
_DAY_FIRST: Final = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
_MONTH_NAME: Final = re.compile(
    r"(?:[a-z]+,?\s+)?(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?[\s-]+(?P<month>[a-z]{3,9})|(?P<month2>[a-z]{3,9})\.?\s+(?P<day2>\d{1,2})(?:st|nd|rd|th)?)"
    r"[\s,.-]+(?P<year>\d{4})(?!\d)",
    re.IGNORECASE,
)
_DATE_IN_PATH: Final = re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?=[/-]|$)|/((?:19|20)\d\d)(\d\d)(\d\d)/")


def parse_date(text: str) -> date | None:
    """The day that a text begins with: ISO 8601, 2014/03/05, 5.3.2014, 2014年3月5日, RFC 2822, English names of months.

    None for anything else, for 03/05/2014 (March or May?), and for a year before 1990 or after 2100.
    """
    text = text[:64]
    if match := _YEAR_FIRST.match(text):
        year, separator, month, day = match.groups()
        if separator or (len(month), len(day)) == (2, 2):
            return _day(year, month, day)
        return None
    if match := _DAY_FIRST.match(text):
        first, separator, second, year = match.groups()
        if separator == "." or int(first) > 12 or first == second:
            return _day(year, second, first)
        return _day(year, first, second) if int(second) > 12 else None
    if match := _MONTH_NAME.match(text.strip()):
        number = _MONTHS.get((match["month"] or match["month2"]).lower())
        return _day(match["year"], number, match["day"] or match["day2"]) if number else None
    return None


def _day(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found if _EARLIEST <= found.year <= _LATEST else None


def _date(values: dict[str, list[str]], linked: _LinkedData, url: str | None, not_after: date | None) -> date | None:
    for text in _date_texts(values, linked):
        found = parse_date(text)
        if found is not None and (not_after is None or found <= not_after):
            return found
    match = _DATE_IN_PATH.search(url or "")
    found = _day(*[part for part in match.groups() if part]) if match else None
    return found if found is not None and (not_after is None or found <= not_after) else None


def _date_texts(values: dict[str, list[str]], linked: _LinkedData) -> Iterator[str]:
    """Candidates for the date, best first: marked dates, then an article's time, then the page's only time."""
    for name in _DATES:
        if name in values:
            yield from values[name]
    yield from linked.dates()
    yield from values.get("time published", ())
    yield from values.get("time in article", ())[:1]
    if len({parse_date(text) for text in values.get("time", ())}) == 1:
        yield values["time"][0]


# --- author, site, address, language ---


def _author(values: dict[str, list[str]], linked: _LinkedData) -> str | None:
    for name in _AUTHORS:
        if name in values and (found := _names(values[name])):
            return found
    return _names(linked.authors()) or _names(values.get("rel author", ()))


_BY: Final = re.compile(r"^(?:by|von|par|por)[:\s]+", re.IGNORECASE)


def _names(texts: Any) -> str | None:  # noqa: ANN401 (any iterable of str)
    """Names, each once, joined; addresses and what is too long for a name left out. None if none is left."""
    found: dict[str, None] = {}
    for text in texts:
        name = _BY.sub("", text)
        if (
            name
            and len(name) <= _MAX_NAME
            and "://" not in name
            and len(found) < _MAX_AUTHORS
            and any(map(str.isalpha, name))
        ):
            found[name] = None
    return "; ".join(found) or None


def _site_name(values: dict[str, list[str]], linked: _LinkedData) -> str | None:
    for name in _SITES[:3]:
        for text in values.get(name, ()):
            if len(text) <= _MAX_NAME and "://" not in text:
                return text.strip(" -–|·:") or None
    return next(linked.sites(), None)


def _canonical(values: dict[str, list[str]], url: str | None) -> str | None:
    for key in ("canonical", "og:url"):
        for text in values.get(key, ()):
            found = text
            if not text.startswith(("https://", "http://")):
                try:
                    base = urljoin(url or "", values["base"][0]) if "base" in values else url or ""
                    found = urljoin(base, text)
                except ValueError:
                    continue
            if found.startswith(("https://", "http://")) and len(found) <= _MAX_URL and " " not in found:
                return found
    return None


_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*", re.ASCII)


def _language(values: dict[str, list[str]]) -> str | None:
    for key in ("html lang", *_LANGUAGES):
        for text in values.get(key, ()):
            first = re.split(r"[,;\s]", text, maxsplit=1)[0]
            if _TAG.fullmatch(first) and not first.lower().startswith("utf"):
                head, *rest = first.replace("_", "-").split("-")
                cased = [{2: str.upper, 4: str.title}.get(len(part), str.lower)(part) for part in rest]
                return "-".join((head.lower(), *cased))
    return None


# --- JSON-LD ---


class _LinkedData:
    """The JSON-LD of a page, read when first asked for: what its meta elements say already need not be looked for
    again.
    """

    def __init__(self, scripts: Any) -> None:  # noqa: ANN401 (any iterable of str)
        self._scripts = scripts
        self._objects: list[dict[str, Any]] | None = None

    def dates(self) -> Iterator[str]:
        """Dates of publication, of articles and pages first."""
        for found in self._by_kind("datePublished", "uploadDate", "dateCreated"):
            for key in ("datePublished", "uploadDate", "dateCreated"):
                if isinstance(value := found.get(key), str):
                    yield value

    def authors(self) -> Iterator[str]:
        """Authors' names, of the first object that has any."""
        for found in self._by_kind("author", "creator"):
            names = [name for key in ("author", "creator") for name in self._named(found.get(key))]
            if names:
                yield from names
                return

    def sites(self) -> Iterator[str]:
        """Names of the site: of the WebSite, else of the publisher."""
        objects = self._all("WebSite", "publisher")
        for found in objects:
            if found.get("@type") == "WebSite" and (name := _text(found.get("name"))):
                yield name
        for found in objects:
            yield from self._named(found.get("publisher"))

    def _all(self, *words: str) -> list[dict[str, Any]]:
        """All objects; none where no script has one of the words, which is found out sooner than by reading it."""
        if self._objects is None and any(f'"{word}"' in script for script in self._scripts for word in words):
            self._objects = []
            for script in self._scripts:
                self._collect(_read_json(script))
        return self._objects or []

    def _collect(self, root: Any) -> None:  # noqa: ANN401 (JSON)
        """The objects of a script: the outermost ones, those of a list or @graph, and what a page is about."""
        assert self._objects is not None
        waiting = [root]
        while waiting and len(self._objects) < _MAX_OBJECTS:
            each = waiting.pop()
            if isinstance(each, list):
                waiting.extend(reversed(each[:_MAX_OBJECTS]))
            elif isinstance(each, dict):
                self._objects.append(each)
                waiting.extend(
                    each[key]
                    for key in ("mainEntityOfPage", "mainEntity", "@graph")
                    if isinstance(each.get(key), dict | list)
                )

    def _by_kind(self, *words: str) -> list[dict[str, Any]]:
        return sorted(self._all(*words), key=_rank)

    def _named(self, value: Any) -> Iterator[str]:  # noqa: ANN401 (JSON)
        """The names of a person or organisation, a list of them, or a reference to one."""
        for each in value[:_MAX_AUTHORS] if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                name = _text(each.get("name"))
                if name is None and isinstance(each.get("@id"), str):
                    name = next(
                        (
                            _text(other["name"])
                            for other in self._all()
                            if other.get("@id") == each["@id"] and "name" in other
                        ),
                        None,
                    )
                if name is not None:
                    yield name
            elif (name := _text(each)) is not None:
                yield name


def _rank(found: dict[str, Any]) -> int:
    kind = found.get("@type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if not isinstance(kind, str):
        return 2
    return (
        0
        if kind.endswith(("Article", "Posting", "Report", "Review", "Recipe"))
        else 1
        if kind in ("WebPage", "VideoObject")
        else 2
    )


def _text(value: Any) -> str | None:  # noqa: ANN401 (JSON)
    if isinstance(value, list) and value:
        value = value[0]
    return " ".join(value[:1000].split())[:_MAX_NAME] or None if isinstance(value, str) else None


def _read_json(script: str) -> Any:  # noqa: ANN401 (JSON)
    """A script's JSON, None if it is not JSON. Comments and semicolons around it are cut off, line breaks in strings
    allowed.
    """
    if "CDATA" in script:
        script = script.replace("<![CDATA[", "").replace("]]>", "")
    start, end = (
        min((at for at in (script.find("{"), script.find("[")) if at >= 0), default=-1),
        max(script.rfind("}"), script.rfind("]")),
    )
    if start < 0:
        return None
    try:
        return json.loads(script[start : end + 1], strict=False)
    except (ValueError, RecursionError):
        return None
