# SPDX-License-Identifier: Apache-2.0
"""What a page shows (native/shown/decision.pxd): concealed elements, runs in a line, the page's own style sheets."""

import pytest

import thresher
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace


def concealed(page: str) -> list[tuple[str, str, bool]]:
    """(text, reason, whether it is a run) of each concealed element."""
    workspace = Workspace(Document())
    workspace.parse(page.encode())
    workspace.measure()
    return [(workspace.document.text(node), reason, run) for node, reason, run in workspace.concealed()]


def text(page: str, hidden: str = "auto") -> str:
    return thresher.extract(page, extractor="all", hidden=hidden).text


# --- runs ---

RUNS = {
    "attribute": "<i hidden>{}</i>",
    "display": "<i style='display: none'>{}</i>",
    "visibility": "<i style='visibility:hidden'>{}</i>",
    "faint": "<i style='opacity:0'>{}</i>",
    "readers": "<i class='a sr-only b'>{}</i>",
    "tooltip": "<i class=tooltiptext>{}</i>",
    "sheet": "<i class=x>{}</i>",
    "clipped": "<i style='position:absolute;left:-9999px'>{}</i>",
    "noscript": "<noscript>{}</noscript>",
}
CLIPS = [
    "border:0;clip:rect(0,0,0,0);height:1px;margin:-1px;overflow:hidden;padding:0;position:absolute;width:1px",
    "position:absolute;clip:rect(1px 1px 1px 1px)",
    "position:absolute!important;clip-path:inset(50%)",
    "position:fixed;top:-10000px",
    "position:absolute;left:-100em",
    "position:absolute;width:1px;height:1px;overflow:hidden",
    "position:absolute;left:-2000px",
    "text-indent:-9999px",
]
NOT_CLIPS = [
    "left:-9999px",  # in the flow, so that nothing moves
    "position:absolute;left:-50px",
    "position:absolute;clip:rect(0,100px,20px,0)",
    "clip-path:inset(10%)",
    "width:1px;height:1px",
    "text-indent:-9px",
    "opacity:0.5",
    "margin-left:-1px",
    "position:absolute;width:1px",
    "margin:0;font-size:12px",
]


@pytest.mark.parametrize("reason", sorted(RUNS))
@pytest.mark.parametrize("format_", ["text", "markdown", "html"])
def test_a_run_is_never_part_of_the_text_around_it(reason: str, format_: str) -> None:
    page = f"<style>.x{{display:none}}</style><p>the timetable{RUNS[reason].format('SECRET')} for more"
    assert concealed(page) == [("SECRET", reason, True)]
    for hidden in ("auto", "drop"):
        assert "the timetable for more" in thresher.extract(page, extractor="all", hidden=hidden, format=format_).text
        assert "SECRET" not in thresher.extract(page, hidden=hidden, format=format_).text
    kept = thresher.extract(page, extractor="all", hidden="keep", format=format_).text
    assert "SECRET" in kept
    assert "timetableSECRET" not in kept
    assert "SECRETfor" not in kept


@pytest.mark.parametrize("style", CLIPS)
def test_text_for_screen_readers_is_concealed(style: str) -> None:
    assert text(f'<p>Quayside<span style="{style}">, opens new tab</span> saw') == "Quayside saw"
    assert text(f"<style>.q{{{style}}}</style><p>Quayside<span class=q>, opens new tab</span> saw") == "Quayside saw"


@pytest.mark.parametrize(
    "style",
    [
        "opacity:0",
        "opacity:-1",
        "opacity:+.0",
        "font-size:0",
        "font-size:\t0px",
        "font-size:\n.0em",
        "color:red;font-size:-0",
    ],
)
def test_text_without_size_or_colour_is_faint(style: str) -> None:
    assert concealed(f'<p>Quayside<span style="{style}">, opens new tab</span> saw') == [
        (", opens new tab", "faint", True)
    ]
    assert concealed(f"<style>.q{{{style}}}</style><p>Quayside<span class=q>, opens</span> saw") == [
        (", opens", "faint", True)
    ]


