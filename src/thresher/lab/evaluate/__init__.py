# SPDX-License-Identifier: Apache-2.0
"""Evaluation: how close extractors come to gold texts on labelled pages, next to other systems.

labelled_pages.py puts the parts together: pages, systems, the cache and the workers; facts.py and webmainbench.py
measure by themselves. Floors for our extractors are tests (tests/gate).
"""
