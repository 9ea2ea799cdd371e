# SPDX-License-Identifier: Apache-2.0
"""Which addresses are public: every block of the IANA registries of special-purpose addresses, at its edges."""

import ipaddress

import pytest

from thresher.reading.ip_addresses import is_public

SPECIAL = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    "::/128", "::1/128", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001:db8::/32", "2002::/16",
    "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "ff00::/8",
)  # fmt: skip


@pytest.mark.parametrize("block", SPECIAL)
def test_no_address_of_a_special_block_is_public(block: str) -> None:
    network = ipaddress.ip_network(block)
    first, last = network.network_address, network.broadcast_address
    middle = first + (int(last) - int(first)) // 2
    for address in (first, middle, last):
        assert not is_public(str(address))
        if address.version == 4:
            assert not is_public(f"::ffff:{address}")
            assert not is_public(f"64:ff9b::{address}")


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
        "192.0.1.0", "192.88.98.255", "192.88.100.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
        "2001:200::1", "2606:4700::1111", "2a00::1", "3ffd::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1",
    ],
)  # fmt: skip
def test_their_neighbours_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", ["192.0.0.192", "192.88.99.1", "3fff::1", "fe80::1%eth0", "mill.example", "", "1"])
def test_what_is_no_public_address(address: str) -> None:
    assert not is_public(address)
