# SPDX-License-Identifier: Apache-2.0
"""The learned extractor: features against a slow model of them, trees against LightGBM, the model file."""

import array
import html
import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import lightgbm
import numpy
import pytest
from examples import few
from hypothesis import given
from hypothesis import strategies as st

from thresher.lab.evaluate.pages import Page
from thresher.native.choosing.decoding import Decoder
from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.parsing.document import Document
from thresher.native.scoring.context import Context
from thresher.native.scoring.feature_table import (
    CHOICE_FEATURES,
    CONTAINER,
    CONTEXT_FEATURES,
    DECLARED,
    FEATURES,
    PAGE_FEATURE_NAMES,
    WHOLE,
)
from thresher.native.scoring.feature_table import PAGE as PAGE_SCOPE
from thresher.native.scoring.features import Features
from thresher.native.scoring.model import MODEL_FILE, Model, default_model
from thresher.native.scoring.trees import Trees
from thresher.native.workspace import Workspace
from thresher.page.page_extractor import PageExtractor

SENTENCE = "The grain is what a page was written for, and the chaff is all that a host repeats on its pages."
PAGE = f"""<!doctype html><html><head><title>Grain and chaff | Mill</title></head><body class="home">
<nav class="mainMenu" role="navigation"><ul><li><a href="/a">Home</a></li><li><a href="/b">About us</a></li><li><a href="/c">Contact</a></li></ul></nav>
<main><article class="post-body"><h1>Grain and chaff</h1><p>{SENTENCE} {SENTENCE}</p><p>{SENTENCE}, {SENTENCE}; <a href="/x">more</a>.</p>
<div hidden><p>Folded away: {SENTENCE}</p></div></article></main>
<form><input type="text"><input type="submit"></form>
<footer id="pageFooter"><p>Copyright Mill</p><p>Copyright Mill</p></footer></body></html>"""


PIECES = [
    f"<p>{SENTENCE}",
    f"<div class=menu><a href=/>Home</a> text<p>{SENTENCE}</p>more text</div>",
    "<ul><li><a href=/>one</a><li>two, three<li>four</ul>",
    "<h1>Grain and chaff</h1>",
    "<h2>About <i>grain</i></h2>",
    "<table><tr><td>1<td>2<tr><td>3<td>4</table>",
    "<form><label>Name</label><input><button>Send</button></form>",
    "<section><article class='post main-text'>",
    "</article></section>",
    "<div hidden><p>Folded away.</div>",
    "<x-card>custom</x-card><img>",
    "<footer><p>Copyright Mill</footer>",
]


class Look:
    """A page with its features by name."""

    def __init__(self, html: str, token_weights: bytes | None = None) -> None:
        self.workspace = Workspace(Document())
        self.workspace.parse(html.encode())
        self.workspace.measure(with_concealed=True)
        self.features = Features()
        self.features.compute(self.workspace.document, self.workspace.metrics, self.workspace.blocks, token_weights)
        self.n_blocks = self.features.n_blocks
        values = array.array("h", self.features.values())
        self.values = {
            name: values[f * self.n_blocks : (f + 1) * self.n_blocks].tolist() for f, name in enumerate(FEATURES)
        }
        self.texts = [self.workspace.render_block(b).decode() for b in range(self.n_blocks)]


@given(st.text(st.sampled_from("abc .,;:!?/0-<>=\"'é中"), max_size=100))
def test_punctuation_of_any_text(text: str) -> None:
    text = html.escape("A" + text)  # a block, whatever it is
    counted = Look(f"<p>{text * 3}</p>").values["block_punctuation"]
    assert counted == [len(re.findall("[.,;:!?]", html.unescape(text) * 3))]


def test_class_attributes_count_each_time_they_are_met() -> None:
    """The tokens of a class attribute are read once a page: whatever was read before, its weight is the same."""
    weights = bytes(random.Random(7).choices(range(256), k=3 * (1 << 14)))
    values = [f"{'x' * (i % 11)}menu-item {'y' * (i % 17)}entry Wide{'-qq' * (i % 7)} {i}" for i in range(700)]
    alone = [Look(f'<div class="{value}">a</div>', weights).values["tokens_sum"][0] for value in values]
    chosen = random.Random(3).choices(range(len(values)), k=3000)
    together = Look("".join(f'<div class="{values[i]}">a</div>' for i in chosen), weights).values["tokens_sum"]
    assert together == [alone[i] for i in chosen]
    assert len(set(alone)) > 100


