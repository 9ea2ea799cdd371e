# SPDX-License-Identifier: Apache-2.0
"""Settles tables, listings, titles, notes and other structures as wholes once the blocks are chosen."""

from libc.stddef cimport size_t
from libc.string cimport memchr, memset

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.measuring.structures cimport *


cdef enum:
    MOST = 30               # least percentage of kept words that keeps a table whole; below it, the table is dropped
    FEW_BLOCKS = 4          # most blocks of a page that has little beside its title


cdef bint kept_before(const Structure* one, const uint32_t* words, const uint8_t* keep, uint32_t first) noexcept nogil:
    """True if the block before a structure is kept and is `first` or later. Short blocks are skipped."""
    cdef uint32_t b = one.first, passed = 0
    while b > first and passed <= MAX_PASSED:
        b -= 1
        if keep[b]:
            return True
        if words[b] > SHORT:
            return False
        passed += 1
    return False


cdef bint kept_after(const Structure* one, const uint32_t* words, const uint8_t* keep, uint32_t end) noexcept nogil:
    """True if the block after a structure is kept and is before `end`. Short blocks are skipped."""
    cdef uint32_t b = one.end, passed = 0
    while b < end and passed <= MAX_PASSED:
        if keep[b]:
            return True
        if words[b] > SHORT:
            return False
        b += 1
        passed += 1
    return False


cdef void keep_all(const Structure* one, uint8_t value, uint8_t* keep) noexcept nogil:
    memset(keep + one.first, value, one.end - one.first)


cdef void decide_one(const Structure* one, const uint32_t* words, uint8_t* keep) noexcept nogil:
    """Keep or drop a structure."""
    cdef size_t all_words = 0, kept_words = 0
    cdef uint32_t b
    cdef bint before, after
    for b in range(one.first, one.end):
        all_words += words[b] + 1       # a block without words counts too
        kept_words += words[b] + 1 if keep[b] else 0
    if 100 * kept_words >= MOST * all_words:
        keep_all(one, 1, keep)
        return
    keep_all(one, 0, keep)
    before = kept_before(one, words, keep, one.section)
    after = kept_after(one, words, keep, one.section_end)
    if (before and after) or (one.kind == STRUCTURE_LISTING and (before or after)):
        keep_all(one, 1, keep)


cdef bint any_heading_kept(const Structure* structures, uint32_t n_structures, const uint8_t* keep) noexcept nogil:
    """True if a heading below the title is kept."""
    cdef uint32_t i
    for i in range(n_structures):
        if structures[i].kind == STRUCTURE_HEADING and keep[structures[i].first]:
            return True
    return False


cdef void decide_title(
    const Structure* title, uint32_t n_blocks, bint has_heading, uint8_t* keep
) noexcept nogil:
    """Keep the title of a page whose first kept block follows it closely."""
    cdef uint32_t b, kept = 0
    for b in range(title.first + 1):
        if keep[b]:
            return
    b = title.first + 1
    while b < title.section_end and not keep[b]:
        b += 1
    if b == title.section_end:
        return
    if not has_heading:
        if n_blocks > FEW_BLOCKS:
            return
        for b in range(n_blocks):
            kept += keep[b] != 0
        if kept + 1 < n_blocks:
            return
    keep[title.first] = 1


cdef bint any_kept(const uint8_t* keep, uint32_t first, uint32_t end) noexcept nogil:
    """True if one of the blocks [first, end) is kept."""
    cdef uint32_t b
    for b in range(first, end):
        if keep[b]:
            return True
    return False


cdef void decide_structures(
    const Structure* structures, uint32_t n_structures, const uint32_t* words, uint32_t n_blocks, bint learned,
    uint8_t* keep
) noexcept nogil:
    """Keep or drop each structure of a page whose blocks were chosen. Tables and listings are visited forward and then
    backward, so that a kept listing keeps its row on both sides. `learned`: the learned extractor chose them.
    """
    cdef uint32_t i
    cdef bint everything = memchr(keep, 0, n_blocks) == NULL     # as `all` chooses
    for i in range(n_structures):
        THRESHER_CHECK(is_structure(structures + i, n_blocks))
        if structures[i].kind <= STRUCTURE_LISTING:
            decide_one(structures + i, words, keep)
    for i in range(n_structures, 0, -1):
        if structures[i - 1].kind <= STRUCTURE_LISTING:
            decide_one(structures + i - 1, words, keep)
    for i in range(n_structures):
        if structures[i].kind == STRUCTURE_TITLE:
            decide_title(structures + i, n_blocks, any_heading_kept(structures, n_structures, keep), keep)
        elif structures[i].kind == STRUCTURE_NOTE and keep[structures[i].section]:
            keep_all(structures + i, 1, keep)
        elif structures[i].kind == STRUCTURE_PAGER and (learned or not everything):
            keep_all(structures + i, 0, keep)
        elif structures[i].kind == STRUCTURE_SECTION and learned and keep[structures[i].section_end - 1]:
            keep_all(structures + i, 1, keep)
        elif structures[i].kind == STRUCTURE_TERM and keep[structures[i].section_end - 1]:
            keep_all(structures + i, 1, keep)
        elif (
            structures[i].kind == STRUCTURE_CONTENTS and (learned or not everything)
            and not any_kept(keep, structures[i].end, structures[i].section_end)
        ):
            keep_all(structures + i, 0, keep)
        elif (
            structures[i].kind == STRUCTURE_REPEATED and not everything
            and any_kept(keep, structures[i].section, structures[i].end)
        ):
            keep[structures[i].section] = 1
            keep_all(structures + i, 0, keep)
        elif structures[i].kind == STRUCTURE_FURNITURE and learned:
            keep_all(structures + i, 0, keep)
