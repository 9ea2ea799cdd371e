# SPDX-License-Identifier: Apache-2.0
"""The laboratory: measuring extractors, labelling pages, fitting the models, and methods of others as they stand in
their papers. Nothing that extracts imports it.
"""
