# SPDX-License-Identifier: Apache-2.0
"""The headline of a page by rules, where its main text is not known."""

from thresher.native.facts.page_url cimport PageUrl


cdef str shown_part(str title, list texts)
cdef str title_of(dict values, str site_name, set sites, PageUrl where)
cdef str headline_of(dict values, list linked, str title, set sites, PageUrl where)
