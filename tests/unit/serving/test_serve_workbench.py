# SPDX-License-Identifier: Apache-2.0
"""The workbench in a real browser."""

import json
import socket
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from headless_chromium import Chromium
from running_service import ARTICLE, running

# The only reason to leave these out: there is no browser on this machine.
pytestmark = pytest.mark.browser

CAKES = ("Quince", "Cherry", "Lemon")
EVIL = """<script>parent.document.title = document.title = "owned"</script>
<img src="http://evil.invalid/i.png" onerror="parent.document.title='owned'">
<style>@import "http://evil.invalid/x.css"; body { background: url(http://evil.invalid/b.png) }</style>
<a href="http://evil.invalid/go" id=out>go there</a><meta http-equiv=refresh content="0;url=http://evil.invalid/">
<iframe srcdoc="<script>top.document.title='owned'</script>"></iframe><p onclick="parent.document.title='owned'">A
paragraph with enough words to be a block of its own, which somebody may click on.</p>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("labels")


@pytest.fixture(scope="module")
def service(folder, tmp_path_factory):
    """A service with labels, and with a file of three pages to browse."""
    file = tmp_path_factory.mktemp("archive") / "cakes.jsonl"
    pages = [{"url": f"https://e.org/{name}", "html": ARTICLE.replace("Apple", name)} for name in CAKES]
    file.write_text("".join(f"{json.dumps(page)}\n" for page in pages))
    with running(labels=folder, archives=(str(file),)) as found:
        yield found


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with Chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def browser(chromium, service):
    """The workbench, without a page."""
    chromium.console.clear()
    chromium.requested.clear()
    chromium.size(1300, 800)
    chromium.open(f"http://127.0.0.1:{service.port}/")
    chromium.wait("document.getElementById('extractor').options.length > 5")
    return chromium


def paste(browser, html: str, url: str = "https://example.org/cake") -> None:
    browser.run(
        f"(() => {{ document.getElementById('paste-html').value = {json.dumps(html)};"
        f"document.getElementById('paste-url').value = {json.dumps(url)};"
        "document.querySelector('#paste button').click() })()"
    )
    browser.wait("document.getElementById('status').textContent.includes('blocks kept')")
    browser.drawn()  # what the mouse is over is decided by what was drawn


def kept(browser) -> list[str]:
    return browser.run(
        "[...document.getElementById('page').contentDocument.querySelectorAll('x-thresher[k=kept]')]"
        ".map((each) => each.textContent)"
    )


def press(browser, name: str) -> None:
    browser.run(f"document.getElementById({name!r}).click()")


def test_a_pasted_page_is_shown_with_what_is_kept(browser):
    paste(browser, ARTICLE)
    assert [text[:10] for text in kept(browser)] == ["Apple cake", "Peel four ", "Line a tin"]
    assert browser.run("document.getElementById('text').textContent").startswith("Apple cake\n\nPeel four apples")
    assert browser.run("document.getElementById('page-title').textContent") == "Apple cake"
    assert browser.console == []


def test_a_long_page_opens_at_the_first_block_that_is_kept(browser):
    menu = "<ul>" + "".join(f"<li><a href=/{n}>Place number {n}</a>" for n in range(200)) + "</ul>"
    paste(browser, f"<body>{menu}{ARTICLE}<div style='height: 3000px'></div>")
    first = "document.getElementById('page').contentDocument.querySelector('x-thresher[k=kept]')"
    assert 0 <= browser.run(f"{first}.getBoundingClientRect().top") < 400


def test_labels_without_a_page_are_refused_in_words(browser):
    for name in ("prefill", "clear", "save-whole"):
        press(browser, name)
        browser.wait("document.getElementById('status').textContent === 'Open a page first.'")
        browser.run("document.getElementById('status').textContent = ''")
    assert browser.console == []


def test_keys_move_between_blocks_and_say_what_decided(browser):
    paste(browser, ARTICLE)
    browser.run("document.getElementById('page').focus()")
    for _ in range(3):
        browser.key("ArrowDown")
    browser.wait("/Deciding: \\w+ = /.test(document.getElementById('strip').textContent)")
    assert "kept · paragraph" in browser.run("document.getElementById('strip').textContent")
    browser.key("Enter", "\r")
    browser.wait("!document.getElementById('block-panel').hidden")
    assert browser.run("document.querySelector('#block h2').textContent").startswith("Block 3 of 5")
    assert browser.run("document.querySelectorAll('#block > table tbody tr').length") == 3


def test_keys_need_no_click_and_lead_from_page_to_page(browser):
    browser.run("document.querySelector('#browse button').click()")
    browser.wait("document.querySelectorAll('#pages button').length === 3")
    assert browser.run("document.getElementById('steps').hidden")
    browser.run("document.querySelector('#pages button').click()")
    for name, key in (("Quince", "n"), ("Cherry", "n"), ("Lemon", "p"), ("Cherry", None)):
        browser.wait(f"document.getElementById('page-title').textContent === '{name} cake'")
        browser.wait("document.getElementById('status').textContent.includes('blocks kept')")
        browser.key("ArrowDown")
        assert browser.run("workbench.state.now") == 0
        browser.run("document.activeElement.blur()")
        if key:
            browser.key(key, key)
    press(browser, "next")
    browser.wait("document.getElementById('page-title').textContent === 'Lemon cake'")
    browser.wait("document.getElementById('status').textContent.includes('blocks kept')")
    press(browser, "next")
    browser.wait("document.getElementById('status').textContent === 'This is the last page of the list.'")
    press(browser, "open-button")
    browser.run("document.getElementById('paste-html').focus()")
    browser.key("p", "p")
    assert browser.run("document.getElementById('page-title').textContent") == "Lemon cake"
    paste(browser, ARTICLE)
    assert browser.run("document.getElementById('steps').hidden")


def test_a_wide_page_is_made_to_fit(browser):
    room = browser.run("document.getElementById('page').clientWidth")
    paste(browser, ARTICLE.replace("<article>", "<article style='width: 1100px'>"))
    end = "document.getElementById('page').contentDocument.querySelector('article').getBoundingClientRect().right"
    assert browser.run(end) <= room + 1
    press(browser, "fit")
    assert browser.run(end) > room


def test_the_default_extractor_is_first(browser):
    assert browser.run("document.getElementById('extractor').options[0].value") == "thresher"


def test_titles_and_datelines_have_controls(browser):
    paste(browser, ARTICLE)
    browser.run("(() => { const v = document.getElementById('titles'); v.value = 'drop';"
                "v.dispatchEvent(new Event('change', {bubbles: true})) })()")  # fmt: skip
    browser.wait("!document.getElementById('text').textContent.startsWith('Apple cake')")
    assert browser.run("document.getElementById('datelines').value") == "auto"


def test_pointing_at_a_block_shows_it(browser):
    paste(browser, ARTICLE)
    box = browser.run(
        "(() => { const frame = document.getElementById('page');"
        "const mark = frame.contentDocument.querySelector('h1 x-thresher');"
        "const a = frame.getBoundingClientRect(), b = mark.getBoundingClientRect();"
        "return [a.x + b.x + b.width / 2, a.y + b.y + b.height / 2] })()"
    )
    browser.mouse("mouseMoved", *box)
    browser.wait("document.getElementById('strip').textContent.includes('heading-1')")


def test_views_options_and_extractors(browser):
    paste(browser, ARTICLE)
    browser.run("(() => { const v = document.getElementById('view'); v.value = 'markdown';"
                "v.dispatchEvent(new Event('change', {bubbles: true})) })()")  # fmt: skip
    browser.wait("document.getElementById('text').textContent.startsWith('# Apple cake')")
    browser.run("(() => { const v = document.getElementById('view'); v.value = 'rendered';"
                "v.dispatchEvent(new Event('change', {bubbles: true})) })()")  # fmt: skip
    browser.wait("document.getElementById('rendered').srcdoc.includes('<h1>Apple cake</h1>')")
    press(browser, "compare-tab")
    browser.wait("document.querySelectorAll('#compared tbody tr').length > 10")
    browser.run("[...document.querySelectorAll('#compared button')].find((each) => each.textContent === 'all').click()")
    assert len(kept(browser)) > 3
    press(browser, "only")
    assert browser.run("document.getElementById('page').contentDocument.documentElement.hasAttribute('only')")


def test_candidates_of_facts_are_shown_and_corrections_kept(browser, folder):
    paste(browser, ARTICLE)
    press(browser, "facts-tab")
    browser.wait("document.querySelectorAll('.fact').length === 5")
    assert browser.run("document.querySelector('[data-fact=title] h2').textContent") == "title: Apple cake"
    taken = (
        "[...document.querySelectorAll('[data-fact=title] tr[aria-current=true] td')].map((each) => each.textContent)"
    )
    value, place, score = browser.run(taken)
    assert value == "Apple cake taken"
    assert "title element" in place
    assert float(score) > 0
    assert browser.run("document.querySelector('[data-fact=date] p').textContent") == "Nothing on the page may be it."
    browser.run("[...document.querySelectorAll('[data-fact=title] td button')].at(-1).click()")
    assert browser.run("document.getElementById('label-title').value") != "Apple cake"
    browser.run(
        "(() => { document.querySelector('#facts-save input').value = 'finn';"
        "document.querySelector('#facts-save input').dispatchEvent(new Event('change'));"
        "document.getElementById('label-title').value = 'Apple cake';"
        "document.getElementById('label-author').value = 'Ann Lee';"
        "document.getElementById('label-type').value = 'recipe' })()"
    )
    browser.run("document.querySelector('#facts-save button').click()")
    browser.wait("document.getElementById('status').textContent === 'Saved in facts/finn.'")
    [line] = (folder / "facts" / "finn.tsv").read_text("utf-8").splitlines()
    site = browser.run("document.getElementById('label-site').value")  # what was taken, if anything
    assert line.split("\t")[2:] == ["finn", "recipe", "Apple cake", "Ann Lee", "-", site or "-"]
    assert browser.run("document.getElementById('annotator').value") == "finn"
    press(browser, "result-tab")
    paste(browser, ARTICLE.replace("Apple", "Plum"))
    press(browser, "facts-tab")
    browser.wait("document.querySelector('[data-fact=title] h2').textContent === 'title: Plum cake'")
    assert browser.run("document.getElementById('label-author').value") == ""
    paste(browser, ARTICLE)
    browser.wait("document.getElementById('label-author').value === 'Ann Lee'")
    assert browser.console == []


def test_a_hostile_page_neither_runs_nor_asks_for_anything(browser):
    with socket.create_server(("127.0.0.1", 0)) as evil:
        evil.settimeout(1.0)
        paste(browser, EVIL.replace("evil.invalid", f"127.0.0.1:{evil.getsockname()[1]}"))
        press(browser, "block-tab")
        browser.run("document.getElementById('page').contentDocument.querySelector('p').click()")
        browser.run("document.getElementById('page').contentDocument.querySelector('a').click()")
        with pytest.raises(TimeoutError):
            evil.accept()
    assert browser.run("document.title") == "Thresher workbench"
    assert browser.run("document.getElementById('page').contentDocument.title") == ""
    assert browser.run("document.getElementById('page').contentWindow.location.href") == "about:srcdoc"


def test_the_frame_of_a_page_runs_no_script_and_asks_for_nothing_by_itself(browser):
    """What the shown page's HTML would let through, the frame stops."""
    with socket.create_server(("127.0.0.1", 0)) as evil:
        evil.settimeout(1.0)
        html = EVIL.replace("evil.invalid", f"127.0.0.1:{evil.getsockname()[1]}").replace("<meta", "<i")
        paste(browser, ARTICLE)
        browser.run(f"document.getElementById('page').srcdoc = {json.dumps(html)}")
        browser.wait("document.getElementById('page').contentDocument.querySelector('#out')")
        with pytest.raises(TimeoutError):
            evil.accept()
    assert browser.run("document.title") == "Thresher workbench"