def test_features_equal_a_slow_model_of_them() -> None:
    look = Look(PAGE)
    values, texts = look.values, look.texts
    words = [len(re.findall(r"\w+", text)) for text in texts]
    sizes = [max(len(text), 3 * n) for text, n in zip(texts, words, strict=True)]
    # White space between two text nodes of a block is not counted: at most two fewer here.
    assert all(0 <= slow - fast <= 2 for slow, fast in zip(sizes, values["block_size"], strict=True))
    sizes = values["block_size"]
    assert values["block_words"] == words
    assert values["block_punctuation"] == [len(re.findall(r"[.,;:!?]", text)) for text in texts]
    assert values["block_ends_sentence"] == [int(text[-1] in '.!?"') for text in texts]
    assert values["block_copies"] == [texts.count(text) for text in texts]
    assert values["block_seen"] == [int(text in texts[:b]) for b, text in enumerate(texts)]
    good = [size > 80 for size in sizes]  # no link is longer than a few words on this page
    total = sum(sizes)
    assert values["page_good"] == [int(1000 * sum(s for s, g in zip(sizes, good, strict=True) if g) / total)] * len(
        texts
    )
    assert values["place_size"] == [int(sum(sizes[:b]) * (1000.0 / total)) for b in range(len(texts))]
    assert values["previous_good"] == [
        min([b - i for i in range(b) if good[i]], default=999) for b in range(len(texts))
    ]
    assert values["next_good"] == [
        min([i - b for i in range(b + 1, len(texts)) if good[i]], default=999) for b in range(len(texts))
    ]
    folded = [text.startswith("Folded") for text in texts]
    assert values["block_concealed"] == [int(f) for f in folded]
    assert sum(folded) == 1
    assert values["page_inputs"] == [2] * len(texts)
    inside = [b for b, text in enumerate(texts) if text.startswith("The grain")]
    assert all(values["candidate_inside"][b] == 1 and values["in_main"][b] == 3 for b in inside)
    assert values["in_frame"][:3] == [1, 1, 1]
    assert values["in_frame"][-2:] == [4, 4]
    headline = texts.index("Grain and chaff")
    assert values["headline_distance"] == [b - headline for b in range(len(texts))]
    assert values["block_alike"][:3] == [3, 3, 3]


def random_weights() -> "array.array[int]":
    generator = random.Random(7)
    return array.array("b", [generator.randint(-9, 9) for _ in range(3 << 14)])


def test_token_features_are_sums_over_the_path() -> None:
    weights = random_weights()
    look = Look(PAGE, weights.tobytes())
    tokens, parents = look.features.tokens(look.workspace.document), look.features.parents()
    for b, container in enumerate(look.features.containers()):
        own = []
        at = container
        while at:
            if tokens[at]:
                own.append(sum(weights[token] for token in tokens[at]))
            at = parents[at]
        assert look.values["tokens_sum"][b] == sum(own)
        assert look.values["tokens_lowest"][b] == min([0, *own])
        assert look.values["tokens_highest"][b] == max([0, *own])


def test_tokens_are_the_same_however_they_are_written() -> None:
    def tokens(attributes: str) -> list[int]:
        look = Look(f"<body><div {attributes}>text</div>")
        return look.features.tokens(look.workspace.document)[-1]

    assert tokens('class="main-menu"') == tokens('class="mainMenu"') == tokens('id="MAIN menu2"')
    assert tokens('class="main menu"') != tokens('role="main menu"')
    assert tokens('class="a 1 _"') == []


def terms(text: str) -> list[int]:
    look = Look(f"<body><p>{text}")
    (found,) = look.features.terms(look.workspace.document, look.workspace.metrics, look.workspace.blocks)
    return found


