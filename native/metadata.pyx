# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself: the values of its meta, link, time, h1 and JSON-LD elements, found in one loop over
the nodes.

Only values that are asked for become Python objects, a few dozen at most. thresher.page.metadata chooses between them.
find_shown_lines() reads the visible text, for pages whose elements name no date or no author.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memset

from thresher.native.characters cimport begins_ascii, equals_ascii, is_space
from thresher.native.parsing.document cimport (
    KIND_CONTENT, KIND_ELEMENT, KIND_TEXT, NS_HTML, Attribute, Document, Node, Slice, Tree, find_attribute, slice_at
)
from thresher.native.parsing.tags cimport *


cdef enum Interest:     # what is looked for on an element
    NOTHING = 0
    INTEREST_META = 1
    INTEREST_LINK = 2
    INTEREST_TIME = 3
    INTEREST_HEADING = 4
    INTEREST_SCRIPT = 5
    INTEREST_ANCHOR = 6
    INTEREST_ARTICLE = 7
    INTEREST_HTML = 8
    INTEREST_BASE = 9
    INTEREST_TITLE = 10
    INTEREST_ABBREVIATION = 11


cdef enum:
    MAX_VALUES = 256            # of a page; later ones do not belong to its head
    MAX_BYTES = 4096            # bytes of a value
    MAX_NAME = 64               # bytes of the name of a meta element
    # bytes of a JSON-LD script; longer ones are left out, because a part of one cannot be parsed
    MAX_JSON = 1 << 18
    MAX_SCRIPTS = 16
    MAX_TIMES = 32
    MAX_HEADINGS = 4
    MAX_AUTHORS = 4
    MAX_LINE = 160              # bytes of a line that are read: a date of publication stands at its beginning
    MAX_LINES = 96              # lines with a date that are handed over
    MAX_SHOWN_HEADINGS = 16
    MAX_ANCESTORS = 6           # elements around a line that are described
    MAX_CLASS = 256             # bytes of a class that are searched
    MAX_BYLINE = 60             # nodes of an element that is taken for a byline
    MAX_MARK = 48               # bytes of a class, id or itemprop in a description


cdef uint8_t[TAG_COUNT] INTERESTS
memset(INTERESTS, NOTHING, TAG_COUNT)
INTERESTS[<int> TAG_META] = INTEREST_META
INTERESTS[<int> TAG_LINK] = INTEREST_LINK
INTERESTS[<int> TAG_TIME] = INTEREST_TIME
INTERESTS[<int> TAG_H1] = INTEREST_HEADING
INTERESTS[<int> TAG_SCRIPT] = INTEREST_SCRIPT
INTERESTS[<int> TAG_A] = INTEREST_ANCHOR
INTERESTS[<int> TAG_ARTICLE] = INTEREST_ARTICLE
INTERESTS[<int> TAG_MAIN] = INTEREST_ARTICLE
INTERESTS[<int> TAG_HTML] = INTEREST_HTML
INTERESTS[<int> TAG_BASE] = INTEREST_BASE
INTERESTS[<int> TAG_TITLE] = INTEREST_TITLE
INTERESTS[<int> TAG_ABBR] = INTEREST_ABBREVIATION


cdef enum Place:        # what an element does to the lines of the visible text
    PLACE_BREAK = 0     # a line ends before and after it
    PLACE_INLINE = 1
    PLACE_SKIPPED = 2   # its text is not read


cdef uint8_t[TAG_COUNT] PLACES
memset(PLACES, PLACE_BREAK, TAG_COUNT)
for _tag in (
    TAG_A, TAG_ABBR, TAG_ACRONYM, TAG_B, TAG_BDI, TAG_BDO, TAG_BIG, TAG_CITE, TAG_CODE, TAG_DATA, TAG_DEL, TAG_DFN,
    TAG_EM, TAG_FONT, TAG_I, TAG_INS, TAG_KBD, TAG_LABEL, TAG_MARK, TAG_NOBR, TAG_Q, TAG_S, TAG_SAMP, TAG_SMALL,
    TAG_SPAN, TAG_STRONG, TAG_SUB, TAG_SUP, TAG_TIME, TAG_TT, TAG_U, TAG_VAR, TAG_WBR, TAG_IMG,
):
    PLACES[<int> _tag] = PLACE_INLINE
