# SPDX-License-Identifier: Apache-2.0
"""A run: its partitions, who works on them, what becomes of the results, and how it ended."""
