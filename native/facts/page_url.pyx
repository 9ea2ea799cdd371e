# SPDX-License-Identifier: Apache-2.0
"""What a page's URL says: the day of its path and the page's name; and the keys by which names are compared."""

import re
from urllib.parse import unquote

cimport cython
from cpython.unicode cimport PyUnicode_1BYTE_DATA
from libc.stdint cimport uint8_t

from thresher.native.facts.labels import ARCHIVES
from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, key_of, letter_of, letters_in
from thresher.native.facts.dates cimport Day, make_day

cdef enum:
    MAX_NAME = 200      # characters of a page's name

cdef object DATE_IN_PATH = re.compile(
    r"(?<![0-9])((?:19|20)[0-9]{2})([/_-]?)([01]?[0-9])\2([0-3]?[0-9])(?![0-9])"
    r"|(?<![0-9])([0-3]?[0-9])([/_-])([01]?[0-9])\6((?:19|20)[0-9]{2})(?![0-9])"
).finditer
cdef object MONTH_IN_PATH = re.compile(r"/((?:19|20)[0-9]{2})[/-]?([01][0-9])/").search
# Of archives that are known the address may follow anything, or fourteen digits if it has no scheme; of others, the digits
# of the capture.
cdef object REPLAY = re.compile(
    r"https?://(?:"
    rf"(?:[^/?#]*\.)?(?:{ARCHIVES.replace('.', '[.]')})(?::[0-9]+)?/(?:[^?#*]*?/)??"
    r"(?:(?=https?:/)|[0-9]{14}(?:[a-z]{2}_)?/(?=[^/?#]+[.]))"
    r"|[^/?#]+/(?:[^?#*]*?/)??(?:web/[0-9]{4,7}|[0-9]{8,14}(?:[a-z]{2}_)?)/(?=https?:/)"
    r")(https?:)?/*",
    re.IGNORECASE,
).match
cdef object MAY_REPLAY = re.compile(r"/(?:https?:|[0-9]{14})", re.IGNORECASE).search     # what most addresses lack
cdef object URL = re.compile(r"([a-z]+:)?//([^/?#]*)([^?#]*)(\?[^#]*)?", re.IGNORECASE | re.ASCII).match
cdef object HOST = re.compile(r"(?:[^@]*@)?([^:@\[\]]{1,255})").match
cdef object NUMBER_OR_SUFFIX = re.compile(r"(?:[-_][0-9]+)?(?:\.[a-z]{3,5})?$", re.IGNORECASE).search


cdef uint8_t[128] IN_WORD           # a character of words in lower case; 0 for others
for _byte in range(128):
    IN_WORD[_byte] = ord(chr(_byte).lower()) if is_of_word(<Py_UCS4> <int> _byte) else 0


cdef str without_the(str letters):
    """Letters without "the" in front."""
    if len(letters) >= 3 and letters[0] == u"t" and letters[1] == u"h" and letters[2] == u"e":
        return letters[3:]
    return letters


cdef str name_key(str text):
    """Letters and digits of a text in lower case, without "the" in front: what two spellings of a name share."""
    return without_the(key_of(text))


cdef str plain_letters(str text, str key):
    """Letters and digits of a text in lower case, without accents, as URLs have them; `key` is key_of() it."""
    return key if PyUnicode_IS_ASCII(text) else letters_in(text, True)


cdef inline uint32_t folded(Py_UCS4 character) except? 0:
    """A character, the same in upper and lower case."""
    return <uint32_t> character | 0x20 if character < 0x80 else <uint32_t> letter_of(character, False)


cdef uint32_t hash_of(str text, Py_ssize_t start, Py_ssize_t end) except? 0:
    """The hash of a part of a text, the same in upper and lower case and without full stops."""
    cdef uint32_t hash = 0
    cdef Py_UCS4 character
    cdef Py_ssize_t i
    for i in range(start, end):
        character = text[i]
        if character != u".":
            hash = hash * 31 + folded(character)
    return hash


cdef inline void enter_hash(uint64_t* bits, uint32_t hash) noexcept:
    """Enter a hash in a set of 2,048 bits."""
    hash *= <uint32_t> 0x9E3779B1
    bits[hash >> 27] |= <uint64_t> 1 << (hash >> 21 & 63)


cdef inline bint has_hash(const uint64_t* bits, uint32_t hash) noexcept:
    """True if a hash was entered in a set, or one that has the same place."""
    hash *= <uint32_t> 0x9E3779B1
    return bits[hash >> 27] >> (hash >> 21 & 63) & 1


