# SPDX-License-Identifier: Apache-2.0
"""Lists of domains, hosts and addresses that a run leaves out, such as UT1's blacklists or a hosts file."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from thresher.errors import ConfigError, InputError, TransferError
from thresher.reading.text_files import read_text

_MOST_BYTES: Final = 1 << 30
# The address before the names in a hosts file: 0.0.0.0, ::1, fe80::1%lo0.
_ADDRESS: Final = re.compile(r"(?:[0-9.]+|[0-9a-f:]*:[0-9a-f:.]*(?:%\S*)?)\s+", re.IGNORECASE)
# The scheme of a URL, and what other lists write before a domain.
_BEFORE: Final = re.compile(r"[a-z][a-z0-9+.-]*://|\*?\.", re.IGNORECASE)
_NAME: Final = re.compile(r"[^\s/?#@\[\]\\*]+")


class Exclusions:
    def __init__(self, lines: Iterable[str] = ()) -> None:
        """Each line is a domain or host, which stands for itself and every host below it, or the beginning of an
        address (with a slash after its host). A line of a hosts file is an IP address and one or more hosts. Blank
        lines and what follows a # are ignored. Raises ValueError for a line that is none of these.
        """
        self._domains: set[str] = set()
        self._paths: dict[str, list[str]] = defaultdict(list)
        for number, line in enumerate(lines, 1):
            if written := line.partition("#")[0].strip():
                address = _ADDRESS.match(written)
                for each in written[address.end() :].split() if address else [written]:
                    self._add(each, number)

    def _add(self, written: str, number: int) -> None:
        before = _BEFORE.match(written)
        name, slash, path = written[before.end() if before else 0 :].partition("/")
        host = name.lower()
        if host.count(":") == 1:
            host = host.partition(":")[0]  # an entry is of every port
        host = host.rstrip(".")
        if not _NAME.fullmatch(host):
            raise ValueError(f"line {number:,}: {written[:80]!r} is neither a domain nor the beginning of an address")
        for spelt in {host, _in_ascii(host)}:  # a crawler may have written either
            if slash and path:
                self._paths[spelt].append(f"/{path}")
            else:
                self._domains.add(spelt)

    def entry(self, url: str | None, host: str | None) -> str | None:
        """The entry under which a page falls, given its address and host; None if there is none."""
        if not host:
            return None
        name = host
        while name:
            if name in self._domains:
                return name
            name = name.partition(".")[2]
        if url and host in self._paths:
            rest = url.partition("://")[2]
            path = rest[rest.find("/") :] if "/" in rest else "/"
            for begun in self._paths[host]:
                if path.startswith(begun):
                    return host + begun
        return None


def _in_ascii(host: str) -> str:
    """An internationalised name as DNS has it."""
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


@lru_cache(maxsize=4)
def read_exclusions(file: str) -> Exclusions:
    """The exclusions in a file: text, also gzipped, local or a URL. Raises ConfigError if it cannot be read."""
    data = _read(file)
    try:
        return Exclusions(data.decode("utf-8-sig").splitlines())
    except ValueError as error:
        raise ConfigError(f"filter.exclude: {file}: {error}") from None


def digest_of(file: str) -> str:
    """The SHA-256 of the file's content. Raises ConfigError if it cannot be read."""
    return hashlib.sha256(_read(file)).hexdigest()


def _read(file: str) -> bytes:
    try:
        return read_text(file, _MOST_BYTES)
    except (InputError, TransferError) as error:
        raise ConfigError(f"filter.exclude: {file} cannot be read: {error}") from None
