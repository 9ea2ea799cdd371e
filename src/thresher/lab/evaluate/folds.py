# SPDX-License-Identifier: Apache-2.0
"""The folds of every cross-validation: learn on the pages of some sites, judge on the pages of others."""

from hashlib import sha256

FOLDS = 5


def site_fold(site: str, folds: int = FOLDS) -> int:
    """The fold of a site, by its hash: all pages of a site are in the same fold, in every run and every set."""
    return int.from_bytes(sha256(site.encode()).digest()[:4], "little") % folds
