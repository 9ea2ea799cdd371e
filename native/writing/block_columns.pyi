# SPDX-License-Identifier: Apache-2.0
from thresher.native.measuring.blocks import Blocks
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document

KINDS: tuple[str, ...]

def block_columns(
    document: Document, metrics: Metrics, blocks: Blocks
) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]:
    """The blocks of a page, column by column: (kind, words, text density, link density, offsets of paths, paths,
    offsets of texts, texts).

    Kinds are bytes that index KINDS, words and offsets are 32-bit integers, densities are 32-bit floats. There is one
    offset more than there are blocks. Text density is characters per element of the block. Raises MemoryError for texts
    of more than 2 GiB.
    """
