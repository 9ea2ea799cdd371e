# SPDX-License-Identifier: Apache-2.0
from typing import final

def name_features(text: str) -> list[int]: ...
@final
class NameWeights:
    """Weights of the words of texts, of their endings, capitals and lengths."""

    def __init__(self, weights: bytes) -> None: ...
    def score_of(self, text: str) -> int: ...