for _tag in (
    TAG_SCRIPT, TAG_STYLE, TAG_NOSCRIPT, TAG_TEMPLATE, TAG_SELECT, TAG_TEXTAREA, TAG_IFRAME, TAG_HEAD, TAG_OBJECT,
):
    PLACES[<int> _tag] = PLACE_SKIPPED


cdef bint has_word(const Tree* tree, uint32_t node, uint32_t name, const char* word, uint32_t length) noexcept nogil:
    """Whether an attribute is a list of words that has this one, in any case; the word is given in lower case."""
    cdef const Attribute* attribute = find_attribute(tree, node, name)
    cdef Slice value
    cdef uint32_t i = 0, start
    if attribute == NULL or attribute.value_length > MAX_BYTES:
        return False
    value = slice_at(tree, attribute.value_start, attribute.value_length)
    while i < value.length:
        if is_space(value.data[i]):
            i += 1
            continue
        start = i
        while i < value.length and not is_space(value.data[i]):
            i += 1
        if equals_ascii(value.data + start, i - start, word, length):
            return True
    return False


cdef bint contains(const Tree* tree, uint32_t node, uint32_t name, const char* part, uint32_t length) noexcept nogil:
    """Whether an attribute's value contains this, in any case; it is given in lower case."""
    cdef const Attribute* attribute = find_attribute(tree, node, name)
    cdef Slice value
    cdef uint32_t i
    if attribute == NULL or attribute.value_length > MAX_BYTES or attribute.value_length < length:
        return False
    value = slice_at(tree, attribute.value_start, attribute.value_length)
    for i in range(value.length - length + 1):
        if begins_ascii(value.data + i, value.length - i, part, length):
            return True
    return False


cdef str clean(const uint8_t* data, uint32_t length):
    """The text, white space collapsed, cut after MAX_BYTES."""
    return " ".join(data[:min(length, <uint32_t> MAX_BYTES)].decode("utf-8", "ignore").split())


cdef str value_of(const Tree* tree, uint32_t node, uint32_t name):
    """An attribute's value, None if it is missing or blank."""
    cdef const Attribute* attribute = find_attribute(tree, node, name)
    cdef Slice value
    if attribute == NULL or attribute.value_length == 0:
        return None
    value = slice_at(tree, attribute.value_start, attribute.value_length)
    return clean(value.data, value.length) or None


cdef str text_of(const Tree* tree, uint32_t node):
    """The text below an element, None if there is none. It looks at MAX_BYTES bytes and as many nodes at most."""
    cdef uint32_t n = node + 1, end = min(tree.nodes[node].end, node + <uint32_t> MAX_BYTES), length = 0
    cdef Slice slice
    cdef bytes text = b""
    while n < end and length < MAX_BYTES:
        if tree.nodes[n].kind == KIND_ELEMENT and (tree.nodes[n].tag == TAG_SCRIPT or tree.nodes[n].tag == TAG_STYLE):
            n = tree.nodes[n].end
            continue
        if tree.nodes[n].kind == KIND_TEXT:
            slice = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
            text += slice.data[:min(slice.length, <uint32_t> MAX_BYTES)]
            length += slice.length
        elif tree.nodes[n].tag == TAG_BR:
            text += b" "
        n += 1
    return " ".join(text.decode("utf-8", "ignore").split()) or None


cdef str wanted_name(const Tree* tree, uint32_t node, dict names):
    """The key in `names` that a meta element sets, or None."""
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
            value = slice_at(tree, attribute.value_start, attribute.value_length)
            length = 0
            for i in range(value.length):
                if not is_space(value.data[i]):     # no name that is looked for has white space in it
                    name[length] = value.data[i] | (0x20 if c"A" <= value.data[i] <= c"Z" else 0)
                    length += 1
            found = names.get(name[:length])
            if found is not None:
                return found
        attribute += 1
    return None


