# SPDX-License-Identifier: Apache-2.0
"""Fits how much a text looks like a name (native/facts/names.pyx): a logistic regression over hashed words.

It learns from the names that annotators gave pages as their authors, and those that pages declare as persons, beside
the other short texts that the pages show: labels of buttons and menus, headings, places, names of sites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from thresher.lab.evaluate.block_classes import read_page_blocks
from thresher.lab.evaluate.facts import Facts, labelled_files, labelled_pages
from thresher.native.facts.authors import read_names
from thresher.native.facts.describe import find_values
from thresher.native.facts.names import name_features

_PLACES: Final = 1 << 14
_UNITS: Final = 16  # of a weight make 1
_MAX_WORDS: Final = 5  # of a short text,
_MAX_CHARACTERS: Final = 40  # and its characters
_OTHERS: Final = 40_000  # texts that are no names, at most
_NAME_WEIGHT: Final = 4.0  # of a name, beside that of another text
_STRENGTH: Final = 0.3  # of the data against small weights


@dataclass(frozen=True, slots=True)
class Texts:
    """Short texts of a page."""

    site: str
    names: frozenset[str]
    """Of people who wrote it, and of persons whom it declares."""
    others: frozenset[str]


def read_texts(data: Path, labels: Mapping[str, Facts]) -> list[Texts]:
    """The short texts of the labelled pages below a folder."""
    pages = []
    for path in labelled_files(data, labels=labels):
        for number, (html, row, gold) in enumerate(labelled_pages(path, labels)):
            document, blocks = read_page_blocks(html)
            linked = find_values(document, row.get("url"))[2]
            people = [author for thing in linked for author in thing.get("author", []) if isinstance(author, dict)]
            declared = [name for each in people for name in each.get("name", []) if isinstance(name, str)]
            names = frozenset(read_names(declared)) | frozenset(filter(None, gold.get("author", "").split("; ")))
            short = (text for text in (block.text for block in blocks) if len(text) < _MAX_CHARACTERS)
            others = frozenset(text for text in short if 0 < len(text.split()) <= _MAX_WORDS) - names
            pages.append(Texts(row.get("site") or f"{path.stem}/{number}", names, others))
    return pages


def fit_names(pages: Sequence[Texts]) -> bytes:
    """The weights that thresher.native.facts.names.NameWeights takes. The same pages give the same bytes."""
    names = sorted({(page.site, text) for page in pages for text in page.names})
    others = sorted({(page.site, text) for page in pages for text in page.others})
    chosen = np.random.default_rng(1).permutation(len(others))[:_OTHERS]
    texts = [text for _, text in names] + [others[i][1] for i in chosen]
    rows = [{feature % _PLACES for feature in name_features(text)} for text in texts]
    ends = np.cumsum([0, *map(len, rows)])
    places = np.fromiter((place for row in rows for place in sorted(row)), dtype=np.int64, count=int(ends[-1]))
    table = sp.csr_matrix((np.ones(len(places)), places, ends), shape=(len(rows), _PLACES))
    is_name = np.arange(len(rows)) < len(names)
    model = LogisticRegression(C=_STRENGTH, fit_intercept=False, max_iter=200, solver="liblinear", random_state=1)
    model.fit(table, is_name, sample_weight=np.where(is_name, _NAME_WEIGHT, 1.0))
    return bytes(np.clip(np.round(model.coef_[0] * _UNITS), -127, 127).astype(np.int8).tobytes())
