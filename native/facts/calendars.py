# SPDX-License-Identifier: Apache-2.0
"""Days of calendars other than the Gregorian one, where a page leaves no doubt which calendar it uses."""

from __future__ import annotations

from datetime import date
from typing import Final

_NOWRUZ: Final = date(2020, 3, 20).toordinal()  # the first day of the year 1399
_YEAR: Final = 1399
_LEAP: Final = frozenset((1, 5, 9, 13, 17, 22, 26, 30))  # years modulo 33 that have 366 days
_LONG_MONTHS: Final = 6  # of 31 days; the others have 30, the last one 29 in common years

PERSIAN_YEARS: Final = range(1369, 1480)
"""Years of the Persian calendar from 1990 to 2100. In all of them the 33-year cycle gives the official leap years."""

_MONTHS: Final = (
    "فروردین فروردين", "اردیبهشت ارديبهشت", "خرداد", "تیر تير", "مرداد امرداد", "شهریور شهريور", "مهر", "آبان ابان",
    "آذر اذر", "دی دي", "بهمن", "اسفند",
)  # fmt: skip
PERSIAN_MONTHS: Final = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
"""The number of each month's name, with the Persian and the Arabic yeh."""

ERAS: Final = {"令和": 2018, "平成": 1988, "民國": 1911, "民国": 1911}
"""Eras of Japan and Taiwan, and the year before each one's first."""


def persian_day(year: int, month: int, day: int) -> date | None:
    """The Gregorian day of a Persian one; None if there is no such day from 1990 to 2100."""
    if year not in PERSIAN_YEARS or not 1 <= month <= 12:
        return None
    length = 31 if month <= _LONG_MONTHS else 30 if month < 12 or year % 33 in _LEAP else 29
    if not 1 <= day <= length:
        return None
    years = range(_YEAR, year) if year >= _YEAR else range(year, _YEAR)
    days = sum(366 if each % 33 in _LEAP else 365 for each in years)
    first = _NOWRUZ + (days if year >= _YEAR else -days)
    return date.fromordinal(first + (month - 1) * 30 + min(month - 1, _LONG_MONTHS) + day - 1)
