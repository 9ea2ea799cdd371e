# SPDX-License-Identifier: Apache-2.0
"""Parses style sheets into rules, and finds the elements that they conceal."""

from libc.string cimport memchr, memcmp, memset, strlen

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.hash_table cimport *
from thresher.native.base.scan cimport name_words, scan_byte
from thresher.native.base.scratch cimport held
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.parsing.known_values cimport KnownValue, is_known, place_of_value
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.reading cimport *
from thresher.native.shown.styles cimport *


cdef enum:
    MAX_GROUPS = 16         # at-rules within each other
    MAX_COMPOUNDS = 8       # of a selector
    MAX_NAMES = 8           # of a compound
    MAX_NAME_BYTES = 96     # of a class or id without its backslashes
    MAX_CLIMB = 64          # ancestors, or siblings, that are looked at for one compound
    MAX_CLASSES = 64        # of an element
    FIRST_STEPS = 200000    # comparisons that a page of any size may take, beside MAX_STEPS for each node
    STEP_BYTES = 16         # of selectors that are read for one comparison less
    MAX_TAG = 24            # bytes of an element's name in a selector


cdef enum:
    # a box of a pixel
    BOX = 1 << PROPERTY_OVERFLOW | 1 << PROPERTY_POSITION | 1 << PROPERTY_WIDTH | 1 << PROPERTY_HEIGHT


cdef extern from "shown/sheet_scan.h" nogil:
    const uint8_t* scan_prelude(const uint8_t* p, const uint8_t* end) noexcept
    const uint8_t* scan_body(const uint8_t* p, const uint8_t* end, int* odd) noexcept


cdef enum Pseudo:           # what a pseudo-class or pseudo-element is
    PSEUDO_UNKNOWN = 0      # to browsers, too
    PSEUDO_STATE = 1        # what a reader does, or no element
    PSEUDO_OTHER = 2


cdef WordTable PSEUDOS          # values are Pseudo
fill_words(&PSEUDOS, {
    PSEUDO_STATE: """
        hover focus focus-within focus-visible active visited checked target before after open popover-open modal
        fullscreen target-within placeholder-shown invalid indeterminate marker selection backdrop placeholder
        first-line first-letter empty -webkit-*
    """,
    PSEUDO_OTHER: """
        root scope link any-link is where not has matches lang dir host host-context state defined nth-* first-child
        last-child only-child first-of-type last-of-type only-of-type enabled disabled default required optional valid
        in-range out-of-range read-only read-write user-valid user-invalid autofill blank paused playing seeking
        buffering stalled muted volume-locked picture-in-picture has-slotted active-view-transition* current past future
        part slotted cue* highlight file-selector-button grammar-error spelling-error target-text details-content
        view-transition* scroll-* search-text column checkmark picker* xr-overlay
    """,
})
cdef WordTable OF_SCREEN        # conditions that hold for a reader before a large screen
fill_words(&OF_SCREEN, {1: """
    orientation:landscape hover:hover pointer:fine prefers-color-scheme:light prefers-reduced-motion:no-preference"""})
cdef uint64_t SHOWING = <uint64_t> 1 << 62      # in the key of a rule that shows
cdef uint64_t ANYTHING = <uint64_t> 1 << 61     # the key of rules whose last compound has no name


ctypedef struct Selector:   # while it is read
    Compound[MAX_COMPOUNDS] compounds
    uint32_t n_compounds
    uint32_t specificity
    bint exact              # all of it was understood, and holds whatever scripts do
    bint never              # it holds only in a state that the page is not in
    bint invalid            # a browser reads none of its list


# --- selectors ---


cdef bint is_name_byte(uint8_t c) noexcept nogil:
    return c"a" <= (c | 0x20) <= c"z" or c"0" <= c <= c"9" or c == c"-" or c == c"_" or c >= 0x80


cdef const uint8_t* read_name(const uint8_t* p, const uint8_t* end, Slice* name, bint* escaped) noexcept nogil:
    """Read a name as it is written, with its backslashes."""
    cdef uint32_t code
    name.data = p
    while p < end:
        if p[0] == c"\\" and p + 1 < end:
            escaped[0] = True
            p = skip_escape(p, end, &code)
        elif is_name_byte(p[0]):
            p += 1
        else:
            break
    name.length = <uint32_t> (p - name.data)
    return p


cdef uint32_t plain_name(Slice name, uint8_t* out) noexcept nogil:
    """Write a name without its backslashes, and return its length; 0 if it is too long, or has a character by its number
    beyond ASCII.
    """
    cdef const uint8_t* p = name.data
    cdef const uint8_t* end = p + name.length
    cdef uint32_t length = 0, code
    while p < end:
        if p[0] == c"\\":
            code = p[1] if p + 1 < end else 0
            p = skip_escape(p, end, &code)
            if code == 0 or (code >= 0x80 and p - name.data > 2 and is_space((p - 1)[0])):
                return 0
        else:
            code = p[0]
            p += 1
        if length == MAX_NAME_BYTES or code > 0xFF:
            return 0
        out[length] = <uint8_t> code
        length += 1
    return length


cdef bint is_state(Slice name) noexcept nogil:
    """True for a pseudo-class of what a reader does, and for pseudo-elements that are no elements."""
    return value_of_word(&PSEUDOS, name.data, name.length) == PSEUDO_STATE


cdef bint waits_for_scripts(const Name* name) noexcept nogil:
    """True for a class or attribute that scripts remove when they begin, and for `hidden`, which conceals by itself."""
    cdef Slice text = name.text
    if name.kind == NAME_CLASS:
        return 4 <= text.length <= 5 and begins_word(text, b"no") and is_word(slice_from(text, text.length - 2), b"js")
    return name.kind == NAME_ATTRIBUTE and text.length >= 5 and (
        is_word(slice_from(text, text.length - 5), b"cloak")
        or name.sign == 0 and is_word(text, b"hidden")
    )


