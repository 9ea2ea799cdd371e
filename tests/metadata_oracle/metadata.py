# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself, in plain Python: the slow oracle of thresher.native.facts.describe and titles."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote, urljoin

from metadata_oracle.authors import is_organisation, read_names, shown_authors, without_site
from metadata_oracle.dates import (
    CERTAIN,
    Order,
    Shown,
    ShownLine,
    find_dates,
    headline_place,
    letters_of,
    make_day,
    order_of,
    shown_date,
)
from metadata_oracle.linked_data import LinkedData

from thresher.native.facts.metadata import find_home_names, find_metadata
from thresher.native.facts.script_text import dates_in_scripts
from thresher.native.facts.shown_lines import find_shown_lines
from thresher.page.metadata import Metadata
from thresher.page.page_type import type_of

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document

# Names of meta elements (name, property, itemprop or http-equiv, lower case) by what they say, the best first:
# OpenGraph, Dublin Core, Highwire (citation_), parse.ly, Sailthru and what large publishers use.
_DATES: Final = (
    "article:published_time", "datepublished", "rnews:datepublished", "sw-pubdate", "og:pubdate",
    "shareaholic:article_published_time", "article:create_date", "dcterms.available", "article:published",
    "og:article:published_time", "og:published_time",
    "citation_publication_date", "citation_online_date", "citation_date", "dc.date.issued",
    "dcterms.issued", "dcterms.created", "dcterms:created", "date.created", "date.available", "prism.publicationdate",
    "dc.date.created", "parsely-pub-date", "sailthru.date", "cxenseparse:recs:publishtime",
    "bt:pubdate",
    "pubdate", "publishdate", "publish_date", "publish-date", "published_date", "publication_date",
    "publicationdate", "date_published",
    "published_at", "publisheddate", "its_publication",
    "originalpublicationdate", "article.published", "article_date_original", "article.created",
    "weibo:article:create_at",
)  # fmt: skip
_WEAK_DATES: Final = (
    "dc.date",
    "dcterms.date",
    "pub_date",
    "date",
    "published by suffix",
    "datecreated",
    "created",
    "published",
    "timestamp",
)
_MODIFIED: Final = (
    "article:modified_time", "datemodified", "og:updated_time", "dcterms.modified", "dc.date.modified",
    "article:modified", "og:article:modified_time", "last-modified", "lastmod", "last_updated", "date_modified",
    "revised", "modified",
)  # fmt: skip
_AUTHORS: Final = (
    "author", "article:author", "article:author_name", "dc.creator", "dcterms.creator",
    "citation_author", "citation_authors",
    "parsely-author", "sailthru.author", "byl", "creator", "authors", "og:author",
)  # fmt: skip
_LABELLED: Final = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
"""Pairs of a label and what it stands for. WordPress plugins write "Written by" and the author's name."""
_WRITTEN_BY: Final = re.compile(
    r"(?:written|posted|published|verfasst|geschrieben|veröffentlicht|écrit|rédigé|publié|escrito|publicado|escrit|"
    r"scritto|pubblicato|geschreven|skrevet|skriven|napisane|napsal|napísal|scris|ditulis|написано)\b.*"
    r"|(?:author|autor(?:in)?|auteur|autore|автор|yazan|yazar|szerző|kirjoittanut|kirjoittaja|συγγραφέας|"
    r"작성자|글쓴이|作者|執筆者|著者|投稿者|撰寫者|نویسنده|الكاتب|كُتب بواسطة|tác giả|ผู้เขียน|נכתב על ידי)",
    re.IGNORECASE,
)
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
    name.encode(): name
    for name in (
        *_DATES,
        *_WEAK_DATES,
        *_MODIFIED,
        *_AUTHORS,
        *_DESCRIPTIONS,
        *_SITES,
        *_TITLES,
        *_LANGUAGES,
        *(name for pair in _LABELLED for name in pair),
        "og:url",
        "og:type",
        "generator",
    )
} | {
    f":{name}".encode(): "published by suffix"
    for name in (
        "published_time",
        "publish_time",
        "publishtime",
        "published",
        "published_at",
        "publishdate",
        "publish_date",
        "published_date",
        "publisheddate",
        "datepublished",
        "date_published",
        "publicationdate",
        "publication_date",
        "pubdate",
        "release_date",
        "uploaded",
    )
}

