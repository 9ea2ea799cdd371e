# SPDX-License-Identifier: Apache-2.0
"""Evidence from other pages of a host about a page's blocks: one row of 16-bit integers per feature, the input of the
trees that weigh it.

A block is *repeated* if at least one of the other pages has a block with the same fingerprint. Shares are in
thousandths and scores in 1/4096 of a logit; all other values are used unscaled. Values beyond 16 bits are clipped.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t


cpdef enum EvidenceFeature:
    OWN_SCORE = 0           # score of the block by itself
    OWN_SIZE                # characters
    OTHERS_SHARE            # share of the known other pages that have it; -1 if it cannot be told (no letters)
    OTHERS_COUNT            # how many have it
    OTHERS_KNOWN            # known other pages
    REPEATED_OF_PAGE        # share of the page's characters in repeated blocks
    REPEATED_NEAR           # share of the characters of the nine blocks around it that are in repeated blocks
    REPEATED_BEFORE         # 1 if the block before it is repeated
    REPEATED_AFTER          # 1 if the block after it is repeated
    SCORE_BEFORE            # score of the block before it; the smallest value if there is none
    SCORE_AFTER
    N_EVIDENCE


cdef enum:
    NEAR = 4                # blocks on either side
    ALONE = 300             # characters; a shorter run between template blocks is template too


EVIDENCE_FEATURES = tuple(name.lower() for name in globals()["EvidenceFeature"].__members__ if name != "N_EVIDENCE")
"""Names of the features, in the order of their numbers."""


cdef inline int16_t bounded(int64_t value) noexcept nogil:
    return <int16_t> min(max(value, -32768), 32767)


cdef inline int16_t thousandths(int64_t part, int64_t whole) noexcept nogil:
    return <int16_t> ((1000 * part + whole // 2) // whole) if whole > 0 else <int16_t> 0


def evidence_features(bytes scores not None, bytes sizes not None, bytes counts not None, int known) -> bytes:
    """The features of a page's blocks that come from other pages: 16-bit integers, one row of n_blocks values per
    feature.

    `scores` are 16-bit, `sizes` and `counts` 32-bit integers, one for each block. A count is -1 if the block has no
    letters. `known`, the number of other pages, is at least 1.
    """
    cdef:
        Py_ssize_t n = len(scores) // sizeof(int16_t), b, first, end
        const int16_t* score = <const int16_t*> <const char*> scores
        const int32_t* size = <const int32_t*> <const char*> sizes
        const int32_t* count = <const int32_t*> <const char*> counts
        bytes found
        int16_t* value
        int64_t all_size = 0, all_repeated = 0, near_size = 0, near_repeated = 0
    if len(sizes) != n * 4 or len(counts) != n * 4 or known < 1:
        raise ValueError(
            f"{len(scores)}, {len(sizes)} and {len(counts)} bytes are not scores, sizes and counts of the same blocks, "
            "or no page is known"
        )
    found = PyBytes_FromStringAndSize(NULL, n * N_EVIDENCE * sizeof(int16_t))
    value = <int16_t*> PyBytes_AS_STRING(found)
    with nogil:
        for b in range(n):
            all_size += size[b]
            all_repeated += size[b] if count[b] > 0 else 0
        for b in range(min(n, <Py_ssize_t> NEAR)):
            near_size += size[b]
            near_repeated += size[b] if count[b] > 0 else 0
        for b in range(n):
            first = b - NEAR - 1
            end = b + NEAR
            if end < n:
                near_size += size[end]
                near_repeated += size[end] if count[end] > 0 else 0
            if first >= 0:
                near_size -= size[first]
                near_repeated -= size[first] if count[first] > 0 else 0
            value[<int> OWN_SCORE * n + b] = score[b]
            value[OWN_SIZE * n + b] = bounded(size[b])
            value[OTHERS_SHARE * n + b] = <int16_t> -1 if count[b] < 0 else bounded(thousandths(count[b], known))
            value[OTHERS_COUNT * n + b] = bounded(count[b])
            value[OTHERS_KNOWN * n + b] = bounded(known)
            value[REPEATED_OF_PAGE * n + b] = thousandths(all_repeated, all_size)
            value[REPEATED_NEAR * n + b] = thousandths(near_repeated, near_size)
            value[REPEATED_BEFORE * n + b] = b > 0 and count[b - 1] > 0
            value[REPEATED_AFTER * n + b] = b + 1 < n and count[b + 1] > 0
            value[SCORE_BEFORE * n + b] = score[b - 1] if b > 0 else <int16_t> -32768
            value[SCORE_AFTER * n + b] = score[b + 1] if b + 1 < n else <int16_t> -32768
    return found


def negative_evidence(bytes evidence not None, bytes counts not None) -> bytes:
    """The evidence with 0 for positive values, and for blocks that cannot be compared, as signed 16-bit integers.

    A count is -1 if the block has no letters: most are prices and dates, which differ from page to page.
    """
    cdef:
        Py_ssize_t n = len(evidence) // sizeof(int16_t), b
        const int16_t* source = <const int16_t*> <const char*> evidence
        const int32_t* count = <const int32_t*> <const char*> counts
        bytes found = PyBytes_FromStringAndSize(NULL, n * sizeof(int16_t))
        int16_t* change = <int16_t*> PyBytes_AS_STRING(found)
    if len(counts) != n * 4:
        raise ValueError(f"{n} blocks with evidence, and {len(counts)} bytes of counts")
    for b in range(n):
        change[b] = min(source[b], <int16_t> 0) if count[b] >= 0 else <int16_t> 0
    return found


def moved_share(bytes scores not None, bytes sizes not None, bytes kept not None, bytes evidence not None) -> float:
    """The share of text that the evidence moves in or out: the characters of blocks that it moves across the lowest
    kept score, divided by the kept characters. 1 if nothing was kept.

    `scores` and `evidence` are 16-bit, `sizes` 32-bit and `kept` 8-bit integers.
    """
    cdef:
        Py_ssize_t n = len(kept), b
        const int16_t* score = <const int16_t*> <const char*> scores
        const int16_t* change = <const int16_t*> <const char*> evidence
        const int32_t* size = <const int32_t*> <const char*> sizes
        const uint8_t* keep = <const uint8_t*> <const char*> kept
        int64_t whole = 0, moved = 0
        int line = 32768
    if len(scores) != 2 * n or len(evidence) != 2 * n or len(sizes) != 4 * n:
        raise ValueError("scores, sizes, kept and evidence are not of the same blocks")
    for b in range(n):
        if keep[b]:
            line = min(line, <int> score[b])
            whole += size[b]
    if line == 32768:
        return 1.0
    for b in range(n):
        if keep[b]:
            moved += size[b] if <int> score[b] + change[b] < line else 0
        elif score[b] < line <= <int> score[b] + change[b]:
            moved += size[b]
    return moved / <double> max(whole, 1)


def other_page_counts(bytes totals not None, bytes fingerprints not None, int own) -> bytes:
    """How many other pages have each block; -1 for a block without letters, which cannot be compared.

    `totals` is the number of pages that have it. `own` (0 or 1) is subtracted: it says whether this page is one of
    them.

    `totals` and the result are 32-bit integers, `fingerprints` are 64-bit.
    """
    cdef:
        Py_ssize_t n = len(totals) // sizeof(int32_t), b
        const int32_t* total = <const int32_t*> <const char*> totals
        const int64_t* fingerprint = <const int64_t*> <const char*> fingerprints
        bytes found = PyBytes_FromStringAndSize(NULL, n * sizeof(int32_t))
        int32_t* count = <int32_t*> PyBytes_AS_STRING(found)
    if len(fingerprints) != n * 8 or len(totals) != n * 4:
        raise ValueError(f"{len(totals)} bytes of totals, {len(fingerprints)} of fingerprints")
    for b in range(n):
        count[b] = max(total[b] - own, 0) if fingerprint[b] else -1
    return found


def repeated_share(bytes sizes not None, bytes counts not None) -> float:
    """The share of a page's characters in blocks that another page has too. Sizes and counts are as in
    evidence_features().
    """
    cdef:
        Py_ssize_t n = len(sizes) // sizeof(int32_t), b
        const int32_t* size = <const int32_t*> <const char*> sizes
        const int32_t* count = <const int32_t*> <const char*> counts
        int64_t all_size = 0, all_repeated = 0
    if len(sizes) != len(counts):
        raise ValueError(f"{len(sizes)} bytes of sizes, {len(counts)} of counts")
    for b in range(n):
        all_size += size[b]
        all_repeated += size[b] if count[b] > 0 else 0
    return all_repeated / <double> all_size if all_size else 0.0


def template_blocks(bytes kept not None, bytes sizes not None, bytes counts not None, double least) -> bytes | None:
    """A byte per block: 1 marks a kept block that repetition alone makes template. None if there is no such block, or
    if all kept blocks are template.

    `kept` are 8-bit integers; sizes and counts are as in evidence_features(). A block is template if at least `least`
    other pages have it. A run of other blocks with fewer than ALONE characters is template too: short text between
    template blocks, or at the ends of the page, is a date, a counter or a name. Such runs count only if longer runs
    hold at least half of the text that is not repeated, because the posts of a thread and the items of a list are also
    short runs.
    """
    cdef:
        Py_ssize_t n = len(kept), b, start = 0, n_kept = 0, n_template = 0
        const uint8_t* keep = <const uint8_t*> <const char*> kept
        const int32_t* size = <const int32_t*> <const char*> sizes
        const int32_t* count = <const int32_t*> <const char*> counts
        bytes found = PyBytes_FromStringAndSize(NULL, n)
        uint8_t* template = <uint8_t*> PyBytes_AS_STRING(found)
        int64_t run = 0, in_runs = 0, in_long_runs = 0
        bint any_template = False
    if len(sizes) != n * 4 or len(counts) != n * 4:
        raise ValueError(
            f"{n} bytes of kept, {len(sizes)} of sizes and {len(counts)} of counts are not of the same blocks"
        )
    for b in range(n):
        template[b] = count[b] >= least and count[b] > 0
        any_template |= template[b]
    if not any_template:
        return None
    for b in range(n + 1):
        if b < n and not template[b]:
            run += size[b]
            continue
        in_runs += run
        in_long_runs += run if run >= ALONE else 0
        run = 0
    if in_long_runs > 0 and 2 * in_long_runs >= in_runs:
        for b in range(n + 1):
            if b < n and not template[b]:
                run += size[b]
                continue
            if run < ALONE:
                while start < b:
                    template[start] = 1
                    start += 1
            start = b + 1
            run = 0
    for b in range(n):
        n_kept += keep[b] != 0
        template[b] &= keep[b] != 0
        n_template += template[b]
    return found if 0 < n_template < n_kept else None
