# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable
from typing import NamedTuple, final

class Order(NamedTuple):
    language: str = ""
    day_first: bool | None = None

@final
class ShownLine:
    def __init__(self, place: int, length: int, text: str, marks: int) -> None: ...

@final
class ShownLines:
    def __init__(self, found: list[tuple[int, int, str, int]]) -> None: ...

def order_of(texts: Iterable[str], declared: str | None, host: str) -> Order: ...