_DATE_NAMES: Final = frozenset(_DATES)
_MARKED_DATES: Final = frozenset((*_DATES, "time published"))
_MODIFIED_KEYS: Final = frozenset((*_MODIFIED, "time modified"))
_MARKED_AUTHORS: Final = frozenset((*_AUTHORS, "rel author"))
_ONE_DAY: Final = timedelta(days=1)
_MAX_NAME: Final = 200  # characters of an author or site name; what is longer is none
_MAX_AUTHORS: Final = 20
_MAX_URL: Final = 2048


class Values(NamedTuple):
    """What decide() needs of a parsed page; the page itself may go."""

    said: dict[str, list[str]]
    """The values of meta, link, time and h1 elements, see native.facts.metadata.find_metadata()."""
    counts: tuple[int, int, int] | None
    """How many articles, paragraphs and links the page has, of the same function; None for what is no page."""
    linked: list[dict[str, Any]]
    """The page's JSON-LD, of the same function."""
    lines: list[tuple[int, int, str, int]]
    """Lines of the visible text that may hold a date or an author's name, where no element says them."""


def read_metadata(document: Document, url: str | None = None, *, not_after: date | None = None) -> Metadata:
    """The metadata of a parsed page that came from `url`.

    A date after `not_after` (the day after the capture, say; otherwise tomorrow) is taken for a mistake. Nothing in a
    page raises.
    """
    return decide(find_values(document, url), url, not_after=not_after)


NO_VALUES: Final = Values({}, None, [], [])
"""Of what is no page."""


def find_values(document: Document, url: str | None = None) -> Values:
    """What the metadata of a parsed page that came from `url` are decided from."""
    said, counts, linked = find_metadata(document, _NAMES)
    marked = [text for name, texts in said.items() if name in _MARKED_DATES for text in texts]
    marked += [text for found in linked if "datePublished" in found for text in found["datePublished"]]
    marked = [text for text in marked if parse_date(text) is not None]
    addressed = date_in_address(url) is not None
    dates = not marked or (not addressed and all(map(_is_near_midnight, marked)))
    if not marked and not addressed and (written := dates_in_scripts(document)):
        said["script date"] = written
    title = said.get("title", [""])[0]
    if (
        _SEPARATOR.search(title, 1, 1000)
        and not _FRONT_PAGE.fullmatch(url or "")
        and _site_name(said, LinkedData(linked)) is None
        and (homes := find_home_names(document, _host(url) or _host(_canonical(said, None))))
    ):
        said["home link"] = homes
    authors = not _names_a_person(said, linked, url)
    lines = find_shown_lines(document, dates, authors, _titles(said)) if dates or authors else []
    return Values(said, counts, linked, lines)


_MAX_SEPARATORS: Final = 3  # of a title, behind which the headline may begin


