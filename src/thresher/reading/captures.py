# SPDX-License-Identifier: Apache-2.0
"""Captures: the web pages that a WARC holds, each with where it lies, when and how it was fetched, and its decoded
payload.

One WARC is one `WarcReading`. Every record read has exactly one outcome: it is a `Capture`, a `DeadLetter` (it should
have been a page but could not be read), or `LeftOut` for a reason: n_records = captures + dead letters + left out. A
`Document`, which is no page but asked for, is left out too, or a page elsewhere.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, NamedTuple

from thresher.file_kinds import FEED_TYPES, binary_kind, document_kind
from thresher.options import CaptureOptions
from thresher.reading.files import InputFile
from thresher.reading.limits import traffic
from thresher.reading.members import GZIP
from thresher.reading.opening import open_input
from thresher.reading.payload import (
    HEAD_END,
    MAX_HEAD,
    PLAIN_TYPE,
    UNKNOWN_TYPES,
    HttpHead,
    PayloadError,
    charset_parameter,
    decode_body,
    is_html_type,
    is_xml,
    media_type,
    parse_head,
    sniff_html,
)
from thresher.reading.progress import PageGivenUp, Progress
from thresher.reading.records import Beyond, Damage, Record, RecordReader, Retraction
from thresher.reading.streams import excerpt
from thresher.reading.transfers import DamagedMember
from thresher.terminal import one_line

FIRST_READ: Final = 8 << 10  # bytes of a block read to decide whether the rest is wanted
MAX_IN_MEMORY: Final = 16 << 20  # bytes of a document; a longer one waits in a temporary file
MAX_SHOWN: Final = 200  # characters of a rule or value
MAX_NOTE: Final = 8 << 10  # bytes of a crawler's note on a page; Common Crawl's have some 300
ROBOTS: Final = re.compile(r"[a-z]+://[^/?#]*/robots\.txt(?:[?#]|$)", re.IGNORECASE)
LATER_SEGMENT: Final = re.compile(r"0*(?:[2-9]\d*|1\d+)", re.ASCII)  # a WARC-Segment-Number
TDMREP: Final = re.compile(r"[a-z]+://[^/?#]*/\.well-known/tdmrep\.json(?:[?#]|$)", re.IGNORECASE)
RENDERED: Final = re.compile(r"urn:text[a-z]*:", re.IGNORECASE)  # what Browsertrix calls the text that a page showed
OF_CRAWLER: Final = re.compile(r"metadata://|urn:x-", re.IGNORECASE)  # what Wget and wpull call their logs and lists
LANGUAGES: Final = re.compile(rb"^languages-cld2:[ \t]*(\{.*\})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
# CLD2 tells Chinese in simplified from traditional writing.
LANGUAGE_CODE: Final = re.compile(r"[a-z]{3}(?:-[A-Za-z]{4})?")
WARC_DATE: Final = re.compile(
    r"\s*(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?"
    r"(?:\s*([+-])(\d\d):?(\d\d)?)?)?)?)?",
    re.IGNORECASE,
)
NO_PART_OF_URL: Final = re.compile(r"[\x00-\x20\x7f\udc80-\udcff]")
PLAIN_DATE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
"""As nearly all dates are written, which the standard library reads at a tenth of the cost."""


@dataclass(slots=True)
class Capture:
    """One page as it was fetched. Column names follow Common Crawl's columnar index."""

    url: str  # WARC-Target-URI; white space percent-encoded
    warc_record_id: str | None  # without angle brackets
    record_type: str  # "response" or "resource"
    warc_filename: str
    warc_record_offset: int  # where its gzip member or frame begins: it is in the bytes from offset to offset + length
    warc_record_length: int
    fetch_time: datetime | None  # WARC-Date in UTC; None if it is missing or unreadable
    fetch_status: int | None  # HTTP status; None for resource records
    content_mime_type: str | None  # the server's Content-Type, without parameters
    content_mime_detected: str | None  # WARC-Identified-Payload-Type, or what sniffing found
    mime_source: str  # what decided that this is a page: "warc", "http" or "sniffed"
    http_charset: str | None  # charset parameter of Content-Type, as the server wrote it
    content_digest: str | None  # WARC-Payload-Digest, without "sha1:" as in Common Crawl's index
    content_truncated: str | None  # why the page is cut off; see CaptureOptions
    payload: bytes  # body without transfer and content codings
    content_languages: str | None = None  # what the crawler found, ISO 639-3, most text first: "eng,fra"
    plain_text: bool = False  # the payload is plain text, not HTML
    # Both are empty if that run could not decode the page.
    decoded_from: tuple[str, str] | None = None  # for a page that a run kept in UTF-8: its charset, and what named it
    head: bytes | None = None  # of the HTTP response, if CaptureOptions.keep_head asks for it
    rights: Mapping[str, Any] | None = None  # for a page that a run kept: the columns of rights that it kept too
    text_rendered: str | None = None  # for a page that a run kept, if it kept this column too
    warc_record_number: int = 0  # its number among the records that begin at that offset
    place: int = -1  # names the record in its input: its offset, except in ranges and within a member

    def __post_init__(self) -> None:
        if self.place < 0:
            self.place = self.warc_record_offset

    def __repr__(self) -> str:
        """Where it is from, and the size of its payload."""
        where = f"{self.warc_filename} at {self.warc_record_offset:,}"
        return f"<Capture {self.url}: {len(self.payload):,} bytes of {self.content_mime_type}, {where}>"


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A record, or a stretch of a file, that could not be read, and why."""

    warc_filename: str
    offset: int  # bytes from the start of the file
    length: int  # bytes; 0 if not known
    url: str | None
    stage: str  # where it happened: a key of thresher.schemas.dead_letter.STAGES
    error_class: str
    message: str
    number: int = 0  # among the records that begin at that offset


class Revisited(NamedTuple):
    """What a revisit says of the record that holds its page; None for what it does not say."""

    content_digest: str | None = None
    record_id: str | None = None
    url: str | None = None
    fetch_time: datetime | None = None


class Rejection(NamedTuple):
    """Why a record is left out."""

    reason: str  # a key of thresher.schemas.skipped.REASONS
    rule: str | None = None  # what of a filter the page breaks, if it has several parts
    value: str | None = None  # what the page or record has there

    @property
    def counted(self) -> str:
        """The name under which the pages that break a rule are counted."""
        return f"{self.reason}: {self.rule}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record that is no page, or that a filter left out, and why."""

    warc_filename: str
    offset: int  # bytes from the start of the file
    length: int
    url: str | None
    reason: str  # a key of thresher.schemas.skipped.REASONS
    fetch_time: datetime | None = None
    revisited: Revisited | None = None  # of a revisit
    rule: str | None = None  # of a filter; see Rejection
    value: str | None = None
    number: int = 0  # among the records that begin at that offset


