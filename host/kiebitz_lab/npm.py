"""Locate the npm packages that make installs into build/npm: MicroPython for pages, and axe-core."""

from pathlib import Path

from kiebitz_host.outcome import Trouble

from kiebitz_lab.frozen_tree import ROOT

FOLDER = ROOT / "build" / "npm" / "node_modules"


def micropython() -> Path:
    """Return the folder of MicroPython for pages."""
    return _found("@micropython/micropython-webassembly-pyscript")


def axe() -> Path:
    """Return the script that checks a page for accessibility."""
    return _found("axe-core") / "axe.min.js"


def _found(name: str) -> Path:
    if not (FOLDER / name).exists():
        raise Trouble(f"the package {name} is missing: run make build/npm/ready, which needs Node.js and its npm.")
    return FOLDER / name
