# SPDX-License-Identifier: Apache-2.0
"""Values that may be a page's fact, each with what speaks for and against it, and the choice among them."""

cimport cython

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint16_t, uint64_t

from thresher.native.facts.shown_dates cimport ShownLines
from thresher.native.facts.page_types cimport N_TYPES, TypeWeights
from thresher.native.facts.names cimport NameWeights
from thresher.native.facts.page_url cimport PageUrl


cdef enum:
    EVIDENCE_WORDS = 20
    MOST_EVIDENCE = EVIDENCE_WORDS * 64     # pieces of evidence that have names


ctypedef struct Evidence:       # which pieces of evidence a candidate has, a bit for each
    uint64_t[EVIDENCE_WORDS] bits
    uint64_t pairs              # which pairs of letters its key has, by their hash; 0 for a key that another has too


ctypedef struct Grade:      # a piece of evidence for numbers of up to this
    Py_ssize_t most
    int number


ctypedef struct Look:       # how a text is written
    Py_ssize_t words
    bint has_digit
    bint has_year
    bint is_ascii
    bint is_upper           # as str.isupper() has it
    bint may_divide         # False if it has no separator, as next_separator() of titles.pyx finds them


@cython.final
cdef class Candidates:
    """Values, each with its evidence."""
    cdef list texts
    cdef list keys              # letters by which they are compared; None where they are not
    cdef Evidence* rows         # one for each text
    cdef size_t capacity

    cdef Evidence* add(self, str text, str key) except NULL
    cdef int put_holding(
        self, Py_ssize_t i, uint64_t pairs, Py_ssize_t least, const Grade* within, const Grade* holding
    ) except -1
    cdef list named(self)


ctypedef struct TreeNode:
    uint16_t word               # where the evidence that is asked for has its bit: number >> 6,
    uint16_t shift              # and number & 63
    int32_t[2] next             # what follows without it and with it: a node, or the complement (~) of a leaf


ctypedef struct RankerTree:
    int32_t root
    int32_t most                # the sum of the greatest leaves from this tree on


@cython.final
cdef class Ranker:
    """How much the evidence of a candidate for one fact speaks for it."""
    cdef TreeNode* nodes
    cdef int32_t* leaves
    cdef RankerTree* trees      # those that have nodes
    cdef Py_ssize_t n_trees
    cdef int base               # the sum of the trees without a node
    cdef int least              # sum from which on a candidate is better than none

    cdef str best(self, Candidates candidates)
    cdef int score(self, const Evidence* evidence, int beaten) noexcept nogil


@cython.final
cdef class FactWeights:
    """All that was fitted for the facts of a page."""
    cdef TypeWeights type_weights
    cdef Ranker site
    cdef Ranker author
    cdef Ranker date
    cdef Ranker title
    cdef NameWeights names
    cdef double likely          # probability of a type from which on it says whether a page has a day or an author
    cdef int[N_TYPES] type_numbers      # evidence that the page is of a type,
    cdef int[N_TYPES] group_numbers     # or of its group
    cdef bint[N_TYPES] unsigned         # whether nobody signs pages of a type


cdef inline void put(Evidence* evidence, int number) noexcept nogil:
    evidence.bits[number >> 6] |= <uint64_t> 1 << (number & 63)


cdef inline bint has(const Evidence* evidence, int number) noexcept nogil:
    return evidence.bits[number >> 6] >> (number & 63) & 1


cdef inline void put_grade(Evidence* evidence, const Grade* grades, Py_ssize_t n) noexcept:
    while n > grades.most:
        grades += 1
    put(evidence, grades.number)


cdef int number_of(str name) except -1
cdef int fill_grades(Grade* grades, str name, list limits) except -1
cdef bint has_digit(str text) noexcept
cdef Look look_at(str text) noexcept
cdef tuple labels_of(str host)
cdef Candidates site_candidates(dict values, list linked, PageUrl where, str host, tuple labels)
cdef str declared_person(Candidates candidates)
cdef Candidates author_candidates(
    dict values, list linked, ShownLines lines, Py_ssize_t headline, object workspace, set sites, str site_name,
    str title, PageUrl where, FactWeights weights, int page_type
)
