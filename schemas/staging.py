# SPDX-License-Identifier: Apache-2.0
"""What the first of two passes leaves for the second. These files live in a run's folder until it ends; no other
version reads them.

Pages and partitions are numbers here, in the order of the inputs: of a page the input's number times 2^40 plus the
page's place in it, of a partition the input's number times 2^20 plus the partition's own number.
The order of pages is the same however the inputs are cut. A place is the offset of the page's record, but among records
that share an offset and in files of ranges it is not: the table `addresses` says what lies there.
"""

import pyarrow as pa

PARTITION_BITS = 20
OFFSET_BITS = 40
MAX_SIZE = 1 << OFFSET_BITS  # bytes of an input: 1 TiB; a larger size from a server is ignored

FIRST = ("first_text", "first_near_text", "first_address")

# One row for each page, in the order of `pages`. The binary columns are arrays of the machine's byte order with a
# number for each block.
NOTES = pa.schema(
    [
        pa.field("page", pa.int64()),
        pa.field("host", pa.int64()),  # hash of the host name; null where a page has none: it is judged by itself alone
        pa.field("identity", pa.int64()),  # hash by which pages of a large host are chosen for counting
        pa.field("marks", pa.list_(pa.int64())),  # two pages that share one are copies; thresher.rows.notes.COPIES
        # The first page of the partition that shares a mark of that kind with this one, or this one itself.
        *(pa.field(name, pa.int64()) for name in FIRST),
        pa.field("fingerprints", pa.binary()),  # int64
        pa.field("sizes", pa.binary()),  # int32: characters
        pa.field("scores", pa.binary()),  # int16: 1/4096 of a logit; null where the extractor scores none
        pa.field("kept", pa.binary()),  # uint8: 1 if the extractor kept the block
        # The beginning of each block's text, a line each; of a host's first page in the partition, else empty.
        pa.field("excerpts", pa.binary()),
        # As thresher.native.templates.packed has it; empty where the text is markup, or the page has no host.
        pa.field("packed", pa.binary()),
    ]
)

# One row for each mark of a partition: the first page that has it.
MARKS = pa.schema([pa.field("partition", pa.int64()), pa.field("mark", pa.int64()), pa.field("page", pa.int64())])

# One row for each page of a partition whose place is not the offset of its record in the input, or not its alone.
_ADDRESS: dict[str, pa.DataType] = {
    "place": pa.int64(),
    "warc_filename": pa.string(),
    "warc_record_offset": pa.int64(),
    "warc_record_number": pa.int32(),
}
ADDRESSES = pa.schema(_ADDRESS)

# One row for each host of a partition.
HOST_PAGES = pa.schema([pa.field("partition", pa.int64()), pa.field("host", pa.int64()), pa.field("pages", pa.int64())])

# One row for each pair of host and fingerprint in a partition: how many of the pages that are counted have it; 0 where
# only others do.
COUNTS = pa.schema([pa.field("partition", pa.int64()), pa.field("key", pa.int64()), pa.field("pages", pa.int64())])

STAGED = {"notes": NOTES, "marks": MARKS, "host_pages": HOST_PAGES, "addresses": ADDRESSES}
COUNTED = frozenset(("marks", "host_pages", "addresses"))
"""The tables of the first pass that other partitions read: Parquet, which SQL counts over."""
