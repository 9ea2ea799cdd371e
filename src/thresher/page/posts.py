# SPDX-License-Identifier: Apache-2.0
"""The posts of a thread: a topic of a forum, or a question with its answers. Imported only where a run asks for them.

A thread repeats one container for each post, and each post says who wrote it and when. So posts are found in four
steps, none of which knows a forum's software:

1. Elements around the kept blocks are grouped by what they have in common: tag and one class, tag and id without its
   digits, a type of schema.org for posts, or tag and parent. Each group may be the posts.
2. Elements and lines that may name an author or a date are found once for the page. They are called marks.
3. A group counts if it holds the main text and if most of its elements have marks of their own. Of several groups that
   count, the one with the most elements is taken.
4. Author and date are read at the same place of each post, so that the day on which a member joined is no date of a
   post.

Articles with readers' comments have text before the first post. Lists of articles and products have headings that lead
elsewhere, prices or ratings. Such pages have no posts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from thresher.native.facts.dates import find_dates, parse_date
from thresher.native.facts.shown_dates import order_of

if TYPE_CHECKING:
    from thresher.native.parsing.document import Document
    from thresher.native.workspace import Workspace
    from thresher.page.page_extractor import PageExtractor

__all__ = ["MAX_AUTHOR", "Post", "find_posts"]

MAX_AUTHOR: Final = 100  # characters

_MAX_NODES: Final = 200_000  # of a page that is searched; the largest of 6,017 labelled pages has 34,450
_MAX_TOKENS: Final = 16  # of a class
_MAX_TOKEN: Final = 60  # characters
_MAX_ATTRIBUTE: Final = 1000  # characters of an attribute that are read
_MAX_GROUPS: Final = 60  # that are looked at closely
_MAX_LINE: Final = 120  # characters of a line with an author or a date
_MAX_NAME: Final = 40  # characters of a line that is a name
_BEFORE_TIME: Final = 12  # pieces of a line before an element with a date that may say what the date is of
_MAX_LOOK: Final = 40  # nodes of an element that is a name
_MAX_LINE_NODES: Final = 12  # of an element that is nothing but a name or a date
_FIRST_LINES: Final = 3  # of a post, among which a name without a class may be
_BEFORE: Final = 200  # characters before the first post: a title, a date, who asks

_MOST: Final = 0.6  # of the posts have what a post has
_NEARLY_ALL: Final = 0.9
_COVERED: Final = 0.6  # of the main text is in posts
_COVERED_FORUM: Final = 0.4  # of the main text of a page that is a forum's for other reasons
_AS_GOOD: Final = 0.93  # of the best score
_TIGHT: Final = 0.8
_SURE: Final = 0.7  # score of the kind `forum` of a page with a single post

_LATEST: Final = date(2100, 12, 31)  # so that what is found does not depend on the day of the run
_UNIX_1990: Final = 631_152_000  # seconds
_DIGITS: Final = re.compile(r"\d+")
_POSTS: Final = frozenset(("discussionforumposting", "comment", "question", "answer", "socialmediaposting", "message"))
_THREADS: Final = frozenset(("discussionforumposting", "qapage"))
_NO_POSTS: Final = re.compile(
    r"schema\.org/(?:Review|Product|Offer|Recipe|Event|JobPosting|NewsArticle|BlogPosting|Article|Blog)\b",
    re.IGNORECASE,
)
_OTHER_KINDS: Final = frozenset(("product", "recipe"))  # pages with reviews and comments, which are no threads
_RATED: Final = frozenset(("ratingvalue", "reviewrating", "price", "offers", "reviewbody"))
_REVIEW: Final = re.compile(r"(?:^|[\s_-])reviews?(?:[\s_-]|$)")
_POST_NAMES: Final = re.compile(
    r"post|message|msg|comment|reply|replies|answer|question|topic|thread|beitrag|antwort|komment|respuesta|reponse",
    re.IGNORECASE,
)
_SKIP: Final = frozenset(("script", "style", "template", "iframe", "svg", "select", "textarea", "head", "math"))
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_QUOTES: Final = frozenset(("blockquote", "pre", "code", "q"))  # what they name is not of the post
_NO_GROUP: Final = frozenset(("html", "body", "p", "span", "a", "b", "i", "em", "strong", "font", "br", "#document"))
_ALIKE: Final = frozenset(("article", "table", "tr", "li"))  # children of one parent are a group whatever their classes
_TIMES: Final = frozenset(("time", "abbr", "span", "relative-time", "time-ago"))
_INLINE: Final = frozenset(
    ("a", "abbr", "b", "bdi", "bdo", "big", "cite", "em", "font", "i", "img", "ins", "label", "mark", "meta", "link",
     "nobr", "q", "s", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "relative-time",
     "time-ago")
)  # fmt: skip
_AUTHOR_NAMES: Final = re.compile(
    r"(?:^|\s)name(?:\s|$)"
    r"|(?:^|[\s_-])(?:author|autor|auteur|user|member|poster|nick|creator|owner|writer|who|profile|sender|posted-?by)"
    r"|(?:user|member|author|nick|poster|screen|display)[_-]?(?:name|link|info)"
    r"|(?<=[a-z])(?:User|Author|Member|Poster)",
    re.IGNORECASE,
)
_NAMES_OF_NAMES: Final = re.compile(r"name|author|poster|nick|creator|who", re.IGNORECASE)
_NO_NAMES: Final = re.compile(
    r"title|rank|role|group|badge|avatar|stat|count|posts|signature|location|joined|since|reputation|icon|status|reply"
    r"|mention|quote|online|action|menu|control|tool|banner"
    r"|(?:user|author|member)[_-]?(?:text|content|body|post|comment)",
    re.IGNORECASE,
)
_PROFILE: Final = re.compile(
    r"^/?~|(?:^|[/?&;=._-])(?:u|users?|members?|profiles?|profil|author|memberlist|people|usuarios?|utilisateurs?"
    r"|membres?|mitglied(?:er)?|uid|userinfo|showuser|viewprofile|space-uid)(?=[/?&;=._\d-]|$)",
    re.IGNORECASE,
)
_HOST: Final = re.compile(r"^(?:https?:)?//[^/?#]*", re.IGNORECASE)
_NO_DATE_OF_POST: Final = re.compile(
    r"join|regist|member since|inscri|beigetr|mitglied|angemeldet|dabei|lid sinds|miembro|ingreso|iscritt|зарегистр"
    r"|регистрац|dołącz|członek|katıl|üyelik|注册|註冊|登録|가입|последн"
    r"|last (?:visit|seen|active|login|edit|post|reply)|edited|modifi"
    r"|bearbeitet|ge(?:ä|ae)ndert|отредакт|编辑|birth|geburt|naissance|offline|expire",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(r"\b\d{1,2}[:.hH]\d{2}\b")
_NO_LETTER: Final = re.compile(r"[\W\d_]*")
_BY: Final = re.compile(
    r"(?:^|\s)(?:by|von|par|por|от|door|av|przez|di)\s*:?\s+(\S.{0,40}?)(?:\s+(?:on|am|le|el|op|at|»))?$", re.IGNORECASE
)
_TRIM: Final = re.compile(
    r"^(?:@"
    r"|(?:(?:posted|written|asked|answered|started|created|replied|sent|publié|posté|écrit|geschrieben|verfasst)\s+)?"
    r"(?:by|von|par|por|от|di|door|av)\b\s*:?"
    r"|(?:author|autor|auteur|автор|作者|楼主)\s*:)\s*"
    r"|[\s:,·•|»–—-]+$",
    re.IGNORECASE,
)
_TIME_ATTRIBUTES: Final = ("title", "data-original-title", "data-time", "data-date", "data-timestamp")
_NAMED: Final = frozenset(("itemprop", "rel", "href", "data-user-card", "data-user-id"))
_TIMED: Final = frozenset(("datetime", "itemprop", *_TIME_ATTRIBUTES))

Region = tuple[int, int]
"""The nodes of a post: its first, and one past its last."""


@dataclass(slots=True)
class Post:
    """A post of a thread."""

    blocks: list[int]
    """Its kept blocks, in order, apart from the lines that name author and date."""
    node: int
    """Its element."""
    author: str | None = None
    day: date | None = None


class _Mark(NamedTuple):
    """A place that may name an author or a date."""

    node: int
    slot: str  # what says so; the same at the same place of each post
    weight: float  # how plainly it says so
    value: str | date


class _Marks:
    """Authors or dates of a page, in order."""

    def __init__(self, marks: Iterable[_Mark] = ()) -> None:
        self.marks = sorted(marks, key=lambda mark: mark.node)
        self._nodes = [mark.node for mark in self.marks]

    def inside(self, region: Region) -> Sequence[_Mark]:
        """Those of a post."""
        return self.marks[bisect_left(self._nodes, region[0]) : bisect_left(self._nodes, region[1])]

    def by_slot(self, regions: Sequence[Region]) -> tuple[dict[str, list[_Mark]], dict[str, int]]:
        """For each slot the first mark of each post that has one, and how many marks there are in all."""
        firsts: dict[str, list[_Mark]] = {}
        counts: dict[str, int] = {}
        for region in regions:
            seen = set()
            for mark in self.inside(region):
                counts[mark.slot] = counts.get(mark.slot, 0) + 1
                if mark.slot not in seen:
                    seen.add(mark.slot)
                    firsts.setdefault(mark.slot, []).append(mark)
        return firsts, counts


@dataclass(slots=True)
class _Group:
    """Elements that may be the posts."""

    name: tuple[str, ...]
    elements: list[int] = field(default_factory=list)
    outermost: int = 0  # one past the last node of the last element that is in no other
    covered: int = 0  # characters of kept blocks inside
    linked: int = 0  # those of them in links
    with_text: float = 0.0  # share of the elements that hold kept blocks of their own

    @property
    def is_named(self) -> bool:
        """Whether a class, an id or a type says that these are posts."""
        return self.name[0] == "type" or (self.name[1] != "in" and bool(_POST_NAMES.search(self.name[2])))


class _Found(NamedTuple):
    """A group that may be the posts, judged."""

    score: float
    group: _Group
    regions: list[Region]
    names: list[_Mark]  # authors that no class says to be names


class KeptBlock(NamedTuple):
    """A block of the main text."""

    number: int  # among all blocks of the page
    start: int  # its first text
    end: int  # one past its last node
    characters: int
    link_characters: int
    kind: str  # as in Block


def kept_blocks(main: Workspace) -> list[KeptBlock]:
    """The blocks of the main text that a workspace holds."""
    kept = ((number, main.blocks[number]) for number, kept in enumerate(main.kept()) if kept)
    return [KeptBlock(number, *(block[name] for name in KeptBlock._fields[1:])) for number, block in kept]


def find_posts(page: PageExtractor) -> list[Post]:
    """The posts of the page that was rendered last; none if it is no thread."""
    document = page.main.document
    if document.n_nodes > _MAX_NODES:
        return []
    blocks = kept_blocks(page.main)
    groups, types = _groups(document, blocks)
    if not groups:
        return []
    kind = page.metadata(page.url, not_after=_LATEST)
    declared = bool(types & _THREADS) or ({"question", "answer"} <= types and "faqpage" not in types)
    if kind.type in _OTHER_KINDS and not declared:
        return []
    forum = declared or kind.type == "forum"
    sure = declared or (kind.type == "forum" and (kind.type_score or 0) >= _SURE)
    groups = [
        group
        for group in groups
        if 2 * group.linked <= group.covered
        and (sure if len(group.elements) == 1 else forum or len(group.elements) > 3 or group.is_named)
    ]
    finder = _Finder(document, blocks, forum=forum, sure=sure)
    groups = [group for group in groups if finder.has_place(group)]
    if not groups:
        return []
    marks = _Reader(document, page.url or "")
    marks.read()  # what costs most
    return finder.find(groups, marks)


# ---------------------------------------------------------------------------------------------------------------------
# Elements that may be the posts
# ---------------------------------------------------------------------------------------------------------------------


def _groups(document: Document, blocks: Sequence[KeptBlock]) -> tuple[list[_Group], set[str]]:
    """Groups of elements around the kept blocks that hold much of the main text, and the types of schema.org around it.

    Each element around a kept block is visited once.
    """
    characters: dict[int, tuple[int, int]] = {}  # of kept blocks in an element, and of those the ones in links
    for block in blocks:
        n = document.parent(block.start)
        known = characters.get(n, (0, 0))
        characters[n] = (known[0] + block.characters, known[1] + block.link_characters)
    todo = list(characters)
    for n in todo:  # which grows
        above = document.parent(n) if n > 0 else 0
        if above > 0 and above not in characters:
            characters[above] = (0, 0)
            todo.append(above)
    nodes = sorted(n for n in characters if n > 0)
    for n in reversed(nodes):
        above = document.parent(n)
        if above > 0:
            known, own = characters[above], characters[n]
            characters[above] = (known[0] + own[0], known[1] + own[1])
    groups: dict[tuple[str, ...], _Group] = {}
    types: set[str] = set()
    for n in nodes:
        for name in _names(document, n, types):
            group = groups.setdefault(name, _Group(name))
            group.elements.append(n)
            if n >= group.outermost:
                group.outermost = document.end(n)
                group.covered += characters[n][0]
                group.linked += characters[n][1]
    least = _COVERED_FORUM * sum(block.characters for block in blocks)
    found: dict[tuple[int, ...], _Group] = {}
    for group in sorted(groups.values(), key=lambda each: -each.covered):
        if group.covered < least or len(found) == _MAX_GROUPS:
            break
        if len(group.elements) > 1 or group.is_named:
            found.setdefault(tuple(group.elements), group)
    return list(found.values()), types


def _names(document: Document, n: int, types: set[str]) -> list[tuple[str, ...]]:
    """What an element may have in common with other posts; adds its types of schema.org to `types`."""
    tag = document.tag(n)
    if tag in _NO_GROUP:
        return []
    attributes = document.attributes(n)
    tokens = (attributes.get("class") or "")[:_MAX_ATTRIBUTE].split()[:_MAX_TOKENS]
    names: list[tuple[str, ...]] = [(tag, "class", _DIGITS.sub("", token[:_MAX_TOKEN])) for token in tokens]
    if (id_ := attributes.get("id")) and _DIGITS.search(id_[:_MAX_TOKEN]):
        names.append((tag, "id", _DIGITS.sub("#", id_[:_MAX_TOKEN])))
    if itemtype := attributes.get("itemtype"):
        own = {each.rstrip("/").rpartition("/")[2].lower() for each in itemtype[:_MAX_ATTRIBUTE].split()}
        types |= own
        if own & _POSTS:
            names.append(("type",))
    if not names or tag in _ALIKE:
        names.append((tag, "in", str(document.parent(n))))
    return names


# ---------------------------------------------------------------------------------------------------------------------
# Marks: authors and dates
# ---------------------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads the marks of a page in one walk."""

    def __init__(self, document: Document, url: str) -> None:
        self.document = document
        self._url = url
        self.authors, self.dates = _Marks(), _Marks()
        self.links: list[int] = []  # headings that lead elsewhere
        self.rated: list[int] = []  # prices, ratings, and items that are no posts
        self.lines: list[tuple[int, str]] = []  # short lines, each with its first text
        self._authors: list[_Mark] = []
        self._dates: list[_Mark] = []
        self._dated: list[tuple[int, str, str]] = []  # texts that may hold a date: node, slot, text
        self._language = ""

    def read(self) -> None:
        """Finds all elements and lines of the page that may name an author or a date."""
        document = self.document
        n, n_nodes, quoted = 1, document.n_nodes, 0
        line: list[str] = []
        first = length = 0
        while n < n_nodes:
            tag = document.tag(n)
            if tag == "#text":
                text = document.text(n)
                if not line:
                    first, length = n, 0
                if length <= _MAX_LINE and n >= quoted and (line or not text.isspace()):
                    line.append(text[: _MAX_LINE + 1])
                    length += len(line[-1])
            elif tag in _SKIP:
                n = document.end(n)
                continue
            elif tag[0] != "#":
                if tag not in _INLINE:
                    self._end_line(first, line)
                    line = []
                elif line:
                    line.append(" ")
                if tag in _QUOTES:
                    quoted = max(quoted, document.end(n))
                if n >= quoted and (attributes := document.attributes(n)):
                    self._read_time(n, tag, attributes, line)
                    self._read_author(n, tag, attributes)
                if tag in _HEADINGS:
                    self._read_heading(n)
            n += 1
        self._end_line(first, line)
        self._read_dates()
        self.authors, self.dates = _Marks(self._authors), _Marks(self._dates)

    def _end_line(self, first: int, line: Sequence[str]) -> None:
        text = " ".join("".join(line).split())
        if not text or len(text) > _MAX_LINE:
            return
        if len(text) > 5 and any(map(str.isdigit, text)):
            self._dated.append((first, "", text))
        if len(text) <= _MAX_NAME:
            self.lines.append((first, text))

    def _read_time(self, n: int, tag: str, attributes: dict[str, str], line: Sequence[str]) -> None:
        """Reads an element whose attributes state a date, or that it is no post's. `line` has what stands before it."""
        itemprop = (attributes.get("itemprop") or "").lower()
        itemtype = attributes.get("itemtype")
        name = attributes.get("class")
        if (
            itemprop in _RATED
            or (itemtype and _NO_POSTS.search(itemtype[:_MAX_ATTRIBUTE]))
            or (name and "review" in name and _REVIEW.search(name[:_MAX_ATTRIBUTE]))
        ):
            self.rated.append(n)
        if tag == "html":
            self._language = attributes.get("lang") or ""
        if _TIMED.isdisjoint(attributes):
            return
        before = "".join(line[-_BEFORE_TIME:])
        if before and _NO_DATE_OF_POST.search(" ".join(before.split())[-_MAX_NAME:]):
            return  # the day of an edit, or of the last reply
        value = attributes.get("datetime") if tag in _TIMES else None
        if value and (day := _iso_day(value)):
            self._dates.append(_Mark(n, f"{tag} datetime {_without_digits(name)}", 3, day))
            return
        if itemprop in ("datepublished", "datecreated", "commenttime"):
            value = attributes.get("content") or attributes.get("datetime") or attributes.get("title") or ""
            if day := _iso_day(value) or parse_date(value[:_MAX_LINE]):
                self._dates.append(_Mark(n, "itemprop", 4, day))
            return
        for key in _TIME_ATTRIBUTES:
            value = attributes.get(key)
            if not value or not 6 < len(value) <= _MAX_NAME + 20 or not any(map(str.isdigit, value)):
                continue
            slot = f"{tag} {key} {_without_digits(name)}"
            if key[0] == "t" or not value.isascii() or not value.isdigit():
                self._dated.append((n, slot, value))
            elif day := _unix_day(value):
                self._dates.append(_Mark(n, slot, 2, day))
                return

    def _read_author(self, n: int, tag: str, attributes: dict[str, str]) -> None:
        """Reads an element that may be an author's name."""
        name = attributes.get("class") or ""
        weight = _weight_of_class(name[:_MAX_ATTRIBUTE])
        if weight <= 0 and _NAMED.isdisjoint(attributes):
            return
        itemprop = (attributes.get("itemprop") or "").lower()
        href = attributes.get("href") if tag == "a" else None
        if itemprop in ("author", "creator") or "author" in (attributes.get("rel") or "").lower().split():
            weight = 5
        elif href and weight >= 0 and _PROFILE.search(_path(href)):
            weight = max(weight, 2) + 1
        if "data-user-card" in attributes or "data-user-id" in attributes:
            weight = max(weight, 3)
        if weight > 0 and (text := self._name_in(n)):
            slot = f"{tag} {itemprop} {_without_digits(name)}{' @' if href else ''}"
            # a link holds the name alone, an element around it perhaps a number of posts too
            self._authors.append(_Mark(n, slot, weight + (0.5 if href else 0), text))

    def _name_in(self, n: int) -> str | None:
        """The first line of a small element, if it may be a name."""
        document = self.document
        k, end = n + 1, document.end(n)
        if end - n > _MAX_LOOK:
            return None
        if end == k:
            return _clean_name(document.attributes(n).get("content") or "")
        pieces: list[str] = []
        while k < end:
            tag = document.tag(k)
            if tag == "#text":
                pieces.append(document.text(k)[: _MAX_LINE + 1])
            elif tag in _SKIP:
                k = document.end(k)
                continue
            elif tag == "meta":
                attributes = document.attributes(k)
                if (attributes.get("itemprop") or "").lower() == "name":
                    return _clean_name(attributes.get("content") or "")
            elif tag not in _INLINE and "".join(pieces).strip():
                break
            k += 1
        return _clean_name("".join(pieces))

    def _read_heading(self, n: int) -> None:
        """Remembers a heading whose text is a link to another page, apart from that of a member."""
        document = self.document
        k, end = n + 1, min(document.end(n), n + _MAX_LOOK)
        while k < end and document.tag(k) != "a":
            k += 1
        link = k if k < end else document.parent(n)
        href = document.attributes(link).get("href") if document.tag(link) == "a" else None
        if href and "#" not in href and not _PROFILE.search(_path(href)):
            self.links.append(n)

    def _read_dates(self) -> None:
        """Reads dates in attributes and lines, in the order of day and month that the page has."""
        try:
            host = urlsplit(self._url).hostname or ""
        except ValueError:
            host = ""
        order = order_of((text for _, _, text in self._dated), self._language, host)
        for n, slot, text in self._dated:
            found = find_dates(text, language=order.language, day_first=order.day_first)
            if not found:
                continue
            before = text[: found[0].start].strip(" \t:,·•|»–—-")
            if _NO_DATE_OF_POST.search(before):
                continue
            clock = _CLOCK.search(text, found[0].end) or _CLOCK.search(before)
            if slot:
                self._dates.append(_Mark(n, slot, 3 if clock else 1, found[0].day))
                continue
            if (by := _BY.search(before)) and (name := _clean_name(by[1])):
                self._authors.append(_Mark(n, "line by", 1, name))
            words = _DIGITS.sub("", before).split()
            self._dates.append(_Mark(n, f"line {words[0] if words else ''}"[:30], 2 if clock else 0, found[0].day))

    def names_in(self, regions: Sequence[Region]) -> list[_Mark]:
        """The first short lines of posts, if they stand at the same place of nearly all posts and differ: names that no
        class says to be names.
        """
        document = self.document
        slots: dict[str, list[_Mark]] = {}
        nodes = [node for node, _ in self.lines]
        for start, end in regions:
            seen = set()
            k = bisect_left(nodes, start)
            for node, text in self.lines[k : min(bisect_left(nodes, end), k + _FIRST_LINES)]:
                above = document.parent(node)
                slot = f"line {document.tag(above)} {_without_digits(document.attributes(above).get('class'))}"
                name = _clean_name(text)
                if name and slot not in seen:
                    seen.add(slot)
                    slots.setdefault(slot, []).append(_Mark(node, slot, 0, name))
        for marks in slots.values():
            if len(marks) >= _NEARLY_ALL * len(regions) and len({mark.value for mark in marks}) > 1:
                return marks
        return []


