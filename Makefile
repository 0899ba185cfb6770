# make play    play, watch and analyse in the browser
# make test    lint, types and the whole quick test run
# make wheels  a wheel with machine code for each Python that is at hand, and a pure one, in dist
# make test-others    a part of the tests on every other Python that is at hand
# make test-gpu    games on a graphics card held against those on the processors: all games, a million each
# All set up everything they need in .venv the first time (test-others in .venv-3.12 and so on).

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# What differs between Pythons: databases, processes, pipes, threads, sockets, compiled code, the command.
PART := tests/arena/test_ledger.py tests/arena/test_referee.py tests/bots/test_protocol.py tests/web/test_http.py \
  tests/web/test_store.py tests/core/test_record.py \
  $(addprefix tests/test_cli.py::test_,games_and_agents_tell_what_there_is match_prints_json_and_nothing_else \
    a_person_can_play_ask_undo_leave_and_go_on the_installed_command_works_in_a_pipe)

.PHONY: wheels play test test-part test-others test-gpu bench clean
.DEFAULT_GOAL := test

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
	  || { echo "Kibitz needs Python 3.11 to 3.13; name one with: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@echo "Setting up a virtual environment in $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: pyproject.toml constraints.txt $(VENV)/made
	@echo "Installing Kibitz and what it stands on (numba, NumPy, SciPy, click, Rich, Starlette, uvicorn)"
	@$(PIP) install --constraint constraints.txt --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt $(VENV)/made
	@echo "Installing Kibitz, what it stands on, and what the tests need"
	@$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $(VENV)/installed $@

play: $(VENV)/installed
	@$(BIN)/kibitz serve || { test $$? -eq 2 && $(BIN)/kibitz serve --port 0; }  # where the usual port is taken

# Tests start hundreds of processes, each of which would compile all modules that it imports, and on busy cores the
# threads of NumPy's matrix products wait for each other in loops that take more time than the products.
test test-part: export PYTHONDONTWRITEBYTECODE =
test test-part: export OPENBLAS_NUM_THREADS = 1
test: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/python -m kibitz.cli.precompile  # once and on all cores; the tests share it
	$(BIN)/pytest -n 3 --dist worksteal

test-part: $(VENV)/installed-dev
	$(BIN)/pytest -n 2 --dist worksteal $(PART)

test-others: $(VENV)/made
	@.ci/others $(BIN)/python

test-gpu: $(VENV)/installed
	@$(PIP) install --constraint constraints.txt --editable '.[gpu]'
	@$(BIN)/python -m tests.batches.on_card

bench: $(VENV)/installed
	$(BIN)/kibitz bench

wheels:
	@tools/wheels

clean:
	rm -rf dist .wheels .venv .venv-3.* .pytest_cache .mypy_cache .ruff_cache
