# SPDX-License-Identifier: Apache-2.0
from typing import final

from thresher.native.scoring.features import Features

@final
class Decoder:
    """The choices of a page, for training and inspection."""

    def lay_out(self, features: Features, scores: list[float]) -> tuple[bytes, list[tuple[int, int, int]]]: ...
