# SPDX-License-Identifier: Apache-2.0
from thresher.native.parsing.document import Document

def find_site_names(
    document: Document, labels: tuple[str, ...], suffix: str, texts: list[str]
) -> dict[str, list[str]]: ...
