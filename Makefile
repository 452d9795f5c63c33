# Everything here works on a fresh machine: git, make, Python 3.11 or later and the package registries are all it takes.

PYTHON ?= python3
WORKLOAD ?= workloads/guide.yaml
WORKLOADS ?= workloads/*.yaml
TEMPLATES ?= dist/templates
VENV := .venv
READY := $(VENV)/.ready

# tracing makes the pure rooms' tests twice as long and their simulations thrice; what is not judged by lines goes without
PYTEST := pytest --numprocesses 4 --dist loadfile
PURE := $(addprefix tests/,catalog checks clients following policy report sizing templates training tuning watching workload)
SIMULATIONS := $(addprefix tests/sizing/test_,brute_force.py cache_laws.py epoch_simulator.py planner_properties.py)
TRACED := $(PURE) constructs
UNTRACED := $(filter-out $(PURE) tests/__pycache__,$(patsubst %/,%,$(wildcard tests/*/))) $(SIMULATIONS) docs

# the project's own python, node and cdk come first, in make and in what it starts
export PATH := $(CURDIR)/$(VENV)/bin:$(CURDIR)/node_modules/.bin:$(PATH)

.DEFAULT_GOAL := help

.PHONY: help
help:
	@echo "make synth       plan WORKLOAD ($(WORKLOAD)) and write its templates to cdk.out/"
	@echo "make templates   write the templates of WORKLOADS ($(WORKLOADS)) to $(TEMPLATES)/, to deploy without the CDK"
	@echo "make test        run every check and test"
	@echo "make docs        build the documentation site into site/"
	@echo "make setup       install everything into $(VENV)/ and node_modules/"
	@echo "make format      let ruff format and mend the code"
	@echo "make benchmark   print what is measured, as ratios"
	@echo "make clean       remove what make made"

.PHONY: setup
setup: $(READY)

$(READY): pyproject.toml constraints.txt package.json package-lock.json
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "epochwise needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version 2>&1); say make PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	npm ci --silent
	@touch $@

.PHONY: synth
synth: setup
	epochwise plan $(WORKLOAD)
	cdk synth --quiet --context workload=$(WORKLOAD)

.PHONY: templates
templates: setup
	python -m stacks.templates $(WORKLOADS) --output $(TEMPLATES)

.PHONY: test
test: setup
	ruff check .
	ruff format --check .
	lint-imports
	mypy
	$(PYTEST) --cov --cov-report term $(TRACED) $(SIMULATIONS:%=--ignore=%)
	$(PYTEST) $(UNTRACED)

.PHONY: docs
docs: setup
	NO_MKDOCS_2_WARNING=1 python -m mkdocs build

.PHONY: format
format: setup
	ruff check --fix .
	ruff format .

.PHONY: benchmark
benchmark: setup
	python benchmarks/run.py
	python -m benchmarks.scale
	python -m benchmarks.listing

.PHONY: clean
clean:
	rm -rf $(VENV) node_modules cdk.out dist site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage
