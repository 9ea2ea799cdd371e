# SPDX-License-Identifier: Apache-2.0
"""What is fuzzed: one function for each target, which takes any bytes and raises only where something is wrong.

The first eight bytes of an input choose options, the rest is the page, archive or body. Where the first byte is odd,
the rest are instructions that grammar.py writes a page from. So a seed is eight bytes and a file.
"""

import gzip
import io
import re
import struct
import sys
import unicodedata
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from ctypes import c_ubyte
from datetime import date
from itertools import pairwise
from typing import Final

from grammar import written_page
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin
from slow_inputs import TRIES, bound, keeping_slow, seconds_of

from thresher.file_kinds import binary_kind
from thresher.native.base.characters import first_letters, measure
from thresher.native.choosing.registry import EXTRACTORS as EXTRACTOR_TABLE
from thresher.native.facts.describe import find_values
from thresher.native.facts.shown_lines import find_shown_lines
from thresher.native.measuring.blocks import Blocks
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document
from thresher.native.parsing.prescan import charset_metas
from thresher.native.parsing.utf8 import OTHER, double_utf8, encoded_once, repaired_sequences, utf8_state
from thresher.native.scoring.feature_table import FEATURES
from thresher.native.scoring.features import Features
from thresher.native.scoring.model import default_model
from thresher.native.templates.evidence import other_page_counts
from thresher.native.templates.fingerprints import (
    block_excerpts,
    block_sizes,
    fingerprint,
    near_duplicate_marks,
    node_keys,
)
from thresher.native.templates.packed import PackedPage
from thresher.native.templates.signatures import signatures_of_nodes
from thresher.native.workspace import FORMATS, Workspace
from thresher.native.writing.block_columns import KINDS, block_columns
from thresher.native.writing.source import ATTRIBUTES, ELEMENTS
from thresher.native.writing.urls import resolve_url
from thresher.options import EXTRACTORS, MODES, Limits
from thresher.page.charset import decode
from thresher.page.legacy_encodings import LABELS, decode_as
from thresher.page.metadata import read_metadata
from thresher.page.page_extractor import PageExtractor
from thresher.reading.captures import WarcReading
from thresher.reading.payload import (
    PayloadError,
    charset_parameter,
    decode_body,
    media_type,
    parse_head,
    sniff_html,
)
from thresher.templates.evidence import decide
from thresher.templates.evidence import default_model as evidence_model
from thresher.templates.structure import CONEX, TEMEX, Site

N_OPTIONS: Final = 8  # bytes
SPLIT: Final = b"<!--split-->"  # between two pages, archives or whatever a target takes several of
URLS: Final = (
    None,
    "",
    "http://e.org/a/b?c",
    "https://www.news.example.co.uk/2024/01/02/title.html",
    "//[::1",
    "e:\0/é",
)
TINY: Final = Limits(max_bytes=3000, max_nodes=300, max_depth=8, max_attributes=60)
SOME: Final = Limits(max_bytes=20_000, max_nodes=5000, max_depth=64, max_attributes=1000)
ENCODINGS: Final = sorted(set(LABELS.values()))


class Finding(Exception):
    """Something that must not be."""


def require(condition: object, what: str) -> None:
    """Raises Finding where a condition does not hold. Not assert: it must hold under `python -O`, too."""
    if not condition:
        raise Finding(what)


def split_input(data: bytes) -> tuple[bytes, bytes]:
    """The options, eight bytes, and the page."""
    options, rest = data[:N_OPTIONS].ljust(N_OPTIONS, b"\0"), data[N_OPTIONS:]
    return options, written_page(rest) if options[0] & 1 else rest


def exact(page: bytes) -> c_ubyte:
    """The page in memory of its size: a bytes object has a NUL behind it, which hides a read of one byte too many."""
    return (c_ubyte * len(page)).from_buffer_copy(page)


# --- the core ---

_limited = Document(max_bytes=3000, max_nodes=300, max_depth=8, max_attributes=60)


