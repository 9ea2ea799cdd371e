# SPDX-License-Identifier: Apache-2.0
"""Values that may be a page's fact, each with what speaks for and against it, and the choice among them."""

cimport cython

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.decision_trees cimport BitTrees
from thresher.native.facts.page_types cimport N_TYPES, TypeWeights
from thresher.native.facts.names cimport NameWeights


cdef enum:
    EVIDENCE_WORDS = 22
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
    cdef int take(self, Candidates other, Py_ssize_t i) except -1
    cdef int put_holding(
        self, Py_ssize_t i, uint64_t pairs, Py_ssize_t least, const Grade* within, const Grade* holding
    ) except -1
    cdef void put_all(self, const Evidence* of_page) noexcept
    cdef list named(self)


@cython.final
cdef class Ranker:
    """How much the evidence of a candidate for one fact speaks for it."""
    cdef BitTrees trees
    cdef int least              # sum from which on a candidate is better than none

    cdef str best(self, Candidates candidates)
    cdef Py_ssize_t likeliest(self, Candidates candidates, int* score)


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


cdef inline uint32_t bits_of(const Evidence* evidence, int run, int n) noexcept nogil:
    """Which of the first n pieces of evidence of a run a candidate has, a bit for each; n is below 32."""
    return <uint32_t> (evidence.bits[run >> 6] >> (run & 63)) & ((<uint32_t> 1 << n) - 1)


cdef inline void put_grade(Evidence* evidence, const Grade* grades, Py_ssize_t n) noexcept:
    while n > grades.most:
        grades += 1
    put(evidence, grades.number)


cdef inline void put_if(Evidence* evidence, int number, bint is_so) noexcept:
    if is_so:
        put(evidence, number)


cdef inline void put_bits(Evidence* evidence, int run, uint32_t bits) noexcept nogil:
    """Add the evidence of a run that bits stand for."""
    THRESHER_CHECK(<uint64_t> bits << (run & 63) >> (run & 63) == bits)
    evidence.bits[run >> 6] |= <uint64_t> bits << (run & 63)


cdef int number_of(str name) except -1
cdef void end_numbers() noexcept
cdef int run_of(str prefix, object names) except -1
cdef const Grade* grades_of(str name, list limits) except NULL
cdef const Grade* named_grades(list rows) except NULL
cdef Look look_at(str text) noexcept