cdef const uint8_t* read_attribute(const uint8_t* p, const uint8_t* end, Name* name, bint* known) noexcept nogil:
    """Read what is asked of an attribute, up to its bracket. `known` becomes False for anything unusual."""
    cdef const uint8_t* close
    p = skip_blanks(read_name(skip_blanks(p, end), end, &name.text, &name.escaped), end)
    if p < end and p[0] in (c"~", c"|", c"^", c"$", c"*"):
        name.sign = p[0]
        p += 1
    if p < end and p[0] == c"=":
        name.sign = name.sign if name.sign else p[0]
        p = skip_blanks(p + 1, end)
        if p < end and (p[0] == c'"' or p[0] == c"'"):
            close = <const uint8_t*> memchr(p + 1, p[0], end - p - 1)
            if close == NULL:
                known[0] = False
                return end
            name.value.data = p + 1
            name.value.length = <uint32_t> (close - p - 1)
            name.escaped = name.escaped or memchr(p, c"\\", close - p) != NULL
            p = close + 1
        else:
            p = read_name(p, end, &name.value, &name.escaped)
        p = skip_blanks(p, end)
    known[0] = p < end and p[0] == c"]" and name.text.length > 0 and not name.escaped
    return p


cdef const uint8_t* read_simple(
    Sheets* sheets, const uint8_t* p, const uint8_t* end, bint negated, Selector* selector, bint* failed
) noexcept nogil:
    """Read a class, id or attribute, or with `negated` also an element, and enter it."""
    cdef Name* name
    cdef const uint8_t* close
    cdef const NameTables* tables = name_tables()
    cdef bint known = True, unused = False
    if make_room(&sheets.names, &sheets.names_capacity, <size_t> sheets.n_names + 1) < 0:
        failed[0] = True
        return end
    name = sheets.names + sheets.n_names
    memset(name, 0, sizeof(Name))
    name.negated = negated
    if p[0] == c"[":
        name.kind = NAME_ATTRIBUTE
        close = skip_block(p, end, &unused)
        read_attribute(p + 1, close, name, &known)
        p = close
    elif p[0] == c"." or p[0] == c"#":
        name.kind = NAME_ID if p[0] == c"#" else NAME_CLASS
        p = read_name(p + 1, end, &name.text, &name.escaped)
        if name.text.length == 0:
            selector.never = True
            return p
    else:
        name.kind = NAME_ELEMENT
        p = read_name(p, end, &name.text, &name.escaped)
        if name.text.length <= MAX_TAG:
            name.tag = find_name(tables.tags, name_words(name.text.data, name.text.length, end), name.text.length)
    if not known or (not negated and waits_for_scripts(name)):
        selector.exact = False
    if known:
        sheets.n_names += 1
    selector.specificity += (
        1 if name.kind == NAME_ELEMENT else 1 << 16 if name.kind == NAME_ID else 1 << 8
    )
    return p


cdef const uint8_t* read_negation(
    Sheets* sheets, const uint8_t* p, const uint8_t* end, Selector* selector, bint* failed
) noexcept nogil:
    """Read what stands in the brackets of :not(): elements, classes, ids and attributes, each by itself. Anything else
    is not understood.
    """
    cdef Slice name
    cdef uint32_t names = sheets.n_names, specificity = selector.specificity, greatest = specificity
    cdef bint escaped = False
    while p < end:
        selector.specificity = specificity
        p = skip_blanks(p, end)
        if p < end and p[0] == c":":
            p = read_name(p + 1, end, &name, &escaped)
            if not is_state(name):
                break
        elif p < end and (p[0] == c"." or p[0] == c"#" or p[0] == c"[" or is_name_byte(p[0])):
            p = read_simple(sheets, p, end, True, selector, failed)
            greatest = max(greatest, selector.specificity)
        p = skip_blanks(p, end)
        if p < end and p[0] == c")":
            selector.specificity = greatest
            return p + 1
        if p == end or p[0] != c",":
            break
        p += 1
    sheets.n_names = names
    selector.specificity = specificity
    selector.exact = False
    return end


cdef const uint8_t* read_pseudo(
    Sheets* sheets, const uint8_t* p, const uint8_t* end, Compound* compound, Selector* selector, bint* failed
) noexcept nogil:
    """Read a pseudo-class or pseudo-element after its colon."""
    cdef Slice name
    cdef const uint8_t* q
    cdef bint escaped = False, unused = False
    cdef bint twice = p < end and p[0] == c":"
    p = read_name(p + twice, end, &name, &escaped)
    if value_of_word(&PSEUDOS, name.data, name.length) == PSEUDO_UNKNOWN:
        selector.invalid = True
        selector.never = True
    elif p < end and p[0] == c"(":
        q = skip_block(p, end, &unused)
        if is_word(name, b"not"):
            read_negation(sheets, p + 1, q, selector, failed)
        else:
            selector.exact = False
        return q
    elif twice or is_state(name):
        selector.never = True
    elif is_word(name, b"root"):
        compound.tag = TAG_HTML
    else:
        selector.exact = False
    return p


