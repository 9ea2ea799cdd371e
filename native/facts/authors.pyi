# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable

def read_names(texts: Iterable[str]) -> list[str]: ...
