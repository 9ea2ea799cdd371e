# SPDX-License-Identifier: Apache-2.0
"""Fills tables of the beginnings of words from rows of data."""

from libc.stdlib cimport calloc
from libc.string cimport memset

from thresher.native.base.word_table cimport kept


cdef int fill_prefixes(PrefixTable* table, object rows) except -1:
    """Fill a table from {value: words}, where words are separated by white space, or a sequence if they contain some. A
    word may be given for several values.
    """
    cdef dict values = {}, pairs = {}
    cdef Prefix* row
    for value, words in rows.items():
        for word in words.split() if isinstance(words, str) else words:
            if len(word.encode()) < 2:
                raise ValueError(f"{word!r} has no two bytes")
            values[word] = values.get(word, 0) | value
    for word in values:
        pairs.setdefault(pair_of(<const uint8_t*> kept(word)), []).append(word)
    memset(table, 0, sizeof(PrefixTable))
    table.rows = <Prefix*> calloc(1 + len(values) + len(pairs), sizeof(Prefix))
    if table.rows == NULL:
        raise MemoryError
    row = table.rows + 1        # the first one is for pairs that begin nothing
    for pair, words in pairs.items():
        table.first[<int> pair] = <uint16_t> (row - table.rows)
        for word in sorted(words, key=lambda word: -len(word.encode())):
            row.text, row.length, row.value = kept(word), <uint32_t> len(word.encode()), values[word]
            row += 1
        row += 1
    return 0
