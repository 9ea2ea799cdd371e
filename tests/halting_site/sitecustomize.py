# SPDX-License-Identifier: Apache-2.0
"""Imported by every Python process that has this folder on its PYTHONPATH."""

from halting import halt_at_files

halt_at_files()
