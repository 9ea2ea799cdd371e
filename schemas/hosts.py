# SPDX-License-Identifier: Apache-2.0
"""`hosts`: what the robots.txt and tdmrep.json files of hosts said, and when (read.robots)."""

import pyarrow as pa

from thresher.schemas.table import TIMESTAMP, Column, Table, record_number

ROBOTS_TXT = "robots.txt"
TDMREP_JSON = "tdmrep.json"

_HOME = "For the home page: yes, no, or null if nothing is said."

TABLE = Table(
    "hosts",
    "One row for each capture of a robots.txt or a tdmrep.json in the archives of read.robots, by host and time. Only "
    "runs that name such archives have this table.",
    (
        Column(
            1,
            "origin",
            pa.string(),
            "Scheme, host and port that the file holds for.",
            "https://example.org",
            nullable=False,
        ),
        Column(2, "url_host_name", pa.string(), "Host name, as in pages.", "example.org"),
        Column(3, "fetch_time", TIMESTAMP, "When the file was captured.", "2026-11-20T00:00:00Z"),
        Column(
            4,
            "kind",
            pa.string(),
            f"`{ROBOTS_TXT}` (RFC 9309) or `{TDMREP_JSON}` (TDM Reservation Protocol).",
            ROBOTS_TXT,
            nullable=False,
        ),
        Column(
            5,
            "used",
            pa.bool_(),
            "Whether the columns of rights in pages go by this file: it is the last of its kind and origin.",
            True,
            nullable=False,
        ),
        Column(
            6,
            "n_rules",
            pa.int32(),
            "Rules and content signals in it; 0 for a file that says nothing, or is none of its kind.",
            12,
            nullable=False,
        ),
        Column(
            7,
            "refused",
            pa.string(),
            "Crawlers that may not fetch the home page, a line each: * for all that are not named, and those named "
            "that collect training data. Null if there are none.",
            "gptbot\nccbot",
        ),
        Column(
            8,
            "restricted",
            pa.string(),
            "Which of the same crawlers may fetch the home page and are refused other paths.",
            "*",
        ),
        Column(
            9,
            "content_signal",
            pa.string(),
            "Content-Signal lines for all crawlers, as found (contentsignals.org). Null if there are none.",
            "search=yes, ai-train=no",
        ),
        Column(
            10,
            "tdm_rules",
            pa.string(),
            "Rules of tdmrep.json as a JSON list of objects with location, tdm-reservation and tdm-policy, at most "
            "5,000 characters; further rules are left out. Null for robots.txt.",
            '[{"location": "/", "tdm-reservation": "1", "tdm-policy": null}]',
        ),
        Column(11, "use_search", pa.string(), f"What the file says of search engines. {_HOME}", "yes"),
        Column(12, "use_ai_input", pa.string(), f"What the file says of use as input to a model. {_HOME}", "no"),
        Column(13, "use_ai_train", pa.string(), f"What the file says of training. {_HOME}", "no"),
        Column(20, "url", pa.string(), "URL of the file.", "https://example.org/robots.txt"),
        Column(21, "warc_filename", pa.string(), "The WARC.", "robots-00000.warc.gz", nullable=False),
        Column(22, "warc_record_offset", pa.int64(), "Bytes from the WARC's start to the record.", 123456),
        record_number(23),
    ),
)
