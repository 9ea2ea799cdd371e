# SPDX-License-Identifier: Apache-2.0
"""Listing inputs, and opening them on disk, on a web server that fails, and on S3 (moto's server on loopback)."""

import gzip
import re

import pytest
from local_server import Handler, LocalServer
from s3_store import s3_client

from thresher.errors import InputError, TransferError
from thresher.reading import files, listing, transfers
from thresher.reading.captures import WarcReading
from thresher.reading.http_input import REPEATED
from thresher.reading.listing import list_inputs
from thresher.reading.names import below, identity
from thresher.reading.opening import open_input

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!DOCTYPE html><title>Mill</title><p>Grain."
RECORDS = [
    gzip.compress(
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Target-URI: http://mill.example/%d\r\n"
        b"Content-Length: %d\r\n\r\n%b\r\n\r\n" % (number, len(PAGE), PAGE)
    )
    for number in range(40)
]
WARC = b"".join(RECORDS)
URLS = [f"http://mill.example/{number}" for number in range(40)]


def urls(source, **options) -> list[str]:
    reading = WarcReading(source, **options)
    found = [capture.url for capture in reading]
    assert not reading.dead_letters
    return found


# --- listing ---


@pytest.fixture
def folder(tmp_path):
    for name in ("a/one.warc.gz", "a/b/two.WARC", "a/three.arc.gz", "a/readme.md", "a/four.warc.zst"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return tmp_path


def names(found: list[str], folder) -> list[str]:
    return [path.removeprefix(f"{folder}/") for path in found]


def test_a_folder_is_searched_to_the_bottom(folder):
    assert names(list_inputs(folder / "a"), folder) == [
        "a/b/two.WARC",
        "a/four.warc.zst",
        "a/one.warc.gz",
        "a/three.arc.gz",
    ]


def test_a_glob_a_file_and_a_url_are_listed_in_order_and_once(folder):
    given = [
        str(folder / "a/three.arc.gz"),
        str(folder / "a" / "*arc.gz"),
        "s3://bucket/x.warc.gz",
        "https://h.example/y.warc.gz?v=1",
    ]
    assert names(list_inputs(given), folder) == ["a/three.arc.gz", "a/one.warc.gz", *given[2:]]
    assert list_inputs(f"file://{folder}/a/one.warc.gz") == [str(folder / "a/one.warc.gz")]


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_a_manifest_lists_paths_below_its_base(tmp_path, compress):
    path = tmp_path / ("warc.paths.gz" if compress is gzip.compress else "warc.paths")
    path.write_bytes(compress(b"crawl-data/a.warc.gz\r\n\n# a comment\ns3://other/b.warc.gz\n/absolute/c.warc.gz\n"))
    rest = ["s3://other/b.warc.gz", "/absolute/c.warc.gz"]
    assert list_inputs(path) == [str(tmp_path / "crawl-data/a.warc.gz"), *rest]
    assert list_inputs(path, base_url="s3://commoncrawl/") == ["s3://commoncrawl/crawl-data/a.warc.gz", *rest]
    assert (
        list_inputs(path, base_url="https://data.commoncrawl.org")[0]
        == "https://data.commoncrawl.org/crawl-data/a.warc.gz"
    )


def test_a_relative_input_is_looked_for_under_the_base():
    assert list_inputs("crawl-data/a.warc.gz", base_url="s3://commoncrawl/") == [
        "s3://commoncrawl/crawl-data/a.warc.gz"
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda _: [], "no input given"),
        (lambda _: "", "empty input name"),
        (lambda folder: folder / "missing.warc.gz", "no such file or folder"),
        (lambda folder: folder / "*.none", "no file matches"),
        (lambda folder: (folder / "empty").mkdir() or folder / "empty", "no WARC in this folder"),
        (lambda folder: (folder / "e.paths").write_bytes(b"\n# x\n") and folder / "e.paths", "lists no paths"),
        (lambda folder: (folder / "w.txt").write_bytes(b"WARC/1.0\r\n") and folder / "w.txt", "not a list of paths"),
        (lambda folder: (folder / "l.txt").write_bytes(b"caf\xe9\n") and folder / "l.txt", "not UTF-8"),
        (
            lambda folder: (
                (folder / "g.paths.gz").write_bytes(b"\x1f\x8b\x08\0" + b"junk" * 9) and folder / "g.paths.gz"
            ),
            "broken gzip",
        ),
        (lambda _: "/dev/null", "neither a file nor a folder"),
        (lambda _: "http://", "a URL without a host"),
        (lambda _: "https:///crawl.warc.gz", "a URL without a host"),
        *((lambda _, url=url: url, "no URL") for url in ("http://[::1", "s3://[b/a.warc", "s3://[b/*.warc")),
    ],
)
def test_what_cannot_be_read_is_said_with_its_name(tmp_path, make, message):
    given = make(tmp_path)
    with pytest.raises(InputError, match=message):
        list_inputs(given)


