# SPDX-License-Identifier: Apache-2.0
"""Dates in text: read in many languages, and chosen among those that a page shows.

A wrong date is worse than none. So nothing is guessed from a year alone, a day and month in unknown order are left out,
and a date that stands somewhere in the text counts only near the headline or where its element is marked as a date.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

cimport cython
from cpython.datetime cimport PyDate_Check, date_day, date_month, date_new, date_year, import_datetime
from cpython.unicode cimport Py_UNICODE_ISSPACE, Py_UNICODE_TODECIMAL
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from thresher.native.facts.letters cimport key_of
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.facts.named_dates cimport (
    ERA_YEAR, MAY_BE_NAMED, YEAR_FIRST, YEAR_LAST, MAX_NAMED, NamedDate, find_named_dates, find_shapes,
    is_digit,
)
from thresher.native.facts.calendars import ERAS, PERSIAN_MONTHS, PERSIAN_YEARS, persian_day
from thresher.native.facts.labels import CHANGED, PUBLISHED as PUBLICATIONS, READ, SUBJECTS, TODAY, all_of
from thresher.native.facts.months import FIRST_WORDS, month_numbers
from thresher.native.facts.marks import MARKS

import_datetime()

cdef enum:
    EARLIEST = 1990         # the year of the first web page: an older date is a default, or that of something else
    LATEST = 2100
    BUDDHIST = 543          # Thai years less ours
    MAX_LINE = 200          # characters of a text that are read
    MONTHS = 12
    PERSIAN_MONTH = 100     # what the numbers of Persian months are raised by


# --- days ---

cdef int[13] DAYS_OF_MONTH = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


cdef inline bint is_leap(int year) noexcept:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


cdef Day make_day(int year, int month, int day) noexcept:
    """A day, of a Thai year too; 0 if there is no such day, or if it is before 1990 or after 2100."""
    if EARLIEST + BUDDHIST <= year <= LATEST + BUDDHIST - 60:
        year -= BUDDHIST
    if not (EARLIEST <= year <= LATEST and 1 <= month <= MONTHS and 1 <= day <= DAYS_OF_MONTH[month]):
        return 0
    if month == 2 and day == 29 and not is_leap(year):
        return 0
    return year * 10000 + month * 100 + day


cdef object date_of(Day day):
    """The day as datetime.date; None for 0."""
    return date_new(day // 10000, day // 100 % 100, day % 100) if day else None


cdef Day day_of(object found) except -1:
    """The number of a datetime.date; 0 for None."""
    if found is None:
        return 0
    if not PyDate_Check(found):
        raise TypeError(f"not a date: {found!r}")
    return date_year(found) * 10000 + date_month(found) * 100 + date_day(found)


cdef Day next_day(Day day) noexcept:
    """The day after one from 1990 to 2100."""
    cdef int year = day // 10000, month = day // 100 % 100
    if day % 100 < DAYS_OF_MONTH[month] - (month == 2 and not is_leap(year)):
        return day + 1
    return (year * 100 + month + 1) * 100 + 1 if month < MONTHS else (year + 1) * 10000 + 101


cdef bint are_neighbours(Day day, Day other) noexcept:
    """True for days that are the same or next to each other."""
    return day == other or next_day(day) == other or next_day(other) == day


cdef Day persian(int year, int month, int day) except -1:
    return day_of(persian_day(year, month, day))


cdef bint is_persian_year(int year) except -1:
    return year in PERSIAN_YEARS


# --- the days in a text ---

cdef inline Py_ssize_t after_blank(str text, Py_ssize_t i, Py_ssize_t n) noexcept:
    """Where the text goes on behind one white-space character, if it has one there."""
    return i + 1 if i < n and Py_UNICODE_ISSPACE(text[i]) else i


cdef inline Py_ssize_t after_digits(str text, Py_ssize_t i, Py_ssize_t n, int most) noexcept:
    """Where the text goes on behind up to `most` digits."""
    cdef Py_ssize_t end = min(n, i + most)
    while i < end and is_digit(text[i]):
        i += 1
    return i


cdef int number_at(str text, Py_ssize_t start, Py_ssize_t end) noexcept:
    """The value of these digits, at most nine."""
    cdef int value = 0
    while start < end:
        value = 10 * value + Py_UNICODE_TODECIMAL(text[start])
        start += 1
    return value


ctypedef struct Numbers:        # three numbers and where they stand
    int first
    int second
    int third
    Py_ssize_t n_third          # digits of the third
    Py_UCS4 separator
    Py_ssize_t start
    Py_ssize_t end


cdef bint year_first_at(str text, Py_ssize_t i, Py_ssize_t n, Numbers* found) noexcept:
    """True if a date like 2014-03-05, 2014年3月5日 or 20140305 begins at this digit."""
    cdef Py_ssize_t at, end
    cdef Py_UCS4 separator
    found.start = i
    if i and is_digit(text[i - 1]):
        return False
    at = after_digits(text, i, n, 9)
    if at - i == 8 and not (i and text[i - 1] in u"/_-"):
        if (
            (text[i] == u"1" and text[i + 1] == u"9" or text[i] == u"2" and text[i + 1] == u"0")
            and u"0" <= text[i + 4] <= u"1" and u"0" <= text[i + 6] <= u"3"
            and (
                at == n or Py_UNICODE_ISSPACE(text[at]) or (text[at] == u"T" and at + 1 < n and is_digit(text[at + 1]))
            )
        ):
            found.first, found.second = number_at(text, i, i + 4), number_at(text, i + 4, i + 6)
            found.third = number_at(text, i + 6, at)
            found.end = at
            return True
        return False
    if at - i != 4:
        return False
    found.first = number_at(text, i, at)
    at = after_blank(text, at, n)
    if at == n:
        return False
    separator = text[at]
    if separator not in u"-/.년年|":
        return False
    at = after_blank(text, at + 1, n)
    end = after_digits(text, at, n, 2)
    if end == at:
        return False
    found.second = number_at(text, at, end)
    at = after_blank(text, end, n)
    if at == n or not (text[at] == separator or text[at] in u"월月"):
        return False
    at = after_blank(text, at + 1, n)
    end = after_digits(text, at, n, 2)
    if end == at or (end < n and is_digit(text[end])):
        return False
    found.third = number_at(text, at, end)
    found.end = end
    return True


cdef bint is_clock(str text, Py_ssize_t i, Py_ssize_t n) noexcept:
    """True if a time of day begins at this digit: 14:16."""
    cdef Py_ssize_t end = after_digits(text, i, n, 2)
    return end + 2 < n and text[end] == u":" and is_digit(text[end + 1]) and is_digit(text[end + 2])


cdef bint year_last_at(str text, Py_ssize_t i, Py_ssize_t n, Numbers* found) noexcept:
    """True if a date like 5.3.2014 or 5/3/14 begins at this digit."""
    cdef Py_ssize_t at, end
    cdef Py_UCS4 separator
    if i and (is_digit(text[i - 1]) or text[i - 1] in u".,:/-"):
        return False
    found.start = i
    end = after_digits(text, i, n, 2)
    found.first = number_at(text, i, end)
    at = after_blank(text, end, n)
    if at == n:
        return False
    separator = found.separator = text[at]
    if separator not in u"./|-":
        return False
    at = after_blank(text, at + 1, n)
    end = after_digits(text, at, n, 2)
    if end == at:
        return False
    found.second = number_at(text, at, end)
    at = after_blank(text, end, n)
    if at == n or text[at] != separator:
        return False
    at = after_blank(text, at + 1, n)
    end = after_digits(text, at, n, 4)
    if end - at != 4 and end - at != 2:
        return False
    if end < n and (
        is_digit(text[end]) or text[end] == u":"
        or (text[end] in u"./-" and end + 1 < n and is_digit(text[end + 1]) and not is_clock(text, end + 1, n))
    ):
        return False
    found.third = number_at(text, at, end)
    found.n_third = end - at
    found.end = end
    return True


cdef Day day_of_numbers(const Numbers* found, str language, int day_first) noexcept:
    """The day of 5.3.2014, 3/5/14 and, in East Asia, 14/3/5."""
    cdef int year = found.third
    if found.n_third == 2:
        if day_first < 0:
            return 0
        if language in ("ja", "ko", "zh"):
            return make_day(2000 + found.first, found.second, year)
        year += 2000
    if found.first > MONTHS or found.first == found.second:
        return make_day(year, found.second, found.first)
    if found.second > MONTHS:
        return make_day(year, found.first, found.second)
    if day_first < 0:
        return 0
    return make_day(year, found.second, found.first) if day_first else make_day(year, found.first, found.second)


cdef object VIETNAMESE = re.compile(
    r"(\d(?<!\d\d)\d?)\s?(?:tháng|thg|thg\.)\s?(\d{1,2})(?:,|,?\s?năm)?\s(\d{4})(?!\d)", re.IGNORECASE
)
cdef object ERA = re.compile(rf"({'|'.join(ERAS)})\s?(\d{{1,3}}|元)\s?年\s?(\d{{1,2}})\s?月\s?(\d{{1,2}})\s?日")
cdef object AMERICAN = re.compile(      # a time of day as it is written in the United States
    r"\D{1,4}\d\d?:\d\d(?::\d\d)?\s*(?:[ap]\.?m\b|(?:[ap]\.?m\.?\s*)?(?:E|C|M|P)[SD]?T\b)", re.IGNORECASE
).match
cdef object UNIX = re.compile(r"\b([A-Z][a-z]{2}) +(\d\d?) \d\d:\d\d(?::\d\d)? (?:[A-Z]{3,5} )?(\d{4})\b")


@cache
def _months(language: str) -> dict[str, int]:
    """The number of each month's name, those of Persian months raised by PERSIAN_MONTH."""
    return {name: PERSIAN_MONTH + number for name, number in PERSIAN_MONTHS.items()} | month_numbers(language)


