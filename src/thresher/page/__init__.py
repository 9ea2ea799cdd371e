# SPDX-License-Identifier: Apache-2.0
"""One page: its bytes to text, metadata and figures."""
