# SPDX-License-Identifier: Apache-2.0
"""benchmarks/downstream.py and the language model in benchmarks/kneser_ney.py."""

import importlib
import math
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from thresher.lab.evaluate.pages import Page

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"
PROSE = [
    b"the miller of the lower village",
    b"the wheel of the mill",
    b"a mill by the river",
    b"the river and the wheel",
]


@pytest.fixture
def kneser_ney(monkeypatch):
    """The module benchmarks/kneser_ney.py."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("kneser_ney")


@pytest.fixture
def downstream(monkeypatch):
    """The module benchmarks/downstream.py."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    yield importlib.import_module("downstream")
    for name in ("downstream", "downstream_lines", "downstream_report", "measure", "templates"):
        sys.modules.pop(name, None)


@pytest.fixture
def lines(downstream):  # noqa: ARG001 (it finds the module)
    """The module benchmarks/downstream_lines.py."""
    return importlib.import_module("downstream_lines")


def page(number: int, site: str = "a.example", gold: str = "Main text.", **values) -> Page:
    html = f"<p>{number}".encode()
    given = {"dataset": "set", "id": str(number), "language": "en", "page_type": None, "key": html, **values}
    return Page(site=site, html=html, gold=gold, **given)


# The language model


@pytest.mark.parametrize("order", range(1, 9))
@pytest.mark.parametrize("context", [b"", b"t", b"the ", b"the wheel of th", b"\xff\xfe unseen", b"zq"])
def test_probabilities_sum_to_one_after_any_context(kneser_ney, order, context):
    found = kneser_ney.KneserNey(PROSE, order).distribution(context)
    assert found.shape == (256,)
    assert found.min() > 0  # nothing is out of vocabulary
    assert math.isclose(found.sum(), 1, abs_tol=1e-12)


def test_a_tiny_example_is_right(kneser_ney):
    """One document, "aab": four bigrams that occur once, so discounts are the fallback's .5, 1 and 1.5.

    Before a stand two different bytes, before b and the end one: of the four, a has (2 - 1) / 4 and b (1 - .5) / 4, and
    2 / 4 are left for the uniform distribution. After a stand a and b, once each.
    """
    model = kneser_ney.KneserNey([b"aab"], 2)
    uniform = 0.5 / 256
    after_a = model.distribution(b"a")
    assert math.isclose(after_a[ord("a")], 0.25 + 0.5 * (0.25 + uniform))
    assert math.isclose(after_a[ord("b")], 0.25 + 0.5 * (0.125 + uniform))
    assert math.isclose(after_a[ord("z")], 0.5 * uniform)
    assert math.isclose(model.distribution(b"b")[0], 0.5 + 0.5 * (0.125 + uniform))  # the end, always after b
    assert math.isclose(model.distribution(b"z")[ord("a")], 0.25 + uniform)  # an unseen context: the order below
    probabilities = [model.distribution(before)[ord(byte)] for before, byte in ((b"", "a"), (b"a", "a"), (b"aa", "b"))]
    bits = -sum(map(math.log2, [*probabilities, model.distribution(b"aab")[0]])) / 3
    assert math.isclose(model.bits_per_byte(kneser_ney.Text([b"aab"], 2)), bits)


def test_discounts_are_those_of_chen_and_goodman(kneser_ney):
    counts = np.array([1] * 4 + [2] * 3 + [3] * 2 + [4] + [9] * 5)
    assert np.allclose(kneser_ney.discounts(counts), [0, 0.4, 1.2, 2.2])


def test_no_discount_is_zero(kneser_ney):
    """Else a context whose n-grams all have that count would leave nothing for bytes that it was not seen with."""
    counts = np.array([1] * 4 + [2] * 2 + [3] * 4 + [4])
    assert kneser_ney.discounts(counts).tolist() == [0, 0.5, 1, 1.5]  # the formula would give 2 a discount of -1


