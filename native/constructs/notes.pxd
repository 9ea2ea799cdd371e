# SPDX-License-Identifier: Apache-2.0
"""Footnotes: a reference becomes `[^1]`, its note begins with `[^1]: `, and the links back are removed.

A link is a reference if three things hold: its text is a number, a letter or a symbol; it leads to an element of this
page; and that element, or the item or paragraph around it, contains a link back to the reference. Without a link back,
two of these three must hold: the link is raised, its fragment is named like a note, and the note is an item or begins
with the same number. A paragraph can hold several notes, each with its number behind two line breaks.

Notes are numbered in the order of their first references. A list of notes stops being a list, and its items become
paragraphs. For raised numbers that are not links, see raised_notes.pxd.
"""

from thresher.native.constructs.construct cimport *


cdef enum:
    MAX_NOTES = 1024
    MAX_REFERENCE = 12      # bytes of a reference's text
    MAX_INSIDE = 12         # nodes of a reference, and of the element that a link back leads to
    MAX_NOTE = 400          # nodes of a note
    MAX_STEPS = 4           # elements between a note and the target of its reference


ctypedef struct Link:       # a link into the page
    uint32_t node
    uint32_t first          # index of the first link to the same target
    bint back               # it leads from a note back to its reference
    # Set only in the first link to a target:
    uint32_t target         # the element it leads to; 0 if there is none
    uint32_t note           # the note that the target is or belongs to; 0 if there is none
    uint32_t label          # the number of that note
    bint alone              # no link in the note leads back
    uint8_t length          # bytes of the reference's text, which its note may begin with
    uint8_t[MAX_REFERENCE] text


cdef Slice reference_text(const Rewriting* page, uint32_t n, uint8_t* room) noexcept nogil
cdef bint may_be_reference(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_note_tag(uint32_t tag) noexcept nogil
cdef bint holds_heading(const Rewriting* page, uint32_t around) noexcept nogil
cdef uint32_t wrapper_of(const Rewriting* page, uint32_t link) noexcept nogil
cdef bint is_in_footer(const Rewriting* page, uint32_t n) noexcept nogil
cdef uint32_t text_to_mark(const Rewriting* page, uint32_t note) noexcept nogil
cdef void remove_machinery(Rewriting* page, uint32_t notes) noexcept nogil
cdef void rewrite_reference(Rewriting* page, uint32_t link, uint32_t label) noexcept nogil
cdef void rewrite_note(Rewriting* page, const Link* links, uint32_t count, const Link* to) noexcept nogil
cdef uint32_t rewrite_notes(Rewriting* page) noexcept nogil
