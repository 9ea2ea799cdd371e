# SPDX-License-Identifier: Apache-2.0
"""The tasks of a worker: from the body of a request to the JSON of an answer."""

from __future__ import annotations

import json
import time
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from thresher.collector import calm_collector
from thresher.errors import Refused
from thresher.native.choosing.registry import EXTRACTORS as EXTRACTOR_TABLE
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace
from thresher.options import EXTRACTORS, Options, make_options
from thresher.page.charset import decode
from thresher.page.extraction import extract
from thresher.page.page_extractor import Block, PageExtractor
from thresher.reading.payload import charset_parameter
from thresher.serving.asking import Ask, ask_of, check_keys, read_ask, read_object
from thresher.serving.explaining import explainer
from thresher.serving.shown_page import shown_page

MAX_EXPLAINED: Final = 300
"""Blocks of a page whose deciding features are found in one request: some 0.7 ms of CPU each."""
MAX_NODES: Final = 100_000
"""Nodes of a page whose blocks are shown; what lies beyond is not looked at, and the status of the page says so."""
MAX_FEATURES: Final = 3_000
"""Blocks of a page whose features are in an answer."""
MAX_BLOCKS: Final = 20_000
"""Blocks of a page in an answer; the rest is left out, and the answer says so."""
MAX_PAGES: Final = 30
"""Pages of a host in one request."""
MAX_TEXT: Final = 2_000
"""Characters of a block's text in an answer with several pages."""
MAX_CONCEALED: Final = 500
"""Concealed elements of a page in an answer."""
CONCEALED_BY: Final = {
    "faint": "a style that makes it transparent or without size, or hidden=until-found",
    "sheet": "a rule of the page's style sheets",
    "clipped": "a style that clips it or puts it off the page",
    "readers": "a class for screen readers",
    "tooltip": "a class of tooltips",
    "attribute": "the attribute hidden, or aria-hidden with another way",
    "display": "display: none in its style attribute",
    "visibility": "visibility: hidden in its style attribute",
    "dialog": "a dialog that is not open",
    "noscript": "noscript",
    "aria": "aria-hidden",
    "icon": "the name of an icon",
}
"""What conceals an element, by reason (native/shown/decision.pxd)."""


def prepare() -> None:
    """Load the model, the language model and everything else that the first page needs."""
    extract(b"<p>The first page reads the model.</p>").to_dict()
    calm_collector()


def to_json(found: object) -> bytes:
    """JSON in UTF-8. Unpaired surrogates, which are not text, become question marks."""
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def extract_page(body: bytes, content_type: str, query: Mapping[str, str]) -> bytes:
    """The result of extracting the page in a request: the columns of `pages`, with the `id` of a JSON body if it has
    one.
    """
    return _with_id(read_ask(body, content_type, query, ("id",)))


def extract_line(line: bytes, query: Mapping[str, str]) -> bytes:
    """The result for a line of a batch, with the line's `id` if it has one."""
    return _with_id(ask_of(read_object(line), query, ("id",)))


def id_of_line(line: bytes) -> bytes:
    """An object with the `id` of a line of a batch; an empty one if the line has none or is no object."""
    try:
        found = read_object(line)
    except Refused:
        found = {}
    return to_json({"id": found["id"]} if "id" in found else {})


def _with_id(ask: Ask) -> bytes:
    answer = extract(ask.html, url=ask.url, charset=ask.charset, options=ask.options).to_dict()
    return to_json({"id": ask.rest["id"], **answer} if "id" in ask.rest else answer)


# --- blocks ---


def blocks_of_page(body: bytes, content_type: str, query: Mapping[str, str]) -> bytes:
    """Every block of the page in a request, with the decision about it.

    A JSON body may request more: `compare` (names of extractors, or true for all), `others` (pages of the same host:
    the share of them that has each block) or `templates` (such shares by fingerprint, as found by a run), `shown` (the
    page as the workbench shows it), `explain` (the numbers of the blocks whose deciding features are wanted, or false
    for none) and `features` (false omits the features).
    """
    return to_json(blocks_of(read_blocks_ask(body, content_type, query)))


BLOCK_KEYS: Final = ("compare", "others", "templates", "shown", "explain", "features")
"""What a JSON body may ask about blocks beside the options."""


def read_blocks_ask(body: bytes, content_type: str, query: Mapping[str, str], more: Collection[str] = ()) -> Ask:
    """The page, the options and what else is asked about blocks."""
    wanted = dict(query)
    switches = {name: wanted.pop(name, "") for name in ("shown", "explain", "features")}
    ask = read_ask(body, content_type, wanted, (*BLOCK_KEYS, *more))
    for name, value in switches.items():
        if value:
            ask.rest.setdefault(name, value.lower() in ("1", "true", "yes"))
    return ask