def plain_bits(kneser_ney, training: list[bytes], text: list[bytes], order: int) -> float:
    """Bits per byte by dictionaries, from the definition."""
    padded = [bytes(order - 1) + document + b"\0" for document in training]
    grams = Counter(d[k - order + 1 : k + 1] for d in padded for k in range(order - 1, len(d)))
    levels = {order: grams}
    for n in range(order - 1, 0, -1):
        levels[n] = Counter(gram[1:] for gram in levels[n + 1])
    after = {n: defaultdict(list) for n in levels}
    for n, of in levels.items():
        for gram, count in of.items():
            after[n][gram[:-1]].append(count)
    discount = {n: kneser_ney.discounts(np.array(list(of.values()))) for n, of in levels.items()}

    def probability(gram: bytes) -> float:
        if not gram:
            return 1 / 256
        n, counts = len(gram), after[len(gram)].get(gram[:-1])
        below = probability(gram[1:])
        if counts is None:
            return below
        own = levels[n].get(gram, 0)
        lost = sum(discount[n][min(count, 3)] for count in counts)
        return (own - discount[n][min(own, 3)] + lost * below) / sum(counts)

    bits = 0.0
    for document in text:
        whole = bytes(order - 1) + document + b"\0"
        bits -= sum(math.log2(probability(whole[k - order + 1 : k + 1])) for k in range(order - 1, len(whole)))
    return bits / sum(map(len, text))


@pytest.mark.parametrize("order", [1, 2, 3, 5, 8])
def test_sorted_arrays_give_what_dictionaries_give(kneser_ney, order):
    chance = random.Random(order)
    training = [bytes(chance.choices(b"abcde \xc3\xa9", k=chance.randrange(60))) for _ in range(40)] + PROSE
    text = [bytes(chance.choices(b"abcdx \xc3", k=50)) for _ in range(5)] + PROSE[:1] + [b""]
    found = kneser_ney.KneserNey(training, order).bits_per_byte(kneser_ney.Text(text, order))
    assert math.isclose(found, plain_bits(kneser_ney, training, text, order), rel_tol=1e-9)


def test_no_n_gram_reaches_into_another_document(kneser_ney):
    assert kneser_ney.windows([b"ab", b"c"], 3).tolist() == [0x61, 0x6162, 0x616200, 0x63, 0x6300]


@pytest.mark.parametrize(
    ("documents", "order", "said"), [([b"a\0b"], 3, "byte 0"), ([b"a"], 9, "1 to 8"), ([], 2, "no")]
)
def test_what_cannot_be_learned_from_is_refused(kneser_ney, documents, order, said):
    with pytest.raises(ValueError, match=said):
        kneser_ney.KneserNey(documents, order)


def test_files_are_compared_by_the_command(kneser_ney, tmp_path, capsys):
    (tmp_path / "train").write_bytes(b"\n".join(PROSE))
    (tmp_path / "test").write_bytes(b"the mill\n")
    kneser_ney.main([str(tmp_path / "train"), str(tmp_path / "test"), "--order", "4"])
    found = kneser_ney.KneserNey(PROSE, 4).bits_per_byte(kneser_ney.Text([b"the mill"], 4))
    assert capsys.readouterr().out == f"{found:.4f} bits per byte\n"
    with pytest.raises(SystemExit) as ended:
        kneser_ney.main([str(tmp_path / "none"), str(tmp_path / "test")])
    assert ended.value.code == 2


# Pages and texts


def test_a_sample_has_whole_sites_and_few_pages_of_each(downstream):
    pages = [page(number, site=f"{number % 7}.example") for number in range(700)]
    found = downstream.sample(pages, 60)
    sites = Counter(each.site for each in found)
    assert set(sites.values()) == {20}
    assert found == downstream.sample(reversed(pages), 60)  # whatever the order


