# SPDX-License-Identifier: Apache-2.0
"""One page: HTML in, main text out.

`PageExtractor` is the reusable workspace that the pipeline, the API and the evaluation call, stage by stage or all at once. Pages are
UTF-8 here; what charset a page was in is decided before, in thresher.charset.
"""

from __future__ import annotations

import math
import threading
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from thresher.charset import decode
from thresher.metadata import Metadata, decide, find_values, read_metadata
from thresher.native.extractors import registry
from thresher.native.extractors.registry import NAMES
from thresher.native.parsing.document import Document
from thresher.native.workspace import FORMATS, Workspace

if TYPE_CHECKING:
    from thresher.native.extractors.registry import Extractor
    from thresher.native.scoring.model import Model
    from thresher.native.templates.packed import PackedPage

EXTRACTORS: tuple[str, ...] = NAMES
DEFAULT_EXTRACTOR = "thresher"

MODES: Final = {"precision": -0.5, "balanced": 0.0, "recall": 0.5}
"""What each mode sets an extractor's option `lean` to."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost. A page over a limit yields what was read so far, and says so in its status."""

    max_bytes: int = 16 << 20
    """Bytes of HTML, UTF-8."""
    max_nodes: int = 1_000_000
    """Nodes of the tree: elements, texts, comments."""
    max_depth: int = 512
    """Open elements; a deeper element becomes a sibling, as in Blink."""
    max_attributes: int = 4_000_000
    """Attributes of all elements together."""


