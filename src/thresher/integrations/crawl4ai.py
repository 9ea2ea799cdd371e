# SPDX-License-Identifier: Apache-2.0
"""crawl4ai: a content filter, for `DefaultMarkdownGenerator(ThresherFilter(), content_source="raw_html")`."""

from __future__ import annotations

from typing import Any

import thresher
from thresher.options import make_options

try:
    from crawl4ai.content_filter_strategy import RelevantContentFilter
except ImportError:  # the interface is one method
    RelevantContentFilter = object

__all__ = ["ThresherFilter"]


class ThresherFilter(RelevantContentFilter):  # type: ignore[misc]
    """Keeps the main content of a page, as PruningContentFilter and BM25ContentFilter do."""

    def __init__(
        self,
        options: thresher.Options | None = None,
        **keywords: Any,  # noqa: ANN401 (options of thresher.extract)
    ) -> None:
        """`options` and all other keywords are options of thresher.extract(), but for the format."""
        super().__init__()
        self.options = make_options(options, **{"links": True, "images": True} | keywords | {"format": "source"})

    def filter_content(self, html: str) -> list[str]:
        """The page's own elements around its main content, for crawl4ai's Markdown; none where there is none."""
        content = thresher.extract(html, options=self.options).text
        return [content] if content else []
