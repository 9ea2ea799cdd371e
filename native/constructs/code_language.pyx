# SPDX-License-Identifier: Apache-2.0
"""The language of a piece of code, from its pre element, the code element in it and the wrappers around it.

Highlighters name it in many ways: class="language-c" (Prism, Rouge, Chroma, VitePress, Docusaurus), "highlight-python"
(Sphinx), "highlight-source-js" (GitHub), "mw-highlight-lang-c" (MediaWiki), "brush: js" (MDN, SyntaxHighlighter), "hljs
javascript" (highlight.js), "highlight cpp" on a figure (Hexo), "sourceCode python" (Pandoc), "gatsby-code-jsx"
(Gatsby), "rust" alone (rustdoc, GeSHi), the attributes data-lang and data-language, and lang on pre.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from thresher.native.base.characters cimport begins_ascii, equals_ascii, is_ascii_letter_or_digit, is_space
from thresher.native.constructs.code_names cimport is_language_name
from thresher.native.measuring.metrics cimport MetricsArray
from thresher.native.parsing.document cimport (
    CONSTRUCT_CODE, KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Slice, Tree, find_attribute, slice_at,
)
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_LANGUAGE = 20       # bytes of a language name
    MIN_BARE = 3            # bytes of a class word that names a language without a highlighter's name beside it
    MAX_CLASS = 1024        # bytes of a class that are read
    MAX_WRAPPERS = 8        # ancestors of a pre element that are inspected
    # characters that a wrapper may hold beyond twice the code: line numbers, a label, the text of a button
    MAX_BESIDE = 64


cdef enum Place:            # which element has the class
    PLACE_CODE = 0          # the pre element or the code element in it
    PLACE_WRAPPER = 1
    PLACE_FIGURE = 2


cdef inline Slice nothing() noexcept nogil:
    cdef Slice found
    found.data = NULL
    found.length = 0
    return found


cdef Slice name_of(const uint8_t* data, uint32_t length) noexcept nogil:
    """The argument if it can be the name of a language; otherwise empty."""
    cdef Slice found = nothing()
    cdef uint32_t i
    if not 0 < length <= MAX_LANGUAGE:
        return found
    for i in range(length):
        if not (
            is_ascii_letter_or_digit(data[i]) or data[i] == c"+" or data[i] == c"#" or data[i] == c"."
            or data[i] == c"_"
            or data[i] == c"-"
        ):
            return found
    found.data = data
    found.length = length
    return found


cdef bint says_nothing(const uint8_t* data, uint32_t length) noexcept nogil:
    """True for a word that stands where a language would, but names none."""
    return (
        equals_ascii(data, length, b"default", 7) or equals_ascii(data, length, b"none", 4)
        or equals_ascii(data, length, b"wrapper", 7) or equals_ascii(data, length, b"container", 9)
        or equals_ascii(data, length, b"toolbar", 7) or equals_ascii(data, length, b"block", 5)
        or equals_ascii(data, length, b"dark", 4) or equals_ascii(data, length, b"light", 5)
        or equals_ascii(data, length, b"auto", 4) or equals_ascii(data, length, b"null", 4)
        or equals_ascii(data, length, b"wrap", 4) or equals_ascii(data, length, b"copy", 4)
        or equals_ascii(data, length, b"fallback", 8)
        or equals_ascii(data, length, b"undefined", 9) or equals_ascii(data, length, b"unknown", 7)
    )


cdef Slice after_prefix(const uint8_t* data, uint32_t length, Place place) noexcept nogil:
    """The language in one class word, such as language-c or highlight-source-c; empty if there is none."""
    cdef uint32_t prefix = 0
    if length > 9 and memcmp(data, <const char*> b"language-", 9) == 0:
        prefix = 9
    elif place == PLACE_CODE and length > 5 and memcmp(data, <const char*> b"lang-", 5) == 0:
        prefix = 5          # on a wrapper, "lang-en" describes the page
    elif length > 17 and memcmp(data, <const char*> b"highlight-source-", 17) == 0:
        prefix = 17
    elif length > 15 and memcmp(data, <const char*> b"highlight-text-", 15) == 0:
        prefix = 15
    elif length > 10 and memcmp(data, <const char*> b"highlight-", 10) == 0:
        prefix = 10
    elif length > 18 and memcmp(data, <const char*> b"mw-highlight-lang-", 18) == 0:
        prefix = 18
    elif place == PLACE_CODE and length > 12 and memcmp(data, <const char*> b"gatsby-code-", 12) == 0:
        prefix = 12
    elif place == PLACE_CODE and length > 3 and memcmp(data, <const char*> b"sp-", 3) == 0:
        prefix = 3          # Sandpack; most of its classes name something else
        if not is_language_name(data + prefix, length - prefix):
            return nothing()
    if prefix == 0 or says_nothing(data + prefix, length - prefix):
        return nothing()
    return name_of(data + prefix, length - prefix)


cdef bint is_part_of_a_theme(const uint8_t* data, uint32_t length) noexcept nogil:
    """True for a class word that appears beside a language: hljs-copy-wrapper, line-numbers, highlight."""
    cdef uint32_t i
    for i in range(length):
        if data[i] == c"-" or data[i] == c"_":
            return True
    return (
        equals_ascii(data, length, b"hljs", 4) or equals_ascii(data, length, b"highlight", 9)
        or equals_ascii(data, length, b"sourcecode", 10) or equals_ascii(data, length, b"numberlines", 11)
        or equals_ascii(data, length, b"nohighlight", 11) or equals_ascii(data, length, b"notranslate", 11)
        or equals_ascii(data, length, b"code", 4)
        or says_nothing(data, length)
    )


cdef Slice language_in_class(Slice value, Place place) noexcept nogil:
    """The language that a class names; empty if there is none."""
    cdef Slice found, bare = nothing()      # `bare`: a word that counts only beside a highlighter's name
    cdef bint highlighter = False, brush = False
    cdef uint32_t i = 0, length, n_bare = 0
    cdef const uint8_t* word
    while i < value.length:
        if is_space(value.data[i]):
            i += 1
            continue
        word = value.data + i
        length = 0
        while i < value.length and not is_space(value.data[i]):
            i += 1
            length += 1
        if begins_ascii(word, length, b"brush:", 6):
            word += 6
            length -= 6
            brush = True
        if brush:           # "brush: js", "brush:js; gutter: false"
            if length == 0:
                continue
            while length and word[length - 1] == c";":
                length -= 1
            return name_of(word, length)
        found = after_prefix(word, length, place)
        if found.length:
            return found
        if place != PLACE_WRAPPER:
            if (
                place == PLACE_CODE
                and (
                    equals_ascii(word, length, b"hljs", 4) or equals_ascii(word, length, b"sourcecode", 10)
                    or equals_ascii(word, length, b"hl", 2)
                )
            ):
                highlighter = True
            elif place == PLACE_FIGURE and equals_ascii(word, length, b"highlight", 9):
                highlighter = True
            elif not is_part_of_a_theme(word, length):
                bare = name_of(word, length)
                n_bare += 1
    if n_bare != 1:
        return nothing()
    # GeSHi and rustdoc give pre nothing but the language. Words of one or two letters are mostly generated.
    if place == PLACE_CODE and not highlighter:
        highlighter = bare.length >= MIN_BARE and is_language_name(bare.data, bare.length)
    return bare if highlighter else nothing()


cdef Slice language_in_data(const Tree* tree, uint32_t node) noexcept nogil:
    """The language in an element's data-lang, data-language or data-code-lang; empty if there is none."""
    cdef const Attribute* attribute = tree.attributes + tree.nodes[node].attributes
    cdef Slice name, value
    cdef uint32_t i
    for i in range(tree.nodes[node].n_attributes):
        if attribute[i].name != ATTR_UNKNOWN:
            continue
        name = slice_at(tree, attribute[i].name_start, attribute[i].name_length)
        if (
            equals_ascii(name.data, name.length, b"data-lang", 9)
            or equals_ascii(name.data, name.length, b"data-language", 13)
            or equals_ascii(name.data, name.length, b"data-code-lang", 14)
        ):
            value = slice_at(tree, attribute[i].value_start, attribute[i].value_length)
            if not says_nothing(value.data, value.length):
                return name_of(value.data, value.length)
    return nothing()


