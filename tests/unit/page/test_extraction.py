# SPDX-License-Identifier: Apache-2.0
"""thresher.extract and PageExtractor: what they return, and what they refuse."""

import json
import threading
from itertools import pairwise

import pytest
from shared_data import files

import thresher
from thresher.lab.evaluate.pages import read_pages
from thresher.options import EXTRACTORS, MODES, Limits
from thresher.page.page_extractor import PageExtractor

SENTENCE = "The miller waits for wind and the baker waits for the miller, as it has been since the hill was cleared. "
PAGE = f"""<!doctype html><html><head><title>  Wind
and water </title></head><body><nav><a href=/>Home</a> <a href=/x>Elsewhere</a></nav>
<div><h1>Wind</h1><p>{SENTENCE * 4}</p><p>Größe, µ, “quotes”</p></div><footer><a href=/t>Terms</a></footer></body></html>"""


def test_what_extract_returns():
    page = thresher.extract(PAGE)
    # Whether the headline is text too is the model's to say: gold texts differ in it.
    assert page.text.removeprefix("Wind\n\n") == f"{(SENTENCE * 4).strip()}\n\nGröße, µ, “quotes”"
    assert page.title == "Wind"  # its heading, not what its title element says
    assert page.status == "ok"
    assert page.charset == "utf-8"
    assert page.n_nodes > 15
    assert page.n_words > 80
    assert "Wind" in repr(page)


def test_blocks_say_what_was_kept():
    page = thresher.extract(PAGE)
    # Whether the headline is kept is left open, as above.
    assert [block.kept for block in page.blocks if block.order != 1] == [False, True, True, False]
    assert [block.kind for block in page.blocks] == ["text", "heading-1", "paragraph", "paragraph", "text"]
    assert [block.order for block in page.blocks] == [0, 1, 2, 3, 4]
    assert page.blocks[0].text == "Home Elsewhere"
    assert page.blocks[0].link_density == 1.0
    assert page.blocks[1].link_density == 0.0
    assert "\n\n".join(block.text for block in page.blocks if block.kept) == page.text


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "utf-16"])
def test_bytes_are_decoded(encoding):
    charset = None if encoding == "utf-16" else encoding
    assert thresher.extract(PAGE.encode(encoding), charset=charset).text == thresher.extract(PAGE).text


def test_the_charset_is_named():
    assert thresher.extract("Größe".encode("windows-1252"), charset="latin1").charset == "windows-1252"


@pytest.mark.parametrize("page", [b"", "", b"   ", b"<!doctype html>", b"<body><nav></nav></body>", b"\xff\xfe", b"\0"])
def test_a_page_without_text_is_empty(page):
    found = thresher.extract(page, extractor="all")
    assert found.status in ("empty", "ok")
    assert found.text.strip("\ufffd") == ""
    assert found.status == "empty" or found.text


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_like_pages(kind):
    assert thresher.extract(kind(PAGE.encode())).text == thresher.extract(PAGE).text


def test_lone_surrogates_in_a_str_are_replaced():
    assert "ab" in thresher.extract("<p>ab \ud800 cd", extractor="all").text


@pytest.mark.parametrize("html", [None, 1, ["<p>"], PAGE.encode])
def test_a_page_must_be_bytes_or_str(html):
    with pytest.raises(TypeError, match="html must be bytes or str"):
        thresher.extract(html)
    with pytest.raises(TypeError, match="html must be bytes or str"):
        thresher.parse(html)


@pytest.mark.parametrize("argument", ["url", "charset", "extractor"])
def test_names_must_be_str(argument):
    with pytest.raises(TypeError, match=f"{argument} must be str"):
        thresher.extract(PAGE, **{argument: 3})


def test_an_unknown_extractor_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown extractor 'cetdd'; did you mean 'cetd'.*all"):
        thresher.extract(PAGE, extractor="cetdd")
    with pytest.raises(ValueError, match="extractors must not hold an empty text"):
        PageExtractor("")


def test_an_unknown_option_is_named_with_the_known_ones():
    with pytest.raises(TypeError, match=r"no option 'treshold'.*range, threshold, anchors"):
        thresher.extract(PAGE, extractor="ccb", treshold=1)
    with pytest.raises(TypeError, match=r"no option 'x'.*none"):
        PageExtractor("all", x=1)
    with pytest.raises(TypeError, match="must be a number"):
        PageExtractor("ccb", threshold="0.5")


