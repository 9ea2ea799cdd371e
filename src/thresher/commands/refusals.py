# SPDX-License-Identifier: Apache-2.0
"""Errors that the user has to fix: a message and exit status 2, before any work is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO

import click

from thresher.errors import FULL, naming
from thresher.terminal import for_terminal


class Refusal(click.ClickException):
    """An error that the user has to fix. Nothing was done; exit status 2."""

    exit_code = 2

    def format_message(self) -> str:
        """The message, safe for a terminal: it may quote names chosen by strangers."""
        return for_terminal(self.message)


class Incomplete(Refusal):
    """Work that ended early; exit status 4, and the same command goes on."""

    exit_code = 4


@contextmanager
def refusals() -> Iterator[None]:
    """Turns errors that the user has to fix into a message and exit status 2."""
    from thresher.errors import ConfigError, InputError, OutputError, TransferError

    try:
        yield
    except ConfigError as error:
        raise Refusal(_as_typed(str(error))) from error
    except (InputError, OutputError, TransferError) as error:
        raise Refusal(str(error)) from error
    except (PermissionError, FileNotFoundError, IsADirectoryError) as error:
        raise Refusal(f"{error.filename or 'a file'} cannot be opened: {error.strerror or error}") from error
    except Exception as error:
        if not type(error).__module__.startswith("pyarrow"):
            raise
        raise Refusal(f"a file that this command reads is damaged: {str(error).splitlines()[0]}") from error


@contextmanager
def whole_file(path: str) -> Iterator[BinaryIO]:
    """A file to write, which has its name when it is whole. A pipe or a device is written to as it is."""
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            yield file
        return
    path = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(path), f".{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            yield file
        os.replace(temporary, path)
    finally:
        with suppress(OSError):
            os.unlink(temporary)


@contextmanager
def writable(path: str) -> Iterator[None]:
    """Refuses what cannot be written, by its name. A full disk only gets the name: it ends work that goes on later."""
    with naming(path):
        try:
            yield
        except OSError as error:
            if error.errno in FULL:
                raise
            raise Refusal(f"cannot write {path}: {error.strerror or error}") from error


@contextmanager
def written(path: str) -> Iterator[BinaryIO]:
    """A whole_file(), or standard output for "-". One that cannot be written is refused by its name."""
    if path == "-":
        yield sys.stdout.buffer
        return
    with naming(path), ExitStack() as stack:
        with writable(path):
            file = stack.enter_context(whole_file(path))
        yield file


def _as_typed(message: str) -> str:
    """A message about a setting, with the option's name in place of the setting's if the option was given."""
    context = click.get_current_context(silent=True)
    for parameter in context.command.params if context is not None else ():
        key = getattr(parameter, "key", None)
        if key and context is not None and context.params.get(parameter.name or "") is not None:
            before, found, after = message.partition(key)
            if found and not before and not after[:1].isidentifier():
                return max(parameter.opts, key=len) + after
    return message