def test_what_has_a_size_again_is_no_faint_text() -> None:
    for size in ("10px", "12px"):
        page = f'<p>the mill <span class=q><b style="font-size:{size}">stands still</b></span> tonight'
        assert concealed(f"<style>.q{{font-size:0}}</style>{page}") == []
        assert text(f"<style>.q{{font-size:0}}</style>{page}", "drop") == "the mill stands still tonight"
    sheet = "<style>.q{font-size:0}.r{font-size:16px}.q p{font-size:1rem}</style>"
    for page in (
        "<p>the mill <span class=q><b class=r>stands still</b></span>",
        "<div class=q><p>the mill stands still</div>",
    ):
        assert concealed(sheet + page) == []
        assert text(sheet + page, "drop") == "the mill stands still"
    assert (
        text("<style>.q{font-size:0}.r{color:red}</style><p>the <i class=q><b class=r>old </b></i>mill") == "the mill"
    )


@pytest.mark.parametrize("style", NOT_CLIPS)
def test_other_styles_conceal_nothing(style: str) -> None:
    assert text(f'<p>Quayside<span style="{style}">, a maker,</span> saw') == "Quayside, a maker, saw"


@pytest.mark.parametrize(
    "name", ["sr-only", "visually-hidden", "cdk-visually-hidden", "visuallyhidden", "screen-reader-text", "show-for-sr"]
)
def test_classes_of_libraries_are_known(name: str) -> None:
    assert concealed(f"<p>a <b class='x {name}'>c</b>") == [("c", "readers", True)]
    assert concealed(f"<h2 class={name}>Menu</h2>") == [("Menu", "readers", False)]


@pytest.mark.parametrize("name", ["sr-only-focusable", "not-sr-onlyx", "hidden-sm", "readers"])
def test_other_classes_are_not(name: str) -> None:
    assert concealed(f"<p>a <b class='x {name}'>c</b>") == []


def test_names_of_icons_are_no_text() -> None:
    page = "<p>See <i class=material-icons>open_in_new</i> here <i class='material-symbols-outlined'>A house</i>"
    assert text(page) == "See here A house"
    assert text("<h1>A house</h1><p><i class=material-icons>home</i>") == "A house"
    assert "open_in_new" in text(page, "keep")


def test_a_price_for_eyes_and_ears_is_written_once() -> None:
    page = "<p>costs <span><b class=visually-hidden>$12.99</b><b aria-hidden=true>$12.99</b></span> a trip"
    for hidden in ("auto", "drop"):
        assert text(page, hidden) == "costs $12.99 a trip"
    assert text(page, "keep") == "costs $12.99 $12.99 a trip"
    assert text("<p><b class=sr-only>twelve dollars</b><b aria-hidden=true>$12</b>", "drop") == "$12"
    assert text("<a href=x>Buy<span aria-hidden=true> Buy </span></a>", "drop") == "Buy"


def test_what_is_only_aria_hidden_needs_a_copy_for_screen_readers() -> None:
    page = "<p>a <i aria-hidden=true>sign</i> b"
    assert text(page) == "a b"
    assert text(page, "drop") == "a sign b"  # a reader sees it
    assert text("<p>a <i aria-hidden=true>sign</i><i class=sr-only>read</i> b") == "a sign b"
    assert text("<p>a <i aria-hidden=true>sign</i><i hidden>read</i> b") == "a b"
    assert text("<p>a <i aria-hidden=true class=sr-only>sign</i> b", "drop") == "a b"


MILD = {
    "faint": "<div style='opacity:0'>{}</div>",
    "sheet": "<style>.x{{display:none}}</style><div class=x>{}</div>",
    "clipped": "<div style='position:absolute;left:-9999px'>{}</div>",
    "readers": "<h2 class=sr-only>{}</h2>",
    "tooltip": "<div class=tooltiptext>{}</div>",
}


@pytest.mark.parametrize("reason", sorted(MILD))
def test_mild_reasons_conceal_blocks_by_strict_rules_alone(reason: str) -> None:
    page = f"<p>above</p>{MILD[reason].format('the fold')}<p>below</p>"
    assert concealed(page) == [("the fold", reason, False)]
    assert text(page) == "above\n\nthe fold\n\nbelow"
    assert text(page, "drop") == "above\n\nbelow"
    both = page.replace("<div ", "<div aria-hidden=true ").replace("<h2 ", "<h2 aria-hidden=true ")
    assert concealed(both) == [("the fold", "attribute", False)]
    assert text(both) == "above\n\nbelow"


