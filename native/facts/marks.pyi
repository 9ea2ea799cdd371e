# SPDX-License-Identifier: Apache-2.0
MARKS: dict[str, int]
WORDS: dict[int, str]
