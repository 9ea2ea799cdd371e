# SPDX-License-Identifier: Apache-2.0
"""Main text out of web archives and pages of HTML."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from thresher._version import __version__
from thresher.errors import ConfigError, InputError, OutputError, RunError, ThresherError, TransferError
from thresher.extraction import Block, Extraction, extract, parse
from thresher.language import identify_language
from thresher.native.parsing.document import Document
from thresher.options import EXTRACTORS, CaptureOptions, LanguageOptions, Limits, Options

if TYPE_CHECKING:
    from thresher.batches import PageBatches, page_batches
    from thresher.captures import Capture, DeadLetter, read_captures

__all__ = [
    "EXTRACTORS",
    "Block",
    "Capture",
    "CaptureOptions",
    "ConfigError",
    "DeadLetter",
    "Document",
    "Extraction",
    "InputError",
    "LanguageOptions",
    "Limits",
    "Options",
    "OutputError",
    "PageBatches",
    "RunError",
    "ThresherError",
    "TransferError",
    "__version__",
    "extract",
    "identify_language",
    "page_batches",
    "parse",
    "read_captures",
]

# Where the names are that are imported when they are first used: reading archives and pyarrow take longer to import
# than everything above.
_LATE: Final = {
    "Capture": "captures",
    "DeadLetter": "captures",
    "PageBatches": "batches",
    "page_batches": "batches",
    "read_captures": "captures",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (a module's attribute)
    if name == "captures":  # a function of this name was exported once; its module can be called, see there
        return import_module("thresher.captures")
    if name in _LATE:
        value = getattr(import_module(f"thresher.{_LATE[name]}"), name)
        globals()[name] = value
        return value
    message = f"module 'thresher' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
