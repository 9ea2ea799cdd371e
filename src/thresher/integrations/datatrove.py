# SPDX-License-Identifier: Apache-2.0
"""datatrove: an extractor for pipelines that read WARCs already, and a reader that replaces both steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from datatrove.data import Document
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.readers.base import BaseDiskReader

import thresher
from thresher.address import page_id_of
from thresher.options import make_options

__all__ = ["ThresherExtractor", "ThresherReader"]


class ThresherExtractor(BaseExtractor):  # type: ignore[misc]
    """Replaces the HTML of documents by its main text, as datatrove's Trafilatura does."""

    name = "🌾 Thresher"

    def __init__(
        self,
        timeout: float = 1,
        options: thresher.Options | None = None,
        **keywords: Any,  # noqa: ANN401 (options of thresher.extract)
    ) -> None:
        """`timeout` is in seconds per document; `options` and all other keywords are options of thresher.extract()."""
        super().__init__(timeout)
        self.options = make_options(options, **keywords)

    def extract(self, text: str) -> str:
        """The main text of a page."""
        return thresher.extract(text, options=self.options).text


class ThresherReader(BaseDiskReader):  # type: ignore[misc]
    """Reads archives and yields a document for each page: its main text, and every other column as metadata.

    It reads the bytes of pages, with the charset that the server named, where WarcReader hands on text that it guessed
    the charset of.
    """

    name = "🌾 Thresher reader"
    _requires_dependencies = ["thresher"]  # noqa: RUF012 (datatrove's own form)

    def __init__(
        self,
        data_folder: Any,  # noqa: ANN401 (datatrove's DataFolderLike)
        *arguments: Any,  # noqa: ANN401 (those of BaseDiskReader)
        options: thresher.Options | None = None,
        filters: thresher.Filters | None = None,
        where: str | None = None,
        **keywords: Any,  # noqa: ANN401 (those of BaseDiskReader)
    ) -> None:
        """`options`, `filters` and `where` are those of thresher.page_batches(), all else that of BaseDiskReader."""
        super().__init__(data_folder, *arguments, **keywords)
        self.options, self.filters, self.where = options, filters, where

    def read_file(self, filepath: str) -> Iterator[Document]:
        """A document for each page with text in an archive."""
        source = self.data_folder.resolve_paths(filepath)
        batches = thresher.page_batches(source, self.options, filters=self.filters, where=self.where)
        number = 0
        for batch in batches:
            for row in batch.to_pylist():
                with self.track_time():
                    document = self.get_document_from_dict(_document(row, source, filepath), filepath, number)
                number += 1
                if document:
                    yield document
        for reason, n in batches.skipped.items():
            self.stat_update(f"skipped_{reason}", value=n)
        if batches.n_dead_letters:
            self.stat_update("dead_letters", value=batches.n_dead_letters)


def _document(row: dict[str, Any], source: str, filepath: str) -> dict[str, Any]:
    """A row of `pages` under the names that datatrove's readers give: text, id, url, date, and the other columns.

    Archives are named by their path in the data folder, which may lie anywhere. Times that were measured are left out.
    """
    kept = {name: value for name, value in row.items() if value is not None and not name.endswith("_us")}
    archive = row["warc_filename"]
    if archive.startswith(source):  # a WACZ, whose archives are named after it
        kept["warc_filename"] = filepath + archive[len(source) :]
    if "fetch_time" in kept:
        kept["fetch_time"] = kept["fetch_time"].isoformat()
    if "date" in kept:
        kept["published"] = kept.pop("date").isoformat()
    return {**kept, "id": row["warc_record_id"] or page_id_of(kept), "date": kept.get("fetch_time")}
