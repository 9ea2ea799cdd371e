# SPDX-License-Identifier: Apache-2.0
"""What the choice of an extractor does to a corpus of English text, measured on labelled pages with two cores.

    python benchmarks/downstream.py [--limit 1500] [--seeds 5] [--held-out models/] [--report downstream.html]

Four measures: a language model trained on each extractor's texts and judged by bits per byte on the gold texts of other
sites; pages and words that survive the rules of Gopher, C4 and FineWeb, for unions of extractors too; the share of
clean lines, by a fastText classifier of gold against dropped blocks; the share of lines that other pages of the host
have too. Writes results/downstream.md. It needs the command `fasttext` (Debian's package fasttext), because the
package fasttext-predict cannot train. Texts of other systems are kept in build/downstream.
"""

import argparse
import random
import shutil
import statistics
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import downstream_figures
from downstream_lines import Texts, clean_table, gold_words, host_of, n_words, order_of, repeated_table
from downstream_report import Table, dots, html_page
from kneser_ney import MAX_ORDER, KneserNey, Text
from markupsafe import Markup
from measure import DATA, HERE, machine, versions, write
from templates import fused, prints_of

from thresher.lab.evaluate.cache import Cache
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.pages import EvaluationError, Page, read_pages
from thresher.lab.evaluate.runner import run_system
from thresher.lab.evaluate.systems import find_systems
from thresher.lab.evaluate.tokens import words_cjk
from thresher.native.scoring.model import Model
from thresher.page.language import identify_language
from thresher.page.page_extractor import PageExtractor
from thresher.page.quality import QUALITY, Checked
from thresher.templates.evidence import default_model

SETS: Final = {
    "labelled": ("wcxb", "dragnet", "cleaneval_dev", "cleaneval_final", "cleanportaleval", "daniel"),
    "labelled_new": ("andy", "forum", "fundus", "ota", "shopify", "ssg_pairs", "wp_rest"),
}
"""Sets with pages in English. The set `readability` is left out: its gold is the output of one of the systems."""
GOLD: Final = "gold text"
EVERYTHING: Final = "all text"
OURS: Final = "thresher"
TEMPLATES: Final = "thresher, templates"
OWN: Final = {
    EVERYTHING: ("all", "balanced"),
    OURS: ("thresher", "balanced"),
    "thresher, precision": ("thresher", "precision"),
    "thresher, recall": ("thresher", "recall"),
}
PEERS: Final = ("resiliparse", "trafilatura", "readability", "justext", "turbohtml")
UNIONS: Final = {
    "resiliparse ∪ trafilatura ∪ justext": ("resiliparse", "trafilatura", "justext"),
    "thresher ∪ these three": (OURS, "resiliparse", "trafilatura", "justext"),
}
"""The first union has the extractors of arXiv 2602.19548. A page's text is that of the first whose text survives."""
HELD_OUT: Final = "Thresher by models that have not seen a page's site."
SEEN: Final = (
    "**Thresher by the shipped model, which has seen these pages and their gold texts in training: its lines are too"
    " good by an unknown amount.** `--held-out DIR` takes models that have not."
)
CURVES: Final = (GOLD, EVERYTHING, OURS, "resiliparse", "trafilatura", "justext", "turbohtml")
SITE_PAGES: Final = 20  # at most, so that no site decides
TRAINING: Final = 0.7  # share of the sites
PARTS: Final = (1 / 8, 1 / 4, 1 / 2, 1.0)  # of the training pages: the learning curve

# Pages and texts


def is_english(page: Page) -> bool:
    """Whether a page is labelled English, or without a label has a gold text in English."""
    return page.language == "en" or (page.language is None and identify_language(page.gold)[0] == "eng")


def sample(pages: Iterable[Page], limit: int) -> list[Page]:
    """About `limit` pages: whole sites in an order by hash, of each the same few pages."""
    sites: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        sites[page.site].append(page)
    found: list[Page] = []
    for site in sorted(sites, key=lambda site: order_of("site", site)):
        if len(found) >= limit:
            break
        found += sorted(sites[site], key=lambda page: order_of(page.dataset, page.id))[:SITE_PAGES]
    return found[:limit]


