# SPDX-License-Identifier: Apache-2.0
"""A run over the pages that an earlier run kept: extracts them with other options, without their archives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import pyarrow.parquet as pq

from thresher.config import load_configuration
from thresher.errors import ConfigError, InputError
from thresher.rows.tables import further_columns
from thresher.running.outcome import whole_run
from thresher.running.run import start_run
from thresher.schemas.pages import HTML, RENDERED, RIGHTS
from thresher.writing.tables import SCHEMA_FILE

if TYPE_CHECKING:
    from thresher.running.run import Run

_TAKEN_OVER: Final = frozenset(("limits", "extract", "language", "filter", "route"))
"""The sections whose settings are those of the earlier run, where the command names no others."""


def start_rendering(source: str, output: str, overrides: Mapping[str, object]) -> Run:
    """A run over the pages in the folder `source`, with its settings, some of them replaced by these.

    Raises InputError if the folder does not hold finished pages with the column `html`, OutputError if files
    of it are missing, ConfigError for an invalid setting.
    """
    for key in overrides:
        if key.startswith("read.") or key == "write.pass_on":
            raise ConfigError(f"{key} is about archives, which render does not read; run thresher extract over them")
    folder = whole_run(source)
    rows = folder.rows()
    # A file without rows stands for a run without pages.
    inputs = folder.tables.files("pages") or [SCHEMA_FILE]
    first = folder.storage.path("pages", inputs[0])
    names = (
        pq.read_schema(first, filesystem=folder.storage.fs).names if folder.storage.has(f"pages/{inputs[0]}") else []
    )
    if HTML not in names:
        raise InputError(f"{source}: its pages have no column {HTML}; run thresher extract with --blocks")
    n_finished = len(folder.ledger.finished())
    if n_finished < rows.get("inputs", 0):
        raise InputError(f"{source} is not finished: resume it first ({n_finished:,} of {rows['inputs']:,} inputs)")
    configuration = load_configuration(None, folder.settings(_TAKEN_OVER) | dict(overrides))
    if configuration.templates.mode != "off":
        raise ConfigError("templates cannot be counted over rendered pages; run thresher extract over the archives")
    beside = {*RIGHTS, RENDERED}.intersection(further_columns(configuration))
    if missing := sorted(beside.difference(names)):
        raise InputError(
            f"{source}: its pages have no column {missing[0]}, and the page alone does not tell it; "
            "run thresher extract over the archives"
        )
    return start_run([folder.url(f"pages/{name}") for name in inputs], output, configuration)
