# SPDX-License-Identifier: Apache-2.0
"""Resiliparse's extract_plain_text over Thresher: `from thresher.compat.resiliparse import extract_plain_text`.

See docs/integrations/from-other-extractors.md for what differs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from warnings import warn

import thresher

__all__ = ["extract_plain_text"]


def extract_plain_text(
    html: Any,  # str, bytes, or an HTMLTree of Resiliparse
    preserve_formatting: bool | str = True,
    main_content: bool = False,
    list_bullets: bool = True,  # noqa: ARG001 (plain text has none)
    alt_texts: bool = False,
    links: bool = False,
    form_fields: bool = False,
    noscript: bool = False,
    comments: bool = True,
    post_meta: bool = True,
    hidden_elements: bool = False,
    skip_elements: Iterable[str] | None = None,
) -> str:
    """The visible text of a page, or with `main_content` its main text: plain text as Thresher writes it, or with
    `preserve_formatting="minimal_html"` HTML. What cannot be honoured is ignored, with a warning.
    """
    if isinstance(preserve_formatting, str) and preserve_formatting != "minimal_html":
        raise ValueError(f"preserve_formatting is True, False or 'minimal_html', not {preserve_formatting!r}")
    is_html = preserve_formatting == "minimal_html"
    ignored = {
        "alt_texts": alt_texts, "links": links and not is_html, "form_fields": form_fields, "noscript": noscript,
        "post_meta": not post_meta, "skip_elements": bool(skip_elements),
    }  # fmt: skip
    for name, is_set in ignored.items():
        if is_set:
            warn(f"thresher.compat.resiliparse ignores {name}", stacklevel=2)
    page = html if isinstance(html, bytes | str) else str(html)
    text = thresher.extract(
        page,
        extractor="thresher" if main_content else "all",
        format="html" if is_html else "text",
        links=links and is_html,
        images=False,
        hidden="keep" if hidden_elements else "auto",
        comments="auto" if comments or not main_content else "drop",
    ).text
    return text if preserve_formatting else " ".join(text.split())
