# SPDX-License-Identifier: Apache-2.0
"""The hash table of the core (native/base/hash_table.pxd) against a dict, and keys that were chosen to meet."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.native.base.number_table import NumberTable, bytes_key

MASK = (1 << 64) - 1


@given(st.lists(st.tuples(st.sampled_from(["enter", "enter", "enter", "get", "clear"]), st.integers(0, 40))))
def test_it_does_what_a_dict_does(steps):
    table, model = NumberTable(), {}
    for number, (what, small) in enumerate(steps):
        key = small * 0x9E3779B97F4A7C15 & MASK
        if what == "enter":
            assert table.enter(key, number) == model.setdefault(key, number)
        elif what == "get":
            assert table.get(key) == model.get(key)
        else:
            table.clear()
            model.clear()
        assert len(table) == len(model)


def test_it_grows_and_forgets():
    table = NumberTable()
    for key in range(100_000):
        assert table.enter(key, key ^ 1) == key ^ 1
    assert len(table) == 100_000
    assert all(table.get(key) == key ^ 1 for key in range(100_000))
    assert table.get(100_000) is None
    table.clear()
    assert len(table) == 0
    assert table.get(5) is None


@pytest.mark.parametrize(
    "keys",
    [
        list(range(20_000)),
        [i << 40 for i in range(20_000)],
        # All in one place of a table that takes the high bits of a product with the golden ratio, whatever the seed it
        # adds.
        [i * pow(0x9E3779B97F4A7C15, -1, 1 << 64) & MASK for i in range(20_000)],
    ],
    ids=["in a row", "high bits", "made for a known multiplier"],
)
def test_keys_in_a_pattern_do_not_meet(keys):
    table = NumberTable()
    for key in keys:
        table.enter(key, 0)
    assert table.longest_search() < 1000


def test_strings_made_to_meet_in_a_multiplicative_hash_have_keys_of_their_own():
    """Two words that differ in their top bits cancel in `h = (h ^ word) * odd; h ^= h >> 32`, whatever its seed."""
    first, second = b"abcdefgh", b"ijklmnop"
    other_first = first[:7] + bytes([first[7] ^ 0x80])
    other_second = second[:3] + bytes([second[3] ^ 0x80]) + second[4:7] + bytes([second[7] ^ 0x80])
    pairs = [first + second, other_first + other_second]
    names = {b"".join(pairs[number >> bit & 1] for bit in range(8)) for number in range(256)}
    assert len(names) == 256
    assert len({bytes_key(name) for name in names}) == 256


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_different_strings_have_different_keys(one, other):
    assert (bytes_key(one) == bytes_key(other)) == (one == other)


def test_keys_are_new_in_every_process():
    code = "from thresher.native.base.number_table import bytes_key; print(bytes_key(b'thresher'))"
    keys = {
        subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True, env=os.environ).stdout
        for _ in range(2)
    }
    assert len(keys) == 2
