# SPDX-License-Identifier: Apache-2.0
"""Titles: where they are divided, and what in them is no part of the headline."""

import re

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint32_t

from thresher.native.facts.letters cimport has_digit, has_one_of, key_of, name_key, without_the
from thresher.native.facts.labels import HOMES, PAGES, READ_COUNTS, THREADS, TIMES, UNTITLED, VIEWS
from thresher.native.facts.words cimport Words

cdef enum:
    MAX_HOME = 24           # characters of what a front page is called,
    MAX_UNTITLED = 40       # and of what one that nobody named is

cdef object DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.([a-z]{2}|com|net|org|info|edu|gov)", re.IGNORECASE).fullmatch
cdef frozenset SUFFIXES = frozenset((   # of files and software, though domains end in them too
    "cc", "cs", "db", "go", "gz", "js", "md", "ml", "pl", "ps", "py", "rb", "rs", "sh", "so", "vb",
))
cdef Words THREAD_LABELS = Words(frozenset(THREADS.split("|")))
# Patterns that most titles are spared are compiled when the first title needs one.
cdef str VIEW = rf"(?i)(?:^|\s(?:::?|-|–|\||•|·|»)\s)(?:{VIEWS})\s*[-–:]\s*(?=\S)"
cdef str PAGE = (
    rf"(?i)\s*(?:[-–|,(\[]\s*(?:{PAGES})\s*\d+(?:\s*(?:of|von|sur|de|di|van|из|/)\s*\d+)?\s*[)\]]?"
    rf"|\s(?:{PAGES})\s*\d+\s*(?:of|von|sur|de|di|van|из|/)\s*\d+)\s*$"
)
_READ = f"(?<![^\\W\\d_])(?:{READ_COUNTS})(?![^\\W\\d_])"
_COUNT = r"(?!(?:19|20)\d\d\s*[)\]）])\d[\d.,\s]*"    # no year
cdef str READ_COUNT = (
    rf"(?i)[(\[（]\s*(?:{_READ}(?:\s(?:de|sayısı)\b)?\s*[:：]?\s*{_COUNT}(?:{TIMES})?"
    rf"|(?!(?:19|20)\d\d\s)\d[\d.,\s]*{_READ})[\s.]*[)\]）]\s*$"
)
cdef dict BRACKETS = {")": "(", "]": "[", "）": "（", "】": "【", "］": "［", "」": "「"}
cdef Words UNTITLED_NAMES = Words(UNTITLED)
cdef Words VIEWING = Words(frozenset([view.split()[0] for view in VIEWS.split("|")]))
cdef tuple PAGE_WORDS = tuple(PAGES.split("|"))
cdef object ESCAPED = re.compile(r"(?:\\x[0-9a-fA-F]{2})+").sub
cdef object LETTER_IN_BYTES = re.compile(r"(?:\\x[89a-fA-F][0-9a-fA-F]){2}").search
cdef Words HOME_NAMES = Words(HOMES)


# --- separators ---

cdef inline bint is_dash(Py_UCS4 character) noexcept:
    return character in u"-–—"


cdef inline bint is_bar(Py_UCS4 character) noexcept:
    return character in u"|｜_¦"


cdef inline bint is_mark(Py_UCS4 character) noexcept:
    """True for what divides a title between spaces: a dash, bar, dot or arrow."""
    return character in u"-–—―|·•‧:~/»«›‹→>"


cdef Py_ssize_t end_of_separator(str title, Py_ssize_t i, Py_ssize_t n) noexcept:
    """Where the separator ends that begins at i; 0 if none does.

    One is a run of dashes, bars, dots or arrows between spaces, a bar or underscore anywhere (Chinese sites), a colon
    before a space, a dash between two characters that are not ASCII.
    """
    cdef Py_UCS4 character = title[i]
    cdef Py_ssize_t end
    if is_mark(character) and title[i - 1].isspace():
        end = i + 1
        while end < n and is_mark(title[end]):
            end += 1
        if end < n and title[end].isspace():
            return end
    if is_bar(character):
        end = i + 1
        while end < n and is_bar(title[end]):
            end += 1
        return end
    if character == u":":
        return i + 1 if i + 1 < n and title[i + 1].isspace() else 0
    if is_dash(character) and title[i - 1] > 0x7F:
        end = i + 1
        while end < n and is_dash(title[end]):
            end += 1
        while end > i:
            if end < n and title[end] > 0x7F:
                return end
            end -= 1
    return 0


