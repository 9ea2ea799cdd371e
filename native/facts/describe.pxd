# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself, also of one whose main text was chosen."""

from libc.stdint cimport int32_t, uint32_t

from thresher.native.facts.candidates cimport FactWeights
from thresher.native.facts.headlines cimport MAX_HEADS, Head
from thresher.native.facts.page_types cimport N_SHAPE, TYPE_LANES
from thresher.native.facts.linked_data cimport LinkedData
from thresher.native.facts.metadata cimport Interests
from thresher.native.parsing.document cimport Document


ctypedef struct ChosenPage:     # what a page is made of whose main text was chosen
    uint32_t[N_SHAPE] shape     # what Workspace.shape() returns
    Head[MAX_HEADS] heads
    uint32_t n_heads
    Interests elements
    const LinkedData* linked    # its JSON-LD; NULL if it was not read yet
    bint is_hashed              # the sums of the weights of its tokens and terms are known:
    int32_t[TYPE_LANES] hashed


cdef tuple describe_page(
    Document document, const ChosenPage* chosen, object main_text, str url, object latest, FactWeights weights,
    dict into
)
