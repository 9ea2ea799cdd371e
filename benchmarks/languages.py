# SPDX-License-Identifier: Apache-2.0
"""Measures language models on texts of known language: python benchmarks/languages.py [--messages DIR] [-o FILE]

Texts come from two places. Pages of THRESHER_DATA count where their declared language and most of the models agree on
all of their main text. Translated messages of a program (gettext: LANGUAGE/LC_MESSAGES/*.po below DIR) are in the
language of their folder, whatever a model says; close languages are best told by these. Every text is cut at 20, 50,
200 and 1,000 characters. Text in no language is code, numbers, names and menus of the same pages.

Models: those of thresher.page.language_models, those of the packages cld3-py and lingua where they are installed, and
every fastText file named with --fasttext. Time is that of a text of 200 letters after another one.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq

import thresher
from thresher.native.base.characters import first_letters
from thresher.page.language_models import iso_639_3, language_model

LENGTHS: Final = (20, 50, 200, 1000)
CLOSE: Final = {
    "Norwegian, Nynorsk, Danish": ("nor", "nno", "dan"),
    "Serbian, Croatian, Bosnian": ("srp", "hrv", "bos"),
    "Indonesian, Malay": ("ind", "msa"),
    "Portuguese, Galician, Spanish": ("por", "glg", "spa"),
    "Czech, Slovak": ("ces", "slk"),
    "Urdu, Persian, Arabic": ("urd", "fas", "ara"),
}
CODES: Final = {"nb": "nor", "sr_Latn": "srp", "zh_Hans": "zho", "zh_Hant": "zho", "pt_BR": "por", "fil": "tgl"}
BESIDE: Final = ("lid176", "cld2", "py3langid")
PER_LANGUAGE: Final = 60  # texts of each language and length, so that no language decides
MIN_LETTERS: Final = 10
MIN_SCORE: Final = 0.2

Model = Callable[[str], tuple[str, float]]


def three(code: str) -> str:
    """The ISO 639-3 code of a language tag or of a folder of translations."""
    first = code.replace("-", "_")
    return CODES.get(first) or CODES.get(first.split("_")[0]) or iso_639_3().get(first.split("_")[0].lower(), "")


def models(fasttext: Sequence[str]) -> dict[str, Model]:
    """The models that are installed."""
    found: dict[str, Model] = {name: language_model(name).identify for name in BESIDE}
    found |= {Path(path).name: language_model(path).identify for path in fasttext}
    try:
        import gcld3

        cld3 = gcld3.NNetLanguageIdentifier(0, 1000)

        def by_cld3(text: str) -> tuple[str, float]:
            result = cld3.FindLanguage(text)
            code = {"iw": "he", "jv": "jv"}.get(result.language, result.language.split("-")[0])
            return three(code) or code, result.probability

        found["cld3"] = by_cld3
    except ImportError:
        pass
    try:
        from lingua import LanguageDetectorBuilder

        lingua = LanguageDetectorBuilder.from_all_languages().build()

        def by_lingua(text: str) -> tuple[str, float]:
            language = lingua.detect_language_of(text)
            return ("und", 0.0) if language is None else (three(language.iso_code_639_1.name.lower()), 1.0)

        found["lingua"] = by_lingua
    except ImportError:
        pass
    return found


def pages() -> Iterator[tuple[str, str, str]]:
    """(id, declared language, main text) of the pages of THRESHER_DATA."""
    folder = Path(os.environ.get("THRESHER_DATA", "../shared/data"))
    for file in sorted(folder.glob("*/*.parquet")):
        if file.parent.name in ("metadata", "structure", "partial"):
            continue
        table = pq.ParquetFile(file)
        for batch in table.iter_batches(64, columns=["id", "html"]):
            for row in batch.to_pylist():
                page = row["html"] if isinstance(row["html"], bytes) else (row["html"] or "").encode()
                result = thresher.extract(page[: 1 << 20])
                declared = three(result.to_dict()["language_declared"] or "")
                if declared and len(result.text) >= 400:
                    yield f"{file.stem}/{row['id']}", declared, result.text


def agreed(found: dict[str, Model]) -> tuple[list[tuple[str, str]], list[tuple[str, str, Counter[str]]]]:
    """(language, text) of the pages of which most models say what they declare, and the others with the opinions."""
    sure, unsure = [], []
    voters = [name for name in ("lid176", "cld2", "py3langid", "lingua") if name in found]
    for page, declared, text in pages():
        votes = Counter(found[name](letters(text, 1500))[0] for name in voters)
        if votes[declared] > len(voters) / 2:
            sure.append((declared, text))
        else:
            unsure.append((page, declared, votes))
    return sure, unsure


def messages(folder: str) -> Iterator[tuple[str, str]]:
    """(language, text of all messages) of translations, in any order; placeholders are left out."""
    by_language: dict[str, list[str]] = defaultdict(list)
    for file in sorted(Path(folder).glob("**/LC_MESSAGES/*.po")):
        language = three(file.parts[-3])
        if not language or language == "eng":
            continue
        for entry in file.read_text("utf-8").split("\n\n"):
            found = re.search(r'^msgstr(?:\[0\])? ((?:".*"\n?)+)', entry, re.MULTILINE)
            if not found or "#, fuzzy" in entry or 'msgid ""\nmsgstr' in entry:
                continue
            text = "".join(ast.literal_eval(line) for line in found[1].splitlines())
            text = re.sub(r"%\(\w+\)\w|%\w|\{\w*\}|<[^>]*>|&\w+;", " ", text).strip()
            if len(text) > 10:
                by_language[language].append(text)
    for language, texts in by_language.items():
        yield language, "\n".join(random.Random(language).sample(texts, len(texts)))


def letters(text: str, n: int) -> str:
    """What a model sees of a text."""
    return first_letters(text[: 16 * n].encode("utf-8", "replace"), n)


def cuts(text: str, length: int, n: int, seed: str) -> list[str]:
    """Pieces of a text, which begin at a word."""
    chance, found = random.Random(f"{seed} {length}"), []
    for _ in range(n):
        if len(text) < length + 20:
            break
        begin = chance.randrange(len(text) - length - 10)
        blank = text.find(" ", begin, begin + 10)
        begin = blank + 1 if blank >= 0 else begin
        piece = text[begin : begin + length]
        if len(letters(piece, length).replace(" ", "")) >= max(MIN_LETTERS, length // 2):
            found.append(piece)
    return found


def no_language() -> dict[str, list[str]]:
    """Texts in no language, by kind."""
    chance = random.Random(1)
    found: dict[str, list[str]] = defaultdict(list)
    folder = Path(os.environ.get("THRESHER_DATA", "../shared/data"))
    for row in pq.read_table(folder / "labelled_new/ssg_pairs.parquet", columns=["gold_markdown"]).to_pylist():
        found["code"] += re.findall(r"```\w*\n(.{60,600}?)\n```", row["gold_markdown"] or "", re.DOTALL)[:2]
    for name in ("fundus", "andy"):
        for row in pq.read_table(folder / f"labelled_new/{name}.parquet", columns=["authors"]).to_pylist():
            if authors := row["authors"]:
                found["names"].append(authors if isinstance(authors, str) else ", ".join(map(str, authors)))
    for row in pq.read_table(folder / "labelled_new/shopify.parquet", columns=["html"]).to_pylist()[:150]:
        blocks = [b.text for b in thresher.extract(row["html"]).blocks if not b.kept and b.link_density > 0.9]
        found["menus"].append(" ".join(blocks[:30])[:200])
    found["numbers"] = [
        " ".join(
            f"{chance.choice('ABCDEFGHKLMNPRSTXZ')}{chance.randrange(10**5)}-{chance.choice('abcdefkmx')}"
            for _ in range(20)
        )
        for _ in range(100)
    ]
    return found


def answer(model: Model, text: str, n: int = 200) -> str:
    """What a model says of a text, with the thresholds of conf/default.toml."""
    seen = letters(text, n)
    if len(seen.replace(" ", "")) < MIN_LETTERS:
        return "und"
    language, score = model(seen)
    return language if score >= MIN_SCORE else "und"


def milliseconds(model: Model, texts: Sequence[str]) -> float:
    """Time of one text of 200 letters: the least mean of three rounds."""
    seen = [letters(text, 200) for text in texts[:500]]
    best = float("inf")
    for _ in range(3):
        before = time.perf_counter()
        for text in seen:
            model(text)
        best = min(best, (time.perf_counter() - before) / len(seen))
    return 1000 * best


def accuracy(model: Model, samples: Sequence[tuple[str, str]], length: int) -> tuple[float, Counter[tuple[str, str]]]:
    """Mean over languages of the share that is right, and what was taken for what."""
    right, total, wrong = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    for language, text in samples:
        said = answer(model, text, min(length, 200))
        total[language] += 1
        right[language] += said == language
        wrong[language, said] += said != language
    return sum(right[code] / n for code, n in total.items()) / max(len(total), 1), +wrong


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", help="folder of gettext translations, such as those of Django's source")
    parser.add_argument("--fasttext", nargs="*", default=(), help="further fastText models")
    parser.add_argument("-o", "--output", help="file for the tables")
    options = parser.parse_args(argv)
    found = models(options.fasttext)
    sure, unsure = agreed(found)
    by_language: dict[str, list[str]] = defaultdict(list)
    for language, text in sure:
        by_language[language].append(text)
    sets = {"pages": {code: texts for code, texts in by_language.items() if len(texts) >= 3}}
    if options.messages:
        sets["messages"] = {language: [text] for language, text in messages(options.messages)}
    out = [f"{len(sure):,} pages of agreed language, {len(unsure):,} left out.\n"]
    out += [f"- {page}: declared {declared}, {dict(votes)}" for page, declared, votes in unsure[:40]]
    times = {name: milliseconds(model, [text for _, text in sure]) for name, model in found.items()}
    for kind, languages in sets.items():
        samples: dict[int, list[tuple[str, str]]] = {}
        for length in LENGTHS:
            samples[length] = []
            for language, texts in languages.items():
                each = -(-PER_LANGUAGE // len(texts))
                pieces = [p for k, text in enumerate(texts) for p in cuts(text, length, each, f"{language} {k}")]
                samples[length] += [(language, piece) for piece in pieces[:PER_LANGUAGE]]
        out.append(f"\n## {kind}: {len(languages)} languages\n")
        scores = {(name, n): accuracy(model, samples[n], n) for name, model in found.items() for n in LENGTHS}
        rows = [[name, *(f"{100 * scores[name, n][0]:.1f}" for n in LENGTHS), f"{times[name]:.3f}"] for name in found]
        out.append(table(["model", *(f"{n:,} characters" for n in LENGTHS), "ms"], rows))
        known = {
            n: [
                (c, t)
                for c, t in samples[n]
                if all(c in language_model(m).languages() for m in ("lid176", "cld2", "py3langid"))
            ]
            for n in LENGTHS
        }
        out.append("Only languages that lid176, cld2 and py3langid all know:\n")
        rows = [
            [name, *(f"{100 * accuracy(model, known[n], n)[0]:.1f}" for n in LENGTHS)] for name, model in found.items()
        ]
        out.append(table(["model", *(f"{n:,}" for n in LENGTHS)], rows))
        for group, codes in CLOSE.items():
            rows = []
            for name, model in found.items():
                part = {n: [(c, t) for c, t in samples[n] if c in codes] for n in LENGTHS}
                scored = {n: accuracy(model, part[n], n) for n in LENGTHS}
                wrong = ", ".join(f"{a}→{b} {k}" for (a, b), k in scored[200][1].most_common(3))
                rows.append([name, *(f"{100 * scored[n][0]:.1f}" for n in LENGTHS), wrong])
            out.append(f"{group} ({', '.join(sorted({c for c, _ in samples[200] if c in codes}))}):\n")
            out.append(table(["model", *(f"{n:,}" for n in LENGTHS), "most often wrong at 200"], rows))
    out.append("\n## No language: share of texts without an answer\n")
    nothing = no_language()
    rows = [
        [
            name,
            *(
                f"{100 * sum(answer(model, t) == 'und' for t in texts) / len(texts):.0f} %"
                for texts in nothing.values()
            ),
        ]
        for name, model in found.items()
    ]
    out.append(table(["model", *(f"{kind} ({len(texts)})" for kind, texts in nothing.items())], rows))
    report = "\n".join(out)
    print(report)
    if options.output:
        Path(options.output).write_text(report, "utf-8")


if __name__ == "__main__":
    main()
