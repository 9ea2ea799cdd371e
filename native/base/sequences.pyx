# SPDX-License-Identifier: Apache-2.0
"""Longest common subsequences of token sequences, for the evaluation's ROUGE-LSum.

Tokens are small integers (positions in a vocabulary). The recurrence is Hyyrö's bit-parallel one (2004). Each candidate
token has one row of bits over the reference sentence. Bit i is clear if the longest common subsequence grows between
the reference prefixes of i and i + 1 tokens. With the rows kept, the subsequence itself can be read back, not only its
length.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room, new_array
from thresher.native.base.check cimport THRESHER_CHECK


cdef struct Subsequences:
    # per vocabulary entry: its match mask in `masks`, -1 if the reference sentence lacks the token
    int32_t* slot
    int32_t* left_reference  # per vocabulary entry: occurrences in the reference that are not yet counted as hits
    int32_t* left_candidate  # per vocabulary entry: occurrences in the candidate that are not yet counted as hits
    uint64_t* masks         # one mask of `words` words per distinct token of the reference sentence
    uint64_t* rows          # one row of `words` words per candidate token that occurs in the reference sentence
    int32_t* columns        # that candidate token
    uint8_t* gaps           # 1 if candidate tokens that do not occur in the reference sentence follow the column
    uint8_t* in_union       # per reference token: part of the union
    size_t masks_capacity   # in words
    size_t rows_capacity    # in words
    size_t columns_capacity
    size_t union_capacity


cdef int mark_common(
    Subsequences* work, const int32_t* reference, Py_ssize_t n_reference, Py_ssize_t words,
    const int32_t* candidate, Py_ssize_t n_candidate
) noexcept nogil:
    """Mark in `in_union` the reference tokens of one longest common subsequence with one candidate sentence.

    Of several longest ones, this is the one that the rouge-score package reads back from its table: a match is always
    used; otherwise the candidate is shortened if that alone keeps the length, else the reference.
    """
    cdef Py_ssize_t j, k, w, i, n_columns = 0
    cdef int32_t slot
    cdef uint64_t carry, v, u, total
    cdef uint64_t* mask
    cdef uint64_t* previous
    cdef uint64_t* row
    cdef bint grows, gap
    for j in range(n_candidate):
        slot = work.slot[candidate[j]]
        if slot < 0:
            if n_columns:
                work.gaps[n_columns - 1] = 1
            continue
        if make_room(&work.rows, &work.rows_capacity, <size_t>(n_columns + 1) * <size_t>words) < 0:
            return OUT_OF_MEMORY
        mask = work.masks + slot * words
        row = work.rows + n_columns * words
        previous = row - words
        carry = 0
        for w in range(words):
            v = previous[w] if n_columns else ~<uint64_t>0
            u = v & mask[w]
            total = v + u
            row[w] = total + carry
            carry = (1 if total < v else 0) | (1 if row[w] < total else 0)
            row[w] |= v - u
        THRESHER_CHECK(j < n_candidate and <size_t>(n_columns + 1) * words <= work.rows_capacity)
        work.columns[n_columns] = candidate[j]
        work.gaps[n_columns] = 0
        n_columns += 1
    i = n_reference
    k = n_columns - 1
    gap = k >= 0 and work.gaps[k]
    while i > 0 and k >= 0:
        grows = not (work.rows[k * words + ((i - 1) >> 6)] >> ((i - 1) & 63)) & 1
        if not gap and reference[i - 1] == work.columns[k]:
            work.in_union[i - 1] = 1
            i -= 1
            k -= 1
            gap = k >= 0 and work.gaps[k]
        elif not grows:
            i -= 1
        elif gap:
            gap = False
        else:
            k -= 1
            gap = k >= 0 and work.gaps[k]
    return 0


cdef Py_ssize_t count_hits(
    Subsequences* work, const int32_t* reference, const int32_t* reference_ends, Py_ssize_t n_reference,
    const int32_t* candidate, const int32_t* candidate_ends, Py_ssize_t n_candidate
) noexcept nogil:
    """The number of hits over all reference sentences (see `union_lcs_hits`), or OUT_OF_MEMORY."""
    cdef Py_ssize_t r, c, i, start = 0, end, n, words, candidate_start, candidate_end, longest = 0
    cdef int32_t n_slots, token
    cdef Py_ssize_t hits = 0
    candidate_start = 0
    for c in range(n_candidate):
        longest = max(longest, candidate_ends[c] - candidate_start)
        candidate_start = candidate_ends[c]
    work.columns = <int32_t*>new_array(longest, sizeof(int32_t))
    work.gaps = <uint8_t*>new_array(longest, 1)
    if work.columns == NULL or work.gaps == NULL:
        return OUT_OF_MEMORY
    for r in range(n_reference):
        end = reference_ends[r]
        n = end - start
        words = (n + 63) >> 6
        if (
            make_room(&work.in_union, &work.union_capacity, <size_t>n) < 0
            or make_room(&work.masks, &work.masks_capacity, <size_t>n * <size_t>words) < 0
        ):
            return OUT_OF_MEMORY
        memset(work.in_union, 0, n)
        n_slots = 0
        for i in range(n):
            token = reference[start + i]
            if work.slot[token] < 0:
                work.slot[token] = n_slots
                memset(work.masks + n_slots * words, 0, words * sizeof(uint64_t))
                n_slots += 1
            THRESHER_CHECK(<size_t>work.slot[token] * words + (i >> 6) < work.masks_capacity)
            work.masks[work.slot[token] * words + (i >> 6)] |= <uint64_t>1 << (i & 63)
        candidate_start = 0
        for c in range(n_candidate):
            candidate_end = candidate_ends[c]
            if mark_common(
                work, reference + start, n, words, candidate + candidate_start, candidate_end - candidate_start
            ) < 0:
                return OUT_OF_MEMORY
            candidate_start = candidate_end
        for i in range(n):
            token = reference[start + i]
            work.slot[token] = -1
            if work.in_union[i] and work.left_reference[token] > 0 and work.left_candidate[token] > 0:
                work.left_reference[token] -= 1
                work.left_candidate[token] -= 1
                hits += 1
        start = end
    return hits


def union_lcs_hits(const int32_t[::1] reference not None, const int32_t[::1] reference_ends not None,
                   const int32_t[::1] candidate not None, const int32_t[::1] candidate_ends not None, int vocabulary):
    """The hits of ROUGE-LSum: the reference tokens that are in the union LCS of their sentence, counted at most as
    often as in the candidate.

    `reference` and `candidate` hold tokens in [0, vocabulary), sentence after sentence. `*_ends` holds the end of each
    sentence, ascending; the last one is the number of tokens. Raises ValueError otherwise. Time O(sentences of the
    reference x tokens of the candidate x length of the reference sentence / 64). Lin 2004, section 3.2, with the
    clipping of ROUGE 1.5.5 and of the rouge-score package.
    """
    cdef Subsequences work
    cdef Py_ssize_t i, hits
    check_sentences(reference, reference_ends, vocabulary)
    check_sentences(candidate, candidate_ends, vocabulary)
    if reference.shape[0] == 0 or candidate.shape[0] == 0:
        return 0
    memset(&work, 0, sizeof(work))
    try:
        work.slot = <int32_t*>new_array(vocabulary, sizeof(int32_t))
        work.left_reference = <int32_t*>calloc(vocabulary, sizeof(int32_t))
        work.left_candidate = <int32_t*>calloc(vocabulary, sizeof(int32_t))
        if work.slot == NULL or work.left_reference == NULL or work.left_candidate == NULL:
            raise MemoryError(f"no memory for a vocabulary of {vocabulary}")
        for i in range(vocabulary):
            work.slot[i] = -1
        for i in range(reference.shape[0]):
            work.left_reference[reference[i]] += 1
        for i in range(candidate.shape[0]):
            work.left_candidate[candidate[i]] += 1
        with nogil:
            hits = count_hits(&work, &reference[0], &reference_ends[0], reference_ends.shape[0],
                              &candidate[0], &candidate_ends[0], candidate_ends.shape[0])
        if hits < 0:
            raise MemoryError("no memory for a longest common subsequence")
        return hits
    finally:
        free(work.slot)
        free(work.left_reference)
        free(work.left_candidate)
        free(work.masks)
        free(work.rows)
        free(work.columns)
        free(work.gaps)
        free(work.in_union)


cdef int check_sentences(const int32_t[::1] tokens, const int32_t[::1] ends, int vocabulary) except -1:
    """Raise ValueError unless every token is in the vocabulary and the ends ascend to the number of tokens."""
    cdef Py_ssize_t i
    cdef int32_t previous = 0
    for i in range(tokens.shape[0]):
        if tokens[i] < 0 or tokens[i] >= vocabulary:
            raise ValueError(f"token {tokens[i]} is outside the vocabulary of {vocabulary}")
    for i in range(ends.shape[0]):
        if ends[i] < previous:
            raise ValueError("the ends of the sentences must ascend")
        previous = ends[i]
    if previous != tokens.shape[0]:
        raise ValueError(f"the last sentence ends at {previous}, the tokens at {tokens.shape[0]}")
    return 0
