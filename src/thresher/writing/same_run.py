# SPDX-License-Identifier: Apache-2.0
"""Whether a run may go on in a folder, and what its user is told if not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

from thresher.errors import OutputError
from thresher.reading.names import local_path
from thresher.schemas import TABLES
from thresher.terminal import number_of, one_line
from thresher.writing.layout import ANSWERS, COMPACTING, NEW_ANSWERS, RUN_FILE, SHARDS, STAGING, input_of
from thresher.writing.ledger import LEDGER, Ledger
from thresher.writing.storage import Storage
from thresher.writing.tables import COMPACTED, SCHEMA_FILE

Rows = Mapping[str, Any]
"""What the rows of a run depend on, as `_run.json` has it."""
SizeOf = Callable[[int], int | None]
"""Tells the size of an input now, by its number; None if that is not known."""


def check_names(location: str, present: Collection[str], own: frozenset[str]) -> None:
    """Raises OutputError if a folder holds anything that no run writes."""
    foreign = sorted(set(present) - own)
    if foreign:
        raise OutputError(
            f"{location} holds {foreign[0]!r}, which is not output of a run; choose an empty or new folder"
        )


def check_unfinished(storage: Storage, present: Collection[str]) -> None:
    """Raises OutputError if nothing can be added to a folder: it has shards, was compacted, or has tables of no run."""
    location = storage.location
    check_shards(location, present)
    check_answered(storage)
    if COMPACTING in present:
        raise OutputError(
            f"{location} is being compacted, and nothing can be added to it; to end that, give the same thresher "
            "compact again"
        )
    if storage.has(f"pages/{COMPACTED}"):
        raise OutputError(f"{location} was compacted, so nothing can be added to it; choose another folder")
    if RUN_FILE not in present and (set(present) & set(TABLES) or LEDGER in present):
        raise OutputError(f"{location} holds tables but no {RUN_FILE}; choose an empty or new folder")


def check_shards(location: str, present: Collection[str]) -> None:
    """Raises OutputError if a folder holds shards that are not merged."""
    if SHARDS in present:
        raise OutputError(f"{location} holds shards; join them first: thresher merge {location}")


def check_answered(storage: Storage) -> None:
    """Raises OutputError if the answers that a folder holds are not in all of its rows."""
    if any(name.endswith(NEW_ANSWERS) for name in storage.names(ANSWERS)):
        raise OutputError(
            f"{storage.location} holds answers that are not in all of its rows, as a command was stopped; give "
            "`thresher merge --answers` again first"
        )


def check_parts(storage: Storage, n_inputs: int) -> None:
    """Raises OutputError if a table has a file that no run over so many inputs writes."""
    for table in TABLES:
        for name in sorted(storage.names(table)):
            number = input_of(name)
            if name != SCHEMA_FILE and (number is None or number >= n_inputs):
                raise OutputError(
                    f"{storage.location}/{table} holds {name!r}, which this run would not write; "
                    "choose an empty or new folder"
                )


def check_same_run(
    location: str, before: Rows, rows: Rows, inputs: Sequence[str], earlier: Callable[[], Sequence[str]] | None
) -> None:
    """Raises OutputError unless the run in a folder and this one have the same rows. `earlier` tells the
    inputs of the run in the folder; it is None if this run may have others.
    """
    now = json.loads(json.dumps(rows))
    same_inputs = all(before.get(key) == now.get(key) for key in ("inputs", "inputs.sha256"))
    if not same_inputs and earlier is not None:
        _refuse_inputs(location, earlier(), inputs)
    for key in sorted({*before, *now} - {"inputs", "inputs.sha256"}):
        if before.get(key) != now.get(key):
            raise OutputError(
                f"{location} holds a run with {key} = {before.get(key)!r}, but this run has {now.get(key)!r}; "
                "choose another output folder, or resume with the same inputs and options"
            )


def check_sizes(location: str, ledger: Ledger, inputs: Sequence[str], size_of: SizeOf) -> None:
    """Raises OutputError if a finished input has another size now: what was added to it would not be read."""
    for number in sorted(ledger.finished()):
        now = size_of(number)
        before = ledger.size(number) if now is not None else None
        if now is not None and before is not None and now != before:
            unit = "file" if os.path.isdir(local_path(inputs[number])) else "byte"
            location = location.removesuffix(f"/{STAGING}")
            hint = (
                "or put what is new into a file of its own and add that with --append. If it was damaged then, "
                f"thresher retry {location} reads what was missing"
            )
            if now < before:
                hint = "or bring back what it was"
            raise OutputError(
                f"{location} has read {one_line(inputs[number])}, which had {number_of(before, unit)} then and has "
                f"{now:,} now; what is finished is not read again. Choose another output folder, {hint}"
            )


def _refuse_inputs(location: str, before: Sequence[str], inputs: Sequence[str]) -> NoReturn:
    """Raises OutputError, which says how the inputs differ from those of the run in the folder."""
    old, new = set(before), set(inputs)
    added = [name for name in inputs if name not in old]
    missing = [name for name in before if name not in new]
    holds = f"{location} holds a run over {number_of(len(before), 'input')}"
    if added and not missing:
        problem = f"and this command names {len(added):,} more, such as {one_line(added[0])}; add --append to add "
        problem += "them to the run, or choose another output folder"
    elif missing:
        which = f"{len(missing):,} of them, such as" if len(before) > 1 else "it:"
        problem = f"and this command does not name {which} {one_line(missing[0])}; name the same inputs to resume the "
        problem += "run, use --append to add others, or choose another output folder"
    else:
        problem = "and this command names them in another order; name them in the same order to resume the run"
    raise OutputError(f"{holds}, {problem}")
