# SPDX-License-Identifier: Apache-2.0
"""What every node of a page holds, and its blocks of visible text."""
