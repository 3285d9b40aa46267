PYTHON ?= python3
PIP = -m pip --disable-pip-version-check -qq install
PIP_FAILED = { echo "pip could not install the packages for $@: check the network connection, then run make again." >&2; exit 1; }
VENV_FAILED = { echo "$(PYTHON) cannot make a virtual environment: on Debian, run apt-get install python3-venv, then make again." >&2; exit 1; }
IS_MICROPYTHON = -X heapsize=128k -c 'import sys; assert sys.implementation._mpy & 255 == 6'

# A MicroPython on the PATH is taken if it runs and loads .mpy files of version 6; otherwise one is installed into an environment of its own.
ifndef MICROPYTHON
MICROPYTHON := $(shell micropython $(IS_MICROPYTHON) >/dev/null 2>&1 && command -v micropython || echo build/micropython/bin/micropython)
endif
export MICROPYTHON

.DEFAULT_GOAL := help
.PHONY: help run chip uf2 dev check test bench powercut soak cross fonts shots architecture hardware case openscad dist lock torture clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: .venv/player ## play on this computer
	@.venv/bin/kiebitz sim

chip: .venv/ready ## play on an emulated Pico: the firmware on real MicroPython
	@.venv/bin/kiebitz sim --chip

uf2: .venv/ready ## the one file to drag onto a Pico: build/kiebitz-VERSION.uf2
	@.venv/bin/python -m kiebitz_lab.image

dev: .venv/ready ## this checkout on a real Kiebitz without building an image (OFF=1: back to the frozen one)
	@.venv/bin/python -m kiebitz_lab.dev $(PORT) $(if $(OFF),--off)

check: .venv/ready build/stubs/ready ## lint, types and the tests on CPython (under a minute)
	@.venv/bin/ruff check firmware host tests
	@.venv/bin/mypy --config-file tests/typecheck/firmware.ini
	@.venv/bin/mypy
	@.venv/bin/pytest -q -n auto --dist worksteal -m "not long"

test: check $(MICROPYTHON) openscad ## check, the longest tests, the same tests on MicroPython, the emulated Pico, and the case
	@.venv/bin/python -m kiebitz_lab.hardware.case parts
	@.venv/bin/python -m kiebitz_lab.chip
	@.venv/bin/pytest -q -n auto --dist worksteal -m long
	@.venv/bin/pytest -q -n auto --dist worksteal tests/micropython tests/hardware tests/pico

bench: .venv/ready $(MICROPYTHON) ## measure speed and memory on both interpreters
	@.venv/bin/python -m kiebitz_lab.bench

powercut: .venv/ready ## cut the power of an emulated Pico again and again (N=1000 times) and count what is lost
	@.venv/bin/python -m kiebitz_lab.chip.powercut $(N) $(if $(SEED),--seed $(SEED)) $(if $(CUT),--cut $(CUT))

soak: .venv/ready ## play on an emulated Pico for MINUTES=60 of its time and see whether memory shrinks
	@.venv/bin/python -m kiebitz_lab.chip.soak $(MINUTES)

cross: .venv/ready build/cross/ready ## a second opinion: the same story on another emulator (needs Node.js; FLASH=image for another flash)
	@.venv/bin/python -m kiebitz_lab.chip.cross $(if $(FLASH),--flash $(FLASH))

torture: .venv/ready ## all campaigns that try to lose something, in their long form (an hour or two; SEED=1)
	@.venv/bin/python -m kiebitz_lab.torture $(if $(SEED),--seed $(SEED))

fonts: .venv/ready ## compile the pixel fonts from their text art
	@.venv/bin/python -m kiebitz_lab.font_compiler

shots: .venv/ready ## draw every screen into build/shots
	@.venv/bin/python -m kiebitz_lab.gallery

architecture: .venv/ready ## the two pictures of docs/architecture.md, and how long the walk of a key press is
	@.venv/bin/python -m kiebitz_lab.architecture

hardware: .venv/ready ## wiring table and drawings, parts list and Wokwi diagram from the board profiles
	@.venv/bin/python -m kiebitz_lab.hardware

case: .venv/ready openscad ## the printed case: parts into build/case, pictures into hardware/case
	@.venv/bin/python -m kiebitz_lab.hardware.case

dist: .venv/ready ## what is released, in build/dist: image, wheel, notices, checksums
	@.venv/bin/python -m kiebitz_lab.dist

