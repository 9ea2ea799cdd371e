# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import final

@final
class Trees:
    """Boosted trees of up to sixteen leaves."""

    def __init__(
        self, trees: Sequence[tuple[Sequence[tuple[int, int, int]], Sequence[int]]], n_features: int
    ) -> None: ...
    def __len__(self) -> int: ...
    def score(self, values: bytes, n_rows: int, *, vectors: int = 2) -> list[float]: ...
    def score_bytes(self, values: bytes, n_rows: int, *, vectors: int = 2) -> bytes: ...
