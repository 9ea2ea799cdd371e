# SPDX-License-Identifier: Apache-2.0
"""Lines of the visible text that may hold a page's date or its authors' names.

For pages whose elements name no date or no author. A line is the text of a block between two line breaks. Most lines of
a page are only scanned; facts.dates and facts.authors read the few that are returned.
"""

from libc.string cimport memchr, memcpy, memset

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.prefix_table cimport Prefix, PrefixTable, fill_prefixes, first_prefix
from thresher.native.facts.line_labels cimport SAYS_DAY, SAYS_SUBJECT, begins_by, holds_label
from thresher.native.facts.marks cimport *
from thresher.native.facts.metadata cimport ITEM_ANSWER, ITEM_DATED, attribute_says, clean, text_in
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.known_values cimport KNOWN_VALUES, KnownValue
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *

cdef extern from "base/characters.h" nogil:
    const uint8_t* skip_blanks(const uint8_t* p, const uint8_t* end, const uint8_t* readable) noexcept


cdef enum:
    MAX_LINE = 160              # bytes of a line that are read: a publication date is near its beginning
    MAX_LINES = 160             # lines that are inspected closely
    MAX_HANDED = 48             # lines that are returned, headings excluded
    MAX_ANCESTORS = 5           # ancestors of a line that are inspected
    MAX_ITEMS = 8               # elements around an itemprop that are
    MAX_INLINE = 32             # inline elements around a text that are
    SHORT = 100                 # bytes of a line far from any heading
    MAX_HREF = 256              # bytes of an address that are searched
    MAX_BYLINE = 60             # nodes of an element that can be a byline
    MAX_NAMED = 12              # elements marked as authors that are returned
    AFTER = 700                 # bytes of visible text after a heading that count as near it
    FAR = 6000                  # bytes after a headline beyond which no names are expected
    BEFORE = 300                # bytes before a headline that count as near it
    MAX_LABEL_LINE = 40         # bytes of a line that is the label of the next one
    MIN_TITLE = 12              # bytes of a line that repeats the title
    MAX_TITLES = 4              # titles that are compared
    ISO_DATE = 10               # bytes of a date as an attribute states it

cdef uint32_t[CLUE_TITLE + 1] MOST_HEADINGS     # headings that are returned, by their mark
MOST_HEADINGS[<int> CLUE_HEADING_1], MOST_HEADINGS[<int> CLUE_HEADING_2], MOST_HEADINGS[<int> CLUE_TITLE] = 4, 10, 4


cdef enum LineKind:
    LINE_PLAIN = 0          # a line that is not returned
    LINE_HEADING
    LINE_DATE
    LINE_LABELLED           # one with a date that a label, in it or before it, says to be that of the page or of a change
    LINE_BYLINE
    LINE_ATTRIBUTE          # an attribute of a marked element states the date
    LINE_NAME               # the text of an element that is marked as an author's name


ctypedef struct Line:
    uint32_t first          # its nodes with text, from the first to the last
    uint32_t last
    uint32_t label_first    # those of the line before, if it is the label of a date in this one; 0 otherwise
    uint32_t label_last
    uint32_t element        # the element around its beginning, or that it is
    uint32_t place          # bytes of visible text before it
    uint32_t length         # its bytes
    uint32_t marks          # that it has beside those of the elements around it: that of a heading, of an author
    LineKind kind


ctypedef struct Reader:     # the state of one pass over the lines of a page; zero at first
    const Tree* tree
    bint dates              # lines with dates are requested
    bint authors            # lines with names are requested
    Slice[MAX_TITLES] titles    # what the page is called; the caller owns the bytes
    uint32_t n_titles
    Line line               # the one that is read; its length is 0 before the first text
    Line before             # the one before it
    uint32_t place          # bytes of visible text before the line
    uint32_t[CLUE_TITLE + 1] headings   # number of headings found, by their mark
    uint32_t last_heading   # where the last heading ended
    uint32_t last_headline  # where the last first-level heading ended; before the first one, any heading
    uint32_t byline_end     # end of the last element that counts as a byline
    uint32_t name_end       # end of the last element that is an author's name
    uint32_t named          # number of lines found that are such names
    Line* lines             # room for MAX_LINES
    uint32_t found          # number of lines found
    KnownValue[KNOWN_VALUES] classes    # what they say


