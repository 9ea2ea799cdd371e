# SPDX-License-Identifier: Apache-2.0
"""Measures of every node of a page, and its blocks of visible text."""
