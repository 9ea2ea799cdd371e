# SPDX-License-Identifier: Apache-2.0
"""The headline of a page."""


cdef bint has_separators(str title, int least) except -1
cdef bint is_front_page(str url) except -1
cdef int add_site_at_end(dict values, bint is_declared, set sites) except -1
cdef list titles_behind(str text, int most)
cdef str title_of(dict values, str site_name, set sites, str url)
cdef str headline_of(dict values, list linked, str title, set sites, str url)
