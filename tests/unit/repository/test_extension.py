# SPDX-License-Identifier: Apache-2.0
"""The browser extension: what its packages hold, and what it does in Chromium and Firefox with a real service.

Most tests open the popup as a tab, on a site on 127.0.0.1, which the extension may read anyway. One presses the button
of the browser, on a site that only this press allows it to read.
"""

import functools
import http.server
import importlib.util
import json
import re
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from headless_chromium import Chromium
from headless_firefox import Firefox
from local_server import LocalServer
from running_service import running
from shared_data import CHECKOUT
from waiting import wait_for

import thresher
from thresher import __version__

SOURCE = CHECKOUT / "extension"
SUITE = Path(__file__).parent / "mill_site"

CODE_FROM_TEXT = re.compile(
    r"\beval\b|new Function|innerHTML|outerHTML\s*=|insertAdjacent|import\(|<script(?! type=\"module\" src)"
)

# The only reason to leave these out: there is no browser on this machine.
in_browser = pytest.mark.browser


def builder():
    spec = importlib.util.spec_from_file_location("extension_build", SOURCE / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("extension")
    builder().build(out)
    return out


def test_both_packages_have_the_same_files_and_the_same_bytes_each_time(built: Path, tmp_path: Path) -> None:
    zips = builder().build(tmp_path)
    assert [file.name for file in zips] == [f"thresher-{__version__}-{name}.zip" for name in ("chromium", "firefox")]
    names = set()
    for file in zips:
        assert file.read_bytes() == (built / file.name).read_bytes()
        with zipfile.ZipFile(file) as archive:
            names.add(tuple(archive.namelist()))
    (only,) = names
    sources = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if path.is_file()}
    assert set(only) == {name for name in sources if not name.endswith((".py", ".pyc", ".md"))}


def test_the_manifests_ask_for_no_more_than_is_needed(built: Path) -> None:
    chromium, firefox = (json.loads((built / name / "manifest.json").read_text()) for name in ("chromium", "firefox"))
    for manifest in (chromium, firefox):
        assert manifest["manifest_version"] == 3
        assert manifest["version"] == __version__
        assert manifest["permissions"] == ["activeTab", "scripting", "storage", "clipboardWrite"]
        assert manifest["host_permissions"] == ["http://127.0.0.1/*", "http://localhost/*"]
        assert manifest["content_security_policy"]["extension_pages"].startswith(
            "default-src 'none'; script-src 'self'"
        )
        assert not {"background", "content_scripts", "externally_connectable"} & manifest.keys()
    assert "browser_specific_settings" not in chromium
    assert firefox["browser_specific_settings"]["gecko"]["data_collection_permissions"] == {"required": ["none"]}


def test_no_file_loads_code_or_names_another_server() -> None:
    for file in SOURCE.rglob("*"):
        if file.suffix in {".js", ".html", ".css"}:
            text = file.read_text()
            hosts = set(re.findall(r"(?:https?:|ws:)?//([\w.-]+\.[a-z0-9]+|localhost)", text))
            assert hosts <= {"127.0.0.1", "localhost"}, file
            assert not CODE_FROM_TEXT.search(text), file


def test_icons_are_pictures_of_their_size() -> None:
    for size in (16, 48, 128):
        data = (SOURCE / "icons" / f"{size}.png").read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", data[16:24]) == (size, size)


# --- in Chromium ---

ELSEWHERE = "www.mill.example"

CLOBBERING = """<!doctype html><title>Names</title><img name=body><form name=querySelectorAll id=f>
<input name=childNodes><input name=parentElement><input name=setAttribute><input name=localName><input name=attributes>
<p>A form whose fields are named like the properties of its element still has a paragraph with a long enough text, which
is the only one on this page that anybody would want to read to its end.</p><p>And it has a second one, so that there is
something to be kept, to be dropped, and to be put back where it was before the button was pressed.</p></form>
<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The made-up site, and a page made to confuse."""

    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("Cookie")))
        if self.path == "/names.html":
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(CLOBBERING.encode())
            return
        super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Set-Cookie", "who=reader; path=/")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with LocalServer(functools.partial(Handler, directory=str(SUITE))) as server:
        yield server.root


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with running(labels=tmp_path_factory.mktemp("labels"), workers=1) as found:
        yield found


