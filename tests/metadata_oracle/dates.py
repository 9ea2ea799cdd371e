# SPDX-License-Identifier: Apache-2.0
"""Dates in text, and the date of a page, in plain Python: the slow oracle of thresher.native.facts.dates.

A wrong date is worse than none. So nothing is guessed from a year alone, a day and month in unknown order are left out,
and a date that stands somewhere in the text counts only near the headline or where its element is marked as a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from thresher.native.base.characters import key_of
from thresher.native.facts.calendars import ERAS, PERSIAN_MONTHS, PERSIAN_YEARS, persian_day
from thresher.native.facts.months import FIRST_WORDS, month_numbers
from thresher.native.facts.named_dates import SHAPES, named_dates, shapes_of_numbers
from thresher.native.facts.shown_lines import MARKS

EARLIEST: Final = 1990
"""The year of the first web page. An older date is a default such as 1970-01-01, or the date of something else."""
_LATEST: Final = 2100
_BUDDHIST: Final = 543  # Thai years less ours
_MAX_LINE: Final = 200


_MAY_BE_NAMED: Final = SHAPES["may_be_named"]
_MAY_BEGIN: Final = SHAPES["year_first"]
_MAY_END: Final = SHAPES["year_last"]
_MAY_BE_OF_ERA: Final = SHAPES["era_year"]


letters_of: Final = lru_cache(maxsize=1 << 8)(key_of)
"""Letters and digits of a text in lower case. Cached, because a title is compared with everything."""


class FoundDate(NamedTuple):
    """A date that a text holds."""

    day: date
    start: int
    end: int


# Each of these begins with a digit and looks behind it, because only a search for a character is fast.
_YEAR_FIRST: Final = re.compile(
    r"\d(?:(?<!\d\d)\d{3}\s?([-/.]|년|年|\|)\s?(\d{1,2})\s?(?:\1|월|月)\s?(\d{1,2})(?!\d)"
    r"|(?<![\d/_-]\d)(?:(?<=1)9|(?<=2)0)\d\d([01]\d)([0-3]\d)(?=T\d|\s|$))"
)
_YEAR_LAST: Final = re.compile(r"(\d(?<![\d.,:/-]\d)\d?)\s?([./|-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d\d)(?!\d|[./-]\d|:)")
_VIETNAMESE: Final = re.compile(
    r"(\d(?<!\d\d)\d?)\s?(?:tháng|thg|thg\.)\s?(\d{1,2})(?:,|,?\s?năm)?\s(\d{4})(?!\d)", re.IGNORECASE
)
_ERA: Final = re.compile(rf"({'|'.join(ERAS)})\s?(\d{{1,3}}|元)\s?年\s?(\d{{1,2}})\s?月\s?(\d{{1,2}})\s?日")
_PERSIAN: Final = re.compile("[۰-۹]")
_UNIX: Final = re.compile(r"\b([A-Z][a-z]{2}) +(\d\d?) \d\d:\d\d(?::\d\d)? (?:[A-Z]{3,5} )?(\d{4})\b")


def find_dates(text: str, *, language: str = "", day_first: bool | None = None) -> tuple[FoundDate, ...]:
    """The dates in a text, in order: ISO 8601, 5.3.2014, 5/3/14, 2014年3月5日, 5 March 2014, mars 5, 2014,
    Wed Mar 5 10:00:00 CET 2014 and the like.

    `language` (ISO 639-1) settles the names of months that differ between languages. 3/5/2014 is read by `day_first`,
    and left out where that is None. A year is one from 1990 to 2100, in the Gregorian, Thai or Persian calendar or in
    an era of Japan or Taiwan. A Persian date in numbers counts only in Persian text or digits.
    """
    return _find_dates(text[:_MAX_LINE], language, day_first)


@lru_cache(maxsize=1 << 7)
def _find_dates(text: str, language: str, day_first: bool | None) -> tuple[FoundDate, ...]:  # noqa: FBT001
    """find_dates(). The lines of a page are asked for several times."""
    shapes = shapes_of_numbers(text)
    if not shapes:
        return ()
    found: list[tuple[date | None, int, int]] = []
    is_ascii = text.isascii()
    persian = language == "fa" or (not is_ascii and _PERSIAN.search(text) is not None)
    if shapes & _MAY_BEGIN:
        for match in _YEAR_FIRST.finditer(text):
            _, month, day, month2, day2 = match.groups()
            year_month_day = int(match[0][:4]), int(month or month2), int(day or day2)
            is_persian = persian and year_month_day[0] in PERSIAN_YEARS
            found.append(((persian_day if is_persian else make_day)(*year_month_day), *match.span()))
    if shapes & _MAY_END:
        for match in _YEAR_LAST.finditer(text):
            first, separator, second, year = match.groups()
            if persian and int(year) in PERSIAN_YEARS:
                found.append((persian_day(int(year), int(second), int(first)), *match.span()))
                continue
            order = True if separator in ".|" else day_first
            found.append((_year_last(int(first), int(second), year, language, order), *match.span()))
        if not is_ascii or "thg" in text.lower():
            found += [(make_day(match[3], match[2], match[1]), *match.span()) for match in _VIETNAMESE.finditer(text)]
    if shapes & _MAY_BE_OF_ERA and "年" in text:
        for match in _ERA.finditer(text):
            year_of_era = 1 if match[2] == "元" else int(match[2])
            found.append((make_day(ERAS[match[1]] + year_of_era, match[3], match[4]), *match.span()))
    if shapes & _MAY_BE_NAMED:
        months = _months(language)
        found += [
            (_day_of_month(year, month, day), start, end)
            for year, month, day, start, end in named_dates(text, months, FIRST_WORDS)
        ]
        if ":" in text and (unix := _UNIX.search(text)):
            found.append((make_day(unix[3], months.get(unix[1].lower(), 0), unix[2]), *unix.span()))
    dates = [FoundDate(day, start, end) for day, start, end in found if day is not None]
    return tuple(sorted(dates, key=itemgetter(1)) if len(dates) > 1 else dates)


def _year_last(first: int, second: int, year: str, language: str, day_first: bool | None) -> date | None:  # noqa: FBT001
    """The day of 5.3.2014, 3/5/14 and, in East Asia, 14/3/5."""
    if len(year) < len("2014"):
        if day_first is None:
            return None
        if language in {"ja", "ko", "zh"}:
            return make_day(2000 + first, second, int(year))
        year = f"20{year}"
    if first > _MONTHS or first == second:
        return make_day(year, second, first)
    if second > _MONTHS:
        return make_day(year, first, second)
    if day_first is None:
        return None
    return make_day(year, second, first) if day_first else make_day(year, first, second)


_MONTHS: Final = 12


_PERSIAN_MONTH: Final = 100  # what the numbers of Persian months are raised by


@cache
def _months(language: str) -> dict[str, int]:
    """The number of each month's name, those of Persian months raised by _PERSIAN_MONTH."""
    return {name: _PERSIAN_MONTH + number for name, number in PERSIAN_MONTHS.items()} | month_numbers(language)


