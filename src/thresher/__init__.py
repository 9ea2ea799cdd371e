# SPDX-License-Identifier: Apache-2.0
"""Main text out of web archives and pages of HTML."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from thresher._version import __version__

if TYPE_CHECKING:
    from thresher.errors import ConfigError, InputError, OutputError, RunError, ThresherError, TransferError
    from thresher.native.parsing.document import Document
    from thresher.options import EXTRACTORS, CaptureOptions, Filters, LanguageOptions, Limits, Options
    from thresher.page.column import extract_column
    from thresher.page.extraction import Block, Extraction, extract, parse
    from thresher.page.language import identify_language
    from thresher.reading.captures import Capture, DeadLetter
    from thresher.reading.listing import read_captures
    from thresher.running.page_batches import PageBatches, page_batches

__all__ = [
    "EXTRACTORS",
    "Block",
    "Capture",
    "CaptureOptions",
    "ConfigError",
    "DeadLetter",
    "Document",
    "Extraction",
    "Filters",
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
    "extract_column",
    "identify_language",
    "page_batches",
    "parse",
    "read_captures",
]

# Where the names are, which are imported when they are first used: the core takes .1 s, reading archives .1 s more.
_LATE: Final = {
    name: module
    for module, names in {
        "errors": ("ConfigError", "InputError", "OutputError", "RunError", "ThresherError", "TransferError"),
        "native.parsing.document": ("Document",),
        "options": ("EXTRACTORS", "CaptureOptions", "Filters", "LanguageOptions", "Limits", "Options"),
        "page.column": ("extract_column",),
        "page.extraction": ("Block", "Extraction", "extract", "parse"),
        "page.language": ("identify_language",),
        "reading.captures": ("Capture", "DeadLetter"),
        "reading.listing": ("read_captures",),
        "running.page_batches": ("PageBatches", "page_batches"),
    }.items()
    for name in names
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (a module's attribute)
    if name == "duckdb":  # needs the package duckdb
        return import_module("thresher.integrations.duckdb")
    if name in _LATE:
        value = getattr(import_module(f"thresher.{_LATE[name]}"), name)
        globals()[name] = value
        return value
    message = f"module 'thresher' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
