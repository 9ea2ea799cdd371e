# SPDX-License-Identifier: Apache-2.0
CODED_TAGS: tuple[str, ...]
