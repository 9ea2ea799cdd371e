# SPDX-License-Identifier: Apache-2.0
"""Archives as a data source of Spark: the rows of page_batches, on a local cluster of separate processes."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from archive_forms import write_form
from shared_data import CHECKOUT
from small_archive import write_archives
from waiting import LIMIT

import thresher

HTML = "<p>The wheel turned again on the last Sunday of October, after eleven years in the reeds.</p>"

FORMS = """
import json, sys
from pyspark.sql import SparkSession
from thresher.jobs.data_source import register
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
register(spark)
def frame(**options):
    return spark.read.format("thresher").options(**options).load(sys.argv[1])
pages = frame(columns="+rights,+n_text_words")
assert "licence" in pages.columns and "n_text_words" in pages.columns, pages.columns
letters = frame(table="dead_letter")
print(json.dumps([
    pages.rdd.getNumPartitions(),
    sorted([row.url, row.n_text_words] for row in pages.select("url", "n_text_words").collect()),
    sorted([row.warc_filename, row.warc_record_offset, row.error_class] for row in letters.collect()),
]))
"""

SCRIPT = """
import json, sys
from pyspark.sql import SparkSession
from thresher.jobs.data_source import register
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
register(spark)
frame = spark.read.format("thresher").option("where", "language = 'ell'").load(sys.argv[1])
assert frame.rdd.getNumPartitions() == 2, frame.rdd.getNumPartitions()
few = spark.read.format("thresher").option("columns", "url,text,n_text_words").option("format", "markdown")
few = few.load(sys.argv[1])
try:
    spark.read.format("thresher").option("fromat", "markdown").load(sys.argv[1])
    refused = ""
except Exception as error:
    refused = str(error)
assert "unknown option 'fromat'; did you mean 'format'?" in refused, refused
assert few.columns == ["url", "text", "n_text_words"], few.columns
texts = spark.createDataFrame([(sys.argv[2],), (None,)], "html string").selectExpr("main_text(html) as text").collect()
print(json.dumps([
    {row.url: row.text for row in frame.select("url", "text").collect()},
    {row.url: row.text for row in few.collect()},
    [row.text for row in texts],
]))
"""


def run(script: str, *arguments: object) -> tuple[Any, str]:
    """What a script prints last, and its log."""
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(CHECKOUT / "src"), environment.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True, text=True, check=False, env=environment, timeout=LIMIT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-5000:]
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def test_every_input_is_a_partition_and_nothing_is_lost_without_a_word(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_form(folder, "one.warc.zst")
    cut = write_form(folder, "threes.warc.gz")
    cut.write_bytes(cut.read_bytes()[:-900])
    with zipfile.ZipFile(folder / "a.wacz", "w") as file:
        for form in ("plain.warc", "one.arc.gz"):
            file.write(write_form(tmp_path / "members", form), f"archive/{form}")
    (folder / "page.html").write_text(HTML * 3)
    (n_partitions, pages, letters), log = run(FORMS, folder)
    batches = thresher.page_batches(folder, columns=["url", "n_text_words"])
    assert pages == sorted([row["url"], row["n_text_words"]] for batch in batches for row in batch.to_pylist())
    assert n_partitions == 5
    assert letters == sorted([each.warc_filename, each.offset, each.error_class] for each in batches.dead_letters)
    assert letters
    assert f"{cut}: {len(letters)} dead letters beside" in log


def test_rows_are_those_of_page_batches(tmp_path: Path) -> None:
    write_archives(tmp_path / "in", archives=2, pages=9)
    (greek, markdown, texts), _ = run(SCRIPT, tmp_path / "in", HTML)

    def rows(**options: object) -> dict[str, str]:
        batches = thresher.page_batches(tmp_path / "in", **options)
        return {row["url"]: row["text"] for batch in batches for row in batch.to_pylist()}

    assert greek == rows(where="language = 'ell'")
    assert 0 < len(greek) < 18
    assert markdown == rows(options=thresher.Options(format="markdown"))
    assert texts == [thresher.extract(HTML).text, None]
