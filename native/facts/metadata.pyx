# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself: the values of its meta, link, time and h1 elements, found in one loop over the nodes.

Only requested values become Python objects, a few dozen at most. facts.describe chooses between them.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.word_table cimport WordTable, fill_words, has_word_of
from thresher.native.facts.labels import ATTRIBUTES, KICKERS, all_of
from thresher.native.facts.marks cimport is_elsewhere
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.known_values cimport KNOWN_VALUES, KnownValue
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    # Values of one key; those behind them are not read, but those of all other keys are.
    MAX_VALUES = 256
    MAX_TIMES = 32
    MAX_HEADINGS = 4
    MAX_AUTHORS = 4
    MAX_PARTS = 16              # texts of a heading
    MAX_HEADING = 300           # characters of a heading with blocks inside; a longer one was not closed
    MAX_BYTES = 4096            # bytes of a value
    MAX_KICKER = 30             # characters of what says before a headline what kind of text it is
    MAX_NAME = 64               # bytes of the name of a meta element


# What elements say, by their tags: its key (None where the element says it), the attribute that has it (None for the text
# below the element), and how many values are kept.
cdef dict SAID = {
    <int> TAG_HTML: ("html lang", <int> ATTR_LANG, MAX_VALUES),
    <int> TAG_TITLE: ("title", None, 1),
    <int> TAG_BASE: ("base", <int> ATTR_HREF, 1),
    <int> TAG_LINK: ("canonical", <int> ATTR_HREF, MAX_VALUES),
    <int> TAG_META: (None, <int> ATTR_CONTENT, MAX_VALUES),
    <int> TAG_BODY: ("body class", <int> ATTR_CLASS, MAX_VALUES),
    <int> TAG_H1: ("h1", None, MAX_HEADINGS),
    <int> TAG_TIME: (None, <int> ATTR_DATETIME, MAX_TIMES),
    <int> TAG_ABBR: ("time published", <int> ATTR_TITLE, MAX_TIMES),
    <int> TAG_A: ("rel author", None, MAX_AUTHORS),
}

cdef enum Interest:         # what is done with an element
    NOTHING = 0
    COUNT_PARAGRAPH = 1
    READ_LINK = 2
    SKIP_TEMPLATE = 3
    READ = 4

cdef uint8_t[TAG_COUNT] INTERESTS
memset(INTERESTS, NOTHING, TAG_COUNT)
for _tag in (*SAID, TAG_ARTICLE, TAG_MAIN):
    INTERESTS[<int> _tag] = READ
INTERESTS[<int> TAG_A] = READ_LINK
INTERESTS[<int> TAG_P] = COUNT_PARAGRAPH
INTERESTS[<int> TAG_TEMPLATE] = SKIP_TEMPLATE


cdef WordTable WORDS
fill_words(&WORDS, {1 << bit: words for bit, words in enumerate(ATTRIBUTES.values())})


cdef bint attribute_says(const Tree* tree, uint32_t node, uint32_t name, uint32_t wanted) noexcept nogil:
    """True if a word of an attribute says one of the wanted things. A value of more than MAX_BYTES says nothing."""
    cdef Slice value = value_in(tree, node, name)
    return 0 < value.length <= MAX_BYTES and has_word_of(&WORDS, wanted, value.data, value.length)


cdef bint is_collapsed(str text) noexcept:
    """True if each white space in a text is a single space between others."""
    cdef Py_UCS4 character, before = u" "
    for character in text:
        if character.isspace() and (character != u" " or before == u" "):
            return False
        before = character
    return before != u" " or not text


cdef str collapsed(const uint8_t* data, uint32_t length):
    """The text with white space collapsed, as str.split() knows it, and without a character that was cut."""
    cdef Slice slice = without_space(Slice(data=data, length=length))
    cdef str text = slice.data[:slice.length].decode("utf-8", "ignore")
    return text if is_collapsed(text) else " ".join(text.split())


cdef str clean(const uint8_t* data, uint32_t length):
    """The text with white space collapsed, cut after MAX_BYTES."""
    return collapsed(data, min(length, <uint32_t> MAX_BYTES))


cdef str text_in(const Tree* tree, uint32_t node, uint32_t name):
    """An attribute's value; None if it is missing or blank."""
    cdef Slice value = value_in(tree, node, name)
    return clean(value.data, value.length) or None


cdef str text_below(const Tree* tree, uint32_t node):
    """The text below an element; None if there is none. Reads at most MAX_BYTES bytes and as many nodes."""
    return text_between(tree, node + 1, tree.nodes[node].end)


cdef uint32_t next_read(const Tree* tree, uint32_t n) noexcept nogil:
    """The next node of a walk over text. What replaces a construct has its original nodes below it."""
    cdef const Node* node = tree.nodes + n
    if node.kind == KIND_TEXT or node.kind == KIND_COMMENT:
        return node.end
    return node.end if node.kind == KIND_ELEMENT and (node.tag == TAG_SCRIPT or node.tag == TAG_STYLE) else n + 1


