# SPDX-License-Identifier: Apache-2.0
"""Figures in README and docs/ are those of benchmarks/results.

A section that links to results is compared with them: every figure with a decimal point in it must stand there, perhaps
with more digits. Where a row of a table has the name of a row of the results, it must stand in a row of that name.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from shared_data import CHECKOUT

RESULTS: Final = CHECKOUT / "benchmarks" / "results"
FIGURE: Final = re.compile(r"(?<![\w.,/])[-+]?(?:\d{1,3}(?:,\d{3})+|\d*)\.\d+(?![\w.]|\s?(?:TB|GB|cent))")
LINK: Final = re.compile(r"benchmarks/results/([\w.-]+\.md)")

OTHERWISE: Final = {
    "cost.md": {
        "0.04": "an example of a price",
        "0.39": "the published price of a GPU",
        "13.7": "published",
        "0.68": "published",
        "0.6": "billion parameters",
    },
    "crawls.md": {
        "1.14": "two workers at .568 ms a page by the clock",
        "2.0": "790 hours by 400 workers",
        "2.5": "billion pages",
        "2.6": "1,020 hours by 400 workers",
        ".04": "a list price",
    },
    "evaluation.md": {
        ".686": "before spellings were compared alike",
        ".893": "the same",
        ".057": "the difference of two figures",
        ".951": "20 pages alone, by hand",
        ".493": "13 pages alone, by hand",
        ".851": "the same",
    },
    "languages.md": {"1.5": "the quotient of .145 and .098 ms"},
    "training.md": {".987": "the labels' own blocks as the choice; also in conf/default.toml", ".958": "the same"},
    "routing.md": {".973": "pages with a confidence above .9 on which cetd agrees, among pages of training"},
}
"""Figures of a page that stand near a link to results and are not from there: where they are from."""


def pages() -> list[Path]:
    return sorted([CHECKOUT / "README.md", *(CHECKOUT / "docs").glob("*.md")])


def sections(text: str) -> Iterator[str]:
    """The text from each heading to the next, without code."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    yield from re.split(r"^#+ ", text, flags=re.MULTILINE)


def figures(text: str) -> list[str]:
    """The figures with a decimal point in a text, links and code aside."""
    return FIGURE.findall(re.sub(r"\]\([^)]*\)|`[^`]*`", " ", text))


def label(row: str) -> str:
    """The name of a row: its first cell without emphasis and what follows a comma or bracket."""
    first = row.strip().strip("|").split("|")[0]
    return re.split(r"[,(;]", re.sub(r"[*`_]", "", first))[0].strip().lower()


def known(text: str) -> list[float]:
    """All numbers of a text."""
    found = re.findall(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[-+]?\.\d+", text)
    return [float(each.replace(",", "")) for each in found]


def stands_in(figure: str, numbers: list[float]) -> bool:
    """Whether a figure is one of these numbers, rounded to its digits. A share may be given in per cent."""
    value, digits = float(figure.replace(",", "")), len(figure.partition(".")[2])
    half = 0.5000001 * 10**-digits
    return any(abs(value - each * factor) <= half for each in numbers for factor in (1, 100, 0.01, 1e-3, 1e3))


def rows_of(text: str) -> dict[str, list[float]]:
    """The numbers of the rows and columns of a text's tables, by their names."""
    found: dict[str, list[float]] = {}
    head: list[str] = []
    name = ""
    for line in text.splitlines():
        if not line.lstrip().startswith("|"):
            head = []
            continue
        cells = line.strip().strip("|").split("|")
        head = head or [label(cell) for cell in cells]
        name = label(line) or name  # an empty cell stands for the one above it
        found.setdefault(name, []).extend(known(line))
        for column, cell in zip(head[1:], cells[1:], strict=False):
            found.setdefault(column, []).extend(known(cell))
    return found


def wrong(path: Path) -> list[str]:
    """The figures of a page that stand in none of the results that their section links to."""
    found = []
    allowed = OTHERWISE.get(path.name, {})
    for section in sections(path.read_text("utf-8")):
        names = sorted(set(LINK.findall(section)))
        if not names:
            continue
        results = "\n".join((RESULTS / name).read_text("utf-8") for name in names)
        numbers, rows = known(results), rows_of(results)
        for line in section.splitlines():
            usable = rows.get(label(line), numbers) if line.lstrip().startswith("|") else numbers
            found += [
                f"{figure} in {line.strip()[:100]!r}: not in {', '.join(names)}"
                for figure in figures(line)
                if figure not in allowed and not stands_in(figure, usable)
            ]
    return found


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_figures_are_those_of_the_results(path: Path) -> None:
    assert wrong(path) == []


def test_what_is_allowed_is_needed() -> None:
    for name, allowed in OTHERWISE.items():
        text = ((CHECKOUT / name) if name == "README.md" else CHECKOUT / "docs" / name).read_text("utf-8")
        assert set(allowed) <= set(figures(text)), name


def test_a_wrong_figure_is_found(tmp_path: Path) -> None:
    """Guards the comparison itself."""
    page = tmp_path / "page.md"
    page.write_text(
        "# Heading\n\n[figures](../benchmarks/results/model-4-figures.md)\n\n| set | F1 |\n|---|---|\n| wcxb | .887 |\n"
        "| wcxb | .912 |\n\nIt takes 98.765 ms.\n\n# Another\n\n98.765 is not from there.\n"
    )
    assert [each.split(" ")[0] for each in wrong(page)] == [".912", "98.765"]
