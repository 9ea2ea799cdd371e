# SPDX-License-Identifier: Apache-2.0
"""Fetches byte ranges of archives: local files, web servers, object stores.

Connections to web servers are kept open from one range to the next, and so are the file systems of object stores. Every
request goes through the store's limiter (limits.py), and is tried again as in http_input.py.
"""

from __future__ import annotations

import http.client
import io
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections import OrderedDict
from typing import Final

from thresher.errors import InputError, ThresherError, TransferError
from thresher.reading.files import BlockFile, InputFile, read_at
from thresher.reading.http_input import (
    CONTENT_RANGE,
    PAST_THE_END,
    UNSATISFIED,
    USER_AGENT,
    open_url,
    persist,
)
from thresher.reading.limits import limiter_of
from thresher.reading.names import UNQUOTED, scheme_of
from thresher.reading.opening import open_input
from thresher.reading.transfers import TIMEOUT
from thresher.terminal import one_line

MAX_OPEN: Final = 16  # archives kept open
MAX_CONNECTIONS: Final = 4  # servers whose connections are kept
_CLOSED: Final = (ConnectionError, http.client.BadStatusLine, http.client.CannotSendRequest)


def _connection(parts: urllib.parse.SplitResult) -> http.client.HTTPConnection:
    """A connection to a server, which is made with its first request."""
    if parts.scheme == "https":
        return http.client.HTTPSConnection(parts.netloc, timeout=TIMEOUT, context=ssl.create_default_context())
    return http.client.HTTPConnection(parts.netloc, timeout=TIMEOUT)


class RangeFetcher:
    """Fetches ranges of archives by name. One thread at a time may use it."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, InputFile] = OrderedDict()
        self._connections: OrderedDict[tuple[str, str], http.client.HTTPConnection] = OrderedDict()

    def fetch(self, source: str, start: int, n: int) -> bytes:
        """The n bytes of an archive from `start` on, fewer only where it ends.

        Raises InputError if it does not exist or cannot be read, TransferError if its server does not answer.
        """
        if scheme_of(source) in ("http", "https"):
            return self._fetch_http(source, start, n)
        if source not in self._open:
            self._open[source] = open_input(source)
            while len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)[1].close()
        self._open.move_to_end(source)
        file = self._open[source]
        try:
            return file.read_at(start, n) if isinstance(file, BlockFile) else read_at(file, start, n)
        except ThresherError:
            raise
        except OSError as error:
            raise TransferError(f"{source}: {error.strerror or error} at byte {start:,}") from None

    def has_open(self, source: str) -> bool:
        """Whether the archive, or a connection to its server, is open."""
        return source in self._open or any(
            source.startswith(f"{scheme}://{server}/") for scheme, server in self._connections
        )

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()
        while self._connections:
            self._connections.popitem()[1].close()

    # -- web servers --------------------------------------------------------------------------------------------------

    def _fetch_http(self, url: str, start: int, n: int) -> bytes:
        limiter = limiter_of(url)

        def attempt() -> bytes:
            limiter.wait()
            try:
                body = self._request(url, start, n)
            except urllib.error.HTTPError as error:
                if error.code != PAST_THE_END:
                    raise
                stated = UNSATISFIED.fullmatch((error.headers.get("Content-Range") or "").strip())
                if stated and int(stated[1]) > start:
                    raise OSError(f"the server refuses bytes at {start:,} of {int(stated[1]):,}") from None
                return b""
            limiter.received(len(body))
            return body

        return persist(url, attempt, lambda: f" at byte {start:,}")

    def _request(self, url: str, start: int, n: int) -> bytes:
        """The bytes asked for. Raises urllib.error.HTTPError for a status that says why there are none."""
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity", "Range": f"bytes={start}-{start + n - 1}"}
        response = self._answer(url, headers)
        try:
            body = _range_of(url, response, start, n)
        except BaseException as error:
            self._drop(url)
            if isinstance(error, http.client.IncompleteRead):
                raise OSError("the connection was cut") from None
            raise
        if not response.isclosed():  # more is on its way than is wanted
            self._drop(url)
        return body

    def _answer(self, url: str, headers: dict[str, str]) -> http.client.HTTPResponse:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in urllib.request.getproxies():
            response = self._kept(url, parts, headers)
            if response.status < 300:
                return response
            response.read(1 << 16)  # so that the connection can be used again
            if not response.isclosed():
                self._drop(url)
            if response.status >= 400:
                raise urllib.error.HTTPError(url, response.status, response.reason, response.headers, io.BytesIO())
        return open_url(url, headers)  # through a proxy, or redirected where that is safe

    def _kept(self, url: str, parts: urllib.parse.SplitResult, headers: dict[str, str]) -> http.client.HTTPResponse:
        """The answer over the connection that is open to the server, or a new one."""
        key = parts.scheme, parts.netloc
        target = urllib.parse.quote(parts.path or "/", safe=UNQUOTED)
        if parts.query:
            target += "?" + urllib.parse.quote(parts.query, safe=UNQUOTED)
        kept = self._connections.pop(key, None)
        connection = self._connections[key] = kept or _connection(parts)
        while len(self._connections) > MAX_CONNECTIONS:
            self._connections.popitem(last=False)[1].close()
        try:
            connection.request("GET", target, headers=headers)
            return connection.getresponse()
        except BaseException as error:
            self._drop(url)
            if kept and isinstance(error, _CLOSED):
                return self._kept(url, parts, headers)  # over a new one: the server closed this meanwhile
            raise

    def _drop(self, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        if connection := self._connections.pop((parts.scheme, parts.netloc), None):
            connection.close()


def _range_of(url: str, response: http.client.HTTPResponse, start: int, n: int) -> bytes:
    """The n bytes from `start` on of the file that a response is of. Raises OSError if it keeps no promise, InputError
    if the server cannot serve ranges.
    """
    coding = (response.headers.get("Content-Encoding") or "identity").strip().lower()
    if response.status == http.client.OK and start > 0:
        raise InputError(f"{url}: the server cannot serve parts of a file; download the archives, or read them whole")
    if coding not in ("identity", "gzip", "x-gzip") or (coding != "identity" and response.status == http.client.OK):
        raise InputError(f"{url}: the server sends the archive in the content coding {one_line(coding, 20)}")
    wanted = n
    if response.status == http.client.PARTIAL_CONTENT:
        stated = CONTENT_RANGE.fullmatch((response.headers.get("Content-Range") or "").strip())
        if not stated or int(stated[1]) != start or int(stated[2]) >= start + n:
            raise OSError("the server answered another range than asked for")
        wanted = int(stated[2]) + 1 - start
        if wanted < n and stated[3] != "*" and int(stated[3]) != start + wanted:
            raise OSError("the server answered a shorter range than asked for")
    body = response.read(wanted)
    if response.status == http.client.PARTIAL_CONTENT and len(body) < wanted:
        raise OSError("the connection was cut")
    return body
