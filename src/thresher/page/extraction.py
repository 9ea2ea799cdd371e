# SPDX-License-Identifier: Apache-2.0
"""One page: HTML in, main text out, with what else is known of the page."""

from __future__ import annotations

import html as html_escapes
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar, overload

from thresher.file_kinds import KIND_BYTES, binary_kind
from thresher.native.parsing.document import Document
from thresher.options import (
    KEYWORDS,
    Captions,
    Comments,
    Datelines,
    Format,
    Formulas,
    Hidden,
    LanguageOptions,
    Limits,
    Mode,
    Options,
    Tables,
    Titles,
    default_options,
    make_options,
)
from thresher.page.charset import Decoded, decode
from thresher.page.columns import OF_THE_PAGE, PAGES, NotArchived, PageRow, further_sources, values
from thresher.page.language import identify_language
from thresher.page.metadata import Metadata, read_metadata
from thresher.page.page_extractor import Block, PageExtractor, new_document
from thresher.page.result import UNDETERMINED, PageResult

__all__ = ["Block", "Extraction", "extract", "parse"]
_SHOWN: Final = 60  # characters of a text in a repr
_Value = TypeVar("_Value")
_NO_TREE: Final = frozenset({"error", "not_html"})  # statuses of pages that were not parsed, or not whole


class _kept(Generic[_Value]):  # noqa: N801 (used as a decorator)
    """A property that is computed once.

    functools.cached_property of Python 3.11 holds a lock for all objects of a class while one computes. A child that is
    forked meanwhile waits for that lock for ever. Without it two threads may both compute, and get the same.
    """

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        self.func = compute
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object | None, owner: type) -> Self | _Value:
        if instance is None:
            return self
        value = instance.__dict__[self.func.__name__] = self.func(instance)
        return value


