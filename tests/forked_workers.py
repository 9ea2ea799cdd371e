# SPDX-License-Identifier: Apache-2.0
"""Fixtures for tests of the service and of the laboratory: their workers are forked. One that is spawned, as in a
command, imports everything anew. One that is forked has all the memory of the tests, and may be replaced for it, by
another that is forked while the service runs: a test that holds on to a worker, or has large pages, needs it spawned.
"""

from functools import partial

import pytest

from thresher.running.crew import start_worker


@pytest.fixture(autouse=True)
def _forked_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test with the fixture `spawned` has workers as the command has them."""
    if "spawned" not in request.fixturenames:
        monkeypatch.setattr("thresher.running.pool.start_worker", partial(start_worker, fork=True))


@pytest.fixture
def spawned() -> None:
    """Workers as the command has them."""