@dataclass(frozen=True, slots=True)
class Output:
    """What the text of a page is given as, and what is in it whatever the extractor says."""

    format: str = "text"
    """"text", "markdown" (CommonMark with GitHub's tables) or "html" (minimal, safe)."""
    comments: bool | None = None
    """Readers' comments: True keeps them, False leaves them out, None leaves it to the extractor."""
    tables: bool = True
    """False leaves tables of data out. Tables that lay out a page are no tables of data."""
    links: bool = False
    """Keep the addresses that links lead to; in markdown and html."""
    images: bool = False
    """Keep images with their addresses; in markdown and html."""

    def __post_init__(self) -> None:
        """Raises ValueError for a format that does not exist, or that has no links or images; TypeError for what is no bool."""
        if self.format not in FORMATS:
            raise ValueError(f"unknown format {self.format!r}. Known: {', '.join(FORMATS)}")
        for name in ("comments", "tables", "links", "images"):
            value = getattr(self, name)
            if not isinstance(value, bool) and not (name == "comments" and value is None):
                raise TypeError(f"{name} must be a bool, not {value!r}")
            if name in ("links", "images") and value and self.format == "text":
                raise ValueError(f"plain text has no {name}; choose the format markdown or html")


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text under one block-level element, and what was decided about it."""

    order: int
    """Its place on the page, from 0."""
    kind: str
    """`paragraph`, `heading-1` to `heading-6`, `list-item`, `table-cell`, `preformatted`, …; `text` where no element says."""
    text: str
    kept: bool
    """Whether it belongs to the main text."""
    score: float | None
    """How probably it does, by itself, 0 to 1; None where the extractor does not score blocks."""
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


class PageExtractor:
    """A reusable workspace for extracting pages, one per worker; not for use by two threads at once.

    The stages in order: parse(page), measure(), classify(), render(); extract(page) is all four. Nothing that is in a page makes
    them raise (except for MemoryError): what is wrong with a page is its `status`.
    """

    def __init__(
        self,
        extractor: str = DEFAULT_EXTRACTOR,
        *,
        further: Sequence[str] = (),
        mode: str | None = None,
        output: Output | None = None,
        limits: Limits | None = None,
        model: Model | None = None,
        **options: float,
    ) -> None:
        """A workspace for the extractor of that name, with this model of the learned one (default: the package's); for the rest see choose()."""
        self.limits = limits if limits is not None else Limits()
        self._workspace = Workspace(
            Document(
                max_bytes=self.limits.max_bytes,
                max_nodes=self.limits.max_nodes,
                max_depth=self.limits.max_depth,
                max_attributes=self.limits.max_attributes,
            ),
            model,
        )
        self._text: bytes | None = None
        self._url = b""
        self.choose(extractor, further=further, mode=mode, output=output, **options)

    def choose(
        self,
        extractor: str,
        *,
        further: Sequence[str] = (),
        mode: str | None = None,
        output: Output | None = None,
        **options: float,
    ) -> None:
        """Takes another extractor from now on; a page that is parsed and measured need not be parsed again.

        `further` extractors work on the same page; their texts are in `further_texts` after classify(). `mode` is one of MODES,
        for those of the extractors that have one; `output` is what their texts are given as; `options` are the first extractor's parameters, by name. Raises ValueError for
        an unknown extractor, one that is named twice, or a mode that does not exist or that none of them has, TypeError for an
        unknown option.
        """
        self._take(_plan((extractor, *further), mode, options), output if output is not None else Output())

    def _take(self, plan: _Plan, output: Output) -> None:
        self._text = None
        self.further_texts: dict[str, bytes] = {}
        self.extractor = plan.extractor
        self.output = output
        self._plan = plan
        rules = {None: "leave", False: "drop", True: "keep"}
        comments, tables = rules[output.comments], "leave" if output.tables else "drop"
        self._region_rules = None if comments == tables == "leave" else (comments, tables)

    def parse(self, page: bytes, url: str | None = None) -> None:
        """Parses a page of UTF-8 that came from `url`, which links in the output are relative to. Raises TypeError for what is not bytes."""
        self._text = None
        self._url = url.encode("utf-8", "replace") if url else b""
        self._workspace.parse(page)

    def measure(self) -> None:
        """Computes the metrics of every node, and the blocks."""
        self._workspace.measure(with_concealed=self._plan.begin_concealed)

    def classify(self, *, evidence: bytes | None = None, unwanted: bytes | None = None) -> None:
        """Lets the extractor choose the blocks of the main text; before it the further ones, whose texts are rendered at once.

        What other pages say of each block (thresher.templates.evidence): `evidence` is added to the scores before the choice, blocks marked in
        `unwanted` are dropped after it. A page of which nothing would be left by that is left as it is.
        """
        self._text = None
        workspace = self._workspace
        self.further_texts = {}
        for name, further in self._plan.further:
            workspace.classify(further)
            self._apply_region_rules()
            self.further_texts[name] = self._render()
        first = self._plan.first
        workspace.classify(first, memoryview(evidence).cast("h") if evidence is not None else None)
        if evidence is not None and not any(workspace.kept_bytes()):
            workspace.classify(first)
        if unwanted is not None:
            workspace.drop(unwanted)
        self._apply_region_rules()

    def _apply_region_rules(self) -> None:
        if self._region_rules is not None:
            self._workspace.apply_region_rules(*self._region_rules)

    def render(self) -> bytes:
        """The main text in the format chosen, UTF-8."""
        self._text = self._render()
        return self._text

    def render_text(self) -> bytes:
        """The main text as plain text, whatever the format."""
        return self._workspace.render()

    def _render(self) -> bytes:
        output = self.output
        if output.format == "text":
            return self._workspace.render()
        return self._workspace.render_markup(output.format, links=output.links, images=output.images, url=self._url)

    def extract(self, page: bytes, url: str | None = None) -> bytes:
        """The main text of a page: all four stages."""
        self.parse(page, url)
        self.measure()
        self.classify()
        return self.render()

    @property
    def document(self) -> Document:
        """The page's tree, until the next parse()."""
        return self._workspace.document

    @property
    def status(self) -> str:
        """`ok`, or the limit that the page went over, or `empty` after render() gave no text."""
        status = self._workspace.document.status
        return "empty" if status == "ok" and self._text == b"" else status

    @property
    def n_nodes(self) -> int:
        """Nodes of the tree."""
        return self._workspace.document.n_nodes

    def metadata(self, url: str | None = None, *, not_after: date | None = None) -> Metadata:
        """What the page that was parsed says about itself; for the arguments see thresher.metadata.read_metadata."""
        return read_metadata(self._workspace.document, url, not_after=not_after)

    def metadata_values(self) -> list[tuple[str, str]]:
        """What thresher.metadata.decide() makes the metadata of, when the page may be gone."""
        return find_values(self._workspace.document)

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
        """The expected word F1 of the main text, in [0, 1]; None where the extractor does not know it."""
        return self._workspace.confidence

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
        """The score of each block, signed 16-bit integers in 1/4096 of a logit; None where the extractor scores none, or was given evidence."""
        return self._workspace.scores()

    def kept(self) -> bytes:
        """For each block a byte: 1 if the extractor kept it, else 0."""
        return self._workspace.kept_bytes()

    def excerpts(self, length: int) -> bytes:
        """The beginning of each block's text, at most `length` bytes, and a newline."""
        from thresher.native.templates.fingerprints import block_excerpts

        workspace = self._workspace
        return block_excerpts(workspace.document, workspace.metrics, workspace.blocks, length)

    def pack(self, least: int) -> bytes | None:
        """The page as PackedPage takes it, with the texts of the blocks that were kept or have at least this score (1/4096 of a logit).

        None where the text is markup, which is written from the page's tree.
        """
        if self.output.format != "text":
            return None
        return self._workspace.pack(least, *(self._region_rules or ()))

    def choose_packed(self, packed: PackedPage, scores: bytes, evidence: bytes) -> bool:
        """Chooses again among the blocks of a page that this extractor scored and packed; false where nothing would be left."""
        return packed.choose(self._plan.first, scores, evidence)

    @property
    def n_blocks(self) -> int:
        """Blocks of visible text."""
        return self._workspace.n_blocks

    def blocks(self) -> list[Block]:
        """The page's blocks in order, each with its text and whether it was kept."""
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


class Extraction:
    """What `extract` found on a page."""

    def __init__(self, texts: dict[str, str], charset: str, source: _Source, found: PageExtractor | None) -> None:
        """Made by `extract`; `found` is None where there was no memory for the page."""
        self.texts = texts
        """The main text after each extractor, by its name; the first one's is `text`."""
        self.text = next(iter(texts.values()))
        """The main text; "" where there is none."""
        self.status = found.status if found else "error"
        """`ok`, `empty`, `too_many_bytes`, `too_many_nodes`, `too_deep`, `too_many_attributes` or `error`."""
        self.confidence = found.confidence if found else None
        """The word F1 that is expected of `text`, 0 to 1; None where the extractor does not estimate it."""
        self.charset = charset
        """The character set that the page was decoded from, by its WHATWG name; utf-8 where the page was given as str."""
        self.n_nodes = found.n_nodes if found else 0
        """Nodes of the page's tree."""
        self.n_words = found.n_words if found else 0
        """Words of the page's visible text, main or not."""
        self._source = source
        self._values = found.metadata_values() if found else []

    @cached_property
    def _says(self) -> Metadata:
        """What the page says of itself; decided when first asked for, which takes longer than finding it."""
        return decide(self._values, self._source.url)

    @property
    def title(self) -> str:
        """The page's title, without the name of the site where the page shows which part that is; "" where there is none."""
        return self._says.title or ""

    @property
    def date(self) -> date | None:
        """The day of publication; this and the next are what the page says of itself, None where it does not."""
        return self._says.date

    @property
    def author(self) -> str | None:
        """Authors' names, joined by "; "."""
        return self._says.author

    @property
    def description(self) -> str | None:
        """The page's summary of itself."""
        return self._says.description

    @property
    def site_name(self) -> str | None:
        """What the site is called."""
        return self._says.site_name

    @property
    def canonical_url(self) -> str | None:
        """The address that the page names as its own."""
        return self._says.canonical_url

    @property
    def language_declared(self) -> str | None:
        """The language that the page declares (BCP 47); thresher.identify_language(text) says what it is written in."""
        return self._says.language

    @cached_property
    def blocks(self) -> list[Block]:
        """All blocks of the page with what was decided about each; computed from the page when first asked for."""
        source = self._source
        page_extractor = PageExtractor(
            source.extractors[0],
            further=(),
            mode=source.mode,
            output=source.output,
            limits=source.limits,
            model=None,
            **source.options,
        )
        page_extractor.parse(source.page)
        page_extractor.measure()
        page_extractor.classify()
        return page_extractor.blocks()

    def __repr__(self) -> str:
        """Status, title and the beginning of the text."""
        return f"<Extraction {self.status}: {self.title!r}, {self.text[:60]!r}>"


class _Source(NamedTuple):
    """What an Extraction was made from."""

    page: bytes
    url: str | None
    extractors: tuple[str, ...]
    mode: str | None
    output: Output
    limits: Limits
    options: dict[str, float]


_local = threading.local()
_LIMITS: Final = Limits()
_output = lru_cache(maxsize=64, typed=True)(Output)


def extract(
    html: bytes | str,
    *,
    url: str | None = None,
    charset: str | None = None,
    extractor: str | None = None,
    extractors: Sequence[str] | None = None,
    mode: str | None = None,
    format: str = "text",  # noqa: A002 (what every user calls it)
    comments: bool | None = None,
    tables: bool = True,
    links: bool = False,
    images: bool = False,
    limits: Limits | None = None,
    **options: float,
) -> Extraction:
    """The main text of a page, with its title, status, charset and blocks.

    `html` is the page as bytes, or as str when it is decoded already. `charset` is what the transport said (the charset parameter of
    Content-Type); a byte order mark overrides it, and so does UTF-8 that it plainly is. `extractor` is one of `EXTRACTORS`, `options` are
    its parameters; or `extractors` are several of them, run on one parsed page: the first one gives `text`, `texts` has all. `mode` is
    "precision" (rather less text), "balanced" or "recall" (rather more), for an extractor that has it. `url` is where the page came from; metadata is read with it (relative addresses, the site's name, a date
    in the path), and links in the text. `format` is "text", "markdown" or "html"; `comments`, `tables`, `links` and `images` say what is
    in it (see `Output`).

    No page makes it raise. Raises TypeError for an argument of the wrong type or an unknown option, ValueError for an unknown extractor,
    mode or format, for a mode that no extractor chosen has, and for links or images in plain text.
    """
    if not (url is charset is extractor is mode is None):
        for name, value in (("url", url), ("charset", charset), ("extractor", extractor), ("mode", mode)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} must be str or None, not {type(value).__name__}")
    if extractors is None:
        extractors = (extractor if extractor is not None else DEFAULT_EXTRACTOR,)
    elif extractor is not None:
        raise TypeError("give extractor or extractors, not both")
    elif isinstance(extractors, str):
        raise TypeError("extractors must be a sequence of str, not str")
    limits = limits if limits is not None else _LIMITS
    # Before anything of the page is looked at: what is wrong with the arguments.
    plan = _plan(tuple(extractors), mode, options)
    names = plan.names
    output = _output(format, comments, tables, links, images)
    page, charset_name = _utf8(html, charset, limits.max_bytes)
    source = _Source(page, url, names, mode, output, limits, options)
    try:
        page_extractor = _workspace_of_thread(limits)
        page_extractor._take(plan, output)  # noqa: SLF001 (same module)
        texts = {names[0]: page_extractor.extract(page, url), **page_extractor.further_texts}
    except MemoryError:
        _local.page_extractor = None
        return Extraction(dict.fromkeys(names, ""), charset_name, source, None)
    decoded = {name: texts[name].decode("utf-8", "replace") for name in names}
    return Extraction(decoded, charset_name, source, page_extractor)


def parse(html: bytes | str, *, charset: str | None = None, limits: Limits | None = None) -> Document:
    """The tree of a page. Raises TypeError for an argument of the wrong type; nothing that is in a page makes it raise."""
    limits = limits if limits is not None else Limits()
    page, _ = _utf8(html, charset, limits.max_bytes)
    document = Document(
        max_bytes=limits.max_bytes,
        max_nodes=limits.max_nodes,
        max_depth=limits.max_depth,
        max_attributes=limits.max_attributes,
    )
    document.parse(page)
    return document


def _utf8(html: bytes | str, charset: str | None, max_bytes: int) -> tuple[bytes, str]:
    """The page as UTF-8, and the name of the charset that it was in."""
    if isinstance(html, str):
        return html.encode("utf-8", "replace"), "utf-8"
    if not isinstance(html, (bytes, bytearray, memoryview)):
        raise TypeError(f"html must be bytes or str, not {type(html).__name__}")
    # One byte more than the limit, so that the parser sees that the page goes over it.
    decoded = decode(bytes(html), http_charset=charset, max_bytes=max_bytes + 1)
    return decoded.utf8, decoded.charset


def _workspace_of_thread(limits: Limits) -> PageExtractor:
    """The calling thread's workspace, a new one where it has none with these limits."""
    page_extractor: PageExtractor | None = getattr(_local, "page_extractor", None)
    if page_extractor is None or (page_extractor.limits is not limits and page_extractor.limits != limits):
        page_extractor = _local.page_extractor = PageExtractor(limits=limits)
    return page_extractor


def check_extractors(names: Sequence[str], mode: str | None = None) -> tuple[str, ...]:
    """The names, if each is an extractor's and none is there twice, and one of them has the mode.

    Raises ValueError otherwise, TypeError for a name that is not a str.
    """
    if not names:
        raise ValueError(f"no extractor is named. Known: {', '.join(NAMES)}")
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"extractor must be str, not {type(name).__name__}")
        if name not in registry.EXTRACTORS:
            near = get_close_matches(name, NAMES, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"unknown extractor {name!r}{hint} Known: {', '.join(NAMES)}")
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise ValueError(f"extractor {twice[0]!r} is named twice")
    if mode is not None:
        if mode not in MODES:
            raise ValueError(f"unknown mode {mode!r}. Known: {', '.join(MODES)}")
        # "balanced" is what every extractor does by itself.
        if MODES[mode] and not any("lean" in registry.EXTRACTORS[name].options for name in names):
            able = ", ".join(name for name in NAMES if "lean" in registry.EXTRACTORS[name].options)
            raise ValueError(f"extractor {names[0]!r} has no mode {mode!r}; these have: {able}")
    return tuple(names)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The extractors of a page, checked and with their options."""

    names: tuple[str, ...]
    first: Extractor
    further: tuple[tuple[str, Extractor], ...]  # in the order in which they run
    begin_concealed: bool  # whether the first of all to run reads concealed text

    @property
    def extractor(self) -> str:
        return self.names[0]


def _plan(names: tuple[str, ...], mode: str | None, options: Mapping[str, object]) -> _Plan:
    """The plan of these extractors; `options` are the first one's. For what is raised see PageExtractor.choose()."""
    try:
        return _known_plan(names, mode, tuple(options.items()))
    except TypeError:  # what cannot be looked up is wrong, and what is wrong is said below
        return _new_plan(names, mode, options)


@lru_cache(maxsize=64)
def _known_plan(names: tuple[str, ...], mode: str | None, options: tuple[tuple[str, object], ...]) -> _Plan:
    return _new_plan(names, mode, dict(options))


def _new_plan(names: tuple[str, ...], mode: str | None, options: Mapping[str, object]) -> _Plan:
    extractor, *_ = checked = check_extractors(names, mode)
    chosen = {name: _resolve(name, options if name == extractor else {}, mode) for name in checked}
    first = chosen.pop(extractor)
    # Those that see other text than the first one go first: so the page is measured twice at most, the second time for the first one.
    others = sorted(chosen.items(), key=lambda item: item[1].reads_concealed == first.reads_concealed)
    return _Plan(checked, first, tuple(others), (others[0][1] if others else first).reads_concealed)


def _resolve(extractor: str, options: Mapping[str, object], mode: str | None) -> Extractor:
    """The extractor with these options, and with what the mode says."""
    row = registry.EXTRACTORS[extractor]
    if mode is not None and "lean" in row.options:
        row = row.with_options(lean=MODES[mode])
    return row.with_options(**options)  # type: ignore[arg-type]  # with_options() checks them
