# SPDX-License-Identifier: Apache-2.0
"""The output: tables, run folder, ledger, and the stores they lie in."""
