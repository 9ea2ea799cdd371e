# SPDX-License-Identifier: Apache-2.0
"""What the site may be called, and what speaks for each name; see candidates.pyx."""

from thresher.native.facts.candidates cimport Candidates, Ranker
from thresher.native.facts.page_url cimport PageUrl


cdef tuple labels_of(str host)
cdef frozenset names_of_host(str host)
cdef str lone_site(Candidates candidates, Ranker ranker)
cdef Candidates site_candidates(dict values, list linked, PageUrl where, str host, tuple labels)
