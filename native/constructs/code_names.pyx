# SPDX-License-Identifier: Apache-2.0
"""Names around code; see code_names.pxd."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport begins_ascii, equals_ascii
from thresher.native.base.word_list cimport WordList, is_one_of, list_words
from thresher.native.parsing.tags cimport ATTR_CLASS
from thresher.native.parsing.tree cimport Attribute, Slice, find_attribute, slice_at


cdef extern from "base/characters.h" nogil:
    const uint8_t* find_space(const uint8_t* p, const uint8_t* end) noexcept


cdef enum:
    MAX_CLASS = 256         # bytes of a class that are read
    MAX_LABEL = 24          # bytes of the longest label


# Class words that highlighters and editors give to line numbers.
cdef const char* NUMBERS = (
    b"|ln|lnt|lnlinks|lineno|linenos|linenodiv|gutter|line-number|line-numbers|line-numbers-rows|"
    b"line-numbers-wrapper|line_number|line_numbers|linenumber|linenumbers|lines-num|blob-num|hljs-ln-numbers|"
    b"hljs-ln-n|rouge-gutter|react-syntax-highlighter-line-number|filecontents-linenum|"
    b"blame-linenum|u-linenum|crayon-nums|line-num|linenum|lnum|line-no|line_no|linenr|code-line-number|"
    b"react-code-line-number|source-line-no|sourcelineno|select-none|user-select-none|noselect|no-select|"
)

# What labels and tab names call a language.
cdef const char* LANGUAGES = (
    b"|apache|applescript|asm|assembly|awk|bash|bat|batch|c|c#|c++|clojure|cmake|cmd|console|coq|cpp|cs|"
    b"csharp|css|csv|dart|diff|docker|dockerfile|elixir|elm|erlang|f#|fish|fsharp|gherkin|go|golang|gradle|"
    b"graphql|groovy|haskell|hcl|html|http|ini|java|javascript|js|json|json5|jsonc|jsx|julia|kotlin|latex|"
    b"lean|less|lisp|log|lua|makefile|markdown|matlab|md|mermaid|mysql|nginx|nim|nix|objc|objective-c|ocaml|"
    b"pascal|perl|php|plain text|plaintext|postgresql|powershell|properties|protobuf|ps1|py|python|r|rb|ruby|"
    b"rust|sass|scala|scheme|scss|sh|shell|solidity|sql|svelte|swift|terraform|toml|ts|tsx|txt|typescript|vue|"
    b"xml|yaml|zig|"
)

# Texts on the buttons of a listing.
cdef const char* BUTTONS = (
    b"|copy|copied|copied!|copy code|code copied|copy to clipboard|copy snippet|copy link|copy text|copy page|"
    b"edit|run|run code|try it|try it yourself|wrap|toggle wrap|expand|collapse|view raw|raw|play|download|"
    b"\xe5\xa4\x8d\xe5\x88\xb6|\xe5\xa4\x8d\xe5\x88\xb6\xe4\xbb\xa3\xe7\xa0\x81|"
    b"\xe3\x82\xb3\xe3\x83\x94\xe3\x83\xbc|kopieren|copier|copiar|"
)


cdef WordList NUMBER_CLASSES
cdef WordList LANGUAGE_NAMES
cdef WordList BUTTON_LABELS
list_words(&NUMBER_CLASSES, NUMBERS)
list_words(&LANGUAGE_NAMES, LANGUAGES)
list_words(&BUTTON_LABELS, BUTTONS)


cdef bint holds(const uint8_t* word, uint32_t length, const char* part, uint32_t part_length) noexcept nogil:
    """True if a word contains another one, ignoring ASCII case."""
    cdef uint32_t i
    for i in range(part_length, length + 1):
        if begins_ascii(word + i - part_length, part_length, part, part_length):
            return True
    return False


cdef bint words_have(Slice value, WordTest test) noexcept nogil:
    """True if a word of a class passes a test."""
    cdef const uint8_t* p = value.data
    cdef const uint8_t* end = p + min(value.length, <uint32_t> MAX_CLASS)
    cdef const uint8_t* word
    while p < end:
        word = p
        p = find_space(p, end)
        if p > word and test(word, <uint32_t> (p - word)):
            return True
        p += 1
    return False


cdef bint class_has(const Tree* tree, uint32_t node, WordTest test) noexcept nogil:
    """True if a word of an element's class passes a test."""
    cdef const Attribute* attribute = find_attribute(tree, node, ATTR_CLASS) if tree.nodes[node].n_attributes else NULL
    return attribute != NULL and words_have(slice_at(tree, attribute.value_start, attribute.value_length), test)


