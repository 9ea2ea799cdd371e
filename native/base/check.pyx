# SPDX-License-Identifier: Apache-2.0
"""Tells Python whether this build of the core evaluates its checks, and lets a test make one fail."""

CHECKS = bool(THRESHER_CHECKS_ENABLED)


def require(bint condition) -> None:
    """Do nothing if the condition holds. Otherwise a build with checks ends the process. For tests only."""
    with nogil:
        THRESHER_CHECK(condition)