def _day_of_month(year: int, month: int, day: int) -> date | None:
    return persian_day(year, month - _PERSIAN_MONTH, day) if month > _PERSIAN_MONTH else make_day(year, month, day)


def make_day(year: str | int, month: str | int, day: str | int) -> date | None:
    """A day, of a Thai year too; None if there is no such day, or if it is before 1990 or after 2100."""
    year = int(year)
    if EARLIEST + _BUDDHIST <= year <= _LATEST + _BUDDHIST - 60:
        year -= _BUDDHIST
    if not EARLIEST <= year <= _LATEST:
        return None
    try:
        return date(year, int(month), int(day))
    except ValueError:
        return None


# --- the date of a page ---


class ShownLine(NamedTuple):
    """A line of visible text that may hold a date, or a heading; see native.facts.shown_lines.find_shown_lines()."""

    place: int
    length: int
    text: str
    marks: int


@dataclass(frozen=True, slots=True)
class Order:
    """How a page writes days and months."""

    language: str = ""
    day_first: bool | None = None


_SLASHES: Final = re.compile(r"(\d(?<![\d/.-]\d)\d?)([/-])(\d{1,2})\2(?:19|20)?\d\d(?![\d/.-])")
_MONTH_FIRST: Final = {"en-us", "en-ph", "es-us", "en-pr"}


