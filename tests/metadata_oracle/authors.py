# SPDX-License-Identifier: Apache-2.0
"""Authors' names in plain Python: the slow oracle of thresher.native.facts.authors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from metadata_oracle.dates import ShownLine, find_dates

from thresher.native.base.characters import key_of
from thresher.native.facts.shown_lines import MARKS

_MAX_NAME: Final = 200  # characters of a text with names; a longer one is none
_MAX_AUTHORS: Final = 20
_MAX_WORDS: Final = 6  # of one name

_BY: Final = re.compile(
    r"^[\s|,:·•–—-]*(?:(?:written|story|words|text|report|reporting|posted|published|posté|publié|"
    r"geschrieben|ein artikel|artikel|article|eingestellt|veröffentlicht|escrito|publicado|scritto|a cura)\s+)?"
    r"(?:by|von|par|por|di|da|door|av|af|przez|автор|текст|from|yazan|oleh|bởi|autor(?:in|en)?|author|authors|auteur|"
    r"autore|redakteur(?:in)?|reporter|text|foto|(?:本报|本報)?(?:记者|記者))(?:\s*[:：]\s*|\s+)",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\s*[(\[（][^)\]）]{0,80}[)\]）]")
_JOINING: Final = "and|und|et|y|e|en|og|och|i|a|и|та|ja|ve|dan|và|&|with|mit"
_JOINERS: Final = frozenset(_JOINING.split("|"))
_AND: Final = re.compile(rf"\s+(?:{_JOINING})\s+|\s*[;/|｜•·]\s*|\s+[–—]\s+|\s*、\s*")
_ADDRESS: Final = re.compile(r"\S+@\S+|https?://\S+|www\.\S+")
_TAIL: Final = re.compile(
    r"(?<!^the)\s+(?:for\s+)?(?:(?:the\s+)?associated press|ap|reuters|afp|dpa|upi|bloomberg(?: news)?|getty images"
    r"|usa today(?: network)?|(?:sports |news |staff |senior |chief |contributing |political |tech |science )*(?:"
    r"writer|reporter|editor|correspondent|columnist|contributor|journalist|photographer|producer|analyst|critic|redakteur(?:in)?|journaliste|periodista|"
    r"giornalista|redactor|redacteur)|기자|특파원|선임기자|記者|记者|编辑|編集委員|\S{0,3}(?:报道|報道))\s*$",
    re.IGNORECASE,
)
_LAST_WORDS: Final = frozenset((
    "", "press", "ap", "reuters", "afp", "dpa", "upi", "bloomberg", "news", "images", "today", "network", "writer",
    "reporter", "editor", "correspondent", "columnist", "contributor", "journalist", "photographer", "producer",
    "analyst", "critic", "redakteur", "redakteurin", "journaliste", "periodista", "giornalista", "redactor",
    "redacteur",
))  # fmt: skip
"""What _TAIL ends with, in ASCII."""
_ROLE: Final = re.compile(
    r"^(?:(?:contributing|staff|senior|chief|managing|deputy|associate|executive|news|sports|political|opinion|crimson|special)\s)*"
    r"(?:writer|reporter|editor|correspondent|columnist|contributor|opinion|journalist|photographer|producer|analyst|"
    r"critic|editor[- ]in[- ]chief|redakteur(?:in)?|chefredakteur(?:in)?|journaliste|periodista|giornalista|to .+)s?$",
    re.IGNORECASE,
)
_ORGANISATIONS: Final = frozenset((
    "staff", "daily", "news", "newsroom", "times", "reporter", "reporters", "editor", "editors", "editorial",
    "team", "press", "agency", "media", "magazine", "desk", "board", "developer", "admin", "redaktion", "redacción",
    "redazione", "rédaction", "correspondent", "service", "group", "inc", "llc", "ltd", "gmbh", "network", "online",
))  # fmt: skip
_DEGREES: Final = re.compile(
    r"^(?:ph\.?\s?d\.?|m\.?d\.?|jr\.?|sr\.?|ii|iii|esq\.?|mba|msc|dr\.?|m\.?s\.?|bsc|mph|rdn?|ldn?|rn|dds|dvm|lcsw|cpt)$",
    re.IGNORECASE,
)
_NO_NAMES: Final = frozenset((
    "admin", "administrator", "webmaster", "editor", "editors", "staff", "author", "user", "guest", "root",
    "anonymous", "unknown", "null", "none", "n/a", "na", "undefined", "wordpress", "redaktion", "redaction",
    "redacción", "redazione", "rédaction", "by", "von", "share", "follow", "updated", "published", "posted",
    "comment", "comments", "facebook", "twitter", "email", "e-mail", "print", "advertisement", "read more",
    "last updated", "no comments", "sponsored",
))  # fmt: skip
_WORD: Final = re.compile(r"\w+")
_DIVIDERS: Final = re.compile("[;/|｜•·–—、]")
_NO_PLAIN_NAME: Final = re.compile(r"[\d(\[（@/]")


def read_names(texts: Iterable[str]) -> list[str]:
    """The names in texts that hold authors, each once: roles, agencies behind a name, addresses, dates, "By" and what
    is too long for a name are left out; several names in one text are told apart.
    """
    found: dict[str, None] = {}
    for text in texts:
        if len(text) > _MAX_NAME or "{" in text:
            continue
        rest = text
        if _NO_PLAIN_NAME.search(text) or "www." in text:
            rest = _ADDRESS.sub(" ", _BRACKETS.sub("", _without_dates(text)))
        for name in _split(_without_by(rest)):
            cleaned = _clean(name)
            if cleaned and len(found) < _MAX_AUTHORS:
                found[cleaned] = None
    return list(found)


def _without_by(text: str) -> str:
    match = _BY.match(text)
    return text[match.end() :] if match else text


def _without_dates(text: str) -> str:
    if any(map(str.isdigit, text)):
        for found in reversed(find_dates(text)):
            text = f"{text[: found.start]};{text[found.end :]}"
    return text


def _split(text: str) -> list[str]:
    """The names of a list: apart by "and" in several languages, by semicolons, by commas unless in "Miller, A."."""
    names: list[str] = []
    joined = _DIVIDERS.search(text) or not _JOINERS.isdisjoint(text.split())
    for part in _AND.split(text) if joined else [text]:
        pieces = [piece.strip() for piece in part.split(",")]
        if len(pieces) == 2 and _is_inverted(pieces[0], pieces[1]):
            names.append(f"{pieces[1]} {pieces[0]}")
            continue
        for piece in pieces:
            if names and _DEGREES.fullmatch(piece):
                names[-1] += f", {piece}"
            elif piece and not (names and _ROLE.fullmatch(piece)):
                names.append(piece)
    return names


def _is_inverted(last: str, first: str) -> bool:
    """Whether two parts are one name, the last name first: Miller, A. or You, Xiaoying."""
    return len(last.split()) == 1 and len(first.split()) <= 2 and not _DEGREES.fullmatch(first) and first[:1].isupper()


def _clean(name: str) -> str | None:
    """One name without what is glued to it; None if it is none."""
    previous = None
    while previous != name:
        previous = name
        name = _without_by(name)
        last = "".join(name.rsplit(None, 1)[-1:]).lower()
        name = ((_TAIL.sub("", name) if last in _LAST_WORDS or not last.isascii() else name) or name).strip(
            " \t,;:|·•-–—*@/\"'“”„"
        )
    if not any(map(str.isalpha, name)) or name.lower() in _NO_NAMES or len(name.split()) > _MAX_WORDS:
        return None
    plain = name.lower().rstrip("0123456789_-.")
    if name.isascii() and " " not in name and (plain in _NO_NAMES or plain.endswith(("admin", "webmaster"))):
        return None
    return name


_BEGINS_BY: Final = re.compile(r"(?:by|von|par|por|di|door|av|af|text|oleh)[\s:]\s*(?=[^\W\d_])", re.IGNORECASE)
_FIRST_OF_BY: Final = frozenset("abdoptvABDOPTV")
_HEADINGS: Final = MARKS["heading_1"] | MARKS["heading_2"] | MARKS["title"]
_AUTHOR: Final = MARKS["author"]
_BIOGRAPHY: Final = MARKS["biography"]
_OF_OTHERS: Final = MARKS["elsewhere"] | _BIOGRAPHY
_BESIDE: Final = 120  # bytes after the headline within which a byline is the page's, whatever surrounds it
_BEFORE_A_DATE: Final = re.compile(r"[^\W\d_][^\d|·•]{3,40}[|·•]\s*\d")
_ENOUGH: Final = 2.0
_NEAR: Final = 600  # bytes of visible text after the headline
_BEFORE: Final = 250  # before it
_SHORT: Final = 80  # bytes of a line with names alone


def without_site(name: str, sites: AbstractSet[str]) -> str:
    """A person's name of two words or more without the site's name behind it."""
    words = name.split()
    for place in range(2, len(words)):
        if key_of("".join(words[place:])) in sites:
            return " ".join(words[:place])
    return name


def shown_authors(lines: Sequence[ShownLine], headline: int | None) -> list[str]:
    """The authors' names that a line near the headline shows; empty if there is none."""
    best: tuple[float, list[str]] | None = None
    for line in lines:
        distance = line.place - headline if headline is not None else _NEAR
        if not -_BEFORE <= distance <= _NEAR or len(line.text) > _SHORT or 0 < line.marks <= _HEADINGS:
            continue
        text = line.text
        begins_by = text[:1] in _FIRST_OF_BY and _BEGINS_BY.match(text) is not None
        score = 2.0 * bool(line.marks & _AUTHOR) + 2.0 * begins_by
        if "|" in text or "·" in text or "•" in text:
            score += 2.0 * bool(_BEFORE_A_DATE.match(text))
        if not score:
            continue
        others = _BIOGRAPHY if begins_by and 0 <= distance <= _BESIDE else _OF_OTHERS
        score += 1.0 - abs(distance) / _NEAR - 3.0 * bool(line.marks & others)
        if score < _ENOUGH:
            continue
        names = [name for name in read_names([line.text]) if _looks_like(name)]
        if names and (best is None or score > best[0]):
            best = score, names
    return best[1] if best is not None else []


def is_organisation(name: str) -> bool:
    """Whether a name is rather that of an editorial staff than of a person."""
    return not _ORGANISATIONS.isdisjoint(_WORD.findall(name.lower()))


def _looks_like(name: str) -> bool:
    """Whether a text could be a person's name: two words or more with capitals, or a script without them."""
    words = name.split()
    if any(character.isdigit() for character in name):
        return False
    if name.casefold() == name and name.upper() == name:  # no script with capitals
        return True
    return len(words) > 1 and words[0][:1].isupper() and words[-1][:1].isupper()