cdef dict MONTHS_OF_NO_LANGUAGE = _months("")


cdef int add_day(FoundDay* found, int n, int room, Day day, Py_ssize_t start, Py_ssize_t end) noexcept:
    """Add a day if there is one; returns how many there are."""
    if day and n < room:
        THRESHER_CHECK(n < room)
        found[n].day, found[n].start, found[n].end = day, start, end
        return n + 1
    return n


cdef bint holds_persian_digit(str text) noexcept:
    cdef Py_ssize_t i
    for i in range(len(text)):
        if 0x06F0 <= text[i] <= 0x06F9:
            return True
    return False


cdef bint holds_clock(str text) noexcept:
    """True if a text has a number, a blank, two digits and a colon, as the date of UNIX has."""
    cdef Py_ssize_t i
    for i in range(4, len(text)):
        if text[i] == u":" and is_digit(text[i - 1]) and is_digit(text[i - 2]) and text[i - 3] == u" " and is_digit(text[i - 4]):
            return True
    return False


cdef int find_days(str text, str language, int day_first, FoundDay* found, int room) except -1:
    """Find the days in a text, in order, at most `room`; returns how many. For the arguments see find_dates()."""
    cdef Py_ssize_t i, n
    cdef int shapes, count = 0, k, m, order
    cdef bint is_ascii, is_persian
    cdef Numbers numbers
    cdef NamedDate[MAX_NAMED] named
    cdef FoundDay moved
    cdef dict months
    cdef str lower
    if len(text) > MAX_LINE:
        text = text[:MAX_LINE]
    shapes = find_shapes(text)
    if shapes == 0:
        return 0
    n = len(text)
    is_ascii = text.isascii()
    is_persian = language == "fa" or (not is_ascii and holds_persian_digit(text))
    if shapes & YEAR_FIRST:
        i = 0
        while i < n:
            if is_digit(text[i]) and year_first_at(text, i, n, &numbers):
                if is_persian and is_persian_year(numbers.first):
                    day = persian(numbers.first, numbers.second, numbers.third)
                else:
                    day = make_day(numbers.first, numbers.second, numbers.third)
                count = add_day(found, count, room, day, i, numbers.end)
                i = numbers.end
            else:
                i += 1
    if shapes & YEAR_LAST:
        i = 0
        while i < n:
            if is_digit(text[i]) and year_last_at(text, i, n, &numbers):
                if is_persian and is_persian_year(numbers.third):
                    day = persian(numbers.third, numbers.second, numbers.first)
                else:
                    order = 1 if numbers.separator in u".|" else day_first
                    if order < 0 and AMERICAN(text, numbers.end) is not None:
                        order = 0
                    day = day_of_numbers(&numbers, language, order)
                count = add_day(found, count, room, day, i, numbers.end)
                i = numbers.end
            else:
                i += 1
        lower = text.lower()
        if "thg" in lower or "tháng" in lower:
            for match in VIETNAMESE.finditer(text):
                day = make_day(int(match[3]), int(match[2]), int(match[1]))
                count = add_day(found, count, room, day, match.start(), match.end())
    if shapes & ERA_YEAR and "年" in text:
        for match in ERA.finditer(text):
            k = 1 if match[2] == "元" else int(match[2])
            day = make_day(<int> ERAS[match[1]] + k, int(match[3]), int(match[4]))
            count = add_day(found, count, room, day, match.start(), match.end())
    if shapes & MAY_BE_NAMED:
        months = MONTHS_OF_NO_LANGUAGE if not language else _months(language)
        m = find_named_dates(text, months, FIRST_WORDS, named)
        for k in range(m):
            if named[k].month > PERSIAN_MONTH:
                day = persian(named[k].year, named[k].month - PERSIAN_MONTH, named[k].day)
            else:
                day = make_day(named[k].year, named[k].month, named[k].day)
            count = add_day(found, count, room, day, named[k].start, named[k].end)
        if holds_clock(text):
            match = UNIX.search(text)
            if match is not None:
                day = make_day(int(match[3]), months.get(match[1].lower(), 0), int(match[2]))
                count = add_day(found, count, room, day, match.start(), match.end())
    for k in range(1, count):       # in order; of days that begin at the same place, the one found first
        moved = found[k]
        m = k
        while m > 0 and found[m - 1].start > moved.start:
            found[m] = found[m - 1]
            m -= 1
        found[m] = moved
    return count


