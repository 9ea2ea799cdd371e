# SPDX-License-Identifier: Apache-2.0
"""Lines of the visible text that may hold a page's date or its authors' names.

For pages whose elements name no date or no author. A line is the text of a block between two line breaks. Most lines of
a page are only scanned; facts.dates and facts.authors read the few that are returned.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memmove, memset

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.prefix_table cimport Prefix, PrefixTable, fill_prefixes, first_prefix, next_prefix
from thresher.native.facts.labels import BYLINES, CHANGED, PUBLISHED, SUBJECTS, all_of
from thresher.native.facts.marks cimport (
    CLUE_AUTHOR, CLUE_BYLINE, CLUE_DATE, CLUE_DETAILS, CLUE_ELSEWHERE, CLUE_HEADING_1, CLUE_HEADING_2, CLUE_MODIFIED,
    CLUE_NAME, CLUE_PUBLISHED, CLUE_SUBJECT, CLUE_TITLE, CLUE_USER, marks_of, names_said
)
from thresher.native.facts.metadata cimport ITEM_ANSWER, ITEM_DATED, attribute_says, clean, text_in
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.known_values cimport KNOWN_VALUES, KnownValue
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *
cdef extern from "facts/digits.h" nogil:
    size_t next_digit(const uint8_t* text, size_t i, size_t length) noexcept
    const uint8_t* skip_indent(const uint8_t* p, const uint8_t* end, const uint8_t* readable) noexcept


cdef enum:
    MAX_LINE = 160              # bytes of a line that are read: a publication date is near its beginning
    MAX_LINES = 160              # lines that are inspected closely
    MAX_HANDED = 48             # lines that are returned, headings excluded
    MAX_HEADINGS = 10           # second-level headings that are returned
    MAX_HEADLINES = 4           # first-level headings that are returned
    MAX_ANCESTORS = 5           # ancestors of a line that are inspected
    MAX_ITEMS = 8               # elements around an itemprop that are
    SHORT = 100                 # bytes of a line far from any heading
    MAX_CLASS = 256             # bytes of a class that are searched
    MAX_BYLINE = 60             # nodes of an element that can be a byline
    MAX_NAMED = 12              # elements marked as authors that are returned
    AFTER = 700                 # bytes of visible text after a heading that count as near it
    FAR = 6000                  # bytes after a headline beyond which no names are expected
    BEFORE = 300                # bytes before a headline that count as near it
    MAX_LABEL = 60              # bytes before a date that are searched for a label
    MAX_LABEL_LINE = 40         # bytes of a line that is the label of the next one
    MIN_TITLE = 12              # bytes of a line that repeats the title
    MAX_TITLES = 4              # titles that are compared
    MAX_REPEATED = 4            # lines that repeat a title

cdef enum Place:        # what an element does to the lines of visible text
    PLACE_BREAK = 0     # a line ends before and after it
    PLACE_INLINE = 1
    PLACE_SKIPPED = 2   # its text is not read


cdef uint8_t[TAG_COUNT] PLACES
for _tag in range(TAG_COUNT):
    PLACES[_tag] = (
        PLACE_INLINE if TAG_LAYOUT[_tag] & LAYOUT_NO_BREAK else PLACE_SKIPPED if TAG_LAYOUT[_tag] & LAYOUT_SKIPPED
        else PLACE_BREAK
    )


cdef inline uint8_t place_of(uint32_t tag) noexcept nogil:
    return PLACES[tag] if tag < TAG_COUNT else <uint8_t> PLACE_BREAK


cdef enum LineKind:
    LINE_HEADING = 1
    LINE_DATE = 2
    LINE_BYLINE = 3
    LINE_ATTRIBUTE = 4      # an attribute of a marked element states the date
    LINE_NAME = 5           # the text of an element that is marked as an author's name


ctypedef struct Line:
    uint32_t node           # its first text, or the element
    uint32_t place          # bytes of visible text before it
    uint32_t length         # its bytes
    uint32_t marks          # what the elements around it say
    uint8_t kind            # LineKind
    uint8_t kept            # bytes of it that `text` holds
    uint8_t heading         # the level of a heading; 0 for a line that repeats the title
    bint byline             # a byline begins in it
    bint handed             # it is returned
    bint labelled           # its label, or the line before it, says that it is the day of publication or of a change
    uint8_t[MAX_LINE] text


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


cdef bint holds_date(const uint8_t* text, uint32_t length) noexcept nogil:
    """True if a text has digits that may be a date: a year from 1990 on, three short numbers, or digits of another
    script.

    Few texts without a date pass; facts.dates checks the rest.
    """
    cdef uint32_t i = 0, start, run, short_runs = 0
    while True:
        i = <uint32_t> next_digit(text, i, length)
        if i == length:
            return False
        if text[i] > c"9":
            if i + 1 < length and begins_foreign_digit(text + i, length - i):
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
        # the era of Taiwan has years of three digits: 民國109年
        if run <= 2 or (run == 3 and start >= 3 and text[start - 3] == 0xE5 and text[start - 2] in (0x9B, 0x9C)):
            short_runs += 1
            if short_runs == 3:
                return True


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
        elif folder_in(value_in(tree, n, ATTR_HREF)) & LEADS_TO_AUTHOR:
            found |= CLUE_AUTHOR | CLUE_DETAILS
        if steps > 2:
            found &= CLUE_ELSEWHERE | CLUE_PUBLISHED | CLUE_SUBJECT
        if steps > 3:
            found &= CLUE_SUBJECT
        marks |= found
        n = tree.nodes[n].parent
        steps += 1
    return marks & ~<uint32_t> (CLUE_BYLINE | CLUE_USER)


cdef uint32_t block_around(const Tree* tree, uint32_t node) noexcept nogil:
    """The nearest ancestor of a node that is not inline; 0 if there is none within reach."""
    cdef uint32_t n = tree.nodes[node].parent, steps = 0
    while n != 0 and steps < 32 and place_of(tree.nodes[n].tag) == PLACE_INLINE:
        n = tree.nodes[n].parent
        steps += 1
    return n


# What words of PUBLISHED and others like them begin with: for a first look.
_PUBLISHED = "publi pubbli gepubli opubliko zveřej veröff fech date data опубл публ התפרסם"


cdef enum:
    LABEL_PUBLISHED = 1
    LABEL_SUBJECT = 2
    LABEL_BYLINE = 4
    LABEL_CHANGED = 8
    LABEL_DATE = LABEL_PUBLISHED | LABEL_CHANGED


cdef list _spellings(words):
    """Words, and those that begin outside of ASCII, where letters are compared as written, with a capital too."""
    return [each for word in words for each in ((word,) if word[0].isascii() else (word, word.capitalize()))]


cdef PrefixTable LABELS
fill_prefixes(&LABELS, {
    LABEL_PUBLISHED: _spellings([*_PUBLISHED.split(), *all_of(PUBLISHED)]), LABEL_CHANGED: _spellings(all_of(CHANGED)),
    LABEL_SUBJECT: _spellings(all_of(SUBJECTS)), LABEL_BYLINE: _spellings(all_of(BYLINES)),
})


cdef uint32_t label_at(const uint8_t* text, uint32_t length, uint32_t marks) noexcept nogil:
    """The length of the label with one of these marks that a text begins with, as a whole word unless it is one of
    a page's date; 0 if there is none.
    """
    cdef const Prefix* label = first_prefix(&LABELS, text, length)
    cdef uint8_t after
    while label != NULL:
        after = text[label.length] if label.length < length else <uint8_t> c" "
        if label.value & marks and (label.value & LABEL_DATE & marks or not (
            after >= 0x80 and label.text[0] & 0x80 == 0 or c"a" <= (after | 0x20) <= c"z"
            or (after >= 0x80 and <uint8_t> label.text[0] < 0xE0)
        )):
            return label.length
        label = next_prefix(label + 1, text, length)
    return 0


cdef bint holds_label(const uint8_t* text, uint32_t length, uint32_t marks) noexcept nogil:
    """True if a word before the first digit of a line is a label with one of these marks."""
    cdef uint32_t i
    cdef bint begins = True
    for i in range(min(length, <uint32_t> MAX_LABEL)):
        if c"0" <= text[i] <= c"9":
            return False
        # a script without spaces begins a word anywhere, but not inside a character
        if (begins or text[i] >= 0xE0) and label_at(text + i, length - i, marks):
            return True
        begins = not (text[i] >= 0x80 or c"a" <= (text[i] | 0x20) <= c"z" or text[i] == c"-")
    return False


cdef bint repeats(const uint8_t* line, uint32_t length, const uint8_t* title, uint32_t title_length) noexcept nogil:
    """True if a line is a title or its beginning, ignoring white space."""
    cdef uint32_t i = 0, t = 0
    while i < length:
        if line[i] <= c" ":
            i += 1
            continue
        while t < title_length and title[t] <= c" ":
            t += 1
        if t == title_length or title[t] != line[i]:
            return False
        i += 1
        t += 1
    return True


cdef enum:
    LEADS_TO_AUTHOR = 1
    LEADS_TO_USER = 2


cdef PrefixTable FOLDERS
fill_prefixes(&FOLDERS, {
    LEADS_TO_AUTHOR | LEADS_TO_USER: "author/ authors/ autor/ auteur/ auteurs/",
    LEADS_TO_USER: "u/ user/ users/ profile/ people/ member contributor",
})


cdef uint32_t folder_in(Slice href) noexcept nogil:
    """Whether an address has a folder of authors, and something in it (/author/miller), or one of users."""
    cdef const uint8_t* name = href.data
    cdef const uint8_t* end = name + min(href.length, <uint32_t> MAX_CLASS)
    cdef const Prefix* folder
    cdef uint32_t found = 0
    while not found & LEADS_TO_AUTHOR and name < end:
        name = <const uint8_t*> memchr(name, c"/", end - name)
        if name == NULL or end - name <= 3:
            break
        name += 1
        folder = first_prefix(&FOLDERS, name, <uint32_t> (end - name))
        if folder != NULL and (folder.value == LEADS_TO_USER or end - name > folder.length):
            found |= folder.value
    return found


cdef bint begins_by(const uint8_t* text, uint32_t length) noexcept nogil:
    """True if a line begins like a byline in one of many languages, and goes on."""
    cdef uint32_t end = label_at(text, length, LABEL_BYLINE) if length else 0
    return 0 < end < length


cdef inline Slice shown_text(const Tree* tree, const Node* node) noexcept nogil:
    """The text of a node without the white space that it begins with; empty for most text nodes."""
    cdef Slice text = slice_at(tree, node.start, node.length)
    cdef const uint8_t* end = text.data + text.length
    if text.length and text.data[0] <= c" ":
        text.data = skip_indent(text.data, end, readable_end(tree, node.start))
        text.length = <uint32_t> (end - text.data)
    return text


cdef uint32_t copy_line(const Tree* tree, uint32_t first, uint32_t last, uint8_t* text) noexcept nogil:
    """Copy up to MAX_LINE bytes of a line, given by its first and last text node; returns how many."""
    cdef uint32_t n = first, take, length = 0
    cdef const Node* node
    cdef Slice slice
    while n <= last:
        node = tree.nodes + n
        # what replaces a construct has its original nodes below it
        n = node.end if node.kind in (KIND_TEXT, KIND_COMMENT) else n + 1
        if node.kind != KIND_TEXT:
            continue
        slice = shown_text(tree, node)
        if slice.length == 0:
            continue
        if length:
            if length == MAX_LINE:
                break
            text[length] = c" "
            length += 1
        take = min(slice.length, <uint32_t> MAX_LINE - length)
        memcpy(text + length, slice.data, take)
        length += take
    return length


cdef bint is_answering(const Tree* tree, uint32_t node) noexcept nogil:
    """True if an element is part of a review or comment, by the itemprops around it."""
    cdef uint32_t n = tree.nodes[node].parent, steps = 0
    while n != 0 and steps < MAX_ITEMS:
        if attribute_says(tree, n, ATTR_ITEMPROP, ITEM_ANSWER):
            return True
        n = tree.nodes[n].parent
        steps += 1
    return False


ctypedef struct Reader:     # the state of one pass over the lines of a page
    const Tree* tree
    bint dates              # lines with dates are requested
    bint authors            # lines with names are requested
    Line* lines
    uint32_t found          # number of lines found
    uint32_t headings       # of these, second-level headings
    uint32_t headlines      # of these, first-level headings
    uint32_t place          # bytes of visible text before the line
    uint32_t last_heading   # where the last heading ended
    uint32_t last_headline  # where the last first-level heading ended; before the first one, any heading
    bint has_h1
    uint32_t byline_end     # end of the last element that counts as a byline
    uint32_t name_end       # end of the last element that is an author's name
    uint32_t named          # number of lines found that are such names
    uint32_t label_first    # first and last text node of the line before, if it is short enough for a label
    uint32_t label_last
    uint32_t label_total    # bytes of that line, otherwise 0
    Slice[MAX_TITLES] titles    # what the page is called; the caller owns the bytes
    uint32_t n_titles
    uint32_t repeated       # number of lines found that repeat a title
    KnownValue[KNOWN_VALUES] classes    # what they say


cdef bint repeats_title(const Reader* r, uint32_t first) noexcept nogil:
    """True if the first text of a line begins like a title. A quick check, because it runs on many lines."""
    cdef Slice text = shown_text(r.tree, r.tree.nodes + first)
    cdef uint32_t t
    for t in range(r.n_titles):
        if text.length and text.data[0] == r.titles[t].data[0]:
            return True
    return False


cdef bint add_label(Reader* r, Line* line) noexcept nogil:
    """Put the line before in front of a line with a date if it is a label; True if it is one of a page's date. So
    "Published" or "Born" in one cell of a table says what the date in the next cell is.
    """
    cdef uint8_t[MAX_LINE] label
    cdef uint32_t length
    if r.label_total == 0:
        return False
    length = copy_line(r.tree, r.label_first, r.label_last, label)
    THRESHER_CHECK(length <= MAX_LINE)
    if length == 0 or length + 1 >= MAX_LINE or not holds_label(
        label, length, LABEL_DATE | LABEL_SUBJECT
    ):
        return False
    line.kept = <uint8_t> min(<uint32_t> line.kept, <uint32_t> MAX_LINE - length - 1)
    memmove(line.text + length + 1, line.text, line.kept)
    memcpy(line.text, label, length)
    line.text[length] = c" "
    line.kept += <uint8_t> (length + 1)
    return holds_label(label, length, LABEL_DATE)


cdef void end_line(
    Reader* r, uint32_t first, uint32_t last, uint32_t block, uint32_t total, bint has_digits
) noexcept nogil:
    """Add a line to those found if it is a heading or may hold what is requested. `block` is the element around it."""
    cdef Line* line = r.lines + r.found
    cdef uint32_t tag = r.tree.nodes[block].tag, end = r.place + total, i, around = r.tree.nodes[block].parent
    cdef uint8_t kind = 0
    THRESHER_CHECK(r.found < MAX_LINES)
    line.labelled = False
    line.byline = first < r.byline_end and total <= MAX_LINE
    if r.tree.nodes[around].tag == TAG_H1 and r.tree.nodes[around].end - around <= MAX_BYLINE and total <= MAX_LINE:
        tag = TAG_H1
    if tag == TAG_H1 or tag == TAG_H2:
        if r.headlines < MAX_HEADLINES if tag == TAG_H1 else r.headings < MAX_HEADINGS:
            r.headlines += tag == TAG_H1
            r.headings += tag == TAG_H2
            kind = LINE_HEADING
            r.last_heading = end
            if tag == TAG_H1 or not r.has_h1:
                r.last_headline = end
                r.has_h1 = tag == TAG_H1
            line.heading = 1 if tag == TAG_H1 else 2
            line.kept = <uint8_t> copy_line(r.tree, first, last, line.text)
    elif r.repeated < MAX_REPEATED and MIN_TITLE <= total <= MAX_LINE and repeats_title(r, first):
        line.kept = <uint8_t> copy_line(r.tree, first, last, line.text)
        for i in range(r.n_titles):
            if line.kept >= MIN_TITLE and repeats(line.text, line.kept, r.titles[i].data, r.titles[i].length):
                kind = LINE_HEADING
                line.heading = 0
                r.repeated += 1
                r.last_heading = r.last_headline = end
                break
    if kind == 0 and has_digits and (total <= SHORT or r.place - r.last_heading <= AFTER):
        line.kept = <uint8_t> copy_line(r.tree, first, last, line.text)
        if holds_date(line.text, line.kept):
            kind = LINE_DATE
            if total <= SHORT:
                line.labelled = holds_label(line.text, line.kept, LABEL_DATE) or add_label(r, line)
    elif kind == 0 and r.authors and total <= MAX_LINE and r.place - r.last_headline <= AFTER:
        line.kept = <uint8_t> copy_line(r.tree, first, last, line.text)
    if (
        kind == 0 and r.authors and total <= MAX_LINE and r.place - r.last_headline <= AFTER
        and (first < r.byline_end or begins_by(line.text, line.kept))
    ):
        kind = LINE_BYLINE
    if kind:
        line.node = first
        line.place = r.place
        line.length = total
        line.kind = kind
        r.found += 1
    r.place = end
    r.label_first, r.label_last = first, last
    r.label_total = total if kind in (0, LINE_BYLINE) and total <= MAX_LABEL_LINE else 0


cdef void add_name(Reader* r, uint32_t n, uint32_t total) noexcept nogil:
    """Record an element that is marked as an author's or a user's name, unless its text cannot be one."""
    cdef Line* line = r.lines + r.found
    THRESHER_CHECK(r.found < MAX_LINES)
    line.kept = <uint8_t> copy_line(r.tree, n + 1, r.tree.nodes[n].end - 1, line.text)
    if not 1 < line.kept <= SHORT:
        return
    line.node = n
    line.place = r.place + total
    line.length = line.kept
    line.kind = LINE_NAME
    line.byline = True
    line.labelled = False
    r.found += 1
    r.named += 1
    r.name_end = r.tree.nodes[n].end


cdef void read_names(Reader* r, uint32_t n, const Attribute* attribute, uint32_t total) noexcept nogil:
    """Record a short element whose class, itemprop or href marks it as a byline near the headline, or as a name."""
    cdef bint near = r.place - r.last_headline <= AFTER, is_byline, is_name
    cdef uint32_t said
    if attribute.name == ATTR_HREF:
        said = folder_in(value_of(r.tree, attribute)) if near else 0
        is_byline, is_name = said & LEADS_TO_AUTHOR, said & LEADS_TO_USER
    else:
        said = names_said(r.tree, attribute, r.classes)
        is_byline, is_name = near and said & CLUE_BYLINE, said and attribute.name != ATTR_ITEMPROP
    if is_byline and n >= r.byline_end:
        r.byline_end = r.tree.nodes[n].end
    if is_name and n >= r.name_end and r.named < MAX_NAMED:
        add_name(r, n, total)


cdef void add_date(Reader* r, uint32_t n) noexcept nogil:
    """Record an element whose itemprop marks it as the publication date."""
    cdef Line* line = r.lines + r.found
    THRESHER_CHECK(r.found < MAX_LINES)
    line.node = n
    line.place = r.place
    line.length = 10
    line.kind = LINE_ATTRIBUTE
    line.kept = 0
    r.found += 1


cdef void read_attributes(Reader* r, uint32_t n, bint may_name, uint32_t total) noexcept nogil:
    """Record an element that its attributes mark as the publication date, or, if it may be one, as a name or byline."""
    cdef const Attribute* attribute = r.tree.attributes + r.tree.nodes[n].attributes
    cdef const Attribute* end = attribute + r.tree.nodes[n].n_attributes
    while attribute < end and r.found < MAX_LINES:
        if may_name and attribute.value_length > 1 and (
            attribute.name == ATTR_CLASS or attribute.name == ATTR_HREF or attribute.name == ATTR_ITEMPROP
        ):
            read_names(r, n, attribute, total)
        if (
            attribute.name == ATTR_ITEMPROP and r.dates and attribute_says(r.tree, n, ATTR_ITEMPROP, ITEM_DATED)
            and not is_answering(r.tree, n)
        ):
            add_date(r, n)
        attribute += 1


cdef bint has_itemprop(const Tree* tree) noexcept nogil:
    """True if an element of the page has an itemprop: most pages have none."""
    cdef uint32_t i
    for i in range(tree.n_attributes):
        if tree.attributes[i].name == ATTR_ITEMPROP:
            return True
    return False


cdef void find_lines(Reader* r) noexcept nogil:
    """Find the headings and the lines that may hold what is requested, in order."""
    cdef:
        const Tree* tree = r.tree
        const Node* nodes = tree.nodes
        const Node* node = nodes
        const Node* end = nodes + tree.n_nodes
        const Node* line_end = end
        uint32_t n, first = 0, last = 0, block = 0, total = 0, read, kept = 0
        uint8_t kind
        bint has_digits = False, looks = False, may_name, reads_itemprops = r.dates and has_itemprop(tree)
        Slice text
    while r.found < MAX_LINES:
        if node >= line_end:
            if total:
                end_line(r, first, last, block, total, has_digits)
                total = 0
                line_end = end
                continue
            break
        if node.kind == KIND_TEXT:
            text = shown_text(tree, node)
            if text.length:
                n = <uint32_t> (node - nodes)
                if total == 0:
                    first, block = n, block_around(tree, n)
                    line_end = nodes + nodes[block].end
                    has_digits, kept = False, 0
                    looks = r.dates
                elif kept < MAX_LINE:
                    kept += 1
                last = n
                total += text.length
                if total > SHORT and looks and r.place - r.last_heading > AFTER:
                    looks = False
                read = min(text.length, <uint32_t> MAX_LINE - kept)
                if looks and not has_digits:
                    has_digits = next_digit(text.data, 0, read) < read
                kept += read
            node = nodes + node.end     # the original nodes of a construct are below it
            continue
        if node.kind == KIND_ELEMENT:
            kind = PLACE_SKIPPED if node.namespace != NS_HTML else place_of(node.tag)
            if kind != PLACE_INLINE:
                if not r.dates and r.has_h1 and r.place - r.last_headline > FAR:
                    break
                if total:
                    end_line(r, first, last, block, total, has_digits)
                    total = 0
                    line_end = end
                    if r.found == MAX_LINES:
                        break
                if kind == PLACE_SKIPPED:
                    node = nodes + node.end
                    continue
            if node.n_attributes:
                n = <uint32_t> (node - nodes)
                may_name = r.authors and node.end - n <= MAX_BYLINE and r.place - r.last_headline <= FAR
                if may_name or reads_itemprops:
                    read_attributes(r, n, may_name, total)
            node += 1
        else:
            node = nodes + node.end if node.kind == KIND_CONTENT or node.kind == KIND_COMMENT else node + 1


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


cdef void mark_lines(Reader* r) noexcept nogil:
    """Set which lines are handed over, as far as their texts do not decide it, and what the elements around these say."""
    cdef Line* line
    cdef uint32_t i, handed = 0
    cdef bint is_element
    for i in range(r.found):
        line = r.lines + i
        line.handed = False
        if handed == MAX_HANDED or (line.kind == LINE_HEADING and not (r.dates and holds_date(line.text, line.kept))):
            continue
        is_element = line.kind == LINE_NAME or line.kind == LINE_ATTRIBUTE
        line.marks = marks_around(r.tree, line.node if is_element else r.tree.nodes[line.node].parent, r.classes)
        if line.kind != LINE_ATTRIBUTE:
            if line.byline:
                line.marks |= CLUE_AUTHOR
            if line.kind == LINE_NAME:
                line.marks |= CLUE_NAME
            elif line.kind != LINE_BYLINE and not line.marks & CLUE_DATE and not line.labelled and not is_near_heading(
                r, line.place
            ):
                continue
            handed += 1
        line.handed = True


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
    cdef Line* lines = <Line*> malloc(MAX_LINES * sizeof(Line))
    cdef const Line* line
    cdef uint32_t i, handed = 0, marks
    cdef Reader reader
    cdef list found = []
    cdef bytes written
    cdef str text
    if lines == NULL:
        raise MemoryError
    memset(&reader, 0, sizeof(reader))
    reader.tree, reader.dates, reader.authors, reader.lines = tree, dates, authors, lines
    for title in titles[:MAX_TITLES]:
        written = <bytes?> title
        if len(written) >= MIN_TITLE:
            THRESHER_CHECK(reader.n_titles < MAX_TITLES)
            reader.titles[reader.n_titles].data = <const uint8_t*> <const char*> written
            reader.titles[reader.n_titles].length = <uint32_t> len(written)
            reader.n_titles += 1
    try:
        with nogil:
            find_lines(&reader)
            mark_lines(&reader)
        for i in range(reader.found):
            line = lines + i
            if line.kind == LINE_HEADING:
                marks = CLUE_HEADING_1 if line.heading == 1 else CLUE_HEADING_2 if line.heading == 2 else CLUE_TITLE
                found.append((line.place, line.length, clean(line.text, line.kept), marks))
            if not line.handed or handed == MAX_HANDED:
                continue
            if line.kind == LINE_ATTRIBUTE:
                text = (
                    text_in(tree, line.node, ATTR_CONTENT) or text_in(tree, line.node, ATTR_DATETIME)
                    or text_in(tree, line.node, ATTR_TITLE)
                )
                if text is None:
                    continue
                text = text[:<int> MAX_LINE]
            else:
                text = clean(line.text, line.kept)
            found.append((line.place, line.length, text, line.marks))
            handed += 1
    finally:
        free(lines)
    return found
