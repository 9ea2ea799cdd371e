# SPDX-License-Identifier: Apache-2.0
"""One page: HTML in, main text out.

`PageExtractor` is the reusable workspace that the pipeline, the API and the evaluation call, stage by stage or all at
once. It takes pages in UTF-8; thresher.page.charset decides which charset a page was in.
"""

from __future__ import annotations

import html as html_escapes
import math
import re
import threading
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Self, TypeVar, overload

from thresher.file_kinds import KIND_BYTES, binary_kind
from thresher.native.choosing.registry import EXTRACTORS as EXTRACTOR_TABLE
from thresher.native.facts.linked_data import prose_of
from thresher.native.facts.script_text import markup_in_templates, strings_in_scripts
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace
from thresher.options import (
    CAPTIONS,
    EXTRACTORS,
    KEYWORDS,
    MODES,
    TABLES,
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
    check_extractors,
    default_options,
    make_options,
)
from thresher.page.charset import Decoded, decode
from thresher.page.columns import OF_THE_PAGE, PAGES, NotArchived, PageRow, further_sources, values
from thresher.page.language import identify_language
from thresher.page.metadata import Metadata, read_candidates, read_metadata
from thresher.page.result import UNDETERMINED, PageResult
from thresher.page.script_text import Shown, continued_in_scripts, prose_of_scripts
from thresher.python_extractors import PythonExtractor, is_python_extractor, load_python_extractor

if TYPE_CHECKING:
    from thresher.native.choosing.registry import Extractor
    from thresher.native.facts.candidates import Ranker
    from thresher.native.scoring.model import Model
    from thresher.native.templates.packed import PackedPage

__all__ = [
    "EXTRACTORS",
    "MODES",
    "Block",
    "Extraction",
    "Limits",
    "Options",
    "PageExtractor",
    "check_extractors",
    "extract",
    "parse",
]

