# SPDX-License-Identifier: Apache-2.0
"""Evaluation: how close extractors come to gold texts on labelled pages, next to other systems.

pages.py        labelled Parquet files -> pages with gold text
tokens.py       words, tokens and sentences of a text
metrics.py      the papers' metrics for one page
systems.py      what can be measured: our extractors, peers, ensembles, behind one interface
peers.py        the other systems: one small adapter each, with its settings
folds.py        which sites are kept apart
ensembles.py    votes of several systems on one page
runner.py       runs systems over pages in worker processes with a time limit
measuring_process.py  what runs in such a process
cache.py        keeps texts and scores
difficulty.py   complexity of pages, its estimate without gold text, choice of an extractor, audit of the gold texts
summary.py      scores -> tables
drawing.py      tables -> figures
report.py       everything -> one HTML file (report.html is the template)
bench.py        pages, cache and workers together
metadata.py     titles, authors and dates against labels
gate.py         quality floors for our extractors
"""