def own_texts(pages: Sequence[Page], models: Sequence[str]) -> Texts:
    """The texts of Thresher's extractors. With models, each page is judged by the one that has not seen its site."""
    found: Texts = {name: [""] * len(pages) for name in [*OWN, TEMPLATES]}
    for fold in range(FOLDS if models else 1):
        model = Model.read(models[fold]) if models else None
        places = [place for place, page in enumerate(pages) if not models or site_fold(page.site) == fold]
        for name, (extractor, mode) in OWN.items():
            worker = PageExtractor(extractor, model=model, mode=mode)
            for place in places:
                found[name][place] = worker.extract(pages[place].html).decode()
        worker = PageExtractor("thresher", model=model)
        hosts: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place in places:
            hosts[host_of(pages[place])].append(place)
        for together in hosts.values():
            prints = {}
            for place in together:
                worker.extract(pages[place].html)
                prints[place] = prints_of(worker)
            for place in together:
                found[TEMPLATES][place] = worker.extract(pages[place].html).decode()
                others = [frozenset(prints[other]) for other in together if other != place]
                if others:
                    found[TEMPLATES][place] = fused(worker, prints[place], others, default_model())
    return found


def peer_texts(pages: Sequence[Page], cache: Cache, jobs: int) -> Texts:
    """The texts of the other systems; "" where one fails."""
    found: Texts = {}
    for system in find_systems((), PEERS):
        outputs = {page.key: output.text for page, output in run_system(system, pages, cache, jobs=jobs)}
        found[system.name] = [outputs[page.key] for page in pages]
    return found


# Rules


def verdicts(text: str) -> tuple[bool, bool, bool]:
    """Whether a text in English passes the rules of Gopher (quality and repetition), of C4, and of FineWeb."""
    checked = Checked(text)
    gopher = QUALITY["gopher"](checked) == "ok" and QUALITY["repetition"](checked) == "ok"
    return gopher, QUALITY["c4"](checked) == "ok", QUALITY["fineweb"](checked) == "ok"


def rules_broken(text: str) -> list[str]:
    """The first rule of each heuristic that a text breaks."""
    checked = Checked(text)
    found = {name: heuristic(checked) for name, heuristic in QUALITY.items()}
    return [f"{name}: {rule}" for name, rule in found.items() if rule != "ok"]


def judge_texts(texts: Texts, jobs: int) -> dict[str, tuple[bool, bool, bool]]:
    """The verdicts of every distinct text."""
    distinct = sorted({text for each in texts.values() for text in each})
    with ProcessPoolExecutor(jobs) as pool:
        return dict(zip(distinct, pool.map(verdicts, distinct, chunksize=32), strict=True))


def survivors(texts: Texts, passed: Mapping[str, tuple[bool, bool, bool]]) -> Texts:
    """The texts that pass all rules, "" for others; also of the unions."""
    kept = {name: [text if all(passed[text]) else "" for text in each] for name, each in texts.items()}
    for union, members in UNIONS.items():
        rows = zip(*(kept[member] for member in members), strict=True)
        kept[union] = [next((text for text in row if text), "") for row in rows]
    return kept


