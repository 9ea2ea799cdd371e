# SPDX-License-Identifier: Apache-2.0
"""Who may have written the page, and what speaks for each; see candidates.pyx."""

from thresher.native.facts.candidates cimport Candidates, FactWeights
from thresher.native.facts.shown_dates cimport ShownLines
from thresher.native.facts.page_url cimport PageUrl


cdef str declared_person(Candidates candidates)
cdef Candidates author_candidates(
    dict values, list linked, ShownLines lines, Py_ssize_t headline, object workspace, set sites, str site_name,
    str title, PageUrl where, FactWeights weights, int page_type
)
