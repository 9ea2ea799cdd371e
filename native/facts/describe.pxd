# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself, for a workspace that has read its JSON-LD."""

from libc.stdint cimport uint32_t

from thresher.native.facts.candidates cimport FactWeights
from thresher.native.facts.linked_data cimport LinkedData
from thresher.native.parsing.document cimport Document


cdef tuple describe_page(
    Document document, const LinkedData* data, const uint32_t* found, object workspace, str url, object latest, FactWeights weights, dict into
)
