# SPDX-License-Identifier: Apache-2.0
"""The headline of a page."""

from thresher.native.facts.page_address cimport Address


cdef bint has_separators(str title, int least) except -1
cdef int add_site_at_end(dict values, bint is_declared, set sites) except -1
cdef list titles_behind(str text, int most)
cdef str title_of(dict values, str site_name, set sites, Address where)
cdef str headline_of(dict values, list linked, str title, set sites, Address where)
