# SPDX-License-Identifier: Apache-2.0
"""The figures of a run in Prometheus' text format, for a node exporter's textfile collector or a push gateway."""

from __future__ import annotations

from collections.abc import Mapping

from thresher.prometheus import Samples, metric
from thresher.running.outcome import Report
from thresher.schemas.metrics import TOTAL

_STATES = ("finished", "running", "incomplete", "interrupted", "damaged")


def to_prometheus(report: Report) -> str:
    """The report as text, one metric after the other, each with its help and type."""
    stages = [(name, stage) for name, stage in report.stages.items() if name != TOTAL]
    counter, gauge = "counter", "gauge"
    metrics: list[tuple[str, str, str, str | None, float | Mapping[str, float]]] = [
        ("pages_total", counter, "Pages by status.", "status", report.statuses),
        ("records_total", counter, "Records read.", None, report.records),
        ("skipped_total", counter, "Records left out, by reason.", "reason", report.skipped),
        ("unaccounted_records", gauge, "Records that are nowhere; not 0 is a bug.", None, report.unaccounted),
        ("dead_letters_total", counter, "What could not be worked on, by stage and class.", "class", report.errors),
        ("inputs", gauge, "Inputs of the run.", None, report.inputs),
        ("finished_inputs", gauge, "Inputs that are finished.", None, report.finished_inputs),
        ("partitions_total", counter, "Partitions that are finished.", None, report.partitions),
        (
            "stage_seconds_total",
            counter,
            "Seconds of all workers, by stage.",
            "stage",
            {name: each.seconds for name, each in stages},
        ),
        ("stage_bytes_total", counter, "Bytes, by stage.", "stage", {name: each.bytes for name, each in stages}),
        ("worker_seconds_total", counter, "Seconds of all workers.", None, report.stages[TOTAL].seconds),
        ("cpu_seconds_total", counter, "Seconds of processor time.", None, report.cpu_seconds),
        ("peak_memory_bytes", gauge, "Resident size of the largest worker.", None, report.peak_memory),
        ("files", gauge, "Files that the inputs name.", None, report.files),
        ("left_out_files", gauge, "Files that are not read, by reason.", "reason", report.left_out),
        ("state", gauge, "1 for the state that the run is in.", "state", {e: e == report.state for e in _STATES}),
    ]
    lines = [
        line
        for name, kind, about, label, values in metrics
        for line in metric(name, kind, about, _samples(label, values))
    ]
    return "\n".join(lines) + "\n"


def _samples(label: str | None, values: float | Mapping[str, float]) -> Samples:
    """A value, or one for each value of a label; the class of a dead letter stands behind its stage."""
    if not isinstance(values, Mapping):
        return [("", {}, values)]
    found = []
    for name, n in values.items():
        stage, _, class_ = name.partition(": ")
        found.append(("", {"stage": stage, "class": class_} if label == "class" else {str(label): name}, n))
    return found
