# SPDX-License-Identifier: Apache-2.0
"""The usual heuristics by which corpora of web text are filtered: Gopher, C4 and FineWeb.

Each function returns "ok" or the name of the first rule that a text breaks. Rules, thresholds and names are those of
datatrove's filters, which restate the papers:

- Gopher, quality and repetition: Rae et al. 2021, "Scaling Language Models", appendix A, table A1
- C4: Raffel et al. 2020, "Exploring the Limits of Transfer Learning", section 2.2
- FineWeb: Penedo et al. 2024, "The FineWeb Datasets", section 3.6

Three things differ. Words are split as spaCy splits them, without most of its exceptions for each language (words.py);
benchmarks/results/quality.md says how often a rule decides otherwise. Sentences end with their punctuation. Gopher's
stop words are English, and only a text in English is expected to have some.

The thresholds were chosen for English. In scripts without blanks every character counts as a word.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from thresher.page.words import split_into_words

__all__ = ["QUALITY", "Checked"]

OK: Final = "ok"

_MOST: Final = 1_000_000  # characters of a text that are looked at
_SENTENCE_END: Final = re.compile(r"[.!?…。！？]+[\"'”’)\]]*(?=\s|$)")
_PARAGRAPH: Final = re.compile(r"\n{2,}")
_LINES: Final = re.compile(r"\n+")
_CITATION: Final = re.compile(r"\[\d*\]|\[edit\]|\[citation needed\]")

_STOP_WORDS: Final = frozenset(("the", "be", "to", "of", "and", "that", "have", "with"))
_POLICIES: Final = (
    "terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies",
)  # fmt: skip
_PUNCTUATION: Final = frozenset(string.punctuation + "–—…„“”’´«»━►∶、，．：；～％（）〈〉《》「」【】")
_HEAD: Final = 16  # characters by which a repeated sequence is looked for
_TOP_N_GRAMS: Final = {2: 0.2, 3: 0.18, 4: 0.16}  # share of the characters that the most frequent one may have
_REPEATED_N_GRAMS: Final = {5: 0.15, 6: 0.14, 7: 0.13, 8: 0.12, 9: 0.11, 10: 0.1}


class Checked:
    """A text that is checked by one or more of the heuristics."""

    def __init__(self, text: str, language: str | None = "eng") -> None:
        """`language` is an ISO 639-3 code. Of a text with more than a million characters the beginning is checked."""
        self.text = text[:_MOST]
        self.language = language
        self._words: list[str] | None = None

    @property
    def words(self) -> list[str]:
        """Words and, each by itself, punctuation."""
        if self._words is None:
            self._words = split_into_words(self.text, self.language)
        return self._words


def gopher(checked: Checked) -> str:
    """Gopher's rules for the quality of a text: number and length of words, symbols, bullets, stop words."""
    text, words = checked.text, checked.words
    real = [word for word in words if word.isalnum() or not all(map(_is_punctuation, word))]
    if len(real) < 50:
        return "gopher_short_doc"
    if len(real) > 100_000:
        return "gopher_long_doc"
    mean = sum(map(len, real)) / len(real)
    lines = [line.strip() for line in text.splitlines()]
    with_letters = sum(word.isalpha() or any(map(str.isalpha, word)) for word in words)
    rules = {
        "gopher_below_avg_threshold": mean < 3,
        "gopher_above_avg_threshold": mean > 10,
        "gopher_too_many_hashes": text.count("#") > 0.1 * len(words),
        "gopher_too_many_ellipsis": text.count("...") + text.count("…") > 0.1 * len(words),
        "gopher_too_many_bullets": sum(line.startswith(("•", "-")) for line in lines) > 0.9 * len(lines),
        "gopher_too_many_end_ellipsis": sum(line.endswith(("...", "…")) for line in lines) > 0.3 * len(lines),
        "gopher_below_alpha_threshold": with_letters < 0.8 * len(words),
        "gopher_enough_stop_words": checked.language == "eng" and len(_STOP_WORDS.intersection(words)) < 2,
    }
    return next((name for name, broken in rules.items() if broken), OK)


def repetition(checked: Checked) -> str:
    """Gopher's rules for repetition: of lines, of paragraphs, and of sequences of 2 to 10 words."""
    text = checked.text
    if not text:
        return "empty"
    for name, parts in (("para", _PARAGRAPH.split(text.strip())), ("line", _LINES.split(text))):
        n, characters = _repeated(parts)
        if n > 0.3 * len(parts):
            return f"dup_{name}_frac"
        if characters > 0.2 * len(text):
            return f"dup_{name}_char_frac"
    words = checked.words
    times, longest = max(Counter(words).values(), default=0), max(map(len, words), default=0)
    for n, share in _TOP_N_GRAMS.items():
        if times * n * (longest + 1) <= share * len(text):
            continue  # no sequence is more frequent than its words, or than its shorter sequences
        counts = Counter(zip(*(words[k:] for k in range(n)), strict=False))
        sequence, times = max(counts.items(), key=lambda item: item[1], default=((), 0))
        if len(" ".join(sequence)) * times > share * len(text):
            return f"top_{n}_gram"
    repeated = _Repeated(words)
    for n, share in _REPEATED_N_GRAMS.items():
        if repeated.characters(n) > share * len(text):
            return f"duplicated_{n}_n_grams"
    return OK


