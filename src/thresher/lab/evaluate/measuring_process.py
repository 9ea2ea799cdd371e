# SPDX-License-Identifier: Apache-2.0
"""What runs in a worker process: it loads one system, then extracts page after page. `runner.py` starts the workers."""

import contextlib
import faulthandler
import json
import logging
import os
import time
import warnings

from thresher.errors import Refused
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.systems import Extract, System

LOAD_LIMIT = 120
"""Seconds to load a system; a process that takes longer ends itself."""
MAX_REASON = 500
"""Characters of an exception's message that are kept."""

_WARM_UP = b"<html><body><p>One page, so that no measurement includes imports and first calls.</p></body></html>"


_loaded: Extract | str = "nothing was loaded"


def load(system: System) -> None:
    """Prepares the process and loads the system. If that fails, every call of `extract` is refused with the reason."""
    global _loaded  # noqa: PLW0603 - a process has one system
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        # What systems print, also from C, must not get between the lines of the progress bar.
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        faulthandler.dump_traceback_later(LOAD_LIMIT, exit=True, file=nowhere)
        try:
            extract = system.load()
            with contextlib.suppress(Exception):
                extract(_WARM_UP, None)
            _loaded = extract
        except Exception as error:  # noqa: BLE001 - whatever keeps a system from loading is reported
            _loaded = f"{type(error).__name__}: {error}"
        faulthandler.cancel_dump_traceback_later()


def extract(html: bytes, language: str | None) -> bytes:
    """What the system makes of a page, with its CPU time, as JSON: the values of an Output. An exception becomes the
    status. Raises Refused if there is no system.
    """
    return json.dumps(tuple(_extract(html, language))).encode()


def _extract(html: bytes, language: str | None) -> Output:
    if isinstance(_loaded, str):
        raise Refused(_loaded)
    started = time.process_time()
    text: object = ""
    reason = ""
    try:
        text, status = _loaded(html, language), "ok"
    except Exception as error:  # noqa: BLE001 - any failure of a system is a result of the measurement
        status, reason = type(error).__name__, str(error)[:MAX_REASON]
    milliseconds = (time.process_time() - started) * 1000
    if isinstance(text, str):
        return Output(status, milliseconds, text, reason)
    return Output(f"returned {type(text).__name__}", milliseconds, "")
