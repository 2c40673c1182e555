# Farol. `make` alone says what there is; docs/setup.md says what set-up fetches and makes.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Swift jobs at once.
JOBS ?= 2
SWIFT_BUILD := swift build --jobs $(JOBS)
FAROL := .build/release/farol
# How often `make test-crash` kills the server.
KILLS ?= 200
FAROL_DATABASE ?= data/farol.db
FAROL_LISTEN ?= 127.0.0.1:8080
export FAROL_DATABASE FAROL_LISTEN

.NOTPARALLEL:
.PHONY: help setup run test bench lint format
.PHONY: build sample test-setup test-build test-swift test-front test-browser test-crash test-crash-briefly test-photos test-photos-debug test-thread test-address clean

help: ## says what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

setup: ## brings packages, libraries and map data (for running)
	@setup/setup.sh run

run: setup build sample ## builds Farol, loads the sample once, serves the map
	@echo "==> Farol starts at http://$(FAROL_LISTEN)/ (Ctrl-C stops it)"
	@exec $(FAROL) serve

build:
	@echo "==> Building Farol for release (minutes the first time, seconds after)"
	@$(SWIFT_BUILD) --configuration release --product farol
	@$(SWIFT_BUILD) --configuration release --product farol-image

sample:
	@setup/sample.sh $(FAROL)

test: test-setup test-swift test-front test-crash-briefly test-photos-debug test-browser ## runs every test
	@echo "==> All tests passed"

test-setup:
	@setup/setup.sh test

test-build: test-setup
	@echo "==> Building Farol and its tests"
	@$(SWIFT_BUILD) --build-tests

test-swift: test-build
	@echo "==> Testing"
	@swift test --skip-build

test-front: test-setup
	@setup/test-front.sh

test-browser: test-build
	@setup/test-browser.sh

test-crash-briefly: test-build
	@setup/test-crash.sh debug 5

test-crash: setup build ## kills the server 200 times under load and counts what it lost
	@setup/test-crash.sh release $(KILLS)

test-photos-debug: test-build
	@setup/test-photos.sh debug

test-photos: test-setup build ## attacks the photos of a release build and measures what it costs
	@setup/test-photos.sh release

test-thread: setup ## the Swift tests under the thread sanitizer (heavy)
	@swift test --jobs $(JOBS) --scratch-path .build-thread --sanitize=thread

test-address: setup ## the Swift tests under the address sanitizer (heavy)
	@swift test --jobs $(JOBS) --scratch-path .build-address --sanitize=address

bench: ## measures a release build on a synthetic world (heavy)
	@setup/setup.sh bench
	@$(SWIFT_BUILD) --configuration release --product farol
	@$(SWIFT_BUILD) --configuration release --product farol-bench
	@bench/run

lint: ## checks the formatting
	@swift format lint --strict --recursive Package.swift Sources Tests

format: ## mends the formatting
	@swift format --in-place --recursive Package.swift Sources Tests

clean: ## removes what was built and made; keeps the database
	rm -rf .build .build-* .venv public/vendor data/.made data/.unpacked \
	  data/basemap*.mbtiles data/places.db
