# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple, final

class FoundDate(NamedTuple):
    day: date
    start: int
    end: int

class Order(NamedTuple):
    language: str = ""
    day_first: bool | None = None

@final
class ShownLines:
    def __init__(self, found: list[tuple[int, int, str, int]]) -> None: ...

def parse_date(text: str) -> date | None: ...
def find_dates(text: str, *, language: str = "", day_first: bool | None = None) -> tuple[FoundDate, ...]: ...
def order_of(texts: Iterable[str], declared: str | None, host: str) -> Order: ...
def shown_date(
    lines: Sequence[tuple[int, int, str, int]], headline: int | None, order: Order, *, latest: date, near: str = ""
) -> tuple[date, float, bool] | None: ...
