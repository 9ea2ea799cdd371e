# SPDX-License-Identifier: Apache-2.0
"""Several pages of a host: fingerprints of blocks, and which nodes of one page stand on another."""
