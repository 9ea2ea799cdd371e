# SPDX-License-Identifier: Apache-2.0
"""Parts of a page that stand elsewhere in its file, put where a browser shows them.

Two kinds, and nothing but the page itself is read:

- **Segments.** React streams a page as a shell with placeholders, `<template id="B:0">`, and sends what belongs there
  later, as `<div hidden id="S:0">` with a script that calls `$RC("B:0","S:0")`. `$RC` and `$RR` put the segment in the
  place of a boundary's fallback, which ends with the comment `/$`; `$RS` puts it in the place of a `P:` template.
- **Shadow roots.** The content of `<template shadowrootmode>` is shown in place of the children of its host. A slot in it
  shows those children of the host that name it. Children that no slot shows become the content of the template.

Everything after this pass sees the page as it is shown. What cannot be placed stays where it is: a segment that is
missing or moved a second time, one that would be inside itself, one whose place is in a fallback or in other templates,
and segments more than MAX_NESTED within each other. Time is linear in the page, and nothing recurses.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.hash_table cimport HashTable
from thresher.native.parsing.arena cimport Arena
from thresher.native.parsing.tree cimport Tree


ctypedef struct Move:           # of one segment
    uint32_t segment            # its element
    uint32_t placeholder        # the template in whose place its content goes
    bint boundary               # with the fallback that follows


ctypedef struct Frame:          # a range of nodes that is being written in the place of another
    uint32_t at                 # the next node
    uint32_t start
    uint32_t end
    uint32_t parent             # that of the nodes at its top, in the new tree
    uint32_t template           # the shadow root whose content this is; 0 for other ranges
    bint chain                  # a child of a host; the next one in the same slot follows


ctypedef struct Placing:        # memory of the pass, reused from page to page
    uint32_t* numbers           # arrays of one number per node
    size_t numbers_capacity
    uint8_t* roles              # PartRole of each node
    size_t roles_capacity
    Move* moves
    uint32_t n_moves
    size_t moves_capacity
    Frame* frames
    size_t frames_capacity
    HashTable names             # ids of segments and placeholders; names of slots


cdef int place_parts(Placing* placing, Arena* arena, Tree* tree) noexcept nogil
cdef size_t placing_memory(Placing* placing, bint freed) noexcept nogil