cdef Slice language_in_lang(const Tree* tree, uint32_t pre) noexcept nogil:
    """The language in the attribute lang; empty if there is none. Most two-letter words are natural languages."""
    cdef const Attribute* attribute = find_attribute(tree, pre, ATTR_LANG)
    cdef Slice value
    cdef uint32_t i
    cdef bint known
    if attribute == NULL:
        return nothing()
    value = slice_at(tree, attribute.value_start, attribute.value_length)
    if value.length == 2:
        known = (
            equals_ascii(value.data, 2, b"js", 2) or equals_ascii(value.data, 2, b"py", 2)
            or equals_ascii(value.data, 2, b"rb", 2) or equals_ascii(value.data, 2, b"rs", 2)
            or equals_ascii(value.data, 2, b"go", 2)
        )
        return value if known else nothing()
    for i in range(min(value.length, <uint32_t> MAX_LANGUAGE)):
        if value.data[i] == c"-" or value.data[i] == c"_":      # en-US
            return nothing()
    return name_of(value.data, value.length) if value.length > 3 else nothing()


cdef Slice language_of(const Tree* tree, uint32_t node, Place place) noexcept nogil:
    """The language that one element names; empty if there is none."""
    cdef const Attribute* attribute
    cdef Slice found = nothing()
    if tree.nodes[node].kind != KIND_ELEMENT or tree.nodes[node].n_attributes == 0:
        return found
    attribute = find_attribute(tree, node, ATTR_CLASS)
    if attribute != NULL:
        found = language_in_class(
            slice_at(tree, attribute.value_start, min(attribute.value_length, <uint32_t> MAX_CLASS)), place
        )
    return found if found.length else language_in_data(tree, node)


