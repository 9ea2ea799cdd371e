# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself, for a workspace that has read its JSON-LD."""

from thresher.native.facts.linked_data cimport LinkedData
from thresher.native.parsing.document cimport Document


cdef tuple describe_page(
    Document document, const LinkedData* data, tuple shape, str url, object latest, object weights
)