# --- what a text holds ---

cdef bint begins_foreign_digit(const uint8_t* text, uint32_t length) noexcept nogil:
    """True if at least two bytes begin with a digit that is Arabic, Persian, Indian, Thai, Lao, Burmese, Khmer or
    full-width.
    """
    cdef uint8_t third = text[2] if length > 2 else 0
    if text[0] == 0xD9:
        return 0xA0 <= text[1] <= 0xA9
    if text[0] == 0xDB:
        return text[1] >= 0xB0
    if text[0] == 0xEF:
        return text[1] == 0xBC
    if text[0] == 0xE0:
        # Devanagari to Malayalam: nine scripts, 128 code points apart
        return text[1] == 0xB9 or (text[1] == 0xBB and 0x90 <= third <= 0x99) or (
            0xA5 <= text[1] <= 0xB5 and text[1] & 1 and 0xA6 <= third <= 0xAF
        )
    if text[0] == 0xE1:
        return (text[1] == 0x81 and third <= 0x89) or (text[1] == 0x9F and 0xA0 <= third <= 0xA9)
    return False


cdef bint holds_digit(Slice text) noexcept nogil:
    """True if a text has a digit, or a byte that digits of other scripts begin with."""
    cdef uint32_t i
    cdef uint8_t found = 0
    for i in range(text.length):    # no early exit, so that the compiler can vectorise the loop
        found |= (<uint8_t> (text.data[i] - c"0") < 10) | (text.data[i] >= 0xD8)
    return found


cdef bint holds_date(Slice line) noexcept nogil:
    """True if a text has digits that may be a date: a year from 1990 on, three short numbers, or digits of another
    script.

    Few texts without a date pass; facts.dates checks the rest.
    """
    cdef const uint8_t* text = line.data
    cdef uint32_t i = 0, start, run, short_runs = 0
    while i < line.length:
        if not is_ascii_digit(text[i]):
            if text[i] >= 0xD8 and i + 1 < line.length and begins_foreign_digit(text + i, line.length - i):
                return True
            i += 1
            continue
        start = i
        while i < line.length and is_ascii_digit(text[i]):
            i += 1
        run = i - start
        if run == 4 and (
            (text[start] == c"2" and (text[start + 1] == c"0" or text[start + 1] == c"5"))
            or (text[start] == c"1" and text[start + 1] == c"9" and text[start + 2] == c"9")
        ):
            return True
        # the era of Taiwan has years of three digits: 民國109年
        if run <= 2 or (run == 3 and start >= 3 and text[start - 3] == 0xE5 and text[start - 2] in (0x9B, 0x9C)):
            short_runs += 1
            if short_runs == 3:
                return True
    return False


cdef bint repeats(Slice line, Slice title) noexcept nogil:
    """True if a line is a title or its beginning, ignoring white space."""
    cdef uint32_t i, t = 0
    for i in range(line.length):
        if line.data[i] > c" ":
            while t < title.length and title.data[t] <= c" ":
                t += 1
            if t == title.length or title.data[t] != line.data[i]:
                return False
            t += 1
    return True


cdef PrefixTable FOLDERS
fill_prefixes(&FOLDERS, {
    CLUE_BYLINE | CLUE_USER: "author/ authors/ autor/ auteur/ auteurs/",
    CLUE_USER: "u/ user/ users/ profile/ people/ member contributor",
})


