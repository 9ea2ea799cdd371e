# SPDX-License-Identifier: Apache-2.0
"""Options and documents under Trafilatura's names."""

from __future__ import annotations

import os
from argparse import Namespace
from configparser import ConfigParser
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any, Final

from thresher.compat.trafilatura._names import LOGGER, names_of
from thresher.compat.trafilatura.deduplication import LRU_SIZE, LRUCache

__getattr__ = names_of(__name__)

__all__ = ["DEFAULT_CONFIG", "LRU_SIZE", "Document", "Extractor", "use_config"]

CPU_COUNT: Final = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
PARALLEL_CORES: Final = min(CPU_COUNT, 16)
SUPPORTED_FMT_CLI: Final = ["csv", "json", "html", "markdown", "txt", "xml", "xmltei"]
SUPPORTED_FORMATS: Final = {*SUPPORTED_FMT_CLI, "python"}
_LONGEST: Final = 10_000  # characters of a piece of metadata

# Trafilatura's settings and their defaults, so that a settings file may name any of them. Those from the size of a file
# on are used here; docs/integrations/trafilatura.md says which.
_SETTINGS: Final = {
    "DOWNLOAD_TIMEOUT": "30", "SLEEP_TIME": "5.0", "USER_AGENTS": "", "COOKIE": "", "MAX_REDIRECTS": "2",
    "SSRF_PROTECTION": "on", "INSECURE_SSL_FALLBACK": "on", "EXTERNAL_URLS": "off", "EXTRACTION_TIMEOUT": "30",
    "MIN_EXTRACTED_SIZE": "250", "EXTENSIVE_DATE_SEARCH": "on", "MIN_FILE_SIZE": "10",
    "MAX_FILE_SIZE": "20000000", "MIN_OUTPUT_SIZE": "1", "MIN_OUTPUT_COMM_SIZE": "1", "MAX_TREE_SIZE": "",
    "MIN_DUPLCHECK_SIZE": "100", "MAX_REPETITIONS": "2",
}  # fmt: skip


def use_config(filename: str | None = None, config: ConfigParser | None = None) -> ConfigParser:
    """The settings given, or those of a file over the defaults."""
    if config is not None:
        return config
    found = ConfigParser()
    found.read_dict({"DEFAULT": _SETTINGS})
    if filename is not None:
        if not Path(filename).is_file():
            raise FileNotFoundError(f"no settings file {filename!r}")
        found.read(filename, encoding="utf-8")
    return found


DEFAULT_CONFIG: Final = use_config()


def set_date_params(extensive: bool = True) -> dict[str, Any]:
    """How dates are looked for if nothing else is asked: the day of publication, none after today."""
    return {
        "original_date": True,
        "extensive_search": extensive,
        "max_date": datetime.now().astimezone().strftime("%Y-%m-%d"),
    }


class Extractor:
    """The options of an extraction."""

    def __init__(
        self,
        *,
        config: ConfigParser = DEFAULT_CONFIG,
        output_format: str = "txt",
        fast: bool = False,
        precision: bool = False,
        recall: bool = False,
        comments: bool = True,
        formatting: bool | None = None,
        links: bool = False,
        images: bool = False,
        tables: bool = True,
        dedup: bool | LRUCache = False,
        lang: str | None = None,
        url: str | None = None,
        source: str | None = None,
        with_metadata: bool = False,
        only_with_metadata: bool = False,
        tei_validation: bool = False,
        author_blacklist: set[str] | None = None,
        url_blacklist: set[str] | None = None,
        date_params: dict[str, Any] | None = None,
    ) -> None:
        """Raises AttributeError for an unknown output format, as Trafilatura does."""
        if output_format not in SUPPORTED_FORMATS:
            raise AttributeError(f"no format {output_format!r}. Formats: {', '.join(sorted(SUPPORTED_FORMATS))}")
        if precision and recall:
            LOGGER.warning("both precision and recall are asked for: recall is taken")
        config = config or DEFAULT_CONFIG
        number = config["DEFAULT"].getint
        size = config["DEFAULT"].get("MAX_TREE_SIZE", "").strip()
        self.config = config
        self.format = output_format
        self.fast = fast
        self.focus = "recall" if recall else "precision" if precision else "balanced"
        self.comments, self.links, self.images, self.tables = comments, links, images, tables
        self.formatting = output_format == "markdown" if formatting is None else formatting
        self.dedup = dedup
        self.lang = lang
        self.url = url
        self.source = url or source
        self.tei_validation = tei_validation
        self.only_with_metadata = only_with_metadata
        self.author_blacklist, self.url_blacklist = author_blacklist or set(), url_blacklist or set()
        self.with_metadata = bool(
            with_metadata or only_with_metadata or url_blacklist or author_blacklist or output_format == "xmltei"
        )
        self.date_params = date_params or set_date_params(config["DEFAULT"].getboolean("EXTENSIVE_DATE_SEARCH", True))
        self.min_extracted_size = number("MIN_EXTRACTED_SIZE", 250)
        self.min_output_size = number("MIN_OUTPUT_SIZE", 1)
        self.min_output_comm_size = number("MIN_OUTPUT_COMM_SIZE", 1)
        self.min_duplcheck_size = number("MIN_DUPLCHECK_SIZE", 100)
        self.max_repetitions = number("MAX_REPETITIONS", 2)
        self.max_file_size = number("MAX_FILE_SIZE", 20_000_000)
        self.min_file_size = number("MIN_FILE_SIZE", 10)
        self.max_tree_size = int(size) if size.isdigit() else None


