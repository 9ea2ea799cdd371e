# SPDX-License-Identifier: Apache-2.0
"""Dolma: importing this module registers the linearizer `thresher` for `dolma warc`."""

from __future__ import annotations

from typing import Any

from dolma.warc.linearizers import BaseLinearizer, LinearizerRegistry

import thresher
from thresher.options import make_options

__all__ = ["ThresherLinearizer"]


@LinearizerRegistry.add("thresher")
class ThresherLinearizer(BaseLinearizer):  # type: ignore[misc]
    """Turns a page into its main text."""

    def __init__(
        self,
        options: thresher.Options | None = None,
        **keywords: Any,  # noqa: ANN401 (options of thresher.extract)
    ) -> None:
        """`options` and all other keywords are options of thresher.extract()."""
        self.options = make_options(options, **keywords)

    def linearize(self, content: bytes | str, encoding: str | None = None) -> str:
        """The main text of a page; `encoding` is what is known of its charset."""
        return thresher.extract(content, charset=encoding, options=self.options).text
