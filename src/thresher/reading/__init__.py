# SPDX-License-Identifier: Apache-2.0
"""Inputs, archives and their records, read from files, web servers and object stores."""
