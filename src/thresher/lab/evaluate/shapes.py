# SPDX-License-Identifier: Apache-2.0
"""The shape of a page: how often it uses each tag, and all of its text.

Lexbor parses the page, not our own parser: results are grouped by complexity, which must not change when our parser
does.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

SHAPE_VERSION = "1"
_NO_TEXT = frozenset({"script", "style", "noscript", "template"})


@dataclass(frozen=True, slots=True)
class Shape:
    """A page's tag counts and text.

    `text` joins all text nodes outside script, style, noscript and template elements.
    """

    tags: dict[str, int]
    text: str


def load() -> Callable[[bytes, str | None], str]:
    """The function that returns a page's shape as JSON, because the runner expects one text per page."""
    from resiliparse.parse.html import HTMLTree, NodeType

    def extract(html: bytes, _language: str | None) -> str:
        tags: Counter[str] = Counter()
        texts = []
        for node in HTMLTree.parse_from_bytes(html, "utf-8").document or ():
            if node.type == NodeType.ELEMENT:
                tags[node.tag or ""] += 1
            elif node.type == NodeType.TEXT and node.parent is not None and node.parent.tag not in _NO_TEXT:
                text = (node.text or "").strip()
                if text:
                    texts.append(text)
        return json.dumps({"tags": tags, "text": "\n".join(texts)}, ensure_ascii=False)

    return extract


def read(output: str) -> Shape:
    """The shape that the function of `load` wrote; an empty shape if it failed."""
    if not output:
        return Shape({}, "")
    value = json.loads(output)
    return Shape(value["tags"], value["text"])
