# SPDX-License-Identifier: Apache-2.0
"""NeMo Curator: an algorithm for the extractor of its Common Crawl download stage.

Written against the published interface of NeMo Curator 1.x; not run with the package, which needs a GPU's libraries.
"""

from __future__ import annotations

from typing import Any

import thresher
from thresher.options import make_options

try:
    from nemo_curator.stages.text.download.html_extractors.base import HTMLExtractorAlgorithm
except ImportError:  # the interface is one method
    HTMLExtractorAlgorithm = object

__all__ = ["ThresherAlgorithm"]


class ThresherAlgorithm(HTMLExtractorAlgorithm):  # type: ignore[misc]
    """Finds the main text of a page, as JusTextExtractor and TrafilaturaExtractor do."""

    def __init__(
        self,
        options: thresher.Options | None = None,
        **keywords: Any,  # noqa: ANN401 (options of thresher.extract)
    ) -> None:
        """`options` and all other keywords are options of thresher.extract()."""
        self.options = make_options(options, **keywords)

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:  # noqa: ARG002
        """The paragraphs of a page's main text; None where there is none. Stop words and language are not needed."""
        text = thresher.extract(html, options=self.options).text
        return [part for part in text.split("\n\n") if part.strip()] or None
