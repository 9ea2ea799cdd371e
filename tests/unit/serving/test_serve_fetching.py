# SPDX-License-Identifier: Apache-2.0
"""Fetching of pages that clients name: public addresses only, whatever names and redirects say."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from running_service import ARTICLE, running
from waiting import LIMIT

from thresher.errors import Refused
from thresher.serving import web_fetch

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n"


@contextmanager
def answering(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server that answers each request so; its number of requests is not bounded."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    def one(connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(65536)
                answer(connection)
            except OSError:
                pass

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


@pytest.fixture(autouse=True)
def public(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names that end in `s.example` stand for public ones that are on this machine; the names that were resolved."""
    resolved: list[str] = []
    usual = web_fetch._resolve

    def resolve(host: str, port: int) -> tuple[int, str, int]:
        resolved.append(host)
        return (socket.AF_INET, "127.0.0.1", port) if host.endswith("s.example") else usual(host, port)

    monkeypatch.setattr(web_fetch, "_resolve", resolve)
    return resolved


def fetch(url: str, *, most: int = 1_000_000, seconds: float = LIMIT) -> web_fetch.Fetched:
    return web_fetch.fetch(url, most=most, seconds=seconds)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1",
        "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::1",
        "2001:db8::1", "fec0::1", "::127.0.0.1", "no address", "",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public(address):
    assert not web_fetch.is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_addresses_that_are_public(address):
    assert web_fetch.is_public(address)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1/", "public address"),
        ("http://localhost/", "public address"),
        ("http://2130706433/", "public address"),
        ("http://0x7f.1/", "public address"),
        ("http://[::1]/", "public address"),
        ("http://[::ffff:7f00:1]/", "public address"),
        ("http://169.254.169.254/latest/meta-data/", "public address"),
        ("file:///etc/passwd", "only http and https"),
        ("ftp://example.org/", "only http and https"),
        ("gopher://example.org/", "only http and https"),
        ("//example.org/", "only http and https"),
        ("http://user:secret@1.1.1.1/", "password"),
        ("http://1.1.1.1:25/", "port 25"),
        ("http://1.1.1.1:99999/", "no URL"),
        ("http://1.1.1.1/a\r\nHost: b", "no URL"),
        ("http://", "only http and https"),
        ("http://" + "a" * 300 + "/", "no URL|no address"),
    ],
)
def test_what_is_not_fetched(url, why):
    with pytest.raises(Refused, match=why):
        fetch(url)


def test_a_page_is_fetched(public):
    with answering(lambda connection: connection.sendall(HEAD + ARTICLE.encode())) as port:
        found = fetch(f"http://cakes.example:{port}/apple?q=ä")
    assert found.body == ARTICLE.encode()
    assert found.content_type == "text/html; charset=utf-8"
    assert public == ["cakes.example"]


def test_redirects_are_checked_again():
    def redirect(target: str) -> Callable[[socket.socket], None]:
        head = f"HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()
        return lambda connection: connection.sendall(head)

    with answering(lambda connection: connection.sendall(HEAD + b"secret")) as inner:
        inside = (f"http://127.0.0.1:{inner}/", f"http://localhost:{inner}/", f"//[::1]:{inner}/", "file:///etc/passwd")
        for target in inside:
            with answering(redirect(target)) as port, pytest.raises(Refused, match=r"public address|only http"):
                fetch(f"http://cakes.example:{port}/")
        with answering(redirect(f"http://others.example:{inner}/")) as port:
            assert fetch(f"http://cakes.example:{port}/").url == f"http://others.example:{inner}/"
    with answering(redirect("/again")) as port, pytest.raises(Refused, match="more than 5 redirects"):
        fetch(f"http://cakes.example:{port}/")


def test_a_name_is_resolved_once_and_that_address_is_used(monkeypatch):
    """A name that is public when it is checked, and private when it is used, leads to the public address."""
    asked = []

    def resolve(host, port, **_):
        asked.append(host)
        address = "127.0.0.1" if len(asked) > 1 else "93.184.216.34"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    connected = []

    def connect(_, address):
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(web_fetch.socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(Refused, match="could not be fetched"):
        fetch("http://rebinding.example/")
    assert asked == ["rebinding.example"]
    assert connected == [("93.184.216.34", 80)]


def test_a_name_with_one_private_address_among_public_ones_is_refused(monkeypatch):
    found = [(socket.AF_INET, 1, 6, "", (each, 80)) for each in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(web_fetch.socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(Refused, match="not at a public address"):
        fetch("http://both.example/")


def drip(connection: socket.socket, start: bytes) -> None:
    """Sends a byte now and then, without end."""
    connection.sendall(start)
    while True:
        connection.sendall(b"a")
        time.sleep(0.05)


@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\nX-Slow: ", HEAD, b""])
def test_a_server_that_drips_is_given_up(start):
    with answering(lambda connection: drip(connection, start)) as port, pytest.raises(Refused, match="took too long"):
        fetch(f"http://drips.example:{port}/", seconds=0.5)


def test_an_endless_page_is_cut():
    def endless(connection: socket.socket) -> None:
        connection.sendall(HEAD)
        while True:
            connection.sendall(b"a" * 65536)

    with answering(endless) as port:
        found = fetch(f"http://pages.example:{port}/", most=100_000)
    assert len(found.body) == 100_000
    assert found.is_cut


def test_a_small_page_that_unpacks_to_a_large_one_is_cut():
    import gzip

    packed = gzip.compress(b"a" * 50_000_000)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
    with answering(lambda connection: connection.sendall(head + packed)) as port:
        found = fetch(f"http://bombs.example:{port}/", most=100_000)
    assert len(found.body) <= 100_000
    assert found.is_cut


def test_the_answer_says_that_a_page_was_cut():
    long = HEAD + ARTICLE.encode() + b" " * 3_000_000
    with (
        answering(lambda connection: connection.sendall(long)) as port,
        running(workers=1, fetch=True, max_body=2_000_000) as service,
    ):
        answer = service.post("/fetch", {"url": f"http://cakes.example:{port}/"}).json
    assert answer["is_cut"]
    assert len(answer["html"]) == 2_000_000


def test_fetching_is_off_unless_it_is_switched_on():
    with running(workers=1) as service:
        assert service.post("/fetch", {"url": "http://1.1.1.1/"}).status == 403
    with (
        answering(lambda connection: connection.sendall(HEAD + ARTICLE.encode())) as port,
        running(workers=1, fetch=True) as service,
    ):
        page = service.post("/fetch", {"url": f"http://cakes.example:{port}/"}).json
        assert (page["html"], page["is_cut"]) == (ARTICLE, False)
        answer = service.post("/fetch", {"url": f"http://127.0.0.1:{port}/"})
        assert answer.status == 400
        assert "public address" in answer.json["message"]
        assert service.post("/fetch", {"url": 7}).status == 400
