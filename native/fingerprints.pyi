# SPDX-License-Identifier: Apache-2.0
from thresher.native.blocks import Blocks
from thresher.native.document import Document
from thresher.native.metrics import Metrics

def fingerprint(text: bytes) -> int:
    """The fingerprint of UTF-8 text, as that of a block with this text."""

def block_fingerprints(document: Document, metrics: Metrics, blocks: Blocks) -> bytes:
    """The fingerprints of a page's blocks: signed 64-bit integers of the machine's byte order, one for each block."""