def _checked(document: Document, page: bytes) -> None:
    document.parse(exact(page))
    problem = document.verify()
    require(not problem, problem)
    document.checksum()


def parse(data: bytes) -> None:
    """The parser, with default limits in new memory and with tiny limits in memory that is used again."""
    options, page = split_input(data)
    document = Document()
    _checked(document, page)
    _checked(_limited, page)
    if options[1] % 16 == 0:
        document.dump()
        document.title()


_long_lived = PageExtractor("all")
_CHOICES: Final = (
    {"comments": "keep"},
    {"comments": "drop"},
    {"tables": "drop"},
    {"comments": "drop", "tables": "drop"},
    {},
)
_TABLES_AND_FORMULAS: Final = ({}, {"tables": "html"}, {"formulas": "text"}, {"tables": "html", "formulas": "drop"})


def extract(data: bytes) -> None:
    """All extractors, modes, limits and rules: in new memory, then in memory that earlier pages have used."""
    options, page = split_input(data)
    names = list(dict.fromkeys(EXTRACTORS[number % len(EXTRACTORS)] for number in options[1 : 2 + options[5] % 4]))
    keywords = {
        **_CHOICES[options[6] % len(_CHOICES)],
        "extractors": names,
        "mode": list(MODES)[options[7] % 3] if any("lean" in EXTRACTOR_TABLE[name].options for name in names) else None,
        "limits": (Limits(), SOME, TINY)[options[7] // 3 % 3],
    }
    fresh = PageExtractor(**keywords)
    page_in_memory = exact(page) if options[7] & 128 else page
    text = fresh.extract(page_in_memory)
    further = dict(fresh.further_texts)
    n_blocks = fresh.workspace.n_blocks
    require(len(fresh.workspace.kept_bytes()) == n_blocks, "a byte for each block")
    require(len(block_sizes(fresh.workspace.blocks)) == 4 * n_blocks, "a size for each block")
    require(fresh.confidence is None or 0.0 <= fresh.confidence <= 1.0, "confidence is a share")
    require(0.0 <= fresh.workspace.link_density <= 1.0, "link density is a share")
    blocks = fresh.blocks()
    require(
        [block.kept for block in blocks] == [bool(kept) for kept in fresh.workspace.kept_bytes()], "the blocks kept"
    )
    for block in blocks:
        require(0.0 <= block.link_density <= 1.0, "a block's link density is a share")
        require(block.start < block.end <= fresh.workspace.document.n_nodes, "a block's nodes are the page's")
    _columns(fresh, n_blocks, is_utf8=utf8_state(page) != OTHER)

    _long_lived.choose(**keywords)
    require(_long_lived.extract(page) == text, "the text does not depend on the pages before")
    require(_long_lived.further_texts == further, "nor do those of further extractors")
    _with_evidence(_long_lived, options, n_blocks)
    if options[6] & 64:  # the document parses behind the workspace's back
        fresh.workspace.document.parse(page[::-1])
        for call in (fresh.workspace.render, fresh.blocks, fresh.workspace.kept, fresh.classify):
            with suppress(RuntimeError):
                call()
                raise Finding("a workspace works on a page that is gone")
    if options[6] & 128:
        _on_nodes(page)


def _page_of_blocks(extractor: PageExtractor) -> tuple[Document, Metrics, Blocks]:
    workspace = extractor.workspace
    return workspace.document, workspace.metrics, workspace.blocks


def _columns(extractor: PageExtractor, n_blocks: int, *, is_utf8: bool) -> None:
    """The columns of the table of blocks: a value for each block, offsets that never fall; UTF-8 where the page is."""
    kinds, words, *densities, path_offsets, paths, text_offsets, texts = block_columns(*_page_of_blocks(extractor))
    require(len(kinds) == n_blocks and all(kind < len(KINDS) for kind in kinds), "a kind for each block")
    require(len(words) == 4 * n_blocks, "words for each block")
    require([len(each) for each in densities] == [4 * n_blocks] * 2, "densities for each block")
    for packed_offsets, values in ((path_offsets, paths), (text_offsets, texts)):
        offsets = memoryview(packed_offsets).cast("i").tolist()
        require(len(offsets) == n_blocks + 1, "an offset for each block, and one more")
        require(offsets[0] == 0 and offsets[-1] == len(values), "offsets from the beginning to the end")
        require(all(one <= next_one for one, next_one in pairwise(offsets)), "offsets in their order")
        for one, next_one in pairwise(offsets):
            values[one:next_one].decode(errors="strict" if is_utf8 else "replace")


def _with_evidence(extractor: PageExtractor, options: bytes, n_blocks: int) -> None:
    """A choice with what other pages say, and another one without."""
    pattern = struct.pack("<4h", *(number * 257 - 32768 for number in options[1:5]))
    extractor.classify(
        evidence=(pattern * n_blocks)[: 2 * n_blocks], unwanted=(options[1:4] * n_blocks)[:n_blocks] or b""
    )
    extractor.render()
    extractor.classify()
    extractor.render()


def _on_nodes(page: bytes) -> None:
    """What training and the comparison with other systems ask of a page."""
    workspace = Workspace(Document())
    workspace.parse(page)
    workspace.measure(with_concealed=len(page) % 2 == 0)
    document, metrics, blocks = workspace.document, workspace.metrics, workspace.blocks
    features = Features()
    features.compute(document, metrics, blocks)
    require(len(features.values()) == 2 * len(FEATURES) * len(blocks), "a value for each feature and block")
    features.containers(), features.parents(), features.terms(document, metrics, blocks), features.tokens(document)
    workspace.keep_nodes(bytes(node % 3 == 0 for node in range(document.n_nodes)))
    workspace.render()
    workspace.marked_shares(bytes(document.n_nodes))
    for name in ("cetd", "conex", "thresher"):
        workspace.classify(EXTRACTOR_TABLE[name])
        workspace.node_marks(), workspace.scores()
    for node in range(0, document.n_nodes, 7):
        metrics.composite_text_density(node), metrics.words_per_leaf(node), metrics.hyperlink_ratio(node)
        metrics.density_sum(document, node), metrics[node]


_ATTRIBUTES: Final = frozenset(["href", "src", "alt", "start", "class", "colspan", "rowspan"])
_ELEMENTS: Final = frozenset(
    [
        "del",
        "hr",
        "html",
        "head",
        "body",
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "blockquote",
        "pre",
        "code",
        "table",
        "caption",
        "tbody",
        "tr",
        "td",
        "th",
        "strong",
        "em",
        "sub",
        "sup",
        "br",
        "a",
        "img",
    ]
)
_SOURCE_ELEMENTS: Final = frozenset(("html", "head", "body", *ELEMENTS.split()))
_SOURCE_ATTRIBUTES: Final = frozenset(("href", "src", *ATTRIBUTES))
_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]*):")
_SCHEMES: Final = frozenset(("http", "https", "ftp", "mailto", "tel"))


