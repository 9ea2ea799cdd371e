# SPDX-License-Identifier: Apache-2.0
"""Imported by every Python process that has this folder on its PYTHONPATH: worker processes far from the test misbehave too."""

from deadly_worker import misbehave

misbehave()