cdef int read_selector(Sheets* sheets, const uint8_t* p, const uint8_t* end, Selector* selector) noexcept nogil:
    """Read one selector of a list, after what `selector` has: that of the rule around it."""
    cdef Compound* compound
    cdef Slice text
    cdef uint32_t i
    cdef uint8_t relation = IS_WITHIN
    cdef bint failed = False, escaped = False, nested = selector.n_compounds > 0, more
    cdef const NameTables* tables = name_tables()
    selector.invalid = True     # until something is read
    while True:
        p = skip_blanks(p, end)
        if p >= end:
            return 0
        if p[0] == c">" or p[0] == c"+" or p[0] == c"~":
            relation = IS_CHILD if p[0] == c">" else IS_NEXT if p[0] == c"+" else IS_AFTER
            selector.never = selector.never or selector.n_compounds == 0
            p += 1
            continue
        if selector.n_compounds == MAX_COMPOUNDS:
            selector.exact = False
            selector.never = True
            selector.invalid = False
            return 0
        more = nested and p[0] == c"&" and relation == IS_WITHIN    # of the last one
        if p[0] == c"&" and not more:
            selector.exact = False          # elsewhere it stands for more than is read
        if more:
            selector.n_compounds -= 1
            compound = selector.compounds + selector.n_compounds
        else:
            compound = selector.compounds + selector.n_compounds
            compound.tag = 0
            compound.relation = relation
            compound.first = sheets.n_names
        nested = False
        selector.invalid = False
        relation = IS_WITHIN
        if p[0] == c"*" or p[0] == c"&":
            p += 1
        elif is_name_byte(p[0]):
            read_name(p, end, &text, &escaped)
            if text.length <= MAX_TAG:
                compound.tag = find_name(tables.tags, name_words(text.data, text.length, end), text.length)
            if compound.tag != 0:
                selector.specificity += 1
                p = text.data + text.length
            else:       # a custom element
                p = read_simple(sheets, p, end, False, selector, &failed)
        while p < end and not is_space(p[0]) and p[0] not in (c">", c"+", c"~"):
            if p[0] == c"." or p[0] == c"#" or p[0] == c"[":
                p = read_simple(sheets, p, end, False, selector, &failed)
            elif p[0] == c":":
                p = read_pseudo(sheets, p + 1, end, compound, selector, &failed)
            elif p[0] == c"/" and p + 1 < end and p[1] == c"*":
                p = skip_comment(p, end)
            else:
                selector.never = True
                selector.invalid = True
            if failed:
                return OUT_OF_MEMORY
            if selector.never or sheets.n_names - compound.first > MAX_NAMES:
                selector.never = True
                return 0
        compound.end = sheets.n_names
        for i in range(compound.first, compound.end):
            if sheets.names[i].negated and (compound.tag == TAG_HTML or compound.tag == TAG_BODY):
                selector.exact = False
        selector.n_compounds += 1


cdef uint64_t key_of(const uint8_t* text, uint32_t length, uint8_t kind) noexcept nogil:
    """The key of rules that conceal; those that show have it with SHOWING. `kind` is a class, id or element."""
    return key_of_bytes(text, length, hash_secret()) ^ (<uint64_t> kind << 57)


cdef uint16_t unseen_of(const Look* look) noexcept nogil:
    """A bit for each property by which a rule may conceal."""
    cdef uint16_t found = 0
    cdef int i
    for i in range(PROPERTIES):
        if i == PROPERTY_DISPLAY:
            found |= <uint16_t> ((look.values[i] == DISPLAY_NONE) << i)
        elif i == PROPERTY_FONT:
            found |= <uint16_t> ((look.values[i] == FONT_ZERO) << i)
        elif i in (
            PROPERTY_VISIBILITY, PROPERTY_SKIPPING, PROPERTY_OPACITY, PROPERTY_CLIP, PROPERTY_CLIP_PATH, PROPERTY_LEFT,
            PROPERTY_TOP, PROPERTY_INDENT,
        ):
            found |= <uint16_t> ((look.values[i] == SAID_UNSEEN) << i)
        elif i == PROPERTY_OVERFLOW:    # of a box of a pixel
            found |= <uint16_t> ((look.values[i] == SAID_UNSEEN and is_clipped(look)) << i)
    return found


cdef Slice next_selector(Slice* rest) noexcept nogil:
    """Remove the first selector from a list."""
    cdef const uint8_t* p = rest.data
    cdef const uint8_t* end = p + rest.length
    cdef Slice found
    cdef bint unused = False
    while p < end and p[0] != c",":
        if p[0] == c"(" or p[0] == c"[":
            p = skip_block(p, end, &unused)
        elif p[0] == c"/" and p + 1 < end and p[1] == c"*":
            p = skip_comment(p, end)
        else:
            p += 2 if p[0] == c"\\" else 1
    p = min(p, end)
    found.data = rest.data
    found.length = <uint32_t> (p - found.data)
    rest.data = p + (p < end)
    rest.length = <uint32_t> (end - rest.data)
    return found


cdef int add_rules(
    Sheets* sheets, const Place* place, const Look* look, uint16_t said, uint16_t important, uint64_t kind
) noexcept nogil:
    """Add a rule for each selector of a list, within each of the list around it. One that is invalid makes all so."""
    cdef Slice outer = place.outer, rest, item, inner
    cdef uint32_t rules = sheets.n_rules, compounds = sheets.n_compounds, names = sheets.n_names
    cdef uint32_t n_rules, n_names
    cdef Selector selector
    cdef int outcome
    while True:
        item = next_selector(&outer)
        rest = place.head
        while True:
            n_rules, n_names = sheets.n_rules, sheets.n_names
            selector.n_compounds = 0
            selector.specificity = 0
            selector.exact = True
            selector.never = False
            inner = next_selector(&rest)
            # Lists within each other are read once for each selector of the other one.
            sheets.steps -= min(sheets.steps, 1 + <uint64_t> (item.length + inner.length) / STEP_BYTES)
            if sheets.steps == 0:
                sheets.too_large = True
                return 0
            if place.outer.length and read_selector(sheets, item.data, item.data + item.length, &selector) < 0:
                return OUT_OF_MEMORY
            if read_selector(sheets, inner.data, inner.data + inner.length, &selector) < 0:
                return OUT_OF_MEMORY
            if selector.invalid:
                sheets.n_rules = rules
                sheets.n_compounds = compounds
                sheets.n_names = names
                return 0
            outcome = add_rule(sheets, &selector, place, look, said, important, kind)
            if outcome <= 0:
                return outcome
            if sheets.n_rules == n_rules:
                sheets.n_names = n_names
            if rest.data == place.head.data + place.head.length and (rest.data - 1)[0] != c",":
                break
        if outer.length == 0:
            return 0


