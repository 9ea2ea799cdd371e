# SPDX-License-Identifier: Apache-2.0
"""The model of the learned extractor: weights of tokens and terms, three forests, and a calibration of the predicted
F1.

A Model never changes once it is made, so threads share it, and several can be used side by side.
"""

from libc.stdint cimport int8_t

from thresher.native.scoring.trees cimport Forest, Trees


cdef enum:
    CONFIDENCE_POINTS = 21


ctypedef struct ModelParts:                 # for code without the GIL; the Model owns the memory
    const int8_t* token_weights             # N_WEIGHTS of them (tokens.pxd)
    const Forest* first_trees               # score a block by the page's features
    const Forest* block_trees               # score it again, with the context
    const Forest* choice_trees              # predict the F1 of a choice
    double expected_weight                  # weight of the expected F1 of a choice beside the predicted one
    double[CONFIDENCE_POINTS] confidence    # the F1 to expect when 0, .05, …, 1 is predicted


cdef inline double calibrated(const ModelParts* model, double predicted) noexcept nogil:
    """The F1 to expect when the trees predict this F1."""
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
