# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import Any, final

NUMBERS: tuple[str, ...]

def find_evidence(
    values: dict[str, list[str]],
    counts: tuple[int, int, int],
    linked: list[dict[str, Any]],
    url: str | None,
    shape: tuple[int, ...] | None = None,
) -> set[str]: ...
def find_numbers(
    values: dict[str, list[str]],
    counts: tuple[int, int, int],
    url: str | None,
    shape: tuple[int, ...],
) -> list[int]: ...

@final
class TypeWeights:
    """The weights of known pieces of evidence, and of tokens and terms."""

    def __init__(
        self,
        rows: list[tuple[str, Sequence[int]]],
        hashed: bytes = b"",
        *,
        groups: tuple[str, ...] = (),
        trees: list[Sequence[Any]] = ...,
        scale: int = 100,
    ) -> None: ...
    def likeliest(
        self,
        values: dict[str, list[str]],
        counts: tuple[int, int, int],
        linked: list[dict[str, Any]],
        url: str | None,
        shape: tuple[int, ...] | None = None,
        vocabulary: bytes | None = None,
    ) -> tuple[int, float]: ...