cdef inline bint is_iso(str text) noexcept:
    """True if a text begins with a date like 2014-03-05."""
    return (
        len(text) >= 10 and (text[0] == u"1" or text[0] == u"2")
        and u"0" <= text[1] <= u"9" and u"0" <= text[2] <= u"9" and u"0" <= text[3] <= u"9"
        and text[4] == u"-" and u"0" <= text[5] <= u"1" and u"0" <= text[6] <= u"9"
        and text[7] == u"-" and u"0" <= text[8] <= u"3" and u"0" <= text[9] <= u"9"
        and not (len(text) > 10 and u"0" <= text[10] <= u"9")
    )


cdef Day first_day(str text) except -1:
    """The first day that a text names; 0 if it names none, and for 03/05/2014 by itself."""
    cdef FoundDay[MAX_DAYS] found
    if is_iso(text):
        return make_day(number_at(text, 0, 4), number_at(text, 5, 7), number_at(text, 8, 10))
    return found[0].day if find_days(text[:64] if len(text) > 64 else text, "", -1, found, MAX_DAYS) else 0


def parse_date(str text not None) -> date | None:
    """The first day that a text names, as find_dates() reads it; None for 03/05/2014 by itself."""
    return date_of(first_day(text))


class FoundDate(NamedTuple):
    """A date that a text holds."""

    day: date
    start: int
    end: int


def find_dates(str text not None, *, str language not None = "", day_first: bool | None = None) -> tuple[FoundDate, ...]:
    """The dates in a text, in order: ISO 8601, 5.3.2014, 5/3/14, 2014年3月5日, 5 March 2014, mars 5, 2014,
    Wed Mar 5 10:00:00 CET 2014 and the like. Of a long text the first 200 characters are read.

    `language` (ISO 639-1) settles the names of months that differ between languages. 3/5/2014 is read by `day_first`,
    or has the month first where a time of day with AM or a zone of the United States follows, and is else left out where
    that is None. A year is one from 1990 to 2100, in the Gregorian, Thai or Persian calendar or in
    an era of Japan or Taiwan. A Persian date in numbers counts only in Persian text or digits.
    """
    cdef FoundDay[MAX_DAYS] found
    cdef int k, n = find_days(text, language, -1 if day_first is None else <bint> day_first, found, MAX_DAYS)
    return tuple([FoundDate(date_of(found[k].day), found[k].start, found[k].end) for k in range(n)])


