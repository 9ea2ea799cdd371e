# SPDX-License-Identifier: Apache-2.0
from thresher._version import __version__

__all__ = ["__version__"]