def c4(checked: Checked) -> str:
    """C4's rules: five sentences in lines that look like prose, no curly bracket, no "lorem ipsum"."""
    sentences = 0
    for line in map(str.strip, checked.text.splitlines()):
        words = line.split()
        if any(len(word) > 1000 for word in words):
            continue
        line = _CITATION.sub("", line)  # noqa: PLW2901 (the line without them)
        if not line.endswith((".", "?", "!", '"', "'")) or line.endswith("...") or len(words) < 3:
            continue
        lower = line.lower()
        if "lorem ipsum" in lower:
            return "lorem_ipsum"
        if "javascript" in lower:
            continue
        if "{" in line:
            return "curly_bracket"
        if any(policy in lower for policy in _POLICIES):
            continue
        sentences += number_of_sentences(line)
    return OK if sentences >= 5 else "too_few_sentences"


def fineweb(checked: Checked) -> str:
    """FineWeb's rules: lines that end in punctuation, few short lines, few repeated lines, few lines for its words."""
    text = checked.text
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return "empty"
    rules = {
        "line_punct_ratio": sum(_ends_sentence(line[-1]) for line in lines) < 0.12 * len(lines),
        "short_line_ratio": sum(len(line) <= 30 for line in lines) > 0.67 * len(lines),
        "char_dup_ratio": _repeated(lines)[1] > 0.01 * len(text.replace("\n", "")),
        "list_ratio": text.count("\n") > 0.3 * len(checked.words),
    }
    return next((name for name, broken in rules.items() if broken), OK)


QUALITY: Final[dict[str, Callable[[Checked], str]]] = {
    "gopher": gopher,
    "repetition": repetition,
    "c4": c4,
    "fineweb": fineweb,
}
"""The heuristics by name."""


def number_of_sentences(line: str) -> int:
    """Sentences of a line: its sentence ends, and what follows the last one."""
    ends = [found.end() for found in _SENTENCE_END.finditer(line)]
    return len(ends) + bool(line[ends[-1] :].strip() if ends else line.strip())


def _repeated(parts: Sequence[str]) -> tuple[int, int]:
    """(number, characters) of the parts that occurred before."""
    seen: set[str] = set()
    again = [part for part in parts if part in seen or seen.add(part)]  # type: ignore[func-returns-value]
    return len(again), sum(map(len, again))


class _Repeated:
    """The sequences of words that occur more than once in a text, as characters without anything between the words.

    Most places are seen to be none by the first characters of what follows: they occur nowhere else.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._joined = joined = "".join(words)
        self._starts = starts = [0, *accumulate(map(len, words))]
        heads = [joined[start : start + _HEAD] for start in starts[:-1]]
        counts = Counter(heads)
        self._may_be = {place for place, head in enumerate(heads) if counts[head] > 1}

    def characters(self, n: int) -> int:
        """Characters of words that lie in sequences of n words which occurred before; no word counts twice."""
        joined, starts = self._joined, self._starts
        ends = starts[n:]
        short = [place for place, end in enumerate(ends) if end - starts[place] < _HEAD]
        seen: set[str] = set()
        characters = free = 0
        for place in sorted(self._may_be.union(short)):
            if place < free or place >= len(ends):
                continue
            sequence = joined[starts[place] : ends[place]]
            if sequence in seen:
                characters += len(sequence)
                free = place + n
            else:
                seen.add(sequence)
        return characters


@lru_cache(maxsize=1 << 12)
def _is_punctuation(character: str) -> bool:
    """Whether a character is punctuation. Other symbols, such as arrows, count as words of one letter."""
    return character in _PUNCTUATION or unicodedata.category(character) == "Cc" or _ends_sentence(character)


@lru_cache(maxsize=1 << 12)
def _ends_sentence(character: str) -> bool:
    """Whether a character is a full stop, a question mark or an exclamation mark of any script."""
    if character in ".!?‼‽⁇⁈⁉។៕၊။":
        return True
    name = unicodedata.name(character, "")
    return unicodedata.category(character) == "Po" and name.endswith(
        ("FULL STOP", "QUESTION MARK", "EXCLAMATION MARK", "DANDA")
    )