@pytest.fixture(scope="module")
def browser(built: Path, site: str, service, tmp_path_factory):
    """Chromium with the extension, a tab with the site and one for the popup, which knows the service."""
    flags = "--enable-unsafe-extension-debugging", f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"
    with Chromium(tmp_path_factory.mktemp("profile"), *flags) as chromium:
        page = chromium._session
        chromium._session = None
        own = chromium.call("Extensions.loadUnpacked", path=str(built / "chromium"))["id"]
        address = f"chrome-extension://{own}"
        target = chromium.call("Target.createTarget", url=f"{address}/settings.html")["targetId"]
        popup = chromium.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        chromium._session = popup
        for domain in ("Page", "Runtime", "Log", "Network"):
            chromium.call(f"{domain}.enable")
        found = SimpleNamespace(chromium=chromium, page=page, popup=popup, own=own, address=address, site=site)
        set_address(found, f"http://127.0.0.1:{service.port}")
        assert status(found) == "Saved."
        yield found


def set_address(browser, address: str) -> None:
    browser.chromium._session = browser.popup
    browser.chromium.open(f"{browser.address}/settings.html")
    browser.chromium.wait("document.getElementById('address').value")
    browser.chromium.run(f"document.getElementById('address').value = {json.dumps(address)}")
    browser.chromium.run("document.querySelector('form button').click()")
    browser.chromium.wait("document.getElementById('status').textContent")


def status(browser) -> str:
    browser.chromium._session = browser.popup
    return browser.chromium.run("document.getElementById('status').textContent")


def visit(browser, path: str) -> None:
    """Opens a page of the site, and a fresh popup for it."""
    chromium = browser.chromium
    chromium._session = browser.page
    chromium.open(browser.site + path)
    paragraphs = "Document.prototype.querySelectorAll.call(document, 'p')"
    chromium.run(
        "window.before = document.documentElement.outerHTML;"
        f"window.nodes = [...{paragraphs}].map((each) => each.firstChild); 0"
    )
    reopen(browser)


def reopen(browser) -> None:
    chromium = browser.chromium
    chromium._session = browser.popup
    tab = chromium.run(f"chrome.tabs.query({{url: '{browser.site}/*'}}).then((tabs) => tabs[0].id)")
    chromium.open(f"{browser.address}/popup.html?tab={tab}")
    chromium.wait("document.getElementById('address').textContent.startsWith('http')")


def press(browser, selector: str) -> str:
    """Presses a button of the popup; what it says then."""
    browser.chromium._session = browser.popup
    browser.chromium.call("Page.bringToFront")
    browser.chromium.run(f"document.querySelector('[{selector}]').click()")
    browser.chromium.wait("!document.querySelector('button').disabled")
    return status(browser)


def shown(browser) -> str:
    browser.chromium._session = browser.page
    browser.chromium.call("Page.bringToFront")  # innerText of a tab behind is that of its last layout
    return browser.chromium.run("document.documentElement.innerText")


def in_page(browser, script: str):
    browser.chromium._session = browser.page
    return browser.chromium.run(script)


def assert_is_main(text: str) -> None:
    """Of the history's blocks the text has those that the extractor keeps, and no other of more than one word."""
    blocks = thresher.extract((SUITE / "about" / "history.html").read_bytes()).blocks
    whole = " ".join(text.split())
    assert {block.kept for block in blocks} == {True, False}
    for block in blocks:
        if block.words > 1:
            assert (" ".join(block.text.split()) in whole) == block.kept, (block.text, text)


@in_browser
@pytest.mark.parametrize(
    ("view", "has", "lacks"),
    [
        ("main", ["Four centuries of the mill", "rye on every Saturday"], ["Visit us", "Imprint"]),
        ("menu", ["Visit us", "News"], ["Four centuries", "Our partners", "Imprint"]),
        ("template", ["Visit us", "Our partners", "Imprint"], ["Four centuries", "Steam ended"]),
        ("blocks", ["Visit us", "Four centuries", "Imprint"], []),
    ],
)
def test_a_view_is_shown_in_place_and_the_page_comes_back_as_it_was(browser, view, has, lacks) -> None:
    visit(browser, "/about/history.html")
    said = press(browser, f"data-view={view}")
    text = shown(browser)
    assert all(part in text for part in has), (said, text)
    assert not any(part in text for part in lacks), (said, text)
    if view == "main":
        assert_is_main(text)
    reopen(browser)  # a popup that is opened again knows what an earlier one showed
    browser.chromium.wait(f"document.querySelector('[data-view={view}]').ariaPressed === 'true'")
    press(browser, "data-view=page")
    assert in_page(browser, "document.documentElement.outerHTML === window.before")
    assert in_page(browser, "window.nodes.every((node) => node.isConnected && node.parentNode.localName === 'p')")


