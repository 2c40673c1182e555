# Farol. `make` alone lists the targets; docs/how-to/setup.md describes set-up.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Parallel Swift jobs.
JOBS ?= 2
SWIFT_BUILD := swift build --jobs $(JOBS)
FAROL := .build/release/farol
# Number of cases that schemathesis generates for each operation in `make test-clients`.
EXAMPLES ?= 60
# Number of kills in `make test-crash`.
KILLS ?= 200
# Number of kills of a server, and of the primary, in `make test-cluster`.
CLUSTER_KILLS ?= 3
# Seconds for each parser in `make fuzz`.
FUZZ_TIME ?= 60
# Minutes of `make soak`, and its number of devices if FAROL_DATABASE names no database.
MINUTES ?= 10
DEVICES ?= 1000000
# Options of `make bench-watch`, such as --small.
WATCH ?=
# The base of `make image`: empty for debian:bookworm-slim.
BASE ?=
# The destination of `make install`.
PREFIX ?= /usr/local
DESTDIR ?=
# Release programs contain the Swift runtime, so that they run without Swift; a server at rest takes 13 MB less memory
# than with the shared libraries. lld packs relative relocations, which saves 3 MB (glibc 2.36 and later read them).
# Exporting no dynamic symbols saves another 1 MB: no program links to these.
SWIFT_RELEASE := $(SWIFT_BUILD) --configuration release --static-swift-stdlib \
  -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
FAROL_DATABASE ?= data/farol.db
FAROL_LISTEN ?= 127.0.0.1:8080
export FAROL_DATABASE FAROL_LISTEN

.NOTPARALLEL:
.PHONY: help setup run test bench lint format streets settings-page cli-page
.PHONY: figures bench-live bench-lists bench-watch bench-addresses bench-routes evaluate-routes bench-tasks bench-engines bench-headers bench-instructions bench-pages bench-peer build test-proxies test-setup test-build test-swift test-dialect test-front test-browser reference-pictures help-pictures test-clients test-crash test-photos test-routes test-formats test-exchange test-thread test-address test-load-thread test-load-address load-sanitized postgresql-schema test-postgresql test-engines test-cluster test-upgrade clean
.PHONY: front build-package install install-map deb image test-package test-container
.PHONY: test-alerts diagram test-more test-quick test-costs test-faults test-load soak fuzz test-backup test-operations simulate-visits model-visits

help: ## lists these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

setup: ## installs packages and libraries, builds the map data
	@setup/setup.sh run

run: ## sets up and builds Farol, loads the sample once, serves the map
	@exec setup/run.sh $(FAROL)

front: test-setup ## builds what browsers get into data/front (MAPS=1: with source maps)
	@setup/front.py $(if $(MAPS),--maps)

build:
	@echo "==> Building Farol for release (minutes the first time, seconds after)"
	@FAROL_INSTALLED_ONLY=1 $(SWIFT_RELEASE)

test: test-build ## runs the tests that every change must pass
	@setup/test-all.sh
	@echo "==> All tests passed"

test-more: test-build ## runs these tests and those with clients, kills, restores, pictures and untrusted files
	@setup/test-all.sh more
	@echo "==> All tests passed"

test-quick: test-build ## runs what to check before each commit: format, types and the faster tests
	@setup/test-quick.sh

test-costs: test-build ## measures each Swift suite alone, to choose those that test-quick leaves out
	@setup/test-swift.sh --costs

test-setup:
	@setup/setup.sh test

test-build: test-setup
	@echo "==> Building Farol and its tests"
	@$(SWIFT_BUILD) --build-tests

test-swift: test-build
	@setup/test-swift.sh

simulate-visits: test-build ## plays a month of 10,000 requests for visits and 1,000 volunteers
	@FAROL_SIMULATE_VISITS=1 swift test --skip-build --filter VisitSimulationTests

model-visits: ## checks a model of the dispatch of visits with spin
	@setup/model-visits.sh

postgresql-schema: ## writes the first migration of PostgreSQL from those of SQLite
	@/usr/bin/python3 -B Tests/Dialect --write-schema
test-postgresql: test-build ## runs the tests of the server on PostgreSQL, and compares the answers of both engines
	@setup/setup.sh dialect
	@setup/test-postgresql.sh
	@setup/test-engines.sh debug
test-engines: test-build
	@setup/setup.sh dialect
	@setup/test-engines.sh debug
test-cluster: ## three servers on Patroni, etcd and HAProxy: pauses, cuts off and kills them under load (root)
	@setup/setup.sh cluster
	@$(MAKE) --no-print-directory build
	@setup/test-cluster.sh release $(CLUSTER_KILLS)
test-upgrade: ## upgrades three servers one after the other under load, with a migration in between
	@setup/setup.sh cluster
	@$(MAKE) --no-print-directory build
	@setup/test-upgrade.sh release
test-dialect: test-swift ## runs the Swift tests and prepares their SQL on PostgreSQL
	@setup/setup.sh dialect
	@setup/test-dialect.sh

test-front: test-setup
	@setup/test-front.sh

