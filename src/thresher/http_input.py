# SPDX-License-Identifier: Apache-2.0
"""A WARC on a web server, read as one stream that is taken up again where it breaks off."""

from __future__ import annotations

import email.utils
import http.client
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import UTC, datetime
from typing import Final

from thresher.transfers import ATTEMPTS, LONGEST_WAIT, TIMEOUT, InputError, TransferError, pause_after

__all__ = ["HttpFile"]

RETRIED_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
UNQUOTED: Final = "%/:?#[]@!$&'()*+,;=~"  # what may stand in a URL; the rest, spaces first of all, is percent-encoded
USER_AGENT: Final = "thresher (WARC reader)"


def asked_wait(retry_after: str | None) -> float | None:
    """Seconds that a Retry-After header (a number or a date) asks for, at most LONGEST_WAIT; None where it asks for nothing."""
    if not retry_after:
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = (email.utils.parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return min(max(seconds, 0.0), LONGEST_WAIT)


class HttpFile:
    """A file on a web server: one request streams it, a range request continues wherever the stream broke off."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._position = 0
        self._response: http.client.HTTPResponse | None = None
        self._tag: str | None = None  # ETag or Last-Modified: a file that changes under us must not be glued together
        self.size: int | None = None
        self._open()

    def _open(self) -> None:
        """Starts a response at the present position."""
        self._drop()
        for tried in range(1, ATTEMPTS + 1):
            wait: float | None = None
            try:
                self._response = self._request()
                return
            except urllib.error.HTTPError as error:
                if error.code == 416:  # at or past the end
                    self._response = None
                    return
                if error.code not in RETRIED_STATUSES:
                    raise InputError(f"{self._url}: HTTP status {error.code} {error.reason}") from None
                problem, wait = f"HTTP status {error.code} {error.reason}", asked_wait(error.headers.get("Retry-After"))
                error.close()
            except (http.client.InvalidURL, ValueError) as error:
                raise InputError(f"{self._url}: {error}") from None
            except (OSError, http.client.HTTPException) as error:
                problem = f"{getattr(error, 'reason', None) or error or type(error).__name__}"
            if tried < ATTEMPTS:
                time.sleep(wait if wait is not None else pause_after(tried))
        raise TransferError(f"{self._url}: {problem} ({ATTEMPTS} attempts)")

    def _request(self) -> http.client.HTTPResponse:
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity", "Range": f"bytes={self._position}-"}
        request = urllib.request.Request(urllib.parse.quote(self._url, safe=UNQUOTED), headers=headers)
        response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=TIMEOUT)
        tag = response.headers.get("ETag") or response.headers.get("Last-Modified")
        if self._tag is not None and tag is not None and tag != self._tag:
            response.close()
            raise TransferError(f"{self._url}: changed on the server while it was read")
        self._tag = self._tag or tag
        length = response.headers.get("Content-Length")
        if response.status == 206:
            match = re.match(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", ""))
            if not match or int(match[1]) != self._position:
                response.close()
                raise OSError("the server answered another range than asked for")
            if match[2] != "*":
                self.size = int(match[2])
        else:  # the server does not know ranges: read and drop what lies before
            if length is not None:
                self.size = int(length)
            skip = self._position
            while skip > 0:
                dropped = len(response.read(min(skip, 1 << 20)))
                if dropped == 0:
                    break
                skip -= dropped
        return response

    def read(self, n: int = -1, /) -> bytes:
        for tried in range(1, ATTEMPTS + 1):
            if self._response is None:
                if self.size is not None and self._position >= self.size:
                    return b""
                self._open()
                if self._response is None:
                    return b""
            try:
                piece: bytes = self._response.read(n if n >= 0 else None)
                problem = "the connection was cut"
            except http.client.IncompleteRead as error:
                piece, problem = error.partial, "the connection was cut"
            except (OSError, http.client.HTTPException) as error:
                piece, problem = b"", str(error) or type(error).__name__
            self._position += len(piece)
            if piece:
                return piece
            if n == 0 or self.size is None or self._position >= self.size:
                # Without a Content-Length the end of the stream is the only sign of the end there is; http.client
                # raises IncompleteRead where a chunked body was cut.
                return b""
            self._drop()
            time.sleep(pause_after(tried))
        raise TransferError(f"{self._url}: {problem} at byte {self._position:,} of {self.size:,} ({ATTEMPTS} attempts)")

    def seek(self, position: int, /) -> int:
        if position != self._position:
            self._drop()
            self._position = position
        return position

    def tell(self) -> int:
        return self._position

    def _drop(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None

    def close(self) -> None:
        self._drop()