cdef bint is_number_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of a line number or a column of line numbers."""
    if length < 2 or length > 40:
        return False
    if word[0] | 0x20 == c"c" and begins_ascii(word, length, b"codemirror-", 11):
        return (
            begins_ascii(word + 11, length - 11, b"gutter", 6)
            or equals_ascii(word + 11, length - 11, b"linenumber", 10)
        )
    return is_one_of(word, length, &NUMBER_CLASSES)


cdef bint is_row_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of a container that sets what it holds side by side."""
    return (
        equals_ascii(word, length, b"flex", 4) or equals_ascii(word, length, b"d-flex", 6)
        or equals_ascii(word, length, b"grid", 4)
    )


cdef bint is_line_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of a line: line, cm-line, token-line, FileContents-line, …"""
    if length < 4 or length > 40 or not begins_ascii(word + length - 4, 4, b"line", 4):
        return length == 3 and (equals_ascii(word, 3, b"de1", 3) or equals_ascii(word, 3, b"de2", 3))     # GeSHi
    return (
        length == 4 or word[length - 5] == c"-" or word[length - 5] == c"_"
        or equals_ascii(word, length, b"codeline", 8)
    )


cdef bint is_code_cell_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of a cell that holds code: code, blob-code, Blame-lineContent, …"""
    return 4 <= length <= 40 and (holds(word, length, b"code", 4) or holds(word, length, b"linecontent", 11))


cdef bint is_editor_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class around the lines of an editor that uses neither pre nor a table."""
    if length < 10 or length > 15 or word[0] not in (c"C", c"c", c"v", c"a"):
        return False
    return (
        equals_ascii(word, length, b"codemirror-code", 15) or equals_ascii(word, length, b"cm-content", 10)
        or equals_ascii(word, length, b"view-lines", 10)            # Monaco
        or equals_ascii(word, length, b"ace_text-layer", 14)
    )


cdef bint is_measure_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of the lines that an editor uses to measure its font."""
    return equals_ascii(word, length, b"codemirror-line-like", 20)


cdef bint is_numbered_code_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of a numbered list whose items are lines of code, or of a wrapper around such a list."""
    return (
        begins_ascii(word, length, b"dp-", 3)                       # dp-c, dp-highlighter (SyntaxHighlighter 1)
        or equals_ascii(word, length, b"blockcode", 9)              # Discuz
        or equals_ascii(word, length, b"linenums", 8)               # prettify
    )


cdef bint is_popup_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of text that appears only under the pointer."""
    return (
        equals_ascii(word, length, b"hover-info", 10) or equals_ascii(word, length, b"tooltip", 7)
        or equals_ascii(word, length, b"twoslash-popup-container", 24)
    )


cdef bint is_block_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for a class that displays a code element as a block."""
    return equals_ascii(word, length, b"block", 5)


cdef bint is_label_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of a header, toolbar, label or button of a listing."""
    return (
        holds(word, length, b"header", 6) or holds(word, length, b"toolbar", 7) or holds(word, length, b"copy", 4)
        or holds(word, length, b"lang", 4) or holds(word, length, b"label", 5) or holds(word, length, b"button", 6)
        or equals_ascii(word, length, b"btn", 3)
    )


cdef bint is_textarea_class(const uint8_t* word, uint32_t length) noexcept nogil:
    """True for the class of a textarea that shows code."""
    return (
        begins_ascii(word, length, b"language-", 9) or begins_ascii(word, length, b"brush:", 6)
        or begins_ascii(word, length, b"prettyprint", 11) or begins_ascii(word, length, b"highlight", 9)
        or equals_ascii(word, length, b"code", 4) or equals_ascii(word, length, b"crayon-plain", 12)
    )


cdef bint is_language_name(const uint8_t* text, uint32_t length) noexcept nogil:
    """True for a label that names the language of a listing."""
    return 0 < length <= MAX_LABEL and is_one_of(text, length, &LANGUAGE_NAMES)


cdef bint is_button_label(const uint8_t* text, uint32_t length) noexcept nogil:
    """True for the text on a button of a listing."""
    return 0 < length <= MAX_LABEL and is_one_of(text, length, &BUTTON_LABELS)
