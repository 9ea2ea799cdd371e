# SPDX-License-Identifier: Apache-2.0
"""`ccb`: content code blurring.

Gottron, Content Code Blurring: A New Approach to Content Extraction, DEXA Workshops 2008, in its form over tokens. The
page is a vector of tokens, 1 for a word and 0 for a tag; blurred with a Gaussian, it says of each token how much
content surrounds it; words where the blurred value is above a threshold are main text. Tags of links count as code, or
are ignored as in the paper's adapted variant (ACCB), so that text full of links (a wiki) is not broken up.

Parameters: `range` (tokens to each side that have weight: three standard deviations), `threshold`, `anchors` (1: the
tags of links are code; 0: they are ignored). The paper's figures are not at hand; these were chosen by cross-validation
over sites.

The Gaussian is three passes of a moving mean, which by the central limit theorem comes close to it at a cost that does
not depend on the range. A text node is marked where the mean of its words' values is above the threshold.
"""

from libc.stdint cimport uint32_t

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.interface cimport MARKED_NODES, Page
from thresher.native.choosing.tags_between cimport Cursor, cursor_of, next_text
from thresher.native.base.scratch cimport SLOT_EXTRACTOR_1, SLOT_EXTRACTOR_2, take


cdef void moving_mean(const float* values, float* means, Py_ssize_t count, Py_ssize_t radius) noexcept nogil:
    """Means over 2 * radius + 1 values; positions outside the vector are code."""
    cdef Py_ssize_t i
    cdef double total = 0.0, width = 2 * radius + 1
    for i in range(min(radius, count)):
        total += values[i]
    for i in range(count):
        if i + radius < count:
            total += values[i + radius]
        if i - radius - 1 >= 0:
            total -= values[i - radius - 1]
        means[i] = <float> (total / width)


cdef int ccb(const Page* page) noexcept nogil:
    """Marks the text nodes that are surrounded by text."""
    cdef:
        const CcbOptions* options = <const CcbOptions*> page.options
        double span = options.range, threshold = options.threshold, total
        Cursor cursor
        Py_ssize_t count, position, i, radius
        uint32_t n
        float* values
        float* means
        float* swap
    if not span >= 1:
        span = 1
    if span > 1e6:
        span = 1e6
    # three moving means of radius r have the variance r * (r + 1), the Gaussian's is (span / 3)^2
    radius = <Py_ssize_t> (span / 3 + 0.5)
    if radius < 1:
        radius = 1
    count = 0
    cursor = cursor_of(page.tree, page.metrics, options.anchors == 0)
    n = next_text(&cursor, page.tree, page.metrics)
    while n:
        count += cursor.tags + page.metrics.nodes[n].words
        n = next_text(&cursor, page.tree, page.metrics)
    count += cursor.tags
    values = <float*> take(page.scratch, SLOT_EXTRACTOR_1, count + 1, sizeof(float))
    means = <float*> take(page.scratch, SLOT_EXTRACTOR_2, count + 1, sizeof(float))
    if values == NULL or means == NULL:
        return OUT_OF_MEMORY
    for i in range(count):
        values[i] = 0.0
    position = 0
    cursor = cursor_of(page.tree, page.metrics, options.anchors == 0)
    n = next_text(&cursor, page.tree, page.metrics)
    while n:
        position += cursor.tags
        for i in range(page.metrics.nodes[n].words):
            values[position + i] = 1.0
        position += page.metrics.nodes[n].words
        n = next_text(&cursor, page.tree, page.metrics)
    for i in range(3):
        moving_mean(values, means, count, radius)
        swap = values
        values = means
        means = swap
    position = 0
    cursor = cursor_of(page.tree, page.metrics, options.anchors == 0)
    n = next_text(&cursor, page.tree, page.metrics)
    while n:
        position += cursor.tags
        total = 0.0
        for i in range(page.metrics.nodes[n].words):
            total += values[position + i]
        if page.metrics.nodes[n].words and total > threshold * page.metrics.nodes[n].words:
            page.marks[n] = 1
        position += page.metrics.nodes[n].words
        n = next_text(&cursor, page.tree, page.metrics)
    return MARKED_NODES
