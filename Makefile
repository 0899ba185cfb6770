# make play    play, watch and analyse in the browser
# make test    lint, types and the whole quick test run
# Both set up everything they need in .venv the first time.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: play test bench clean
.DEFAULT_GOAL := test

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
	  || { echo "Kibitz needs Python 3.11 to 3.13; name one with: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@echo "Setting up a virtual environment in .venv (once)"
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/installed: pyproject.toml constraints.txt .venv/made
	@echo "Installing Kibitz and what it stands on (numba, NumPy, SciPy, click, Rich, Starlette, uvicorn)"
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

.venv/installed-dev: pyproject.toml constraints.txt .venv/made
	@echo "Installing Kibitz, what it stands on, and what the tests need"
	@$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch .venv/installed $@

play: .venv/installed
	@$(BIN)/kibitz serve || { test $$? -eq 2 && $(BIN)/kibitz serve --port 0; }  # where the usual port is taken

# Tests start hundreds of processes, each of which would compile all modules that it imports.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist worksteal

bench: .venv/installed
	$(BIN)/kibitz bench

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache
