# SPDX-License-Identifier: Apache-2.0
"""Imported by every Python process that has this folder on its PYTHONPATH, so that workers far from the test misbehave
too.
"""

import os

from deadly_worker import fill_the_disk, misbehave

misbehave()
if os.environ.get("THRESHER_TEST_FULL_DISK") == "1":
    fill_the_disk()