cdef uint32_t folder_in(Slice href) noexcept nogil:
    """The marks of an address that has a folder of authors, and something in it (/author/miller), or one of users."""
    cdef const uint8_t* name = href.data
    cdef const uint8_t* end = name + min(href.length, <uint32_t> MAX_HREF)
    cdef const Prefix* folder
    cdef uint32_t found = 0
    while not found & CLUE_BYLINE and name < end:
        name = <const uint8_t*> memchr(name, c"/", end - name)
        if name == NULL or end - name <= 3:
            break
        name += 1
        folder = first_prefix(&FOLDERS, name, <uint32_t> (end - name))
        if folder != NULL and (folder.value == CLUE_USER or end - name > folder.length):
            found |= folder.value
    return found


# --- the text of a line ---

cdef inline Slice shown_text(const Tree* tree, const Node* node) noexcept nogil:
    """The text of a node without the white space that it begins with; empty for most text nodes."""
    cdef Slice text = slice_at(tree, node.start, node.length)
    cdef const uint8_t* end = text.data + text.length
    if text.length and text.data[0] <= c" ":
        text.data = skip_blanks(text.data, end, readable_end(tree, node.start))
        text.length = <uint32_t> (end - text.data)
    return text


cdef uint32_t add_texts(const Tree* tree, uint32_t first, uint32_t last, uint8_t* line, uint32_t length) noexcept nogil:
    """Append the text of some nodes to a line of so many bytes, with a space between any two; returns the bytes that it has
    then, at most MAX_LINE.
    """
    cdef uint32_t n = first, take
    cdef const Node* node
    cdef Slice text
    while n <= last and length < MAX_LINE:
        node = tree.nodes + n
        # what replaces a construct has its original nodes below it
        n = node.end if node.kind == KIND_TEXT or node.kind == KIND_COMMENT else n + 1
        if node.kind != KIND_TEXT:
            continue
        text = shown_text(tree, node)
        if text.length == 0:
            continue
        if length:
            line[length] = c" "
            length += 1
        take = min(text.length, <uint32_t> MAX_LINE - length)
        memcpy(line + length, text.data, take)
        length += take
    return length


cdef Slice text_of_line(const Tree* tree, const Line* line, uint8_t* room) noexcept nogil:
    """The first MAX_LINE bytes of a line, which are written to `room` if they are those of several nodes."""
    if line.first == line.last:
        return first_bytes(shown_text(tree, tree.nodes + line.first), MAX_LINE)
    return Slice(data=room, length=add_texts(tree, line.first, line.last, room, 0))


# --- the elements around a line ---

cdef inline uint8_t layout_of(const Node* node) noexcept nogil:
    """What an element does to lines, as Layout flags: LAYOUT_NO_BREAK, otherwise LAYOUT_SKIPPED."""
    if node.namespace != NS_HTML:
        return LAYOUT_SKIPPED
    return TAG_LAYOUT[node.tag] if node.tag < TAG_COUNT else <uint8_t> 0


cdef uint32_t block_around(const Tree* tree, uint32_t node) noexcept nogil:
    """The nearest ancestor of a node that is not inline, or the last one within reach."""
    cdef uint32_t n = tree.nodes[node].parent, steps = 0
    while n != 0 and steps < MAX_INLINE and tree.nodes[n].tag < TAG_COUNT and (
        TAG_LAYOUT[tree.nodes[n].tag] & LAYOUT_NO_BREAK
    ):
        n = tree.nodes[n].parent
        steps += 1
    return n


cdef uint32_t marks_around(const Tree* tree, uint32_t node, KnownValue* classes) noexcept nogil:
    """The marks that an element and its ancestors give their text. Marks of dates and authors count from three elements
    up, marks of other parts of a page from four, marks of a subject from five, and marks of a change and an address only
    from the element itself.
    """
    cdef uint32_t n = node, steps = 0, marks = 0, found
    while n != 0 and steps < MAX_ANCESTORS and tree.nodes[n].tag != TAG_BODY:
        found = marks_of(tree, n, classes)
        if steps > 0:
            found &= ~<uint32_t> CLUE_MODIFIED
        elif folder_in(value_in(tree, n, ATTR_HREF)) & CLUE_BYLINE:
            found |= CLUE_AUTHOR | CLUE_DETAILS
        if steps > 2:
            found &= CLUE_ELSEWHERE | CLUE_PUBLISHED | CLUE_SUBJECT
        if steps > 3:
            found &= CLUE_SUBJECT
        marks |= found
        n = tree.nodes[n].parent
        steps += 1
    return marks & ~<uint32_t> (CLUE_BYLINE | CLUE_USER)


