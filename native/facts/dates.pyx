# SPDX-License-Identifier: Apache-2.0
"""Dates in text, in many languages.

A wrong date is worse than none. So nothing is guessed from a year alone, and a day and month in unknown order are left
out.
"""

import re
from datetime import date
from typing import NamedTuple

from cpython.datetime cimport PyDate_Check, date_day, date_month, date_new, date_year, import_datetime
from cpython.unicode cimport Py_UNICODE_ISSPACE, Py_UNICODE_TODECIMAL

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.facts.calendars import ERAS, PERSIAN_MONTHS, PERSIAN_YEARS, persian_day
from thresher.native.facts.labels import DATE_FILLERS, NUMBERED
from thresher.native.facts.months import FIRST_WORDS, MONTHS_OF

import_datetime()

cdef enum:
    EARLIEST = 1990         # the year of the first web page: an older date is a default, or that of something else
    LATEST = 2100
    BUDDHIST = 543          # Thai years less ours
    MAX_LINE = 200          # characters of a text that are read
    MOST_DIGITS = 9         # of a number whose value is read
    PERSIAN_MONTH = 100     # what the numbers of Persian months are raised by
    REACH = 40              # characters before the first year and after the last one in which day and month stand
    GAP = 12                # characters between the parts of a date


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


cdef Day only_day(set days) except -1:
    """The one day of a set, in which 0 does not count; 0 if it has none or several."""
    days.discard(0)
    return days.pop() if len(days) == 1 else 0


cdef Day persian(int year, int month, int day) except -1:
    """A day of the Persian calendar."""
    return day_of(persian_day(year, month, day))


# --- numbers ---

cdef inline Py_ssize_t after_blank(str text, Py_ssize_t i) noexcept:
    """Where the text goes on behind one white-space character, if it has one there."""
    return i + 1 if i < len(text) and Py_UNICODE_ISSPACE(text[i]) else i


cdef inline Py_ssize_t after_number(str text, Py_ssize_t i, Py_ssize_t end) noexcept:
    """Where the digits end that stand at i."""
    while i < end and is_digit(text[i]):
        i += 1
    return i


cdef int number_at(str text, Py_ssize_t start, Py_ssize_t end) noexcept:
    """The value of these digits, of the first MOST_DIGITS."""
    cdef int value = 0
    cdef Py_ssize_t i
    for i in range(start, min(end, start + MOST_DIGITS)):
        value = 10 * value + Py_UNICODE_TODECIMAL(text[i])
    return value


cdef bint numbers_at(str text, Py_ssize_t i, str dividing, str as_well, Numbers* found) noexcept:
    """True if three numbers begin at this digit, the first of a number. One of the characters in `dividing` stands
    between the first two, and the same, or one of `as_well`, behind the second. Each may have a blank on both sides.
    """
    cdef Py_ssize_t end = after_number(text, i, len(text))
    found.n_first, found.first = end - i, number_at(text, i, end)
    end = after_blank(text, end)
    if end == len(text) or text[end] not in dividing:
        return False
    found.separator = text[end]
    i = after_blank(text, end + 1)
    end = after_number(text, i, len(text))
    if not 1 <= end - i <= 2:
        return False
    found.n_second, found.second = end - i, number_at(text, i, end)
    end = after_blank(text, end)
    if end == len(text) or not (text[end] == found.separator or text[end] in as_well):
        return False
    i = after_blank(text, end + 1)
    found.end = after_number(text, i, len(text))
    found.n_third, found.third = found.end - i, number_at(text, i, found.end)
    return found.n_third > 0


cdef bint is_iso(str text) noexcept:
    """True if a text begins with a date like 2014-03-05."""
    return (
        len(text) >= 10 and (text[0] == u"1" or text[0] == u"2")
        and u"0" <= text[1] <= u"9" and u"0" <= text[2] <= u"9" and u"0" <= text[3] <= u"9"
        and text[4] == u"-" and u"0" <= text[5] <= u"1" and u"0" <= text[6] <= u"9"
        and text[7] == u"-" and u"0" <= text[8] <= u"3" and u"0" <= text[9] <= u"9"
        and not (len(text) > 10 and u"0" <= text[10] <= u"9")
    )


cdef bint is_compact(str text, Py_ssize_t i, Py_ssize_t end) noexcept:
    """True if these digits are a date like 20140305, alone or with a time behind it: 20140305T10."""
    return (
        end - i == 8 and not (i and text[i - 1] in u"/_-")
        and (text[i] == u"1" and text[i + 1] == u"9" or text[i] == u"2" and text[i + 1] == u"0")
        and u"0" <= text[i + 4] <= u"1" and u"0" <= text[i + 6] <= u"3"
        and (
            end == len(text) or Py_UNICODE_ISSPACE(text[end])
            or (text[end] == u"T" and end + 1 < len(text) and is_digit(text[end + 1]))
        )
    )


