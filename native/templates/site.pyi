# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import final

from thresher.native.templates.mapping import Mapping
from thresher.native.templates.outline import Outline

@final
class Occurrences:
    """On how many other pages of its site each node of one page is mapped."""

    n_pages: int
    exhausted: int
    def __init__(self, key: Outline, pages: Sequence[Outline], mapping: Mapping) -> None: ...
    def counts(self) -> list[int]: ...
    def template(self, votes: int = 2) -> bytes: ...
    def main_content(self) -> bytes: ...
