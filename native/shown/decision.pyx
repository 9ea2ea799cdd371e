# SPDX-License-Identifier: Apache-2.0
"""Decides by elements, attributes and sheets what is shown of a page, and why the rest is not."""

from libc.string cimport memcmp, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.scratch cimport held
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.parsing.known_values cimport KNOWN_VALUES, KnownValue, is_known, place_of_value
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tag_table cimport fill_tags
from thresher.native.parsing.tags cimport *
from thresher.native.shown.sheets cimport *
from thresher.native.shown.styles cimport *


cdef extern from "shown/first_looks.h" nogil:
    bint may_name_readers(const uint8_t* p, const uint8_t* end, const uint8_t* readable) noexcept
    bint may_say_something(const uint8_t* p, const uint8_t* end, const uint8_t* readable) noexcept


cdef enum:
    MAX_INLINE = 32         # nodes of a run, and of an element with the name of an icon
    MAX_LOOK = 48           # nodes before and after a run that are looked at for the text of its line
    MAX_BLANK = 64          # bytes of a text that are looked at for something to read
    MAX_UP = 16             # ancestors of a run within its line
    MAX_COPY = 256          # bytes of a text that may be a copy
    MAX_SHEET_RUN = 100     # bytes of a run that a sheet conceals; more is the rest of an article behind a wall


cdef enum TagRole:
    ROLE_NONE = 0
    ROLE_NOT_TEXT = 1
    ROLE_ROOT = 2
    ROLE_DIALOG = 3
    ROLE_NOSCRIPT = 4


cdef enum Matter:
    MATTER_CLASS = 1        # matters for small elements alone
    MATTER_ANY = 2


cdef WordTable CLASS_WORDS      # why a word of its class conceals an element; first_looks.h knows them, too
fill_words(&CLASS_WORDS, {
    WHY_READERS: "*sr-only *visually-hidden *visuallyhidden screen-reader-* show-for-sr",
    WHY_TOOLTIP: "tooltiptext tooltip-text tooltip-content",
    WHY_ICON: "material-icons* material-symbols*",
})
cdef uint8_t[TAG_COUNT] ROLES
fill_tags(ROLES, {
    ROLE_NOT_TEXT: """
        head title script style template iframe noembed noframes object audio video canvas select datalist textarea rp
        meter progress svg applet meta link
    """,
    ROLE_ROOT: "html body frameset", ROLE_DIALOG: "dialog", ROLE_NOSCRIPT: "noscript",
})
cdef uint8_t[<int> ATTR_COUNT] CONCEALING     # for an AttributeName by which an element may be concealed: a Matter
CONCEALING[<int> ATTR_CLASS] = MATTER_CLASS
CONCEALING[<int> ATTR_STYLE] = MATTER_ANY
CONCEALING[<int> ATTR_HIDDEN] = MATTER_ANY
CONCEALING[<int> ATTR_ARIA_HIDDEN] = MATTER_ANY


# --- by attributes ---


cdef inline int note(ShownArray* shown, uint32_t n) noexcept nogil:
    """Note an element that is concealed, or whose text has no size."""
    if make_room(&shown.inlines, &shown.inlines_capacity, <size_t> shown.n_inlines + 1) < 0:
        return OUT_OF_MEMORY
    shown.inlines[shown.n_inlines] = n
    shown.n_inlines += 1
    return 0


cdef bint is_annotation(const Tree* tree, const Node* node) noexcept nogil:
    """True for MathML's annotation elements, which repeat the formula as TeX or content markup and are never displayed.
    """
    return node.tag == TAG_ANNOTATION_XML or node.tag >= TAG_COUNT and (
        is_word(slice_at(tree, node.start, node.length), b"annotation")
    )


cdef inline bint hides_by_display(Slice style) noexcept nogil:
    """True for `display:none` as most pages write it: with or without a space, with or without a semicolon."""
    cdef uint32_t space
    if style.length < 12 or style.length > 14 or style.data[0] != c"d":
        return False
    space = style.data[8] == c" "
    return (
        12 <= style.length - space <= 13 and memcmp(style.data, b"display:", 8) == 0
        and memcmp(style.data + 8 + space, b"none", 4) == 0
        and (style.length - space == 12 or style.data[12 + space] == c";")
    )


cdef void take_look(const Look* look, uint8_t by_display, uint8_t by_visibility, Decision* decision) noexcept nogil:
    """Conceal an element by what its styles say, unless it is concealed already. `by_display` and `by_visibility` are
    the reasons.
    """
    cdef uint8_t why = WHY_SHOWN
    if look.values[PROPERTY_DISPLAY] == DISPLAY_NONE:
        why = by_display
    elif look.values[PROPERTY_VISIBILITY] == SAID_UNSEEN:
        why = by_visibility
    elif is_clipped(look):
        why = WHY_CLIPPED
    elif is_faint(look):
        why = WHY_FAINT
    if decision.why == WHY_ARIA and why > WHY_FAINT:
        decision.why = WHY_ATTRIBUTE
    elif decision.why <= WHY_FAINT and why != WHY_SHOWN:
        decision.why = why
    if look.values[PROPERTY_FONT] == FONT_ZERO:
        decision.how |= HOW_NO_SIZE
    elif look.values[PROPERTY_FONT] == FONT_SEEN:
        decision.how |= HOW_SIZE


cdef void take_display(const Look* look, Decision* decision) noexcept nogil:
    """Note how an inline style displays its element."""
    if look.values[PROPERTY_DISPLAY] == DISPLAY_BLOCK:
        decision.how |= HOW_BLOCK
    elif look.values[PROPERTY_DISPLAY] == DISPLAY_INLINE:
        decision.how |= HOW_INLINE
    elif look.values[PROPERTY_DISPLAY] == DISPLAY_BOX:
        decision.how |= HOW_LINE


cdef inline void take_aria(Decision* decision) noexcept nogil:
    """Conceal an element that is aria-hidden. With another reason it is for nobody."""
    if decision.why == WHY_SHOWN:
        decision.why = WHY_ARIA
    elif decision.why <= WHY_TOOLTIP:
        decision.why = WHY_ATTRIBUTE


