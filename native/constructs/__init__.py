# SPDX-License-Identifier: Apache-2.0
"""Constructs: formulas, listings, footnotes and the like, rewritten as one text before a page is measured."""
