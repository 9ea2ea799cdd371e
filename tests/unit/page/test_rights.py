# SPDX-License-Identifier: Apache-2.0
"""What is said of the use of a page: opt-out signals, robots.txt, and licences with their place."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from costs import assert_cheap, assert_linear, ordinary_page
from hypothesis import given
from hypothesis import strategies as st
from small_archive import write_responses

import thresher
from thresher.page.rights import COLUMNS, Rights, RobotsTxt, TdmRep, read_rights
from thresher.schemas.pages import RIGHTS

URL = "https://mill.example/news/wheel?page=2"
BY = "https://creativecommons.org/licenses/by/2.0/"
BY_SA = "https://creativecommons.org/licenses/by-sa/4.0/"
TEXT = "<p>The harvest of the northern fields was brought in before the rain came over the hills.</p>" * 3


def rights(html: str, head: str = "", robots: str | None = None) -> Rights:
    document = thresher.parse(html)
    raw = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{head}".encode()
    return read_rights(document, URL, raw, None if robots is None else RobotsTxt(robots.encode()))


def uses(found: Rights) -> tuple[str | None, str | None, str | None]:
    return found.use_search, found.use_ai_input, found.use_ai_train


def test_the_columns_are_those_of_the_schema():
    assert COLUMNS == RIGHTS


def test_a_page_that_says_nothing():
    assert rights(TEXT) == Rights()


@pytest.mark.parametrize(
    ("html", "head", "expected", "signal"),
    [
        ("<meta name=robots content='noindex, follow'>", "", ("no", None, None), "robots meta noindex"),
        ("<META NAME=ROBOTS CONTENT=NONE>", "", ("no", None, None), "robots meta none"),
        ("<meta name=robots content='index, follow, max-snippet:-1'>", "", (None, None, None), None),
        ("<meta name=robots content=nosnippet>", "", (None, "no", None), "robots meta nosnippet"),
        ("<meta name=robots content='noai, noimageai'>", "", (None, "no", "no"), "robots meta noai"),
        ("<meta name=robots content=noimageai>", "", (None, None, None), None),
        ("<meta name=gptbot content=noindex>", "", (None, None, "no"), "robots meta gptbot: noindex"),
        ("", "X-Robots-Tag: noai\r\nX-Robots-Tag: googlebot: noindex", ("no", "no", "no"), "x-robots-tag noai"),
        ("", "x-robots-tag: otherbot: noindex, noai", (None, None, None), None),
        ("", "X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 PST", (None, None, None), None),
        (
            "",
            "TDM-Reservation: 1\r\nTDM-Policy: https://mill.example/p",
            (None, None, "no"),
            "tdm-reservation header 1",
        ),
        ("<meta name=tdm-reservation content=0>", "", (None, None, "yes"), "tdm-reservation meta 0"),
        ("<meta name=tdm-reservation content=maybe>", "", (None, None, None), None),
        ("", "Content-Signal: search=yes, ai-input=no, ai-train=no", ("yes", "no", "no"), "content-signal ai-train=no"),
        ("<meta name=robots content=noindex>", "Content-Signal: search=yes", ("no", None, None), "robots meta noindex"),
        ("<meta name=tdm-reservation content=0>", "X-Robots-Tag: noai", (None, "no", "no"), "x-robots-tag noai"),
    ],
)
def test_signals(html, head, expected, signal):
    found = rights(html + TEXT, head)
    assert uses(found) == expected
    said = [found.use_ai_train_signal, found.use_search_signal, found.use_ai_input_signal]
    assert signal in said if signal else said == [None] * 3


def test_values_are_kept_as_found():
    found = rights("<meta name=Robots content='NoAI'><meta name=googlebot content='x'>", "X-Robots-Tag: NoSnippet")
    assert found.robots_meta == "robots: NoAI\ngooglebot: x"
    assert found.x_robots_tag == "NoSnippet"
    found = rights("", "TDM-Reservation: 1\r\nTDM-Policy: https://mill.example/p")
    assert (found.tdm_reservation, found.tdm_policy) == ("1", "https://mill.example/p")


ROBOTS = """
User-agent: GPTBot
User-agent: CCBot   # crawls for training
Disallow: /news/
Allow: /news/free

