# SPDX-License-Identifier: Apache-2.0
from datetime import date
from typing import Any

from thresher.native.facts.candidates import FactWeights
from thresher.native.parsing.document import Document

def describe(
    document: Document | None, url: str | None, latest: date, weights: FactWeights
) -> tuple[
    str | None, date | None, date | None, str | None, str | None, str | None, str | None, str | None, int, float
]: ...
def find_values(
    document: Document, url: str | None = None
) -> tuple[dict[str, list[str]], tuple[int, int, int], list[dict[str, Any]], list[tuple[int, int, str, int]]]: ...
