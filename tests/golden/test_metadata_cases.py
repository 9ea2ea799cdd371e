# SPDX-License-Identifier: Apache-2.0
"""What the core reads of dates, names and made-up pages: a table of cases that reach every rule.

A line of metadata_cases.jsonl is a function's name, its arguments and its answer. `make golden` writes the answers.
"""

import json
from datetime import date
from pathlib import Path

import thresher
from thresher.native.facts.authors import read_names
from thresher.native.facts.dates import find_dates, parse_date
from thresher.native.facts.shown_dates import order_of
from thresher.page.metadata import read_metadata

CASES = Path(__file__).with_name("metadata_cases.jsonl")
LATEST = date(2026, 1, 1)


def metadata(html: str, url: str | None) -> dict[str, object]:
    found = read_metadata(thresher.parse(html), url, not_after=LATEST)
    return {name: value for name in found.__dataclass_fields__ if (value := getattr(found, name)) is not None}


FUNCTIONS = {
    "find_dates": lambda text, language, day_first: find_dates(text, language=language, day_first=day_first),
    "parse_date": parse_date,
    "order_of": lambda texts, language, host: tuple(order_of(texts, language, host)),
    "read_names": read_names,
    "metadata": metadata,
}


def test_each_case_has_its_answer(golden) -> None:
    lines = []
    for line in CASES.read_text("utf-8").splitlines():
        name, arguments, _ = json.loads(line)
        answer = FUNCTIONS[name](*arguments)
        lines.append(json.dumps([name, arguments, answer], ensure_ascii=False, default=str))
    assert {json.loads(line)[0] for line in lines} == set(FUNCTIONS)
    golden(CASES, ("\n".join(lines) + "\n").encode())
