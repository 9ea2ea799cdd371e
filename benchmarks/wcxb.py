# SPDX-License-Identifier: Apache-2.0
"""A split of WCXB (Foley 2026) as a labelled file.

    python benchmarks/wcxb.py web-content-extraction-benchmark/dev dev.parquet
    thresher evaluate --data dev.parquet --metric word

A split is a folder with ground-truth/ID.json and html/ID.html.gz.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def read_page(truth: Path) -> dict[str, Any]:
    values = json.loads(truth.read_bytes())
    kind = values.get("_internal", {}).get("page_type")
    gold = values["ground_truth"]
    return {
        "id": truth.stem,
        "url": values.get("url"),
        "page_type": kind.get("primary") if isinstance(kind, dict) else kind,
        "html": gzip.decompress((truth.parents[1] / "html" / f"{truth.stem}.html.gz").read_bytes()),
        "gold": gold.get("main_content"),
        "with": gold.get("with"),
        "without": gold.get("without"),
    }


if __name__ == "__main__":
    split, out = map(Path, sys.argv[1:])
    pq.write_table(pa.Table.from_pylist(list(map(read_page, sorted(split.glob("ground-truth/*.json"))))), out)
