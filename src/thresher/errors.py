# SPDX-License-Identifier: Apache-2.0
"""Every error that Thresher raises on purpose. All inherit from ThresherError, and each also from the fitting builtin."""

from __future__ import annotations

__all__ = [
    "ConfigError",
    "InputError",
    "OutputError",
    "RunError",
    "ThresherError",
    "TransferError",
    "WorkerDied",
    "WorkerStalled",
]


class ThresherError(Exception):
    """The base class of all errors below."""


class InputError(ThresherError, ValueError):
    """An input that cannot be read as it was named: it does not exist, may not be read, or is no archive."""


class TransferError(ThresherError, OSError):
    """Bytes of an input that exist but could not be fetched after several attempts. Another attempt may succeed."""


class OutputError(ThresherError, ValueError):
    """An output folder that cannot be used. The message says why and what to do."""


class ConfigError(ThresherError, ValueError):
    """A setting that does not exist, or a value that it cannot have. The message says what is allowed."""


class RunError(ThresherError, RuntimeError):
    """A run that could not go on. What it wrote is kept, and the same command continues from there."""


class WorkerDied(ThresherError, RuntimeError):
    """A worker process that ended before its task did."""


class WorkerStalled(WorkerDied):
    """A worker process that was stopped because it made no progress for run.stall_seconds."""