test-browser: test-build
	@setup/test-browser.sh

reference-pictures: test-build ## makes new reference pictures for test-browser
	@FAROL_REFERENCE_PICTURES=make setup/test-browser.sh test_pictures

help-pictures: ## takes the pictures and the film of /help from the running program
	@setup/setup.sh pictures
	@setup/setup.sh test
	@$(SWIFT_BUILD) --product farol
	@mkdir -p data/streets
	@[ -e data/streets/liechtenstein.mbtiles ] || setup/street-map.sh seed/streets/liechtenstein.osm.pbf data/streets/liechtenstein.mbtiles
	@JOBS=1 FAROL_HELP_PICTURES=make setup/test-browser.sh test_help.HelpPictureTests

test-clients: ## reads a running Farol with GDAL, QGIS and R; long schemathesis run
	@setup/setup.sh clients
	@$(SWIFT_BUILD) --build-tests
	@FAROL_EXAMPLES=$(EXAMPLES) setup/test-clients.sh
	@setup/test-clients.sh --heavy

test-crash: setup build ## kills the server 200 times under load and checks every acknowledged write
	@setup/test-crash.sh release $(KILLS)

test-alerts: test-setup build ## kills the server 20 times and checks that every alert of every watch arrives
	@setup/test-alerts.sh release 20

test-backup: setup build ## restore drill: makes backups under load, kills, damages and restores them
	@setup/test-backup.sh release

test-faults: ## causes every fault of docs/reference/faults.md (as root: also disk faults)
	@setup/setup.sh faults
	@$(MAKE) --no-print-directory build
	@setup/test-faults.sh release

test-load: setup build ## a thousand connections at once, and connection attacks
	@setup/test-load.sh release

soak: setup build ## minutes of mixed load on a million devices; memory must not grow
	@$(if $(filter file,$(origin FAROL_DATABASE)),FAROL_DATABASE=) setup/test-soak.sh release $(MINUTES) $(DEVICES)

test-formats: test-setup build ## imports lists in every format and hostile lists with a release build
	@setup/test-formats.sh release

test-exchange: test-setup build ## exports the sample in every format and imports it into another instance
	@setup/test-exchange.sh release

test-photos: test-setup build ## sends hostile images to a release build and measures their cost
	@setup/test-photos.sh release

test-routes: test-build ## compares 1,000 ways of each mode and extract with plain searches, RoutingKit and OSRM
	@setup/test-routes.sh debug

test-proxies: ## tests nginx and Caddy, configured as in operations/, in front of a release build
	@setup/setup.sh proxies
	@$(MAKE) --no-print-directory build
	@setup/test-proxies.sh

streets: ## builds a street map and its graph from EXTRACT=, a file or URL of OpenStreetMap data (.osm.pbf)
	@[ -n "$(EXTRACT)" ] || { echo "usage: make streets EXTRACT=madeira.osm.pbf (or an https URL; docs/how-to/setup.md lists servers)" >&2; exit 2; }
	@setup/streets.sh "$(EXTRACT)"

build-package:
	@setup/setup.sh package
	@$(MAKE) --no-print-directory build

install: build-package ## installs Farol into PREFIX (/usr/local), below DESTDIR
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" setup/install.sh .build/release

install-map: setup ## installs the base map, places and countries there
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" setup/install.sh map

image: build-package ## builds the container images with buildah or Docker (BASE=debootstrap without a registry, as root)
	@setup/setup.sh image
	@BASE="$(BASE)" setup/image.sh .build/release

test-container: ## builds the container images and runs them with podman (as root)
	@setup/setup.sh test-container
	@$(MAKE) --no-print-directory build-package
	@setup/test-container.sh .build/release

deb: build-package ## builds the Debian package, in dist/
	@setup/deb.sh .build/release

test-package: ## installs, runs, upgrades and purges the package in a separate Debian (as root)
	@setup/setup.sh test-package
	@$(MAKE) --no-print-directory build-package
	@setup/test-package.sh .build/release

test-operations: ## tests alerts, dashboard and runbook with Prometheus and a release build
	@setup/setup.sh operations
	@$(MAKE) --no-print-directory build
	@setup/test-operations.sh

fuzz: test-setup ## fuzzes every parser of Farol with libFuzzer, and farol-formats with changed lists (heavy)
	@setup/fuzz.sh $(FUZZ_TIME)
	@setup/fuzz-formats.sh $(FUZZ_TIME)

test-load-thread: setup ## load test under the thread sanitizer (heavy)
	@$(MAKE) --no-print-directory load-sanitized SANITIZER=thread

test-load-address: setup ## load test under the address sanitizer (heavy)
	@$(MAKE) --no-print-directory load-sanitized SANITIZER=address

load-sanitized: .build-address/options.o .build-thread/options.o
	@swift build --jobs $(JOBS) --scratch-path .build-$(SANITIZER) --sanitize=$(SANITIZER) $(SANITIZER_OPTIONS_$(SANITIZER))
	@setup/test-load.sh .build-$(SANITIZER)/debug --sanitized --people 200 --devices 5000