@dataclass(slots=True)
class Document:
    """A record that is no page, for the tools that read such documents."""

    capture: Capture  # without a payload
    kind: str  # a key of thresher.file_kinds.DOCUMENTS, or a media type
    head: bytes  # the record's header, as it stands in the archive
    block: IO[bytes]  # all of it, as it is there

    url = property(attrgetter("capture.url"))
    fetch_time = property(attrgetter("capture.fetch_time"))
    offset = property(attrgetter("capture.warc_record_offset"))
    length = property(attrgetter("capture.warc_record_length"))
    number = property(attrgetter("capture.warc_record_number"))


Outcome = Capture | LeftOut | DeadLetter | Document
"""What becomes of a record: it is a page, or is left out, or cannot be read, or is passed on."""


class WatchedFile:
    """An open input that reports each read."""

    def __init__(self, file: InputFile, progress: Progress) -> None:
        self.seek, self.tell, self.close = file.seek, file.tell, file.close
        self._file, self._progress = file, progress
        self._is_empty = False

    @property
    def size(self) -> int | None:
        return self._file.size

    @property
    def damage(self) -> str | None:
        """What is wrong with the file, as far as it was read: a compressed member of a WACZ, or nothing at all."""
        found: str | None = getattr(self._file, "damage", None)
        return found or ("it is empty" if self._is_empty else None)

    def read(self, n: int = -1, /) -> bytes:
        self._progress.fetch()
        piece = self._file.read(n)
        if not piece and n and not self.tell():
            self._is_empty = True
        self._progress.fetched()
        return piece