User-Agent: *
Content-Signal: search=yes, ai-train=no
Content-Signal: /shop ai-input=no
Disallow: /private
Disallow: /*.pdf$
Allow: /
"""


def test_robots_txt():
    found = rights(TEXT, "", ROBOTS)
    assert uses(found) == ("yes", None, "no")
    assert found.use_ai_train_signal == "robots.txt gptbot"
    assert found.robots_txt == "gptbot: disallow\nccbot: disallow\ncontent-signal: search=yes, ai-train=no"
    found = rights(TEXT, "", "User-agent: *\nDisallow: /news")
    assert uses(found) == ("no", None, "no")
    assert rights(TEXT, "", "User-agent: *\nDisallow:").robots_txt == ""
    assert rights(TEXT, "", "User-agent: GPTBot/1.2\nDisallow: /").use_ai_train == "no"  # its version is no name


@pytest.mark.parametrize(
    ("agent", "path", "allowed"),
    [
        ("ccbot", "/news/old", False),
        ("ccbot", "/news/free/1", True),
        ("ccbot", "/private", True),
        ("*", "/private/1", False),
        ("*", "/a/b.pdf", False),
        ("*", "/a/b.pdf?x", True),
        ("unknown", "/news/", True),
        ("unknown", "/private", False),
    ],
)
def test_the_longest_rule_decides(agent, path, allowed):
    assert RobotsTxt(ROBOTS.encode()).allows(agent, path) is allowed


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<link rel=license href='{BY_SA}'>", ("CC-BY-SA-4.0", BY_SA, "head")),
        ("<meta name=DC.rights content='CC BY-NC-ND 4.0'>", ("CC-BY-NC-ND-4.0", None, "head")),
        (f"<script type=application/ld+json>{{'@type': 'Article', 'license': '{BY_SA}'}}</script>".replace("'", '"'),
         ("CC-BY-SA-4.0", BY_SA, "data")),
        (f"<p>This work is under a <a rel=license href={BY_SA}>licence</a>.", ("CC-BY-SA-4.0", BY_SA, "content")),
        (f"<p>Unless otherwise noted, the text is available under <a href={BY_SA}>CC BY-SA</a>.",
         ("CC-BY-SA-4.0", BY_SA, "content")),
        (f"<footer><p>Content is under <a href={BY_SA}>CC BY-SA</a></footer>", ("CC-BY-SA-4.0", BY_SA, "footer")),
        (f"<div class=site-footer><a rel=license href='{BY_SA}deed.de'><img></a></div>",
         ("CC-BY-SA-4.0", f"{BY_SA}deed.de", "footer")),
        ("<footer><a href=//creativecommons.org/publicdomain/zero/1.0/>0</a></footer>",
         ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/", "footer")),
        ("<a rel=license href=http://www.gnu.org/copyleft/fdl.html>GFDL</a>",
         ("GFDL", "http://www.gnu.org/copyleft/fdl.html", "content")),
        (f"<p>This is an Open Access article distributed under the terms of the CC License (<a href={BY_SA}>CC</a>)",
         ("CC-BY-SA-4.0", BY_SA, "content")),
        (f"<div class='post license-wrapper'>Licence: <a href={BY_SA}><img></a></div>",
         ("CC-BY-SA-4.0", BY_SA, "content")),
        (f"<footer><div class=license><a href={BY_SA}><img></a></div></footer>", ("CC-BY-SA-4.0", BY_SA, "footer")),
        ("<footer><a href=http://www.gnu.org/copyleft/fdl.html>GFDL</a></footer>",
         ("GFDL", "http://www.gnu.org/copyleft/fdl.html", "footer")),
        (f"<meta name=DC.Rights content='Articles are under a licence ({BY_SA}), which permits use.'>",
         ("CC-BY-SA-4.0", BY_SA, "head")),
        ("<link rel=license href=http://creativecommons.org/licenses/by-nd-nc/1.0/>",
         ("CC-BY-NC-ND-1.0", "http://creativecommons.org/licenses/by-nd-nc/1.0/", "head")),
        ("<link rel=license href=https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/>",
         ("OGL-UK-3.0", "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/", "head")),
        ("<a rel=license href=/terms>Terms</a>", ("other", "https://mill.example/terms", "content")),
        (f'<script type=application/ld+json>/*<![CDATA[*/{{"license": "{BY_SA}",}}/*]]>*/</script>',
         ("CC-BY-SA-4.0", BY_SA, "data")),
        (f"<p>Creative Commons has <a href={BY_SA}>many licences</a>.", (None, None, None)),
        ("<a href=https://creativecommons.org/about>about</a>", (None, None, None)),
    ],
)  # fmt: skip
def test_licences(html, expected):
    found = rights(TEXT + html + TEXT)
    assert (found.licence, found.licence_url, found.licence_where) == expected


def test_the_address_of_a_licence_is_relative_to_the_pages_base():
    found = rights("<base href=//law.example/a/><a rel=license href=terms>Terms</a>")
    assert found.licence_url == "https://law.example/a/terms"


def test_a_long_tdmrep_json_is_read_whole():
    rules = [{"location": f"/{n}/{'x' * 100}", "tdm-reservation": 1} for n in range(5000)]
    assert TdmRep(json.dumps([*rules[:9], *rules]).encode()).of(rules[3]["location"])[0] == "1"


@pytest.mark.parametrize(
    "html",
    [
        f"<figure><img src=a.jpg><figcaption>Photo: A. Miller, <a href={BY}>CC BY 2.0</a></figcaption></figure>",
        f"<p>Photo by A. Miller, <a rel=license href={BY}>CC BY 2.0</a>",
        f"<footer><p>Header image by A. Miller (<a href={BY}>CC BY 2.0</a>)</footer>",
        f'<script type=application/ld+json>{{"image": {{"@type": "ImageObject", "license": "{BY}"}}}}</script>',
    ],
)
def test_the_licence_of_a_picture_is_not_the_pages(html):
    found = rights(TEXT + html)
    assert (found.licence, found.licences_cited) == (None, "CC-BY-2.0: 1")
    both = rights(f"{TEXT}{html}<footer>Text: <a rel=license href={BY_SA}>CC BY-SA</a></footer>")
    assert (both.licence, both.licence_where, both.licences_cited) == ("CC-BY-SA-4.0", "footer", "CC-BY-2.0: 1")


def test_licences_that_disagree_are_counted():
    found = rights(f"<link rel=license href={BY}>{TEXT}<footer><a rel=license href={BY_SA}>licence</a></footer>")
    assert (found.licence, found.licence_where, found.licence_others) == ("CC-BY-2.0", "head", 1)
    found = rights(f"{TEXT}<a rel=license href=/terms>Terms</a><footer><a href={BY_SA}>CC BY-SA</a></footer>")
    assert (found.licence, found.licence_where, found.licence_others) == ("CC-BY-SA-4.0", "footer", 1)
    found = rights(TEXT, f'Link: <{BY}>; rel="license"; title="x"')
    assert (found.licence, found.licence_where, found.licence_others) == ("CC-BY-2.0", "head", 0)


@given(st.binary(max_size=400), st.binary(max_size=200), st.binary(max_size=300))
def test_no_bytes_make_it_raise(page, head, robots):
    found = read_rights(thresher.parse(page), URL, head, RobotsTxt(robots))
    for name in COLUMNS:
        value = getattr(found, name)
        assert value is None or isinstance(value, (int, datetime)) or len(value) <= 1000


@pytest.mark.parametrize(
    ("body", "path", "said"),
    [
        (b'[{"location": "/", "tdm-reservation": 1}]', "/news/a.html", ("1", None)),
        (b'[{"location": "/news/*.pdf$", "tdm-reservation": 1}]', "/news/a.html", (None, None)),
        (b'[{"location": "/n", "tdm-reservation": "0"}, {"location": "/", "tdm-reservation": 1}]', "/n", ("0", None)),
        (b'[{"location": "/news", "tdm-reservation": 0}, {"location": "/", "tdm-reservation": 1}]', "/a", ("1", None)),
        (b'[{"location": "*", "tdm-reservation": 1, "tdm-policy": "https://e.org/p"}]', "/a", ("1", "https://e.org/p")),
        (b'[{"location": 7, "tdm-reservation": 1}, 3, {"location": "/", "tdm-reservation": true}]', "/a", (None, None)),
        (b'{"location": "/", "tdm-reservation": 1}', "/a", (None, None)),
        (b"[" * 100_000, "/a", (None, None)),
        (b'[{"location": "/", "tdm-reservation": 1' + b"0" * 5000 + b"}]", "/a", (None, None)),
        (b"\xff\xfe", "/a", (None, None)),
        (b"", "/a", (None, None)),
    ],
)  # fmt: skip
def test_tdmrep(body, path, said):
    assert TdmRep(body).of(path) == said


def test_a_reservation_of_the_host_counts_like_one_of_the_page():
    reservations = TdmRep(b'[{"location": "/", "tdm-reservation": 1, "tdm-policy": "https://e.org/p"}]')
    document = thresher.parse(TEXT)
    found = read_rights(document, URL, None, None, reservations)
    assert (found.tdm_reservation, found.tdm_policy, uses(found)) == ("1", "https://e.org/p", (None, None, "no"))
    assert found.use_ai_train_signal == "tdmrep.json 1"
    # What the page itself says is shown; of the two answers, no counts.
    found = read_rights(document, URL, b"TDM-Reservation: 0\r\n", None, reservations)
    assert (found.tdm_reservation, uses(found)) == ("0", (None, None, "no"))


@given(
    st.lists(
        st.sampled_from(
            ["user-agent: *", "disallow: /*a*b$", "allow: /", "content-signal: ai-train=no", ":", "disallow: *"]
        )
    )
)
def test_any_lines_are_a_robots_txt(lines):
    robots = RobotsTxt("\n".join(lines).encode())
    assert robots.allows("*", "/xaxb") in (True, False)


