# SPDX-License-Identifier: Apache-2.0
"""Extraction under Trafilatura's names."""

from __future__ import annotations

import json
import re
from configparser import ConfigParser
from functools import cached_property
from typing import Any, Final
from unicodedata import normalize
from warnings import warn

import thresher
from thresher.compat.trafilatura._names import LOGGER, names_of
from thresher.compat.trafilatura.deduplication import LRUCache, content_fingerprint, seen_too_often
from thresher.compat.trafilatura.metadata import describe, warn_of_dates
from thresher.compat.trafilatura.settings import DEFAULT_CONFIG, Document, Extractor, use_config
from thresher.compat.trafilatura.utils import page_of, pruned, two_letters
from thresher.compat.trafilatura.xml import (
    build_json_output,
    control_xml_output,
    meta_items,
    tree_of,
    xmltocsv,
    xmltotxt,
)
from thresher.options import Format
from thresher.page.language import identify_language
from thresher.page.language_models import iso_639_3

__getattr__ = names_of(__name__)

TXT_FORMATS: Final = {"markdown", "txt"}
_TREES: Final = frozenset(("html", "xml", "xmltei"))
_HEADER: Final = (
    "title", "author", "url", "hostname", "description", "sitename", "date", "categories", "tags", "fingerprint", "id",
    "license",
)  # fmt: skip
# What YAML reads as a text without quotes. Words such as `yes` and `null` are other things.
_PLAIN: Final = re.compile(
    r"(?!(?:true|false|yes|no|on|off|y|n|null)$)[a-z](?:[\w ./,()'-]|:(?=[\w/]))*(?<! )$", re.IGNORECASE
)
_NOT_PRINTABLE: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_FORMATTING: Final = re.compile(r"</?(?:strong|em|b|i|u|sub|sup)>")
_NOT_PAGES: Final = frozenset(("error", "not_html"))


def extract(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: bool | LRUCache = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser = DEFAULT_CONFIG,
    options: Extractor | None = None,
) -> str | None:
    """The main text of a page in one of Trafilatura's formats; None where there is none, or it is not wanted."""
    document = _written_document(**locals())
    return document.text if document is not None else None


def extract_with_metadata(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: bool | LRUCache = False,
    date_extraction_params: dict[str, Any] | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser = DEFAULT_CONFIG,
    options: Extractor | None = None,
) -> Document | None:
    """The metadata of a page, and in `text` its main text in one of Trafilatura's formats; None where there is none."""
    return _written_document(**locals(), with_metadata=True)


def bare_extraction(
    filecontent: Any,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: bool | LRUCache = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    as_dict: bool = False,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser = DEFAULT_CONFIG,
    options: Extractor | None = None,
) -> Document | dict[str, Any] | None:
    """A page's text and metadata; None where there is no text, or it is not wanted.

    Metadata are always there, whatever `with_metadata` says: they cost little here.
    """
    given = locals()
    del given["as_dict"]
    document = _document(stacklevel=3, always_metadata=True, **given)
    return document.as_dict() if document is not None and as_dict else document


def _written_document(**given: Any) -> Document | None:
    """The document of a page with its text in the format that is asked for."""
    record_id = given.pop("record_id")
    document = _document(stacklevel=4, **given)
    if document is None:
        return None
    options: Extractor = document.options  # type: ignore[attr-defined]
    if options.format == "python":
        raise ValueError("bare_extraction() gives Python's objects: the format 'python' is for it alone")
    document.id = record_id
    if options.with_metadata or options.format not in TXT_FORMATS:
        document.fingerprint = content_fingerprint(f"{document.title} {document.raw_text}")
    document.text = determine_returnstring(document, options)
    return document


def _document(
    filecontent: Any,
    url: str | None,
    *,
    stacklevel: int,
    always_metadata: bool = False,
    prune_xpath: str | list[str] | None,
    options: Extractor | None,
    fast: bool,
    max_tree_size: int | None = None,
    no_fallback: bool = False,
    settingsfile: str | None = None,
    **given: Any,
) -> Document | None:
    """A page's text and metadata, not yet written in a format."""
    if max_tree_size:
        raise ValueError("max_tree_size is no argument any more: set MAX_TREE_SIZE in a settings file")
    for name, is_set in (("no_fallback", no_fallback), ("fast", fast or (options is not None and options.fast))):
        if is_set:
            warn(f"thresher.compat.trafilatura ignores {name}: there is one way, a fast one", stacklevel=stacklevel)
    warn_of_dates(given.get("date_extraction_params") or {}, stacklevel=stacklevel + 1)
    if options is None:
        options = Extractor(
            config=use_config(settingsfile) if settingsfile else given["config"],
            output_format=given["output_format"],
            precision=given["favor_precision"],
            recall=given["favor_recall"],
            comments=given["include_comments"],
            formatting=given["include_formatting"],
            links=given["include_links"],
            images=given["include_images"],
            tables=given["include_tables"],
            dedup=given["deduplicate"],
            lang=given["target_language"],
            url=url,
            with_metadata=given.get("with_metadata", False),
            only_with_metadata=given.get("only_with_metadata", False),
            tei_validation=given.get("tei_validation", False),
            author_blacklist=given["author_blacklist"],
            url_blacklist=given["url_blacklist"],
            date_params=given["date_extraction_params"],
        )
    try:
        page = page_of(filecontent)
    except TypeError as error:
        LOGGER.warning("no page: %s", error)
        return None
    if prune_xpath is not None:
        page = pruned(page, prune_xpath)
    return _found(page, options, always_metadata=always_metadata) if page else None


