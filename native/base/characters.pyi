# SPDX-License-Identifier: Apache-2.0
UNIT_BLOCKS: tuple[tuple[int, int], ...]
HANGUL_COMPATIBILITY_JAMO: tuple[int, int]
UNIFORM: tuple[tuple[int, int], ...]

def measure(text: bytes) -> tuple[int, int]:
    """Characters and words of UTF-8 text, as the core counts them."""

def first_letters(text: bytes, n: int) -> str:
    """The letters and marks among the first `n` characters of a UTF-8 text, with a blank between any two runs."""
