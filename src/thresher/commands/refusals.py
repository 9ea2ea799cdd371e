# SPDX-License-Identifier: Apache-2.0
"""Errors that the user has to fix: a message and exit status 2, before any work is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from thresher.terminal import for_terminal


class Refusal(click.ClickException):
    """An error that the user has to fix. Nothing was done; exit status 2."""

    exit_code = 2

    def format_message(self) -> str:
        """The message, safe for a terminal: it may quote names chosen by strangers."""
        return for_terminal(self.message)


@contextmanager
def refusals() -> Iterator[None]:
    """Turns errors that the user has to fix into a message and exit status 2."""
    from thresher.errors import ConfigError, InputError, OutputError, TransferError

    try:
        yield
    except (ConfigError, InputError, OutputError, TransferError) as error:
        raise Refusal(str(error)) from error
