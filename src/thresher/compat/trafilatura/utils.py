# SPDX-License-Identifier: Apache-2.0
"""Reading pages: bytes, text, responses and trees of lxml; and some of Trafilatura's functions on text."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, Literal

from thresher.compat.trafilatura._names import names_of
from thresher.page.charset import decode
from thresher.page.language import identify_language
from thresher.page.language_models import iso_639_3

__getattr__ = names_of(__name__)

LANGID_FLAG: Final = True  # languages are always identified
HtmlInput = Any
_GZIP: Final = b"\x1f\x8b\x08"
_MAX_BYTES: Final = 20_000_000
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IMAGE: Final = re.compile(r"[^\s]+\.(?:avif|bmp|gif|hei[cf]|jpe?g|png|webp)(?:\b|$)", re.IGNORECASE)


class Response:
    """What a server answered. extract() takes it for its bytes."""

    def __init__(self, data: bytes, status: int, url: str) -> None:
        self.data, self.status, self.url = data, status, url
        self.headers: dict[str, str] | None = None
        self.html: str | None = None

    def __bool__(self) -> bool:
        """Whether there is a body."""
        return self.data is not None

    def __repr__(self) -> str:
        return self.html or decode_file(self.data)

    def store_headers(self, headerdict: Mapping[str, str]) -> None:
        """Keeps headers under their names in lower case."""
        self.headers = {name.lower(): value for name, value in headerdict.items()}

    def decode_data(self, decode: bool, max_size: int | None = None) -> None:
        """Keeps the page as text in `html`, if `decode` says so."""
        if decode and self.data:
            self.html = decode_file(self.data, max_size)

    def as_dict(self) -> dict[str, Any]:
        """The response as a dict."""
        return {name: getattr(self, name) for name in ("data", "headers", "html", "status", "url")}


def handle_compressed_file(filecontent: bytes, max_size: int | None = None) -> bytes:
    """What gzip compressed; other bytes, and what would be more than `max_size` bytes (20 MB), as they are."""
    if not isinstance(filecontent, bytes) or not filecontent.startswith(_GZIP):
        return filecontent
    try:
        limit = max_size or _MAX_BYTES
        found = zlib.decompressobj(31).decompress(filecontent, limit + 1)
        return found if len(found) <= limit else filecontent
    except zlib.error:
        return filecontent


def detect_encoding(bytesobject: bytes) -> list[str]:
    """The charset that a page is in, by the rules of the HTML standard; one name in a list."""
    return [decode(bytesobject).charset]


def decode_file(filecontent: bytes | str, max_size: int | None = None) -> str:
    """A page as text."""
    if isinstance(filecontent, str):
        return filecontent
    return decode(handle_compressed_file(filecontent, max_size)).utf8.decode("utf-8", "replace")


def is_tree(value: object) -> bool:
    """Whether this is an element or a tree of lxml or of the standard library."""
    return hasattr(value, "iter") and (hasattr(value, "tag") or hasattr(value, "getroot"))


def page_of(value: Any, max_size: int | None = None) -> bytes | str:
    """The page that one of Trafilatura's functions was given, as thresher.extract() takes it.

    Raises TypeError for what is none.
    """
    if is_tree(value):
        return markup_of(value)
    if not isinstance(value, bytes | str) and hasattr(value, "data"):
        value = value.data
    if isinstance(value, bytearray | memoryview):
        value = bytes(value)
    if not isinstance(value, bytes | str):
        raise TypeError(f"a page is bytes, str, a response or a tree of lxml, not {type(value).__name__}")
    return handle_compressed_file(value, max_size) if isinstance(value, bytes) else value


def markup_of(tree: Any) -> str:
    """A tree as a page. The tree stays as it is."""
    root = tree.getroot() if hasattr(tree, "getroot") else tree
    if type(root).__module__.startswith("lxml"):
        from lxml.html import tostring

        return str(tostring(root, encoding="unicode", with_tail=False))
    from xml.etree.ElementTree import tostring as write

    return str(write(root, encoding="unicode", method="html"))


def parse_by_lxml(page: bytes | str) -> Any:
    """A page as lxml parses it; None where it is empty. Raises NotImplementedError without lxml."""
    try:
        from lxml.html import HTMLParser, document_fromstring
    except ImportError:
        raise NotImplementedError("this needs lxml: pip install lxml") from None
    text = decode_file(page)
    if not text.strip():
        return None
    # Bytes, and their encoding given to the parser: lxml refuses text that has an XML declaration.
    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        return document_fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser=parser)
    except (ValueError, LookupError) as error:  # lxml's errors of parsing are SyntaxErrors
        raise ValueError(f"lxml cannot parse this page: {error}") from None
    except SyntaxError:
        return None


def load_html(htmlobject: Any, max_size: int | None = None) -> Any:
    """The page as a tree of lxml; a tree as it is; None for what is no HTML. Needs lxml.

    Raises TypeError for what is neither bytes nor str, nor a response, nor a tree.
    """
    if is_tree(htmlobject):
        return htmlobject
    found = page_of(htmlobject, max_size)
    if isinstance(found, bytes) and found.startswith(_GZIP):
        return None  # it would be too long
    page = decode_file(found)
    if "<" not in page:
        return None
    return parse_by_lxml(page)


def pruned(page: bytes | str, expressions: str | list[str]) -> str:
    """A page without the elements that XPath expressions name. Needs lxml."""
    tree = parse_by_lxml(page)
    if tree is None:
        return ""
    for expression in [expressions] if isinstance(expressions, str) else expressions:
        for element in tree.xpath(expression):
            if is_tree(element) and element.getparent() is not None:
                element.drop_tree()
    return markup_of(tree)


def two_letters(code: str | None) -> str | None:
    """The ISO 639-1 code of a language, or the longer one where it has none; None where it is unknown."""
    if code in (None, "und"):
        return None
    return next((short for short, long in iso_639_3().items() if long == code and len(short) == 2), code)


def language_classifier(temp_text: str, temp_comments: str) -> str | None:
    """The language of the longer of two texts: an ISO 639-1 code; None where it cannot be told."""
    return two_letters(identify_language(max(temp_text, temp_comments, key=len))[0])


def trim(string: str) -> str:
    """A text in one line."""
    return " ".join(string.split()).strip()


def remove_control_characters(string: str) -> str:
    """A text without characters that XML cannot hold."""
    return _NO_XML.sub("", string)


def normalize_unicode(string: str, unicodeform: Literal["NFC", "NFD", "NFKC", "NFKD"] = "NFC") -> str:
    """A text in a normal form of Unicode."""
    return unicodedata.normalize(unicodeform, string)


def as_list(value: Any) -> list[Any]:
    """A list as it is, nothing for None, anything else in a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


def make_chunks(iterable: Iterable[str], n: int) -> Iterator[tuple[str, ...]]:
    """The values in tuples of n."""
    values = iter(iterable)
    while chunk := tuple(islice(values, n)):
        yield chunk


def is_image_file(imagesrc: str | None) -> bool:
    """Whether an address ends like an image's."""
    return bool(imagesrc and len(imagesrc) <= 8192 and _IMAGE.match(imagesrc))


def is_acceptable_length(my_len: int, options: Any) -> bool:
    """Whether a page of this many bytes is within the limits of the options."""
    return bool(options.min_file_size <= my_len <= options.max_file_size)


def text_chars_test(string: str | None) -> bool:
    """Whether a text is more than white space."""
    return bool(string and not string.isspace())