cdef bint may_divide(Py_UCS4 character) noexcept:
    """True for what a separator may begin with."""
    return is_mark(character) or is_bar(character) or is_dash(character)


cdef bint[128] NO_SEPARATOR         # true for what begins none
for _byte in range(128):
    NO_SEPARATOR[_byte] = not may_divide(<Py_UCS4> <int> _byte)


cdef bint next_separator(str title, Py_ssize_t* start, Py_ssize_t* end, Py_ssize_t stop) noexcept:
    """Set start and end of the next separator from `end` on and before `stop`; False if there is none. None begins a
    title.
    """
    cdef Py_ssize_t i = max(end[0], 1), found, n = min(stop, len(title))
    cdef int kind = PyUnicode_KIND(title)
    cdef const void* characters = PyUnicode_DATA(title)
    cdef Py_UCS4 character
    while i < n:
        character = PyUnicode_READ(kind, characters, i)
        if character < 0x80 and NO_SEPARATOR[<uint32_t> character] or 0xBF < character < 0x2000 or 0x2E7F < character < 0xFF00:
            i += 1              # most characters
            continue
        found = end_of_separator(title, i, n)
        if found:
            start[0], end[0] = i, found
            return True
        i += 1
    return False


cdef int count_separators(str title, int most) noexcept:
    """How many separators a title has; those beyond `most` are not looked for."""
    cdef Py_ssize_t start = 0, end = 0
    cdef int found = 0
    while found < most and next_separator(title, &start, &end, MAX_TITLE):
        found += 1
    return found


