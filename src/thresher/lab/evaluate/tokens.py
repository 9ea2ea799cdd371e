# SPDX-License-Identifier: Apache-2.0
"""Splits texts into words, tokens and sentences for the metrics, as the papers do."""

import re

# Scripts written without spaces: Han with its extensions and compatibility forms, kana, bopomofo, and their punctuation
# and full-width forms. Hangul is written with spaces and is not split.
_CJK = "\u2e80-\u312f\u3190-\u31ff\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_WORD = re.compile(r"\w+")
_WORD_CJK = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_TOKEN_CJK = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_ALNUM = re.compile(r"\w")
# A sentence ends at a line break, after a full stop of the scripts without spaces, or after .!?… (with closing marks)
# before white space.
_CLOSING = "[\"'”’»)\\]]"
_SENTENCE_END = re.compile(
    r"\n+|(?<=[。！？｡])(?![。！？｡」』”’）])"
    rf"|(?:(?<=[.!?…])|(?<=[.!?…]{_CLOSING})|(?<=[.!?…]{_CLOSING}{_CLOSING}))\s+(?=[^\s\w]*[^\W_a-z])"
)

MAX_SENTENCE = 1000
"""Longer sentences are cut after so many tokens, so that text without full stops does not take quadratic time."""


def words(text: str) -> list[str]:
    r"""The runs of `\w` in a text, case kept; a run of Chinese is one word (WCXB, Foley 2026)."""
    return _WORD.findall(text)


def words_cjk(text: str) -> list[str]:
    r"""The runs of `\w` in a text, Chinese and Japanese by character."""
    return [word for word in _WORD_CJK.findall(text) if _ALNUM.match(word)]


def tokens(text: str) -> list[str]:
    """The tokens of a text: split at white space, Chinese and Japanese by character.

    Source: Bevendorff et al. 2023, section 4.3.
    """
    return _TOKEN_CJK.findall(text)


def sentences(text: str) -> list[list[str]]:
    """The tokens of each sentence of a text, without empty sentences.

    A sentence ends at a line break, and after terminal punctuation followed by white space and no lower-case letter.
    Bevendorff et al. 2023, section 4.3, use NLTK's punkt instead, a model that has to be downloaded.
    """
    result: list[list[str]] = []
    for sentence in _SENTENCE_END.split(text):
        found = tokens(sentence)
        result.extend(found[start : start + MAX_SENTENCE] for start in range(0, len(found), MAX_SENTENCE))
    return result
