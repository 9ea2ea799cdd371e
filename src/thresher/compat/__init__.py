# SPDX-License-Identifier: Apache-2.0
"""Drop-in modules for those who come from another extractor: the same functions, with Thresher's results."""
