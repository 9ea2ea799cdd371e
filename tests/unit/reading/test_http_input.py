# SPDX-License-Identifier: Apache-2.0
"""Files on web servers that break their promises, and redirects that must not be followed."""

import gzip
import io
import re
from collections.abc import Callable, Iterator

import pytest
from local_server import Handler, LocalServer

from thresher.errors import InputError, TransferError
from thresher.reading import http_input, transfers
from thresher.reading.captures import WarcReading
from thresher.reading.http_input import is_public
from thresher.reading.limits import Limiter
from thresher.reading.opening import open_input


def pages(n: int, word: str) -> list[bytes]:
    """Gzip members, one for each record with a page."""
    members = []
    for number in range(n):
        page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!DOCTYPE html><p>%s %d" % (word.encode(), number)
        head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
        head += b"WARC-Target-URI: http://mill.example/%d\r\nContent-Length: %d\r\n\r\n" % (number, len(page))
        members.append(gzip.compress(head + page + b"\r\n\r\n"))
    return members


MEMBERS = pages(120, "Grain")
FILE = b"".join(MEMBERS)
OTHER = bytes(byte ^ 1 for byte in FILE)
FIRST = len(MEMBERS[0])  # where the second record begins
PLAIN = b"".join(map(gzip.decompress, MEMBERS))


class Answer:
    """One answer of the server: what it says, and what it sends. Right for FILE unless told otherwise."""

    def __init__(self, start: int | None, file: bytes = FILE) -> None:
        self.status = 200 if start is None else 206 if start < len(file) else 416
        self.body = b"" if self.status == 416 else file[start or 0 :]
        self.headers: dict[str, str | None] = {"Content-Length": str(len(self.body))}
        self.cut: int | None = None  # bytes sent before the connection is closed
        if self.status == 206:
            self.headers["Content-Range"] = f"bytes {start}-{len(file) - 1}/{len(file)}"
        if self.status == 416:
            self.headers["Content-Range"] = f"bytes */{len(file)}"


class Server(LocalServer):
    """A server on 127.0.0.1 whose answers a test gives: `answer(number of the request, start of the range)`."""

    def __init__(self) -> None:
        self.answer: Callable[[int, int | None], Answer] = lambda _, start: Answer(start)
        self.requests: list[int | None] = []
        outer = self

        class Serving(Handler):
            def do_GET(self) -> None:  # noqa: N802 (as http.server calls it)
                found = re.match(r"bytes=(\d+)-", self.headers.get("Range") or "")
                start = int(found[1]) if found else None
                answer = outer.answer(len(outer.requests), start)
                outer.requests.append(start)
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    if value is not None:
                        self.send_header(name, value)
                if answer.headers.get("Content-Length") is None and "Transfer-Encoding" not in answer.headers:
                    self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(answer.body if answer.cut is None else answer.body[: answer.cut])
                self.close_connection = self.close_connection or answer.cut is not None

        super().__init__(Serving)
        self.url = f"{self.root}/a.warc.gz"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(transfers, "FIRST_WAIT", 0.001)
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    with Server() as running:
        yield running


def read(url: str, step: int = 1000) -> bytes:
    """All bytes of a file on the server."""
    file = open_input(url)
    try:
        return b"".join(iter(lambda: file.read(step), b""))
    finally:
        file.close()


def changed(**headers: str | None) -> Callable[[int, int | None], Answer]:
    """Right answers but for these headers."""

    def answer(_: int, start: int | None) -> Answer:
        found = Answer(start)
        if found.status != 416:
            found.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
        return found

    return answer


# --- the whole file or an error ---


@pytest.mark.parametrize("validator", ["ETag", "Last-Modified", None])
def test_a_file_that_changes_under_the_reader_is_not_glued_together(server: Server, validator: str | None) -> None:
    def answer(number: int, start: int | None) -> Answer:
        found = Answer(start, FILE if number == 0 else OTHER)
        if validator:
            found.headers[validator] = f'"{min(number, 1)}"'
        found.cut = 5000 if number == 0 else None
        return found

    assert len(FILE) == len(OTHER)
    server.answer = answer
    with pytest.raises(TransferError, match="changed on the server"):
        read(server.url)
    assert len(server.requests) == 2  # another attempt would meet the same


def test_a_weak_tag_and_another_form_of_the_same_version_are_no_change(server: Server) -> None:
    def answer(number: int, start: int | None) -> Answer:
        found = Answer(start)
        found.headers |= [{"ETag": 'W/"a"'}, {"ETag": '"a"'}, {"Last-Modified": "Sat, 21 Nov 2026 10:00:00 GMT"}][
            number % 3
        ]
        found.cut = 3000
        return found

    server.answer = answer
    assert read(server.url) == FILE