@pytest.mark.parametrize("name", EXTRACTORS)
def test_every_extractor_by_name(name):
    assert isinstance(thresher.extract(PAGE, extractor=name).text, str)


def test_the_stages_one_by_one_are_extract():
    page_extractor = PageExtractor()
    page_extractor.parse(PAGE.encode())
    assert (page_extractor.status, page_extractor.metadata().title) == ("ok", "Wind")
    page_extractor.measure()
    assert page_extractor.workspace.n_blocks == 5
    assert page_extractor.workspace.n_words > 80
    assert 0 < page_extractor.workspace.link_density < 0.2
    assert page_extractor.workspace.text_density > 10
    page_extractor.classify()
    assert page_extractor.render() == PageExtractor().extract(PAGE.encode())


RICH = PAGE.replace(
    "<footer>",
    "<div class=comments><p>A reader writes that the wheel was never this loud before the flood.</p></div>"
    "<template shadowrootmode=open></template><figure><img src=/wheel.jpg alt=Wheel><figcaption>Photo: A. Lee</figcaption>"
    "</figure><p hidden>Folded away, but part of the story.</p><p>E = <math><mi>m</mi></math></p><footer>",
)


@pytest.mark.parametrize("page", [RICH, "", "<p>x", "<table><tr><td>1<td>2</table>"])
@pytest.mark.parametrize(
    "options",
    [
        {"format": "markdown", "links": True, "images": True, "tables": "html", "comments": "drop"},
        {"format": "html", "captions": "keep", "titles": "drop", "datelines": "drop"},
        {"format": "source", "hidden": "keep", "formulas": "text"},
        {"hidden": "drop", "formulas": "drop", "comments": "keep", "datelines": "keep", "mode": "recall"},
        {"extractor": "cetd", "hidden": "keep"},
        {"extractor": "all", "format": "markdown"},
    ],
)
def test_the_stages_one_by_one_are_extract_with_any_options(page, options):
    page_extractor, at_once = PageExtractor(**options), PageExtractor(**options)
    for _ in range(2):  # what the first page left behind changes nothing
        page_extractor.parse(page.encode(), "https://lowermill.example/a/b")
        page_extractor.measure()
        page_extractor.classify()
        text = page_extractor.render()
        assert at_once.extract(page.encode(), "https://lowermill.example/a/b") == text
        assert (at_once.status, at_once.confidence) == (page_extractor.status, page_extractor.confidence)
        assert (at_once.workspace.kept_bytes(), at_once.workspace.scores()) == (
            page_extractor.workspace.kept_bytes(),
            page_extractor.workspace.scores(),
        )
        assert at_once.metadata() == page_extractor.metadata()
        assert at_once.pack(0) == page_extractor.pack(0)


def test_several_extractors_from_one_parse():
    page_extractor = PageExtractor("all")
    everything = page_extractor.extract(PAGE.encode())
    page_extractor.choose("cetd")
    page_extractor.classify()
    assert page_extractor.render() == PageExtractor("cetd").extract(PAGE.encode()) != everything


@pytest.mark.parametrize(
    "names", [("cetd", "all", "thresher"), ("thresher", "cetd"), ("all", "thresher"), ("thresher",)]
)
def test_several_extractors_give_what_each_gives_alone(names):
    page = PAGE.replace(
        "<footer>", "<div hidden><p>Folded away, but part of the story of the mill all the same.</p></div><footer>"
    )
    found = thresher.extract(page, extractors=names)
    assert list(found.texts) == list(names)
    assert found.texts == {name: thresher.extract(page, extractor=name).text for name in names}
    alone = thresher.extract(page, extractor=names[0])
    for what in ("text", "title", "status", "confidence", "n_words", "n_nodes"):
        assert getattr(found, what) == getattr(alone, what)
    assert [block.kept for block in found.blocks] == [block.kept for block in alone.blocks]