def test_terms_are_the_words_that_a_block_begins_with() -> None:
    assert terms("Read More") == terms("read <b>more</b>") == terms("(read), more!") == terms("a read more b")
    assert terms("read more")[::-1] == terms("more read")
    assert terms("2026") == terms("1999") != terms("19")
    assert len(terms("© 19 $ x")) == 3
    assert len(terms("word " * 50)) == 12
    one, two = terms("漢")[0], terms("字")[0]
    pair = terms("漢字")
    assert pair[:2] == [one, two]
    assert len(pair) == 3
    assert terms("漢 字") == [one, two]
    assert len(terms("Ελληνικά, русский")) == 2
    assert terms("Νέα ПОЧТА École") == terms("νέα почта école")
    assert terms("a - b") == []


def test_training_and_core_agree_on_every_feature() -> None:
    from thresher.lab.train.dataset import Reader
    from thresher.lab.train.fit import with_weights

    weights = random_weights().tobytes()
    reader = Reader()
    example = reader.example(Page("made up", "1", "mill.example", "en", None, PAGE.encode(), b"", SENTENCE))
    core = reader.compute(PAGE.encode(), weights)
    assert (with_weights(example, weights) == core).all()
    assert core[FEATURES.index("block_terms")].any()
    assert core[FEATURES.index("heading_terms_mean")].any()


def test_context_equals_a_slow_model_of_it() -> None:
    from thresher.lab.train.choices import probability

    look = Look(PAGE)
    generator = random.Random(4)
    scores = [generator.gauss(0, 2) for _ in look.texts]
    rows = array.array("h", Context().compute(look.features, scores))
    n = look.n_blocks
    values = {name: rows[f * n : (f + 1) * n].tolist() for f, name in enumerate(CONTEXT_FEATURES)}
    first = [int(numpy.floor(score * 4096 + 0.5)) for score in scores]
    p = probability(numpy.array(scores, dtype=numpy.float32)).tolist()
    weight = [words + 1 for words in look.values["block_words"]]
    total = sum(w * q for w, q in zip(weight, p, strict=True))

    def mean(chosen: list[int]) -> int:
        return sum(weight[b] * p[b] for b in chosen) // sum(weight[b] for b in chosen) if chosen else 0

    def f1(chosen: list[int]) -> float:
        kept = sum(weight[b] * p[b] for b in chosen) / 4096
        return 2 * kept / (sum(weight[b] for b in chosen) + total / 4096)

    assert values["first_score"] == first
    assert values["first_before"] == [-32768, *first[:-1]]
    assert values["first_after"] == [*first[1:], -32768]
    assert values["first_near"] == [mean([i for i in range(n) if abs(i - b) <= 2]) for b in range(n)]
    assert values["first_wide"] == [mean([i for i in range(n) if abs(i - b) <= 10]) for b in range(n)]
    assert values["first_place"] == [int(1000 * sum(weight[i] * p[i] for i in range(b)) / total) for b in range(n)]
    assert values["first_mean"] == [mean(list(range(n)))] * n
    assert values["first_highest"] == [max(p)] * n
    headings = [i for i, text in enumerate(look.texts) if text == "Grain and chaff"]
    assert values["first_heading"] == [first[headings[0]] if b >= headings[0] else -32768 for b in range(n)]
    menu = [0, 1, 2]
    for b in menu:
        assert values["first_pattern"][b] == values["first_level1"][b] == mean(menu)
        assert (
            values["first_pattern_others"][b] == values["first_level1_others"][b] == mean([i for i in menu if i != b])
        )
        assert values["first_pattern_highest"][b] == max(first[i] for i in menu)
    cuts = [[b for b in range(n) if p[b] >= 64 * k] for k in range(65)]
    best = max(range(65), key=lambda k: (f1(cuts[k]) if cuts[k] else 0.0, k))
    assert values["first_threshold"] == [64 * best] * n
    assert values["first_above"] == [q - 64 * best for q in p]
    assert values["first_f1"] == [int(1000 * f1(cuts[best]))] * n
    inside = [b for b in range(n) if values["first_best_inside"][b]]
    assert values["first_best_f1"] == [int(1000 * f1(inside))] * n
    with pytest.raises(ValueError, match="scores for"):
        Context().compute(look.features, scores[1:])


