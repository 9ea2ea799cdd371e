# SPDX-License-Identifier: Apache-2.0
def named_dates(
    text: str, months: dict[str, int], first_words: frozenset[str]
) -> list[tuple[int, int, int, int, int]]: ...
