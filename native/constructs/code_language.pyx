# SPDX-License-Identifier: Apache-2.0
"""The language of a piece of code, from its pre element, the code element in it and the wrappers around it.

Highlighters name it in many ways: class="language-c" (Prism, Rouge, Chroma, VitePress, Docusaurus), "highlight-python"
(Sphinx), "highlight-source-js" (GitHub), "mw-highlight-lang-c" (MediaWiki), "brush: js" (MDN, SyntaxHighlighter), "hljs
javascript" (highlight.js), "highlight cpp" on a figure (Hexo), "sourceCode python" (Pandoc), "gatsby-code-jsx"
(Gatsby), "rust" alone (rustdoc, GeSHi), the attributes data-lang and data-language, and lang on pre.
"""

from thresher.native.base.characters cimport is_ascii_letter_or_digit
from thresher.native.base.word_table cimport (
    WordRow, WordTable, fill_words, find_row, is_word_of, value_of_word,
)
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
    IS_DOUBTFUL = 8         # of a prefix: only a known language counts


cdef WordTable PREFIXES
cdef WordTable HIGHLIGHTERS         # values are places
cdef WordTable THEMES
cdef WordTable NO_LANGUAGES
cdef WordTable ATTRIBUTES
cdef WordTable SHORT_LANGUAGES

fill_words(&PREFIXES, {
    EVERYWHERE: construct_words.LANGUAGE_PREFIXES, PLACE_CODE: construct_words.CODE_PREFIXES,
    PLACE_CODE | IS_DOUBTFUL: construct_words.DOUBTFUL_PREFIXES,
}, exact=True)
fill_words(&HIGHLIGHTERS, {
    PLACE_CODE: construct_words.HIGHLIGHTERS, PLACE_FIGURE: construct_words.FIGURE_HIGHLIGHTERS,
})
fill_words(&THEMES, {1: construct_words.THEMES})
fill_words(&NO_LANGUAGES, {1: construct_words.NO_LANGUAGES})
fill_words(&ATTRIBUTES, {1: construct_words.LANGUAGE_ATTRIBUTES})
fill_words(&SHORT_LANGUAGES, {1: construct_words.SHORT_LANGUAGES})


cdef Slice language_name(Slice text) noexcept nogil:
    """The text if it can be the name of a language; otherwise empty."""
    cdef uint32_t i
    if text.length > MAX_LANGUAGE:
        return no_text()
    for i in range(text.length):
        if not is_ascii_letter_or_digit(text.data[i]) and text.data[i] not in (c"+", c"#", c".", c"_", c"-"):
            return no_text()
    return text


cdef bint says_nothing(Slice word) noexcept nogil:
    """True for a word that stands where a language would, but names none."""
    return value_of_word(&NO_LANGUAGES, word.data, word.length) != 0


cdef Slice after_prefix(Slice word, Place place) noexcept nogil:
    """The language in one class word, such as language-c or highlight-source-c; empty if there is none."""
    cdef const WordRow* prefix = find_row(&PREFIXES, word.data, word.length)
    if prefix == NULL or not prefix.value & place:
        return no_text()
    word = slice_from(word, prefix.length)
    if says_nothing(word) or prefix.value & IS_DOUBTFUL and not is_language_name(word):
        return no_text()
    return language_name(word)


cdef bint is_part_of_a_theme(Slice word) noexcept nogil:
    """True for a class word that appears beside a language: hljs-copy-wrapper, line-numbers, highlight."""
    return value_of_word(&THEMES, word.data, word.length) != 0 or says_nothing(word)


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
        if is_word_of(&HIGHLIGHTERS, place, word.data, word.length):
            highlighter = True
        elif not is_part_of_a_theme(word):
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
    cdef Slice name, value
    cdef uint32_t i
    for i in range(tree.nodes[node].n_attributes):
        if attribute[i].name == ATTR_UNKNOWN:
            name = name_of(tree, attribute + i)
            value = value_of(tree, attribute + i)
            if value_of_word(&ATTRIBUTES, name.data, name.length) and not says_nothing(value):
                return language_name(value)
    return no_text()


cdef Slice language_in_lang(const Tree* tree, uint32_t pre) noexcept nogil:
    """The language in the attribute lang; empty if there is none. Most two-letter words are natural languages."""
    cdef Slice value = value_in(tree, pre, ATTR_LANG)
    cdef uint32_t i
    if value.length <= 3:
        return value if value_of_word(&SHORT_LANGUAGES, value.data, value.length) else no_text()
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