_NOT_COMPARED: Final = dict.fromkeys(
    map(ord, "\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff_^()$")
)


_BRACKETS: Final = re.compile(r"\\[\[\]()]|\[/?(?:tex|itex|latex|math)\]", re.IGNORECASE)


def markup(data: bytes) -> None:
    """Every format with every option; HTML that is written holds nothing but harmless elements."""
    options, page = split_input(data)
    url = URLS[options[1] % len(URLS)]
    name = ("all", "all", "thresher", "cetd")[options[2] % 4]
    with_links = {"links": bool(options[3] & 1), "images": bool(options[3] & 2)}
    rules = _CHOICES[options[4] % len(_CHOICES)] | _TABLES_AND_FORMULAS[options[5] % len(_TABLES_AND_FORMULAS)]
    texts = {}
    for form in FORMATS:
        chosen = {**rules, **(with_links if form != "text" else {})}
        extractor = PageExtractor(name, format=form, **chosen)
        texts[form] = extractor.extract(page, url)
        extractor.render_text()
    _check_html(texts["html"], _ELEMENTS, _ATTRIBUTES)
    _check_html(texts["source"], _SOURCE_ELEMENTS, _SOURCE_ATTRIBUTES)
    if not with_links["links"] and not with_links["images"] and "formulas" not in rules:
        back = PageExtractor("all").extract(texts["html"])
        require(_letters(back) == _letters(texts["text"]), "the text comes back from HTML")