class Unreadable(Exception):
    """A record that cannot become a capture; carried inside this module only."""

    def __init__(self, stage: str, error: str, message: str) -> None:
        super().__init__(message)
        self.stage = stage
        self.error = error


@dataclass(slots=True)
class Reading:
    """One reading of an input, once: outcomes() gives what becomes of each record; iterating gives the captures among
    these, and the counts and dead letters tell the rest.

    `source` is a local path or URL. With `start` and `end`, only records that begin at or after `start` and before
    `end`. See thresher.reading.inputs for the kinds of inputs.
    """

    source: str | os.PathLike[str]
    options: CaptureOptions = field(default_factory=CaptureOptions)
    start: int = 0
    end: int | None = None
    filename: str | None = None  # for warc_filename; default: the source as given
    n_records: int = 0  # records and unreadable stretches met
    skipped: Counter[str] = field(default_factory=Counter)  # reason -> records
    rules: Counter[str] = field(default_factory=Counter)  # "filter: rule" -> pages that filters left out
    on_skipped: Callable[[LeftOut], None] | None = None  # is told of each record that is left out
    tells: bool = field(default=True, init=False)  # of these, more than the reason
    pass_on: tuple[str, ...] = ()  # kinds of documents, or media types, that `on_document` is told of
    on_document: Callable[[Document], Rejection | None] | None = None  # says as what it counts; None if elsewhere
    dead_letters: list[DeadLetter] = field(default_factory=list)  # unless `on_dead_letter` takes them
    on_dead_letter: Callable[[DeadLetter], None] | None = None  # is told of each, so that none is held here
    first_offset: int | None = None  # of the first record read
    # Of the first record at or after `end`; None at the end of the file or where it broke.
    next_offset: int | None = None
    size: int | None = None  # bytes of the file, None if its server does not say
    progress: Progress = field(default_factory=Progress)  # is told of each record, and of each read of the file
    only: frozenset[int] | None = None  # places: no others are wanted, and a reading that can spares them
    traffic_before: tuple[int, int] = field(default_factory=traffic)

    def __post_init__(self) -> None:
        if self.filename is None:
            self.filename = os.fspath(self.source)

    def outcomes(self) -> Iterator[Outcome]:
        """What becomes of each record, in order."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Capture]:
        self.tells = self.on_skipped is not None
        return self.captures(self.outcomes())

    def captures(self, outcomes: Iterable[Outcome]) -> Iterator[Capture]:
        """The captures among the outcomes of this reading. The others are counted, and told to whoever asked."""
        for outcome in outcomes:
            if isinstance(outcome, Capture):
                yield outcome
            elif isinstance(outcome, LeftOut):
                self._leave_out(outcome)
            elif isinstance(outcome, DeadLetter):
                (self.on_dead_letter or self.dead_letters.append)(outcome)
            elif self.on_document and (counted := self.on_document(outcome)):
                self.reject(outcome.capture, counted)

    def _open(self) -> WatchedFile:
        """The input, opened; whoever watches is told of that, and of each read."""
        self.progress.fetch()
        file = open_input(os.fspath(self.source))
        self.progress.fetched()
        self.size = file.size
        return WatchedFile(file, self.progress)

    @property
    def bytes_read(self) -> int:
        return (self.next_offset or self.size or 0) - (self.first_offset or 0)

    @property
    def asked(self) -> tuple[int, int]:
        """The requests that this process made since the reading was made, and the bytes that came."""
        now, before = traffic(), self.traffic_before
        return now[0] - before[0], now[1] - before[1]

    def behind(self, capture: Capture) -> int:
        """How far the input was read when this capture came, in the unit of `size` and `end`."""
        return capture.place + capture.warc_record_length

    def reject(self, capture: Capture, why: Rejection) -> None:
        """Counts a capture that a filter left out as a skipped record."""
        if why.rule:
            self.rules[why.counted] += 1
        self._leave_out(
            LeftOut(
                capture.warc_filename,
                capture.warc_record_offset,
                capture.warc_record_length,
                clean_url(capture.url),
                why.reason,
                capture.fetch_time,
                rule=why.rule,
                value=why.value,
                number=capture.warc_record_number,
            )
        )

    def _leave_out(self, record: LeftOut) -> None:
        self.skipped[record.reason] += 1
        if self.on_skipped:
            self.on_skipped(record)

    def _lost(
        self, offset: int, length: int, url: str | None, stage: str, error: str, message: str, *, number: int = 0
    ) -> DeadLetter:
        return DeadLetter(self.filename or "", offset, length, url, stage, error, message, number)


@dataclass(slots=True)
class WarcReading(Reading):
    """One reading of a WARC or ARC."""

    enters: bool = False
    """Whether it is read from the member at `start` up to `end` alone, whatever it is; see RecordReader."""
    begins_inside: bool = False  # whether that member begins inside a record, so that it cannot be entered

    def outcomes(self) -> Iterator[Outcome]:
        try:
            file = self._open()
        except DamagedMember as error:
            if not self.start:
                self.n_records = 1
                yield self._lost(0, 0, None, "read", "DamagedFile", str(error))
            return
        with closing(file):
            yield from self.read_file(file)
            if problem := file.damage:
                self.n_records += 1
                yield self._lost(file.tell(), 0, None, "read", "DamagedFile", problem)

    def behind(self, capture: Capture) -> int:
        return capture.warc_record_offset + capture.warc_record_length

    def read_file(self, file: InputFile) -> Iterator[Outcome]:
        """The outcomes of an opened file, whatever `source` is."""
        records = RecordReader(file, self.start, self.end, enters=self.enters)
        pending: tuple[Record, Capture | Document | Unreadable | Rejection] | None = None
        held: Capture | None = None  # until it is known whether the crawler's note on it follows
        noted = False
        for event in records:
            if isinstance(event, Retraction):
                pending = None
                if held and noted:
                    held.content_languages, noted = None, False
                continue
            if pending:
                outcome, pending = self._settle(*pending), None
                if isinstance(outcome, Capture):
                    held, noted = outcome, False
                else:
                    if held:
                        yield held
                        held = None
                    yield outcome
            record = event.record if isinstance(event, Beyond) else event
            if held and not noted and isinstance(record, Record) and is_note(record, held):
                held.content_languages, noted = languages_noted(record), True
            elif held:
                yield held
                held = None
            if isinstance(event, Record):
                try:
                    self.progress.record(event.place)
                    pending = event, self._judge_or_keep(event) if self.pass_on else self._judge(event)
                except Unreadable as problem:
                    pending = event, problem
                except PageGivenUp as problem:
                    pending = event, Unreadable("worker", type(problem).__name__, str(problem))
            elif isinstance(event, Damage):
                self.n_records += 1
                why = "read", "DamagedFile", event.reason
                yield self._lost(event.offset, event.length, clean_url(event.url), *why, number=event.number)
        if held:
            yield held
        if pending:
            yield self._settle(*pending)
        self.first_offset, self.next_offset = records.first_offset, records.next_offset
        self.begins_inside = records.begins_inside

    def _settle(self, record: Record, outcome: Capture | Document | Unreadable | Rejection) -> Outcome:
        """What became of a record, counted now that its length is known."""
        self.n_records += 1
        if isinstance(outcome, Capture | Document):
            capture = outcome if isinstance(outcome, Capture) else outcome.capture
            capture.warc_record_length = record.length
            return outcome
        headers, at = record.headers, (record.offset, record.length)
        if isinstance(outcome, Rejection) and not self.tells:
            return LeftOut(self.filename or "", *at, None, outcome.reason)
        url = clean_url(headers.get("warc-target-uri"))
        if isinstance(outcome, Unreadable):
            return self._lost(*at, url, outcome.stage, outcome.error, str(outcome), number=record.number)
        details = details_of(outcome.reason, headers)
        value = outcome.value and one_line(outcome.value, MAX_SHOWN)
        return LeftOut(self.filename or "", *at, url, outcome.reason, *details, value=value, number=record.number)

    def _judge_or_keep(self, record: Record) -> Capture | Document | Rejection:
        """What _judge() says of a record, or the document in it, if it is one to pass on."""
        block = Remembering(record.reader)
        outcome = self._judge(replace(record, reader=block))
        url, headers = clean_url(record.headers.get("warc-target-uri")), record.headers
        if not isinstance(outcome, Rejection) or outcome.reason != "not_html" or url is None:
            return outcome
        start = b"".join(block.pieces)
        content_type, body = headers.get("content-type") or "", start
        head = None
        if record.is_http and (body_at := HEAD_END.search(start)) and (head := parse_head(start[: body_at.start()])):
            content_type, body = head.content_type, start[body_at.end() :]
            try:
                body, _ = decode_body(body[:MAX_HEAD], head.transfer_encoding, head.content_encoding, MAX_HEAD)
            except PayloadError:
                body = b""
        declared = media_type(content_type)
        identified = media_type(headers.get("warc-identified-payload-type") or "")
        named = next((name for name in (identified, declared) if name in self.pass_on), None)
        kind = named or document_kind(body, identified or declared, url)
        if kind not in self.pass_on:
            return outcome
        capture = self._capture(
            record,
            url,
            record_type=record.kind,
            fetch_status=head.status if head else None,
            content_mime_type=declared or None,
            content_mime_detected=identified or None,
            mime_source="warc" if identified else "http",
            http_charset=None,
            payload=b"",
        )
        return Document(capture, kind, record.head, block.whole())

    def _capture(self, record: Record, url: str, **found: Any) -> Capture:  # noqa: ANN401 (its fields)
        """A capture with what the record's header says, and what was found of its content."""
        headers = record.headers
        return Capture(
            url=url,
            warc_record_id=record_id(headers.get("warc-record-id")),
            warc_filename=self.filename or "",
            warc_record_offset=record.offset,
            warc_record_length=0,
            warc_record_number=record.number,
            place=record.place,
            fetch_time=parse_date(headers.get("warc-date")),
            content_digest=payload_digest(headers.get("warc-payload-digest")),
            content_truncated=(headers.get("warc-truncated") or "").strip().lower() or None,
            **found,
        )

    def _judge(self, record: Record) -> Capture | Rejection:
        """The page in a record, or the reason why it is none. Raises Unreadable."""
        headers, options, kind = record.headers, self.options, record.kind
        segment = headers.get("warc-segment-number") or ""
        if kind == "continuation" or LATER_SEGMENT.fullmatch(segment):
            return Rejection("segment")
        if kind == "resource":
            kind = _kind_of_resource(clean_url(headers.get("warc-target-uri")) or "")
        if kind not in options.record_types:
            has_name = kind in ("revisit", "conversion", "crawler")
            return Rejection(kind) if has_name else Rejection("not_response", value=kind)
        if kind == "response" and not record.is_http:
            return Rejection("not_http")  # dns:, ftp: and the like
        head, start = self._read_head(record)
        if record.is_http and options.statuses is not None and head.status not in options.statuses:
            return Rejection("status", value=str(head.status))

        url = clean_url(headers.get("warc-target-uri")) or ""
        declared = media_type(head.content_type)
        identified = media_type(headers.get("warc-identified-payload-type") or "")
        source, decisive = evidence_of_type(declared, identified, is_http=record.is_http)
        plain_text = decisive == PLAIN_TYPE and options.plain_text and not ROBOTS.match(url)
        may_be_feed = options.feeds and decisive in FEED_TYPES
        coded = bool(head.transfer_encoding or head.content_encoding) or start.startswith(GZIP.magic)
        if options.robots_only:
            may_be_page = bool(ROBOTS.match(url) or TDMREP.match(url))
            source, plain_text = "http", True
        else:
            may_be_page = not decisive or plain_text or may_be_feed or is_html_type(decisive)
        no_page = Rejection("not_html", value=decisive or None)
        if not may_be_page:
            return no_page
        if not coded and (found := binary_kind(start)):
            return no_page._replace(value=found)

        page = self._capture(
            record,
            url,
            record_type=kind,
            fetch_status=head.status,
            content_mime_type=declared or None,
            content_mime_detected=identified or None,
            mime_source=source,
            http_charset=charset_parameter(head.content_type) or ("utf-8" if kind == "conversion" else None),
            payload=b"",
            plain_text=plain_text,
            content_languages=_languages_stated(headers) if kind == "conversion" else None,
            head=head.raw if options.keep_head else None,
        )
        page.payload, problem = self._read_payload(record, head, start)
        page.content_truncated = page.content_truncated or problem or None
        may_differ = source == "sniffed" or plain_text or may_be_feed
        if not options.robots_only and not self._recognise(page, decisive, may_differ=may_differ):
            return no_page
        if coded and (found := binary_kind(page.payload)):
            return no_page._replace(value=found)
        if not page.payload or page.payload.isspace():
            return Rejection("empty")
        if not url:
            raise Unreadable("record", "MissingUrl", "no WARC-Target-URI")
        if segment:
            page.content_truncated = page.content_truncated or "segment"
        return page

    def _recognise(self, page: Capture, decisive: str, *, may_differ: bool) -> bool:
        """Whether the content of a page is one; it then holds what that was found to be. With `may_differ` its media
        type, `decisive`, does not settle that it is HTML.
        """
        if self.options.feeds:
            from thresher.reading.feeds import feed_page  # which few runs need

            if feed := feed_page(page.payload):
                page.payload, damage = feed
                page.mime_source, page.plain_text, page.http_charset = "sniffed", False, "utf-8"
                page.content_mime_detected = page.content_mime_detected or decisive or None
                page.content_truncated = page.content_truncated or damage or None
                return True
        if not may_differ:
            return True
        html = sniff_html(page.payload) if decisive not in FEED_TYPES else ""
        if html:
            page.content_mime_detected, page.plain_text = html, False
            return True
        return page.plain_text and not is_xml(page.payload)

    def _read_head(self, record: Record) -> tuple[HttpHead, bytes]:
        """The HTTP head of a record's block, or what stands for it, and the first bytes of the body after it."""
        block: bytes = record.reader.read(FIRST_READ)
        if not record.is_http:
            return HttpHead(None, record.headers.get("content-type") or "", "", ""), block
        if not block:
            if record.content_length == 0:
                raise Unreadable("http", "EmptyBlock", "the record is empty")
            raise Unreadable("read", "TruncatedRecord", f"0 of {record.content_length:,} bytes are there")
        body_at = HEAD_END.search(block)
        while not body_at and len(block) < MAX_HEAD:
            piece = record.reader.read(MAX_HEAD - len(block))
            if not piece:
                break
            block += piece
            body_at = HEAD_END.search(block)
        head = parse_head(block[: body_at.start()] if body_at else block)
        if head is None:
            raise Unreadable("http", "BadHttpHead", f"the block begins with no HTTP status line: {excerpt(block)}")
        if not body_at and len(block) >= MAX_HEAD:
            raise Unreadable("http", "BadHttpHead", f"HTTP head longer than {MAX_HEAD:,} bytes")
        return head, block[body_at.end() :] if body_at else b""

    def _read_payload(self, record: Record, head: HttpHead, body_start: bytes) -> tuple[bytes, str]:
        """A record's decoded body within the limit, and what is wrong with it; the rest of the block is left unread."""
        limit = self.options.max_payload_bytes
        body = body_start
        rest = min(limit + 1, record.content_length) - len(body)
        if rest > 0:
            body = record.reader.read(rest, body)
        cut = "limit" if len(body) > limit else "record" if record.reader.cut else ""
        if not (head.transfer_encoding or head.content_encoding or body.startswith(GZIP.magic)):
            return body[:limit], cut
        try:
            body, problem = decode_body(body, head.transfer_encoding, head.content_encoding, limit)
        except PayloadError as error:
            raise Unreadable("decode", "PayloadError", str(error)) from None
        return body, cut or problem