# --- the date that a page shows ---

cdef set MONTH_FIRST = {"en-us", "en-ph", "es-us", "en-pr"}
cdef frozenset ENGLISH = frozenset("the of and to in for on by with is at from this that are was".split())
cdef set OF_NO_COUNTRY = {"us", "io", "ai", "co", "tv", "me"}


cdef bint slashes_at(str text, Py_ssize_t i, Py_ssize_t n, Numbers* found) noexcept:
    """True if numbers like those of 5/3/2014 or 5-3-14 begin at this digit."""
    cdef Py_ssize_t at, end
    cdef Py_UCS4 separator
    if i and (is_digit(text[i - 1]) or text[i - 1] in u"/.-"):
        return False
    end = after_digits(text, i, n, 2)
    found.first = number_at(text, i, end)
    if end == n or text[end] not in u"/-":
        return False
    separator, at = text[end], end + 1
    end = after_digits(text, at, n, 2)
    if end == at or end == n or text[end] != separator:
        return False
    found.second = number_at(text, at, end)
    at = end + 1
    end = after_digits(text, at, n, 4)
    if end - at == 4:
        if not (text[at] == u"1" and text[at + 1] == u"9" or text[at] == u"2" and text[at + 1] == u"0"):
            return False
    elif end - at != 2:
        return False
    found.end = end
    return not (end < n and (is_digit(text[end]) or text[end] in u"/.-"))


def _any_of(words: str) -> re.Pattern[str]:
    """A pattern that finds one of some words, which bars divide, in text of lower case.

    Words with the same first letter stand together, so a search passes over the letters that none begins with; the
    longest that fits is found.
    """
    rests: dict[str, list[str]] = {}
    for word in words.split("|"):
        first = 2 if word[0] == "\\" else 1
        rests.setdefault(word[:first], []).append(word[first:])
    return re.compile("|".join(
        f"{first}(?:{'|'.join(sorted(rest, key=len, reverse=True))})" for first, rest in rests.items()
    ))


_OF_PUBLICATION = (
    r"publi[sc]|posted|veröffentlicht|erschienen|erstellt|datum|geschrieben|gepostet|gepubliceerd|"
    r"geplaatst|publicad|pubblicat|data\s*:|data\s*$|data\s+d[aei]|data\s+pu|date\b|udgivet|publisert|publicerad|julkaistu|opublikowan|"
    r"zveřejněn|publikov|megjelen|δημοσ|опубликован|дата|публик|yayın|tarih|diterbitkan|đăng|发布|发表|日期|"
    r"時間|时间|日時|公開|掲載|投稿日|作成日|發佈|發表|입력|등록|작성|게시|نشر|تاريخ|تاریخ|תאריך|פורסם|วันที่|เผยแพร่|प्रकाशित|"
    r"fecha|udgivet|lagt|dodano|vydáno|vložen|közzét|tanggal|written|created|filed|issued|added|submitted|uploaded|"
    r"eingestellt|gespeichert|vom\b|stand\b|"
    + "|".join(map(re.escape, all_of(PUBLICATIONS)))
)
_CHANGES = "|".join(map(re.escape, all_of(CHANGED)))
_OF_CHANGE = f"{_CHANGES}|{'|'.join(map(re.escape, all_of(READ)))}"
cdef object PUBLISHED = _any_of(_OF_PUBLICATION).search
cdef object BEGINS_PUBLISHED = _any_of(_OF_PUBLICATION).match
cdef object MODIFIED = _any_of(_OF_CHANGE).search
cdef object OF_CHANGE = _any_of(_CHANGES).search
cdef object ASCII_CHANGE = _any_of("|".join(filter(str.isascii, _CHANGES.split("|")))).search
cdef object OF_TODAY = _any_of("|".join(map(re.escape, all_of(TODAY)))).match
cdef frozenset FIRST_OF_TODAY = frozenset(word[0] for word in all_of(TODAY))
cdef object LABEL = _any_of(f"{_OF_PUBLICATION}|{_OF_CHANGE}").search   # whatever one of the two finds
cdef object ASCII_LABEL = _any_of(      # the same in ASCII
    "|".join(filter(str.isascii, f"{_OF_PUBLICATION}|{_OF_CHANGE}".split("|")))
).search
cdef object OF_SUBJECT = _any_of("|".join(map(re.escape, all_of(SUBJECTS)))).search
cdef object PUBLISHED_AFTER = _any_of(
    "gepostet|veröffentlicht|publiziert|geschrieben|erstellt|posted|published|publié|publicado|"
    "publicada|pubblicato|geplaatst|gepubliceerd|opublikowano|发布|发表|掲載|公開|入力|등록|입력"
).finditer
cdef tuple RIGHTS = (
    "©", "(c)", "copyright", "all rights", "rechte vorbehalten", "tous droits", "derechos reservados"
)
cdef object PERIOD_BEFORE = re.compile(
    r"(?:\d\s*[-–—]|\b(?:bis|to|until|till|through|au|al|hasta|tot|до))(?:\s+(?:zum|el))?\s*$", re.IGNORECASE
).search
cdef object PERIOD_AFTER = re.compile(r"\s*(?:-|–|—|bis|to|until)\s*\d", re.IGNORECASE).match
# What PERIOD_BEFORE ends with.
cdef tuple UNTIL = ("-", "–", "—", "bis", "to", "until", "till", "through", "au", "al", "hasta", "tot", "до", "zum", "el")

