# SPDX-License-Identifier: Apache-2.0
"""The types of pages: nineteen, in seven groups. thresher.page.page_type finds which one a page is of."""

from typing import Final

GROUP_OF_TYPE: Final = {
    "article": "article", "news": "article", "blog": "article", "academic": "article", "product": "product",
    "recipe": "recipe", "forum": "forum", "listing": "listing", "documentation": "documentation",
    "reference": "documentation", "home": "other", "service": "other", "event": "other", "job": "other",
    "profile": "other", "legal": "other", "media": "other", "interface": "other", "other": "other",
}  # fmt: skip
"""The types, each with its group."""
TYPES: Final = tuple(GROUP_OF_TYPE)
UNSIGNED: Final = frozenset(("home", "service", "interface", "job"))
"""Types whose pages nobody signs: where a page is likely to be one, only an author whom elements name is taken."""
GROUPS: Final = tuple(dict.fromkeys(GROUP_OF_TYPE.values()))
