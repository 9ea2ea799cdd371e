# SPDX-License-Identifier: Apache-2.0
"""Decodes a page once, for every system."""


def decode_page(html: bytes) -> bytes:
    """The page as valid UTF-8, unchanged if it is valid, else decoded by detection with U+FFFD for malformed bytes.

    Never raises.
    """
    try:
        html.decode()
    except UnicodeDecodeError:
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        return bytes_to_str(html, detect_encoding(html) or "utf-8", errors="replace").encode("utf-8", "replace")
    return html