cdef bint is_icon_name(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element whose only text is a word of small letters, digits and underscores."""
    cdef Slice text
    cdef uint32_t i
    cdef bint word = False
    if tree.nodes[n].end != n + 2 or tree.nodes[n + 1].kind != KIND_TEXT:
        return False
    text = slice_at(tree, tree.nodes[n + 1].start, min(tree.nodes[n + 1].length, <uint32_t> MAX_BLANK))
    for i in range(text.length):
        if c"a" <= text.data[i] <= c"z" or c"0" <= text.data[i] <= c"9" or text.data[i] == c"_":
            word = True
        elif not is_space(text.data[i]):
            return False
    return word


cdef uint8_t why_by_class(const Tree* tree, uint32_t n, Slice value) noexcept nogil:
    """Why its class conceals an element."""
    cdef Slice word
    cdef uint8_t why
    while next_word(&value, &word):
        why = <uint8_t> value_of_word(&CLASS_WORDS, word.data, word.length)
        if why != WHY_SHOWN and (why != WHY_ICON or is_icon_name(tree, n)):
            return why
    return WHY_SHOWN


cdef inline bint may_be_concealed(
    const Tree* tree, const Node* node, bint small, KnownValue* classes
) noexcept nogil:
    """True for an element whose attributes may conceal it. Nearly none is, so that nothing else is decided here."""
    cdef const Attribute* attribute = tree.attributes + node.attributes
    cdef uint32_t i
    cdef KnownValue* known
    cdef Slice value
    for i in range(node.n_attributes):
        if CONCEALING[attribute[i].name] == MATTER_ANY:
            return True
        if CONCEALING[attribute[i].name] and small and attribute[i].value_length >= 7:
            known = classes + place_of_value(attribute + i)
            if not is_known(known, attribute + i):
                value = value_of(tree, attribute + i)
                known.said = may_name_readers(
                    value.data, value.data + value.length, readable_end(tree, attribute[i].value_start)
                )
            if known.said:
                return True
    return False


cdef void by_attributes(const Tree* tree, uint32_t n, Decision* decision) noexcept nogil:
    """Decide on an element by its own attributes."""
    cdef const Node* node = tree.nodes + n
    cdef const Attribute* attribute = tree.attributes + node.attributes
    cdef uint8_t by_class = WHY_SHOWN
    cdef uint16_t important
    cdef uint32_t i
    cdef Slice value
    cdef Look look
    cdef bint aria = False
    for i in range(node.n_attributes):
        if not CONCEALING[attribute[i].name]:
            continue
        value = value_of(tree, attribute + i)
        if attribute[i].name == ATTR_CLASS:
            if 1 < node.end - n <= MAX_INLINE:
                by_class = why_by_class(tree, n, value)
        elif attribute[i].name == ATTR_STYLE:
            if hides_by_display(value):
                if decision.why <= WHY_FAINT:
                    decision.why = WHY_DISPLAY
            elif may_say_something(
                value.data, value.data + value.length, readable_end(tree, attribute[i].value_start)
            ):
                read_style(value, False, &look, &important)
                take_look(&look, WHY_DISPLAY, WHY_VISIBILITY, decision)
                take_display(&look, decision)
        elif attribute[i].name == ATTR_HIDDEN:
            # until-found: folded text that the browser's search can reach
            if not is_word(value, b"until-found"):
                decision.why = WHY_ATTRIBUTE
            elif decision.why == WHY_SHOWN:
                decision.why = WHY_FAINT
        else:
            aria = is_word(value, b"true")
    if by_class != WHY_SHOWN and decision.why <= WHY_FAINT:
        decision.why = by_class
    if aria:
        take_aria(decision)


cdef void mark_sizes(ShownArray* shown, const Tree* tree) noexcept nogil:
    """Note which inline styles give text a size again. Asked only for pages that have text without one."""
    cdef const Attribute* attribute
    cdef uint16_t important
    cdef uint32_t n
    cdef Look look
    for n in range(1, tree.n_nodes):
        attribute = find_attribute(tree, n, ATTR_STYLE) if tree.nodes[n].kind == KIND_ELEMENT else NULL
        if attribute != NULL:
            read_style(value_of(tree, attribute), False, &look, &important)
            if look.values[PROPERTY_FONT] == FONT_SEEN:
                shown.nodes[n].how |= HOW_SIZE


# --- by the page's sheets ---


cdef bint holds_dialog(const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element with the role of a dialog, or whose first child has it."""
    cdef Slice role
    cdef int i
    for i in range(2):
        role = value_in(tree, n, ATTR_ROLE)
        if is_word(role, b"dialog") or is_word(role, b"alertdialog"):
            return True
        n += 1
        if n == tree.n_nodes or tree.nodes[n].kind != KIND_ELEMENT or tree.nodes[n].parent != n - 1:
            return False
    return False


cdef int read_style_element(ShownArray* shown, const Tree* tree, uint32_t n) noexcept nogil:
    """Read the rules of a style element without a type, or with that of CSS."""
    cdef Slice type = value_in(tree, n, ATTR_TYPE)
    if tree.nodes[n].end == n + 1 or type.length and not is_word(type, b"text/css"):
        return 0
    return read_sheet(&shown.sheets, text_of(tree, n + 1), value_in(tree, n, ATTR_MEDIA))


cdef int decide_by_sheets(ShownArray* shown, const Tree* tree) noexcept nogil:
    """Conceal what the rules of the page's sheets conceal."""
    cdef Sheets* sheets = &shown.sheets
    cdef const Node* nodes = tree.nodes
    cdef const Attribute* attribute
    cdef Decision* decision
    cdef uint32_t n, i, sized_by = 0    # where a text without size ends: parts of it may have one
    cdef uint16_t important, own
    cdef int said
    cdef bint noted
    cdef Slice value
    cdef Look look, inline_look
    if finish_sheets(sheets) < 0:
        return OUT_OF_MEMORY
    for n in range(1, tree.n_nodes):
        if nodes[n].kind != KIND_ELEMENT or (nodes[n].n_attributes == 0 and not sheets.by_tag and n >= sized_by):
            continue
        if sheets.steps == 0 or sheets.too_large:
            sheets.too_large = True
            return 0
        decision = shown.nodes + n
        if decision.how & HOW_NOT_TEXT or (nodes[n].tag < TAG_COUNT and ROLES[nodes[n].tag] == ROLE_ROOT):
            continue
        noted = decision.why != WHY_SHOWN or decision.how & HOW_NO_SIZE
        said = look_up(sheets, tree, n, n < sized_by, &look, &important)
        if said < 0:
            return OUT_OF_MEMORY
        if said == 0:
            continue
        attribute = find_attribute(tree, n, ATTR_STYLE)
        if attribute != NULL:
            value = value_of(tree, attribute)
            read_style(value, False, &inline_look, &own)
            for i in range(PROPERTIES):
                if inline_look.values[i] and not (important & ~own) >> i & 1:
                    look.values[i] = inline_look.values[i]
        take_look(&look, WHY_SHEET, WHY_SHEET, decision)
        if decision.why == WHY_SHEET and holds_dialog(tree, n):
            decision.why = WHY_DIALOG
        if decision.how & HOW_NO_SIZE:
            sized_by = max(sized_by, nodes[n].end)
        if not noted and (decision.why or decision.how & HOW_NO_SIZE) and note(shown, n) < 0:
            return OUT_OF_MEMORY
    return 0


# --- runs ---


cdef bint ends_line(const ShownArray* shown, const Tree* tree, uint32_t n) noexcept nogil:
    """True for an element before and after which a line of text ends."""
    cdef uint32_t tag = tree.nodes[n].tag
    if shown.nodes[n].how & HOW_LINE == HOW_BLOCK:
        return True
    return tree.nodes[n].namespace == NS_HTML and tag < TAG_COUNT and (
        TAG_LAYOUT[tag] & LAYOUT_BLOCK or tag in (TAG_BR, TAG_BUTTON, TAG_LABEL)
    )


cdef bint shows_nothing(const Tree* tree, uint32_t n) noexcept nogil:
    """True for a text that begins with white space and zero-width spaces only."""
    cdef Slice text = first_bytes(text_of(tree, n), MAX_BLANK)
    while text.length:
        if is_space(text.data[0]):
            text = slice_from(text, 1)
        elif begins(text, b"\xe2\x80\x8b"):
            text = slice_from(text, 3)
        else:
            return False
    return True


cdef bint is_out(const ShownArray* shown, uint32_t n, bint any) noexcept nogil:
    """True for an element whose text is none of its line: not text or concealed; with `any` also concealed text counts.
    """
    return shown.nodes[n].how & HOW_NOT_TEXT != 0 or (
        not any and shown.nodes[n].why != WHY_SHOWN and shown.nodes[n].why != WHY_FAINT
        and not shown.nodes[n].how & HOW_SEEN
    )


cdef bint may_be_run(const ShownArray* shown, const Tree* tree, uint32_t n) noexcept nogil:
    """True for a small element that has text, and no line ends in it."""
    cdef uint32_t m = n + 1
    cdef bint any = False
    while m < tree.nodes[n].end:
        if tree.nodes[m].kind == KIND_ELEMENT:
            if ends_line(shown, tree, m):
                return False
            if shown.nodes[m].how & HOW_NOT_TEXT:
                m = tree.nodes[m].end
                continue
        elif tree.nodes[m].kind == KIND_TEXT:
            any = any or not shows_nothing(tree, m)
        m += 1
    return any


cdef uint32_t text_before(const ShownArray* shown, const Tree* tree, uint32_t n, bint any) noexcept nogil:
    """The last text before an element on its line; 0 if there is none."""
    cdef const Node* nodes = tree.nodes
    cdef uint32_t m = n, up, looked
    cdef bint out
    for looked in range(MAX_LOOK):
        m -= 1
        if m == 0:
            return 0
        if nodes[m].kind == KIND_ELEMENT:
            if ends_line(shown, tree, m):
                return 0
        elif nodes[m].kind == KIND_TEXT and not shows_nothing(tree, m):
            # Nothing ends a line between the text and the first ancestor that holds both.
            up = nodes[m].parent
            out = False
            while up != 0 and nodes[up].end <= n:
                if ends_line(shown, tree, up):
                    return 0
                out = out or is_out(shown, up, any)
                up = nodes[up].parent
            if not out:
                return m
    return 0


cdef uint32_t text_after(const ShownArray* shown, const Tree* tree, uint32_t n, bint any) noexcept nogil:
    """The first text after an element on its line; 0 if there is none."""
    cdef const Node* nodes = tree.nodes
    cdef uint32_t m = nodes[n].end, up = nodes[n].parent, looked
    for looked in range(MAX_LOOK):
        if m >= tree.n_nodes:
            return 0
        while m >= nodes[up].end:
            if up == 0 or ends_line(shown, tree, up):
                return 0
            up = nodes[up].parent
        if nodes[m].kind == KIND_ELEMENT:
            if ends_line(shown, tree, m):
                return 0
            m = nodes[m].end if is_out(shown, m, any) else m + 1
        elif nodes[m].kind == KIND_TEXT and not shows_nothing(tree, m):
            return m
        else:
            m = nodes[m].end
    return 0


cdef uint32_t only_text(const Tree* tree, uint32_t n) noexcept nogil:
    """The only text of an element that is not blank; 0 if it has none, or several."""
    cdef uint32_t m, found = 0
    for m in range(n + 1, tree.nodes[n].end):
        if tree.nodes[m].kind == KIND_TEXT and not shows_nothing(tree, m):
            if found:
                return 0
            found = m
    return found


cdef bint is_same_text(const Tree* tree, uint32_t one, uint32_t other) noexcept nogil:
    """True for two texts that are equal apart from white space around them."""
    if one == 0 or other == 0 or tree.nodes[one].length > MAX_COPY or tree.nodes[other].length > MAX_COPY:
        return False
    return same_bytes(without_space(text_of(tree, one)), without_space(text_of(tree, other)))


cdef bint is_for_readers(const ShownArray* shown, const Tree* tree, uint32_t text) noexcept nogil:
    """True for a text that only screen readers get."""
    cdef uint32_t n = tree.nodes[text].parent, up
    for up in range(MAX_UP):
        if shown.nodes[n].why == WHY_READERS or shown.nodes[n].why == WHY_CLIPPED:
            return True
        if n == 0 or ends_line(shown, tree, n):
            return False
        n = tree.nodes[n].parent
    return False


cdef uint32_t text_length(const Tree* tree, uint32_t n) noexcept nogil:
    """Bytes of all texts of an element."""
    cdef uint32_t m, length = 0
    for m in range(n + 1, tree.nodes[n].end):
        if tree.nodes[m].kind == KIND_TEXT:
            length += tree.nodes[m].length
    return length


cdef void decide_runs(ShownArray* shown, const Tree* tree) noexcept nogil:
    """Find the runs among the concealed elements, and what is only aria-hidden but seen."""
    cdef Decision* decision
    cdef uint32_t i, n, before, after, own
    for i in range(shown.n_inlines):
        n = shown.inlines[i]
        decision = shown.nodes + n
        if decision.why != WHY_ARIA or not may_be_run(shown, tree, n):
            continue
        before = text_before(shown, tree, n, False)
        after = text_after(shown, tree, n, False)
        own = only_text(tree, n)
        if is_same_text(tree, own, before) or is_same_text(tree, own, after):
            decision.how |= HOW_RUN
            continue
        if before or after:
            decision.how |= HOW_SEEN
        before = text_before(shown, tree, n, True)
        after = text_after(shown, tree, n, True)
        if before or after:
            decision.how |= HOW_SEEN
        if before and is_for_readers(shown, tree, before) or after and is_for_readers(shown, tree, after):
            decision.how |= HOW_PAIRED
    for i in range(shown.n_inlines):
        n = shown.inlines[i]
        decision = shown.nodes + n
        if decision.why == WHY_ARIA or not may_be_run(shown, tree, n):
            continue
        if decision.why == WHY_SHEET and text_length(tree, n) > MAX_SHEET_RUN:
            continue
        if text_before(shown, tree, n, False) or text_after(shown, tree, n, False):
            decision.how |= HOW_RUN


cdef int decide_by_attributes(ShownArray* shown, const Tree* tree, bint with_sheets) noexcept nogil:
    """Decide on every node by its own attributes, and read the page's sheets if asked."""
    cdef const Node* nodes = tree.nodes
    cdef Decision* decision
    cdef uint32_t n, past = 0       # where what may hold sheets that do not count ends
    cdef uint8_t role
    cdef KnownValue[KNOWN_VALUES] classes
    shown.n_unread = 0
    memset(classes, 0, sizeof(classes))
    memset(shown.nodes, 0, tree.n_nodes * sizeof(Decision))
    for n in range(1, tree.n_nodes):
        if nodes[n].kind != KIND_ELEMENT:
            continue
        decision = shown.nodes + n
        if nodes[n].namespace == NS_HTML:
            role = ROLES[nodes[n].tag] if nodes[n].tag < TAG_COUNT else ROLE_NONE
            if role == ROLE_NOT_TEXT:
                decision.how = HOW_NOT_TEXT
                if make_room(&shown.unread, &shown.unread_capacity, <size_t> shown.n_unread + 1) < 0:
                    return OUT_OF_MEMORY
                shown.unread[shown.n_unread] = n
                shown.n_unread += 1
                if nodes[n].tag == TAG_TEMPLATE:
                    past = max(past, nodes[n].end)
                elif with_sheets and nodes[n].tag == TAG_STYLE and n >= past and read_style_element(shown, tree, n) < 0:
                    return OUT_OF_MEMORY
                if nodes[n].tag != TAG_TEXTAREA:    # it may become a listing (native/constructs)
                    continue
        elif nodes[n].namespace == NS_SVG or is_annotation(tree, nodes + n):
            decision.how = HOW_NOT_TEXT
            past = max(past, nodes[n].end if nodes[n].namespace == NS_SVG else 0)
            continue
        else:
            role = ROLE_NONE
            past = max(past, nodes[n].end if nodes[n].tag == TAG_TEMPLATE else 0)
        if nodes[n].n_attributes and role != ROLE_ROOT and may_be_concealed(
            tree, nodes + n, 1 < nodes[n].end - n <= MAX_INLINE, classes
        ):
            by_attributes(tree, n, decision)
        if role == ROLE_NOSCRIPT:
            decision.why = WHY_NOSCRIPT
            past = max(past, nodes[n].end)
        elif role == ROLE_DIALOG and decision.why <= WHY_TOOLTIP and find_attribute(tree, n, ATTR_OPEN) == NULL:
            decision.why = WHY_DIALOG
        if (decision.why or decision.how & HOW_NO_SIZE) and note(shown, n) < 0:
            return OUT_OF_MEMORY
    return 0


cdef int decide(ShownArray* shown, const Tree* tree) noexcept nogil:
    """Decide on every node of a sealed tree."""
    cdef Decision* decision
    cdef uint32_t i, n, kept = 0
    shown.serial = 0
    shown.n_inlines = 0
    start_sheets(&shown.sheets, tree)
    if make_room(&shown.nodes, &shown.capacity, tree.n_nodes) < 0 or decide_by_attributes(shown, tree, True) < 0:
        return OUT_OF_MEMORY
    if shown.sheets.n_rules and not shown.sheets.too_large:
        if decide_by_sheets(shown, tree) < 0:
            return OUT_OF_MEMORY
        if shown.sheets.too_large:      # as if there were none
            shown.n_inlines = 0
            if decide_by_attributes(shown, tree, False) < 0:
                return OUT_OF_MEMORY
    for i in range(shown.n_inlines):
        if shown.nodes[shown.inlines[i]].how & HOW_NO_SIZE:
            mark_sizes(shown, tree)
            break
    for i in range(shown.n_inlines):
        n = shown.inlines[i]
        decision = shown.nodes + n
        if decision.how & HOW_NO_SIZE and decision.why == WHY_SHOWN and is_all_faint(shown, tree, n):
            decision.why = WHY_FAINT
        if decision.why == WHY_ICON:
            decision.how |= HOW_RUN
        elif decision.why != WHY_SHOWN and 1 < tree.nodes[n].end - n <= MAX_INLINE and not ends_line(shown, tree, n):
            shown.inlines[kept] = n
            kept += 1
    shown.n_inlines = kept
    decide_runs(shown, tree)
    shown.serial = tree.serial
    return 0


cdef bint is_all_faint(const ShownArray* shown, const Tree* tree, uint32_t n) noexcept nogil:
    """True for a small element of which no part has a size."""
    cdef uint32_t m
    if tree.nodes[n].end - n > MAX_INLINE:
        return False
    for m in range(n + 1, tree.nodes[n].end):
        if shown.nodes[m].how & HOW_SIZE:
            return False
    return True


cdef size_t shown_memory(ShownArray* shown, bint freed) noexcept nogil:
    """Bytes of memory held; frees them if asked."""
    cdef size_t total = (
        held(shown.nodes, shown.capacity * sizeof(Decision), freed)
        + held(shown.inlines, shown.inlines_capacity * sizeof(uint32_t), freed)
        + held(shown.unread, shown.unread_capacity * sizeof(uint32_t), freed)
        + sheets_memory(&shown.sheets, freed)
    )
    if freed:
        memset(shown, 0, sizeof(ShownArray))
    return total
