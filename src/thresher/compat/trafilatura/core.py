# SPDX-License-Identifier: Apache-2.0
"""Extraction under Trafilatura's names."""

from __future__ import annotations

import logging
from collections import OrderedDict
from configparser import ConfigParser
from hashlib import blake2b
from threading import Lock
from typing import Any, Final
from unicodedata import normalize
from warnings import warn

import thresher
from thresher.compat.trafilatura.formats import FORMATS, body_of, without_emphasis, written
from thresher.compat.trafilatura.metadata import checked_dates, describe
from thresher.compat.trafilatura.pages import Document, etree, page_of, pruned, without_control_characters
from thresher.compat.trafilatura.settings import DEFAULT_CONFIG, use_config
from thresher.errors import nearest
from thresher.options import Format
from thresher.page.language import identify_language
from thresher.page.language_models import iso_639_3

LOGGER: Final = logging.getLogger("thresher.compat.trafilatura")
OPTIONS: Final[dict[str, Any]] = {
    "fast": False, "no_fallback": False, "favor_precision": False, "favor_recall": False, "include_comments": True,
    "output_format": "txt", "target_language": None, "include_tables": True,
    "include_images": False, "include_formatting": None, "include_links": False, "deduplicate": False,
    "date_extraction_params": None, "with_metadata": False, "only_with_metadata": False, "max_tree_size": None,
    "url_blacklist": None, "author_blacklist": None, "settingsfile": None, "prune_xpath": None,
    "config": DEFAULT_CONFIG,
}  # fmt: skip
"""The options of extract() and bare_extraction(), and their defaults."""
_MOST_SEEN: Final = 4096
_NOT_PAGES: Final = frozenset(("error", "not_html"))

_seen: OrderedDict[str, int] = OrderedDict()  # the texts that `deduplicate` has seen, and how often
_lock: Final = Lock()


