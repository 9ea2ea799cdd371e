# SPDX-License-Identifier: Apache-2.0
"""The text of the kept blocks, as lines, Markdown or HTML."""
