# SPDX-License-Identifier: Apache-2.0
"""The headline of a page."""


cdef list titles_behind(str text, int most)
cdef str title_of(dict values, str site_name, set sites, str url)
cdef str headline_of(dict values, list linked, str title, set sites, str url)
