# SPDX-License-Identifier: Apache-2.0
"""Fits what finds the type of a page; thresher.lab.train.facts is the command.

A page's type is that which an annotator gave, or that of its column page_type or kind, or of its set: all pages of a
set of news are news, whatever their age, language and markup. Where a set tells fewer types apart, a page counts for
each that its label may stand for, by how likely it is.

Two stages. A logistic regression over evidence: what has a name (native/facts), and hashed words of classes
and of the beginnings of blocks (scoring/tokens.pxd). Then boosted trees, which begin with the sums of the regression
and ask for numbers of the page and for these sums. Of pages of few words they know nothing, so they are not asked. The
sums that trees are fitted to are of weights that were not fitted to the page's site. The same pages are fitted without
the hashed words too, as short pages have few of them, and without the shape, for callers that choose no text; and so
are copies of them that are nothing but a title and the main text as plain HTML, all of it or its beginning, half of
them without an address, as short pages that declare nothing and have no classes are rare among those that are labelled.
The report is of pages of sites that nothing was fitted to.
"""

from __future__ import annotations

import base64
import html
import json
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np
import pyarrow.parquet as pq
from scipy.sparse import csr_matrix, diags, hstack, vstack
from sklearn.linear_model import LogisticRegression

from thresher.lab.evaluate.block_classes import page_id
from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.facts import Facts
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.train.trees import REPEATABLE, as_nodes
from thresher.native.facts.describe import find_values
from thresher.native.facts.page_types import NUMBERS, find_evidence, find_numbers
from thresher.page.page_extractor import PageExtractor
from thresher.page_types import GROUP_OF_TYPE, GROUPS, TYPES

Numbers = np.ndarray[Any, Any]

_TYPES_OF_LABEL: Final = {
    **{name: name for name in TYPES},
    "sports": "news", "collection": "listing", "category": "listing", "search": "listing", "docs": "documentation",
    "wiki": "reference", "landing": "home service", "about": "service", "contact": "service", "faq": "service",
    "gallery": "media", "login": "interface",
}  # fmt: skip
"""Labels of columns: the types that they may stand for."""
_COARSE: Final = {"article": "article news blog", "service": "service home", "documentation": "documentation reference"}
"""The same, of WCXB and other sets that know few types."""
_LABEL_OF_SET: Final = {
    "andy": "news blog article", "cn_immortal": "news article", "daniel": "news", "dragnet": "article news blog",
    "forum": "forum", "fundus": "news article", "magic_html_article": "article news blog", "magic_html_forum": "forum",
    "ota": "legal", "recipes": "recipe", "wwwxmu_cn": "news",
}  # fmt: skip
# A set of few sites says less than one of many: so many of its pages are fitted to, with so much weight.
_MOST: Final = {
    "daniel": 150, "wwwxmu_cn": 60, "dragnet": 300, "recipes": 250, "ssg_pairs": 200, "shopify": 120, "ota": 100,
}  # fmt: skip
_SET_WEIGHTS: Final = {"wcxb": 1.0, "pages": 1.0, "more": 1.0, "daniel": 2.0, "dragnet": 1.5, "shopify": 1.0}
_SET_WEIGHT: Final = 0.6
_WITHOUT_SHAPE: Final = 0.5  # weight of a page without the shape of its text, and
_WITHOUT_HASHED: Final = 1.0  # without its hashed words
_BARE: Final = 0.2  # weight of the copy of a page that is plain HTML
_LEAST_LINES: Final = 8  # of its beginning that are a copy, too; at most twice as many
_MIN_SITES: Final = 8  # that a piece of evidence occurs on
_MIN_SITES_HASHED: Final = 15  # that a hashed word occurs on
_MIN_WEIGHT: Final = 0.04  # weights of evidence that says less are left out
_MIN_HASHED: Final = 3  # and those of hashed words, in units
_UNITS: Final = 400  # of a weight of a hashed word, or of a leaf, make 1
_REGULARISATION: Final = 0.5
_STEPS: Final = (20, 60)  # of each regression; each begins with the one before
_LEAST_PART: Final = 0.02
_NEVER: Final = -20.0  # the intercept of a type that no page has
_FINE: Final = frozenset(("pages", "more"))
"""Sets whose labels tell the types apart that others hold together."""
_SHARE_HASHED: Final = 0.3  # of one: a page has a thousand hashed words, so each counts less
_SHARE_WORD: Final = 0.5  # of a word of a title or an address, as a page has dozens
_WORDS: Final = (
    "title:", "first:", "end:", "h1:", "h1 first:", "only:", "site:", "name:", "query:", "tld:", "host word:",
    "in host:",
)  # fmt: skip
_SCALE: Final = 90  # hundredths of the sums that the trees begin with
_UNLABELLED: Final = 0.3  # weight, for the trees, of a page that no annotator labelled
_TREES: Final = 20  # for each type
_PARAMETERS: Final = {
    "objective": "multiclass",
    "num_class": len(TYPES),
    "num_leaves": 6,
    "learning_rate": 0.12,
    "min_data_in_leaf": 25,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "use_missing": False,
    "seed": 1,
    **REPEATABLE,
}
_N_HASHED: Final = 2 * 2**14
_LANES: Final = 24  # weights of a hashed word in the file: those of the types, and zeros


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """What is fitted to."""

    dataset: str
    site: str
    label: str
    """As the set has it, or the type that an annotator gave."""
    types: tuple[int, ...]
    """Numbers of the types that this may stand for."""
    labelled: bool
    """By an annotator."""
    page: str
    """Its hash."""
    evidence: frozenset[str]
    unread: frozenset[str]
    """The evidence without that of the shape of the main text."""
    hashed: Numbers
    """The numbers of its hashed words."""
    numbers: tuple[int, ...]
    """What trees may ask for, without the sums; none if they are not asked about the page."""
    bare: bool = False
    """A copy as plain HTML."""


