# SPDX-License-Identifier: Apache-2.0
UNIT_BLOCKS: tuple[tuple[int, int], ...]
HANGUL_COMPATIBILITY_JAMO: tuple[int, int]
UNIFORM: tuple[tuple[int, int], ...]

def measure(text: bytes) -> tuple[int, int]:
    """Characters and words of UTF-8 text, as the core counts them."""

def first_letters(text: bytes, n: int) -> str:
    """The first `n` characters of a text (UTF-8) of which letters and marks are left, a blank between any two runs of
    them.
    """
