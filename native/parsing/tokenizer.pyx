# SPDX-License-Identifier: Apache-2.0
"""The standard's tokenization stage (13.2.5).

One function implements all states that a token goes through; its comments name them. Only the states that a token can
begin in (data, RCDATA, RAWTEXT, script data, PLAINTEXT, CDATA section) are values.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.base.characters cimport begins_ascii
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport KNOWN_KEY, empty_table, enter_key, free_table, hash_secret, key_of_bytes
from thresher.native.parsing.arena cimport *
from thresher.native.parsing.entities cimport REFERENCE_BYTES, decode_common, decode_reference
from thresher.native.base.scan cimport *
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tree cimport SIDE, Attribute

from thresher.native.parsing.tags import TAG_NAMES

cdef enum:
    MAX_TAG_ATTRIBUTES = 1024       # further ones are left out: walks up the tree read those of every ancestor
    _NOTHING = 255                  # not a token: only the state changed
    SHORT_RUN = 16                  # bytes that are copied at once
    MAX_NAME_WORDS = 24             # bytes of a name that NameWords hold


cdef void start_tokenizer(Tokenizer* t, Arena* arena, const uint8_t* page, uint32_t length) noexcept nogil:
    """Begin a page in the data state, keeping the tokenizer's memory."""
    memset(&t.token, 0, sizeof(t.token))    # drop the last token of the previous page
    t.arena = arena
    t.names = name_tables()
    t.at = page
    t.end = page + length
    t.state = DATA_STATE
    t.last_start_tag = TAG_UNKNOWN
    t.last_length = 0
    t.cdata_allowed = False
    memset(t.classes, 0, sizeof(t.classes))


cdef void free_tokenizer(Tokenizer* t) noexcept nogil:
    """Free all memory."""
    free_table(&t.unknown_names)


cdef inline bint _is_alpha(uint8_t byte) noexcept nogil:
    return c'a' <= (byte | 32) <= c'z'


cdef inline bint _is_space(uint8_t byte) noexcept nogil:
    return byte == c' ' or byte == c'\n' or byte == c'\t' or byte == c'\f' or byte == c'\r'


cdef inline uint32_t _address(const Tokenizer* t, const uint8_t* p) noexcept nogil:
    return <uint32_t>(p - t.arena.page)


# --- the side buffer -------------------------------------------------------------------------------------------------


cdef void _copy(Tokenizer* t, const uint8_t* p, const uint8_t* q) noexcept nogil:
    """Append bytes of the page to the side buffer."""
    cdef size_t length = <size_t>(q - p)
    if length != 0 and reserve_side(t.arena, length) == 0:
        append_side(t.arena, p, <uint32_t>length)


cdef inline void _copy_decoded(
    Tokenizer* t, const uint8_t* p, const uint8_t* q, const uint8_t* decoded, uint32_t written
) noexcept nogil:
    """Append bytes of the page to the side buffer, and then the `written` bytes of a decoded reference."""
    cdef Arena* arena = t.arena
    cdef uint8_t* side
    if written == 1 and q - p <= SHORT_RUN and t.end - p >= SHORT_RUN:
        # The usual case: a copy of fixed size is two instructions, and what is too much is overwritten.
        if reserve_side(arena, SHORT_RUN + 1) == 0:
            THRESHER_CHECK(<uint64_t> arena.side_length + SHORT_RUN + 1 <= arena.side_capacity)
            side = arena.side + arena.side_length
            memcpy(side, p, SHORT_RUN)
            side[q - p] = decoded[0]
            arena.side_length += <uint32_t>(q - p) + 1
        return
    _copy(t, p, q)
    _copy(t, decoded, decoded + written)


cdef void _copy_replacement(Tokenizer* t) noexcept nogil:
    """Append U+FFFD, the replacement for NUL, to the side buffer."""
    if reserve_side(t.arena, 3) == 0:
        append_side(t.arena, b"\xEF\xBF\xBD", 3)


cdef void _copy_without_null(Tokenizer* t, const uint8_t* p, const uint8_t* q) noexcept nogil:
    """Append bytes of the page to the side buffer, NUL as U+FFFD."""
    cdef const uint8_t* nul
    while True:
        nul = scan_byte(p, q, 0)
        _copy(t, p, nul)
        if nul == q:
            return
        _copy_replacement(t)
        p = nul + 1


cdef void _copy_lower(Tokenizer* t, const uint8_t* p, const uint8_t* q) noexcept nogil:
    """Append a name to the side buffer in lower case, NUL as U+FFFD."""
    cdef Arena* arena = t.arena
    cdef uint8_t c
    if reserve_side(arena, <uint64_t>(q - p) * 3) < 0:
        return
    while p < q:
        c = p[0]
        p += 1
        if c == 0:
            _copy_replacement(t)
            continue
        if c'A' <= c <= c'Z':
            c |= 32
        append_side_byte(arena, c)


