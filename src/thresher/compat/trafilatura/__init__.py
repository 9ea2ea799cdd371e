# SPDX-License-Identifier: Apache-2.0
"""Trafilatura's interface over Thresher: change `import trafilatura` into `from thresher.compat import trafilatura`.

Every public name of Trafilatura and of its modules is here. It works, or raises NotImplementedError when it is used and
says what to use instead. docs/integrations/trafilatura.md has a table of each option.
"""

from thresher._version import __version__
from thresher.compat.trafilatura import baseline as _baseline_module
from thresher.compat.trafilatura import downloads as _downloads_module
from thresher.compat.trafilatura.core import bare_extraction, extract, extract_with_metadata
from thresher.compat.trafilatura.metadata import extract_metadata
from thresher.compat.trafilatura.utils import load_html

# The function has the name of its module, as in Trafilatura.
baseline = _baseline_module.baseline
html2txt = _baseline_module.html2txt
fetch_response = _downloads_module.fetch_response
fetch_url = _downloads_module.fetch_url

__all__ = [
    "__version__",
    "bare_extraction",
    "baseline",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "fetch_response",
    "fetch_url",
    "html2txt",
    "load_html",
]
