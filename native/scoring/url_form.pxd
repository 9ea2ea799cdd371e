# SPDX-License-Identifier: Apache-2.0
"""The form of the URL that a page gives as its own, and what it says that it is: a front page has the path "/",
an article a long name or a number.

The URL is that of the link with rel canonical, else of og:url. What is known of where the page was found is not
asked: rows depend on the page alone.
"""

from libc.stdint cimport int16_t

from thresher.native.parsing.document cimport Slice


cdef enum OgType:     # what og:type says
    OG_UNSAID = 0
    OG_ARTICLE = 1
    OG_WEBSITE = 2
    OG_ELSE = 3


ctypedef struct UrlForm:    # each -1 where the page gives no URL
    int16_t depth       # parts of the path, without that of a language in front and an index behind
    int16_t words       # of the last part, without its suffix
    int16_t length      # and its characters
    int16_t digits      # of the longest number in path and query


cdef inline void forget_url(UrlForm* form) noexcept nogil:
    form.depth = form.words = form.length = form.digits = -1


cdef bint read_url(Slice url, UrlForm* form) noexcept nogil
cdef OgType og_type_of(Slice said) noexcept nogil
