# SPDX-License-Identifier: Apache-2.0
from thresher.native.parsing.document import Document

def markup_in_templates(document: Document) -> str: ...
