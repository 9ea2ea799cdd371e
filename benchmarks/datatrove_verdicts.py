# SPDX-License-Identifier: Apache-2.0
"""What datatrove's filters say about texts, with datatrove's own words: for quality.py and for a test.

    pip install datatrove spacy                                    in an environment of its own
    python benchmarks/datatrove_verdicts.py < texts.jsonl          {"text", "language"} a line, ISO 639-3

Prints an object a line: the verdict of each filter, null where datatrove divides by zero, and the number of words.
"""

import json
import sys
from functools import cache
from typing import Any

from datatrove.data import Document
from datatrove.pipeline.filters.fineweb_quality_filter import FineWebQualityFilter
from datatrove.pipeline.filters.gopher_quality_filter import GopherQualityFilter
from datatrove.pipeline.filters.gopher_repetition_filter import GopherRepetitionFilter
from datatrove.utils.text import split_into_words


@cache
def filters(language: str) -> dict[str, Any]:
    stop_words = 2 if language == "eng" else None  # the list is English
    return {
        "gopher": GopherQualityFilter(language=language, min_stop_words=stop_words),
        "repetition": GopherRepetitionFilter(language=language),
        "fineweb": FineWebQualityFilter(language=language),
    }


def verdict(each: Any, text: str) -> str | None:
    """`ok`, or the rule that a text breaks."""
    try:
        found = each.filter(Document(text=text, id="1"))
    except (AssertionError, ZeroDivisionError):
        return None
    return found[1] if isinstance(found, tuple) else "ok" if found else None


for line in sys.stdin:
    row = json.loads(line)
    verdicts = {name: verdict(each, row["text"]) for name, each in filters(row["language"]).items()}
    print(json.dumps({**verdicts, "words": split_into_words(row["text"], row["language"])}), flush=True)