@in_browser
def test_pictures_within_the_main_content_stay_and_blocks_are_tinted(browser) -> None:
    visit(browser, "/about/history.html")
    press(browser, "data-view=main")
    gone = "(element) => element.closest('[data-thresher-gone]') !== null"
    assert in_page(browser, f"[...document.images].map({gone})") == [True, False]  # the logo, the wheel
    said = press(browser, "data-view=blocks")
    assert re.fullmatch(r"\d+ of 15 blocks are main content \(green\)\.", said)
    texts = "[...document.querySelectorAll('thresher-text')]"
    kind = f"(start) => {texts}.find((each) => each.textContent.startsWith(start)).dataset.kind"
    assert in_page(browser, f"['Steam ended', 'Imprint'].map({kind})") == ["kept", "dropped"]


@in_browser
def test_nothing_is_sent_before_a_press_and_then_only_to_the_service_and_the_site(browser, service) -> None:
    visit(browser, "/about/history.html")
    before = service.get("/metrics").body
    browser.chromium.requested.clear()
    Handler.asked.clear()
    reopen(browser)
    assert requests(browser) == set()
    assert service.get("/metrics").body.count(b"/blocks") == before.count(b"/blocks")
    for view in ("main", "menu", "blocks"):
        press(browser, f"data-view={view}")
    assert requests(browser) == {f"http://127.0.0.1:{service.port}/blocks"}
    assert Handler.asked == []  # not even a picture is loaded again
    press(browser, "data-view=template")
    assert requests(browser) == {f"http://127.0.0.1:{service.port}/{path}" for path in ("blocks", "site")} | {
        browser.site + path for path, _ in Handler.asked
    }
    assert {path for path, _ in Handler.asked} == {
        "/about/staff.html",
        "/about/visit.html",
        "/index.html",
        "/news/index.html",
        "/privacy.html",  # there is none
    }
    assert {cookie for _, cookie in Handler.asked} == {None}  # the reader's cookies stay at home


def requests(browser) -> set[str]:
    """The addresses that the browser asked for, apart from the extension's own files."""
    return {url for url in browser.chromium.requested if not url.startswith("chrome-extension://")}


@in_browser
def test_text_and_markdown_are_copied(browser) -> None:
    visit(browser, "/about/history.html")
    browser.chromium._session = browser.popup
    browser.chromium.run("navigator.clipboard.writeText = async (text) => { window.copied = text }; 0")
    assert press(browser, "data-copy=markdown").startswith("Copied: ")
    markdown = browser.chromium.run("window.copied")
    headline, first = markdown.split("\n\n")[:2]
    assert (headline, first[:14]) == ("# Four centuries of the mill", "The first mill")
    press(browser, "data-copy=text")
    assert browser.chromium.run("window.copied").startswith("Four centuries of the mill\n\nThe first mill")
    press(browser, "data-view=menu")
    press(browser, "data-copy=text")
    assert browser.chromium.run("window.copied").split() == ["Home", "History", "People", "Visit", "us", "News"]
    assert "Four centuries" not in shown(browser)  # what was shown still is


@in_browser
def test_a_page_goes_to_the_labelling_view(browser, service) -> None:
    visit(browser, "/about/history.html")
    browser.chromium._session = browser.popup
    browser.chromium.run("chrome.tabs.create = async ({ url }) => { window.opened = url }; 0")
    assert press(browser, "data-label") == "Opened in the workbench."
    opened = browser.chromium.run("window.opened")
    found = re.fullmatch(rf"http://127\.0\.0\.1:{service.port}/\?page=(\w+)&label=1", opened)
    sent = service.get(f"/pages/{found[1]}").json
    assert sent["url"] == f"{browser.site}/about/history.html"
    assert "Four centuries of the mill" in sent["html"]
    assert "thresher" not in sent["html"]


@in_browser
def test_a_page_that_hides_the_properties_of_its_elements(browser) -> None:
    visit(browser, "/names.html")
    assert press(browser, "data-view=main") == "Only the main content is shown."
    text = shown(browser)
    assert "the only one on this page" in text
    assert "Imprint" not in text
    press(browser, "data-view=blocks")
    press(browser, "data-view=page")
    assert in_page(browser, "document.documentElement.outerHTML === window.before")