def _kind_of_resource(url: str) -> str:
    """What a record of type `resource` is by its URL: "resource", or a reason to skip it."""
    return "conversion" if RENDERED.match(url) else "crawler" if OF_CRAWLER.match(url) else "resource"


class Remembering:
    """The block of a record that remembers what was read of it."""

    def __init__(self, reader: Any) -> None:  # noqa: ANN401 (a Block)
        self.pieces: list[bytes] = []
        self._reader = reader

    @property
    def cut(self) -> bool:
        return bool(self._reader.cut)

    def read(self, n: int, before: bytes = b"") -> bytes:
        piece: bytes = self._reader.read(n)
        self.pieces.append(piece)
        return before + piece

    def whole(self) -> IO[bytes]:
        """All of the block, in memory or a temporary file."""
        file = SpooledTemporaryFile(MAX_IN_MEMORY)  # noqa: SIM115 (whoever writes the document closes it)
        file.writelines(self.pieces)
        while piece := self._reader.read(1 << 20):
            file.write(piece)
        file.seek(0)
        return file


def _languages_stated(headers: dict[str, str]) -> str | None:
    """The languages that a WET record states, ISO 639-3, joined by commas; None if it states none."""
    codes = (headers.get("warc-identified-content-language") or "").split(",")
    return ",".join(code for code in map(str.strip, codes) if LANGUAGE_CODE.fullmatch(code)) or None


