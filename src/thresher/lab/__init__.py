# SPDX-License-Identifier: Apache-2.0
"""The laboratory: measuring extractors, labelling pages, and fitting the models. Nothing that extracts imports it."""