cdef bint year_first_at(str text, Py_ssize_t i, Numbers* found) noexcept:
    """True if a date like 2014-03-05, 2014年3月5日 or 20140305 begins at this digit."""
    cdef Py_ssize_t end
    if i and is_digit(text[i - 1]):
        return False
    end = after_number(text, i, len(text))
    if is_compact(text, i, end):
        found.first, found.second = number_at(text, i, i + 4), number_at(text, i + 4, i + 6)
        found.third, found.end = number_at(text, i + 6, end), end
        return True
    return end - i == 4 and numbers_at(text, i, u"-/.년年|", u"월月", found) and found.n_third <= 2


cdef bint is_clock(str text, Py_ssize_t i) noexcept:
    """True if a time of day begins at this digit: 14:16."""
    cdef Py_ssize_t n = len(text), end = after_number(text, i, min(n, i + 2))
    return end + 2 < n and text[end] == u":" and is_digit(text[end + 1]) and is_digit(text[end + 2])


cdef bint year_last_at(str text, Py_ssize_t i, Numbers* found) noexcept:
    """True if a date like 5.3.2014 or 5/3/14 begins at this digit."""
    cdef Py_ssize_t n = len(text)
    if (
        i and (is_digit(text[i - 1]) or text[i - 1] in u".,:/-")
        or not numbers_at(text, i, u"./|-", u"", found) or found.n_first > 2
        or found.n_third != 2 and found.n_third != 4
    ):
        return False
    return found.end == n or not (
        text[found.end] == u":"
        or text[found.end] in u"./-" and found.end + 1 < n and is_digit(text[found.end + 1])
        and not is_clock(text, found.end + 1)
    )


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


# --- names of months ---

cdef enum Kind:         # of a part of a date
    FILLER = 0          # may stand between the others: a word such as "de", or a sign
    DAY = 1
    MONTH = 2
    YEAR = 4
    NO_PART = 8


ctypedef struct Part:
    Kind kind
    int value
    Py_ssize_t start    # where it stands in the text
    Py_ssize_t end


cdef inline bint divides(Py_UCS4 character) noexcept:
    """True for white space and marks between the parts of a date."""
    if u"a" <= character <= u"z" or u"A" <= character <= u"Z" or u"0" <= character <= u"9":
        return False
    if character < 0x80:
        return character in u",;:|()<>/[]\"-" or character == u" " or 9 <= character <= 13 or 0x1C <= character <= 0x1F
    return character in u"“”«»…·•–—" or character.isspace()


cdef Py_ssize_t after_word(str text, Py_ssize_t i, Py_ssize_t stop) noexcept:
    """Where the word ends that stands at i."""
    while i < stop and not divides(text[i]) and not is_digit(text[i]):
        i += 1
    return i


cdef Part number_part(str text, Py_ssize_t start, Py_ssize_t end) noexcept:
    """The part of a date that a number may be."""
    cdef int value = number_at(text, start, end)
    cdef Kind kind = YEAR if end - start == 4 else DAY if end - start <= 2 and 1 <= value <= 31 else NO_PART
    return Part(kind, value, start, end)


cdef dict MONTHS_HERE = {
    language: {name: PERSIAN_MONTH + number for name, number in PERSIAN_MONTHS.items()} | months
    for language, months in MONTHS_OF.items()
}
"""The number of each month's name, those of Persian months raised by PERSIAN_MONTH; under "" for all other languages."""


cdef bint is_filler(str key) except -1:
    """True if a word may be between day, month and year: one of the list, or one without letters."""
    cdef Py_UCS4 character
    if key in DATE_FILLERS:
        return True
    for character in key:
        if character.isalpha():
            return False
    return True


cdef bint is_numbered(str text, Py_ssize_t begin, Py_ssize_t start) except -1:
    """True if a number, which stands there, is none of a day, as the word before it says: issue 24."""
    cdef Py_ssize_t end
    while start > begin and text[start - 1] in u" .#°\u00a0":
        start -= 1
    end = start
    while start > begin and text[start - 1].isalpha():
        start -= 1
    return text[start:end].casefold() in NUMBERED


