# SPDX-License-Identifier: Apache-2.0
"""The text of a page among the strings in its scripts."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from thresher.native.facts.letters import key_of
from thresher.native.unseen.script_strings import letters_and_code

if TYPE_CHECKING:
    from thresher.page.metadata import Metadata

_UNSEEN: Final = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_PARAGRAPH: Final = re.compile(r"</(?:p|li|h[1-6]|div|blockquote)>|<br\s*/?>|\n", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[.!?…:][\"'”’)»\]]*(?:\s|$)|[。！？؟।]")
_LONGEST_WORD: Final = 15  # letters of a word on average, above which a string is no prose
_MOST_CODE: Final = 40  # letters for each character of code, at least
_ALONE: Final = 1000  # characters of a string that may be a whole text
_LEAST: Final = 400  # bytes of a text that takes the place of the elements' text
_SENTENCES: Final = 3  # of such a text
_LONGER: Final = 3  # times as long as the elements' text,
_CONTINUED: Final = 1.5  # or, if it is one string with the elements' text in it
_NEAR: Final = 8  # strings between the page's title or description and a text
_TITLE: Final = 8  # letters of a title that says something
_DESCRIPTION: Final = 30  # the same of a description
_BEGINNING: Final = 60  # letters by which a title or description is found
_THIRD: Final = 0.3
_HALF: Final = 0.5
_SHORTENED: Final = 0.6  # of a description in a text: it was cut, or put together from it
_PARTLY: Final = 0.65
_MOST: Final = 0.7
_GAPS: Final = (2, 5)  # strings between two of one text, at most
_FEW: Final = 150  # bytes of the elements' text, below which it says nothing about another text
_WINDOW: Final = 16  # letters that are looked for in another text
_WINDOWS: Final = 64


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
    return "\n".join(text for text, is_prose in texts[largest].items() if is_prose or not _has_code(text))


@dataclass(frozen=True, slots=True)
class Shown:
    """What the elements of a page have, and what is asked about it only if a script may have more."""

    text: str
    """The main text that was found in them."""
    everything: Callable[[], str]
    """All of their text."""
    metadata: Callable[[], Metadata]
    language: Callable[[str], str]
    """The language of a text; "und" if it cannot be told."""


class _Run(NamedTuple):
    """Strings of one property, taken as one text."""

    first: int  # its place among the strings of the page
    last: int
    texts: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def share(self) -> float:
        """Of the strings from the first to the last, how many are in the text."""
        return len(self.texts) / (self.last - self.first + 1)


def continued_in_scripts(strings: Sequence[tuple[str, str]], shown: Shown) -> str | None:
    """The text that strings of scripts make, if it is the whole of what the page's elements show the beginning of; None
    if none is.

    It is prose in the language of the elements' text, longer than that, and most of it is not in the elements. And it
    belongs to the page: it is one string with the elements' text in it; or its strings follow each other, and they have
    the elements' text or the page's description in them, or begin near its description, or with its title or near it.

    The thresholds were chosen on 292 labelled pages whose text was taken out of the elements and left in the state, so
    that no labelled page changes: benchmarks/results/shown.md.
    """
    n_bytes = len(shown.text.encode())
    least = max(_LEAST, round(_CONTINUED * n_bytes))
    runs = [run for run in _runs(strings, least) if len(run.text.encode()) >= least]
    if not runs:
        return None
    of_page = shown.metadata()
    title, description = _letters(of_page.title or ""), _letters(of_page.description or "")
    places: tuple[list[int], list[int]] = ([], [])
    for place, (_, string) in enumerate(strings):
        letters = _letters(string)
        if letters == title:
            places[0].append(place)
        if len(description) >= _DESCRIPTION and letters.startswith(description[:_BEGINNING]):
            places[1].append(place)
    seen = _Seen(_letters(shown.text), _letters(shown.everything()), title, description, *places, n_bytes)
    language = shown.language(shown.text) if n_bytes >= _FEW else "und"
    found = [(seen.certainty(run), run.text) for run in runs]
    for certainty, text in sorted(found, key=lambda each: -each[0] * len(each[1])):
        if certainty == 0:
            break
        plain = html.unescape(_TAG.sub(" ", text))
        if len(_SENTENCE.findall(plain)) >= _SENTENCES and (
            language == "und" or shown.language(plain) in (language, "und")
        ):
            return text
    return None


class _Seen(NamedTuple):
    """The letters of what the elements show, and where title and description are among the strings of the scripts."""

    main: str
    everything: str
    title: str
    description: str
    titles: list[int]
    descriptions: list[int]
    n_bytes: int  # of the main text

    def certainty(self, run: _Run) -> int:
        """0 for strings that are not the text of the page, as far as its elements tell; 1 to 3 for those that are: more
        if they begin with the page's title, or near it or its description.
        """
        text = _letters(run.text)
        has_title = len(self.title) >= _TITLE
        begins = has_title and text.startswith(self.title[:_BEGINNING])
        entitled = begins or (has_title and _is_near(run.first, self.titles))
        described = _is_near(run.first, self.descriptions) or (
            len(self.description) >= _DESCRIPTION and _share(self.description, text) >= _SHORTENED
        )
        has_main = _share(self.main, text) if self.n_bytes >= _FEW else 0.0
        known = _share(text, self.everything)
        is_whole = len(run.texts) == 1 and has_main >= _MOST and known < _PARTLY
        is_rest = known < _HALF and len(run.text.encode()) >= _LONGER * self.n_bytes
        belongs = (
            (entitled and run.share > _HALF)
            or (described and run.share >= _THIRD)
            or (has_main >= _HALF and run.share >= _HALF)
        )
        return 1 + begins + (entitled or described) if is_whole or (is_rest and belongs) else 0


def _is_near(first: int, places: list[int]) -> bool:
    """Whether a string stands near one of the places."""
    return any(abs(first - place) <= _NEAR for place in places)


def _runs(strings: Sequence[tuple[str, str]], least: int) -> Iterator[_Run]:
    """What may be one text: all strings of a property, those that stand near each other, and the longest one; without
    scripts and styles. Most of each is prose. Properties of which all strings together have less bytes have none.
    """
    by_name: dict[str, dict[str, int]] = defaultdict(dict)
    for place, (name, string) in enumerate(strings):
        by_name[name].setdefault(string, place)
    for places in by_name.values():
        if sum(len(string.encode()) for string in places) < least:
            continue
        texts = {_UNSEEN.sub("", string) if "<" in string else string: place for string, place in places.items()}
        prose = {text for text in texts if not text.lstrip().startswith(("{", "[")) and _is_prose(text)}
        if not prose:
            continue
        kept = [(place, text) for text, place in texts.items() if text in prose or not _has_code(text)]
        longest = max(prose, key=len)
        groups = [kept, [(texts[longest], longest)]]
        for gap in _GAPS:
            groups += _near_each_other(kept, gap)
        for group in groups:
            if 2 * sum(len(text) for _, text in group if text in prose) > sum(len(text) for _, text in group):
                yield _Run(group[0][0], group[-1][0], [text for _, text in group])


def _near_each_other(places: list[tuple[int, str]], gap: int) -> Iterator[list[tuple[int, str]]]:
    """The strings in groups, in each of which no more than so many others stand between two."""
    group = places[:1]
    for each in places[1:]:
        if each[0] - group[-1][0] > gap:
            yield group
            group = []
        group.append(each)
    yield group


def _letters(text: str) -> str:
    """Letters and digits of a text or markup, in lower case."""
    return key_of(html.unescape(_TAG.sub("", text)) if "<" in text or "&" in text else text)


def _share(part: str, whole: str) -> float:
    """How much of one text stands in another, by runs of letters at even steps."""
    step = max(_WINDOW, len(part) // _WINDOWS)
    windows = [part[start : start + _WINDOW] for start in range(0, max(1, len(part) - _WINDOW + 1), step)]
    return sum(window in whole for window in windows) / len(windows) if part else 0.0


def _has_code(text: str) -> bool:
    return letters_and_code(text)[2] > 0


def _is_prose(text: str) -> bool:
    """Whether a string is sentences rather than code, an address, a list of names, or text to be filled in."""
    plain = " ".join((_TAG.sub(" ", text) if "<" in text else text).split())
    if not _SENTENCE.search(plain) or "{{" in plain or "${" in plain:
        return False
    letters, wide, code = letters_and_code(plain)
    words = plain.count(" ") + 1 + wide // 2
    return (
        words >= 5
        and letters <= _LONGEST_WORD * words
        and 3 * letters >= 2 * (len(plain) - plain.count(" "))
        and code * _MOST_CODE <= letters
    )
