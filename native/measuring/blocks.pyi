# SPDX-License-Identifier: Apache-2.0
from typing import Any, final

from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document

KINDS: tuple[str, ...]

@final
class Blocks:
    """The blocks of one page; the memory is reused from page to page."""

    def find(self, document: Document, metrics: Metrics) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> dict[str, Any]: ...
