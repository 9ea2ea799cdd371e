# SPDX-License-Identifier: Apache-2.0
"""Main text out of web archives and pages of HTML."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from thresher._version import __version__
from thresher.captures import Capture, DeadLetter, read_captures
from thresher.errors import (
    ConfigError,
    InputError,
    OutputError,
    RunError,
    ThresherError,
    TransferError,
)
from thresher.extraction import Block, Extraction, extract, parse
from thresher.language import identify_language
from thresher.native.parsing.document import Document
from thresher.options import EXTRACTORS, CaptureOptions, LanguageOptions, Limits, Options

if TYPE_CHECKING:
    from thresher.batches import PageBatches, page_batches

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


# Imported when they are first asked for: pyarrow takes longer to import than everything above.
_LATE = {"PageBatches": "batches", "page_batches": "batches"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (a module's attribute)
    if name in _LATE:
        return getattr(import_module(f"thresher.{_LATE[name]}"), name)
    message = f"module 'thresher' has no attribute {name!r}"
    raise AttributeError(message)
