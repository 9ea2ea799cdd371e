# SPDX-License-Identifier: Apache-2.0
"""How much of a page's structure its Markdown keeps: code, formulas, tables, headings, lists and the smaller things.

`read_markdown` takes Markdown apart. `compare` scores extracted Markdown against gold Markdown. The definitions follow
WebMainBench: edit similarity (1 - Levenshtein distance / length of the longer side) of all text, all code, all formulas
and all table cells of a page, and TEDS for tables. Headings, list items and other units have an F1 over their
normalised texts. A metric is defined only where the gold has something to find.

Five differences from WebMainBench's package, version 0.1.0:

- TEDS is a tree edit distance. The package gives APTED a string, which APTED takes for one node: two tables of ten
  nodes with no cell in common score .97.
- The tables of a page are matched one by one. The package compares them as one table, or the first of them.
- Empty cells count. The package drops them, so that shifted cells go unnoticed.
- Formulas are compared in one spelling (`plain_tex`), also those in items, headings and cells: what is recovered from
  MathML cannot know the author's spelling.
- Formulas count in the order of the text. The package takes those on display first. Text between escaped brackets, as
  in `\\[citation needed\\]`, is no formula.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate
from typing import NamedTuple, TypeVar

from rapidfuzz.distance import Levenshtein

from thresher.lab.evaluate.metrics import score

T = TypeVar("T")

METRICS = (
    "text", "code", "language", "formula", "table", "teds", "heading", "item", "task", "definition", "footnote",
    "callout", "inline",
)  # fmt: skip
"""What `compare` measures, in the order of a report."""

_LONGEST = 200_000  # characters of a side that an edit distance looks at
_EXACT_TEDS = (
    1_000_000  # product of two tables' nodes up to which their tree edit distance is exact: a second in Python
)
_MOST_TABLES = 100  # tables of a page that are matched with each other

_FENCE = re.compile(r"^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_FORMULA = re.compile(
    r"(?<!\\)\$\$(.+?)(?<!\\)\$\$"
    r"|(?<!\\)\\\[(.+?)(?<!\\)\\\]"
    r"|(?<![\\$])\$(?![\s$])([^$\n]+?)(?<![\s\\])\$(?![\d$])"
    r"|(?<!\\)\\\((.+?)(?<!\\)\\\)",
    re.DOTALL,
)
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\S", re.DOTALL)
_BRACES = re.compile(r"(?<!\S)\{ (\S+) \}(?!\S)")
_SYNONYMS = {
    **dict.fromkeys((
        "\\,", "\\;", "\\:", "\\!", "\\ ", "~", "\\quad", "\\qquad", "\\displaystyle", "\\textstyle",
        "\\limits", "\\left", "\\right", "\\mathop",
    ), ""),
    "\\geq": "\\ge", "\\leq": "\\le", "\\neq": "\\ne", "\\rightarrow": "\\to", "\\lbrace": "\\{",
    "\\rbrace": "\\}", "\\lvert": "|", "\\rvert": "|", "\\vert": "|", "\\mid": "|", "\\dfrac": "\\frac",
    "\\tfrac": "\\frac", "\\mathrm": "\\text", "\\operatorname": "\\text",
}  # fmt: skip
_LIKE_MATHS = re.compile(r"[\\^_=+<>]|[a-zA-Z]")
_LIKE_TEX = re.compile(r"\\[a-zA-Z]|[\^={}]|^(?!.*[^\W\d_]{3})", re.DOTALL)
_RULE = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(.*)")
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]:\s*(.*)")
_REFERENCE = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_CALLOUT = re.compile(r"(?m)^([ \t>]*)\[!(\w+)\][-+]?[ \t]*(.*)$")
_SPANS = (
    ("strong", re.compile(r"\*\*\*(?=\S)(.+?)(?<=\S)\*\*\*|\*\*(?=\S)(.+?)(?<=\S)\*\*|__(?=\S)(.+?)(?<=\S)__")),
    ("em", re.compile(r"(?<![*\w\\])\*(?=[^\s*])(.+?)(?<=[^\s*\\])\*(?!\*)|"
                      r"(?<![\w\\])_(?=[^\s_])(.+?)(?<=[^\s_\\])_(?!\w)")),
    ("strike", re.compile(r"~~(?=\S)(.+?)(?<=\S)~~")),
)  # fmt: skip
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~$])")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_`#]")

_LINES = frozenset({"br", "div", "li", "ol", "p", "pre", "table", "td", "th", "tr", "ul"})
_LANGUAGES = {
    "js": "javascript", "jsx": "javascript", "py": "python", "python3": "python", "yml": "yaml", "sh": "bash",
    "shell": "bash", "console": "bash", "zsh": "bash", "ps1": "powershell", "rb": "ruby", "c++": "cpp",
    "text": "", "txt": "", "plain": "", "plaintext": "", "none": "", "default": "",
}  # fmt: skip
_CALLOUT_KINDS = {"info": "note"}


class Listing(NamedTuple):
    """A block of code."""

    language: str  # as on the fence, lower case, one name for each language; "" if none
    code: str


class Table(NamedTuple):
    """A table: its rows of cells' texts, and how many rows at the top are a header."""

    rows: tuple[tuple[str, ...], ...]
    header: int


