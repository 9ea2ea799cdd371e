# SPDX-License-Identifier: Apache-2.0
from typing import final

from thresher.native.templates.outline import Outline

@final
class Mapping:
    """Maps outlines under one set of rules; its memory is reused from pair to pair."""

    def __init__(
        self,
        *,
        class_weight: float = ...,
        position_weight: float = ...,
        attribute_weight: float = ...,
        children_weight: float = ...,
        threshold: float = ...,
        option: int = ...,
        effort: float = ...,
    ) -> None: ...
    def pairs(self, one: Outline, other: Outline) -> list[tuple[int, int]]: ...
    @property
    def exhausted(self) -> bool: ...
    @property
    def steps(self) -> int: ...
