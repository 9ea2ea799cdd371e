# SPDX-License-Identifier: Apache-2.0
"""What a page's URL says: the day of its path and the page's name."""

import re
from urllib.parse import unquote

cimport cython

from thresher.native.facts.labels import ARCHIVES
from thresher.native.facts.letters cimport key_of, plain_letters
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
