# SPDX-License-Identifier: Apache-2.0
from os import PathLike
from typing import final

MODEL_FILE: str

@final
class Model:
    """A model of the learned extractor. It never changes, so threads can share it."""

    @property
    def version(self) -> str: ...
    def __init__(self, text: str | bytes) -> None: ...
    @staticmethod
    def read(path: str | PathLike[str]) -> Model: ...

def default_model() -> Model: ...