def _titles(said: dict[str, list[str]]) -> tuple[bytes, ...]:
    """What a line may repeat that is the headline without being a heading: titles, and what follows the site's name."""
    found: dict[str, None] = {}
    for name in ("title", "og:title"):
        for text in said.get(name, ())[:1]:
            found[text] = None
            for match in islice(_SEPARATOR.finditer(text, 1, len(text) // 2), _MAX_SEPARATORS):
                found[text[match.end() :].strip()] = None
    return tuple(text.encode("utf-8", "ignore") for text in found)


def _names_a_person(said: dict[str, list[str]], linked: list[dict[str, Any]], url: str | None) -> bool:
    """Whether elements or JSON-LD name an author who is neither the site nor an editorial staff, by the look of it.

    Names of one word count as none: they are user names, initials or the site's.
    """
    named = [text for name, texts in said.items() if name in _MARKED_AUTHORS for text in texts]
    for found in linked:
        for author in found.get("author", ()):
            named += (author,) if isinstance(author, str) else author.get("name", ())
    if not named:
        return False
    sites = {name for key in _SITES if key in said for name in said[key]}
    people = [name for name in named if " " in name and "/" not in name and name not in sites]
    return any(_key(name) not in _host_names(url) and not is_organisation(name) for name in people)


def decide(page: Values, url: str | None = None, *, not_after: date | None = None) -> Metadata:
    """The metadata of a page with these values; for the rest see read_metadata()."""
    values = page.said
    linked = LinkedData(page.linked)
    lines = list(map(ShownLine._make, page.lines))
    site_name = _site_name(values, linked)
    sites = _site_keys(values, site_name, url)
    title = _headline(values, linked, _title(values, site_name, sites, url), sites, url)
    place = headline_place(lines, title) if lines else None
    language = _language(values)
    dates = _Dates(values, linked, url, not_after or datetime.now(UTC).date() + _ONE_DAY, language)
    kind = score = None
    if page.counts is not None:
        kind, score = type_of(values, page.counts, page.linked, url)
    return Metadata(
        title=title,
        date=dates.published(lines, place),
        date_modified=dates.modified(),
        author=_author(values, linked, lines, place, sites),
        description=_first(values, _DESCRIPTIONS),
        site_name=site_name,
        canonical_url=_canonical(values, url),
        language=language,
        type=kind,
        type_score=score,
    )


def _first(values: dict[str, list[str]], names: tuple[str, ...]) -> str | None:
    for name in names:
        if name in values:
            return values[name][0]
    return None


# --- title ---

# Where a title may be cut: a dash, bar, dot or arrow between spaces, a bar or underscore anywhere (Chinese sites), a
# colon before a space, a hyphen between two characters that are not ASCII. The pattern begins with one of all these and
# looks behind it, because only a search for a character is fast.
_SEPARATOR: Final = re.compile(
    r"[-–—―|·•‧:~/»«›‹→>｜_¦](?:(?<=\s[-–—―|·•‧:~/»«›‹→>])[-–—―|·•‧:~/»«›‹→>]*(?=\s)|(?<=[|｜_¦])[|｜_¦]*|(?<=:)(?=\s)"
    r"|(?<=[^\x00-\x7f][-–—])[-–—]*(?=[^\x00-\x7f]))"
)


def _site_keys(values: dict[str, list[str]], site_name: str | None, url: str | None) -> set[str]:
    """Keys of what the site is called, after the page and after its host."""
    keys = {"", _key(site_name or "")}
    for name in _SITES:
        if name in values:
            keys.update(map(_key, values[name]))
    keys |= _host_names(url) or _host_names(_canonical(values, None))
    if "title" in values and not _FRONT_PAGE.fullmatch(url or ""):
        keys.update(_site_at_end(values, keys, is_declared=site_name is not None))
    return keys


_DOMAIN: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*\.([a-z]{2}|com|net|org|info|edu|gov)", re.IGNORECASE)
_SUFFIXES: Final = frozenset(
    ("cc", "cs", "db", "go", "gz", "js", "md", "ml", "pl", "ps", "py", "rb", "rs", "sh", "so", "vb")
)
"""Of files and software, though domains end in them too."""


def _site_at_end(values: dict[str, list[str]], sites: set[str], *, is_declared: bool) -> list[str]:
    """The keys of the pieces behind the last separators of the title element that are the site's name."""
    title = values["title"][0]
    cuts = [0, *(each for match in _SEPARATOR.finditer(title, 1, 1000) for each in match.span()), len(title)]
    pieces = [title[first:last] for first, last in zip(cuts[::2], cuts[1::2], strict=True)]
    homes = set() if is_declared else {_key(text) for text in values.get("home link", ())}
    for i in range(max(1, len(pieces) - _MAX_PIECES), len(pieces)):
        key = _without_the("".join(map(letters_of, pieces[i:])))
        is_last = i == len(pieces) - 1
        match = _DOMAIN.fullmatch(pieces[i].strip()) if is_last and not is_declared else None
        is_domain = match is not None and match[1].lower() not in _SUFFIXES
        if key and (key in homes or (key in sites and not is_last) or is_domain):
            has_key = any(key in letters_of(heading) for heading in values.get("h1", ()))
            return [] if has_key else list(map(_key, pieces[i:]))
    return []


def _headline(
    values: dict[str, list[str]], linked: LinkedData, title: str | None, sites: set[str], url: str | None
) -> str | None:
    """The headline that the page's heading, JSON-LD, OpenGraph and title element agree on.

    Any two of them outvote the rest. Without agreement a heading of the first level counts if it shares half of its
    words with another of them and is no part of the title, which _title() has looked at; the only one may be its
    greater part. Else the title counts. A front page is called what its title says.
    """
    if title is not None and _FRONT_PAGE.fullmatch(url or ""):
        return title
    headings = [text.strip(_ANCHORS) for text in values.get("h1", ()) if _key(text) not in sites and _is_text(text)]
    if headings and title is not None and letters_of(headings[0]) == letters_of(title):
        return headings[0]
    linked_title = next((_without_site(text, sites) for text in linked.headlines()), None) if linked else None
    shared = _first(values, ("og:title", "twitter:title"))
    if not headings and linked_title is None and shared is None:
        return title
    shared = _without_site(shared, sites) if shared is not None else None
    witnessed = _witnessed(headings, [linked_title, shared, title], linked, url)
    if witnessed is not None:
        return witnessed
    if headings and shared and _follows_label(headings[0], shared):
        return shared
    if title is not None and (headings or shared) and _key(title) in _host_names(url):
        title = None  # the site's name says nothing of the page
    others = [text for text in (linked_title, shared, title) if text is not None and _is_text(text)]
    keys = [letters_of(text) for text in others]
    heading = next((text for text in headings if letters_of(text) in keys), None)
    if heading is None:
        unseen = [
            text
            for text in headings
            if not title
            or _begins_title(title, text)
            or letters_of(text) not in letters_of(title)
            or (len(headings) == 1 and _is_greater_part(text, title))
        ]
        heading = next((text for text in unseen if any(_overlap(text, other) for other in others)), None)
    if heading is not None and linked_title is None and title is not None and shared is not None:
        copied = letters_of(title)  # if og:title is a copy of the title element, it is no second witness
        if letters_of(shared) == copied and copied not in letters_of(heading):
            return heading
    candidates = [text for text in (heading, *others) if text is not None]
    for i, text in enumerate(candidates):
        if any(letters_of(text) == letters_of(other) for other in candidates[i + 1 :]):
            return heading if heading is not None and _begins_title(text, heading) else text
    if not headings and shared is not None and _is_text(shared):
        return shared
    return heading or title or shared or next(iter(headings), None)


def _witnessed(headings: list[str], others: list[str | None], linked: LinkedData, url: str | None) -> str | None:
    """The first heading or other title that the page's address or its only recipe or product names.

    The last one, the title element, needs no heading beside it to be named by the address.
    """
    texts = [text for text in (*headings, *others) if text is not None]
    if (name := _name_in_address(url)) is not None:
        for text in texts:
            if _plain_letters(text) == name and not (headings and text is others[-1]):
                return text
    if linked and (thing := linked.thing()) is not None:
        return next((text for text in texts if letters_of(text) == letters_of(thing)), None)
    return None


_ANCHORS: Final = " ¶#§\u200b\uf0c1"
"""Signs of a link to a heading, at its end."""


_MAX_PIECES: Final = 8  # of a title that is compared with a name in an address
_NUMBER_OR_SUFFIX: Final = re.compile(r"(?:[-_][0-9]+)?(?:\.[a-z]{3,5})?$", re.IGNORECASE)


@lru_cache(maxsize=4)
def _name_in_address(url: str | None) -> str | None:
    """The page's name in its address, as a key of letters: /mills/the-old-wheel-2.html → theoldwheel. A suffix and a
    number at its end are left out.
    """
    path = _WITHOUT_HOST.sub("", _without_replay(url or ""), count=1).partition("#")[0].partition("?")[0].rstrip("/")
    before, slash, last = path.rpartition("/")
    if not slash or ":" in before:
        return None
    return _plain_letters(unquote(_NUMBER_OR_SUFFIX.sub("", last, count=1)[:_MAX_NAME])) or None


def _plain_letters(text: str) -> str:
    """Letters and digits of a text in lower case, without accents, as addresses have them."""
    if text.isascii():
        return letters_of(text)
    return letters_of(
        "".join([each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each)])
    )


def _part_by_address(pieces: Sequence[str], letters: list[str], url: str | None) -> tuple[int, int] | None:
    """The pieces of a title, and their letters, that the page's address names, as the places of the first and after the
    last; None if it names all of them or none.
    """
    if len(pieces) > _MAX_PIECES or (name := _name_in_address(url)) is None:
        return None
    if not all(map(str.isascii, pieces)):
        letters = list(map(_plain_letters, pieces))
    if name not in "".join(letters):
        return None
    for first in range(len(letters)):
        for last in range(first + 1, len(letters) + 1):
            if last - first < len(letters) and "".join(letters[first:last]) == name:
                return first, last
    return None


def _chapter(letters: list[str], headings: Sequence[str]) -> tuple[int, int] | None:
    """The part of a title that names the page where the title is that of a chapter and a book, and both are headings of
    the first level: the later heading. As the places of its pieces; None if the title is no such one.
    """
    if len(headings) < 2 or len(letters) > _MAX_PIECES:
        return None
    keys = list(map(letters_of, headings))
    for cut in range(1, len(letters)):
        left, right = "".join(letters[:cut]), "".join(letters[cut:])
        if left in keys and right in keys:
            return (0, cut) if keys.index(left) > keys.index(right) else (cut, len(letters))
    return None


def _follows_label(heading: str, text: str) -> bool:
    """Whether a heading is a word and a colon in front of a text, as in "Collection: Wheels"."""
    label = heading.removesuffix(text).rstrip()
    return label != heading and label.endswith(":") and " " not in label


def _begins_title(title: str, heading: str) -> bool:
    """Whether a title goes on after the heading with a separator that is no colon: what follows is the site then."""
    letters = letters_of(heading)
    return any(
        title[match.start()] != ":" and letters_of(title[: match.start()]) == letters
        for match in _SEPARATOR.finditer(title, 1, 1000)
    )


def _is_greater_part(text: str, title: str) -> bool:
    """Whether a text has half of a title's letters, and does not stand before a colon, as a site's name may."""
    rest = title.removeprefix(text).lstrip()
    return 2 * len(letters_of(text)) >= len(letters_of(title)) and not rest.startswith(":")


def _is_text(text: str) -> bool:
    return text[:1].isalnum() or any(map(str.isalnum, text))


def _overlap(text: str, other: str) -> bool:
    """Whether the shorter of two texts shares half of its words with the other."""
    words, others = (set(_WORD.findall(each.casefold())) for each in (text, other))
    return bool(words and others) and len(words & others) * 2 >= min(len(words), len(others))


_WORD: Final = re.compile(r"\w+")


def _without_site(text: str, sites: set[str]) -> str:
    """A title without the site's name at one of its ends."""
    cuts = [match.span() for match in _SEPARATOR.finditer(text, 1, 1000)]
    if not cuts:
        return text
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    letters = [letters_of(text[start:end]) for start, end in zip(starts, ends, strict=True)]
    first, last = _part_without_site(letters, 0, len(letters), sites)
    return text[starts[first] : ends[last - 1]].strip() or text


def _title(values: dict[str, list[str]], site_name: str | None, sites: set[str], url: str | None) -> str | None:
    """The title element without the site's name."""
    if "title" not in values:
        return None
    title = values["title"][0]
    cuts = [match.span() for match in _SEPARATOR.finditer(title, 1, 1000)]
    if not cuts:
        return title
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(title)]
    if site_name and len(cuts) == 1 and title[ends[0] :].lstrip(" |-–—·") == site_name and title[: ends[0]].strip():
        return title[: ends[0]].strip()  # what a third of all titles are
    letters = [letters_of(title[start:end]) for start, end in zip(starts, ends, strict=True)]
    pieces = [title[start:end] for start, end in zip(starts, ends, strict=True)]
    part = _part_by_address(pieces, letters, url) or _chapter(letters, values.get("h1", ()))
    if part is not None:
        return title[starts[part[0]] : ends[part[1] - 1]].strip()
    # OpenGraph and the like often repeat the whole title, which tells nothing.
    texts = {text for key in _NAMING if key in values for text in values[key] if text != title}
    named = {_key(text) for text in texts} - sites - {"", _without_the("".join(letters))} if texts else set()
    colon = [title[end : end + 1] == ":" and not title[end - 1].isspace() for end in ends]
    first, last = _part_by_name(letters, colon, named, sites)
    # What a site's front page is called is the site's name and what it says of itself.
    if (first, last) != (0, len(letters)) or not _FRONT_PAGE.fullmatch(url or ""):
        first, last = _part_without_site(letters, first, last, sites)
    return title[starts[first] : ends[last - 1]].strip() or title


