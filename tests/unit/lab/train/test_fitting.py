# SPDX-License-Identifier: Apache-2.0
"""How the learned extractor is fitted: what it learns from, what each page weighs, and that it is the same each time."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.pages import Page
from thresher.lab.train.__main__ import main
from thresher.lab.train.dataset import Reader
from thresher.lab.train.fit import Recipe, split
from thresher.native.scoring.model import Model, default_model


def labelled(dataset: str, page_id: str, site: str, page_type: str | None = None) -> Page:
    """The page as one of a labelled set."""
    return Page(dataset, page_id, site, "en", page_type, b"<p>The grain is ground.", b"", "The grain is ground.")


def test_training_gives_the_same_models_again(tmp_path: Path) -> None:
    generator = random.Random(2)
    words = [
        "mill", "wheel", "water", "grain", "flour", "stone", "sieve", "barn", "reed", "oak", "shaft", "paddle",
        "sluice", "board", "nail", "tar",
    ]  # fmt: skip
    pages = []
    for number in range(40):
        text = [" ".join(generator.choices(words, k=30)) + "." for _ in range(4)]
        menu = "".join(f"<li><a href='/{word}'>{word}</a>" for word in words[:6])
        body = "".join(f"<p>{line}</p>" for line in text)
        html = f"<title>{number}</title><ul class='menu'>{menu}</ul><main>{body}</main><footer>Contact us {number}</footer>"
        pages.append(
            {"id": str(number), "html": html.encode(), "gold": "\n".join(text), "url": f"https://site{number}.example/"}
        )
    (tmp_path / "labelled").mkdir()
    pq.write_table(pa.Table.from_pylist(pages[:30]), tmp_path / "labelled" / "made_up.parquet")
    pq.write_table(pa.Table.from_pylist(pages[30:]), tmp_path / "labelled" / "more.parquet")
    for run in ("one", "two"):
        main(
            [
                "--data", str(tmp_path), "--out", str(tmp_path / run / "model.json"), "--held-out",
                str(tmp_path / run), "--report", str(tmp_path / run / "report.md"),
            ]
        )  # fmt: skip
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(files) == FOLDS + 2 + 2  # a model and a report, and of each set the model without it
    without = [(tmp_path / "one" / f"without-set-{name}.json").read_bytes() for name in ("made_up", "more")]
    assert without[0] != without[1]
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    held_out = {name for name in files if name.startswith("without-fold")}
    # A fold without a site leaves out nothing, so that its model is that of all pages.
    used = {site_fold(f"site{number}.example") for number in range(40)}
    assert len({(tmp_path / "one" / name).read_bytes() for name in held_out}) >= min(len(used), FOLDS)
    assert Model.read(tmp_path / "one" / "model.json").version == default_model().version


def test_models_are_fitted_without_sites_and_without_sets() -> None:
    reader = Reader()
    made = [
        ("wcxb", "a"),
        ("wcxb", "b"),
        ("cleaneval_dev", "c"),
        ("cleaneval_final", "d"),
        ("dragnet", "a"),
        ("dragnet", "e"),
    ]
    examples = [reader.example(labelled(name, str(i), site)) for i, (name, site) in enumerate(made)]
    found = split(examples, Recipe())
    assert found.inside[-1] == [0, 1, 2, 3, 4, 5]
    assert len(found.inside) == FOLDS + 3 + 1
    for i, (name, site) in enumerate(made):
        near, far = found.inside[found.near[i]], found.inside[found.far[i]]
        assert near == [j for j in range(6) if site_fold(made[j][1]) != site_fold(site)]
        assert not {made[j][0].split("_")[0] for j in far} & {name.split("_")[0]}
    # A site of the set that is left out is left out in the other sets too.
    assert found.inside[found.far[0]] == [2, 3, 5]
    assert found.inside[found.far[4]] == [1, 2, 3]
    assert found.learned_from("ABCDEF", "abcdef") == ["A", "B", "c", "d", "e", "f"]
    # Of one set alone there is no model without it.
    alone = split(examples[:2], Recipe())
    assert alone.far == alone.near


def test_data_that_are_no_labelled_set_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pages.jsonl").write_text("{}")
    with pytest.raises(SystemExit):
        main(["--data", str(tmp_path / "pages.jsonl"), "--out", str(tmp_path / "model.json")])
    assert "error: --data: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("dataset", "page_type", "weight"),
    [
        ("classes", "home", 2.0),
        ("classes", "listing", 1.5),
        ("classes", "article", 1.0),
        ("classes", None, 1.0),
        ("relabelled", "home", 2.0),
        ("relabelled", None, 1.0),
        ("wcxb", "listing", 1.0),
        ("dragnet", "home", 0.7),
        ("inserts", "home", 0.15),
    ],
)
def test_what_a_page_weighs(dataset: str, page_type: str | None, weight: float) -> None:
    page = Reader().example(labelled(dataset, "1", "a.org", page_type))
    assert Recipe().page_weight(page) == weight
