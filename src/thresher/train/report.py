# SPDX-License-Identifier: Apache-2.0
"""What grouped cross-validation says of a model, as Markdown tables for the model card."""

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from thresher.train.dataset import Example


def table(title: str, examples: Sequence[Example], f1: Sequence[float], key: Callable[[Example], str | None]) -> str:
    """Pages and mean word F1 for each value of a key, pages without one left out."""
    groups: dict[str, list[float]] = defaultdict(list)
    for example, value in zip(examples, f1, strict=True):
        name = key(example)
        if name is not None:
            groups[name].append(value)
    lines = [f"| {title} | pages | word F1 |", "|---|---|---|"]
    lines += [f"| {name} | {len(values)} | {np.mean(values):.3f} |" for name, values in sorted(groups.items())]
    return "\n".join(lines) + "\n"


def macro(examples: Sequence[Example], f1: Sequence[float]) -> float:
    """The mean over sets of their mean F1."""
    groups: dict[str, list[float]] = defaultdict(list)
    for example, value in zip(examples, f1, strict=True):
        groups[example.dataset].append(value)
    return float(np.mean([np.mean(values) for values in groups.values()]))


def reliability(confidence: Sequence[float], f1: Sequence[float]) -> str:
    """Mean confidence beside mean F1, by tenths of confidence."""
    expected, reached = np.array(confidence), np.array(f1)
    lines = ["| confidence | pages | mean confidence | mean word F1 |", "|---|---|---|---|"]
    for tenth in range(10):
        inside = (expected >= tenth / 10) & ((expected < (tenth + 1) / 10) | (tenth == 9))
        if inside.any():
            lines.append(
                f"| {tenth / 10:.1f}–{(tenth + 1) / 10:.1f} | {inside.sum()} | {expected[inside].mean():.3f} | {reached[inside].mean():.3f} |"
            )
    return "\n".join(lines) + "\n"


def report(examples: Sequence[Example], f1: Sequence[float], confidence: Sequence[float]) -> str:
    """All tables."""
    return "\n".join(
        [
            f"Macro over sets: {macro(examples, f1):.4f}\n",
            table("set", examples, f1, lambda example: example.dataset),
            table("WCXB page type", examples, f1, lambda example: example.page_type),
            table("language", examples, f1, lambda example: example.language),
            reliability(confidence, f1),
        ]
    )