cdef void _set_slice(Tokenizer* t, const uint8_t* p, const uint8_t* q) noexcept nogil:
    """Set the token's text to these bytes of the page, NUL as U+FFFD."""
    cdef uint32_t start
    if scan_byte(p, q, 0) == q:
        t.token.start = _address(t, p)
        t.token.length = <uint32_t>(q - p)
        return
    start = t.arena.side_length
    _copy_without_null(t, p, q)
    t.token.start = <uint32_t>SIDE | start
    t.token.length = t.arena.side_length - start


# --- text ------------------------------------------------------------------------------------------------------------


cdef uint32_t _text(Tokenizer* t, const uint8_t* start, const uint8_t* q, bint markup) noexcept nogil:
    """Data state and RCDATA state: text from `start` to t.end or, in data, to markup, with references decoded. Up to q,
    where the scan begins, there is nothing of interest.

    `markup`: "<" followed by a letter, "/", "!" or "?" ends the text. True in the data state; in RCDATA the caller has
    found the end and set t.end to it for now.
    """
    cdef const uint8_t* p = start       # what precedes it is done
    cdef const uint8_t* end = t.end
    cdef uint8_t decoded[REFERENCE_BYTES]
    cdef uint32_t side = 0, written = 0, taken
    cdef bint in_side = False
    cdef uint8_t c
    while True:
        q = scan_text(q, end)
        if q == end:
            break
        c = q[0]
        if c == c'<':
            if markup and q + 1 < end:
                c = q[1]
                if _is_alpha(c) or c == c'!' or c == c'?' or (c == c'/' and q + 2 < end):
                    break
            q += 1
        elif c == c'&':
            taken = decode_common(q, end, decoded, &written)
            if taken == 0:
                taken = decode_reference(q, end, False, decoded, &written)
            if taken == 0:
                q += 1
                continue
            if not in_side:
                in_side = True
                side = t.arena.side_length
            _copy_decoded(t, p, q, decoded, written)
            q += taken
            p = q
        elif markup:    # NUL in the data state is a separate token
            break
        else:
            if not in_side:
                in_side = True
                side = t.arena.side_length
            _copy(t, p, q)
            _copy_replacement(t)
            q += 1
            p = q
    t.at = q
    if in_side:
        _copy(t, p, q)
        t.token.start = <uint32_t>SIDE | side
        t.token.length = t.arena.side_length - side
    else:
        t.token.start = _address(t, start)
        t.token.length = <uint32_t>(q - start)
    t.token.kind = TOKEN_TEXT
    return TOKEN_TEXT


cdef uint32_t _null(Tokenizer* t) noexcept nogil:
    """A run of NUL in the data state or a CDATA section."""
    cdef const uint8_t* p = t.at
    while p < t.end and p[0] == 0:
        p += 1
    t.token.kind = TOKEN_NULL
    t.token.start = _address(t, t.at)
    t.token.length = <uint32_t>(p - t.at)
    t.at = p
    return TOKEN_NULL


cdef bint _is_end_tag(Tokenizer* t, const uint8_t* p) noexcept nogil:
    """True if the "<" at p begins an "appropriate end tag": RCDATA, RAWTEXT and script data end tag name states."""
    cdef const uint8_t* name = p + 2
    cdef const uint8_t* q
    cdef uint32_t length, i, number
    cdef uint8_t c
    if t.end - p < 4 or p[1] != c'/' or not _is_alpha(name[0]):
        return False
    q = scan_name(name, t.end)
    if q == t.end or q[0] == c'=' or not (q[0] == c'>' or q[0] == c'/' or _is_space(q[0])):
        return False
    length = <uint32_t>(q - name)
    if length <= MAX_NAME_WORDS:
        number = find_name(t.names.tags, name_words(name, length, t.end), length)
        if number != TAG_UNKNOWN:
            return number == t.last_start_tag
    if t.last_start_tag != TAG_UNKNOWN or t.last_length != length:
        return False
    for i in range(length):
        c = name[i]
        if c'A' <= c <= c'Z':
            c |= 32
        if c != bytes_at(t.arena, t.last_start, length)[i]:
            return False
    return True


cdef const uint8_t* _raw_end(Tokenizer* t) noexcept nogil:
    """Return the "<" of the end tag that ends RCDATA or RAWTEXT, or t.end."""
    cdef const uint8_t* p = t.at
    while True:
        p = scan_byte(p, t.end, c'<')
        if p == t.end or _is_end_tag(t, p):
            return p
        p += 1