def blocks_of(ask: Ask) -> dict[str, Any]:
    """The blocks of a page, and what else was asked."""
    ask.options = _bounded(ask.options)
    found = extract(ask.html, url=ask.url, charset=ask.charset, options=ask.options)
    answer: dict[str, Any] = {"result": found.to_dict(), "options": ask.options.to_dict(), "blocks": []}
    if found.status in ("not_html", "error"):
        return answer
    page = _utf8(ask)
    scored = _scored(page, ask)
    workspace, blocks = scored.workspace, scored.blocks()
    answer["n_blocks"] = len(blocks)
    if found.options.extractors[0] != "thresher":
        starts = _kept_starts(PageExtractor.of_page(page, ask.url, ask.options))
        blocks = [replace(block, kept=block.start in starts) for block in blocks]
    rows = [_row(block) for block in blocks[:MAX_BLOCKS]]
    paths = element_paths(workspace.document, {block.element for block in blocks[:MAX_BLOCKS]})
    for row, block in zip(rows, blocks, strict=False):
        row["path"] = paths[block.element]
    answer["concealed"] = _add_concealed(rows, blocks, workspace)
    _add_reasons(rows, workspace, ask)
    _add_frequencies(rows, scored, ask)
    if ask.rest.get("compare"):
        answer["compared"] = _compare(page, ask, rows, blocks)
    if ask.rest.get("shown"):
        answer["shown"] = shown_page(workspace.document, [(block.start, block.end) for block in blocks])
    answer["blocks"] = rows
    return answer


def _bounded(options: Options) -> Options:
    limits = options.limits
    return replace(options, limits=replace(limits, max_nodes=min(limits.max_nodes, MAX_NODES)))


def _utf8(ask: Ask) -> bytes:
    return decode(ask.html, http_charset=ask.charset, max_bytes=ask.options.limits.max_bytes + 1).utf8


def _scored(page: bytes, ask: Ask) -> PageExtractor:
    """The page, as the learned extractor scores and keeps its blocks."""
    is_learned = ask.options.extractors[0] == "thresher"
    options = ask.options if is_learned else make_options(ask.options, extractor="thresher")
    return PageExtractor.of_page(page, ask.url, options)


def _kept_starts(page_extractor: PageExtractor) -> set[int]:
    """The first nodes of the blocks that an extractor kept. One that reads no concealed text has fewer blocks."""
    workspace = page_extractor.workspace
    return {workspace.blocks[order]["start"] for order, kept in enumerate(workspace.kept()) if kept}


def _row(block: Block) -> dict[str, Any]:
    row = block.to_dict()
    row["score"] = None if block.score is None else round(block.score, 4)
    row["link_density"] = round(block.link_density, 4)
    return row


def _add_reasons(rows: list[dict[str, Any]], workspace: Workspace, ask: Ask) -> None:
    """Features, the deciding ones, and a sentence that states the decision."""
    first = ask.options.extractors[0]
    learned = first == "thresher"
    kept = [row["score"] for row in rows if row["kept"] and row["score"] is not None]
    lowest = min(kept, default=None)
    explained = _explained(ask.rest.get("explain", True))
    table = explainer().table(workspace) if ask.rest.get("features", True) or explained else None
    for row in rows:
        if learned:
            row["reason"] = _reason(row, lowest)
        else:
            row["reason"] = f"{first} {'keeps' if row['kept'] else 'drops'} it; the score is that of thresher"
        if table is None:
            continue
        if ask.rest.get("features", True) and row["order"] < MAX_FEATURES:
            row["features"] = {name: round(value, 4) for name, value in table.values(row["order"]).items()}
        if row["order"] in explained:
            row["deciding"] = explainer().deciding(table, row["order"])


def _add_concealed(rows: list[dict[str, Any]], blocks: list[Block], workspace: Workspace) -> list[dict[str, Any]]:
    """What the page conceals, and by which rule: its outermost concealed elements that have text, in the order of the
    page. To each block is added the reason for which its text is concealed; None if it is not.
    """
    document: Document = workspace.document
    elements = workspace.concealed()
    ends = [document.end(node) for node, _, _ in elements]
    for row, block in zip(rows, blocks, strict=False):
        place = bisect_right(ends, block.start)
        row["concealed"] = elements[place][1] if place < len(ends) and elements[place][0] < block.start else None
    found: list[dict[str, Any]] = []
    for (node, reason, run), end in zip(elements, ends, strict=True):
        texts = [document.text(n) for n in range(node, end) if document.tag(n) == "#text"]
        text = " ".join(" ".join(texts).split())
        if text and len(found) < MAX_CONCEALED:
            by = CONCEALED_BY[reason]
            found.append({"reason": reason, "by": by, "in_line": run, "characters": len(text), "text": text[:MAX_TEXT]})
    return found


