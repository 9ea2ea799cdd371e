# SPDX-License-Identifier: Apache-2.0
"""Rows of the table `blocks`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from thresher.native.writing.block_columns import KINDS, block_columns
from thresher.page.language import identify_language
from thresher.rows.beside import KEY, RowsBeside, key_of
from thresher.rows.tables import arrow_schema, batch_of

if TYPE_CHECKING:
    from thresher.options import LanguageOptions
    from thresher.page.columns import PageRow
    from thresher.page.page_extractor import PageExtractor

_LOGIT: Final = 4096  # scores are integers in this fraction of a logit


@dataclass(frozen=True, slots=True)
class PageBlocks:
    columns: tuple[bytes, ...]
    """As thresher.native.writing.block_columns has them."""
    scores: bytes | None
    kept: bytes

    @property
    def n_bytes(self) -> int:
        return sum(map(len, self.columns))


class BlockRows(RowsBeside[PageBlocks]):
    """Collects the blocks of pages, in order."""

    def __init__(self, languages: LanguageOptions | None = None) -> None:
        """With `languages`, each block has its language."""
        super().__init__()
        self._languages = languages

    def read(self, page_extractor: PageExtractor) -> PageBlocks:
        page = page_extractor.workspace
        columns = block_columns(page.document, page.metrics, page.blocks)
        return PageBlocks(columns, page.scores(), page.kept_bytes())

    def batches(
        self, rows: Sequence[PageRow], left_out: Sequence[object | None], *, staged: bool
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The rows of `blocks` for the pages since the last batch. A page with a reason to be excluded has none.

        If `staged`, they wait for the second pass, which reads them group by group: there is always a batch.
        """
        found = self._take(left_out)
        batch = _batch([key_of(rows[place]) for place in found], list(found.values()), self._languages)
        if staged or batch.num_rows:
            yield "blocks", batch


def _batch(
    keys: Sequence[tuple[Any, ...]], blocks: Sequence[PageBlocks], languages: LanguageOptions | None
) -> pa.RecordBatch:
    """Rows of `blocks`: what names each page, and its blocks."""
    order, page_of = array("i"), array("i")
    for number, page in enumerate(blocks):
        order.extend(range(len(page.kept)))
        page_of.extend([number] * len(page.kept))
    places = pa.array(page_of, pa.int32())
    kinds, words, text_density, link_density, path_ends, paths, text_ends, texts = (
        zip(*(page.columns for page in blocks), strict=True) if blocks else [()] * 8
    )
    scores = pa.concat_arrays(
        [
            pa.nulls(0, pa.int16()),
            *(
                numbers(pa.int16(), page.scores) if page.scores is not None else pa.nulls(len(page.kept), pa.int16())
                for page in blocks
            ),
        ]
    )
    score = pc.divide(scores.cast(pa.float32()), pa.scalar(_LOGIT, pa.float32()))
    schema = arrow_schema("blocks")
    columns: dict[str, Any] = {
        **{
            name: pa.array([key[number] for key in keys], schema.field(name).type).take(places)
            for number, name in enumerate(KEY)
        },
        "block_order": pa.array(order, pa.int32()),
        "kind": pa.array(KINDS, pa.string()).take(numbers(pa.uint8(), b"".join(kinds))),
        "path": _strings(path_ends, paths),
        "text": _strings(text_ends, texts),
        "text_density": numbers(pa.float32(), b"".join(text_density)),
        "link_density": numbers(pa.float32(), b"".join(link_density)),
        "words": numbers(pa.int32(), b"".join(words)),
        "score": score,
        "probability": _probability(score),
        "template_frequency": pa.nulls(len(order), pa.float32()),
        "kept": as_flags(b"".join(page.kept for page in blocks)),
    }
    if languages:
        columns["language"] = [identify_language(text, options=languages)[0] for text in columns["text"].to_pylist()]
    return batch_of("blocks", columns)


def with_decisions(blocks: pa.RecordBatch, frequencies: pa.Array[Any], kept: bytes) -> pa.RecordBatch:
    """Rows of `blocks` with the findings of the second pass: template frequency, and whether each is kept."""
    new = {"template_frequency": frequencies, "kept": as_flags(kept)}
    return batch_of("blocks", {name: new.get(name, blocks[name]) for name in blocks.schema.names})


def as_flags(data: bytes) -> pa.Array[Any]:
    """Bytes of 0 and 1 as an array of booleans."""
    return numbers(pa.uint8(), data).cast(pa.bool_())


def _probability(score: Any) -> pa.Array[Any]:  # noqa: ANN401 (of floats)
    one: Any = pa.scalar(1, pa.float32())
    found: pa.Array[Any] = pc.divide(one, pc.add(one, pc.exp(pc.negate(score))))
    return found


def numbers(type_: Any, data: bytes) -> pa.Array[Any]:  # noqa: ANN401 (a type of numbers)
    """Numbers of the machine's byte order as an array."""
    return pa.Array.from_buffers(type_, len(data) // (type_.bit_width // 8), [None, pa.py_buffer(data)])


def _strings(offsets: Sequence[bytes], values: Sequence[bytes]) -> pa.Array[Any]:
    """The strings of several pages as one column."""
    pages = [
        pa.Array.from_buffers(pa.string(), len(ends) // 4 - 1, [None, pa.py_buffer(ends), pa.py_buffer(value)])
        for ends, value in zip(offsets, values, strict=True)
    ]
    return pa.concat_arrays([pa.nulls(0, pa.string()), *pages])