def args_to_extractor(args: Namespace, url: str | None = None) -> Extractor:
    """The options of the command line."""
    return Extractor(
        config=use_config(args.config_file),
        output_format=args.output_format,
        fast=args.fast,
        formatting=args.formatting,
        precision=args.precision,
        recall=args.recall,
        comments=args.comments,
        tables=args.tables,
        images=args.images,
        links=args.links,
        dedup=args.deduplicate,
        lang=args.target_language,
        url=url,
        with_metadata=args.with_metadata,
        only_with_metadata=args.only_with_metadata,
        tei_validation=args.validate_tei,
    )


class Document:
    """A page's text and metadata."""

    _FIELDS: Final = (
        "title", "author", "url", "hostname", "description", "sitename", "date", "categories", "tags", "fingerprint",
        "id", "license", "body", "comments", "commentsbody", "raw_text", "text", "language", "image", "pagetype",
        "filedate",
    )  # fmt: skip

    _body: Any
    _commentsbody: Any

    def __init__(
        self,
        *,
        title: str | None = None,
        author: str | None = None,
        url: str | None = None,
        hostname: str | None = None,
        description: str | None = None,
        sitename: str | None = None,
        date: str | None = None,
        categories: list[str] | None = None,
        tags: list[str] | None = None,
        fingerprint: str | None = None,
        idval: str | None = None,
        license_val: str | None = None,
        body: Any = None,
        comments: str | None = None,
        commentsbody: Any = None,
        raw_text: str | None = None,
        text: str | None = None,
        language: str | None = None,
        image: str | None = None,
        pagetype: str | None = None,
        filedate: str | None = None,
    ) -> None:
        self.title, self.author, self.url, self.hostname = title, author, url, hostname
        self.description, self.sitename, self.date = description, sitename, date
        self.categories, self.tags = categories, tags
        self.fingerprint, self.id, self.license = fingerprint, idval, license_val
        self.body, self.commentsbody = body, commentsbody
        self.comments, self.raw_text, self.text = comments, raw_text, text
        self.language, self.image, self.pagetype, self.filedate = language, image, pagetype, filedate

    @property
    def body(self) -> Any:
        """The text as a tree in Trafilatura's XML, made when it is first asked for: by lxml where that is installed,
        else by the standard library.
        """
        if callable(self._body):
            self._body = self._body()
        return self._body

    @body.setter
    def body(self, value: Any) -> None:
        self._body = value if value is not None else empty_body

    @property
    def commentsbody(self) -> Any:
        """An empty tree: Thresher's comments stand in the text."""
        if callable(self._commentsbody):
            self._commentsbody = self._commentsbody()
        return self._commentsbody

    @commentsbody.setter
    def commentsbody(self, value: Any) -> None:
        self._commentsbody = value if value is not None else empty_body

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Document:
        """A document with these values."""
        document = cls()
        for name, value in data.items():
            setattr(document, name, value)
        return document

    def clean_and_trim(self) -> None:
        """Makes each piece of text one line without character references, and cuts it where it is very long."""
        for name in self._FIELDS:
            value = None if name in ("body", "commentsbody") else getattr(self, name)
            if isinstance(value, str):
                cut = value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"
                setattr(self, name, " ".join(unescape(cut).split()))

    def as_dict(self) -> dict[str, Any]:
        """The document as a dict."""
        return {name: getattr(self, name) for name in self._FIELDS}


def etree() -> Any:
    """The module lxml.etree, or the standard library's where lxml is not installed: this package uses what both
    have.
    """
    try:
        from lxml import etree as found
    except ImportError:
        from xml.etree import ElementTree as found  # noqa: N813 (a module)
    return found


def empty_body() -> Any:
    """An empty tree."""
    return etree().Element("body")
