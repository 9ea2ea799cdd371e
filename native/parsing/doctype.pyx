# SPDX-License-Identifier: Apache-2.0
"""Which doctypes set a document to quirks mode (HTML standard, 13.2.6.4.1)."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.characters cimport begins_ascii, equals_ascii
from thresher.native.parsing.arena cimport bytes_at
from thresher.native.parsing.construction cimport TreeBuilder
from thresher.native.parsing.tokenizer cimport Token
from thresher.native.parsing.tree cimport Attribute


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


cdef bint doctype_is_quirky(TreeBuilder* b) noexcept nogil:
    """True if the current token, a doctype, sets the document to quirks mode."""
    cdef Token* token = &b.tokenizer.token
    cdef Attribute* attribute = b.arena.attributes + token.attributes
    cdef const uint8_t* public = NULL
    cdef const uint8_t* system = NULL
    cdef uint32_t n_public = 0, n_system = 0, n
    cdef const char* prefix = _QUIRKS
    if token.force_quirks or not equals_ascii(bytes_at(b.arena, token.start, token.length), token.length, b"html", 4):
        return True
    if token.has_public:
        public = bytes_at(b.arena, attribute.value_start, attribute.value_length)
        n_public = attribute.value_length
        attribute += 1
    if token.has_system:
        system = bytes_at(b.arena, attribute.value_start, attribute.value_length)
        n_system = attribute.value_length
        if equals_ascii(system, n_system, b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd", 58):
            return True
    if not token.has_public:
        return False
    if (
        equals_ascii(public, n_public, b"-//w3o//dtd w3 html strict 3.0//en//", 36)
        or equals_ascii(public, n_public, b"-/w3c/dtd html 4.0 transitional/en", 34)
        or equals_ascii(public, n_public, b"html", 4)
    ):
        return True
    if not token.has_system and (
        begins_ascii(public, n_public, b"-//w3c//dtd html 4.01 frameset//", 32)
        or begins_ascii(public, n_public, b"-//w3c//dtd html 4.01 transitional//", 36)
    ):
        return True
    while prefix[0] != 0:
        n = 0
        while prefix[n] != 0:
            n += 1
        if begins_ascii(public, n_public, prefix, n):
            return True
        prefix += n + 1
    return False
