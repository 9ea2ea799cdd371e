# SPDX-License-Identifier: Apache-2.0
"""Block classes of pages, stored without a word of the pages, and what several annotators say of one page.

A line of the file is a page as one annotator labelled it: the file that holds it, its hash, the annotator, the round,
and for each class the hashes of its blocks. Blocks that are not listed are `other`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from thresher.lab.evaluate.block_classes import CLASSES, OTHER, block_hashes
from thresher.lab.evaluate.pages import EvaluationError

MOST_MISSING: Final = 0.05
"""Share of a page's labelled blocks that may be missing."""
THIRD: Final = 3
"""The round of disputed pages; 1 is each page, 2 a sample of them by another annotator."""
_NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class PageLabels:
    """The classes that one annotator gave to the blocks of a page."""

    file: str
    page: str
    annotator: str
    round: int
    blocks: dict[str, str]
    """The class of each block that is not `other`, by the block's hash."""

    def classes(self, texts: Sequence[str]) -> list[str]:
        """The class of each block of the page, whose blocks have these texts now.

        EvaluationError if too many of the labelled blocks are not among them.
        """
        hashes = block_hashes(texts)
        missing = len(self.blocks.keys() - set(hashes))
        if missing > max(1, MOST_MISSING * len(self.blocks)):
            raise EvaluationError(
                f"{self.file}, {self.page}: {missing} of {len(self.blocks)} labelled blocks have changed;"
                " label it again"
            )
        return [self.blocks.get(each, OTHER) for each in hashes]

    def line(self) -> str:
        """The line of the file."""
        by_class = defaultdict(list)
        for block, name in self.blocks.items():
            by_class[name].append(block)
        parts = [f"{name}:{' '.join(by_class[name])}" for name in CLASSES if name in by_class]
        return "\t".join([self.file, self.page, self.annotator, str(self.round), ";".join(parts) or _NONE])


def parse_line(line: str) -> PageLabels:
    """The labels in a line of the file. EvaluationError if it cannot be read."""
    try:
        file, page, annotator, number, written = line.rstrip("\n").split("\t")
        blocks: dict[str, str] = {}
        for part in [] if written == _NONE else written.split(";"):
            name, hashes = part.split(":")
            if name not in CLASSES:
                raise ValueError(f"there is no class {name!r}")
            blocks.update(dict.fromkeys(hashes.split(" "), name))
        return PageLabels(file, page, annotator, int(number), blocks)
    except ValueError as error:
        raise EvaluationError(f"labels cannot be read: {error} in {line[:80]!r}") from error


def by_page(labels: Iterable[PageLabels]) -> dict[tuple[str, str], list[PageLabels]]:
    """The labels of each page, by its file and hash, in the order of the rounds."""
    found: dict[tuple[str, str], list[PageLabels]] = defaultdict(list)
    for each in labels:
        found[each.file, each.page].append(each)
    return {page: sorted(group, key=lambda each: each.round) for page, group in found.items()}


def agreed_classes(labels: Sequence[PageLabels], texts: Sequence[str]) -> list[str]:
    """The class of each block by what its annotators say, in the order of the rounds: that of most of them.

    Where each says something else, the third one decides, who saw the page because the first two differ; without a
    third one the first.
    """
    columns = [each.classes(texts) for each in labels]
    decides = -1 if labels[-1].round >= THIRD else 0
    found = []
    for given in zip(*columns, strict=True):
        name, count = Counter(given).most_common(1)[0]
        found.append(name if count > len(given) / 2 else given[decides])
    return found