cdef enum:
    AFTER = 24              # characters behind a date, in the same sentence, before a word of publication
    LONGEST_AFTER = 16      # characters of such a word
    NEAR = 400              # bytes of visible text after the headline
    BEFORE = 200            # before it
    BESIDE = 80             # bytes between a headline and a line that belongs to it, wherever they stand
    SHORT = 90              # bytes of a line that holds little but a date
    MAX_LABEL = 40          # characters before a day that may be its label
    MIN_CHANGE = 2          # of one of a change
    MAX_KICKER = 30         # letters of what says before a headline what kind of text it is
    ROW = 3                 # lines with dates that make a list
    ROW_GAP = 400           # bytes from one to the next
    MOST_LABEL = 2          # what a label of publication adds to a score
    MOST_NEAR = 2           # what a month that the address names adds
    REPEATED = 2            # the rank of a line that repeats the title
    MOST_ENGLISH = 3        # words of English that tell the language of a page that names none
    MAX_CLOCK = 12          # characters beside a day in a line that has nothing else: a time, a day of the week
    PART_OF_TITLE = 12      # letters of a heading that is taken for the headline if they are a part of the title

cdef double ENOUGH = 2.0    # the score of a shown date that is taken if nothing else names a date

cdef int HEADING_1 = MARKS["heading_1"], HEADING_2 = MARKS["heading_2"], TITLE_MARK = MARKS["title"]
cdef int HEADINGS = HEADING_1 | HEADING_2 | TITLE_MARK      # the marks of a heading are one of these and nothing else
cdef int PUBLISHED_MARK = MARKS["published"], DATE_MARK = MARKS["date"], DETAILS_MARK = MARKS["details"]
cdef int SUBJECT_MARK = MARKS["subject"]
cdef int MODIFIED_MARK = MARKS["modified"], ELSEWHERE_MARK = MARKS["elsewhere"]


cdef bint is_published_after(str text, Py_ssize_t end) except -1:
    """True if a word of publication begins shortly after a date that ends there, in the same sentence."""
    cdef str after = text[end:end + AFTER + LONGEST_AFTER].lower()
    cdef Py_ssize_t start
    cdef Py_UCS4 before
    for match in PUBLISHED_AFTER(after):
        start = match.start()
        if start > AFTER or "." in after[:start] or "!" in after[:start] or "?" in after[:start]:
            return False
        if start > 0:
            before = after[start - 1]
            if not (before.isalnum() or before == u"_"):
                return True
    return False


cdef bint is_of_period(str beside) except -1:
    """True if what stands before or after a date makes it the end or the beginning of a period."""
    if PERIOD_AFTER(beside) is not None:
        return True
    return beside.rstrip().lower().endswith(UNTIL) and PERIOD_BEFORE(beside) is not None


cdef double score_of(const ShownLine* line, Py_ssize_t headline, bint has_headline) noexcept:
    """What speaks for a line: that it is near the headline, marked and short, and not in another part of the page."""
    cdef double score = 0.0
    cdef bint beside = False
    cdef Py_ssize_t distance
    if has_headline:
        distance = line.place - headline
        beside = -BEFORE <= distance <= BESIDE
        if 0 <= distance <= NEAR:
            score += 3 - <double> distance / NEAR
        elif -BEFORE <= distance < 0:
            score += 2
    if line.marks & PUBLISHED_MARK:
        score += 4
    elif line.marks & DATE_MARK:
        score += 2
    elif line.marks & DETAILS_MARK:
        score += 1
    if line.length <= SHORT:
        score += 1
    if line.marks & ELSEWHERE_MARK and not beside:
        score -= 3
    return score


cdef str label_before(str text, const FoundDay* days, int k, bint* is_label):
    """What stands before a day of a line, in lower case: from the day before it on, if there is a label between them. Also
    sets whether there is one.
    """
    cdef Py_ssize_t end = days[k].start, before = days[k - 1].end if k else 0
    cdef str label
    if k and MIN_CHANGE < end - before < MAX_LABEL:
        label = text[before:end].lower()
        is_label[0] = has_label(label)
        if is_label[0]:
            return label
    label = text[max(0, end - MAX_LABEL):end].lower()
    is_label[0] = has_label(label)
    return label


cdef bint has_label(str text) except -1:
    """True if a text has a word of publication or of a change."""
    return len(text) > 0 and (ASCII_LABEL if text.isascii() else LABEL)(text) is not None


cdef bint begins_today(str lower) except -1:
    """True if a line begins with "today" and the like."""
    cdef object match = OF_TODAY(lower) if lower[:1] in FIRST_OF_TODAY else None
    return match is not None and not (
        <Py_ssize_t> match.end() < len(lower) and lower[<Py_ssize_t> match.end()].isalpha()
        and lower[<Py_ssize_t> match.end()] < 0x2E80
    )


