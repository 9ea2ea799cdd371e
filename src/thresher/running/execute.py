# SPDX-License-Identifier: Apache-2.0
"""One run from its first partition to its exit status, on any engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from thresher.errors import ThresherError
from thresher.running.reporter import Reporter
from thresher.running.run import EXIT_ERRORS, EXIT_INCOMPLETE, EXIT_STOPPED, Run, exit_status
from thresher.writing.run_folder import STAGING
from thresher.writing.staging import COUNTED_MARK

if TYPE_CHECKING:
    from thresher.running.engine import Engine


def execute(
    run: Run, engine: Engine, reporter: Reporter | None = None, *, first: Callable[[Engine], object] | None = None
) -> int:
    """Runs what is left of a run, reports how it ended, and returns its exit status (EXIT_… in thresher.running.run).

    `first` is done before that.

    Any failure leaves an output folder from which the same command can resume.
    """
    started = time.monotonic()
    reporter = reporter or Reporter()
    if run.resumed and run.pending:
        reporter.say(f"Resuming {run.output}: {len(run.pending):,} of {len(run.warcs):,} WARCs left.")
    try:
        if run.pending or first:
            with engine:
                if first:
                    first(engine)
                if run.pending:
                    _work(run, engine, reporter)
        if run.configuration.templates.mode != "off" and len(run.folder.ledger.finished()) == len(run.warcs):
            run.folder.storage.remove(STAGING)  # an earlier run may have been killed while removing it
        run.folder.close_run()
        return _finish(run, reporter, time.monotonic() - started)
    except KeyboardInterrupt:
        reporter.say("Stopped. Run the same command again to resume.")
        return EXIT_STOPPED
    except (OSError, MemoryError, ThresherError) as error:
        what = str(error) if isinstance(error, ThresherError) else f"cannot continue {run.output}: {error!r}"
        if isinstance(error, OSError):
            what = f"cannot write to {run.output}: {error}"
        reporter.say(f"Error: {what}. Finished work is kept; run the same command again to resume.")
        return EXIT_INCOMPLETE


def _work(run: Run, engine: Engine, reporter: Reporter) -> None:
    """Runs the passes, one after the other."""
    if run.first_pass and run.first_pass.pending:
        # Partitions that failed before may succeed now, so everything must be counted and decided again.
        run.first_pass.folder.storage.remove(COUNTED_MARK)
    with reporter.watching() as watch:
        engine.extract(run.first_pass or run, watch)
    if run.first_pass:
        from thresher.templates.passes import second_pass

        run.first_pass.folder.close_run()
        second_pass(run, engine, reporter.say)


def _finish(run: Run, reporter: Reporter, seconds: float) -> int:
    """Reports the outcome of the run and returns its exit status."""
    from thresher.running.report import inspect_run, number_of

    report = inspect_run(run.output, contents=False)
    status = exit_status(report, run.configuration)
    reporter.say(
        f"{number_of(report.pages, 'page')} of {number_of(report.records, 'record')}, "
        f"{number_of(report.errors.total(), 'error')}, in {run.output}"
        + (" (including earlier work)" if run.resumed else "")
        + f"; this took {seconds:,.1f} s. See: thresher inspect {run.output}"
    )
    if status == EXIT_INCOMPLETE:
        lost = f"{report.lost:,} partition is" if report.lost == 1 else f"{report.lost:,} partitions are"
        reporter.say(
            f"Incomplete: {lost} missing (see dead_letter/). Run the same command again to retry what is missing."
        )
    elif status == EXIT_ERRORS:
        limit = run.configuration.run.max_error_ratio
        reporter.say(
            f"Too many errors: {report.error_ratio:.2%} of pages failed (--max-error-ratio is {limit:.2%}). "
            "Everything was written."
        )
    return status
