# SPDX-License-Identifier: Apache-2.0
"""What the tests of the evaluation share."""

import multiprocessing

import pytest


@pytest.fixture(autouse=True)
def _forked_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that measure are forked: each that is spawned, as in the command, imports everything anew. A test with
    the fixture `spawned` has them as they are.
    """
    if "spawned" not in request.fixturenames:
        monkeypatch.setattr("thresher.lab.evaluate.runner._SPAWN", multiprocessing.get_context("fork"))


@pytest.fixture
def spawned() -> None:
    """Workers as the command has them."""