@dataclass(slots=True)
class Structure:
    """What a Markdown text consists of. Texts are normalised: no markup, lower case, one space between words."""

    text: str = ""
    listings: list[Listing] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)  # TeX, one space for any white space
    tables: list[Table] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)  # "x text" or "- text"
    definitions: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)  # texts of notes, and "[^label]" for each reference
    callouts: list[str] = field(default_factory=list)  # "kind: title"
    spans: list[str] = field(default_factory=list)  # "kind: text"; strong, em, strike, code


class Fragments(NamedTuple):
    """How many formulas and listings of a page are found again in its Markdown."""

    formulas: int
    verbatim: int  # formulas that stand somewhere in the text
    mathematics: int  # formulas that stand between delimiters
    listings: int
    letters: int  # listings with a code block of the same characters, white space aside
    exact: int  # listings with a code block of the same white space, too


def normalise(text: str) -> str:
    """The text without markup, escapes and line breaks, in lower case."""
    text = _ESCAPE.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub(r"", text)))
    return " ".join(_MARKS.sub("", text).split()).lower()


def read_markdown(markdown: str) -> Structure:
    """What a Markdown text consists of."""
    found = Structure()
    rest = _take_listings(markdown, found)
    rest = _take_html_tables(rest, found)
    rest = _CALLOUT.sub(lambda match: _take_callout(match, found), rest)
    found.text = normalise(re.sub(r"(?m)^([ \t>]*)[*+](?=[ \t])", r"\1-", rest))
    plain = _CODE_SPAN.sub(lambda match: _take_span("code", match[2], found), rest)
    plain = _take_formulas(plain, found)
    _take_lines(rest, found)
    for kind, pattern in _SPANS:
        for match in pattern.finditer(plain):
            inside = next(filter(None, match.groups()))
            _take_span(kind, inside, found)
            if match[0].startswith("***"):
                _take_span("em", inside, found)
    return found


def compare(extracted: Structure, gold: Structure) -> dict[str, float]:
    """The scores in [0, 1] of extracted Markdown by metric; only those for which the gold has something to find."""
    scores: dict[str, float] = {}
    if gold.text:
        scores["text"] = similarity(extracted.text, gold.text)
    if gold.listings:
        scores["code"] = similarity(_joined(extracted.listings), _joined(gold.listings))
    named = [listing for listing in gold.listings if listing.language]
    if named:
        # of the listings that were found, whatever their white space: a listing that was lost is a fault of "code"
        languages = {_letters(listing.code): listing.language for listing in extracted.listings}
        both = [listing for listing in named if _letters(listing.code) in languages]
        right = sum(languages[_letters(listing.code)] == listing.language for listing in both)
        scores["language"] = right / len(both) if both else 0.0
    if gold.formulas:
        scores["formula"] = similarity(*("\n".join(map(plain_tex, side.formulas)) for side in (extracted, gold)))
    if gold.tables:
        scores["table"] = similarity(_cells(extracted.tables), _cells(gold.tables))
        scores["teds"] = table_similarity(extracted.tables, gold.tables)
    units = (
        ("heading", extracted.headings, gold.headings),
        ("item", extracted.items, gold.items),
        ("task", extracted.tasks, gold.tasks),
        ("definition", extracted.definitions, gold.definitions),
        ("footnote", extracted.footnotes, gold.footnotes),
        ("callout", extracted.callouts, gold.callouts),
        ("inline", extracted.spans, gold.spans),
    )
    scores |= {name: unit_f1(ours, theirs) for name, ours, theirs in units if theirs}
    return scores


def similarity(a: str, b: str) -> float:
    """1 less the Levenshtein distance over the length of the longer text; 1 for two empty texts.

    Only the first 200,000 characters of each text count.
    """
    return Levenshtein.normalized_similarity(a[:_LONGEST], b[:_LONGEST])


def plain_tex(formula: str) -> str:
    """A formula in one spelling of the several that mean the same.

    Spacing and sizes go, and so do braces around a single token; each relation has one name.
    """
    tokens = [_SYNONYMS.get(token, token) for token in _TOKEN.findall(formula)]
    text = " ".join(filter(None, tokens))
    while (shorter := _BRACES.sub(r"\1", text)) != text:
        text = shorter
    return text.replace(" ", "")


def unit_f1(extracted: Sequence[str], gold: Sequence[str]) -> float:
    """F1 over units that are either there or not, each as often as it occurs."""
    correct = sum((Counter(extracted) & Counter(gold)).values())
    return score(correct, len(extracted), len(gold)).f1


def fragments(markdown: str, formulas: Sequence[str], listings: Sequence[str]) -> Fragments:
    """How many of a page's formulas (TeX, with or without dollars) and listings its Markdown holds."""
    found = read_markdown(markdown)
    flat, mathematics = _letters(markdown), "\n".join(map(_tex, found.formulas))
    wanted = [_tex(re.sub(r"^\$+|\$+$", "", formula.strip())).strip("{}") for formula in formulas]
    letters = {_letters(listing.code) for listing in found.listings}
    exact = {listing.code.strip("\n").rstrip() for listing in found.listings}
    return Fragments(
        len(wanted), sum(formula in flat for formula in wanted), sum(formula in mathematics for formula in wanted),
        len(listings), sum(_letters(listing) in letters for listing in listings),
        sum(listing.strip("\n").rstrip() in exact for listing in listings),
    )  # fmt: skip


def teds(a: Table, b: Table) -> float:
    """1 less the tree edit distance of two tables over the nodes of the larger one (Zhong et al. 2020).

    Nodes are the table, its rows and its cells. Inserting or deleting a node costs 1, and so does making a header cell
    of a data cell; changing a cell's text costs the normalised edit distance of the texts. For a pair of very large
    tables rows are aligned as wholes. That is an upper bound of the distance, and equal to it unless a row was cut.
    """
    if a == b:
        return 1.0
    one, other = _nodes(a), _nodes(b)
    exact = len(one) * len(other) <= _EXACT_TEDS
    distance = _tree_distance(one, other) if exact else _row_distance(a, b)
    return 1 - distance / max(len(one), len(other))


def table_similarity(extracted: Sequence[Table], gold: Sequence[Table]) -> float:
    """The best sum of TEDS over pairs of tables in their order, divided by the number of tables on the longer side."""
    extracted, gold = extracted[:_MOST_TABLES], gold[:_MOST_TABLES]
    best = [0.0] * (len(gold) + 1)
    for ours in extracted:
        row = [0.0]
        for j, theirs in enumerate(gold):
            row.append(max(row[j], best[j + 1], best[j] + teds(ours, theirs)))
        best = row
    return best[-1] / max(len(extracted), len(gold))


def _letters(text: str) -> str:
    return "".join(text.split())


def _tex(formula: str) -> str:
    """A formula without white space and without what only changes its size."""
    return _letters(formula).replace("\\displaystyle", "")


def _joined(listings: Sequence[Listing]) -> str:
    return "\n".join(listing.code for listing in listings)


def _cells(tables: Sequence[Table]) -> str:
    return "\n".join("|".join(row) for table in tables for row in table.rows)


def _take_span(kind: str, text: str, found: Structure) -> str:
    normal = normalise(text)
    if normal:
        found.spans.append(f"{kind}: {normal}")
    return " "


def _take_callout(match: re.Match[str], found: Structure) -> str:
    """Notes the callout; what is left of its line is its title, or its kind where it has no title."""
    kind = _CALLOUT_KINDS.get(match[2].lower(), match[2].lower())
    title = normalise(match[3])
    found.callouts.append(f"{kind}: {'' if title in {kind, match[2].lower()} else title}")
    return match[1] + (match[3] or match[2])


def _is_formula(match: re.Match[str]) -> bool:
    """Whether what stands between delimiters is a formula. Brackets with a backslash before them are also what Markdown
    escapes: between these it holds a command of TeX, an exponent or an equation, or no word.
    """
    return match[0][0] != "\\" or _LIKE_TEX.search(match[match.lastindex or 0]) is not None


def _take_formulas(text: str, found: Structure) -> str:
    """Notes the formulas in their order and gives the text without them.

    A formula holds a letter or an operator: 5 and 1,000 are amounts of money.
    """

    def take(match: re.Match[str]) -> str:
        inside = match[match.lastindex or 0]
        if not _is_formula(match):
            return match[0]
        if _LIKE_MATHS.search(inside):
            found.formulas.append(" ".join(inside.split()))
        return " "

    return _FORMULA.sub(take, text)


def _one_spelling(match: re.Match[str]) -> str:
    """A formula in a line or cell, as `plain_tex` spells it."""
    return f"${plain_tex(match[match.lastindex or 0])}$" if _is_formula(match) else match[0]


def _take_listings(markdown: str, found: Structure) -> str:
    """Notes the code in fences and in indented blocks, and gives the text without it."""
    kept: list[str] = []
    lines = iter(markdown.split("\n"))
    indented: list[str] = []
    in_list = False
    for line in lines:
        opened = _FENCE.match(line)
        if opened is None:
            block = line.startswith(("    ", "\t")) and not in_list
            if block and (indented or not kept or not kept[-1].strip()):
                indented.append(line)
                continue
            if indented and not line.strip():
                indented.append("")
                continue
            _close_indented(indented, found, kept)
            if line.strip() and not line.startswith(("  ", "\t")):
                in_list = _ITEM.match(line) is not None or _FOOTNOTE.match(line) is not None
            kept.append(line)
            continue
        _close_indented(indented, found, kept)
        before, fence, info = opened.groups()
        code = [_without_prefix(inside, len(before.expandtabs())) for inside in _until_closed(lines, fence)]
        name = re.sub(r"^language-", "", info.split()[0].lower()) if info.split() else ""
        found.listings.append(Listing(_LANGUAGES.get(name, name), "\n".join(code)))
        marker = before.strip(" \t>")
        kept.append(marker)
    _close_indented(indented, found, kept)
    return "\n".join(kept)


def _until_closed(lines: Iterator[str], fence: str) -> Iterator[str]:
    """The lines up to the fence that closes, or all that are left."""
    for line in lines:
        bare = line.strip(" \t>")
        if bare.startswith(fence) and not bare.strip(fence[0]):
            return
        yield line


def _without_prefix(line: str, width: int) -> str:
    """The line without the indentation and quotation marks of the fence around it."""
    taken = 0
    while taken < width and taken < len(line) and line[taken] in " >":
        taken += 1
    return line[taken:]


def _close_indented(lines: list[str], found: Structure, kept: list[str]) -> None:
    """Ends a block of indented lines: code if it has any."""
    if any(lines):
        code = [line[1:] if line.startswith("\t") else line[4:] for line in lines]
        found.listings.append(Listing("", "\n".join(code).strip("\n")))
        kept.append("")
    lines.clear()