clean: ## remove everything make has created
	rm -rf .venv build
	find firmware host tests -name __pycache__ -prune -exec rm -rf {} +

.venv/player: pyproject.toml host/requirements/player.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Kiebitz needs Python 3.11 or newer as $(PYTHON)." >&2; exit 1; }
	@echo "Setting up .venv (the packages for playing, checked by their hashes) ..."
	@$(PYTHON) -m venv .venv || $(VENV_FAILED)
	@.venv/bin/python $(PIP) --require-hashes -r host/requirements/player.txt || $(PIP_FAILED)
	@.venv/bin/python $(PIP) --no-deps --no-build-isolation --editable . || $(PIP_FAILED)
	@rm -rf kiebitz.egg-info
	@touch $@

.venv/ready: .venv/player host/requirements/developer.txt
	@echo "Adding the development tools to .venv ..."
	@.venv/bin/python $(PIP) --require-hashes -r host/requirements/developer.txt || $(PIP_FAILED)
	@.venv/bin/python -c 'import pathlib, site; pathlib.Path(site.getsitepackages()[0], "kiebitz_lab.pth").write_text("$(CURDIR)/host\n")'
	@touch $@

# Every version with the hashes of its files, for all systems. uv is made for this; the files name no registry.
LOCKED = host/requirements/player.txt host/requirements/developer.txt tests/typecheck/requirements.txt tests/micropython/requirements.txt
LOCK = build/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --python-version 3.11 \
	--custom-compile-command 'make lock' --upgrade

lock: ## newest versions of all packages into the lock files, with their hashes
	@echo "Looking up the newest packages with uv ..."
	@$(PYTHON) -m venv build/lock && build/lock/bin/python $(PIP) uv || $(PIP_FAILED)
	@$(LOCK) --output-file host/requirements/player.txt pyproject.toml host/requirements/build.in
	@$(LOCK) --output-file host/requirements/developer.txt --extra chip --extra dev pyproject.toml host/requirements/build.in
	@$(LOCK) --output-file tests/typecheck/requirements.txt tests/typecheck/requirements.in
	@$(LOCK) --output-file tests/micropython/requirements.txt tests/micropython/requirements.in
	@echo "Changed: $$(git diff --name-only -- $(LOCKED) | tr '\n' ' ')"

# OpenSCAD makes the parts of the case; xvfb is the screen it draws its pictures on.
openscad:
	@command -v $${OPENSCAD:-openscad} >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing with apt-get: openscad xvfb xauth ..." && apt-get -qq update \
			&& DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install openscad xvfb xauth >/dev/null; } \
		|| { echo "The case needs OpenSCAD: on Debian, run apt-get install openscad xvfb xauth as root, then make again." >&2; exit 1; }

build/stubs/ready: tests/typecheck/requirements.txt tests/typecheck/narrow_builtins.py | .venv/ready
	@echo "Setting up build/stubs (what MicroPython on the Pico offers, for the type check) ..."
	@rm -rf build/stubs
	@.venv/bin/python $(PIP) --target build/stubs --require-hashes -r $< || $(PIP_FAILED)
	@.venv/bin/python tests/typecheck/narrow_builtins.py build/stubs/stdlib/builtins.pyi
	@touch $@

# The version is in kiebitz_lab/chip/cross.py; once it is here, no network is needed.
build/cross/ready: host/kiebitz_lab/chip/cross.py
	@command -v npm >/dev/null || { echo "make cross needs Node.js 18 or newer with npm: install it, then run make again." >&2; exit 1; }
	@test -d build/cross/node_modules/rp2040js || echo "Setting up build/cross (rp2040js, the other emulator) ..."
	@mkdir -p build/cross
	@npm install --prefix build/cross --silent --no-audit --no-fund --ignore-scripts --prefer-offline \
		rp2040js@$$(sed -n 's/^VERSION = "\(.*\)"/\1/p' $<) || { echo "npm could not install rp2040js: check the network connection, then run make again." >&2; exit 1; }
	@touch $@

build/micropython/bin/micropython: tests/micropython/requirements.txt
	@echo "Setting up build/micropython (a MicroPython interpreter for this computer) ..."
	@$(PYTHON) -m venv build/micropython || $(VENV_FAILED)
	@build/micropython/bin/python $(PIP) --require-hashes -r $< || $(PIP_FAILED)
	@touch $@
