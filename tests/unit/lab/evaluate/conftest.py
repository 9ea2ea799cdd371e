# SPDX-License-Identifier: Apache-2.0
"""What the tests of the evaluation share."""

from functools import partial

import pytest

from thresher.running.child_process import start_child


@pytest.fixture(autouse=True)
def _forked_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that measure are forked: each that is spawned, as in the command, imports everything anew. A test with
    the fixture `spawned` has them as they are.
    """
    if "spawned" not in request.fixturenames:
        monkeypatch.setattr("thresher.running.pool.start_child", partial(start_child, fork=True))


@pytest.fixture
def spawned() -> None:
    """Workers as the command has them."""
