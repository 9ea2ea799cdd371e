# SPDX-License-Identifier: Apache-2.0
from datetime import date
from typing import NamedTuple

class FoundDate(NamedTuple):
    day: date
    start: int
    end: int

def parse_date(text: str) -> date | None: ...
def find_dates(text: str, *, language: str = "", day_first: bool | None = None) -> tuple[FoundDate, ...]: ...
