# SPDX-License-Identifier: Apache-2.0
"""Tables of words; see word_table.pxd."""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc
from libc.string cimport memcmp, memset

from thresher.native.base.characters cimport begins_ascii, is_space


_spellings = []     # keeps the bytes of all tables alive


cdef const char* kept(object spelling) except? NULL:
    """A string as bytes that live as long as the process; NULL for None."""
    if spelling is None:
        return NULL
    _spellings.append(spelling.encode())
    return <const char*> <bytes> _spellings[len(_spellings) - 1]


cdef inline uint32_t first_bit(uint8_t first) noexcept nogil:
    """A bit for the first byte of a word, the same for upper and lower case."""
    return <uint32_t> 1 << (first & 31)


cdef int fill_words(WordTable* table, object rows, bint exact=False) except -1:
    """Fill a table from {value: rows}, where rows are separated by white space, or a sequence if they contain some.

    A word may be given for several values only if they are bits.
    """
    cdef uint32_t i = 0, length
    cdef bytes text
    whole, patterns = {}, []
    for value, words in rows.items():
        for word in words.split() if isinstance(words, str) else words:
            text = word.encode() if exact else bytes(word.encode()).lower()
            if text.startswith(b"*") or text.endswith(b"*"):
                match = MATCH_START if not text.startswith(b"*") else MATCH_INSIDE if text.endswith(b"*") else MATCH_END
                patterns.append((text.strip(b"*"), value, match))
            else:
                whole[text] = whole.get(text, 0) | value
    ordered = sorted(((text, value, MATCH_WHOLE) for text, value in whole.items()), key=lambda row: (len(row[0]), row[0]))
    ordered += patterns
    memset(table, 0, sizeof(WordTable))
    table.rows = <WordRow*> calloc(len(ordered), sizeof(WordRow))
    if table.rows == NULL:
        raise MemoryError
    table.n_whole = <uint32_t> len(whole)
    table.n_rows = <uint32_t> len(ordered)
    table.exact = exact
    for text, value, match in ordered:
        if not text:
            raise ValueError(f"an empty word among {list(rows.values())[0]}")
        _spellings.append(text)
        length = <uint32_t> len(text)
        table.rows[i].text = text
        table.rows[i].length = length
        table.rows[i].value = value
        table.rows[i].match = match
        if match != MATCH_WHOLE:
            table.patterns |= value
        else:
            length = min(length, <uint32_t> MAX_TABLE_WORD)
            if table.groups[length].firsts == 0:
                table.groups[length].first = i
            table.groups[length].end = i + 1
            table.groups[length].firsts |= first_bit(table.rows[i].text[0])
        i += 1
    return 0


cdef inline bint begins_row(const WordTable* table, const WordRow* row, const uint8_t* word, uint32_t length) noexcept nogil:
    """True if a word begins with the text of a row."""
    if table.exact:
        return length >= row.length and memcmp(word, row.text, row.length) == 0
    return begins_ascii(word, length, <const char*> row.text, row.length)


cdef bint matches(const WordTable* table, const WordRow* row, const uint8_t* word, uint32_t length) noexcept nogil:
    """True if a word matches a row."""
    cdef uint32_t i
    if length < row.length:
        return False
    if row.match == MATCH_START:
        return begins_row(table, row, word, length)
    if row.match == MATCH_END:
        return begins_row(table, row, word + (length - row.length), row.length)
    if row.match == MATCH_WHOLE:
        return length == row.length and begins_row(table, row, word, length)
    for i in range(length - row.length + 1):
        if begins_row(table, row, word + i, length - i):
            return True
    return False


cdef const WordRow* find_whole(const WordTable* table, const uint8_t* word, uint32_t length) noexcept nogil:
    """The row that is this word; NULL if there is none."""
    cdef const WordGroup* group = &table.groups[min(length, <uint32_t> MAX_TABLE_WORD)]
    cdef uint32_t i
    if length == 0 or not group.firsts & first_bit(word[0]):
        return NULL
    for i in range(group.first, group.end):
        if matches(table, table.rows + i, word, length):
            return table.rows + i
    return NULL


cdef const WordRow* find_row(const WordTable* table, const uint8_t* word, uint32_t length) noexcept nogil:
    """The row that is this word, else the first pattern that matches it; NULL if none does."""
    cdef const WordRow* row = find_whole(table, word, length)
    cdef uint32_t i
    if row != NULL:
        return row
    for i in range(table.n_whole, table.n_rows):
        if matches(table, table.rows + i, word, length):
            return table.rows + i
    return NULL


cdef uint32_t value_of_word(const WordTable* table, const uint8_t* word, uint32_t length) noexcept nogil:
    """The value of the row that is this word, else of the first pattern that matches it; 0 if none does."""
    cdef const WordRow* row = find_row(table, word, length)
    return row.value if row != NULL else 0


cdef bint is_word_of(const WordTable* table, uint32_t wanted, const uint8_t* word, uint32_t length) noexcept nogil:
    """True if a row whose value has one of the wanted bits matches a word."""
    cdef const WordRow* row = find_whole(table, word, length)
    cdef uint32_t i
    if row != NULL and row.value & wanted:
        return True
    if table.patterns & wanted:
        for i in range(table.n_whole, table.n_rows):
            if table.rows[i].value & wanted and matches(table, table.rows + i, word, length):
                return True
    return False


cdef bint next_word(const uint8_t** at, const uint8_t* end, uint32_t* length) noexcept nogil:
    """Move to the next word of a text and measure it; False if there is none."""
    cdef const uint8_t* p = at[0] + length[0]
    while p < end and is_space(p[0]):
        p += 1
    at[0] = p
    while p < end and not is_space(p[0]):
        p += 1
    length[0] = <uint32_t> (p - at[0])
    return length[0] > 0


cdef uint32_t first_value(const WordTable* table, const uint8_t* text, uint32_t length) noexcept nogil:
    """The value of the first word of a text that has one; 0 if none has."""
    cdef const uint8_t* word = text
    cdef uint32_t n = 0, value
    while next_word(&word, text + length, &n):
        value = value_of_word(table, word, n)
        if value:
            return value
    return 0


cdef bint has_word_of(const WordTable* table, uint32_t wanted, const uint8_t* text, uint32_t length) noexcept nogil:
    """True if a word of a text matches a row whose value has one of the wanted bits."""
    cdef const uint8_t* word = text
    cdef uint32_t n = 0
    while next_word(&word, text + length, &n):
        if is_word_of(table, wanted, word, n):
            return True
    return False


cdef uint32_t all_values(const WordTable* table, const uint8_t* text, uint32_t length) noexcept nogil:
    """The values of all rows that the words of a text match, as bits."""
    cdef const uint8_t* word = text
    cdef const WordRow* row
    cdef uint32_t n = 0, i, values = 0
    while next_word(&word, text + length, &n):
        row = find_whole(table, word, n)
        values |= row.value if row != NULL else 0
        for i in range(table.n_whole, table.n_rows):
            if table.rows[i].value & ~values and matches(table, table.rows + i, word, n):
                values |= table.rows[i].value
    return values
