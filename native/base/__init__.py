# SPDX-License-Identifier: Apache-2.0
"""What every room stands on: arrays, tables, text, checks. It knows nothing of pages."""