def test_markdown_is_rendered_without_the_markup_of_the_page(browser):
    text = (
        "# A <script>x</script>\n\n> quote\n\n- one\n  - two\n\n```\n<b>\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        '[a](javascript:x) **b** `<i>` ![x" onerror="y](z) \\*not\\*'
    )
    html = browser.run(f"import('/markdown.js').then((module) => module.toHtml({json.dumps(text)}))")
    assert "<script" not in html
    assert "<i>" not in html
    assert "href" not in html
    assert "<img" not in html
    for part in ("<blockquote>", '<li dir="auto">one', "two</li></ul>", "<pre><code>&lt;b&gt;", "<td>1</td>", "*not*"):
        assert part in html


def test_labels_are_given_by_mouse_and_keys_and_saved(browser, service):
    paste(browser, ARTICLE)
    press(browser, "label-tab")
    press(browser, "prefill")
    browser.wait("workbench.state.labels?.includes('main')")
    browser.run("document.getElementById('annotator').value = 'gina'")
    browser.drawn()
    marks = "document.getElementById('page').contentDocument.querySelectorAll('x-thresher')"
    places = browser.run(
        "(() => { const a = document.getElementById('page').getBoundingClientRect(); return [..."
        + marks
        + "].map((each) => each.getClientRects()[0]).map((b) => [a.x + b.x + 5, a.y + b.y + b.height / 2]) })()"
    )
    browser.run(
        "[...document.querySelectorAll('#label-buttons button')].find((b) => b.textContent.includes('Menu')).click()"
    )
    browser.mouse("mousePressed", *places[0], pressed=True)
    browser.mouse("mouseMoved", *places[1], pressed=True)
    browser.mouse("mouseReleased", *places[1])
    browser.run("document.getElementById('page').focus()")
    browser.run(f"[...{marks}].at(-2).focus()")
    browser.key("ArrowDown")
    for _ in range(12):
        browser.key("ArrowDown")
    browser.key("9", "9")
    press(browser, "save-whole")
    browser.wait("document.getElementById('status').textContent.startsWith('Saved')")
    [page] = next(each["pages"] for each in service.get("/labels").json["annotators"] if each["annotator"] == "gina")
    labels = service.get(f"/labels/gina/{page['id']}").json["labels"]
    assert labels.count("menu") >= 1
    assert labels[-1] == "template"
    assert "main" in labels