class _Text:
    """The main text of a page in the formats that are asked for, each extracted once."""

    def __init__(self, page: bytes | str, options: Extractor) -> None:
        self._page = page
        self._options = options

    def _extracted(self, form: Format) -> str:
        options, marked_up = self._options, form != "text"
        found = thresher.extract(
            self._page,
            url=options.url,
            mode=options.focus if options.focus in ("precision", "recall") else "balanced",  # type: ignore[arg-type]
            format=form,
            comments="auto" if options.comments else "drop",
            tables="keep" if options.tables else "drop",
            links=options.links and marked_up,
            images=options.images and marked_up,
        )
        return "" if found.status in _NOT_PAGES else found.text

    @cached_property
    def plain(self) -> str:
        """Plain text, as Thresher writes it."""
        return self._extracted("text")

    @cached_property
    def html(self) -> str:
        """HTML, as Thresher writes it, without emphasis unless that is asked for."""
        found = self._extracted("html")
        return found if self._options.formatting else _FORMATTING.sub("", found)

    def body(self) -> Any:
        """A tree in Trafilatura's XML."""
        return tree_of(self.html, formatting=self._options.formatting)

    def text(self, *, formatting: bool) -> str:
        """Markdown with formatting, else plain text; with links and images if they are asked for."""
        if formatting:
            return self._extracted("markdown")
        if self._options.links or self._options.images:
            return xmltotxt(self.body(), include_formatting=False)
        return self.plain


def _found(page: bytes | str, options: Extractor, *, always_metadata: bool) -> Document | None:
    """The text of a page and, if they are asked for, its metadata; None where there is no text, or it is not wanted.

    Metadata of a page of WCXB take 1.5 ms, its text .7 ms.
    """
    text = _Text(page, options)
    with_metadata = always_metadata or options.with_metadata
    document = Document()
    if with_metadata:
        document = describe(page, options.url, options.date_params, options.author_blacklist)
    missing = options.only_with_metadata and not (document.date and document.title and document.url)
    if missing or document.url in options.url_blacklist:
        return None
    plain = text.plain
    if len(plain) < max(options.min_output_size, 1):
        return None
    if options.max_tree_size and len(text.body()) > options.max_tree_size:
        return None
    if options.dedup and seen_too_often(" ".join(plain.split()), options):
        return None
    if with_metadata or options.lang:
        document.language = two_letters(identify_language(plain)[0])
    if options.lang and document.language and document.language not in (options.lang, _two_letters_of(options.lang)):
        return None
    document.body = text.body
    formatting = options.formatting and options.format != "json"
    document.text = plain if options.format in _TREES else text.text(formatting=formatting)
    document.raw_text = document.text if options.format == "python" else plain
    document.comments = "" if options.comments else None
    document.html = text  # type: ignore[attr-defined]
    document.options = options  # type: ignore[attr-defined]
    return document


def _two_letters_of(code: str) -> str | None:
    """The ISO 639-1 code for a code of ISO 639-1 or 639-3."""
    return two_letters(iso_639_3().get(code, code))


def determine_returnstring(document: Document, options: Extractor) -> str:
    """A document in the format of the options."""
    if options.format in ("xml", "xmltei"):
        found = control_xml_output(document, options)
    elif options.format == "csv":
        found = xmltocsv(document, options.formatting)
    elif options.format == "json":
        found = build_json_output(document, options.with_metadata)
    elif options.format == "html":
        found = _page_of_html(document, options)
    else:
        text = document.text if document.text is not None else xmltotxt(document.body, options.formatting)
        found = (_front_matter(document) if options.with_metadata else "") + text
    return normalize("NFC", found)


def _page_of_html(document: Document, options: Extractor) -> str:
    from html import escape

    head = [f'    <meta name="{name}" content="{escape(value)}">' for name, value in meta_items(document)]
    lines = ["  <head>", *head, "  </head>"] if options.with_metadata else []
    text: _Text | None = getattr(document, "html", None)
    if text is None:
        raise NotImplementedError("HTML is written of documents that bare_extraction() made, not of others")
    return "\n".join(["<html>", *lines, "  <body>", text.html, "  </body>", "</html>"])


def _front_matter(document: Document) -> str:
    """Metadata as YAML between two lines of dashes."""
    values = ((name, getattr(document, name)) for name in _HEADER)
    lines = [f"{name}: {_yaml(value)}\n" for name, value in values if value]
    return f"---\n{''.join(lines)}---\n"


def _yaml(value: str | list[str]) -> str:
    """A text or a list of texts in YAML, which reads a string of JSON as that string."""
    if isinstance(value, str) and _PLAIN.match(value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _NOT_PRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