@lru_cache(4096)  # pages of a host have the same classes
def _weight_of_class(name: str) -> float:
    """How plainly a class says that its element names an author; negative if it says that it does not."""
    if _NO_NAMES.search(name):
        return -1
    if not _AUTHOR_NAMES.search(name):
        return 0
    return 3 if _NAMES_OF_NAMES.search(name) else 1


def _without_digits(name: str | None) -> str:
    return _DIGITS.sub("", (name or "")[:_MAX_ATTRIBUTE])


def _path(href: str) -> str:
    """Path and query of an address."""
    return _HOST.sub("", href[:_MAX_ATTRIBUTE]).partition("#")[0]


def _iso_day(value: str) -> date | None:
    """The day that an ISO 8601 date or time begins with."""
    value = value.strip()[:10]
    try:
        return date.fromisoformat(value) if "1990" <= value[:4] <= "2100" else None
    except ValueError:
        return None


def _unix_day(value: str) -> date | None:
    """The day of a time in seconds or milliseconds since 1970, from 1990 to 2100."""
    if len(value) not in (9, 10, 12, 13):
        return None
    seconds = int(value) // (1000 if len(value) > 10 else 1)
    day = date.fromordinal(date(1970, 1, 1).toordinal() + seconds // 86_400)
    return day if seconds >= _UNIX_1990 and day <= _LATEST else None


def _clean_name(text: str) -> str | None:
    """A name without what stands around it; None for what is none."""
    text = " ".join(text.split())
    if not 1 < len(text) <= MAX_AUTHOR:
        return None
    text = _TRIM.sub("", text).strip()
    if not text or (_NO_LETTER.fullmatch(text) and not text.isalnum()) or find_dates(text):
        return None
    return text


# ---------------------------------------------------------------------------------------------------------------------
# Which elements are the posts, and what they say
# ---------------------------------------------------------------------------------------------------------------------


class _Finder:
    """Chooses the posts among groups of elements."""

    _marks: _Reader

    def __init__(self, document: Document, blocks: Sequence[KeptBlock], *, forum: bool, sure: bool) -> None:
        self._document = document
        self._blocks = blocks
        self._starts = [block.start for block in blocks]
        self._characters = sum(block.characters for block in blocks)
        self._forum = forum  # the page is a forum's, whatever its elements
        self._sure = sure  # and nothing else is likely

    def has_place(self, group: _Group) -> bool:
        """Whether a group may be the posts by its place and its text alone, whatever its elements say."""
        n = len(group.elements)
        least = _COVERED_FORUM if self._forum and n > 1 else _COVERED
        if not self._characters or group.covered / self._characters < least or not self._begins_at(group.elements[0]):
            return False
        group.with_text = sum(map(bool, self._own_blocks(group.elements))) / n
        return group.with_text >= _MOST

    def find(self, groups: Sequence[_Group], marks: _Reader) -> list[Post]:
        """The posts, of groups that have their place; none if no group is good enough."""
        self._marks = marks
        judged = [found for group in groups if (found := self._judge(group))]
        judged = [found for found in judged if len(found.regions) > 1] or judged  # one element may hold all of a thread
        if not judged:
            return []
        top = max(found.score for found in judged)
        most = max(len(found.regions) for found in judged if found.score >= _AS_GOOD * top)
        # Of elements around elements the tightest, which leave out what the member's profile says.
        tight = [found for found in judged if len(found.regions) == most and found.score >= _TIGHT * top]
        posts = self._posts(min(tight, key=lambda found: (found.group.covered, found.group.elements[0])))
        return posts if len(posts) >= _MOST * most else []

    def _judge(self, group: _Group) -> _Found | None:
        """A group with its score and its regions; None if it is not the posts."""
        forum, marks, n = self._forum, self._marks, len(group.elements)
        regions = self._regions(group.elements)
        dates, authors = self._shares(regions)
        if dates < _MOST or authors < _MOST:
            wider = self._with_gaps(regions)
            wider_shares = self._shares(wider)
            if sum(wider_shares) > dates + authors:
                regions, (dates, authors) = wider, wider_shares
        names: list[_Mark] = []
        if authors < _MOST <= dates and n > 1 and (forum or (group.is_named and n > 2)):
            names = marks.names_in(regions)
            authors = max(authors, len(names) / n)
        cover = group.covered / self._characters
        if n == 1:
            counts = dates == authors == 1
        elif forum and (self._sure or group.is_named):
            counts = max(dates, authors) >= _MOST
        else:
            counts = authors >= _MOST and (dates >= _MOST or (group.is_named and n > 2 and authors > _NEARLY_ALL))
        if not counts:
            return None
        if n > 1 and max(_hits(marks.links, regions), _hits(marks.rated, regions)) > n / 2:
            return None
        if not (forum or self._differ(regions)):
            return None
        unity = self._unity(regions)
        if n == 1 and unity < 0.5:
            return None
        # Two dates of a kind are common in a post.
        score = cover * group.with_text * (0.4 + 0.3 * dates + 0.3 * authors) * (0.5 + 0.5 * min(2 * unity, 1))
        return _Found(score, group, regions, names)

    def _regions(self, elements: Sequence[int]) -> list[Region]:
        """For each element the nodes around it that belong to no other: where a name stands beside its post."""
        document = self._document
        found: list[Region] = []
        for i, n in enumerate(elements):
            before = elements[i - 1] if i else -1
            after = elements[i + 1] if i + 1 < len(elements) else document.n_nodes
            if after < document.end(n):  # it holds the next one
                found.append((n, after))
                continue
            top = n
            while len(elements) > 1:
                above = document.parent(top)
                if above <= max(before, 0) or document.end(above) > after or document.tag(above) in ("body", "main"):
                    break
                top = above
            found.append((top, document.end(top)))
        return found

    def _with_gaps(self, regions: Sequence[Region]) -> list[Region]:
        """Regions with what stands before each, back to the one before: a row with a name above a row with a text."""
        found: list[Region] = []
        last = 0
        for start, end in regions:
            found.append((max(self._document.parent(start) + 1, last), end))
            last = end
        return found

    def _shares(self, regions: Sequence[Region]) -> tuple[float, float]:
        """The shares of regions that have a date and an author."""
        dates, authors = self._marks.dates, self._marks.authors
        n = len(regions)
        return sum(bool(dates.inside(each)) for each in regions) / n, sum(map(bool, map(authors.inside, regions))) / n

    def _unity(self, regions: Sequence[Region]) -> float:
        """1 where each region has one date at the same place, or one author if there are no dates; less where a region
        holds several posts.
        """
        for marks in (self._marks.dates, self._marks.authors):
            firsts, counts = marks.by_slot(regions)
            if firsts:
                slot = max(counts, key=counts.__getitem__)
                return len(firsts[slot]) / counts[slot]
        return 0.0

    def _differ(self, regions: Sequence[Region]) -> bool:
        """Whether the regions name different authors: an article may name its own twice, and a list of articles that of
        each.
        """
        authors = self._marks.authors
        return len({frozenset(mark.value for mark in authors.inside(each)) for each in regions}) > 1

    def _begins_at(self, first: int) -> bool:
        """Whether the main text begins with the first post, apart from a headline. On a page of a forum, other text may
        come before: a question that its answers do not look like.
        """
        blocks = self._blocks[: bisect_left(self._starts, first)]
        before = sum(block.characters for block in blocks if block.kind != "heading-1")
        return before <= _BEFORE or (self._forum and 2 * before <= self._characters)

    def _lead(self, first: int) -> int:
        """The element with the text before the first post, if it names an author or a date; otherwise 0."""
        document = self._document
        blocks = self._blocks[: bisect_left(self._starts, first)]
        n = next((document.parent(block.start) for block in blocks if not block.kind.startswith("heading")), 0)
        if n <= 0 or document.end(n) > first:
            return 0
        while (above := document.parent(n)) > 0 and document.end(above) <= first:
            n = above
        region = n, document.end(n)
        return n if self._marks.authors.inside(region) or self._marks.dates.inside(region) else 0

    def _own_blocks(self, elements: Sequence[int]) -> list[list[KeptBlock]]:
        """The kept blocks of each element that are in no other inside of it."""
        document = self._document
        found: list[list[KeptBlock]] = [[] for _ in elements]
        around: list[int] = []
        k = 0
        for block in self._blocks:
            while k < len(elements) and elements[k] <= block.start:
                around.append(k)
                k += 1
            while around and document.end(elements[around[-1]]) <= block.start:
                around.pop()
            if around:
                found[around[-1]].append(block)
        return found

    def _posts(self, best: _Found) -> list[Post]:
        """The posts of a group with what each says."""
        document = self._document
        elements: Sequence[int] = best.group.elements
        regions: Sequence[Region] = best.regions
        if self._forum and len(elements) > 1 and (lead := self._lead(regions[0][0])):
            elements, regions = [lead, *elements], [(lead, document.end(lead)), *regions]
        days = self._chosen(self._marks.dates, regions, _worth_of_dates)
        named = _Marks([*self._marks.authors.marks, *best.names])
        authors = self._chosen(named, regions, _worth_of_authors)
        posts = []
        for n, day, author, own in zip(elements, days, authors, self._own_blocks(elements), strict=True):
            blocks = [block for block in own if not self._says(block, day, author)]
            if all(block.kind.startswith("heading") for block in blocks):
                continue  # the title of the thread, or nothing
            post = Post([block.number for block in blocks], n)
            if author is not None:
                post.author = str(author.value)
            if day is not None and isinstance(day.value, date):
                post.day = day.value
            posts.append(post)
        return posts

    def _says(self, block: KeptBlock, *marks: _Mark | None) -> bool:
        """Whether a block is a line that says who wrote the post or when."""
        if block.characters > _MAX_LINE:
            return False
        for mark in marks:
            if mark is not None:
                end = self._document.end(mark.node)
                if block.start <= mark.node < block.end or (
                    mark.node < block.start < end <= mark.node + _MAX_LINE_NODES
                ):
                    return True
        return False

    @staticmethod
    def _chosen(
        marks: _Marks, regions: Sequence[Region], worth: Callable[[Sequence[_Mark]], float]
    ) -> list[_Mark | None]:
        """The author or date of each post: of the slot that is worth most, and where a post lacks it, of the next."""
        firsts, _ = marks.by_slot(regions)
        # Stable: the first on the page.
        ranked = sorted(firsts, key=lambda slot: -len(firsts[slot]) * worth(firsts[slot]))
        places = {slot: k for k, slot in enumerate(ranked)}
        return [
            min(marks.inside(region), key=lambda mark: (places[mark.slot], mark.node), default=None)
            for region in regions
        ]


def _worth_of_dates(marks: Sequence[_Mark]) -> float:
    """How much a slot speaks for itself: plain dates, and dates that rise or fall from post to post."""
    days = [mark.value for mark in marks if isinstance(mark.value, date)]
    rising = sum(a <= b for a, b in pairwise(days))
    falling = sum(a >= b for a, b in pairwise(days))
    ordered = max(rising, falling) / (len(days) - 1) if len(days) > 1 else 1.0
    return (0.5 + 0.5 * ordered) * (1 + sum(mark.weight for mark in marks) / len(marks))


def _worth_of_authors(marks: Sequence[_Mark]) -> float:
    """How much a slot speaks for itself: plain names, and names that are not the same in all posts."""
    repeated = len(marks) > 2 and len({mark.value for mark in marks}) == 1
    return (0.2 if repeated else 1) * (1 + sum(mark.weight for mark in marks) / len(marks))


def _hits(nodes: Sequence[int], regions: Sequence[Region]) -> int:
    """How many regions hold one of these nodes."""
    return sum(bisect_left(nodes, start) < bisect_left(nodes, end) for start, end in regions)
