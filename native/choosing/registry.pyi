# SPDX-License-Identifier: Apache-2.0
from collections.abc import Mapping
from typing import final

@final
class Extractor:
    """An extractor with the values of its options."""

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> Mapping[str, float]: ...
    @property
    def reads_concealed(self) -> bool: ...
    @property
    def uses_model(self) -> bool: ...
    @property
    def takes_as_shown(self) -> bool: ...
    def with_options(self, **options: float) -> Extractor: ...
    def with_hidden(self, policy: str) -> Extractor: ...

HIDDEN_POLICIES: tuple[str, ...]
EXTRACTORS: Mapping[str, Extractor]
NAMES: tuple[str, ...]
MEMBERS: Mapping[str, tuple[int, int]]