cdef str text_between(const Tree* tree, uint32_t start, uint32_t behind):
    """The text of some nodes, as text_below() has it."""
    cdef uint32_t n = start, end = min(behind, start + <uint32_t> MAX_BYTES), length = 0, written = 0, take
    cdef uint8_t[3 * MAX_BYTES] text
    cdef Slice slice
    while n < end and length < MAX_BYTES:
        if tree.nodes[n].kind == KIND_TEXT:
            slice = text_of(tree, n)
            take = min(slice.length, <uint32_t> MAX_BYTES)
            memcpy(text + written, slice.data, take)
            written += take
            length += take
        elif tree.nodes[n].tag == TAG_BR:
            text[written] = c" "
            written += 1
        n = next_read(tree, n)
    return collapsed(text, written) or None


cdef str wanted_name(const Tree* tree, uint32_t node, dict names):
    """The key in `names` that a meta element sets; None if it sets none."""
    cdef const Attribute* attribute = tree.attributes + tree.nodes[node].attributes
    cdef const Attribute* end = attribute + tree.nodes[node].n_attributes
    cdef char[MAX_NAME] name
    cdef Slice value
    cdef uint32_t i, length
    cdef object found
    while attribute < end:
        if (
            attribute.name == ATTR_PROPERTY or attribute.name == ATTR_NAME or attribute.name == ATTR_ITEMPROP
            or attribute.name == ATTR_HTTP_EQUIV
        ) and 0 < attribute.value_length <= MAX_NAME:
            value = value_of(tree, attribute)
            length = 0
            for i in range(value.length):
                if not is_space(value.data[i]):     # none of the names contains white space
                    name[length] = value.data[i] | (0x20 if c"A" <= value.data[i] <= c"Z" else 0)
                    length += 1
            found = names.get(name[:length])
            if found is not None:
                return found
            i = length
            while i > 1 and name[i - 1] != c":" and name[i - 1] != c".":
                i -= 1
            if i > 1:
                name[i - 1] = c":"
                found = names.get(name[i - 1:length])
                if found is not None:
                    return found
        attribute += 1
    return None


cdef int find_interests(Interests* found, const Tree* tree) noexcept nogil:
    """Find the elements that may hold a value, of links only those to an author, and count paragraphs and links; 0, or
    OUT_OF_MEMORY. The caller frees them.
    """
    cdef const Node* node = tree.nodes
    cdef const Node* end = node + tree.n_nodes
    cdef uint8_t interest
    cdef uint32_t n
    memset(found, 0, sizeof(Interests))
    while node < end:
        interest = INTERESTS[node.tag] if node.tag < TAG_COUNT else <uint8_t> NOTHING
        if interest != NOTHING and node.kind == KIND_ELEMENT and node.namespace == NS_HTML:
            if interest == SKIP_TEMPLATE:
                node = tree.nodes + node.end
                continue
            n = <uint32_t> (node - tree.nodes)
            found.paragraphs += interest == COUNT_PARAGRAPH
            found.links += interest == READ_LINK
            if interest == READ or (
                interest == READ_LINK and node.n_attributes > 1 and attribute_says(tree, n, ATTR_REL, REL_AUTHOR)
            ):
                if make_room(&found.nodes, &found.capacity, found.n + 1) < 0:
                    return OUT_OF_MEMORY
                found.nodes[found.n] = n
                found.n += 1
            if node.tag == TAG_H1:
                if make_room(&found.headings, &found.headings_capacity, found.n_headings + 1) < 0:
                    return OUT_OF_MEMORY
                found.headings[found.n_headings] = n
                found.n_headings += 1
        node += 1
    return 0


cdef void free_interests(Interests* found) noexcept nogil:
    free(found.nodes)
    free(found.headings)


cdef str key_of_time(const Tree* tree, uint32_t n, bint in_article):
    """What a time element says by its itemprop or class, else by where it stands."""
    if attribute_says(tree, n, ATTR_ITEMPROP, ITEM_MODIFIED):
        return "time modified"
    if attribute_says(tree, n, ATTR_ITEMPROP, ITEM_PUBLISHED) or attribute_says(
        tree, n, ATTR_CLASS, CLASS_PUBLISHED | CLASS_DATED
    ):
        return "time published"
    if attribute_says(tree, n, ATTR_CLASS, CLASS_MODIFIED):
        return "time modified"
    return "time in article" if in_article else "time"


cdef frozenset KICKER_WORDS = frozenset(all_of(KICKERS))


cdef str without_kicker(dict found, const Tree* tree, uint32_t node, str text):
    """The text of a heading without its first element, if that says what kind of text follows, as Opinion does; the
    whole is added under "h1 kicker" then.
    """
    cdef uint32_t n = node + 1, end = tree.nodes[node].end
    cdef str first, rest
    cdef Slice slice
    while n < end and tree.nodes[n].kind == KIND_TEXT:
        slice = without_space(text_of(tree, n))
        if slice.length:
            return text
        n = tree.nodes[n].end
    if n == end or tree.nodes[n].kind != KIND_ELEMENT or tree.nodes[n].end == end:
        return text
    first = text_below(tree, n)
    if first is None or len(first) > MAX_KICKER or not text.startswith(first):
        return text
    rest = text[len(first):]
    if len(rest) <= MAX_KICKER // 2:
        return text
    if first.strip(" :|·•-–—").casefold() not in KICKER_WORDS and not attribute_says(tree, n, ATTR_CLASS, CLASS_KICKER):
        return text
    rest = rest.lstrip(" :|·•-–—")
    found.setdefault("h1 kicker", []).append(text)
    return rest


