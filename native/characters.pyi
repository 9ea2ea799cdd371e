# SPDX-License-Identifier: Apache-2.0
UNIT_BLOCKS: tuple[tuple[int, int], ...]
HANGUL_COMPATIBILITY_JAMO: tuple[int, int]

def measure(text: bytes) -> tuple[int, int]:
    """Characters and words of UTF-8 text, as the core counts them."""
