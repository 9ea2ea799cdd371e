# SPDX-License-Identifier: Apache-2.0
PARAMETERS: dict[str, dict[str, float]]
NAMES: tuple[str, ...]
READS_CONCEALED: frozenset[str]
MEMBERS: dict[str, tuple[int, int]]

def prepare(index: int) -> None: ...
