# SPDX-License-Identifier: Apache-2.0
"""The tree builder: tokens in, nodes in the arena out."""

from thresher.native.parsing.arena cimport Arena
from thresher.native.parsing.construction cimport TreeBuilder
from thresher.native.parsing.tokenizer cimport Tokenizer


cdef void build_tree(TreeBuilder* b, Tokenizer* tokenizer, Arena* arena) noexcept nogil
