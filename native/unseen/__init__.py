# SPDX-License-Identifier: Apache-2.0
"""Prose that a page holds and shows nobody: strings in the data of its scripts, and what template elements hold."""