def _check_html(html: bytes, elements: Collection[str], attributes: Collection[str]) -> None:
    """HTML that was written holds nothing but these elements and attributes, and addresses that lead somewhere."""
    document = Document()
    document.parse(exact(html))
    for node in range(document.n_nodes):
        tag = document.tag(node)
        if tag.startswith("#") or tag == "":
            continue
        is_formula = tag == "span" and document.attributes(node).get("class") in ("math", "math display")
        require(tag in elements or is_formula, f"element {tag} in HTML that was written")
        for key, value in document.attributes(node).items():
            require(key in attributes, f"attribute {key} in HTML that was written")
            if key in ("href", "src"):
                scheme = _SCHEME.match(re.sub(r"[\0- ]", "", value).lower())
                require(scheme is None or scheme[1] in _SCHEMES, f"address {value} in HTML that was written")


_HIDDEN: Final = ("auto", "keep", "drop")
_CAPTIONS: Final = ("auto", "extractor", "keep", "drop")
_TABLES: Final = ("keep", "drop", "html")
_FORMULAS: Final = ("tex", "text", "drop")
_EVERY_COMMENT: Final = ("auto", "keep", "drop")
# What a renderer may make of Markdown without tables as HTML, and the attributes that it writes.
_RENDERED: Final = frozenset(
    (
        *("html", "head", "body", "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre"),
        *("code", "strong", "em", "table", "thead", "tbody", "tr", "th", "td", "br", "hr", "s", "section", "sup"),
        *("input", "a", "img"),
    )
)
_OF_RENDERED: Final = frozenset(
    ("start", "class", "align", "href", "src", "alt", "title", "id", "type", "checked", "style")
)
_OF_NOTES: Final = ("data-footnote", "disabled")


