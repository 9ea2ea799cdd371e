# SPDX-License-Identifier: Apache-2.0
"""Fills tables of words from rows of data, and finds the row that a word matches."""

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
    cdef uint32_t i = 0
    cdef bytes text
    cdef dict whole = {}
    cdef list patterns = []
    cdef WordGroup* group
    for value, words in rows.items():
        for word in words.split() if isinstance(words, str) else words:
            text = word.encode() if exact else word.encode().lower()
            if text[0] == c"*" or text[len(text) - 1] == c"*":
                patterns.append((text, value))
            else:
                whole[text] = whole.get(text, 0) | value
    memset(table, 0, sizeof(WordTable))
    table.rows = <WordRow*> calloc(len(whole) + len(patterns), sizeof(WordRow))
    if table.rows == NULL:
        raise MemoryError
    table.n_whole = <uint32_t> len(whole)
    table.n_rows = <uint32_t> (len(whole) + len(patterns))
    table.exact = exact
    for _, text, value in sorted([(len(each), each, value) for each, value in whole.items()]):
        set_row(table.rows + i, text, value, MATCH_WHOLE)
        group = &table.groups[min(table.rows[i].length, <uint32_t> MAX_TABLE_WORD)]
        group.first = i if group.firsts == 0 else group.first
        group.end = i + 1
        group.firsts |= first_bit(table.rows[i].text[0])
        i += 1
    for text, value in patterns:
        match = MATCH_START if text[0] != c"*" else MATCH_INSIDE if text[len(text) - 1] == c"*" else MATCH_END
        set_row(table.rows + i, text.strip(b"*"), value, match)
        table.patterns |= table.rows[i].value
        i += 1
    return 0


cdef int set_row(WordRow* row, bytes text, uint32_t value, Match match) except -1:
    """Fill a row. Keeps the text alive."""
    if not text:
        raise ValueError(f"a row without a word, for the value {value}")
    _spellings.append(text)
    row.text = text
    row.length = <uint32_t> len(text)
    row.value = value
    row.match = match
    row.edge = row.text[row.length - 1 if match == MATCH_END else 0] & 31
    return 0


cdef inline bint begins_row(const WordTable* table, const WordRow* row, const uint8_t* word) noexcept nogil:
    """True if a word, which is not shorter, begins with the text of a row."""
    if table.exact:
        return memcmp(word, row.text, row.length) == 0
    return begins_ascii(word, row.length, <const char*> row.text, row.length)


cdef bint holds_row(const WordTable* table, const WordRow* row, const uint8_t* word, uint32_t length) noexcept nogil:
    """True if a word, which is not shorter, holds the text of a row."""
    cdef const uint8_t* last = word + (length - row.length)
    while word <= last:
        if word[0] & 31 == row.edge and begins_row(table, row, word):
            return True
        word += 1
    return False


cdef inline bint matches(const WordTable* table, const WordRow* row, const uint8_t* word, uint32_t length) noexcept nogil:
    """True if a word matches a pattern. Nearly all differ in length or in the first byte looked at."""
    if length < row.length:
        return False
    if row.match == MATCH_START:
        return word[0] & 31 == row.edge and begins_row(table, row, word)
    if row.match == MATCH_END:
        return word[length - 1] & 31 == row.edge and begins_row(table, row, word + (length - row.length))
    return holds_row(table, row, word, length)


cdef inline const WordRow* find_whole(const WordTable* table, const uint8_t* word, uint32_t length) noexcept nogil:
    """The row that is this word; NULL if there is none."""
    cdef const WordGroup* group = &table.groups[min(length, <uint32_t> MAX_TABLE_WORD)]
    cdef const WordRow* row = table.rows + group.first
    if length == 0 or not group.firsts & first_bit(word[0]):
        return NULL
    while row < table.rows + group.end:
        if word[0] & 31 == row.edge and length == row.length and begins_row(table, row, word):
            return row
        row += 1
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


cdef inline bint next_word(const uint8_t** at, const uint8_t* end, uint32_t* length) noexcept nogil:
    """Move to the next word of a text and measure it; False if there is none."""
    cdef const uint8_t* p = at[0] + length[0]
    while p < end and is_space(p[0]):
        p += 1
    at[0] = p
    while p < end and (p[0] > 0x20 or not is_space(p[0])):
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


cdef uint32_t all_values(const WordTable* table, uint32_t wanted, const uint8_t* text, uint32_t length) noexcept nogil:
    """Those of the wanted bits that the values of all rows have which the words of a text match."""
    cdef const uint8_t* word = text
    cdef const WordRow* row
    cdef uint32_t n = 0, values = 0, i
    while next_word(&word, text + length, &n):
        row = find_whole(table, word, n)
        values |= row.value if row != NULL else 0
        for i in range(table.n_whole, table.n_rows if table.patterns & wanted else 0):
            if table.rows[i].value & wanted & ~values and matches(table, table.rows + i, word, n):
                values |= table.rows[i].value
    return values & wanted
