# SPDX-License-Identifier: Apache-2.0
from thresher.native.parsing.document import Document

MARKS: tuple[bytes, ...]
PUSHED: bytes
WRITTEN: dict[int, str]
UNREAD: frozenset[int]

def strings_in_scripts(document: Document) -> list[tuple[str, str]]: ...
def markup_in_templates(document: Document) -> str: ...
def dates_in_scripts(document: Document) -> list[str]: ...
