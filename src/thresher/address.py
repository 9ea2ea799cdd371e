# SPDX-License-Identifier: Apache-2.0
"""The address of a record in its archive, and the id of a page that is made of it.

An offset alone does not name a record, as one gzip member or frame may hold many. An address is the offset of the
member in which the record begins (in a file that is not compressed its own), and its number among the records that
begin there, from 0. The reader makes it (thresher.reading.records), and it is the same whatever was read before. Of
other inputs it is the number of the file, line or row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

PAGE_KEY: Final = ("warc_filename", "warc_record_offset", "warc_record_number")
"""The columns that name a page in every table. Tables of earlier versions lack the last one."""

_TEXT: Final = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,18}))?")


class Address(NamedTuple):
    """Where a record begins."""

    offset: int
    number: int = 0

    def __str__(self) -> str:
        """The offset, and with a dot the number where it is not 0: "81234", "0.12"."""
        return f"{self.offset}.{self.number}" if self.number else str(self.offset)

    @classmethod
    def parse(cls, text: str) -> Address | None:
        """The address that str() wrote; None for a text that is none."""
        found = _TEXT.fullmatch(text)
        return cls(int(found[1]), int(found[2] or 0)) if found else None


def page_id(warc_filename: str, offset: int | None, number: int | None = 0) -> str:
    """What names a page in duplicate_of, in answers, and in the files for Dolma and datatrove."""
    return f"{warc_filename}#{Address(offset or 0, number or 0)}"


def address_of(row: Mapping[str, Any]) -> Address:
    """The address in a row of a table."""
    return Address(row["warc_record_offset"] or 0, row.get("warc_record_number") or 0)


def page_id_of(row: Mapping[str, Any]) -> str:
    """page_id() of the page in a row of a table."""
    return f"{row['warc_filename']}#{address_of(row)}"