_NAMING: Final = (*_TITLES, "h1")  # what may name a part of the title element
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
    return _without_the(letters_of(text))


def _without_the(letters: str) -> str:
    return letters.removeprefix("the")


_HOST: Final = re.compile(r"https?://(?:[^/?#@]*@)?([^/?#:@\[\]]{1,255})", re.IGNORECASE)


def _host(url: str | None) -> str:
    match = _HOST.match(url or "")
    return match[1].lower().removeprefix("www.") if match else ""


def _host_names(url: str | None) -> frozenset[str]:
    """How a site may be called after its host: news.bbc.co.uk → bbc, bbcnews, bbccouk, …"""
    match = _HOST.match(url or "")
    return _names_of_host(match[1].lower()) if match else frozenset()


@lru_cache(maxsize=1 << 12)
def _names_of_host(host: str) -> frozenset[str]:
    labels = [
        _without_the(label) if label.isascii() and label.isalnum() else _key(label)
        for label in host.removeprefix("www.").split(".")
    ]
    if len(labels) < 2:
        return frozenset()
    names, joined = set(labels[:-1]), ""
    for label in reversed(labels):
        joined = label + joined
        names.add(joined)
    names.add("www" + joined)
    names.update([b + a for a, b in pairwise(labels[:-1])])
    return frozenset([name for name in names if len(name) > 2])