Tree = tuple[list[tuple[str, int, int, int]], list[int]]
"""Nodes and leaves, as thresher.native.facts.page_types.TypeWeights takes them."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each piece of evidence says for each type, and trees; without trees, the evidence speaks alone."""

    evidence: dict[str, Numbers]
    """By name; "" has the intercepts."""
    hashed: Numbers
    """[hashed word, type], in units, rounded."""
    trees: tuple[Tree, ...] = ()
    """One for each type, and again."""


def _types_of(label: str, dataset: str) -> tuple[int, ...]:
    """Numbers of the types that a label of a set may stand for."""
    types = _COARSE.get(label) if dataset not in _FINE else None
    return tuple(TYPES.index(name) for name in (types or _TYPES_OF_LABEL.get(label, label)).split() if name in TYPES)


def read_pages(data: Path, labels: Mapping[str, Facts]) -> list[LabelledPage]:
    """The pages of all sets below a folder whose type is known, and behind them their copies; `labels` of annotators,
    by the hash of the page, count more than those of the set.
    """
    pages, copies = [], []
    read: Counter[str] = Counter()
    seen: set[str] = set()
    extractor = PageExtractor()
    for path in sorted(data.rglob("*.parquet")):
        names = pq.read_schema(path).names
        column = next((name for name in ("page_type", "kind") if name in names), None)
        if "html" not in names:
            continue
        columns = [name for name in ("html", "url", "site", column) if name in names]
        for number, row in enumerate(pq.read_table(path, columns=columns).to_pylist()):
            page = decode_page(row["html"])
            name = page_id(page)
            facts = labels.get(name)
            of_set = _LABEL_OF_SET.get(path.stem)
            label = facts["type"] if facts else of_set or (column and row[column]) or ""
            types = (TYPES.index(label),) if facts else _types_of(label, path.stem)
            if not types or name in seen:
                continue
            if not facts:
                read[path.stem] += 1
                if read[path.stem] > _MOST.get(path.stem, read[path.stem]):
                    continue
            seen.add(name)
            known = LabelledPage(
                path.stem, row.get("site") or f"{path.stem}/{number}", label, types, facts is not None, name, *_NOTHING
            )
            url = row.get("url")
            pages.append(_read(known, extractor, page, url))
            extractor.render()
            if main := extractor.render_html(links=True):
                title = (find_values(extractor.workspace.document, url)[0].get("title") or [""])[0]
                head = b"<!DOCTYPE html><meta charset=utf-8><title>" + html.escape(title).encode() + b"</title>"
                cut = b"\n".join(main.split(b"\n")[: _LEAST_LINES + int(name[:6], 16) % _LEAST_LINES])
                bare = replace(known, bare=True)
                for copy, of in ((main, url), (cut, None))[: 1 + (cut != main)]:
                    copies.append(_read(bare, extractor, head + copy, of if int(name, 16) % 2 else None))
    return pages + copies


