# SPDX-License-Identifier: Apache-2.0
"""Pages to learn from, made of labelled ones: with furniture, and short honest blocks, between their paragraphs.

Labels of advertisements, boxes for newsletters and links to other articles stand between the paragraphs of many pages,
but seldom between those that are labelled. So each page of a set whose blocks have classes, and that has paragraphs, is
made once more with one to five of them: written ones in 33 languages (inserts.toml), and elements of other pages none
of whose text is main text. So that short does not mean wrong, elements of other pages that are main text, short, and
between main text there are put in too.

What is put into a page comes from pages of the same fold of sites. Deterministic: it depends on the page's id alone.
"""

import re
import tomllib
import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from thresher.lab.evaluate.block_classes import MAIN, OPTIONAL, OTHER, read_page_blocks
from thresher.lab.evaluate.folds import site_fold
from thresher.lab.page_html import html_of
from thresher.lab.train.cuts import align_classes
from thresher.native.parsing.document import Document
from thresher.page.page_extractor import Block

INSERTS: Final = "inserts"
"""The set that is made. It has the columns of the set that it is made of, and `kinds`."""
FURNITURE: Final = "furniture"
HONEST: Final = "honest"
"""Classes of blocks that were put in: beside `other`, and beside `main`."""
MOST = 5  # put in for each class
PROSE_WORDS, LEAST_PROSE = 15, 4  # a page has so many blocks of at least so many words
HONEST_WORDS = 14
FOUND_WORDS, FOUND_BLOCKS = 90, 12
_FOUND: Final = 0.35  # of the furniture is an element of another page
_ENGLISH, _FOREIGN = 0.1, 0.1  # of the written furniture is in English, or in any language
_TELLING: Final = 0.5  # of the written furniture has a class that tells what it is
_MARK: Final = "{mark}"
_LISTS: Final = frozenset(("dl", "ol", "select", "table", "tbody", "tfoot", "thead", "tr", "ul"))
_CLOSED: Final = _LISTS | {"a", "p", "pre", "svg"}
_ITEMS: Final = frozenset(("dd", "dt", "li", "td", "th"))
_HONEST_TAGS: Final = frozenset(("blockquote", "div", "h2", "h3", "h4", "h5", "p"))
_FOUND_TAGS: Final = frozenset(("aside", "div", "figure", "p", "section", "ul"))
_FRAMES: Final = frozenset(("footer", "form", "header", "nav"))
_NEUTRAL: Final = ("", "", "row", "box", "block", "inner", "item-3", "c-9f2", "wrap", "module", "component", "css-1x7k")
_NAMES: Final = {
    "ad": ("ad", "adsbygoogle", "ad-slot", "advert", "advertisement", "banner-ad", "dfp-slot", "ad-label", "sponsor"),
    "letter": ("newsletter", "newsletter-signup", "subscribe-box", "email-signup", "mc_embed_signup", "nl-form"),
    "related": ("related", "related-posts", "recommended", "more-stories", "read-next", "most-read", "teaser-list"),
    "also": ("read-also", "see-also", "related-inline", "inline-link", "internal-link", "recirc", "promo"),
    "share": ("share", "share-buttons", "social", "social-links", "addtoany", "sharing"),
    "embed": ("embed", "embed-placeholder", "consent", "external-content", "opt-in"),
    "give": ("donate", "support-us", "donation-box", "cta", "callout-donate", "contribute"),
}
KINDS: Final = tuple(_NAMES)
_SITES: Final = ("Facebook", "Twitter", "X", "WhatsApp", "LinkedIn", "Telegram", "Reddit", "Pinterest", "Bluesky")
_TAG: Final = re.compile(r"^<[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Insert:
    """What is put into a page."""

    html: str
    """One element, with _MARK in its start tag."""
    kind: str
    """One of KINDS, `found`, or `honest`."""
    told: bool
    """Whether a class tells what it is."""


@dataclass(slots=True)
class Bank:
    """What pages of one fold of sites give to others."""

    found: list[Insert] = field(default_factory=list)
    honest: dict[str, list[Insert]] = field(default_factory=lambda: defaultdict(list))
    """By language."""
    titles: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """By language."""


def write_inserts(file: Path, folder: Path) -> Path:
    """The file of the pages of a set with classes of blocks that have something put in; this writes it."""
    table = pq.read_table(file)
    rows = table.to_pylist()
    banks: dict[int, Bank] = defaultdict(Bank)
    for row in rows:
        _collect(row, banks[site_fold(row["site"])])
    made = [page for row in rows if (page := _page(row, banks[site_fold(row["site"])]))]
    schema = table.schema.append(pa.field("kinds", pa.list_(pa.string())))
    pq.write_table(pa.Table.from_pylist(made, schema), folder / f"{INSERTS}.parquet", compression="zstd")
    return folder / f"{INSERTS}.parquet"


def _collect(row: dict[str, Any], bank: Bank) -> None:
    """Puts into the bank what a page gives: its headline, furniture below its first main text, short main text."""
    document, blocks = read_page_blocks(row["html"])
    classes, language = row["classes"], _language(row)
    mains = [i for i, name in enumerate(classes) if name == MAIN]
    bank.titles[language] += [
        b.text for b, c in zip(blocks, classes, strict=True) if c == "title" and 3 <= b.words <= 16
    ][:1]
    if len(mains) < LEAST_PROSE:
        return
    honest = 0
    for i in mains[1:-1]:
        block = blocks[i]
        alone = blocks[i - 1].end <= block.element and document.end(block.element) <= blocks[i + 1].start
        if alone and honest < 3 and block.words <= HONEST_WORDS and classes[i - 1] == classes[i + 1] == MAIN:
            html = _element(document, block.element, _HONEST_TAGS, block.start, block.end)
            if html:
                honest += 1
                bank.honest[language].append(Insert(html, HONEST, told=False))
    given = 0
    i = mains[0]
    while i < len(blocks) and given < 4:
        last = _run_of_other(document, blocks, classes, i) if classes[i] == OTHER else i
        if last > i:
            html = _element(document, blocks[i].element, _FOUND_TAGS, blocks[i].start, blocks[last - 1].end)
            if html:
                given += 1
                bank.found.append(Insert(html, "found", told=False))
        i = max(i + 1, last)


def _run_of_other(document: Document, blocks: Sequence[Block], classes: Sequence[str], i: int) -> int:
    """One past the last block of the element around block i, if this is its first and all of them are `other`."""
    element = blocks[i].element
    if document.tag(element) not in _FOUND_TAGS or _in_frame(document, element):
        return i
    end = document.end(element)
    j, words = i, 0
    while j < len(blocks) and blocks[j].start < end:
        words += blocks[j].words
        if classes[j] != OTHER:
            return i
        j += 1
    return j if words <= FOUND_WORDS and j - i <= FOUND_BLOCKS and (i == 0 or blocks[i - 1].end <= element) else i


def _in_frame(document: Document, n: int) -> bool:
    while n > 0:
        if document.tag(n) in _FRAMES:
            return True
        n = document.parent(n)
    return False


def _element(document: Document, n: int, tags: frozenset[str], start: int, end: int) -> str:
    """The HTML of an element that has these nodes and no other text, "" if it is of no use."""
    if document.tag(n) not in tags or not n < start <= end <= document.end(n):
        return ""
    html = html_of(document, of=n).decode("utf-8", "replace")
    tag = _TAG.match(html)
    return html[: tag.end()] + _MARK + html[tag.end() :].replace(_MARK, "") if tag and len(html) < 12000 else ""


def _page(row: dict[str, Any], bank: Bank) -> dict[str, Any] | None:
    """The row of a page with something put in; None where there is no room for it."""
    document, blocks = read_page_blocks(row["html"])
    classes = row["classes"]
    prose = [i for i, name in enumerate(classes) if name == MAIN and blocks[i].words >= PROSE_WORDS]
    if len(prose) < LEAST_PROSE:
        return None
    places = sorted({place for i in prose[1:] if (place := _place(document, blocks, classes, i))})
    if not places:
        return None
    chance = np.random.default_rng([zlib.crc32(f"{INSERTS}{row['id']}".encode())])
    language = _language(row)
    shorts = bank.honest[language]
    inserts = [(FURNITURE, _furniture(language, bank, chance)) for _ in range(chance.integers(1, MOST + 1))]
    inserts += [(HONEST, _any_of(shorts, chance)) for _ in range(chance.integers(0, MOST)) if shorts]
    # One place holds one thing, so that furniture has main text on both sides.
    put = dict(zip(chance.permutation(places).tolist(), inserts, strict=False))
    marks = {n: f' data-insert="{name} {insert.kind} {insert.told:d}"' for n, (name, insert) in put.items()}
    marked = html_of(document, before={n: insert.html.replace(_MARK, marks[n]) for n, (_, insert) in put.items()})
    found = _classes_of(marked, blocks, classes)
    if found is None:
        return None
    html = html_of(document, before={n: insert.html.replace(_MARK, "") for n, (_, insert) in put.items()})
    texts = [block.text for block in read_page_blocks(html)[1]]
    if len(texts) != len(found):
        return None
    pairs = [(text, name) for text, (name, _) in zip(texts, found, strict=True)]
    return {
        **row,
        "html": html,
        "gold": "\n".join(text for text, name in pairs if name in (MAIN, HONEST)),
        "optional": "\n".join(text for text, name in pairs if name in OPTIONAL),
        "classes": [name for _, name in pairs],
        "kinds": [kind for _, kind in found],
    }


def _language(row: dict[str, Any]) -> str:
    language = row["lang"] or "en"
    return "no" if language in ("nb", "nn") else language


def _place(document: Document, blocks: Sequence[Block], classes: Sequence[str], i: int) -> int:
    """The node before which something can stand between block i and the main text before it, 0 for none."""
    if i == 0 or classes[i - 1] != MAIN:
        return 0
    n, last = blocks[i].element, blocks[i - 1].start
    if n > blocks[i].start:
        return 0
    while n > 0 and not document.parent(n) < last < document.end(document.parent(n)):
        n = document.parent(n)
    is_open = document.tag(document.parent(n)) not in _CLOSED and document.tag(n) not in _ITEMS
    return n if n > last and is_open else 0


def _classes_of(marked: bytes, blocks: Sequence[Block], classes: Sequence[str]) -> list[tuple[str, str]] | None:
    """Class and kind of each block of a page with something put in; None if nothing of that became a block."""
    document, found = read_page_blocks(marked)
    ranges = [
        (n, document.end(n), document.attributes(n)["data-insert"].split(" ", 1))
        for n in range(1, document.n_nodes)
        if not document.tag(n).startswith("#") and "data-insert" in document.attributes(n)
    ]
    known: dict[int, tuple[str, str]] = {}
    for block in found:
        for start, end, (name, kind) in ranges:
            if start <= block.start < end:
                known[block.order] = name, kind
    if not known:
        return None
    rest = [block.text for block in found if block.order not in known]
    own = iter(align_classes(rest, [(block.text, name) for block, name in zip(blocks, classes, strict=True)]))
    return [known[block.order] if block.order in known else (next(own), "") for block in found]


def _any_of(inserts: Sequence[Insert], chance: np.random.Generator) -> Insert:
    return inserts[int(chance.integers(len(inserts)))]


def _furniture(language: str, bank: Bank, chance: np.random.Generator) -> Insert:
    if bank.found and chance.random() < _FOUND:
        return _any_of(bank.found, chance)
    words = phrases()
    drawn = chance.random()
    if drawn < _FOREIGN:
        language = str(chance.choice(sorted(words)))
    elif language not in words or drawn < _FOREIGN + _ENGLISH:
        language = "en"
    kind = KINDS[int(chance.integers(len(KINDS)))]
    told = bool(chance.random() < _TELLING)
    titles = bank.titles[language] or bank.titles["en"] or ["…"]
    name = str(chance.choice(_NAMES[kind] if told else _NEUTRAL))
    attributes = f' class="{name}"' if name else ""
    return Insert(write(kind, words[language], titles, attributes, chance), kind, told)


@cache
def phrases() -> dict[str, Any]:
    """The words of written furniture, by language."""
    return tomllib.loads(files(__package__).joinpath("inserts.toml").read_text(encoding="utf-8"))


def write(kind: str, words: dict[str, Any], titles: Sequence[str], attributes: str, chance: np.random.Generator) -> str:
    """The HTML of one piece of furniture, in one of the shapes that it has on pages."""
    shape = int(chance.integers(4))

    def text(name: str, number: int | None = None) -> str:
        found = words[name]
        found = found if isinstance(found, str) else found[chance.integers(len(found)) if number is None else number]
        return escape(found, quote=False)

    def links(least: int, most: int) -> list[str]:
        count = int(chance.integers(least, most))
        return [f'<a href="/{n}.html">{escape(str(chance.choice(titles)), quote=False)}</a>' for n in range(count)]

    def listed(found: Sequence[str], plain: str) -> str:
        return f"<ul>{''.join(f'<li>{link}</li>' for link in found)}</ul>" if shape < 2 else plain

    if kind == "ad":
        label = text("ad")
        inner = [label, f"<span>{label}</span>", f"<p>{label}</p>", f"<small>{label}</small><iframe src='/x'></iframe>"]
    elif kind == "letter":
        head, body, button = (text("letter", number) for number in range(3))
        form = f'<form><input type="email"><button>{button}</button></form>'
        inner = [
            f"<h3>{head}</h3><p>{body}</p>{form}",
            f"<p><strong>{head}</strong> {body}</p>{form}",
            f"<h4>{head}</h4><p>{body}</p><a href='/letter'>{button}</a>",
            f"<p>{body}</p><p><a href='/letter'>{button}</a></p>",
        ]
    elif kind == "related":
        found, head = links(2, 6), "h3" if shape % 2 else "p"
        pages = listed(found, "".join(f"<div>{link}</div>" for link in found))
        inner = [f"<{head}>{text('related')}</{head}>{pages}"] * 4
    elif kind == "also":
        label, (link,) = text("also"), links(1, 2)
        inner = [
            f"{label} {link}",
            f"<strong>{label}</strong> {link}",
            f"<p><em>{label} {link}</em></p>",
            f"<span>{label}</span><div>{link}</div>",
        ]
    elif kind == "share":
        found = [f'<a href="/s">{name}</a>' for name in chance.permutation(_SITES)[: chance.integers(2, 6)]]
        label = f"<span>{text('share')}</span>" if shape % 2 else ""
        inner = [label + listed(found, " ".join(found))] * 4
    else:
        button = "OK" if kind == "embed" else text("give", 1)
        inner = [f"<p>{text(kind, 0)}</p>{end}" for end in ("", f"<button>{button}</button>", f"<a>{button}</a>", "")]
    tag = "p" if shape == 0 and kind in ("ad", "also") else str(chance.choice(("div", "div", "aside", "section")))
    return f"<{tag}{_MARK}{attributes}>{inner[shape]}</{tag}>"
