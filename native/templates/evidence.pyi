# SPDX-License-Identifier: Apache-2.0
EVIDENCE_FEATURES: tuple[str, ...]

def against(evidence: bytes) -> bytes:
    """The evidence where it is negative, else 0; signed 16-bit integers."""

def evidence_features(scores: bytes, sizes: bytes, counts: bytes, known: int) -> bytes:
    """What is known of a page's blocks from other pages: 16-bit integers, one row of n_blocks values per feature."""

def moved_share(scores: bytes, sizes: bytes, kept: bytes, evidence: bytes) -> float:
    """The characters of the blocks that the evidence takes across the lowest score that was kept, as a share of those that were kept; 1 where none was."""

def others(totals: bytes, fingerprints: bytes, own: int) -> bytes:
    """Of how many other pages have each block, given how many have: `own` (0 or 1) less, -1 where there are no letters to compare."""

def repeated_share(sizes: bytes, counts: bytes) -> float:
    """The share of a page's characters in blocks that another page has too."""

def template_blocks(kept: bytes, sizes: bytes, counts: bytes, least: float) -> bytes | None:
    """For each block a byte, 1 where it is kept and template by what is repeated alone; None where no block is, or all that are kept would be."""
