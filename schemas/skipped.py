# SPDX-License-Identifier: Apache-2.0
"""`skipped`: one row for each record that was left out, where a run lists them (write.skipped = "list")."""

import pyarrow as pa

from thresher.schemas.table import TIMESTAMP, Column, Table, record_number

PASSED_ON = "passed_on"

NO_PAGE = {
    "not_response": "a request, metadata or another type of record that holds no page",
    "revisit": "a revisit: the page is in another record",
    "segment": "a later segment of a record (type continuation); the page is the first, which `content_truncated` says",
    "conversion": "a text made of a page, such as Browsertrix's `urn:text:`; a file named *.wet.gz is read as texts",
    "crawler": "a log or list of the crawler itself, such as Wget's `metadata://` and wpull's `urn:X-wpull:log`",
    "status": "an HTTP status that read.statuses does not have",
    "not_http": "a response of another protocol, such as DNS",
    "not_html": "an image, a script, a PDF or other data that are no web page",
    "empty": "nothing in it",
    PASSED_ON: "a document that `--pass-on` asks for; its record is in the folder `passed_on`, its kind in `rule`",
}
"""Why a record is no page."""

FILTERS = {
    "where": "filter.where",
    "host": "filter.hosts",
    "domain": "filter.domains",
    "url": "filter.urls",
    "exclude": "filter.exclude",
    "mime": "filter.mime_types",
    "time": "filter.since or filter.before",
    "language": "filter.languages",
    "language_score": "filter.min_language_score",
    "confidence": "filter.min_confidence",
    "words": "filter.min_words",
    "quality": "filter.quality",
}
"""The filter by which a page is left out."""

REASONS = NO_PAGE | FILTERS

TABLE = Table(
    "skipped",
    "One row for each record that was left out, where a run lists them.",
    (
        Column(1, "warc_filename", pa.string(), "The WARC.", "CC-MAIN-00000.warc.gz", nullable=False),
        Column(2, "warc_record_offset", pa.int64(), "Bytes from the WARC's start to the record.", 123456),
        record_number(13),
        Column(3, "warc_record_length", pa.int64(), "Bytes of the record in the WARC.", 20480),
        Column(4, "url", pa.string(), "URL, where the record has one.", "https://example.org/"),
        Column(
            5,
            "reason",
            pa.string(),
            "Why: " + "; ".join(f"`{reason}`: {what}" for reason, what in REASONS.items()) + ".",
            "language",
            nullable=False,
        ),
        Column(6, "fetch_time", TIMESTAMP, "When it was captured (WARC-Date).", "2026-11-20T00:00:00Z"),
        Column(
            7,
            "content_digest",
            pa.string(),
            "For a revisit: WARC-Payload-Digest, as in `pages`.",
            "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        ),
        Column(
            8,
            "refers_to_id",
            pa.string(),
            "For a revisit: the record that holds the page (WARC-Refers-To), a `warc_record_id` of `pages`.",
            "urn:uuid:8d1d…",
        ),
        Column(
            9,
            "refers_to_url",
            pa.string(),
            "For a revisit: URL of that record (WARC-Refers-To-Target-URI).",
            "https://example.org/",
        ),
        Column(
            10,
            "refers_to_time",
            TIMESTAMP,
            "For a revisit: when that record was captured (WARC-Refers-To-Date).",
            "2026-10-01T00:00:00Z",
        ),
        Column(
            11,
            "rule",
            pa.string(),
            "For `quality` the rule that the text breaks, for `where` and `time` the part of the condition that is not "
            "met.",
            "gopher_below_alpha_threshold",
        ),
        Column(
            12,
            "value",
            pa.string(),
            "What the page has that the filter does not let pass; for `status` the HTTP status, for `not_html` the "
            "media type or what the content is, for `not_response` the WARC-Type. At most 200 characters.",
            "confidence = 0.31",
        ),
    ),
)
