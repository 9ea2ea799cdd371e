# SPDX-License-Identifier: Apache-2.0
"""How often Gopher's and FineWeb's rules decide as datatrove's filters do, and how many words differ.

    python -m venv DATATROVE && DATATROVE/bin/pip install datatrove spacy
    python benchmarks/quality.py DATATROVE/bin/python        prints the tables of benchmarks/results/quality.md

The texts are the gold texts of the labelled pages: up to 1,258 in English, and 200 in each of six other languages.
"""

import hashlib
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pyarrow.parquet as pq
from measure import DATA, HERE

from thresher.page.quality import QUALITY, Checked

MOST = {"eng": 1258, "ell": 200, "rus": 200, "fra": 200, "deu": 200, "pol": 200, "spa": 200}
CODES = {"en": "eng", "el": "ell", "ru": "rus", "fr": "fra", "de": "deu", "pl": "pol", "es": "spa"}
LEAST = 100  # characters


def texts() -> list[tuple[str, str]]:
    """(language, text) of the pages, chosen by a hash of the text."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted(DATA.glob("labelled*/*.parquet")):
        table = pq.read_table(file, columns=["lang", "gold"])
        for language, text in zip(*(column.to_pylist() for column in table.columns), strict=True):
            if language in CODES and text and len(text) > LEAST:
                found[CODES[language]].add(text)
    return [
        (language, text)
        for language, most in MOST.items()
        for text in sorted(found[language], key=lambda text: hashlib.sha1(text.encode()).digest())[:most]
    ]


def main(python: str) -> None:
    pages = texts()
    done = subprocess.run(
        [python, HERE / "datatrove_verdicts.py"],
        input="\n".join(json.dumps({"text": text, "language": language}) for language, text in pages),
        capture_output=True,
        text=True,
        check=True,
    )
    rules: Counter[tuple[str, str, str]] = Counter()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for (language, text), line in zip(pages, done.stdout.splitlines(), strict=True):
        theirs, checked = json.loads(line), Checked(text, language)
        count = counts[language]
        count["pages"] += 1
        count["words"] += len(theirs["words"])
        ours = Counter(checked.words)
        count["same words"] += (ours & Counter(theirs["words"])).total()
        for name in ("gopher", "repetition", "fineweb"):
            verdict = QUALITY[name](checked)
            count[name] += theirs[name] in {verdict, None}
            if theirs[name] is not None:
                for rule in {verdict, theirs[name]}:
                    who = "both" if verdict == theirs[name] else "ours" if rule == verdict else "theirs"
                    rules[name, rule, who] += 1
    print("| language | pages | words alike | gopher | repetition | fineweb |\n|---|---|---|---|---|---|")
    for language, count in counts.items():
        shares = [f"{count[name] / count['pages']:.1%}" for name in ("gopher", "repetition", "fineweb")]
        alike = f"{count['same words'] / count['words']:.2%}"
        print("|", " | ".join((language, f"{count['pages']:,}", alike, *shares)), "|")
    print("\n| rule | both | ours alone | datatrove's alone | decide alike |\n|---|---|---|---|---|")
    for name, rule in sorted({(name, rule) for name, rule, _ in rules}):
        both, mine, other = (rules[name, rule, who] for who in ("both", "ours", "theirs"))
        print(f"| {name}: {rule} | {both:,} | {mine:,} | {other:,} | {1 - (mine + other) / len(pages):.2%} |")


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).absolute()))
