# SPDX-License-Identifier: Apache-2.0
"""Pages without main text, or with a few words of it, made of labelled ones."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.lab.evaluate.block_classes import MAIN, OTHER, page_id, read_page_blocks
from thresher.lab.evaluate.pages import read_pages
from thresher.lab.train.cuts import CUTS, LEAST_WORDS, MOST_WORDS, cut_page, write_cuts
from thresher.lab.train.dataset import SHARES, Reader, pages_in

STORY = [f"Paragraph {n} of the story of the wheel tells what the village had forgotten of its mill." for n in range(8)]
PAGE = f"""<!DOCTYPE html><html lang=en><title>The wheel</title>
<script type="application/ld+json">{{"@type": "Article", "articleBody": "{STORY[0]}"}}</script>
<nav><a href=/>Home</a><p>All mills &amp; wheels</p></nav>
<main><h1>The wheel</h1><p>By Ann, 3 May</p>{"".join(f"<p>{text}</p>" for text in STORY)}</main>
<aside><p>Read also: &lt;b&gt; the weir and the reeds</p><pre>
 a  b</pre></aside><footer><p>Imprint<br>Privacy</p></footer>""".encode()
CLASSES = [OTHER, OTHER, "title", "dateline", *[MAIN] * 8, OTHER, OTHER, OTHER]


def chance(seed: int) -> np.random.Generator:
    return np.random.default_rng([seed])


@pytest.mark.parametrize("seed", range(12))
def test_without_its_main_text_a_page_has_all_that_is_other(seed: int) -> None:
    cut = cut_page(PAGE, CLASSES, 0, chance(seed))
    assert cut is not None
    assert not any(text in cut.html.decode() for text in STORY[1:])
    assert [text for text, name in zip(cut.texts, cut.classes, strict=True) if name == OTHER] == [
        block.text for block, name in zip(read_page_blocks(PAGE)[1], CLASSES, strict=True) if name == OTHER
    ]
    assert set(cut.classes) <= {OTHER, "title", "dateline"}


def test_chance_decides_what_goes_with_it() -> None:
    cuts = {cut.html for cut in (cut_page(PAGE, CLASSES, 0, chance(seed)) for seed in range(40)) if cut}
    for part in (b"<main", b"By Ann", b"articleBody"):
        assert {part in html for html in cuts} == {True, False}


def test_of_a_short_page_the_first_blocks_are_left() -> None:
    cut = cut_page(PAGE, CLASSES, 20, chance(1))
    assert cut is not None
    assert [text for text, name in zip(cut.texts, cut.classes, strict=True) if name == MAIN] == STORY[:2]


def test_pages_that_cannot_be_cut() -> None:
    assert cut_page(PAGE, [OTHER] * len(CLASSES), 0, chance(1)) is None
    assert cut_page(PAGE, CLASSES, 1000, chance(1)) is None, "no block of it goes"
    assert cut_page(b"<p>One<p>Two", [MAIN, MAIN], 0, chance(1)) is None, "nothing is left"


def test_sets_of_cut_pages_are_learned_from_like_any_other(tmp_path: Path) -> None:
    row = {"url": None, "lang": "en", "page_type": "article", "html": PAGE, "gold": "\n".join(STORY)}
    rows = [
        {**row, "id": f"page {n}", "site": f"{n}.org", "optional": "The wheel", "classes": CLASSES} for n in range(5)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "classes.parquet")
    (tmp_path / "again").mkdir()
    files = write_cuts(tmp_path / "classes.parquet", tmp_path)
    for file, other in zip(files, write_cuts(tmp_path / "classes.parquet", tmp_path / "again"), strict=True):
        assert pq.read_table(file).equals(pq.read_table(other))
    assert [file.stem for file in files] == list(CUTS)
    bare, short = (list(read_pages(file)) for file in files)
    assert all(page.gold == "" for page in bare)
    assert all(LEAST_WORDS <= len(page.gold.split()) < MOST_WORDS + len(STORY[0].split()) for page in short)
    examples = list(Reader().read(files))
    assert len(examples) == len(bare) + len(short) == 10
    assert all(
        set(example.labels.tolist()) <= {float(np.float32(share)) for share in SHARES.values()} for example in examples
    )
    assert all(example.known.all() for example in examples)


def test_a_page_with_classes_is_learned_by_them_and_not_by_another_sets_gold(tmp_path: Path) -> None:
    other = b"<p>Grain was ground here until the last war."
    row = {"id": page_id(PAGE), "site": "a.org", "html": PAGE, "gold": "\n".join(STORY)}
    pq.write_table(pa.Table.from_pylist([{**row, "classes": CLASSES}]), tmp_path / "relabelled.parquet")
    old = [{**row, "id": "1", "gold": "The wheel"}, {**row, "id": "2", "html": other}]
    pq.write_table(pa.Table.from_pylist(old), tmp_path / "old.parquet")
    files = [tmp_path / "old.parquet", tmp_path / "relabelled.parquet"]
    examples = list(Reader().read(files))
    assert [(example.dataset, example.id) for example in examples] == [("old", "2"), ("relabelled", page_id(PAGE))]
    assert list(pages_in(files)) == [other, PAGE]
    assert [example.id for example in Reader().read(files[:1])] == ["1", "2"]