cdef inline bint _is_script(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """True if "script" and white space, "/" or ">" stand at p, as the double escape states require."""
    if end - p < 7 or not (_is_space(p[6]) or p[6] == c'/' or p[6] == c'>'):
        return False
    return (
        (p[0] | 32) == c's' and (p[1] | 32) == c'c' and (p[2] | 32) == c'r' and (p[3] | 32) == c'i'
        and (p[4] | 32) == c'p' and (p[5] | 32) == c't'
    )


cdef const uint8_t* _script_end(Tokenizer* t) noexcept nogil:
    """The script data states: return the "<" of the end tag that ends a script, or t.end.

    States that wait for one character are part of those before them. Three states remain: script data, script data
    escaped (after "<!--") and script data double escaped (after "<script" in that).
    """
    cdef const uint8_t* p = t.at
    cdef const uint8_t* end = t.end
    cdef int escaped = 0    # 1: script data escaped state, 2: script data double escaped state
    while p < end:
        if escaped == 0:
            p = scan_byte(p, end, c'<')
            if p == end:
                break
            if end - p >= 4 and p[1] == c'!' and p[2] == c'-' and p[3] == c'-':
                escaped = 1
                p += 2      # both dashes may also begin "-->"
                continue
        else:
            p = scan_escaped_script(p, end)
            if p == end:
                break
            if p[0] == c'-':
                if end - p >= 3 and p[1] == c'-' and p[2] == c'>':
                    escaped = 0
                    p += 3
                else:
                    p += 1
                continue
        if escaped == 2:
            if end - p >= 2 and p[1] == c'/' and _is_script(p + 2, end):    # script data double escape end state
                escaped = 1
                p += 8
            else:
                p += 1
        elif _is_end_tag(t, p):
            return p
        elif escaped == 1 and _is_script(p + 1, end):                       # script data double escape start state
            escaped = 2
            p += 7
        else:
            p += 1
    return end


cdef uint32_t _raw_text(Tokenizer* t) noexcept nogil:
    """RCDATA, RAWTEXT, script data and PLAINTEXT state: all text up to the end tag, then that tag in the data state."""
    cdef const uint8_t* start = t.at
    cdef const uint8_t* page_end = t.end
    cdef const uint8_t* stop
    cdef uint32_t state = t.state
    if state == PLAINTEXT_STATE:
        stop = t.end
    elif state == SCRIPT_DATA_STATE:
        stop = _script_end(t)
    else:
        stop = _raw_end(t)
    if stop != page_end:
        t.state = DATA_STATE
    if stop == start:
        if stop != page_end:
            return _end_tag(t)
        t.token.kind = TOKEN_EOF
        return TOKEN_EOF
    if state == RCDATA_STATE:
        t.end = stop
        _text(t, start, start, False)
        t.end = page_end
    else:
        _set_slice(t, start, stop)
        t.token.kind = TOKEN_TEXT
    t.at = stop
    if stop != page_end:
        t.state = DATA_STATE
    return TOKEN_TEXT


cdef uint32_t _cdata_section(Tokenizer* t) noexcept nogil:
    """CDATA section state: text up to "]]>"; NUL is a token of its own."""
    cdef const uint8_t* p = t.at
    cdef const uint8_t* q = p
    cdef const uint8_t* nul
    while True:
        q = scan_byte(q, t.end, c']')
        if q == t.end or (t.end - q >= 3 and q[1] == c']' and q[2] == c'>'):
            break
        q += 1
    if q == p:
        if q == t.end:
            t.token.kind = TOKEN_EOF
            return TOKEN_EOF
        t.at = q + 3
        t.state = DATA_STATE
        return _NOTHING
    if p[0] == 0:
        return _null(t)
    nul = scan_byte(p, q, 0)
    t.token.kind = TOKEN_TEXT
    t.token.start = _address(t, p)
    t.token.length = <uint32_t>(nul - p)
    t.at = nul
    return TOKEN_TEXT


# --- tags ------------------------------------------------------------------------------------------------------------


cdef const uint8_t* _any_tag_name(Tokenizer* t, const uint8_t* p) noexcept nogil:
    """Set the token's tag to any name and return the byte after it."""
    cdef const uint8_t* q = p
    cdef uint32_t start, length, number
    cdef bint odd = False
    cdef NameWords words
    while True:
        q = scan_name(q, t.end)
        if q == t.end or q[0] == c'>' or q[0] == c'/' or _is_space(q[0]):
            break
        odd = odd or q[0] == 0      # "=" and control characters are part of the name
        q += 1
    length = <uint32_t>(q - p)
    words.upper = 0
    if length <= MAX_NAME_WORDS and not odd:
        words = name_words(p, length, t.end)
        number = find_name(t.names.tags, words, length)
        if number != TAG_UNKNOWN:
            t.token.tag = number
            t.token.start = 0
            t.token.length = 0
            return q
    if odd or length > MAX_NAME_WORDS or words.upper:
        start = t.arena.side_length
        _copy_lower(t, p, q)
        length = t.arena.side_length - start
        start |= <uint32_t>SIDE
    else:
        start = _address(t, p)
    t.token.start = start
    t.token.length = length
    t.token.tag = unknown_tag(t.arena, start, length)
    return q


cdef inline const uint8_t* _tag_name(Tokenizer* t, const uint8_t* p) noexcept nogil:
    """Tag name state: set the token's tag and return the byte after the name."""
    cdef uint32_t length, number
    # Nearly all names are short, in lower case, and end at a ">" or a space.
    cdef uint64_t word = short_name(p, t.end, c'>', c' ', &length)
    number = find_short_name(t.names.short_tags, word, length)
    if number == TAG_UNKNOWN:
        return _any_tag_name(t, p)
    t.token.tag = number
    t.token.start = 0
    t.token.length = 0
    return p + length


cdef inline bint _same_name(const Tokenizer* t, uint32_t index, const uint8_t* name, uint32_t length) noexcept nogil:
    """True if the attribute at an index of Arena.attributes has this name."""
    cdef const Attribute* attribute = t.arena.attributes + index
    THRESHER_CHECK(index < t.arena.n_attributes)
    return (
        attribute.name_length == length and memcmp(bytes_at(t.arena, attribute.name_start, length), name, length) == 0
    )


cdef int _enter_name(Tokenizer* t, uint32_t index, const uint8_t* name, uint32_t length) noexcept nogil:
    """Enter a name into the hash table of this tag: 1 if it is new, 0 if it is known, OUT_OF_MEMORY."""
    cdef uint64_t key = key_of_bytes(name, length, hash_secret())
    cdef uint32_t found
    cdef int entered
    while True:
        entered = enter_key(&t.unknown_names, key, index, &found)
        if entered != KNOWN_KEY:
            return entered
        if _same_name(t, found, name, length):
            return 0
        key += 1        # a different name has this key


cdef int _enter_first_names(Tokenizer* t) noexcept nogil:
    """Enter the names that were compared one by one into the hash table."""
    cdef const Attribute* attribute
    cdef uint32_t i, index
    empty_table(&t.unknown_names)
    for i in range(LINEAR_NAMES):
        index = t.unknown_index[i]
        attribute = t.arena.attributes + index
        if _enter_name(
            t, index, bytes_at(t.arena, attribute.name_start, attribute.name_length), attribute.name_length
        ) < 0:
            return OUT_OF_MEMORY
    return 0


cdef inline uint32_t _hash_of_name(const uint8_t* name, uint32_t length) noexcept nogil:
    """A hash of a name in lower case that is not at hand as words."""
    if length > MAX_NAME_WORDS:
        return hash_bytes(name, length)
    return hash_words(name_words(name, length, name + length))


cdef bint _is_duplicate(Tokenizer* t, uint32_t start, uint32_t length, uint32_t hash) noexcept nogil:
    """True if the tag already has an attribute of this name, which is not in the table. Otherwise remember it. `hash`
    is that of the name as words, or of its bytes if it has more than MAX_NAME_WORDS.

    Without memory to decide, the page ends (STATUS_ERROR).
    """
    cdef const uint8_t* name = bytes_at(t.arena, start, length)
    cdef uint32_t i
    cdef int entered
    if t.n_unknown < LINEAR_NAMES:
        for i in range(t.n_unknown):
            if t.unknown_hash[i] == hash and _same_name(t, t.unknown_index[i], name, length):
                return True
        t.unknown_hash[t.n_unknown] = hash
        t.unknown_index[t.n_unknown] = t.arena.n_attributes
        t.n_unknown += 1
        return False
    if t.n_unknown == LINEAR_NAMES and _enter_first_names(t) < 0:
        t.arena.status = STATUS_ERROR
        return True
    entered = _enter_name(t, t.arena.n_attributes, name, length)
    if entered < 0:
        t.arena.status = STATUS_ERROR
        return True
    t.n_unknown += entered
    return entered == 0


cdef inline void _set_value(Attribute* attribute, uint32_t start, uint32_t length) noexcept nogil:
    attribute.value_start = start
    attribute.value_length = length


cdef inline uint32_t place_of_class(const uint8_t* value, uint32_t length) noexcept nogil:
    """Where Tokenizer.classes has a value, by its length, its first eight bytes and its last eight."""
    cdef uint64_t head = 0, tail = 0
    if length >= 8:
        memcpy(&head, value, 8)
        memcpy(&tail, value + length - 8, 8)
    else:
        memcpy(&head, value, length)
    head = (head ^ (tail * <uint64_t> 0x9E3779B97F4A7C15) ^ length) * <uint64_t> 0xD6E8FEB86659FD93
    return <uint32_t> (head >> 32) & (SHARED_VALUES - 1)


cdef inline void _share_class(Tokenizer* t, const uint8_t* value, Attribute* attribute) noexcept nogil:
    """Give a class attribute the address of an equal one before it, see known_values.pxd."""
    cdef uint32_t length = attribute.value_length
    cdef SharedValue* shared = t.classes + place_of_class(value, length)
    if shared.length == length and memcmp(t.arena.page + shared.start, value, length) == 0:
        attribute.value_start = shared.start
        return
    shared.start = attribute.value_start
    shared.length = length


cdef const uint8_t* _decoded_value(
    Tokenizer* t, const uint8_t* start, const uint8_t* q, uint8_t quote, Attribute* attribute
) noexcept nogil:
    """Read a value that has "&" or NUL at q. `quote` is 0 for unquoted values. Return the byte that ends it, or t.end.
    """
    cdef const uint8_t* p = start
    cdef const uint8_t* end = t.end
    cdef uint8_t decoded[REFERENCE_BYTES]
    cdef uint32_t side = t.arena.side_length
    cdef uint32_t taken, written = 0
    cdef bint in_side = False
    cdef uint8_t c
    while q < end:
        c = q[0]
        if c == c'&':
            taken = decode_common(q, end, decoded, &written)
            if taken == 0:
                taken = decode_reference(q, end, True, decoded, &written)
            if taken != 0:
                in_side = True
                _copy_decoded(t, p, q, decoded, written)
                p = q + taken
                q = p
            else:
                q += 1
        elif c == 0:
            in_side = True
            _copy(t, p, q)
            _copy_replacement(t)
            q += 1
            p = q
        elif quote != 0:
            break           # scan_value() stops at nothing else
        elif _is_space(c) or c == c'>':
            break
        else:
            q += 1
        if quote != 0:
            q = scan_value(q, end, quote)
    if in_side:
        _copy(t, p, q)
        _set_value(attribute, <uint32_t>SIDE | side, t.arena.side_length - side)
    else:
        _set_value(attribute, _address(t, start), <uint32_t>(q - start))
    return q


cdef bint _attributes(Tokenizer* t, const uint8_t* p) noexcept nogil:
    """The attribute states, from the end of the tag name to ">". False if the page ends first, which drops the tag.

    An attribute is written into the arena before it is known whether it counts. It stays there only if it is counted.
    """
    cdef Arena* arena = t.arena
    cdef const uint8_t* end = t.end
    cdef const uint8_t* q
    cdef Attribute* attribute
    cdef NameWords words
    cdef uint32_t length, number, side, hash
    cdef uint64_t word
    cdef bint odd, duplicate
    cdef uint8_t c
    t.token.attributes = arena.n_attributes
    t.token.n_attributes = 0
    t.token.self_closing = False
    t.tag_serial += 1
    t.n_unknown = 0
    if t.tag_serial == 0:       # after 2**32 tags: forget all older entries
        memset(t.seen, 0, sizeof(t.seen))
        t.tag_serial = 1
    while True:
        # before attribute name state; also self-closing start tag state
        p = skip_space(p, end)
        if p == end:
            return False
        c = p[0]
        if c == c'>':
            t.at = p + 1
            return True
        if c == c'/':
            p += 1
            if p < end and p[0] == c'>':
                t.token.self_closing = True
                t.at = p + 1
                return True
            continue
        # attribute name state; a leading "=" is part of the name
        odd = False
        words.upper = 0
        word = short_name(p, end, c'=', c'=', &length)
        number = find_short_name(t.names.short_attributes, word, length)
        q = p + length
        if number == ATTR_UNKNOWN:
            q = p
            if c == c'=':
                q += 1
            while True:
                q = scan_name(q, end)
                if q == end:
                    return False
                c = q[0]
                if c == c'=' or c == c'>' or c == c'/' or _is_space(c):
                    break
                odd = odd or c == 0
                q += 1
            length = <uint32_t>(q - p)
            if length <= MAX_NAME_WORDS and not odd:
                words = name_words(p, length, end)
                number = find_name(t.names.attributes, words, length)
        if reserve_attributes(arena, 1) < 0:
            return False
        attribute = next_attribute(arena)
        if number != ATTR_UNKNOWN:
            # the spelling table is at the beginning of the side buffer
            attribute.name_start = <uint32_t>SIDE | t.names.lower_start[number] if words.upper else _address(t, p)
            duplicate = t.seen[number] == t.tag_serial
            t.seen[number] = t.tag_serial
        else:
            attribute.name_start = _address(t, p)
            if odd or words.upper or length > MAX_NAME_WORDS:
                side = arena.side_length
                _copy_lower(t, p, q)
                attribute.name_start = <uint32_t>SIDE | side
                length = arena.side_length - side
                hash = _hash_of_name(bytes_at(arena, attribute.name_start, length), length)
            else:
                hash = hash_words(words)
            if length > 65535:      # Attribute.name_length has 16 bits
                arena.status = STATUS_TOO_MANY_ATTRIBUTES
                return False
            duplicate = t.token.n_attributes < MAX_TAG_ATTRIBUTES and _is_duplicate(
                t, attribute.name_start, length, hash
            )
        attribute.name_length = <uint16_t>length
        attribute.name = <uint16_t>number
        _set_value(attribute, attribute.name_start, 0)
        # after attribute name state
        p = q if q[0] == c'=' else skip_space(q, end)
        if p == end:
            return False
        if p[0] == c'=':
            # before attribute value state
            p = skip_space(p + 1, end)
            if p == end:
                return False
            c = p[0]
            if c == c'"' or c == c"'":
                # attribute value (quoted) states
                p += 1
                q = scan_value(p, end, c)
                if q < end and q[0] == c:
                    _set_value(attribute, _address(t, p), <uint32_t>(q - p))
                    if number == ATTR_CLASS:
                        _share_class(t, p, attribute)
                else:
                    q = _decoded_value(t, p, q, c, attribute)
                if q == end:
                    return False
                p = q + 1
            elif c != c'>':
                # attribute value (unquoted) state
                q = p
                while q < end and not _is_space(q[0]) and q[0] != c'>' and q[0] != c'&' and q[0] != 0:
                    q += 1
                if q < end and (q[0] == c'&' or q[0] == 0):
                    q = _decoded_value(t, p, q, 0, attribute)
                else:
                    _set_value(attribute, _address(t, p), <uint32_t>(q - p))
                p = q
        if not duplicate and t.token.n_attributes < MAX_TAG_ATTRIBUTES:
            if arena.n_attributes >= arena.max_attributes:
                arena.status = STATUS_TOO_MANY_ATTRIBUTES
                return False
            arena.n_attributes += 1
            t.token.n_attributes += 1


cdef uint32_t _start_tag(Tokenizer* t) noexcept nogil:
    """A start tag; t.at stands at "<"."""
    cdef const uint8_t* p = _tag_name(t, t.at + 1)
    if p < t.end and p[0] == c'>':
        t.token.attributes = t.arena.n_attributes
        t.token.n_attributes = 0
        t.token.self_closing = False
        t.at = p + 1
    elif not _attributes(t, p):
        t.at = t.end
        t.token.kind = TOKEN_EOF
        return TOKEN_EOF
    t.token.kind = TOKEN_START_TAG
    return TOKEN_START_TAG


cdef uint32_t _end_tag(Tokenizer* t) noexcept nogil:
    """An end tag, whose attributes are ignored; t.at stands at "<"."""
    cdef const uint8_t* p = _tag_name(t, t.at + 2)
    cdef uint32_t side
    if p < t.end and p[0] == c'>':
        t.token.n_attributes = 0
        t.token.self_closing = False
        t.at = p + 1
    else:
        side = t.arena.side_length
        if not _attributes(t, p):
            t.at = t.end
            t.token.kind = TOKEN_EOF
            return TOKEN_EOF
        t.arena.n_attributes = t.token.attributes
        t.arena.side_length = side
        t.token.n_attributes = 0
    t.token.kind = TOKEN_END_TAG
    return TOKEN_END_TAG


# --- comments and doctypes -------------------------------------------------------------------------------------------


cdef uint32_t _bogus_comment(Tokenizer* t, const uint8_t* p) noexcept nogil:
    """Bogus comment state: everything up to ">"."""
    cdef const uint8_t* q = scan_byte(p, t.end, c'>')
    _set_slice(t, p, q)
    t.at = q + 1 if q < t.end else q
    t.token.kind = TOKEN_COMMENT
    return TOKEN_COMMENT


cdef uint32_t _comment(Tokenizer* t, const uint8_t* p) noexcept nogil:
    """The comment states, after "<!--": up to "-->" or "--!>", or at once at ">" or "->"."""
    cdef const uint8_t* end = t.end
    cdef const uint8_t* q = p
    cdef const uint8_t* stop
    t.token.kind = TOKEN_COMMENT
    if q < end and q[0] == c'>':                                    # comment start state
        t.at = q + 1
        _set_slice(t, p, p)
        return TOKEN_COMMENT
    if end - q >= 2 and q[0] == c'-' and q[1] == c'>':              # comment start dash state
        t.at = q + 2
        _set_slice(t, p, p)
        return TOKEN_COMMENT
    while True:
        q = scan_byte(q, end, c'>')
        if q == end:
            break
        if q - p >= 2 and (q - 1)[0] == c'-' and (q - 2)[0] == c'-':          # comment end state
            _set_slice(t, p, q - 2)
            t.at = q + 1
            return TOKEN_COMMENT
        if q - p >= 3 and (q - 1)[0] == c'!' and (q - 2)[0] == c'-' and (q - 3)[0] == c'-':    # comment end bang state
            _set_slice(t, p, q - 3)
            t.at = q + 1
            return TOKEN_COMMENT
        q += 1
    # The page ends within the comment: drop dashes that could have ended it.
    stop = end
    if stop - p >= 3 and (stop - 1)[0] == c'!' and (stop - 2)[0] == c'-' and (stop - 3)[0] == c'-':
        stop -= 3
    elif stop - p >= 2 and (stop - 1)[0] == c'-' and (stop - 2)[0] == c'-':
        stop -= 2
    elif stop - p >= 1 and (stop - 1)[0] == c'-':
        stop -= 1
    _set_slice(t, p, stop)
    t.at = end
    return TOKEN_COMMENT


cdef const uint8_t* _identifier(Tokenizer* t, const uint8_t* p, bint* complete) noexcept nogil:
    """DOCTYPE public/system identifier (quoted) states: append the identifier that begins with the quote at p as an
    attribute.

    Return the byte after it; `complete` is False if ">" or the end of the page came before the closing quote.
    """
    cdef Arena* arena = t.arena
    cdef uint8_t quote = p[0]
    cdef const uint8_t* q
    cdef const uint8_t* gt
    cdef Attribute* attribute
    p += 1
    gt = scan_byte(p, t.end, c'>')
    q = scan_byte(p, gt, quote)
    complete[0] = q < gt
    _set_slice(t, p, q)
    if reserve_attributes(arena, 1) < 0:
        return q
    attribute = next_attribute(arena)
    attribute.name_start = 0
    attribute.name_length = 0
    attribute.name = ATTR_UNKNOWN
    _set_value(attribute, t.token.start, t.token.length)
    arena.n_attributes += 1
    t.token.n_attributes += 1
    return q + 1 if q < gt else q


cdef uint32_t _doctype(Tokenizer* t, const uint8_t* p) noexcept nogil:
    """The DOCTYPE states, after the word "doctype". Errors in them only set force_quirks."""
    cdef const uint8_t* end = t.end
    cdef const uint8_t* q
    cdef uint32_t name_start = 0, name_length = 0, side
    cdef bint complete = True
    t.token.kind = TOKEN_DOCTYPE
    t.token.attributes = t.arena.n_attributes
    t.token.n_attributes = 0
    t.token.force_quirks = False
    t.token.has_public = False
    t.token.has_system = False
    p = skip_space(p, end)                          # DOCTYPE state, before DOCTYPE name state
    if p == end or p[0] == c'>':
        t.token.force_quirks = True
    else:                                           # DOCTYPE name state
        q = p
        while q < end and not _is_space(q[0]) and q[0] != c'>':
            q += 1
        side = t.arena.side_length
        _copy_lower(t, p, q)
        name_start = <uint32_t>SIDE | side
        name_length = t.arena.side_length - side
        p = skip_space(q, end)                      # after DOCTYPE name state
        if p == end:
            t.token.force_quirks = True
        elif p[0] != c'>':
            if begins_ascii(p, <size_t>(end - p), b"public", 6):      # after DOCTYPE public keyword state
                p = skip_space(p + 6, end)
                if p < end and (p[0] == c'"' or p[0] == c"'"):
                    t.token.has_public = True
                    p = _identifier(t, p, &complete)
                    if complete:
                        p = skip_space(p, end)      # between DOCTYPE public and system identifiers state
                        if p < end and (p[0] == c'"' or p[0] == c"'"):
                            t.token.has_system = True
                            p = _identifier(t, p, &complete)
                        elif p == end or p[0] != c'>':
                            complete = False
                else:
                    complete = False
            elif begins_ascii(p, <size_t>(end - p), b"system", 6):    # after DOCTYPE system keyword state
                p = skip_space(p + 6, end)
                if p < end and (p[0] == c'"' or p[0] == c"'"):
                    t.token.has_system = True
                    p = _identifier(t, p, &complete)
                else:
                    complete = False
            else:
                complete = False
            if not complete or skip_space(p, end) == end:
                # In "after DOCTYPE system identifier state" other characters are ignored; everywhere else they mean
                # quirks.
                t.token.force_quirks = True
    p = scan_byte(p, end, c'>')                     # bogus DOCTYPE state
    t.at = p + 1 if p < end else p
    t.token.start = name_start
    t.token.length = name_length
    return TOKEN_DOCTYPE


cdef uint32_t _markup_declaration(Tokenizer* t) noexcept nogil:
    """Markup declaration open state; t.at stands at "<!"."""
    cdef const uint8_t* p = t.at + 2
    cdef const uint8_t* end = t.end
    if end - p >= 2 and p[0] == c'-' and p[1] == c'-':
        return _comment(t, p + 2)
    if begins_ascii(p, <size_t>(end - p), b"doctype", 7):
        return _doctype(t, p + 7)
    if t.cdata_allowed and end - p >= 7 and memcmp(p, b"[CDATA[", 7) == 0:
        t.at = p + 7
        t.state = CDATA_SECTION_STATE
        return _NOTHING
    return _bogus_comment(t, p)


cdef uint32_t next_token(Tokenizer* t) noexcept nogil:
    """Read the next token into t.token and return its kind; TOKEN_EOF at the end of the page or beyond a limit."""
    cdef const uint8_t* p
    cdef const uint8_t* q
    cdef uint32_t kind
    cdef uint8_t c
    while True:
        if t.state != DATA_STATE:
            if t.state != CDATA_SECTION_STATE:
                return _raw_text(t)
            kind = _cdata_section(t)
            if kind != _NOTHING:
                return kind
        p = t.at
        if p == t.end:
            t.token.kind = TOKEN_EOF
            return TOKEN_EOF
        c = p[0]
        if c != c'<':
            if c == 0:
                return _null(t)
            q = scan_text(p, t.end)
            if t.end - q > 2 and q[0] == c'<' and (q[1] == c'/' or _is_alpha(q[1])):    # nearly every text
                t.at = q
                t.token.start = _address(t, p)
                t.token.length = <uint32_t>(q - p)
                t.token.kind = TOKEN_TEXT
                return TOKEN_TEXT
            return _text(t, p, q, True)
        # tag open state
        if t.end - p < 2:
            return _text(t, p, p, True)
        c = p[1]
        if _is_alpha(c):
            return _start_tag(t)
        if c == c'/':
            # end tag open state
            if t.end - p < 3:
                return _text(t, p, p, True)
            c = p[2]
            if _is_alpha(c):
                return _end_tag(t)
            if c != c'>':
                return _bogus_comment(t, p + 2)
            t.at = p + 3
        elif c == c'!':
            kind = _markup_declaration(t)
            if kind != _NOTHING:
                return kind
        elif c == c'?':
            return _bogus_comment(t, p + 1)
        else:
            return _text(t, p, p, True)


# --- for tests -------------------------------------------------------------------------------------------------------

_STATES = {
    "Data state": DATA_STATE,
    "RCDATA state": RCDATA_STATE,
    "RAWTEXT state": RAWTEXT_STATE,
    "Script data state": SCRIPT_DATA_STATE,
    "PLAINTEXT state": PLAINTEXT_STATE,
    "CDATA section state": CDATA_SECTION_STATE,
}


def tokenize(page: bytes, state: str = "Data state", last_start_tag: str = "") -> list:
    """Return the tokens of a page without CR, in the form of the html5lib tokenizer tests; for tests only.

    There is no tree builder to switch states, so a page stays in its initial state until that ends by itself.
    """
    cdef Arena arena
    cdef Tokenizer t
    cdef Token* token = &t.token
    cdef uint32_t kind, i
    cdef bytes name = last_start_tag.encode()
    cdef Attribute* attribute
    cdef list tokens = []
    memset(&arena, 0, sizeof(Arena))
    memset(&t, 0, sizeof(Tokenizer))
    try:
        arena.page = page
        arena.page_length = len(page)
        arena.max_attributes = 1 << 20
        start_tokenizer(&t, &arena, page, len(page))
        if start_arena(&arena, t.names) < 0:
            raise MemoryError("no memory to read the tokens of a page")
        t.state = <uint32_t>_STATES[state]
        if name:
            t.last_start_tag = find_name(
                t.names.tags, name_words(name, len(name), <const uint8_t*>name + len(name)), len(name)
            )
            t.last_start = arena.side_length | <uint32_t>SIDE
            t.last_length = len(name)
            _copy(&t, name, <const uint8_t*>name + len(name))
        while True:
            kind = next_token(&t)
            if kind == TOKEN_EOF:
                return tokens
            if kind == TOKEN_TEXT or kind == TOKEN_NULL:
                text = _string(&arena, token.start, token.length)
                if tokens and tokens[len(tokens) - 1][0] == "Character":
                    text = tokens.pop()[1] + text
                tokens.append(["Character", text])
            elif kind == TOKEN_COMMENT:
                tokens.append(["Comment", _string(&arena, token.start, token.length)])
            elif kind == TOKEN_DOCTYPE:
                identifiers = [
                    _string(&arena, arena.attributes[i].value_start, arena.attributes[i].value_length)
                    for i in range(token.attributes, token.attributes + token.n_attributes)
                ]
                public = identifiers.pop(0) if token.has_public else None
                system = identifiers.pop(0) if token.has_system else None
                spelling = _string(&arena, token.start, token.length) or None
                tokens.append(["DOCTYPE", spelling, public, system, not token.force_quirks])
            else:
                spelling = TAG_NAMES[token.tag] if token.tag < TAG_COUNT else _string(&arena, token.start, token.length)
                if kind == TOKEN_END_TAG:
                    tokens.append(["EndTag", spelling])
                    continue
                attributes = {}
                for i in range(token.attributes, token.attributes + token.n_attributes):
                    attribute = arena.attributes + i
                    attributes[_string(&arena, attribute.name_start, attribute.name_length)] = _string(
                        &arena, attribute.value_start, attribute.value_length
                    )
                tokens.append(["StartTag", spelling, attributes] + ([True] if token.self_closing else []))
    finally:
        free_tokenizer(&t)
        free_arena(&arena)


cdef str _string(const Arena* arena, uint32_t start, uint32_t length):
    """Return the text of a slice."""
    return (<const char*>bytes_at(arena, start, length))[:length].decode("utf-8", "replace")
