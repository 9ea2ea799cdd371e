# SPDX-License-Identifier: Apache-2.0
"""The text of a page among the strings in its scripts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

_UNSEEN: Final = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_PARAGRAPH: Final = re.compile(r"</(?:p|li|h[1-6]|div|blockquote)>|<br\s*/?>|\n", re.IGNORECASE)
_CODE: Final = re.compile(r"[{}=;|\\<>]|\bfunction\b|\breturn\b|https?:")
_SENTENCE: Final = re.compile(r"[.!?…:][\"'”’)»\]]*(?:\s|$)|[。！？؟।]")
_WIDE: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_LONGEST_WORD: Final = 15  # letters of a word on average, above which a string is no prose
_MOST_CODE: Final = 40  # letters for each character of code, at least
_ALONE: Final = 1000  # characters of a string that may be a whole text


def prose_of_scripts(strings: Iterable[tuple[str, str]]) -> str | None:
    """The text that strings of scripts make, as (property, text); None if none of them is prose.

    Strings of one property belong together. If one of them is a text of several paragraphs, or most of what the
    property holds, it is the text, as the others are those of other pages. Otherwise all are paragraphs of one text.
    Scripts and styles in a string are left out: a string may hold the whole head of a page.
    """
    texts: dict[str, dict[str, bool]] = defaultdict(dict)  # by property: whether each of its strings is prose
    sizes: dict[str, int] = defaultdict(int)
    for name, string in strings:
        text = _UNSEEN.sub("", string) if "<" in string else string
        if text not in texts[name]:
            texts[name][text] = is_prose = _is_prose(text)
            sizes[name] += len(text) if is_prose else 0
    if not any(sizes.values()):
        return None
    largest = max(sizes, key=sizes.__getitem__)
    longest = max((text for text, is_prose in texts[largest].items() if is_prose), key=len)
    if 2 * len(longest) >= sizes[largest] or (len(longest) >= _ALONE and _PARAGRAPH.search(longest)):
        return longest
    return "\n".join(text for text, is_prose in texts[largest].items() if is_prose or not _CODE.search(text))


def _is_prose(text: str) -> bool:
    """Whether a string is sentences rather than code, an address, a list of names, or text to be filled in."""
    plain = " ".join((_TAG.sub(" ", text) if "<" in text else text).split())
    if not _SENTENCE.search(plain) or "{{" in plain or "${" in plain:
        return False
    words = plain.count(" ") + 1 + (0 if plain.isascii() else len(_WIDE.findall(plain)) // 2)
    letters = sum(map(str.isalpha, plain))
    return (
        words >= 5
        and letters <= _LONGEST_WORD * words
        and 3 * letters >= 2 * (len(plain) - plain.count(" "))
        and len(_CODE.findall(plain)) * _MOST_CODE <= letters
    )
