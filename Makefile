# A page over the CMake presets in CMakePresets.json. `make help` lists the targets.
# `make demo` and `make check` need nothing but make: they install what is missing.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local

.PHONY: build demo check check-slow check-asan bench install clean dependencies help
.NOTPARALLEL:
.DEFAULT_GOAL := build
MAKEFLAGS += --no-print-directory

# Configures a preset once; later builds reconfigure themselves.
define compile
	@test -f build/$(1)/Makefile || cmake --preset $(1)
	@cmake --build build/$(1) -j $(JOBS) $(if $(2),--target $(2))
endef

build: ## build the library and the program build/enuf
	@scripts/install_dependencies.sh --check || { echo 'enuf: `make dependencies` installs them' >&2; false; }
	$(call compile,release,enuf enuf_cli)
	@ln -sfn release/enuf build/enuf

demo: dependencies build ## Madelung constant of fluorite, its alpha sweep, energy and forces of water
	$(call compile,release,madelung_fluorite)
	@mkdir -p build/demo
	build/enuf madelung fluorite --cells 32 --accuracy 1e-13
	@echo
	build/release/bin/madelung_fluorite build/demo
	@echo
	build/enuf energy examples/data/water.data --exclude molecule --forces build/demo/water_forces.xyz
	@printf '\nWritten to build/demo:\n'; ls build/demo | sed 's/^/  /'
	@echo 'Next: build/enuf energy FILE, with a LAMMPS data file or extended XYZ of your own.'

check: dependencies ## build everything and run every test that does not take minutes
	$(call compile,release)
	@ln -sfn release/enuf build/enuf
	ctest --preset release

check-slow: dependencies ## the tests that take minutes
	$(call compile,release)
	ctest --preset slow

check-asan: dependencies ## make check, with AddressSanitizer and UndefinedBehaviorSanitizer
	$(call compile,asan)
	ctest --preset asan

bench: dependencies ## comparisons with peers that are installed (docs/benchmarks.md)
	$(call compile,release,nufft_against_finufft)
	@mkdir -p build/bench
	build/release/bin/nufft_against_finufft --csv build/bench/nufft_against_finufft.csv; test $$? -eq 0 -o $$? -eq 77

install: build ## install the library, headers and the program under PREFIX (/usr/local)
	cmake --install build/release --prefix $(PREFIX)

dependencies: ## install the Debian or Ubuntu packages that are missing
	@scripts/install_dependencies.sh

clean: ## remove build/
	rm -rf build

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 15
