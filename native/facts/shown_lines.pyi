# SPDX-License-Identifier: Apache-2.0
from thresher.native.parsing.document import Document

def find_shown_lines(
    document: Document, dates: bool, authors: bool, titles: tuple[bytes, ...] = ()
) -> list[tuple[int, int, str, int]]: ...