def rules_tables(
    texts: Texts, kept: Texts, passed: Mapping[str, tuple[bool, bool, bool]], golds: Sequence[str]
) -> list[Table]:
    """What survives the rules, by extractor and for the unions."""
    n, n_gold = len(golds), sum(len(words_cjk(gold)) for gold in golds)
    rows, matched = [], {}
    for name, each in kept.items():
        right, n_tokens = gold_words(each, golds)
        matched[name] = right
        shares = (
            [f"{100 * sum(passed[text][k] for text in texts[name]) / n:.1f}" for k in range(3)]
            if name in texts
            else ["", "", ""]
        )
        before = f"{n_words(texts[name]) / 1000:,.0f}" if name in texts else ""
        rows.append(
            (
                name,
                *shares,
                f"{100 * sum(map(bool, each)) / n:.1f}",
                before,
                f"{n_words(each) / 1000:,.0f}",
                f"{100 * right / max(n_tokens, 1):.1f}",
                f"{100 * right / n_gold:.1f}",
                f"{sum(bool(text) and not all(passed[gold]) for text, gold in zip(each, golds, strict=True))}",
            )
        )
    survived = Table(
        "What survives the rules",
        f"Share of {n:,} pages whose text passes, in per cent; thousands of words before the rules and after all of"
        " them; the share of surviving words that are in the gold text of their page, and the share of all gold words"
        " that survive; the number of surviving pages whose gold text does not survive. Rules are datatrove's with"
        " `thresher.page.quality`'s words and sentences; C4's delete no lines. The gold text is judged, too.",
        (
            "texts",
            "Gopher",
            "C4",
            "FineWeb",
            "all three",
            "words, k",
            "survive, k",
            "of them gold, %",
            "of gold, %",
            "gold fails",
        ),
        rows,
    )

    def gain(measure: Callable[[str], float], union: str, member: str) -> str:
        return f"{100 * (measure(union) / measure(member) - 1):+.1f}" if measure(member) else ""

    measures: tuple[Callable[[str], float], ...] = (
        lambda name: sum(map(bool, kept[name])),
        lambda name: n_words(kept[name]),
        matched.__getitem__,
    )
    gains = [
        (union, member, *(gain(measure, union, member) for measure in measures))
        for union, members in UNIONS.items()
        for member in members
    ]
    union_table = Table(
        "Unions of extractors",
        "What a union has more than one of its members, after all rules, in per cent. A page's text is that of the"
        " first member, in the order of the name, whose text survives. arXiv 2602.19548 reports up to 71 % more tokens"
        " from a union of the first three, on Common Crawl by the rules and the classifier of DCLM.",
        ("union", "beside", "pages", "words", "words that are gold"),
        gains,
    )
    broken = Counter(rule for gold in golds if not all(passed[gold]) for rule in rules_broken(gold))
    rules_table = Table(
        "Rules that gold texts break",
        f"Of {sum(not all(passed[gold]) for gold in golds)} gold texts that do not survive; one may break several."
        " Names are those of datatrove's filters.",
        ("rule", "gold texts"),
        [(rule, str(number)) for rule, number in broken.most_common(10)],
    )
    return [survived, rules_table, union_table]


# Language models


def document(text: str) -> bytes:
    """A text as the model sees it: white space squeezed, because layout is the renderer's and not the extractor's."""
    return " ".join(text.replace("\0", " ").split()).encode("utf-8", "replace")


def cut(documents: Iterable[bytes], budget: int) -> list[bytes]:
    """The first `budget` bytes of documents; the last one is cut."""
    found, left = [], budget
    for each in documents:
        if left <= 0:
            break
        found.append(each[:left])
        left -= len(each)
    return found


@dataclass(frozen=True, slots=True)
class Losses:
    """Bits per byte on held-out gold, by system, a value for each seed."""

    pages: dict[str, list[float]]
    bytes: dict[str, list[float]]
    rules: dict[str, list[float]]
    curve: dict[str, list[tuple[float, float]]]  # megabytes and bits per byte: means over seeds


def language_models(pages: Sequence[Page], texts: Texts, kept: Texts, seeds: int, order: int) -> tuple[Losses, str]:
    """Trains a model on the texts of each system for each split of the sites, and a sentence about the sizes."""
    documents = {name: [document(text) for text in each] for name, each in texts.items()}
    filtered = {name: [document(text) for text in each] for name, each in kept.items()}
    losses = Losses(defaultdict(list), defaultdict(list), defaultdict(list), {})
    curves: dict[str, list[list[tuple[float, float]]]] = defaultdict(list)
    budgets, judged = [], []
    for seed in range(seeds):
        held = {page.site for page in pages if order_of(seed, page.site)[0] >= 256 * TRAINING}
        training = [place for place, page in enumerate(pages) if page.site not in held]
        random.Random(seed).shuffle(training)
        test = Text([documents[GOLD][place] for place, page in enumerate(pages) if page.site in held], order)
        corpora = {name: [each[place] for place in training if each[place]] for name, each in documents.items()}
        budget = min(sum(map(len, corpus)) for corpus in corpora.values())
        budgets.append(budget)
        judged.append(test.n_bytes)
        for name in texts:
            points = []
            for part in PARTS:
                chosen = [documents[name][place] for place in training[: round(part * len(training))]]
                loss = KneserNey(chosen, order).bits_per_byte(test)
                points.append((sum(map(len, chosen)) / 1e6, loss))
            curves[name].append(points)
            losses.pages[name].append(points[-1][1])
            losses.bytes[name].append(KneserNey(cut(corpora[name], budget), order).bits_per_byte(test))
        for name, each in filtered.items():
            corpus = [each[place] for place in training if each[place]]
            losses.rules[name].append(KneserNey(corpus, order).bits_per_byte(test))
        print(f"  split {seed + 1} of {seeds} done", file=sys.stderr)
    for name, runs in curves.items():
        losses.curve[name] = [
            (statistics.fmean(x), statistics.fmean(y))
            for x, y in (zip(*points, strict=True) for points in zip(*runs, strict=True))
        ]
    sizes = (
        f"Budgets are {min(budgets) / 1e6:.2f} to {max(budgets) / 1e6:.2f} MB, judged are {min(judged) / 1e6:.2f} to"
        f" {max(judged) / 1e6:.2f} MB of gold."
    )
    return losses, sizes