cdef list titles_behind(str text, int most):
    """What stands behind the first separators of a title's first half."""
    cdef Py_ssize_t start = 0, end = 0
    cdef list found = []
    while len(found) < most and next_separator(text, &start, &end, len(text) // 2):
        found.append(text[end:].strip())
    return found


cdef class Pieces:
    """A title cut at its separators."""

    def __cinit__(self, str title not None) -> None:
        """Cuts the title."""
        cdef Py_ssize_t start = 0, end = 0, begin = 0
        self.title = title
        self.texts, self.starts, self.ends = [], [], []
        while next_separator(title, &start, &end, MAX_TITLE):
            self.texts.append(title[begin:start])
            self.starts.append(begin)
            self.ends.append(start)
            begin = end
        self.texts.append(title[begin:])
        self.starts.append(begin)
        self.ends.append(len(title))

    cdef str between(self, Py_ssize_t first, Py_ssize_t last):
        """The title from one piece to before another."""
        cdef Py_ssize_t start = self.starts[first], end = self.ends[last - 1]
        return self.title[start:end].strip()

    cdef int read_letters(self) except -1:
        if self.letters is None:
            self.letters = [key_of(text) for text in self.texts]
        return 0


cdef str joined(list letters, Py_ssize_t first, Py_ssize_t last):
    return letters[first] if last - first == 1 else "".join(letters[first:last])


# --- what is no part of a title ---

cdef bint is_text(str text) noexcept:
    """True if a text has a letter or digit."""
    cdef Py_UCS4 character
    for character in text:
        if character.isalnum():
            return True
    return False


def _bytes_of(match) -> str:
    return bytes.fromhex(match[0].replace("\\x", "")).decode("utf-8", "replace")


cdef str unescaped(str text):
    """A text in which a program wrote bytes as their numbers (\\xd0\\x9f) and breaks as \\n, as it was meant; others, such
    as one about \\n, as they are.
    """
    if text is None or "\\x" not in text or LETTER_IN_BYTES(text) is None:
        return text
    return " ".join(ESCAPED(_bytes_of, text).replace("\\n", " ").replace("\\t", " ").replace("\\r", " ").split()) or text


cdef bint is_home_name(str text) except -1:
    """True for what front pages and menus are called: Home, Startseite, Menu."""
    if len(text) > MAX_HOME:
        return False
    text = text.strip(" .!")
    return HOME_NAMES.has(text, 0, len(text))


cdef bint is_untitled(str text) except -1:
    """True for what a program calls a page that nobody named: Untitled Document, New Page 1."""
    if len(text) > MAX_UNTITLED:
        return False
    text = text.rstrip(" -_.()#0123456789")
    return UNTITLED_NAMES.has(text, 0, len(text))


cdef bint is_domain(str text) except -1:
    """True if a text is written as the name of a domain, as in Example.com, and is not rather that of a file."""
    cdef object match = DOMAIN(text.strip())
    return match is not None and (<str> match[1]).lower() not in SUFFIXES


cdef str without_beside(str title, set sites):
    """A title without the site's name in brackets at one of its ends, or behind an @."""
    cdef Py_ssize_t n = len(title), i
    cdef bint closes, opens
    if n < 2:
        return title
    closes, opens = title[n - 1] in u")]）】］」", title[0] in u"([（【［「"
    if not closes and not opens and u"@" not in title:
        return title
    if closes:
        i = title.rfind(<str> BRACKETS[title[n - 1]])
        if i > 0 and name_key(title[i + 1:n - 1]) in sites and is_text(title[:i]):
            return title[:i].rstrip(" -–—|:")
    if opens:
        for closing, opening in BRACKETS.items():
            i = title.find(<str> closing)
            if title[0] == <str> opening and i > 0 and name_key(title[1:i]) in sites and is_text(title[i + 1:]):
                return title[i + 1:].lstrip(" -–—|:")
    i = title.rfind(" @ ")
    if i > 0 and name_key(title[i + 3:]) in sites:
        return title[:i].rstrip()
    return title


cdef str without_labels(str title):
    """A title without "Thread:" or "Forum - View topic -" in front and "Page 2 of 5" or "(Read 12 times)" behind."""
    cdef object match
    cdef str rest
    cdef Py_ssize_t end
    if not title:
        return title
    if (u":" in title or u"-" in title or u"–" in title) and VIEWING.are_in(title):
        match = re.search(VIEW, title)
        if match is not None:
            title = title[match.end():]
    end = THREAD_LABELS.end_at(title, 0)
    if end > 0:
        rest = title[end:].lstrip()
        if rest and rest[0] in u":：":
            title = rest[1:].lstrip() or title
    if title[len(title) - 1] in u")]）" and has_digit(title):
        match = re.search(READ_COUNT, title)
        if match is not None and is_text(title[:match.start()]):
            title = title[:match.start()].rstrip()
    if (title[len(title) - 1] in u")]" or title[len(title) - 1].isdigit()) and has_one_of(title.lower(), PAGE_WORDS):
        match = re.search(PAGE, title)
        if match is not None:
            rest = title[:match.start()].strip(" -–|,")
            return rest if is_text(rest) else title
    return title


# --- the site's name ---

cdef tuple without_site(Pieces pieces, tuple part, set sites):
    """A part of a title without the site's name at its end, or else at its beginning; all of it where nothing would be
    left. Parts are numbers of pieces: the first, and that behind the last.
    """
    cdef Py_ssize_t first = part[0], last = part[1], left = first, right = last
    while right > first and without_the(pieces.letters[right - 1]) in sites:
        right -= 1
    while right == last and left < right and without_the(pieces.letters[left]) in sites:
        left += 1
    return (left, right) if left < right else part


cdef str title_without_site(str text, set sites):
    """A title without the site's name at one of its ends."""
    text = without_beside(text, sites)
    cdef Pieces pieces = Pieces(text)
    cdef tuple part = (0, len(pieces.texts))
    if part[1] == 1:
        return text
    pieces.read_letters()
    part = without_site(pieces, part, sites)
    return pieces.between(part[0], part[1]) or text