@in_browser
def test_a_press_of_the_browsers_button_lets_the_popup_read_a_page_of_any_site(browser) -> None:
    chromium = browser.chromium
    chromium._session = browser.page
    chromium.open(browser.site.replace("127.0.0.1", ELSEWHERE) + "/about/history.html")
    chromium.call("Page.bringToFront")
    chromium._session = None
    tabs = chromium.call("Target.getTargets", filter=[{"type": "tab"}])["targetInfos"]
    tab = next(each["targetId"] for each in tabs if ELSEWHERE in each["url"])
    chromium.call("Extensions.triggerAction", id=browser.own, targetId=tab)

    def popups() -> list[str]:
        targets = chromium.call("Target.getTargets")["targetInfos"]
        return [each["targetId"] for each in targets if each["url"] == f"{browser.address}/popup.html"]

    [popup, *_] = wait_for(popups)
    chromium._session = chromium.call("Target.attachToTarget", targetId=popup, flatten=True)["sessionId"]
    chromium.wait("document.getElementById('address')?.textContent.startsWith('http')")
    chromium.run("document.querySelector('[data-view=main]').click()")
    chromium.wait("!document.querySelector('button').disabled")
    assert chromium.run("document.getElementById('status').textContent") == "Only the main content is shown."
    assert_is_main(in_page(browser, "document.body.innerText"))


@in_browser
def test_without_a_service_it_says_how_to_start_one(browser, service) -> None:
    set_address(browser, "http://127.0.0.1:9")
    visit(browser, "/about/history.html")
    assert press(browser, "data-view=main") == "Nothing answers at http://127.0.0.1:9."
    assert browser.chromium.run("document.getElementById('missing').checkVisibility()")
    assert "thresher serve" in browser.chromium.run("document.getElementById('missing').textContent")
    set_address(browser, browser.site)
    visit(browser, "/about/history.html")
    assert "is not Thresher" in press(browser, "data-view=main")
    for elsewhere in (
        "http://example.org",
        "https://127.0.0.1:8737",
        "http://127.0.0.1.example.org",
        "http://a@127.0.0.1",
    ):
        set_address(browser, elsewhere)
        assert re.match(r"Pages are only sent to this computer|This is no address", status(browser)), elsewhere
    set_address(browser, f"http://127.0.0.1:{service.port}")


@pytest.mark.nightly  # by day the same views are looked at in Chromium
@pytest.mark.slow
@pytest.mark.browser
def test_all_views_in_firefox(built: Path, site: str, service, tmp_path: Path) -> None:
    own, uuid = "thresher@thresher.example", "12345678-1234-4234-8234-123456789abc"
    preferences = {"extensions.webextensions.uuids": json.dumps({own: uuid})}
    with Firefox(tmp_path / "profile", preferences) as firefox:
        package = built / f"thresher-{__version__}-firefox.zip"
        assert firefox.call("Addon:Install", path=str(package), temporary=True) == own
        firefox.open(f"{site}/about/history.html")
        before = firefox.run("document.documentElement.outerHTML")
        page, popup = firefox.tab(), firefox.new_tab()
        firefox.open(f"moz-extension://{uuid}/settings.html")
        firefox.wait("document.getElementById('address').value")
        firefox.run(f"document.getElementById('address').value = 'http://127.0.0.1:{service.port}'")
        firefox.run("document.querySelector('form button').click()")
        firefox.wait("document.getElementById('status').textContent === 'Saved.'")
        number = firefox.run("browser.tabs.query({url: 'http://127.0.0.1/*'}).then((tabs) => tabs[0].id)")
        firefox.open(f"moz-extension://{uuid}/popup.html?tab={number}")
        firefox.wait("document.getElementById('address').textContent.startsWith('http')")
        found = {}
        for view in ("main", "menu", "template", "blocks", "page"):
            firefox.choose(popup)
            firefox.run(f"document.querySelector('[data-view={view}]').click()")
            firefox.wait("!document.querySelector('button').disabled")
            firefox.choose(page)
            text = firefox.run("document.documentElement.innerText")
            found[view] = [part in text for part in ("Four centuries", "Visit us", "Imprint")]
        assert found == {
            "main": [True, False, False],
            "menu": [False, True, False],
            "template": [False, True, True],
            "blocks": [True, True, True],
            "page": [True, True, True],
        }
        assert firefox.run("document.documentElement.outerHTML") == before