def test_a_dialog_that_a_sheet_hides_is_closed() -> None:
    sheet = "<style>.x{display:none}</style><p>above</p>"
    for dialog in (
        "<div class=x role=dialog>cookies</div>",
        "<div class=x><div role=alertdialog>cookies</div></div>",
    ):
        assert concealed(sheet + dialog) == [("cookies", "dialog", False)]
        assert text(sheet + dialog) == "above"
        assert text(dialog) == "cookies"
    assert text(f"{sheet}<div class=x role=tabpanel>fold</div>") == "above\n\nfold"


def test_an_element_without_text_is_no_run() -> None:
    for inside in ("", " ", "<img src=x>", "<svg><text>a</text></svg>"):
        assert not any(run for _, _, run in concealed(f"<p>a <i class=sr-only>{inside}</i> b"))


def test_a_concealed_element_by_itself_is_no_run() -> None:
    for page in ("<p>a</p><p><b hidden>c</b></p>", "<p>a</p><b hidden>c</b><p>d", "<p>a<br><b hidden>c</b><br>d"):
        assert [run for _, _, run in concealed(page)] == [False]
    assert concealed("<p>a <b hidden><div>c</div></b> d")[0][2] is False
    assert concealed("<p><script>a</script><b hidden>c</b>")[0][2] is False


def test_what_is_only_aria_hidden_is_concealed_as_a_block() -> None:
    assert concealed("<p>a</p><div aria-hidden=true>c</div>") == [("c", "aria", False)]
    assert concealed("<p>a <span aria-hidden=true>/</span> b") == []


# --- style sheets ---

