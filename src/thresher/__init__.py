# SPDX-License-Identifier: Apache-2.0
from thresher._version import __version__
from thresher.captures import captures
from thresher.extraction import extract, parse
from thresher.language import identify_language

__all__ = ["__version__", "captures", "extract", "identify_language", "parse"]