def find_metadata(Document document not None, dict names not None) -> list[tuple[str, str]]:
    """What the page says about itself, as (key, value) in the order of the page; values are not blank.

    Keys: what `names` has for the name, property, itemprop or http-equiv of a meta element (bytes, in lower case);
    "title" (the first title element), "html lang", "base", "canonical", "h1", "ld+json" (the script's text as it
    stands), "rel author" (text of such a link); "time" and "time in article" (datetime, else text), "time published" and
    "time modified" if the element's class or itemprop says so.
    """
    cdef:
        const Tree* tree = &document.tree
        const Node* node
        uint32_t n = 0, article_end = 0
        int interest, scripts = 0, times = 0, headings = 0, authors = 0
        bint has_base = False, has_title = False
        list found = []
        Slice slice
        str key, value
    while n < tree.n_nodes:
        node = tree.nodes + n
        n += 1
        if node.kind != KIND_ELEMENT:
            if node.kind == KIND_CONTENT:
                n = node.end
            continue
        if node.tag >= TAG_COUNT or INTERESTS[node.tag] == NOTHING or node.namespace != NS_HTML:
            continue
        if len(found) >= MAX_VALUES:
            break
        interest = INTERESTS[node.tag]
        key = value = None
        if interest == INTEREST_ARTICLE:
            article_end = max(article_end, node.end)
        elif interest == INTEREST_ANCHOR:
            if node.n_attributes > 1 and authors < MAX_AUTHORS and has_word(tree, n - 1, ATTR_REL, b"author", 6):
                authors += 1
                key, value = "rel author", text_of(tree, n - 1)
        elif interest == INTEREST_META:
            key = wanted_name(tree, n - 1, names)
            if key is not None:
                value = value_of(tree, n - 1, ATTR_CONTENT)
        elif interest == INTEREST_LINK:
            if has_word(tree, n - 1, ATTR_REL, b"canonical", 9):
                key, value = "canonical", value_of(tree, n - 1, ATTR_HREF)
        elif interest == INTEREST_SCRIPT:
            if scripts < MAX_SCRIPTS and has_word(tree, n - 1, ATTR_TYPE, b"application/ld+json", 19) and node.end > n:
                scripts += 1
                slice = slice_at(tree, tree.nodes[n].start, tree.nodes[n].length)
                if slice.length <= MAX_JSON:
                    key, value = "ld+json", slice.data[:slice.length].decode("utf-8", "replace")
        elif interest == INTEREST_TIME:
            if times < MAX_TIMES:
                times += 1
                value = value_of(tree, n - 1, ATTR_DATETIME) or text_of(tree, n - 1)
                if contains(tree, n - 1, ATTR_ITEMPROP, b"modified", 8):
                    key = "time modified"
                elif has_word(tree, n - 1, ATTR_ITEMPROP, b"datepublished", 13) or contains(tree, n - 1, ATTR_CLASS, b"publish", 7):
                    key = "time published"
                elif contains(tree, n - 1, ATTR_CLASS, b"entry-date", 10) or contains(tree, n - 1, ATTR_CLASS, b"pubdate", 7):
                    key = "time published"
                elif contains(tree, n - 1, ATTR_CLASS, b"updated", 7) or contains(tree, n - 1, ATTR_CLASS, b"modified", 8):
                    key = "time modified"
                else:
                    key = "time in article" if n <= article_end else "time"
        elif interest == INTEREST_ABBREVIATION:
            if times < MAX_TIMES and contains(tree, n - 1, ATTR_CLASS, b"publish", 7):
                times += 1
                key, value = "time published", value_of(tree, n - 1, ATTR_TITLE)
        elif interest == INTEREST_HEADING:
            if headings < MAX_HEADINGS:
                headings += 1
                key, value = "h1", text_of(tree, n - 1)
        elif interest == INTEREST_TITLE:
            if not has_title:
                has_title = True
                key, value = "title", text_of(tree, n - 1)
        elif interest == INTEREST_HTML:
            key, value = "html lang", value_of(tree, n - 1, ATTR_LANG) or value_of(tree, n - 1, ATTR_XML_LANG)
        elif interest == INTEREST_BASE:
            if not has_base:
                value = value_of(tree, n - 1, ATTR_HREF)
                key, has_base = "base", value is not None
        if key is not None and value is not None:
            found.append((key, value))
    return found


