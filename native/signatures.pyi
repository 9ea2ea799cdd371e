# SPDX-License-Identifier: Apache-2.0
from array import array
from typing import final

from typing_extensions import Buffer

from thresher.native.blocks import Blocks
from thresher.native.document import Document
from thresher.native.metrics import Metrics

UNKNOWN: int

@final
class SignatureCounts:
    """Counts, for the places of a site's pages, how much of the text there is template."""

    n_pages: int
    def __init__(self) -> None: ...
    def add(self, document: Document, metrics: Metrics, template: Buffer) -> None: ...
    def __len__(self) -> int: ...
    def signatures(self, *, min_pages: int = 2) -> Signatures: ...

@final
class Signatures:
    """The places of a site and the share of template in the text of each."""

    def __init__(self, values: Buffer, shares: Buffer) -> None: ...
    def __len__(self) -> int: ...
    def values(self) -> array[int]: ...
    def shares(self) -> bytes: ...
    def of_blocks(self, document: Document, metrics: Metrics, blocks: Blocks) -> array[int]: ...