_LITTLE: Final = 1500  # bytes of plain text; a page with more is not searched for another text
_MARKUP_TO_TEXT: Final = 8  # bytes of markup for one of plain text; longer markup is not compared with _LITTLE
_MUCH: Final = 400  # bytes of a text in the page's data that is taken
_FAR_MORE: Final = 2  # times as long as the text of the page's elements: a text in JSON-LD
# Bytes of text; a page with more is not searched for a text in other data, which do not say what they are about: on 22
# labelled pages with 200 to 1,500 bytes and a text three times as long in a script, that text has .47 less word F1.
_NOTHING: Final = 150
_MARKUP: Final = re.compile(r"<(?:p|br|div|h[1-6]|ul|ol|table|blockquote|pre)\b[^<>]*>", re.IGNORECASE)
_SHARED: Final = "another thread uses this PageExtractor: give each thread its own"
_SHOWN: Final = 60  # characters of a text in a repr
_Value = TypeVar("_Value")
_NO_TREE: Final = frozenset({"error", "not_html"})  # statuses of pages that were not parsed, or not whole


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text under one block-level element, and whether it was kept."""

    order: int
    """Its place on the page, from 0."""
    kind: str
    """`paragraph`, `heading-1` to `heading-6`, `list-item`, `table-cell`, `preformatted`, …, or else `text`."""
    text: str
    kept: bool
    """Whether it belongs to the main text."""
    score: float | None
    """The probability, 0 to 1, that it does, judged by itself; None if the extractor does not score blocks."""
    characters: int
    """Code points, white space collapsed."""
    words: int
    """Words; a character of a script written without spaces counts one."""
    link_density: float
    """Share of its characters that stand in links."""
    element: int
    """Node number of the block-level element around it."""
    start: int
    """Node number of its first text."""
    end: int
    """One past the number of its last node."""

    def to_dict(self) -> dict[str, Any]:
        """The block as plain data."""
        return asdict(self)


class KeptBlock(NamedTuple):
    """A block of the main text, by the nodes that it is."""

    number: int
    """Its place among all blocks of the page, from 0."""
    start: int
    """Its first text."""
    end: int
    """One past its last node."""
    characters: int
    link_characters: int
    kind: str
    """As in Block."""


class PageExtractor:
    """A reusable workspace for extracting pages, one per worker.

    The stages in order: parse(page), measure(), classify(), render(); extract(page) is all four. Nothing that is in a
    page makes them raise (except for MemoryError): what is wrong with a page is its `status`.

    It holds one page, so each thread needs its own. A call while another thread is at work raises RuntimeError and does
    no harm; but threads that take turns with single stages get each other's page.
    """

    def __init__(
        self,
        extractor: str | None = None,
        *,
        options: Options | None = None,
        model: Model | None = None,
        **keywords: Any,  # noqa: ANN401 (those of make_options)
    ) -> None:
        """A workspace for the extractor of that name, with `options` and whatever other keyword thresher.extract()
        takes.

        `model` is what the learned extractor uses instead of the package's own.

        Raises TypeError and ValueError as make_options() does.
        """
        self._model = model
        self._free = threading.Lock()
        self._take(make_options(options, extractor=extractor, **keywords))

    def choose(
        self,
        extractor: str | None = None,
        *,
        options: Options | None = None,
        **keywords: Any,  # noqa: ANN401 (those of make_options)
    ) -> None:
        """Takes other options from now on; a page that is parsed and measured need not be parsed again, unless the
        limits, or what becomes of formulas or hidden text, change.

        Further extractors work on the same page: their texts are in `further_texts` after classify().
        """
        self._take(make_options(options, extractor=extractor, **keywords))

    def _forget_text(self) -> None:
        self._text: bytes | None = None
        self._of_function: bytes | None = None
        self._of_data: PageExtractor | None = None
        self._source = "dom"

    def _take(self, options: Options) -> None:
        self._forget_text()
        self.further_texts: dict[str, bytes] = {}
        current: Options | None = getattr(self, "options", None)
        if current is options:
            return
        if current is None or current.limits != options.limits:
            self._workspace = Workspace(new_document(options.limits), self._model)
            self._url = b""
        self.options = options
        self._extractors = _extractors_of(options)
        self._region_rules = (
            options.comments, TABLES[options.tables], CAPTIONS[options.captions], options.titles, options.datelines,
        )  # fmt: skip

    def only_first(self) -> None:
        """Runs only the first extractor from now on, as it runs beside the others."""
        plan = self._extractors
        self._extractors = _Extractors(plan.first, (), plan.first.reads_concealed, plan.function)

    @property
    def extractor(self) -> str:
        """Name of the first extractor, whose text render() returns."""
        return self.options.extractors[0]

    @property
    def limits(self) -> Limits:
        """What a page may cost."""
        return self.options.limits

    def parse(self, page: bytes, url: str | None = None) -> None:
        """Parses a page of UTF-8; links are relative to `url`. Raises TypeError for what is not bytes."""
        self._forget_text()
        self._url = url.encode("utf-8", "replace") if url else b""
        options = self.options
        if self._extractors.function is not None:
            self._page = page
        self._workspace.parse(page, options.formulas, strict=options.hidden == "drop")

    def measure(self) -> None:
        """Computes the metrics of every node, and the blocks."""
        self._workspace.measure(with_concealed=self._extractors.begin_concealed, as_shown=self.options.hidden == "keep")

    def classify(self, *, evidence: bytes | None = None, unwanted: bytes | None = None) -> None:
        """Lets the extractor choose the blocks of the main text; before it the further ones, whose texts are rendered
        at once. A Python extractor gives its text here. Raises ExtractorError if it fails.

        What other pages say of each block (thresher.templates.evidence): `evidence` is added to the scores before the
        choice, blocks marked in `unwanted` are dropped after it. A page of which nothing would be left by that is left
        as it is.
        """
        self._forget_text()
        workspace = self._workspace
        self.further_texts = {}
        for name, further in self._extractors.further:
            workspace.classify(further)
            workspace.apply_region_rules(*self._region_rules)
            self.further_texts[name] = self._render()
        first = self._extractors.first
        workspace.classify(first, memoryview(evidence).cast("h") if evidence is not None else None)
        if evidence is not None and not any(workspace.kept_bytes()):
            workspace.classify(first)
        if unwanted is not None:
            workspace.drop(unwanted)
        workspace.apply_region_rules(*self._region_rules)
        if self._extractors.function is not None:
            self._of_function = self._extractors.function(self._page, self._url.decode() or None)

    def render(self) -> bytes:
        """The main text in the format chosen, UTF-8.

        If the learned extractor finds little, and the page's data hold far more, the text is that of the data.
        """
        if self._of_function is not None:
            self._text, self._source = self._of_function, "python"
            return self._text
        self._text = self._render()
        if self.extractor == "thresher" and len(self._text) < _LITTLE * _MARKUP_TO_TEXT:
            n_bytes = len(self._text if self.options.format == "text" else self.render_text())
            if n_bytes < _LITTLE:
                self._find_in_data(n_bytes)
            if self._of_data is not None:
                self._text = self._of_data.render()
        return self._text

    def render_text(self) -> bytes:
        """The main text as plain text, whatever the format; after render()."""
        if self._of_function is not None:
            return self._of_function
        return self._workspace.render() if self._of_data is None else self._of_data.render_text()

    def render_html(self, *, links: bool = False) -> bytes:
        """The main text as minimal HTML without images, and without links unless asked for, whatever the format; after
        render().
        """
        if self._of_data is not None:
            return self._of_data.render_html(links=links)
        return self._workspace.render_markup("html", links=links, url=self._url)

    def render_runs(self, cuts: list[int]) -> list[bytes]:
        """The main text as plain text in runs of blocks: those before cuts[0], from there to cuts[1], and so on; after
        render().
        """
        return self._workspace.render_runs(cuts) if self._of_data is None else self._of_data.render_runs(cuts)

    def render_passages(self, passages: list[tuple[int, list[int]]]) -> list[bytes]:
        """Passages of the main text, each written by itself in the format chosen, without images; after render(). A
        passage is a node of `text_document` and the numbers of the kept blocks inside of it.
        """
        if self._of_data is not None:
            return self._of_data.render_passages(passages)
        options = self.options
        return self._workspace.render_passages(
            passages, options.format, links=options.links, html_tables=options.tables == "html", url=self._url
        )

    def pictures(self, most: int) -> tuple[list[tuple[int, int, bytes]], int]:
        """The pictures of the main text in the order of the page, and how many there are in all; after render(). Of the
        first `most`: its node in `text_document`, the block before which it stands, and its absolute address.
        """
        return self._workspace.pictures(most, self._url) if self._of_data is None else self._of_data.pictures(most)

    def kept_nodes(self) -> list[KeptBlock]:
        """The kept blocks, by the nodes that they are; after render()."""
        if self._of_data is not None:
            return self._of_data.kept_nodes()
        blocks = self._workspace.blocks
        found = []
        for number, kept in enumerate(self._workspace.kept_bytes()):
            if kept:
                block = blocks[number]
                found.append(
                    KeptBlock(
                        number,
                        block["start"],
                        block["end"],
                        block["characters"],
                        block["link_characters"],
                        block["kind"],
                    )
                )
        return found

    @property
    def url(self) -> str | None:
        """The address of the page; None if it is unknown."""
        return self._url.decode("utf-8", "replace") or None

    @property
    def text_document(self) -> Document:
        """The tree that the main text is from: the page's, or that of a text in the page's data; after render()."""
        return self.document if self._of_data is None else self._of_data.text_document

    @property
    def text_source(self) -> str:
        """Where the text comes from: `dom`, the page's elements, `json_ld`, `script` or `template`, or `python`, a
        Python extractor.
        """
        return self._source

    def _find_in_data(self, n_bytes: int) -> None:
        """Looks for a text far longer than so many bytes of plain text: in JSON-LD, in the strings of scripts, and in
        templates. So what is found does not depend on the format.

        No reader sees these. If hidden text is to be dropped, they are for pages that show no word at all.
        """
        if self.options.hidden == "drop" and self.n_words:
            return
        document = self._workspace.document
        prose = prose_of(document)
        if prose is not None and len(prose.encode()) >= max(_MUCH, _FAR_MORE * n_bytes):
            self._take_data("json_ld", prose)
            return
        strings = strings_in_scripts(document)
        if n_bytes >= _NOTHING:
            prose = continued_in_scripts(strings, self._shown()) if strings else None
            if prose is not None:
                self._take_data("script", prose)
            return
        prose = prose_of_scripts(strings)
        if prose is not None and len(prose.encode()) >= _MUCH:
            self._take_data("script", prose)
            return
        markup = markup_in_templates(document)
        if len(markup) >= _MUCH and "{{" not in markup and "${" not in markup:  # to be filled in
            found = self._other(markup, "density")
            if len(found.render_text()) >= _MUCH:
                self._of_data, self._source = found, "template"

    def _shown(self) -> Shown:
        """What the page's elements have, for a text in its scripts to be compared with."""
        workspace = self._workspace
        return Shown(
            text=workspace.render().decode("utf-8", "replace"),
            everything=lambda: "\n".join(
                workspace.render_block(number).decode("utf-8", "replace") for number in range(workspace.n_blocks)
            ),
            metadata=lambda: read_metadata(workspace, self.url),
            language=lambda text: identify_language(text, options=self.options.language_options)[0],
        )

    def _take_data(self, source: str, prose: str) -> None:
        if not _MARKUP.search(prose):
            prose = "".join(f"<p>{html_escapes.escape(line)}</p>" for line in prose.splitlines())
        self._of_data, self._source = self._other(prose, "all"), source

    def _other(self, markup: str, extractor: str) -> PageExtractor:
        """A workspace with other markup than the page's, ready to be rendered."""
        options = self.options
        found = PageExtractor(
            extractor=extractor,
            format=options.format,
            tables=options.tables,
            links=options.links,
            images=options.images,
            formulas=options.formulas,
            hidden=options.hidden,
            limits=options.limits,
        )
        found.parse(markup.encode(), self._url.decode())
        found.measure()
        found.classify()
        return found

    def _render(self) -> bytes:
        options = self.options
        if options.format == "text":
            return self._workspace.render()
        return self._workspace.render_markup(
            options.format,
            links=options.links,
            images=options.images,
            html_tables=options.tables == "html",
            url=self._url,
        )

    def extract(self, page: bytes, url: str | None = None) -> bytes:
        """The main text of a page: all four stages.

        Raises RuntimeError if another thread uses this workspace meanwhile.
        """
        if not self._free.acquire(blocking=False):
            raise RuntimeError(_SHARED)
        try:
            self.parse(page, url)
            serial = self._workspace.document.serial
            self.measure()
            self.classify()
            text = self.render()
            if self._workspace.document.serial != serial:
                raise RuntimeError(_SHARED)
            return text
        finally:
            self._free.release()

    def result(self, decoded: Decoded) -> PageResult:
        """What is known of the page that was rendered last, without metadata and language; it came from `decoded`."""
        return PageResult(
            status=self.status,
            text=self._text,
            further=self.further_texts,
            charset=decoded.charset,
            charset_source=decoded.source,
            n_bytes=len(decoded.utf8),
            n_nodes=self.n_nodes,
            n_words=self.n_words,
            text_density=self.text_density,
            link_density=self.link_density,
            hidden_share=self.hidden_share,
            confidence=self.confidence,
            text_source=self.text_source,
        )

    @property
    def document(self) -> Document:
        """The page's tree, until the next parse()."""
        return self._workspace.document

    @property
    def status(self) -> str:
        """`ok`, or the limit that the page went over, or `empty` after render() gave no text."""
        status = self._workspace.document.status
        if status != "ok":
            return status
        if self._text == b"":
            return "empty"
        return "too_many_styles" if self._workspace.too_many_styles else "ok"

    @property
    def n_nodes(self) -> int:
        """Nodes of the tree."""
        return self._workspace.document.n_nodes

    def metadata(self, url: str | None = None, *, not_after: date | None = None) -> Metadata:
        """Metadata of the parsed page. thresher.page.metadata.read_metadata describes the arguments."""
        found = read_metadata(self._workspace, url, not_after=not_after)
        if self._text == b"" and not self.n_words:
            return replace(found, type=None, type_score=None, type_group=None)  # a page without a word is of no kind
        return found

    def fact_candidates(self, url: str | None = None, site: Ranker | None = None) -> dict[str, Any]:
        """What the weights of facts are fitted to (thresher.lab.train.facts); read_candidates() describes it."""
        return read_candidates(self._workspace, url, site)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """What the main text is made of; see Workspace.shape(). None before classify()."""
        return self._workspace.shape()

    @property
    def vocabulary(self) -> bytes | None:
        """Which hashed words of classes, and first words of blocks, the page has; see Workspace.vocabulary()."""
        return self._workspace.vocabulary()

    @property
    def n_words(self) -> int:
        """Words of the visible text."""
        return self._workspace.n_words

    @property
    def text_density(self) -> float:
        """Characters of visible text per element of the body."""
        return self._workspace.text_density

    @property
    def link_density(self) -> float:
        """Share of the characters of visible text that stand in links."""
        return self._workspace.link_density

    @property
    def confidence(self) -> float | None:
        """The expected word F1 of the main text, 0 to 1; None if the extractor does not estimate it, or after render()
        gave a text of the page's data, of which it knows nothing.
        """
        return self._workspace.confidence if self._of_data is None else None

    @property
    def hidden_share(self) -> float | None:
        """The share of the main text that the page hides from its readers: all of a text that render() took from the
        page's data. None if a Python extractor gave the text.
        """
        if self._of_function is not None:
            return None
        return self._workspace.hidden_share if self._of_data is None else 1.0

    def fingerprints(self) -> bytes:
        """The fingerprint of each block, signed 64-bit integers of the machine's byte order."""
        from thresher.native.templates.fingerprints import block_fingerprints  # its table of letters takes 2.5 ms

        workspace = self._workspace
        return block_fingerprints(workspace.document, workspace.metrics, workspace.blocks)

    def sizes(self) -> bytes:
        """The characters of each block, signed 32-bit integers of the machine's byte order."""
        from thresher.native.templates.fingerprints import block_sizes

        return block_sizes(self._workspace.blocks)

    def scores(self) -> bytes | None:
        """The score of each block, signed 16-bit integers in 1/4096 of a logit; None if the extractor scores none,
        or was given evidence.
        """
        return self._workspace.scores()

    def kept(self) -> bytes:
        """For each block a byte: 1 if the extractor kept it, else 0."""
        return self._workspace.kept_bytes()

    def block_columns(self) -> tuple[bytes, ...]:
        """What thresher.native.writing.block_columns says of each block."""
        from thresher.native.writing.block_columns import block_columns

        workspace = self._workspace
        return block_columns(workspace.document, workspace.metrics, workspace.blocks)

    def excerpts(self, length: int) -> bytes:
        """The beginning of each block's text, at most `length` bytes, and a newline."""
        from thresher.native.templates.fingerprints import block_excerpts

        workspace = self._workspace
        return block_excerpts(workspace.document, workspace.metrics, workspace.blocks, length)

    def pack(self, least: int) -> bytes | None:
        """The page as PackedPage takes it, with the texts of the blocks that were kept or have at least this score
        (1/4096 of a logit).

        None if the text is markup, which is written from the page's tree.
        """
        if self.options.format != "text":
            return None
        return self._workspace.pack(least, *self._region_rules)

    def choose_packed(self, packed: PackedPage, scores: bytes, evidence: bytes) -> bool:
        """Chooses again among the blocks of a page that this extractor packed; False if nothing would be left."""
        return packed.choose(self._extractors.first, scores, evidence)

    @property
    def n_blocks(self) -> int:
        """Blocks of visible text."""
        return self._workspace.n_blocks

    def blocks(self) -> list[Block]:
        """The page's blocks in order, each with its text and whether it was kept; none after a Python extractor, which
        chooses no blocks.
        """
        if self._extractors.function is not None:
            return []
        found = []
        logits = self._workspace.scores()
        scores = [1 / (1 + math.exp(-logit / 4096)) for logit in array("h", logits)] if logits is not None else None
        for order, kept in enumerate(self._workspace.kept()):
            block = self._workspace.blocks[order]
            found.append(
                Block(
                    order=order,
                    kind=block["kind"],
                    text=self._workspace.render_block(order).decode("utf-8", "replace"),
                    kept=kept,
                    score=scores[order] if scores is not None else None,
                    characters=block["characters"],
                    words=block["words"],
                    link_density=block["link_characters"] / block["characters"],
                    element=block["element"],
                    start=block["start"],
                    end=block["end"],
                )
            )
        return found


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

    def _held(self) -> PageExtractor | None:
        """This thread's workspace while it still has the page."""
        return _local.page_extractor if _local.source is self._source else None

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
        held = self._held()
        if held is not None:
            return held
        options = self._source.options
        page_extractor = PageExtractor(options=options)
        page_extractor.only_first()
        page_extractor.parse(self._source.page, self._source.url)
        page_extractor.measure()
        page_extractor.classify()
        page_extractor.render()
        return page_extractor

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
        sources = {name: PAGES[name] for name in OF_THE_PAGE}
        if further:
            from thresher.arrow import import_pyarrow

            import_pyarrow()
            sources |= further_sources(further)
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

    `html` is the page as bytes, or as str when it is decoded already. `charset` is what the transport said (the charset
    parameter of Content-Type); a byte order mark overrides it, and so does a page that is plainly UTF-8. `url` is where
    the page came from: metadata are read with it (relative addresses, the site's name, a date in the path), and links
    in the text.

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
        return Extraction(PageResult("not_html"), source)
    try:
        _local.source = None
        page_extractor = _local.free.pop() if _local.free else PageExtractor(options=chosen)
        page_extractor._take(chosen)  # noqa: SLF001 (same module)
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
    document = new_document(limits)
    document.parse(_decode(html, charset, limits.max_bytes).utf8)
    return document


def new_document(limits: Limits) -> Document:
    """A document that keeps to these limits."""
    return Document(
        max_bytes=limits.max_bytes,
        max_nodes=limits.max_nodes,
        max_depth=limits.max_depth,
        max_attributes=limits.max_attributes,
    )


def _decode(html: bytes | str, charset: str | None, max_bytes: int) -> Decoded:
    """The page in UTF-8, with the charset that it was in."""
    if isinstance(html, str):
        return Decoded(html.encode("utf-8", "replace"), "utf-8", "default")
    if not isinstance(html, (bytes, bytearray, memoryview)):
        raise TypeError(f"html must be bytes or str, not {type(html).__name__}")
    # One byte more than the limit, so that the parser sees that the page goes over it.
    return decode(bytes(html), http_charset=charset, max_bytes=max_bytes + 1)


@dataclass(frozen=True, slots=True)
class _Extractors:
    """The extractors of a page with their options."""

    first: Extractor  # every block, where `function` gives the text
    further: tuple[tuple[str, Extractor], ...]  # in the order in which they run
    begin_concealed: bool  # whether the first of all to run reads concealed text
    function: PythonExtractor | None = None  # which gives the text instead of `first`


@lru_cache(maxsize=64)
def _extractors_of(options: Options) -> _Extractors:
    first_name, *names = options.extractors
    function = load_python_extractor(first_name) if is_python_extractor(first_name) else None
    first = _with_options("all" if function else first_name, options, dict(options.parameters))
    chosen = [(name, _with_options(name, options, {})) for name in names]
    # An extractor that reads other text than the first one runs before it. So a page is measured twice at most.
    further = sorted(chosen, key=lambda item: item[1].reads_concealed == first.reads_concealed)
    return _Extractors(first, tuple(further), (further[0][1] if further else first).reads_concealed, function)


def _with_options(name: str, options: Options, parameters: dict[str, float]) -> Extractor:
    """The extractor of that name with what the options and its parameters set."""
    extractor = EXTRACTOR_TABLE[name].with_hidden(options.hidden)
    if "lean" in extractor.options:
        extractor = extractor.with_options(lean=MODES[options.mode])
    return extractor.with_options(**parameters)