def evidence_of_type(declared: str, identified: str, *, is_http: bool) -> tuple[str, str]:
    """(what decides whether a record is a page, the decisive media type); ("sniffed", "") if the content decides."""
    if identified == PLAIN_TYPE and is_html_type(declared):
        return "warc", declared  # detectors take a page without html, head and body for plain text
    if identified:
        return "warc", identified
    if declared not in UNKNOWN_TYPES:
        return ("http" if is_http else "warc"), declared
    return "sniffed", ""


def clean_url(value: str | None) -> str | None:
    """A WARC-Target-URI without angle brackets, its inner white space, control characters and bytes of file names that
    are no UTF-8 percent-encoded; None where there is none.
    """
    if not value:
        return None
    value = value.strip()
    if value[:1] == "<" and value[-1:] == ">":
        value = value[1:-1].strip()
    if not value:
        return None
    return NO_PART_OF_URL.sub(lambda found: f"%{ord(found[0]) & 0xFF:02X}", value)


def is_note(record: Record, capture: Capture) -> bool:
    """True for the metadata record that a crawler wrote about a capture."""
    if record.kind != "metadata" or not capture.warc_record_id:
        return False
    about = record.headers.get("warc-concurrent-to") or record.headers.get("warc-refers-to") or ""
    return about.strip(" <>") == capture.warc_record_id


