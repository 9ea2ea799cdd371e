# SPDX-License-Identifier: Apache-2.0
"""What lies in a local folder, file by file: what each is, whether it is read, and if not, why."""

from __future__ import annotations

import mimetypes
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from thresher.errors import InputError
from thresher.reading.kinds import FOLDER, LIST, WAT, kind_by_name, look
from thresher.reading.names import RUN_FILE

_TYPES: Final = {**mimetypes.MimeTypes().types_map[True], ".md": "text/markdown"}  # none of the machine's own
_LISTS: Final = (".paths", ".paths.gz", ".lst", ".list")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that a folder or a pattern has, or that was named."""

    path: str
    kind: str | None
    """What it is: a kind of input, a media type, or a description; None if that is not known."""
    source: str | None = None  # the input that reads it
    reason: str | None = None  # a key of thresher.schemas.files.LEFT_OUT; None if it is read
    listed: bool = False  # a list of paths names it


def files_below(folder: str) -> Iterator[FoundFile]:
    """What lies below a folder, in no order. What is read has no source yet. Folders with the output of a run, links
    to folders, and folders that cannot be looked into are one entry each.
    """
    closed: list[OSError] = []
    for here, folders, files in os.walk(folder, onerror=closed.append):
        if RUN_FILE in files and here != folder:
            folders.clear()
            yield FoundFile(here, None, reason="run")
            continue
        for name in folders:
            path = os.path.join(here, name)
            if os.path.islink(path):
                yield FoundFile(path, None, reason="folder")
        for name in files:
            path = os.path.join(here, name)
            kind, reason = kind_in_folder(path)
            yield FoundFile(path, kind, reason=reason)
    for error in closed:
        yield FoundFile(error.filename, None, reason="unreadable")


def kind_in_folder(path: str) -> tuple[str | None, str | None]:
    """(what a file of a folder is, the reason why it is not read or None): by its name, or else its content."""
    kind = kind_by_name(path)
    try:
        status = os.stat(path)
    except OSError:
        return kind, None if kind == FOLDER else "unreadable"
    if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
        return None if kind == FOLDER else kind, "special"
    if kind == FOLDER:
        return kind, None  # its reader says what is wrong with one of many
    if not status.st_size:
        return kind, "empty"
    if not os.access(path, os.R_OK):
        return kind, "unreadable"
    if kind is None:
        if path.lower().endswith(_LISTS):
            return LIST, "list"
        if named := listed_type(path):
            return named, "no_pages"
        try:
            kind, what, _ = look(path)
        except (InputError, OSError):
            return None, "unreadable"
        if kind is None:
            return what, "no_pages" if what else "unknown"
    return kind, {LIST: "list", WAT: "wat"}.get(kind)


def listed_type(path: str) -> str | None:
    """The media type that the name of a file says, if it is one that is no page; None otherwise."""
    ending = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    found = _TYPES.get(ending)
    return None if found in (None, "text/html", "application/octet-stream") else found


@lru_cache(maxsize=4)
def html_files(folder: str) -> list[str]:
    """The HTML files below a folder, relative to it, in order; or of a file itself its name."""
    if not os.path.isdir(folder):
        return [os.path.basename(folder)]
    return sorted(os.path.relpath(each.path, folder) for each in files_below(folder) if each.kind == FOLDER)
