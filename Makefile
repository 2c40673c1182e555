# Farol. `make` alone says what there is; docs/setup.md says what set-up fetches and makes.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Swift jobs at once.
JOBS ?= 2
SWIFT_BUILD := swift build --jobs $(JOBS)
FAROL := .build/release/farol
# Cases that `make test-clients` lets schemathesis make up for each operation.
EXAMPLES ?= 60
# How often `make test-crash` kills the server.
KILLS ?= 200
# Seconds that `make fuzz` gives each parser.
FUZZ_TIME ?= 60
# How long `make soak` lasts, and on how many devices when FAROL_DATABASE names no database.
MINUTES ?= 10
DEVICES ?= 1000000
# Where `make install` puts Farol.
PREFIX ?= /usr/local
DESTDIR ?=
# Programs that need no Swift where they run.
STATIC := .build-package
# Swift's own linker can pack what the loader has to put right, which is 3 MB of a program that has the
# runtime inside (glibc 2.36 and later read it); that nobody links to it saves another.
SWIFT_BUILD_STATIC := $(SWIFT_BUILD) --configuration release --static-swift-stdlib --scratch-path $(STATIC) \
  -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
FAROL_DATABASE ?= data/farol.db
FAROL_LISTEN ?= 127.0.0.1:8080
export FAROL_DATABASE FAROL_LISTEN

.NOTPARALLEL:
.PHONY: help setup run test bench lint format streets
.PHONY: bench-locks bench-metrics bench-pages bench-peer build test-proxies sample test-setup test-build test-swift test-front test-browser reference-pictures test-clients test-clients-briefly test-crash test-crash-briefly test-photos test-photos-debug test-thread test-address test-load-thread test-load-address load-sanitized clean
.PHONY: build-static install install-map deb test-package
.PHONY: test-faults test-load soak fuzz test-backup test-backup-briefly test-operations

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

test: test-setup test-swift test-front test-clients-briefly test-crash-briefly test-backup-briefly test-photos-debug test-browser ## runs every test
	@echo "==> All tests passed"

test-setup:
	@setup/setup.sh test

test-build: test-setup
	@echo "==> Building Farol and its tests"
	@$(SWIFT_BUILD) --build-tests

test-swift: test-build
	@setup/test-swift.sh

test-front: test-setup
	@setup/test-front.sh

test-browser: test-build
	@setup/test-browser.sh

reference-pictures: test-build ## makes the pictures anew that test-browser compares the pages with
	@FAROL_REFERENCE_PICTURES=make setup/test-browser.sh test_pictures

test-clients-briefly: test-build
	@setup/test-clients.sh

test-clients: ## lets GDAL, QGIS and R read a running Farol, and schemathesis take its time
	@setup/setup.sh clients
	@$(SWIFT_BUILD) --build-tests
	@FAROL_EXAMPLES=$(EXAMPLES) setup/test-clients.sh
	@setup/test-clients.sh --heavy

test-crash-briefly: test-build
	@setup/test-crash.sh debug 5

test-crash: setup build ## kills the server 200 times under load and counts what it lost
	@setup/test-crash.sh release $(KILLS)

test-backup-briefly: test-build
	@setup/test-backup.sh debug 3 10000

test-backup: setup build ## makes backups under load, kills and damages them, puts them in place
	@setup/test-backup.sh release

test-faults: ## makes every fault of docs/faults.md for real (as root: disks too)
	@setup/setup.sh faults
	@$(MAKE) --no-print-directory build
	@setup/test-faults.sh release

test-load: setup build ## lets a thousand people in at once, and those who mean harm
	@setup/test-load.sh release

soak: setup build ## minutes of mixed load on a million devices: memory must not grow
	@$(if $(filter file,$(origin FAROL_DATABASE)),FAROL_DATABASE=) setup/test-soak.sh release $(MINUTES) $(DEVICES)

test-photos-debug: test-build
	@setup/test-photos.sh debug

test-photos: test-setup build ## attacks the photos of a release build and measures what it costs
	@setup/test-photos.sh release

test-proxies: ## lets nginx and Caddy stand before a release build, as operations/ has it
	@setup/setup.sh proxies
	@$(MAKE) --no-print-directory build
	@setup/test-proxies.sh

