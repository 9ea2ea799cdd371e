# SPDX-License-Identifier: Apache-2.0
"""A worker process: one system, page after page, over an inherited connection. Started by `runner.Worker`.

`python -m thresher.evaluate.worker FD` and not multiprocessing's own processes: those import the caller's main module again, which a
caller's script without a `__main__` guard does not survive.
"""

import contextlib
import logging
import resource
import sys
import time
import warnings
from multiprocessing.connection import Connection

from thresher.evaluate.output import Output
from thresher.evaluate.systems import System

MEMORY = 8 << 30
"""Bytes of address space: a system that runs wild on one page fails on that page and does not take the machine down."""

_WARM_UP = b"<html><body><p>One page, so that imports and first calls are not measured.</p></body></html>"


def serve(connection: Connection) -> None:
    """Receives the system, loads it, says so by None, then answers each (page, language) by an `Output` until the other side closes."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    system: System = connection.recv()
    extract = system.load()
    with contextlib.suppress(Exception):
        extract(_WARM_UP, None)
    connection.send(None)
    while True:
        try:
            html, language = connection.recv()
        except EOFError:
            return
        started = time.process_time()
        try:
            text, status = extract(html, language), "ok"
        except Exception as error:  # noqa: BLE001 - any failure of a system is a result of the measurement
            text, status = "", type(error).__name__
        connection.send(Output(status, (time.process_time() - started) * 1000, text))


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