def test_a_mouse_that_rests_does_not_lead_the_keys_astray(browser):
    """The page moves below it where the keys lead on."""
    paste(browser, "<body>" + "".join(f"<h2>Step {n}</h2><p>Peel apple number {n}.</p>" for n in range(60)))
    x, y = browser.run(
        "(() => { const a = document.getElementById('page').getBoundingClientRect();"
        "const b = document.getElementById('page').contentDocument.querySelectorAll('x-thresher')[3].getClientRects()[0];"
        "return [a.x + b.x + 5, a.y + b.y + b.height / 2] })()"
    )
    browser.mouse("mouseMoved", x, y)
    browser.wait("workbench.state.now === 3")
    browser.run("document.getElementById('page').focus()")
    browser.run("document.getElementById('page').contentDocument.querySelector('x-thresher').focus()")
    for _ in range(6):
        browser.key("ArrowDown")
        time.sleep(0.2)  # the browser says where the mouse is a moment after it scrolled
    assert browser.run("workbench.state.now") == 3 + 6


def test_the_extractors_choice_has_titles_datelines_captions_and_comments(browser):
    dateline = "</h1><p class=byline>By Anton Chord, 3 May 2020</p>"
    picture = (
        "<figure><img src=a.jpg width=640 height=400><figcaption>The cake on a table</figcaption></figure></article>"
    )
    comments = (
        "<section id=comments class=comments><h2>2 comments</h2><div class=comment><b>Ina</b> 4 May 2020"
        "<p>I made this cake for my aunt, and she asked for another.</p></div><div class=comment><b>Uwe</b> 5 May 2020"
        "<p>With pears it is even better, if they are not too ripe.</p></div></section><footer>"
    )
    page = ARTICLE.replace("</h1>", dateline).replace("</article>", picture).replace("<footer>", comments)
    paste(browser, page)
    press(browser, "label-tab")
    press(browser, "prefill")
    browser.wait("workbench.state.labels?.includes('main')")
    labels = browser.run(
        "Object.fromEntries(workbench.state.answer.blocks.map((b, n) => [b.text.slice(0, 12), workbench.state.labels[n]]))"
    )
    for text, label in {
        "Apple cake": "title", "By Anton Cho": "dateline", "Peel four ap": "main", "The cake on ": "caption",
        "I made this ": "comment", "Imprint Priv": "other",
    }.items():  # fmt: skip
        assert labels.get(text) == label, labels