def extract(filecontent: Any, url: str | None = None, record_id: str | None = None, **options: Any) -> str | None:
    """The main text of a page in one of Trafilatura's formats; None where there is none, or it is not wanted.

    `options` are those of OPTIONS.
    """
    given = _checked(options)
    form = given["output_format"]
    if form == "python":
        raise ValueError("bare_extraction() gives Python's objects: the format 'python' is for it alone")
    asking = ("with_metadata", "only_with_metadata", "url_blacklist", "author_blacklist")
    with_metadata = any(given[name] for name in asking)
    document, html = _document(filecontent, url, given, with_metadata=with_metadata)
    if document is None:
        return None
    document.id = record_id
    if with_metadata or form not in ("txt", "markdown"):
        words = " ".join(f"{document.title} {document.raw_text}".split())
        document.fingerprint = blake2b(words.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return normalize("NFC", written(document, form, html, with_metadata=with_metadata))


def bare_extraction(
    filecontent: Any, url: str | None = None, *, as_dict: bool = False, output_format: str = "python", **options: Any
) -> Document | dict[str, Any] | None:
    """A page's text and metadata; None where there is no text, or it is not wanted.

    Metadata are always there, whatever `with_metadata` says: they cost little here. `options` are those of OPTIONS.
    """
    given = _checked({**options, "output_format": output_format})
    document, html = _document(filecontent, url, given, with_metadata=True)
    if document is None:
        return None
    document.body, document.commentsbody = body_of(html), etree().Element("body")
    return document.as_dict() if as_dict else document


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    """The options with their defaults. TypeError for one that does not exist, with the nearest that does."""
    for name in options.keys() - OPTIONS.keys():
        raise TypeError(f"no option {name!r}{nearest(name, OPTIONS)}")
    found = {**OPTIONS, **options}
    if found["max_tree_size"]:
        raise ValueError("max_tree_size is no argument any more: set MAX_TREE_SIZE in a settings file")
    if found["output_format"] not in (*FORMATS, "python"):
        formats = ", ".join((*FORMATS, "python"))
        raise AttributeError(f"no format {found['output_format']!r}. Formats: {formats}")  # as Trafilatura raises it
    for name in ("fast", "no_fallback"):
        if found[name]:
            warn(f"thresher.compat.trafilatura ignores {name}", stacklevel=3)
    if found["favor_precision"] and found["favor_recall"]:
        LOGGER.warning("both precision and recall are asked for: recall is taken")
    found["date_extraction_params"] = checked_dates(found["date_extraction_params"], 3)
    if found["include_formatting"] is None:
        found["include_formatting"] = found["output_format"] == "markdown"
    if found["settingsfile"]:
        found["config"] = use_config(found["settingsfile"])
    return found


def _document(
    filecontent: Any, url: str | None, given: dict[str, Any], *, with_metadata: bool
) -> tuple[Document | None, str]:
    """A page's text and, if they are asked for, its metadata; and the text as HTML, where that is needed. (None, "")
    where there is no text, or it is not wanted.

    Metadata of a page of WCXB take 1.5 ms, its text .7 ms.
    """
    nothing = (None, "")
    try:
        page = page_of(filecontent)
    except TypeError as error:
        LOGGER.warning("no page: %s", error)
        return nothing
    if given["prune_xpath"] is not None:
        page = pruned(page, given["prune_xpath"])
    document = Document()
    if with_metadata:
        document = describe(page, url, given["date_extraction_params"], given["author_blacklist"] or set())
    if given["only_with_metadata"] and not (document.date and document.title and document.url):
        return nothing
    if document.url in (given["url_blacklist"] or ()):
        return nothing
    settings, form = given["config"] or DEFAULT_CONFIG, given["output_format"]
    plain = _extracted(page, url, given, "text")
    if len(plain) < max(_number(settings, "MIN_OUTPUT_SIZE", 1), 1):
        return nothing
    most = _number(settings, "MAX_TREE_SIZE", 0)
    needs_html = form in ("html", "xml", "python") or most
    html = _extracted(page, url, given, "html") if needs_html else ""
    if most and len(body_of(html)) > most:
        return nothing
    if given["deduplicate"] and _seen_too_often(" ".join(plain.split()), settings):
        return nothing
    wanted = given["target_language"]
    if with_metadata or wanted:
        document.language = _two_letters(identify_language(plain)[0])
    if wanted and document.language not in (None, wanted, _two_letters(iso_639_3().get(wanted, wanted))):
        return nothing
    marked_up = given["include_links"] or given["include_images"] or (given["include_formatting"] and form != "json")
    in_markdown = marked_up and form not in ("html", "xml")
    document.text = _extracted(page, url, given, "markdown") if in_markdown else plain
    document.raw_text = document.text if form == "python" else plain
    document.comments = "" if given["include_comments"] else None
    return document, html


def _extracted(page: bytes | str, url: str | None, given: dict[str, Any], form: Format) -> str:
    found = thresher.extract(
        page,
        url=url,
        mode="recall" if given["favor_recall"] else "precision" if given["favor_precision"] else "balanced",
        format=form,
        comments="auto" if given["include_comments"] else "drop",
        tables="keep" if given["include_tables"] else "drop",
        links=given["include_links"] and form != "text",
        images=given["include_images"] and form != "text",
    )
    if found.status in _NOT_PAGES:
        return ""
    return found.text if form != "html" or given["include_formatting"] else without_emphasis(found.text)


def _number(settings: ConfigParser, name: str, usual: int) -> int:
    value = settings["DEFAULT"].get(name, "").strip()
    return int(value) if value else usual


def _seen_too_often(text: str, settings: ConfigParser) -> bool:
    """Whether a text that is long enough came more often than the settings allow. Counts it."""
    with _lock:
        before = _seen.pop(text, -1)
        _seen[text] = max(before, 0) + 1
        if len(_seen) > _MOST_SEEN:
            _seen.popitem(last=False)
    long_enough = len(text) > _number(settings, "MIN_DUPLCHECK_SIZE", 100)
    return long_enough and before > _number(settings, "MAX_REPETITIONS", 2)


def _two_letters(code: str | None) -> str | None:
    """The ISO 639-1 code of a language, or the longer one where it has none; None where it is unknown."""
    if code in (None, "und"):
        return None
    return next((short for short, long in iso_639_3().items() if long == code and len(short) == 2), code)


def baseline(filecontent: Any) -> tuple[Any, str, int]:
    """(element `body` with a paragraph for each block, text, length of the text): the main text in the mode recall, or
    where there is none all visible text.
    """
    page = page_of(filecontent)
    text = thresher.extract(page, mode="recall").text or thresher.extract(page, extractor="all").text
    body = etree().Element("body")
    lines = [without_control_characters(line) for line in text.splitlines() if line.strip()]
    for line in lines:
        etree().SubElement(body, "p").text = line
    found = "\n".join(lines)
    return body, found, len(found)


def html2txt(content: Any, clean: bool = True) -> str:
    """All visible text of a page in one line; with `clean=False` hidden text too."""
    return " ".join(
        thresher.extract(page_of(content), extractor="all", hidden="auto" if clean else "keep").text.split()
    )