_NOTHING: Final = (frozenset[str](), frozenset[str](), np.zeros(0, int), ())


def _read(known: LabelledPage, extractor: PageExtractor, page: bytes, url: str | None) -> LabelledPage:
    """A page of which nothing but the label is known, with what it says."""
    extractor.parse(page, url)
    extractor.measure()
    extractor.classify()
    said, counts, linked, _ = find_values(extractor.workspace.document, url)
    found = np.frombuffer(extractor.workspace.vocabulary() or b"", np.uint8)
    return replace(
        known,
        evidence=frozenset(find_evidence(said, counts, linked, url, extractor.workspace.shape())),
        unread=frozenset(find_evidence(said, counts, linked, url)),
        hashed=np.flatnonzero(np.unpackbits(found, bitorder="little")),
        numbers=tuple(find_numbers(said, counts, url, extractor.workspace.shape() or ())),
    )


def _matrix(rows: Sequence[Sequence[int] | Numbers], width: int) -> Any:  # noqa: ANN401 (scipy)
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate([np.asarray(row, np.int32) for row in rows])
    return csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(rows), width))


def _common(pages: Sequence[LabelledPage], least: int) -> Numbers:
    """The hashed words that occur on enough sites."""
    by_site: dict[str, list[Numbers]] = defaultdict(list)
    for page in pages:
        by_site[page.site].append(page.hashed)
    counts = np.zeros(_N_HASHED, np.int64)
    for found in by_site.values():
        counts[np.unique(np.concatenate(found)).astype(np.int64)] += 1
    return np.flatnonzero(counts >= least)


def fit(pages: list[LabelledPage]) -> Weights:
    """What finds the type of a page: weights, and trees over their sums."""
    weights = fit_sums(pages)
    return replace(weights, trees=_fit_trees(pages, _sums_held_out(pages, {})))


def fit_sums(pages: Sequence[LabelledPage]) -> Weights:
    """The weights of all evidence for each type."""
    sites = defaultdict(set)
    for page in pages:
        for name in page.evidence | page.unread:
            sites[name].add(page.site)
    names = sorted(name for name, found in sites.items() if len(found) >= _MIN_SITES and name != "host:www")
    number = {name: i for i, name in enumerate(names)}
    common = _common(pages, _MIN_SITES_HASHED)
    named = [
        [number[name] for name in sorted(row) if name in number]
        for row in [page.evidence for page in pages] * 2 + [page.unread for page in pages]
    ]
    hashed = _matrix([page.hashed for page in pages], _N_HASHED)[:, common]
    none = csr_matrix(hashed.shape, dtype=np.float32)
    known = hstack([_matrix(named, len(names)), vstack([hashed, none, none])]).tocsr()
    shares = np.array(
        [_SHARE_WORD if name.startswith(_WORDS) else 1.0 for name in names] + [_SHARE_HASHED] * len(common), np.float32
    )
    model = _fit_parts((known @ diags(shares)).tocsr().astype(np.float32), pages)
    rows = np.zeros((known.shape[1], len(TYPES)))
    rows[:, model.classes_] = model.coef_.T * shares[:, None]
    intercepts = np.full(len(TYPES), _NEVER)
    intercepts[model.classes_] = model.intercept_
    evidence = {name: row for name, row in zip(names, rows, strict=False) if abs(row).max() >= _MIN_WEIGHT}
    units = np.zeros((_N_HASHED, len(TYPES)), np.int8)
    units[common] = np.clip(np.round(_UNITS * rows[len(names) :]), -127, 127)
    units[abs(units).max(axis=1) < _MIN_HASHED] = 0
    return Weights({"": intercepts, **evidence}, units)


def _fit_parts(known: Any, pages: Sequence[LabelledPage]) -> LogisticRegression:  # noqa: ANN401 (scipy)
    """The regression over the pages three times, as fit_sums() has them. A page that may be of several types counts
    for each by how likely it is, after the regression before (expectation and maximisation).
    """
    allowed = np.zeros((len(pages), len(TYPES)))
    for row, page in zip(allowed, pages, strict=True):
        row[list(page.types)] = 1.0
    single = allowed.sum(axis=1) == 1
    parts = allowed * single[:, None]
    of_pages = np.array([_weight(page) for page in pages])
    model = LogisticRegression(C=_REGULARISATION, warm_start=True)
    for steps in _STEPS:
        rows, types = np.nonzero(parts > _LEAST_PART)
        weights = of_pages[rows] * parts[rows, types]
        model.set_params(max_iter=steps).fit(
            known[np.concatenate([rows + copy * len(pages) for copy in range(3)])],
            np.concatenate([types] * 3),
            sample_weight=np.concatenate([share * weights for share in (1.0, _WITHOUT_HASHED, _WITHOUT_SHAPE)]),
        )
        parts = np.zeros_like(allowed)
        parts[:, model.classes_] = model.predict_proba(known[: len(pages)])
        parts *= allowed
        parts /= parts.sum(axis=1, keepdims=True) + 1e-12
    return model


def _weight(page: LabelledPage) -> float:
    return (_BARE if page.bare else 1.0) * (1.0 if page.labelled else _SET_WEIGHTS.get(page.dataset, _SET_WEIGHT))


def _sums(weights: Weights, pages: Iterable[LabelledPage]) -> Numbers:
    """The sum of weights for each page and type, in units, rounded as the file has it."""
    rows = {name: 4.0 * np.round(100 * row) for name, row in weights.evidence.items()}
    return np.array([
        rows[""] + weights.hashed[page.hashed].sum(axis=0)
        + sum(rows[name] for name in page.evidence if name in rows)
        for page in pages
    ])  # fmt: skip


def _sums_held_out(pages: Sequence[LabelledPage], fitted: dict[frozenset[int], Weights], out: int = -1) -> Numbers:
    """The sums of each page by weights that were fitted to the pages of other sites, and to none of the fold `out`,
    whose rows are 0. `fitted` keeps weights by the folds that they were not fitted to.
    """
    folds = np.array([site_fold(page.site) for page in pages])
    sums = np.zeros((len(pages), len(TYPES)))
    for fold in set(range(FOLDS)) - {out}:
        without = frozenset((fold, out)) - {-1}
        if without not in fitted:
            fitted[without] = fit_sums([page for page, own in zip(pages, folds, strict=True) if own not in without])
        of_fold = np.flatnonzero(folds == fold)
        if len(of_fold):
            sums[of_fold] = _sums(fitted[without], [pages[i] for i in of_fold.tolist()])
    return sums


def _asked(pages: Sequence[LabelledPage], sums: Numbers) -> tuple[Numbers, Numbers]:
    """The places of the pages that trees are asked about, and what they ask for, as NUMBERS names it."""
    places = np.array([place for place, page in enumerate(pages) if page.numbers], int)
    numbers = np.array([pages[place].numbers for place in places], float).reshape(
        len(places), len(NUMBERS) - len(TYPES)
    )
    return places, np.hstack([numbers, (sums - sums.max(axis=1, keepdims=True))[places]])


def _fit_trees(pages: Sequence[LabelledPage], sums: Numbers) -> tuple[Tree, ...]:
    """The trees that are added to the sums of weights."""
    places, asked = _asked(pages, sums)
    pages = [pages[place] for place in places]
    sums = sums[places]
    shares = np.exp((sums - sums.max(axis=1, keepdims=True)) / _UNITS)
    for row, page in zip(shares, pages, strict=True):
        row[[number for number in range(len(TYPES)) if number not in page.types]] = 0
    shares /= shares.sum(axis=1, keepdims=True)
    rows, types = np.nonzero(shares > _LEAST_PART)
    weights = np.array([_weight(page) * (1.0 if page.labelled else _UNLABELLED) for page in pages])
    data = lightgbm.Dataset(
        asked[rows],
        types,
        weight=weights[rows] * shares[rows, types],
        init_score=(_SCALE / 100 / _UNITS * sums[rows]).ravel(order="F"),
    )
    model = lightgbm.train(_PARAMETERS, data, _TREES).dump_model()
    return tuple(as_nodes(each["tree_structure"], _asks, _UNITS) for each in model["tree_info"])


def _asks(node: Mapping[str, Any]) -> tuple[str, int]:
    """The number that a node asks for, and its limit."""
    return NUMBERS[node["split_feature"]], math.floor(node["threshold"])


def _said(tree: Tree, asked: Numbers) -> Numbers:
    """The leaf of each row, in units."""
    nodes, leaves = tree
    found = np.zeros(len(asked))
    rest = [(0 if nodes else ~0, np.arange(len(asked)))]
    for at, rows in rest:
        if at < 0:
            found[rows] = leaves[~at]
            continue
        name, limit, below, above = nodes[at]
        higher = asked[rows, _PLACES[name]] > limit
        rest += [(below, rows[~higher]), (above, rows[higher])]
    return found


_PLACES: Final = {name: place for place, name in enumerate(NUMBERS)}


def predict(weights: Weights, pages: Sequence[LabelledPage]) -> Numbers:
    """The probability of each type for each page, as thresher.native.facts.page_types has it."""
    sums = _sums(weights, pages)
    if weights.trees:
        places, asked = _asked(pages, sums)
        sums[places] *= _SCALE / 100
        for number, tree in enumerate(weights.trees):
            sums[places, number % len(TYPES)] += _said(tree, asked)
    shares = np.exp((sums - sums.max(axis=1, keepdims=True)) / _UNITS)
    return shares / shares.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]


def likeliest(shares: Numbers) -> int:
    """The number of the likeliest type of the likeliest group."""
    groups = {group: sum(shares[_TYPES_OF_GROUP[group]]) for group in GROUPS}
    types = _TYPES_OF_GROUP[max(GROUPS, key=groups.__getitem__)]
    return types[int(shares[types].argmax())]


_TYPES_OF_GROUP: Final = {
    group: [number for number, name in enumerate(TYPES) if GROUP_OF_TYPE[name] == group] for group in GROUPS
}


def held_out(pages: list[LabelledPage]) -> list[tuple[LabelledPage, Numbers]]:
    """Each page with the probabilities of its types by weights and trees that were fitted to other sites, as were the
    sums that these trees were fitted to.
    """
    found: list[tuple[LabelledPage, Numbers]] = []
    fitted: dict[frozenset[int], Weights] = {}
    _sums_held_out(pages, fitted)
    for fold in range(FOLDS):
        others = [page for page in pages if site_fold(page.site) != fold]
        sums = _sums_held_out(pages, fitted, fold)[[site_fold(page.site) != fold for page in pages]]
        weights = replace(fitted[frozenset((fold,))], trees=_fit_trees(others, sums))
        judged = [page for page in pages if site_fold(page.site) == fold]
        if judged:
            found += zip(judged, predict(weights, judged), strict=True)
    return found


