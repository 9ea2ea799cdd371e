# SPDX-License-Identifier: Apache-2.0
"""Which blocks are kept: extractors, one file each and one row each in registry.pyx, and the rules that come after."""