def markdown(data: bytes) -> None:
    """Markdown with every option, in memory that earlier pages have used; what a renderer makes of it holds nothing of
    the page but text.
    """
    options, page = split_input(data)
    chosen = {
        "links": bool(options[3] & 1),
        "images": bool(options[3] & 2),
        "hidden": _HIDDEN[options[4] % 3],
        "captions": _CAPTIONS[options[5] % 4],
        "tables": _TABLES[options[6] % 3],
        "formulas": _FORMULAS[options[7] % 3],
        "comments": _EVERY_COMMENT[options[7] // 3 % 3],
    }
    name = ("all", "all", "thresher", "cetd")[options[2] % 4]
    url = URLS[options[1] % len(URLS)]
    _markdown.choose(name, format="markdown", **chosen)
    text = _markdown.extract(page, url)
    require(_markdown.render() == text, "written twice, the text is the same")
    _columns(_markdown, _markdown.workspace.n_blocks, is_utf8=False)
    elements, attributes = _RENDERED, _OF_RENDERED
    if chosen["tables"] == "html":  # which are raw HTML within the Markdown
        elements, attributes = elements | _ELEMENTS, attributes | _ATTRIBUTES
    shown = _RENDERER.render(text.decode("utf-8", "replace"))
    document = Document(max_bytes=1 << 24)
    document.parse(shown.encode("utf-8", "replace"))
    for node in range(document.n_nodes):
        tag = document.tag(node)
        if tag == "" or tag in {"#document", "#text"}:
            continue
        is_formula = tag == "span" and document.attributes(node).get("class") in ("math", "math display")
        require(tag in elements or is_formula, f"{tag} in what Markdown is shown as")
        require(tag != "img" or chosen["images"], "a picture that was switched off")
        for key, value in document.attributes(node).items():
            require(key in attributes or key.startswith(_OF_NOTES), f"attribute {key} in what Markdown is shown as")
            if key in ("href", "src"):
                require(
                    value.startswith("#") or chosen["links"] or chosen["images"], f"address {value} was switched off"
                )
                scheme = _SCHEME.match(re.sub(r"[\0- ]", "", value).lower())
                require(scheme is None or scheme[1] in _SCHEMES, f"address {value} in what Markdown is shown as")


_markdown: Final = PageExtractor(format="markdown")
# Not cmark-gfm, which tests/differential/test_markdown_renderers.py has too: its binding loses the memory of each text.
_RENDERER: Final = (
    MarkdownIt("commonmark", {"html": True})
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(tasklists_plugin)
)
_RENDERER.validateLink = lambda _url: True  # type: ignore[method-assign]


def blocks(data: bytes) -> None:
    """What is asked of blocks: columns, excerpts, sizes, fingerprints; and hidden text by every rule."""
    options, page = split_input(data)
    keywords = {
        "extractor": ("thresher", "all", "density")[options[1] % 3],
        "hidden": _HIDDEN[options[2] % 3],
        "formulas": _FORMULAS[options[3] % 3],
        "limits": (Limits(), SOME, TINY)[options[4] % 3],
    }
    fresh = PageExtractor(**keywords)
    text = fresh.extract(exact(page))
    n_blocks = fresh.workspace.n_blocks
    _columns(fresh, n_blocks, is_utf8=utf8_state(page) != OTHER)
    require(
        block_excerpts(*_page_of_blocks(fresh), 1 + options[5]).count(b"\n") == n_blocks, "an excerpt for each block"
    )
    require(len(fresh.fingerprints()) == 8 * n_blocks, "a fingerprint for each block")
    require(len(block_sizes(fresh.workspace.blocks)) == 4 * n_blocks, "a size for each block")
    _blocks.choose(**keywords)
    require(_blocks.extract(page) == text, "the text does not depend on the pages before")
    require(_blocks.fingerprints() == fresh.fingerprints(), "nor do fingerprints")
    said, again = fresh.metadata(URLS[options[6] % len(URLS)]), _blocks.metadata(URLS[options[6] % len(URLS)])
    require(said == again, "nor does what the page says of itself")


_blocks: Final = PageExtractor()


def _letters(text: bytes) -> str:
    """The text without white space; without soft hyphens and the like, which are text in code only; and without the
    marks of sub and sup, which depend on how much stands in the element, and the delimiters of formulas: one has two
    dollars on each side where it is alone in its paragraph, be it because its neighbours were dropped, and brackets and
    forums' tags delimit formulas only where they balance and hold something.
    """
    plain = unicodedata.normalize("NFKC", _BRACKETS.sub("", text.decode("utf-8", "replace")))  # a raised 3 is a 3
    return "".join(plain.translate(_NOT_COMPARED).split())


def _pages(data: bytes) -> tuple[bytes, list[bytes]]:
    """Options and two to four pages that resemble each other."""
    options, rest = data[:N_OPTIONS].ljust(N_OPTIONS, b"\0"), data[N_OPTIONS:]
    if options[0] & 1:
        common, step = rest[: len(rest) // 2], max(1, len(rest) // 6)
        chunks = [rest[len(rest) // 2 + number * step :][:step] for number in range(3)]
        return options, [written_page(common + chunk)[:20_000] for chunk in chunks]
    pages = rest.split(SPLIT, 3)
    return options, pages if len(pages) > 1 else [rest, rest + b"<p>another <b>one", rest[: len(rest) // 2]]


def templates(data: bytes) -> None:
    """What pages of a host have in common: text by text and place by place."""
    options, pages = _pages(data)
    extractor = PageExtractor(("thresher", "all", "cetd")[options[1] % 3])
    fingerprints, totals = [], {}
    for page in pages:
        text = extractor.extract(page)
        near_duplicate_marks(text)
        document = extractor.workspace.document
        require(document.n_nodes == len(signatures_of_nodes(document)), "a signature for each node")
        prints = extractor.fingerprints()
        require(len(prints) == 8 * extractor.workspace.n_blocks, "a fingerprint for each block")
        fingerprints.append(prints)
        for key in set(memoryview(prints).cast("q")):
            totals[key] = totals.get(key, 0) + 1
        block_excerpts(*_page_of_blocks(extractor), 1 + options[2])
        node_keys(prints, options[3], distinct=True), node_keys(prints, options[3])
    own = memoryview(fingerprints[-1]).cast("q")
    found = struct.pack(f"={len(own)}i", *(totals[key] for key in own))
    counts = other_page_counts(found, fingerprints[-1], 1)
    page = extractor.workspace
    sizes, kept = block_sizes(page.blocks), page.kept_bytes()
    decision = decide(page.scores(), sizes, kept, counts, len(pages) - 1, evidence_model())
    require(0.0 <= decision.template_share <= 1.0, "the share of template is one")
    if decision.changes:
        extractor.classify(evidence=decision.evidence, unwanted=decision.unwanted)
        extractor.render()
    _by_structure(options, pages)
    fingerprint(pages[0])


def _by_structure(options: bytes, pages: list[bytes]) -> None:
    """The templates by structure of pages of one site."""
    method = (TEMEX, CONEX)[options[4] % 2]
    urls = [f"http://e.org/{number % 2}/{number}" for number in range(len(pages))]
    if options[4] & 2:
        pages = [page + b"<p><a href=/1/1>x</a><a href=/0/2>y</a><a href=0>z</a>" for page in pages]
    site = Site(method)
    numbers = [site.add(page, url) for page, url in zip(pages, urls, strict=True)]
    site.template(0)
    site.template(0, numbers[1:], votes=1 + options[5] % 3)
    site.main_content(0, numbers[1:])
    site.template_around(0, pages[0], numbers[1:])


_packed = PackedPage()
_DAMAGES: Final = 4
_RULES: Final = ({}, {"comments": "drop"}, {"tables": "drop"}, {"comments": "keep", "tables": "drop"})
_LARGEST_RENDERED: Final = 1 << 16  # nodes of a packed page that says so; a cell may be as many tabs away


def packed(data: bytes) -> None:
    """A packed page whose bytes were altered, or any bytes, is refused or gives some text."""
    if data[:1] == b"\xff":  # any bytes
        _use(data[1:])
        return
    changes = data[-6 * _DAMAGES :] if len(data) > N_OPTIONS + 6 * _DAMAGES else b""
    options, page = split_input(data[: len(data) - len(changes)])
    extractor = PageExtractor(("thresher", "all", "cetd")[options[1] % 3], **_RULES[options[2] % len(_RULES)])
    text = extractor.extract(page)
    whole = extractor.pack(-32768 + 257 * options[3])
    require(whole is not None, "plain text can be packed")
    _packed.load(whole)
    _packed.keep(extractor.workspace.kept_bytes())
    # A text from JSON-LD, a script or a template is in no block, and templates leave such pages alone. Pages come
    # decoded: a broken character may be a word to one of the two and white space to the other.
    is_page = extractor.text_source == "dom" and utf8_state(exact(page)) != OTHER
    require(not is_page or _packed.render() == text, "a packed page gives the text of the page")
    altered = bytearray(whole)
    for at, (kind, where, number) in enumerate(struct.iter_unpack("<HHH", changes)):
        if not altered or not options[4] >> at & 1:
            continue
        place = where % len(altered)
        if kind % 4 == 0:
            altered[place] = number & 255
        elif kind % 4 == 1:
            struct.pack_into("<I", altered, place // 4 * 4, number) if len(altered) >= place // 4 * 4 + 4 else None
        elif kind % 4 == 2:
            struct.pack_into("<I", altered, place // 4 * 4, 0xFFFFFFFF - number) if len(
                altered
            ) >= place // 4 * 4 + 4 else None
        else:
            del altered[place : place + number % 16]
    _use(bytes(altered))


def _use(data: bytes) -> None:
    """Loads a packed page and does with it all that can be done."""
    packed_page = PackedPage()
    try:
        packed_page.load(data)
    except ValueError:
        return
    is_large = struct.unpack_from("<I", data, 4)[0] > _LARGEST_RENDERED
    n_blocks = len(packed_page.kept_bytes())
    for kept in (b"\1" * n_blocks, (b"\0\1" * n_blocks)[:n_blocks]):
        packed_page.keep(kept, bytes(n_blocks))
        if not is_large:
            packed_page.render()
    for scores in (bytes(2 * n_blocks), struct.pack("<2h", 8000, -8000) * n_blocks):
        with suppress(ValueError):  # nothing to choose by
            packed_page.choose(EXTRACTOR_TABLE["thresher"], scores[: 2 * n_blocks], bytes(2 * n_blocks))
            require(0.0 <= (packed_page.confidence or 0.0) <= 1.0, "confidence is a share")
            if not is_large:
                packed_page.render()


def metadata(data: bytes) -> None:
    """What a page says of itself."""
    options, page = split_input(data)
    url = URLS[options[1] % len(URLS)]
    document = Document()
    document.parse(exact(page))
    said, _, _, lines = find_values(document)
    for values in said.values():
        for value in values:
            value.encode()
    for _, _, text, marks in (*lines, *find_shown_lines(document, True, True, (page[:40],))):
        require(len(text) <= 160 and 0 <= marks < 4096, "a shown line is short")
    said = read_metadata(document, url, not_after=date(2025, 1, 1) if options[2] & 1 else None)
    for value in (said.title, said.author, said.description, said.site_name, said.canonical_url, said.language):
        require(value is None or value.encode(), "what is said is a text that is not empty")
    base, _, reference = page.partition(b"\n")
    resolve_url(base, reference), resolve_url(base, reference, for_markdown=True)


def charset(data: bytes) -> None:
    """Decoding: the prescan, UTF-8 and its repair, and every encoding of the standard."""
    options, page = split_input(data)
    label = (None, ENCODINGS[options[2] % len(ENCODINGS)], page[:20].decode("latin-1"))[options[1] % 3]
    found = decode(page, http_charset=label, max_bytes=10_000 if options[3] & 1 else None)
    found.utf8.decode("utf-8")
    require(found.charset in ENCODINGS, "an encoding of the standard")
    decode_as(ENCODINGS[options[2] % len(ENCODINGS)], page).encode("utf-8", "replace")
    in_memory = exact(page)
    try:
        text: str | None = page.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    require((utf8_state(in_memory) != OTHER) == (text is not None), "UTF-8 is what Python takes for it")
    double_utf8(in_memory)
    charset_metas(page), charset_metas(page, raw_text=True)
    if text is not None:
        for changed in (encoded_once(page), repaired_sequences(page)):
            require(changed is None or utf8_state(changed) != OTHER or changed != page, "what is repaired is UTF-8")
    measure(found.utf8)
    first_letters(found.utf8, options[4])


# --- what is written in Python ---

_CODINGS: Final = (
    "",
    "gzip",
    "deflate",
    "br",
    "zstd",
    "chunked",
    "x-gzip",
    "identity",
    "compress",
    "gzip, gzip",
    "br, gzip",
    ",,",
)
_BODY_LIMIT: Final = 1 << 20


def payload(data: bytes) -> None:
    """HTTP heads, and bodies with transfer and content codings, whole and damaged."""
    options, rest = data[:N_OPTIONS].ljust(N_OPTIONS, b"\0"), data[N_OPTIONS:]
    head = parse_head(rest)
    if head is not None:
        media_type(head.content_type), charset_parameter(head.content_type)
    sniff_html(rest), binary_kind(rest)
    body, transfer, content = rest, "", ""
    for number in options[1:4]:
        coding = number % 6
        if coding == 1:
            body, content = gzip.compress(body, mtime=0), f"{content}, gzip"
        elif coding == 2:
            body, content = zlib.compress(body)[2 * (number >= 128) :], f"{content}, deflate"
        elif coding == 3:
            body = gzip.compress(b"", mtime=0) * number + gzip.compress(body, mtime=0) * (1 + number % 3)
            content = f"{content}, gzip"
        elif coding == 4:
            size = 1 + number // 6
            chunks = [body[at : at + size] for at in range(0, len(body), size)]
            body, transfer = (
                b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n",
                "chunked",
            )
    if body and options[0] & 1:
        at = int.from_bytes(options[6:8], "little") % len(body)
        body = body[:at] + bytes((options[5],)) + body[at + 1 :] if options[0] & 2 else body[:at]
    if not content and not transfer:
        transfer, content = _CODINGS[options[4] % len(_CODINGS)], _CODINGS[options[5] % len(_CODINGS)]
    limit = _BODY_LIMIT if options[0] & 4 else 1 + options[6]
    try:
        found, problem = decode_body(body, transfer, content, limit)
    except PayloadError:
        return
    require(len(found) <= limit, "a body within the limit")
    require(problem in ("", "limit", "encoding"), f"problem {problem!r}")


class MemoryFile(io.BytesIO):
    """An archive in memory."""

    size = property(lambda self: len(self.getbuffer()))


def records(data: bytes) -> None:
    """Archives: plain, compressed as a whole and record by record, whole and in two splits."""
    options, archive = data[:N_OPTIONS].ljust(N_OPTIONS, b"\0"), data[N_OPTIONS:]
    kind = options[0] % 4
    if kind == 1:
        archive = gzip.compress(archive, 1, mtime=0)
    elif kind == 2:
        archive = b"".join(gzip.compress(part, 1, mtime=0) for part in _parts(archive, b"WARC/1."))
    if kind and options[1] & 1 and archive:
        at = int.from_bytes(options[2:4], "little") % len(archive)
        archive = archive[:at] + bytes((options[4],)) + archive[at + 1 :]
    whole = _read(archive, 0, None)
    require(all(one <= other for one, other in pairwise(whole)), "captures in their order")
    middle = int.from_bytes(options[5:7], "little") % (len(archive) + 1)
    if middle:
        _read(archive, 0, middle), _read(archive, middle, None)


def _parts(data: bytes, start: bytes) -> Iterator[bytes]:
    """The data cut before each place where `start` stands."""
    first, *rest = data.split(start)
    if first:
        yield first
    yield from (start + part for part in rest)


def _read(archive: bytes, start: int, end: int | None) -> list[int]:
    """The offsets of the captures."""
    reading = WarcReading("memory", start=start, end=end, filename="memory")
    offsets = []
    for capture in reading.captures(reading.read_file(MemoryFile(archive))):
        length = capture.warc_record_length
        require(0 < length <= len(archive) - capture.warc_record_offset, "a record lies within its file")
        offsets.append(capture.warc_record_offset)
    accounted = len(offsets) + sum(reading.skipped.values()) + len(reading.dead_letters)
    require(reading.n_records == accounted, "each record is a capture, skipped or a dead letter")
    return offsets


CORE: Final = (parse, extract, markup, markdown, blocks, templates, packed, metadata, charset)
PYTHON: Final = (payload, records)
TARGETS: Final[dict[str, Callable[[bytes], None]]] = {each.__name__: each for each in (*CORE, *PYTHON)}


def target(name: str) -> Callable[[bytes], None]:
    """The target of that name, which keeps slow inputs.

    Its late imports are done: libFuzzer counts what is loaded when it begins.
    """
    found = TARGETS[name]
    default_model(), evidence_model()
    found(b"")
    found(bytes(N_OPTIONS) + b"<p>word")
    return keeping_slow(found, name)


def main() -> None:
    """`python targets.py TARGET FILE…`: runs findings again, without a fuzzer, and prints their cost."""
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            data = file.read()
        seconds = min(seconds_of(TARGETS[sys.argv[1]], data) for _ in range(TRIES))
        print(f"{seconds:.3f} s, {bound(data):.3f} s allowed: {path}")


if __name__ == "__main__":
    main()
