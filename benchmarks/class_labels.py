# SPDX-License-Identifier: Apache-2.0
"""Block classes (docs/labelling.md) from annotators: batches of pages, their answers, agreement, and a measurement.

    python benchmarks/class_labels.py batches WORK       pages of the test data as text, in batches
    python benchmarks/class_labels.py check WORK         what is wrong with the answers, and what is missing
    python benchmarks/class_labels.py store WORK         the answers into fixtures/class_labels.tsv
    python benchmarks/class_labels.py agreement          kappa by class, kind and language
    python benchmarks/class_labels.py disputed WORK      pages on which two annotators differ, for a third one
    python benchmarks/class_labels.py set OUT            a labelled set, for `thresher evaluate --data`
    python benchmarks/class_labels.py measure            extractors by the tolerant measure
    python benchmarks/class_labels.py worst              the pages on which thresher does worst, as a table
    python benchmarks/class_labels.py cases              thresher on pages that are hard, by what makes them so
    python benchmarks/class_labels.py comments PAGES     what `--comments drop` and `keep` do on pages, as a table;
                                                         captions, titles, datelines: so for these options
    python benchmarks/class_labels.py gold               the gold texts of labelled sets by the tolerant measure

WORK/batches/NNN.txt holds pages, WORK/answers/NNN.tsv the answers, one line for each page. Every tenth page is also in
a batch second-NNN.txt, for another annotator. WORK/batches/pages.tsv says which page has which name, and blocks.tsv has
the hashes of its blocks: answers are right for the blocks that the annotator saw, whatever a later version forms.

Pages come from the test data (`THRESHER_DATA`). The labels hold no word of them.
"""

import argparse
import csv
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
from annotation import (
    SHORT_ID,
    PageLabels,
    agreed_classes,
    block_hashes,
    by_page,
    concealed_blocks,
    parse_line,
    read_answers,
    shown_blocks,
    shown_page_text,
    spread,
)
from measure import DATA, HERE

from thresher import extract
from thresher.lab.evaluate.agreement import Agreement, Twice, by_class
from thresher.lab.evaluate.block_classes import MAIN, OPTIONAL, OTHER, page_id, read_page_blocks
from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.facts import Facts
from thresher.lab.evaluate.facts import read_labels as read_facts
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.metrics import tolerant_score, word_score
from thresher.lab.evaluate.pages import EvaluationError, site_of
from thresher.lab.evaluate.systems import held_out_file
from thresher.lab.evaluate.tokens import words_cjk
from thresher.native.scoring.model import Model
from thresher.options import EXTRACTORS, make_options
from thresher.page.page_extractor import PageExtractor

LABELS = HERE / "fixtures" / "class_labels.tsv"
RELABELLED = HERE / "fixtures" / "class_labels_sets.tsv"  # of pages that have a gold text, too
FACTS = HERE / "fixtures" / "facts.tsv"
FILES = ("unlabelled/pages.parquet", "unlabelled/more.parquet")
SEED = 27
EVERY = 10  # pages of which one is labelled twice
MUCH = 0.1  # share of a page's words in dispute from which a third annotator labels it
LITTLE, PROSE, SHORT = 100, 20, 5  # words: of a page with little main text, of a block of prose, of a block of data
MOSTLY = 0.5  # of the text is in links
RIGHT = 0.7  # of the kept words are right
CLASS_OF: dict[str, str] = {"comments": "comment", "captions": "caption", "titles": "title", "datelines": "dateline"}
TYPES = {"collection": "listing", "category": "listing", "landing": "service"}  # of pages, by kinds of labelled sets
FRONT = ("service", "landing", "listing", "collection", "about", "page", "product")  # kinds that may be front pages
SYSTEMS = ("thresher", "trafilatura", "resiliparse")
_ROWS = 32  # read at a time
_ROUNDS = {"": 1, "second-": 2, "third-": 3}
_BATCH = re.compile(r"(second-|third-|)\d{3}")
_ANNOTATOR = re.compile(r"#\s*annotator:\s*([a-z0-9][a-z0-9-]{0,31})\s*")


