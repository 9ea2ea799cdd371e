# SPDX-License-Identifier: Apache-2.0
"""Rough extraction under Trafilatura's names."""

from __future__ import annotations

from typing import Any

import thresher
from thresher.compat.trafilatura._names import names_of
from thresher.compat.trafilatura.settings import empty_body, etree
from thresher.compat.trafilatura.utils import is_tree, markup_of, page_of, remove_control_characters

__getattr__ = names_of(__name__)


def baseline(filecontent: Any) -> tuple[Any, str, int]:
    """(element `body` with a paragraph for each block, text, length of the text): the main text in the mode recall, or
    where there is none all visible text.
    """
    text = thresher.extract(page_of(filecontent), mode="recall").text or _visible(filecontent)
    body = empty_body()
    lines = [remove_control_characters(line) for line in text.splitlines() if line.strip()]
    for line in lines:
        etree().SubElement(body, "p").text = line
    found = "\n".join(lines)
    return body, found, len(found)


def html2txt(content: Any, clean: bool = True) -> str:
    """All visible text of a page in one line; with `clean=False` hidden text too."""
    return " ".join(_visible(content, clean=clean).split())


def _visible(content: Any, *, clean: bool = True) -> str:
    page = page_of(content)
    return thresher.extract(page, extractor="all", hidden="auto" if clean else "keep").text


def block_text(element: Any) -> str:
    """The text of an element in one line, its blocks with spaces between them."""
    return html2txt(markup_of(element) if is_tree(element) else element)
