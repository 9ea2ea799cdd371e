# SPDX-License-Identifier: Apache-2.0
"""Trafilatura's caches."""

from thresher.compat.trafilatura._names import names_of
from thresher.compat.trafilatura.deduplication import LRU_TEST

__getattr__ = names_of(__name__)


def reset_caches() -> None:
    """Forgets the texts that `deduplicate=True` has seen, the only cache here."""
    LRU_TEST.clear()
