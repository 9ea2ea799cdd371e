# SPDX-License-Identifier: Apache-2.0
from typing import final

from thresher.native.measuring.blocks import Blocks
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document

CODED_TAGS: tuple[str, ...]
FEATURES: tuple[str, ...]

@final
class Features:
    """Features of the blocks of one page, for training and for a look; reusable from page to page."""

    def compute(
        self, document: Document, metrics: Metrics, blocks: Blocks, token_weights: bytes | None = None
    ) -> None: ...
    @property
    def n_blocks(self) -> int: ...
    def values(self) -> bytes: ...
    def containers(self) -> list[int]: ...
    def parents(self) -> list[int]: ...
    def terms(self, document: Document, metrics: Metrics, blocks: Blocks) -> list[list[int]]: ...
    def tokens(self, document: Document) -> list[list[int]]: ...
