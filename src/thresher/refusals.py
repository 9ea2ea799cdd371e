# SPDX-License-Identifier: Apache-2.0
"""How every command says what the user has to mend: a message, exit status 2, nothing done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click


class Refusal(click.ClickException):
    """Something the user has to mend; nothing was done. Exit status 2."""

    exit_code = 2


@contextmanager
def refusals() -> Iterator[None]:
    """Turn errors that the user has to mend into a message and exit status 2."""
    from thresher.errors import ConfigError, InputError, OutputError, TransferError

    try:
        yield
    except (ConfigError, InputError, OutputError, TransferError) as error:
        raise Refusal(str(error)) from error
