# SPDX-License-Identifier: Apache-2.0
"""From bytes to a sealed tree: the WHATWG tokenizer and tree construction."""
