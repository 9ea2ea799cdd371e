# SPDX-License-Identifier: Apache-2.0
"""Keys of texts: letters and digits in lower case, by which two spellings of a name are compared."""

import unicodedata

from cpython.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_1BYTE_KIND, PyUnicode_4BYTE_KIND, PyUnicode_FromKindAndData
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport new_array

cdef enum:
    SHORT_KEY = 768         # characters, for which there is room on the stack
    SYLLABLE = 3            # letters of one of Korean at most

cdef uint8_t[128] IN_KEY        # a letter or digit of ASCII in lower case; 0 for others
for _byte in range(128):
    IN_KEY[_byte] = ord(chr(_byte).lower()) if chr(_byte).isalnum() else 0

cdef Letter* ROWS[256]          # of the characters of the basic plane, by their higher byte; filled when one is asked for
memset(ROWS, 0, sizeof(ROWS))
cdef tuple SEVERALS = ({}, {})  # in keys and in plain ones: what SEVERAL stands for in the rows that are filled


def _key_by_python(text: str) -> str:
    return "".join([character for character in text.casefold() if character.isalnum()])


def _plain_by_python(text: str) -> str:
    # No accent is a letter, but the lower case of one of them is the letter iota.
    return _key_by_python(unicodedata.normalize("NFKD", text).replace("\u0345", ""))


cdef const Letter* fill_row(uint32_t high) except NULL:
    """Find out what 256 characters become in keys."""
    cdef Letter* row = <Letter*> new_array(256, sizeof(Letter))
    cdef str text
    cdef int low
    if row == NULL:
        raise MemoryError("no memory for letters")
    for low in range(256):
        character = chr(high << 8 | low)
        for i, text in enumerate((_key_by_python(character), _plain_by_python(character))):
            row[low].kept[<int> i] = ord(text) if len(text) == 1 and text <= "\uffff" else SEVERAL if text else 0
            if i == 0 and len(character.casefold()) > 1:    # a letter and a mark, which ends a word
                row[low].kept[0] = SEVERAL
            if row[low].kept[<int> i] == SEVERAL:
                SEVERALS[i][ord(character)] = text
    if ROWS[high] == NULL:      # another thread may have been faster
        ROWS[high] = row
    else:
        free(row)
    return ROWS[high]


cdef uint16_t letter_of(Py_UCS4 character, bint plain) except? SEVERAL:
    """What a character becomes in a key, or in a plain one; 0 for nothing, SEVERAL for more than one character."""
    cdef const Letter* row
    if character < 0x80:
        return IN_KEY[<uint32_t> character]
    if 0x3400 <= character < 0xA000 or (not plain and 0xAC00 <= character < 0xD7A4):    # East Asia has no case
        return <uint16_t> (character if character.isalnum() else 0)
    if character >= 0x10000 or 0xAC00 <= character < 0xD7A4:
        return SEVERAL
    row = ROWS[<uint32_t> character >> 8]
    if row == NULL:
        row = fill_row(<uint32_t> character >> 8)
    return row[<uint32_t> character & 0xFF].kept[plain]


cdef Py_ssize_t letters_into(Py_UCS4* kept, Py_ssize_t room, str text, bint plain) except -2:
    """Write the letters and digits of a text in lower case, those of ASCII alone as bytes; returns how many, -1 if there is
    no room for them.
    """
    cdef uint8_t* ascii = <uint8_t*> kept
    cdef const uint8_t* data
    cdef Py_UCS4 character, letter
    cdef Py_ssize_t length = 0, i
    cdef uint16_t found
    cdef str several
    if PyUnicode_IS_ASCII(text):
        data = <const uint8_t*> PyUnicode_1BYTE_DATA(text)
        for i in range(len(text)):
            ascii[length] = IN_KEY[data[i]]
            length += ascii[length] != 0
        return length
    for character in text:
        if length + SYLLABLE > room:
            return -1
        found = <uint16_t> character if 0x4E00 <= character < 0x9FEB else letter_of(character, plain)   # Chinese: a letter
        if found != SEVERAL:
            kept[length] = found
            length += found != 0
        elif 0xAC00 <= character < 0xD7A4:      # its letters: two, or three with one at the end
            kept[length] = 0x1100 + (<uint32_t> character - 0xAC00) // 588
            kept[length + 1] = 0x1161 + (<uint32_t> character - 0xAC00) % 588 // 28
            kept[length + 2] = 0x11A7 + (<uint32_t> character - 0xAC00) % 28
            length += 2 + (kept[length + 2] > 0x11A7)
        else:
            if character < 0x10000:
                several = (<dict> SEVERALS[<int> plain])[<uint32_t> character]
            else:
                several = _plain_by_python(chr(character)) if plain else _key_by_python(chr(character))
            if length + len(several) > room:
                return -1
            for letter in several:
                kept[length] = letter
                length += 1
    return length


cpdef str letters_in(str text, bint plain):
    """The letters and digits of a text in lower case; without accents if they are to be plain, as addresses have them."""
    cdef Py_UCS4[SHORT_KEY] few
    cdef Py_UCS4* kept = few
    cdef Py_ssize_t length, room = SHORT_KEY
    if len(text) > SHORT_KEY // SYLLABLE:
        room = SYLLABLE * len(text) + SYLLABLE
        kept = <Py_UCS4*> new_array(room, sizeof(Py_UCS4))
        if kept == NULL:
            raise MemoryError("no memory for letters")
    try:
        length = letters_into(kept, room, text, plain)
        if length < 0:
            return _plain_by_python(text) if plain else _key_by_python(text)
        return PyUnicode_FromKindAndData(
            PyUnicode_1BYTE_KIND if PyUnicode_IS_ASCII(text) else PyUnicode_4BYTE_KIND, kept, length
        )
    finally:
        if kept != few:
            free(kept)


cpdef str key_of(str text):
    """The letters and digits of a text in lower case, for comparing two spellings of a name."""
    return letters_in(text, False)


cdef str without_the(str letters):
    """Letters without "the" in front."""
    if len(letters) >= 3 and letters[0] == u"t" and letters[1] == u"h" and letters[2] == u"e":
        return letters[3:]
    return letters


cdef str name_key(str text):
    """Letters and digits of a text in lower case, without "the" in front: what two spellings of a name share."""
    return without_the(key_of(text))


cdef str plain_letters(str text, str key):
    """Letters and digits of a text in lower case, without accents, as URLs have them; `key` is key_of() it."""
    return key if PyUnicode_IS_ASCII(text) else letters_in(text, True)


cdef uint64_t pairs_of(str key) noexcept:
    """Which pairs of letters a text has: a bit for each, which others may share."""
    cdef uint64_t found = 0
    cdef Py_UCS4 character, before = 0
    for character in key:
        if before:
            found |= bit_of_pair(before, character)
        before = character
    return found


cdef Letters letters_of(str key):
    cdef Letters found = Letters.__new__(Letters)
    found.key, found.pairs = key, pairs_of(key)
    return found


cdef bint has_digit(str text) noexcept:
    """True if a text has a decimal digit of any script."""
    cdef Py_UCS4 character
    for character in text:
        if is_decimal(character):
            return True
    return False


cdef bint has_letter(str text) noexcept:
    """True if a text has a letter of any script."""
    cdef Py_UCS4 character
    for character in text:
        if character.isalpha():
            return True
    return False


cdef bint has_no_case(str text) except -1:
    """True if a text is the same in capitals and in small letters."""
    return text.lower() == text.upper()


cdef bint has_one_of(str text, tuple parts) except -1:
    """True if a text has one of these parts."""
    for each in parts:
        if <str> each in text:
            return True
    return False
