"""The way to what the tests make their games with, for benchmarks that need the same ones."""

import importlib
import sys
from types import ModuleType

from .micropython import ROOT


def helpers(*names: str) -> list[ModuleType]:
    """Modules of tests/helpers."""
    sys.path.insert(0, str(ROOT / "tests"))
    try:
        return [importlib.import_module("helpers." + name) for name in names]
    finally:
        sys.path.pop(0)