def test_the_agreement_of_two_annotators_is_shown_with_what_they_dispute(browser, service, folder):
    n = len(service.post("/blocks", {"html": ARTICLE, "explain": False}).json["blocks"])
    other = "<p>another page</p>"
    for name, label in (("nora", "main"), ("olga", "menu")):
        labels = [label, *["main"] * (n - 1)]
        for html, given in ((ARTICLE, labels), (other, [label])):
            body = {"html": html, "url": "https://e.org/x", "annotator": name, "labels": given, "complete": True}
            assert service.post("/labels", body).status == 200
    file = folder / "olga.parquet"
    table = pq.ParquetFile(file).read()
    texts = [row["texts"] if row["labels"] != ["menu"] else ["other text"] for row in table.to_pylist()]
    place = table.schema.get_field_index("texts")
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(texts, table.schema.types[place])), file)
    press(browser, "label-tab")
    browser.wait("[...document.querySelectorAll('#one option')].some((each) => each.value === 'nora')")
    browser.run("document.getElementById('one').value = 'nora'; document.getElementById('other').value = 'olga'")
    press(browser, "agree")
    browser.wait("document.querySelector('#disputed tbody tr')")
    rows = browser.run(
        "[...document.querySelectorAll('#disputed tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))"
    )
    assert [[row[0], row[1], *row[3:]] for row in rows] == [["https://e.org/x", "0", "main", "menu"]]
    assert rows[0][2]
    left_out = browser.run("document.getElementById('left-out').textContent")
    assert left_out.startswith("https://e.org/x: blocks of other texts")
    assert "by words" in browser.run("document.getElementById('agreement').textContent")