cdef bint is_answering(const Tree* tree, uint32_t node) noexcept nogil:
    """True if an element is part of a review or comment, by the itemprops around it."""
    cdef uint32_t n = tree.nodes[node].parent, steps = 0
    while n != 0 and steps < MAX_ITEMS:
        if attribute_says(tree, n, ATTR_ITEMPROP, ITEM_ANSWER):
            return True
        n = tree.nodes[n].parent
        steps += 1
    return False


# --- one pass over the page ---

cdef void add_line(Reader* r, const Line* line) noexcept nogil:
    """Record a line, if there is room."""
    if r.found < MAX_LINES:
        r.lines[r.found] = line[0]
        r.found += 1


cdef uint32_t heading_mark(const Reader* r, const Line* line, uint32_t block, Slice text) noexcept nogil:
    """The mark of a heading, or of a line that repeats a title; 0 for another line. `block` is the block around it."""
    cdef uint32_t tag = r.tree.nodes[block].tag, around = r.tree.nodes[block].parent, i
    if tag == TAG_H1:
        return CLUE_HEADING_1
    if r.tree.nodes[around].tag == TAG_H1 and r.tree.nodes[around].end - around <= MAX_BYLINE and line.length <= MAX_LINE:
        return CLUE_HEADING_1
    if tag == TAG_H2:
        return CLUE_HEADING_2
    if MIN_TITLE <= line.length <= MAX_LINE:
        for i in range(r.n_titles):
            if text.data[0] == r.titles[i].data[0] and repeats(text, r.titles[i]):
                return CLUE_TITLE
    return 0


cdef bint takes_label(Reader* r) noexcept nogil:
    """Set the line before a line with a date as its label, if it is one; True if it is one of a page's date. So "Published"
    or "Born" in one cell of a table says what the date in the next cell is.
    """
    cdef uint8_t[MAX_LINE] room
    cdef const Line* before = &r.before
    cdef Slice label
    if not 0 < before.length <= MAX_LABEL_LINE or before.kind not in (LINE_PLAIN, LINE_BYLINE):
        return False
    label = text_of_line(r.tree, before, room)
    if not holds_label(label, SAYS_DAY | SAYS_SUBJECT):
        return False
    r.line.label_first, r.line.label_last = before.first, before.last
    return holds_label(label, SAYS_DAY)


cdef void end_line(Reader* r, uint32_t block) noexcept nogil:
    """Record the line that ends if it is a heading or may hold what is requested. `block` is the block around it."""
    cdef uint8_t[MAX_LINE] room
    cdef Line* line = &r.line
    cdef Slice text = text_of_line(r.tree, line, room)
    cdef bint in_byline = line.first < r.byline_end and line.length <= MAX_LINE
    cdef uint32_t heading = heading_mark(r, line, block, text)
    line.place = r.place
    line.element = r.tree.nodes[line.first].parent
    line.marks = CLUE_AUTHOR if in_byline else 0
    r.place += line.length
    if r.headings[heading] < MOST_HEADINGS[heading]:
        r.headings[heading] += 1
        line.kind = LINE_HEADING
        line.marks |= heading
        r.last_heading = r.place
        if heading != CLUE_HEADING_2 or not r.headings[<int> CLUE_HEADING_1]:
            r.last_headline = r.place
    elif r.dates and (line.length <= SHORT or line.place - r.last_heading <= AFTER) and (
        holds_digit(text) and holds_date(text)
    ):
        line.kind = LINE_DATE
        if line.length <= SHORT and (holds_label(text, SAYS_DAY) or takes_label(r)):
            line.kind = LINE_LABELLED
    elif (
        r.authors and line.length <= MAX_LINE and line.place - r.last_headline <= AFTER and (in_byline or begins_by(text))
    ):
        line.kind = LINE_BYLINE
    if line.kind:
        add_line(r, line)
    r.before = line[0]
    memset(line, 0, sizeof(Line))