def report(found: Sequence[tuple[LabelledPage, Numbers]]) -> list[str]:
    """Lines of Markdown: how often the type and its group are right, by set; of the pages that annotators labelled, by
    group and by score too.
    """
    judged = [(page, number, float(shares[number])) for page, shares in found for number in (likeliest(shares),)]
    rows = [row for row in judged if not row[0].bare]
    lines = ["| set | pages | type right | group right |", "|---|---|---|---|"]
    sets = {page.dataset: [row for row in rows if row[0].dataset == page.dataset] for page, _, _ in rows}
    sets["labelled by annotators"] = labelled = [row for row in rows if row[0].labelled]
    sets["these as plain HTML"] = [row for row in judged if row[0].bare and row[0].labelled]
    for name, of_set in sorted(sets.items()):
        if of_set:
            share = np.mean([number in page.types for page, number, _ in of_set])
            groups = np.mean([_group(number) in map(_group, page.types) for page, number, _ in of_set])
            lines.append(f"| {name} | {len(of_set)} | {share:.3f} | {groups:.3f} |")
    types = [(page.types[0], number) for page, number, _ in labelled]
    lines += _shares("group", GROUPS, [(GROUPS.index(_group(a)), GROUPS.index(_group(b))) for a, b in types])
    lines += _shares("type", TYPES, types)
    lines += ["", "| labelled as, found as | " + " | ".join(TYPES) + " |", "|---" * (len(TYPES) + 1) + "|"]
    counts = Counter(types)
    for right, name in enumerate(TYPES):
        lines.append(f"| {name} | " + " | ".join(str(counts[right, k] or "") for k in range(len(TYPES))) + " |")
    lines += ["", "| score | pages | type right |", "|---|---|---|"]
    for tenth in range(10):
        of_score = [number in page.types for page, number, score in labelled if min(9, int(10 * score)) == tenth]
        if of_score:
            lines.append(f"| {tenth / 10:.1f} to {(tenth + 1) / 10:.1f} | {len(of_score)} | {np.mean(of_score):.3f} |")
    return lines


def _shares(what: str, names: Sequence[str], pairs: Sequence[tuple[int, int]]) -> list[str]:
    """A table of precision, recall and F1 from pairs of the right number and the one that was found."""
    lines = ["", f"| {what} | pages | precision | recall | F1 |", "|---|---|---|---|---|"]
    counts = Counter(pairs)
    there, taken = Counter(right for right, _ in pairs), Counter(found for _, found in pairs)
    for number, name in enumerate(names):
        hits, n, m = counts[number, number], there[number], taken[number]
        shares = (hits / max(1, m), hits / max(1, n), 2 * hits / max(1, n + m))
        lines.append(f"| {name} | {n} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")
    return lines


def _group(number: int) -> str:
    return GROUP_OF_TYPE[TYPES[number]]


def to_json(weights: Weights) -> str:
    """The file of the weights, as thresher.page.page_type reads it."""
    padded = np.zeros((_N_HASHED, _LANES), np.int8)
    padded[:, : len(TYPES)] = weights.hashed
    rows = {name: [round(100 * float(each)) for each in row] for name, row in sorted(weights.evidence.items())}
    hashed = base64.b64encode(zlib.compress(padded.tobytes(), 9)).decode()
    found = {"types": GROUP_OF_TYPE, "hashed": hashed, "evidence": rows, "scale": _SCALE, "trees": weights.trees}
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace('],"', '],\n"') + "\n"