def _take_lines(text: str, found: Structure) -> None:
    """Notes what is told by the beginning of a line: headings, items, notes, definitions, and tables."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        bare = lines[number].strip(" \t>")
        following = lines[number + 1] if number + 1 < len(lines) else ""
        ruled = "|" in bare and "-" in following and _RULE.match(following) is not None
        if ruled or _is_row(bare):
            last = number + 1 + ruled
            while last < len(lines) and ("|" in lines[last] if ruled else _is_row(lines[last])):
                last += 1
            found.tables += _table_of_lines([lines[number], *lines[number + 1 + ruled : last]], ruled=ruled)
            number = last
            continue
        _take_line(bare, found)
        number += 1
    found.footnotes += [f"[^{label}]" for label in _REFERENCE.findall(text)]


def _take_line(bare: str, found: Structure) -> None:
    bare = _FORMULA.sub(_one_spelling, bare)
    if match := _HEADING.match(bare):
        found.headings.append(normalise(match[1]))
    elif match := _ITEM.match(bare):
        text = normalise(match[2])
        if text:
            found.items.append(text)
        if match[1]:
            found.tasks.append(f"{'-' if match[1] == ' ' else 'x'} {text}")
    elif match := _FOOTNOTE.match(bare):
        found.footnotes.append(normalise(match[2]))
    elif bare.startswith(": "):
        found.definitions.append(normalise(bare[2:]))


def _is_row(line: str) -> bool:
    """A row between pipes: some systems write tables without the rule below a header."""
    bare = line.strip(" \t>")
    return len(bare) > 2 and bare.startswith("|") and bare.endswith("|")


def _table_of_lines(lines: Sequence[str], *, ruled: bool) -> list[Table]:
    rows = [_row_of_line(line) for line in lines]
    header = int(ruled and any(rows[0]))
    rows = [row for row in rows if any(row)]
    return [Table(tuple(rows), header)] if rows else []


def _row_of_line(line: str) -> tuple[str, ...]:
    bare = line.strip(" \t>").removeprefix("|")
    bare = re.sub(r"(?<!\\)\|$", "", bare)
    return tuple(_cell(cell) for cell in re.split(r"(?<!\\)\|", bare))


def _cell(text: str) -> str:
    """A cell's text; breaks are spaces, and so are the marks of a list in it."""
    text = re.sub(r"<br\s*/?>|</?p>|</li>|</?[uo]l>", " ", text)
    text = re.sub(r"(?:^|(?<=\s))(?:<li>|[-*•](?=\s))", "", text)
    text = _FORMULA.sub(_one_spelling, text)
    return normalise(text)


class _TableReader(HTMLParser):
    """Reads HTML tables into cells, spans expanded; a table in a cell is text of that cell."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self._depth = 0
        self._rows: list[dict[int, str]] = []
        self._headers: list[bool] = []
        self._cell: list[str] | None = None
        self._spans = (1, 1)
        self._hanging: dict[tuple[int, int], str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._break(tag)
        if tag == "table":
            self._depth += 1
            if self._depth == 1:
                self._rows, self._headers, self._hanging, self._cell = [], [], {}, None
        if self._depth != 1:
            return
        if tag == "tr":
            self._end_cell()
            self._rows.append({})
            self._headers.append(True)
        elif tag in {"td", "th"} and self._rows:
            self._end_cell()
            values = dict(attrs)
            self._spans = (self._span(values.get("rowspan")), self._span(values.get("colspan")))
            self._headers[-1] &= tag == "th"
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        self._break(tag)
        if tag == "table" and self._depth:
            self._depth -= 1
            if self._depth == 0:
                self._end_cell()
                self._end_table()
        elif self._depth == 1 and tag in {"td", "th", "tr"}:
            self._end_cell()

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def _break(self, tag: str) -> None:
        """Keeps the words of two lines in a cell apart."""
        if self._cell is not None and tag in _LINES:
            self._cell.append(" ")

    @staticmethod
    def _span(value: str | None) -> int:
        return min(max(int(value), 1), 100) if value and value.isdecimal() else 1

    def _end_cell(self) -> None:
        if self._cell is None:
            return
        row, text = len(self._rows) - 1, _cell("".join(self._cell))
        column = 0
        while column in self._rows[row] or (row, column) in self._hanging:
            column += 1
        for right in range(self._spans[1]):
            self._rows[row][column + right] = text
            for down in range(1, self._spans[0]):
                self._hanging[row + down, column + right] = text
        self._cell = None

    def _end_table(self) -> None:
        rows = []
        for number, row in enumerate(self._rows):
            row |= {column: text for (below, column), text in self._hanging.items() if below == number}
            rows.append(tuple(row.get(column, "") for column in range(max(row, default=-1) + 1)))
        header = next((number for number, only in enumerate(self._headers) if not only), len(rows))
        if any(map(any, rows)):
            self.tables.append(Table(tuple(rows), header))


def _take_html_tables(text: str, found: Structure) -> str:
    """Notes the tables written as HTML and gives the text without them."""
    if "<table" not in text:
        return text
    reader = _TableReader()
    reader.feed(text)
    reader.close()
    found.tables += reader.tables
    return re.sub(r"<[^<>]*>", " ", text)


class _Node(NamedTuple):
    tag: str
    text: str
    first: int  # the leftmost leaf below it, by its number in the order children before parents


def _nodes(table: Table) -> list[_Node]:
    """A table's nodes, children before their parents."""
    nodes: list[_Node] = []
    for number, row in enumerate(table.rows):
        first = len(nodes)
        nodes += [_Node("th" if number < table.header else "td", cell, first + i) for i, cell in enumerate(row)]
        nodes.append(_Node("tr", "", first))
    nodes.append(_Node("table", "", 0))
    return nodes


