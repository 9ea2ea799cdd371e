# SPDX-License-Identifier: Apache-2.0
"""Values that may be a page's fact, each with what speaks for and against it, and the choice among them."""

cimport cython

from thresher.native.facts.dates cimport ShownLines
from thresher.native.facts.kinds cimport KindWeights
from thresher.native.facts.page_address cimport Address


@cython.final
cdef class Ranker:
    """What each piece of evidence weighs for one fact."""
    cdef dict weights           # whole numbers by name; "" has those of every candidate
    cdef int least              # sum from which on a candidate is better than none

    cdef str best(self, list candidates)


@cython.final
cdef class FactWeights:
    """All that was fitted for the facts of a page."""
    cdef KindWeights kinds
    cdef Ranker site
    cdef Ranker author
    cdef tuple names            # the type and group of each kind
    cdef tuple undated          # numbers of the kinds whose pages have no day of their own
    cdef double most_undated    # probability of these kinds from which on a page has none


cdef list site_candidates(dict values, list linked, Address where)
cdef list author_candidates(
    dict values, list linked, ShownLines lines, Py_ssize_t headline, set sites, Address where, str ruled, tuple kinds
)