def test_the_page_is_measured_once_for_all_that_see_the_same_text():
    page_extractor = PageExtractor(extractors=["cetd", "all", "conex", "thresher"])
    page_extractor.extract(PAGE.encode())
    assert set(page_extractor.further_texts) == {"all", "conex", "thresher"}
    # The learned one sees concealed text: it goes first, and the others share the second measuring.
    assert [name for name, _ in page_extractor._extractors.further] == ["thresher", "all", "conex"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"extractors": []}, ValueError, "no extractor given"),
        ({"extractors": ["cetd", "bt"]}, ValueError, "unknown extractor 'bt'"),
        ({"extractors": ["cetd", "all", "cetd"]}, ValueError, "'cetd' is named twice"),
        ({"extractors": "cetd"}, TypeError, "sequence of str"),
        ({"extractors": ["cetd"], "extractor": "all"}, TypeError, "not both"),
        ({"lean": float("nan")}, ValueError, "option 'lean' must be a finite number"),
        ({"lean": 10**5000}, ValueError, "option 'lean' must be a finite number"),
        ({"options": {"mode": "recall"}}, TypeError, "options must be Options, not dict"),
        ({"extractors": [3]}, TypeError, "must be str"),
        (
            {"extractor": "cetd", "mode": "recal"},
            ValueError,
            "mode must be one of precision, balanced, recall, not 'recal'",
        ),
        ({"extractor": "cetd", "mode": "recall"}, ValueError, "'cetd' has no mode 'recall'; these do: thresher"),
    ],
)
def test_extractors_and_modes_that_make_no_sense(arguments, error, message):
    with pytest.raises(error, match=message):
        thresher.extract(PAGE, **arguments)


def test_modes_lean_as_the_option_does():
    for mode, lean in MODES.items():
        by_mode = thresher.extract(PAGE, extractor="thresher", mode=mode)
        assert by_mode.text == thresher.extract(PAGE, extractor="thresher", lean=lean).text
    assert (
        thresher.extract(PAGE, extractor="cetd", mode="balanced").text == thresher.extract(PAGE, extractor="cetd").text
    )
    assert PageExtractor(extractors=["cetd", "thresher"], mode="recall")._extractors.further[0][1].options == {
        "lean": MODES["recall"]
    }


def test_confidence_is_known_where_the_extractor_knows_it():
    assert thresher.extract(PAGE, extractor="cetd").confidence is None
    assert 0 < thresher.extract(PAGE, extractor="thresher").confidence <= 1


def test_nothing_of_a_page_is_left_for_the_next():
    page_extractor = PageExtractor("all")
    alone = {page: PageExtractor("all").extract(page) for page in (PAGE.encode(), b"<p>x", b"", b"<table><td>a<td>b")}
    for page in [*alone, *reversed(alone), *alone]:
        assert page_extractor.extract(page) == alone[page]


def test_limits_are_statuses():
    many = b"<p>x</p>" * 1000
    assert thresher.extract(many, limits=Limits(max_nodes=100)).status == "too_many_nodes"
    assert thresher.extract(many, limits=Limits(max_bytes=100), extractor="all").status == "too_many_bytes"
    assert thresher.extract(many, limits=Limits(max_bytes=100), extractor="all").text.startswith("x\n\nx")
    assert thresher.extract(b"<a b c d e>" * 100, limits=Limits(max_attributes=50)).status == "too_many_attributes"


def test_a_deep_page_keeps_its_text():
    page = thresher.extract(b"<div>" * 20_000 + b"bottom", extractor="all")
    assert page.text == "bottom"


def test_threads_have_workspaces_of_their_own():
    pages = [f"<p>{'word ' * n}end {n}</p>" for n in range(1, 40)]
    wrong: list[str] = []

    def work() -> None:
        for _ in range(5):
            for n, page in enumerate(pages, 1):
                if not thresher.extract(page, extractor="all").text.endswith(f"end {n}"):
                    wrong.append(page)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_parse_returns_the_document():
    document = thresher.parse(PAGE)
    assert document.n_nodes > 15
    assert document.status == "ok"
    assert " ".join(document.title().split()) == "Wind and water"


def test_a_huge_page_does_not_hold_its_memory():
    page_extractor = PageExtractor()
    page_extractor.extract(b"<p>small</p>")
    workspace = page_extractor.workspace
    small = workspace.nbytes
    page_extractor.extract(b"<b>x</b>" * 300_000)
    assert workspace.nbytes > 40e6
    page_extractor.extract(b"<p>small</p>")
    assert workspace.nbytes < small + (2 << 20)  # the text buffer, 1.5 MB, is below what is worth giving back