def _change(a: _Node, b: _Node) -> float:
    if a.tag != b.tag:
        return 1.0
    return 0.0 if a.text == b.text else Levenshtein.normalized_distance(a.text, b.text)


def _tree_distance(one: Sequence[_Node], other: Sequence[_Node]) -> float:
    """The edit distance of two ordered trees (Zhang and Shasha 1989)."""
    trees = [[0.0] * len(other) for _ in one]
    for i in _key_roots(one):
        for j in _key_roots(other):
            _forest_distances(one, other, i, j, trees)
    return trees[-1][-1]


def _key_roots(nodes: Sequence[_Node]) -> list[int]:
    """The highest node over each leftmost leaf, in order."""
    return sorted({node.first: number for number, node in enumerate(nodes)}.values())


def _forest_distances(one: Sequence[_Node], other: Sequence[_Node], i: int, j: int, trees: list[list[float]]) -> None:
    """Fills in the distances of all pairs of subtrees whose leftmost leaves are those of i and j."""
    left, right = one[i].first, other[j].first
    above = [float(n) for n in range(j - right + 2)]
    forests = [above]
    for x in range(left, i + 1):
        row = [above[0] + 1]
        for y in range(right, j + 1):
            column = y - right + 1
            least = min(above[column], row[column - 1]) + 1
            if one[x].first == left and other[y].first == right:
                least = min(least, above[column - 1] + _change(one[x], other[y]))
                trees[x][y] = least
            else:
                least = min(least, forests[one[x].first - left][other[y].first - right] + trees[x][y])
            row.append(least)
        forests.append(row)
        above = row


def _row_distance(a: Table, b: Table) -> float:
    """The edit distance of two tables whose rows are kept whole."""
    ours, theirs = (
        [tuple(_nodes(Table((row,), int(n < table.header)))[:-2]) for n, row in enumerate(table.rows)]
        for table in (a, b)
    )
    known: dict[tuple[tuple[_Node, ...], tuple[_Node, ...]], float] = {}

    def change(one: tuple[_Node, ...], other: tuple[_Node, ...]) -> float:
        if (one, other) not in known:
            known[one, other] = 0.0 if one == other else _edit_distance(one, other, _change, lambda _: 1)
        return known[one, other]

    return _edit_distance(ours, theirs, change, lambda row: len(row) + 1)


def _edit_distance(
    a: Sequence[T], b: Sequence[T], change: Callable[[T, T], float], cost: Callable[[T], float]
) -> float:
    """The least cost of making one sequence of the other; `cost` is that of inserting or deleting an item."""
    previous = list(accumulate(map(cost, b), initial=0.0))
    for ours in a:
        current = [previous[0] + cost(ours)]
        for j, theirs in enumerate(b):
            current.append(
                min(previous[j] + change(ours, theirs), previous[j + 1] + cost(ours), current[j] + cost(theirs))
            )
        previous = current
    return previous[-1]
