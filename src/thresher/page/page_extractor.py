# SPDX-License-Identifier: Apache-2.0
"""The workspace in which a page is extracted, stage by stage or all at once. The pipeline, the API and the evaluation
call it with pages in UTF-8; thresher.page.charset decides which charset a page was in.
"""

from __future__ import annotations

import html as html_escapes
import math
import re
import threading
from array import array
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from thresher.native.choosing.registry import EXTRACTORS as EXTRACTOR_TABLE
from thresher.native.facts.linked_data import prose_of
from thresher.native.parsing.document import Document
from thresher.native.unseen.script_strings import strings_in_scripts
from thresher.native.unseen.template_markup import markup_in_templates
from thresher.native.workspace import Workspace
from thresher.options import (
    CAPTIONS,
    MODES,
    TABLES,
    Limits,
    Options,
    make_options,
)
from thresher.page.charset import Decoded
from thresher.page.language import identify_language
from thresher.page.metadata import Metadata, read_metadata
from thresher.page.result import PageResult
from thresher.page.script_text import Shown, continued_in_scripts, prose_of_scripts
from thresher.python_extractors import PythonExtractor, is_python_extractor, load_python_extractor

if TYPE_CHECKING:
    from thresher.native.choosing.registry import Extractor
    from thresher.native.scoring.model import Model
    from thresher.native.templates.packed import PackedPage