# --- dates ---

_DATE_IN_PATH: Final = re.compile(
    r"(?<![0-9])((?:19|20)[0-9]{2})([/_-]?)([01]?[0-9])\2([0-3]?[0-9])(?![0-9])"
    r"|(?<![0-9])([0-3]?[0-9])([/_-])([01]?[0-9])\6((?:19|20)[0-9]{2})(?![0-9])"
)
_MONTH_IN_PATH: Final = re.compile(r"/((?:19|20)[0-9]{2})[/-]?([01][0-9])/")
_REPLAY: Final = re.compile(r"https?://[^/]+/web/[0-9]{14}[^/]*/(?=https?:)?", re.IGNORECASE)
_WITHOUT_HOST: Final = re.compile(r"^(?:[a-z]+:)?//[^/]*", re.IGNORECASE)
_WORLD_TIME: Final = re.compile(r"[T ](\d\d):\d\d.*(?:Z|[+-]00:?00|GMT|UTC)\s*$")
_HAS_TIME: Final = re.compile(r"\d[T ]+\d\d?:\d\d")


_ISO: Final = re.compile(r"([12][0-9]{3})-([01][0-9])-([0-3][0-9])(?![0-9])")


def parse_date(text: str) -> date | None:
    """The first day that a text names, as metadata_oracle.dates.find_dates() reads it; None for 03/05/2014."""
    if match := _ISO.match(text):
        return make_day(match[1], match[2], match[3])
    found = find_dates(text[:64])
    return found[0].day if found else None