cdef bint holds_date(const uint8_t* text, uint32_t length) noexcept nogil:
    """Whether a text has digits like a date's: a year from 1990 on, three short numbers, or digits of another script.

    Lets few texts without a date through; thresher.page.dates reads what is left.
    """
    cdef uint32_t i = 0, start, run, short_runs = 0
    while i < length:
        if not c"0" <= text[i] <= c"9":
            # the first byte of Arabic, Persian, Indian, Thai and full-width digits
            if text[i] >= 0xD9 and i + 1 < length and (
                (text[i] == 0xD9 and 0xA0 <= text[i + 1] <= 0xA9) or (text[i] == 0xDB and text[i + 1] >= 0xB0)
                or (text[i] == 0xEF and text[i + 1] == 0xBC) or (text[i] == 0xE0 and text[i + 1] == 0xB9)
                or (text[i] == 0xE0 and text[i + 1] == 0xA5 and i + 2 < length and text[i + 2] >= 0xA6)
            ):
                return True
            i += 1
            continue
        start = i
        while i < length and c"0" <= text[i] <= c"9":
            i += 1
        run = i - start
        if run == 4 and (
            (text[start] == c"2" and (text[start + 1] == c"0" or text[start + 1] == c"5"))
            or (text[start] == c"1" and text[start + 1] == c"9" and text[start + 2] == c"9")
        ):
            return True
        if run <= 2:
            short_runs += 1
            if short_runs == 3:
                return True
    return False


cdef str describe(Document document, uint32_t node):
    """The elements around a text, innermost first, as in "span.date>div#head>article"; in lower case."""
    cdef const Tree* tree = &document.tree
    cdef const Attribute* attribute
    cdef Slice value
    cdef uint32_t n = node, steps = 0
    cdef list parts = []
    cdef str part
    while n != 0 and steps < MAX_ANCESTORS and tree.nodes[n].tag != TAG_BODY:
        steps += 1
        part = document.name_of(n)[:<int> MAX_MARK]
        for name, sign in ((<uint32_t> ATTR_CLASS, "."), (<uint32_t> ATTR_ID, "#"), (<uint32_t> ATTR_ITEMPROP, "@")):
            attribute = find_attribute(tree, n, name)
            if attribute != NULL and attribute.value_length:
                value = slice_at(tree, attribute.value_start, attribute.value_length)
                part += sign + sign.join(
                    value.data[:min(value.length, <uint32_t> MAX_MARK)].decode("utf-8", "ignore").split()
                )
        parts.append(part)
        n = tree.nodes[n].parent
    return ">".join(parts).lower()


cdef uint32_t block_around(const Tree* tree, uint32_t node) noexcept nogil:
    """The nearest element around a node that is not inline; 0 if there is none within reach."""
    cdef uint32_t n = tree.nodes[node].parent, steps = 0
    while n != 0 and steps < 32 and tree.nodes[n].tag < TAG_COUNT and PLACES[tree.nodes[n].tag] == PLACE_INLINE:
        n = tree.nodes[n].parent
        steps += 1
    return n


cdef bint is_byline(const uint8_t* value, uint32_t length) noexcept nogil:
    """Whether a class or the like speaks of authors."""
    cdef uint32_t i
    cdef uint8_t byte
    for i in range(min(length, <uint32_t> MAX_CLASS)):
        byte = value[i] | 0x20
        if byte == c"a":
            if begins_ascii(value + i, length - i, b"author", 6) or begins_ascii(value + i, length - i, b"autor", 5):
                return True
            if begins_ascii(value + i, length - i, b"auteur", 6):
                return True
        elif byte == c"b":
            if begins_ascii(value + i, length - i, b"byline", 6):
                return True
        elif byte == c"w":
            if begins_ascii(value + i, length - i, b"writer", 6):
                return True
        elif byte == c"r":
            if begins_ascii(value + i, length - i, b"reporter", 8) or begins_ascii(value + i, length - i, b"redakt", 6):
                return True
    return False


