# SPDX-License-Identifier: Apache-2.0
"""The results of grouped cross-validation, as Markdown tables for the model card."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thresher.lab.train.dataset import Example
from thresher.lab.train.fit import MADE, PageChoices, choose


@dataclass(frozen=True, slots=True)
class Judged:
    """A page with its choices of blocks, and what a model that has not seen it predicts of each."""

    example: Example
    layout: PageChoices
    predicted: npt.NDArray[np.float64]
    confidence: Sequence[float]
    """The model's, see fit_confidence()."""
    expected_weight: float

    def taken(self, lean: float = 0.0) -> int:
        """The number of the choice that the model takes."""
        return choose(self.layout, self.predicted, self.expected_weight, lean)

    @property
    def f1(self) -> float:
        return float(self.layout.f1[self.taken()])

    @property
    def expected_f1(self) -> float:
        said = self.predicted[self.taken()]
        return float(np.interp(said, np.linspace(0.0, 1.0, len(self.confidence)), self.confidence))


def report(judged: Sequence[Judged], far: Sequence[Judged]) -> str:
    """All tables: of pages judged by a model without their site, and by a model without their set. Pages that were made
    of others are left out, and of those with partial gold is said how much of that is kept.
    """
    whole, far_whole = (
        [page for page in pages if not page.example.partial and page.example.dataset not in MADE]
        for pages in (judged, far)
    )
    return "\n".join(
        [
            f"Macro over sets: {_macro(whole):.4f}\n",
            _table("set", whole, lambda example: example.dataset),
            _table("WCXB page type", whole, _page_type),
            _table("language", whole, lambda example: example.language),
            _reliability(whole),
            _leanings(whole),
            *_kept([page for page in judged if page.example.partial]),
            f"Each page judged by the model without its set. Macro over sets: {_macro(far_whole):.4f}\n",
            _table("set left out", far_whole, lambda example: example.dataset),
            _table("WCXB page type, WCXB left out", far_whole, _page_type),
        ]
    )


def _grouped(
    pages: Iterable[Judged], key: Callable[[Example], str | None], value: Callable[[Judged], float]
) -> dict[str, list[float]]:
    """A value of the pages of each group, without pages that are in none."""
    groups: dict[str, list[float]] = defaultdict(list)
    for page in pages:
        if (name := key(page.example)) is not None:
            groups[name].append(value(page))
    return dict(sorted(groups.items()))


def _table(title: str, pages: Sequence[Judged], key: Callable[[Example], str | None]) -> str:
    """Pages and mean word F1 of each group."""
    lines = [f"| {title} | pages | word F1 |", "|---|---|---|"]
    groups = _grouped(pages, key, lambda page: page.f1)
    lines += [f"| {name} | {len(values)} | {np.mean(values):.3f} |" for name, values in groups.items()]
    return "\n".join(lines) + "\n"


def _page_type(example: Example) -> str | None:
    """The type of a page of WCXB, whose labels alone were set by hand."""
    return example.page_type if example.dataset == "wcxb" else None


def _macro(pages: Sequence[Judged], value: Callable[[Judged], float] = lambda page: page.f1) -> float:
    """The mean over the sets of the mean of a value."""
    groups = _grouped(pages, lambda example: example.dataset, value)
    return float(np.mean([np.mean(values) for values in groups.values()]))


def _reliability(pages: Sequence[Judged]) -> str:
    """Mean confidence and mean F1, by tenths of confidence."""
    expected, reached = (
        np.array(values) for values in zip(*((page.expected_f1, page.f1) for page in pages), strict=True)
    )
    lines = ["| confidence | pages | mean confidence | mean word F1 |", "|---|---|---|---|"]
    for tenth in range(10):
        inside = (expected >= tenth / 10) & ((expected < (tenth + 1) / 10) | (tenth == 9))
        if inside.any():
            means = f"{expected[inside].mean():.3f} | {reached[inside].mean():.3f}"
            lines.append(f"| {tenth / 10:.1f}–{(tenth + 1) / 10:.1f} | {inside.sum()} | {means} |")
    return "\n".join(lines) + "\n"


def _kept(partial: Sequence[Judged]) -> list[str]:
    """For each set with partial gold how much of it is kept; no table where there is none."""
    if not partial:
        return []
    lines = ["| set with partial gold | pages | word recall | pages with a recall of .9 |", "|---|---|---|---|"]
    recall = _grouped(partial, lambda example: example.dataset, lambda page: float(page.layout.recall[page.taken()]))
    for name, values in recall.items():
        share = np.mean(np.array(values) >= 0.9)
        lines.append(f"| {name} | {len(values)} | {np.mean(values):.3f} | {share:.3f} |")
    return ["\n".join(lines) + "\n"]


def _leanings(pages: Sequence[Judged]) -> str:
    """Word precision, recall and F1 by the option `lean`: the mean over the sets, and on the main set."""
    lines = [
        "| lean | macro precision | recall | F1 | WCXB precision | recall | F1 |",
        "|---|---|---|---|---|---|---|",
    ]
    main = [page for page in pages if page.example.dataset == "wcxb"]
    for lean in (-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0):
        over_sets, on_main = [], []
        for name in ("precision", "recall", "f1"):

            def reached(page: Judged, name: str = name, lean: float = lean) -> float:
                return float(getattr(page.layout, name)[page.taken(lean)])

            over_sets.append(f"{_macro(pages, reached):.3f}")
            on_main.append(f"{np.mean([reached(page) for page in main] or [0.0]):.3f}")
        lines.append(f"| {lean:+.2f} | {' | '.join(over_sets)} | {' | '.join(on_main)} |")
    return "\n".join(lines) + "\n"