def _without_replay(url: str) -> str:
    """An address without that of the archive which replays it."""
    return _REPLAY.sub("", url) if "/web/" in url.lower() else url


@lru_cache(maxsize=4)
def date_in_address(url: str | None) -> date | None:
    """The day that the path of an address names: /2014/03/05/, /2014-03-05-, /20140305/, /05-03-2014-."""
    path = _WITHOUT_HOST.sub("", _without_replay(url or ""), count=1).partition("?")[0]
    for match in _DATE_IN_PATH.finditer(path):
        year, separator, month, day, day2, _, month2, year2 = match.groups()
        if year is not None and not separator and len(match[0]) != len("20140305"):
            continue
        if found := make_day(year or year2, month or month2, day or day2):
            return found
    return None


class _Dates:
    """Chooses the days of publication and of the last change among all that a page names and shows."""

    def __init__(
        self, values: dict[str, list[str]], linked: LinkedData, url: str | None, latest: date, language: str | None
    ) -> None:
        self._values = values
        self._linked = linked
        self._url = url
        self._latest = latest
        self._language = language
        self._known_order: Order | None = None

    def _read(self, text: str) -> date | None:
        found = parse_date(text)
        return found if found is not None and found <= self._latest else None

    def _days(self, texts: Iterable[str]) -> Iterator[tuple[date, str]]:
        for text in texts:
            found = self._read(text)
            if found is not None:
                yield found, text

    def published(self, lines: Sequence[ShownLine], headline: int | None) -> date | None:
        """The day of publication: as the page marks it, as its address has it, as it is shown, or by weaker marks."""
        marked = self._days(self._marked())
        first = next(marked, None)
        if first is not None and not _is_near_midnight(first[1]):
            return first[0]
        address = date_in_address(self._url)
        if address is not None and address > self._latest:
            address = None
        shown = self._shown(lines, headline) if lines else None
        seen = shown.day if shown is not None and shown.score >= CERTAIN else None
        if seen is not None and self._is_shown(lines, first[0] if first is not None else address):
            seen = None
        if first is not None:
            return _local_day(first[0], marked, (address, seen))
        if address is not None:
            return _local_day(address, (), (seen,))
        certain = shown is not None and shown.score >= CERTAIN
        if shown is not None and certain and shown.near:
            return shown.day
        if not certain and (timed := self._one_time()) is not None:
            return timed
        for found, _ in self._days(text for name in _WEAK_DATES for text in self._values.get(name, ())):
            return found
        if shown is not None and certain:
            return shown.day
        if (written := self._in_scripts()) is not None:
            return written
        for found, _ in self._days(self._hinted()):
            return found
        return shown.day if shown is not None else None

    def _marked(self) -> Iterator[str]:
        published = list(self._linked.published()) if self._linked else ()
        yield from (text for text, article in published if article)
        if not _DATE_NAMES.isdisjoint(self._values):
            yield from (text for name in _DATES for text in self._values.get(name, ()))
        yield from (text for text, article in published if not article)
        yield from self._values.get("time published", ())[:1]

    def _one_time(self) -> date | None:
        """The one day that all time elements of the page name, as far as they name one."""
        days = {self._read(text) for name in ("time in article", "time") for text in self._values.get(name, ())} - {
            None
        }
        return days.pop() if len(days) == 1 else None

    def _hinted(self) -> Iterator[str]:
        yield from self._values.get("time in article", ())[:1]
        if len({parse_date(text) for text in self._values.get("time", ())}) == 1:
            yield self._values["time"][0]
        yield from self._linked.created()

    def _in_scripts(self) -> date | None:
        """The one day of publication that the page's scripts name; None if they name several, as those of a list."""
        days = {_script_day(text) for text in self._values.get("script date", ())} - {None}
        found = days.pop() if len(days) == 1 else None
        return found if found is not None and found <= self._latest else None

    def modified(self) -> date | None:
        """The day of the last change."""
        if not self._linked and _MODIFIED_KEYS.isdisjoint(self._values):
            return None
        texts = [
            *self._linked.modified(),
            *(text for name in _MODIFIED for text in self._values.get(name, ())),
            *self._values.get("time modified", ())[:1],
        ]
        return next((found for found, _ in self._days(texts)), None)

    def _order(self, lines: Sequence[ShownLine]) -> Order:
        if self._known_order is None:
            host = _HOST.match(self._url or "")
            texts = [line.text for line in lines]
            self._known_order = order_of(texts, self._language, host[1].lower() if host else "")
        return self._known_order

    def _is_shown(self, lines: Sequence[ShownLine], day: date | None) -> bool:
        """Whether a line shows that day."""
        order = self._order(lines)
        return day is not None and any(
            found.day == day
            for line in lines
            for found in find_dates(line.text, language=order.language, day_first=order.day_first)
        )

    def _shown(self, lines: Sequence[ShownLine], headline: int | None) -> Shown | None:
        """The date that the visible text shows as the page's own; None if none is certain enough."""
        order = self._order(lines)
        month = _MONTH_IN_PATH.search(_without_replay(self._url or ""))
        near = f"{month[1]}-{month[2]}" if month else ""
        return shown_date(lines, headline, order, latest=self._latest, near=near)


