# SPDX-License-Identifier: Apache-2.0
"""Writes the corpus to start from: the pages of the html5lib suites, the small ones among the labelled pages, and some
at the bounds.

python fuzz/seed.py CORPUS_FOLDER
"""

import hashlib
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT / "tests"))

from html5lib_suites import tokenizer_cases, tree_cases  # noqa: E402
from shared_data import files  # noqa: E402

LARGEST = 20_000  # bytes; a large page slows every mutation of it
# Mutation does not find its way to hundreds of formatting elements: begin there.
FORMATTING = b"<p><nobr>" + b"".join(b"<b %d>" % i for i in range(511)) + b"</p>"
AT_THE_BOUNDS = [
    FORMATTING + b"<nobr>x",
    FORMATTING + b"<table><tr><td><p><a>x</p></td>y<a>",
    b"<b>" * 520 + b"<div>" * 520 + b"</b>",
]


def main() -> None:
    corpus = Path(sys.argv[1])
    corpus.mkdir(parents=True, exist_ok=True)
    pages = AT_THE_BOUNDS + [
        case.page for path in files("html5lib-tests/tree-construction/**/*.dat") for case in tree_cases(path)
    ]
    for path in files("html5lib-tests/tokenizer/*.test"):
        pages += [case.page.encode("utf-8", "replace") for case in tokenizer_cases(path)]
    try:
        import pyarrow.parquet as pq
    except ImportError:
        print("no pyarrow: no labelled pages in the corpus")
    else:
        for path in files("labelled/*.parquet"):
            for page in pq.read_table(path, columns=["html"])["html"].to_pylist():
                if len(page) <= LARGEST:
                    pages.append(page)
    for page in pages:
        (corpus / hashlib.sha1(page, usedforsecurity=False).hexdigest()).write_bytes(page)
    print(f"{len(list(corpus.iterdir()))} pages in {corpus}")


if __name__ == "__main__":
    main()
