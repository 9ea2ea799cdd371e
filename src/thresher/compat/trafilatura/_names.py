# SPDX-License-Identifier: Apache-2.0
"""The public names of Trafilatura's modules, and what stands for those that Thresher has no counterpart for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NoReturn

__all__ = ["LOGGER", "NAMES", "NotOffered", "names_of"]

LOGGER: Final = logging.getLogger("thresher.compat.trafilatura")

_FETCHING: Final = (
    "Thresher extracts pages and does not fetch them. Fetch the page with urllib.request, requests or httpx and pass "
    "its bytes to extract(). For many pages let a crawler write WARC, and run `thresher extract crawl.warc.gz -o out`"
)
_LINKS: Final = (
    "Thresher does not look for pages in feeds, sitemaps or links. Use a crawler that writes WARC, such as Browsertrix "
    "or Heritrix, or an index of Common Crawl, and `thresher extract`"
)
_COMMANDS: Final = (
    "the command line is offered as `python -m thresher.compat.trafilatura.cli`, not its parts. For many pages use "
    "`thresher extract`"
)
_INTERNALS: Final = (
    "it is a part of Trafilatura's own extraction, which Thresher does otherwise. thresher.extract(page).blocks says "
    "what was kept of a page and why"
)
_REASONS: Final = {
    "downloads": _FETCHING,
    "feeds": _LINKS,
    "sitemaps": _LINKS,
    "spider": _LINKS,
    "cli": _COMMANDS,
    "cli_utils": _COMMANDS,
}

# In the order in which a name is looked for that several modules have.
NAMES: Final = {
    module: tuple(names.split())
    for module, names in {
        "core": """
            ESCALATION_ACCEPT_RATIO ESCALATION_JUSTEXT_RATIO ESCALATION_MAX_LENGTH ESCALATION_PAGE_SHARE TXT_FORMATS
            bare_extraction determine_returnstring extract extract_with_metadata trafilatura_sequence
        """,
        "baseline": """
            baseline basic_cleaning block_text html2txt
        """,
        "settings": """
            BASIC_CLEAN_XPATH CPU_COUNT CUT_EMPTY_ELEMS DEDUPE_SCAN_CAP DEFAULT_CONFIG Document Extractor
            FILENAME_LEN INLINE_CARRIED INLINE_CONSUMING INLINE_FORMATTABLE JUSTEXT_LANGUAGES LRU_SIZE
            MANUALLY_CLEANED MANUALLY_STRIPPED MAX_FEEDS_CHECKED MAX_FILES_PER_DIRECTORY MAX_LINKS MAX_SITEMAPS_SEEN
            MIN_DUPLICATE_LENGTH PARALLEL_CORES SUPPORTED_FMT_CLI SUPPORTED_FORMATS TAG_CATALOG args_to_extractor
            set_date_params use_config
        """,
        "metadata": """
            CLEAN_META_TAGS EXTRA_META HTMLTITLE_REGEX JSON_MINIFY LICENSE_REGEX METANAME_AUTHOR
            METANAME_DESCRIPTION METANAME_IMAGE METANAME_PUBLISHER METANAME_TAG METANAME_TITLE META_URL OG_AUTHOR
            OG_PROPERTIES PROPERTY_AUTHOR TEXT_LICENSE_REGEX TWITTER_ATTRS URL_SELECTORS check_authors examine_meta
            examine_title_element extract_author extract_catstags extract_license extract_meta_json extract_metadata
            extract_metainfo extract_opengraph extract_sitename extract_title extract_url normalize_tags
            parse_license_element
        """,
        "utils": """
            DOCTYPE_TAG FAULTY_HTML FORMATTING_PROTECTED HAS_BROTLI HAS_ZSTD HTML_PARSER HTML_STRIP_TAGS HtmlInput
            IMAGE_EXTENSION INVALID_XML_CHARS LANGID_FLAG LINES_TRIMMING LINK_FARM_RATIO MAX_MEMBERS RE_FILTER
            RE_HTML_LANG Response SPACING_PROTECTED TARGET_LANG_ATTRS UNICODE_ALIASES URL_BLACKLIST_REGEX as_list
            cchardet_detect check_html_lang decode_file detect_encoding fromstring_bytes handle_compressed_file
            image_src is_acceptable_length is_dubious_html is_image_file language_classifier language_filter
            line_processing load_html make_chunks normalize_unicode remove_control_characters repair_faulty_html
            return_printables_and_spaces safe_base_url safe_relative_url sanitize sanitize_tree text_chars_test
            textfilter trim
        """,
        "xml": """
            CONTROL_PARSER HEADING_LEVELS HI_FORMATTING HI_HTML_TAGS MERGEABLE_RENDS META_ATTRIBUTES
            NESTING_WHITELIST NEWLINE_ELEMS PKG_VERSION SEPARATORS SPECIAL_FORMATTING TEI_DIV_SIBLINGS TEI_DTD
            TEI_REMOVE_TAIL TEI_SCHEMA TEI_VALID_ATTRS TEI_VALID_TAGS WITH_ATTRIBUTES add_xml_meta build_json_output
            build_tei_output build_xml_output check_tei clean_attributes control_xml_output delete_element
            is_padding_cell keeps_empty merge_with_parent meta_items process_element remove_empty_elements
            replace_element_text separates_inline strip_double_tags validate_tei write_fullheader write_teitree
            xmltocsv xmltotxt
        """,
        "deduplication": """
            LRUCache LRU_TEST STRIP_EXTENSION Simhash content_fingerprint duplicate_test generate_bow_hash
            is_similar_domain sample_tokens
        """,
        "cli": """
            add_args main map_args parse_args process_args
        """,
        "cli_utils": """
            CHAR_CLASS CLEAN_XML EXTENSION_MAPPING HAS_GZIP INPUT_URLS_ARGS STRIP_DIR STRIP_EXTENSION archive_html
            build_exploration_dict check_outputdir_status cli_crawler cli_discovery determine_counter_dir
            determine_output_path download_queue_processing examine file_processing file_processing_pipeline
            generate_filelist generate_hash_filename get_writable_path load_blacklist load_input_dict
            load_input_urls probe_homepage process_result url_processing_pipeline write_result
        """,
        "downloads": """
            CURL_PROXY_VARS CURL_SHARE CURL_SSL_ERRORS DEFAULT_HEADERS FORCE_STATUS HAS_PYCURL HTTP_POOL MAX_BACKOFF
            MAX_STATUS_RETRIES NO_CERT_POOL PROXY_URL USER_AGENT add_to_compressed_dict buffered_downloads
            buffered_response_downloads create_pool fetch_response fetch_url is_live_page load_download_buffer
        """,
        "external": """
            ReadabilityDocument
            JT_STOPLIST JUSTEXT_OVERRIDE_RATIO SANITIZED_XPATH compare_extraction jt_stoplist_init justext_rescue
            sanitize_tree try_justext try_readability
        """,
        "feeds": """
            BLACKLIST FEED_OPENING FEED_TYPES FeedParameters LINK_ATTRIBUTES LINK_ATTRS LINK_ELEMENTS
            LINK_VALIDATION_RE determine_feed extract_links find_feed_urls find_links handle_link_list
            is_potential_feed probe_gnews try_homepage
        """,
        "htmlprocessing": """
            CODE_INDICATORS CONVERSIONS HTML_CONVERSIONS HTML_TAG_MAPPING PRESERVE_IMG_CLEANING REND_TAG_MAPPING
            TEX_ANNOTATION_XPATH build_html_output collect_link_info convert_deletions convert_details
            convert_headings convert_line_breaks convert_link convert_lists convert_quotes convert_tags
            convert_to_html delete_by_link_density handle_textnode is_paragraph_listing link_density_test
            link_density_test_tables process_node prune_html prune_unwanted_nodes recover_math tree_cleaning
        """,
        "json_metadata": """
            AUTHOR_ATTRS AUTHOR_EMAIL AUTHOR_EMOJI_REMOVE AUTHOR_PREFIX AUTHOR_REMOVE_NICKNAME AUTHOR_REMOVE_NUMBERS
            AUTHOR_REMOVE_PREPOSITION AUTHOR_REMOVE_SPECIAL AUTHOR_REPLACE_JOIN AUTHOR_SPLIT AUTHOR_TWITTER
            JSON_ARTICLE_SCHEMA JSON_AUTHOR_1 JSON_AUTHOR_2 JSON_AUTHOR_REMOVE JSON_CATEGORY JSON_HEADLINE JSON_NAME
            JSON_OGTYPE_SCHEMA JSON_PUBLISHER JSON_PUBLISHER_SCHEMA JSON_SCHEMA_ORG JSON_SCHEMA_TYPES JSON_SEQ
            JSON_TYPE JSON_UNICODE_REPLACE extract_json extract_json_author extract_json_parse_error
            is_plausible_sitename normalize_authors normalize_json process_parent
        """,
        "main_extractor": """
            CODES_QUOTES KEEP_ATTRS NOT_AT_THE_END REBUILT_BLOCKS TABLE_ELEMS define_cell_type define_newelem
            extract_comments extract_content handle_code_blocks handle_formatting handle_image handle_lists
            handle_other_elements handle_paragraphs handle_quotes handle_table handle_textelem handle_titles
            is_code_block_element is_text_element process_nested_elements prune_unwanted_sections recover_wild_text
            update_elem_rendition
        """,
        "meta": """
            reset_caches
        """,
        "readability_lxml": """
            Candidate DISPLAY_NONE DIV_TO_P_PREFIXES DOT_SPACE Document FRAME_TAGS LIST_TAGS REGEXES REGEXPS
            TAG_SCORES TEXT_CLEAN_ELEMS is_node_visible is_probably_readerable text_length
        """,
        "sitemaps": """
            DETECT_LINKS DETECT_SITEMAP_LINK GUESSES HREFLANG_REGEX POTENTIAL_SITEMAP SCRUB_REGEX SITEMAP_FORMAT
            SITEMAP_NAMESPACE SitemapObject WHITELISTED_PLATFORMS XHTML_REGEX extract_robots_sitemaps
            find_robots_sitemaps is_plausible_sitemap sitemap_search
        """,
        "spider": """
            CrawlParameters MAX_KNOWN_URLS MAX_SEEN_URLS ROBOTS_TXT_URL URL_STORE crawl_page focused_crawler
            get_rules init_crawl is_still_navigation is_target_language parse_robots probe_alternative_homepage
            process_links process_response refresh_detection
        """,
        "xpaths": """
            AUTHOR_DISCARD_XPATHS AUTHOR_XPATHS BODY_XPATH CATEGORIES_XPATHS COMMENTS_DISCARD_XPATH COMMENTS_XPATH
            DISCARD_IMAGE_ELEMENTS OVERALL_DISCARD_XPATH PRECISION_DISCARD_XPATH RAW_TREE_PRUNE_XPATH REGEXP_NS
            REMOVE_COMMENTS_AND_LISTS_XPATH REMOVE_COMMENTS_XPATH TAGS_XPATHS TEASER_DISCARD_XPATH TITLE_XPATHS
        """,
    }.items()
}


class NotOffered:
    """Stands for a name of Trafilatura that Thresher has no counterpart for. Any use of it raises NotImplementedError
    with what to use instead; importing it does not.
    """

    def __init__(self, name: str, reason: str) -> None:
        self.__name__ = name.rpartition(".")[2]
        self._message = f"thresher.compat.trafilatura has no {name}: {reason}."

    def _refuse(self, *_arguments: object, **_keywords: object) -> NoReturn:
        raise NotImplementedError(self._message)

    __call__ = __iter__ = __getitem__ = __contains__ = __len__ = __bool__ = __or__ = __add__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # asked by inspect, copy and pickle, which expect this error
            raise AttributeError(name)
        raise NotImplementedError(self._message)

    def __repr__(self) -> str:
        return f"<not offered: {self._message}>"


def names_of(module: str) -> Callable[[str], Any]:
    """A module's `__getattr__`: the names that another module here defines, and NotOffered for the others."""
    package, _, own = module.rpartition(".")

    def find(name: str) -> Any:
        if name == "LOGGER":
            return LOGGER
        homes = [home for home, names in NAMES.items() if name in names]
        home = own if own in homes else homes[0] if homes else None
        if home is None:
            message = f"module {module!r} has no attribute {name!r}"
            raise AttributeError(message)
        if home != own:
            return getattr(import_module(f"{package}.{home}"), name)
        return NotOffered(f"{home}.{name}", _REASONS.get(home, _INTERNALS))

    return find
