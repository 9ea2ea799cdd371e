# SPDX-License-Identifier: Apache-2.0
"""Training of the learned extractor; needs the extra `train`. Nothing of it is used at run time."""

import os

# Models are fitted one in a process: OpenMP's threads would not survive the fork, and more than one would not help.
os.environ.setdefault("OMP_NUM_THREADS", "1")