class Extraction:
    """What `extract` found on a page."""

    def __init__(self, result: PageResult, source: _Source) -> None:
        """Made by `extract`."""
        self._result = result
        self._source = source

    @_kept
    def text(self) -> str:
        """The main text; "" where there is none."""
        return (self._result.text or b"").decode("utf-8", "replace")

    @_kept
    def texts(self) -> dict[str, str]:
        """The main text after each extractor, by its name; the first one's is `text`."""
        first, *further = self._source.options.extractors
        found = self._result.further
        return {first: self.text} | {name: found.get(name, b"").decode("utf-8", "replace") for name in further}

    @property
    def status(self) -> str:
        """`ok`, `empty`, `too_many_bytes`, `too_many_nodes`, `too_deep`, `too_many_attributes`, `too_many_styles` or
        `error`; `not_html` for a PDF, an image, an archive or other binary data.
        """
        return self._result.status

    @property
    def text_source(self) -> str | None:
        """Where the text comes from: `dom`, the page's elements, or `json_ld`, `script` or `template`, or `python`, a
        Python extractor; None if the page failed.
        """
        return self._result.text_source

    @property
    def text_partial(self) -> str | None:
        """Why the text is only a part: "wall" where the notice of a wall ends it, "declared" where the page says that
        it is not free, and shows little; None if nothing says so.
        """
        return self._result.text_partial

    @property
    def confidence(self) -> float | None:
        """The word F1 that is expected of `text`, 0 to 1; None if the extractor does not estimate it, or the text comes
        from the page's data.
        """
        return self._result.confidence

    @property
    def charset(self) -> str:
        """The character set that the page was decoded from, by its WHATWG name; utf-8 for a page given as str."""
        return self._source.charset

    @property
    def n_nodes(self) -> int:
        """Nodes of the page's tree."""
        return self._result.n_nodes or 0

    @property
    def n_words(self) -> int:
        """Words of the page's visible text, main or not."""
        return self._result.n_words or 0

    @property
    def options(self) -> Options:
        """The options that the page was extracted with."""
        return self._source.options

    @_kept
    def _metadata(self) -> Metadata:
        """What the page says of itself, read when it is first asked for. Its type depends on the main text too, so a
        page that this thread no longer has is extracted again.
        """
        source = self._source
        return read_metadata(None, source.url) if self.status in _NO_TREE else self._again().metadata(source.url)

    @property
    def title(self) -> str | None:
        """The page's headline, without the site's name; None if there is none."""
        return self._metadata.title

    @property
    def date_modified(self) -> date | None:
        """The day of the last change, as the page says it; None if it does not."""
        return self._metadata.date_modified

    @property
    def date(self) -> date | None:
        """The day of publication, as the page says it; None if it does not."""
        return self._metadata.date

    @property
    def author(self) -> str | None:
        """Authors' names, joined by "; "."""
        return self._metadata.author

    @property
    def description(self) -> str | None:
        """The page's summary of itself; None if it has none."""
        return self._metadata.description

    @property
    def site_name(self) -> str | None:
        """The name of the site; None if the page does not say it."""
        return self._metadata.site_name

    @property
    def canonical_url(self) -> str | None:
        """The address that the page names as its own."""
        return self._metadata.canonical_url

    @property
    def language_declared(self) -> str | None:
        """The language that the page declares (BCP 47); `language` is what its text is written in."""
        return self._metadata.language

    @property
    def type(self) -> str | None:
        """The type of the page: article, news, blog, academic, product, recipe, forum, listing, documentation,
        reference, home, service, event, job, profile, legal, media, interface or other.
        """
        return self._metadata.type

    @property
    def type_score(self) -> float | None:
        """The probability, 0 to 1, that the page is of its `type`."""
        return self._metadata.type_score

    @property
    def type_group(self) -> str | None:
        """The group of the type: article (with news, blog, academic), product, recipe, forum, listing, documentation
        (with reference) or other.
        """
        return self._metadata.type_group

    @property
    def language(self) -> str:
        """The language of the main text, ISO 639-3; "und" where it cannot be told. Identified when it is first asked
        for.
        """
        return self._language[0]

    @property
    def language_score(self) -> float | None:
        """How certain `language` is, 0 to 1; None if it cannot be told."""
        return self._language[1] if self.language != UNDETERMINED else None

    @_kept
    def _language(self) -> tuple[str, float]:
        options, text = self._source.options, self.text
        if options.format != "text":  # the names of elements are in no language, nor is the punctuation of markup
            text = self._again().render_text().decode("utf-8", "replace")
        return identify_language(text, options=options.language_options)

    def _again(self) -> PageExtractor:
        """A workspace with the page, as the first extractor chose its blocks: this thread's while it has the page,
        otherwise one in which the page is extracted again.
        """
        source = self._source
        held = _local.page_extractor if _local.source is source else None
        return held or PageExtractor.of_page(source.page, source.url, source.options)

    @_kept
    def blocks(self) -> list[Block]:
        """All blocks of the page with what was decided about each; computed when first asked for. If this thread has
        extracted another page since, this one is extracted again.
        """
        return [] if self.status in _NO_TREE else self._again().blocks()

    def to_dict(self) -> dict[str, Any]:
        """Everything that is known of the page as plain data that JSON can hold, under the names of the table `pages`.

        The texts of further extractors are there under the names of their columns, `text_cetd` for example.
        """
        result = replace(
            self._result,
            charset=self.charset,
            metadata=self._metadata,
            language=self.language,
            language_score=self.language_score,
        )
        first, *further = self._source.options.extractors
        row = PageRow(NotArchived(self._source.url), result, first)
        sources = {name: PAGES[name] for name in OF_THE_PAGE} | further_sources(further)
        return {name: _plain(values(source, (row,))[0]) for name, source in sources.items()}

    def __repr__(self) -> str:
        """Status, title and the beginning of the text."""
        return f"<Extraction {self.status}: {self.title!r}, {self.text[:_SHOWN]!r}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: title, facts and text."""
        facts = {
            "status": self.status,
            "language": self.language,
            "confidence": "" if self.confidence is None else f"{self.confidence:.2f}",
            "date": str(self.date or ""),
            "author": self.author or "",
        }
        shown = ", ".join(f"{name}: {html_escapes.escape(value)}" for name, value in facts.items() if value)
        return (
            f"<div><b>{html_escapes.escape(self.title or 'A page without a title')}</b><br><small>{shown}</small>"
            "<pre style='white-space: pre-wrap; max-height: 30em; overflow: auto'>"
            f"{html_escapes.escape(self.text)}</pre></div>"
        )


