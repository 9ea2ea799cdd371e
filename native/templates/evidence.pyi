# SPDX-License-Identifier: Apache-2.0
EVIDENCE_FEATURES: tuple[str, ...]

def negative_evidence(evidence: bytes, counts: bytes) -> bytes:
    """The evidence with positive values replaced by 0, as signed 16-bit integers."""

def evidence_features(scores: bytes, sizes: bytes, counts: bytes, known: int) -> bytes:
    """Features of a page's blocks from other pages: 16-bit integers, one row of n_blocks values per feature."""

def moved_share(scores: bytes, sizes: bytes, kept: bytes, evidence: bytes) -> float:
    """Characters that the evidence moves across the lowest kept score, as a share of kept characters."""

def other_page_counts(totals: bytes, fingerprints: bytes, own: int) -> bytes:
    """How many other pages have each block; -1 for a block without letters, which cannot be compared."""

def repeated_share(sizes: bytes, counts: bytes) -> float:
    """The share of a page's characters in blocks that another page has too."""

def template_blocks(kept: bytes, sizes: bytes, counts: bytes, least: float) -> bytes | None:
    """A byte per block: 1 marks a kept block that repetition alone makes template. None if there is no such block."""
