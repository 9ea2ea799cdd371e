# SPDX-License-Identifier: Apache-2.0
"""Forms of input crossed with what Spark does with them, in one session; see crossing.py."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from crossing import ALL_FORMS, SPARK, WHOLE, Crossing, check
from pyspark.sql import SparkSession
from s3_store import s3_environment

from thresher.jobs.data_source import register
from thresher.jobs.engine import SparkEngine
from thresher.jobs.extract import main

SAMPLE = {
    "Spark data source": ("gzip-uneven", "wacz-deflated", "s3"),
    "Spark job": ("zstd-dictionary", "index", "stdin"),
    "Spark job fused": ("lz4-one",),
}
CROSSINGS = [Crossing(form, action) for action in SPARK for form in (ALL_FORMS if WHOLE else SAMPLE[action])]


class KeptEngine(SparkEngine):
    """Leaves the session open for the next test."""

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            **s3_environment(),
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        }.items():
            patch.setenv(name, value)
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))  # what executors import
        spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        register(spark)
        yield spark
        spark.stop()


@pytest.mark.parametrize("crossing", CROSSINGS, ids=str)
def test_it_gives_what_the_plain_file_gives(crossing: Crossing, session: Any, tmp_path: Path) -> None:
    if (crossing.form, crossing.action in SPARK[1:]) == ("stdin", True):
        refused = CliRunner().invoke(main, ["-", str(tmp_path / "out")])
        assert refused.exit_code == 2
        assert "standard input (-) cannot be read on a cluster" in refused.output
        return
    check(crossing, tmp_path, engine=KeptEngine, spark=lambda: session)