PAGE = (
    '<html class=no-js><main class="page x-y" v-cloak><div id=a class="b c md:d" lang=en-GB><h2></h2>'
    '<p class=e data-x="one two" ng-cloak>text</p></div></main>'
)
CONCEALS = [
    ".e{display:none}",
    "p.e{display:none}",
    "#a{display:none}",
    "p{visibility:hidden}",
    ".b .e{display:none}",
    ".page .b > .e{display:none}",
    "main>div{display:none}",
    "div.b.c#a{display:none}",
    ".z,.e,.y{display:none}",
    ".e{color:red;display:none !important;margin:0}",
    "/* .e{} */ .e/**/{/* ; */display:none}",
    '.q{content:"}"} .e{display:none}',
    ".q{background:url(data:image/png;base64,ab==)} .e{display:none}",
    "@media screen{.e{display:none}}",
    "@media (min-width:600px){.e{display:none}}",
    "@media screen and (max-width:2000px){.e{display:none}}",
    "@supports (display:grid){.e{display:none}}",
    "@layer base{.e{display:none}}",
    "@charset 'x'; @import url(x); .e{display:none}",
    "@font-face{font-family:x} .e{display:none}",
    "@keyframes x{from{opacity:0}} .e{display:none}",
    ".md\\:d{display:none}",
    ".e:not(:focus){display:none}",
    "<!-- .e{display:none} -->",
    ".e{display:block} .e{display:none}",
    ".b .e{display:none} .e{display:block}",  # the more specific one
    ".e{display:none!important} .b .e{display:block}",
    ".E{display:block}.e{display:none}",
    ".e{display:none",
    ".q{color:red}}.f{color:red}.e{display:none}",
    ".q{color:red}};@media screen{.f{color:red}}.e{display:none}",
    "@media screen{.q{color:red};.f{color:red}.e{display:none};}",
    "@media print{.q{color:red};}.e{display:none}",
    ".e:not(.q,.r,.s){display:block} .b .e.e{display:none}",
    "@media print{.q{background:url(a}b)}} .e{display:none}",
    "@media print{.q{background:u\\72l(a}b)}} .e{display:none}",
    "@media print{.q\\}{content:'}'} /* } */} .e{display:none}",
    ".q{width:calc(1px;color:red} .e{display:none}",
    ".e{display:block;margin:0} .e{left:0;display: none}",
    "p.e{DISPLAY : None}",
    # attributes
    "[data-x]{display:none}",
    "[DATA-X='one two']{display:none}",
    "[data-x~=two]{display:none}",
    "[data-x^=one]{display:none}",
    '.e[data-x$="two"]{display:none}',
    "[ data-x *= 'e t' ]{display:none}",
    "[lang|=en] .e{display:none}",
    # negations
    ".e:not(.f){display:none}",
    ".e:not(#a, [hidden], h1){display:none}",
    ":not(.page) > .e{display:none}",
    # siblings, and ancestors that do not fit at once
    "h2 + .e{display:none}",
    "h2 ~ p{display:none}",
    "* + p{display:none}",
    "main > .b > h2 ~ .e{display:none}",
    ".page > * .e{display:none}",
    # as it is escaped
    ".md\\3A d .e{display:none}",
    ".\\65{display:none}",
    "/*x*/.b/*y*/ /*z*/.e/**/{/**/display/**/:/**/none/**/}",
    # rules and at-rules within a rule
    ".b{color:red; .e{display:none}}",
    ".e{ &{display:none} color:red }",
    ".e{ @media (width >= 48rem){display:none} }",
    ".q{content:'{'} .b{ .q{top:0} > .e{display:none} }",
    ".e{display:none; .q &{display:block}}",
    # layers: what is in none wins, then the later one; important ones the other way round
    "@layer a{.b .e{display:block}} .e{display:none}",
    "@layer a,b; @layer b{.e{display:none}} @layer a{.b .e{display:block}}",
    "@layer a{.e{display:none!important}} .b .e{display:block!important}",
    # what a reader's screen is
    "@media (400px<=width<=2000px){.e{display:none}}",
    "@media screen and (width>=1024px) and (orientation:landscape){.e{display:none}}",
    # a list in which each selector is valid
    ".e,.q::-webkit-x,.r:hover{display:none}",
]
SHOWS = [
    ".e{display:block}",
    ".f{display:none}",
    "span{display:none}",
    ".e .b{display:none}",
    ".page > .e{display:none}",
    ".e{display:none} .e{display:block}",
    ".b .e{display:block} .e{display:none}",
    ".e{display:none}#a p{display:block}",
    ".e:hover{display:none}",
    ".e::before{display:none}",
    ".e:first-child{display:none}",
    ".e[hidden]{display:none}",
    "x-a ~ .e{display:none}",
    "@media print{.e{display:none}}",
    "@media (max-width:600px){.e{display:none}}",
    "@media not screen{.e{display:none}}",
    "@media (hover:none){.e{display:none}}",
    "@supports not (display:grid){.e{display:none}}",
    "@container (width>1px){.e{display:none}}",
    ".e{display:none} .md\\:d .e{display:block}",
    ".e{display:none} @media (min-width:600px){.e{display:block}}",
    ".e{display:none} .e:not(.f){display:block}",
    ".e{display:none} .e[class]{display:block}",
    ".e{display:none} p{display:block!important}",
    ".e{display:block!important} .q{top:0} .e{display:none}",
    ".e{background:url('display:none')}",
    ".e{x:display:none}",
    ".e{}",
    "{display:none}",
    ".{display:none}",
    ".e;{display:none}",
    ".e{content:'display:none'}",
    "*{display:none}",
    "html,body{display:none}",
    "",
    ".b *{display:none}",
    "[data-x=one]{display:none}",
    "[data-x|=one]{display:none}",
    "[data-x='ONE TWO' i]{display:none}",
    "[data-x^='']{display:none}",
    ".e:not([data-x]){display:none}",
    ".e:not(.f, .e){display:none}",
    ".e:not(.f .g){display:none}",
    "p + .e{display:none}",
    "main > h2 ~ .e{display:none}",
    "main + .e{display:none}",
    "> .e{display:none}",
    "x-e{display:none}",
    ".e{display:none; @media (min-width:600px){display:block}}",
    ".e{display:none} .b{ @media (width >= 48rem){ .e{display:block} } }",
    ".e{display:none} .e{ &.e{display:block} }",
    ".page{ .b &{display:none} }",
    "@supports  not (display:grid){.e{display:none}}",
    "@layer a{.b .e{display:none}} .e{display:block}",
    "@layer a,b; @layer b{.e{display:block}} @layer a{.b .e{display:none}}",
    "@media (400px < width < 800px){.e{display:none}}",
    "@media (width<=48rem){.e{display:none}}",
    # a list with one that is invalid, as some write for one browser alone
    "_:-ms-fullscreen, .e{display:none}",
    ".e,.q::-moz-x{display:none}",
    ".e,{display:none}",
    ".q{color:red}}.e{display:none}",
    ".q{color:red};.e{display:none}",
    "@media screen{.q{color:red}; .e{display:none}}",
    ".q;.e{display:none}",
    "@media screen{.q{color:red}}}@media screen{.e{display:none}}",
    ".e,:contains(text){display:none}",
    ".e,.q:nosuch{display:none}",
    # until scripts have run
    "[v-cloak],[ng-cloak].e{display:none}",
    ".no-js .e{display:none}",
    "html:not(.js) .e{display:none}",
    ":root:not(.js) .e{display:none}",
    "body:not(.ready) .e{display:none}",
    "p:not(:defined){display:none}",
]


