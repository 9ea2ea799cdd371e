# SPDX-License-Identifier: Apache-2.0
"""The classes of blocks (docs/labelling.md), and the blocks of a page as they are labelled."""

import hashlib
from typing import Final

from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace
from thresher.page.page_extractor import Block, read_block

MAIN: Final = "main"
OTHER: Final = "other"
OPTIONAL: Final = ("title", "dateline", "caption", "comment", "optional")
"""Classes whose words may be kept or left out."""
CLASSES: Final = (MAIN, *OPTIONAL, OTHER)
NOT_MAIN: Final = "not-main"
"""A label of earlier versions of the workbench: any class but main."""
KINDS_OF_OTHER: Final = ("menu", "template")
"""Labels of the workbench that tell apart what is `other`."""


def class_of(label: str | None) -> str | None:
    """The class that a label of the workbench stands for; None where it leaves the class open."""
    if label in KINDS_OF_OTHER:
        return OTHER
    return label if label in CLASSES else None


def page_id(html: bytes) -> str:
    """The name of a page in the files of labels: a hash of its HTML."""
    return hashlib.sha256(html).hexdigest()[:24]


def read_page_blocks(html: bytes) -> tuple[Document, list[Block]]:
    """A page's tree and its blocks, concealed ones too."""
    workspace = Workspace(Document())
    workspace.parse(html)
    workspace.measure(with_concealed=True)
    return workspace.document, [read_block(workspace, order) for order in range(len(workspace.blocks))]
