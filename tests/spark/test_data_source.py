# SPDX-License-Identifier: Apache-2.0
"""Archives as a data source of Spark: the rows of page_batches, on a local cluster of separate processes."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from archive_forms import write_form
from shared_data import CHECKOUT
from small_archive import write_archives
from waiting import LIMIT

import thresher

HTML = "<p>The wheel turned again on the last Sunday of October, after eleven years in the reeds.</p>"

SCRIPT = """
import json, sys
from pyspark.sql import SparkSession
from thresher.jobs.data_source import register
forms, archives, html = sys.argv[1:]
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
register(spark)
def frame(path, **options):
    return spark.read.format("thresher").options(**options).load(path)
pages = frame(forms, columns="+rights,+n_text_words")
assert "licence" in pages.columns and "n_text_words" in pages.columns, pages.columns
letters = frame(forms, table="dead_letter")
greek = frame(archives, where="language = 'ell'")
assert greek.rdd.getNumPartitions() == 2, greek.rdd.getNumPartitions()
few = frame(archives, columns="url,text,n_text_words", format="markdown")
try:
    frame(archives, fromat="markdown")
    refused = ""
except Exception as error:
    refused = str(error)
assert "unknown option 'fromat'; did you mean 'format'?" in refused, refused
assert few.columns == ["url", "text", "n_text_words"], few.columns
texts = spark.createDataFrame([(html,), (None,)], "html string").selectExpr("main_text(html) as text").collect()
print(json.dumps({
    "n_partitions": pages.rdd.getNumPartitions(),
    "pages": sorted([row.url, row.n_text_words] for row in pages.select("url", "n_text_words").collect()),
    "letters": sorted([row.warc_filename, row.warc_record_offset, row.error_class] for row in letters.collect()),
    "greek": {row.url: row.text for row in greek.select("url", "text").collect()},
    "markdown": {row.url: row.text for row in few.collect()},
    "texts": [row.text for row in texts],
}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Inputs of several forms below `forms`, one of them damaged, and archives below `archives`."""
    folder = tmp_path_factory.mktemp("in")
    write_form(folder / "forms", "one.warc.zst")
    cut = write_form(folder / "forms", "threes.warc.gz")
    cut.write_bytes(cut.read_bytes()[:-900])
    with zipfile.ZipFile(folder / "forms" / "a.wacz", "w") as file:
        for form in ("plain.warc", "one.arc.gz"):
            file.write(write_form(folder / "members", form), f"archive/{form}")
    (folder / "forms" / "page.html").write_text(HTML * 3)
    write_archives(folder / "archives", archives=2, pages=9)
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> tuple[dict[str, Any], str]:
    """What Spark makes of them, in one session, and its log."""
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(CHECKOUT / "src"), environment.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, folder / "forms", folder / "archives", HTML],
        capture_output=True, text=True, check=False, env=environment, timeout=LIMIT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-5000:]
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def test_every_input_is_a_partition_and_nothing_is_lost_without_a_word(
    folder: Path, found: tuple[dict[str, Any], str]
) -> None:
    rows, log = found
    batches = thresher.page_batches(folder / "forms", columns=["url", "n_text_words"])
    assert rows["pages"] == sorted([row["url"], row["n_text_words"]] for batch in batches for row in batch.to_pylist())
    assert rows["n_partitions"] == 5
    letters = rows["letters"]
    assert letters == sorted([each.warc_filename, each.offset, each.error_class] for each in batches.dead_letters)
    assert letters
    assert f"{folder / 'forms' / 'threes.warc.gz'}: {len(letters)} dead letters beside" in log


def test_rows_are_those_of_page_batches(folder: Path, found: tuple[dict[str, Any], str]) -> None:
    def rows(**options: object) -> dict[str, str]:
        batches = thresher.page_batches(folder / "archives", **options)
        return {row["url"]: row["text"] for batch in batches for row in batch.to_pylist()}

    assert found[0]["greek"] == rows(where="language = 'ell'")
    assert 0 < len(found[0]["greek"]) < 18
    assert found[0]["markdown"] == rows(options=thresher.Options(format="markdown"))
    assert found[0]["texts"] == [thresher.extract(HTML).text, None]
