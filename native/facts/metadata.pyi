# SPDX-License-Identifier: Apache-2.0
from typing import Any

from thresher.native.parsing.document import Document

def find_metadata(
    document: Document, names: dict[bytes, str]
) -> tuple[dict[str, list[str]], tuple[int, int, int], list[dict[str, Any]]]: ...
def find_home_names(document: Document, host: str) -> list[str]: ...
