# SPDX-License-Identifier: Apache-2.0
"""Settings files under Trafilatura's names. docs/integrations/trafilatura.md says which settings are used."""

from __future__ import annotations

from configparser import ConfigParser
from typing import Final

__all__ = ["DEFAULT_CONFIG", "use_config"]

_SETTINGS: Final = {
    "MIN_OUTPUT_SIZE": "1", "MAX_TREE_SIZE": "", "MIN_DUPLCHECK_SIZE": "100", "MAX_REPETITIONS": "2",
}  # fmt: skip


def use_config(filename: str | None = None, config: ConfigParser | None = None) -> ConfigParser:
    """The settings given, or those of a file over the defaults."""
    if config is not None:
        return config
    found = ConfigParser(_SETTINGS)
    if filename is not None:
        with open(filename, encoding="utf-8") as file:
            found.read_file(file)
    return found


DEFAULT_CONFIG: Final = use_config()
