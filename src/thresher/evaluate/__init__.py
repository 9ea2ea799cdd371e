# SPDX-License-Identifier: Apache-2.0
"""The bench: how near extractors come to gold texts, over labelled pages, beside other systems.

pages.py        labelled Parquet files -> pages with gold text
tokens.py       words, tokens and sentences of a text
metrics.py      the papers' metrics for one page
systems.py      what can be measured: our extractors, peers, ensembles, under one interface
peers.py        one small adapter for each other system, with its settings
folds.py        which sites are kept apart from which
ensembles.py    votes of several systems over one page
runner.py       runs systems over pages in worker processes with a time limit, and caches texts and scores
difficulty.py   complexity of pages, its estimate without gold, the choice of an extractor, the audit of the gold
summary.py      scores -> tables
report.py       scores -> one HTML file
command.py      `thresher evaluate`
"""