streets: ## makes the street map of EXTRACT=, a file or an address of OpenStreetMap data (.osm.pbf)
	@[ -n "$(EXTRACT)" ] || { echo "usage: make streets EXTRACT=madeira.osm.pbf (or an https address; docs/setup.md lists servers)" >&2; exit 2; }
	@setup/streets.sh "$(EXTRACT)"

build-static:
	@setup/setup.sh package
	@echo "==> Building Farol with the Swift runtime inside (minutes the first time)"
	@$(SWIFT_BUILD_STATIC) --product farol
	@$(SWIFT_BUILD_STATIC) --product farol-image

install: build-static ## puts Farol into PREFIX (/usr/local), below DESTDIR
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" setup/install.sh $(STATIC)/release

install-map: setup ## puts the base map, places and countries there too
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" setup/install.sh map

deb: build-static ## packs Farol for Debian, into dist/
	@setup/deb.sh $(STATIC)/release

test-package: ## lets the package be installed, run, upgraded and purged in a Debian of its own (as root)
	@setup/setup.sh test-package
	@$(MAKE) --no-print-directory build-static
	@setup/test-package.sh $(STATIC)/release

test-operations: ## lets Prometheus watch a release build: alerts, dashboard, runbook
	@setup/setup.sh operations
	@$(MAKE) --no-print-directory build
	@setup/test-operations.sh

fuzz: setup ## feeds every parser of ours with what libFuzzer makes up (heavy)
	@setup/fuzz.sh $(FUZZ_TIME)

test-load-thread: setup ## a server under load, beneath the thread sanitizer (heavy)
	@$(MAKE) --no-print-directory load-sanitized SANITIZER=thread

test-load-address: setup ## the same beneath the address sanitizer (heavy)
	@$(MAKE) --no-print-directory load-sanitized SANITIZER=address

load-sanitized: .build-address/options.o
	@swift build --jobs $(JOBS) --scratch-path .build-$(SANITIZER) --sanitize=$(SANITIZER) $(SANITIZER_OPTIONS_$(SANITIZER))
	@setup/test-load.sh .build-$(SANITIZER)/debug --sanitized --people 200 --devices 5000

test-thread: setup ## the Swift tests under the thread sanitizer (heavy)
	@swift test --jobs $(JOBS) --scratch-path .build-thread --sanitize=thread

test-address: setup .build-address/options.o ## the Swift tests under the address sanitizer (heavy)
	@swift test --jobs $(JOBS) --scratch-path .build-address --sanitize=address $(SANITIZER_OPTIONS_address)

# Not leaks: Swift marks pointers in their spare bits, and what globals hold by such a one counts as lost.
# Linked in, as the program for pictures has no environment to be told in.
SANITIZER_OPTIONS_address = -Xlinker $(CURDIR)/.build-address/options.o

.build-address/options.o:
	@mkdir -p $(@D)
	@echo 'const char *__asan_default_options(void) { return "detect_leaks=0"; }' | clang -x c -c - -o $@

bench: ## measures a release build on a synthetic world (heavy)
	@setup/setup.sh bench
	@$(SWIFT_BUILD) --configuration release --product farol
	@$(SWIFT_BUILD) --configuration release --product farol-bench
	@bench/run

bench-peer: ## measures devices added beside FastAPI and PostGIS with the same tables (heavy)
	@setup/setup.sh peer
	@$(SWIFT_BUILD) --configuration release --product farol
	@$(SWIFT_BUILD) --configuration release --product farol-bench
	@data/.peer/bin/python bench/peer

bench-metrics: setup ## measures what counting a request costs
	@$(SWIFT_BUILD) --configuration release --product farol-bench
	@.build/release/farol-bench metrics

bench-locks: setup ## measures what taking a lock costs when threads share it
	@$(SWIFT_BUILD) --configuration release --product farol-bench
	@.build/release/farol-bench locks

bench-pages: test-setup ## measures how the map page starts on a slow line and a slow processor
	@$(SWIFT_BUILD) --configuration release --product farol
	@.venv/bin/python bench/pages

lint: ## checks the formatting
	@swift format lint --strict --recursive Package.swift Sources Tests

format: ## mends the formatting
	@swift format --in-place --recursive Package.swift Sources Tests

clean: ## removes what was built and made; keeps the database
	rm -rf .build .build-* .venv public/vendor data/.made data/.unpacked \
	  dist data/debian-*.tar data/basemap*.mbtiles data/streets data/places.db data/countries.bin