def test_english_is_what_the_label_says_or_else_the_gold_text(downstream):
    german = "Im Frühjahr musste der Müller des unteren Dorfes das Rad instand setzen, und das dauerte bis zur Ernte."
    english = "In the spring the miller of the lower village had to repair the wheel, and that took until the harvest."
    assert downstream.is_english(page(1, gold=german))
    assert downstream.is_english(page(1, gold=english, language=None))
    assert not downstream.is_english(page(1, gold=german, language=None))
    assert not downstream.is_english(page(1, gold=english, language="de"))


def test_hosts_of_a_site_are_told_apart(downstream):
    one = page(1, site="blogspot.com", url="https://one.blogspot.com/a")
    assert downstream.host_of(one) != downstream.host_of(page(2, site="blogspot.com", url="https://two.blogspot.com/a"))
    assert downstream.host_of(page(3, site="gh:docs", url=None)) == ("gh:docs", "gh:docs")


def test_templates_change_only_pages_with_others_of_their_host(downstream):
    body = "".join(
        f"<p>Sentence {k} of an article about mills, wheels and water, which is long enough.</p>" for k in range(9)
    )
    footer = (
        "<div><p>This site has been telling its readers about mills since the year of the flood. Write to us.</p></div>"
    )
    html = [
        f"<body><article>{body.replace('mills', word)}</article>{footer}</body>".encode()
        for word in ("oaks", "rye", "ice")
    ]
    pages = [downstream.Page("set", str(k), site, "en", None, each, each, "x") for k, (each, site) in
             enumerate(zip(html, ("a.example", "a.example", "b.example"), strict=True))]  # fmt: skip
    texts = downstream.own_texts(pages, ())
    assert set(texts) == {"all text", "thresher", "thresher, precision", "thresher, recall", "thresher, templates"}
    assert all("Sentence 8" in text for each in texts.values() for text in each)
    assert all("since the year of the flood" in text for text in texts["all text"])
    assert texts["thresher, templates"][2] == texts["thresher"][2]


# Measures


def test_a_union_takes_the_first_text_that_survives(downstream):
    texts = {name: ["bad", "bad", "bad"] for name in ("thresher", "resiliparse", "trafilatura", "justext")}
    texts["justext"] = ["good J", "bad", "good J"]
    texts["resiliparse"] = ["good R", "bad", "bad"]
    passed = {text: (True, True, text != "bad") for each in texts.values() for text in each}
    kept = downstream.survivors(texts, passed)
    assert kept["thresher"] == ["", "", ""]
    assert kept["resiliparse ∪ trafilatura ∪ justext"] == ["good R", "", "good J"]
    golds = ["good gold", "gold", "gold"]
    survived, broken, unions = downstream.rules_tables(
        texts | {"gold text": golds}, kept, passed | dict.fromkeys(golds, (True,) * 3), golds
    )
    row = next(row for row in survived.rows if row[0] == "resiliparse")
    assert row[1:6] == ("100.0", "100.0", "33.3", "33.3", "0")
    assert row[7:] == ("50.0", "25.0", "0")  # "good" of "good R"; one word of four
    assert not broken.rows  # all gold texts survive
    beside = {row[1]: row[2] for row in unions.rows if row[0].startswith("resiliparse")}
    assert beside == {"resiliparse": "+100.0", "trafilatura": "", "justext": "+0.0"}


def test_rules_are_applied_to_texts(downstream):
    prose = "In the spring the miller of the village had to repair the wheel, and that took him until the harvest. "
    assert downstream.verdicts("Home\nLogin\nBasket") == (False, False, False)
    assert downstream.rules_broken("Home\nLogin\nBasket") == [
        "gopher: gopher_short_doc",
        "repetition: top_2_gram",
        "c4: too_few_sentences",
        "fineweb: line_punct_ratio",
    ]
    text = " ".join(prose.replace("wheel", f"wheel number {k} of the {'abcdefgh'[k]} mill") for k in range(8))
    assert downstream.verdicts(text.strip())[1:] == (True, True)


def test_budgets_are_exact(downstream):
    assert downstream.cut([b"abc", b"def", b"ghi"], 5) == [b"abc", b"de"]
    assert downstream.cut([b"abc"], 5) == [b"abc"]