cdef Part word_part(str text, Py_ssize_t start, Py_ssize_t stop, dict months) except *:
    """The part of a date that a word may be, or two words that are the name of a month."""
    cdef Py_ssize_t end = after_word(text, start, stop), second = end, end_of_second
    cdef str key = text[start:end].strip(".'’").casefold()
    cdef object month = months.get(key)
    if month is None and key in FIRST_WORDS:
        while second < stop and divides(text[second]):
            second += 1
        end_of_second = after_word(text, second, stop)
        month = months.get(f"{key} {text[second:end_of_second].casefold()}")
        if month is not None:
            end = end_of_second
    if month is not None:
        return Part(MONTH, month, start, end)
    return Part(FILLER if is_filler(key) else NO_PART, 0, start, end)


cdef bint are_date(const Part* parts) noexcept:
    """True if three parts are day, month and year, near each other and in one of the orders 5 3 2014, 3 5 2014, 2014 3
    5 and 2014 5 3.
    """
    return (
        parts[0].kind | parts[1].kind | parts[2].kind == DAY | MONTH | YEAR and parts[1].kind != YEAR
        and parts[1].start - parts[0].end <= GAP and parts[2].start - parts[1].end <= GAP
    )


cdef int add_named(str text, Py_ssize_t i, Py_ssize_t stop, dict months, FoundDays* found) except -1:
    """Add the days between these places that have the name of a month."""
    cdef Part[MAX_LINE] parts
    cdef Part part
    cdef int[NO_PART] values        # by Kind
    cdef int n = 0, at = 0, k
    cdef Py_ssize_t begin = i
    cdef bint again
    cdef Day day
    while i < stop:
        if divides(text[i]):
            i += 1
            continue
        if is_digit(text[i]):
            part = number_part(text, i, after_number(text, i, stop))
            if part.kind == DAY and is_numbered(text, begin, i):
                part.kind = NO_PART
        else:
            part = word_part(text, i, stop, months)
        i = part.end
        again = part.kind == MONTH and n and parts[n - 1].kind == MONTH and parts[n - 1].value == part.value
        if part.kind and not again:     # a month may be named twice: نيسان / أبريل
            THRESHER_CHECK(n < MAX_LINE)
            parts[n] = part
            n += 1
    while at + 2 < n:
        if not are_date(parts + at):
            at += 1
            continue
        for k in range(at, at + 3):
            values[<int> parts[k].kind] = parts[k].value
        k = values[<int> MONTH]
        day = (
            persian(values[<int> YEAR], k - PERSIAN_MONTH, values[<int> DAY]) if k > PERSIAN_MONTH
            else make_day(values[<int> YEAR], k, values[<int> DAY])
        )
        add_day(found, day, parts[at].start, parts[at + 2].end)
        at += 3
    return 0


# --- the days in a text ---

cdef enum Shape:            # what the numbers of a text may be, by how many digits they have
    MAY_BE_NAMED = 1        # one of four and another one: 5 March 2014
    YEAR_FIRST = 2          # 4, 2 and 2 at most, or 8: 2014-03-05, 20140305
    YEAR_LAST = 4           # 2, 2 at most and 2 or 4: 5.3.14, 10:00:00 CET 2014
    ERA_YEAR = 8            # two or more: 平成26年3月5日


cdef object VIETNAMESE = re.compile(
    r"(\d(?<!\d\d)\d?)\s?(?:tháng|thg|thg\.)\s?(\d{1,2})(?:,|,?\s?năm)?\s(\d{4})(?!\d)", re.IGNORECASE
).finditer
cdef object ERA = re.compile(rf"({'|'.join(ERAS)})\s?(\d{{1,3}}|元)\s?年\s?(\d{{1,2}})\s?月\s?(\d{{1,2}})\s?日").finditer
cdef object AMERICAN = re.compile(      # a time of day as it is written in the United States
    r"\D{1,4}\d\d?:\d\d(?::\d\d)?\s*(?:[ap]\.?m\b|(?:[ap]\.?m\.?\s*)?(?:E|C|M|P)[SD]?T\b)", re.IGNORECASE
).match
cdef object UNIX = re.compile(r"\b([A-Z][a-z]{2}) +(\d\d?) \d\d:\d\d(?::\d\d)? (?:[A-Z]{3,5} )?(\d{4})\b").search


