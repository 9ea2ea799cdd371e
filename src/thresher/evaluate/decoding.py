# SPDX-License-Identifier: Apache-2.0
"""One decoding of a page for every system."""

from resiliparse.parse.encoding import bytes_to_str, detect_encoding


def decode_page(html: bytes) -> bytes:
    """The page as valid UTF-8: as it stands where it is valid, else as detected; malformed bytes become U+FFFD. No error for any bytes."""
    try:
        html.decode()
    except UnicodeDecodeError:
        return bytes_to_str(html, detect_encoding(html) or "utf-8", errors="replace").encode("utf-8", "replace")
    return html
