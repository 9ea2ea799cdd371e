# SPDX-License-Identifier: Apache-2.0
from typing_extensions import Buffer

def union_lcs_hits(
    reference: Buffer, reference_ends: Buffer, candidate: Buffer, candidate_ends: Buffer, vocabulary: int
) -> int: ...