def random_splits(generator: random.Random, n_features: int, first: int, end: int) -> list[tuple[int, int, int]]:
    """Splits of a random tree with leaves [first, end)."""
    if end - first == 1:
        return []
    middle = generator.randrange(first + 1, end)
    split = (generator.randrange(n_features), generator.randint(-50, 50), (1 << middle) - (1 << first))
    parts = [random_splits(generator, n_features, first, middle), random_splits(generator, n_features, middle, end)]
    return [*parts[0], split, *parts[1]]


# tiles of 32 rows at once: 1; 2; 4; 4, 4, 4, 2, 1, with AVX-512 8, 4, 2, 1
@pytest.mark.parametrize("n_rows", [9, 48, 64, 109, 465])
@pytest.mark.parametrize("spread", [60, 3])  # with 3, all rows of a page go the same way at most splits
def test_trees_equal_a_walk_over_splits(n_rows: int, spread: int) -> None:
    generator = random.Random(3)
    n_features = 7
    trees = []
    for n_leaves in (1, 2, 5, *[16] * 140):
        splits = random_splits(generator, n_features, 0, n_leaves)
        trees.append((splits, [generator.randint(-1000, 1000) for _ in range(n_leaves)]))
    trees.append(([], [30000]))  # from here on, sums are cut off
    trees.append(([], [3000]))
    trees.append((random_splits(generator, n_features, 0, 16), [generator.randint(-1000, 1000) for _ in range(16)]))
    middle = [generator.randint(-50, 50) for _ in range(n_features)]
    rows = [[generator.randint(m - spread, m + spread) for _ in range(n_rows)] for m in middle]
    expected = []
    for row in range(n_rows):
        total = 0
        for splits, leaves in trees:
            excluded = 0
            for feature, limit, left in splits:
                if rows[feature][row] >= limit:
                    excluded |= left
            total += next(leaf for i, leaf in enumerate(leaves) if not excluded >> i & 1)
            total = max(-32768, min(32767, total))
        expected.append(total / 4096)
    values = array.array("h", [value for row in rows for value in row]).tobytes()
    for vectors in (0, 1, 2):
        assert Trees(trees, n_features).score(values, n_rows, vectors=vectors) == expected


@pytest.mark.parametrize(
    "tree",
    [
        ([], []),
        ([(0, 0, 1)], [1]),
        ([(3, 0, 1)], [1, 2]),
        ([(0, 40000, 1)], [1, 2]),
        ([(0, 0, 2)], [1, 2]),
        ([(0, 0, 1), (0, 0, 1)], [1, 2, 3]),
        ([(0, 0, 5), (0, 0, 1), (0, 0, 7)], [1, 2, 3, 4]),  # the leaves on the left side of a split are neighbours,
        ([(0, 0, 3), (0, 0, 6), (0, 0, 1)], [1, 2, 3, 4]),  # on one side of any other split
        ([(0, 0, 1)] * 16, list(range(17))),
        ([(0, 0, 1)], [1, 40000]),
    ],
)
def test_a_tree_that_would_read_what_is_not_there_is_refused(
    tree: tuple[list[tuple[int, int, int]], list[int]],
) -> None:
    with pytest.raises(ValueError, match=r"a (tree|split) of"):
        Trees([tree], 3)


def test_trees_equal_lightgbm() -> None:
    from thresher.lab.train.export import export_trees

    generator = numpy.random.default_rng(5)
    x = generator.integers(-1000, 1000, (3000, 12)).astype(numpy.int16)
    y = (x[:, 0] > x[:, 1]) + 0.1 * (x[:, 2] > 300)
    parameters = {
        "objective": "l2",
        "num_leaves": 16,
        "verbose": -1,
        "num_threads": 1,
        "use_missing": False,
        "max_bin": 63,
    }
    model = lightgbm.train(parameters, lightgbm.Dataset(x, y), 30)
    scores = Trees(export_trees(model), 12).score(numpy.ascontiguousarray(x[:500].T).tobytes(), 500)
    assert numpy.abs(numpy.array(scores) - model.predict(x[:500], raw_score=True)).max() < 30 / 4096


