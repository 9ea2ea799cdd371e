# SPDX-License-Identifier: Apache-2.0
"""Pages with furniture, and with short honest blocks, between their paragraphs, made of labelled ones."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.lab.evaluate.block_classes import MAIN, OTHER, read_page_blocks
from thresher.lab.evaluate.folds import site_fold
from thresher.lab.train.dataset import Reader
from thresher.lab.train.fit import Recipe, sample
from thresher.lab.train.inserts import FURNITURE, HONEST, KINDS, phrases, write, write_inserts

STORY = [
    f"Paragraph {n} of the story of the wheel tells what the village on the river had forgotten of its mill, and why."
    for n in range(8)
]


def row(number: int, site: str) -> dict[str, Any]:
    """A page whose article has a short line, and an honest box and a foreign one after it."""
    body = "".join(f"<p>{text}</p>" for text in [*STORY[:4], f"And then, {number}.", *STORY[4:]])
    html = f"""<!DOCTYPE html><title>Mill {number}</title><nav><p>Home</p></nav>
        <main><h1>The wheel of mill {number}</h1>{body}</main>
        <aside><h4>More mills</h4><p>Mill {number} for sale</p></aside><footer><p>Imprint</p></footer>"""
    classes = [OTHER, "title", *[MAIN] * 9, OTHER, OTHER, OTHER]
    return {
        "id": f"page {number}",
        "url": None,
        "site": site,
        "lang": "en",
        "page_type": "article",
        "html": html.encode(),
        "gold": "",
        "optional": "",
        "classes": classes,
    }


@pytest.fixture
def rows(tmp_path: Path) -> list[dict[str, Any]]:
    given = [row(number, f"{number}.org") for number in range(12)]
    pq.write_table(pa.Table.from_pylist(given), tmp_path / "classes.parquet")
    return pq.read_table(write_inserts(tmp_path / "classes.parquet", tmp_path)).to_pylist()


def test_each_block_has_a_class_and_those_put_in_a_kind(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 12
    for page in rows:
        blocks = read_page_blocks(page["html"])[1]
        assert len(blocks) == len(page["classes"]) == len(page["kinds"])
        assert [bool(kind) for kind in page["kinds"]] == [name in (FURNITURE, HONEST) for name in page["classes"]]
        assert [
            b.text for b, name in zip(blocks, page["classes"], strict=True) if name == MAIN and b.words > 8
        ] == STORY
        assert b"data-insert" not in page["html"]
    assert {kind.split()[0] for page in rows for kind in page["kinds"] if kind} <= {*KINDS, "found", HONEST}


def test_what_is_put_in_stands_between_main_text(rows: list[dict[str, Any]]) -> None:
    for page in rows:
        names = [name for name in page["classes"] if name not in ("title", OTHER)]
        assert names[0] == names[-1] == MAIN
        assert FURNITURE in names


def test_a_gold_text_has_the_honest_blocks_and_no_furniture(rows: list[dict[str, Any]]) -> None:
    for page in rows:
        blocks = zip(read_page_blocks(page["html"])[1], page["classes"], strict=True)
        assert page["gold"].split("\n") == [b.text for b, name in blocks if name in (MAIN, HONEST)]
    assert any(HONEST in page["classes"] for page in rows)


def test_elements_come_from_pages_of_the_same_fold(rows: list[dict[str, Any]]) -> None:
    foreign = 0
    for page in rows:
        for number in re.findall(r"(?:And then, |Mill )(\d+)(?:\.| for sale)", page["html"].decode()):
            assert site_fold(f"{number}.org") == site_fold(page["site"])
            foreign += f"{number}.org" != page["site"]
    assert foreign


def test_the_same_pages_give_the_same_set(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist([row(n, f"{n}.org") for n in range(6)]), tmp_path / "classes.parquet")
    (tmp_path / "again").mkdir()
    first = pq.read_table(write_inserts(tmp_path / "classes.parquet", tmp_path))
    assert first.equals(pq.read_table(write_inserts(tmp_path / "classes.parquet", tmp_path / "again")))


@pytest.mark.usefixtures("rows")
def test_all_that_was_put_in_is_sampled(tmp_path: Path) -> None:
    examples = list(Reader().read([tmp_path / "inserts.parquet"]))
    for page in sample(examples, Recipe(blocks_per_cut=2)):
        assert set(np.flatnonzero(page.example.added)) <= set(page.blocks.tolist())
    added = [example.labels[example.added] for example in examples]
    assert {float(label) for labels in added for label in labels} == {0.0, 1.0}


@pytest.mark.parametrize("language", sorted(phrases()))
def test_each_language_has_words_for_each_kind(language: str) -> None:
    chance = np.random.default_rng([1])
    for kind in KINDS:
        for _ in range(8):
            html = write(kind, phrases()[language], ["A page"], ' class="x"', chance).replace("{mark}", "")
            blocks = read_page_blocks(f"<p>{STORY[0]}</p>{html}".encode())[1]
            assert len(blocks) > 1, html
