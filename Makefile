SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO ?= go
ARGS ?=
FUZZTIME ?= 15s
SOAK ?= 30m
CHAOS ?= 30m
SEEDS ?= 200
SEED_START ?= 1
BENCH_ONLY ?= ^TestBounds$$
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

LDFLAGS := -X main.version=$(VERSION)
# The binary needs no C. Said here once, so that everything but the race detector is
# compiled alike, and the standard library not once more for each way.
export CGO_ENABLED := 0
# The platforms that the binary is for, and the one that is built to see that others do:
# it shares neither system nor processor with a common machine for CI.
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
FARTHEST := darwin/arm64
build_for = echo 'build $(1)'; GOOS=$(word 1,$(subst /, ,$(1))) GOARCH=$(word 2,$(subst /, ,$(1))) $(GO) build -o /dev/null ./cmd/indexer
# Packages that start no goroutine: in them a race detector finds nothing, and takes a minute.
ALONE := ./internal/decode ./internal/fit ./internal/idl
# How many packages are tested at once: half as many again as there are processors, for
# the longest ones wait a third of their time.
ATONCE = $$((($$(getconf _NPROCESSORS_ONLN) * 3 + 1) / 2))
# Go files that are ours: not those of packages that the end-to-end test fetches.
GOFILES = $$(find . -name '*.go' -not -path '*/node_modules/*' -not -path './test/e2e/rig/.work/*')

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install what building and testing need (as root; otherwise say what to type)
	@.ci/setup postgres cc promtool node
	$(GO) mod download

.PHONY: build
build: ## Build bin/indexer
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/indexer ./cmd/indexer

.PHONY: demo
demo: build ## Play 300 simulated games, some of them rigged, and audit them (more flags: ARGS=…)
	@.ci/setup postgres
	bin/indexer demo $(ARGS)

.PHONY: run
run: build ## Run the daemon with ARGS='--rpc-url … --program …'
	bin/indexer run $(ARGS)

.PHONY: test
test: ## Run all tests, with the race detector where there is a goroutine
	@.ci/setup postgres cc promtool
	CGO_ENABLED=1 $(GO) test -race -p $(ATONCE) $$($(GO) list ./... | grep -vxFf <($(GO) list $(ALONE)))
	$(GO) test $(ALONE)

.PHONY: test-short
test-short: ## Run the quick tests, without the race detector
	@.ci/setup postgres promtool
	$(GO) test -short ./...

.PHONY: lint
lint: ## Check form, go vet, staticcheck, modules, scripts and that another platform builds
	@unformatted=$$($(GO) tool gofumpt -l $(GOFILES)); \
	if [[ -n $$unformatted ]]; then echo "not formatted by gofumpt:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags e2e,bench,crash ./test/...
	$(GO) vet -tags sim,crashpoints ./test/sim
	$(GO) vet -tags crashpoints ./internal/... ./cmd/...
	$(GO) tool staticcheck ./...
	$(GO) tool staticcheck -tags e2e,bench,crash ./test/...
	$(GO) tool staticcheck -tags sim,crashpoints ./test/sim
	$(GO) tool staticcheck -tags crashpoints ./internal/store ./internal/ingest
	$(GO) mod verify
	$(GO) mod tidy -diff
	@for script in .ci/*; do bash -n "$$script"; done
	@$(call build_for,$(FARTHEST))

.PHONY: platforms
platforms: ## See that the binary builds for every platform that it is for
	@$(foreach platform,$(PLATFORMS),$(call build_for,$(platform));)

.PHONY: bench
bench: ## Run the micro-benchmarks, then measure speed and memory as ratios
	@.ci/setup postgres node
	$(GO) test -run '^$$' -bench . -benchmem ./...
	@$(MAKE) --no-print-directory bench-ratios

.PHONY: bench-ratios
bench-ratios: ## Measure speed and memory as ratios only (a part: BENCH_ONLY=TestBounds/verdict)
	@.ci/setup postgres node
	test/bench/peer/setup.sh
	$(GO) test -tags bench -run '$(BENCH_ONLY)' -count=1 -timeout 60m -v ./test/bench

.PHONY: crash
crash: ## Kill the daemon and its database, at named points and CRASH_ROUNDS=16 random moments
	@.ci/setup postgres cc
	$(GO) test -tags crash -count=1 -parallel 4 -timeout 40m ./test/crash

.PHONY: soak
soak: ## Let everything go wrong for SOAK=30m, and hold the record to the truth
	@.ci/setup postgres cc
	SOAK=$(SOAK) $(GO) test -tags crash -count=1 -timeout 0 -v -run '^TestSoak$$' ./test/crash

.PHONY: chaos
chaos: ## Kill, stop and cut off daemons, worker and database at random moments for CHAOS=30m
	@.ci/setup postgres cc
	@$(GO) test -tags crash -c -o bin/crash.test ./test/crash
	@CHAOS=$(CHAOS) bin/crash.test -test.run '^TestChaos$$' -test.timeout 0

.PHONY: sim
sim: ## Live through SEEDS=200 seeded worlds of faults from SEED_START=1 on, and hold each record to the truth
	@.ci/setup postgres
	@$(GO) test -tags sim,crashpoints -c -o bin/sim.test ./test/sim
	@SEEDS=$(SEEDS) SEED_START=$(SEED_START) bin/sim.test -test.run '^TestSeeds$$' -test.parallel 16 -test.timeout 0

.PHONY: sim-short
sim-short: ## A few of these worlds, and every defence left off once to see it found out
	@.ci/setup postgres
	@$(GO) test -tags sim,crashpoints -c -o bin/sim.test ./test/sim
	@SEEDS=20 bin/sim.test -test.parallel 8 -test.timeout 15m

.PHONY: peers
peers: build ## Let other people's clients read a simulated chain
	@.ci/setup postgres node
	test/bench/peer/setup.sh
	test/peers/run.sh bin/indexer

.PHONY: e2e
e2e: ## Run the daemon against a real node on loopback
	@.ci/setup postgres cc node
	test/e2e/rig/setup.sh
	$(GO) test -tags e2e -count=1 -timeout 20m ./test/e2e/...

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (15s)
	@GO='$(GO)' .ci/fuzz $(FUZZTIME)
