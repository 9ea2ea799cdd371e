# SPDX-License-Identifier: Apache-2.0
from typing import Any, final

from thresher.native.parsing.document import Document

GROUP_NAMES: tuple[str, ...]
KEYS: dict[int, str]
KEY_NAMES: dict[int, str]
TYPE_NAMES: dict[int, str]
TYPES: dict[int, str]

@final
class PageData:
    def __init__(self, document: Document) -> None: ...

def prose_of(document: Document) -> str | None: ...
def linked_strings(document: Document) -> dict[str, list[Any]]: ...