_LITTLE: Final = 1500  # bytes of plain text; a page with more is not searched for another text
_MARKUP_TO_TEXT: Final = 8  # bytes of markup for one of plain text; longer markup is not compared with _LITTLE
_MUCH: Final = 400  # bytes of a text in the page's data that is taken
_FAR_MORE: Final = 2  # times as long as the text of the page's elements: a text in JSON-LD
# Bytes of text; a page with more is not searched for a text in other data, which do not say what they are about: on 22
# labelled pages with 200 to 1,500 bytes and a text three times as long in a script, that text has .47 less word F1.
_NOTHING: Final = 150
_MARKUP: Final = re.compile(r"<(?:p|br|div|h[1-6]|ul|ol|table|blockquote|pre)\b[^<>]*>", re.IGNORECASE)
_SHARED: Final = "another thread uses this PageExtractor: give each thread its own"


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text under one block-level element, and whether it was kept."""

    order: int
    """Its number on the page, from 0."""
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
    """Share of its characters that are in links."""
    element: int
    """Node number of the block-level element around it."""
    start: int
    """Node number of its first text."""
    end: int
    """One past the number of its last node."""

    def to_dict(self) -> dict[str, Any]:
        """The block as plain data."""
        return asdict(self)


class PageExtractor:
    """A reusable workspace for extracting pages, one per worker.

    The stages in order: parse(page), measure(), classify(), render(); extract(page) is all four. Nothing that is in a
    page makes them raise (except for MemoryError): what is wrong with a page is its `status`.

    It holds one page, so each thread needs its own. A call while another thread is at work raises RuntimeError and does
    no harm; but threads that take turns with single stages get each other's page.

    `workspace` has the page, and `main` what the main text is of: the same, or after render() a text in the page's
    data.
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
        self.take(make_options(options, extractor=extractor, **keywords))

    @classmethod
    def of_page(cls, page: bytes, url: str | None, options: Options) -> PageExtractor:
        """A workspace with a page as the first extractor of the options extracts it beside the others."""
        found = cls(options=options)
        plan = found._extractors
        found._extractors = _Extractors(plan.first, (), plan.first.reads_concealed, plan.function)
        found.extract(page, url)
        return found

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
        self.take(make_options(options, extractor=extractor, **keywords))

    def _forget_text(self) -> None:
        self._text: bytes | None = None
        self._of_function: bytes | None = None
        self.main = self.workspace
        self._source = "dom"

    def take(self, options: Options) -> None:
        """Takes these options from now on, as choose() does."""
        current: Options | None = getattr(self, "options", None)
        if current is None or (current is not options and current.limits != options.limits):
            self.workspace = Workspace(new_document(options.limits), self._model)
            self._url = b""
        self._forget_text()
        self.further_texts: dict[str, bytes] = {}
        if current is options:
            return
        self.options = options
        self._extractors = _extractors_of(options)
        self._form: dict[str, Any] = {
            "name": options.format,
            "links": options.links,
            "images": options.images,
            "html_tables": options.tables == "html",
        }
        self._region_rules = (
            options.comments, TABLES[options.tables], CAPTIONS[options.captions], options.titles, options.datelines,
        )  # fmt: skip

    def parse(self, page: bytes, url: str | None = None) -> None:
        """Parses a page of UTF-8; links are relative to `url`. Raises TypeError for what is not bytes."""
        self._forget_text()
        self._url = url.encode("utf-8", "replace") if url else b""
        options = self.options
        if self._extractors.function is not None:
            self._page = page
        self.workspace.parse(page, options.formulas, strict=options.hidden == "drop")

    def measure(self) -> None:
        """Computes the metrics of every node, and the blocks."""
        self.workspace.measure(with_concealed=self._extractors.begin_concealed, as_shown=self.options.hidden == "keep")

    def classify(self, *, evidence: bytes | None = None, unwanted: bytes | None = None) -> None:
        """Lets the extractor choose the blocks of the main text; before it the further ones, whose texts are rendered
        at once. A Python extractor gives its text here. Raises ExtractorError if it fails.

        What other pages say of each block (thresher.templates.evidence): `evidence` is added to the scores before the
        choice, blocks marked in `unwanted` are dropped after it. A page of which nothing would be left by that is left
        as it is.
        """
        self._forget_text()
        workspace = self.workspace
        self.further_texts = {}
        for name, further in self._extractors.further:
            workspace.classify(further)
            workspace.apply_region_rules(self._region_rules)
            self.further_texts[name] = self._render()
        first = self._extractors.first
        workspace.classify(first, memoryview(evidence).cast("h") if evidence is not None else None)
        if evidence is not None and not any(workspace.kept_bytes()):
            workspace.classify(first)
        if unwanted is not None:
            workspace.drop(unwanted)
        workspace.apply_region_rules(self._region_rules)
        if self._extractors.function is not None:
            self._of_function = self._extractors.function(self._page, self._url.decode() or None)

    def render(self) -> bytes:
        """The main text in the format chosen, UTF-8.

        If the learned extractor finds little, and the page's data hold far more, the text is that of the data.
        """
        if self._of_function is not None:
            self._text, self._source = self._of_function, "python"
            return self._text
        return self._found(self._render())

    def _found(self, text: bytes) -> bytes:
        """The main text: that of the page's elements, or one of its data."""
        self._text = text
        if self.options.extractors[0] == "thresher" and len(self._text) < _LITTLE * _MARKUP_TO_TEXT:
            n_bytes = len(self._text if self.options.format == "text" else self.render_text())
            if n_bytes < _LITTLE:
                self._find_in_data(n_bytes)
            if self.main is not self.workspace:
                self._text = self._render()
        return self._text

    def render_text(self) -> bytes:
        """The main text as plain text, whatever the format; after render()."""
        if self._of_function is not None:
            return self._of_function
        return self.main.render()

    def render_html(self, *, links: bool = False) -> bytes:
        """The main text as minimal HTML without images, and without links unless asked for, whatever the format; after
        render().
        """
        return self.main.render_markup("html", links=links, url=self._url)

    def render_passages(self, passages: list[tuple[int, list[int]]]) -> list[bytes]:
        """Passages of the main text, each written by itself in the format chosen, without images; after render(). A
        passage is a node of the tree of `main` and the numbers of the kept blocks inside of it.
        """
        options = self.options
        return self.main.render_passages(
            passages, options.format, links=options.links, html_tables=options.tables == "html", url=self._url
        )

    def pictures(self, most: int) -> tuple[list[tuple[int, int, bytes]], int]:
        """The pictures of the main text in the order of the page, and how many there are in all; after render(). Of the
        first `most`: its node in the tree of `main`, the block before which it stands, and its absolute address.
        """
        return self.main.pictures(most, self._url)

    @property
    def url(self) -> str | None:
        """The address of the page; None if it is unknown."""
        return self._url.decode("utf-8", "replace") or None

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
        if self.options.hidden == "drop" and self.workspace.n_words:
            return
        document = self.workspace.document
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
            if len(found.render()) >= _MUCH:
                self.main, self._source = found, "template"

    def _shown(self) -> Shown:
        """What the page's elements have, for a text in its scripts to be compared with."""
        workspace = self.workspace
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
        self.main, self._source = self._other(prose, "all"), source

    def _other(self, markup: str, extractor: str) -> Workspace:
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
        return found.workspace

    def _render(self) -> bytes:
        return self.main.render_markup(**self._form, url=self._url)

    def extract(self, page: bytes, url: str | None = None) -> bytes:
        """The main text of a page: all four stages, at once where there is one extractor, and no Python function. A
        thread that does one stage at a time waits after each of them while another thread holds the interpreter.

        Raises RuntimeError if another thread uses this workspace meanwhile.
        """
        if not self._free.acquire(blocking=False):
            raise RuntimeError(_SHARED)
        try:
            if not self._extractors.further and self._extractors.function is None:
                self._forget_text()
                self._url = url.encode("utf-8", "replace") if url else b""
                self.further_texts = {}
                options, first = self.options, self._extractors.first
                form: dict[str, Any] = {**self._form, "url": self._url, "strict": options.hidden == "drop"}
                return self._found(self.workspace.extract(page, first, self._region_rules, options.formulas, **form))
            self.parse(page, url)
            serial = self.workspace.document.serial
            self.measure()
            self.classify()
            text = self.render()
            if self.workspace.document.serial != serial:
                raise RuntimeError(_SHARED)
            return text
        finally:
            self._free.release()

    def result(self, decoded: Decoded) -> PageResult:
        """What is known of the page that was rendered last, without metadata and language; it came from `decoded`.

        A text of the page's data is hidden as a whole, and the page's elements say nothing else of it.
        """
        workspace, of_function = self.workspace, self._of_function is not None
        of_elements = self.main is workspace and not of_function
        return PageResult(
            status=self.status,
            text=self._text,
            further=self.further_texts,
            charset=decoded.charset,
            charset_source=decoded.source,
            n_bytes=len(decoded.utf8),
            n_nodes=workspace.document.n_nodes,
            n_words=workspace.n_words,
            text_density=workspace.text_density,
            link_density=workspace.link_density,
            hidden_share=None if of_function else workspace.hidden_share if of_elements else 1.0,
            text_partial=workspace.wall if of_elements else None,
            confidence=self.confidence,
            text_source=self.text_source,
        )

    @property
    def status(self) -> str:
        """`ok`, or the limit that the page went over, or `empty` after render() gave no text."""
        status = self.workspace.document.status
        if status != "ok":
            return status
        if self._text == b"":
            return "empty"
        return "too_many_styles" if self.workspace.too_many_styles else "ok"

    def metadata(self, url: str | None = None, *, not_after: date | None = None) -> Metadata:
        """Metadata of the parsed page. thresher.page.metadata.read_metadata describes the arguments."""
        found = read_metadata(self.workspace, url, not_after=not_after)
        if self._text == b"" and not self.workspace.n_words:
            return replace(found, type=None, type_score=None, type_group=None)  # a page without a word is of no type
        return found

    @property
    def confidence(self) -> float | None:
        """The expected word F1 of the main text, 0 to 1; None if the extractor does not estimate it, or after render()
        gave a text of the page's data, of which it knows nothing.
        """
        return self.workspace.confidence if self.main is self.workspace else None

    def pack(self, least: int) -> bytes | None:
        """The page as PackedPage takes it, with the texts of the blocks that were kept or have at least this score
        (1/4096 of a logit).

        None if the text is markup, which is written from the page's tree.
        """
        if self.options.format != "text":
            return None
        return self.workspace.pack(least, self._region_rules)

    def fingerprints(self) -> bytes:
        """The fingerprint of each block, signed 64-bit integers of the machine's byte order."""
        from thresher.native.templates.fingerprints import block_fingerprints  # its table of letters takes 2.5 ms

        workspace = self.workspace
        return block_fingerprints(workspace.document, workspace.metrics, workspace.blocks)

    def choose_packed(self, packed: PackedPage, scores: bytes, evidence: bytes) -> bool:
        """Chooses again among the blocks of a page that this extractor packed; False if nothing would be left."""
        return packed.choose(self._extractors.first, scores, evidence)

    def blocks(self) -> list[Block]:
        """The page's blocks in order, each with its text and whether it was kept; none after a Python extractor, which
        chooses no blocks.
        """
        if self._extractors.function is not None:
            return []
        logits = self.workspace.scores()
        scores = [1 / (1 + math.exp(-logit / 4096)) for logit in array("h", logits)] if logits is not None else None
        return [
            read_block(self.workspace, order, kept=kept, score=scores[order] if scores is not None else None)
            for order, kept in enumerate(self.workspace.kept())
        ]


def read_block(workspace: Workspace, order: int, *, kept: bool = False, score: float | None = None) -> Block:
    """A block of a page whose blocks are known, with what an extractor said of it."""
    block = workspace.blocks[order]
    return Block(
        order=order,
        kind=block["kind"],
        text=workspace.render_block(order).decode("utf-8", "replace"),
        kept=kept,
        score=score,
        characters=block["characters"],
        words=block["words"],
        link_density=block["link_characters"] / block["characters"],
        element=block["element"],
        start=block["start"],
        end=block["end"],
    )


def new_document(limits: Limits) -> Document:
    """A document that keeps to these limits."""
    return Document(
        max_bytes=limits.max_bytes,
        max_nodes=limits.max_nodes,
        max_depth=limits.max_depth,
        max_attributes=limits.max_attributes,
    )


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
