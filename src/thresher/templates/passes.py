# SPDX-License-Identifier: Apache-2.0
"""The second pass, step by step, on any engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from thresher.address import PAGE_KEY, address_of
from thresher.rows.notes import earlier_page, text_hash
from thresher.templates.counting import APPLIED, EARLIER, EVIDENCE, LARGE_HOSTS, ORIGINALS
from thresher.templates.deciding import SecondPass, node_key, page_key
from thresher.writing.run_folder import RunFolder
from thresher.writing.staging import COUNTED_MARK, OF_THE_SECOND_PASS

if TYPE_CHECKING:
    from thresher.running.engine import Engine
    from thresher.running.reporter import Reporter
    from thresher.running.run import Run
    from thresher.writing.staging import StagingFolder

_ALL_COUNTED = f"{COUNTED_MARK}/all"


def second_pass(run: Run, engine: Engine, reporter: Reporter) -> int:
    """Counts over all pages that the first pass staged, decides each page, and writes the tables. Returns the number of
    pages whose decision changed.

    It can be killed at any moment. A resumed run repeats the counting from its beginning, and decides the partitions
    that are left.
    """
    work = SecondPass(run.configuration, run.output, run.inputs)
    staging = work.staging
    partitions = staging.partitions()
    for name in set(run.folder.partitions()).difference(partitions):
        run.folder.commit(name, {})  # decided by an earlier command, before what comes in front was read differently
    if not staging.storage.has(_ALL_COUNTED):
        for name in OF_THE_SECOND_PASS:
            staging.storage.remove(name)
        _count(work, staging, engine, partitions, reporter)
        staging.storage.mark(_ALL_COUNTED)
    with reporter.watching("deciding each page with what is known from the others") as watch:
        changed = engine.each(work.decide, partitions, watch)
    finished = staging.ledger.finished()
    for run_input in run.inputs:
        if run_input.number in finished:
            number, ledger = run_input.number, staging.ledger
            entries, state = ledger.read(number), ledger.state(number)
            run.folder.ledger.write(number, run_input.source, entries, done=True, **state)
    return changed


def _count(
    work: SecondPass, staging: StagingFolder, engine: Engine, partitions: Sequence[str], reporter: Reporter
) -> None:
    knobs = work.configuration.templates

    def query(sql: str, tables: Sequence[str], output: str) -> None:
        if all(staging.files(table) for table in tables):  # else there is nothing to count
            engine.sql(sql, staging, tables, output, watch)

    with reporter.watching("looking for copies of pages") as watch:
        query(ORIGINALS, ("marks",), "originals")
        if knobs.known:
            write_earlier(staging, [RunFolder(each) for each in knobs.known])
            query(EARLIER, ("marks", "earlier"), "known_pages")
        query(LARGE_HOSTS.replace("{known_pages}", str(knobs.known_pages)), ("host_pages",), "large_hosts")
    with reporter.watching("counting what the pages of a host have in common") as watch:
        engine.each(work.count, partitions, watch)
        if knobs.mode == "apply":
            write_known(staging, RunFolder(knobs.source))
            query(APPLIED, ("counts", "known"), "evidence")
        else:
            query(EVIDENCE, ("counts",), "evidence")


def write_earlier(staging: StagingFolder, sources: Sequence[RunFolder]) -> None:
    """Writes the keys of earlier runs, each with the name of the page that has it."""
    staging.storage.remove("earlier")
    number = 0
    for run, source in enumerate(sources):
        for batch in source.tables.dataset("keys").to_batches():
            names = batch.select([name for name in PAGE_KEY if name in batch.schema.names]).to_pylist()
            pages = pa.array([earlier_page(run, row["warc_filename"], address_of(row)) for row in names], pa.string())
            staging.write("earlier", f"{number:06d}", pa.table({"mark": batch["key"], "page": pages}))
            number += 1


def write_known(staging: StagingFolder, source: RunFolder) -> None:
    """Writes the templates of an earlier run as keys of host and fingerprint, the keys that this run's pages are
    counted by.
    """
    staging.storage.remove("known")
    columns = ["node", "fingerprint", "pages", "known"]
    for number, batch in enumerate(source.tables.batches("templates", columns)):
        keys: dict[int, int] = {}
        for node, fingerprint, pages, known in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if fingerprint is not None:
                host = text_hash(node)
                keys[node_key(fingerprint, host)] = pages
                keys[page_key(host)] = known
        rows = pa.table({"key": pa.array(keys, pa.int64()), "pages": pa.array(keys.values(), pa.int64())})
        staging.write("known", f"{number:06d}", rows)
