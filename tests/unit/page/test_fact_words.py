# SPDX-License-Identifier: Apache-2.0
"""What each word by which pages mark facts does, and that a word beside it does not do it."""

import json
from typing import Any

import pytest
from word_rows import beside, of, rows_of

import thresher
from thresher.native.facts.labels import ATTRIBUTES, BYLINES, CHANGED, PUBLISHED, all_of
from thresher.native.facts.linked_data import KEY_NAMES, KEYS, TYPE_NAMES, TYPES, linked_strings
from thresher.native.facts.marks import MARKS, WORDS
from thresher.native.facts.metadata import find_metadata
from thresher.native.facts.shown_lines import find_shown_lines
from thresher.native.facts.site_names import find_site_names

# For each key: a page with a word of its rows, where what it says is found, and what that is.
DAY = "content=2014-03-05"
PAGES = {
    "rel author": ("<a href=/x rel='{}'>Ann Lee</a>", "rel author", ["Ann Lee"]),
    "rel canonical": ("<link href=/x rel='{}'>", "canonical", ["/x"]),
    "item published": ("<time itemprop='{}'>x</time>", "time published", ["x"]),
    "item dated": (f"<i itemprop='{{}}' {DAY}></i>", "lines", ["2014-03-05"]),
    "item modified": ("<time itemprop='{}'>x</time>", "time modified", ["x"]),
    "item answer": (f"<div itemprop='{{}}'><i itemprop=datePublished {DAY}></i></div>", "lines", []),
    "class published": ("<abbr class='{}' title=x>y</abbr>", "time published", ["x"]),
    "class dated": ("<time class='{}'>x</time>", "time published", ["x"]),
    "class modified": ("<time class='{}'>x</time>", "time modified", ["x"]),
    "class kicker": ("<h1><i class='{}'>Rail</i>The mill wheel turns again</h1>", "h1", ["The mill wheel turns again"]),
    "style block": ("<h1>a<i style='{}'>b</i></h1>", "h1", ["a b"]),
    "logo": ("<img alt=Mill src='{}'>", "logo", ["Mill"]),
    "type feed": ("<link title=Mill type='{}'>", "feed", ["Mill"]),
    "rel search": ("<link title=Mill rel='{}'>", "feed", ["Mill"]),
}


def said(body: str) -> dict[str, list[str]]:
    """What is found on a page."""
    page = thresher.parse(f"<!doctype html>{body}")
    lines = [text for _, _, text, _ in find_shown_lines(page, dates=True, authors=False)]
    return {**find_metadata(page, {})[0], **find_site_names(page, (), "", []), "lines": lines}


@pytest.mark.parametrize("key", ATTRIBUTES)
def test_words_of_attributes(key: str) -> None:
    body, name, found = PAGES[key]
    for row in rows_of(ATTRIBUTES[key]):
        assert said(body.format(of(row))).get(name) == said(body.format(of(row).upper())).get(name) == found
        assert said(body.format(beside(row))).get(name) != found


def broken(word: str) -> str:
    """A word that has none of the beginnings of another one."""
    return "x".join(word) if len(word) > 1 else "x"


def marks(words: str) -> int:
    """The marks of a line with a date in an element of a class."""
    page = thresher.parse(f"<!doctype html><p>Much text.<div class='{words}'>5 March 2014</div><p>Much text.")
    return find_shown_lines(page, dates=True, authors=False)[0][3]


@pytest.mark.parametrize("said", WORDS)
def test_words_of_classes(said: int) -> None:
    shown = said & sum(MARKS.values())
    for word in WORDS[said].split():
        assert marks(word) == marks(f"x{word.upper()}x") == shown
        assert marks(broken(word)) == 0


def is_labelled(label: str) -> bool:
    """True if a line far from the heading is taken for one with the page's date."""
    page = thresher.parse(f"<!doctype html><h1>The mill</h1><p>{'Much text. ' * 100}<p>{label} 5 March 2014")
    return len(find_shown_lines(page, dates=True, authors=False)) == 2


@pytest.mark.parametrize("labels", [PUBLISHED, CHANGED])
def test_labels_of_dates(labels: dict[str, str]) -> None:
    for word in all_of(labels):
        assert is_labelled(word)
        assert is_labelled(word.capitalize())
        assert not is_labelled(broken(word))


def begins_byline(label: str) -> bool:
    """True if a line behind the heading is taken for one with an author's name."""
    page = thresher.parse(f"<!doctype html><h1>The mill</h1><p>{label} Ann Lee")
    return len(find_shown_lines(page, dates=False, authors=True)) == 2


def test_labels_of_authors() -> None:
    for word in all_of(BYLINES):
        assert begins_byline(word)
        assert begins_byline(word.capitalize())
        assert not begins_byline(broken(word))


def leads_to_author(href: str) -> bool:
    page = thresher.parse(f"<!doctype html><p>Much text.<p><a href='{href}'>5 March 2014</a><p>Much text.")
    return find_shown_lines(page, dates=True, authors=False)[0][3] & MARKS["author"] > 0


def test_folders_of_authors() -> None:
    for folder in ("author", "authors", "AUTOR", "x/auteur", "auteurs"):
        assert leads_to_author(f"/{folder}/ann")
        assert not leads_to_author(f"{folder.removeprefix('x/')}/ann")
        assert not leads_to_author(f"/{folder}/")
        assert not leads_to_author(f"/{folder}ity/ann")


def read(**properties: object) -> dict[str, list[Any]]:
    return linked_strings(thresher.parse(f"<script type=application/ld+json>{json.dumps(properties)}</script>"))


@pytest.mark.parametrize("types", TYPES)
def test_types_of_linked_data(types: int) -> None:
    names = [name for bit, name in TYPE_NAMES.items() if types & bit]
    assert names
    for row in rows_of(TYPES[types]):
        assert (
            read(**{"@type": of(row)})["types"] == read(**{"@type": f"https://schema.org/{of(row)}"})["types"] == names
        )
        assert read(**{"@type": beside(row)})["types"] != names


@pytest.mark.parametrize("key", KEYS)
def test_properties_of_linked_data(key: int) -> None:
    name = KEY_NAMES[key]
    for word in rows_of(KEYS[key]):
        if name == "@type":
            assert (read(**{word: "Recipe"})["types"], read(**{f"{word}zz": "Recipe"})["types"]) == (["recipe"], [])
        elif name in {"@graph", "mainEntity"}:  # what it holds is of the page
            assert read(**{word: {"@type": "Recipe"}})["types"] == ["recipe"]
            assert read(**{f"{word}zz": {"@type": "Recipe"}})["types"] == []
        else:
            assert [string[1:] for string in read(**{word: "x"})["strings"]] == [(name, "x")]
            assert read(**{f"{word}zz": "x"})["strings"] == []
