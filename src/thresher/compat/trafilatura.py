# SPDX-License-Identifier: Apache-2.0
"""trafilatura's two main functions over Thresher: `from thresher.compat.trafilatura import extract, bare_extraction`.

Arguments that Thresher has a counterpart for are honoured. Any other argument is ignored, with a warning if it is set.
See docs/integrations/from-other-extractors.md for what differs.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Final
from warnings import warn

import thresher
from thresher.options import Format

__all__ = ["Document", "bare_extraction", "extract"]

_FORMATS: Final[dict[str, Format]] = {
    "txt": "text",
    "python": "text",
    "json": "text",
    "markdown": "markdown",
    "html": "html",
}
_IGNORED: Final = frozenset(
    (
        "record_id", "fast", "no_fallback", "tei_validation", "deduplicate", "date_extraction_params", "max_tree_size",
        "url_blacklist", "author_blacklist", "settingsfile", "prune_xpath", "config", "options",
    )
)  # fmt: skip


@dataclass(slots=True)
class Document:
    """A page's text and metadata under the names that trafilatura gives them."""

    title: str | None
    author: str | None
    url: str | None
    hostname: str | None
    description: str | None
    sitename: str | None
    date: str | None
    language: str | None
    text: str
    raw_text: str
    comments: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The document as a dict."""
        return asdict(self)


def bare_extraction(
    filecontent: Any,  # noqa: ANN401 (bytes, str, or something to be refused)
    url: str | None = None,
    *,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool = False,
    include_links: bool = False,
    with_metadata: bool = True,  # noqa: ARG001 (they cost nothing here)
    only_with_metadata: bool = False,
    as_dict: bool = False,
    **others: Any,  # noqa: ANN401 (trafilatura's)
) -> Document | dict[str, Any] | None:
    """A page's text and metadata; None where there is no text, or not the language or metadata that is asked for.

    Metadata are always there, whatever `with_metadata` says.
    """
    if output_format not in _FORMATS:
        raise ValueError(f"output_format {output_format!r} is not supported. Supported: {', '.join(_FORMATS)}")
    for name in _without_ignored(others):
        raise TypeError(f"unexpected argument {name!r}")
    if not isinstance(filecontent, bytes | str) or not filecontent:
        return None
    form = _FORMATS[output_format]
    if include_formatting and form == "text":
        form = "markdown"
    marked_up = form != "text"
    found = thresher.extract(
        filecontent,
        url=url,
        mode="precision" if favor_precision else "recall" if favor_recall else "balanced",
        format=form,
        comments="auto" if include_comments else "drop",
        tables=include_tables,
        images=include_images and marked_up,
        links=include_links and marked_up,
    )
    if found.status in ("error", "not_html") or not found.text:
        return None
    if only_with_metadata and not (found.date and found.title and url):
        return None
    if target_language and not _is_language(found.language, target_language):
        return None
    address = found.canonical_url or url
    document = Document(
        title=found.title,
        author=found.author,
        url=address,
        hostname=address.split("/")[2] if address and address.count("/") > 1 else None,
        description=found.description,
        sitename=found.site_name,
        date=found.date.isoformat() if found.date else None,
        language=found.language,
        text=found.text,
        raw_text=found.text,
    )
    return document.as_dict() if as_dict else document


def extract(
    filecontent: Any,  # noqa: ANN401 (bytes, str, or something to be refused)
    url: str | None = None,
    *,
    output_format: str = "txt",
    with_metadata: bool = False,
    **others: Any,  # noqa: ANN401 (those of bare_extraction)
) -> str | None:
    """A page's text in a format of trafilatura: txt, markdown, html or json; None where there is none."""
    honoured = _without_ignored(others)
    found = bare_extraction(filecontent, url, output_format=output_format, **{**honoured, "as_dict": True})
    if not isinstance(found, dict):
        return None
    text: str = found["text"]
    known = {name: value for name, value in found.items() if value is not None}
    if output_format == "json":
        return json.dumps(known if with_metadata else {"text": text}, ensure_ascii=False)
    if not with_metadata or output_format == "html":
        return text
    head = "\n".join(f"{name}: {value}" for name, value in known.items() if name not in ("text", "raw_text"))
    return f"---\n{head}\n---\n{text}"


def _without_ignored(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments that are honoured. Warns the caller's caller of each other one that is set."""
    for name, value in arguments.items():
        if name in _IGNORED and value:
            warn(f"thresher.compat.trafilatura ignores {name}", stacklevel=3)
    return {name: value for name, value in arguments.items() if name not in _IGNORED}


def _is_language(found: str, wanted: str) -> bool:
    """Whether an ISO 639-3 code is the language that trafilatura names by two letters."""
    from thresher.page.language_models import iso_639_3

    return found == iso_639_3().get(wanted, wanted)