@dataclass(frozen=True, slots=True)
class Listed:
    """A page that annotators see."""

    name: str  # by which they call it
    page: str  # its hash
    file: str
    row: int
    n_blocks: int
    site: str
    language: str
    kind: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A page as annotators see it, and the hashes of its blocks."""

    text: str
    hashes: str


def rows_of(file: str, columns: Sequence[str] | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file of the test data by their numbers; HTML in UTF-8."""
    number = 0
    parquet = pq.ParquetFile(DATA / file)
    wanted = None if columns is None else [name for name in columns if name in parquet.schema_arrow.names]
    for batch in parquet.iter_batches(_ROWS, columns=wanted):
        for row in batch.to_pylist():
            html = row["html"] or b""
            yield number, {**row, "html": decode_page(html.encode() if isinstance(html, str) else html)}
            number += 1


def listed_pages(files: Iterable[str]) -> Iterator[tuple[Listed, Shown]]:
    """Each page that has words, each HTML once."""
    seen = set()
    for file in files:
        for number, row in rows_of(file):
            html = row["html"]
            document, blocks = read_page_blocks(html)
            page = page_id(html)
            name = page[:SHORT_ID]
            if document.status != "ok" or not sum(block.words for block in blocks) or name in seen:
                continue
            seen.add(name)
            language = row.get("lang") or "unknown"
            text = shown_page_text(
                name,
                url=row.get("url"),
                title=document.title() or row.get("title"),
                language=language,
                lines=shown_blocks(document, blocks, concealed_blocks(document, blocks)),
                n_blocks=len(blocks),
            )
            site = row.get("site") or row.get("url") or page
            kind = row.get("kind") or row.get("page_type") or "unknown"
            listed = Listed(name, page, file, number, len(blocks), site, language, kind)
            yield listed, Shown(text, " ".join(block_hashes([block.text for block in blocks])))


# --- batches ---


