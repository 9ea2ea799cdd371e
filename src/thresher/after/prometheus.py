# SPDX-License-Identifier: Apache-2.0
"""The figures of a run in Prometheus' text format, for a node exporter's textfile collector or a push gateway."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from thresher.running.outcome import Report
from thresher.schemas.metrics import TOTAL

_STATES = ("finished", "running", "incomplete", "interrupted", "damaged")

Samples = Iterable[tuple[Mapping[str, str], float]]


def to_prometheus(report: Report) -> str:
    """The report as text, one metric after the other, each with its help and type."""
    stages = {name: stage for name, stage in report.stages.items() if name != TOTAL}
    letters = (
        ({"stage": name.partition(": ")[0], "class": name.partition(": ")[2]}, n) for name, n in report.errors.items()
    )
    metrics: list[tuple[str, str, str, Samples]] = [
        ("pages_total", "counter", "Pages by status.", (({"status": name}, n) for name, n in report.statuses.items())),
        ("records_total", "counter", "Records read.", [({}, report.records)]),
        ("skipped_total", "counter", "Records left out, by reason.", _by_reason(report.skipped)),
        ("unaccounted_records", "gauge", "Records that are nowhere; not 0 is a bug.", [({}, report.unaccounted)]),
        ("dead_letters_total", "counter", "What could not be worked on, by stage and error class.", letters),
        ("inputs", "gauge", "Inputs of the run.", [({}, report.inputs)]),
        ("finished_inputs", "gauge", "Inputs that are finished.", [({}, report.finished_inputs)]),
        ("partitions_total", "counter", "Partitions that are finished.", [({}, report.partitions)]),
        (
            "stage_seconds_total",
            "counter",
            "Seconds of all workers, by stage.",
            (({"stage": n}, s.seconds) for n, s in stages.items()),
        ),
        ("stage_bytes_total", "counter", "Bytes, by stage.", (({"stage": n}, s.bytes) for n, s in stages.items())),
        ("worker_seconds_total", "counter", "Seconds of all workers.", [({}, report.stages[TOTAL].seconds)]),
        ("cpu_seconds_total", "counter", "Seconds of processor time.", [({}, report.cpu_seconds)]),
        ("peak_memory_bytes", "gauge", "Resident size of the largest worker.", [({}, report.peak_memory)]),
        ("files", "gauge", "Files that the inputs name.", [({}, report.files)]),
        ("left_out_files", "gauge", "Files that are not read, by reason.", _by_reason(report.left_out)),
        (
            "state",
            "gauge",
            "1 for the state that the run is in.",
            (({"state": each}, each == report.state) for each in _STATES),
        ),
    ]
    lines: list[str] = []
    for name, type_, help_, samples in metrics:
        lines += [f"# HELP thresher_{name} {help_}", f"# TYPE thresher_{name} {type_}"]
        for labels, value in samples:
            named = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
            lines.append(
                f"thresher_{name}{{{named}}} {_number(value)}" if named else f"thresher_{name} {_number(value)}"
            )
    return "\n".join(lines) + "\n"


def _by_reason(counts: Mapping[str, int]) -> Samples:
    return (({"reason": name}, n) for name, n in counts.items())


def _escaped(label: str) -> str:
    """The value of a label, escaped so that it stays on its line and inside its quotes."""
    text = label.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