def against(values: Sequence[float], reference: Sequence[float]) -> str:
    """Mean of the differences within each split, with the least and the greatest."""
    apart = [one - other for one, other in zip(values, reference, strict=True)]
    return f"{statistics.fmean(apart):+.3f} ({min(apart):+.3f} to {max(apart):+.3f})"


def language_table(losses: Losses, sizes: str, order: int) -> Table:
    rows = []
    for name in sorted(losses.rules, key=lambda name: statistics.fmean(losses.bytes.get(name) or [9.0])):
        cells = []
        for values in (losses.bytes, losses.pages, losses.rules):
            if name in values:
                cells += [f"{statistics.fmean(values[name]):.3f}", against(values[name], values[OURS])]
            else:
                cells += ["", ""]
        rows.append((name, *cells))
    n = len(losses.pages[OURS])
    return Table(
        "Language models",
        f"Bits per byte on the gold texts of other sites, less is better, and the difference to `{OURS}` on the same"
        f" split: mean of {n} splits of the sites, least and greatest. Models are interpolated Kneser-Ney over {order}"
        " bytes, white space squeezed. At equal bytes all systems have as many bytes as the system that finds least; at"
        f" equal pages all that they find on the training pages; after the rules what then survives all three. {sizes}",
        ("trained on", "equal bytes", "difference", "equal pages", "difference", "after the rules", "difference"),
        rows,
    )


# The report


def kind_of(name: str) -> str:
    """What decides a system's colour."""
    if name in UNIONS:
        return "union"
    return "gold" if name == GOLD else "baseline" if name == EVERYTHING else "peer" if name in PEERS else "extractor"


def report(about: str, tables: Mapping[str, Table], losses: Losses) -> str:
    """The report as HTML: the tables with figures."""

    def apart(values: Mapping[str, Sequence[float]], what: str) -> Markup:
        differences = {
            name: [one - other for one, other in zip(of, values[OURS], strict=True)] for name, of in values.items()
        }
        return dots(differences, kind_of, f"bits per byte less those of {OURS}: {what}")

    def shares(table: str, number: int, *, ascending: bool = False) -> Markup:
        values = {row[0]: [float(row[number].replace(",", ""))] for row in tables[table].rows if row[number]}
        return dots(values, kind_of, f"{tables[table].title}: {tables[table].head[number]}", ascending=ascending)

    curves = [
        downstream_figures.Line(name, kind_of(name), losses.curve[name]) for name in CURVES if name in losses.curve
    ]
    figures = {
        "language": lambda: [
            apart(losses.bytes, "equal bytes"),
            apart(losses.pages, "equal pages"),
            apart(losses.rules, "after the rules"),
            downstream_figures.lines(curves, "MB of training text, from 1/8 to all of the pages", "bits per byte"),
        ],
        "rules": lambda: [shares("rules", number) for number in (4, 6, 7, 8)],
        "clean": lambda: [shares("clean", number) for number in (3, 4)],
        "repeated": lambda: [shares("repeated", 3, ascending=True)],
    }
    sections = [(table, figures[name]() if name in figures else []) for name, table in tables.items()]
    return html_page("What an extractor does to a corpus", about, sections)


