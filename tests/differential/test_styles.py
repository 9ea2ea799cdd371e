# SPDX-License-Identifier: Apache-2.0
"""Inline styles as tinycss2 reads them: which declarations there are, which are valid, and which of them wins."""

from functools import partial

import tinycss2
from costs import assert_linear
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.native.shown.styles import style_says

OF_ALL = {"inherit", "initial", "unset", "revert", "revert-layer"}
BLOCKS = {
    *("block", "flow", "flow-root", "flex", "grid", "table", "ruby", "math", "list-item", "run-in", "table-cell"),
    *("table-row", "table-column", "table-row-group", "table-header-group", "table-footer-group", "table-column-group"),
    *("table-caption", "ruby-text", "ruby-base", "ruby-base-container"),
}
BOXES = {"inline-block", "inline-flex", "inline-grid", "inline-table", "inline-list-item"}
SIZES = {"xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "initial", "math"}
LENGTHS = {"px", "pt", "pc", "in", "cm", "mm", "q", "rem", "vw", "vh", "vmin", "vmax", "vi", "vb"}
UNSAID, BLOCK, INLINE, BOX, NONE = range(5)


def has_variable(tokens) -> bool:
    return any(
        (token.type == "function" and (token.lower_name in ("var", "env", "attr") or has_variable(token.arguments)))
        or (token.type in ("() block", "[] block", "{} block") and has_variable(token.content))
        for token in tokens
    )


def display(words, numbers, other):
    if other or numbers or not 0 < len(words) <= 3:
        return None
    if words == ["none"]:
        return NONE
    if words in (["inline"], ["contents"]):
        return INLINE
    if len(words) == 1 and words[0] in BOXES:
        return BOX
    vendor = len(words[0]) > 1 and words[0][0] == "-" and words[0][1] != "-"
    if len(words) == 1 and (words[0] in OF_ALL or vendor):
        return BLOCK
    if not all(word in BLOCKS or (len(words) > 1 and word == "inline") for word in words):
        return None
    return BOX if "inline" in words else BLOCK


def keyword(hides, shows):
    def decide(words, numbers, other):
        if other or numbers or len(words) != 1:
            return None
        return 1 if words[0] in hides else 0 if words[0] in shows | OF_ALL else None

    return decide


def opacity(words, numbers, other):
    if (not numbers and other and not words) or (not numbers and not other and len(words) == 1 and words[0] in OF_ALL):
        return 0
    if other or words or len(numbers) != 1 or numbers[0].type == "dimension":
        return None
    return int(numbers[0].value <= 0)


def font(words, numbers, other):
    if not numbers:
        if other and not words:
            return 2
        if other or len(words) != 1:
            return None
        return 2 if words[0] in SIZES else 0 if words[0] in OF_ALL | {"smaller", "larger"} else None
    if other or words or len(numbers) > 1 or numbers[0].value < 0:
        return None
    unit = numbers[0].lower_unit if numbers[0].type == "dimension" else numbers[0].type
    if unit not in LENGTHS | {"em", "ex", "ch", "percentage"} and not (unit == "number" and numbers[0].value == 0):
        return None
    return 1 if numbers[0].value == 0 else 2 if unit in LENGTHS else 0


PROPERTIES = {
    "display": ("display", display, UNSAID),
    "visibility": ("invisible", keyword({"hidden", "collapse"}, {"visible"}), 0),
    "content-visibility": ("skipped", keyword({"hidden"}, {"visible", "auto"}), 0),
    "opacity": ("transparent", opacity, 0),
    "font-size": ("font", font, 2),
}


def by_tinycss2(style: str, *, strict: bool) -> dict[str, int]:
    says = {field: 0 for field, _, _ in PROPERTIES.values()}
    settled = dict.fromkeys(says, False)
    for declaration in tinycss2.parse_declaration_list(style, skip_comments=True, skip_whitespace=True):
        if declaration.type != "declaration" or declaration.lower_name not in PROPERTIES:
            continue
        if not strict and declaration.lower_name not in ("display", "visibility"):
            continue
        field, decide, unknown = PROPERTIES[declaration.lower_name]
        tokens = [token for token in declaration.value if token.type not in ("whitespace", "comment")]
        words = [token.lower_value for token in tokens if token.type == "ident"]
        numbers = [token for token in tokens if token.type in ("number", "dimension", "percentage")]
        other = len(words) + len(numbers) < len(tokens)
        value = unknown if has_variable(tokens) else decide(words, numbers, other)
        if value is not None and (declaration.important or not settled[field]):
            says[field], settled[field] = value, declaration.important
    return says


PIECES = [
    "display", "visibility", "content-visibility", "opacity", "font-size", "color", "DISPLAY", "d\\69splay", "d\\000069 splay", "\\64 isplay", "\\d isplay",
    ":", ":", ":", ";", ";", ";", "none", "none", "NONE", "n\\6fne", "block", "inline", "inline-block", "flex", "foo", "hidden", "collapse", "visible", "auto",
    "inherit", "0", "0.0", "-0", "+0", ".0", "0%", "0px", "0em", "1", "-1", "1px", "2em", "50%", "0foo", "1e3", "0e3", "1e", ".5", "1.", "small", "larger",
    "!important", "! important", "!/**/IMPORTANT", "!", "important", "!importan", "/**/", "/* display:none */", "/*", "*/", "'", '"', "'a;b'", '";"', "\\", "\\\n", "\n",
    "(", ")", "[", "]", "{", "}", "{}", "url(", "url(a;b)", "url( 'a;b' )", "url(a'b)", "calc(1px)", "var(--x)", "foo(var(--x))", "#", "#fff", "@", "@a{}", "@a b;",
    "-", "--", "-->", "<!--", "--x", ",", "/", "+", "é", "-webkit-box", " ", " ", "\t", "\f", "\r", "inline flow-root", "block block", "none none",
]  # fmt: skip
DECLARATIONS = [
    "display:none", "display: none;", "display:block", "display:none!important;", "display:block!important;", "display:foo;", "display:/**/none;",
    "visibility:hidden;", "visibility:visible;", "opacity:0;", "opacity:1;", "font-size:0;", "font-size:12px;", "content-visibility:hidden;", "color:red;",
]  # fmt: skip
styles = st.lists(st.sampled_from(PIECES + DECLARATIONS), max_size=12).map("".join)


@given(st.one_of(styles, st.text("dispnoe:;!/*\\ \n'\"(){}0-.%", max_size=30)), st.booleans())
@example("display:/**/none", False)
@example("d\\69splay:none", False)
@example("display:none!important;display:block", False)
@example("display:none;display:foo", False)
@example("display:block!important;display:none", False)
@example("display:url(;);display:none", False)
@example("display:none;display:'a\n;b", False)
def test_a_style_says_what_tinycss2_reads(style, strict):
    assert style_says(style.encode("utf-8", "surrogatepass"), strict=strict) == by_tinycss2(style, strict=strict)


def test_a_long_style_takes_linear_time():
    """Each byte is read once, whatever is open."""
    for piece in ("(", "[{", "/*", "'", "display:", "\\", "url(", "@a", "!", "a(b;", "d\\69", "0", "-", ";"):
        assert_linear(lambda n, piece=piece: partial(style_says, piece.encode() * n), 1_000_000)
