# SPDX-License-Identifier: Apache-2.0
from typing import Any

from thresher.native.parsing.document import Document

def find_metadata(
    document: Document, names: dict[bytes, str]
) -> tuple[list[tuple[str, str]], list[dict[str, Any]]]: ...
