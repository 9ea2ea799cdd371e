# SPDX-License-Identifier: Apache-2.0
"""One base class for all errors that are raised on purpose; each is also what a caller would have caught anyway."""

import pickle

import pytest

from thresher import config, errors
from thresher.errors import ThresherError
from thresher.running.worker_process import plain

BUILTINS = {
    "ConfigError": ValueError,
    "ExtractorError": RuntimeError,
    "InputError": ValueError,
    "OutputError": ValueError,
    "Refused": ValueError,
    "RunError": RuntimeError,
    "StoreRefused": RuntimeError,
    "TransferError": OSError,
    "WorkerDied": RuntimeError,
    "WorkerStalled": RuntimeError,
}


def test_every_error_is_a_thresher_error_and_the_fitting_builtin() -> None:
    assert sorted(errors.__all__) == sorted([*BUILTINS, "ThresherError"])
    for name, builtin in BUILTINS.items():
        kind = getattr(errors, name)
        assert issubclass(kind, ThresherError)
        assert issubclass(kind, builtin)


def test_names_in_the_modules_that_raise_them_are_the_same_classes() -> None:
    assert config.ConfigError is errors.ConfigError


@pytest.mark.parametrize("name", BUILTINS)
def test_an_error_comes_out_of_a_worker_as_what_it_was(name: str) -> None:
    error = pickle.loads(pickle.dumps(plain(getattr(errors, name)("what, where"))))
    assert (type(error).__name__, str(error)) == (name, "what, where")


def test_other_errors_come_out_of_a_worker_with_their_names() -> None:
    class Odd(Exception):
        def __init__(self, a: int, b: int) -> None:
            super().__init__(f"{a} and {b}")

    assert str(plain(Odd(1, 2))) == "Odd: 1 and 2"
    missing = pickle.loads(pickle.dumps(plain(FileNotFoundError(2, "No such file", "/a/b"))))
    assert str(missing) == "[Errno 2] No such file: '/a/b'"
    assert isinstance(plain(MemoryError()), MemoryError)
