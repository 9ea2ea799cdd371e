# SPDX-License-Identifier: Apache-2.0
"""Scrapy: an item pipeline, `ITEM_PIPELINES = {"thresher.integrations.scrapy.ThresherPipeline": 300}`.

Settings: THRESHER_HTML, the field with the page (`html`); THRESHER_URL, with its address (`url`); THRESHER_FIELDS, what
is written into which field ({"text": "text", "title": "title"}); THRESHER_OPTIONS, keywords of thresher.extract().
"""

from __future__ import annotations

from typing import Any, Self

import thresher
from thresher.options import make_options

try:
    from itemadapter import ItemAdapter
except ImportError:  # an item that is a dict needs none
    ItemAdapter = lambda item: item  # noqa: E731

__all__ = ["ThresherPipeline"]


class ThresherPipeline:
    """Adds the main text of a page and what the page says of itself to an item."""

    def __init__(self, html: str, url: str, fields: dict[str, str], options: dict[str, Any]) -> None:
        """The settings THRESHER_HTML, THRESHER_URL, THRESHER_FIELDS and THRESHER_OPTIONS."""
        self.html, self.url, self.fields = html, url, fields
        self.options = make_options(**options)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:  # noqa: ANN401 (Scrapy's)
        """The pipeline with the settings of a crawler."""
        get = crawler.settings.get
        fields = get("THRESHER_FIELDS") or {"text": "text", "title": "title"}
        own = get("THRESHER_HTML") or "html", get("THRESHER_URL") or "url"
        return cls(*own, dict(fields), dict(get("THRESHER_OPTIONS") or {}))

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ANN401, ARG002 (Scrapy's)
        """The item, with more fields. An item without a page stays as it is."""
        adapter = ItemAdapter(item)
        page = adapter.get(self.html)
        if page:
            found = thresher.extract(page, url=adapter.get(self.url), options=self.options)
            for name, into in self.fields.items():
                adapter[into] = getattr(found, name)
        return item