def test_opening_what_is_not_there_or_of_unknown_scheme_is_an_input_error(tmp_path):
    for name in (tmp_path / "missing.warc.gz", tmp_path, "nonsense://x/y.warc.gz"):
        with pytest.raises(InputError, match=re.escape(str(name))):
            open_input(str(name))


@pytest.mark.parametrize(
    ("url", "spellings"),
    [
        (
            "http://h.example/a/b c.warc.gz",
            [
                "HTTP://H.example:80/a/b%20c.warc.gz",
                "http://h.example/a/./%62 c.warc.gz#x",
                "http://h.example:/a/b c.warc.gz",
            ],
        ),
        ("https://u@h.example/%c3%A9.warc?x=%7ey", ["https://u@h.example:443/é.warc?x=~y"]),
        ("s3://bucket/a b.warc", ["s3a://bucket/a%20b.warc", "S3://bucket/a b.warc"]),
        ("http://h.example:99999/a.warc", []),
    ],
)
def test_an_archive_is_known_under_all_spellings_of_its_url(url, spellings):
    assert {identity(each) for each in spellings} <= {identity(url)}
    assert len(list_inputs([url, *spellings])) == 1


def test_urls_that_only_look_alike_name_several_archives():
    urls = [
        *(
            "http://h.example/a.warc",
            "https://h.example/a.warc",
            "http://h.example:8080/a.warc",
            "http://h.example//a.warc",
        ),
        *(
            "http://h.example/A.warc",
            "http://h.example/a.warc?x=1",
            "http://h.example/a.warc?x=2",
            "http://h.example/%2Fa.warc",
        ),
        *("s3://bucket/a.warc", "s3://Bucket/a.warc", "s3://bucket//a.warc", "s3://bucket/a.warc?region=x"),
    ]
    assert list_inputs(urls) == urls


# --- a web server that fails on demand ---


class Server(LocalServer):
    """A server of one file on 127.0.0.1; `script` holds what the next requests meet: a status, or the bytes until the
    line is cut.
    """

    def __init__(self) -> None:
        self.script: list[int | str] = []
        self.requests: list[str | None] = []
        self.ranges = True
        outer = self

        class Serving(Handler):
            def do_GET(self) -> None:  # noqa: N802 (as http.server calls it)
                wanted = self.headers.get("Range")
                outer.requests.append(wanted)
                step = outer.script.pop(0) if outer.script else ""
                if isinstance(step, int) or self.path != "/a.warc.gz":
                    self.send_response(step or 404)
                    self.send_header("Retry-After", "0")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                start = int(re.match(r"bytes=(\d+)-", wanted)[1]) if wanted and outer.ranges else 0
                if start >= len(WARC):
                    self.send_response(416)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                body = WARC[start:]
                self.send_response(206 if outer.ranges else 200)
                if outer.ranges:
                    self.send_header("Content-Range", f"bytes {start}-{len(WARC) - 1}/{len(WARC)}")
                if step == "chunked":
                    self.send_header("Transfer-Encoding", "chunked")
                    body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
                else:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if step.startswith("cut"):
                    self.wfile.write(body[: int(step[3:])])
                    self.close_connection = True
                    return
                self.wfile.write(body)

        super().__init__(Serving)
        self.url = f"{self.root}/a.warc.gz"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(transfers, "FIRST_WAIT", 0.001)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Server() as running:
        yield running


@pytest.mark.parametrize(
    "script",
    [
        [],
        [429, 503],
        [500, 502, 504, 408],
        ["cut100"],
        ["cut3000", 503, "cut1000", "cut0", "cut50"],
        ["", "cut10", 429],
    ],
)
def test_a_web_server_that_fails_for_a_while_costs_no_record(server, script):
    server.script = list(script)
    assert urls(server.url) == URLS


def test_a_cut_connection_is_taken_up_where_it_broke(server):
    server.script = ["cut1000"]
    file = open_input(server.url)
    data = b""
    while piece := file.read(300):
        data += piece
    assert data == WARC
    assert file.size == len(WARC)
    # The server names no version of the file: the last bytes come again, to be compared. At the end it is asked for
    # more.
    assert server.requests == ["bytes=0-", f"bytes={1000 - REPEATED}-", f"bytes={len(WARC)}-"]


def test_a_server_without_ranges_is_read_too(server):
    server.ranges = False
    server.script = ["cut2000"]
    assert urls(server.url) == URLS


def test_splits_over_http_equal_the_whole(server):
    half = len(WARC) // 2
    first = WarcReading(server.url, end=half)
    second = WarcReading(server.url, start=half)
    found = [capture.url for reading in (first, second) for capture in reading]
    assert found == URLS
    assert first.next_offset == second.first_offset


