# SPDX-License-Identifier: Apache-2.0
from thresher.native.measuring.blocks import Blocks
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document

def fingerprint(text: bytes) -> int:
    """The fingerprint of UTF-8 text, equal to that of a block with this text."""

def block_fingerprints(document: Document, metrics: Metrics, blocks: Blocks) -> bytes:
    """The fingerprints of a page's blocks: signed 64-bit integers of the machine's byte order, one for each block."""

def mix(one: int, other: int) -> int:
    """A number for a pair of numbers, all signed 64-bit."""

def node_keys(fingerprints: bytes, node: int, *, distinct: bool = False) -> bytes:
    """A number for each pair of a fingerprint and this node of the URL tree, signed 64-bit; 0 for the fingerprint 0."""

def block_sizes(blocks: Blocks) -> bytes:
    """The characters of each block: signed 32-bit integers of the machine's byte order."""

def block_excerpts(document: Document, metrics: Metrics, blocks: Blocks, length: int) -> bytes:
    """The beginning of each block's text: at most `length` bytes of UTF-8, white space collapsed, each followed by a
    newline.
    """

def near_duplicate_marks(text: bytes) -> list[int]:
    """Numbers of which two nearly equal texts share at least one: five, or none for a text of under 140 shingles."""
