# SPDX-License-Identifier: Apache-2.0
"""The results of grouped cross-validation, as Markdown tables for the model card."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thresher.lab.train.dataset import Example
from thresher.lab.train.fit import MADE, PageChoices, Tuning, choose


@dataclass(frozen=True, slots=True)
class Judged:
    """Pages with their choices of blocks, and what a model that has not seen the page predicts of each choice."""

    examples: Sequence[Example]
    layouts: Sequence[PageChoices]
    predicted: Sequence[npt.NDArray[np.float64]]
    tunings: Sequence[Tuning]

    def whole(self) -> "Judged":
        """The pages whose gold text is whole, without those that were made of others."""
        kept = [not example.partial and example.dataset not in MADE for example in self.examples]
        return self._of([i for i, is_kept in enumerate(kept) if is_kept])

    def partial(self) -> "Judged":
        """The pages whose gold text is a part of the main text."""
        return self._of([i for i, example in enumerate(self.examples) if example.partial])

    def _of(self, chosen: Sequence[int]) -> "Judged":
        return Judged(
            [self.examples[i] for i in chosen],
            [self.layouts[i] for i in chosen],
            [self.predicted[i] for i in chosen],
            [self.tunings[i] for i in chosen],
        )

    def taken(self, lean: float = 0.0) -> list[int]:
        """The number of the choice that the model takes on each page."""
        return [
            choose(layout, p, tuning.expected_weight, lean)
            for layout, p, tuning in zip(self.layouts, self.predicted, self.tunings, strict=True)
        ]


def table(title: str, examples: Sequence[Example], f1: Sequence[float], key: Callable[[Example], str | None]) -> str:
    """Pages and mean word F1 for each value of a key, without pages that have none."""
    groups: dict[str, list[float]] = defaultdict(list)
    for example, value in zip(examples, f1, strict=True):
        name = key(example)
        if name is not None:
            groups[name].append(value)
    lines = [f"| {title} | pages | word F1 |", "|---|---|---|"]
    lines += [f"| {name} | {len(values)} | {np.mean(values):.3f} |" for name, values in sorted(groups.items())]
    return "\n".join(lines) + "\n"


def page_type(example: Example) -> str | None:
    """The type of a page of WCXB, whose labels alone were set by hand."""
    return example.page_type if example.dataset == "wcxb" else None


def macro(examples: Sequence[Example], f1: Sequence[float]) -> float:
    """The mean over the sets of their mean F1."""
    groups: dict[str, list[float]] = defaultdict(list)
    for example, value in zip(examples, f1, strict=True):
        groups[example.dataset].append(value)
    return float(np.mean([np.mean(values) for values in groups.values()]))


def reliability(confidence: Sequence[float], f1: Sequence[float]) -> str:
    """Mean confidence and mean F1, by tenths of confidence."""
    expected, reached = np.array(confidence), np.array(f1)
    lines = ["| confidence | pages | mean confidence | mean word F1 |", "|---|---|---|---|"]
    for tenth in range(10):
        inside = (expected >= tenth / 10) & ((expected < (tenth + 1) / 10) | (tenth == 9))
        if inside.any():
            means = f"{expected[inside].mean():.3f} | {reached[inside].mean():.3f}"
            lines.append(f"| {tenth / 10:.1f}–{(tenth + 1) / 10:.1f} | {inside.sum()} | {means} |")
    return "\n".join(lines) + "\n"


def report(judged: Judged, far: Judged) -> str:
    """All tables: of pages judged by a model without their site, and by a model without their set."""
    partial = kept(judged)
    judged, far = judged.whole(), far.whole()
    examples = judged.examples
    taken = judged.taken()
    f1 = [float(layout.f1[t]) for layout, t in zip(judged.layouts, taken, strict=True)]
    far_f1 = [float(layout.f1[t]) for layout, t in zip(far.layouts, far.taken(), strict=True)]
    predicted = [float(p[t]) for p, t in zip(judged.predicted, taken, strict=True)]
    confidence = [
        float(np.interp(p, np.linspace(0.0, 1.0, len(tuning.confidence)), tuning.confidence))
        for p, tuning in zip(predicted, judged.tunings, strict=True)
    ]
    return "\n".join(
        [
            f"Macro over sets: {macro(examples, f1):.4f}\n",
            table("set", examples, f1, lambda example: example.dataset),
            table("WCXB page type", examples, f1, page_type),
            table("language", examples, f1, lambda example: example.language),
            reliability(confidence, f1),
            leanings(judged),
            *partial,
            f"Each page judged by the model without its set. Macro over sets: {macro(examples, far_f1):.4f}\n",
            table("set left out", examples, far_f1, lambda example: example.dataset),
            table("WCXB page type, WCXB left out", examples, far_f1, page_type),
        ]
    )


def kept(judged: Judged) -> list[str]:
    """For each set with partial gold how much of it is kept; no table where there is none."""
    judged = judged.partial()
    if not judged.examples:
        return []
    recall: dict[str, list[float]] = defaultdict(list)
    for example, layout, taken in zip(judged.examples, judged.layouts, judged.taken(), strict=True):
        recall[example.dataset].append(float(layout.recall[taken]))
    lines = ["| set with partial gold | pages | word recall | pages with a recall of .9 |", "|---|---|---|---|"]
    for name, values in sorted(recall.items()):
        share = np.mean(np.array(values) >= 0.9)
        lines.append(f"| {name} | {len(values)} | {np.mean(values):.3f} | {share:.3f} |")
    return ["\n".join(lines) + "\n"]


def leanings(judged: Judged) -> str:
    """Word precision, recall and F1 by the option `lean`: the mean over the sets, and on the main set."""
    lines = [
        "| lean | macro precision | recall | F1 | WCXB precision | recall | F1 |",
        "|---|---|---|---|---|---|---|",
    ]
    main = [i for i, example in enumerate(judged.examples) if example.dataset == "wcxb"]
    for lean in (-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0):
        taken = judged.taken(lean)
        columns = [
            [float(getattr(layout, name)[t]) for layout, t in zip(judged.layouts, taken, strict=True)]
            for name in ("precision", "recall", "f1")
        ]
        over_sets = " | ".join(f"{macro(judged.examples, column):.3f}" for column in columns)
        on_main = " | ".join(f"{np.mean([column[i] for i in main] or [0.0]):.3f}" for column in columns)
        lines.append(f"| {lean:+.2f} | {over_sets} | {on_main} |")
    return "\n".join(lines) + "\n"