def _explained(wanted: object) -> Collection[int]:
    """The numbers of the blocks to be explained."""
    if isinstance(wanted, list):
        return frozenset(each for each in wanted[:MAX_EXPLAINED] if isinstance(each, int))
    return range(MAX_EXPLAINED) if wanted else ()


def _reason(row: Mapping[str, Any], lowest: float | None) -> str:
    score = row["score"]
    if score is None:
        return "kept" if row["kept"] else "dropped"
    if row["kept"]:
        return f"kept: scored {score:.2f}; the lowest score that this page's choice keeps is {lowest:.2f}"
    if lowest is None:
        return f"dropped: scored {score:.2f}; nothing on this page is kept"
    if score < lowest:
        return f"dropped: scored {score:.2f}, below the {lowest:.2f} from which this page's choice keeps blocks"
    return (
        f"dropped although it scored {score:.2f}: it stands outside the part of the page that is kept, or a rule for "
        "comments, captions or tables took it out"
    )


def _add_frequencies(rows: list[dict[str, Any]], scored: PageExtractor, ask: Ask) -> None:
    """The share of the host's other pages that have each block; None if unknown.

    `others` are such pages. `templates` are shares by fingerprint that a run found.
    """
    others, templates = ask.rest.get("others"), ask.rest.get("templates")
    shares: dict[int, float] = {}
    if templates is not None:
        try:
            shares = {int(fingerprint): float(share) for fingerprint, share in templates.items()}
        except (AttributeError, TypeError, ValueError):
            raise Refused("`templates` must be an object of fingerprints and shares") from None
    elif others:
        pages = pages_of(others)
        counts: Counter[int] = Counter()
        for page in pages:
            counts.update(_texts_of(page))
        shares = {fingerprint: n / len(pages) for fingerprint, n in counts.items()}
    known = templates is not None or bool(others)
    for row, fingerprint in zip(rows, array("q", scored.fingerprints()), strict=False):
        row["template_frequency"] = shares.get(fingerprint, 0.0) if known and fingerprint else None


def extracted(ask: Ask) -> PageExtractor:
    """The page of a request, as the first extractor of its options chose its blocks."""
    return PageExtractor.of_page(_utf8(ask), ask.url, _bounded(ask.options))


def _texts_of(ask: Ask) -> set[int]:
    """The fingerprints of the blocks that the learned extractor finds on a page."""
    found = extracted(Ask(ask.html, ask.url, ask.charset, make_options(extractor="thresher")))
    return set(array("q", found.fingerprints())) - {0}


