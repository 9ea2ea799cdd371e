# SPDX-License-Identifier: Apache-2.0
"""The types of pages: nineteen, in seven groups. thresher.page.page_type finds which one a page is of."""

from typing import Final

from thresher.native.facts.labels import GROUP_OF_TYPE

__all__ = ["GROUPS", "GROUP_OF_TYPE", "TYPES", "UNSIGNED"]

TYPES: Final = tuple(GROUP_OF_TYPE)
UNSIGNED: Final = frozenset(("home", "service", "interface", "job"))
"""Types whose pages nobody signs: where a page is likely to be one, only an author whom elements name is taken."""
GROUPS: Final = tuple(dict.fromkeys(GROUP_OF_TYPE.values()))
