# SPDX-License-Identifier: Apache-2.0
"""Which IP addresses lie on the public internet.

Python's `is_global` changes from release to release and knows neither deprecated blocks nor addresses that carry
another one inside. So the blocks of the two IANA registries of special-purpose addresses are listed here.
"""

from __future__ import annotations

import ipaddress
from typing import Final

_SPECIAL_V4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments, such as the gateways that translate addresses
            "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
            "192.88.99.0/24",  # relays of 6to4, deprecated
            "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
            "224.0.0.0/4", "240.0.0.0/4",
        ),
    )
)  # fmt: skip
_UNICAST_V6: Final = ipaddress.IPv6Network("2000::/3")  # all that is given out to networks
_SPECIAL_V6: Final = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32", "2002::/16", "2620:4f:8000::/48",
            "3ffe::/16",  # the 6bone, given back
            "3fff::/20",
        ),
    )
)  # fmt: skip
_TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")  # an IPv4 address behind a NAT64


def is_public(address: str) -> bool:
    """True for an IP address that anybody can reach: not private, local, reserved, multicast or of a service of its
    network, and no tunnel to such an address. False for what is no address.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped
        if found in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is None:
            return found in _UNICAST_V6 and not any(found in block for block in _SPECIAL_V6)
        found = inner
    return not any(found in block for block in _SPECIAL_V4)