def test_memory_that_is_held_is_counted():
    """A table of which a part is in use was counted as that part."""
    workspace = PageExtractor()
    workspace.extract("".join(f"<div class=a{i}><p>word {i}</p></div>" for i in range(6_000)).encode())
    held = workspace.workspace.nbytes
    workspace.extract(b"<p>small</p>")
    assert workspace.workspace.nbytes >= held  # below what is given back


LONG = "The mill stands at the lower end of the village, and its wheel has turned for three hundred years. " * 8


def in_data(text: str) -> str:
    body = f"<p>{text}</p><p>The angle is <math alttext='x_1'><mi>q</mi></math>.</p><p hidden>Not for readers.</p>"
    data = json.dumps({"@type": "NewsArticle", "articleBody": body})
    return f"<body><p>Please wait</p><script type='application/ld+json'>{data}</script>"


def test_a_text_of_page_data_obeys_the_options():
    found = thresher.extract(in_data(LONG))
    assert found.text_source == "json_ld"
    assert "$x_1$" in found.text
    assert "$" not in thresher.extract(in_data(LONG), formulas="drop").text
    assert "Not for readers" not in found.text
    assert "Not for readers" in thresher.extract(in_data(LONG), hidden="keep").text


def test_what_is_known_of_the_elements_is_not_said_of_a_text_of_page_data():
    found = thresher.extract(in_data(LONG))
    assert found.confidence is None
    assert found.to_dict()["hidden_share"] == 1.0
    shown = thresher.extract(f"<p>{LONG}</p>")
    assert shown.text_source == "dom"
    assert shown.confidence > 0
    assert shown.to_dict()["hidden_share"] == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("path", files("partial/recipes.parquet"), ids=lambda path: path.name)
def test_a_heading_is_kept_with_what_it_heads(path):
    """Of 1,034 headings directly before kept text of recipes 339 were dropped: "Ingredients", "Notes" and the like."""
    kept = headings = 0
    for page in read_pages(path):
        blocks = thresher.extract(page.html).blocks
        for block, following in pairwise(blocks):
            if block.kind in SECTIONS and following.kept and not following.kind.startswith("heading"):
                headings += 1
                kept += block.kept
    assert headings > 500
    assert kept > 0.97 * headings


SECTIONS = {f"heading-{level}" for level in range(2, 7)}


def test_a_number_that_no_reader_sees_makes_no_date_of_a_heading():
    """A heading is kept with the text below it, whatever its score, unless it is a date."""
    links = "".join(f"<li><a href=/{number}>Link {number}</a>" for number in range(12))

    def kept(heading: str) -> bool:
        blocks = thresher.extract(
            f"<title>Wheel</title><main><h1>Wheel</h1><p>{LONG}</main><footer class='footer menu'><ul>{links}</ul>"
            f"<h4 class='menu-title widget-title'>{heading} <a href=/us>us</a></h4></footer><article><p>{LONG}<p>{LONG}"
        ).blocks
        found = next(block for block in blocks if block.kind == "heading-4")
        assert found.score < 0.2
        return found.kept

    assert kept("Share")
    assert kept("Share <script>var day = 20141105</script>")
    assert not kept("Share 20141105")


WAKE = (
    "The little ferry crossed the estuary for sixty years before the bridge was built, and most people in the two"
    " villages learned to swim in her wake. When she was towed away a retired engineer bought back the wheel."
)


def test_the_headline_heads_the_text():
    article = f"<main>{f'<p>{WAKE}</p>' * 4}</main>"
    page = (
        "<title>The ferry that came back - Harbour Notes</title><header><nav><ul><li><a href=/>Home</a><li><a href=/a>Boats"
        "</a></ul></nav><div class=hero><a href=/x>News</a><h1>The ferry that came back</h1><div class=share><a href=#>Share"
        f"</a><a href=#>Print</a></div></div></header>{article}"
    )
    text = "\n\n".join([WAKE] * 4)
    assert thresher.extract(page).text == f"The ferry that came back\n\n{text}"
    assert thresher.extract(page, format="markdown").text == f"# The ferry that came back\n\n{text}"
    assert thresher.extract(page, titles="drop").text == text
    # below the text it heads nothing
    assert (
        thresher.extract(f"<title>The ferry</title>{article}<div><h1>The ferry</h1><a href=/>Home</a></div>").text
        == text
    )