@pytest.mark.parametrize("ranges", [True, False])
def test_a_file_that_shrinks_is_an_error(server: Server, ranges: object) -> None:
    def answer(number: int, start: int | None) -> Answer:
        found = Answer(start if ranges else None, FILE if number == 0 else FILE[:4000])
        found.cut = 5000 if number == 0 else None
        return found

    server.answer = answer
    with pytest.raises(TransferError, match="bytes were stated"):
        read(server.url)


def test_a_total_stated_too_small_is_an_error(server: Server) -> None:
    """The file seems to end behind its first record, so that nothing in the archive tells."""

    def answer(number: int, start: int | None) -> Answer:
        found = Answer(start)
        if number == 0:
            found.body = FILE[:FIRST]
            found.headers |= {"Content-Range": f"bytes 0-{FIRST - 1}/{FIRST}", "Content-Length": str(FIRST)}
        return found

    server.answer = answer
    with pytest.raises(TransferError, match="bytes were stated"):
        list(WarcReading(server.url))


def test_more_bytes_than_stated_are_an_error(server: Server) -> None:
    server.answer = changed(Content_Length=None, Content_Range=f"bytes 0-{FIRST - 1}/{FIRST}")
    with pytest.raises(TransferError, match="more came"):
        read(server.url)


@pytest.mark.parametrize("total", [len(FILE) + 1, 10 * len(FILE)])
def test_a_total_stated_too_large_is_an_error(server: Server, total: int) -> None:
    server.answer = lambda _, start: (
        changed(Content_Range=f"bytes {start}-{len(FILE) - 1}/{total}")(0, start)
        if start is not None
        else Answer(start)
    )
    with pytest.raises(TransferError, match="bytes were stated"):
        read(server.url)


@pytest.mark.parametrize(
    "stated", ["bytes 0-9/" + "9" * 21, "bytes 5-9/10", "bytes 9-0/10", "bytes 0-9/5", "items 0-9/10", ""]
)
def test_a_range_that_makes_no_sense_is_an_error(server: Server, stated: str) -> None:
    server.answer = changed(Content_Range=stated, Content_Length=None)
    with pytest.raises(TransferError, match=r"another range|contradicts itself"):
        read(server.url)


@pytest.mark.parametrize("kept", [FIRST, 5000])
def test_a_stream_without_a_length_that_ends_early_is_taken_up_again(server: Server, kept: int) -> None:
    """Nothing in the response tells that it was cut; behind the first record nothing in the archive does."""

    def answer(number: int, _: int | None) -> Answer:
        found = Answer(None)
        found.headers["Content-Length"] = None
        found.cut = kept if number == 0 else None
        return found

    server.answer = answer
    assert read(server.url) == FILE


def test_a_stream_without_a_length_that_never_comes_whole_is_an_error(server: Server) -> None:
    def answer(number: int, _: int | None) -> Answer:
        found = Answer(None)
        found.headers["Content-Length"] = None
        found.cut = 5000 - number
        return found

    server.answer = answer
    with pytest.raises(TransferError, match=r"cut|before what was read"):
        read(server.url)


def test_shorter_ranges_than_asked_for_are_put_together(server: Server) -> None:
    def answer(_: int, start: int | None) -> Answer:
        found = Answer(start)
        if found.status == 206:
            found.body = found.body[:1000]
            found.headers["Content-Length"] = str(len(found.body))
            found.headers["Content-Range"] = f"bytes {start}-{start + len(found.body) - 1}/*"
        return found

    server.answer = answer
    assert read(server.url) == FILE


def test_a_file_whose_end_was_stated_and_confirmed_is_not_asked_for_again(server: Server) -> None:
    file = http_input.HttpFile(server.url)
    for _ in range(3):
        file.seek(len(FILE) - 10)
        assert file.read(100) == FILE[-10:]
        assert file.read(100) == b""
    assert server.requests == [0, len(FILE) - 10, len(FILE), len(FILE) - 10, len(FILE) - 10]


# --- content codings ---


@pytest.mark.parametrize(
    ("name", "file", "wanted"),
    [
        ("/a.warc.gz", FILE, FILE),  # the header names the compression of the file itself
        ("/a.warc.gz", gzip.compress(FILE), FILE),
        ("/a.warc", gzip.compress(PLAIN), PLAIN),
        ("/a.warc.gz", b"no gzip", b"no gzip"),
    ],
)
def test_a_forced_gzip_coding_is_undone(server: Server, name: str, file: bytes, wanted: bytes) -> None:
    server.answer = lambda _, start: changed(Content_Encoding="gzip")(0, None) if file is FILE else coded(file, start)

    def coded(body: bytes, start: int | None) -> Answer:
        found = Answer(start, body)
        found.headers["Content-Encoding"] = "gzip"
        return found

    assert read(server.url.replace("/a.warc.gz", name)) == wanted