def all_pages() -> Iterable[Page]:
    """The pages in English of all sets, with gold text."""
    for folder, names in SETS.items():
        for name in names:
            yield from (
                page for page in read_pages(DATA / folder / f"{name}.parquet") if page.gold and is_english(page)
            )


def arguments(argv: Sequence[str] | None) -> tuple[argparse.Namespace, tuple[str, ...]]:
    """The options and the files of the held-out models; ends the program if something is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=1500, help="pages")
    parser.add_argument("--seeds", type=int, default=5, help="splits of the sites for the language models")
    parser.add_argument("--order", type=int, default=MAX_ORDER, choices=range(1, MAX_ORDER + 1), help="bytes")
    parser.add_argument("--held-out", type=Path, metavar="DIR", help="models that have not seen a page's site")
    parser.add_argument("--cache", type=Path, default=HERE.parent / "build" / "downstream", metavar="DIR")
    parser.add_argument("--report", type=Path, metavar="FILE", help="an HTML report with figures")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    if min(options.limit, options.seeds, options.jobs) < 1:
        parser.error("--limit, --seeds and --jobs must be at least 1")
    if shutil.which("fasttext") is None:
        parser.error("there is no command fasttext, which trains the classifier: apt-get install fasttext")
    try:
        find_systems((), PEERS)
        models = find_systems(("thresher",), (), held_out=options.held_out)[0].models
    except EvaluationError as error:
        parser.error(str(error))
    return options, models


def main(argv: Sequence[str] | None = None) -> None:
    """Measures, prints the tables and writes them to results/."""
    warnings.simplefilter("ignore")
    options, models = arguments(argv)
    started = time.perf_counter()

    def say(what: str) -> None:
        print(f"{time.perf_counter() - started:5.0f} s  {what}", file=sys.stderr, flush=True)

    try:
        pages = sample(all_pages(), options.limit)
        say(f"{len(pages)} pages read")
        texts = {GOLD: [page.gold for page in pages]}
        texts |= own_texts(pages, models)
        texts |= peer_texts(pages, Cache(options.cache), options.jobs)
    except EvaluationError as error:
        sys.exit(f"downstream.py: {error}")
    say("texts extracted")
    passed = judge_texts(texts, options.jobs)
    kept = survivors(texts, passed)
    survived, broken, unions = rules_tables(texts, kept, passed, texts[GOLD])
    say("rules applied")
    losses, sizes = language_models(pages, texts, kept, options.seeds, options.order)
    tables = {"language": language_table(losses, sizes, options.order), "rules": survived}
    tables |= {"broken": broken, "unions": unions}
    say("language models trained")
    tables["clean"] = clean_table(pages, texts, texts[EVERYTHING], options.cache)
    say("lines classified")
    tables["repeated"] = repeated_table(pages, texts)
    n_sites, n_sets = len({page.site for page in pages}), len({page.dataset for page in pages})
    changed = sum(one != other for one, other in zip(texts[TEMPLATES], texts[OURS], strict=True))
    about = (
        f"{len(pages):,} English pages of {n_sites:,} sites in {n_sets} labelled sets,"
        f" {n_words(texts[GOLD]) / 1e6:.2f} million words of gold text. {HELD_OUT if models else SEEN} The model of"
        " templates has seen sites of dragnet and daniel in either case. Templates change a page only where the sample"
        f" has others of its host: {changed} texts. `{EVERYTHING}` is every visible block."
    )
    held_out = " --held-out DIR" if models else ""
    command = f"`python benchmarks/downstream.py --limit {options.limit} --seeds {options.seeds}{held_out}`"
    packages = versions("thresher", "resiliparse", "trafilatura", "readability-lxml", "justext", "turbohtml", "numpy")
    text = ["# What an extractor does to a corpus", "", about, ""]
    text += [line for table in tables.values() for line in table.markdown()]
    write("downstream", [*text, f"{command}. {packages}. {machine()}.", ""])
    if options.report:
        options.report.write_text(report(about, tables, losses), "utf-8")
        say(f"report written to {options.report}")


if __name__ == "__main__":
    main()