def test_pages_of_a_host_show_their_template(browser):
    for name in ("Apple", "Plum", "Pear"):
        paste(browser, ARTICLE.replace("Apple", name).replace("Peel", f"Wash {name} and peel"), f"https://e.org/{name}")
        browser.wait(f"document.getElementById('page-title').textContent.startsWith({name!r})")
    press(browser, "site-tab")
    press(browser, "compare-site")
    browser.wait("document.querySelectorAll('#site tbody tr').length > 0")
    hatched = browser.run(
        "[...document.getElementById('page').contentDocument.querySelectorAll('x-thresher[t]')]"
        ".map((each) => each.textContent)"
    )
    assert "Imprint" in hatched
    assert not any("Pear" in text for text in hatched)


def test_nothing_sticks_out_at_400_pixels(browser):
    paste(browser, ARTICLE.replace("Apple cake", "Apfelkuchenrezeptsammlungsverzeichniseintrag" * 3))
    browser.size(400, 800)
    for name in ("page", "result", "block", "compare", "site", "label"):
        browser.run(f"workbench.choose({name!r})")
        assert browser.run("document.documentElement.scrollWidth") <= 400, name
        shown = browser.run(
            "[...document.querySelectorAll('main > section')].filter((e) => e.offsetParent).map((e) => e.id)"
        )
        assert shown == [f"{name}-panel"]


def test_text_from_right_to_left_is_set_so(browser):
    paste(
        browser,
        "<html dir=rtl lang=ar><p>تقشر أربع تفاحات وتقطع إلى شرائح رقيقة، ثم يخلط الدقيق مع السكر والزبدة وبيضتين.</p>",
    )
    assert browser.run("document.getElementById('page').contentDocument.documentElement.dir") == "rtl"
    assert browser.run("getComputedStyle(document.getElementById('text')).direction") == "rtl"


def test_every_control_has_a_name_and_can_be_reached(browser):
    paste(browser, ARTICLE)
    nameless = browser.run(
        "[...document.querySelectorAll('button, select, input, textarea, iframe')].filter((each) => !("
        "each.labels?.length || each.textContent.trim() || each.title || each.getAttribute('aria-label')))"
        ".map((each) => each.outerHTML)"
    )
    assert nameless == []
    seen = set()
    for _ in range(40):
        browser.key("Tab")
        seen.add(browser.run("document.activeElement.id"))
    assert {"extractor", "mode", "page", "view", "text"} <= seen
