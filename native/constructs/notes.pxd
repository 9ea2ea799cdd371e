# SPDX-License-Identifier: Apache-2.0
"""Footnotes: what can be a reference or a note, and how they are written.

A reference becomes `[^1]`, its note begins with `[^1]: `. A list of notes stops being a list, and its items become
paragraphs. Two modules find references with their notes: by links (linked_notes.pxd), and by raised numbers that are no
links (raised_notes.pxd). Notes are numbered in the order of their first references.
"""

from thresher.native.constructs.construct cimport *


cdef enum:
    MAX_NOTES = 1024
    MAX_REFERENCE = 12      # bytes of a reference's text
    MAX_REFERENCE_NODES = 12         # nodes of a reference, and of the element that a link back leads to
    MAX_NOTE = 400          # nodes of a note
    MAX_STEPS = 4           # elements between a note and the target of its reference


ctypedef struct Note:
    uint32_t node           # the element that holds it; 0 if there is none; if a paragraph holds several, its number
    uint32_t label          # its number in the text that is written
    uint32_t target         # the element that its references lead to; 0 if they are no links
    uint32_t front          # the link back that its mark replaces; 0 if there is none
    bint alone              # no link in it leads back
    uint8_t length          # bytes of a reference's text, with which the note may begin
    uint8_t[MAX_REFERENCE] text


cdef Slice reference_text(const Rewriting* page, uint32_t n, uint8_t* room) noexcept nogil
cdef bint is_note_tag(uint32_t tag) noexcept nogil
cdef bint can_hold_note(const Rewriting* page, uint32_t n) noexcept nogil
cdef uint32_t text_to_mark(const Rewriting* page, uint32_t n, uint32_t end) noexcept nogil
cdef bint is_in_footer(const Rewriting* page, uint32_t n) noexcept nogil
cdef uint32_t number_length(const Rewriting* page, uint32_t n, Slice number) noexcept nogil
cdef uint32_t wrapper_of(const Rewriting* page, uint32_t reference) noexcept nogil
cdef void remove_separators(Rewriting* page, uint32_t notes) noexcept nogil
cdef void rewrite_reference(Rewriting* page, uint32_t reference, uint32_t label) noexcept nogil
cdef void rewrite_note(Rewriting* page, const Note* note) noexcept nogil