_UNIX_TIME: Final = re.compile(r"(\d{10})(?:\d{3})?(?!\d)")


def _script_day(text: str) -> date | None:
    """The day of a value in a script, which begins with an ISO date or seconds or milliseconds since 1970."""
    if match := _ISO.match(text):
        return make_day(match[1], match[2], match[3])
    if match := _UNIX_TIME.match(text):
        found = datetime.fromtimestamp(int(match[1]), UTC)
        return make_day(found.year, found.month, found.day)
    return None


def _is_near_midnight(text: str) -> bool:
    """Whether a time is given in world time, and so late or early that the day may be another where the page was
    written.
    """
    match = _WORLD_TIME.search(text[:64])
    return match is not None and not 8 <= int(match[1]) < 16  # hours; the farthest time zone is at 14


def _local_day(first: date, marked: Iterable[tuple[date, str]], others: Iterable[date | None]) -> date:
    """The day on which a page was published, by its own clock; `first` is that of world time or of an address. It is
    the day before or after if a mark in local time says so, else one of the others: the address or the visible text.
    """
    for day, text in marked:
        if abs(day - first) <= _ONE_DAY and _HAS_TIME.search(text[:64]) and not _WORLD_TIME.search(text[:64]):
            return day
    return next((day for day in others if day is not None and abs(day - first) <= _ONE_DAY), first)


