# SPDX-License-Identifier: Apache-2.0
"""A file on a web server: one response streams it, and range requests continue wherever the stream broke.

The reader checks what each response promises against the first one, and ends in a TransferError where a promise is
broken. A file that is short or put together of two never passes for the whole:

- ETag, or else Last-Modified, must stay the same. Where a server sends neither, a resumed stream must repeat the last
  bytes.
- Content-Range must begin where it was asked to, and its total must stay the same. No more bytes may come than were
  stated.
- At the end the server is asked for one byte more. The end is accepted where it says that there is none (status 416),
  and where a server without range requests stated the length.
- A response in gzip, though none was asked for, is decompressed unless the header only names the file's own
  compression. Other codings are refused.

Redirects are followed to any host, since download sites redirect to other hosts, but only over http and https, never
from https to http, and never from a public address to a loopback, private or link-local one.

Why this is not fsspec or httpx (tried with fsspec 2026.9 on aiohttp 3.14, and httpx 0.28, against a server that breaks
its promises): both raise an error at the first broken connection and leave resuming to the caller. fsspec asks for each
block by itself and compares no ETag, so a file that changed between two blocks came out glued together without an
error. It refuses servers without range requests. Both took a stream that ended early without a length for the whole
file. With httpx every check here would remain to be written; only the standard library's client would be replaced.
"""

from __future__ import annotations

import functools
import http.client
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable
from typing import IO, Any, Final, NoReturn, Protocol, TypeVar

from thresher._version import __version__
from thresher.errors import InputError, ThresherError, TransferError
from thresher.reading import transfers
from thresher.reading.ip_addresses import is_public
from thresher.reading.limits import limiter_of
from thresher.reading.names import UNQUOTED
from thresher.reading.transfers import RETRIED_STATUSES, TIMEOUT, Fault, keep_trying
from thresher.terminal import one_line

PAST_THE_END: Final = 416
USER_AGENT: Final = f"thresher/{__version__}"
REPEATED: Final = 256  # bytes that a resumed stream must repeat where the server names no version of the file
PEEKED: Final = 1024  # bytes that show whether a response was compressed on its way
INFLATE_STEP: Final = 16 << 10  # compressed bytes read at a time
SKIP_STEP: Final = 1 << 20  # bytes
CONTENT_RANGE: Final = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.ASCII)
UNSATISFIED: Final = re.compile(r"bytes \*/(\d{1,18})", re.ASCII)
LENGTH: Final = re.compile(r"\d{1,18}", re.ASCII)

T = TypeVar("T")


# ---------------------------------------------------------------------------------------------------------------------
# Requests and redirects
# ---------------------------------------------------------------------------------------------------------------------