def test_choices_follow_the_probabilities() -> None:
    look = Look(PAGE)
    scores = [4.0 if text.startswith("The grain") else -4.0 for text in look.texts]
    values, choices = Decoder().lay_out(look.features, scores)
    table = array.array("h", values)
    rows = {name: table[f * 16 : f * 16 + 16].tolist() for f, name in enumerate(CHOICE_FEATURES)}
    assert rows["choice_number"] == list(range(16))
    assert rows["choice_kept_blocks"][:13] == [2] * 13
    n_words = sum(len(re.findall(r"\w+", text)) for text in look.texts if text.startswith("The grain"))
    assert rows["choice_kept_words"][0] == n_words
    assert rows["choice_precision"][3] == 982  # the logistic function of 4
    assert [least for least, _, _ in choices[:13]] == sorted(least for least, _, _ in choices[:13])
    with pytest.raises(ValueError, match="scores for"):
        Decoder().lay_out(look.features, scores[1:])


def test_scores_are_the_mean_of_both_stages() -> None:
    import base64

    model = json.loads(files("thresher").joinpath(MODEL_FILE).read_text("utf-8"))
    look = Look(PAGE, base64.b64decode(model["token_weights"]))
    values, n = look.features.values(), look.n_blocks
    first = Trees(model["first_trees"], len(FEATURES)).score(values, n)
    context = Context().compute(look.features, first)
    second = Trees(model["block_trees"], len(FEATURES) + len(CONTEXT_FEATURES)).score(values + context, n)
    extractor = PageExtractor("thresher")
    extractor.extract(PAGE.encode())
    scores = extractor.workspace.scores()
    assert scores is not None
    mean = [int(4096 * (a + b)) >> 1 for a, b in zip(first, second, strict=True)]
    assert array.array("h", scores).tolist() == mean
    assert first != second


def test_the_model_is_small_and_of_this_version() -> None:
    file = files("thresher").joinpath(MODEL_FILE)
    assert len(file.read_bytes()) <= 1 << 20
    assert default_model().version == re.fullmatch(r"models/thresher-(\d+)\.json", MODEL_FILE)[1]  # type: ignore[index]


def test_a_model_of_other_features_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = files("thresher").joinpath(MODEL_FILE).read_text("utf-8")
    other = tmp_path / "model.json"
    other.write_text(text.replace('"block_words"', '"block_wards"'))
    with pytest.raises(ValueError, match="another version"):
        Model.read(other)


def test_main_text_is_kept_and_the_rest_is_not() -> None:
    extractor = PageExtractor("thresher")
    text = extractor.extract(PAGE.encode()).decode()
    assert SENTENCE in text
    assert "Contact" not in text
    assert "Copyright" not in text
    assert extractor.confidence is not None
    assert 0.5 < extractor.confidence <= 1.0


def test_comments_are_no_part_of_a_recipe() -> None:
    opinion = "I made this soup for my whole family last Sunday, and all of them asked for more, so thank you so much."
    steps = "Melt the butter in a large pot, stir in the flour, and add the milk while you go on stirring."
    comments = "".join(f"<div class=comment><p>{opinion} {n}</p></div>" for n in range(4))
    body = f"<main><h1>Flour soup</h1><p>{steps} {steps}</p>{{}}</main>"
    recipe = '<script type="application/ld+json">{"@type": "Recipe", "name": "Flour soup"}</script>'
    page = f"<title>Flour soup</title>{body.format(f'<section class=comments>{comments}</section>')}".encode()

    def texts(page: bytes) -> list[bool]:
        return [
            "family" in PageExtractor(comments=comments).extract(page).decode() for comments in ("auto", "keep", "drop")
        ]

    assert texts(page) == [True, True, False]
    assert texts(recipe.encode() + page) == [False, True, False]
    assert texts(page.replace(b"<main>", b'<main itemtype="https://schema.org/Recipe">')) == [False, True, False]
    # Where all of the page is named after comments, the recipe stands in there too, and nothing takes it away.
    inside = f"{recipe}<title>Flour soup</title><div class=comments>{body.format(f'<p>{opinion}</p>')}</div>".encode()
    assert texts(inside) == [True, True, True]


