# SPDX-License-Identifier: Apache-2.0
from thresher.native.parsing.document import Document

def find_metadata(document: Document, names: dict[bytes, str]) -> tuple[dict[str, list[str]], tuple[int, int, int]]: ...