def languages_noted(record: Record) -> str | None:
    """The languages in a crawler's note (`languages-cld2`, as Common Crawl has it since August 2018), ISO 639-3, joined
    by commas.

    None if it names none, is damaged, or is longer than `MAX_NOTE`.
    """
    if record.content_length > MAX_NOTE:
        return None
    block = record.reader.read(record.content_length)
    found = LANGUAGES.search(block) if len(block) == record.content_length else None
    if not found:
        return None
    try:
        codes = [language["code-iso-639-3"] for language in json.loads(found[1])["languages"]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return ",".join(code for code in codes if isinstance(code, str) and LANGUAGE_CODE.fullmatch(code)) or None


def record_id(value: str | None) -> str | None:
    """A WARC-Record-ID without angle brackets; None where there is none."""
    return (value or "").strip(" <>") or None


def payload_digest(value: str | None) -> str | None:
    """A WARC-Payload-Digest; of SHA-1, the usual algorithm, without its name in front. None where there is none."""
    value = value or ""
    return (value[5:] if value[:5].lower() == "sha1:" else value).strip() or None


def details_of(reason: str, headers: dict[str, str]) -> tuple[datetime | None, Revisited | None]:
    """When a record that is left out was captured and, of a revisit, what it says of the record that holds its page."""
    revisited = None
    if reason == "revisit":
        revisited = Revisited(
            payload_digest(headers.get("warc-payload-digest")),
            record_id(headers.get("warc-refers-to")),
            clean_url(headers.get("warc-refers-to-target-uri")),
            parse_date(headers.get("warc-refers-to-date")),
        )
    return parse_date(headers.get("warc-date")), revisited


def parse_date(value: str | None) -> datetime | None:
    """A WARC-Date (W3C date and time in any precision, or 14 digits as in ARC) in UTC, None if it is none.

    The standard asks for UTC; a time with an offset (2020-01-01T08:00:00-08:00), as some tools write, is converted.
    """
    try:
        if value and PLAIN_DATE.fullmatch(value):
            return datetime.fromisoformat(value)
    except ValueError:  # a leap second, or no such day
        pass
    found = WARC_DATE.match(value or "")
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = found.groups()
    ahead = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    try:
        local = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            int(hour or 0),
            int(minute or 0),
            min(int(second or 0), 59),  # leap seconds
            int((fraction or "0")[:6].ljust(6, "0")),
            tzinfo=UTC,
        )
        return local - ahead
    except (ValueError, OverflowError):
        return None