def test_a_forced_gzip_coding_that_is_cut_is_taken_up_again(server: Server) -> None:
    body = gzip.compress(PLAIN)

    def answer(number: int, start: int | None) -> Answer:
        found = Answer(start, body)
        found.headers |= {"Content-Encoding": "gzip", "Content-Length": None}
        found.cut = len(body) // 2 if number < 2 else None
        return found

    server.answer = answer
    assert read(server.url.replace(".gz", "")) == PLAIN
    assert server.requests == [0, None, None]


def test_other_codings_are_refused(server: Server) -> None:
    server.answer = changed(Content_Encoding="br")
    with pytest.raises(InputError, match="content coding br"):
        read(server.url)


# --- waiting ---


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, 0.0),
        ("7", 7.0),
        (" 1.5 ", 1.0),
        ("999999999", 60.0),
        *((value, 0.0) for value in ("nan", "inf", "-inf", "-5", "1e309", "9" * 5000, "soon", "Sat, 99 Nov 2026", "")),
        ("Sat, 21 Nov 2020 10:00:00 GMT", 0.0),
        ("Sat, 21 Nov 2020 10:00:00 -0000", 0.0),
        ("Fri, 21 Nov 9999 10:00:00 GMT", 60.0),
    ],
)
def test_what_a_server_may_ask_to_wait(value: str | None, seconds: float) -> None:
    assert transfers.asked_wait(value) == seconds


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "junk"])
def test_nonsense_in_retry_after_stops_nothing(server: Server, value: str) -> None:
    def answer(number: int, start: int | None) -> Answer:
        found = Answer(start)
        if number < 2:
            found.status, found.body = 503, b""
            found.headers = {"Retry-After": value, "Content-Length": "0"}
        return found

    server.answer = answer
    assert read(server.url) == FILE


def test_retry_after_is_honoured(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(Limiter, "complained", lambda _, seconds: waits.append(seconds))

    def answer(number: int, start: int | None) -> Answer:
        found = Answer(start)
        if number < 2:
            found.status, found.body = 503, b""
            found.headers = {"Retry-After": ("3", "3600")[number], "Content-Length": "0"}
        return found

    server.answer = answer
    assert open_input(server.url).size == len(FILE)
    assert waits == [3.0, transfers.LONGEST_WAIT]


# --- redirects ---


def redirecting(target: str) -> Callable[[int, int | None], Answer]:
    """A redirect first, then right answers."""

    def answer(number: int, start: int | None) -> Answer:
        found = Answer(start)
        if number == 0:
            found.status, found.body = 302, b""
            found.headers = {"Location": target, "Content-Length": "0"}
        return found

    return answer


def test_a_redirect_to_another_host_is_followed(server: Server) -> None:
    server.answer = redirecting(server.url.replace("127.0.0.1", "localhost"))
    assert read(server.url) == FILE


@pytest.mark.parametrize("target", ["ftp://127.0.0.1/a.warc.gz", "file:///etc/passwd", "data:,x", "gopher://x/"])
def test_a_redirect_to_another_scheme_is_refused(server: Server, target: str) -> None:
    server.answer = redirecting(target)
    with pytest.raises(InputError, match=r"redirects from|not allowed"):
        read(server.url)
    assert len(server.requests) == 1


def test_a_redirect_from_a_public_to_a_private_address_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_input, "is_public", Publicity())
    server.answer = redirecting(server.url)
    with pytest.raises(InputError, match="a private address"):
        read(server.url)
    assert len(server.requests) == 1  # the second connection was closed before anything was sent


class Publicity:
    """Says of the first address that it is public, of others that they are not."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, address: str) -> bool:
        assert address == "127.0.0.1"
        self.asked += 1
        return self.asked == 1


def test_a_redirect_from_https_to_http_is_refused() -> None:
    redirects = http_input.Redirects("https://mill.example/a.warc.gz")
    request = http_input.urllib.request.Request("https://mill.example/a.warc.gz")
    with pytest.raises(InputError, match="redirects from https to http"):
        redirects.redirect_request(request, io.BytesIO(), 302, "Found", {}, "http://mill.example/a.warc.gz")
    assert redirects.redirect_request(request, io.BytesIO(), 302, "Found", {}, "https://other.example/a.warc.gz")


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        *((address, False) for address in ("127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "fe80::1%eth0", "::ffff:10.0.0.1", "0.0.0.0", "224.0.0.1", "fd00::1", "100.64.0.1")),
    ],
)  # fmt: skip
def test_public_addresses(address: str, public: object) -> None:
    assert is_public(address) == public
