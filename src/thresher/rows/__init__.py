# SPDX-License-Identifier: Apache-2.0
"""What a page becomes: rows of the tables, batch by batch. Nothing here writes a file or starts a process."""
