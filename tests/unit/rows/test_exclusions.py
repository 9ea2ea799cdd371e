# SPDX-License-Identifier: Apache-2.0
"""Lists of domains and addresses whose pages are left out."""

import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from small_archive import page, write_archive

from thresher.commands.main import main
from thresher.reading.text_files import read_text
from thresher.rows.exclusions import Exclusions

LINES = """
# a comment
example.org
0.0.0.0 ads.example.net   # as in a hosts file
::1 localhost
fe80::1%lo0 local.example
127.0.0.1	first.example first second.example
*.wild.example
https://forum.example.com/private/
shop.example.com/cart?id=
München.example
UPPER.example.
http://port.example:8080
""".splitlines()


@pytest.mark.parametrize(
    ("url", "entry"),
    [
        ("https://example.org/", "example.org"),
        ("https://a.b.example.org/x", "example.org"),
        ("https://notexample.org/", None),
        ("http://ads.example.net/", "ads.example.net"),
        ("http://example.net/", None),
        ("http://local.example/", "local.example"),
        ("http://first.example/", "first.example"),
        ("http://www.second.example/", "second.example"),
        ("http://port.example:8080/", "port.example"),
        ("http://wild.example/", "wild.example"),
        ("http://deep.wild.example/", "wild.example"),
        ("http://forum.example.com/private/1", "forum.example.com/private/"),
        ("http://forum.example.com:8080/private/1", "forum.example.com/private/"),
        ("http://forum.example.com/public/1", None),
        ("http://shop.example.com/cart?id=3", "shop.example.com/cart?id="),
        ("http://shop.example.com", None),
        ("http://xn--mnchen-3ya.example/", "xn--mnchen-3ya.example"),
        ("http://münchen.example/", "münchen.example"),
        ("http://upper.example/", "upper.example"),
    ],
)
def test_what_a_page_falls_under(url: str, entry: str | None) -> None:
    from thresher.page.hosts import host_and_domain

    assert Exclusions(LINES).entry(url, host_and_domain(url)[0]) == entry


def test_a_list_whose_first_name_begins_as_bzip2_does_is_text(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("BZhessen.example\n")
    assert read_text(str(tmp_path / "list"), 100) == b"BZhessen.example\n"


def test_no_host_falls_under_nothing() -> None:
    assert Exclusions(LINES).entry(None, None) is None
    assert Exclusions([]).entry("https://example.org/", "example.org") is None


@pytest.mark.parametrize("line", ["two words here", "/only/a/path", "?", "https:///x", "*"])
def test_what_is_no_domain_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"line 2: .* is neither a domain nor the beginning of an address"):
        Exclusions(["example.org", line])


@pytest.mark.parametrize("packed", [False, True])
def test_a_run_leaves_them_out_and_says_which_line_did(tmp_path: Path, *, packed: bool) -> None:
    pages = {f"https://{host}/{n}": page(n) for host in ("mill.example", "www.barn.example") for n in range(1, 4)}
    archive = write_archive(tmp_path / "a.warc.gz", pages)
    listed = b"barn.example\nmill.example/2\n"
    names = tmp_path / "names"
    names.write_bytes(gzip.compress(listed) if packed else listed)
    command = ["extract", str(archive), "-o", str(tmp_path / "out"), "--workers", "1", "--skipped", "list"]
    command += ["--exclude", str(names)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    rows = pq.read_table(tmp_path / "out" / "pages").to_pylist()
    assert [row["url"] for row in rows] == ["https://mill.example/1", "https://mill.example/3"]
    skipped = pq.read_table(tmp_path / "out" / "skipped").to_pylist()
    rules = {(row["url"], row["rule"]) for row in skipped if row["reason"] == "exclude"}
    assert rules == {
        *((f"https://www.barn.example/{n}", "barn.example") for n in range(1, 4)),
        ("https://mill.example/2", "mill.example/2"),
    }
    recorded = json.loads((tmp_path / "out" / "_run.json").read_text())["rows"]
    assert len(recorded["filter.exclude sha256"]) == 64
    names.write_bytes(listed + b"mill.example\n")
    again = CliRunner().invoke(main, command)
    assert again.exit_code == 2
    assert "filter.exclude sha256" in again.output


@pytest.mark.parametrize(
    ("content", "message"), [(None, "none"), (b"a b c", "line 1"), (b"\x1f\x8bcut", "cannot be read")]
)
def test_a_list_that_cannot_be_read(tmp_path: Path, content: bytes | None, message: str) -> None:
    archive = write_archive(tmp_path / "a.warc.gz", {"https://mill.example/1": page(1)})
    names = tmp_path / "none"
    if content is not None:
        names.write_bytes(content)
    done = CliRunner().invoke(main, ["extract", str(archive), "-o", str(tmp_path / "out"), "--exclude", str(names)])
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output
