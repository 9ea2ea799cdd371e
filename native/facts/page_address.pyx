# SPDX-License-Identifier: Apache-2.0
"""What a page's address says: the day of its path, the page's name, and what the site may be called."""

import re
from datetime import date
from functools import lru_cache
from itertools import pairwise
from unicodedata import normalize
from urllib.parse import unquote

cimport cython
from thresher.native.base.characters cimport key_of
from thresher.native.facts.dates cimport Day, date_of, make_day

cdef enum:
    MAX_NAME = 200      # characters of a page's name

cdef object DATE_IN_PATH = re.compile(
    r"(?<![0-9])((?:19|20)[0-9]{2})([/_-]?)([01]?[0-9])\2([0-3]?[0-9])(?![0-9])"
    r"|(?<![0-9])([0-3]?[0-9])([/_-])([01]?[0-9])\6((?:19|20)[0-9]{2})(?![0-9])"
).finditer
cdef object MONTH_IN_PATH = re.compile(r"/((?:19|20)[0-9]{2})[/-]?([01][0-9])/").search
cdef object REPLAY = re.compile(r"https?://[^/]+/web/[0-9]{14}[^/]*/(?=https?:)?", re.IGNORECASE).sub
cdef object WITHOUT_HOST = re.compile(r"^(?:[a-z]+:)?//[^/]*", re.IGNORECASE).sub
cdef object NUMBER_OR_SUFFIX = re.compile(r"(?:[-_][0-9]+)?(?:\.[a-z]{3,5})?$", re.IGNORECASE).search
cdef object decomposed = normalize
cdef object HOST = re.compile(r"https?://(?:[^/?#@]*@)?([^/?#:@\[\]]{1,255})", re.IGNORECASE).match


cdef str without_the(str letters):
    """Letters without "the" in front."""
    if len(letters) >= 3 and letters[0] == u"t" and letters[1] == u"h" and letters[2] == u"e":
        return letters[3:]
    return letters


cdef str name_key(str text):
    """Letters and digits of a text in lower case, without "the" in front: what two spellings of a name share."""
    return without_the(key_of(text))


cdef str plain_letters(str text, str key):
    """Letters and digits of a text in lower case, without accents, as addresses have them; `key` is key_of() it."""
    cdef str plain
    if text.isascii():
        return key
    # No accent is a letter, but the lower case of one of them is the letter iota.
    plain = decomposed("NFKD", text).replace("\u0345", "")
    return key if plain == text else key_of(plain)


@cython.final
cdef class Words:
    """Words in lower case that texts are searched for."""

    def __init__(self, frozenset words not None) -> None:
        """Takes the words, none of them empty."""
        self.words = words
        for word in words:
            self.lengths[ord(word[0]) & 31] |= <uint32_t> 1 << min(len(word), 31)

    cdef bint are_in(self, str text) except -1:
        """True if one of the runs of letters, digits and underscores of a text is one of the words, in any case."""
        cdef Py_ssize_t i, start = 0, n = len(text)
        for i in range(n + 1):
            if i == n or not is_of_word(text[i]):
                if i > start and self.has(text, start, i):
                    return True
                start = i + 1
        return False

    cdef bint has(self, str text, Py_ssize_t start, Py_ssize_t end) except -1:
        """True if a part of a text, not an empty one, is one of the words, in any case."""
        cdef Py_UCS4 first = text[start]
        if first < 0x80 and not self.lengths[<uint32_t> first & 31] >> min(end - start, 31) & 1:
            return False
        return text[start:end].lower() in self.words


cdef set words_of(str text):
    """The runs of letters, digits and underscores of a text."""
    cdef Py_ssize_t i, start = 0, n = len(text)
    cdef set found = set()
    for i in range(n + 1):
        if i == n or not is_of_word(text[i]):
            if i > start:
                found.add(text[start:i])
            start = i + 1
    return found


cdef str without_replay(str url):
    """An address without that of the archive which replays it."""
    return REPLAY("", url) if "/web/" in url.lower() else url


cdef bint holds_year(str path) noexcept:
    """True if a path has four digits, the first two of which are those of a year."""
    cdef Py_ssize_t i
    for i in range(len(path) - 3):
        if (
            (path[i] == u"2" and path[i + 1] == u"0" or path[i] == u"1" and path[i + 1] == u"9")
            and u"0" <= path[i + 2] <= u"9" and u"0" <= path[i + 3] <= u"9"
        ):
            return True
    return False


