# SPDX-License-Identifier: Apache-2.0
"""The learned scorer: the features of each block, its trees, and the choice of blocks."""