@pytest.mark.parametrize(
    "html",
    [
        f"<a rel=license href={BY}>x</a>" * 50_000,
        "<div class=footer>" * 500 + f"<a rel=license href={BY}>x</a>" * 20_000,
        "<meta name=robots content=noai>" * 50_000,
        f"<script type=application/ld+json>{'[' * 400_000}</script>",
        "<script type=application/ld+json>[" + '{"license":"x"},' * 60_000 + "{}]</script>",
        f"<p>{'photo ' * 100_000}<a rel=license href={BY}>x</a>",
        f"<meta name=dc.rights content='{'CC BY ' * 200_000}'>",
        "<a rel=license href='http://[x'>x</a><a rel=license href='//[::1'>x</a>",
    ],
)
def test_hostile_pages_take_little_time(html):
    document, other = thresher.parse(html), thresher.parse(ordinary_page(len(html)))
    head = b"X-Robots-Tag: " + b"noai," * 10_000
    found = read_rights(document, URL, head)
    assert_cheap(lambda: read_rights(document, URL, head), lambda: read_rights(other, URL, head), 200)
    assert all(len(str(getattr(found, name))) <= 1000 for name in COLUMNS)


def test_hostile_robots_txt_takes_little_time():
    def asking(n: int) -> Callable[[], object]:
        robots = RobotsTxt(b"User-agent: *\n" + b"Disallow: /*a*a*a*a*a*a*a*a*b$\n" * n)
        assert robots.allows("*", "/" + "a" * 5000)
        return lambda: robots.allows("*", "/" + "a" * 5000)

    assert_linear(asking, 20_000)


RESERVED = b'[{"location": "/", "tdm-reservation": 1}]'


def test_a_run_has_the_columns_it_asks_for(tmp_path):
    html, text = [("Content-Type", "text/html")], [("Content-Type", "text/plain")]
    data = [("Content-Type", "application/json")]
    records = [
        ("https://mill.example/robots.txt", b"User-agent: CCBot\nDisallow: /old", text, "2020-01-01T00:00:00Z"),
        ("https://mill.example/robots.txt", b"User-agent: CCBot\nDisallow: /", text, "2026-01-01T00:00:00Z"),
        ("https://mill.example/a", TEXT.encode(), [*html, ("X-Robots-Tag", "noindex")], "2026-11-20T00:00:00Z"),
        ("https://other.example/b", TEXT.encode(), html, "2026-11-20T00:00:00Z"),
        ("https://third.example/.well-known/tdmrep.json", RESERVED, data, "2026-11-20T00:00:00Z"),
        ("https://third.example/c", TEXT.encode(), html, "2026-11-20T00:00:00Z"),
    ]
    path = write_responses(tmp_path / "a.warc.gz", records)
    options = thresher.CaptureOptions(robots=(str(path),))
    batches = thresher.page_batches(path, columns=["url", "text", "+rights"], capture_options=options)
    assert batches.schema.names == ["url", "text", *RIGHTS]
    first, second, third = (row for batch in batches for row in batch.to_pylist())
    assert (third["tdm_reservation"], third["use_ai_train_signal"]) == ("1", "tdmrep.json 1")
    assert (first["use_search"], first["use_ai_train"], first["use_ai_train_signal"]) == (
        "no",
        "no",
        "robots.txt ccbot",
    )
    assert first["x_robots_tag"] == "noindex"
    assert first["robots_txt_time"] == datetime(2026, 1, 1, tzinfo=UTC)
    assert {second[name] for name in RIGHTS} == {None}
    batches = thresher.page_batches(path, columns=["url", "+use_search"])
    assert batches.schema.names == ["url", "use_search"]
    assert [row["use_search"] for batch in batches for row in batch.to_pylist()] == ["no", None, None]
    assert not set(RIGHTS).intersection(thresher.page_batches(path).schema.names)


def test_pages_are_kept_by_what_they_say(tmp_path):
    html = [("Content-Type", "text/html")]
    records = [
        ("https://mill.example/a", TEXT.encode(), [*html, ("X-Robots-Tag", "noai")], "2026-11-20T00:00:00Z"),
        ("https://mill.example/b", TEXT.encode(), html, "2026-11-20T00:00:00Z"),
    ]
    path = write_responses(tmp_path / "a.warc.gz", records)
    where = "use_ai_train IS NULL OR use_ai_train <> 'no'"
    batches = thresher.page_batches(path, columns=["url", "+use_ai_train"], where=where)
    assert [row["url"] for batch in batches for row in batch.to_pylist()] == ["https://mill.example/b"]


def test_the_module_is_imported_only_when_it_is_asked_for():
    code = (
        "import sys, thresher; thresher.page_batches('.', columns=['url']); thresher.extract(b'<p>x');"
        "from thresher.rows.batches import RowMaker; from thresher.config import load_configuration;"
        "RowMaker(load_configuration()); assert 'thresher.page.rights' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