cdef Day day_in_address(str url) except -1:
    """The day that the path of an address names: /2014/03/05/, /2014-03-05-, /20140305/, /05-03-2014-; 0 if none."""
    cdef str path
    cdef Day found
    if not url or not holds_year(url):
        return 0
    path = WITHOUT_HOST("", without_replay(url), count=1).partition("?")[0]
    if not holds_year(path):
        return 0
    for match in DATE_IN_PATH(path):
        year, separator, month, day, day2, _, month2, year2 = match.groups()
        if year is not None and not separator and match.end() - match.start() != 8:     # 20140305
            continue
        found = make_day(int(year or year2), int(month or month2), int(day or day2))
        if found:
            return found
    return 0


def date_in_address(str url) -> date | None:
    """The day that the path of an address names: /2014/03/05/, /2014-03-05-, /20140305/, /05-03-2014-."""
    return date_of(day_in_address(url))


cdef str month_in_address(str url):
    """The year and month that the path of an address names, as in "2014-03"; "" if it names none."""
    cdef object match
    if not url or not holds_year(url):
        return ""
    match = MONTH_IN_PATH(without_replay(url))
    return f"{match[1]}-{match[2]}" if match is not None else ""


cdef str name_in_address(str url):
    """The page's name in its address, as Address.name() describes it."""
    cdef str path, before, slash, last
    if not url:
        return ""
    path = WITHOUT_HOST("", without_replay(url), count=1).partition("#")[0].partition("?")[0].rstrip("/")
    before, slash, last = path.rpartition("/")
    if not slash or ":" in before:
        return ""
    # what is cut off has no dash but the one that it may begin with
    last = last[:NUMBER_OR_SUFFIX(last, max(last.rfind("-"), last.rfind("_"), 0)).start()][:MAX_NAME]
    if "%" in last:
        last = unquote(last)
    return plain_letters(last, key_of(last))


cdef str host_of(str url):
    """The host of an address, as it is written; "" if it has none."""
    cdef object match = HOST(url)
    return match[1] if match is not None else ""


@cython.final
cdef class Address:
    """What a page's address says. Each answer is looked for once."""

    def __cinit__(self, str url) -> None:
        """Takes the address apart."""
        cdef Py_ssize_t start = 0, end, n
        self.url, self.host, self.day = url or "", "", -1
        n = len(self.url)
        for prefix in ("https://", "http://"):
            if self.url[:len(prefix)].lower() == prefix:
                start = len(prefix)
        end = start
        while end < n and self.url[end] not in u"/?#":
            end += 1
        if 0 < start < end:
            self.is_front_page = end == n or (end + 1 == n and self.url[end] == u"/")
            self.host = host_of(self.url)

    cdef Day named_day(self) except -1:
        """The day that the path names; 0 if none."""
        if self.day < 0:
            self.day = day_in_address(self.url)
        return self.day

    cdef str name(self):
        """The page's name, as a key of letters: /mills/the-old-wheel-2.html → theoldwheel. A suffix and a number at its
        end are left out. "" if it has none.
        """
        if self.own_name is None:
            self.own_name = name_in_address(self.url)
        return self.own_name

    cdef frozenset site_names(self):
        """How a site may be called after its host: news.bbc.co.uk → bbc, bbcnews, bbccouk, …"""
        return _names_of_host(self.host.lower()) if self.host else frozenset()


@lru_cache(maxsize=1 << 12)
def _names_of_host(host: str) -> frozenset[str]:
    """How a site may be called after its host, in lower case."""
    labels = [
        without_the(label) if label.isascii() and label.isalnum() else name_key(label)
        for label in host.removeprefix("www.").split(".")
    ]
    if len(labels) < 2:
        return frozenset()
    names, joined = set(labels[:len(labels) - 1]), ""
    for label in reversed(labels):
        joined = label + joined
        names.add(joined)
    names.add("www" + joined)
    names.update([b + a for a, b in pairwise(labels[:len(labels) - 1])])
    return frozenset([name for name in names if len(name) > 2])
