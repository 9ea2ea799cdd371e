# SPDX-License-Identifier: Apache-2.0
"""The kind of every labelled page in the core against the oracle in plain Python."""

import kinds_oracle
import pyarrow.parquet as pq
import pytest
from shared_data import files

import thresher
from thresher.native.facts.describe import find_values
from thresher.native.facts.kinds import find_evidence
from thresher.page.page_type import type_of


@pytest.mark.parametrize("path", files("labelled*/*.parquet"), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_kinds_of_labelled_pages(path):
    names = [name for name in ("html", "url") if name in pq.read_schema(path).names]
    n = 0
    for batch in pq.ParquetFile(path).iter_batches(64, columns=names):
        for row in batch.to_pylist():
            if row["html"] is None:
                continue
            url = row.get("url")
            said, counts, linked, _ = find_values(thresher.parse(row["html"]), url)
            evidence = kinds_oracle.find_evidence(said, counts, linked, url)
            assert find_evidence(said, counts, linked, url) == evidence
            assert type_of(said, counts, linked, url) == kinds_oracle.type_of(evidence)
            n += 1
    assert n > 0
