# SPDX-License-Identifier: Apache-2.0
"""JSON-LD: what a page says about itself in scripts of type application/ld+json."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

_MAX_OBJECTS: Final = 300  # that are looked at
_MAX_NAMES: Final = 20  # in a list of people
_MAX_NAME: Final = 200  # characters
_ORGANISATIONS: Final = ("Organization", "NewsMediaOrganization", "Corporation")
_ARTICLES: Final = ("Article", "Posting", "Report", "Review", "Recipe")


class LinkedData:
    """The JSON-LD of a page. It is parsed when first asked for, and not at all if no script has the words in question.

    Objects are the outermost ones, those of a list or @graph, and what a page is about (mainEntity). So an article that
    is listed as another one's neighbour does not speak for the page.
    """

    def __init__(self, scripts: Iterable[str]) -> None:
        """Takes the text of each script."""
        self._scripts = list(scripts)
        self._objects: list[dict[str, Any]] | None = None

    def published(self) -> Iterator[tuple[str, bool]]:
        """Days of publication as written, of articles and pages first, and whether an article's."""
        for found in self._ranked("datePublished"):
            if isinstance(value := found.get("datePublished"), str):
                yield value, _rank(found) == 0

    def created(self) -> Iterator[str]:
        """Days of creation and upload, which say less."""
        for key in ("dateCreated", "uploadDate"):
            for found in self._ranked(key):
                if isinstance(value := found.get(key), str):
                    yield value

    def modified(self) -> Iterator[str]:
        """Days of the last change."""
        for found in self._ranked("dateModified"):
            if isinstance(value := found.get("dateModified"), str):
                yield value

    def headlines(self) -> Iterator[str]:
        """Headlines of articles and pages."""
        for found in self._ranked("headline"):
            if isinstance(value := found.get("headline"), str) and (text := clean_text(value, 1000)):
                yield text

    def authors(self) -> Iterator[tuple[str, bool]]:
        """Authors' names, of the first object that has any, and whether each is a person."""
        for found in self._ranked("author", "creator"):
            for key in ("author", "creator"):
                names = list(self._named(found.get(key)))
                if names:
                    yield from names
                    return

    def sites(self) -> Iterator[str]:
        """Names of the site: of the WebSite, else of the publisher."""
        objects = self._all("WebSite", "publisher")
        for found in objects:
            if found.get("@type") == "WebSite" and (name := _text(found.get("name"))):
                yield name
        for found in objects:
            yield from (name for name, _ in self._named(found.get("publisher")))

    def types(self) -> Iterator[str]:
        """Types of the objects, in the page's order."""
        for found in self._all("@type"):
            kind = found.get("@type")
            for each in kind[:4] if isinstance(kind, list) else [kind]:
                if isinstance(each, str):
                    yield each.rpartition("/")[2]

    def _all(self, *words: str) -> list[dict[str, Any]]:
        if self._objects is None and any(f'"{word}"' in script for script in self._scripts for word in words):
            self._objects = []
            for script in self._scripts:
                self._collect(read_json(script))
        return self._objects or []

    def _collect(self, root: Any) -> None:  # noqa: ANN401 (JSON)
        assert self._objects is not None
        waiting = [root]
        while waiting and len(self._objects) < _MAX_OBJECTS:
            each = waiting.pop()
            if isinstance(each, list):
                waiting.extend(reversed(each[:_MAX_OBJECTS]))
            elif isinstance(each, dict):
                self._objects.append(each)
                waiting.extend(
                    each[key]
                    for key in ("mainEntityOfPage", "mainEntity", "@graph")
                    if isinstance(each.get(key), dict | list)
                )

    def _ranked(self, *words: str) -> list[dict[str, Any]]:
        """Articles first, then pages, then the rest."""
        return sorted(self._all(*words), key=_rank)

    def _named(self, value: Any) -> Iterator[tuple[str, bool]]:  # noqa: ANN401 (JSON)
        """The names of a person or organisation, a list of them, or a reference to one; True for a person's."""
        for each in value[:_MAX_NAMES] if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                found = each
                if "name" not in each and isinstance(each.get("@id"), str):
                    found = next((one for one in self._all() if one.get("@id") == each["@id"] and "name" in one), each)
                name = found.get("name")
                for one in name[:_MAX_NAMES] if isinstance(name, list) else [name]:
                    if (text := _text(one)) is not None:
                        yield text, found.get("@type") not in _ORGANISATIONS
            elif (text := _text(each)) is not None:
                yield text, True


def _rank(found: dict[str, Any]) -> int:
    kind = found.get("@type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if not isinstance(kind, str):
        return 2
    return 0 if kind.endswith(_ARTICLES) else 1 if kind in {"WebPage", "VideoObject"} else 2


def _text(value: Any) -> str | None:  # noqa: ANN401 (JSON)
    if isinstance(value, list) and value:
        value = value[0]
    return clean_text(value, _MAX_NAME) if isinstance(value, str) else None


def clean_text(value: str, longest: int) -> str | None:
    """A string of JSON as text: character references resolved, white space collapsed; None if nothing is left."""
    value = value[: 5 * longest]
    if "&" in value:
        value = html.unescape(value)
    return " ".join(value.split())[:longest] or None


def read_json(script: str) -> Any:  # noqa: ANN401 (JSON)
    """A script's JSON, None if it is not JSON. Comments and semicolons around it are cut off, line breaks in strings
    allowed.
    """
    if "CDATA" in script:
        script = script.replace("<![CDATA[", "").replace("]]>", "")
    start, end = (
        min((at for at in (script.find("{"), script.find("[")) if at >= 0), default=-1),
        max(script.rfind("}"), script.rfind("]")),
    )
    if start < 0:
        return None
    try:
        return json.loads(script[start : end + 1], strict=False)
    except (ValueError, RecursionError):
        return None