def _plain(value: Any) -> Any:  # noqa: ANN401 (a value of any column)
    """A value as JSON can hold it. Floats are as exact as the columns of the table, which have 32 bits."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float):
        return round(value, 6)
    return value.isoformat() if isinstance(value, date) else value


class _Source(NamedTuple):
    """What an Extraction was made from."""

    page: bytes
    charset: str
    url: str | None
    options: Options


class _Local(threading.local):
    """What a thread keeps from page to page."""

    def __init__(self) -> None:
        self.free: list[PageExtractor] = []
        """Workspaces that are not at work: more than one where a Python extractor calls extract() itself."""
        self.page_extractor: PageExtractor | None = None
        """The workspace that still has the page of `source`."""
        self.source: _Source | None = None


_local = _Local()
"""Of each thread: `page_extractor`, and `source`, the page that its workspace holds."""


@lru_cache(maxsize=64, typed=True)
def _cached_options(
    options: Options | None,
    extractor: str | None,
    extractors: tuple[str, ...] | None,
    parameters: tuple[tuple[str, float], ...],
    *values: object,
) -> Options:
    """make_options() with the values of KEYWORDS in their places, so that the cache compares no names."""
    keywords = dict(zip(KEYWORDS, values, strict=True))
    return make_options(options, extractor=extractor, extractors=extractors, **keywords, **dict(parameters))


def extract(
    html: bytes | str,
    *,
    url: str | None = None,
    charset: str | None = None,
    options: Options | None = None,
    extractor: str | None = None,
    extractors: Sequence[str] | None = None,
    mode: Mode | None = None,
    format: Format | None = None,  # noqa: A002 (what every user calls it)
    comments: Comments | None = None,
    captions: Captions | None = None,
    titles: Titles | None = None,
    datelines: Datelines | None = None,
    hidden: Hidden | None = None,
    tables: Tables | None = None,
    formulas: Formulas | None = None,
    links: bool | None = None,
    images: bool | None = None,
    limits: Limits | None = None,
    language_options: LanguageOptions | None = None,
    **parameters: float,
) -> Extraction:
    """The main text of a page, with its title, status, charset and blocks.

    `html` is the page as bytes, or as str if it is decoded already. A page that was decoded wrongly and encoded again
    is repaired. `charset` is the encoding that the server named (in Content-Type). A byte order mark overrides it, and
    so does a page that is plainly UTF-8. `url` is where the page came from. It makes addresses absolute, and helps to
    find the site's name and the date. For example:

        result = thresher.extract(html, url="https://mill.example/wheel", format="markdown", links=True)
        print(result.title, result.date, result.text)

    `options` say how to extract; every other keyword is one of their fields (see `Options`) and overrides it:

    - `extractor` is one of `EXTRACTORS`, `parameters` are its parameters; or `extractors` are several of them, run on
      one parsed page: the first one gives `text`, `texts` has all.
    - `mode` is "precision" (less text), "balanced" or "recall" (more), for an extractor that has modes.
    - `format` is "text", "markdown", "html" or "source" (the page's own elements around the main text, with their
      attributes, made safe); `links` and `images` say what is in it.
    - `tables` keeps ("keep") or drops ("drop") data tables; with "html", those that Markdown cannot hold are HTML.
    - `formulas` are "tex" between dollars, the "text" that the page shows, or dropped ("drop").
    - `comments` keeps ("keep") or drops ("drop") readers' comments, or lets the extractor decide ("auto"), which keeps
      none on recipes.
    - `captions` and credits of pictures are dropped from news and judged by the extractor on other pages ("auto"),
      always judged ("extractor"), in the text ("keep") or not ("drop").
    - `titles` keeps ("keep") or drops ("drop") the page's headline, or lets the extractor decide ("auto").
    - `datelines` keeps ("keep") or drops ("drop") authors, dates, sources, reading times, categories and tags of the
      main content, and the names and dates of posts, or lets the extractor decide ("auto").
    - `hidden` text, which a reader of the page does not see, is judged by the extractor ("auto"), judged as if it were
      shown ("keep"), or never in the text ("drop").
    - `language_options` say how the language is identified, `limits` what a page may cost.

    No page makes it raise. Binary data, such as a PDF or an image, has the status `not_html` and no text. Raises
    TypeError for an argument of the wrong type or an unknown parameter, ValueError for
    an unknown extractor, mode or format, for a mode that no extractor chosen has, and for links or images in plain
    text.
    """
    if not (url is charset is None):
        for name, value in (("url", url), ("charset", charset)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} must be str or None, not {type(value).__name__}")
    if isinstance(extractors, str):
        raise TypeError("extractors must be a sequence of str, not str")
    if extractors is not None:
        extractors = tuple(extractors)
    # Before anything of the page is looked at: what is wrong with the arguments.
    given = (
        *(options, extractor, extractors, tuple(parameters.items())),
        *(mode, format, comments, captions, titles, datelines, hidden, tables, formulas, links, images),
        *(limits, language_options),
    )
    chosen: Options | None = None
    with suppress(TypeError):  # what cannot be looked up is wrong, and make_options says why
        chosen = _cached_options(*given)
    if chosen is None:  # outside of the handler, so that a wrong name is one traceback and not two
        chosen = _cached_options.__wrapped__(*given)
    decoded = _decode(html, charset, chosen.limits.max_bytes)
    source = _Source(decoded.utf8, decoded.charset, url, chosen)
    if not isinstance(html, str) and binary_kind(bytes(html[:KIND_BYTES])):
        return Extraction(PageResult("not_html", text=b""), source)
    try:
        _local.source = None
        page_extractor = _local.free.pop() if _local.free else PageExtractor(options=chosen)
        page_extractor.take(chosen)
        page_extractor.extract(decoded.utf8, url)
        _local.free.append(page_extractor)
        _local.page_extractor, _local.source = page_extractor, source
        return Extraction(page_extractor.result(decoded), source)
    except MemoryError:
        _local.page_extractor = None
        return Extraction(PageResult.failed(), source)


def parse(html: bytes | str, *, charset: str | None = None, limits: Limits | None = None) -> Document:
    """The tree of a page. Raises TypeError for an argument of the wrong type; no page content makes it raise."""
    limits = limits if limits is not None else default_options().limits
    for name, value, type_ in (("charset", charset or "", str), ("limits", limits, Limits)):
        if not isinstance(value, type_):
            raise TypeError(f"{name} must be {type_.__name__}, not {type(value).__name__}")
    document = new_document(limits)
    document.parse(_decode(html, charset, limits.max_bytes).utf8)
    return document


def _decode(html: bytes | str, charset: str | None, max_bytes: int) -> Decoded:
    """The page in UTF-8, with the charset that it was in."""
    if not isinstance(html, (bytes, bytearray, memoryview, str)):
        raise TypeError(f"html must be bytes or str, not {type(html).__name__}")
    # One byte more than the limit, so that the parser sees that the page goes over it.
    page = html if isinstance(html, str) else bytes(html)
    return decode(page, http_charset=charset, max_bytes=max_bytes + 1)