cdef void add_element(Reader* r, uint32_t n, LineKind kind, uint32_t length) noexcept nogil:
    """Record an element that is a line: a name, whose text has so many bytes, or a date."""
    cdef Line line
    memset(&line, 0, sizeof(Line))
    line.first, line.last, line.element = n + 1, r.tree.nodes[n].end - 1, n
    line.place, line.length = r.place, length
    line.kind = kind
    if kind == LINE_NAME:
        line.place += r.line.length
        line.marks = CLUE_AUTHOR | CLUE_NAME
    add_line(r, &line)


cdef void read_name(Reader* r, uint32_t n, const Attribute* attribute) noexcept nogil:
    """Record a short element whose class, itemprop or href marks it as a byline near the headline, or as a name."""
    cdef bint near = r.place - r.last_headline <= AFTER
    cdef uint8_t[MAX_LINE] room
    cdef uint32_t said, length
    if attribute.name != ATTR_HREF:
        said = said_of(r.tree, attribute, r.classes) & (CLUE_BYLINE | CLUE_USER)
    else:
        said = folder_in(value_of(r.tree, attribute)) if near else 0
    if said & CLUE_BYLINE and near and n >= r.byline_end:
        r.byline_end = r.tree.nodes[n].end
    if said and attribute.name != ATTR_ITEMPROP and n >= r.name_end and r.named < MAX_NAMED:
        length = add_texts(r.tree, n + 1, r.tree.nodes[n].end - 1, room, 0)
        if 1 < length <= SHORT:
            add_element(r, n, LINE_NAME, length)
            r.named += 1
            r.name_end = r.tree.nodes[n].end


cdef void read_attributes(Reader* r, uint32_t n) noexcept nogil:
    """Record an element that its attributes mark as the publication date, or, if it may be one, as a name or byline."""
    cdef const Node* node = r.tree.nodes + n
    cdef const Attribute* attribute = r.tree.attributes + node.attributes
    cdef const Attribute* end = attribute + node.n_attributes
    cdef bint may_name = r.authors and node.end - n <= MAX_BYLINE and r.place - r.last_headline <= FAR
    while attribute < end:
        if may_name and attribute.value_length > 1 and attribute.name in (ATTR_CLASS, ATTR_HREF, ATTR_ITEMPROP):
            read_name(r, n, attribute)
        if (
            attribute.name == ATTR_ITEMPROP and r.dates and attribute_says(r.tree, n, ATTR_ITEMPROP, ITEM_DATED)
            and not is_answering(r.tree, n)
        ):
            add_element(r, n, LINE_ATTRIBUTE, ISO_DATE)
        attribute += 1


cdef void find_lines(Reader* r) noexcept nogil:
    """Find the headings and the lines that may hold what is requested, in order."""
    cdef const Node* nodes = r.tree.nodes
    cdef const Node* node = nodes
    cdef const Node* end = nodes + r.tree.n_nodes
    cdef const Node* line_end = end     # of the block around the line
    cdef uint32_t n, block = 0
    cdef uint8_t layout
    cdef Slice text
    while r.found < MAX_LINES:
        if node >= line_end:
            if r.line.length == 0:
                break
            end_line(r, block)
            line_end = end
        elif node.kind == KIND_TEXT:
            text = shown_text(r.tree, node)
            if text.length:
                n = <uint32_t> (node - nodes)
                if r.line.length == 0:
                    block = block_around(r.tree, n)
                    line_end = nodes + nodes[block].end
                    r.line.first = n
                r.line.last = n
                r.line.length += text.length
            node = nodes + node.end     # the original nodes of a construct are below it
        elif node.kind == KIND_ELEMENT:
            layout = layout_of(node)
            if not layout & LAYOUT_NO_BREAK:
                if not r.dates and r.headings[<int> CLUE_HEADING_1] and r.place - r.last_headline > FAR:
                    break
                if r.line.length:
                    end_line(r, block)
                    line_end = end
                    if r.found == MAX_LINES:
                        break
                if layout & LAYOUT_SKIPPED:
                    node = nodes + node.end
                    continue
            if node.n_attributes:
                read_attributes(r, <uint32_t> (node - nodes))
            node += 1
        else:
            node = nodes + node.end if node.kind == KIND_CONTENT or node.kind == KIND_COMMENT else node + 1


