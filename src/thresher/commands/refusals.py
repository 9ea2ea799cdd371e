# SPDX-License-Identifier: Apache-2.0
"""How every command says what the user has to mend: a message, exit status 2, nothing done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from thresher.terminal import for_terminal


class Refusal(click.ClickException):
    """Something the user has to mend; nothing was done. Exit status 2."""

    exit_code = 2

    def format_message(self) -> str:
        """The message as a terminal may be sent it: it may quote names that strangers chose."""
        return for_terminal(self.message)


@contextmanager
def refusals() -> Iterator[None]:
    """Turn errors that the user has to mend into a message and exit status 2."""
    from thresher.errors import ConfigError, InputError, OutputError, TransferError

    try:
        yield
    except (ConfigError, InputError, OutputError, TransferError) as error:
        raise Refusal(str(error)) from error
