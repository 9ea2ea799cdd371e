# SPDX-License-Identifier: Apache-2.0
"""A run: its partitions, the processes that work on them, and what becomes of the results."""
