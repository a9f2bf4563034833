# Thin: each target installs what it needs, then calls cmake or a script.
SHELL := /bin/bash
export SMS_COMPILER_LAUNCHER := $(shell command -v ccache)
export CCACHE_SLOPPINESS := pch_defines,time_macros
JOBS ?= $(shell nproc)

.PHONY: all demo test bench chaos build deps check asan tsan sanitizers tidy format clean

all: build

deps:
	@scripts/install-deps

build: deps ## programs in build/release/bin/
	@SMS_COMPILER_LAUNCHER="$$(command -v ccache)" cmake --preset release -Wno-dev >/dev/null
	@cmake --build build/release -j $(JOBS)

demo: build ## the main job, visibly
	@scripts/demo

test: build ## all tests, real servers included
	@scripts/test

bench: build ## stores beside the limit of what they stand on
	@build/release/bin/bench_stores --json build/release/bench.json

chaos: build ## the long run: kills, restarts and cuts, then the provider's ledger
	@build/release/tests/chaos_run --keys 2000 --kills 200 --cuts 100 --restarts 2

check: build ## style, layering, documents
	@scripts/check

asan tsan: deps ## unit and contract tests under a sanitizer
	@scripts/sanitize $@

sanitizers: asan tsan

tidy: build ## clang-tidy with a short list
	@scripts/tidy

format:
	@git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

clean:
	@rm -rf build