class Redirects(urllib.request.HTTPRedirectHandler):
    """Follows the redirects that the module's docstring allows."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.began_public = False  # at the last request that was not redirected

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """The request to be made next. Raises InputError if it must not be made."""
        scheme = urllib.parse.urlsplit(newurl).scheme.lower()
        if scheme not in ("http", "https") or (req.type == "https" and scheme != "https"):
            fp.close()
            raise InputError(f"{self.url}: redirects from {req.type} to {one_line(scheme, 20)}, which is not followed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)

    def check_address(self, request: urllib.request.Request, connected: socket.socket) -> None:
        """Raises InputError if a redirect leads from a public address to another kind. Proxies check themselves."""
        if request.host != urllib.parse.urlsplit(request.full_url).netloc:
            return
        public = is_public(connected.getpeername()[0])
        if not request.unverifiable:
            self.began_public = public
        elif self.began_public and not public:
            host = one_line(request.host, 100)
            raise InputError(f"{self.url}: redirects to {host}, a private address, which is not followed")


class CheckedConnection(http.client.HTTPConnection):
    """A connection that may look whom it reached before it sends anything."""

    def __init__(self, *args: Any, check: Callable[[socket.socket], None], **options: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **options)
        self._check = check

    def connect(self) -> None:
        super().connect()
        try:
            self._check(self.sock)
        except InputError:
            self.close()
            raise


class CheckedTlsConnection(CheckedConnection, http.client.HTTPSConnection):
    """A connection over TLS that may look whom it reached before it sends a request."""


class CheckedHandler(urllib.request.AbstractHTTPHandler):
    """Opens http and https requests over checked connections."""

    http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_

    def __init__(self, redirects: Redirects) -> None:
        super().__init__()
        self._redirects = redirects

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self._open(CheckedConnection, req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self._open(CheckedTlsConnection, req)

    def _open(self, kind: type[CheckedConnection], request: urllib.request.Request) -> http.client.HTTPResponse:
        check = functools.partial(self._redirects.check_address, request)
        return self.do_open(functools.partial(kind, check=check), request)


def open_url(url: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    """The response to a GET request, redirects followed where that is safe.

    Raises InputError if it is not, urllib.error.HTTPError, OSError, ValueError or http.client.HTTPException
    otherwise.
    """
    redirects = Redirects(url)
    opener = urllib.request.OpenerDirector()  # build_opener() would add ftp:, file: and data:
    for handler in (
        urllib.request.ProxyHandler(),
        CheckedHandler(redirects),
        redirects,
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    request = urllib.request.Request(urllib.parse.quote(url, safe=UNQUOTED), headers=headers)
    response: http.client.HTTPResponse = opener.open(request, timeout=TIMEOUT)
    return response


def persist(
    url: str, attempt: Callable[[], T], place: Callable[[], str], failure: Callable[[str], ThresherError] = InputError
) -> T:
    """What `attempt` returns, which asks a web server, tried again after failures that may pass.

    Raises `failure` for one that does not, and TransferError after the last attempt; `place` says for its message where
    in the file that was.
    """

    def give_up(_: Exception, fault: Fault) -> Exception:
        if fault.passes:
            return TransferError(f"{url}: {fault.message}{place()} ({transfers.ATTEMPTS} attempts)")
        return failure(f"{url}: {fault.message}{place()}")

    return keep_trying(attempt, give_up, pace=limiter_of(url), look=lambda: look_at(url))


def look_at(url: str) -> None:
    """Asks for the first byte of a file. Raises as open_url() does."""
    open_url(url, {"User-Agent": USER_AGENT, "Accept-Encoding": "identity", "Range": "bytes=0-0"}).close()


# ---------------------------------------------------------------------------------------------------------------------
# The file
# ---------------------------------------------------------------------------------------------------------------------


class Readable(Protocol):
    """What a response is read through."""

    def read(self, n: int, /) -> bytes: ...
    def close(self) -> None: ...


class Prefixed:
    """A response with bytes before it that were read already."""

    def __init__(self, first: bytes, response: Readable) -> None:
        self._first = first
        self._response = response
        self.close = response.close

    def read(self, n: int, /) -> bytes:
        if not self._first:
            return self._response.read(n)
        piece, self._first = self._first[:n], self._first[n:]
        return piece


class Inflated:
    """A response that a server compressed with gzip on its way, decompressed. It proves by itself where it ends."""

    def __init__(self, response: Readable) -> None:
        self._response = response
        self._stream = zlib.decompressobj(31)
        self._raw = b""
        self.close = response.close

    def read(self, n: int, /) -> bytes:
        """The next bytes, b"" at the end. Raises OSError if the compressed stream is broken or cut."""
        while True:
            self._raw = self._raw or self._response.read(INFLATE_STEP)
            if self._stream.eof:
                if not self._raw.startswith(b"\x1f\x8b"):
                    return b""
                self._stream = zlib.decompressobj(31)
            elif not self._raw:
                raise OSError("the connection was cut")
            try:
                piece = self._stream.decompress(self._raw, n)
            except zlib.error as error:
                raise OSError(f"broken content coding: {error}") from None
            self._raw = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
            if piece:
                return piece


def is_compressed_again(first: bytes, url: str) -> bool:
    """Whether a response that says it is in gzip was compressed on its way; `first` is its beginning.

    Servers also send that header with a file that lies compressed on their disk. Then the content is no gzip file,
    though the URL names one.
    """
    try:
        content = zlib.decompressobj(31).decompress(first, 16)
    except zlib.error:
        return False
    return content.startswith(b"\x1f\x8b") or not urllib.parse.urlsplit(url).path.lower().endswith(".gz")


class HttpFile:
    """A file on a web server, read in order, with seeking to absolute positions. An `InputFile`."""

    def __init__(self, url: str) -> None:
        self.size: int | None = None  # bytes, None if the server does not say
        self._url = url
        self._limiter = limiter_of(url)
        self._position = 0
        self._response: Readable | None = None
        self._end: int | None = None  # of the response, in bytes of the file; None if it was not stated
        self._gave = False  # the response gave bytes that were not read before
        self._proved = False  # the response's end proves that all of it came, so no stated end is needed
        self._validators: tuple[str, str] | None = None  # ETag and Last-Modified of the first response
        self._tail = b""  # the last bytes that were read, where the position is theirs
        self._inflated = False  # positions are those of decompressed bytes, of which no range can be asked for
        self._confirmed = False  # the server was asked whether the file ends where it was said to
        self._ranges = True  # the server answers range requests
        self._persist(self._start)

    # -- InputFile ----------------------------------------------------------------------------------------------------

    def read(self, n: int = -1, /) -> bytes:
        """Up to n bytes, b"" only at the end of the file. Raises TransferError if it cannot be read to there."""
        return self._persist(lambda: self._read(n if n >= 0 else SKIP_STEP)) if n else b""

    def seek(self, position: int, /) -> int:
        """Moves to a position; the next read asks the server for it."""
        if position != self._position:
            self._drop()
            self._position, self._tail = position, b""
        return position

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        self._drop()

    # -- attempts -----------------------------------------------------------------------------------------------------

    def _persist(self, step: Callable[[], T]) -> T:
        """What `step` returns, tried again after failures that may pass. Raises InputError or TransferError.

        The first request is the user's to mend if it cannot pass; at later ones the file was there.
        """

        def attempt() -> T:
            try:
                return step()
            except BaseException:
                self._drop()
                raise

        return persist(self._url, attempt, self._place, self._failure)

    def _failure(self, message: str) -> ThresherError:
        return InputError(message) if self._validators is None else TransferError(message)

    def _place(self) -> str:
        of = f" of {self.size:,}" if self.size is not None else ""
        return f" at byte {self._position:,}{of}" if self._validators is not None else ""

    def _broken_promise(self, what: str) -> TransferError:
        return TransferError(f"{self._url}: {what}")

    # -- responses ----------------------------------------------------------------------------------------------------

    def _start(self, *, repeated: bool = True) -> None:
        """Opens a response at the present position; there is none where the file ends there.

        Where the server names no version of the file, the response must repeat the bytes before the position if
        `repeated`.
        """
        repeat = self._tail if repeated and self._validators == ("", "") else b""
        begin = self._position - len(repeat)
        try:
            response = self._request(begin)
        except urllib.error.HTTPError as error:
            if error.code != PAST_THE_END:
                raise
            self._end_at(begin, error)
            return
        try:
            self._gave = False
            self._response = self._checked(response, begin)
            self._expect(repeat)
        except BaseException:
            response.close()
            raise

    def _expect(self, repeat: bytes) -> None:
        """Reads bytes that were read before. Raises TransferError if they are others."""
        while repeat:
            piece = self._take(len(repeat))
            if not piece:
                raise OSError("the connection was cut")
            if not repeat.startswith(piece):
                raise self._broken_promise("changed on the server while it was read")
            repeat = repeat[len(piece) :]

    def _request(self, begin: int) -> http.client.HTTPResponse:
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
        if not self._inflated:
            headers["Range"] = f"bytes={begin}-"
            tag = self._validators[0] if self._validators else ""
            if tag and not tag.startswith("W/"):
                headers["If-Range"] = tag
        self._limiter.wait()
        return open_url(self._url, headers)

    def _end_at(self, position: int, error: urllib.error.HTTPError) -> None:
        """The server has no byte at a position: right at the end of the file, nowhere else."""
        stated = UNSATISFIED.fullmatch(error.headers.get("Content-Range") or "")
        error.close()
        size = int(stated[1]) if stated else self.size
        if self.size is None:
            self.size = size if size is not None else position
        if size not in (None, self.size) or position < self.size:
            self._raise_changed_length(size)
        self._validators = self._validators or ("", "")
        self._confirmed = True

    def _raise_changed_length(self, size: int | None) -> NoReturn:
        now = f"{size:,}" if size is not None else "fewer"
        raise self._broken_promise(f"{self.size or 0:,} bytes were stated, now {now}; it changed while it was read")

    def _checked(self, response: http.client.HTTPResponse, begin: int) -> Readable:
        """The response's content from `begin` on, once its headers agree with what is known of the file."""
        self._check_version(response)
        body: Readable = response
        coding = (response.headers.get("Content-Encoding") or "").strip().lower()
        inflated = False
        if coding not in ("", "identity"):
            if coding not in ("gzip", "x-gzip"):
                raise InputError(
                    f"{self._url}: the server sends it in the content coding {one_line(coding, 20)}, though asked not "
                    "to; download the file and read it from disk"
                )
            inflated = self._inflated
            if self._position == 0 and begin == 0:
                first = response.read(PEEKED)
                body = Prefixed(first, response)
                inflated = is_compressed_again(first, self._url)
        ranged = self._check_range(response, begin, inflated=inflated)
        self._inflated = self._inflated or inflated
        if inflated:
            body = Inflated(body)
        self._proved = inflated or (response.headers.get("Transfer-Encoding") or "").lower() == "chunked"
        if not ranged or inflated:
            self._skip(body, begin)
        return body

    def _check_version(self, response: http.client.HTTPResponse) -> None:
        """Raises TransferError if the file is another than the one that the first response was of."""
        tag = response.headers.get("ETag") or ""
        modified = response.headers.get("Last-Modified") or ""
        if self._validators is None:
            self._validators = tag, modified
            return
        known_tag, known_modified = self._validators
        if tag and known_tag:
            changed = tag.removeprefix("W/") != known_tag.removeprefix("W/")
        else:
            changed = bool(modified and known_modified and modified != known_modified)
        if changed:
            raise self._broken_promise("changed on the server while it was read")

    def _check_range(self, response: http.client.HTTPResponse, begin: int, *, inflated: bool) -> bool:
        """Whether the response begins at `begin`, False if with the file. Notes its end and the size."""
        length = response.headers.get("Content-Length")
        n = int(length) if length and LENGTH.fullmatch(length.strip()) else None
        ranged = response.status == http.client.PARTIAL_CONTENT
        total: int | None = n
        self._end = n
        if ranged:
            stated = CONTENT_RANGE.fullmatch((response.headers.get("Content-Range") or "").strip())
            if not stated or int(stated[1]) != begin:
                raise OSError("the server answered another range than asked for")
            total = int(stated[3]) if stated[3] != "*" else None
            self._end = int(stated[2]) + 1
            if self._end <= begin or self._end > (total or self._end) or n not in (None, self._end - begin):
                raise OSError("the server's Content-Range contradicts itself or Content-Length")
        if inflated or self._inflated:  # a stated length is that of the compressed bytes
            self._ranges = False
            self._end = None if inflated else n
            return False
        self._ranges = ranged
        if total is not None and self.size is not None and total != self.size:
            self._raise_changed_length(total)
        if total is not None:
            self.size = total
        return ranged

    def _skip(self, body: Readable, n: int) -> None:
        """Reads and drops n bytes of a response that begins at the file's beginning."""
        while n > 0:
            dropped = len(body.read(min(n, SKIP_STEP)))
            if not dropped:
                raise OSError(f"the server's file ends {n:,} bytes before what was read")
            n -= dropped

    # -- reading ------------------------------------------------------------------------------------------------------

    def _read(self, n: int) -> bytes:
        """Up to n bytes, b"" at the end of the file. Raises OSError if another attempt is due."""
        while True:
            if self._response is None:
                if self._confirmed and self.size is not None and self._position >= self.size:
                    return b""
                self._start()
                if self._response is None:
                    return b""
            piece = self._take(n)
            if piece:
                self._advance(piece)
                return piece
            if self._end is not None and self._position < self._end:
                raise OSError("the connection was cut")
            proved = self._proved
            self._drop()
            if self._end is None and not self._ranges and proved:
                self.size, self._confirmed = self._position, True
            elif self._is_end():
                return b""

    def _take(self, n: int) -> bytes:
        """The next bytes of the response, b"" at its end."""
        assert self._response is not None
        try:
            return self._response.read(n)
        except http.client.IncompleteRead as error:
            if error.partial:
                return error.partial
            raise OSError("the connection was cut") from None

    def _advance(self, piece: bytes) -> None:
        self._limiter.received(len(piece))
        self._position += len(piece)
        self._gave = True
        self._tail = piece[-REPEATED:] if len(piece) >= REPEATED else (self._tail + piece)[-REPEATED:]
        if self._end is not None and self._position > self._end:
            raise self._broken_promise(f"{self._end:,} bytes were stated, but more came")

    def _is_end(self) -> bool:
        """Whether the file ends at the present position; else a response with what follows is open."""
        if self.size is not None and self._position < self.size:
            if self._gave:
                return False  # the server gave a shorter range than asked for
            raise self._broken_promise(f"{self.size:,} bytes were stated, but it ends at byte {self._position:,}")
        if self._confirmed and self.size == self._position:
            return True
        if self.size is not None and not self._ranges:
            self._confirmed = True  # another request would fetch the whole file again
            return True
        stated = self.size
        try:
            self._start(repeated=False)
        except urllib.error.HTTPError as error:
            if stated is None or error.code in RETRIED_STATUSES:
                raise
            error.close()  # some servers know no status 416
            self._confirmed = True
            return True
        if self._response is None:
            return True
        piece = self._take(1)
        if not piece:
            if self._end is not None and self._end > self._position:
                raise OSError("the connection was cut")
            # A file without a stated length was sent twice and ended here twice.
            self.size, self._confirmed = self._position, True
            self._drop()
            return True
        if stated is not None:
            raise self._broken_promise(f"{stated:,} bytes were stated, but there are more")
        self._response = Prefixed(piece, self._response)
        return False

    def _drop(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None
