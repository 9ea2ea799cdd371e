# SPDX-License-Identifier: Apache-2.0
"""Imported by every Python process that has this folder on its PYTHONPATH, workers too: a request that fails is tried
twice, not seven times with growing pauses, which take half a minute.
"""

from thresher.reading import transfers

transfers.ATTEMPTS = 2
