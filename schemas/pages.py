# SPDX-License-Identifier: Apache-2.0
"""`pages`: one row for each page that was read, whether text was found in it or not.

The first columns have the names and meanings of Common Crawl's columnar index (cc-index-table), so that a row joins to
it by `warc_filename` and `warc_record_offset`, and every row can be traced to its bytes: with `warc_record_number`
these are the address of its record.
"""

import pyarrow as pa

from thresher.schemas.table import ADDRESSES, SHARES, TIMESTAMP, Column, Table, record_number

STATUSES = (
    "ok", "empty", "too_many_bytes", "too_many_nodes", "too_deep", "too_many_attributes", "too_many_styles", "error"
)  # fmt: skip

# The parts of the work that are timed for each page; "write" is timed for a batch, hence only in `metrics`.
PAGE_STAGES = ("read", "decode", "parse", "metrics", "extract", "render", "language", "metadata")

QUALITY_HEURISTICS = ("gopher", "repetition", "c4", "fineweb")
"""The heuristics of thresher.page.quality, in the order of their columns."""

LANGUAGE_MODELS = ("lid176", "cld2", "py3langid", "fasttext")
"""The models of thresher.page.language_models, in the order of their columns."""

LANGUAGES = "languages"
"""Optional column with the languages of the parts of a page."""

AGREEMENT = "language_agreement"
"""Optional column that compares the language with the opinions of other models."""

ROUTE = "route"
"""Optional column that says what to do with a page."""

EXTRACTOR_AGREEMENT = "extractor_agreement"
"""Optional column that compares the text with those of further extractors."""

