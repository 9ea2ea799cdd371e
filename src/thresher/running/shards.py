# SPDX-License-Identifier: Apache-2.0
"""A run in shards: each command of an array job works on every n-th input, in a folder of its own below OUT.

    OUT/_shards/00003-of-00008/     a run folder like any other, over the inputs 2, 10, 18, …

Files are named by the number of their input among all inputs. So `merge` only moves them, and the folder is then that
of one run over everything: it can be resumed, retried and inspected.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Final

from thresher.errors import OutputError
from thresher.rows.answers import move_answers, new_answers
from thresher.schemas import ASKED, TABLES
from thresher.schemas.skipped import PASSED_ON
from thresher.writing.layout import INDEX, INPUTS, RUN_FILE, SHARDS
from thresher.writing.ledger import LEDGER
from thresher.writing.run_folder import RunFolder
from thresher.writing.storage import TEMPORARY
from thresher.writing.tables import SCHEMA_FILE

_NAME: Final = re.compile(r"(\d{5,})-of-(\d{5,})")
MAX_SHARDS: Final = 100_000


def parse_shard(text: str) -> tuple[int, int]:
    """(i, n) of "i/n". Raises ValueError unless 1 <= i <= n."""
    match = re.fullmatch(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", text, re.ASCII)
    number, n = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= number <= n <= MAX_SHARDS:
        raise ValueError(f"{text!r} is no shard; write 3/8 for the third of eight")
    return number, n


def shard_folder(output: str, shard: tuple[int, int]) -> str:
    """Where a shard of the run in OUT writes."""
    return RunFolder(output).url(f"{SHARDS}/{shard[0]:05d}-of-{shard[1]:05d}")


def new_shard(output: str, shard: tuple[int, int]) -> str:
    """shard_folder(). Raises OutputError if OUT is a run itself, such as one of merged shards: with other shards below
    it, its rows would be there twice.
    """
    if RunFolder(output).storage.has(RUN_FILE):
        raise OutputError(f"{output} holds a run already, and takes no shards; choose another output folder")
    return shard_folder(output, shard)


@dataclass(frozen=True, slots=True)
class Merged:
    shards: int
    inputs: int
    pages: int


def merge(output: str) -> Merged:
    """Joins the shards of a run into its folder, after checking that all are there, finished and of one run.

    It can be killed and given again, also when it has joined them. Raises OutputError if a shard is missing, unfinished
    or damaged; nothing is moved then.
    """
    folder = RunFolder(output)
    present = folder.check_own()
    if joined := RUN_FILE in present and folder.read_run().get("joined"):
        if SHARDS in present:  # an earlier command was killed while it removed them
            folder.storage.remove(SHARDS)
            folder.storage.remove(TEMPORARY)
        return Merged(**joined)
    if SHARDS not in present:
        raise OutputError(f"{output} holds no shards; thresher extract --shard 1/8 -o {output} writes one")
    shards = _shards(folder)
    records = [shard.read_run() for shard in shards]
    first = records[0]
    for shard, record in zip(shards, records, strict=True):
        if different := sorted(key for key in first["rows"] if record["rows"].get(key) != first["rows"][key]):
            raise OutputError(f"{shard.location} is of another run than the first shard: {different[0]} differs")
    n_inputs = int(first["rows"].get("inputs", 0))
    storage = folder.storage
    # By an earlier command that was killed:
    already = folder.ledger.finished()
    moved = {name.partition(".")[0] for name in storage.names("pages")}
    pages = sum(_check(shard, number, len(shards), n_inputs, already, moved) for number, shard in enumerate(shards))
    tables = [name for name in TABLES if name not in ASKED or any(each.storage.has(name) for each in shards)]
    tables += [PASSED_ON] if first["rows"].get("write.pass_on") else []
    for name in (*tables, LEDGER):
        storage.make(name)
    for shard in shards:
        # The ledger last: what it lists is there.
        for table in (*tables, LEDGER):
            for name in sorted(shard.storage.names(table) - {SCHEMA_FILE}):
                storage.move(shard.storage.path(table, name), storage.path(table, name))
    for name in (*(f"{table}/{SCHEMA_FILE}" for table in tables), INPUTS):
        if shards[0].storage.has(name):
            storage.move(shards[0].storage.path(name), storage.path(name))
    if shards[0].storage.has(INDEX):
        storage.make(INDEX)
        for name in sorted(shards[0].storage.names(INDEX)):
            storage.move(shards[0].storage.path(INDEX, name), storage.path(INDEX, name))
    for shard in shards:
        move_answers(shard.storage, storage)
    merged = Merged(len(shards), n_inputs, pages)
    storage.write_json(RUN_FILE, {k: v for k, v in first.items() if k != "shard"} | {"joined": asdict(merged)})
    storage.remove(SHARDS)
    storage.remove(TEMPORARY)
    return merged


def _shards(folder: RunFolder) -> list[RunFolder]:
    """The shards of a run, in order. Raises OutputError unless all are there."""
    found: dict[int, set[int]] = {}
    for name in folder.storage.names(SHARDS):
        if match := _NAME.fullmatch(name):
            found.setdefault(int(match[2]), set()).add(int(match[1]))
    if len(found) != 1:
        counts = ", ".join(map(str, sorted(found))) or "none"
        raise OutputError(f"{folder.location} holds shards of different numbers ({counts}); keep those of one")
    ((n, numbers),) = found.items()
    if missing := sorted(set(range(1, n + 1)) - numbers):
        shown = ", ".join(f"{number}/{n}" for number in missing[:10])
        raise OutputError(f"{folder.location}: {len(missing):,} of {n:,} shards are missing, such as {shown}")
    return [RunFolder(shard_folder(folder.location, (number, n))) for number in range(1, n + 1)]


def _check(shard: RunFolder, number: int, n: int, n_inputs: int, already: set[int], moved: set[str]) -> int:
    """The pages of a shard. Raises OutputError unless its inputs are finished, with the rows that its ledger states."""
    if new_answers(shard.storage):
        raise OutputError(
            f"{shard.location}: merged answers are not in all of its rows; give thresher merge {shard.location} "
            "--answers again"
        )
    inputs = range(number, n_inputs, n)
    finished = shard.ledger.finished() | already
    if left := [each for each in inputs if each not in finished]:
        raise OutputError(
            f"{shard.location}: {len(left):,} of {len(inputs):,} inputs are not finished; give the command of this "
            "shard again"
        )
    pages = 0
    names = shard.storage.names("pages")
    there = {name.partition(".")[0] for name in names}
    for each in inputs:
        for entry in shard.ledger.read(each):
            stated = entry.rows.get("pages", 0)
            pages += stated
            name = f"{entry.partition}.parquet"
            if each in already or not stated or entry.partition not in there:
                if stated and each not in already and entry.partition not in moved:
                    raise OutputError(f"{shard.location}: the pages of partition {entry.partition} are missing")
                continue
            if name in names and (n_rows := shard.tables.n_rows("pages", name)) != stated:
                raise OutputError(
                    f"{shard.location}/pages/{name} has {n_rows:,} rows, and the ledger says {stated:,}: it is damaged"
                )
    return pages
