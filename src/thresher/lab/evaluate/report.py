# SPDX-License-Identifier: Apache-2.0
"""The evaluation report: one HTML file that needs no network.

`report.html` is its Jinja template; here is what goes into it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rapidfuzz.distance import LCSseq

from thresher.lab.evaluate.labelled_pages import LabelledPages, Measured
from thresher.lab.evaluate.peers import PEERS
from thresher.lab.evaluate.summary import HEAD, Floats, column, set_means, strings, summarise
from thresher.lab.evaluate.tokens import tokens
from thresher.lab.evaluate.tolerant import HEAD as TOLERANT_HEAD
from thresher.lab.evaluate.tolerant import has_classes, tolerant_rows

WORST_PAGES = 3
"""Pages shown for each system."""
_SHOWN_TOKENS = 500  # on either side of a comparison
_CONTEXT = 12  # tokens kept on either side of a difference; longer stretches that agree are folded


def write_report(labelled: LabelledPages, measured: Sequence[Measured], results: pa.Table) -> str:
    summaries = summarise(results)
    by_name = {one.system.name: one for one in measured}
    order = [summary.system for summary in summaries]
    ordered = [by_name[name] for name in order]
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(
        n_pages=len(labelled.pages),
        n_sites=len(set(labelled.sites)),
        n_sets=len({page.dataset for page in labelled.pages}),
        corpus=labelled.corpus_hash[:16],
        systems={"head": HEAD, "rows": [row.cells() for row in summaries], "kinds": [row.kind for row in summaries]},
        tolerant=_tolerant(results),
        sets=_sets(results, order),
        worst=[_worst(labelled, one) for one in ordered],
        settings=_settings(ordered),
    )


def _tolerant(results: pa.Table) -> list[dict[str, Any]]:
    """The tables of the tolerant measure: over all pages, by type of page, by language. None without classes."""
    if not has_classes(results):
        return []
    kinds = dict(zip(strings(results, "system"), strings(results, "kind"), strict=True))
    tables = []
    for name, about in ((None, "pages"), ("page_type", "type of page"), ("language", "language")):
        rows = tolerant_rows(results, name)
        tables.append(
            {
                "title": f"By {about}" if name else f"All {rows[0].pages} pages of {rows[0].sites} sites",
                "head": (about, "number", "sites", "system", *TOLERANT_HEAD),
                "rows": [[row.group, row.pages, row.sites, row.system, *row.cells()] for row in rows],
                "kinds": [kinds[row.system] for row in rows],
            }
        )
    return tables


def _heat_map(rows: Sequence[str], columns: Sequence[str], values: Floats, *, low: float) -> dict[str, Any]:
    """A table of figures up to 1 with the share of colour of each: 0 at `low`, 1 at 1. NaN gives an empty cell."""

    def cell(value: float) -> dict[str, Any] | None:
        if np.isnan(value):
            return None
        return {"text": f"{value:.3f}", "share": round(min(max((value - low) / (1 - low), 0.0), 1.0), 3)}

    cells = [[cell(float(value)) for value in row] for row in values]
    return {"columns": columns, "rows": [{"name": name, "cells": row} for name, row in zip(rows, cells, strict=True)]}


def _sets(results: pa.Table, order: Sequence[str]) -> dict[str, Any]:
    """Mean word F1 of each system on each set."""
    names, means = set_means(results, "word_cjk_f1")
    return _heat_map(order, names, np.array([means[name] for name in order]), low=0.3)


def _worst(labelled: LabelledPages, one: Measured) -> dict[str, Any]:
    """A system's pages of the lowest F1 beside their gold texts."""
    f1 = column(one.table, "rouge_lsum_f1")
    # Among pages that score 0 the longer gold text first: an empty answer to a long text is the worse failure.
    order = sorted(range(len(f1)), key=lambda i: (f1[i], -len(labelled.pages[i].gold), labelled.pages[i].id))
    pages = []
    for i in order[:WORST_PAGES]:
        page, output = labelled.pages[i], one.outputs[i]
        gold, extracted = differences(page.gold, output.text)
        status = "" if output.status == "ok" else f", {output.status}"
        title = f"{page.dataset} {page.id}: F1 {f1[i]:.3f}{status}"
        pages.append({"title": title, "url": page.url, "gold": gold, "extracted": extracted})
    return {"name": one.system.name, "kind": one.system.kind, "pages": pages}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text and the HTML element that marks it."""

    text: str
    mark: str = ""  # "del": only the gold text has it; "ins": only the extracted text; "s": stands for what is left out


def differences(gold: str, extracted: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts as pieces, with what the other text lacks marked."""
    wanted, found = tokens(gold)[: 20 * _SHOWN_TOKENS], tokens(extracted)[: 20 * _SHOWN_TOKENS]
    left: list[Piece] = []
    right: list[Piece] = []
    for code in LCSseq.opcodes(wanted, found):
        if code.tag == "equal":
            alike = list(_folded(wanted[code.src_start : code.src_end]))
            left += alike
            right += alike
            continue
        if code.src_end > code.src_start:
            left.append(Piece(_cut(wanted[code.src_start : code.src_end]), "del"))
        if code.dest_end > code.dest_start:
            right.append(Piece(_cut(found[code.dest_start : code.dest_end]), "ins"))
    return _limited(left), _limited(right)


def _folded(alike: Sequence[str]) -> Iterator[Piece]:
    """Tokens that both texts have, the middle of a long stretch folded."""
    if len(alike) <= 3 * _CONTEXT:
        yield Piece(" ".join(alike))
        return
    yield Piece(" ".join(alike[:_CONTEXT]))
    yield Piece(f"[… {len(alike) - 2 * _CONTEXT} alike …]", "s")
    yield Piece(" ".join(alike[-_CONTEXT:]))


def _cut(differing: Sequence[str]) -> str:
    rest = len(differing) - _SHOWN_TOKENS
    return " ".join(differing[:_SHOWN_TOKENS]) + (f" [… {rest} more …]" if rest > 0 else "")


def _limited(pieces: Sequence[Piece]) -> list[Piece]:
    """As many pieces as fit into what is shown of a page."""
    size = 0
    for number, piece in enumerate(pieces):
        size += len(piece.text)
        if size > 12 * _SHOWN_TOKENS and number:
            return [*pieces[:number], Piece(f"[… {len(pieces) - number} more pieces …]", "s")]
    return list(pieces)


def _settings(ordered: Sequence[Measured]) -> dict[str, Any]:
    systems = [one.system for one in ordered]
    rows = [
        [system.name, system.kind, system.version, PEERS[system.name].settings if system.name in PEERS else ""]
        for system in systems
    ]
    return {"rows": rows, "kinds": [system.kind for system in systems]}
