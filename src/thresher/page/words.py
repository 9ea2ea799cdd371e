# SPDX-License-Identifier: Apache-2.0
"""Words of a text as corpora count them: an approximation of spaCy's tokenizer, which datatrove's filters use.

A text is split at white space. From both ends of what stands between, punctuation, quotes, currencies and pictures are
taken off, each a word of its own; so are units behind a number and the English 's. Contractions come apart (do n't,
we 're). Numbers, times, addresses and abbreviations stay whole: "3.14", "10:30", "www.example.org/a", "Dr.". What is
left is split at hyphens, colons, slashes and the like between letters.

spaCy knows exceptions for each language; here are those of English that are frequent, the elisions of French, Italian
and Catalan, the hyphens of German, Greek, French and Spanish, ordinals of German and percentages of Greek and Spanish.
In scripts without blanks every character counts as a word, but for runs of them in a text of one of these languages.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

__all__ = ["UNSPACED", "split_into_words"]

UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_CHARACTERS: Final = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:['’][^\W_{UNSPACED}]+)*|[^\w\s]|_")
_QUOTES: Final = "'\"”“`‘´’‚,„»«「」『』（）〔〕【】《》〈〉"
_PUNCTUATION: Final = "…:;!?¿؟¡()[]{}<>_#*&。？！，、；～·।،۔؛٪" + _QUOTES
_CURRENCY: Final = "$£€¥฿₽﷼₴₹₩₪₫₦₱₺₿"
_LOWER: Final = "a-zß-öø-ÿ\u0100-\u017fάέήία-ώа-џ"  # with the capitals of the Latin alphabets beyond Latin-1
_UPPER: Final = "A-ZÀ-ÖØ-ÞΆ-ΏΑ-ΫЀ-Я"
_PICTURES: Final = "…°\u2500-\u27bf\U0001f300-\U0001faff"
_LETTER: Final = r"[^\W\d_]"
_Q: Final = re.escape(_QUOTES)
_UNITS: Final = (
    "km²|km³|km/h|km|cm²|cm³|cm|mm²|mm³|mm|m²|m³|m/s|m|nm|µm|ha|yd|in|ft|kg|mg|µg|g|lb|oz|t|kmh|mph|hPa|Pa|mbar|"
    "mb|MB|kb|KB|gb|GB|tb|TB|T|G|M|K|%|км|м|см|мм|кг|г|мг|Гб|Мб|Кб"
)
_PREFIX: Final = re.compile(rf"\.\.+|(?:US|C|A)\$|[§%=—–{re.escape(_PUNCTUATION + _CURRENCY)}]|\+(?!\d)")
_SUFFIX: Final = re.compile(
    rf"(?:\.\.+|\):|''|[:;]-?[)(D]|['’][sS]|[—–{re.escape(_PUNCTUATION)}]|(?<=\d)\+|(?<=°[FfCcKk])\.|(?<=\d)[{re.escape(_CURRENCY)}]"
    rf"|(?<=\d)(?:{_UNITS})|(?<=[0-9{_LOWER}%²\-+{re.escape(_PUNCTUATION)}])\.|(?<=[{_UPPER}]{{2}})\.)\Z"
)
_LONGEST_SUFFIX: Final = 8  # characters, but for a run of full stops, which is found from its end
_ADDRESS: Final = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]*://)?(?:[^\s/@]+@)?(?:[\w-]+\.)+[a-z\u00a1-\uffff]{2,63}(?::\d{2,5})?(?:[/?#]\S*)?"
    r"|[A-Za-z][A-Za-z0-9+.-]*://\S+"
)
_BETWEEN: Final = (
    rf"\.\.+|[{_PICTURES}]|(?<=[{_LOWER}{_Q}])\.(?=[{_UPPER}{_Q}])|(?<={_LETTER}),(?={_LETTER})"
    rf"|(?<=[^\W_])[:<>=/](?={_LETTER})"
)
_DIGITS: Final = r"|(?<=\d)[+\-*^](?=[\d-])"
_HYPHENS: Final = rf"(?:---?|——?|[-–~])(?={_LETTER})"
_INFIXES: Final = {
    "eng": re.compile(rf"{_BETWEEN}{_DIGITS}|(?<=[^\W_]){_HYPHENS}"),
    "deu": re.compile(rf"{_BETWEEN}|(?<={_LETTER})[!?()\[\]{_Q}](?={_LETTER})|(?<=\d)-(?=\d)"),
    **dict.fromkeys(("ell", "fra", "spa"), re.compile(_BETWEEN)),  # hyphens join
}
_OTHER_INFIXES: Final = re.compile(rf"{_BETWEEN}{_DIGITS}|(?<={_LETTER}){_HYPHENS}")
_ELISION: Final = re.compile(rf"(?<={_LETTER})['’](?={_LETTER})")
_ELIDING: Final = frozenset(("fra", "ita", "cat"))
_KEPT: Final = {  # what is not taken off behind a digit or letter
    "deu": re.compile(r"\d\."),
    "ell": re.compile(rf"\d%|{_LETTER}'"),
    "spa": re.compile(r"\d%"),
}
_ABBREVIATION: Final = re.compile(
    r"(?:Mrs?|Ms|Dr|Prof|St|Inc|Co|Corp|Ltd|Jr|Sr|vs?|v\.s|[Ee]\.g|[Ii]\.e|a\.m|p\.m|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct"
    r"|Nov|Dec|Ave|Blvd|Gen|Gov|Rep|Rev|Sen|Bros|Adm|Mt|Ph\.D|Calif|Fla|Ga|Ill|Ind|Mass|Mich|Minn|Mo|Pa|Tenn|Va|Wash"
    r"|Wis|Ariz|Colo|Conn|Ore)\.|['’][sS]|and/or"
)
_CONTRACTION: Final = re.compile(
    r"(?!(?:[Ii]ll|[Ii]ts|[Ss]?[Hh]ell|[Ss]hed|[Ww]ere|[Ww]ell|[Ww]hore)\Z)"
    r"((?:[Cc]a|[Cc]ould|[Dd]id|[Dd]oes|[Dd]o|[Hh]ad|[Hh]as|[Hh]ave|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Ww]o|[Ww]ould|[Ss]hould"
    r"|[Mm]ust|[Mm]ight|[Nn]eed|[Aa]i)(?=n['’]?t\Z)|[Ii](?=['’]?(?:m|ve|ll|d)\Z)|(?:[Hh]e|[Ss]he|[Ii]t)(?=['’]?(?:s|ll|d)\Z)"
    r"|(?:[Yy]ou|[Ww]e|[Tt]hey)(?=['’]?(?:re|ve|ll|d)\Z)|(?:[Ww]ho|[Ww]hat|[Ww]hen|[Ww]here|[Ww]hy|[Hh]ow|[Tt]here|[Tt]hat"
    r"|[Tt]his|[Tt]hese|[Tt]hose)(?=['’]?(?:re|ve|ll|d|s)\Z)|[Cc]an(?=not\Z)|[Gg]on(?=na\Z)|[Gg]ot(?=ta\Z)"
    r"|(?:1[0-2]|[1-9])(?=[ap](?:m|\.m\.?)\Z))(n['’]?t|['’]?(?:m|re|ve|ll|d|s)|not|na|ta|[ap]\.?m\.?)"
)
_LONGEST_CONTRACTION: Final = 10
_WHOLE: Final = re.compile(rf"[{_LOWER}]\.|[:;=]-?[)(DPp*/|3]|\):|<3")  # single letters, emoticons
_NEEDS_CHARACTERS: Final = re.compile(f"[{UNSPACED}]")


def split_into_words(text: str, language: str | None) -> list[str]:
    """The words of a text, and each by itself its punctuation. `language` is an ISO 639-3 code."""
    words: list[str] = []
    for chunk in text.split():
        words += _split(chunk, language) if len(chunk) <= _CACHED else _split.__wrapped__(chunk, language)
    return words


_CACHED: Final = 40  # characters; longer chunks are not worth remembering


@lru_cache(maxsize=1 << 15)
def _split(chunk: str, language: str | None) -> tuple[str, ...]:
    """The words of a text without white space."""
    if not chunk.isascii() and language not in _INFIXES and _NEEDS_CHARACTERS.search(chunk):
        return tuple(_CHARACTERS.findall(chunk))
    if chunk.isalpha():
        return tuple(_inner(chunk, language))
    if chunk[-1] in ",;:!?" and chunk[:-1].isalpha():
        return (*_inner(chunk[:-1], language), chunk[-1])  # most of the others, without the search below
    before: list[str] = []
    after: list[str] = []
    start, end = 0, len(chunk)
    while start < end and not _stays(chunk, start, end, language):
        prefix = _length_of_prefix(chunk, start, end)
        if prefix:
            before.append(chunk[start : start + prefix])
            start += prefix
            if start < end and _stays(chunk, start, end, language):
                break
        suffix = _length_of_suffix(chunk, start, end)
        if suffix == 1 and language in _KEPT and _KEPT[language].fullmatch(chunk, max(start, end - 2), end):
            suffix = 0
        if suffix:
            end -= suffix
            after.append(chunk[end : end + suffix])
        if not prefix and not suffix:
            break
    inner = _inner(chunk[start:end], language) if start < end else []
    return (*before, *inner, *reversed(after))


def _stays(chunk: str, start: int, end: int, language: str | None) -> bool:
    """Whether the rest of a chunk is an abbreviation or a contraction, from which no punctuation is taken."""
    if end - start > _LONGEST_CONTRACTION:
        return False
    rest = chunk[start:end]
    if _WHOLE.fullmatch(rest):
        return True
    return language == "eng" and bool(_ABBREVIATION.fullmatch(rest) or _CONTRACTION.fullmatch(rest))


def _length_of_prefix(chunk: str, start: int, end: int) -> int:
    """The length of the word that the rest of a chunk begins with; 0 if none is to be taken off."""
    found = _PREFIX.match(chunk, start, end)
    if found:
        return found.end() - start
    return int(unicodedata.category(chunk[start]) == "So")


def _length_of_suffix(chunk: str, start: int, end: int) -> int:
    """The length of the word that the rest of a chunk ends with; 0 if none is to be taken off."""
    if start >= end:
        return 0
    if chunk.endswith("..", start, end):
        first = end
        while first > start and chunk[first - 1] == ".":
            first -= 1
        return end - first
    found = _SUFFIX.search(chunk[max(start, end - _LONGEST_SUFFIX) : end])
    if found:
        return len(found[0])
    return int(unicodedata.category(chunk[end - 1]) == "So")


def _inner(word: str, language: str | None) -> list[str]:
    """The words of a chunk without its punctuation at both ends."""
    if language == "eng" and len(word) <= _LONGEST_CONTRACTION:
        found = _CONTRACTION.fullmatch(word)
        if found:
            return [found[1], found[2]]
        if _ABBREVIATION.fullmatch(word):
            return [word]
    if word.isalpha() or _WHOLE.fullmatch(word):
        return [word]
    if ("." in word or ":" in word) and _ADDRESS.fullmatch(word):
        return [word]
    parts: list[str] = []
    done = 0
    for found in _INFIXES.get(language or "", _OTHER_INFIXES).finditer(word):
        if found.start() > done:
            parts.append(word[done : found.start()])
        parts.append(found[0])
        done = found.end()
    parts.append(word[done:])
    if language in _ELIDING:
        parts = [piece for part in parts for piece in _ELISION.sub(r"\g<0> ", part).split(" ")]
    return [part for part in parts if part]