cdef Slice named_language(const Tree* tree, uint32_t node) noexcept nogil:
    """The language that an element of a listing names; empty if there is none."""
    cdef uint32_t tag = tree.nodes[node].tag
    return language_of(tree, node, PLACE_CODE if tag == TAG_CODE or tag == TAG_PRE else PLACE_WRAPPER)


cdef Slice code_language(const Tree* tree, const MetricsArray* metrics, uint32_t pre) noexcept nogil:
    """The language of a pre element; empty if the page does not name it.

    A wrapper counts only while it holds little but this code: at most twice the code's characters plus MAX_BESIDE.
    """
    cdef Slice found
    cdef uint32_t n, tag, step
    for n in range(pre, min(pre + 2, tree.nodes[pre].end)):
        if tree.nodes[n].kind != KIND_ELEMENT:
            break
        found = language_of(tree, n, PLACE_CODE)
        if found.length:
            return found
    if tree.nodes[pre + 1].kind == KIND_TEXT and tree.nodes[pre + 1].namespace == CONSTRUCT_CODE:
        found = slice_at(tree, tree.nodes[pre + 1].attributes, tree.nodes[pre + 1].n_attributes)
        if found.length:
            return found
    found = language_in_lang(tree, pre)
    n = pre
    for step in range(MAX_WRAPPERS):
        if found.length:
            break
        n = tree.nodes[n].parent
        tag = tree.nodes[n].tag
        if n == 0 or tree.nodes[n].namespace != NS_HTML or tag not in (
            TAG_DIV, TAG_FIGURE, TAG_PRE, TAG_CODE, TAG_SPAN, TAG_TD, TAG_TR, TAG_TBODY, TAG_TABLE, TAG_P,
        ) and tag < TAG_COUNT:
            break
        if metrics.nodes[n].characters > 2 * <size_t> metrics.nodes[pre].characters + MAX_BESIDE:
            break
        found = language_of(
            tree, n,
            PLACE_CODE if tag == TAG_CODE or tag == TAG_PRE else PLACE_FIGURE if tag == TAG_FIGURE else PLACE_WRAPPER
        )
    return found