# --- the lines that are returned ---

cdef bint is_near_heading(const Reader* r, uint32_t place) noexcept nogil:
    """True if a heading stands shortly before or after a place, or if the page has none."""
    cdef const Line* heading
    cdef uint32_t i, end
    cdef bint is_near = True
    for i in range(r.found):
        heading = r.lines + i
        if heading.kind == LINE_HEADING:
            is_near = False
            end = heading.place + heading.length
            if (place >= end and place - end <= AFTER) or (place < end and end - place <= BEFORE + heading.length):
                return True
    return is_near


def find_shown_lines(
    Document document not None, bint dates, bint authors, tuple titles not None = ()
) -> list[tuple[int, int, str, int]]:
    """Headings, and lines that may hold a date or an author's name if requested, as (place, length, text, marks).

    A line that is one of the first four `titles` (UTF-8), or begins it, counts as a heading. Lines that are neither
    near a heading nor marked or labelled as a date are left out. `place` is the number of bytes of visible text before
    the line. `text` is its beginning, after a label that is the line before; or the value of an attribute if an
    element's itemprop marks it as the date. `marks` is the sum of what the surrounding elements say; see MARKS.
    """
    cdef Hold held = Hold(document)
    cdef const Tree* tree = &document.tree
    cdef Reader reader
    cdef Line[MAX_LINES] lines
    cdef const Line* line
    cdef uint8_t[MAX_LINE] room
    cdef uint32_t i, handed = 0, marks, length
    cdef list found = []
    cdef bytes title
    cdef str text
    memset(&reader, 0, sizeof(reader))
    reader.tree, reader.dates, reader.authors, reader.lines = tree, dates, authors, lines
    for title in titles[:MAX_TITLES]:
        if len(title) >= MIN_TITLE:
            THRESHER_CHECK(reader.n_titles < MAX_TITLES)
            reader.titles[reader.n_titles] = Slice(
                data=<const uint8_t*> <const char*> title, length=<uint32_t> len(title)
            )
            reader.n_titles += 1
    with nogil:
        find_lines(&reader)
    for i in range(reader.found):
        line = lines + i
        length = add_texts(tree, line.label_first, line.label_last, room, 0) if line.label_first else 0
        length = add_texts(tree, line.first, line.last, room, length)
        if line.kind == LINE_HEADING:
            found.append((line.place, line.length, clean(room, length), line.marks & CLUE_HEADINGS))
            if not dates or not holds_date(Slice(data=&room[0], length=length)):
                continue
        if handed == MAX_HANDED:
            continue
        marks = line.marks & ~<uint32_t> CLUE_HEADINGS | marks_around(tree, line.element, reader.classes)
        if line.kind == LINE_HEADING or line.kind == LINE_DATE:
            if not marks & CLUE_DATE and not is_near_heading(&reader, line.place):
                continue
        if line.kind == LINE_ATTRIBUTE:
            text = (
                text_in(tree, line.element, ATTR_CONTENT) or text_in(tree, line.element, ATTR_DATETIME)
                or text_in(tree, line.element, ATTR_TITLE)
            )
            if text is None:
                continue
            text = text[:<int> MAX_LINE]
        else:
            text = clean(room, length)
        found.append((line.place, line.length, text, marks))
        handed += 1
    return found