cdef inline bint is_next(const ShownLine* line, const ShownLine* other) noexcept:
    """True for two short lines of the same kind, the second of which follows soon."""
    return (
        line.marks == other.marks and line.length <= SHORT and other.length <= SHORT
        and 0 < other.place - line.place <= ROW_GAP
    )


cdef bint is_english(list texts) except -1:
    """True if texts are in ASCII and have three of the commonest words of English."""
    cdef set found = set()
    for each in texts:
        if not (<str> each).isascii():
            return False
        found.update([word for word in (<str> each).lower().split() if word in ENGLISH])
    return len(found) >= MOST_ENGLISH


cdef bint is_of_other_script(list texts) except -1:
    """True if most letters of texts are Greek, Cyrillic, Hebrew, Arabic or Indian: there the day stands first."""
    cdef Py_ssize_t others = 0, letters = 0
    cdef Py_UCS4 character
    for each in texts:
        for character in <str> each:
            letters += character.isalpha()
            others += 0x370 <= character <= 0xDFF
    return 2 * others > letters


@cython.final
cdef class ShownLines:
    """The lines of a page, and how it writes days and months. The days of each line are looked for once."""

    def __init__(self, list found not None) -> None:
        """`found` is what native.facts.shown_lines.find_shown_lines() returns."""
        cdef Py_ssize_t i
        self.n = len(found)
        self.language = ""
        self.day_first = -1
        self.texts = [line[2] for line in found]
        self.lines = <ShownLine*> calloc(max(self.n, 1), sizeof(ShownLine))
        if self.lines == NULL:
            raise MemoryError("no memory for the lines of a page")
        for i in range(self.n):
            line = found[i]
            self.lines[i].place, self.lines[i].length, self.lines[i].marks = line[0], line[1], line[3]
            self.lines[i].n_days = -1

    def __dealloc__(self) -> None:
        cdef Py_ssize_t i
        if self.lines != NULL:
            for i in range(self.n):
                free(self.lines[i].days)
            free(self.lines)

    cdef int find_order(self, str declared, str host) except -1:
        """Find which comes first in 3/5/2014, as order_of() describes it."""
        cdef str text, whole, last
        cdef Py_ssize_t i, n, days = 0, months = 0
        cdef Numbers numbers
        if self.knows_order:
            return 0
        self.knows_order = True
        whole = declared.casefold() if declared else ""
        self.language = whole.partition("-")[0]
        for each in self.texts:
            text = each
            if "/" not in text and "-" not in text:
                continue
            i, n = 0, len(text)
            while i < n:
                if is_digit(text[i]) and slashes_at(text, i, n, &numbers):
                    days += numbers.first > MONTHS
                    months += numbers.second > MONTHS
                    i = numbers.end
                else:
                    i += 1
        if days or months:
            self.day_first = days > months if days != months else -1
        elif whole in MONTH_FIRST or host.endswith((".gov", ".mil")):
            self.day_first = 0
        else:
            last = host.rpartition(".")[2]
            if (self.language and self.language != "en") or (len(last) == 2 and last not in OF_NO_COUNTRY):
                self.day_first = 1
            elif last in ("com", "org", "net", "us") and (whole == "en" or (not whole and is_english(self.texts))):
                self.day_first = 0
            elif not whole and is_of_other_script(self.texts):
                self.day_first = 1
        return 0

    cdef int days_of(self, Py_ssize_t i) except -1:
        """Find the days of a line; returns how many."""
        cdef ShownLine* line = self.lines + i
        cdef FoundDay[MAX_DAYS] found
        cdef int n
        THRESHER_CHECK(0 <= i and i < self.n)
        if line.n_days < 0:
            n = find_days(self.texts[i], self.language, self.day_first, found, MAX_DAYS)
            if n:
                line.days = <FoundDay*> malloc(n * sizeof(FoundDay))
                if line.days == NULL:
                    raise MemoryError("no memory for the days of a line")
                memcpy(line.days, found, n * sizeof(FoundDay))
            line.n_days = n
        return line.n_days

    cdef bint shows(self, Day day) except -1:
        """True if a line shows that day."""
        cdef Py_ssize_t i
        cdef int k
        for i in range(self.n):
            for k in range(self.days_of(i)):
                if self.lines[i].days[k].day == day:
                    return True
        return False

    cdef int different_days(self, int most) except -1:
        """How many different days the lines show, counted up to `most`."""
        cdef set found = set()
        cdef Py_ssize_t i
        cdef int k
        for i in range(self.n):
            for k in range(self.days_of(i)):
                found.add(self.lines[i].days[k].day)
            if len(found) >= most:
                return most
        return len(found)

    cdef Py_ssize_t headline_end(self, str title) except -2:
        """The place where the headline ends: the heading with the title's text, else the longest one that the title
        begins or ends with, else a line that repeats the title, else the first heading of the first level; -1 if there
        is none.
        """
        cdef str key = key_of(title) if title else "", letters
        cdef Py_ssize_t i, rank, best = -1, best_rank = 0
        for i in range(self.n):
            if not 0 < self.lines[i].marks <= HEADINGS:
                continue
            letters = key_of(self.texts[i])
            rank = 0
            if self.lines[i].marks == TITLE_MARK:
                rank = REPEATED
            elif self.texts[i] == title or (key and letters == key):
                return self.lines[i].place + self.lines[i].length
            elif len(letters) >= PART_OF_TITLE and (key.startswith(letters) or key.endswith(letters)):
                rank = REPEATED + len(letters)
            elif len(key) >= PART_OF_TITLE and self.lines[i].marks == HEADING_1 and (
                letters.endswith(key) and len(letters) - len(key) <= MAX_KICKER
            ):
                rank = REPEATED + len(key)      # behind what kind of text it is
            elif self.lines[i].marks == HEADING_1:
                rank = 1
            if rank and rank > best_rank:
                best, best_rank = i, rank
        return self.lines[best].place + self.lines[best].length if best >= 0 else -1

    cdef list headings(self):
        """The texts of headings of the second level and of lines that repeat the title."""
        return [
            self.texts[i] for i in range(self.n) if self.lines[i].marks == TITLE_MARK or self.lines[i].marks == HEADING_2
        ]

    cdef set row_of(self, const Py_ssize_t* texts, Py_ssize_t n, Py_ssize_t at):
        """The days of a row of short lines of the same kind, as in a list of other pages; None if the line is in none.
        `texts` are the numbers of the `n` lines that are no headings, and `at` is the place of the line among them.
        """
        cdef Py_ssize_t first = at, last = at + 1, i
        cdef int k
        cdef set found
        while first > 0 and at - first < ROW - 1 and is_next(self.lines + texts[first - 1], self.lines + texts[first]):
            first -= 1
        while last < n and last - at < ROW and is_next(self.lines + texts[last - 1], self.lines + texts[last]):
            last += 1
        if last - first < ROW:
            return None
        found = set()
        for i in range(first, last):
            if not self.days_of(texts[i]):
                return None
            for k in range(self.lines[texts[i]].n_days):
                found.add(self.lines[texts[i]].days[k].day)
        return found if len(found) >= ROW else None

    cdef Day labelled_day(self, const Py_ssize_t* texts, Py_ssize_t n) except -1:
        """The one day of the short lines that begin with a label of publication and hold one day; 0 if they hold none
        or name several.
        """
        cdef Py_ssize_t i, t
        cdef Day day, found = 0
        cdef int k
        cdef bint is_label
        for t in range(n):
            i = texts[t]
            if self.lines[i].length > SHORT or self.lines[i].marks & SUBJECT_MARK or BEGINS_PUBLISHED((<str> self.texts[i]).lower()) is None:
                continue
            if not self.days_of(i):
                continue
            if OF_SUBJECT((<str> self.texts[i]).lower()) is not None:
                continue
            day = self.lines[i].days[0].day
            for k in range(1, self.lines[i].n_days):
                if self.lines[i].days[k].day != day and (
                    MODIFIED(label_before(self.texts[i], self.lines[i].days, k, &is_label)) is None
                ):
                    day = 0
            if day and found and day != found:
                return 0
            found = day or found
        return found

    cdef Day lone_day(self, const Py_ssize_t* texts, Py_ssize_t n) except -1:
        """The one day of the lines that hold a day and a time alone, in no other part of the page; 0 if they hold none or
        several.
        """
        cdef Py_ssize_t i, t
        cdef Day found = 0
        cdef const ShownLine* line
        cdef str lower
        for t in range(n):
            i = texts[t]
            line = self.lines + i
            if line.length > SHORT or line.marks & (SUBJECT_MARK | ELSEWHERE_MARK | MODIFIED_MARK) or self.days_of(i) != 1:
                continue
            if len(<str> self.texts[i]) - (line.days.end - line.days.start) > MAX_CLOCK:
                continue
            lower = (<str> self.texts[i]).lower()
            if OF_SUBJECT(lower) is not None or MODIFIED(lower) is not None or begins_today(lower):
                continue
            if found and line.days.day != found:
                return 0
            found = line.days.day
        return found

    cdef Day changed_day(self, Day earliest, Day latest) except -1:
        """The one day with a label of the last change that is neither before `earliest` nor after `latest`, nor that of
        another page or a comment; 0 if there is none, or several.
        """
        cdef Py_ssize_t i, start
        cdef int k
        cdef Day found = 0
        cdef ShownLine* line
        cdef str label
        for i in range(self.n):
            line = self.lines + i
            if 0 < line.marks <= HEADINGS or line.marks & SUBJECT_MARK or not self.days_of(i):
                continue
            for k in range(line.n_days):
                if not earliest <= line.days[k].day <= latest:
                    continue
                start = max(line.days[k].start - MAX_LABEL, line.days[k - 1].end if k else 0)
                if line.days[k].start - start < MIN_CHANGE:
                    continue
                label = (<str> self.texts[i])[start:line.days[k].start].lower()
                if (ASCII_CHANGE if label.isascii() else OF_CHANGE)(label) is None:
                    continue
                if found and line.days[k].day != found:
                    return 0
                found = line.days[k].day
        return found

    cdef bint best_day(self, Py_ssize_t headline, bint has_headline, Day latest, str near, ShownDay* best) except -1:
        """Set the best day of the visible text that is no day of a change and not after `latest`; False if none scores
        ENOUGH. `near` is the year and month that the page's address names, as in "2014-03".
        """
        cdef Py_ssize_t* texts
        cdef Py_ssize_t* order
        cdef double* scores
        cdef Py_ssize_t i, k, n = 0
        cdef void* memory = malloc(max(self.n, 1) * (2 * sizeof(Py_ssize_t) + sizeof(double)))
        if memory == NULL:
            raise MemoryError("no memory for the lines of a page")
        texts = <Py_ssize_t*> memory
        order = texts + self.n
        scores = <double*> (order + self.n)
        for i in range(self.n):
            if self.lines[i].marks > HEADINGS or not self.lines[i].marks:
                texts[n] = i
                scores[n] = score_of(self.lines + i, headline, has_headline)
                k = n                   # the best first, of equal ones in the order of the page
                while k > 0 and scores[order[k - 1]] < scores[n]:
                    order[k] = order[k - 1]
                    k -= 1
                order[k] = n
                n += 1
        try:
            return self.best_of(texts, order, scores, n, headline, has_headline, latest, near, best)
        finally:
            free(memory)

    cdef bint best_of(
        self, const Py_ssize_t* texts, const Py_ssize_t* order, const double* scores, Py_ssize_t n,
        Py_ssize_t headline, bint has_headline, Day latest, str near, ShownDay* best
    ) except -1:
        """best_day() with the scores of the `n` lines that are no headings, and their order by score."""
        cdef bint found = False, older = False, of_row = False, modified, labelled, published, has_row, modified_mark, holds_rights
        cdef double greatest = ENOUGH, score    # `greatest` is that of a day of a change too: lines far below say little
        cdef Py_ssize_t i, place, at
        cdef int k, near_month = 0, changes
        cdef ShownLine* line
        cdef FoundDay* day
        cdef str text, lower, label
        cdef set row
        if near:
            near_month = int(near[:4]) * 100 + int(near[5:])
        for place in range(n):
            at = order[place]
            line = self.lines + texts[at]
            score = scores[at] + MOST_LABEL + (MOST_NEAR if near else 0)
            if score < greatest or (found and score <= best.score):
                break
            if line.marks & SUBJECT_MARK or not self.days_of(texts[at]):
                continue
            text = self.texts[texts[at]]
            lower = text.lower()
            holds_rights = False
            for words in RIGHTS:
                if words in lower:
                    holds_rights = True
                    break
            if holds_rights:
                continue
            if begins_today(lower):
                continue
            modified_mark = line.marks & MODIFIED_MARK and not line.marks & PUBLISHED_MARK
            row, has_row, changes = None, False, 0
            for k in range(line.n_days):
                day = line.days + k
                label = label_before(text, line.days, k, &labelled)
                score = scores[at] - (k - changes)
                about = OF_SUBJECT(label) if label else None
                if about is not None and PUBLISHED(label[about.end():]) is None:
                    continue        # a birthday, the day of an event
                published = (labelled and PUBLISHED(label) is not None) or (
                    day.end + 1 < len(text) and is_published_after(text, day.end)
                )
                if published:
                    score += MOST_LABEL
                elif day.start == 0:
                    score += 1
                if near_month and day.day // 100 == near_month:
                    score += MOST_NEAR
                if (label and is_of_period(label)) or (
                    day.end < len(text) and is_of_period(text[day.end:day.end + 8])
                ):
                    score -= 3
                modified = (modified_mark and not published) or (labelled and MODIFIED(label) is not None)
                changes += modified
                if score >= ENOUGH and not modified and day.day <= latest:
                    if not has_row:
                        row, has_row = self.row_of(texts, n, at), True
                    if row is not None:
                        if day.day != max(row):
                            older = True
                            continue
                        score = min(score, CERTAIN - 1)
                    if not found or score > best.score:
                        found, of_row = True, row is not None
                        best.day, best.score, best.modified = day.day, score, False
                        best.near = has_headline and -BEFORE <= line.place - headline <= NEAR
                        best.labelled, best.marks, best.length = published, line.marks, line.length
                        best.before = k - changes
                greatest = max(greatest, score)
        if older and found and best.score < CERTAIN and not of_row:
            return False
        if not found and not older:
            best.day = self.labelled_day(texts, n)
            if best.day and best.day <= latest:
                best.score, best.modified, best.near, best.labelled = ENOUGH, False, False, True
                best.marks, best.before, best.length = 0, 0, 0
                return True
            best.day = self.lone_day(texts, n)
            if best.day and best.day <= latest:
                best.score, best.modified, best.near, best.labelled = 0, False, False, False
                best.marks, best.before, best.length = 0, 0, 0
                return True
        return found


