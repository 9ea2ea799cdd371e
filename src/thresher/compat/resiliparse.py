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
    html: Any,  # noqa: ANN401 (str, bytes, or an HTMLTree of Resiliparse)
    preserve_formatting: bool = True,  # noqa: FBT001, FBT002 (as in Resiliparse)
    main_content: bool = False,  # noqa: FBT001, FBT002
    list_bullets: bool = True,  # noqa: ARG001, FBT001, FBT002 (plain text has none)
    alt_texts: bool = False,  # noqa: FBT001, FBT002
    links: bool = False,  # noqa: FBT001, FBT002
    form_fields: bool = False,  # noqa: FBT001, FBT002
    noscript: bool = False,  # noqa: FBT001, FBT002
    comments: bool = True,  # noqa: FBT001, FBT002
    skip_elements: Iterable[str] | None = None,
) -> str:
    """The visible text of a page, or with `main_content` its main text. Everything else is plain text as Thresher
    writes it; what cannot be honoured is ignored, with a warning.
    """
    ignored = {
        "alt_texts": alt_texts, "links": links, "form_fields": form_fields, "noscript": noscript,
        "skip_elements": bool(skip_elements),
    }  # fmt: skip
    for name, is_set in ignored.items():
        if is_set:
            warn(f"thresher.compat.resiliparse ignores {name}", stacklevel=2)
    page = html if isinstance(html, bytes | str) else str(html)
    text = thresher.extract(
        page,
        extractor="thresher" if main_content else "all",
        comments="auto" if comments or not main_content else "drop",
    ).text
    return text if preserve_formatting else " ".join(text.split())
