# SPDX-License-Identifier: Apache-2.0
"""Thresher inside other tools. Each module needs the tool that it is named after."""
