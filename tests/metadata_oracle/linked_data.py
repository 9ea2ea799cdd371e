# SPDX-License-Identifier: Apache-2.0
"""What the JSON-LD of a page says, in plain Python: the slow oracle of thresher.native.facts.page_data."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from thresher.native.facts.linked_data import TYPE_NAMES

_BITS: Final = {name: bit for bit, name in TYPE_NAMES.items()}
_ARTICLES: Final = sum(_BITS[name] for name in ("article", "forum", "review", "recipe"))
_THINGS: Final = _BITS["recipe"] | _BITS["product"]
_PAGES: Final = _BITS["page"] | _BITS["video"]
_MAX_NAMES: Final = 20  # in a list of people
_MAX_NAME: Final = 200  # characters


class LinkedData:
    """The JSON-LD of a page.

    Its objects are the outermost ones, those of @graph, and what a page is about (mainEntity). So an article that is
    listed as another one's neighbour does not speak for the page.
    """

    def __init__(self, objects: Sequence[dict[str, Any]]) -> None:
        """Takes the objects as native.facts.metadata.find_metadata() gives them: every value is a list."""
        self._objects = objects

    def __bool__(self) -> bool:
        """Whether there are any objects."""
        return bool(self._objects)

    def published(self) -> Iterator[tuple[str, bool]]:
        """Days of publication as written, of articles and pages first, and whether an article's."""
        for found in self._with("datePublished"):
            yield found["datePublished"][0], _rank(found) == 0

    def created(self) -> Iterator[str]:
        """Days of creation and upload, which say less."""
        for key in ("dateCreated", "uploadDate"):
            for found in self._with(key):
                yield found[key][0]

    def modified(self) -> Iterator[str]:
        """Days of the last change."""
        for found in self._with("dateModified"):
            yield found["dateModified"][0]

    def headlines(self) -> Iterator[str]:
        """Headlines of articles and pages."""
        for found in self._with("headline"):
            if text := clean_text(found["headline"][0]):
                yield text

    def thing(self) -> str | None:
        """The name of the one recipe or product of the page; None if it has several or none."""
        names = {
            clean_text(name)
            for found in self._objects
            if found["@type"] & _THINGS and "name" in found
            for name in found["name"][:1]
            if isinstance(name, str)
        } - {""}
        return names.pop() if len(names) == 1 else None

    def authors(self) -> list[tuple[str, bool]]:
        """Authors' names, of the first object that has any, and whether each is a person."""
        for key in ("author", "creator"):
            for found in self._with(key):
                names = list(self._named(found[key]))
                if names:
                    return names
        return []

    def sites(self) -> Iterator[str]:
        """Names of the site: of the WebSite, else of the publisher."""
        for found in self._objects:
            if found["@type"] & _BITS["site"] and "name" in found and (name := _name(found["name"][0])):
                yield name
        for found in self._objects:
            if "publisher" in found:
                yield from (name for name, _ in self._named(found["publisher"]))

    def _with(self, key: str) -> list[dict[str, Any]]:
        """The objects with a property: articles first, then pages, then the rest."""
        found = [each for each in self._objects if key in each]
        return sorted(found, key=_rank) if len(found) > 1 else found

    def _named(self, values: Iterable[dict[str, Any] | str]) -> Iterator[tuple[str, bool]]:
        """The names of people and organisations, given themselves or by reference; True for a person's."""
        for each in list(values)[:_MAX_NAMES]:
            if isinstance(each, str):
                if text := _name(each):
                    yield text, True
                continue
            found = each
            if "name" not in each and "@id" in each:
                found = next((one for one in self._objects if one.get("@id") == each["@id"] and "name" in one), each)
            for one in found.get("name", ())[:_MAX_NAMES]:
                if text := _name(one):
                    yield text, not found["@type"] & _BITS["organization"]


def _rank(found: dict[str, Any]) -> int:
    return 0 if found["@type"] & _ARTICLES else 1 if found["@type"] & _PAGES else 2


def _name(text: str) -> str:
    return clean_text(text)[:_MAX_NAME]


def clean_text(text: str) -> str:
    """A string of JSON-LD as text: character references resolved, white space collapsed."""
    return " ".join((html.unescape(text) if "&" in text else text).split())
