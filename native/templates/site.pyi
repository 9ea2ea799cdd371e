# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import final

from thresher.native.templates.mapping import Mapping
from thresher.native.templates.outline import Outline

@final
class Occurrences:
    """How often each node of one page is mapped on other pages of its site."""

    n_pages: int
    exhausted: int
    def __init__(self, key: Outline, pages: Sequence[Outline], mapping: Mapping) -> None: ...
    def counts(self) -> list[int]: ...
    def template(self, votes: int = 2) -> bytes: ...
    def main_content(self) -> bytes: ...