test-thread: setup .build-thread/options.o ## Swift tests under the thread sanitizer (heavy)
	@swift test --jobs $(JOBS) --scratch-path .build-thread --sanitize=thread $(SANITIZER_OPTIONS_thread)

test-address: setup .build-address/options.o ## Swift tests under the address sanitizer (heavy)
	@swift test --jobs $(JOBS) --scratch-path .build-address --sanitize=address $(SANITIZER_OPTIONS_address)

# Leak detection is off: Swift stores marks in the spare bits of pointers, so the sanitizer takes memory that
# globals hold through such pointers for lost. The option is linked in, because farol-image clears its environment.
SANITIZER_OPTIONS_address = -Xlinker $(CURDIR)/.build-address/options.o

.build-address/options.o:
	@mkdir -p $(@D)
	@echo 'const char *__asan_default_options(void) { return "detect_leaks=0"; }' | clang -x c -c - -o $@

# GLib, which GMime uses, passes memory between threads under locks that the sanitizer does not observe.
SANITIZER_OPTIONS_thread = -Xlinker $(CURDIR)/.build-thread/options.o

.build-thread/options.o:
	@mkdir -p $(@D)
	@echo 'const char *__tsan_default_suppressions(void) { return "called_from_lib:libglib-2.0.so"; }' | \
	  clang -x c -c - -o $@

bench: ## measures a release build with a synthetic world (heavy)
	@setup/setup.sh bench
	@$(SWIFT_RELEASE) --product farol
	@$(SWIFT_RELEASE) --product farol-bench
	@bench/run

bench-engines: ## measures a release build on PostgreSQL beside SQLite, and with several servers (heavy)
	@setup/setup.sh bench
	@setup/setup.sh dialect
	@$(SWIFT_RELEASE) --product farol
	@$(SWIFT_RELEASE) --product farol-bench
	@bench/engines

bench-headers: ## prints how many meanings of column names are found
	@node Tests/Headers/measure.js

bench-instructions: setup build ## counts the instructions of each kind of request, for comparisons on busy machines
	@setup/setup.sh bench
	@bench/instructions

bench-peer: ## compares adding devices with FastAPI and PostGIS on the same tables (heavy)
	@setup/setup.sh peer
	@$(SWIFT_RELEASE) --product farol
	@$(SWIFT_RELEASE) --product farol-bench
	@data/.peer/bin/python bench/peer

bench-pages: test-setup ## measures the start of the pages on a slow line and a slow processor
	@$(SWIFT_RELEASE) --product farol
	@.venv/bin/python bench/pages --others

bench-live: setup build ## measures the time from a write to a thousand listeners of live changes
	@ulimit -n "$$(ulimit -Hn)" && python3 bench/live

bench-watch: test-setup build ## measures watches: live, mail and webhook, with 100,000 watches (heavy; WATCH=--small)
	@ulimit -n "$$(ulimit -Hn)" && .venv/bin/python bench/watch $(WATCH)

bench-lists: test-setup build ## measures imports of a million rows and exports of a million devices (heavy)
	@.venv/bin/python bench/lists

bench-addresses: setup build ## measures the address search of a synthetic extract of a country (heavy)
	@bench/addresses

bench-routes: test-setup build ## measures the search for ways, also in Chromium on a processor four times slower
	@bench/routes
	@bench/routes --browser

evaluate-routes: build ## how much exposure quiet routes save in the towns of the sample, in docs/reference/quiet-routes.svg
	@bench/evaluate-routes Baltimore=data/streets/baltimore.graph Liechtenstein=data/streets/liechtenstein.graph --chart docs/reference/quiet-routes.svg

figures: ## writes the newest rows of bench/results into docs/reference/performance.md
	@bench/figures --write

bench-tasks: test-setup build ## times ten tasks in a scripted browser on a phone
	@.venv/bin/python bench/tasks

settings-page: build ## writes the table of settings in docs/reference/settings.md
	@$(FAROL) --experimental-dump-help | python3 setup/settings.py --write

cli-page: build ## writes docs/reference/cli.md, the commands of farol
	@$(FAROL) --experimental-dump-help | python3 setup/cli_page.py --write

api-tables: test-build ## writes docs/reference/endpoints.tsv, parameters.tsv and the tables of endpoints.md
	@FAROL_TABLES=write swift test --skip-build --filter InterfaceTableTests

diagram: test-build ## writes the diagram of targets in docs/explanation/architecture.md
	@FAROL_DIAGRAM=write swift test --skip-build --filter DiagramTests

lint: ## checks the formatting and the width of lines
	@swift format lint --strict --parallel --recursive Package.swift Sources Tests
	@setup/lint-front.py
	@setup/osm_table.py check

format: ## corrects the formatting
	@swift format --in-place --recursive Package.swift Sources Tests

clean: ## removes built and generated files; keeps the database
	rm -rf .build .build-* .venv public/vendor data/front data/.made data/.unpacked data/.progress data/build.log data/setup.log \
	  dist data/debian-*.tar data/containers data/basemap*.mbtiles data/streets data/places.db data/countries.bin