def write_lists(folder: Path, pages: Sequence[Listed], shown: dict[Listed, Shown]) -> None:
    """Writes WORK/batches/pages.tsv and blocks.tsv."""
    with (folder / "pages.tsv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
        writer.writerow(field.name for field in fields(Listed))
        writer.writerows(astuple(page) for page in pages)
    lines = [f"{page.page}\t{shown[page].hashes}\n" for page in pages]
    (folder / "blocks.tsv").write_text("".join(lines), "utf-8")


def read_list(work: Path) -> dict[str, Listed]:
    """The pages of WORK/batches/pages.tsv by the names that annotators call them by."""
    with (work / "batches" / "pages.tsv").open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        pages = [
            Listed(
                row["name"],
                row["page"],
                row["file"],
                int(row["row"]),
                int(row["n_blocks"]),
                row["site"],
                row["language"],
                row["kind"],
            )
            for row in rows
        ]
    return {page.name: page for page in pages}


def read_hashes(work: Path) -> dict[str, list[str]]:
    """The hashes of each page's blocks, by the page's hash."""
    lines = (work / "batches" / "blocks.tsv").read_text("utf-8").splitlines()
    return {page: hashes.split(" ") for page, _, hashes in (line.partition("\t") for line in lines)}


def write_batches(folder: Path, prefix: str, texts: Sequence[str], size: int) -> int:
    """Writes the texts in files of `size` pages; returns how many files."""
    starts = range(0, len(texts), size)
    for number, start in enumerate(starts, 1):
        Path(folder, f"{prefix}{number:03}.txt").write_text("\n".join(texts[start : start + size]), "utf-8")
    return len(starts)


def make_batches(arguments: argparse.Namespace) -> None:
    """Writes the batches of a sample, and those of its second annotators."""
    folder = arguments.work / "batches"
    if (folder / "pages.tsv").exists():
        sys.exit(f"{folder} holds batches already; answers to them would be lost")
    folder.mkdir(parents=True, exist_ok=True)
    found = dict(listed_pages(arguments.files))
    if arguments.pages:
        asked = set(arguments.pages.read_text("utf-8").split())
        found = {page: shown for page, shown in found.items() if page.page in asked}
    if arguments.new:
        known = {each.page for each in read_labels(arguments.labels)}
        found = {page: shown for page, shown in found.items() if page.page not in known}
    chosen = spread(
        list(found),
        arguments.count,
        key=lambda page: page.page,
        kind=lambda page: page.kind,
        language=lambda page: page.language,
        site=lambda page: page.site,
        seed=SEED,
    )
    texts = [found[page].text for page in chosen]
    n_first = write_batches(folder, "", texts, arguments.size)
    n_second = write_batches(folder, "second-", texts[EVERY // 2 :: EVERY], arguments.size)
    write_lists(folder, chosen, found)
    sys.stdout.write(f"{len(chosen)} of {len(found)} pages in {n_first} batches, {n_second} for second annotators\n")


def pages_of_batch(file: Path) -> list[str]:
    """The names of a batch's pages."""
    return re.findall(r"^=== (\S+)$", file.read_text("utf-8"), re.MULTILINE)


# --- answers ---


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers to one batch."""

    name: str
    annotator: str
    classes: dict[str, list[str]]
    missing: list[str]
    wrong: list[str]

    @property
    def round(self) -> int:
        """1 for the first annotator of a page, 2 and 3 for the others."""
        return _ROUNDS[self.name[:-3]]


def answers_of(work: Path, pages: dict[str, Listed], name: str) -> Answered:
    """The answers to a batch, and what is wrong with them."""
    batch, file = work / "batches" / f"{name}.txt", work / "answers" / f"{name}.tsv"
    if not _BATCH.fullmatch(name) or not batch.is_file():
        return Answered(name, "", {}, [], [f"there is no batch {name}"])
    asked = pages_of_batch(batch)
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        return Answered(name, "", {}, asked, [f"{file} cannot be read: {error}"])
    classes, wrong = read_answers(lines, {page: pages[page].n_blocks for page in asked})
    named = _ANNOTATOR.fullmatch(lines[0]) if lines else None
    if named is None:
        wrong.insert(0, "the first line is not `# annotator: NAME`")
    return Answered(name, named[1] if named else "", classes, [page for page in asked if page not in classes], wrong)


def answered(work: Path, names: Sequence[str] = ()) -> list[Answered]:
    """The answers to these batches, or to all that there are answers to."""
    pages = read_list(work)
    found = sorted(file.stem for file in (work / "answers").glob("*.tsv"))
    return [answers_of(work, pages, name) for name in names or found]


def check(arguments: argparse.Namespace) -> None:
    """Prints what is wrong with the answers; ends with status 1 if anything is, or pages are missing."""
    bad = False
    for each in answered(arguments.work, arguments.names):
        counts = {name: sum(given.count(name) for given in each.classes.values()) for name in (MAIN, *OPTIONAL, OTHER)}
        shown = ", ".join(f"{name} {count}" for name, count in counts.items())
        sys.stdout.write(f"{each.name}: {len(each.classes)} pages; blocks: {shown}\n")
        for line in each.wrong:
            sys.stdout.write(f"  {line}\n")
        if each.missing:
            sys.stdout.write(f"  no answer yet for {len(each.missing)} pages: {' '.join(each.missing)}\n")
        bad = bad or bool(each.wrong or each.missing)
    if bad:
        sys.exit(1)


def labels_of(work: Path) -> list[PageLabels]:
    """The labels of all answers that can be read."""
    pages, hashes = read_list(work), read_hashes(work)
    found = []
    for each in answered(work):
        for name, classes in each.classes.items():
            page = pages[name]
            blocks = {of: given for of, given in zip(hashes[page.page], classes, strict=True) if given != OTHER}
            found.append(PageLabels(page.file, page.page, each.annotator or "unknown", each.round, blocks))
    return found


def store(arguments: argparse.Namespace) -> None:
    """Writes the labels to the file of the repository, those of other pages in it unchanged."""
    new = labels_of(arguments.work)
    replaced = {(each.file, each.page, each.round) for each in new}
    before = [each for each in read_labels(arguments.labels) if (each.file, each.page, each.round) not in replaced]
    lines = sorted(each.line() for each in [*before, *new])
    arguments.labels.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    sys.stdout.write(f"{len(new)} pages of answers, {len(lines)} lines in {arguments.labels}\n")


def read_labels(file: Path) -> list[PageLabels]:
    """The labels in the file; none if there is no file."""
    return [parse_line(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


# --- what they say ---


@dataclass(frozen=True, slots=True)
class Joined:
    """A labelled page of the test data, with the classes of its blocks."""

    row: dict[str, Any]
    labels: list[PageLabels]
    texts: list[str]
    words: list[int]

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.row.get("kind") or self.row.get("page_type") or "unknown"

    @property
    def language(self) -> str:
        """Its language."""
        return self.row.get("lang") or "unknown"


def joined(labels: Iterable[PageLabels]) -> Iterator[Joined]:
    """The labelled pages with their rows and blocks. Ends the program if a page is missing or has changed."""
    wanted = by_page(labels)
    for file in dict.fromkeys(file for file, _ in wanted):
        for _, row in rows_of(file):
            given = wanted.pop((file, page_id(row["html"])), None)
            if given is not None:
                _, blocks = read_page_blocks(row["html"])
                yield Joined(row, given, [block.text for block in blocks], [block.words for block in blocks])
    if wanted:
        sys.exit(f"the test data lack {len(wanted)} labelled pages, such as {next(iter(wanted))}")


def asked_labels(arguments: argparse.Namespace) -> list[PageLabels]:
    """The labels of the answers in WORK, or of the file. Ends the program if there are none."""
    labels = labels_of(arguments.work) if arguments.work else read_labels(arguments.labels)
    if not labels:
        sys.exit(f"no labels in {arguments.work or arguments.labels}")
    return labels


def twice(labels: Iterable[PageLabels]) -> Iterator[tuple[Joined, Twice]]:
    """The pages that two annotators labelled."""
    groups = [group for group in by_page(labels).values() if len(group) > 1]
    for page in joined([each for group in groups for each in group]):
        first, second = (each.classes(page.texts) for each in page.labels[:2])
        yield page, Twice(page.kind, page.language, page.words, first, second)


def table(title: str, found: Sequence[Agreement]) -> str:
    """Agreements as a table of Markdown."""
    lines = [
        f"| {title} | pages | words | kappa by block | kappa by word | words in dispute |",
        "|---|---|---|---|---|---|",
    ]
    for each in found:
        kappas = ("–" if value is None else f"{value:.3f}" for value in (each.blocks_kappa, each.words_kappa))
        lines.append(f"| {each.name} | {each.pages} | {each.words:,} | {' | '.join(kappas)} | {each.differ:.1%} |")
    return "\n".join(lines) + "\n"


def by_group(pages: Iterable[Twice], group_of: Callable[[Twice], str]) -> list[Agreement]:
    """The agreement on must, may and not in each group of pages, those of most pages first."""
    groups: dict[str, list[Twice]] = {}
    for page in pages:
        groups.setdefault(group_of(page), []).append(page)
    ranked = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [replace(by_class(group)[-1], name=name) for name, group in ranked]


def show_agreement(arguments: argparse.Namespace) -> None:
    """Prints how far annotators agree on the pages that two of them labelled."""
    pages = [each for _, each in twice(asked_labels(arguments))]
    tables = [
        ("class", by_class(pages)),
        ("kind, on must, may, not", by_group(pages, lambda page: page.kind)),
        ("language, on must, may, not", by_group(pages, lambda page: page.language)),
    ]
    sys.stdout.write("\n".join(table(title, found) for title, found in tables))


def make_disputed(arguments: argparse.Namespace) -> None:
    """Writes batches of the pages on which two annotators differ much, and no third one has spoken."""
    labels = labels_of(arguments.work)
    rounds = {page: {each.round for each in group} for page, group in by_page(labels).items()}
    pages = read_list(arguments.work)
    by_hash = {page.page: page.name for page in pages.values()}
    wanted = {
        by_hash[page.labels[0].page]
        for page, given in twice(labels)
        if by_class([given])[-1].differ > MUCH and 3 not in rounds[page.labels[0].file, page.labels[0].page]
    }
    folder = arguments.work / "batches"
    before = sorted(folder.glob("third-*.txt"))
    wanted -= {name for file in before for name in pages_of_batch(file)}
    texts = []
    for file in sorted(folder.glob("[0-9]*.txt")):
        parts = re.split(r"(?m)^(?==== )", file.read_text("utf-8"))
        texts += [part.rstrip("\n") + "\n" for part in parts if part[4 : 4 + SHORT_ID] in wanted]
    for number, start in enumerate(range(0, len(texts), arguments.size), len(before) + 1):
        Path(folder, f"third-{number:03}.txt").write_text("\n".join(texts[start : start + arguments.size]), "utf-8")
    sys.stdout.write(f"{len(texts)} disputed pages\n")


def type_of(page: Joined) -> str:
    """The type of a page by the kind that its set gives it, and its address: a front page has no path."""
    url = page.row.get("url")
    if url and page.kind in FRONT and urlsplit(url).path in ("", "/"):
        return "home"
    return TYPES.get(page.kind, page.kind)


def labelled_set(labels: Iterable[PageLabels], types: Mapping[str, Facts] | None = None) -> pa.Table:
    """The labelled pages as rows of a labelled set: `gold` is the text of main, `optional` what may be kept besides,
    `classes` the class of each block. `page_type` is the kind that was guessed; with `types` the type there, else by
    the kind.
    """
    rows = []
    for page in joined(labels):
        classes = agreed_classes(page.labels, page.texts)
        pairs = list(zip(page.texts, classes, strict=True))
        rows.append(
            {
                "id": page.labels[0].page,
                "url": page.row.get("url"),
                "site": page.row.get("site"),
                "lang": page.row.get("lang"),
                "page_type": page.kind
                if types is None
                else types.get(page.labels[0].page, {}).get("type") or type_of(page),
                "html": page.row["html"],
                "gold": "\n".join(text for text, name in pairs if name == MAIN),
                "optional": "\n".join(text for text, name in pairs if name in OPTIONAL),
                "classes": classes,
            }
        )
    return pa.Table.from_pylist(rows)


def make_set(arguments: argparse.Namespace) -> None:
    """Writes OUT/classes.parquet, with the types of pages that annotators gave; for the labels of the sample also
    OUT/relabelled.parquet, pages of labelled sets.
    """
    arguments.out.mkdir(parents=True, exist_ok=True)
    labels = {"classes": asked_labels(arguments)}
    if arguments.labels == LABELS and not arguments.work:
        labels["relabelled"] = read_labels(RELABELLED)
    types = read_facts(FACTS)
    for name, of_set in labels.items():
        found = labelled_set(of_set, types)
        pq.write_table(found, arguments.out / f"{name}.parquet", compression="zstd")
        sys.stdout.write(f"{found.num_rows} pages in {arguments.out / name}.parquet\n")


def measure(arguments: argparse.Namespace) -> None:
    """Prints the tables of `thresher evaluate` for the labelled pages."""
    from thresher.commands.evaluate import evaluate

    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(labelled_set(asked_labels(arguments)), Path(folder, "classes.parquet"), compression="zstd")
        ours = [name for name in arguments.systems if name in EXTRACTORS]
        peers = [name for name in arguments.systems if name not in EXTRACTORS]
        systems = ["--extractors", ",".join(ours), "--peers", ",".join(peers)]
        evaluate.main(["--data", folder, *systems, "--markdown", *arguments.rest], standalone_mode=False)


def text_of(held_out: Path | None) -> Callable[[dict[str, Any]], str]:
    """A function that gives thresher's text of a page: by the package's model, or by the one of a folder of models that
    has not seen the page's site.
    """
    if held_out is None:
        return lambda page: extract(page["html"]).text
    models = [Model.read(held_out_file(held_out, fold)) for fold in range(FOLDS)]
    options = make_options(extractor="thresher")
    extractors = [PageExtractor(options=options, model=model) for model in models]
    return lambda page: (
        extractors[site_fold(page["site"] or site_of(page["url"]) or page["id"])].extract(page["html"]).decode()
    )


def cases_of(page: dict[str, Any]) -> Iterator[str]:
    """What makes a labelled page hard, by its labels: names of rows of show_cases()."""
    _, blocks = read_page_blocks(page["html"])
    main = [block for block, name in zip(blocks, page["classes"], strict=True) if name == MAIN]
    words, characters = sum(block.words for block in main), sum(block.characters for block in main)
    others = sum(
        block.words
        for block, name in zip(blocks, page["classes"], strict=True)
        if name == OTHER and block.words >= PROSE and block.link_density < MOSTLY
    )
    if not words:
        yield "no main text"
        return
    if words < LITTLE:
        yield f"fewer than {LITTLE} words of it"
    if sum(block.characters * block.link_density for block in main) > MOSTLY * characters:
        yield "an index: most of it is links"
    elif words >= PROSE and words < SHORT * len(main):
        yield f"data: fewer than {SHORT} words a block"
    if others > words:
        yield "more prose that is not main text"
    if page["page_type"] == "landing":
        yield "home and service pages"


def show_cases(arguments: argparse.Namespace) -> None:
    """Prints how well thresher does on pages that are hard for a reason; `right` are those of whose kept words at most
    30 % are wrong.
    """
    text = text_of(arguments.held_out)
    found: dict[str, list[tuple[float, float, float]]] = {}
    for page in labelled_set(asked_labels(arguments)).to_pylist():
        scores = tolerant_score(text(page), page["gold"], page["optional"])
        for case in (*cases_of(page), "all"):
            found.setdefault(case, []).append((scores.f1, scores.precision, scores.recall))
    lines = ["| case | pages | F1 | pages ≥ .9 | pages < .5 | P | R | right |", "|---|---|---|---|---|---|---|---|"]
    for case, each in sorted(found.items(), key=lambda item: (item[0] == "all", item[0])):
        n = len(each)
        f1, precision, recall = (sum(column) / n for column in zip(*each, strict=True))
        good, bad = (sum(map(test, each)) / n for test in (lambda one: one[0] >= 0.9, lambda one: one[0] < 0.5))
        right = sum(one[1] >= RIGHT for one in each) / n
        lines.append(
            f"| {case} | {n} | {f1:.3f} | {good:.3f} | {bad:.3f} | {precision:.3f} | {recall:.3f} | {right:.3f} |"
        )
    sys.stdout.write("\n".join(lines) + "\n")


def show_worst(arguments: argparse.Namespace) -> None:
    """Prints the pages with the lowest tolerant F1 of thresher's text, worst first."""
    found = []
    text_by = text_of(arguments.held_out)
    for page in labelled_set(asked_labels(arguments)).to_pylist():
        text = text_by(page)
        scores = tolerant_score(text, page["gold"], page["optional"])
        about = (page["id"], page["page_type"], page["lang"] or "unknown")
        found.append((scores.f1, about, scores, len(words_cjk(page["gold"])), len(words_cjk(text))))
    lines = [
        "| page | kind | language | F1 | P | R | words of main | words kept |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for _, about, scores, n_main, n_kept in sorted(found)[: arguments.count]:
        shown = f"{scores.f1:.3f} | {scores.precision:.3f} | {scores.recall:.3f}"
        lines.append(f"| {' | '.join(about)} | {shown} | {n_main:,} | {n_kept:,} |")
    sys.stdout.write("\n".join(lines) + "\n")


def words_by_choice(arguments: argparse.Namespace) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Of each page asked for its id, its kind, and what an option does to the blocks of a class, in words: how many
    they have, how many of them `auto` keeps, and the columns of show_option() after the first.
    """
    option, of = arguments.option, CLASS_OF[arguments.option]
    choices: list[dict[str, Any]] = [{option: choice} for choice in ("auto", "drop", "keep")]
    extractors = [PageExtractor(options=make_options(**choice)) for choice in choices]
    names = tuple(arguments.pages)
    for page in joined(read_labels(arguments.labels)):
        classes = agreed_classes(page.labels, page.texts)
        n_words = sum(words for words, name in zip(page.words, classes, strict=True) if name == of)
        if not (page.labels[0].page.startswith(names) if names else n_words >= arguments.least):
            continue
        if arguments.kind not in (None, page.kind):
            continue
        for extractor in extractors:
            extractor.extract(page.row["html"])
        blocks = list(
            zip(page.words, classes, *(extractor.workspace.kept_bytes() for extractor in extractors), strict=True)
        )
        counts = (
            n_words,
            sum(words for words, name, auto, _, _ in blocks if name == of and auto),
            sum(words for words, name, auto, _, _ in blocks if name == MAIN and auto),
            sum(words for words, name, _, drop, _ in blocks if name == of and drop),
            sum(words for words, name, auto, drop, _ in blocks if name == MAIN and auto and not drop),
            sum(words for words, name, _, _, keep in blocks if name == of and not keep),
            sum(words for words, name, auto, _, keep in blocks if name == OTHER and keep and not auto),
        )
        yield page.labels[0].page[:SHORT_ID], page.kind, counts


def show_option(arguments: argparse.Namespace) -> None:
    """Prints what `drop` of an option leaves of the blocks of its class and takes away of main text, and what `keep`
    loses and adds, in words. Pages are named by the beginning of their ids; none: those with at least --least such
    words.
    """
    found = list(words_by_choice(arguments))
    if not found:
        sys.exit("no such pages")
    head = f"| page | kind | {arguments.option} | main, kept by auto | drop left | drop took of main | keep lost |"
    lines = [f"{head} keep added |", "|---|---|---|---|---|---|---|---|"]
    total = tuple(sum(column) for column in zip(*(counts for _, _, counts in found), strict=True))
    for name, kind, (of_class, _, *others) in [*found, ("all", f"{len(found)} pages", total)]:
        lines.append(f"| {name} | {kind} | {' | '.join(f'{count:,}' for count in (of_class, *others))} |")
    sys.stdout.write("\n".join(lines) + "\n")
    words, auto, main, left, took, lost, _ = total
    if words:
        dropped, both = 1 - left / words, 1 - (left + took) / (words + main)
        sys.stdout.write(f"\ndrop: {dropped:.3f} of the words of {arguments.option}, with main text {both:.3f}; ")
        sys.stdout.write(f"keep: {1 - lost / words:.3f}; auto: {auto / words:.3f}\n")


def measure_gold(arguments: argparse.Namespace) -> None:
    """Prints how far the gold text of each set agrees with the labels, and the text of thresher with both."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for page in joined(asked_labels(arguments)):
        if (gold := page.row.get("gold")) is None:
            continue
        pairs = list(zip(page.texts, agreed_classes(page.labels, page.texts), strict=True))
        main = "\n".join(text for text, name in pairs if name == MAIN)
        optional = "\n".join(text for text, name in pairs if name in OPTIONAL)
        text = extract(page.row["html"]).text
        by_labels = [tolerant_score(each, main, optional).f1 for each in (gold, text)]
        found.setdefault(Path(page.labels[0].file).stem, []).append((*by_labels, word_score(text, gold).f1))
    if not found:
        sys.exit("none of the labelled pages has a gold text")
    head = "| set | pages | gold by the labels | thresher by the labels | thresher by gold, word F1 |"
    lines = [head, "|---|---|---|---|---|"]
    sets = sorted(found.items(), key=lambda item: -len(item[1]))
    for name, scores in [*sets, ("all", [score for _, of in sets for score in of])]:
        means = " | ".join(f"{sum(column) / len(scores):.3f}" for column in zip(*scores, strict=True))
        lines.append(f"| {name} | {len(scores)} | {means} |")
    sys.stdout.write("\n".join(lines) + "\n")


def main() -> None:
    """Runs one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def command(name: str, run: Any, about: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about)
        added.set_defaults(run=run)
        added.add_argument("--labels", type=Path, default=LABELS, help="file of labels (default: %(default)s)")
        return added

    def batch_size(of: argparse.ArgumentParser) -> None:
        of.add_argument("--size", type=int, default=70, help="pages of a batch (default: %(default)s)")

    batches = command("batches", make_batches, "pages of the test data as text, in batches")
    batches.add_argument("work", type=Path, help="folder for batches/")
    batches.add_argument("--files", nargs="+", default=FILES, help="files of the test data (default: %(default)s)")
    batches.add_argument("--count", type=int, default=2300, help="pages (default: %(default)s)")
    batches.add_argument("--pages", type=Path, help="file of pages' hashes: only these (default: all)")
    batches.add_argument("--new", action="store_true", help="only pages that the file of labels does not have")
    batch_size(batches)
    checked = command("check", check, "what is wrong with the answers, and what is missing")
    checked.add_argument("work", type=Path)
    checked.add_argument("names", nargs="*", help="batches, such as 001 (default: all that have answers)")
    command("store", store, "the answers into the file of labels").add_argument("work", type=Path)
    disputed = command("disputed", make_disputed, "pages on which two annotators differ, for a third one")
    disputed.add_argument("work", type=Path)
    batch_size(disputed)
    agreement = command("agreement", show_agreement, "kappa by class, kind and language")
    agreement.add_argument("--work", type=Path, help="folder of answers, instead of the file of labels")
    made = command("set", make_set, "a labelled set of the labelled pages")
    made.add_argument("out", type=Path, help="folder for classes.parquet and relabelled.parquet")
    made.add_argument("--work", type=Path, help="folder of answers, instead of the file of labels")
    measured = command("measure", measure, "extractors by the tolerant measure")
    measured.add_argument("--work", type=Path, help="folder of answers, instead of the file of labels")
    measured.add_argument("--systems", nargs="+", default=SYSTEMS, help="what to measure (default: %(default)s)")
    measured.add_argument("rest", nargs="*", help="after --: options of thresher evaluate")
    worst = command("worst", show_worst, "the pages on which thresher does worst, as a table")
    worst.add_argument("--count", type=int, default=30, help="pages (default: %(default)s)")
    cases = command("cases", show_cases, "thresher on pages that are hard, by what makes them so")
    for each in (worst, cases):
        each.add_argument("--held-out", type=Path, help="folder of models that have not seen a page's site")
        each.add_argument("--work", type=Path, help="folder of answers, instead of the file of labels")
    for option in CLASS_OF:
        asked = command(option, show_option, f"what `--{option} drop` and `keep` do, as a table")
        asked.set_defaults(option=option)
        asked.add_argument("pages", nargs="*", help=f"beginnings of pages' ids (default: all with {option})")
        least = 30 if option == "comments" else 1
        asked.add_argument("--least", type=int, default=least, help=f"words of {option} (default: %(default)s)")
        asked.add_argument("--kind", help="only pages of this kind")
    golds = command("gold", measure_gold, "the gold texts of labelled sets by the tolerant measure")
    golds.add_argument("--work", type=Path, help="folder of answers, instead of the file of labels")
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except EvaluationError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
