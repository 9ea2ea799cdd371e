# SPDX-License-Identifier: Apache-2.0
"""Extractors that are Python functions, named as `module:function`.

A name is only known once use_python_extractor() has loaded it. The command line does that for the names that its user
gives. So neither a request to the service nor the settings in the folder of somebody's run can make Thresher import or
call anything.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable
from typing import Any, Final

from thresher.errors import ConfigError, ExtractorError

__all__ = [
    "PythonExtractor",
    "is_python_extractor",
    "known_python_extractors",
    "load_python_extractor",
    "use_python_extractor",
]

_known: Final[dict[str, PythonExtractor]] = {}


class PythonExtractor:
    """A function that takes the HTML of a page and returns its main text."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name = name
        self._function = function
        self._takes_url = _takes_url(function)

    @property
    def file(self) -> str | None:
        """The source file that the function stands in; None for a compiled one."""
        try:
            return inspect.getsourcefile(inspect.unwrap(self._function))
        except (TypeError, ValueError):
            return None

    def __call__(self, page: bytes, url: str | None) -> bytes:
        """The main text of a page of UTF-8, in UTF-8; empty where the function returns None.

        Raises ExtractorError if the function raises, or returns anything but str and None.
        """
        html = page.decode("utf-8", "replace")
        try:
            found = self._function(html, url=url) if self._takes_url else self._function(html)
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            raise ExtractorError(f"{self.name} raised {type(error).__name__}: {error}") from error
        if found is None:
            return b""
        if not isinstance(found, str):
            raise ExtractorError(f"{self.name} returned {type(found).__name__}; it must return str or None")
        return found.encode("utf-8", "replace")


def is_python_extractor(name: str) -> bool:
    """Whether a name is written as that of a Python function."""
    return ":" in name


def known_python_extractors() -> frozenset[str]:
    """The names that use_python_extractor() has loaded."""
    return frozenset(_known)


def use_python_extractor(name: str) -> PythonExtractor:
    """The function of that name. From now on it is an extractor of this process.

    Modules are looked for where Python looks, and then in the working directory. Raises ConfigError if there is no such
    function, or if it cannot take a page.
    """
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # behind all others: no file there takes the place of a module
    _known[name] = found = load_python_extractor(name)
    return found


def load_python_extractor(name: str) -> PythonExtractor:
    """The function of that name, imported where it is not. Worker processes call this: their options have been checked.

    Raises ConfigError if there is no such function, or if it cannot take a page.
    """
    if name in _known:
        return _known[name]
    module_name, _, path = name.partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), *path.split("."))):
        raise ConfigError(f"extractor {name!r}: a Python extractor is named module:function, as in my_module:main_text")
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and (error.name or "") in _packages(module_name):
            raise ConfigError(
                f"extractor {name!r}: there is no module {error.name!r}, neither installed nor in {os.getcwd()}"
            ) from error
        raise ConfigError(
            f"extractor {name!r}: importing {module_name} failed with {type(error).__name__}: {error}"
        ) from error
    for part in path.split("."):
        if not hasattr(found, part):
            raise ConfigError(f"extractor {name!r}: {module_name} has no function {path!r}{_hint(found)}")
        found = getattr(found, part)
    if not callable(found):
        raise ConfigError(f"extractor {name!r}: this is no function, but of type {type(found).__name__}")
    _check_parameters(name, found)
    return PythonExtractor(name, found)


def _packages(module_name: str) -> list[str]:
    """The module and the packages that it is in."""
    parts = module_name.split(".")
    return [".".join(parts[: n + 1]) for n in range(len(parts))]


def _hint(module: object) -> str:
    """What a module has instead."""
    name = getattr(module, "__name__", None)
    own = [each for each, value in vars(module).items() if inspect.isfunction(value) and value.__module__ == name]
    shown = sorted(each for each in own if not each.startswith("_"))[:5]
    return f"; it has {', '.join(shown)}" if shown else ""


def _check_parameters(name: str, function: Callable[..., Any]) -> None:
    """Raises ConfigError for a function that cannot be called with a page."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # of a compiled function nothing is known
    try:
        signature.bind("", **({"url": None} if _takes_url(function) else {}))
    except TypeError as error:
        raise ConfigError(f"extractor {name!r}: it cannot be called with a page alone: {error}") from error


def _takes_url(function: Callable[..., Any]) -> bool:
    """Whether a function has a parameter `url`, beside its first one."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return any(each.name == "url" and each.kind in kinds for each in parameters[1:])
