# SPDX-License-Identifier: Apache-2.0
"""Numbers by which near copies of a text are found, on whatever host they are."""

from __future__ import annotations

from thresher.native.templates.fingerprints import near_duplicate_marks

__all__ = ["near_text_marks"]


def near_text_marks(text: bytes) -> list[int]:
    """Five signed 64-bit numbers, of which two nearly equal texts (UTF-8) share at least one; none for a text of fewer
    than 143 words.
    """
    return near_duplicate_marks(text)
