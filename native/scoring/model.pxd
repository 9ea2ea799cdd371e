# SPDX-License-Identifier: Apache-2.0
"""The model of the learned extractor: weights of tokens and terms, three forests, and what a prediction is worth.

A Model never changes once it is made, so threads share it, and several can be used side by side.
"""

from libc.stdint cimport int8_t

from thresher.native.scoring.trees cimport Forest, Trees


cdef enum:
    CONFIDENCE_POINTS = 21


ctypedef struct ModelParts:                 # what code without the GIL reads; the Model keeps the memory
    const int8_t* token_weights             # N_WEIGHTS of them (tokens.pxd)
    const Forest* first_trees               # score a block by the features of the page
    const Forest* block_trees               # and again, with their context
    const Forest* choice_trees              # predict the F1 of a choice
    double expected_weight                  # weight of the expected F1 of a choice beside the predicted one
    double[CONFIDENCE_POINTS] confidence    # the F1 to be expected where 0, .05, …, 1 is predicted


cdef inline double calibrated(const ModelParts* model, double predicted) noexcept nogil:
    """The F1 to expect when the trees predict this one."""
    cdef double at = min(max(predicted, 0.0), 1.0) * (CONFIDENCE_POINTS - 1)
    cdef int point = min(<int> at, CONFIDENCE_POINTS - 2)
    return model.confidence[point] + (at - point) * (model.confidence[point + 1] - model.confidence[point])


cdef class Model:
    cdef readonly str version
    cdef bytes token_weights
    cdef Trees first_trees
    cdef Trees block_trees
    cdef Trees choice_trees
    cdef ModelParts parts