def _compare(page: bytes, ask: Ask, rows: list[dict[str, Any]], blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """What each extractor keeps: its text, words and time."""
    wanted = ask.rest["compare"]
    names = list(EXTRACTORS) if wanted is True else wanted
    if not isinstance(names, list) or not set(map(str, names)) <= set(EXTRACTORS):
        raise Refused(f"`compare` must be true or a list of {', '.join(EXTRACTORS)}")
    compared = []
    for row in rows:
        row["kept_by"] = []
    for name in names:
        options = make_options(ask.options, extractor=name, mode="balanced")
        if name == "thresher":
            options = make_options(options, mode=ask.options.mode)
        begun = time.perf_counter()
        page_extractor = PageExtractor(options=make_options(options, format="text", links=False, images=False))
        text = page_extractor.extract(page, ask.url).decode("utf-8", "replace")
        seconds = time.perf_counter() - begun
        starts = _kept_starts(page_extractor)
        for row, block in zip(rows, blocks, strict=False):
            if block.start in starts:
                row["kept_by"].append(name)
        entry: dict[str, Any] = {
            "extractor": name,
            "words": sum(block.words for block in blocks if block.start in starts),
            "blocks": len(starts),
            "milliseconds": round(1000 * seconds, 2),
            "text": text,
        }
        compared.append(entry)
    return compared


def element_paths(document: Document, wanted: set[int]) -> dict[int, str]:
    """The path of each wanted element, such as `html/body/div[2]/p[1]`. Numbers count siblings of the same name."""
    last = max(wanted, default=-1)
    names: dict[int, str] = {}
    counts: Counter[tuple[int, str]] = Counter()
    for n in range(last + 1):
        tag = document.tag(n)
        if tag.startswith("#") and tag != "#content":
            continue
        key = (document.parent(n), tag)
        counts[key] += 1
        names[n] = f"{tag}[{counts[key]}]" if tag not in ("html", "head", "body") else tag
    found = {}
    for element in wanted:
        parts: list[str] = []
        n = element
        while n in names:
            parts.append(names[n])
            n = document.parent(n)
        found[element] = "/".join(reversed(parts)) or "/"
    return found


# --- several pages of a host ---


def pages_of(found: object) -> list[Ask]:
    """The pages in a list of JSON objects with `html` and `url`. Raises Refused for anything else."""
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise Refused("pages must be a list of objects with `html` and `url`")
    return [ask_of(each) for each in found]


def site(body: bytes) -> bytes:
    """What several pages of one host have in common: for each page its blocks, the number of other pages that have each
    block, and the results of TemEx, HybEx and site-level ConEx.
    """
    from thresher.templates.structure import CONEX, TEMEX, Site

    asked = read_object(body)
    check_keys(asked, ("pages", "shown"))
    pages = pages_of(asked.get("pages"))
    if not 2 <= len(pages) <= MAX_PAGES:
        raise Refused(f"`pages` must hold 2 to {MAX_PAGES} pages, not {len(pages)}")
    for page in pages:
        page.options = _bounded(page.options)
    documents = [_utf8(page) for page in pages]
    by_template, by_content = Site(TEMEX), Site(CONEX)
    for page, utf8 in zip(pages, documents, strict=True):
        by_template.add(utf8, page.url)
        by_content.add(utf8, page.url)
    counts: Counter[int] = Counter()
    for page in pages:
        counts.update(_texts_of(page))
    answer = []
    for number, (page, utf8) in enumerate(zip(pages, documents, strict=True)):
        scored = _scored(utf8, page)
        workspace, blocks, fingerprints = scored.workspace, scored.blocks(), array("q", scored.fingerprints())
        shares = {
            "temex": workspace.marked_shares(_fitted(by_template.template(number), workspace)),
            "hybex": workspace.marked_shares(_fitted(by_template.template_around(number, utf8), workspace)),
            "conex": workspace.marked_shares(_fitted(by_content.main_content(number), workspace)),
        }
        rows = []
        for block in blocks[:MAX_BLOCKS]:
            row = _row(block)
            row["text"] = block.text[:MAX_TEXT]
            fingerprint = fingerprints[block.order]
            row["pages"] = counts[fingerprint] if fingerprint else None
            row |= {name: round(values[block.order], 4) for name, values in shares.items()}
            rows.append(row)
        entry: dict[str, Any] = {
            "url": page.url,
            "compared_with": [pages[other].url for other in by_template.candidates(number)],
            "blocks": rows,
        }
        if asked.get("shown"):
            entry["shown"] = shown_page(workspace.document, [(block.start, block.end) for block in blocks])
        answer.append(entry)
    words = sum(row["words"] for entry in answer for row in entry["blocks"])
    repeated = sum(row["words"] for entry in answer for row in entry["blocks"] if (row["pages"] or 0) > 1)
    return to_json(
        {"n_pages": len(pages), "repeated_share": round(repeated / words, 4) if words else 0.0, "pages": answer}
    )


def _fitted(marks: bytes, workspace: Workspace) -> bytes:
    """Marks for every node of a page. A page beyond the limit of the comparison has no marks at its end."""
    n = workspace.document.n_nodes
    return marks[:n].ljust(n, b"\0")


# --- extractors ---


def describe_extractors() -> list[dict[str, Any]]:
    """Every extractor with its parameters, and whether it has modes; the default one first."""
    return [
        {
            "name": name,
            "parameters": dict(EXTRACTOR_TABLE[name].options),
            "modes": "lean" in EXTRACTOR_TABLE[name].options,
        }
        for name in sorted(EXTRACTORS, key=lambda name: name not in Options().extractors)
    ]


# --- pages for the workbench ---


def page_of_body(body: bytes, content_type: str) -> bytes:
    """The page in a request as JSON: `html` as text, and `url`."""
    ask = read_ask(body, content_type, {})
    return to_json({"html": _utf8(ask).decode("utf-8", "replace"), "url": ask.url})


def page_of_fetch(body: bytes, content_type: str, url: str, *, is_cut: bool) -> bytes:
    """A fetched page as JSON: `html` as text, `url`, and `is_cut`: whether that is only the page's beginning."""
    charset = charset_parameter(content_type)
    html = _utf8(Ask(body, url, charset)).decode("utf-8", "replace")
    return to_json({"html": html, "url": url, "is_cut": is_cut})
