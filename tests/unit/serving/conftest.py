# SPDX-License-Identifier: Apache-2.0
"""What the tests of the service share."""

from forked_workers import _forked_workers, spawned

__all__ = ["_forked_workers", "spawned"]
