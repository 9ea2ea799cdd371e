# SPDX-License-Identifier: Apache-2.0
"""The page's own data: its scripts of type application/ld+json, read in one bounded scan.

The scan keeps objects with their types, and strings with their property and group. Strings are slices of the page as
written, with escapes unresolved. Broken JSON is normal: whatever can be read is kept.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from thresher.native.parsing.document cimport Document, Slice, Tree


cdef enum LinkedGroup:      # what a string is part of
    GROUP_ARTICLE = 0       # articleBody, text
    GROUP_RECIPE = 1        # ingredients, instructions
    GROUP_TALK = 2          # questions, answers, comments, reviews, posts of a forum
    GROUP_PRODUCT = 3       # the description of a product
    GROUP_OTHER = 4         # other prose
    GROUP_FACT = 5          # names, dates, addresses: not prose
    LINKED_GROUPS = 6


cdef enum LinkedKey:        # properties that are distinguished
    KEY_NONE = 0
    KEY_TYPE
    KEY_ID
    KEY_GRAPH
    KEY_MAIN                # mainEntity, mainEntityOfPage
    KEY_HEADLINE
    KEY_NAME
    KEY_GIVEN
    KEY_FAMILY
    KEY_PUBLISHED
    KEY_MODIFIED
    KEY_CREATED
    KEY_UPLOADED
    KEY_AUTHOR
    KEY_CREATOR
    KEY_PUBLISHER
    KEY_ARTICLE_BODY
    KEY_TEXT
    KEY_DESCRIPTION
    KEY_INGREDIENT
    KEY_INSTRUCTIONS
    KEY_ANSWER              # acceptedAnswer, suggestedAnswer
    KEY_COMMENT
    KEY_REVIEW
    KEY_REVIEW_BODY
    LINKED_KEYS


cdef enum LinkedType:       # bits of LinkedObject.types
    TYPE_ARTICLE = 1 << 0
    TYPE_RECIPE = 1 << 1
    TYPE_PRODUCT = 1 << 2
    TYPE_FORUM = 1 << 3         # DiscussionForumPosting, SocialMediaPosting, QAPage
    TYPE_QUESTION = 1 << 4
    TYPE_ANSWER = 1 << 5
    TYPE_COMMENT = 1 << 6
    TYPE_REVIEW = 1 << 7
    TYPE_FAQ = 1 << 8
    TYPE_LIST = 1 << 9          # ItemList, CollectionPage, SearchResultsPage, OfferCatalog, ProductCollection
    TYPE_DOCUMENTATION = 1 << 10    # TechArticle, APIReference
    TYPE_STEP = 1 << 11         # HowToStep, HowToSection
    TYPE_PAGE = 1 << 12
    TYPE_SITE = 1 << 13
    TYPE_ORGANIZATION = 1 << 14
    TYPE_VIDEO = 1 << 15
    TYPE_EVENT = 1 << 16
    TYPE_JOB = 1 << 17
    TYPE_NEWS = 1 << 18         # NewsArticle and its kinds, beside TYPE_ARTICLE
    ARTICLES = TYPE_ARTICLE | TYPE_FORUM | TYPE_REVIEW | TYPE_RECIPE    # what somebody wrote


cdef enum:
    NO_OBJECT = 0xFFFF      # and one more than the objects that are told apart: strings of later ones belong to none


ctypedef struct LinkedObject:
    uint32_t types      # bits of LinkedType
    uint16_t parent     # the object that contains it; NO_OBJECT for an outermost one
    uint8_t key         # the LinkedKey under which its parent has it
    uint8_t of_page     # true if it is outermost, in @graph, or the main entity of such an object


ctypedef struct LinkedString:
    uint32_t start      # address in the tree's text, see slice_at()
    uint32_t length     # bytes as written
    uint16_t object     # the object that has the property; NO_OBJECT for none
    uint8_t key         # LinkedKey
    uint8_t group       # LinkedGroup


ctypedef struct LinkedData:     # owns its arrays, which are reused from page to page; zero at first
    LinkedObject* objects
    LinkedString* strings
    size_t objects_capacity
    size_t strings_capacity
    uint32_t n_objects
    uint32_t n_strings
    bint failed                 # out of memory: what was read until then is there
    uint32_t types              # of all objects that describe the page


cdef void start_linked_data(LinkedData* linked) noexcept nogil
cdef void add_linked_script(LinkedData* linked, const Tree* tree, uint32_t node) noexcept nogil
cdef int finish_linked_data(LinkedData* linked) noexcept nogil
cdef void free_linked_data(LinkedData* linked) noexcept nogil
cdef size_t linked_data_bytes(const LinkedData* linked) noexcept nogil
cdef bint is_linked_data(const Tree* tree, uint32_t node) noexcept nogil
cdef uint32_t end_of_string(const uint8_t* data, uint32_t start, uint32_t end, bint is_strict) noexcept nogil
cdef str json_text(Slice written)
cdef list objects_of(const Tree* tree, const LinkedData* data)
cdef list linked_objects(Document document)
