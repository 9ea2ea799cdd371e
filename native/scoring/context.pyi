# SPDX-License-Identifier: Apache-2.0
from typing import final

from thresher.native.scoring.features import Features

@final
class Context:
    """The context of one page's blocks, for training and inspection."""

    def compute(self, features: Features, scores: list[float]) -> bytes: ...