def test_the_same_page_gives_the_same_text_whatever_came_before() -> None:
    extractor = PageExtractor("thresher")
    first = extractor.extract(PAGE.encode())
    extractor.extract(("<p>" + "x " * 5000).encode() * 3)
    assert extractor.extract(PAGE.encode()) == first
    assert PageExtractor("thresher").extract(PAGE.encode()) == first


def test_lean_moves_between_precision_and_recall() -> None:
    sizes = [len(PageExtractor("thresher", lean=lean).extract(PAGE.encode())) for lean in (-1.0, 0.0, 1.0)]
    assert sizes == sorted(sizes)


def test_evidence_from_other_pages_moves_the_choice() -> None:
    workspace = Workspace(Document())
    learned = EXTRACTORS["thresher"]
    workspace.parse(PAGE.encode())
    workspace.measure(with_concealed=True)
    workspace.classify(learned)
    alone = workspace.kept()
    first, second = (b for b in range(len(alone)) if workspace.render_block(b).startswith(SENTENCE.encode()))
    assert alone[first]
    assert alone[second]
    against = array.array("h", [-32768 if b == second else 0 for b in range(len(alone))])
    workspace.classify(learned, against)
    assert workspace.kept()[first]
    assert not workspace.kept()[second]
    workspace.classify(learned)
    assert workspace.kept() == alone
    with pytest.raises(ValueError, match="evidence of"):
        workspace.classify(learned, against[1:])


@pytest.mark.parametrize(
    "page", [b"", b"<title>x</title>", b"text", "漢字。".encode() * 50, b"<li>" * 3000, b"<div>" * 3000 + b"x"]
)
def test_odd_pages_are_extracted(page: bytes) -> None:
    extractor = PageExtractor("thresher")
    extractor.extract(page).decode()
    assert extractor.confidence is None or 0.0 <= extractor.confidence <= 1.0


def test_an_extractor_that_sees_no_concealed_text_is_not_disturbed() -> None:
    page = PAGE.encode()
    alone = PageExtractor("all").extract(page)
    both = PageExtractor("thresher")
    both.extract(page)
    both.choose("all")
    both.classify()
    assert both.render() == alone
    assert b"Folded away" not in alone


def test_two_models_work_side_by_side_in_threads() -> None:
    """The model was a set of globals that load() replaced, for all threads."""
    content = json.loads(files("thresher").joinpath(MODEL_FILE).read_text("utf-8"))
    content["block_trees"] = content["first_trees"]
    content["version"] = "other"
    other = Model(json.dumps(content))
    assert (default_model().version, other.version) != (other.version, default_model().version)
    extractors = [PageExtractor("thresher"), PageExtractor("thresher", model=other)]
    expected = []
    for extractor in extractors:
        extractor.extract(PAGE.encode())
        expected.append(extractor.workspace.scores())
    assert expected[0] != expected[1]

    def work(number: int) -> bytes | None:
        mine = PageExtractor("thresher", model=other if number % 2 else None)
        for _ in range(20):
            mine.extract(PAGE.encode())
        return mine.workspace.scores()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(8))) == expected * 4


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", '{"format": 3}', "\0"],
)
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Model(text)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("token_weights", ""),
        ("token_weights", None),
        ("first_trees", [[[[0, 0, 2]], [1, 2]]]),
        ("block_trees", [[[[500, 0, 1]], [1, 2]]]),
        ("choice_trees", 7),
        ("confidence", [0.5]),
        ("confidence", [2.0] * 21),
        ("expected_weight", "much"),
        ("features", []),
    ],
)
def test_a_damaged_model_is_refused(key: str, value: object) -> None:
    content = json.loads(files("thresher").joinpath(MODEL_FILE).read_text("utf-8"))
    content[key] = value
    with pytest.raises(ValueError, match=r"."):
        Model(json.dumps(content))