cdef str add_parts(dict found, const Tree* tree, uint32_t node, str text):
    """The text of a heading with a space between its blocks; of one that was not closed, and so holds the article, only
    the first block. The texts of its nodes are added under "h1 part", for the titles that name one of them.
    """
    cdef uint32_t n = node + 1, end = min(tree.nodes[node].end, node + <uint32_t> MAX_BYTES), block_end = end, tag
    cdef list parts = []
    cdef str first = None, joined = "", piece
    cdef bint broken = False, has_blocks = False
    cdef Slice slice
    while n < end and len(joined) < MAX_BYTES:
        if n >= block_end:
            broken, block_end = True, end
        tag = tree.nodes[n].tag
        if tree.nodes[n].kind == KIND_TEXT:
            slice = text_of(tree, n)
            piece = slice.data[:min(slice.length, <uint32_t> MAX_BYTES)].decode("utf-8", "ignore")
            if broken:
                if first is None and joined.strip():
                    first = " ".join(joined.split())
                joined, broken = f"{joined} ", False
            joined += piece
            if len(parts) < MAX_PARTS and piece.strip():
                parts.append(" ".join(piece.split()))
        elif tag == TAG_BR:
            joined += " "
        elif tree.nodes[n].kind == KIND_ELEMENT and tag < TAG_COUNT and (
            TAG_LAYOUT[tag] & LAYOUT_BLOCK or attribute_says(tree, n, ATTR_STYLE, STYLE_BLOCK)
        ):
            broken, has_blocks, block_end = True, True, min(tree.nodes[n].end, end)
        n = next_read(tree, n)
    if len(parts) > 1:
        found.setdefault("h1 part", []).extend(parts)
    if not has_blocks:
        return text
    return first if first is not None and len(joined) > MAX_HEADING else " ".join(joined.split())


cdef tuple values_of_page(const Tree* tree, dict names, const Interests* elements):
    """Values and numbers of elements, as find_metadata() describes them."""
    cdef:
        uint32_t at, tag, article_end = 0, articles = 0
        size_t i
        KnownValue[KNOWN_VALUES] classes
        dict found = {}
        str key, value
        object attribute
        int most
    memset(classes, 0, sizeof(classes))
    for i in range(elements.n):
        at = elements.nodes[i]
        tag = tree.nodes[at].tag
        if tag == TAG_ARTICLE or tag == TAG_MAIN:
            article_end = max(article_end, tree.nodes[at].end)
            articles += tag == TAG_ARTICLE
            continue
        key, attribute, most = <tuple> SAID[tag]
        if tag == TAG_META:
            key = wanted_name(tree, at, names)
        elif tag == TAG_TIME:
            key = key_of_time(tree, at, at < article_end)
        elif tag == TAG_LINK and not attribute_says(tree, at, ATTR_REL, REL_CANONICAL):
            continue
        elif tag == TAG_ABBR and (
            not attribute_says(tree, at, ATTR_CLASS, CLASS_PUBLISHED)
            # blogs have theirs in what classes call a widget or a footer
            or is_elsewhere(tree, at, NULL, 0, NULL)
        ):
            continue
        if key is None:
            continue
        if (tag == TAG_A or tag == TAG_TIME) and (
            is_elsewhere(tree, at, elements.headings, elements.n_headings, classes)
        ):
            key = f"{key} elsewhere"
        if len(<list> found.get(key, [])) >= most:
            continue
        value = text_in(tree, at, <uint32_t> attribute) if attribute is not None else text_below(tree, at)
        if value is None and tag == TAG_HTML:
            value = text_in(tree, at, ATTR_XML_LANG)
        elif value is None and tag == TAG_TIME:
            value = text_below(tree, at)
        if value is None:
            continue
        if tag == TAG_H1:
            value = without_kicker(found, tree, at, add_parts(found, tree, at, value))
        (<list> found.setdefault(key, [])).append(value)
    return found, (articles, elements.paragraphs, elements.links)


def find_metadata(
    Document document not None, dict names not None
) -> tuple[dict[str, list[str]], tuple[int, int, int]]:
    """What the page says about itself: values by key, in page order for each key, and its number of articles,
    paragraphs and links. Values are never blank.

    Keys: the value in `names` for the name, property, itemprop or http-equiv of a meta element (bytes, in lower case);
    "title" (the first title element), "html lang", "body class", "base", "canonical", "h1", "rel author" (the link's
    text); "time" and "time in article" (datetime, otherwise text); "time published" and "time modified" if the
    element's class or itemprop says so.
    """
    cdef Interests elements
    cdef Hold held = Hold(document)
    try:
        if find_interests(&elements, &document.tree) < 0:
            raise MemoryError("no memory for the elements of a page")
        return values_of_page(&document.tree, names, &elements)
    finally:
        free_interests(&elements)