_STATED = {
    "robots_meta": ("Robots meta elements, a line each: name and directives (Robots Meta Tags Specification).",
                    "robots: noindex, noai"),
    "x_robots_tag": ("X-Robots-Tag headers, a line each.", "googlebot: nosnippet"),
    "tdm_reservation": ("tdm-reservation of header, meta element or tdmrep.json (TDM Reservation Protocol).", "1"),
    "tdm_policy": ("tdm-policy, the address of the terms (TDM Reservation Protocol).", "https://example.org/tdm.json"),
    "content_signal": ("Content-Signal of the header, or else of robots.txt (contentsignals.org).",
                       "search=yes, ai-train=no"),
    "robots_txt": (
        ("What robots.txt refuses all crawlers or those that collect training data for this page, a line each, and its "
        "content signals (RFC 9309); empty if nothing, null without a robots.txt (read.robots)."),
        "ccbot: disallow",
    ),
    "robots_txt_time": ("When that robots.txt was captured.", "2026-11-20T00:00:00Z"),
    "use_search": ("Whether the page may be found by search: yes, no, or null where nothing is said.", "no"),
    "use_search_signal": ("The signal that decided it.", "robots meta noindex"),
    "use_ai_input": ("Whether the page may be input of a model (as in answers with sources): yes, no or null.", "no"),
    "use_ai_input_signal": ("The signal that decided it.", "x-robots-tag nosnippet"),
    "use_ai_train": ("Whether models may be trained on the page: yes, no or null.", "no"),
    "use_ai_train_signal": ("The signal that decided it.", "robots.txt ccbot"),
    "licence": ("Licence that the page names for itself or its site, as in SPDX where it has a name.", "CC-BY-SA-4.0"),
    "licence_url": ("Address of that licence.", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "licence_where": ("Where it stands: head, data (JSON-LD), content or footer.", "footer"),
    "licence_others": ("Number of other licences that the page names for itself.", 0),
    "licences_cited": ("Licences of pictures and other works on the page, with their number.", "CC-BY-2.0: 3"),
}  # fmt: skip

RIGHTS = tuple(_STATED)
"""Optional columns with what is said of the use of a page, in the order of their numbers (from 150 on)."""


def _right(number: int, name: str) -> Column:
    doc, example = _STATED[name]
    types = {"robots_txt_time": TIMESTAMP, "licence_others": pa.int32()}
    doc = f"{doc} Only where a run asks for it (write.columns)."
    return Column(number, name, types.get(name, pa.string()), doc, example, optional=True)


_STRUCTURE = {
    "jsonld": ("Objects of JSON-LD, a JSON list; only those of the types that write.structure_types names, if any.",
               '[{"@type":"Recipe","name":"Cake"}]'),
    "opengraph": ("Open Graph values, a JSON object: a property said several times has a list.",
                  '{"og:title":"The wheel"}'),
    "twitter": ("Twitter card values, a JSON object as in opengraph.", '{"twitter:card":"summary"}'),
    "microdata": ("Items of microdata that are no property of another, a JSON list of type, id and properties.",
                  '[{"type":"https://schema.org/Person","properties":{"name":"Bo"}}]'),
    "rdfa": ("Typed items of RDFa that are no property of another, as in microdata, with names in full.",
             '[{"type":"https://schema.org/Person","properties":{"https://schema.org/name":"Bo"}}]'),
    "hreflang": ("Addresses of the page in other languages (link rel=alternate hreflang), a JSON object by language.",
                 '{"de":"https://example.org/de/"}'),
    "link_prev": ("Address of the page before (link rel=prev).", "https://example.org/?page=1"),
    "link_next": ("Address of the next page (link rel=next).", "https://example.org/?page=3"),
    "link_amphtml": ("Address of its AMP version (link rel=amphtml).", "https://example.org/amp"),
    "structure_status": (
        ("What is wrong with these, behind the name of the column: `broken` (not readable) or `cut` (beyond a bound); "
        "null where nothing is."),
        "jsonld broken, microdata cut",
    ),
    "image": (("Absolute address of the page's main picture: og:image, image of JSON-LD, twitter:image, or link "
              "rel=image_src, the first that is there."), "https://example.org/wheel.jpg"),
    "tags": (("Tags that the page names, a JSON list: article:tag, keywords of JSON-LD, meta news_keywords or "
             "keywords, the first that has any."), '["mills","rivers"]'),
}  # fmt: skip

STRUCTURE = tuple(_STRUCTURE)
"""Optional columns with what a page says of itself in data, in the order of their numbers (from 180 on)."""


def _of_structure(number: int, name: str) -> Column:
    doc, example = _STRUCTURE[name]
    doc = f"{doc} Only where a run asks for it (write.columns)."
    return Column(number, name, pa.string(), doc, example, optional=True)


GROUPS = {"rights": RIGHTS, "structure": STRUCTURE}
"""Names that stand for several optional columns."""

DERIVED = (
    "n_text_words",
    *(f"quality_{name}" for name in QUALITY_HEURISTICS),
    LANGUAGES,
    *(f"language_{name}" for name in LANGUAGE_MODELS),
    AGREEMENT,
    EXTRACTOR_AGREEMENT,
    ROUTE,
)
"""Optional columns that are computed from the finished text."""

HTML = "html"
"""Optional column with the page itself."""

OUTLINKS = "outlinks"
"""Optional column with the links of the main text."""

RENDERED = "text_rendered"
"""Optional column with the text that the crawler's browser showed."""

_TIME = "Microseconds spent on this page in the stage `{}`; null with write.page_timings = false."
_FIRST_TIME_ID = 70

# The column of each extractor that runs beside the first one of a run (thresher.page.columns.text_column), and its
# number (from 100 on).
_TEXTS = {
    "cetd": ("text_cetd", 100),
    "cetd-ds": ("text_cetd_ds", 101),
    "cetd-dsum": ("text_cetd_dsum", 112),
    "cetd-s": ("text_cetd_s", 102),
    "bte": ("text_bte", 103),
    "ccb": ("text_ccb", 104),
    "wlr": ("text_wlr", 105),
    "cetr": ("text_cetr", 106),
    "conex": ("text_conex", 107),
    "linkratio": ("text_linkratio", 108),
    "density": ("text_by_density", 113),
    "menex": ("text_menex", 109),
    "all": ("text_all", 110),
    "thresher": ("text_thresher", 111),
    "majority": ("text_majority", 114),
    "majority-best": ("text_majority_best", 115),
    "majority-weighted": ("text_majority_weighted", 116),
    "threshold": ("text_threshold", 117),
}


def _text(extractor: str, name: str, number: int) -> Column:
    doc = f"The main text after `{extractor}`; only where a run names it as a further one of its extractors."
    return Column(number, name, pa.string(), doc, "A page\n…", optional=True)


def quality_column(heuristic: str) -> str:
    """Name of the column with what a heuristic for quality says of the text."""
    return f"quality_{heuristic}"


def language_column(model: str) -> str:
    """Name of the column with the language that a model finds."""
    return f"language_{model}"


def _opinion(number: int, model: str) -> Column:
    doc = f"Language of `text` by the model {model}, as in `language`. Only where a run asks for it (write.columns)."
    if model == "fasttext":
        doc = "Language of `text` by the fastText model of the setting language.fasttext, as in `language`. Only where "
        doc += "a run asks for it (write.columns)."
    return Column(number, language_column(model), pa.string(), doc, "ell", optional=True)


def _quality(number: int, heuristic: str) -> Column:
    doc = (
        f"`ok`, or the first rule of the heuristic `{heuristic}` that the text breaks, judged as plain text whatever "
        "is written. Only where a run asks for it (write.columns)."
    )
    return Column(number, quality_column(heuristic), pa.string(), doc, "ok", optional=True)


def _stage_time(number: int, stage: str) -> Column:
    return Column(_FIRST_TIME_ID + number, f"{stage}_us", pa.int32(), _TIME.format(stage), 380, measured=True)


TABLE = Table(
    "pages",
    "One row for each page that was read, whether text was found in it or not.",
    (
        # What Common Crawl's columnar index has, under its names (ids 1 to 29).
        Column(1, "url", pa.string(), "URL of the capture, as the archive has it.", "https://example.org/a?b=1"),
        Column(2, "url_host_name", pa.string(), "Host name in lower case, without port.", "www.example.org"),
        Column(
            3,
            "url_host_registered_domain",
            pa.string(),
            "Domain one level below the registry's suffix (public suffix list, ICANN part); null for an IP address.",
            "example.org",
        ),
        Column(4, "fetch_time", TIMESTAMP, "When it was captured (WARC-Date).", "2026-11-20T00:00:00Z"),
        Column(5, "fetch_status", pa.int16(), "HTTP status; null for resource records.", 200),
        Column(
            6,
            "content_digest",
            pa.string(),
            "WARC-Payload-Digest; of SHA-1, the usual algorithm, without the name in front.",
            "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        ),
        Column(7, "content_mime_type", pa.string(), "Content-Type of the HTTP response.", "text/html"),
        Column(
            8,
            "content_mime_detected",
            pa.string(),
            "Content type found out from the content, by the archive (WARC-Identified-Payload-Type) or here.",
            "text/html",
        ),
        Column(
            9,
            "content_charset",
            pa.string(),
            "Character encoding that the page was decoded with: WHATWG name in lower case.",
            "windows-1252",
        ),
        Column(
            10,
            "content_languages",
            pa.string(),
            "Languages that the crawler noted (ISO 639-3, comma-separated); null where the archive has none.",
            "eng,fra",
        ),
        Column(
            11,
            "content_truncated",
            pa.string(),
            "Why the page is cut off: what the crawler says (WARC-Truncated), `limit` (read.max_payload_bytes), "
            "`record` (its gzip member or frame ends before its Content-Length says so), "
            "`encoding` (broken chunks or compression), `markup` (a broken feed) or `segment` (its rest is in records "
            "of type continuation, which are not read); null where it is whole.",
            "length",
        ),
        Column(
            12,
            "warc_filename",
            pa.string(),
            "The WARC, relative to the base URL where one was given.",
            "crawl-data/CC-MAIN-2024-51/segments/1733066.88/warc/CC-MAIN-00000.warc.gz",
            nullable=False,
        ),
        Column(13, "warc_record_offset", pa.int64(), "Bytes from the WARC's start to the record.", 123456),
        Column(14, "warc_record_length", pa.int64(), "Bytes of the record in the WARC, compressed.", 20480),
        Column(
            15,
            "warc_segment",
            pa.string(),
            "Common Crawl's segment, from the WARC's path; null elsewhere.",
            "1733066.88",
        ),
        # Where the row comes from and what was found (ids 30 to 69).
        record_number(59),
        Column(30, "warc_record_id", pa.string(), "WARC-Record-ID.", "<urn:uuid:8d1d…>"),
        Column(
            31,
            "title",
            pa.string(),
            "The page's headline, without the site's name where something on the page shows which part that is.",
            "A page",
        ),
        Column(32, "text", pa.string(), "The main text; null if extraction failed.", "A page\n…"),
        Column(33, "language", pa.string(), "Language of `text`: ISO 639-3, `und` where undetermined.", "ell"),
        Column(34, "language_score", pa.float32(), "Certainty of `language`, 0 to 1; null with `und`.", 0.98),
        Column(
            35,
            "charset_source",
            pa.string(),
            "What named the encoding: bom, http, meta, utf8 (valid as it was), detected, default, or one over another.",
            "meta",
        ),
        Column(36, "n_nodes", pa.int32(), "Nodes of the parsed page.", 2023),
        Column(37, "n_words", pa.int32(), "Words of the whole page; a CJK character counts as one.", 1180),
        Column(38, "text_density", pa.float32(), "Characters per tag of the whole page (CETD).", 12.5),
        Column(39, "link_density", pa.float32(), "Share of the page's characters inside links.", 0.31),
        Column(
            40,
            "template_share",
            pa.float32(),
            "Share of the page's characters that its host repeats; null where templates were not counted.",
            0.4,
        ),
        Column(
            41,
            "confidence",
            pa.float32(),
            "Expected F1 of `text`, 0 to 1; null where the extractor does not estimate it, and for a text of the "
            "page's data.",
            0.9,
        ),
        Column(42, "status", pa.string(), "One of " + ", ".join(STATUSES) + ".", "ok", nullable=False),
        Column(
            43, "extractor", pa.string(), "Name of the extractor that `text` comes from.", "thresher", nullable=False
        ),
        Column(44, "extractor_version", pa.string(), "Version of Thresher that ran it.", "0.1.0", nullable=False),
        # What the page says about itself (its claim, not checked).
        Column(45, "date", pa.date32(), "Day of publication that the page names or shows.", "2014-03-05"),
        Column(46, "author", pa.string(), "Names of authors that the page gives, joined by `; `.", "A. Miller"),
        Column(47, "description", pa.string(), "The page's summary of itself.", "How the wheel came back."),
        Column(48, "site_name", pa.string(), "What the page calls its site.", "The Lower Mill"),
        Column(
            49,
            "canonical_url",
            pa.string(),
            "Address that the page names as its own (rel=canonical, og:url), absolute.",
            "https://example.org/a",
        ),
        Column(
            50,
            "language_declared",
            pa.string(),
            "Language tag (BCP 47) that the page declares; often a default that nobody changed.",
            "pt-BR",
        ),
        # What is computed from the finished text, on request (ids 51 to 59).
        Column(
            51,
            "n_text_words",
            pa.int32(),
            "Words of `text` without markup; a CJK character counts as one. "
            "Only where a run asks for it (write.columns).",
            480,
            optional=True,
        ),
        *(_quality(number, name) for number, name in enumerate(QUALITY_HEURISTICS, 52)),
        Column(
            60, "date_modified", pa.date32(), "Day of the last change that the page names, as written.", "2014-03-07"
        ),
        Column(
            61,
            "type",
            pa.string(),
            "Type of the page: article, news, blog, academic, product, recipe, forum, listing, documentation, "
            "reference, home, service, event, job, profile, legal, media, interface or other.",
            "news",
        ),
        Column(62, "type_score", pa.float32(), "Probability, 0 to 1, that the page is of its `type`.", 0.9),
        Column(
            63,
            "text_source",
            pa.string(),
            "Where `text` comes from: dom (the page's elements), json_ld, script or template, python (a Python "
            "extractor), or the name given to thresher merge --source; null if it failed.",
            "dom",
        ),
        Column(
            64,
            "hidden_share",
            pa.float32(),
            "Share, 0 to 1, of the main text's characters that the page hides from its readers, as the extractor chose "
            "(before templates); 1 for a text of the page's data, null for that of a Python extractor.",
            0.0,
        ),
        Column(
            68,
            "text_partial",
            pa.string(),
            "Why `text` is only the part that a page shows to all: `wall` where the notice of a paywall or a login "
            "ends the page's own text, `declared` where the page says that it is not free (isAccessibleForFree, "
            "article:content_tier) and shows little; null where nothing says so, and for a text of the page's data or "
            "of a Python extractor.",
            "wall",
        ),
        Column(
            65,
            HTML,
            pa.string(),
            "The page as it was parsed, in UTF-8; null if it could not be decoded. Only where a run asks for it "
            "(write.blocks, write.columns).",
            "<!DOCTYPE html>…",
            optional=True,
        ),
        Column(
            66,
            OUTLINKS,
            ADDRESSES,
            "Addresses (http and https) that the main text links to: absolute, without fragment, each once, in reading "
            "order, at most 2,000, and not the page's own. Only where a run asks for it (write.columns).",
            ["https://example.org/b"],
            optional=True,
        ),
        Column(
            67,
            RENDERED,
            pa.string(),
            "The text that the crawler's browser showed, as Browsertrix keeps it in a WACZ (`pages/*.jsonl`), by URL; "
            "null elsewhere. Only where a run asks for it (write.columns).",
            "Apple cake Home Cakes Peel four apples…",
            optional=True,
        ),
        *(_stage_time(number, stage) for number, stage in enumerate(PAGE_STAGES)),
        Column(
            90,
            "duplicate_of",
            pa.string(),
            "The id of the first page that this one repeats, in the way that duplicate_reason says: "
            "warc_filename#warc_record_offset, and behind a dot warc_record_number where that is not 0. A page of a "
            "run that --known names comes before one of this run. Null if it repeats none, or if templates were not "
            "counted.",
            "crawl-00000.warc.gz#81234",
        ),
        Column(
            91,
            "duplicate_reason",
            pa.string(),
            "In which way it repeats that page, the surest of: `text`, same payload or same main text on the same "
            "host; `near_text`, nearly the same main text on the same host; `address`, same address (host, path "
            "and whole query) with another text, such as a later capture of a front page.",
            "near_text",
        ),
        Column(
            92,
            "type_group",
            pa.string(),
            "Group of `type`: article (article, news, blog, academic), product, recipe, forum, listing, documentation "
            "(documentation, reference) or other.",
            "article",
        ),
        *(_text(extractor, *column) for extractor, column in _TEXTS.items()),
        # The languages of the text, on request (ids 130 to 139).
        Column(
            130,
            LANGUAGES,
            SHARES,
            "Share, 0 to 1, of the letters of `text` in each language, counted line by line, largest first. Only where "
            "a run asks for it (write.columns).",
            "{ell: 0.9, eng: 0.1}",
            optional=True,
        ),
        *(_opinion(number, model) for number, model in enumerate(LANGUAGE_MODELS, 131)),
        Column(
            139,
            AGREEMENT,
            pa.float32(),
            "Share, 0 to 1, of the opinions that the run asks for (language_cld2 and the like) that are `language`; "
            "null where it asks for none. Only where a run asks for it (write.columns).",
            0.5,
            optional=True,
        ),
        Column(
            140,
            EXTRACTOR_AGREEMENT,
            pa.float32(),
            "Mean word F1, 0 to 1, of `text` with the texts of the run's further extractors; null where it has none. "
            "Only where a run asks for it (write.columns).",
            0.87,
            optional=True,
        ),
        Column(
            141,
            ROUTE,
            pa.string(),
            "What to do with `text` by the thresholds of [route]: trust it, ask a larger model, or drop it; answered "
            "where it is an answer. Only where a run asks for it (write.columns).",
            "ask",
            optional=True,
        ),
        *(_right(number, name) for number, name in enumerate(RIGHTS, 150)),
        *(_of_structure(number, name) for number, name in enumerate(STRUCTURE, 180)),
    ),
)