# --- author, site, address, language ---


def _author(
    values: dict[str, list[str]], linked: LinkedData, lines: Sequence[ShownLine], headline: int | None, sites: set[str]
) -> str | None:
    """Authors' names, from the first source that names somebody other than the site, an account's where none names a
    person; else the site.
    """
    accounts: list[str] = []
    fallback: list[str] = []
    for texts in filter(None, _author_texts(values, linked, lines, headline)):
        names = list(dict.fromkeys(without_site(name, sites) for name in read_names(texts)))
        names = [name for name in names if not _is_account_of_site(name, sites)]
        others = [name for name in names if _key(name) not in sites]
        if any(not is_organisation(name) and not _ACCOUNT.fullmatch(name) for name in others):
            return "; ".join(others)
        if any(map(_ACCOUNT.fullmatch, others)):
            accounts = accounts or others
        fallback = fallback or names
    return "; ".join(accounts or fallback) or None


_ACCOUNT: Final = re.compile(r"(?=[a-z-]*[0-9_])[a-z][a-z0-9_-]*")


def _is_account_of_site(name: str, sites: set[str]) -> bool:
    """Whether a name is one word, the site's name and a number."""
    plain = name.rstrip("0123456789")
    return plain != name and " " not in name and _key(name) not in sites and _key(plain) in sites


def _author_texts(
    values: dict[str, list[str]], linked: LinkedData, lines: Sequence[ShownLine], headline: int | None
) -> Iterator[list[str]]:
    """Candidates for the authors, best first."""
    named = linked.authors() if linked else []
    if any(person for _, person in named):
        yield [name for name, _ in named]
    for name in _AUTHORS:
        if name in values:
            yield values[name]
    for label, value in _LABELLED:
        if label in values and value in values and _WRITTEN_BY.fullmatch(values[label][0].strip(" :")):
            yield values[value][:1]
    yield [name for name, _ in named]
    yield values.get("rel author", [])
    if lines:
        yield shown_authors(lines, headline)


def _site_name(values: dict[str, list[str]], linked: LinkedData) -> str | None:
    for name in _SITES[:3]:
        if name not in values:
            continue
        for text in values[name]:
            if len(text) <= _MAX_NAME and "://" not in text:
                return text.strip(" -–|·:") or None
    return next(linked.sites(), None) if linked else None


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


_END_OF_TAG: Final = re.compile(r"[,;\s]")
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*", re.ASCII)


def _language(values: dict[str, list[str]]) -> str | None:
    for key in ("html lang", *_LANGUAGES):
        if key in values:
            for text in values[key]:
                if (tag := _language_tag(text)) is not None:
                    return tag
    return None


@lru_cache(maxsize=1 << 8)
def _language_tag(text: str) -> str | None:
    """The first language tag of a text, in the usual case: pt_br → pt-BR; None if it begins with none."""
    first = _END_OF_TAG.split(text, maxsplit=1)[0]
    if not _TAG.fullmatch(first) or first.lower().startswith("utf"):
        return None
    head, *rest = first.replace("_", "-").split("-")
    cased = [{2: str.upper, 4: str.title}.get(len(part), str.lower)(part) for part in rest]
    return "-".join((head.lower(), *cased))