@cython.final
cdef class Words:
    """Words in lower case that texts are searched for."""

    def __init__(self, frozenset words not None) -> None:
        """Takes the words, none of them empty."""
        self.words = words
        for word in words:
            self.longest = max(self.longest, <Py_ssize_t> len(word))
            enter_hash(self.bits, hash_of(word, 0, len(word)))
            enter_hash(self.begins, hash_of(word, 0, min(<Py_ssize_t> len(word), 2)))

    cdef bint are_in(self, str text) except -1:
        """True if one of the runs of letters, digits and underscores of a text is one of the words, in any case."""
        cdef Py_ssize_t i = 0, start = 0
        cdef uint32_t hash = 0
        cdef Py_UCS4 character
        cdef const uint8_t* data
        if PyUnicode_IS_ASCII(text):
            data = <const uint8_t*> PyUnicode_1BYTE_DATA(text)
            for i in range(len(text)):
                if IN_WORD[data[i]]:
                    hash = hash * 31 + (data[i] | 0x20)
                else:
                    if i > start and has_hash(self.bits, hash) and text[start:i].lower() in self.words:
                        return True
                    start, hash = i + 1, 0
            i = len(text)
            return i > start and has_hash(self.bits, hash) and text[start:].lower() in self.words
        for character in text:
            if is_of_word(character):
                hash = hash * 31 + folded(character)
            else:
                if i > start and has_hash(self.bits, hash) and text[start:i].lower() in self.words:
                    return True
                start, hash = i + 1, 0
            i += 1
        return i > start and has_hash(self.bits, hash) and text[start:].lower() in self.words

    cdef Py_ssize_t end_at(self, str text, Py_ssize_t start) except -2:
        """Where the longest of the words ends that a text has at a place, with white space or a colon behind it; -1 if it
        has none there.
        """
        cdef Py_ssize_t end, found = -1
        cdef uint32_t hash = 0
        cdef Py_UCS4 character
        for end in range(start, min(<Py_ssize_t> len(text), start + self.longest + 1)):
            character = text[end]
            if (character.isspace() or character in u":：／") and (
                has_hash(self.bits, hash) and text[start:end].lower() in self.words
            ):
                found = end
            if end - start == 2 and not has_hash(self.begins, hash) and found < 0:
                break
            if character != u".":
                hash = hash * 31 + folded(character)
        return found

    cdef bint has(self, str text, Py_ssize_t start, Py_ssize_t end) except -1:
        """True if a part of a text, not an empty one, is one of the words, in any case."""
        return (
            has_hash(self.begins, hash_of(text, start, min(end, start + 2))) and self.may_be(text, start, end)
            and text[start:end].lower() in self.words
        )

    cdef bint may_be(self, str text, Py_ssize_t start, Py_ssize_t end) except -1:
        """False for nearly all parts of texts that are none of the words, even without their full stops."""
        return has_hash(self.bits, hash_of(text, start, end))


cdef str original_of(str url):
    """The URL of the page that an archive replays at a URL, as web.archive.org/web/20140305101112/http://… does; other
    URLs as they are.
    """
    cdef object match = REPLAY(url) if MAY_REPLAY(url, len("https://")) is not None else None
    return f"{match[1] or 'http:'}//{url[<Py_ssize_t> match.end():]}" if match is not None else url


cdef bint holds_year(str path) noexcept:
    """True if a path has four digits, the first two of which are those of a year."""
    cdef Py_ssize_t i = 3
    while i < len(path):
        if not u"0" <= path[i] <= u"9":
            i += 4              # nor is it the first, second or third of four digits
            continue
        if u"0" <= path[i - 1] <= u"9" and (
            path[i - 2] == u"0" and path[i - 3] == u"2" or path[i - 2] == u"9" and path[i - 3] == u"1"
        ):
            return True
        i += 1
    return False


cdef Day day_in_path(str path) except -1:
    """The first day that a path names; 0 if none."""
    cdef Day found
    for match in DATE_IN_PATH(path):
        year, separator, month, day, day2, _, month2, year2 = match.groups()
        if year is not None and not separator and match.end() - match.start() != 8:     # 20140305
            continue
        found = make_day(int(year or year2), int(month or month2), int(day or day2))
        if found:
            return found
    return 0


cdef int month_in_path(str path) except -1:
    """The first year and month that a path names, as year * 100 + month; 0 if none."""
    cdef object match = MONTH_IN_PATH(path)
    return <int> int(match[1] + match[2]) if match is not None else 0


@cython.final
cdef class PageUrl:
    """What a page's URL says."""

    def __cinit__(self, str url) -> None:
        """Takes the URL apart; None is taken for an empty one."""
        cdef object match, host
        self.url, self.host = original_of(url or ""), ""
        match = URL(self.url)
        if match is None:
            self.path = self.url.partition("#")[0].partition("?")[0]
        else:
            self.parts = match.groups("")
            self.path = self.parts[2]
            if (<str> self.parts[0]).lower() in ("http:", "https:"):
                host = HOST(self.parts[1])
                self.host = host[1] if host is not None else ""
                self.is_front_page = self.parts[1] and self.url[<Py_ssize_t> match.end(2):] in ("", "/")
        if holds_year(self.path):
            self.day, self.month = day_in_path(self.path), month_in_path(self.path)

    cdef str name(self):
        """The page's name, as a key of letters: /mills/the-old-wheel-2.html → theoldwheel. A suffix and a number at its
        end are left out. "" if it has none.
        """
        cdef str before, slash, last
        before, slash, last = self.path.rstrip("/").rpartition("/")
        if not slash or ":" in before:
            return ""
        # what is cut off has no dash but the one that it may begin with
        last = last[:NUMBER_OR_SUFFIX(last, max(last.rfind("-"), last.rfind("_"), 0)).start()][:MAX_NAME]
        if "%" in last:
            last = unquote(last)
        return plain_letters(last, key_of(last))
