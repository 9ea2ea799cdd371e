# SPDX-License-Identifier: Apache-2.0
"""One run from its first partition to its exit status, on any engine."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from thresher.errors import NOT_WRITTEN, OutputError, ThresherError
from thresher.running.plan import PlanFile
from thresher.running.reporter import Reporter
from thresher.running.run import EXIT_ERRORS, EXIT_INCOMPLETE, EXIT_OK, EXIT_STOPPED, Run
from thresher.schemas.skipped import PASSED_ON
from thresher.terminal import number_of, one_line
from thresher.writing.layout import RUN_FILE, STAGING
from thresher.writing.staging import COUNTED_MARK

if TYPE_CHECKING:
    from thresher.config import Configuration
    from thresher.running.engine import Engine
    from thresher.running.outcome import Report
    from thresher.running.partition_queue import Snapshot
    from thresher.writing.run_folder import RunFolder

    SecondPass = Callable[[Run, Engine, Reporter], object]

_HOW: Final = {EXIT_OK: "done", EXIT_ERRORS: "done, with too many errors", EXIT_INCOMPLETE: "incomplete"}


def execute(
    run: Run, engine_for: Callable[[Run], Engine], reporter: Reporter | None = None, *, second_pass: SecondPass
) -> int:
    """Runs what is left of a run, reports how it ended, and returns its exit status (EXIT_… in thresher.running.run).

    `engine_for` makes the engine, such as LocalEngine, when there is work. `second_pass` is done after the first pass
    of a run with templates; it is thresher.templates.second_pass.

    Any failure leaves an output folder from which the same command can resume.
    """
    started = time.monotonic()
    reporter = reporter or Reporter()
    plan = PlanFile(run)
    if run.resumed:
        reporter.say(f"Resuming {run.output}: {len(run.pending):,} of {number_of(len(run.inputs), 'input')} left.")
    try:
        plan.update()
        if run.pending:
            with engine_for(run) as engine:
                _work(run, engine, reporter, plan, second_pass)
        keep = run.configuration.templates.mode == "off" or run.configuration.run.keep_first_pass
        if not keep and len(run.folder.ledger.finished()) == len(run.inputs):
            # An earlier run may have been killed while removing it. What says that there are notes goes first, so that
            # no retry works with a part of them.
            run.folder.storage.delete(run.folder.storage.path(STAGING, RUN_FILE))
            run.folder.storage.remove(STAGING)
        status = _finish(run, reporter, time.monotonic() - started)
        plan.update(_HOW[status])
        run.folder.close_run()
        return status
    except KeyboardInterrupt:
        _note(plan, "stopped")
        reporter.say("Stopped. Run the same command again to resume.")
        return EXIT_STOPPED
    except (OSError, MemoryError, ThresherError) as error:
        what = str(error) if isinstance(error, ThresherError) else f"cannot continue {run.output}: {error!r}"
        if isinstance(error, OSError):
            verb = "write to" if error.errno in NOT_WRITTEN else "continue"
            what = f"cannot {verb} {run.output}: {error}"
        again = "" if isinstance(error, OutputError) else "; run the same command again to resume"
        reporter.say(f"Error: {what}. Finished work is kept{again}.")
        _note(plan, "error")
        return EXIT_INCOMPLETE
    finally:
        for each in (run.first_pass, run):
            if each:
                each.folder.lock.release()


def _note(plan: PlanFile, how: str | None = None) -> None:
    """Updates the plan, if that can be done: the run does not depend on it."""
    with suppress(OSError, ThresherError):
        plan.update(how)


def _work(run: Run, engine: Engine, reporter: Reporter, plan: PlanFile, second_pass: SecondPass) -> None:
    """Runs the passes, one after the other."""
    first_pass = run.first_pass
    if first_pass and first_pass.pending:
        # Partitions that failed before may succeed now, so everything must be counted and decided again.
        first_pass.folder.storage.remove(COUNTED_MARK)
    with reporter.watching("extracting pages" if first_pass else "") as watch:

        def watched(snapshot: Snapshot) -> None:
            watch(snapshot)
            _note(plan)

        engine.extract(watched)
    if first_pass and _is_done(run, first_pass.folder):
        first_pass.folder.close_run()
        second_pass(run, engine, reporter)


def _first_reason(report: Report, errors: Counter[str]) -> str:
    """What the first dead letter of the most frequent of these errors says."""
    most = errors.most_common(1)[0][0] if errors else ""
    letters = [each for each in report.examples if f"{each['stage']}: {each['error_class']}" == most]
    first = next(iter(letters or report.examples), None)
    if first is None:
        return ""
    return f"; the first: {one_line(first['warc_filename'], 100)}: {one_line(first['message'], 300)}"


def _listed(counts: Counter[str]) -> str:
    """Counts with their names, the largest first: "3 not_html, 1 empty"."""
    from thresher.running.outcome import ranked

    return ", ".join(f"{n:,} {name}" for name, n in ranked(counts))


def _exit_status(report: Report, configuration: Configuration) -> int:
    """EXIT_OK, EXIT_INCOMPLETE if partitions are missing, or EXIT_ERRORS above run.max_error_ratio."""
    if report.lost:
        return EXIT_INCOMPLETE
    return EXIT_ERRORS if report.error_ratio > configuration.run.max_error_ratio else EXIT_OK


def _is_done(run: Run, folder: RunFolder) -> bool:
    """Whether every input is finished or lost in a folder of the run: none was left because of --limit-hours."""
    return run.deadline is None or time.time() <= run.deadline or len(folder.ledger.finished()) == len(run.inputs)


def _finish(run: Run, reporter: Reporter, seconds: float) -> int:
    """Reports the outcome of the run and returns its exit status."""
    from thresher.running.outcome import report_on

    report = report_on(run.folder, contents=False)
    status = _exit_status(report, run.configuration)
    finished = run.folder.ledger.finished()
    left = 0 if _is_done(run, run.folder) else sum(each.number not in finished for each in run.mine)
    if left:
        status = EXIT_INCOMPLETE
    reporter.say(
        f"{number_of(report.pages, 'page')} of {number_of(report.records, 'record')}, "
        f"{number_of(report.errors.total(), 'error')}, in {run.output}"
        + (" (including earlier work)" if run.resumed else "")
        + f"; this took {seconds:,.1f} s. See: thresher inspect {run.output}"
    )
    if report.left_out:
        n = report.left_out.total()
        reporter.say(
            f"{n:,} of {number_of(report.files, 'file')} {'was' if n == 1 else 'were'} left out: "
            f"{_listed(report.left_out)}. The table files has each; --strict refuses them."
        )
    if passed_on := report.passed_on:
        reporter.say(
            f"{number_of(passed_on.total(), 'document')} passed on ({_listed(passed_on)}), as WARC records in "
            f"{run.output}/{PASSED_ON}."
        )
    if not report.pages and report.skipped:
        reporter.say(f"No page was found; records were skipped because of {_listed(report.skipped)}.")
    if left:
        reporter.say(
            f"The time of --limit-hours is over: {number_of(left, 'input')} of {len(run.mine):,} left. Run the "
            "same command again to go on."
        )
    elif report.missing:
        status = EXIT_INCOMPLETE
        reporter.say(
            f"Damaged: {number_of(len(report.missing), 'file')} of finished work cannot be found or read, such as "
            f"{next(iter(report.missing))}. Restore what is missing, or run into another folder."
        )
    elif status == EXIT_INCOMPLETE:
        lost = f"{report.lost:,} partition is" if report.lost == 1 else f"{report.lost:,} partitions are"
        reporter.say(
            f"Incomplete: {lost} missing (see dead_letter/){_first_reason(report, report.losses)}. Run the same "
            "command again to retry what is missing."
        )
    elif status == EXIT_ERRORS:
        limit = run.configuration.run.max_error_ratio
        reporter.say(
            f"Too many errors: {report.error_ratio:.2%} of pages failed (--max-error-ratio is {limit:.2%})"
            f"{_first_reason(report, report.errors)}. Everything was written."
        )
    return status