def test_a_missing_page_is_an_input_error_and_a_dead_server_a_transfer_error(server, monkeypatch):
    with pytest.raises(InputError, match="404"):
        open_input(server.url + ".none")
    monkeypatch.setattr("thresher.reading.transfers.ATTEMPTS", 3)
    server.script = [503] * 3
    with pytest.raises(TransferError, match=r"503.*3 attempts"):
        open_input(server.url)
    server.script = ["cut500", *[503] * 9]
    with pytest.raises(TransferError):  # not the end of the file: what was not fetched is not passed over
        list(WarcReading(server.url))
    with pytest.raises(InputError):
        open_input("http://[mill/x")


def test_a_manifest_on_a_web_server_is_read(server):
    with pytest.raises(InputError, match="404"):
        list_inputs(server.url.replace("a.warc.gz", "warc.paths"))
    assert list_inputs(server.url) == [server.url]


def test_other_file_systems_of_fsspec(monkeypatch):
    import fsspec

    with fsspec.open("memory://archive/a.warc.gz", "wb") as file:
        file.write(WARC)
    monkeypatch.setattr(files, "REMOTE_BLOCK", 1000)
    assert urls("memory://archive/a.warc.gz") == URLS
    with pytest.raises(InputError):
        open_input("memory://archive/none.warc.gz")


# --- S3 ---


@pytest.fixture(scope="module")
def bucket(s3_server):
    client = s3_client(s3_server)
    client.create_bucket(Bucket="archive")
    client.put_object(Bucket="archive", Key="crawl/a b.warc.gz", Body=WARC)
    client.put_object(Bucket="archive", Key="warc.paths", Body=b"crawl/a b.warc.gz\n")
    return s3_server


def test_s3(bucket, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", bucket)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setattr(files, "REMOTE_BLOCK", 1000)  # several requests
    name = "s3://archive/crawl/a b.warc.gz"
    assert urls(name) == URLS
    half = len(WARC) // 2
    assert urls(name, end=half) + urls(name, start=half) == URLS
    assert list_inputs("s3://archive/warc.paths") == [name]
    with pytest.raises(InputError, match="does not exist"):
        open_input("s3://archive/none.warc.gz")
    with pytest.raises(InputError, match="unknown option"):
        open_input("s3://archive/x?colour=blue")
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    scheme, _, host = bucket.partition("://")
    assert urls(f"{name}?endpoint_override={host}&scheme={scheme}&region=us-east-1") == URLS


# --- lists of paths from a network ---


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("/etc/passwd", "a local path"),
        ("file:///etc/passwd", "a local path"),
        ("FILE:/etc/passwd", "a local path"),
        ("../../etc/passwd", 'a path with ".."'),
        ("crawl\\..\\..\\x.warc.gz", 'a path with ".."'),
        ("ftp://h.example/x.warc.gz", "a ftp:// URL"),
        ("hdfs://node/x.warc.gz", "a hdfs:// URL"),
        ("local:///etc/passwd", "a local:// URL"),
    ],
)
@pytest.mark.parametrize("base_url", [None, "folder"])
def test_a_list_from_a_network_may_not_name_what_is_on_this_machine(line, what, base_url):
    import fsspec

    with fsspec.open("memory://lists/warc.paths", "wb") as file:
        file.write(f"good.warc.gz\n{line}\n".encode())
    with pytest.raises(InputError, match=re.escape(what)):
        list_inputs("memory://lists/warc.paths", base_url=base_url)


def test_a_list_from_a_network_may_name_what_is_on_networks():
    import fsspec

    lines = ["a/b.warc.gz", "https://h.example/c.warc.gz", "http://h.example/d.warc", "s3://b/e.warc.gz"]
    with fsspec.open("memory://lists/warc.paths", "wb") as file:
        file.write("\n".join(lines).encode())
    assert list_inputs("memory://lists/warc.paths") == ["memory://lists/a/b.warc.gz", *lines[1:]]
    base = "https://data.example/"
    assert list_inputs("memory://lists/warc.paths", base_url=base) == [f"{base}a/b.warc.gz", *lines[1:]]
    assert list_inputs("memory://lists/warc.paths", base_url="folder")[0] == "folder/a/b.warc.gz"


@pytest.mark.parametrize("base", ["/data/crawl", "/data/crawl/"])
def test_what_is_written_of_a_name_begins_behind_its_base(base):
    assert below("/data/crawl/a/b.warc.gz", base) == "a/b.warc.gz"
    assert below("/data/crawl2/b.warc.gz", base) == "/data/crawl2/b.warc.gz"
    assert below("/data/crawl/b.warc.gz", None) == "/data/crawl/b.warc.gz"


def test_a_list_of_too_many_paths_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(listing, "MAX_PATHS", 3)
    path = tmp_path / "warc.paths"
    path.write_bytes(b"a\nb\nc\n\n")
    assert len(list_inputs(path)) == 3
    path.write_bytes(b"a\nb\nc\nd\n")
    with pytest.raises(InputError, match="more than 3 paths"):
        list_inputs(path)
