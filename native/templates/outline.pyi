# SPDX-License-Identifier: Apache-2.0
from typing import final

from typing_extensions import Buffer

from thresher.native.parsing.document import Document
from thresher.native.templates.profiles import Profiles

@final
class Outline:
    """The outline of one page of a site."""

    profiles: Profiles
    def __init__(self, profiles: Profiles) -> None: ...
    def read(
        self, document: Document, *, without: Buffer | None = None, childnodes: int = 0, group: int = 100
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def leaves_not_in(self, other: Outline) -> int: ...
    def node(self, entry: int) -> int | None: ...
