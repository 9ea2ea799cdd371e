# SPDX-License-Identifier: Apache-2.0
"""The text format of Prometheus, for the figures of a run and of a service."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

Samples = Iterable[tuple[str, Mapping[str, str], float]]
"""What follows the metric's name, as `_sum` of a histogram; labels; value."""


def metric(name: str, kind: str, about: str, samples: Samples) -> Iterator[str]:
    """The lines of a metric: its help, its type, its samples."""
    yield f"# HELP thresher_{name} {about}"
    yield f"# TYPE thresher_{name} {kind}"
    for ending, labels, value in samples:
        named = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        number = int(value) if value == int(value) else float(value)
        yield f"thresher_{name}{ending}{f'{{{named}}}' if named else ''} {number!r}"


def _escaped(label: str) -> str:
    """The value of a label, escaped so that it stays on its line and inside its quotes."""
    text = label.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