cdef int add_rule(
    Sheets* sheets, const Selector* selector, const Place* place, const Look* look, uint16_t said, uint16_t important,
    uint64_t kind
) noexcept nogil:
    """Add the rule of one selector, if it matters. 0 if there are too many."""
    cdef Rule* rule
    cdef uint32_t i
    if (
        selector.never or selector.n_compounds == 0 or (not selector.exact and kind != SHOWING)
        # no text, and in every sheet that takes back a browser's own styles
        or selector.compounds[selector.n_compounds - 1].tag in (TAG_TEMPLATE, TAG_AUDIO)
    ):
        return 1
    if sheets.n_rules == MAX_RULES:
        sheets.too_large = True
        return 0
    if (
        make_room(&sheets.rules, &sheets.rules_capacity, <size_t> sheets.n_rules + 1) < 0
        or make_room(&sheets.compounds, &sheets.compounds_capacity, <size_t> sheets.n_compounds + MAX_COMPOUNDS) < 0
    ):
        return OUT_OF_MEMORY
    rule = sheets.rules + sheets.n_rules
    rule.first = sheets.n_compounds
    for i in range(selector.n_compounds):
        sheets.compounds[sheets.n_compounds] = selector.compounds[i]
        sheets.n_compounds += 1
    rule.end = sheets.n_compounds
    rule.next = 0
    rule.layer = place.layer
    rule.rank = <uint64_t> min(selector.specificity, <uint32_t> 0xFFFFFF) << 22 | place.order
    rule.said = said
    rule.important = important
    rule.look = look[0]
    sheets.n_rules += 1
    return 1


# --- sheets ---


