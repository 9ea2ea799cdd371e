# SPDX-License-Identifier: Apache-2.0
"""Pages as text for annotators who read no pictures, their answers, and how these are stored.

A page is a header and its numbered blocks, one a line, under the path of the container that they stand in. An answer is
one line for each page, with the numbers of the blocks of each class. Annotators see nothing of what an extractor chose.

What is stored holds no word of a page. A line of the file is a page as one annotator labelled it: the file that holds
it, its hash, the annotator, the round, and for each class the hashes of its blocks. Blocks that are not listed are
`other`.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeVar

from thresher.lab.evaluate.block_classes import CLASSES, OTHER
from thresher.lab.evaluate.pages import EvaluationError
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document
from thresher.page.page_extractor import Block

T = TypeVar("T")

MAX_LINES: Final = 250
"""Lines of blocks that a page is shown with."""
MAX_CHARACTERS: Final = 12_000
"""Of these lines."""
SHORT_ID: Final = 8
"""Characters of a page's hash by which annotators name it."""

_KINDS: Final = {
    "paragraph": "p",
    "list-item": "li",
    "table-cell": "td",
    "preformatted": "pre",
    "description": "dd",
    "term": "dt",
    "text": "-",
    **{f"heading-{level}": f"h{level}" for level in range(1, 7)},
}
_LANDMARKS: Final = frozenset(
    "main article header footer nav aside section form table ul ol dl figure blockquote dialog details noscript".split()  # noqa: SIM905
)
# Names that say how an element looks, not what it is for.
_STYLING: Final = re.compile(
    r"(?:col|row|container|wrap|wrapper|inner|outer|clearfix|grid|flex|block|box|layout|span|group|fluid|full|left|right"
    r"|center|top|bottom|div|relative|absolute|hidden|active|even|odd|first|last|item|items|list|view|region)"
    r"|(?:col|row|css|js|sc|elementor|wp|vc|et|w|h|p|m|px|py|pt|pb|pl|pr|mx|my|mt|mb|ml|mr|d|is|has|data|ng|v|svelte"
    r"|chakra|mui|flex|grid|block|container|wrap)(?:[-_].*)?|.*\d{3,}.*|.{1,2}|.{31,}|.*[^\w-].*",
    re.IGNORECASE,
)
# Not within a name: `content-sidebar-wrap` is around the whole page.
_MENU: Final = re.compile(
    r"(?:nav|footer)\b.*|.*(?:nav|navigation|menu|footer|breadcrumbs?|sidebar|toolbar)|.*[.#](?:nav|menu|footer)[-_].*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Container:
    """What a block stands in."""

    names: tuple[str, ...]
    """The elements around it that say what it belongs to, from the outermost: `main`, `footer`, `aside.related`."""
    menu: int | None
    """Node number of the outermost menu, footer or sidebar around it."""

    def path(self, most: int) -> str:
        """So many of the names: the outermost and the innermost."""
        names = self.names
        if len(names) > most:
            names = (names[0], "…", *names[len(names) - most + 1 :]) if most > 1 else names[-1:]
        return ">".join(names) or "body"


def container_of(document: Document, block: Block) -> Container:
    """The container of a block, named by landmarks, lists, tables, and ids and classes that are not about looks."""
    names: list[str] = []
    menu = None
    # The block-level element itself is the block's kind, unless it is a container with loose text.
    node = block.element if block.kind == "text" else document.parent(block.element)
    while node > 0 and document.tag(node) not in ("body", "html"):
        tag = document.tag(node).rpartition(" ")[2]
        attributes = dict(document.attributes(node))
        if tag not in ("li", "tr", "td", "tbody"):
            given = [attributes.get("id", ""), *attributes.get("class", "").split()]
            name = next((each for each in given if each and not _STYLING.fullmatch(each)), "")
            mark = "#" if name and name == attributes.get("id") else "."
            text = (tag if tag in _LANDMARKS else "") + (mark + name if name else "")
            if _MENU.fullmatch(text):
                menu = node
            if text and (not names or names[-1] != text):
                names.append(text)
        node = document.parent(node)
    return Container(tuple(reversed(names)), menu)


@dataclass(frozen=True, slots=True)
class _Detail:
    """How fully blocks are shown; pages that take too much room are shown with less."""

    text: int
    """Characters of a block's text."""
    run: int
    """Similar blocks one after the other from which they are one line."""
    words: int
    """Words of a block that can be part of such a line."""
    links: bool
    """Only links are joined, and short cells of tables."""
    names: int
    """Names in the path of a container."""
    unlike: int = 0
    """Blocks of any kind that are joined in a line, if they stand in the same part of the page; 0 if only like ones."""


_DETAILS: Final = (
    _Detail(text=110, run=13, words=7, links=True, names=4),
    _Detail(text=90, run=11, words=7, links=True, names=3),
    _Detail(text=75, run=9, words=9, links=True, names=2),
    _Detail(text=60, run=8, words=6, links=False, names=2),
    _Detail(text=50, run=6, words=8, links=False, names=1),
    _Detail(text=40, run=4, words=10, links=False, names=1),
    _Detail(text=80, run=3, words=8, links=False, names=1, unlike=6),
    _Detail(text=70, run=3, words=14, links=False, names=1, unlike=8),
    _Detail(text=60, run=3, words=30, links=False, names=1, unlike=12),
    _Detail(text=50, run=2, words=60, links=False, names=1, unlike=16),
)
_PART: Final = 2
"""Names, from the outermost, that make a part of the page."""
_HEADLINES: Final = ("heading-1", "heading-2")
_MAX_JOINED: Final = 200
"""Characters of a line for several blocks."""
_LINK: Final = 0.8
_CELL: Final = 4
"""Words of a table cell that is joined to others even if it is no link."""


def shown_blocks(document: Document, blocks: Sequence[Block], concealed: Iterable[int] = ()) -> list[str]:
    """The lines of a page's blocks that have words, at most MAX_LINES and MAX_CHARACTERS.

    `[path]` names the container of the lines after it. `7 p 45w: text` is a block: its number, kind and words, `link`
    where it is one, `hidden` where the page conceals it, and the beginning of its text. `9-30 li 22 links: …` are
    several short ones in a row.
    """
    hidden = frozenset(concealed)
    containers = [container_of(document, block) for block in blocks]
    with_words = [block for block in blocks if block.words]
    for detail in _DETAILS:
        lines = list(_lines(with_words, containers, hidden, detail))
        if _fits(lines):
            return lines
    return _in_steps(with_words, hidden)


def _fits(lines: Sequence[str]) -> bool:
    return len(lines) <= MAX_LINES and sum(map(len, lines)) + len(lines) <= MAX_CHARACTERS


def _lines(
    blocks: Sequence[Block], containers: Sequence[Container], hidden: frozenset[int], detail: _Detail
) -> Iterator[str]:
    path = None
    for key, group in groupby(blocks, key=lambda block: _likeness(block, containers[block.order], hidden, detail)):
        run = list(group)
        size = 1 if len(run) < detail.run else detail.unlike if key[0] == "part" else len(run)
        for start in range(0, len(run), size):
            some = run[start : start + size]
            before, path = path, containers[some[0].order].path(detail.names)
            if path != before:
                yield f"[{path}]"
            yield _line(some, hidden, detail.text)


def _likeness(
    block: Block, container: Container, hidden: frozenset[int], detail: _Detail
) -> tuple[str, Hashable, Hashable]:
    """What the blocks of a run have in common; a block that cannot be joined has only itself."""
    link = block.link_density >= _LINK
    menu = container.menu if link else None
    cell = block.kind == "table-cell" and block.words <= _CELL
    most = detail.words if menu is None else 2 * detail.words
    if block.words > most or (detail.links and not link and not cell):
        return "alone", block.order, None
    if menu is not None:
        return "menu", menu, block.order in hidden
    if block.kind in _HEADLINES or (block.kind.startswith("heading") and not detail.unlike):
        return "alone", block.order, None
    if detail.unlike:
        return "part", container.names[:_PART], None
    return "like", container.path(detail.names), (block.kind, link and not cell, block.order in hidden)


def _line(run: Sequence[Block], hidden: frozenset[int], width: int) -> str:
    first = run[0]
    mark = " hidden" if all(block.order in hidden for block in run) else ""
    kind = _KINDS.get(first.kind, first.kind) if len({block.kind for block in run}) == 1 else "-"
    link = first.link_density >= _LINK
    if len(run) == 1:
        return f"{first.order} {kind} {first.words}w{' link' if link else ''}{mark}: {_cut(first.text, width)}"
    what = "links" if all(block.link_density >= _LINK for block in run) else "blocks"
    return f"{first.order}-{run[-1].order} {kind} {len(run)} {what}, {_total(run)}w{mark}: {_joined(run)}"


def _total(run: Sequence[Block]) -> int:
    return sum(block.words for block in run)


def _joined(run: Sequence[Block]) -> str:
    """The beginnings of the first blocks of a run and of its last."""
    last = _cut(run[-1].text, 30)
    shown: list[str] = []
    for block in run[:-1]:
        text = _cut(block.text, 40)
        if sum(map(len, shown)) + len(text) + len(last) > _MAX_JOINED:
            shown.append("…")
            break
        shown.append(text)
    return " | ".join([*shown, last])


def _in_steps(blocks: Sequence[Block], hidden: frozenset[int]) -> list[str]:
    """A page of very many blocks: as few to a line as fit, and as much of each block's text."""
    step = -(-len(blocks) // MAX_LINES)
    width = MAX_CHARACTERS // -(-len(blocks) // step) - 1
    lines = []
    for start in range(0, len(blocks), step):
        run = blocks[start : start + step]
        line = _line(run, hidden, width) if step == 1 else _steps_line(run, width)
        lines.append(line[:width])
    return lines


def _steps_line(run: Sequence[Block], width: int) -> str:
    each = max(3, (width - 20) // len(run) - 3)
    return f"{run[0].order}-{run[-1].order} {_total(run)}w: {' | '.join(_cut(block.text, each) for block in run)}"


def _cut(text: str, width: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def shown_page_text(
    name: str, *, url: str | None, title: str | None, language: str | None, lines: Sequence[str], n_blocks: int
) -> str:
    """A page of a batch: its header, and the lines of its blocks."""
    head = [
        f"=== {name}",
        f"url: {_cut(url or 'unknown', 160)}",
        f"title: {_cut(title or 'none', 160)}",
        f"language: {language or 'unknown'}; blocks 0-{n_blocks - 1}",
    ]
    return "\n".join([*head, *lines, ""])


# --- samples ---


def spread(
    items: Sequence[T],
    count: int,
    *,
    key: Callable[[T], str],
    kind: Callable[[T], str],
    language: Callable[[T], str],
    site: Callable[[T], str],
    seed: int,
) -> list[T]:
    """So many of the items, in an order of which each beginning is a fair sample.

    Kinds share alike: each gives the same number, or all it has. In a kind, languages have the shares that they have in
    it. A site's second item is taken after the first ones of all sites of the same kind and language.
    """

    def digest(text: str) -> bytes:
        return hashlib.sha256(f"{seed} {text}".encode()).digest()

    def order(item: T) -> bytes:
        return digest(key(item))

    def begin(group: str) -> float:
        """Where in its first step a group begins, in [0, 1): so the largest groups do not all come first."""
        return int.from_bytes(digest(group)[:4], "big") / (1 << 32)

    by_kind: dict[str, dict[str, list[T]]] = defaultdict(lambda: defaultdict(list))
    nth: dict[str, int] = defaultdict(int)
    ranks: dict[str, int] = {}
    for item in sorted(items, key=order):
        ranks[key(item)] = nth[site(item)]
        nth[site(item)] += 1
        by_kind[kind(item)][language(item)].append(item)
    quota = _level(sorted(sum(map(len, groups.values())) for groups in by_kind.values()), count)
    placed: list[tuple[float, bytes, T]] = []
    for name, groups in by_kind.items():
        among = [
            ((place + begin(f"{name} {tongue}")) / len(group), order(item), item)
            for tongue, group in groups.items()
            for place, item in enumerate(sorted(group, key=lambda item: (ranks[key(item)], order(item))))
        ]
        chosen = [item for _, _, item in sorted(among, key=lambda entry: entry[:2])][:quota]
        placed += [((place + begin(name)) / len(chosen), order(item), item) for place, item in enumerate(chosen)]
    return [item for _, _, item in sorted(placed, key=lambda entry: entry[:2])][:count]


def _level(sizes: Sequence[int], count: int) -> int:
    """The least number for which groups of these sizes give `count` items, if each gives at most so many."""
    return next(
        (level for level in range(max(sizes, default=0)) if sum(min(size, level) for size in sizes) >= count),
        max(sizes, default=0),
    )


# --- answers ---


class AnswerError(ValueError):
    """An answer that cannot be read; the message says why."""


_RANGE: Final = re.compile(r"(\d+)(?:-(\d+))?")


def parse_answer(text: str, n_blocks: int) -> list[str]:
    """The class of each of a page's blocks: `main:3-14,20;title:2`, or `none` where all are `other`.

    Raises AnswerError for what cannot be read, a block that the page does not have, and one with two classes.
    """
    classes = [OTHER] * n_blocks
    if text.strip().lower() == "none":
        return classes
    given: dict[int, str] = {}
    for part in filter(str.strip, text.split(";")):
        name, colon, ranges = (each.strip() for each in part.partition(":"))
        if not colon or not ranges:
            raise AnswerError(f"{part.strip()!r} is not a class, a colon and numbers of blocks")
        if name not in CLASSES:
            raise AnswerError(f"there is no class {name!r} (there are {', '.join(CLASSES)})")
        for written in ranges.split(","):
            for block in _blocks_of(written.strip(), n_blocks):
                if given.setdefault(block, name) != name:
                    raise AnswerError(f"block {block} is both {given[block]} and {name}")
                classes[block] = name
    if not given:
        raise AnswerError("nothing is labelled; a page without content of its own is `none`")
    return classes


def _blocks_of(written: str, n_blocks: int) -> range:
    found = _RANGE.fullmatch(written)
    if not found:
        raise AnswerError(f"{written!r} is neither the number of a block nor a range such as 3-14")
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise AnswerError(f"the range {written} runs backwards")
    if last >= n_blocks:
        raise AnswerError(f"there is no block {last}: the last one is {n_blocks - 1}")
    return range(first, last + 1)


def read_answers(lines: Iterable[str], blocks_of: dict[str, int]) -> tuple[dict[str, list[str]], list[str]]:
    """The classes of each page's blocks by the page's name, and what is wrong with the lines, by line.

    `blocks_of` has the number of blocks of each page that may be answered for. A line is the name, a tab and the
    answer. Empty lines and those that begin with `#` are skipped.
    """
    found: dict[str, list[str]] = {}
    wrong = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, tab, answer = line.strip().partition("\t")
        name = name.strip()
        if not tab:
            wrong.append(f"line {number}: no tab between the page and its answer")
        elif name not in blocks_of:
            wrong.append(f"line {number}: there is no page {name}")
        elif name in found:
            wrong.append(f"line {number}: page {name} was answered before")
        else:
            try:
                found[name] = parse_answer(answer, blocks_of[name])
            except AnswerError as error:
                wrong.append(f"line {number}, page {name}: {error}")
    return found, wrong


# --- labels as they are stored ---


def concealed_blocks(document: Document, blocks: Sequence[Block]) -> set[int]:
    """The numbers of the blocks of which the page shows nothing."""
    metrics = Metrics()
    metrics.measure(document)
    return {
        block.order
        for block in blocks
        if not any(metrics[node]["characters"] for node in range(block.start, block.end))
    }


def block_hashes(texts: Sequence[str]) -> list[str]:
    """A hash for each block: of its letters and digits, and of how many blocks before it have the same.

    So labels that are stored by hash hold while other blocks of the page change.
    """
    seen: Counter[str] = Counter()
    hashes = []
    for text in texts:
        letters = "".join(filter(str.isalnum, text.casefold()))
        hashes.append(hashlib.sha256(f"{seen[letters]} {letters}".encode()).hexdigest()[:8])
        seen[letters] += 1
    return hashes


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