def test_a_model_does_not_change() -> None:
    model = default_model()
    with pytest.raises(AttributeError):
        model.version = "x"  # type: ignore[misc]
    before = PageExtractor("thresher").extract(PAGE.encode())
    model.__init__("{}")  # type: ignore[misc]
    assert PageExtractor("thresher").extract(PAGE.encode()) == before


RANGES = {"share": (-1, 32767), "flag": (0, 1), "probability": (-4096, 4096), "code": (-1, 64), "blocks": (0, 32767)}
"""Least and largest value by unit; -1 where there is no neighbour to be measured."""


@few
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=40))
def test_features_are_what_they_are_declared(pieces: list[str]) -> None:
    """Features of the page are the same for all its blocks, features of a container for all of its own, and values lie
    in the range of their unit.
    """
    look = Look("<title>Grain and chaff</title>" + "".join(pieces), random_weights().tobytes())
    scores = [float(size % 7 - 3) for size in look.values["block_size"]]
    if not scores:
        return
    context = array.array("h", Context().compute(look.features, scores))
    n = look.n_blocks
    rows = {**look.values, **{name: context[f * n : (f + 1) * n].tolist() for f, name in enumerate(CONTEXT_FEATURES)}}
    assert [feature.name for feature in DECLARED] == list(rows)
    containers = look.features.containers()
    for feature in DECLARED:
        row = rows[feature.name]
        if feature.scope in {PAGE_SCOPE, WHOLE}:
            assert len(set(row)) == 1, feature
        elif feature.scope == CONTAINER:
            assert len(set(zip(containers, row, strict=True))) == len(set(containers)), feature
        least, largest = RANGES.get(feature.unit.name, (-32768, 32767))
        assert least <= min(row), feature
        assert max(row) <= largest, feature


def test_every_choice_knows_the_features_of_the_page() -> None:
    look = Look(PAGE)
    values, _ = Decoder().lay_out(look.features, [0.0] * look.n_blocks)
    table = array.array("h", values)
    rows = {name: table[f * 16 : f * 16 + 16].tolist() for f, name in enumerate(CHOICE_FEATURES)}
    assert len(PAGE_FEATURE_NAMES) == 13
    for name in PAGE_FEATURE_NAMES:
        assert rows[f"choice_{name}"] == [look.values[name][0]] * 16


def with_escapes(count: int) -> bytes:
    r"""A page of two paragraphs with that many blocks of `\n\t` before and after the second."""
    between = "".join(r"<div>\n \t\\r\n</div>" for _ in range(count))
    return PAGE.replace("</p><p>", f"</p>{between}<p>").replace("</article>", f"{between}</article>").encode()


def test_blocks_of_written_escapes_are_left_out():
    text = PageExtractor("thresher").extract(with_escapes(12)).decode()
    assert "\\" not in text
    assert text.count(SENTENCE) == PageExtractor("thresher").extract(PAGE.encode()).decode().count(SENTENCE)


def test_escapes_that_a_page_writes_about_stay():
    rows = "".join(f"<tr><td>\\{letter}</td><td>{SENTENCE}</td></tr>" for letter in "nrt")
    page = f"<h1>Grain and chaff</h1><p>{SENTENCE} {SENTENCE}</p><table>{rows}</table><p>{SENTENCE} {SENTENCE}</p>"
    text = PageExtractor("thresher").extract(page.encode()).decode()
    assert all(f"\\{letter}" in text for letter in "nrt")


def test_what_other_pages_have_speaks_against_any_block_but_the_headline():
    workspace = Workspace(Document())
    workspace.parse(PAGE.encode())
    workspace.measure()
    workspace.classify(EXTRACTORS["thresher"])
    texts = [workspace.render_block(b).decode() for b in range(workspace.n_blocks)]
    kept = [text for text, keep in zip(texts, workspace.kept(), strict=True) if keep]
    paragraph = next(text for text in kept if text.startswith(SENTENCE))
    against = array.array("h", [-32768 if text in ("Grain and chaff", paragraph) else 0 for text in texts])
    workspace.classify(EXTRACTORS["thresher"], against)
    left = [text for text, keep in zip(texts, workspace.kept(), strict=True) if keep]
    assert left == [text for text in kept if text != paragraph]
    assert "Grain and chaff" in left