cdef bint may_conceal(uint16_t properties, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if a property with the value [p, end), which has no escape and no comment, may conceal by itself."""
    cdef uint8_t c
    if properties & (1 << PROPERTY_CLIP | 1 << PROPERTY_CLIP_PATH):
        return True
    if properties & (1 << PROPERTY_LEFT | 1 << PROPERTY_TOP | 1 << PROPERTY_INDENT):
        while p < end:      # a negative number; an indent of all its line
            if p[0] == c"-" or p[0] == c"%":
                return True
            p += 1
        return False
    while p < end and is_space(p[0]):
        p += 1
    c = p[0] | 0x20 if p < end else <uint8_t> 0
    if properties & 1 << PROPERTY_DISPLAY:
        return c == c"n"
    if properties & (1 << PROPERTY_VISIBILITY | 1 << PROPERTY_SKIPPING):
        return c == c"h" or c == c"c"
    if properties & (1 << PROPERTY_FONT | 1 << PROPERTY_OPACITY):
        return c in (c"0", c"+", c"-", c".")
    return False


cdef uint16_t look_over(const uint8_t* p, const uint8_t* end, bint* conceals) noexcept nogil:
    """A bit for each property of which the declarations of a rule may say something. `conceals`: they may conceal.
    There are no strings, escapes, comments and blocks in them.
    """
    cdef uint16_t found = 0, properties
    cdef const uint8_t* value
    cdef const uint8_t* semicolon
    conceals[0] = False
    while True:
        while p < end and (is_space(p[0]) or p[0] == c";"):
            p += 1
        if p + 4 >= end:
            break
        properties = may_be(p, end)
        value = p
        semicolon = scan_byte(p, end, c";")
        if properties:
            found |= properties
            value = scan_byte(p, semicolon, c":")
            conceals[0] = conceals[0] or may_conceal(properties, value + (value < semicolon), semicolon)
        p = semicolon
    conceals[0] = conceals[0] or found & BOX == BOX
    return found


cdef const uint8_t* end_of_prelude(const uint8_t* p, const uint8_t* end, bint strings) noexcept nogil:
    """The brace, semicolon or closing brace that ends a selector, the head of an at-rule, or a declaration. In the latter
    two there may be strings.
    """
    cdef bint unused = False
    while True:
        if not strings:
            p = scan_prelude(p, end)
        if p >= end or p[0] == c"{" or p[0] == c";" or p[0] == c"}":
            return min(p, end)
        if p[0] == c"(" or p[0] == c"[":
            p = skip_block(p, end, &unused)
        elif p[0] == c"\\":
            p += 2
        elif p[0] == c"/" and p + 1 < end and p[1] == c"*":
            p = skip_blanks(p, end)
        elif strings and (p[0] == c'"' or p[0] == c"'"):
            p = skip_string(p, end)
        else:
            p += 1


cdef bint is_of_screen(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True for a condition other than a width that holds for a reader before a large screen."""
    cdef uint8_t[40] text
    cdef uint32_t length = 0
    while p < end and length < 40 and p[0] != c")":
        text[length] = p[0]
        length += not is_space(p[0])
        p += 1
    return value_of_word(&OF_SCREEN, text, length) != 0


cdef inline bint stands_at(const uint8_t* p, const uint8_t* end, const char* lower) noexcept nogil:
    """True if a lower-case word stands at p, ignoring ASCII case."""
    return begins_ascii(p, end - p, lower, strlen(lower))


cdef const uint8_t* read_width(const uint8_t* p, const uint8_t* end, uint32_t* pixels) noexcept nogil:
    """Read a length in tenths of a pixel, and return its end; NULL if it is none."""
    cdef uint32_t whole = 0, tenth = 0
    p = skip_blanks(p, end)
    if p == end or not c"0" <= p[0] <= c"9":
        return NULL
    while p < end and c"0" <= p[0] <= c"9":
        whole = min(10 * whole + p[0] - c"0", <uint32_t> 99999)
        p += 1
    if p + 1 < end and p[0] == c"." and c"0" <= p[1] <= c"9":
        tenth = p[1] - c"0"
        p += 1
        while p < end and c"0" <= p[0] <= c"9":
            p += 1
    pixels[0] = 10 * whole + tenth
    if stands_at(p, end, b"em") or stands_at(p, end, b"rem"):
        pixels[0] *= 16
    elif not stands_at(p, end, b"px") and pixels[0] != 0:
        return NULL
    while p < end and c"a" <= (p[0] | 0x20) <= c"z":
        p += 1
    return skip_blanks(p, end)


cdef bint compares(const uint8_t** p, const uint8_t* end, uint32_t left, uint32_t right) noexcept nogil:
    """Read a comparison, and return whether it holds."""
    cdef bint less = p[0] < end and p[0][0] == c"<", equal
    if p[0] == end or (p[0][0] != c"<" and p[0][0] != c">" and p[0][0] != c"="):
        return False
    equal = p[0][0] == c"="
    p[0] += 1
    if not equal and p[0] < end and p[0][0] == c"=":
        equal = True
        p[0] += 1
    elif equal:
        return left == right
    return (left < right if less else left > right) or (equal and left == right)


cdef bint holds_range(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if a condition such as (width >= 40em) or (400px < width <= 60em) holds."""
    cdef uint32_t pixels = 0
    cdef bint holds = True
    cdef const uint8_t* q = read_width(p, end, &pixels)
    if q != NULL:
        holds = compares(&q, end, pixels, 10 * SCREEN)
        p = skip_blanks(q, end)
    if not stands_at(p, end, b"width"):
        return False
    p = skip_blanks(p + strlen(b"width"), end)
    if p < end and p[0] == c")":
        return holds and q != NULL
    q = p
    holds = holds and q < end and read_width(q + 1 + (q + 1 < end and q[1] == c"="), end, &pixels) != NULL
    return holds and compares(&q, end, 10 * SCREEN, pixels)


cdef bint holds_width(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if a condition in brackets holds: mostly a width on a screen of SCREEN pixels."""
    cdef uint32_t pixels = 0
    cdef bint least
    p = skip_blanks(p, end)
    least = stands_at(p, end, b"min-width")
    if not least and not stands_at(p, end, b"max-width"):
        return is_of_screen(p, end) or holds_range(p, end)
    p = skip_blanks(p + strlen(b"min-width"), end)      # or max-width
    if p == end or p[0] != c":" or read_width(p + 1, end, &pixels) == NULL:
        return False
    return 10 * SCREEN >= pixels if least else 10 * SCREEN <= pixels


cdef bint holds_query(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if one media query holds."""
    cdef bint negated = False, holds = True, unused = False, known
    cdef bint escaped = False
    cdef const uint8_t* q
    cdef Slice name
    while True:
        p = skip_blanks(p, end)
        if p >= end:
            return holds != negated
        if p[0] == c"(":
            q = skip_block(p, end, &unused)
            known = holds_width(p + 1, q)
            holds = holds and known
            p = q
            continue
        p = read_name(p, end, &name, &escaped)
        if name.length == 0:
            return False
        if is_word(name, b"not"):
            negated = True
        elif not (is_word(name, b"and") or is_word(name, b"all") or is_word(name, b"only") or is_word(name, b"screen")):
            holds = False


cdef bint holds_media(Slice media) noexcept nogil:
    """True if a list of media queries holds; an empty one does."""
    cdef const uint8_t* p = media.data
    cdef const uint8_t* end = p + media.length
    cdef const uint8_t* q
    p = skip_blanks(p, end)
    if p >= end:
        return True
    while p < end:
        q = <const uint8_t*> memchr(p, c",", end - p)
        if q == NULL:
            q = end
        if holds_query(p, q):
            return True
        p = q + 1
    return False


cdef uint16_t layer_of(Sheets* sheets, Slice name) noexcept nogil:
    """The number of a layer by its name; a new one if it has none."""
    cdef const uint8_t* p = skip_blanks(name.data, name.data + name.length)
    cdef uint32_t i
    cdef bint escaped = False
    read_name(p, name.data + name.length, &name, &escaped)
    for i in range(sheets.n_layers):
        if name.length and same_bytes(name, sheets.layers[i]):
            return <uint16_t> i
    if sheets.n_layers == MAX_LAYERS:
        return MAX_LAYERS
    sheets.layers[sheets.n_layers] = name
    sheets.n_layers += 1
    return <uint16_t> (sheets.n_layers - 1)


cdef void name_layers(Sheets* sheets, Slice list) noexcept nogil:
    """Note the order of layers."""
    while list.length:
        layer_of(sheets, next_selector(&list))


cdef bint enters(Sheets* sheets, Slice name, Slice prelude, uint16_t* layer) noexcept nogil:
    """True for an at-rule whose rules are read."""
    if is_word(name, b"media"):
        return holds_media(prelude)
    if is_word(name, b"supports"):
        return not begins_word(without_leading_space(prelude), b"not")
    if is_word(name, b"layer"):
        if layer[0] == NO_LAYER:        # one within another is part of it
            layer[0] = layer_of(sheets, prelude)
        return True
    return False


cdef void start_sheets(Sheets* sheets, const Tree* tree) noexcept nogil:
    """Forget the rules of the page before."""
    sheets.n_rules = 0
    sheets.n_unread = 0
    sheets.n_compounds = 0
    sheets.n_names = 0
    sheets.unseen = 0
    sheets.n_layers = 0
    sheets.order = 0
    sheets.bytes = 0
    sheets.steps = FIRST_STEPS + MAX_STEPS * <uint64_t> tree.n_nodes
    sheets.by_tag = False
    sheets.by_anything = False
    sheets.showing = False
    sheets.too_large = False


cdef int read_sheet(Sheets* sheets, Slice text, Slice media) noexcept nogil:
    """Read the rules of one style element with its media attribute. Rules within a rule are read one deep."""
    cdef const uint8_t* p = text.data
    cdef const uint8_t* end = p + text.length
    cdef const uint8_t* head
    cdef const uint8_t* body
    cdef const uint8_t* close
    cdef Slice name, prelude
    cdef Place place        # its head is that of the rule that is open
    cdef uint16_t[MAX_GROUPS] layers        # of each open group: the layer around it
    cdef uint32_t depth = 0, opened = 0     # groups, and which of them is the rule, plus 1
    cdef bint unused = False
    cdef int odd
    if not holds_media(media) or sheets.too_large:
        return 0
    if text.length > MAX_SHEETS - sheets.bytes:
        sheets.too_large = True
        return 0
    sheets.bytes += text.length
    memset(&place, 0, sizeof(Place))
    place.layer = NO_LAYER
    while True:
        p = skip_blanks(p, end)
        if p >= end:
            return 0
        head = p
        if p[0] == c"}" and depth:
            depth -= 1
            place.layer = layers[depth]
            if depth < opened:
                opened = 0
            p += 1
            continue
        if p[0] == c"<" or p[0] == c"-" and end - p > 2 and p[1] == c"-" and p[2] == c">":
            p += 1          # of the comment that old pages put around a sheet
            while p < end and (p[0] == c"!" or p[0] == c"-" or p[0] == c">"):
                p += 1
            continue
        body = end_of_prelude(p, end, opened != 0 or p[0] == c"@")
        if body >= end and not opened:
            return 0
        prelude.data = p
        if head[0] == c"@":
            prelude.data = read_name(head + 1, body, &name, &unused)
        prelude.length = <uint32_t> (body - prelude.data)
        if body >= end or body[0] != c"{":
            if head[0] == c"@" and is_word(name, b"layer"):
                name_layers(sheets, prelude)
            elif opened and head[0] != c"@":        # a declaration beside rules within a rule
                place.body = prelude
                if add_body(sheets, &place, True) < 0:
                    return OUT_OF_MEMORY
            elif head[0] != c"@":       # a brace or semicolon too many is part of a rule's head, and so voids that rule
                while body < end and body[0] != c"{" and not (body[0] == c"}" and depth):
                    body = end_of_prelude(body + 1, end, True)
                p = skip_block(body, end, &unused) if body < end and body[0] == c"{" else body
                continue
            p = body + (body < end and body[0] == c";")
            continue
        if head[0] == c"@":
            if depth < MAX_GROUPS:
                layers[depth] = place.layer
                if enters(sheets, name, prelude, &place.layer):
                    depth += 1
                    p = body + 1
                    continue
            p = skip_block(body, end, &unused)
            continue
        close = scan_body(body + 1, end, &odd)
        if odd:     # the brace may be in a string, a comment, an escape or a block
            close = skip_block(body, end, &unused)
            close -= close > body and (close - 1)[0] == c"}"
            if not opened and depth < MAX_GROUPS and memchr(body + 1, c"{", close - body - 1) != NULL:
                place.head = prelude
                layers[depth] = place.layer
                depth += 1
                opened = depth
                p = body + 1
                continue
        if opened:
            place.outer = place.head
        place.head = prelude
        place.body.data = body + 1
        place.body.length = <uint32_t> (close - body - 1)
        if add_body(sheets, &place, odd) < 0:
            return OUT_OF_MEMORY
        if opened:
            place.head = place.outer
            place.outer.length = 0
        p = close + (close < end)


cdef int add_body(Sheets* sheets, Place* place, bint odd) noexcept nogil:
    """Add the rules of a selector list with a body that may conceal; note the place of any other that may say something.
    """
    cdef UnreadRule* rule
    cdef Look look
    cdef uint16_t may_say = ALL_PROPERTIES, said, important, unseen
    cdef bint conceals = True
    if sheets.too_large:
        return 0
    if not odd:
        may_say = look_over(place.body.data, place.body.data + place.body.length, &conceals)
    if may_say == 0:
        return 0
    sheets.order += 1
    place.order = sheets.order
    if conceals:
        said = read_style(place.body, not odd, &look, &important)
        unseen = unseen_of(&look)
        if unseen:
            sheets.unseen |= unseen
            return add_rules(sheets, place, &look, said, important, 0)
        may_say = said
        if said == 0:
            return 0
    if sheets.n_unread == MAX_RULES:
        sheets.too_large = True
        return 0
    if make_room(&sheets.unread, &sheets.unread_capacity, <size_t> sheets.n_unread + 1) < 0:
        return OUT_OF_MEMORY
    rule = sheets.unread + sheets.n_unread
    rule.place = place[0]
    rule.may_say = may_say
    rule.odd = odd
    sheets.n_unread += 1
    return 0


cdef int read_unread(Sheets* sheets) noexcept nogil:
    """Read the rules that say something of the properties by which elements are concealed: those that show."""
    cdef const UnreadRule* rule
    cdef Look look
    cdef uint16_t said, important
    cdef uint32_t i
    cdef uint32_t first = sheets.n_rules
    sheets.showing = True
    for i in range(sheets.n_unread):
        rule = sheets.unread + i
        if not rule.may_say & sheets.matters:
            continue
        said = read_style(rule.place.body, not rule.odd, &look, &important)
        if said & sheets.matters and add_rules(sheets, &rule.place, &look, said, important, SHOWING) < 0:
            return OUT_OF_MEMORY
    return enter_rules(sheets, first, SHOWING)


cdef int finish_sheets(Sheets* sheets) noexcept nogil:
    """Enter the rules that conceal by their last compounds. Rules that say nothing of a property by which another rule
    conceals cannot change what is shown.
    """
    empty_table(&sheets.keys)
    memset(sheets.lengths, 0, sizeof(sheets.lengths))
    memset(sheets.classes, 0, sizeof(sheets.classes))
    sheets.matters = sheets.unseen
    if sheets.matters & (1 << PROPERTY_CLIP | 1 << PROPERTY_LEFT | 1 << PROPERTY_TOP | 1 << PROPERTY_OVERFLOW):
        sheets.matters |= <uint16_t> (1 << PROPERTY_POSITION)
    if sheets.matters & 1 << PROPERTY_OVERFLOW:
        sheets.matters |= <uint16_t> (1 << PROPERTY_WIDTH | 1 << PROPERTY_HEIGHT)
    return enter_rules(sheets, 0, 0)


cdef const Name* key_name(const Sheets* sheets, const Compound* compound) noexcept nogil:
    """The last class, id or custom element that a compound asks for; NULL if there is none."""
    cdef uint32_t i = compound.end
    while i > compound.first:
        i -= 1
        if sheets.names[i].kind != NAME_ATTRIBUTE and not sheets.names[i].negated:
            return sheets.names + i
    return NULL


cdef bint has_attribute(const Sheets* sheets, const Compound* compound) noexcept nogil:
    """True if a compound asks for an attribute."""
    cdef uint32_t i
    for i in range(compound.first, compound.end):
        if not sheets.names[i].negated:
            return True
    return False


cdef int enter_rules(Sheets* sheets, uint32_t first, uint64_t kind) noexcept nogil:
    """Enter the rules from `first` on by their last compounds."""
    cdef uint8_t[MAX_NAME_BYTES] plain
    cdef const Compound* compound
    cdef const Name* name
    cdef Rule* rule
    cdef uint64_t key
    cdef uint32_t i = sheets.n_rules, length, found
    while i > first:    # so that each chain is in the order of the rules
        i -= 1
        rule = sheets.rules + i
        compound = sheets.compounds + rule.end - 1
        name = key_name(sheets, compound)
        if name != NULL:
            length = plain_name(name.text, plain)
            if length == 0:
                continue
            key = key_of(plain, length, name.kind)
            sheets.lengths[plain[0] & 63] |= <uint64_t> 1 << (length & 63)
            sheets.by_tag = sheets.by_tag or (kind == 0 and name.kind == NAME_ELEMENT)
        elif compound.tag != 0:
            key = compound.tag
            sheets.by_tag = sheets.by_tag or kind == 0
        elif has_attribute(sheets, compound):
            key = ANYTHING
            sheets.by_anything = sheets.by_anything or kind == 0
        else:
            continue        # every element, of which few rules say anything, but many elements would be asked
        key ^= kind
        found = 0
        if enter_key(&sheets.keys, key, i + 1, &found) < 0:
            return OUT_OF_MEMORY
        if found != i + 1:
            rule.next = found
            entry_for(&sheets.keys, key).value = i + 1
    return 0


# --- matching ---


cdef bint fits(const Name* name, Slice value) noexcept nogil:
    """True if the value of an attribute is as a selector asks."""
    cdef Slice word, wanted = name.value
    cdef uint32_t i
    if name.sign == 0:
        return True
    if name.sign == c"=":
        return same_bytes(value, wanted)
    if wanted.length == 0 or value.length < wanted.length:
        return False
    if name.sign == c"~":
        while next_word(&value, &word):
            if same_bytes(word, wanted):
                return True
        return False
    if name.sign == c"$":
        return memcmp(value.data + value.length - wanted.length, wanted.data, wanted.length) == 0
    if name.sign == c"*":
        for i in range(value.length - wanted.length + 1):
            if value.data[i] == wanted.data[0] and memcmp(value.data + i, wanted.data, wanted.length) == 0:
                return True
        return False
    return memcmp(value.data, wanted.data, wanted.length) == 0 and (
        name.sign == c"^" or value.length == wanted.length or value.data[wanted.length] == c"-"
    )


cdef bint has_attribute_as(Sheets* sheets, const Tree* tree, uint32_t n, const Name* name) noexcept nogil:
    """True if an element has an attribute as a selector asks."""
    cdef const Attribute* attribute = tree.attributes + tree.nodes[n].attributes
    cdef Slice known
    cdef uint32_t i
    for i in range(tree.nodes[n].n_attributes):
        if attribute[i].name_length == name.text.length:
            known = name_of(tree, attribute + i)
            if equals_ascii(name.text.data, name.text.length, <const char*> known.data, known.length):
                sheets.steps -= min(sheets.steps, <uint64_t> (attribute[i].value_length >> 7) * (name.value.length + 1))
                return fits(name, value_of(tree, attribute + i))
    sheets.steps -= min(sheets.steps, <uint64_t> (tree.nodes[n].n_attributes >> 3))
    return False


cdef bint has_name(Sheets* sheets, const Tree* tree, uint32_t n, const Name* name) noexcept nogil:
    """True if an element is or has what a selector names. A long attribute takes further steps."""
    cdef uint8_t[MAX_NAME_BYTES] plain
    cdef const Attribute* attribute
    cdef Slice value, word, wanted = name.text
    if name.kind == NAME_ATTRIBUTE:
        return has_attribute_as(sheets, tree, n, name)
    if name.kind == NAME_ELEMENT:
        if name.tag != 0 or tree.nodes[n].tag < TAG_COUNT:
            return name.tag == tree.nodes[n].tag
        value = text_of(tree, n)
        return equals_ascii(wanted.data, wanted.length, <const char*> value.data, value.length)
    attribute = find_attribute(tree, n, ATTR_ID if name.kind == NAME_ID else ATTR_CLASS)
    if attribute == NULL:
        return False
    if name.escaped:
        wanted.length = plain_name(name.text, plain)
        wanted.data = plain
        if wanted.length == 0:
            return False
    value = value_of(tree, attribute)
    sheets.steps -= min(sheets.steps, <uint64_t> (value.length >> 7))
    if name.kind == NAME_ID:
        return same_bytes(value, wanted)
    while next_word(&value, &word):
        if same_bytes(word, wanted):
            return True
    return False


cdef bint is_compound(Sheets* sheets, const Tree* tree, uint32_t n, const Compound* compound) noexcept nogil:
    """True if an element has all that a compound names."""
    cdef uint32_t i
    sheets.steps -= sheets.steps > 0
    if tree.nodes[n].kind != KIND_ELEMENT or (
        compound.tag != 0 and (tree.nodes[n].tag != compound.tag or tree.nodes[n].namespace != NS_HTML)
    ):
        return False
    for i in range(compound.first, compound.end):
        if has_name(sheets, tree, n, sheets.names + i) == sheets.names[i].negated:
            return False
    return True


cdef uint32_t element_before(Sheets* sheets, const Tree* tree, uint32_t n) noexcept nogil:
    """The sibling element just before another; 0 if there is none. Each node on the way is a step."""
    cdef uint32_t parent = tree.nodes[n].parent, m = n - 1
    while m > parent and sheets.steps != 0:
        sheets.steps -= 1
        if tree.nodes[m].parent != parent:
            m = tree.nodes[m].parent
        elif tree.nodes[m].kind == KIND_ELEMENT:
            return m
        else:
            m -= 1
    return 0


cdef bint matches(Sheets* sheets, const Tree* tree, uint32_t n, const Rule* rule) noexcept nogil:
    """True if a rule's selector selects an element. Of several ancestors that fit, the closest is taken, and the next one
    if what it should be the child of, or stand after, is not there.
    """
    cdef const Compound* compound = sheets.compounds + rule.end - 1
    cdef const Compound* first = sheets.compounds + rule.first
    cdef const Compound* inside = NULL      # the last compound that stands within another, which is
    cdef uint32_t around = 0                # this element
    cdef uint32_t climbed = 0
    if not is_compound(sheets, tree, n, compound):
        return False
    while compound > first:
        if sheets.steps == 0 or climbed == MAX_CLIMB:
            return False
        climbed += 1
        if compound.relation == IS_WITHIN or compound.relation == IS_CHILD:
            n = tree.nodes[n].parent
        else:
            n = element_before(sheets, tree, n)
        if n != 0 and is_compound(sheets, tree, n, compound - 1):
            if compound.relation == IS_WITHIN:
                inside = compound
                around = n
            compound -= 1
            climbed = 0
        elif n == 0 or compound.relation == IS_CHILD or compound.relation == IS_NEXT:
            if inside == NULL or (compound.relation == IS_WITHIN and n == 0):
                return False
            compound = inside
            n = around
    return True


cdef void apply_rules(
    Sheets* sheets, const Tree* tree, uint32_t n, uint32_t number, uint64_t* ranks, Look* look, uint16_t* important,
    uint16_t* said
) noexcept nogil:
    """Apply the rules of a chain, if there is one, that select an element. `ranks` has the rank of the rule that decided
    each property: whether it is important, its layer, its specificity, and its place among rules of the same.
    """
    cdef const Rule* rule
    cdef uint64_t rank
    cdef int i
    cdef bint strong
    while number != 0 and sheets.steps != 0:
        rule = sheets.rules + number - 1
        if matches(sheets, tree, n, rule):
            for i in range(PROPERTIES):
                if not rule.said >> i & 1:
                    continue
                strong = rule.important >> i & 1
                rank = rule.rank | <uint64_t> (NO_LAYER - rule.layer if strong else rule.layer) << 46 | (
                    <uint64_t> strong << 63
                )
                if said[0] >> i & 1 and ranks[i] > rank:
                    continue
                ranks[i] = rank
                look.values[i] = rule.look.values[i]
                said[0] |= <uint16_t> (1 << i)
                if strong:
                    important[0] |= <uint16_t> (1 << i)
        number = rule.next


cdef inline uint32_t chain_of(Sheets* sheets, uint64_t key) noexcept nogil:
    """The first rule, plus 1, whose last compound has this key; 0 if there is none."""
    cdef uint32_t found = find_key(&sheets.keys, key)
    return 0 if found == <uint32_t> NOT_FOUND else found


cdef inline uint32_t chain_of_name(Sheets* sheets, Slice name, uint8_t of, uint64_t kind) noexcept nogil:
    """The first rule, plus 1, whose last compound has this class, id or custom element; 0 if there is none."""
    if name.length == 0 or not sheets.lengths[name.data[0] & 63] >> (name.length & 63) & 1:
        return 0
    return chain_of(sheets, key_of(name.data, name.length, of) ^ kind)


cdef void look_up_kind(
    Sheets* sheets, const Tree* tree, uint32_t n, uint64_t kind, uint64_t* ranks, Look* look, uint16_t* important,
    uint16_t* said
) noexcept nogil:
    """Apply the rules of one kind that select an element: those that conceal (0), or those that show (SHOWING)."""
    cdef const Node* node = tree.nodes + n
    cdef const Attribute* attribute
    cdef KnownValue* known
    cdef Slice value, word
    cdef uint32_t i, classes = 0, chain
    cdef bint any_chain
    if (sheets.by_tag or kind) and node.namespace == NS_HTML and node.tag < TAG_COUNT:
        apply_rules(sheets, tree, n, chain_of(sheets, node.tag ^ kind), ranks, look, important, said)
    elif node.tag >= TAG_COUNT:
        chain = chain_of_name(sheets, slice_at(tree, node.start, node.length), NAME_ELEMENT, kind)
        apply_rules(sheets, tree, n, chain, ranks, look, important, said)
    if sheets.by_anything or kind:
        apply_rules(sheets, tree, n, chain_of(sheets, ANYTHING ^ kind), ranks, look, important, said)
    for i in range(node.n_attributes):
        attribute = tree.attributes + node.attributes + i
        if attribute.name != ATTR_CLASS and attribute.name != ATTR_ID:
            continue
        value = value_of(tree, attribute)
        if attribute.name == ATTR_ID:
            apply_rules(sheets, tree, n, chain_of_name(sheets, value, NAME_ID, kind), ranks, look, important, said)
            continue
        known = sheets.classes + place_of_value(attribute)
        if kind == 0 and is_known(known, attribute) and not known.said:
            continue
        any_chain = False
        while classes < MAX_CLASSES and next_word(&value, &word):
            classes += 1
            chain = chain_of_name(sheets, word, NAME_CLASS, kind)
            if chain:
                any_chain = True
                apply_rules(sheets, tree, n, chain, ranks, look, important, said)
        if kind == 0:
            known.said = any_chain


cdef int look_up(
    Sheets* sheets, const Tree* tree, uint32_t n, bint shows, Look* look, uint16_t* important
) noexcept nogil:
    """What the rules say of an element. Returns a bit for each property that they say something of; 0 if no rule conceals
    it, as for most elements. Rules that show are looked at for the others only, unless `shows`.
    """
    cdef uint64_t[PROPERTIES] ranks
    cdef uint16_t said = 0
    important[0] = 0
    memset(look, 0, sizeof(Look))
    look_up_kind(sheets, tree, n, 0, ranks, look, important, &said)
    if said == 0 and not shows:
        return 0
    if not sheets.showing and read_unread(sheets) < 0:
        return OUT_OF_MEMORY
    look_up_kind(sheets, tree, n, SHOWING, ranks, look, important, &said)
    return said


cdef size_t sheets_memory(Sheets* sheets, bint freed) noexcept nogil:
    """Bytes of memory held; frees them if asked."""
    cdef size_t total = (
        held(sheets.rules, sheets.rules_capacity * sizeof(Rule), freed)
        + held(sheets.unread, sheets.unread_capacity * sizeof(UnreadRule), freed)
        + held(sheets.compounds, sheets.compounds_capacity * sizeof(Compound), freed)
        + held(sheets.names, sheets.names_capacity * sizeof(Name), freed)
        + table_bytes(&sheets.keys)
    )
    if freed:
        free_table(&sheets.keys)
        memset(sheets, 0, sizeof(Sheets))
    return total