cdef bint has_byline(const Tree* tree, uint32_t node) noexcept nogil:
    """Whether an element's class or itemprop speaks of authors."""
    cdef const Attribute* attribute = tree.attributes + tree.nodes[node].attributes
    cdef uint32_t i
    cdef Slice value
    for i in range(tree.nodes[node].n_attributes):
        if (attribute[i].name == ATTR_CLASS or attribute[i].name == ATTR_ITEMPROP) and attribute[i].value_length > 4:
            value = slice_at(tree, attribute[i].value_start, attribute[i].value_length)
            if is_byline(value.data, value.length):
                return True
    return False


cdef bint begins_by(const uint8_t* text, uint32_t length) noexcept nogil:
    """Whether a line begins as bylines do in several languages."""
    return (
        begins_ascii(text, length, b"by ", 3) or begins_ascii(text, length, b"von ", 4)
        or begins_ascii(text, length, b"par ", 4) or begins_ascii(text, length, b"por ", 4)
        or begins_ascii(text, length, b"di ", 3) or begins_ascii(text, length, b"door ", 5)
        or begins_ascii(text, length, b"av ", 3) or begins_ascii(text, length, b"text:", 5)
    )


def find_shown_lines(Document document not None, bint dates, bint authors) -> list[tuple[int, int, str, str]]:
    """Lines of the visible text that may hold a date or an author's name, if they are asked for, and headings, as
    (place, length, text, elements around it).

    `place` counts the bytes of visible text before the line. `text` is the beginning of the line, and the value of
    an attribute where an element is marked as a date by its itemprop. Elements stand innermost first, as in
    "span.date>div#head>article"; a heading's begin with "h1" or "h2".
    """
    cdef:
        const Tree* tree = &document.tree
        const Node* node
        const Attribute* attribute
        uint32_t n = 0, line_end = 0, block = 0, first = 0, length = 0, total = 0, place = 0, take, i
        uint32_t lines = 0, headings = 0, byline_end = 0
        bint ends, is_heading
        uint8_t[MAX_LINE] line
        Slice slice
        list found = []
        str value
    while True:
        node = tree.nodes + n
        ends = n >= tree.n_nodes or (total and n >= line_end)
        if not ends and node.kind == KIND_ELEMENT:
            ends = node.namespace != NS_HTML or node.tag >= TAG_COUNT or PLACES[node.tag] == PLACE_BREAK
        if ends and total:
            is_heading = block != 0 and (tree.nodes[block].tag == TAG_H1 or tree.nodes[block].tag == TAG_H2)
            if is_heading and headings < MAX_SHOWN_HEADINGS:
                headings += 1
                found.append((place, total, clean(line, length), describe(document, block)))
            elif lines < MAX_LINES and (
                (dates and holds_date(line, length))
                or (authors and total <= MAX_LINE and (first < byline_end or begins_by(line, length)))
            ):
                lines += 1
                found.append((place, total, clean(line, length), describe(document, tree.nodes[first].parent)))
            place += total
            length = total = 0
        if n >= tree.n_nodes:
            return found
        if node.kind == KIND_CONTENT:
            n = node.end
            continue
        if node.kind == KIND_ELEMENT:
            if node.namespace != NS_HTML or (node.tag < TAG_COUNT and PLACES[node.tag] == PLACE_SKIPPED):
                n = node.end
                continue
            if authors and n >= byline_end and node.end - n <= MAX_BYLINE and has_byline(tree, n):
                byline_end = node.end
            if dates and node.n_attributes and contains(tree, n, ATTR_ITEMPROP, b"datepublished", 13) and lines < MAX_LINES:
                value = value_of(tree, n, ATTR_CONTENT) or value_of(tree, n, ATTR_DATETIME) or value_of(tree, n, ATTR_TITLE)
                if value is not None:
                    lines += 1
                    found.append((place, len(value), value[:<int> MAX_LINE], describe(document, n)))
        elif node.kind == KIND_TEXT and node.length:
            slice = slice_at(tree, node.start, node.length)
            i = 0
            while i < slice.length and is_space(slice.data[i]):
                i += 1
            if i < slice.length:
                if total == 0:
                    first, block = n, block_around(tree, n)
                    line_end = tree.nodes[block].end
                elif length < MAX_LINE:
                    line[length] = c" "
                    length += 1
                take = min(slice.length - i, <uint32_t> MAX_LINE - length)
                memcpy(line + length, slice.data + i, take)
                length += take
                total += slice.length - i
        n += 1
