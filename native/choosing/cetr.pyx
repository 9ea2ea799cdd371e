# SPDX-License-Identifier: Apache-2.0
"""`cetr`: content extraction via tag ratios.

Weninger, Hsu and Han, CETR: Content Extraction via Tag Ratios, WWW 2010. The paper computes characters per tag for each
line of the HTML. Lines say little in pages that programs write (Alarte 2023, section 6.1), so the lines here are the
page's blocks; the tags of a block are those since the block before, at least 1. The rest follows descriptions of the
paper, whose text was not at hand: the ratios are smoothed with a Gaussian of one standard deviation of 1 line; a second
coordinate is the smoothed absolute difference between a ratio and the mean of the `window` ratios after it; k-means
over these points with one centroid held at the origin; what is not in the origin's cluster is main text.

Parameters: `clusters` (the paper's k = 3), `window` (the paper's alpha = 3). The centroids start at even steps from the
origin to the largest ratio, and the clustering ends when no point moves, after 100 rounds at most.
"""

from libc.math cimport fabs
from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.choosing.interface cimport KEPT_BLOCKS, Page
from thresher.native.choosing.smoothing cimport smooth
from thresher.native.choosing.tags_between cimport Cursor, cursor_of, next_text
from thresher.native.base.scratch cimport SLOT_EXTRACTOR_1, SLOT_EXTRACTOR_2, SLOT_EXTRACTOR_3, SLOT_EXTRACTOR_4, take


cdef enum:
    MAX_CLUSTERS = 16
    MAX_ROUNDS = 100


cdef int cetr(const Page* page) noexcept nogil:
    """Keeps the blocks that are not clustered with the origin."""
    cdef:
        const CetrOptions* options = <const CetrOptions*> page.options
        Py_ssize_t count = page.blocks.n_blocks, i, j, window = <Py_ssize_t> min(max(options.window, 1.0), 100.0)
        int clusters = <int> min(max(options.clusters, 2.0), <double> MAX_CLUSTERS), k, nearest, round_
        uint32_t n, tags
        Cursor cursor
        double distance, best, total
        double[MAX_CLUSTERS] x, y, sum_x, sum_y
        Py_ssize_t[MAX_CLUSTERS] members
        bint moved
        double* ratio = <double*> take(page.scratch, SLOT_EXTRACTOR_1, count + 1, sizeof(double))
        double* smoothed = <double*> take(page.scratch, SLOT_EXTRACTOR_2, count + 1, sizeof(double))
        double* slope = <double*> take(page.scratch, SLOT_EXTRACTOR_3, count + 1, sizeof(double))
        uint8_t* cluster = <uint8_t*> take(page.scratch, SLOT_EXTRACTOR_4, count + 1, sizeof(uint8_t))
    if ratio == NULL or smoothed == NULL or slope == NULL or cluster == NULL:
        return OUT_OF_MEMORY
    if count == 0:
        return KEPT_BLOCKS
    # Characters per tag: every text node between two cursor stops belongs to the block whose range holds it.
    cursor = cursor_of(page.tree, page.metrics, False)
    n = next_text(&cursor, page.tree, page.metrics)
    for i in range(count):
        tags = 0
        while n and n < page.blocks.blocks[i].end:
            tags += cursor.tags
            n = next_text(&cursor, page.tree, page.metrics)
        ratio[i] = <double> page.blocks.blocks[i].characters / (tags if tags else 1)
    smooth(ratio, smoothed, count)
    for i in range(count):
        total = 0.0
        k = 0
        for j in range(i + 1, min(i + window, count - 1) + 1):
            total += smoothed[j]
            k += 1
        ratio[i] = fabs(total / k - smoothed[i]) if k else 0.0
    smooth(ratio, slope, count)
    # k-means with centroid 0 at the origin.
    best = 0.0
    total = 0.0
    for i in range(count):
        best = max(best, smoothed[i])
        total = max(total, slope[i])
        cluster[i] = 0
    for k in range(clusters):
        x[k] = best * k / (clusters - 1)
        y[k] = total * k / (clusters - 1)
    for round_ in range(MAX_ROUNDS):
        moved = round_ == 0
        for k in range(clusters):
            sum_x[k] = 0.0
            sum_y[k] = 0.0
            members[k] = 0
        for i in range(count):
            nearest = 0
            best = smoothed[i] * smoothed[i] + slope[i] * slope[i]
            for k in range(1, clusters):
                distance = (smoothed[i] - x[k]) * (smoothed[i] - x[k]) + (slope[i] - y[k]) * (slope[i] - y[k])
                if distance < best:
                    best = distance
                    nearest = k
            if cluster[i] != nearest:
                cluster[i] = nearest
                moved = True
            sum_x[nearest] += smoothed[i]
            sum_y[nearest] += slope[i]
            members[nearest] += 1
        if not moved:
            break
        for k in range(1, clusters):
            if members[k]:
                x[k] = sum_x[k] / members[k]
                y[k] = sum_y[k] / members[k]
    for i in range(count):
        page.keep[i] = cluster[i] != 0
    return KEPT_BLOCKS