def test_models_are_judged_on_sites_that_they_have_not_seen(downstream):
    """A text that is its site's own helps no model, so a model of the gold text is no better than one of half of it."""
    pages = [page(number, site=f"{number}.example", gold=f"{number} page about mills. " * 5) for number in range(40)]
    golds = [each.gold for each in pages]
    texts = {"gold text": golds, "thresher": golds, "all text": [f"Home Login Basket {gold}" for gold in golds]}
    kept = texts | dict.fromkeys(downstream.UNIONS, golds)
    losses, sizes = downstream.language_models(pages, texts, kept, 2, 4)
    assert losses.pages["gold text"] == losses.pages["thresher"]
    assert all(noise > clean for noise, clean in zip(losses.bytes["all text"], losses.bytes["gold text"], strict=True))
    assert losses.pages["thresher"][0] != losses.pages["thresher"][1]  # two splits
    curve = losses.curve["thresher"]
    assert [x for x, _ in curve] == sorted(x for x, _ in curve)
    assert curve[-1][1] == sum(losses.pages["thresher"]) / 2
    assert "MB" in sizes
    table = downstream.language_table(losses, sizes, 4)
    assert next(row for row in table.rows if row[0] == "thresher")[2] == "+0.000 (+0.000 to +0.000)"
    drawn = downstream.report("About <this>.", {"language": table}, losses)
    assert drawn.count("<svg") == 4
    assert "About &lt;this&gt;." in drawn


def test_blocks_are_gold_or_dropped_or_left_out(lines):
    gold = "The miller of the village had to repair the wheel.\nThat took him until the harvest of the year."
    everything = (
        f"Home Login Basket Search Help\n{gold}\nThe miller of the village sold his mill, read more about it there"
    )
    found = dict(lines.labelled_blocks(everything, page(1, gold=gold)))
    assert found == {
        "Home Login Basket Search Help": False,
        "The miller of the village had to repair the wheel.": True,
        "That took him until the harvest of the year.": True,
        "The miller of the village sold his mill, read more about it there": False,
    }


def test_a_classifier_tells_menus_from_prose(lines, tmp_path):
    menus = [(f"Home | Login | Basket {k}", False) for k in range(400)]
    prose = [(f"The miller of village {k} repaired the wheel before the harvest.", True) for k in range(400)]
    model = lines.train_classifier(menus + prose, tmp_path / "blocks")
    assert model.predict(lines.for_classifier("Login | Basket"))[0] == ("__label__dropped",)
    assert model.predict(lines.for_classifier("The wheel was repaired."))[0] == ("__label__gold",)


def test_repeated_lines_are_counted_within_hosts(downstream):
    pages = [page(number) for number in range(5)] + [page(9, site="b.example")]
    texts = {"one": [f"Read more\nText {number}" for number in range(5)] + ["Read more"], "two": ["Text"] + [""] * 5}
    table = downstream.repeated_table(pages, texts)
    assert {row[0]: row[1:] for row in table.rows} == {"one": ("10", "50.0", "50.0"), "two": ("1", "0.0", "0.0")}


@pytest.mark.parametrize("given", [["--limit", "0"], ["--seeds", "-1"], ["--order", "9"], ["--held-out", "nowhere"]])
def test_wrong_arguments_end_with_status_2(downstream, monkeypatch, given):
    monkeypatch.setattr(downstream.shutil, "which", lambda _: "/usr/bin/fasttext")
    monkeypatch.setattr(downstream, "PEERS", ())
    with pytest.raises(SystemExit) as ended:
        downstream.arguments(given)
    assert ended.value.code == 2


def test_without_the_command_fasttext_it_says_what_to_install(downstream, monkeypatch, capsys):
    monkeypatch.setattr(downstream.shutil, "which", lambda _: None)
    with pytest.raises(SystemExit):
        downstream.arguments([])
    assert "apt-get install fasttext" in capsys.readouterr().err
