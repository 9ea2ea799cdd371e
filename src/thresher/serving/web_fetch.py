# SPDX-License-Identifier: Apache-2.0
"""Fetches a page that a client named, from public addresses only.

A name is resolved once, all its addresses are checked, and the connection goes to a checked address. So a name that
resolves differently a moment later gains nothing. Every redirect is checked in the same way. Proxy settings of the
environment are ignored.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from thresher.errors import Refused
from thresher.reading.http_input import USER_AGENT
from thresher.reading.ip_addresses import is_public
from thresher.reading.payload import PayloadError, gunzip
from thresher.terminal import one_line

MAX_REDIRECTS: Final = 5
_MAX_URL: Final = 8 << 10
_PIECE: Final = 64 << 10
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_WEB_PORTS: Final = frozenset({80, 443})
_FIRST_FREE_PORT: Final = 1024
# Lower ports belong to mail, file and print services, which might act on a request meant for something else.


@dataclass(frozen=True, slots=True)
class Fetched:
    url: str
    """After redirects."""
    body: bytes
    content_type: str
    is_cut: bool
    """Whether there was more than may be taken."""


def fetch(url: str, *, most: int, seconds: float) -> Fetched:
    """The page at an http or https URL: at most `most` bytes, within `seconds` in total.

    Raises Refused, with the reason, if it may not or cannot be fetched.
    """
    until = time.monotonic() + seconds
    for _ in range(MAX_REDIRECTS + 1):
        found = _fetch_one(url, most, until)
        if isinstance(found, Fetched):
            return found
        url = found
    raise Refused(f"more than {MAX_REDIRECTS} redirects")


def _fetch_one(url: str, most: int, until: float) -> Fetched | str:
    """The page, or the target of its redirect."""
    secure, host, port, target = _parts(url)
    address = _resolve(host, port)
    left = until - time.monotonic()
    if left <= 0:
        raise Refused("the page took too long")
    connection = _Connection(host, port, timeout=left)
    connection.address = address
    connection.context = ssl.create_default_context() if secure else None
    # A socket timeout starts again with every byte; this one does not.
    timer = threading.Timer(left, connection.cut)
    timer.daemon = True
    timer.start()
    try:
        headers = {
            "User-Agent": USER_AGENT,
            "Accept": "text/html, */*;q=.5",
            "Accept-Encoding": "identity",
            "Connection": "close",
        }
        connection.request("GET", target, headers=headers)
        response = connection.getresponse()
        location = response.headers.get("Location")
        if response.status in _REDIRECTS and location:
            return urljoin(url, location.strip())
        if response.status != http.client.OK:
            raise Refused(f"the server answered {response.status}")
        body = _read(response, most + 1)
        if time.monotonic() >= until:
            raise Refused("the page took too long")
        is_cut = len(body) > most
        body = body[:most]
        if response.headers.get("Content-Encoding", "").strip().lower() in ("gzip", "x-gzip"):
            body = gunzip(body, most + 1)[0]
            is_cut = is_cut or len(body) > most
            body = body[:most]
        return Fetched(url, body, response.headers.get("Content-Type", ""), is_cut)
    except (OSError, http.client.HTTPException, PayloadError, ValueError) as error:
        if time.monotonic() >= until:
            raise Refused("the page took too long") from None
        raise Refused(f"the page could not be fetched: {one_line(str(error) or type(error).__name__, 200)}") from None
    finally:
        timer.cancel()
        connection.close()


def _parts(url: str) -> tuple[bool, str, int, str]:
    """Whether a URL is https, its host, its port, and its request target. Raises Refused."""
    if len(url) > _MAX_URL or any(character <= " " or character == "\x7f" for character in url):
        raise Refused("this is no URL that can be fetched")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode("ascii")
        path = parts.path.encode("utf-8")
        query = parts.query.encode("utf-8")
    except (ValueError, UnicodeError):
        raise Refused("this is no URL that can be fetched") from None
    if parts.scheme not in ("http", "https") or not host:
        raise Refused("only http and https URLs are fetched")
    if parts.username is not None or parts.password is not None:
        raise Refused("a URL with a password is not fetched")
    port = port or (443 if parts.scheme == "https" else 80)
    if port < _FIRST_FREE_PORT and port not in _WEB_PORTS:
        raise Refused(f"port {port} is not one of the web")
    target = _quoted(path) or "/"
    return parts.scheme == "https", host, port, target + (f"?{_quoted(query)}" if query else "")


def _quoted(part: bytes) -> str:
    """A part of a URL with non-ASCII characters percent-encoded."""
    return "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in part)


def _resolve(host: str, port: int) -> tuple[int, str, int]:
    """Family, address and port to connect to. Raises Refused if any address of the name is not public."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused(f"{one_line(host, 100)} has no address") from None
    if not found:
        raise Refused(f"{one_line(host, 100)} has no address")
    for _, _, _, _, address in found:
        if not is_public(str(address[0])):
            raise Refused(f"{one_line(host, 100)} is not at a public address")
    family, _, _, _, address = found[0]
    return family, str(address[0]), port


class _Connection(http.client.HTTPConnection):
    """A connection to an address that was chosen before, whatever the name resolves to now."""

    address: tuple[int, str, int]
    context: ssl.SSLContext | None = None
    _held: socket.socket | None = None  # http.client drops its own when the server will close the connection

    def connect(self) -> None:
        family, address, port = self.address
        plain = socket.socket(family, socket.SOCK_STREAM)
        self.sock = self._held = plain
        plain.settimeout(self.timeout)
        plain.connect((address, port))
        if self.context is not None:
            self.sock = self._held = self.context.wrap_socket(plain, server_hostname=self.host)

    def cut(self) -> None:
        """Close the connection under whoever is waiting for it."""
        try:
            if self._held is not None:
                self._held.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def _read(response: http.client.HTTPResponse, most: int) -> bytes:
    pieces: list[bytes] = []
    n = 0
    while n < most and (piece := response.read(min(_PIECE, most - n))):
        pieces.append(piece)
        n += len(piece)
    return b"".join(pieces)