@pytest.mark.parametrize("sheet", CONCEALS)
def test_sheets_conceal(sheet: str) -> None:
    page = f"<style>{sheet}</style><p class=s>shown</p>{PAGE}"
    if sheet.startswith("p{"):
        page = page.replace("<p class=s>shown</p>", "<h1>shown</h1>")
    assert text(page, "drop") == "shown"
    assert "text" in text(page)
    assert "text" in text(page, "keep")
    assert {reason for _, reason, _ in concealed(page)} == {"sheet"}


def test_lists_within_brackets_forgive_what_is_unknown() -> None:
    assert concealed(f"<style>.e,:is(.q,:nosuch){{display:none}}</style>{PAGE}") != []


@pytest.mark.parametrize("sheet", SHOWS)
def test_sheets_show(sheet: str) -> None:
    assert concealed(f"<style>{sheet}</style><p class=s>shown</p>{PAGE}") == []


def test_a_style_attribute_overrides_a_sheet() -> None:
    assert concealed("<style>.a{display:none}</style><p class=a style='display:block'>x") == []
    assert concealed("<style>.a{display:none!important}</style><p class=a style='display:block'>x")[0][1] == "sheet"


def test_a_sheet_knows_custom_elements() -> None:
    page = "<p>a</p><x-menu><p>text</p></x-menu><x-menus class=z>other</x-menus>"
    for sheet in ("x-menu{display:none}", "X-MENU p{visibility:hidden}", "p + x-menu{opacity:0}"):
        assert [found[0] for found in concealed(f"<style>{sheet}</style>{page}")] == ["text"]
    assert concealed(f"<style>x-menu:not(:defined){{display:none}}</style>{page}") == []


def test_sheets_that_do_not_count() -> None:
    assert concealed("<style type=text/less>.a{display:none}</style><p class=a>x") == []
    assert concealed("<style type=TEXT/CSS>.a{display:none}</style><p class=a>x") != []
    assert concealed("<style media=print>.a{display:none}</style><p class=a>x") == []
    assert concealed("<noscript><style>.a{display:none}</style></noscript><p class=a>x") == []
    assert concealed("<template><style>.a{display:none}</style></template><p class=a>x") == []
    assert concealed("<p class=a>x</p><style media='screen, print'>.a{display:none}</style>")[0][1] == "sheet"


def test_text_of_which_a_sheet_hides_most_is_the_page() -> None:
    page = f"<style>.a{{display:none}}</style><p>Loading</p><div class=a><p>{'The mill stands still. ' * 20}</div>"
    assert "mill" in text(page)


def test_beyond_its_bounds_a_sheet_conceals_nothing() -> None:
    rules = "".join(f".a{i}{{display:none}}" for i in range(17000))
    assert concealed(f"<style>.e{{display:none}}{rules}</style>{PAGE}") == []
    assert concealed(f"<style>.e{{display:none}}{' ' * (1 << 20)}</style>{PAGE}") == []
    assert len(concealed(f"<style>.e{{display:none}}{' ' * (1 << 19)}</style>{PAGE}")) == 1


@pytest.mark.parametrize(
    "sheet",
    [
        "".join(f".a{i}{{display:none}}" for i in range(17000)),
        " " * (1 << 20) + "p{}",
        "div div div div div div div{display:none}" * 9000,
    ],
)
def test_sheets_that_are_not_read_are_in_the_status(sheet: str) -> None:
    page = f"<style>{sheet}</style>{'<div>' * 60}<p>{'The mill stands still. ' * 20}{'<div></div>' * 9000}"
    found = thresher.extract(page)
    assert (found.status, "mill" in found.text) == ("too_many_styles", True)
    assert thresher.extract(page.replace(sheet, ".q{display:none}")).status == "ok"
