# SPDX-License-Identifier: Apache-2.0
from array import array

from thresher.native.parsing.document import Document

def signatures_of_nodes(document: Document) -> array[int]: ...
