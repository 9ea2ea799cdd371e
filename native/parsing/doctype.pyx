# SPDX-License-Identifier: Apache-2.0
"""Which doctypes set a document to quirks mode (HTML standard, 13.2.6.4.1)."""

from libc.stdint cimport uint32_t
from libc.string cimport strlen

from thresher.native.parsing.arena cimport bytes_at
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tokenizer cimport Token


# "Initial insertion mode": public identifiers that begin with one of these mean quirks. Each is followed by a NUL.
cdef const char* _QUIRKS = (
    b"+//silmaril//dtd html pro v0r11 19970101//\0"
    b"-//as//dtd html 3.0 aswedit + extensions//\0"
    b"-//advasoft ltd//dtd html 3.0 aswedit + extensions//\0"
    b"-//ietf//dtd html 2.0 level 1//\0"
    b"-//ietf//dtd html 2.0 level 2//\0"
    b"-//ietf//dtd html 2.0 strict level 1//\0"
    b"-//ietf//dtd html 2.0 strict level 2//\0"
    b"-//ietf//dtd html 2.0 strict//\0"
    b"-//ietf//dtd html 2.0//\0"
    b"-//ietf//dtd html 2.1e//\0"
    b"-//ietf//dtd html 3.0//\0"
    b"-//ietf//dtd html 3.2 final//\0"
    b"-//ietf//dtd html 3.2//\0"
    b"-//ietf//dtd html 3//\0"
    b"-//ietf//dtd html level 0//\0"
    b"-//ietf//dtd html level 1//\0"
    b"-//ietf//dtd html level 2//\0"
    b"-//ietf//dtd html level 3//\0"
    b"-//ietf//dtd html strict level 0//\0"
    b"-//ietf//dtd html strict level 1//\0"
    b"-//ietf//dtd html strict level 2//\0"
    b"-//ietf//dtd html strict level 3//\0"
    b"-//ietf//dtd html strict//\0"
    b"-//ietf//dtd html//\0"
    b"-//metrius//dtd metrius presentational//\0"
    b"-//microsoft//dtd internet explorer 2.0 html strict//\0"
    b"-//microsoft//dtd internet explorer 2.0 html//\0"
    b"-//microsoft//dtd internet explorer 2.0 tables//\0"
    b"-//microsoft//dtd internet explorer 3.0 html strict//\0"
    b"-//microsoft//dtd internet explorer 3.0 html//\0"
    b"-//microsoft//dtd internet explorer 3.0 tables//\0"
    b"-//netscape comm. corp.//dtd html//\0"
    b"-//netscape comm. corp.//dtd strict html//\0"
    b"-//o'reilly and associates//dtd html 2.0//\0"
    b"-//o'reilly and associates//dtd html extended 1.0//\0"
    b"-//o'reilly and associates//dtd html extended relaxed 1.0//\0"
    b"-//sq//dtd html 2.0 hotmetal + extensions//\0"
    b"-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//\0"
    b"-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//\0"
    b"-//spyglass//dtd html 2.0 extended//\0"
    b"-//sun microsystems corp.//dtd hotjava html//\0"
    b"-//sun microsystems corp.//dtd hotjava strict html//\0"
    b"-//w3c//dtd html 3 1995-03-24//\0"
    b"-//w3c//dtd html 3.2 draft//\0"
    b"-//w3c//dtd html 3.2 final//\0"
    b"-//w3c//dtd html 3.2//\0"
    b"-//w3c//dtd html 3.2s draft//\0"
    b"-//w3c//dtd html 4.0 frameset//\0"
    b"-//w3c//dtd html 4.0 transitional//\0"
    b"-//w3c//dtd html experimental 19960712//\0"
    b"-//w3c//dtd html experimental 970421//\0"
    b"-//w3c//dtd w3 html//\0"
    b"-//w3o//dtd w3 html 3.0//\0"
    b"-//webtechs//dtd mozilla html 2.0//\0"
    b"-//webtechs//dtd mozilla html//\0"
)


cdef inline Slice slice_in(const TreeBuilder* b, uint32_t start, uint32_t length) noexcept nogil:
    return Slice(data=bytes_at(b.arena, start, length), length=length)


cdef bint doctype_is_quirky(TreeBuilder* b) noexcept nogil:
    """True if the current token, a doctype, sets the document to quirks mode."""
    cdef Token* token = &b.tokenizer.token
    cdef Attribute* attribute = b.arena.attributes + token.attributes
    cdef Slice public
    cdef const char* prefix = _QUIRKS
    if token.force_quirks or not is_word(slice_in(b, token.start, token.length), b"html"):
        return True
    if token.has_public:
        public = slice_in(b, attribute.value_start, attribute.value_length)
        attribute += 1
    if token.has_system and is_word(
        slice_in(b, attribute.value_start, attribute.value_length),
        b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd",
    ):
        return True
    if not token.has_public:
        return False
    if (
        is_word(public, b"-//w3o//dtd w3 html strict 3.0//en//")
        or is_word(public, b"-/w3c/dtd html 4.0 transitional/en") or is_word(public, b"html")
    ):
        return True
    if not token.has_system and (
        begins_word(public, b"-//w3c//dtd html 4.01 frameset//")
        or begins_word(public, b"-//w3c//dtd html 4.01 transitional//")
    ):
        return True
    while prefix[0] != 0:
        if begins_word(public, prefix):
            return True
        prefix += strlen(prefix) + 1
    return False
