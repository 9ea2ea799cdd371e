# SPDX-License-Identifier: Apache-2.0
from typing import final

from thresher.native.measuring.blocks import Blocks
from thresher.native.scoring.features import Features

CONTEXT_FEATURES: tuple[str, ...]

@final
class Context:
    """The context of one page's blocks, for training and for a look."""

    def compute(self, features: Features, blocks: Blocks, scores: list[float]) -> bytes: ...
