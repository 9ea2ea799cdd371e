# SPDX-License-Identifier: Apache-2.0
"""The types of pages: nineteen, in seven groups. thresher.page.page_type finds which one a page is of."""

from typing import Final

from thresher.native.facts.labels import GROUP_OF_TYPE, UNSIGNED

__all__ = ["GROUPS", "GROUP_OF_TYPE", "TYPES", "UNSIGNED"]

TYPES: Final = tuple(GROUP_OF_TYPE)
GROUPS: Final = tuple(dict.fromkeys(GROUP_OF_TYPE.values()))
