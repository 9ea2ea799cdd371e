# SPDX-License-Identifier: Apache-2.0
from typing import final

@final
class Profiles:
    """Owns the profiles of one site's pages; every Outline of the site refers to it."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
