# SPDX-License-Identifier: Apache-2.0
"""Identifies languages: of a text, of its parts, and what several models say of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from thresher.native.base.characters import first_letters
from thresher.options import LanguageOptions, default_options
from thresher.page.language_models import BUILT_IN, language_model
from thresher.page.result import UNDETERMINED

_MIN_PART: Final = 50  # letters; the built-in model is right for 97 % of such texts, and for 85 % of those with 20
_MAX_PARTS: Final = 200  # of a text, 6 ms
_SURE: Final = 0.5  # least score of a part that is in another language than the text


def identify_language(
    text: str,
    *,
    options: LanguageOptions | None = None,
    max_letters: int | None = None,
    min_letters: int | None = None,
    min_score: float | None = None,
) -> tuple[str, float]:
    """(ISO 639-3 code, certainty from 0 to 1) of a text's main language; ("und", 0.0) if it is unknown.

    Only letters (with their marks) are looked at, the first `max_letters` of them. A text with fewer than
    `min_letters`, or whose best language is less certain than `min_score`, is undetermined. What is not given is as in
    `options`, or in conf/default.toml.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    given = {"max_letters": max_letters, "min_letters": min_letters, "min_score": min_score}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    chosen = options if options is not None else default_options().language_options
    if not isinstance(chosen, LanguageOptions):
        raise TypeError(f"options must be LanguageOptions, not {type(chosen).__name__}")
    if changes:
        chosen = replace(chosen, **changes)
    start = text[: 16 * chosen.max_letters].encode("utf-8", "replace")  # as many characters as first_letters() looks at
    return language_of(first_letters(start, chosen.max_letters), chosen)


def language_of(letters: str, options: LanguageOptions) -> tuple[str, float]:
    """Language and score of letters prepared by first_letters().

    The built-in model's two tables fall out of the processor's cache while a page is worked on: after each page this
    takes .10 ms, for one text after another .03 ms.
    """
    if len(letters) < 2 * options.min_letters and len(letters.replace(" ", "")) < options.min_letters:
        return UNDETERMINED, 0.0
    if _in_capitals(letters):
        letters = letters.lower()
    language, score = language_model(options.model).identify(letters)
    return (language, score) if score >= options.min_score else (UNDETERMINED, 0.0)


def _in_capitals(letters: str) -> bool:
    """Whether more of a text's letters are capitals than small, by some sixty of them that lie evenly in it.

    The models learned small letters: of 100 characters of English written in capitals the built-in one knows 29 of 60,
    of French 13, of Polish 9 of 52; of the same in small letters 59, 58 and 52.
    """
    sample = letters[:: max(1, len(letters) // 64)]
    return sum(map(str.isupper, sample)) > sum(map(str.islower, sample))


@cache
def language_names() -> dict[str, str]:
    """The ISO 639-3 code of each language by its English name in lower case (language_names.tsv)."""
    lines = Path(__file__).with_name("language_names.tsv").read_text("utf-8").splitlines()
    return {name.lower(): code for code, name in (line.split("\t") for line in lines if not line.startswith("#"))}


def known_languages(model: str = BUILT_IN) -> frozenset[str]:
    """The ISO 639-3 codes of all languages that a text can be identified as, and `und`."""
    return language_model(model).languages() | {UNDETERMINED}


def shares_of(text: str, main: str, options: LanguageOptions) -> list[tuple[str, float]]:
    """(language, share of the letters) of a text, largest share first. `main` is the language of the whole text.

    Lines are looked at one by one. A line with fewer than 50 letters goes with the line before it, and lines of which
    the model is not sure count as `main`. A long text is looked at in 200 parts at most.
    """
    parts = _parts(text)
    counts: Counter[str] = Counter()
    for part in parts:
        n = len(part.replace(" ", ""))
        language, score = (main, 1.0) if len(parts) == 1 else language_of(part[: options.max_letters], options)
        counts[language if score >= _SURE else main] += n
    total = counts.total()
    return [(language, n / total) for language, n in counts.most_common()] if total else []


def _parts(text: str) -> list[str]:
    """The letters of a text, line by line; short lines with the line before them."""
    parts: list[str] = []
    least = max(_MIN_PART, len(text) // _MAX_PARTS)
    for line in text.splitlines():
        letters = first_letters(line.encode("utf-8", "replace"), len(line))
        if not letters:
            continue
        if parts and (len(letters) < _MIN_PART or len(parts[-1]) < least):
            parts[-1] += f" {letters}"
        else:
            parts.append(letters)
    return parts


def opinion(text: str, model: str, options: LanguageOptions) -> str:
    """What another model takes for the language of a text; `und` as for the language of a page."""
    start = text[: 16 * options.max_letters].encode("utf-8", "replace")
    return _opinion(first_letters(start, options.max_letters), replace(options, model=model))


@lru_cache(maxsize=8192)
def _opinion(letters: str, options: LanguageOptions) -> str:
    """Cached for a row group: a column and the agreement of all columns ask for the same."""
    return language_of(letters, options)[0]
