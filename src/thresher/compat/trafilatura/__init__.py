# SPDX-License-Identifier: Apache-2.0
"""Trafilatura's functions over Thresher: change `import trafilatura` into `from thresher.compat import trafilatura`.

Here are extract(), bare_extraction(), extract_metadata(), baseline() and html2txt(), settings files (`settings`), and
the command line (`cli`). docs/integrations/trafilatura.md says of each option what it does.
"""

from typing import NoReturn

from thresher._version import __version__
from thresher.compat.trafilatura.core import bare_extraction, baseline, extract, html2txt
from thresher.compat.trafilatura.metadata import extract_metadata

__all__ = ["__version__", "bare_extraction", "baseline", "extract", "extract_metadata", "html2txt"]


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(
        f"thresher.compat.trafilatura has no {name}; it has {', '.join(__all__[1:])}. Pages are not fetched here: let "
        "a crawler write WARC and run `thresher extract`, or pass the bytes that your HTTP client gives you"
    )
