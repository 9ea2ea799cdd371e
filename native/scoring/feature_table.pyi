# SPDX-License-Identifier: Apache-2.0
from typing import NamedTuple

class Unit(NamedTuple):
    """What a feature counts, and the size of one unit of its value."""

    name: str
    scale: float

class Declaration(NamedTuple):
    """A feature."""

    name: str
    scope: str
    unit: Unit
    meaning: str

BLOCK: str
CONTAINER: str
PAGE: str
WHOLE: str
FAR_VALUE: int
DECLARED: tuple[Declaration, ...]
FEATURES: tuple[str, ...]
CONTEXT_FEATURES: tuple[str, ...]
PAGE_FEATURE_NAMES: tuple[str, ...]
CHOICE_FEATURES: tuple[str, ...]
