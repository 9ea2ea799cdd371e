# SPDX-License-Identifier: Apache-2.0
"""Extractors: one file each, one row each in registry.pyx."""
