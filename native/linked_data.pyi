# SPDX-License-Identifier: Apache-2.0
from typing import Any, final

from thresher.native.parsing.document import Document

GROUP_NAMES: tuple[str, ...]
KEY_NAMES: dict[int, str]
TYPE_NAMES: dict[int, str]

@final
class LinkedData: ...

def prose_of(document: Document) -> str | None: ...
def read_linked_data(document: Document) -> dict[str, list[Any]]: ...