def order_of(texts: Iterable[str], declared: str | None, host: str) -> Order:
    """Which comes first in 3/5/2014: as other dates of the page show it, else as the declared language has it."""
    language = (declared or "").casefold()
    code = language.partition("-")[0]
    days = months = 0
    for text in texts:
        if "/" not in text and "-" not in text:
            continue
        for match in _SLASHES.finditer(text):
            days += int(match[1]) > _MONTHS
            months += int(match[3]) > _MONTHS
    if days or months:
        return Order(code, days > months if days != months else None)
    if language in _MONTH_FIRST or host.endswith((".gov", ".mil")):
        return Order(code, day_first=False)
    last = host.rpartition(".")[2]
    if (code and code != "en") or (len(last) == 2 and last not in {"us", "io", "ai", "co", "tv", "me"}):
        return Order(code, day_first=True)
    return Order(code)


def _any_of(words: str) -> re.Pattern[str]:
    """A pattern that finds one of some words, which bars divide, in text of lower case.

    Words with the same first letter stand together, so a search passes over the letters that none begins with.
    """
    rests: dict[str, list[str]] = {}
    for word in words.split("|"):
        first = 2 if word[0] == "\\" else 1
        rests.setdefault(word[:first], []).append(word[first:])
    return re.compile("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items()))


_OF_PUBLICATION: Final = (
    r"publi[sc]|posted|veröffentlicht|erschienen|erstellt|datum|geschrieben|gepostet|gepubliceerd|"
    r"geplaatst|publicad|pubblicat|data\s*:|data\s*$|data\s+d[aei]|data\s+pu|date\b|udgivet|publisert|publicerad|julkaistu|opublikowan|"
    r"zveřejněn|publikov|megjelen|δημοσ|опубликован|дата|публик|yayın|tarih|diterbitkan|đăng|发布|发表|日期|"
    r"時間|时间|日時|公開|掲載|投稿日|作成日|發佈|發表|입력|등록|작성|게시|نشر|تاريخ|تاریخ|תאריך|פורסם|วันที่|เผยแพร่|प्रकाशित|"
    r"fecha|udgivet|lagt|dodano|vydáno|vložen|közzét|tanggal|written|created|filed|issued|added|submitted|uploaded|"
    r"eingestellt|gespeichert|vom\b|stand\b"
)
_OF_CHANGE: Final = (
    r"updated?|modified|edited|revised|last change|aktuali[sz]|geändert|änderung|bearbeitet|mise? à jour|"
    r"modifi[ée]|actualiz|atualiz|aggiorn|bijgewerkt|gewijzigd|opdateret|oppdatert|uppdaterad|päivitetty|"
    r"aktualiz|zaktualizow|frissít|ενημ|обновл|оновлен|güncelle|diperbarui|cập nhật|更新|수정|تحديث|עודכן|"
    r"reviewed|accessed|abgerufen|consulté"
)
_PUBLISHED: Final = _any_of(_OF_PUBLICATION)
_MODIFIED: Final = _any_of(_OF_CHANGE)
_LABEL: Final = _any_of(f"{_OF_PUBLICATION}|{_OF_CHANGE}")
"""Finds whatever one of these two finds: most dates have no label."""
_ASCII_LABEL: Final = _any_of("|".join(filter(str.isascii, f"{_OF_PUBLICATION}|{_OF_CHANGE}".split("|"))))
"""Finds the same in ASCII."""
_PUBLISHED_AFTER: Final = _any_of(
    "gepostet|veröffentlicht|publiziert|geschrieben|erstellt|posted|published|publié|publicado|"
    "publicada|pubblicato|geplaatst|gepubliceerd|opublikowano|发布|发表|掲載|公開|入力|등록|입력"
)
_AFTER: Final = 24  # characters behind a date, in the same sentence, before a word of publication
_LONGEST_AFTER: Final = 16  # characters of such a word
_RIGHTS: Final = ("©", "(c)", "copyright", "all rights", "rechte vorbehalten", "tous droits", "derechos reservados")
_PERIOD_BEFORE: Final = re.compile(
    r"(?:\d\s*[-–—]|\b(?:bis|to|until|till|through|au|al|hasta|tot|до))(?:\s+(?:zum|el))?\s*$", re.IGNORECASE
)
_PERIOD_AFTER: Final = re.compile(r"\s*(?:-|–|—|bis|to|until)\s*\d", re.IGNORECASE)

_NEAR: Final = 400  # bytes of visible text after the headline
_BEFORE: Final = 200  # before it
_BESIDE: Final = 80  # bytes between a headline and a line that belongs to it, whatever part of the page they stand in
_SHORT: Final = 90  # bytes of a line that holds little but a date
ENOUGH: Final = 2.0
"""The score of a shown date that is taken if nothing else names a date."""
CERTAIN: Final = 4.0
"""The score of a shown date that comes before a time element without a mark."""


class Shown(NamedTuple):
    """A date that a page shows, with what speaks for it."""

    day: date
    score: float
    modified: bool
    near: bool = False
    """Whether its line stands near the headline."""


def shown_date(
    lines: Sequence[ShownLine], headline: int | None, order: Order, *, latest: date, near: str = ""
) -> Shown | None:
    """The best date of the visible text that is no date of a change and not after `latest`; None if none scores ENOUGH.

    `headline` is the place where the headline ends; `near` the year and month that its address names, as in "2014-03".
    """
    texts = [line for line in lines if line.marks > _HEADINGS or not line.marks]
    scored = sorted(
        [(_score(line, headline), line, place) for place, line in enumerate(texts)], key=itemgetter(0), reverse=True
    )
    best: Shown | None = None
    older = of_row = False  # whether the page lists older days in a row, and whether `best` is the newest of such a row
    greatest = ENOUGH  # score, of a date of a change too: a line far below that one says little
    row: set[date] | None
    for base, line, place in scored:
        possible = base + _MOST_LABEL + (_MOST_NEAR if near else 0)
        if possible < greatest or (best is not None and possible <= best.score):
            break
        row = None
        for found in _of_line(line, base, order, near):
            score = found.score
            if score >= ENOUGH and not found.modified and found.day <= latest:
                row = _row(texts, place, order) if row is None else row
                if row and found.day != max(row):
                    older = True
                    continue
                score = min(score, CERTAIN - 1) if row else score
                if best is None or score > best.score:
                    near_headline = headline is not None and -_BEFORE <= line.place - headline <= _NEAR
                    best, of_row = found._replace(score=score, near=near_headline), bool(row)
            greatest = max(greatest, score)
    if older and best is not None and best.score < CERTAIN and not of_row:
        return None
    if best is None and not older:
        labelled = {day for line in texts if (day := _labelled_day(line, order)) is not None}
        if len(labelled) == 1 and max(labelled) <= latest:
            return Shown(labelled.pop(), ENOUGH, modified=False)
    return best


_ROW: Final = 3  # lines with dates that make a list
_ROW_GAP: Final = 400  # bytes from one to the next


def _row(lines: Sequence[ShownLine], place: int, order: Order) -> set[date]:
    """The days of a row of short lines of the same kind, as in a list of other pages; empty if the line is in none."""
    first, last = place, place + 1
    while first > 0 and place - first < _ROW - 1 and _is_next(lines[first - 1], lines[first]):
        first -= 1
    while last < len(lines) and last - place < _ROW and _is_next(lines[last - 1], lines[last]):
        last += 1
    if last - first < _ROW:
        return set()
    days = [
        {each.day for each in find_dates(line.text, language=order.language, day_first=order.day_first)}
        for line in lines[first:last]
    ]
    found = set().union(*days)
    return found if all(days) and len(found) >= _ROW else set()


def _is_next(line: ShownLine, other: ShownLine) -> bool:
    return (
        line.marks == other.marks
        and max(line.length, other.length) <= _SHORT
        and 0 < other.place - line.place <= _ROW_GAP
    )


def _labelled_day(line: ShownLine, order: Order) -> date | None:
    """The day of a short line that begins with a label of publication; None if it holds none, or several."""
    if line.length > _SHORT or not _PUBLISHED.match(line.text.lower()):
        return None
    days = {each.day for each in find_dates(line.text, language=order.language, day_first=order.day_first)}
    return days.pop() if len(days) == 1 else None


def _of_line(line: ShownLine, base: float, order: Order, near: str) -> Iterator[Shown]:
    """The dates of a line; `base` is the score of the line itself."""
    text = line.text
    dates = find_dates(text, language=order.language, day_first=order.day_first)
    if not dates:
        return
    lower = text.lower()
    for words in _RIGHTS:
        if words in lower:
            return
    modified_mark = bool(line.marks & _MODIFIED_MARK) and not line.marks & _PUBLISHED_MARK
    for index, each in enumerate(dates):
        label = text[max(0, each.start - 40) : each.start].lower()
        labelled = bool(label) and (_ASCII_LABEL if label.isascii() else _LABEL).search(label) is not None
        score = base - index
        if (labelled and _PUBLISHED.search(label)) or (
            each.end + 1 < len(text) and _is_published_after(text, each.end)
        ):
            score += _MOST_LABEL
        elif each.start == 0:
            score += 1
        if near and each.day.isoformat().startswith(near):
            score += _MOST_NEAR
        if (label and _is_of_period(label)) or (each.end < len(text) and _is_of_period(text[each.end : each.end + 8])):
            score -= 3
        yield Shown(each.day, score, modified_mark or bool(labelled and _MODIFIED.search(label)))


def _is_published_after(text: str, end: int) -> bool:
    """Whether a word of publication begins shortly after a date that ends there, in the same sentence."""
    after = text[end : end + _AFTER + _LONGEST_AFTER].lower()
    for match in _PUBLISHED_AFTER.finditer(after):
        start = match.start()
        if start > _AFTER or not {".", "!", "?"}.isdisjoint(after[:start]):
            return False
        if start > 0 and not (after[start - 1].isalnum() or after[start - 1] == "_"):
            return True
    return False


def _is_of_period(beside: str) -> bool:
    """Whether what stands before or after a date makes it the end or the beginning of a period."""
    if _PERIOD_AFTER.match(beside):
        return True
    return beside.rstrip().lower().endswith(_UNTIL) and _PERIOD_BEFORE.search(beside) is not None


_UNTIL: Final = ("-", "–", "—", "bis", "to", "until", "till", "through", "au", "al", "hasta", "tot", "до", "zum", "el")
"""What _PERIOD_BEFORE ends with."""
_MOST_LABEL: Final = 2
_MOST_NEAR: Final = 2


def headline_place(lines: Sequence[ShownLine], title: str | None) -> int | None:
    """The place where the headline ends: the heading with the title's text, else the longest one that the title begins
    or ends with, else a line that repeats the title, else the first heading of the first level.
    """
    key = letters_of(title) if title else ""
    best: tuple[int, ShownLine] | None = None
    for line in lines:
        if not 0 < line.marks <= _HEADINGS:
            continue
        letters = letters_of(line.text)
        rank = 0
        if line.marks == MARKS["title"]:
            rank = _REPEATED
        elif line.text == title or (key and letters == key):
            return line.place + line.length
        elif len(letters) >= _PART_OF_TITLE and (key.startswith(letters) or key.endswith(letters)):
            rank = _REPEATED + len(letters)
        elif line.marks == MARKS["heading_1"]:
            rank = 1
        if rank and (best is None or rank > best[0]):
            best = rank, line
    return best[1].place + best[1].length if best is not None else None


_REPEATED: Final = 2  # the rank of a line that repeats the title
_PART_OF_TITLE: Final = 12
"""Letters of a heading that is taken for the headline if they are only a part of the title."""


_HEADINGS: Final = MARKS["heading_1"] | MARKS["heading_2"] | MARKS["title"]
"""The marks of a heading are one of these and nothing else."""
_PUBLISHED_MARK: Final = MARKS["published"]
_DATE_MARK: Final = MARKS["date"]
_DETAILS_MARK: Final = MARKS["details"]
_MODIFIED_MARK: Final = MARKS["modified"]
_ELSEWHERE_MARK: Final = MARKS["elsewhere"]


def _score(line: ShownLine, place: int | None) -> float:
    """What speaks for a line: that it is near the headline, marked and short, and not in another part of the page."""
    score = 0.0
    beside = False
    if place is not None:
        distance = line.place - place
        beside = -_BEFORE <= distance <= _BESIDE
        if 0 <= distance <= _NEAR:
            score += 3 - distance / _NEAR
        elif -_BEFORE <= distance < 0:
            score += 2
    if line.marks & _PUBLISHED_MARK:
        score += 4
    elif line.marks & _DATE_MARK:
        score += 2
    elif line.marks & _DETAILS_MARK:
        score += 1
    if line.length <= _SHORT:
        score += 1
    if line.marks & _ELSEWHERE_MARK and not beside:
        score -= 3
    return score
