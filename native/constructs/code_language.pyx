# SPDX-License-Identifier: Apache-2.0
"""The language of a piece of code, from its pre element, the code element in it and the wrappers around it.

Highlighters name it in many ways: class="language-c" (Prism, Rouge, Chroma, VitePress, Docusaurus), "highlight-python"
(Sphinx), "highlight-source-js" (GitHub), "mw-highlight-lang-c" (MediaWiki), "brush: js" (MDN, SyntaxHighlighter), "hljs
javascript" (highlight.js), "highlight cpp" on a figure (Hexo), "sourceCode python" (Pandoc), "gatsby-code-jsx"
(Gatsby), "rust" alone (rustdoc, GeSHi), the attributes data-lang and data-language, and lang on pre.
"""

from thresher.native.base.characters cimport is_ascii_letter_or_digit
from thresher.native.base.word_table cimport WordRow, WordTable, fill_words, find_row, is_word_of
from thresher.native.constructs.class_words cimport is_language_name
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *

from thresher.native.constructs import construct_words


cdef enum:
    MAX_LANGUAGE = 20       # bytes of a language name
    MIN_BARE = 3            # bytes of a class word that names a language without a highlighter's name beside it
    MAX_CLASS = 1024        # bytes of a class that are read
    MAX_WRAPPERS = 8        # ancestors of a pre element that are inspected
    # characters that a wrapper may hold beyond twice the code: line numbers, a label, the text of a button
    MAX_BESIDE = 64


cdef enum Place:            # which element has the class; bits
    PLACE_CODE = 1          # the pre element or the code element in it
    PLACE_WRAPPER = 2
    PLACE_FIGURE = 4


cdef enum:
    EVERYWHERE = 7          # all places
    # bits of a prefix beside those of its places, and of a word
    IS_DOUBTFUL = 8         # only a known language counts
    IS_THEME = 16
    IS_NO_LANGUAGE = 32
    IS_ATTRIBUTE = 64       # the name of one
    IS_SHORT = 128          # two letters that are a language


cdef WordTable PREFIXES
cdef WordTable WORDS        # those of highlighters have the bits of their places

fill_words(&PREFIXES, {
    EVERYWHERE: construct_words.LANGUAGE_PREFIXES, PLACE_CODE: construct_words.CODE_PREFIXES,
    PLACE_CODE | IS_DOUBTFUL: construct_words.DOUBTFUL_PREFIXES,
}, exact=True)
fill_words(&WORDS, {
    PLACE_CODE: construct_words.HIGHLIGHTERS, PLACE_FIGURE: construct_words.FIGURE_HIGHLIGHTERS,
    IS_THEME: construct_words.THEMES, IS_NO_LANGUAGE: construct_words.NO_LANGUAGES,
    IS_ATTRIBUTE: construct_words.LANGUAGE_ATTRIBUTES, IS_SHORT: construct_words.SHORT_LANGUAGES,
})


cdef bint is_one(Slice word, uint32_t wanted) noexcept nogil:
    """True if a word has one of the wanted bits."""
    return is_word_of(&WORDS, wanted, word.data, word.length)


cdef Slice language_name(Slice text) noexcept nogil:
    """The text if it can be the name of a language; otherwise empty."""
    cdef uint32_t i
    if text.length > MAX_LANGUAGE:
        return no_text()
    for i in range(text.length):
        if not is_ascii_letter_or_digit(text.data[i]) and text.data[i] not in (c"+", c"#", c".", c"_", c"-"):
            return no_text()
    return text


cdef Slice after_prefix(Slice word, Place place) noexcept nogil:
    """The language in one class word, such as language-c or highlight-source-c; empty if there is none."""
    cdef const WordRow* prefix = find_row(&PREFIXES, word.data, word.length)
    if prefix == NULL or not prefix.value & place:
        return no_text()
    word = slice_from(word, prefix.length)
    if is_one(word, IS_NO_LANGUAGE) or prefix.value & IS_DOUBTFUL and not is_language_name(word):
        return no_text()
    return language_name(word)


cdef Slice after_brush(Slice value) noexcept nogil:
    """The language in what follows a brush: "brush: js", "brush:js; gutter: false"."""
    value = first_word(without_leading_space(value))
    while value.length and value.data[value.length - 1] == c";":
        value.length -= 1
    return language_name(value)


cdef Slice language_in_class(Slice value, Place place) noexcept nogil:
    """The language that a class names; empty if there is none."""
    cdef Slice found, word, bare = no_text()    # `bare`: a word that counts only beside a highlighter's name
    cdef bint highlighter = False
    cdef uint32_t n_bare = 0
    while next_word(&value, &word):
        if take_prefix(&word, b"brush:"):
            return after_brush(word if word.length else value)
        found = after_prefix(word, place)
        if found.length:
            return found
        if place == PLACE_WRAPPER:
            continue
        if is_one(word, place):
            highlighter = True
        elif not is_one(word, IS_THEME | IS_NO_LANGUAGE):
            bare = language_name(word)
            n_bare += 1
    if n_bare != 1:
        return no_text()
    # GeSHi and rustdoc give pre nothing but the language. Words of one or two letters are mostly generated.
    if place == PLACE_CODE and not highlighter:
        highlighter = bare.length >= MIN_BARE and is_language_name(bare)
    return bare if highlighter else no_text()


cdef Slice language_in_data(const Tree* tree, uint32_t node) noexcept nogil:
    """The language in an element's data-lang, data-language or data-code-lang; empty if there is none."""
    cdef const Attribute* attribute = tree.attributes + tree.nodes[node].attributes
    cdef Slice value
    cdef uint32_t i
    for i in range(tree.nodes[node].n_attributes):
        if attribute[i].name == ATTR_UNKNOWN:
            value = value_of(tree, attribute + i)
            if is_one(name_of(tree, attribute + i), IS_ATTRIBUTE) and not is_one(value, IS_NO_LANGUAGE):
                return language_name(value)
    return no_text()


cdef Slice language_in_lang(const Tree* tree, uint32_t pre) noexcept nogil:
    """The language in the attribute lang; empty if there is none. Most two-letter words are natural languages."""
    cdef Slice value = value_in(tree, pre, ATTR_LANG)
    cdef uint32_t i
    if value.length <= 3:
        return value if is_one(value, IS_SHORT) else no_text()
    for i in range(min(value.length, <uint32_t> MAX_LANGUAGE)):
        if value.data[i] == c"-" or value.data[i] == c"_":      # en-US
            return no_text()
    return language_name(value)


cdef Slice language_of(const Tree* tree, uint32_t node, Place place) noexcept nogil:
    """The language that one element names; empty if there is none."""
    cdef Slice found
    if tree.nodes[node].kind != KIND_ELEMENT or tree.nodes[node].n_attributes == 0:
        return no_text()
    found = language_in_class(first_bytes(class_of(tree, node), MAX_CLASS), place)
    return found if found.length else language_in_data(tree, node)


cdef Slice named_language(const Tree* tree, uint32_t node) noexcept nogil:
    """The language that an element of a listing, or around one, names; empty if there is none."""
    cdef uint32_t tag = tree.nodes[node].tag
    return language_of(
        tree, node,
        PLACE_CODE if tag == TAG_CODE or tag == TAG_PRE else PLACE_FIGURE if tag == TAG_FIGURE else PLACE_WRAPPER
    )


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
        found = named_language(tree, n)
    return found
