# SPDX-License-Identifier: Apache-2.0
"""What a page declares about itself outside its text, and how much of a block is declared there.

Many pages hold their main text twice: as elements, and as data for machines. JSON-LD has the body of an article, the
ingredients and steps of a recipe, questions with answers, product descriptions. The head has a title and a description.
A block whose words are declared is seldom boilerplate.

Texts are compared by pairs of neighbouring words. The declared text may be wrong, old or from another page, so it is
never output: it is only evidence about blocks.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from thresher.native.base.hash_table cimport HashTable
from thresher.native.facts.linked_data cimport LinkedData
from thresher.native.parsing.document cimport Tree
from thresher.native.scoring.url_form cimport OgType, UrlForm
from thresher.native.base.text_buffer cimport TextBuffer
from thresher.native.shown.decision cimport ShownArray
from thresher.native.scoring.texts cimport TextPass


cdef enum DeclaredPart:     # where a text is declared; bits of the values of `pairs`
    PART_ARTICLE = 1        # JSON-LD: the text of an article or posting
    PART_RECIPE = 2         # JSON-LD: ingredients and instructions of a recipe
    PART_OTHER = 4          # JSON-LD: all other prose and names: answers, comments, descriptions
    PART_HEAD = 8           # title and descriptions in the head
    N_PARTS = 4


cdef enum:
    NOTED_WORDS = 256           # 64-bit words of the filter for declared pairs


ctypedef struct Declared:   # owns its memory, which is reused from page to page
    LinkedData linked           # the page's JSON-LD
    HashTable pairs             # maps pairs of neighbouring words to DeclaredPart bits
    uint64_t[NOTED_WORDS] noted # a bit for the lowest bits of each key of `pairs`, if there is any
    TextBuffer text             # the current string
    uint32_t types              # of the page's objects: bits of LinkedType
    uint32_t[N_PARTS] n_pairs   # distinct pairs declared in each part
    UrlForm url                 # the page's own
    OgType og_type


cdef int read_declared(Declared* declared, const Tree* tree, const ShownArray* shown) noexcept nogil
cdef void covered_shares(const Declared* declared, const TextPass* read, int16_t* shares) noexcept nogil
cdef void free_declared(Declared* declared) noexcept nogil
cdef size_t declared_bytes(const Declared* declared) noexcept nogil
