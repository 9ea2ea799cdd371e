# SPDX-License-Identifier: Apache-2.0
"""The date of a page among those that its visible text shows.

One that stands somewhere in the text counts only near the headline or where its element is marked as a date.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

cimport cython
from libc.stdint cimport uint32_t
from libc.string cimport memset

from thresher.native.facts.dates cimport MONTHS, FoundDay, Numbers, find_days, is_clock, is_digit, numbers_at, only_day
from thresher.native.facts.labels import TODAY, all_of
from thresher.native.facts.letters cimport has_one_of, key_of
from thresher.native.facts.line_labels cimport (
    PUBLISHED_FIRST, PUBLISHED_LAST, SAYS_CHANGE, SAYS_CHANGED, SAYS_PUBLISHED, SAYS_SUBJECT, said_in
)
from thresher.native.facts.marks cimport *
from thresher.native.facts.words cimport is_of_word

cdef set MONTH_FIRST = {"en-us", "en-ph", "es-us", "en-pr"}
cdef frozenset ENGLISH = frozenset("the of and to in for on by with is at from this that are was".split())
cdef set OF_NO_COUNTRY = {"us", "io", "ai", "co", "tv", "me"}


cdef bint slashes_at(str text, Py_ssize_t i, Numbers* found) noexcept:
    """True if numbers like those of 5/3/2014 or 5-3-14 begin at this digit."""
    return (
        not (i and (is_digit(text[i - 1]) or text[i - 1] in u"/.-"))
        and numbers_at(text, i, u"/-", u"", found) and found.n_first <= 2
        and found.end - i == found.n_first + found.n_second + found.n_third + 2         # no blanks
        and (found.n_third == 2 or found.n_third == 4 and text[found.end - 4:found.end - 2] in ("19", "20"))
        and not (found.end < len(text) and text[found.end] in u"/.-")
    )


cdef list TODAYS = sorted(all_of(TODAY), key=len, reverse=True)
cdef frozenset FIRST_OF_TODAY = frozenset(word[0] for word in TODAYS)
# Words of publication behind a day.
cdef tuple PUBLISHED_AFTER = tuple(
    "gepostet veröffentlicht publiziert geschrieben erstellt posted published publié publicado publicada pubblicato geplaatst "
    "gepubliceerd opublikowano 发布 发表 掲載 公開 入力 등록 입력".split()
)
cdef tuple RIGHTS = (
    "©", "(c)", "copyright", "all rights", "rechte vorbehalten", "tous droits", "derechos reservados"
)
cdef object PERIOD_BEFORE = re.compile(
    r"(?:(?<!\d:\d)\d\s*[-–—]|\b(?:bis|to|until|till|through|au|al|hasta|tot|до))(?:\s+(?:zum|el))?\s*$", re.IGNORECASE
).search
cdef object PERIOD_AFTER = re.compile(r"\s*(?:-|–|—|bis|to|until)\s*\d", re.IGNORECASE).match
# What PERIOD_BEFORE ends with.
cdef tuple UNTIL = ("-", "–", "—", "bis", "to", "until", "till", "through", "au", "al", "hasta", "tot", "до", "zum", "el")

cdef enum:
    BEHIND = 12             # characters behind a date, which may be the beginning of a period
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


cdef bint is_published_after(str text, Py_ssize_t end) except -1:
    """True if a word of publication begins shortly after a date that ends there, in the same sentence."""
    cdef str after = text[end:end + AFTER + LONGEST_AFTER].lower()
    cdef Py_ssize_t start
    for start in range(1, min(len(after), AFTER + 1)):
        if after[start - 1] in u".!?":
            return False
        if not is_of_word(after[start - 1]) and after.startswith(PUBLISHED_AFTER, start):
            return True
    return False


cdef bint is_of_period(str beside) except -1:
    """True if what stands before or after a date makes it the end or the beginning of a period: a dash and a number
    that is no time of day.
    """
    cdef object match = PERIOD_AFTER(beside)
    if match is not None:
        return not is_clock(beside, match.end() - 1)
    return beside.rstrip().lower().endswith(UNTIL) and PERIOD_BEFORE(beside) is not None


cdef double score_of(ShownLine line, Py_ssize_t headline) noexcept:
    """What speaks for a line: that it is near the headline, marked and short, and not in another part of the page."""
    cdef double score = 0.0
    cdef bint beside = False
    cdef Py_ssize_t distance
    if headline >= 0:
        distance = line.place - headline
        beside = -BEFORE <= distance <= BESIDE
        if 0 <= distance <= NEAR:
            score += 3 - <double> distance / NEAR
        elif -BEFORE <= distance < 0:
            score += 2
    if line.marks & CLUE_PUBLISHED:
        score += 4
    elif line.marks & CLUE_DATE:
        score += 2
    elif line.marks & CLUE_DETAILS:
        score += 1
    if line.length <= SHORT:
        score += 1
    if line.marks & CLUE_ELSEWHERE and not beside:
        score -= 3
    return score


cdef str label_before(str text, const FoundDays* found, int k):
    """What stands before a day of a line, in lower case: from the day before on, if there is a label between them."""
    cdef Py_ssize_t end = found.days[k].start, before = found.days[k - 1].end if k else 0
    cdef str label
    if k and MIN_CHANGE < end - before < MAX_LABEL:
        label = text[before:end].lower()
        if said_in(label) & (SAYS_PUBLISHED | SAYS_CHANGE):
            return label
    return text[max(0, end - MAX_LABEL):end].lower()


ctypedef struct Beside:         # what the words beside a day say of it
    bint of_subject             # it is a birthday, the day of an event
    bint published
    bint modified
    bint of_period


cdef Beside look_beside(str text, const FoundDays* found, int k) except *:
    """What the words beside a day of a line say."""
    cdef Beside says
    cdef str label = label_before(text, found, k)
    cdef uint32_t said = said_in(label)
    cdef Py_ssize_t end = found.days[k].end
    says.of_subject = said & SAYS_SUBJECT and not said & PUBLISHED_LAST
    says.published = said & SAYS_PUBLISHED or (end + 1 < len(text) and is_published_after(text, end))
    says.modified = said & SAYS_CHANGE
    says.of_period = (label and is_of_period(label)) or (end < len(text) and is_of_period(text[end:end + BEHIND]))
    return says


cdef bint begins_today(str lower) except -1:
    """True if a line begins with "today" and the like."""
    cdef str behind
    if lower[:1] in FIRST_OF_TODAY:
        for word in TODAYS:
            if lower.startswith(word):
                behind = lower[len(<str> word):][:1]
                return not behind.isalpha() or behind[0] >= 0x2E80
    return False


cdef inline int add_to(set found, const FoundDays* days) except -1:
    """Add the days of a line to a set."""
    cdef int k
    for k in range(days.n):
        found.add(days.days[k].day)
    return 0


cdef inline bint is_next(ShownLine line, ShownLine other) noexcept:
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
            letters += <bint> character.isalpha()
            others += 0x370 <= character <= 0xDFF
    return 2 * others > letters


@cython.final
cdef class ShownLine:
    """A line of visible text, as native.facts.shown_lines.find_shown_lines() gives it."""

    def __init__(self, Py_ssize_t place, Py_ssize_t length, str text not None, int marks) -> None:
        """The days in it are not looked for yet."""
        self.place, self.length, self.text, self.marks = place, length, text, marks
        self.is_heading = 0 < marks <= CLUE_HEADINGS


@cython.final
cdef class ShownLines:
    """The lines of a page, and how it writes days and months. The days of each line are looked for once."""

    def __init__(self, list found not None) -> None:
        """`found` is what native.facts.shown_lines.find_shown_lines() returns."""
        cdef ShownLine line
        self.language = ""
        self.day_first = -1
        self.lines = [ShownLine(*each) for each in found]
        self.body = [line for line in self.lines if not line.is_heading]

    cdef int find_order(self, str declared, str host) except -1:
        """Find which comes first in 3/5/2014, as order_of() describes it."""
        cdef str text, whole, last
        cdef list texts = [(<ShownLine> line).text for line in self.lines]
        cdef Py_ssize_t i, days = 0, months = 0
        cdef Numbers numbers
        whole = declared.casefold() if declared else ""
        self.language = whole.partition("-")[0]
        for text in texts:
            if "/" not in text and "-" not in text:
                continue
            i = 0
            while i < len(text):
                if is_digit(text[i]) and slashes_at(text, i, &numbers):
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
            elif last in ("com", "org", "net", "us") and (whole == "en" or (not whole and is_english(texts))):
                self.day_first = 0
            elif not whole and is_of_other_script(texts):
                self.day_first = 1
        return 0

    cdef const FoundDays* days_of(self, ShownLine line) except NULL:
        """The days of a line."""
        if not line.is_read:
            find_days(line.text, self.language, self.day_first, &line.days)
            line.is_read = True
        return &line.days

    cdef set first_days(self, Py_ssize_t most):
        """The days that the first lines show: `most` or a few more, if there are as many."""
        cdef set found = set()
        for line in self.lines:
            if len(found) >= most:
                break
            add_to(found, self.days_of(line))
        return found

    cdef Py_ssize_t headline_end(self, str title) except -2:
        """The place where the headline ends: the heading with the title's text, else the longest one that the title
        begins or ends with, else a line that repeats the title, else the first heading of the first level; -1 if there
        is none.
        """
        cdef str key = key_of(title) if title else "", letters
        cdef Py_ssize_t rank, end = -1, best_rank = 0
        cdef ShownLine line
        for line in self.lines:
            if not line.is_heading:
                continue
            letters = key_of(line.text)
            rank = 0
            if line.marks == CLUE_TITLE:
                rank = REPEATED
            elif line.text == title or (key and letters == key):
                return line.place + line.length
            elif len(letters) >= PART_OF_TITLE and (key.startswith(letters) or key.endswith(letters)):
                rank = REPEATED + len(letters)
            elif len(key) >= PART_OF_TITLE and line.marks == CLUE_HEADING_1 and (
                letters.endswith(key) and len(letters) - len(key) <= MAX_KICKER
            ):
                rank = REPEATED + len(key)      # behind what kind of text it is
            elif line.marks == CLUE_HEADING_1:
                rank = 1
            if rank > best_rank:
                end, best_rank = line.place + line.length, rank
        return end

    cdef Day newest_of_row(self, Py_ssize_t at) except -1:
        """The newest day of a row of short lines of the same kind, as in a list of other pages; 0 if the line is in
        none. `at` is its place among the lines that are no headings.
        """
        cdef list body = self.body
        cdef Py_ssize_t first = at, last = at + 1
        cdef set found = set()
        while first > 0 and at - first < ROW - 1 and is_next(body[first - 1], body[first]):
            first -= 1
        while last < len(body) and last - at < ROW and is_next(body[last - 1], body[last]):
            last += 1
        if last - first < ROW:
            return 0
        for line in body[first:last]:
            if not self.days_of(line).n:
                return 0
            add_to(found, self.days_of(line))
        return max(found) if len(found) >= ROW else 0

    cdef Day labelled_day(self) except -1:
        """The one day of the short lines that begin with a label of publication and hold one day; 0 if they hold none
        or name several.
        """
        cdef ShownLine line
        cdef Day day
        cdef int k
        cdef uint32_t said
        cdef set found = set()
        cdef const FoundDays* days
        for line in self.body:
            if line.length > SHORT or line.marks & CLUE_SUBJECT:
                continue
            said = said_in(line.text.lower())
            if not said & PUBLISHED_FIRST or said & SAYS_SUBJECT or not self.days_of(line).n:
                continue
            days = self.days_of(line)
            day = days.days[0].day
            for k in range(1, days.n):
                if days.days[k].day != day and not said_in(label_before(line.text, days, k)) & SAYS_CHANGE:
                    day = 0
            found.add(day)
        return only_day(found)

    cdef Day lone_day(self) except -1:
        """The one day of the lines that hold a day and a time alone, in no other part of the page; 0 if they hold none or
        several.
        """
        cdef ShownLine line
        cdef str lower
        cdef set found = set()
        cdef const FoundDays* days
        for line in self.body:
            if line.length > SHORT or line.marks & (CLUE_SUBJECT | CLUE_ELSEWHERE | CLUE_MODIFIED):
                continue
            days = self.days_of(line)
            if days.n != 1 or len(line.text) - (days.days[0].end - days.days[0].start) > MAX_CLOCK:
                continue
            lower = line.text.lower()
            if not said_in(lower) & (SAYS_SUBJECT | SAYS_CHANGE) and not begins_today(lower):
                found.add(days.days[0].day)
        return only_day(found)

    cdef Day changed_day(self, Day earliest, Day latest) except -1:
        """The one day with a label of the last change that is neither before `earliest` nor after `latest`, nor that of
        another page or a comment; 0 if there is none, or several.
        """
        cdef ShownLine line
        cdef Py_ssize_t start, end
        cdef int k
        cdef set found = set()
        cdef const FoundDays* days
        for line in self.body:
            days = self.days_of(line)
            for k in range(0 if line.marks & CLUE_SUBJECT else days.n):
                end = days.days[k].start
                start = max(end - MAX_LABEL, days.days[k - 1].end if k else 0)
                if not earliest <= days.days[k].day <= latest or end - start < MIN_CHANGE:
                    continue
                if said_in(line.text[start:end].lower()) & SAYS_CHANGED:
                    found.add(days.days[k].day)
        return only_day(found)

    cdef bint may_date(self, ShownLine line) except -1:
        """True for a line with days that may be the page's: none of a subject, of rights or of today."""
        cdef str lower
        if line.marks & CLUE_SUBJECT or not self.days_of(line).n:
            return False
        lower = line.text.lower()
        return not has_one_of(lower, RIGHTS) and not begins_today(lower)

    cdef ShownDay best_day(self, Py_ssize_t headline, Day latest, int near) except *:
        """The best day of the visible text that is no day of a change and not after `latest`; none if none scores
        ENOUGH. `headline` is the place where it ends, or -1; `near` is the month that the page's address names, as
        year * 100 + month, or 0.
        """
        cdef Search search
        cdef ShownDay none
        cdef double score, most
        cdef Py_ssize_t at
        memset(&none, 0, sizeof(none))
        search = Search(headline=headline, latest=latest, near=near, greatest=ENOUGH, best=none, of_row=False, older=False)
        for below, at in sorted([(-score_of(self.body[at], headline), at) for at in range(len(self.body))]):
            score = -<double> below
            most = score + MOST_LABEL + (MOST_NEAR if near else 0)
            if most < search.greatest or (search.best.day and most <= search.best.score):
                break
            if self.may_date(self.body[at]):
                self.weigh_days(at, score, &search)
        if search.older and not search.of_row and search.best.score < CERTAIN:
            return none
        if not search.best.day:
            self.take_alone(&search.best, latest)
        return search.best

    cdef int take_alone(self, ShownDay* best, Day latest) except -1:
        """Take the one day with a label, or else the one day of the lines with nothing else; none after `latest`."""
        cdef Day labelled = self.labelled_day(), lone
        if 0 < labelled <= latest:
            best.day, best.score, best.labelled = labelled, ENOUGH, True
            return 0
        lone = self.lone_day()
        if lone <= latest:
            best.day = lone
        return 0

    cdef int weigh_days(self, Py_ssize_t at, double score_of_line, Search* search) except -1:
        """Weigh the days of a line, which is given by its place among those that are no headings."""
        cdef ShownLine line = self.body[at]
        cdef const FoundDays* days = self.days_of(line)
        cdef const FoundDay* day
        cdef bint is_marked = line.marks & CLUE_MODIFIED and not line.marks & CLUE_PUBLISHED
        cdef int k, changes = 0
        cdef double score
        cdef Day newest
        cdef Beside says
        for k in range(days.n):
            day = days.days + k
            says = look_beside(line.text, days, k)
            if says.of_subject:
                continue
            score = score_of_line - (k - changes)
            if says.published:
                score += MOST_LABEL
            elif day.start == 0:
                score += 1
            if search.near and day.day // 100 == search.near:
                score += MOST_NEAR
            if says.of_period:
                score -= 3
            if says.modified or is_marked and not says.published:
                changes += 1
            elif score >= ENOUGH and day.day <= search.latest:
                newest = self.newest_of_row(at)
                if newest and day.day != newest:
                    search.older = True
                    continue
                if newest:
                    score = min(score, CERTAIN - 1)
                if not search.best.day or score > search.best.score:
                    search.of_row = newest != 0
                    search.best = ShownDay(
                        day=day.day, score=score, labelled=says.published, marks=line.marks, length=line.length,
                        near=search.headline >= 0 and -BEFORE <= line.place - search.headline <= NEAR, before=k - changes,
                    )
            search.greatest = max(search.greatest, score)
        return 0


class Order(NamedTuple):
    """How a page writes days and months."""

    language: str = ""
    day_first: bool | None = None


def order_of(texts: Iterable[str], declared: str | None, host: str) -> Order:
    """Which comes first in 3/5/2014: as other dates of the page show it, else as the declared language has it."""
    cdef ShownLines lines = ShownLines([(0, 0, text, 0) for text in texts])
    lines.find_order(declared, host)
    return Order(lines.language, None if lines.day_first < 0 else lines.day_first > 0)