cdef int find_shapes(str text, Py_ssize_t* begin, Py_ssize_t* stop) noexcept:
    """What dates a text may hold, as a sum of Shape; 0 if none. Also sets the part of it in which one with the name of
    a month can stand: around its numbers of four digits.
    """
    cdef Py_ssize_t i = 0, end, n = len(text)
    cdef Py_ssize_t before = 9, last = 9, digits      # of the last two numbers
    cdef int numbers = 0, shapes = 0
    begin[0] = stop[0] = 0
    while i < n:
        if not is_digit(text[i]):
            i += 1
            continue
        end = after_number(text, i, n)
        digits = end - i
        numbers += 1
        if digits == 4:
            if stop[0] == 0:
                begin[0] = max(0, i - REACH)
            stop[0] = min(n, end + REACH)
        if digits == 8 or (before == 4 and last <= 2 and digits <= 2):
            shapes |= YEAR_FIRST
        if before <= 2 and last <= 2 and (digits == 2 or digits == 4):
            shapes |= YEAR_LAST
        before, last = last, digits
        i = end
    if numbers >= 2:
        shapes |= ERA_YEAR | (MAY_BE_NAMED if stop[0] else 0)
    return shapes


cdef int add_day(FoundDays* found, Day day, Py_ssize_t start, Py_ssize_t end) noexcept:
    """Add a day if there is one, and room, behind those that begin before it or at the same place."""
    cdef int at = found.n
    if day == 0 or at == MAX_DAYS:
        return 0
    while at > 0 and found.days[at - 1].start > start:
        found.days[at] = found.days[at - 1]
        at -= 1
    found.days[at].day, found.days[at].start, found.days[at].end = day, start, end
    found.n += 1
    return 0


cdef bint holds_persian_digit(str text) noexcept:
    cdef Py_UCS4 character
    for character in text:
        if 0x06F0 <= character <= 0x06F9:
            return True
    return False


cdef int add_numbers(str text, bint is_year_first, str language, int day_first, FoundDays* found) except -1:
    """Add the days of numbers that have the year in front, or behind."""
    cdef bint is_persian = language == "fa" or (not text.isascii() and holds_persian_digit(text))
    cdef Numbers numbers
    cdef Py_ssize_t i = 0
    cdef int year, last
    cdef Day day
    while i < len(text):
        if not is_digit(text[i]) or not (year_first_at if is_year_first else year_last_at)(text, i, &numbers):
            i += 1
            continue
        year, last = (numbers.first, numbers.third) if is_year_first else (numbers.third, numbers.first)
        if is_persian and year in PERSIAN_YEARS:
            day = persian(year, numbers.second, last)
        elif is_year_first:
            day = make_day(year, numbers.second, last)
        elif numbers.separator in u".|":
            day = day_of_numbers(&numbers, language, 1)
        else:
            day = day_of_numbers(
                &numbers, language, 0 if day_first < 0 and AMERICAN(text, numbers.end) is not None else day_first
            )
        add_day(found, day, i, numbers.end)
        i = numbers.end
    return 0


cdef int find_days(str text, str language, int day_first, FoundDays* found) except -1:
    """Find the days in a text, in order; returns how many. For the arguments see find_dates()."""
    cdef Py_ssize_t begin, stop
    cdef int shapes
    cdef dict months
    found.n = 0
    text = text[:MAX_LINE] if len(text) > MAX_LINE else text
    shapes = find_shapes(text, &begin, &stop)
    if shapes & YEAR_FIRST:
        add_numbers(text, True, language, day_first, found)
    if shapes & YEAR_LAST:
        add_numbers(text, False, language, day_first, found)
        lower = text.lower()
        for match in VIETNAMESE(text) if "tháng" in lower or "thg" in lower else ():
            add_day(found, make_day(int(match[3]), int(match[2]), int(match[1])), match.start(), match.end())
    if shapes & ERA_YEAR and "年" in text:
        for match in ERA(text):
            year = <int> ERAS[match[1]] + (1 if match[2] == "元" else int(match[2]))
            add_day(found, make_day(year, int(match[3]), int(match[4])), match.start(), match.end())
    if shapes & MAY_BE_NAMED:
        months = MONTHS_HERE.get(language) or MONTHS_HERE[""]
        add_named(text, begin, stop, months, found)
        match = UNIX(text) if shapes & YEAR_LAST and ":" in text else None
        if match is not None:
            month = months.get(match[1].lower(), 0)
            add_day(found, make_day(int(match[3]), month, int(match[2])), match.start(), match.end())
    return found.n


cdef Day first_day(str text) except -1:
    """The first day that a text names; 0 if it names none, and for 03/05/2014 by itself."""
    cdef FoundDays found
    if is_iso(text):
        return make_day(number_at(text, 0, 4), number_at(text, 5, 7), number_at(text, 8, 10))
    return found.days[0].day if find_days(text[:64] if len(text) > 64 else text, "", -1, &found) else 0


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
    cdef FoundDays found
    cdef int k, n = find_days(text, language, -1 if day_first is None else <bint> day_first, &found)
    return tuple([FoundDate(date_of(found.days[k].day), found.days[k].start, found.days[k].end) for k in range(n)])