# --- for tests ---

class Order(NamedTuple):
    """How a page writes days and months."""

    language: str = ""
    day_first: bool | None = None


def order_of(texts: Iterable[str], declared: str | None, host: str) -> Order:
    """Which comes first in 3/5/2014: as other dates of the page show it, else as the declared language has it."""
    cdef ShownLines lines = ShownLines([(0, 0, text, 0) for text in texts])
    lines.find_order(declared, host)
    return Order(lines.language, None if lines.day_first < 0 else lines.day_first > 0)


def shown_date(
    lines: Sequence[tuple[int, int, str, int]], headline: int | None, order: Order, *, latest: date, near: str = ""
) -> tuple[date, float, bool] | None:
    """The best date of the visible text that is no date of a change and not after `latest`, its score, and whether its
    line stands near the headline; None if none scores enough. `lines` are those of find_shown_lines(), `headline` is
    the place where the headline ends, `near` the year and month that the page's address names, as in "2014-03".
    """
    cdef ShownLines all_lines = ShownLines(list(lines))
    cdef ShownDay best
    all_lines.language = order.language
    all_lines.day_first = -1 if order.day_first is None else <bint> order.day_first
    all_lines.knows_order = True
    if not all_lines.best_day(headline or 0, headline is not None, day_of(latest), near, &best):
        return None
    return date_of(best.day), best.score, best.near
