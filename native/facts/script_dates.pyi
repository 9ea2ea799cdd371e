# SPDX-License-Identifier: Apache-2.0
from thresher.native.parsing.document import Document

def dates_in_scripts(document: Document) -> list[str]: ...
